"""``python -m benchmarks.screens [--json]``: is the desk quick with ten thousand memories?

Fills an instance in a database of its own, serves the application as ``manage.py run`` does, and
asks for its screens over one connection as a browser does that has signed in: time to the first
byte, from the request to the head of the answer. For comparison, an empty page through the same
middleware, as the floor. The screens take turns, so that whatever else the machine does meets all
of them alike.
"""

import argparse
import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, quote_plus

from benchmarks import command
from benchmarks.metrics import percentile

if TYPE_CHECKING:
    from instances.models import Instance, User

DATABASE = "keepsake_benchmark_desk"
#: The 95th percentile, in milliseconds, that a screen should not exceed.
TARGET = 100
#: How often each screen is asked for before it counts.
WARM_UP = 3

QUESTIONS = (
    "what should I not cook for Mara?",
    "where does Idris work?",
    "who moved to Lisbon?",
    "what did Noor decide about the sailboat?",
    "when do Teo and Ines meet?",
    "who knows how to mend a piano?",
    "does anybody eat oysters?",
    "what happened in Kyoto in 1998?",
    '"night train" Greta',
    "habits of early risers",
    "who lives by the sea and keeps bees?",
    "family -Otto",
)


@dataclass(frozen=True)
class Screen:
    """A screen and the addresses that are asked for in turn."""

    name: str
    addresses: Sequence[str]
    #: As htmx asks, for the fragment alone.
    fragment: bool = False
    #: The id of the element that asks.
    trigger: str = ""


@dataclass(frozen=True)
class Timed:
    """How long the answers of one screen took, in milliseconds to the first byte."""

    name: str
    milliseconds: list[float]
    kilobytes: float

    def at(self, share: float) -> float:
        return percentile(self.milliseconds, share)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and print it; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.screens", description=__doc__)
    command.add_json(parser)
    parser.add_argument(
        "--rounds", type=int, default=40, metavar="N", help="ask for each screen N times"
    )
    parser.add_argument("--memories", type=int, default=10_000, metavar="N")
    command.add_database(parser, DATABASE)
    options = parser.parse_args(arguments)

    with command.running(parser):
        # Only now: these need the set-up.
        from benchmarks.databases import fresh_database
        from benchmarks.single_tenant_dataset import Size

        with fresh_database(options.database):
            cookie, screens = prepared(Size(memories=options.memories))
            with served() as port:
                timed = measure(port, cookie, screens, options.rounds)
    print(table(timed))
    if options.json:
        print(json.dumps(summary(timed)))
    return 0


def measure(port: int, cookie: str, screens: Sequence[Screen], rounds: int) -> list[Timed]:
    """Request every screen *rounds* times, in turns; raises `RuntimeError` if one fails."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    times: dict[str, list[float]] = {screen.name: [] for screen in screens}
    sizes: dict[str, int] = {}
    for number in range(-WARM_UP, rounds):
        for screen in screens:
            headers = {"Cookie": cookie, "Accept-Encoding": "gzip"}
            if screen.fragment:
                headers["HX-Request"] = "true"
            if screen.trigger:
                headers["HX-Trigger"] = screen.trigger
            address = screen.addresses[number % len(screen.addresses)]
            begun = time.perf_counter()
            connection.request("GET", address, headers=headers)
            answer = connection.getresponse()
            milliseconds = (time.perf_counter() - begun) * 1000
            sizes[screen.name] = len(answer.read())
            if answer.status != 200:
                raise RuntimeError(f"{address} answered {answer.status}")
            if number >= 0:
                times[screen.name].append(milliseconds)
    return [Timed(name, found, sizes[name] / 1000) for name, found in times.items()]


def summary(timed: Sequence[Timed]) -> dict[str, Any]:
    """Return p50 and p95 of each screen, by its name."""
    return {
        it.name: {"p50_ms": round(it.at(0.50), 2), "p95_ms": round(it.at(0.95), 2)} for it in timed
    }


def table(timed: Sequence[Timed]) -> str:
    """Return the times as text, each with its floor, which comes first."""
    floor = timed[0]
    headings = ("p50 ms", "p95 ms", "× floor", "kB")
    lines = [f"{'first byte':<32}" + "".join(f"{heading:>10}" for heading in headings)]
    for it in timed:
        slow = f"   more than {TARGET} ms" if it.at(0.95) > TARGET else ""
        lines.append(
            f"{it.name:<32}{it.at(0.50):>10.1f}{it.at(0.95):>10.1f}"
            f"{it.at(0.50) / floor.at(0.50):>10.1f}{it.kilobytes:>10.1f}{slow}"
        )
    return "\n".join(lines)


def prepared(size: Any) -> tuple[str, list[Screen]]:
    """Fill the database in use; return the cookie of a signed-in user, and the URLs."""
    from django.db import connection
    from django.test import Client

    from benchmarks.single_tenant_dataset import fill
    from instances.models import Instance, User

    user = User.objects.create_superuser("benchmark")
    instance = Instance.objects.create(slug="plenty", name="Plenty", memory_enabled=True)
    for number in range(5):
        Instance.objects.create(slug=f"other-{number}", name=f"Other {number}")
    fill(instance, user, size)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")  # As autovacuum does within a minute.
    client = Client()
    client.force_login(user)
    cookie = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
    return cookie, _screens(instance, size, user)


def _screens(instance: "Instance", size: Any, user: "User") -> list[Screen]:
    some = list(instance.memories.order_by("pk").values_list("pk", flat=True)[:500:50])
    longest = instance.conversations.order_by("-watermark")[0]
    last, middle = -(-size.memories // 20), size.memories // 40

    def memory(*queries: str) -> list[str]:
        return [f"/memory?instance=plenty&{query}" for query in queries]

    def ask(query: str = "") -> list[str]:
        return memory(*(f"q={quote_plus(question)}{query}" for question in QUESTIONS))

    # Questions as far as they are typed when the search is sent.
    typed = memory(
        *(f"q={quote_plus(question[:end])}" for question in QUESTIONS for end in (3, 9, 15, 99))
    )
    return [
        Screen("an empty page: the floor", ["/empty"]),
        Screen("list", memory("")),
        Screen("list, as a fragment", memory(""), fragment=True),
        Screen("filter by category", memory("category=fact", "category=decision")),
        Screen("filter by tag", memory("tag=work", "tag=money", "tag=mara")),
        Screen("filter by end user", memory("user=mara", "user=kofi")),
        Screen("filter by source", memory("origin=manual", "origin=conversation")),
        Screen("filter by state: holds today", memory("state=current")),
        Screen("filter by state: expired", memory("state=expired")),
        Screen("filter by state: changed", memory("state=changed")),
        Screen("filter by state: unrecalled", memory("state=unrecalled")),
        Screen("filter by state: no vector", memory("state=waiting")),
        Screen("filter by three at once", memory("category=fact&tag=work&state=current")),
        Screen("search", ask()),
        Screen("search, as a fragment", ask(), fragment=True),
        Screen("search as one types", typed, fragment=True, trigger="q"),
        Screen("search in a category", ask("&category=fact")),
        Screen("search in a tag", ask("&tag=work")),
        Screen("search about an end user", ask("&user=mara")),
        Screen("search, newest first", ask("&sort=newest")),
        Screen("search, last page", ask("&page=999")),
        Screen("a hundred rows", memory("per_page=100")),
        Screen("filters with counts", ["/memory/choices?instance=plenty"], fragment=True),
        Screen("sort by importance", memory("sort=important")),
        Screen("sort by last change", memory("sort=changed")),
        Screen("sort by recall", memory("sort=recalled")),
        Screen("page 2", memory("page=2")),
        Screen("page in the middle", memory(f"page={middle}")),
        Screen("last page", memory(f"page={last}")),
        Screen("last page of a category", memory("category=fact&page=999")),
        Screen("panel", [f"/memory/{pk}?instance=plenty" for pk in some]),
        Screen(
            "panel, as a fragment", [f"/memory/{pk}?instance=plenty" for pk in some], fragment=True
        ),
        Screen(
            "panel of a result",
            [f"/memory/{some[0]}?instance=plenty&q={quote(QUESTIONS[0])}"],
            fragment=True,
        ),
        Screen("status line", [f"/memory/status?instance=plenty&after={some[-1]}"], fragment=True),
        Screen("conversations", ["/conversations?instance=plenty"]),
        Screen("conversations, last page", ["/conversations?instance=plenty&page=999"]),
        Screen(
            "conversations in a state",
            [f"/conversations?instance=plenty&state={state}" for state in ("read", "failed")],
        ),
        Screen(
            "search in conversations",
            [f"/conversations?instance=plenty&q={quote_plus(question)}" for question in QUESTIONS],
        ),
        Screen(
            "transcript", [f"/conversations/{longest.pk}", f"/conversations/{longest.pk}?page=999"]
        ),
    ]


@contextmanager
def served(
    application: str = "benchmarks.empty_page:application", *, with_database: bool = True
) -> Iterator[int]:
    """Serve an ASGI *application*, by default ours with the database in use as ``manage.py run``
    does, and give the port.
    """
    port = free_port()
    server = subprocess.Popen(  # noqa: S603 - The command is fixed.
        [
            *(sys.executable, "-m", "uvicorn", application),
            *("--host", "127.0.0.1", "--port", str(port)),
            *("--lifespan", "auto", "--no-access-log", "--log-level", "warning"),
        ],
        env=os.environ | ({"DATABASE_URL": database_url()} if with_database else {}),
    )
    try:
        deadline = time.monotonic() + 60
        while not _answers(port):
            if server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("The web server does not answer.")
            time.sleep(0.1)
        yield port
    finally:
        server.terminate()
        server.wait(30)


def free_port() -> int:
    """Return a port of this machine that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
    except OSError:
        return False
    return True


def database_url() -> str:
    """The address of the database in use, for another process."""
    from django.db import connection

    where = connection.settings_dict
    login = ":".join(quote(where[part], safe="") for part in ("USER", "PASSWORD") if where[part])
    host, port = quote(where["HOST"], safe=""), f":{where['PORT']}" if where["PORT"] else ""
    # The folder of a socket stands in the path: see `memoryapp.embedded.postgres.url`.
    place = f"/{host}" if where["HOST"].startswith("/") else f"{host}{port}"
    return f"postgresql://{login}@{place}/{quote(where['NAME'], safe='')}"


if __name__ == "__main__":
    sys.exit(main())
