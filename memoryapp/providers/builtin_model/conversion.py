"""``python -m memoryapp.providers.builtin_model.conversion FOLDER``: makes the files of the
multilingual model.

It takes a few seconds and 360 MB, which is why it is a program of its own. The embedding process
runs it when the model is first used; an image is built with the files.
"""

import argparse
import mmap
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from memoryapp.embedded.paths import ServerError
from memoryapp.providers.builtin_model import converted_files, interpreter
from memoryapp.providers.builtin_model.files import UnusableFile


def convert(home: Path) -> None:
    """Make the files in *home*, in another process. Raises `UnusableFile` if their source cannot be
    used, and `ServerError` if they cannot be made.
    """
    with converted_files.opened_source():
        pass
    done = subprocess.run(  # noqa: S603 - Our own command.
        interpreter.command("conversion", str(home)),
        env=interpreter.environment(),
        cwd="/",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        (*_, reason) = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise ServerError(f"The files of the multilingual model could not be made: {reason}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the files in a folder; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m memoryapp.providers.builtin_model.conversion")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    options = parser.parse_args(arguments)
    try:
        write_files(options.folder)
    except (UnusableFile, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def write_files(folder: Path) -> None:
    """Make the files in *folder*. Raises `UnusableFile` or OSError."""
    # Only now: it takes a while and memory to import.
    from memoryapp.providers.builtin_model.e5_file import E5File
    from memoryapp.providers.builtin_model.e5_graph import graph
    from memoryapp.providers.builtin_model.e5_tokenizer import tokenizer

    with converted_files.opened_source() as source:
        content = mmap.mmap(source.fileno(), 0, access=mmap.ACCESS_READ)
        file = E5File(content)

        def vocabulary() -> Iterator[bytes]:
            yield tokenizer(file.vocabulary)

        converted_files.write(
            folder,
            {converted_files.MODEL: graph(file), converted_files.TOKENIZER: vocabulary()},
        )


if __name__ == "__main__":
    sys.exit(main())
