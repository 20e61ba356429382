"""``manage.py reset_second_factor``: removes the second factors of a person who has lost them."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from instances.models import User
from instances.signin import second_factor


class Command(BaseCommand):
    """Removes a person's second factors, so that their password is enough again."""

    help = "Remove the authenticator app, passkeys and recovery codes of a person."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the username."""
        parser.add_argument("username")

    def handle(self, *args: Any, username: str, **options: Any) -> None:
        """Remove the factors and print how many there were."""
        try:
            user = User.objects.get(username=username)
        except User.DoesNotExist:
            raise CommandError(f"There is no account {username}.") from None
        count = second_factor.remove_all(user)
        if not count:
            self.stdout.write(f"{username} has no second factor.")
            return
        factors = "1 second factor" if count == 1 else f"{count} second factors"
        self.stdout.write(f"Removed {factors} of {username}. The password is enough again.")
