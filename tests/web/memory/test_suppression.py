"""Suppressed memories: the question, the list, lifting, and refusals elsewhere."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from conversations.models import Conversation
from instances.models import Instance, User
from memoryapp.models import Memory, Run, SuppressionRule
from tests.provider_fixtures import provider, read_with
from tests.scripted_provider import ScriptedProvider
from tests.uploading import confirm, upload
from tests.web.memory.test_memory_files import lines

__all__ = ["provider"]

Store = Callable[..., Memory]
LIST = "/memory/removed/blocked?instance=desk"
FACT = "The user is allergic to peanuts."


def delete(client: Client, *memories: Memory, **fields: str) -> str:
    form = {"id": [str(memory.pk) for memory in memories], "confirmed": "yes", **fields}
    return client.post("/memory/delete?instance=desk", form, follow=True).content.decode()


def form(content: str, **fields: str) -> dict[str, str]:
    return {"content": content, "category": "fact", "importance": "5", "tags": "", **fields}


def listed(client: Client) -> str:
    page = client.get(LIST)
    assert page.status_code == 200
    return " ".join(re.sub(r"<[^>]+>", " ", page.content.decode()).split())


@pytest.fixture
def rule(as_alice: Client, store_memory: Store) -> SuppressionRule:
    page = delete(as_alice, store_memory(FACT), for_good="yes")
    assert "What it says is not learned again." in page
    return SuppressionRule.objects.get()


def test_delete_dialog_offers_suppression(as_alice: Client, store_memory: Store) -> None:
    both = [store_memory(FACT), store_memory("The user sails.")]

    def question(*memories: Memory) -> str:
        ids = {"id": [memory.pk for memory in memories]}
        return as_alice.post("/memory/delete?instance=desk", ids).content.decode()

    assert "Don’t learn this again" in question(both[0])
    assert "Don’t learn these again" in question(*both)


def test_nothing_is_suppressed_without_the_option(as_alice: Client, store_memory: Store) -> None:
    page = delete(as_alice, store_memory(FACT))

    assert "not learned again" not in page.partition("Deleted 1 memory")[2][:200]
    assert not SuppressionRule.objects.exists()
    assert "Nothing is kept out" in listed(as_alice)


def test_suppressed_text_is_listed_without_its_words_and_can_be_lifted(
    as_alice: Client, alice: User, rule: SuppressionRule
) -> None:
    page_content = listed(as_alice)
    assert f"Memory {rule.memory_id} deleted" in page_content
    assert "by alice" in page_content
    assert "nothing kept out yet" in page_content
    assert "peanuts" not in page_content

    page = as_alice.post(f"/memory/removed/blocked/{rule.pk}/lift", follow=True).content.decode()

    assert "Allowed again: it is remembered when it is said again." in page
    assert "Nothing is kept out" in page
    assert not SuppressionRule.objects.exists()


def test_bulk_suppression_and_undo(as_alice: Client, store_memory: Store) -> None:
    page = delete(as_alice, store_memory(FACT), store_memory("The user sails."), for_good="yes")
    assert SuppressionRule.objects.count() == 2

    fields = dict(re.findall(r'name="(name|key)" value="([^"]*)"', page))
    as_alice.post("/memory/undo?instance=desk", fields)

    assert Memory.objects.count() == 2
    assert not SuppressionRule.objects.exists()


def test_manual_creation_of_a_suppressed_text_asks_for_confirmation(
    as_alice: Client, rule: SuppressionRule
) -> None:
    address = "/memory/new?instance=desk"
    refused = as_alice.post(address, form(FACT))
    assert refused.status_code == 422
    page = refused.content.decode()
    assert "This was deleted with “Don’t learn this again”." in page
    assert "Remember it anyway" in page
    assert "kept out once" in listed(as_alice)

    as_alice.post(address, form(FACT, lift="on"))

    assert Memory.objects.get().content == FACT
    assert not SuppressionRule.objects.exists()


def test_form_does_not_ask_otherwise(as_alice: Client, instance: Instance) -> None:
    assert "all the same" not in as_alice.get("/memory/new?instance=desk").content.decode()


def test_api_reports_suppression(as_alice: Client, rule: SuppressionRule) -> None:
    response = as_alice.post(
        "/api/memories",
        {"instance_id": "desk", "content": "The user has a peanut allergy."},
        content_type="application/json",
    )

    assert (response.status_code, response.json()["code"]) == (422, "never_again")


def test_api_deletes_with_suppression(as_alice: Client, store_memory: Store) -> None:
    one, other, kept = (
        store_memory(FACT),
        store_memory("The user sails."),
        store_memory("Ana sings."),
    )

    assert as_alice.delete(f"/api/memories/{one.pk}?never_again=true").status_code == 204
    as_alice.post(
        "/api/memories/delete",
        {"instance_id": "desk", "ids": [other.pk], "never_again": True},
        content_type="application/json",
    )
    as_alice.delete(f"/api/memories/{kept.pk}")

    assert set(SuppressionRule.objects.values_list("memory_id", flat=True)) == {one.pk, other.pk}


def test_import_skips_suppressed_texts(
    as_alice: Client, rule: SuppressionRule, settings: Settings, tmp_path: Path
) -> None:
    content = lines(
        {"content": FACT, "importance": 5}, {"content": "The user sails.", "importance": 5}
    )

    import_ = upload(as_alice, content)
    assert (import_.memories_new, import_.skipped_count) == (1, 1)
    import_ = confirm(as_alice, import_)

    assert (import_.memories_new, import_.skipped_count) == (1, 1)
    assert "line 1: It was deleted and must not be learned again." in str(import_.skipped)
    assert Memory.objects.get().content == "The user sails."
    rule.refresh_from_db()
    assert rule.kept_out == 1, "checking a file counted as suppression"


# Repeated extraction


def test_conversation_can_be_read_again(
    as_alice: Client,
    instance: Instance,
    conversation: Conversation,
    provider: ScriptedProvider,
) -> None:
    address = f"/conversations/{conversation.pk}"
    button = f'action="{address}/again"'
    read_with(provider, instance)
    assert button not in as_alice.get(address).content.decode(), "messages are marked as read"
    Conversation.objects.update(watermark=2)
    assert button in as_alice.get(address).content.decode()

    page = as_alice.post(f"{address}/again", follow=True).content.decode()

    assert "The conversation is read again from the beginning." in page
    assert Conversation.objects.get().watermark == 0
    assert Run.objects.get().state == Run.State.QUEUED
    assert Run.objects.get().claim()
    page = as_alice.post(f"{address}/again", follow=True).content.decode()
    assert "The conversation is being read." in page


def test_missing_model_is_reported(
    as_alice: Client, instance: Instance, conversation: Conversation
) -> None:
    page = as_alice.post(f"/conversations/{conversation.pk}/again", follow=True).content.decode()

    assert "No language model is set up" in page
    assert not Run.objects.exists()
