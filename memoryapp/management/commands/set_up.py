"""``manage.py set_up``: what a server does before it starts, with Django loaded once."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = (
        "Migrate the database, erase again the people whom a restored backup has brought back, "
        "and create the first superadmin."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", interactive=False)
        call_command("apply_erasures")
        call_command("create_first_admin")
