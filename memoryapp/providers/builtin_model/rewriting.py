"""``python -m memoryapp.providers.builtin_model.rewriting SOURCE TARGET``: makes the file of the
model again.

SOURCE is the export that ``data/README.md`` names. Needs the package ``onnx``, which is among the
development packages: no program of Keepsake imports this module.
"""

import argparse
import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path

from memoryapp.providers.builtin_model import files
from memoryapp.providers.builtin_model.integer_arithmetic import multiply_integers


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the file; return 1 if it is not the one that Keepsake loads."""
    parser = argparse.ArgumentParser(prog="python -m memoryapp.providers.builtin_model.rewriting")
    parser.add_argument("source", type=Path, metavar="SOURCE")
    parser.add_argument("target", type=Path, metavar="TARGET")
    options = parser.parse_args(arguments)
    try:
        with files.opened(options.source, files.SOURCE_SHA256) as source:
            model = b"".join(multiply_integers(source.read()))
    except files.UnusableFile as error:
        parser.error(str(error))
    options.target.write_bytes(model)
    checksum = hashlib.sha256(model).hexdigest()
    print(f"{options.target}: {len(model):,} bytes, SHA-256 {checksum}")
    return int(checksum != files.MODEL_SHA256)


if __name__ == "__main__":
    sys.exit(main())
