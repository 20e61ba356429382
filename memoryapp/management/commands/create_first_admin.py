"""``manage.py create_first_admin``: create the account for the first sign-in."""

import secrets
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import IntegrityError, transaction

from instances.models import User


def create_first_admin() -> str | None:
    """Create the first superadmin, with name and password from the settings.

    Return the password if it was generated, an empty string if it is from the settings, and None if
    there is a superadmin already.
    """
    if User.objects.filter(is_superuser=True).exists():
        return None
    generated = "" if settings.ADMIN_PASSWORD else secrets.token_urlsafe(12)
    try:
        with transaction.atomic():
            User.objects.create_superuser(
                settings.ADMIN_USERNAME, password=settings.ADMIN_PASSWORD or generated
            )
    except IntegrityError:
        # Another process was faster, or an ordinary user has that name.
        if User.objects.filter(is_superuser=True).exists():
            return None
        raise
    return generated


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
