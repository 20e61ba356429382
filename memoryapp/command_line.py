"""The command line: ``manage.py``, or the command ``keepsake`` of the package."""

import os
import sys

from memoryapp import __version__
from memoryapp.process.installation import COMMAND, IS_PACKAGE, START


def main() -> None:
    """Carry out the command in ``sys.argv``; the package's own, if none is named, is ``run``."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
    from django.core.exceptions import ImproperlyConfigured

    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        sys.exit(print(f"Keepsake {__version__}"))
    if IS_PACKAGE and (not arguments or arguments[0].startswith("-")):
        arguments = ["run", *arguments]
    try:
        if arguments[:1] == ["run"]:
            # Without the rest of Django: this process stays, and only looks after others.
            from memoryapp.serving import run

            sys.exit(run.main(arguments[1:]))
        _carry_out()
    except ImproperlyConfigured as error:
        sys.exit(f"Keepsake cannot start: {error}")


def _carry_out() -> None:
    from django.core.management import execute_from_command_line
    from django.db.utils import OperationalError

    try:
        execute_from_command_line([COMMAND, *sys.argv[1:]])
    except OperationalError as error:
        if getattr(error.__cause__, "sqlstate", None) is not None:
            raise  # The database has answered.
        sys.exit(f"The database does not answer: {error}\n{_remedy()}")


def _remedy() -> str:
    if os.environ.get("DATABASE_URL"):
        return "Check DATABASE_URL, and that its server runs and can be reached from here."
    return f"Start Keepsake first ({START}), with the same KEEPSAKE_HOME."
