"""``manage.py run``, for `call_command` and ``manage.py help``: ``manage.py`` itself calls
`memoryapp.serving.run` without Django.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memoryapp.serving import run


class Command(BaseCommand):
    help = "Run Keepsake: database, queue, web server and worker."
    # The database does not run yet, and the web server checks the rest.
    requires_migrations_checks = False
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        run.add_arguments(parser)

    def handle(self, *args: Any, host: str, port: int, no_demo: bool, **options: Any) -> None:
        if failure := run.run(host, port, demo=not no_demo):
            raise CommandError(str(failure))
