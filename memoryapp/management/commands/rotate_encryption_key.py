"""``manage.py rotate_encryption_key``: encrypt everything with another key."""

import time
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from instances.key_rotation import Rotated, rotate_all
from instances.secrets import encryption_keys
from memoryapp.embedded import keys, paths

#: Time for other processes to store values that they have encrypted with the old key.
SETTLING_SECONDS = 5

HOW_TO_BEGIN = """\
There is only one key, so there is none to change to. The key is in the environment:
  1. Set ENCRYPTION_KEY to a new key, such as {key}
     and ENCRYPTION_KEY_FALLBACKS to the old one.
  2. Restart Keepsake: web and worker.
  3. Run this command again."""


class Command(BaseCommand):
    help = (
        "Encrypts every stored secret with a new key, while Keepsake runs. The key in "
        "KEEPSAKE_HOME is replaced. You replace a key from the environment yourself; the command "
        "says how. If it is stopped, run it again to continue."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.ENCRYPTION_KEY:
            self._with_keys_of_the_environment()
        else:
            self._with_the_key_file()

    def _with_keys_of_the_environment(self) -> None:
        if len(encryption_keys()) == 1:
            raise CommandError(HOW_TO_BEGIN.format(key=keys.new()))
        self._tell(rotate_until_done())
        self.stdout.write("Now remove ENCRYPTION_KEY_FALLBACKS from the environment, and restart.")

    def _with_the_key_file(self) -> None:
        path = settings.ENCRYPTION_KEY_FILE
        try:
            lock = paths.lock(path.with_name(f"{path.name}.lock"))
        except paths.AlreadyRunning:
            raise CommandError("Another rotation is running.") from None
        with lock:
            present = encryption_keys()
            if len(present) == 1:  # With more, a stopped rotation continues.
                present = [keys.new(), *present]
                keys.replace(path, present)
            self._tell(rotate_until_done())
            keys.replace(path, present[:1])
        self.stdout.write(f"The old key is gone from {path}. Make a new backup of it.")

    def _tell(self, done: Rotated) -> None:
        s = "" if done.changed == 1 else "s"
        self.stdout.write(f"Encrypted {done.changed:,} value{s} with the new key.")
        if done.unreadable:
            self.stderr.write(
                f"{done.unreadable:,} could not be read with any of the keys, as before. The "
                "screens say which provider keys to enter again."
            )


def rotate_until_done() -> Rotated:
    """Repeat passes until one, a few seconds later, finds nothing to change."""
    done = rotate_all()
    while True:
        time.sleep(SETTLING_SECONDS)
        more = rotate_all()
        done = Rotated(done.changed + more.changed, more.unreadable)
        if not more.changed:
            return done
