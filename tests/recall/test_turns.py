"""Recall of filed messages by content, author, date and previous message."""

from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from django.core.management import call_command

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import DEMO, Instance
from instances.tiers import Tier
from memoryapp.mining.run import mine_here
from memoryapp.models import Drawer, Memory, Origin
from memoryapp.pipeline import Candidate, Writer, remember
from memoryapp.recall import RecallOptions, recall, retrieval
from memoryapp.recall.retrieval import searchable_in
from memoryapp.recall.scoring import WEIGHTS

UTC = ZoneInfo("UTC")


@pytest.fixture
def talk(instance: Instance) -> Conversation:
    """A filed conversation of two friends on two days."""
    talk = Conversation.objects.create(instance=instance, title="Ines and Pavel")
    days = datetime(2023, 5, 8, 9, tzinfo=UTC), datetime(2023, 7, 3, 9, tzinfo=UTC)
    append(
        talk,
        [
            NewMessage(
                "user",
                "I carved a heron out of lime wood this morning.",
                author="Ines",
                sent_at=days[0],
            ),
            NewMessage("user", "I carved my first spoon, too.", author="Pavel", sent_at=days[0]),
            NewMessage("user", "And who taught you that?", author="Ines", sent_at=days[0]),
            NewMessage(
                "user", "Old Mr Dvořák from next door did.", author="Pavel", sent_at=days[0]
            ),
            NewMessage("user", "I carved an otter for my sister.", author="Ines", sent_at=days[1]),
            NewMessage("user", "Lovely weather again.", author="Pavel", sent_at=days[1]),
        ],
        finished=False,
    )
    mine_here(talk, with_model=False)
    return talk


@pytest.mark.parametrize("profile", ["default", "rrf"])
def test_filed_message_is_one_result_with_its_place(
    instance: Instance, talk: Conversation, profile: str
) -> None:
    hits = recall(instance, "Who carved a heron?", RecallOptions(profile=profile)).hits
    said = talk.messages.get(position=1)
    assert hits[0].message == said
    assert hits[0].drawer == Drawer.objects.get(message=said)
    assert hits[0].similarity is not None
    assert {"drawer_meaning", "drawer_words"} <= set(hits[0].ranks)
    found = [hit.message for hit in hits]
    assert len(found) == len(set(found))


def test_named_person_is_matched_with_the_author(instance: Instance, talk: Conversation) -> None:
    assert set(searchable_in(instance).participants) == {"Ines", "Pavel"}
    for name, expected in (("Ines", "carved"), ("Pavel", "spoon")):
        hit = recall(instance, f"What did {name} carve?").hits[0]
        assert hit.said.author == name
        assert expected in hit.content
        assert hit.parts["speaker"] == WEIGHTS.speaker


def test_named_day_is_matched_with_the_date(instance: Instance, talk: Conversation) -> None:
    for day, expected in (("on 8 May 2023", "heron"), ("in July 2023", "otter")):
        hit = recall(instance, f"What did Ines carve {day}?").hits[0]
        assert expected in hit.content
        assert hit.parts["date"] == WEIGHTS.date


def test_answer_is_found_by_the_words_of_its_question(
    instance: Instance, talk: Conversation
) -> None:
    answer = talk.messages.get(position=4)
    by_words = {hit.message: hit for hit in recall(instance, "Who taught Pavel?").hits}
    assert "drawer_words" in by_words[answer].ranks


def test_dates_filter_messages_and_memories(
    instance: Instance, talk: Conversation, store_memory: Callable[..., Memory]
) -> None:
    store_memory("Ines carved a fox.")
    for profile in ("default", "rrf"):
        until = recall(
            instance,
            "What did Ines carve?",
            RecallOptions(limit=20, until=datetime(2023, 5, 8, tzinfo=UTC).date(), profile=profile),
        )
        assert {hit.said.position for hit in until.hits} <= {1, 2, 3, 4}
        since = recall(
            instance,
            "What did Ines carve?",
            RecallOptions(limit=20, since=datetime(2024, 1, 1, tzinfo=UTC).date(), profile=profile),
        )
        assert [hit.content for hit in since.hits] == ["Ines carved a fox."]


@pytest.mark.parametrize("few", [500, 0])
def test_unfiled_message_is_found_by_its_words(
    instance: Instance, talk: Conversation, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retrieval, "EXACT_SEARCH_MAX_ROWS", few)
    assert searchable_in(instance).unfiled == []
    waiting, tool = append(
        talk,
        [NewMessage("user", "The heron is sold."), NewMessage("tool", "heron: 40 euros")],
        finished=False,
    ).added
    assert len(searchable_in(instance).unfiled) == min(2, few + 1)
    hits = {hit.message: hit for hit in recall(instance, "Is the heron sold?").hits}
    assert set(hits[waiting].ranks) == set(hits[tool].ranks) == {"said"}
    assert hits[waiting].drawer is None
    mine_here(talk, with_model=False)
    hits = {hit.message: hit for hit in recall(instance, "Is the heron sold?").hits}
    assert "said" not in hits[waiting].ranks
    assert set(hits[tool].ranks) == {"said"}


def test_current_conversation_is_excluded_from_the_palace(
    instance: Instance, talk: Conversation
) -> None:
    for profile in ("default", "rrf"):
        found = recall(instance, "heron", RecallOptions(current_conversation=talk, profile=profile))
        assert found.hits == []


def test_messages_are_limited_to_the_end_user(instance: Instance, talk: Conversation) -> None:
    for profile in ("default", "rrf"):
        assert recall(instance, "heron", RecallOptions(end_user="bob", profile=profile)).hits == []
        assert recall(instance, "heron", RecallOptions(end_user="", profile=profile)).hits != []


def test_messages_of_others_are_not_found(private: Instance, talk: Conversation) -> None:
    assert recall(private, "Who carved a heron?").hits == []
    assert searchable_in(private).participants == []


def test_memory_replaces_its_filed_message(instance: Instance, talk: Conversation) -> None:
    said = talk.messages.get(position=1)
    (outcome,) = remember(
        instance,
        [
            Candidate(
                "Ines carved a heron out of lime wood.", conversation_id=talk.pk, message_id=said.pk
            )
        ],
        Writer(Origin.CONVERSATION, Actor(via="test")),
    )
    hits = recall(instance, "What did Ines carve out of lime wood?").hits
    assert hits[0].memory == outcome.memory
    assert {"meaning", "words", "drawer_meaning", "drawer_words"} <= set(hits[0].ranks)
    # The memory belongs to her like the message.
    assert hits[0].parts["speaker"] == WEIGHTS.speaker
    assert said not in [hit.message for hit in hits]
    memories = recall(instance, "lime wood", RecallOptions(with_messages=False)).hits
    assert [hit.memory for hit in memories] == [outcome.memory]


@pytest.mark.django_db
def test_topic_ranks_before_the_person() -> None:
    """Many memories about Mara are in three lists; the one that answers is in one or two."""
    instance = _demo()
    (outcome,) = remember(
        instance,
        [Candidate("Mara paints landscapes on Sundays in winter.")],
        Writer(Origin.MANUAL, Actor(via="test"), tier=Tier.USER),
    )
    for question in ("does Mara paint?", "What does Mara paint?", "Mara painting"):
        for with_messages in (True, False):
            hits = recall(instance, question, RecallOptions(with_messages=with_messages)).hits
            assert outcome.memory in [hit.memory for hit in hits[:2]], question


def _demo() -> Instance:
    call_command("load_demo", verbosity=0)
    instance = Instance.objects.get(slug=DEMO)
    for conversation in instance.conversations.all():
        mine_here(conversation, with_model=False)
    assert Message.objects.filter(instance=instance, drawer=None).count() == 0
    return instance
