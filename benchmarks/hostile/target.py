"""The server that is attacked: ``manage.py run`` in a home of its own, with two people in it."""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from instances.models import Instance, User

START_SECONDS = 240


@dataclass
class Target:
    """The ways into a running Keepsake that attackers and others have."""

    port: int
    provider_port: int
    #: Of the person who has nothing to do with any attack.
    cookie: str = ""
    key: str = ""
    #: Of the hostile person, who has an instance of their own.
    hostile_cookie: str = ""
    hostile_key: str = ""

    def provider(self, way: str) -> str:
        """Return the address of the provider that answers in this *way*."""
        return f"http://127.0.0.1:{self.provider_port}/{way}/v1"


class Server:
    """``manage.py run`` in the home that the environment names."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._process: subprocess.Popen[bytes] | None = None

    def answers(self, seconds: float) -> bool:
        """Tell whether it answers within so many *seconds*."""
        address = f"http://127.0.0.1:{self._port}/healthz"
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=seconds):
            return True
        return False

    def start(self) -> None:
        """Start the server, and wait until it answers.

        Raises `RuntimeError` with the end of what it printed if it does not.
        """
        with tempfile.TemporaryFile() as output:
            self._process = subprocess.Popen(  # noqa: S603 - The command is fixed.
                [sys.executable, "manage.py", "run", "--no-demo", "--port", str(self._port)],
                stdout=output,
                stderr=subprocess.STDOUT,
            )
            deadline = time.monotonic() + START_SECONDS
            while not self.answers(1):
                if self._process.poll() is not None or time.monotonic() > deadline:
                    output.seek(0)
                    printed = output.read().decode(errors="replace")
                    raise RuntimeError(f"Keepsake does not start:\n{printed[-2000:]}")
                time.sleep(0.2)

    def stop(self) -> None:
        """End the server, also one that no longer answers."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(45)
        except subprocess.TimeoutExpired:
            # What it has started ends by itself when it is gone.
            self._process.kill()
            self._process.wait(10)
            time.sleep(15)
        self._process = None


@contextlib.contextmanager
def running() -> Iterator[tuple[Server, Target]]:
    """Start Keepsake and the wrong providers; stop both at the end.

    Sets the environment that Django's settings read, so it comes before ``django.setup()``.
    """
    with tempfile.TemporaryDirectory(prefix="keepsake-hostile-") as folder:
        Path(folder).chmod(0o711)  # As root, the database runs as another user.
        for name in ("DATABASE_URL", "REDIS_URL"):
            os.environ.pop(name, None)
        os.environ["KEEPSAKE_HOME"] = str(Path(folder) / "home")
        os.environ["ADMIN_PASSWORD"] = "an-operator-of-this-benchmark"  # noqa: S105 - Its database is temporary.
        # The providers are on this machine.
        os.environ["OUTGOING_ALLOW"] = "127.0.0.0/8"
        target = Target(_free_port(), _free_port())
        provider = subprocess.Popen(  # noqa: S603 - The command is fixed.
            [
                sys.executable,
                "-m",
                "benchmarks.hostile.provider",
                "--port",
                str(target.provider_port),
            ]
        )
        server = Server(target.port)
        try:
            server.start()
            yield server, target
        finally:
            server.stop()
            provider.terminate()
            provider.wait(10)


def furnish(target: Target, memories: int) -> None:
    """Put two people with an instance each into the database, and note how they come in.

    The list that is watched has so many *memories*.
    """
    from django.db import transaction

    from benchmarks.single_tenant_dataset import Size, fill

    # The worker sees them only with their vectors, which it would make as well.
    with transaction.atomic():
        bystander, quiet = _person("bystander", "quiet")
        fill(quiet, bystander, Size(memories=memories))
    answer_from(quiet, target.provider("good"))
    target.cookie, target.key = new_cookie(bystander), new_key(quiet)
    mallory, hostile = _person("mallory", "hostile")
    target.hostile_cookie, target.hostile_key = new_cookie(mallory), new_key(hostile)


def _person(name: str, slug: str) -> tuple["User", "Instance"]:
    from instances.models import Instance, User

    user = User.objects.create_user(name)
    instance = Instance.objects.create(
        slug=slug, name=slug, private_to=user, memory_enabled=True, palace_enabled=False
    )
    return user, instance


def answer_from(instance: "Instance", address: str) -> None:
    """Let *instance* take its answers from the server at *address*."""
    instance.provider, instance.base_url, instance.fast_model = "custom", address, "m"
    instance.save(update_fields=["provider", "base_url", "fast_model"])


def new_cookie(user: "User") -> str:
    """Sign *user* in; return the cookie."""
    from django.test import Client

    client = Client()
    client.force_login(user)
    return "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())


def new_key(instance: "Instance") -> str:
    """Return a new key of *instance* that may do everything."""
    key = instance.api_keys.model(instance=instance, name="k", scopes=["read", "write", "delete"])
    secret = key.make_secret()
    key.save()
    return secret


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])
