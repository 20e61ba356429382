"""``python -m benchmarks.footprint [--json]``: how much memory does ``make run`` take, and how soon
is it there?

Starts ``manage.py run`` twice in a home of its own, the second time with all that the first has
made. Both times it takes the seconds until a page comes. Then it takes the memory of all processes
that belong to it, PostgreSQL and Redis included: at rest, while people chat, a file is imported and
conversations are read, all at once, and at rest again. A language model on this machine answers.

A page of memory that several processes share counts for each of them in part (proportional set
size), so that the sum is what the machine gives. Needs Linux.
"""

import argparse
import contextlib
import http.cookiejar
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlencode

import psutil

from benchmarks import command
from benchmarks.export_file import write
from benchmarks.limits import Limit, limited
from benchmarks.screens import free_port, served
from memoryapp.process.size import SIZES, chosen

#: What ``make run`` should take, in megabytes: at rest, and with everything at once.
TARGET_IDLE, TARGET_BUSY = 400, 800
#: Seconds in which a start with everything there should show a page.
TARGET_START = 4.0
#: Seconds to wait for a start, and for all that was asked for to be done.
PATIENCE = 600.0
#: People who chat, and programs that store conversations, at the same time.
CHATTING, STORING = 3, 3
#: Seconds between two messages of one of them.
PAUSE = 2.0
PASSWORD = "an-operator-of-this-benchmark"  # noqa: S105 - Its database is temporary.

#: Megabytes by kind of process.
Footprint = dict[str, float]

#: The kind of a process by what its command has; the first that fits.
_KINDS = (
    ("PostgreSQL", re.compile(r"bin/postgres |^postgres: ")),
    ("Redis", re.compile(r"valkey-server")),
    ("guard", re.compile(r"memoryapp\.serving\.guard")),
    ("web server", re.compile(r"memoryapp\.serving\.web_server")),
    ("worker", re.compile(r"celery .*\bworker\b")),
    ("embedder", re.compile(r"builtin_model")),
    ("supervisor", re.compile(r"manage\.py run")),
)


@dataclass
class Figures:
    """What was measured."""

    #: Seconds to the first page of the first and the second start.
    starts: list[float] = field(default_factory=list)
    idle: Footprint = field(default_factory=dict)
    #: At the moment when the sum was highest.
    busy: Footprint = field(default_factory=dict)
    rested: Footprint = field(default_factory=dict)
    #: What was done meanwhile.
    done: dict[str, int] = field(default_factory=dict)
    #: Processes that ended by themselves, and those that were killed since memory ran out.
    restarts: int = 0
    kills: int = 0


class Running:
    """``manage.py run`` in the home that *environment* names."""

    def __init__(
        self,
        port: int,
        environment: Mapping[str, str],
        output: IO[bytes],
        limit: Limit | None = None,
    ) -> None:
        self._address = f"http://127.0.0.1:{port}/accounts/login"
        self._output = output
        self._home = environment["KEEPSAKE_HOME"]
        begin = time.monotonic()
        self.process = subprocess.Popen(  # noqa: S603 - The command is fixed.
            [sys.executable, "manage.py", "run", "--port", str(port)],
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            preexec_fn=limit.enter if limit else None,
        )
        while not self._shows_a_page():
            if time.monotonic() - begin > PATIENCE:
                raise RuntimeError(f"Keepsake shows no page:\n{self.printed()}")
            time.sleep(0.02)
        #: Seconds from the start to the first page.
        self.seconds = time.monotonic() - begin
        while "Keepsake is ready" not in self.printed():
            self._check()
            time.sleep(0.1)

    def printed(self) -> str:
        """Return all that it has printed."""
        return Path(self._output.name).read_text(errors="replace")

    def stop(self) -> None:
        """End it and all that it has started."""
        self.process.terminate()
        self.process.wait(PATIENCE)

    def footprint(self) -> Footprint:
        """Return the megabytes of its processes now, by kind, and their sum as ``total``."""
        found: defaultdict[str, float] = defaultdict(float)
        for process in self._processes():
            with contextlib.suppress(psutil.Error, OSError):
                found[_kind(process)] += _megabytes(process.pid)
        return dict(sorted(found.items())) | {"total": sum(found.values())}

    def _processes(self) -> set[psutil.Process]:
        """All that it has started, also what has left it since."""
        ours = {psutil.Process(self.process.pid)}
        ours.update(psutil.Process(self.process.pid).children(recursive=True))
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                if process.environ().get("KEEPSAKE_HOME") == self._home:
                    ours.add(process)
        return {process for process in ours if process.pid != os.getpid()}

    def _shows_a_page(self) -> bool:
        self._check()
        try:
            with urllib.request.urlopen(self._address, timeout=PATIENCE) as page:  # noqa: S310 - http only.
                return b"<form" in page.read()
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"The first page is an error, {error.code}.") from error
        except OSError:
            return False

    def _check(self) -> None:
        if self.process.poll() is not None:
            raise RuntimeError(f"Keepsake has ended:\n{self.printed()}")


def _kind(process: psutil.Process) -> str:
    command = " ".join(process.cmdline())
    return next((kind for kind, sign in _KINDS if sign.search(command)), "other")


def _megabytes(pid: int) -> float:
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    found = re.search(r"^Pss: +(\d+) kB", rollup, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


class Work:
    """Chat, import and extraction, in an instance whose model answers at *model*."""

    def __init__(self, port: int, model: int) -> None:
        from benchmarks.hostile.target import answer_from, new_key
        from instances.models import Instance

        self._port = port
        self._instance = Instance.objects.create(
            slug="footprint", name="Footprint", memory_enabled=True
        )
        self._instance.chat_model = "m"
        self._instance.save(update_fields=["chat_model"])
        answer_from(self._instance, f"http://127.0.0.1:{model}/v1")
        self._cookie, self._key = self._sign_in(), new_key(self._instance)
        self._over = threading.Event()

    def visit(self) -> None:
        """Open the screens that a person opens first."""
        for path in ("/memory?instance=footprint", "/chat?instance=footprint", "/conversations"):
            self._page(path)

    def perform(self, file: Path, seconds: float) -> dict[str, int]:
        """Chat and store conversations while *file* is imported and read, and for so many *seconds*
        at least; return what came of it. Raises `RuntimeError` if something did not.
        """
        from memoryapp.models import Run

        begin = time.monotonic()
        with ThreadPoolExecutor(CHATTING + STORING) as pool:
            chats = [pool.submit(self._chat, each) for each in range(CHATTING)]
            stored = [pool.submit(self._converse, each) for each in range(STORING)]
            try:
                messages = self._import(file)
                until(lambda: time.monotonic() - begin > seconds, "time does not pass")
            finally:
                self._over.set()
            done = {"chat replies": sum(each.result() for each in chats)}
            done["conversations stored"] = sum(each.result() for each in stored)
        waiting = Run.objects.filter(state__in=["queued", "running"])
        until(lambda: not waiting.exists(), "conversations are still read")
        failed = Run.objects.filter(state="failed").count()
        if failed:
            raise RuntimeError(f"{failed} runs have failed.")
        return done | {
            "memories found": self._page("/memory?instance=footprint&q=maps").count(
                "maps of island"
            ),
            "messages imported": messages,
            "memories": self._instance.memories.count(),
            "seconds": round(time.monotonic() - begin),
        }

    def _sign_in(self) -> str:
        """Sign in by the form, as a person does; return the cookie."""
        jar = http.cookiejar.CookieJar()
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        address = f"http://127.0.0.1:{self._port}/accounts/login"
        with browser.open(address, timeout=PATIENCE) as page:
            token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.read().decode())
        form = {
            "csrfmiddlewaretoken": token[1] if token else "",
            "login": "admin",
            "password": PASSWORD,
        }
        with browser.open(address, urlencode(form).encode(), timeout=PATIENCE) as page:
            if page.url.startswith(address):
                raise RuntimeError("The account cannot sign in.")
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in jar)

    def _page(self, path: str) -> str:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self._port}{path}", headers={"Cookie": self._cookie}
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as page:  # noqa: S310 - http only.
            content: bytes = page.read()
        return content.decode()

    def _chat(self, person: int) -> int:
        from django.db import connection

        from benchmarks.hostile.attacks import begin_chat
        from memoryapp.models import Answer

        replies = 0
        while not self._over.is_set():
            text = f"I am person {person}, and what did I say about number {replies}?"
            begun = begin_chat(self._port, self._cookie, "footprint", text)
            if not begun:
                raise RuntimeError("A chat could not be begun.")
            done = Answer.objects.filter(conversation=begun, state="done")
            until(done.exists, "a chat is not answered")
            replies += 1
            self._over.wait(PAUSE)
        connection.close()
        return replies

    def _converse(self, program: int) -> int:
        from benchmarks.hostile.attacks import converse

        stored = 0
        while not self._over.is_set():
            converse(self._port, self._key, f"I have {stored} maps of island {program}-{stored}.")
            stored += 1
            self._over.wait(PAUSE)
        return stored

    def _import(self, file: Path) -> int:
        """Import a *file* of conversations and have them read; return its messages."""
        query = urlencode(
            {
                "filename": file.name,
                "kind": "conversations",
                "read": "true",
                "instance_id": self._instance.slug,
            }
        )
        sent = self._call(f"/api/imports?{query}", file.read_bytes())
        until(
            lambda: self._state(sent["id"])["state"] not in _UNFINISHED, "the import does not end"
        )
        ended = self._state(sent["id"])
        if ended["state"] != "succeeded":
            raise RuntimeError(f"The import has {ended['state']}: {ended}")
        return int(ended["messages_added"])

    def _state(self, number: int) -> dict[str, Any]:
        return self._call(f"/api/imports/{number}")

    def _call(self, path: str, body: bytes | None = None) -> dict[str, Any]:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self._port}{path}",
            data=body,
            headers={
                "Authorization": f"Bearer {self._key}",
                "Content-Type": "application/octet-stream",
            },
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310 - http only.
            content: dict[str, Any] = json.load(answer)
        return content


_UNFINISHED = ("uploaded", "checking", "ready", "queued", "running")


def until(holds: Callable[[], bool], otherwise: str) -> None:
    """Wait until something *holds*. Raises `RuntimeError` if it takes too long."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > deadline:
            raise RuntimeError(f"{otherwise} after {PATIENCE:g} seconds")
        time.sleep(0.1)


@contextlib.contextmanager
def highest(running: Running) -> Iterator[Footprint]:
    """Take the footprint every second during the block; the dict has the highest at its end."""
    found: Footprint = {"total": 0.0}
    over = threading.Event()

    def look() -> None:
        while not over.wait(1):
            with contextlib.suppress(psutil.Error):
                now = running.footprint()
                if now["total"] > found["total"]:
                    found.clear()
                    found.update(now)

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield found
    finally:
        over.set()
        looking.join()


def measure(
    folder: Path, *, megabytes: float, seconds: float, rest: float, limit: Limit | None = None
) -> Figures:
    """Start Keepsake twice below *folder*, within the *limit*, and take its figures. The file to
    import has so many *megabytes*, the work takes so many *seconds* at least, and each *rest* is in
    seconds as well.
    """
    port, figures = free_port(), Figures()
    with (
        served("benchmarks.model_server:application", with_database=False) as model,
        (folder / "printed").open("ab") as output,
    ):
        os.environ |= environment(folder, port)
        first = Running(port, os.environ, output, limit)
        figures.starts.append(first.seconds)
        first.stop()
        output.truncate(0)
        running = Running(port, os.environ, output, limit)
        figures.starts.append(running.seconds)
        try:
            _use(running, figures, model, port, folder, megabytes, seconds, rest)
        finally:
            running.stop()
        figures.restarts = len(re.findall(r" ended (by itself|\d+ times) ", running.printed()))
        figures.kills = limit.kills() if limit else 0
    return figures


def _use(
    running: Running,
    figures: Figures,
    model: int,
    port: int,
    folder: Path,
    megabytes: float,
    seconds: float,
    rest: float,
) -> None:
    command.set_up()
    from django.db import connections

    work = Work(port, model)
    work.visit()
    # The processes at rest are what is measured, not the connection of this one.
    connections.close_all()
    time.sleep(rest)
    figures.idle = running.footprint()
    write(folder / "export.json", megabytes)
    with highest(running) as figures.busy:
        figures.done = work.perform(folder / "export.json", seconds)
    connections.close_all()
    time.sleep(rest)
    figures.rested = running.footprint()


def environment(folder: Path, port: int) -> dict[str, str]:
    """Return the variables for a Keepsake in *folder* whose model is on this machine. What the
    first start has compiled is kept, as ``make run`` does.
    """
    for name in ("DATABASE_URL", "REDIS_URL", "PYTHONDONTWRITEBYTECODE"):
        os.environ.pop(name, None)
    return {
        "DJANGO_SETTINGS_MODULE": "memoryapp.settings",
        "KEEPSAKE_HOME": str(folder / "home"),
        "PORT": str(port),
        # What a new installation has, which other benchmarks do not.
        "EMBEDDER": chosen().embedder,
        "ADMIN_PASSWORD": PASSWORD,
        "OUTGOING_ALLOW": "127.0.0.0/8",
        "API_RATE_LIMIT": "0",
    }


def table(figures: Figures) -> str:
    """Return the figures as text."""
    first, second = figures.starts
    lines = [
        f"{'seconds to the first page':<28}{'first start':>14}{'next start':>14}",
        f"{'':<28}{first:>14.1f}{second:>14.1f}" + _over(second, TARGET_START, "s"),
        "",
        f"{'megabytes (PSS)':<28}{'at rest':>14}{'all at once':>14}{'at rest again':>14}",
    ]
    columns = (figures.idle, figures.busy, figures.rested)
    kinds = sorted({kind for column in columns for kind in column} - {"total"})
    for kind in (*kinds, "total"):
        shown = "".join(f"{column.get(kind, 0.0):>14.0f}" for column in columns)
        lines.append(f"{kind:<28}{shown}")
    lines[-1] += _over(figures.idle["total"], TARGET_IDLE, "MB at rest")
    lines[-1] += _over(figures.busy["total"], TARGET_BUSY, "MB at once")
    lines += ["", ", ".join(f"{number} {what}" for what, number in figures.done.items())]
    if figures.restarts or figures.kills:
        lines.append(f"{figures.restarts} processes ended, {figures.kills} for want of memory")
    return "\n".join(lines)


def _over(value: float, target: float, what: str) -> str:
    return f"   more than {target:g} {what}" if value > target else ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print the figures; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.footprint", description=__doc__)
    parser.add_argument("--megabytes", type=float, default=4.0, help="of the file to import")
    parser.add_argument("--seconds", type=float, default=40.0, help="of work, at least")
    parser.add_argument("--rest", type=float, default=20.0, help="seconds before memory at rest")
    parser.add_argument("--size", choices=sorted(SIZES), help="KEEPSAKE_SIZE")
    parser.add_argument(
        "--limit", type=int, metavar="MB", help="have it run with so much memory, and one core"
    )
    parser.add_argument("--json", action="store_true", help="figures in the last line")
    options = parser.parse_args(arguments)
    if options.size:
        os.environ["KEEPSAKE_SIZE"] = options.size
    with command.reporting(parser), contextlib.ExitStack() as stack:
        limit = stack.enter_context(limited(options.limit, 1)) if options.limit else None
        figures = _measured(options, limit)
    print(table(figures))
    if options.json:
        print(json.dumps(summary(figures)))
    return 0


def _measured(options: argparse.Namespace, limit: Limit | None) -> Figures:
    with tempfile.TemporaryDirectory(prefix="keepsake-footprint-") as name:
        Path(name).chmod(0o711)  # As root, the database runs as another user.
        return measure(
            Path(name),
            megabytes=options.megabytes,
            seconds=options.seconds,
            rest=options.rest,
            limit=limit,
        )


def summary(figures: Figures) -> dict[str, Any]:
    """Return the figures, rounded."""

    def rounded(found: Footprint) -> Footprint:
        return {kind: round(megabytes, 1) for kind, megabytes in found.items()}

    return {
        "first_start_seconds": round(figures.starts[0], 2),
        "next_start_seconds": round(figures.starts[1], 2),
        "idle_mb": rounded(figures.idle),
        "busy_mb": rounded(figures.busy),
        "rested_mb": rounded(figures.rested),
        "done": figures.done,
        "restarts": figures.restarts,
        "out_of_memory_kills": figures.kills,
    }


if __name__ == "__main__":
    sys.exit(main())
