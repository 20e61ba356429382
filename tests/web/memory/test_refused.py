"""Refused proposals: what is stored of them, the list, keeping and dismissing."""

import re
from typing import Any

import pytest
from django.test import Client

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.extraction.run import queue_by_hand, read
from memoryapp.forgetting.deletion import forget
from memoryapp.models import Memory, RefusedProposal, Run
from tests.provider_fixtures import provider, read_with
from tests.scripted_provider import ScriptedProvider

__all__ = ["provider"]

LIST = "/memory/removed/refused?instance=desk"
SAID = "I live in Munich, and I have two cats."
RIGHT = "The user has two cats."
WRONG = "The user lives in Hamburg."


def proposed(content: str, **fields: Any) -> dict[str, Any]:
    return {"message": 1, "content": content, "category": "fact", "importance": 6, **fields}


def learn(instance: Instance, provider: ScriptedProvider, *facts: dict[str, Any]) -> Conversation:
    read_with(provider, instance)
    talk = Conversation.objects.create(instance=instance, end_user="ann")
    append(talk, [NewMessage("user", SAID), NewMessage("assistant", "I see.")])
    read_again(talk, provider, *facts)
    return talk


def read_again(talk: Conversation, provider: ScriptedProvider, *facts: dict[str, Any]) -> Run:
    Conversation.objects.filter(pk=talk.pk).update(watermark=0)
    provider.reply_with({"memories": list(facts)})
    run = queue_by_hand(talk)
    assert run.claim()
    read(run)
    run.refresh_from_db()
    return run


def text_of(client: Client, address: str) -> str:
    page = client.get(address)
    assert page.status_code == 200
    return " ".join(re.sub(r"<[^>]+>", " ", page.content.decode()).split())


@pytest.fixture
def talk(instance: Instance, provider: ScriptedProvider) -> Conversation:
    return learn(
        instance, provider, proposed(RIGHT), proposed(WRONG, key="home_city", value="Munich")
    )


def test_what_was_not_said_is_counted_and_shown(as_alice: Client, talk: Conversation) -> None:
    assert [memory.content for memory in Memory.objects.all()] == [RIGHT]
    run = Run.objects.get()
    assert run.stored == 1
    assert run.rejected == [{"position": 1, "reason": "has a name that was not said"}]
    page = text_of(as_alice, LIST)
    assert WRONG in page
    assert "has a name that was not said" in page
    assert WRONG in text_of(as_alice, talk.get_absolute_url())
    assert "1 refused proposal" in text_of(as_alice, "/status/health?instance=desk")


def test_keeping_stores_it_as_a_persons_decision(as_alice: Client, talk: Conversation) -> None:
    row = RefusedProposal.objects.get()
    page = as_alice.post(f"/memory/removed/refused/{row.pk}/keep", follow=True).content.decode()
    assert "Kept as a new memory." in page
    kept = Memory.objects.get(content=WRONG)
    assert (kept.origin, kept.end_user, kept.importance) == ("manual", "ann", 6)
    assert kept.sources.get().message is not None
    assert not RefusedProposal.objects.exists()


def test_dismissing_deletes_it(as_alice: Client, talk: Conversation) -> None:
    row = RefusedProposal.objects.get()
    as_alice.post(f"/memory/removed/refused/{row.pk}/dismiss")
    assert not RefusedProposal.objects.exists()
    assert Memory.objects.count() == 1


def test_reading_again_does_not_list_it_twice(
    talk: Conversation, provider: ScriptedProvider
) -> None:
    read_again(talk, provider, proposed(WRONG))
    assert RefusedProposal.objects.count() == 1


def test_secrets_are_redacted_in_refused_texts(
    instance: Instance, provider: ScriptedProvider
) -> None:
    learn(instance, provider, proposed("The user pays in Hamburg with 4111 1111 1111 1111."))
    assert RefusedProposal.objects.get().content == "The user pays in Hamburg with [REDACTED:CARD]."


def test_forgetting_takes_refused_texts_along(
    instance: Instance, alice: User, talk: Conversation
) -> None:
    forget(instance, Memory.objects.all(), by=Actor(alice))
    assert not RefusedProposal.objects.exists()


def test_deleting_the_conversation_takes_them_along(talk: Conversation) -> None:
    talk.delete()
    assert not RefusedProposal.objects.exists()


def test_their_number_is_bounded(
    instance: Instance,
    talk: Conversation,
    monkeypatch: pytest.MonkeyPatch,
    provider: ScriptedProvider,
) -> None:
    monkeypatch.setattr("memoryapp.models.refused.MAX_OF_INSTANCE", 3)
    read_again(talk, provider, *(proposed(f"The user lives in {n}{n} Hamburg.") for n in range(9)))
    assert RefusedProposal.objects.count() == 3


def test_a_bad_key_is_dropped_and_the_fact_kept(
    instance: Instance, provider: ScriptedProvider
) -> None:
    learn(instance, provider, proposed(RIGHT, key="home_city", value="Berlin"))
    memory = Memory.objects.get()
    assert (memory.content, memory.key, memory.value) == (RIGHT, "", "")


def test_an_end_date_that_was_not_said_is_left_out(
    instance: Instance, provider: ScriptedProvider
) -> None:
    learn(instance, provider, proposed(RIGHT, valid_until="2031-01-01"))
    assert not RefusedProposal.objects.exists()
    assert [(m.content, m.valid_until) for m in Memory.objects.all()] == [(RIGHT, None)]
