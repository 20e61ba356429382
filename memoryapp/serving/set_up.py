"""Brings the database up to date before ``manage.py run`` shows its first page."""

import io
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.db.migrations.executor import MigrationExecutor

from instances.accounts import create_first_admin
from instances.models import User
from memoryapp.schema.comparison import not_upgradable

#: Called with what is reported: ``{"begins": "Database"}``, ``{"took": 0.4}``.
Report = Callable[[dict[str, Any]], object]


@dataclass(frozen=True)
class Login:
    """The first superadmin."""

    name: str
    #: The generated password; empty if it is from the settings, None if the account is not new.
    password: str | None


def set_up(report: Report, *, demo: bool) -> tuple[Login, bool]:
    """Migrate the database, erase again whom an older one brings back, and with an empty database
    load the *demo* and create the first superadmin. Return the account, and whether anything but
    looking was done. Raises `CommandError`.
    """
    changed = False
    with _reported(report, "Database"):
        executor = MigrationExecutor(connection)
        if _is_behind(executor):
            changed = True
            call_command("migrate", interactive=False, stdout=io.StringIO())
        elif problem := not_upgradable(executor):
            raise CommandError(problem)
        # An older folder may have been copied back.
        call_command("apply_erasures", stdout=io.StringIO())
    # The demo first: an account that can sign in marks a finished set-up.
    if demo and not User.objects.exists():
        with _reported(report, "Demo"):
            changed = True
            call_command("load_demo", stdout=io.StringIO())
    password = create_first_admin()
    admin = User.objects.filter(is_superuser=True).order_by("pk").first()
    connections.close_all()
    return Login(admin.get_username() if admin else "", password), changed


def _is_behind(executor: MigrationExecutor) -> bool:
    """True if a migration is missing in the database. If none is, `migrate` would only look through
    all models again.
    """
    executor.loader.check_consistent_history(executor.connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


@contextmanager
def _reported(report: Report, step: str) -> Iterator[None]:
    report({"begins": step})
    begin = time.monotonic()
    yield
    report({"took": time.monotonic() - begin})
