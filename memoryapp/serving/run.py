"""``manage.py run``: starts all servers and processes of Keepsake, and supervises them.

This process stays as long as they do, so it loads little: no Django, and no client of Redis.
"""

import argparse
import contextlib
import errno
import json
import os
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import IO

from memoryapp.embedded import paths, processes, stop_signals
from memoryapp.embedded.paths import ServerError
from memoryapp.embedded.postgres import PostgresServer
from memoryapp.embedded.program import Program, stop
from memoryapp.embedded.redis import RedisServer
from memoryapp.process.environment import DEFAULTS, Environment
from memoryapp.process.installation import COMMAND, START
from memoryapp.serving.guard import Guard
from memoryapp.serving.supervisor import Supervisor

_DESCRIPTION = "Starts Keepsake, its servers included, and runs it until Ctrl-C."
_EPILOG = f"Settings are environment variables. All commands: {COMMAND} help"
#: What still works after a process has failed too often.
WITHOUT_REDIS = WITHOUT_WORKER = (
    "Screens, search and the API still work; messages are stored and wait to be read."
)
#: The programs have logged their start when the worker says that it is ready and nothing was logged
#: for a while. The login does not wait longer for it than this.
WORKER_IS_READY = " ready."
QUIET_SECONDS = 1.0
MAX_LOG_SECONDS = 15.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options. Raises `ImproperlyConfigured` if their defaults in the environment are
    unusable.
    """
    env = Environment()
    parser.add_argument(
        "--host",
        default=env.str("HOST", default=DEFAULTS["HOST"]),
        help="address to listen on (HOST)",
    )
    parser.add_argument(
        "--port",
        type=int,
        default=env.int("PORT", default=DEFAULTS["PORT"]),
        help="port to listen on (PORT)",
    )
    parser.add_argument("--no-demo", action="store_true", help="load no demo data (DEMO)")


def main(arguments: Sequence[str]) -> str | int:
    """Run Keepsake until a signal comes; return the exit code, or what went wrong."""
    parser = argparse.ArgumentParser(
        prog=f"{COMMAND} run", description=_DESCRIPTION, epilog=_EPILOG
    )
    add_arguments(parser)
    options = parser.parse_args(arguments)
    return run(options.host, options.port, demo=not options.no_demo)


def run(host: str, port: int, *, demo: bool) -> str | int:
    """Run Keepsake until a signal comes. The *demo* is loaded into an empty database if DEMO says
    so too. Return 0, or what went wrong.
    """
    env = Environment()
    demo = demo and env.bool("DEMO", default=DEFAULTS["DEMO"])
    home = Path(env.path("KEEPSAKE_HOME", default=DEFAULTS["KEEPSAKE_HOME"]))
    if taken := _taken(host, port):
        return taken
    paths.make_home(home)
    return ServerRun(home, host, port, demo=demo).carry_out()


class ServerRun:
    """One run, from its start to its end."""

    def __init__(self, home: Path, host: str, port: int, *, demo: bool) -> None:
        self._home, self._host, self._port, self._demo = home, host, port, demo
        # The output of the programs comes from a thread for each.
        self._saying = threading.Lock()
        self._worker_ready = threading.Event()
        self._logged_at = 0.0
        #: True if the last line that was printed has not ended yet.
        self._within_line = False

    def carry_out(self) -> str | int:
        """Start everything, and end it when a signal comes; return 0, or what went wrong."""
        stop_signals.interrupt_once()
        failure = ""
        try:
            with contextlib.ExitStack() as stack:
                try:
                    failure = self._run(stack)
                finally:
                    # The servers must be able to write everything out: a second Ctrl-C waits.
                    stop_signals.ignore()
                    self._say("Stopping.")
        except KeyboardInterrupt:
            pass
        except ServerError as error:
            return str(error)
        if failure:
            return f"{failure}\nEverything was stopped."
        self._say("Stopped. The next start finds everything as it is now.")
        return 0

    def _run(self, stack: contextlib.ExitStack) -> str:
        """Start everything and keep it running; return why it ended."""
        guard = Guard()
        stack.callback(guard.stop)
        guard.keep()
        supervisor = Supervisor(self._home, guard, self._say_when)
        stack.callback(processes.remove, self._home)
        if not os.environ.get("DATABASE_URL"):
            postgres = PostgresServer(self._home, guard.watcher("PostgreSQL"))
            stack.callback(postgres.stop)
            with self._step("PostgreSQL"):
                postgres.start()
            supervisor.add("PostgreSQL", postgres)
        if not os.environ.get("REDIS_URL"):
            redis = RedisServer(self._home, guard.watcher("Redis"))
            stack.callback(redis.stop)
            with self._step("Redis"):
                redis.start()
            supervisor.add("Redis", redis, without=WITHOUT_REDIS)
        # The child processes read the options from the environment.
        env = (
            {"MALLOC_ARENA_MAX": "2"}  # As the image does: see docs/deploy.md.
            | os.environ
            | {
                "HOST": self._host,
                "PORT": str(self._port),
                "PYTHONUNBUFFERED": "1",
            }
        )
        # Tasks get a moment to finish; unfinished ones go back to the queue.
        worker_env = env | {"REMAP_SIGTERM": "SIGQUIT"}
        web = Program(self._web_server(), env, partial(self._say_line, "web"), guard.watcher("web"))
        worker = Program(
            _worker(), worker_env, partial(self._say_line, "worker"), guard.watcher("worker")
        )
        stack.callback(stop, [web, worker])
        reading, writing = os.pipe()
        with os.fdopen(writing, "wb"):
            set_up = ["--set-up", str(writing), *(["--demo"] if self._demo else [])]
            web.start(set_up, pass_fds=[writing])
        supervisor.add("The web server", web)
        # Only then, so that the first page need not share the processor with its start.
        supervisor.add_when_ready("The worker", worker, without=WITHOUT_WORKER)
        threading.Thread(
            target=self._announce, args=(os.fdopen(reading), supervisor), daemon=True
        ).start()
        return supervisor.run()

    def _web_server(self) -> list[str]:
        where = ["--host", self._host, "--port", str(self._port)]
        return [sys.executable, "-m", "memoryapp.serving.web_server", *where]

    @contextlib.contextmanager
    def _step(self, name: str) -> Iterator[None]:
        """Print the *name* of a step, and how long it took."""
        self._begin(name)
        begin = time.monotonic()
        try:
            yield
            stop_signals.check()
        except BaseException:
            self._say("")
            raise
        self._end(time.monotonic() - begin)

    def _begin(self, step: str) -> None:
        self._say(f"{step:<12} ", ending="")

    def _end(self, seconds: float) -> None:
        self._say(f"ready in {seconds:.1f} s", goes_on=True)

    def _announce(self, reports: IO[str], supervisor: Supervisor) -> None:
        """Print the *reports* of the set-up, wait until the web server answers and the logs of the
        start are over, then print the address and the login.
        """
        login: str | None = None
        password = None
        with reports:
            for line in reports:
                match json.loads(line):
                    case {"begins": step}:
                        self._begin(step)
                    case {"took": seconds}:
                        self._end(seconds)
                    case {"login": login, "password": password}:
                        pass
        if login is None:
            # Normally the web server has ended, and the supervisor shows what it said.
            time.sleep(1)
            supervisor.fail("The set-up was interrupted.")
            return
        address = _address(self._host, self._port)
        while not _answers(address):
            time.sleep(0.05)
        supervisor.ready.set()
        self._wait_for_logs()
        if password is None:
            shown = f"as before ({COMMAND} changepassword sets a new one)"
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

    def _say(self, text: str, ending: str = "\n", *, goes_on: bool = False) -> None:
        # A closed terminal, or one that cannot show a character, must not stop the servers.
        with contextlib.suppress(OSError, ValueError), self._saying:
            cut_off = "\n" if self._within_line and text and not goes_on else ""
            self._within_line = not ending
            sys.stdout.write(f"{cut_off}{text}{ending}")
            sys.stdout.flush()


def _taken(host: str, port: int) -> str:
    """Return why nothing can listen on the port; empty if it is free."""
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
        return (
            f"Cannot listen on port {port} of {host}: {reason}. "
            f"Another port, for example: PORT=8001 {START}"
        )
    return ""


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


def _worker() -> list[str]:
    return [
        # Running as root is usual in a container: leave out Celery's warning about it.
        *(sys.executable, "-W", "ignore:You're running the worker", "-m", "celery"),
        *("--quiet", "--app", "memoryapp", "worker"),
        *("--loglevel", "info"),
        # There is one worker, so it needs no mingle, no gossip and no heartbeat.
        *("--without-gossip", "--without-mingle", "--without-heartbeat"),
    ]
