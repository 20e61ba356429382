"""Deleted memories leave no trace in any table or in Redis."""

import base64
import bz2
import gzip
import lzma
import re
import zlib
from collections.abc import Callable, Iterator

import pytest
import redis
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.actor import Actor
from instances.models import ApiKey, Instance
from memoryapp.extraction.run import read
from memoryapp.forgetting import undo_buffer
from memoryapp.models import Memory, RefusedProposal, Run, SavedFilter, Summary
from memoryapp.summary.generation import write
from memoryapp.trust.refusals import keep_refused
from tests.leak_scanner import places, places_by_text
from tests.provider_fixtures import eventually, fact, prompt_of, provider, read_with
from tests.scripted_provider import Request, ScriptedProvider

__all__ = ["provider"]

#: A word of each text that a memory of this test has had; no message contains them.
WORDS = ("Zanzibar", "Heligoland", "Ærøskøbing", "京都", "marzipan", "Wolpertinger")
#: Whom a forgotten fact was about stays with its hash, so that no assistant brings it back, in the
#: list of a key's latest requests, which are about no memory, and in the logs of audit and of calls
#: to providers until the person is erased.
KEPT = {
    "Wolpertinger": {
        *("memoryapp_suppressedstatement", "memoryapp_keyrequest", "memoryapp_auditrecord"),
        "memoryapp_usage",
    }
}


@pytest.fixture
def server(settings: Settings) -> Iterator["redis.Redis"]:
    with redis.Redis.from_url(settings.REDIS_URL) as server:
        server.flushdb()
        yield server
        server.flushdb()


@pytest.fixture
def memories(
    as_alice: Client,
    instance: Instance,
    provider: ScriptedProvider,
    server: "redis.Redis",
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> list[int]:
    """Memories written through every API, then recalled, edited, restored and undone."""
    with django_capture_on_commit_callbacks(execute=True):
        run = _queued_run(instance, provider)
    # The task was sent to the broker, which is in Redis, too.
    eventually(lambda: server.exists("celery"), "no task in the broker")
    learned = _learned(run)
    edit = {"content": "The user lives on Heligoland.", "category": "fact", "importance": "7"}
    # This word is in a tag of only one version.
    as_alice.post(f"/memory/{learned.pk}/edit?instance=desk", edit | {"tags": "marzipan"})
    as_alice.post(f"/memory/{learned.pk}/edit?instance=desk", edit | {"tags": ""})
    revision = learned.revisions.last()
    assert revision
    as_alice.post(f"/memory/{learned.pk}/restore/{revision.pk}?instance=desk")
    edit |= {"content": "The user was born in Ærøskøbing and went to 京都."}
    as_alice.post("/memory/new?instance=desk", edit | {"end_user": "Wolpertinger"})
    as_alice.post(
        "/api/memories",
        {"instance_id": "desk", "content": "A Wolpertinger eats marzipan in Zanzibar."},
        content_type="application/json",
        headers={"Idempotency-Key": "once"},
    )
    key = ApiKey(instance=instance, name="For mem0", scopes=["write"])
    headers = {"Authorization": f"Token {key.make_secret()}"}
    key.save()
    as_alice.post(
        "/v3/memories/add/",
        {
            "messages": [{"role": "user", "content": "A goat lives on Heligoland."}],
            "metadata": {"marzipan": ["Ærøskøbing"]},
            "user_id": "Wolpertinger",
            "infer": False,
        },
        content_type="application/json",
        headers=headers,
    )
    for question in ("/memory?instance=desk&q=", "/api/memories?instance_id=desk&q="):
        for word in WORDS:
            assert as_alice.get(question + word).status_code == 200
    _summed_up(provider)
    return list(Memory.objects.values_list("pk", flat=True))


def _queued_run(instance: Instance, provider: ScriptedProvider) -> Run:
    """A queued run that will send messages to a model."""
    read_with(provider, instance)
    provider.reply_with({"memories": [fact(1, "The user lives in Zanzibar.")]})
    talk = Conversation.objects.create(instance=instance, title="Moving")
    append(
        talk,
        [NewMessage("user", "We have moved to the island."), NewMessage("assistant", "Lovely.")],
    )
    return Run.objects.get()


def _learned(run: Run) -> Memory:
    """The model's extraction in words that nobody used, which a person keeps all the same."""
    assert run.claim()
    read(run)
    memory = keep_refused(RefusedProposal.objects.get(), by=Actor()).memory
    assert memory.content == "The user lives in Zanzibar."
    return memory


def _summed_up(provider: ScriptedProvider) -> None:
    """A summary by the model in the words of the memories."""

    def portrait(request: Request) -> dict[str, str]:
        known = re.findall(r"^- \([^)]*\) (.*)$", prompt_of(request), re.MULTILINE)
        return {"summary": "\n\n".join(known)}

    provider.reply_with(portrait)
    for summary in Summary.objects.all():
        Summary.objects.filter(pk=summary.pk).update(due_at=timezone.now())
        assert summary.claim()
        write(summary)
    assert Summary.objects.exclude(text="").count() == 2


def delete_all(client: Client) -> tuple[str, dict[str, str]]:
    """Delete them on the screen; return the URL and data of the Undo form."""
    form = {"all": "yes", "confirmed": "yes"}
    page = client.post("/memory/delete?instance=desk", form).content.decode()
    assert "Deleted 4 memories" in page
    fields = dict(re.findall(r'name="(name|key)" value="([^"]*)"', page))
    assert fields.keys() == {"name", "key"}
    return "/memory/undo?instance=desk", fields


def places_by_word(server: "redis.Redis") -> dict[str, set[str]]:
    return places_by_text(server, WORDS)


def test_undoable_deletion_is_readable_only_with_its_key(
    as_alice: Client, memories: list[int], server: "redis.Redis"
) -> None:
    assert places_by_word(server).keys() == set(WORDS)
    address, fields = delete_all(as_alice)
    (parcel,) = server.keys("*undo*")
    assert places_by_word(server) == KEPT
    # Only the page has the key: no session, no activity row, nothing in Redis.
    assert places(server, fields["key"]) == set()
    # The buffer exists nevertheless.
    assert server.exists(parcel)
    as_alice.post(address, fields)
    assert list(Memory.objects.values_list("pk", flat=True)) == memories
    assert places_by_word(server).keys() == set(WORDS)


def test_nothing_is_left_after_the_undo_period(
    as_alice: Client,
    memories: list[int],
    server: "redis.Redis",
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(undo_buffer, "UNDO_SECONDS", 1)
    monkeypatch.setattr(undo_buffer, "GRACE", 0)
    address, fields = delete_all(as_alice)
    assert server.keys("*undo*")
    # Redis expires it by itself.
    eventually(lambda: not server.keys("*undo*"), "the parcel has not gone", 10)
    assert places_by_word(server) == KEPT
    assert places(server, fields["key"]) == places(server, fields["name"]) == set()
    assert "seconds are over" in as_alice.post(address, fields, follow=True).content.decode()
    assert places_by_word(server) == KEPT


def test_deletion_through_the_api_is_immediate(
    as_alice: Client, memories: list[int], server: "redis.Redis"
) -> None:
    for pk in memories:
        assert as_alice.delete(f"/api/memories/{pk}").status_code == 204
    assert not server.keys("*undo*")
    assert places_by_word(server) == KEPT


# Proves that the scanner would find it.

WORD = "Zanzibar"
LINE = f"The user lives in {WORD}.".encode()
DISGUISES: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "lower case": bytes.lower,
    "UTF-16": lambda line: line.decode().encode("utf-16"),
    "hex": lambda line: line.hex().encode(),
    "hex behind a digit": lambda line: b"f" + line.hex().upper().encode(),
    "base64": base64.b64encode,
    "base64 behind a letter": lambda line: b"x" + base64.urlsafe_b64encode(line),
    "zlib": zlib.compress,
    "quick zlib": lambda line: zlib.compress(line, 1),
    "gzip": gzip.compress,
    "deflate": lambda line: zlib.compress(line)[2:-4],
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "base64 of zlib": lambda line: base64.urlsafe_b64encode(zlib.compress(line)),
    "zlib of base64": lambda line: zlib.compress(base64.b64encode(line)),
    "hex of gzip of base64": lambda line: gzip.compress(base64.b64encode(line)).hex().encode(),
}


@pytest.mark.parametrize("disguise", DISGUISES)
def test_text_is_found_in_every_encoding(
    disguise: str, db: None, server: "redis.Redis", instance: Instance
) -> None:
    hidden = DISGUISES[disguise](LINE)
    server.set("string", b"\x00\x01 before " + hidden + b" behind \xff")
    server.rpush("list", b"first", hidden)
    server.hset("hash", "field", hidden)
    server.hset("hash of it", hidden, "value")
    server.sadd("set", hidden)
    server.zadd("sorted", {hidden: 1.0})
    server.xadd("stream", {"field": hidden})
    assert places(server, WORD) == {
        "string",
        "list",
        "hash",
        "hash of it",
        "set",
        "sorted",
        "stream",
    }


def test_text_is_found_in_tables_and_sessions(
    as_alice: Client, instance: Instance, server: "redis.Redis"
) -> None:
    Memory.objects.create(instance=instance, content="Ærøskøbing", tags=["京都"])
    saved = SavedFilter(instance=instance, user_id=int(as_alice.session["_auth_user_id"]))
    saved.name, saved.query = "Heligoland", "q=marzipan"
    saved.save()
    # Sessions are compressed, signed and base64-encoded.
    session = SessionStore()
    session["said"] = ["Wolpertinger " * 20]
    session.save()
    assert places(server, "Ærøskøbing") == {"memoryapp_memory"}
    assert places(server, "京都") == {"memoryapp_memory", "memoryapp_memorycount"}
    assert places(server, "marzipan") == {"memoryapp_savedfilter"}
    assert places(server, "Wolpertinger") == {"django_session"}
    assert places(server, WORD) == set()
