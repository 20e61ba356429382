"""Output that commands share: progress on the error stream."""

import sys

from django.core.management.base import BaseCommand


def show_progress(command: BaseCommand, text: str) -> None:
    """Write *text* to the error stream at once, without the colour of errors."""
    command.stderr.write(text, style_func=str)
    if command.stderr is sys.stderr:
        sys.stderr.flush()
