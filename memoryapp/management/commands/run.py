"""``manage.py run``: starts all servers and processes of Keepsake, and supervises them."""

import contextlib
import errno
import io
import os
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from instances.models import User
from memoryapp.embedded import processes, stop_signals
from memoryapp.embedded.guard import Guard
from memoryapp.embedded.paths import ServerError
from memoryapp.embedded.postgres import PostgresServer
from memoryapp.embedded.program import Program, stop
from memoryapp.embedded.redis import RedisServer
from memoryapp.embedded.supervisor import Supervisor
from memoryapp.management.commands.create_first_admin import create_first_admin

#: What still works after a process has failed too often.
WITHOUT_REDIS = WITHOUT_WORKER = (
    "Screens, search and the API still work; messages are stored and wait to be read."
)
WITHOUT_BEAT = (
    "Screens, search and the API still work, and messages are read; failed work is not retried."
)
#: The programs have logged their start when the worker says that it is ready and nothing was logged
#: for a while. The login does not wait longer for it than this.
WORKER_IS_READY = " ready."
QUIET_SECONDS = 1.0
MAX_LOG_SECONDS = 15.0


class Command(BaseCommand):
    help = "Run Keepsake: database, queue, web server, worker and scheduler."
    # The database does not run yet.
    requires_migrations_checks = False

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # The output of the programs comes from a thread for each.
        self._saying = threading.Lock()
        self._worker_ready = threading.Event()
        self._logged_at = 0.0

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=settings.HOST, help="address to listen on (HOST)")
        parser.add_argument(
            "--port", type=int, default=settings.PORT, help="port to listen on (PORT)"
        )
        parser.add_argument("--no-demo", action="store_true", help="load no demo data (DEMO)")

    def handle(self, *args: Any, host: str, port: int, no_demo: bool, **options: Any) -> None:
        _check_port(host, port)
        stop_signals.interrupt_once()
        failure = ""
        try:
            with contextlib.ExitStack() as stack:
                try:
                    failure = self._run(stack, host, port, demo=settings.DEMO and not no_demo)
                finally:
                    # The servers must be able to write everything out: a second Ctrl-C waits.
                    stop_signals.ignore()
                    self._say("Stopping.")
        except KeyboardInterrupt:
            pass
        except ServerError as error:
            raise CommandError(str(error)) from error
        if failure:
            raise CommandError(f"{failure}\nEverything was stopped.")
        self._say("Stopped. The next start finds everything as it is now.")

    def _run(self, stack: contextlib.ExitStack, host: str, port: int, demo: bool) -> str:
        """Start everything and keep it running; return why it ended."""
        guard = Guard()
        stack.callback(guard.stop)
        guard.keep()
        supervisor = Supervisor(settings.HOME, guard, self._say_when)
        stack.callback(processes.remove, settings.HOME)
        if not os.environ.get("DATABASE_URL"):
            postgres = PostgresServer(settings.HOME, guard.watcher("PostgreSQL"))
            stack.callback(postgres.stop)
            with self._step("PostgreSQL"):
                postgres.start()
            supervisor.add("PostgreSQL", postgres)
        if not os.environ.get("REDIS_URL"):
            redis = RedisServer(settings.HOME, guard.watcher("Redis"))
            stack.callback(redis.stop)
            with self._step("Redis"):
                redis.start()
            supervisor.add("Redis", redis, without=WITHOUT_REDIS)
        with self._step("Database"):
            call_command("migrate", interactive=False, stdout=io.StringIO())
            # An older folder may have been copied back: whom it brings back is erased again.
            call_command("apply_erasures", stdout=io.StringIO())
        # The demo first: an account that can sign in marks a finished set-up.
        if demo and not User.objects.exists():
            with self._step("Demo"):
                call_command("load_demo", stdout=io.StringIO())
        password = create_first_admin()
        admin = User.objects.filter(is_superuser=True).order_by("pk").first()
        login = admin.get_username() if admin else ""
        # From here on this process does not use the database, which may be restarted.
        connections.close_all()
        # The child processes read the options from the environment.
        env = os.environ | {"HOST": host, "PORT": str(port), "PYTHONUNBUFFERED": "1"}
        programs: list[Program] = []
        stack.callback(stop, programs)
        for name, title, command, more, without in (
            ("web", "The web server", _web(host, port), {}, ""),
            # Tasks get a moment to finish; unfinished ones go back to the queue.
            ("worker", "The worker", _worker(), {"REMAP_SIGTERM": "SIGQUIT"}, WITHOUT_WORKER),
            ("beat", "The scheduler", _beat(), {}, WITHOUT_BEAT),
        ):
            program = Program(
                command, env | more, partial(self._say_line, name), guard.watcher(name)
            )
            programs.append(program)
            program.start()
            supervisor.add(title, program, without=without)
        threading.Thread(
            target=self._announce, args=(host, port, login, password, supervisor.ready), daemon=True
        ).start()
        return supervisor.run()

    @contextlib.contextmanager
    def _step(self, name: str) -> Iterator[None]:
        """Print the *name* of a step, and how long it took."""
        self._say(f"{name:<12} ", ending="")
        begin = time.monotonic()
        try:
            yield
            stop_signals.check()
        except BaseException:
            self._say("")
            raise
        self._say(f"ready in {time.monotonic() - begin:.1f} s")

    def _announce(
        self, host: str, port: int, login: str, password: str | None, ready: threading.Event
    ) -> None:
        """Wait until the web server answers and the logs of the start are over, then print the
        address and the login.
        """
        address = _address(host, port)
        while not _answers(address):
            time.sleep(0.1)
        ready.set()
        self._wait_for_logs()
        if password is None:
            shown = "as before (manage.py changepassword sets a new one)"
        else:
            shown = f"{password}   (shown only this once)" if password else "from ADMIN_PASSWORD"
        self._say(
            f"\n  Keepsake is ready\n\n"
            f"  Address      {address}\n"
            f"  Login        {login}\n"
            f"  Password     {shown}\n\n"
            "  Ctrl-C stops everything.\n"
        )

    def _wait_for_logs(self) -> None:
        """Wait until the programs have logged their start: the login must be the last thing that a
        start prints, or people would have to search for it.
        """
        latest = time.monotonic() + MAX_LOG_SECONDS
        self._worker_ready.wait(MAX_LOG_SECONDS)
        while time.monotonic() < min(latest, self._logged_at + QUIET_SECONDS):
            time.sleep(0.1)

    def _say_when(self, text: str) -> None:
        self._say(f"{datetime.now():%H:%M:%S} {text}")

    def _say_line(self, name: str, line: str) -> None:
        self._say_when(f"{name:<6} | {line}")
        self._logged_at = time.monotonic()
        if name == "worker" and line.endswith(WORKER_IS_READY):
            self._worker_ready.set()

    def _say(self, text: str, ending: str = "\n") -> None:
        # A closed terminal, or one that cannot show a character, must not stop the servers.
        with contextlib.suppress(OSError, ValueError), self._saying:
            self.stdout.write(text, ending=ending)
            self.stdout.flush()


def _check_port(host: str, port: int) -> None:
    """Raise `CommandError` if the port is taken, before anything is started."""
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
    """Return an address that a browser can open, unlike 0.0.0.0."""
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)  # noqa: S104 - Compared, not bound.
    return f"http://{f'[{name}]' if ':' in name and name[0] != '[' else name}:{port}/"


def _answers(address: str) -> bool:
    try:
        urllib.request.urlopen(address, timeout=10).close()  # noqa: S310 - http only.
    except urllib.error.HTTPError:
        # An error page is an answer.
        return True
    except OSError:
        return False
    return True


def _web(host: str, port: int) -> list[str]:
    return [
        *(sys.executable, "-m", "uvicorn", "memoryapp.asgi:application"),
        *("--host", host, "--port", str(port), "--http", "memoryapp.http_protocol:HttpProtocol"),
        *("--timeout-graceful-shutdown", "3", "--lifespan", "on", "--no-access-log"),
        # Only TRUST_PROXY decides whether X-Forwarded-For counts.
        "--no-proxy-headers",
    ]


def _worker() -> list[str]:
    return [
        # Running as root is usual in a container: leave out Celery's warning about it.
        *(sys.executable, "-W", "ignore:You're running the worker", "-m", "celery"),
        *("--quiet", "--app", "memoryapp", "worker"),
        *("--loglevel", "info"),
        # There is one worker, so it needs no mingle, no gossip and no heartbeat.
        *("--without-gossip", "--without-mingle", "--without-heartbeat"),
    ]


def _beat() -> list[str]:
    return [
        *(sys.executable, "-m", "celery", "--quiet", "--app", "memoryapp", "beat"),
        *("--loglevel", "warning"),
    ]
