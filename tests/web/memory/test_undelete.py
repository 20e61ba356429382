"""Undoing a deletion, from the page that confirms it."""

import re
from collections.abc import Callable
from html import unescape

import pytest
import redis
from django.contrib.sessions.models import Session
from django.test import Client
from pytest_django import Settings

from instances.models import Instance, User
from memoryapp.forgetting import undo_copy
from memoryapp.models import Memory

Store = Callable[..., Memory]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def bees(store_memory: Store) -> Memory:
    return store_memory("The user keeps bees.", category="fact")


def delete(client: Client, memory: Memory, query: str = "", *, htmx: bool = False) -> str:
    """Delete the memory and return the following page."""
    response = client.post(
        f"/memory/delete?instance=desk{query}",
        {"id": memory.pk, "confirmed": "yes"},
        headers=HTMX if htmx else {},
        follow=True,
    )
    assert response.status_code == 200
    assert "no-store" in response["Cache-Control"]
    return response.content.decode()


def undo_form(page: str) -> tuple[str, dict[str, str]]:
    """Return the URL and data of the Undo form."""
    match = re.search(
        r'<form method="post" action="(/memory/undo[^"]*)".*?</form>', page, re.DOTALL
    )
    assert match, page
    fields = dict(re.findall(r'name="(name|key)" value="([^"]*)"', match[0]))
    return unescape(match[1]), fields


@pytest.mark.parametrize("htmx", [False, True])
def test_undo_on_the_result_page_restores_the_memory(
    htmx: bool, as_alice: Client, bees: Memory
) -> None:
    page = delete(as_alice, bees, "&category=fact", htmx=htmx)
    assert ("<html" in page) is not htmx
    assert "Deleted 1 memory, with its history." in page
    address, fields = undo_form(page)
    assert address == "/memory/undo?instance=desk&category=fact"
    assert not Memory.objects.exists()
    answer = as_alice.post(address, fields, follow=True).content.decode()
    assert "Restored 1 memory." in answer
    assert Memory.objects.get() == bees


def test_activity_names_what_was_restored(
    as_alice: Client, bees: Memory, store_memory: Store
) -> None:
    address, fields = undo_form(delete(as_alice, bees))
    as_alice.post(address, fields)
    page = as_alice.get("/activity?instance=desk&kind=undone").content.decode()
    assert "restored a deleted memory" in page
    assert bees.content in page
    other = store_memory("The user owns three hives.")
    response = as_alice.post(
        "/memory/delete?instance=desk", {"id": [bees.pk, other.pk], "confirmed": "yes"}, follow=True
    )
    address, fields = undo_form(response.content.decode())
    as_alice.post(address, fields)
    assert "restored 2 deleted memories" in as_alice.get("/activity?instance=desk").content.decode()


def test_undo_is_only_on_the_result_page(
    as_alice: Client, bees: Memory, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("DEBUG"):
        _, fields = undo_form(delete(as_alice, bees))
    key = fields["key"]
    assert len(key) >= 43
    for session in Session.objects.all():
        assert key not in str(session.get_decoded())
    assert key not in str(as_alice.cookies)
    assert key not in caplog.text
    for path in ("/memory?instance=desk", "/conversations?instance=desk"):
        page = as_alice.get(path).content.decode()
        assert key not in page
        assert "/memory/undo" not in page


def test_expired_undo_is_reported(as_alice: Client, bees: Memory, settings: Settings) -> None:
    address, fields = undo_form(delete(as_alice, bees))
    with redis.Redis.from_url(settings.REDIS_URL) as server:
        server.flushdb()
    page = as_alice.post(address, fields, follow=True).content.decode()
    assert "The 10 seconds are over" in page
    assert not Memory.objects.exists()
    assert "The 10 seconds are over" in as_alice.post(address, follow=True).content.decode()


def test_undo_is_limited_to_the_deleting_user(
    as_alice: Client, bees: Memory, bob: User, private: Instance
) -> None:
    address, fields = undo_form(delete(as_alice, bees))
    client = Client()
    client.force_login(bob)
    assert client.post(address, fields).status_code == 404
    assert as_alice.post(f"/memory/undo?instance={private.slug}", fields).status_code == 404
    assert as_alice.get(address).status_code == 405
    assert not Memory.objects.exists()
    as_alice.post(address, fields)
    assert Memory.objects.exists()


def test_parts_that_could_not_be_restored_are_reported(
    as_alice: Client, instance: Instance, bees: Memory
) -> None:
    conversation = instance.conversations.create(title="Short-lived")
    bees.sources.create(instance=instance, conversation=conversation)
    address, fields = undo_form(delete(as_alice, bees))
    conversation.delete()
    page = as_alice.post(address, fields, follow=True).content.decode()
    assert "Some could not be linked to where they were said" in page


def test_confirmation_shows_the_undo_period_or_its_absence(
    as_alice: Client, bees: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def question() -> str:
        return as_alice.post("/memory/delete?instance=desk", {"id": bees.pk}).content.decode()

    assert "You can undo this for 10 seconds." in question()
    monkeypatch.setattr(undo_copy, "MAX_BYTES", 100)
    assert "This is too much to undo" in question()
    page = delete(as_alice, bees)
    assert "This cannot be undone." in page
    assert "/memory/undo" not in page


def test_confirmation_without_redis_says_that_undo_is_unavailable(
    as_alice: Client, bees: Memory, settings: Settings
) -> None:
    settings.REDIS_URL = "unix:///nowhere/redis.sock"
    page = delete(as_alice, bees)
    assert "This cannot be undone." in page
    assert "/memory/undo" not in page
    assert not Memory.objects.exists()
