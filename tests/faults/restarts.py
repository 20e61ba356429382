"""``python -m tests.faults.restarts [--facts 300]``: checks that killed processes lose nothing.

Sends facts to a running ``manage.py run`` through the API while it kills one process after the
other, then counts in the database what became of each fact. It uses a scripted model and temporary
folders.
"""

import argparse
import contextlib
import http.client
import json
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import psycopg

from memoryapp.embedded.locations import find
from memoryapp.embedded.postgres import DATABASE, USER
from tests.embedded.running import PROJECT, READY, Keepsake, free_port
from tests.scripted_provider import ScriptedProvider
from tests.waiting import eventually

#: Processes to kill, with the message of the supervisor for those that it restarts. Processes
#: whose work waits for a lease come first, so that the lease expires while others are killed.
KINDS = {
    "worker": "The worker was started again.",
    "postgres": "PostgreSQL was started again.",
    "backend": "",
    "redis": "Redis was started again.",
    "web": "The web server was started again.",
}
#: Concurrent clients.
SENDERS = 3
CONVERSATIONS = 6
#: Seconds after which unfinished work is treated as abandoned: runs, and requests that hold an
#: Idempotency-Key.
REQUEST_SECONDS = 5
RUN_SECONDS = 20

SET_UP = """
import sys, django
django.setup()
from conversations.models import Conversation
from instances.models import ApiKey, EmbeddingProvider, Instance, Provider
url, number = sys.argv[1], int(sys.argv[2])
instance = Instance.objects.create(
    slug="restarts", name="Restarts", memory_enabled=True, dedup_exact=1.0, dedup_update=1.0,
    provider=Provider.CUSTOM, base_url=url, fast_model="reader",
    embedding_provider=EmbeddingProvider.CUSTOM, embedding_base_url=url, embedding_model="words",
)
key = ApiKey(instance=instance, name="Speaker", scopes=["read", "write"])
print(key.make_secret())
key.save()
for _ in range(number):
    print(Conversation.objects.create(instance=instance).pk)
"""


@dataclass
class Report:
    """Results of a trial."""

    facts: int
    seconds: float = 0.0
    #: Requests that were sent again, by status or name of the error.
    repeated: Counter[str] = field(default_factory=Counter)
    #: Maximum seconds until a fact was accepted, by the process that was killed meanwhile.
    longest: dict[str, float] = field(default_factory=dict)
    #: Errors found at the end; empty if every fact is stored once.
    wrong: list[str] = field(default_factory=list)


class FactSender:
    """Client that sends facts and retries until each is accepted."""

    def __init__(self, port: int, secret: str, conversations: Sequence[int]) -> None:
        self.repeated: Counter[str] = Counter()
        self._port = port
        self._secret = secret
        self._conversations = conversations

    def send(self, number: int) -> float:
        """Send a fact until it is accepted; return the seconds that it took."""
        begin, key = time.monotonic(), str(uuid.uuid4())
        if number % 5 == 0:
            # Drop the connection, as if the answer had been lost.
            self._post(number, key, listens=False)
        while (status := self._post(number, key)) != "200":
            self.repeated[status] += 1
            assert status not in ("400", "401", "403", "404", "422"), status
            assert time.monotonic() - begin < 180, f"fact {number} is not accepted: {status}"
            time.sleep(0.3)
        return time.monotonic() - begin

    def _post(self, number: int, key: str, *, listens: bool = True) -> str:
        conversation = self._conversations[number % len(self._conversations)]
        turns = [
            {"role": "user", "content": fact(number)},
            {"role": "assistant", "content": f"So you have painted number {number}."},
        ]
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)
        try:
            connection.request(
                "POST",
                f"/api/conversations/{conversation}/messages",
                json.dumps({"messages": turns}),
                {
                    "Authorization": f"Bearer {self._secret}",
                    "Content-Type": "application/json",
                    "Idempotency-Key": key,
                },
            )
            if not listens:
                time.sleep(0.05)
                return ""
            return str(connection.getresponse().status)
        except (OSError, http.client.HTTPException) as error:
            return type(error).__name__
        finally:
            connection.close()


def fact(number: int) -> str:
    """Return a fact that contains a unique word."""
    return f"I have painted {picture(number)}."


def picture(number: int) -> str:
    """Return the unique word of a fact."""
    return f"picture-{number:04}-{number * 7919 % 10007:05}"


class Trial:
    """One run of the check."""

    def __init__(self, home: Path, output: Path, provider: ScriptedProvider) -> None:
        self.home = home
        self.provider = provider
        self.keepsake = Keepsake(
            home,
            free_port(),
            output,
            API_RATE_LIMIT="0",
            OUTGOING_ALLOW="127.0.0.1",
            ADMIN_PASSWORD="compiler-1952",
        )

    def run(self, facts: int, *, patient: bool) -> Report:
        """Send *facts* facts while each kind of process is killed. Unless *patient*, waits of
        minutes are cut short by changing times in the database.
        """
        report, begin = Report(facts), time.monotonic()
        with self.keepsake:
            self.keepsake.wait_for(READY)
            secret, *conversations = self._set_up()
            sender = FactSender(self.keepsake.port, secret, [int(each) for each in conversations])
            over = threading.Event()
            helper = threading.Thread(target=self._let_time_pass, args=(over,), daemon=True)
            if not patient:
                helper.start()
            numbers = iter(range(facts))
            try:
                for place, kind in enumerate(KINDS):
                    share = facts // len(KINDS) + (place < facts % len(KINDS))
                    with ThreadPoolExecutor(SENDERS) as pool:
                        sent = [pool.submit(sender.send, next(numbers)) for _ in range(share)]
                        sent[share // 3].result()
                        self._kill(kind)
                        report.longest[kind] = round(max(each.result() for each in sent), 1)
                    self._wait_for_restart(KINDS[kind])
                eventually(self._all_read, "not everything is read", seconds=300)
            finally:
                over.set()
            report.repeated = sender.repeated
            report.wrong = self._errors(facts)
            report.seconds = round(time.monotonic() - begin, 1)
            code = self.keepsake.stop(2)
            if code or self.keepsake.remaining():
                report.wrong.append(f"exit code {code}, left: {self.keepsake.remaining()}")
        return report

    def _set_up(self) -> list[str]:
        done = subprocess.run(
            [sys.executable, "-c", SET_UP, self.provider.base_url, str(CONVERSATIONS)],
            cwd=PROJECT,
            env=self.keepsake.environment | {"DJANGO_SETTINGS_MODULE": "memoryapp.settings"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    def _kill(self, kind: str) -> None:
        match kind:
            case "worker":
                self.keepsake.kill("celery", "worker")
            case "postgres":
                self.keepsake.kill("postgres")
            case "backend":
                self._a_backend().kill()
            case "redis":
                self.keepsake.kill("valkey-server")
            case "web":
                self.keepsake.kill("memoryapp.serving.web_server")

    def _a_backend(self) -> psutil.Process:
        with self._database() as database:
            row = database.execute(
                "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'"
                " AND pid <> pg_backend_pid() LIMIT 1"
            ).fetchone()
        assert row is not None, "no backend is connected"
        return psutil.Process(row[0])

    def _wait_for_restart(self, words: str) -> None:
        eventually(lambda: words in self.keepsake.log, f"missing in the output: {words}")

    def _database(self) -> "psycopg.Connection[tuple[Any, ...]]":
        folder = str(find(self.home).socket_folder)
        return psycopg.connect(host=folder, user=USER, dbname=DATABASE, autocommit=True)

    def _all_read(self) -> bool:
        time.sleep(0.3)
        assert self.keepsake.process.poll() is None, self.keepsake.log
        with contextlib.suppress(psycopg.OperationalError), self._database() as database:
            (waiting,) = database.execute(
                "SELECT count(*) FROM memoryapp_run WHERE state IN ('queued', 'running')"
            ).fetchone() or (1,)
            return bool(waiting == 0)
        return False

    def _let_time_pass(self, over: threading.Event) -> None:
        while not over.wait(1):
            with contextlib.suppress(psycopg.Error), self._database() as database:
                database.execute(
                    "UPDATE memoryapp_idempotentrequest SET lease_until = now() WHERE result IS"
                    " NULL AND created_at < now() - make_interval(secs => %s)",
                    [REQUEST_SECONDS],
                )
                database.execute(
                    "UPDATE memoryapp_run SET lease_until = now() WHERE state = 'running'"
                    " AND started_at < now() - make_interval(secs => %s)",
                    [RUN_SECONDS],
                )

    def _errors(self, facts: int) -> list[str]:
        """Return what is missing, duplicated or failed."""
        expected = Counter(picture(number) for number in range(facts))
        with self._database() as database:

            def counted(query: str) -> Counter[Any]:
                return Counter(value for (value,) in database.execute(query))

            about = "SELECT substring(content FROM 'picture-[0-9]+-[0-9]+') FROM"
            sent = counted(f"{about} conversations_message WHERE role = 'user'")
            replies = counted("SELECT content FROM conversations_message WHERE role = 'assistant'")
            known = counted(f"{about} memoryapp_memory")
            # A later run reads what the run of a dead worker left unread.
            failed = counted(
                "SELECT error FROM memoryapp_run AS run WHERE state = 'failed' AND NOT EXISTS"
                " (SELECT FROM memoryapp_run AS later WHERE later.kind = run.kind"
                " AND later.conversation_id = run.conversation_id AND later.id > run.id)"
            )
            filed = counted("SELECT message_id FROM memoryapp_drawer")
        wrong = [*_differences("sent", expected, sent), *_differences("known", expected, known)]
        if len(replies) != facts or max(replies.values()) > 1:
            wrong.append(f"{replies.total()} replies, {len(replies)} of them different")
        if len(filed) != 2 * facts or max(filed.values()) > 1:
            wrong.append(f"{filed.total()} drawers of {len(filed)} messages")
        return wrong + [f"failed: {error}" for error in failed]


def _differences(what: str, expected: Counter[str], actual: Counter[Any]) -> Iterator[str]:
    for value in expected.keys() | actual.keys():
        if expected[str(value)] != actual[value]:
            yield f"{what} {actual[value]} times: {value}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a trial and print its results; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.restarts", description=__doc__)
    parser.add_argument("--facts", type=int, default=300, metavar="N")
    wanted = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="keepsake-restarts-") as name, ScriptedProvider() as it:
        # Traversable by all: when started as root, the database server runs as a system user.
        Path(name).chmod(0o711)
        trial = Trial(Path(name) / "home", Path(name) / "output", it)
        try:
            report = trial.run(wanted.facts, patient=True)
        except BaseException:
            print(trial.keepsake.log)
            raise
    print(f"{report.facts} facts in {report.seconds:g} s")
    print("longest a fact took, by what was killed:", report.longest)
    print("sent again:", dict(report.repeated))
    print("\n".join(report.wrong) or "Every message, memory and drawer is there once.")
    return bool(report.wrong)


if __name__ == "__main__":
    sys.exit(main())
