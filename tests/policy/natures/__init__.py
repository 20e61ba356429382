"""Messages in six languages with what each does: those by which the rules were made, and others.

Each file has a heading for each nature, and a message a line. With those in ``apart``, no rule was
made to fit a single message: they show how far the rules carry.
"""

from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parent
LANGUAGES = ("english", "german", "italian", "spanish", "french", "portuguese")


def messages(folder: Path, language: str) -> Iterator[tuple[str, str]]:
    """Each message in *language* in *folder*, and its nature."""
    nature = ""
    for line in (folder / f"{language}.txt").read_text("utf-8").splitlines():
        if line.startswith("# "):
            nature = line.removeprefix("# ")
        else:
            yield line, nature


def statements() -> Iterator[str]:
    """All that state something."""
    for folder in (FOLDER, FOLDER / "apart"):
        for language in LANGUAGES:
            yield from (
                text for text, nature in messages(folder, language) if nature == "statement"
            )
