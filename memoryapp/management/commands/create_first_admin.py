"""``manage.py create_first_admin``: create the account for the first sign-in."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from instances.accounts import create_first_admin


class Command(BaseCommand):
    help = "Create the first superadmin if there is none, and print its password once."

    def handle(self, *args: Any, **options: Any) -> None:
        password = create_first_admin()
        if password is None:
            self.stdout.write("There is a superadmin already.")
            return
        self.stdout.write(f"Created the superadmin {settings.ADMIN_USERNAME}.")
        if password:
            self.stdout.write(f"Password (shown only now): {password}")
