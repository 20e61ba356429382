#!/usr/bin/env python
"""Django's command line for Keepsake."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
    from django.core.exceptions import ImproperlyConfigured

    try:
        if sys.argv[1:2] == ["run"]:
            # Without the rest of Django: this process stays, and only looks after others.
            from memoryapp.serving import run

            sys.exit(run.main(sys.argv[2:]))
        _carry_out()
    except ImproperlyConfigured as error:
        sys.exit(f"Keepsake cannot start: {error}")


def _carry_out() -> None:
    from django.core.management import execute_from_command_line
    from django.db.utils import OperationalError

    try:
        execute_from_command_line(sys.argv)
    except OperationalError as error:
        if getattr(error.__cause__, "sqlstate", None) is not None:
            raise  # The database has answered.
        sys.exit(f"The database does not answer: {error}\n{_remedy()}")


def _remedy() -> str:
    if os.environ.get("DATABASE_URL"):
        return "Check DATABASE_URL, and that its server runs and can be reached from here."
    return "Start Keepsake first (make run), with the same KEEPSAKE_HOME."


if __name__ == "__main__":
    main()
