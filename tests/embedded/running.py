"""Run ``manage.py run``, or the command of the package, in a separate process."""

import http.cookiejar
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Self

import psutil

PROJECT = Path(__file__).resolve().parents[2]
READY = "Keepsake is ready"
#: Seconds to wait for a start or a stop, which take minutes on a busy machine, before giving up.
PATIENCE = 300
OF_PROJECT = (sys.executable, str(PROJECT / "manage.py"), "run")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


class Keepsake:
    """A ``manage.py run``, or another *program* that does the same, with the processes that it
    starts.
    """

    def __init__(
        self,
        home: Path,
        port: int,
        output: Path,
        *,
        program: Sequence[str] = OF_PROJECT,
        **environment: str,
    ) -> None:
        self.port = port
        self.output = output
        self.children: list[psutil.Process] = []
        outer = {
            name: value
            for name, value in os.environ.items()
            if name not in ("DATABASE_URL", "REDIS_URL", "ADMIN_PASSWORD", "ADMIN_USERNAME")
        }
        self.environment = (
            outer | {"KEEPSAKE_HOME": str(home), "PORT": str(port), "DEMO": "0"} | environment
        )
        with output.open("wb") as log:
            self.process = subprocess.Popen(
                program,
                cwd=PROJECT if program == OF_PROJECT else home.parent,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
                # Under nohup the tests ignore SIGHUP, and the process would inherit that.
                preexec_fn=partial(signal.signal, signal.SIGHUP, signal.SIG_DFL),
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(PATIENCE)

    @property
    def log(self) -> str:
        return self.output.read_text()

    def wait_for(self, text: str) -> None:
        """Wait until *text* is in the output."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.log:
            assert self.process.poll() is None, self.log
            assert time.monotonic() < deadline, self.log
            time.sleep(0.02)
        self.children += psutil.Process(self.process.pid).children(recursive=True)

    def child(self, *words: str) -> psutil.Process:
        """Return the first process whose command has these words, or the program of this name."""
        return next(
            it
            for it in psutil.Process(self.process.pid).children(recursive=True)
            if it.status() != psutil.STATUS_ZOMBIE
            and (it.name() == words[0] or all(word in it.cmdline() for word in words))
        )

    def kill(self, *words: str) -> None:
        """Kill that process, as the kernel does when memory runs out."""
        self.child(*words).kill()

    def stop(self, number: int) -> int:
        """Send a signal and return the exit code."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def remaining(self, within: float = 3.0) -> list[psutil.Process]:
        """Return the started processes that are still alive after *within* seconds."""
        _, alive = psutil.wait_procs(set(self.children), timeout=within)
        return [it for it in alive if it.status() != psutil.STATUS_ZOMBIE]

    def logs_in(self, name: str, password: str) -> bool:
        """Return whether the login form accepts the credentials."""
        opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        )
        address = f"http://127.0.0.1:{self.port}/accounts/login"
        with opener.open(address) as page:
            token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.read().decode())
        assert token
        form = {"csrfmiddlewaretoken": token[1], "login": name, "password": password}
        with opener.open(address, urllib.parse.urlencode(form).encode()) as page:
            return not page.url.startswith(address)
