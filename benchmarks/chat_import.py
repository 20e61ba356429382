"""How long imported chat messages take until search finds them by meaning, and what screens notice.

A file of conversations is imported by ``manage.py import_conversations`` while a web server and a
worker run, as with ``manage.py run``. The worker files the messages and makes their vectors with
the built-in embedder. Screens of another instance are requested before and meanwhile.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.export_file import WORDS
from benchmarks.metrics import percentile
from benchmarks.screens import Timed, database_url, measure, prepared, served

#: Messages of one conversation, and the lengths of messages in words, by author: as people chat.
CONVERSATION_MESSAGES = 40
QUESTION_WORDS, ANSWER_WORDS = (4, 28), (12, 60)
#: The share of messages that many people send.
SHORT_SHARE = 0.08
SHORT = ("ok", "thanks!", "yes please", "no", "great, thank you", "I see", "and then?")
#: Memories of the instance whose screens are requested.
MEMORIES = 500
SCREENS = ("list", "search", "panel", "conversations", "transcript")
#: Rounds of screens before the import, and seconds between two of them meanwhile.
ROUNDS, PAUSE_SECONDS = 20, 1.0
#: What the time is told for.
TARGET_MESSAGES = 100_000


@dataclass(frozen=True)
class ImportTimes:
    """Seconds from the start of the import until messages are stored, filed and have vectors."""

    messages: int
    stored: float
    filed: float
    found: float
    before: Sequence[Timed]
    meanwhile: Sequence[Timed]
    pace_ms: float

    def figures(self) -> dict[str, float]:
        """Return the figures by name, for programs."""
        screens = {}
        for name, when in (("before", self.before), ("meanwhile", self.meanwhile)):
            times = [each for screen in when for each in screen.milliseconds]
            screens[f"screens_{name}_ms"] = round(percentile(times, 0.5), 1)
            screens[f"screens_{name}_p95_ms"] = round(percentile(times, 0.95), 1)
        return {
            "messages": self.messages,
            "seconds_until_stored": round(self.stored, 1),
            "seconds_until_filed": round(self.filed, 1),
            "seconds_until_found_by_meaning": round(self.found, 1),
            "messages_per_second": round(self.messages / self.found, 1),
            f"minutes_for_{TARGET_MESSAGES}": round(
                TARGET_MESSAGES / self.messages * self.found / 60, 1
            ),
            **screens,
            "cores": os.cpu_count() or 1,
            "ms_to_embed_a_message_alone": round(self.pace_ms, 2),
        }


def run(messages: int) -> ImportTimes:
    """Import *messages* messages into the database in use, and return the times."""
    from benchmarks.single_tenant_dataset import Size
    from instances.models import Instance

    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cookie, screens = prepared(Size(memories=MEMORIES))
        screens = [screen for screen in screens if screen.name in SCREENS]
        Instance.objects.create(slug="chats", name="Chats", memory_enabled=True)
        file = folder / "chats.jsonl"
        write(file, messages)
        pace = _pace()
        port = stack.enter_context(served("memoryapp.asgi:application"))
        stack.enter_context(_worker(folder))
        before = measure(port, cookie, screens, ROUNDS)
        begun = time.monotonic()
        importing = subprocess.Popen(  # noqa: S603 - Our own command.
            [sys.executable, "manage.py", "import_conversations", str(file), "--instance", "chats"],
            env=os.environ | {"DATABASE_URL": database_url()},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        reached = {"stored": 0.0, "filed": 0.0, "found": 0.0}
        meanwhile: dict[str, list[float]] = {screen.name: [] for screen in screens}
        try:
            while not reached["found"]:
                for timed in measure(port, cookie, screens, 1):
                    meanwhile[timed.name] += timed.milliseconds
                time.sleep(PAUSE_SECONDS)
                for name in _reached(importing.poll() is not None):
                    reached[name] = reached[name] or time.monotonic() - begun
        finally:
            importing.terminate()
            importing.wait()
        if importing.returncode:
            raise RuntimeError("The import failed.")
    times = [Timed(name, found, 0) for name, found in meanwhile.items()]
    return ImportTimes(messages, **reached, before=before, meanwhile=times, pace_ms=pace)


def write(path: Path, messages: int) -> None:
    """Write a file of *messages* messages, the same one each time."""
    dice = random.Random(7)  # noqa: S311 - Not a secret.
    with path.open("w") as file:
        for number in range(messages):
            role = "assistant" if number % 2 else "user"
            length = dice.randint(*(ANSWER_WORDS if number % 2 else QUESTION_WORDS))
            text = " ".join(dice.choices(WORDS, k=length)).capitalize() + "."
            if role == "user" and dice.random() < 2 * SHORT_SHARE:
                text = dice.choice(SHORT)
            conversation = f"chat {number // CONVERSATION_MESSAGES}"
            file.write(json.dumps({"conversation": conversation, "role": role, "content": text}))
            file.write("\n")


def _reached(is_stored: bool) -> Iterator[str]:
    """Yield the names of what is reached in the instance of the import."""
    from instances.models import Instance
    from memoryapp.embeddings.missing_vectors import DRAWERS
    from memoryapp.models import Unfiled
    from memoryapp.providers.builtin_embedder import SPACE

    if not is_stored:
        return
    yield "stored"
    chats = Instance.objects.get(slug="chats")
    waiting = Unfiled.objects.filter(message__conversation__instance=chats, stays_out=False)
    if waiting.exists():
        return
    yield "filed"
    if not DRAWERS.without_vector(chats, SPACE).exists():
        yield "found"


def _pace() -> float:
    """The median milliseconds to embed one message of usual length with an idle embedder."""
    from memoryapp.providers.builtin_embedder import BuiltinEmbedder

    embedder, taken = BuiltinEmbedder(), []
    for number in range(60):
        text = f"Message {number}: {' '.join(WORDS[number : number + 25])}"
        begun = time.perf_counter()
        embedder.embed([text])
        taken.append(1000 * (time.perf_counter() - begun))
    return percentile(taken[10:], 0.5)


@contextmanager
def _worker(folder: Path) -> Iterator[None]:
    """Run a worker, which also schedules, with a queue of its own."""
    from memoryapp.embedded import redis

    with redis.RedisServer(folder / "queue"):
        env = os.environ | {
            "DATABASE_URL": database_url(),
            "REDIS_URL": redis.url(folder / "queue"),
        }
        command = [sys.executable, "-W", "ignore", "-m", "celery", "--quiet", "--app", "memoryapp"]
        running = subprocess.Popen(  # noqa: S603 - Our own command.
            [*command, "worker", "--without-gossip", "--without-mingle", "--without-heartbeat"],
            env=env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield
        finally:
            running.kill()
            running.wait()
