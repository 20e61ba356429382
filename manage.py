#!/usr/bin/env python
"""Django's command line for Keepsake."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db.utils import OperationalError

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"Keepsake cannot start: {error}")
    except OperationalError as error:
        if getattr(error.__cause__, "sqlstate", None) is not None:
            raise  # The database has answered.
        sys.exit(
            f"The database does not answer: {error}\n"
            "Start Keepsake first (make run), with the same KEEPSAKE_HOME or DATABASE_URL."
        )


if __name__ == "__main__":
    main()
