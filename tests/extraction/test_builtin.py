"""Reading with the built-in reader, when no language model is set up."""

import pytest
from django.test import Client
from django.urls import reverse

from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import Instance
from instances.tiers import Tier
from memoryapp.extraction.run import (
    queue_again_with_model,
    queue_by_hand,
    read_by_builtin_reader,
)
from memoryapp.forgetting.deletion import forget
from memoryapp.models import Activity, Memory, Origin, Run
from tests.extraction.runs import attempt, exchange, work
from tests.provider_fixtures import keep_everything, provider, read_with, unfinished_messages
from tests.scripted_provider import ScriptedProvider

__all__ = ["provider"]

CELLO = "I play the cello in an amateur orchestra in Leeds."
FACT = "The user plays the cello in an amateur orchestra in Leeds."


@pytest.fixture(autouse=True)
def built_in(instance: Instance) -> Instance:
    """The instance remembers, without a language model."""
    instance.memory_enabled = instance.builtin_reader = True
    instance.save()
    return instance


def test_facts_are_stored_with_their_sources(talk: Conversation) -> None:
    exchange(talk, CELLO)
    (run,) = work(talk)
    memory = Memory.objects.get()
    assert (run.state, run.stored, run.with_model) == (Run.State.SUCCEEDED, 1, False)
    assert (memory.content, memory.origin, memory.end_user) == (FACT, Origin.CONVERSATION, "alice")
    assert memory.tier == Tier.USER
    assert memory.sources.get().message == talk.messages.get(role="user")
    assert Activity.objects.get().via == "builtin_reader"
    assert unfinished_messages(talk) == {}


def test_assistant_is_not_read(talk: Conversation) -> None:
    exchange(talk, "Who are you?", "My sister Anna lives in Bern with her two children.")
    work(talk)
    assert not Memory.objects.exists()


def test_secrets_are_redacted(talk: Conversation) -> None:
    exchange(talk, "I moved to Porto with my wife, and my card is 4111 1111 1111 1111.")
    work(talk)
    assert "4111 1111" not in "".join(Memory.objects.values_list("content", flat=True))


def test_latest_value_of_a_key_counts(talk: Conversation) -> None:
    exchange(talk, "I live in Leeds with my brother.")
    exchange(talk, "I moved to Porto with my brother.")
    work(talk)
    (current,) = Memory.objects.filter(key="home_city")
    assert current.value == "Porto"


@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        ("I work at Siemens.", "Ich bin zu Bosch gewechselt.", "Bosch"),
        ("Mi coche es un Ibiza.", "I sold the Ibiza and bought a Yaris.", "Yaris"),
        ("J'habite à Metz.", "Mi sono trasferita a Bologna.", "Bologna"),
        ("My girlfriend works at Acme.", "My girlfriend works at Globex now.", "Globex"),
        ("Meine Mama wohnt in Bonn.", "My mum has moved to Ulm.", "Ulm"),
        ("I train on Tuesdays.", "Adesso mi alleno il giovedì.", "il giovedì"),
    ],
)
def test_new_value_takes_the_place_of_the_old_one_in_any_language(
    before: str, after: str, value: str, talk: Conversation
) -> None:
    exchange(talk, before)
    work(talk)
    known = Memory.objects.get()
    exchange(talk, after)
    work(talk)
    memory = Memory.objects.get()
    assert (memory.pk, memory.key, memory.value) == (known.pk, known.key, value)
    assert memory.revisions.get().content == known.content


def test_second_job_stands_beside_the_first(talk: Conversation) -> None:
    exchange(talk, "I work at Siemens.")
    exchange(talk, "I also work at Bosch.")
    work(talk)
    assert list(Memory.objects.order_by("pk").values_list("value", flat=True)) == ["Siemens", ""]


def test_end_of_a_fact_takes_its_place(talk: Conversation) -> None:
    exchange(talk, "I work at Acme.")
    work(talk)
    assert Memory.objects.get().key == "employer"
    exchange(talk, "I no longer work at Acme.")
    work(talk)
    memory = Memory.objects.get()
    assert (memory.content, memory.key) == ("The user no longer works at Acme.", "")
    assert memory.revisions.get().content == "The user works at Acme."


def test_key_has_no_value_that_ends_in_the_same_reading(talk: Conversation) -> None:
    exchange(talk, "I work at Acme.")
    exchange(talk, "I no longer work at Acme.")
    work(talk)
    assert not Memory.objects.exclude(key="").exists()


def test_long_conversation_is_read_in_few_runs(talk: Conversation) -> None:
    for number in range(60):
        exchange(talk, f"My aunt number {number} lives in Bern.")
    assert len(work(talk)) == 1


def test_nothing_reads_when_it_is_off(instance: Instance, talk: Conversation) -> None:
    Instance.objects.update(builtin_reader=False)
    exchange(talk, CELLO)
    (run,) = work(talk)
    assert run.state == Run.State.FAILED


def test_reading_again_adds_and_revives_nothing(talk: Conversation) -> None:
    exchange(talk, CELLO)
    exchange(talk, "My sister Anna lives in Bern with her two children.")
    work(talk)
    instance = talk.instance
    forget(instance, Memory.objects.filter(content=FACT), by=Actor())
    Conversation.objects.update(watermark=0)
    run = queue_by_hand(talk)
    attempt(run)
    (kept,) = Memory.objects.all()
    assert kept.content.startswith("The user's sister Anna")


def test_model_reads_again_what_the_built_in_reader_has_read(
    instance: Instance, talk: Conversation, provider: ScriptedProvider, as_alice: Client
) -> None:
    exchange(talk, CELLO)
    work(talk)
    assert list(read_by_builtin_reader(instance)) == [talk]
    read_with(provider, instance)
    provider.reply_with(keep_everything)
    page = f"{reverse('read_again_with_model')}?instance={instance.slug}"
    assert "1 conversation." in as_alice.get(page).content.decode()
    assert as_alice.post(page).status_code == 302
    (run,) = work(talk)[-1:]
    assert (run.state, run.with_model) == (Run.State.SUCCEEDED, True)
    assert not read_by_builtin_reader(instance).exists()
    assert queue_again_with_model(instance) == 0
    assert Message.objects.count() == 2


def test_words_of_others_are_not_read(talk: Conversation) -> None:
    exchange(talk, "Our chat:\nLukas: I live in Bremen with my wife.\nMe: I moved to Kiel in 2019.")
    work(talk)
    (content,) = Memory.objects.values_list("content", flat=True)
    assert content == "The user moved to Kiel in 2019."
