"""Keepsake as one program, on a database of the cluster."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.deployment.files import PROJECT
from tests.deployment.image_check.installation import ADMIN_PASSWORD
from tests.deployment.image_check.steps import Failed, until
from tests.deployment.image_check.visitor import Visitor

#: What this process may have set for other installations.
OTHERS = ("REDIS_URL", "SECRET_KEY", "ENCRYPTION_KEY", "DEBUG", "ERASURES_DIR", "ALLOWED_HOSTS")


class Site:
    """``manage.py run`` with its files in *folder*, and other commands for its database."""

    def __init__(self, folder: Path, database: str, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self._port, self._log = port, folder / "keepsake.log"
        self._environment = {
            name: value for name, value in os.environ.items() if name not in OTHERS
        } | {
            "KEEPSAKE_HOME": str(folder / "home"),
            "DATABASE_URL": database,
            "ADMIN_PASSWORD": ADMIN_PASSWORD,
            "EMBEDDER": "small",
            # As the page says.
            "VECTOR_INDEX_FROM": "0",
            # The language model of the check is on this machine.
            "OUTGOING_ALLOW": "127.0.0.1",
        }
        self._running: subprocess.Popen[bytes] | None = None

    def manage(self, *arguments: str) -> str:
        """Run a command and return what it prints. Raises `Failed`."""
        code, output = self.tried(*arguments)
        if code:
            raise Failed(f"manage.py {arguments[0]}: {output[-2000:]}")
        return output

    def tried(self, *arguments: str) -> tuple[int, str]:
        """Run a command and return its exit code and what it prints."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=PROJECT,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=600,
            check=False,
        )
        return done.returncode, done.stdout.decode(errors="replace")

    def start(self) -> None:
        """Start it and wait until everything is ready. Raises `Failed`."""
        with self._log.open("ab") as log:
            self._running = subprocess.Popen(
                [sys.executable, "manage.py", "run", "--no-demo", "--port", str(self._port)],
                cwd=PROJECT,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        until(self._is_ready, lambda: f"it is not ready: {self.said()}", 180)

    def stop(self) -> None:
        """Stop it, if it runs."""
        if self._running is not None:
            self._running.send_signal(signal.SIGTERM)
            try:
                self._running.wait(60)
            except subprocess.TimeoutExpired:
                os.killpg(self._running.pid, signal.SIGKILL)
                self._running.wait()
            self._running = None

    def said(self) -> str:
        """Return the end of its log."""
        return self._log.read_text(errors="replace")[-3000:]

    def _is_ready(self) -> bool:
        if self._running is None or self._running.poll() is not None:
            raise Failed(f"it has ended: {self.said()}")
        with contextlib.suppress(OSError, ValueError):
            found = Visitor(self.address).send("GET", "/readyz").json
            return bool(found.get("ready") and found["worker"]["alive"])
        return False
