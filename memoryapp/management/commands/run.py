"""``manage.py run``: everything that Keepsake needs, started and stopped together."""

import contextlib
import errno
import io
import os
import signal
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from instances.models import User
from memoryapp.embedded.paths import ServerError
from memoryapp.embedded.postgres import PostgresServer
from memoryapp.embedded.processes import Manager
from memoryapp.embedded.redis import RedisServer
from memoryapp.management.commands.create_first_admin import create_first_admin


class Command(BaseCommand):
    """Starts the servers, prepares the database, and runs web, worker and beat until Ctrl-C."""

    help = "Run Keepsake: database, queue, web server, worker and scheduler."
    # The database is not there yet.
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add where to listen, and the switch for the demo."""
        parser.add_argument("--host", default=settings.HOST, help="address to listen on (HOST)")
        parser.add_argument(
            "--port", type=int, default=settings.PORT, help="port to listen on (PORT)"
        )
        parser.add_argument("--no-demo", action="store_true", help="load no demo data (DEMO)")

    def handle(self, *args: Any, host: str, port: int, no_demo: bool, **options: Any) -> None:
        """Run until told to stop.

        Raises:
            CommandError: something cannot start, or has ended by itself.

        """
        _check_port(host, port)
        for number in (signal.SIGTERM, signal.SIGHUP):
            _handle(number, _interrupt)
        failure = ""
        try:
            with contextlib.ExitStack() as stack:
                try:
                    failure = self._run(stack, host, port, demo=settings.DEMO and not no_demo)
                except KeyboardInterrupt:
                    pass
                finally:
                    # The servers must be able to write everything out; a second Ctrl-C waits.
                    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                        signal.signal(number, signal.SIG_IGN)
        except ServerError as error:
            raise CommandError(str(error)) from error
        if failure:
            raise CommandError(f"{failure}. Everything was stopped.")
        self._say("Stopped. The next start finds everything as it is now.")

    def _run(self, stack: contextlib.ExitStack, host: str, port: int, demo: bool) -> str:
        servers: dict[str, PostgresServer | RedisServer] = {}
        if not os.environ.get("DATABASE_URL"):
            servers["PostgreSQL"] = PostgresServer(settings.HOME)
        if not os.environ.get("REDIS_URL"):
            servers["Redis"] = RedisServer(settings.HOME)
        for name, server in servers.items():
            stack.callback(server.stop)
            with self._step(name):
                server.start()
        with self._step("Database"):
            call_command("migrate", interactive=False, stdout=io.StringIO())
        # The demo first: that somebody can log in is the sign of a finished set-up.
        if demo and not User.objects.exists():
            with self._step("Demo"):
                call_command("load_demo", stdout=io.StringIO())
        password = create_first_admin()
        admin = User.objects.filter(is_superuser=True).order_by("pk").first()
        login = admin.get_username() if admin else ""
        # The manager forks, and a connection must not be shared.
        connections.close_all()

        def trouble() -> str:
            return next(
                (f"{name} has ended" for name, it in servers.items() if not it.running),
                "",
            )

        manager = Manager(trouble, self._say)
        # What the children read from the environment has to agree with the options given here.
        env = os.environ | {"HOST": host, "PORT": str(port), "PYTHONUNBUFFERED": "1"}
        manager.add("web", _web(host, port), env)
        # Tasks get a moment to finish; what is not done by then goes back to the queue.
        manager.add("worker", _worker(), env | {"REMAP_SIGTERM": "SIGQUIT"})
        manager.add("beat", _beat(), env)
        threading.Thread(
            target=self._announce, args=(host, port, login, password), daemon=True
        ).start()
        # Closing the terminal is a way to stop, too. The manager sets the other two handlers.
        _handle(signal.SIGHUP, lambda *_: os.kill(os.getpid(), signal.SIGTERM))
        manager.loop()
        return manager.failure

    @contextlib.contextmanager
    def _step(self, name: str) -> Iterator[None]:
        """Say what is being done, and when it is done, how long it took."""
        self._say(f"{name:<12} ", ending="")
        begin = time.monotonic()
        try:
            yield
        except BaseException:
            self._say("")
            raise
        self._say(f"ready in {time.monotonic() - begin:.1f} s")

    def _announce(self, host: str, port: int, login: str, password: str | None) -> None:
        """Wait until the web server answers, then print where it is and who can log in."""
        address = _address(host, port)
        while not _answers(address):
            time.sleep(0.1)
        if password is None:
            told = "as before (manage.py changepassword sets a new one)"
        else:
            told = f"{password}   (shown only this once)" if password else "from ADMIN_PASSWORD"
        self._say(
            f"\n  Keepsake is ready\n\n"
            f"  Address      {address}\n"
            f"  Login        {login}\n"
            f"  Password     {told}\n\n"
            "  Ctrl-C stops everything.\n"
        )

    def _say(self, text: str, ending: str = "\n") -> None:
        # A terminal that was closed must not keep us from stopping the servers.
        with contextlib.suppress(OSError):
            self.stdout.write(text, ending=ending)
            self.stdout.flush()


def _handle(number: signal.Signals, handler: Callable[[int, Any], None]) -> None:
    # Under nohup the hangup is ignored on purpose.
    if signal.getsignal(number) != signal.SIG_IGN:
        signal.signal(number, handler)


def _interrupt(number: int, frame: Any) -> None:
    raise KeyboardInterrupt


def _check_port(host: str, port: int) -> None:
    """Try to listen, before anything is started that would have to be stopped again."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.create_server((host, port), family=family):
            pass
    except (OSError, OverflowError) as error:
        if not isinstance(error, OSError) or error.errno is None:
            reason = str(error)
        elif isinstance(error, socket.gaierror):
            reason = str(error.strerror)
        elif error.errno == errno.EADDRINUSE:
            reason = "another program uses it"
        else:
            reason = os.strerror(error.errno)
        raise CommandError(
            f"Cannot listen on port {port} of {host}: {reason}. "
            "Another port, for example: PORT=8001 make run"
        ) from error


def _address(host: str, port: int) -> str:
    """Return an address for a browser on this machine; 0.0.0.0 is none."""
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)  # noqa: S104
    return f"http://{f'[{name}]' if ':' in name and name[0] != '[' else name}:{port}/"


def _answers(address: str) -> bool:
    try:
        urllib.request.urlopen(address, timeout=10).close()  # noqa: S310
    except urllib.error.HTTPError:
        # An error page is an answer.
        return True
    except OSError:
        return False
    return True


def _web(host: str, port: int) -> list[str]:
    return [
        *(sys.executable, "-m", "uvicorn", "memoryapp.asgi:application"),
        *("--host", host, "--port", str(port)),
        *("--timeout-graceful-shutdown", "3", "--lifespan", "on", "--no-access-log"),
    ]


def _worker() -> list[str]:
    return [
        # In a container root is nothing unusual, and a paragraph about it at each start no help.
        *(sys.executable, "-W", "ignore:You're running the worker", "-m", "celery"),
        *("--quiet", "--app", "memoryapp", "worker"),
        # A conversation is read and filed at once, and both wait for the language model: a third
        # one goes on with what people wait for.
        *("--concurrency", "3", "--loglevel", "info"),
        # There is one worker: nobody to greet, to watch or to gossip with.
        *("--without-gossip", "--without-mingle", "--without-heartbeat"),
    ]


def _beat() -> list[str]:
    return [
        *(sys.executable, "-m", "celery", "--quiet", "--app", "memoryapp", "beat"),
        *("--loglevel", "warning"),
    ]
