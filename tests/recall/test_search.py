"""Recall: results, explanations, and degradation without the provider."""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.models import Instance
from memoryapp.models import Memory, Usage
from memoryapp.recall import RecallOptions, RecallResult, note_recalled, recall
from memoryapp.recall.scoring import SPREAD, WEIGHTS
from tests.provider_fixtures import embed_with
from tests.scripted_provider import HANG_SECONDS, ScriptedProvider

PEANUTS = "The user is allergic to peanuts: never cook with them."
LYON = "Alice moved to Lyon in May 2021."
CELLO = "The user plays the cello in an orchestra."
SISTER = "The user's sister Clara is a nurse in Oslo."
TEA = "The user prefers green tea to coffee."

Remember = Callable[..., Memory]


@pytest.fixture
def facts(store_memory: Remember) -> dict[str, Memory]:
    return {fact: store_memory(fact) for fact in (PEANUTS, LYON, CELLO, SISTER, TEA)}


def contents(recalled: RecallResult) -> list[str]:
    return [hit.content for hit in recalled.hits]


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What should I not cook?", PEANUTS),
        ("When did Alice move?", LYON),
        ("Which instrument does the user play?", CELLO),
        ("What does Clara do for a living?", SISTER),
        ("What should I offer to drink?", TEA),
        ("does anyone in the family work in health care", SISTER),
        ("peanut allergies", PEANUTS),
    ],
)
def test_natural_question_is_answered_without_a_key(
    instance: Instance, question: str, expected: str
) -> None:
    recalled = recall(instance, question)
    assert contents(recalled)[0] == expected
    assert recalled.degraded is None


@pytest.mark.usefixtures("facts", "conversation")
@pytest.mark.parametrize("question", ["", "  \n", "\x00", "xyzzy plugh qwertz"])
def test_irrelevant_question_returns_nothing(instance: Instance, question: str) -> None:
    assert recall(instance, question).hits == []


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("question", ["' OR 1=1 --", "a:*b & !c", '"', "\ud800\x00", "🙂" * 500])
def test_hostile_input_is_answered(instance: Instance, question: str) -> None:
    assert recall(instance, question).degraded is None


@pytest.mark.usefixtures("facts")
def test_very_long_question_is_answered(instance: Instance) -> None:
    assert LYON in contents(recall(instance, "Lyon " + "and so on " * 100_000))


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize(
    ("question", "without"),
    [('"green tea" cello', {CELLO}), ("cello tea -coffee", {TEA}), ("the who", set())],
)
def test_search_operators_apply_to_words(
    instance: Instance, question: str, without: set[str]
) -> None:
    by_words = {hit.content for hit in recall(instance, question).hits if "words" in hit.ranks}
    assert not by_words & without
    assert bool(by_words) == bool(without)


def test_hit_has_an_explanation(instance: Instance, facts: dict[str, Memory]) -> None:
    hit = recall(instance, "Does the user play the cello?").hits[0]
    assert hit.memory == facts[CELLO]
    assert hit.message is None
    assert hit.ranks == {"meaning": 1, "words": 1}
    assert hit.similarity is not None
    assert 0.5 < hit.similarity <= 1
    assert set(hit.parts) == {"meaning", "words", "kept"}
    assert hit.parts["meaning"] == pytest.approx(WEIGHTS.meaning * hit.similarity / SPREAD)
    assert 0 < hit.parts["words"] <= WEIGHTS.words
    assert hit.score == pytest.approx(sum(hit.parts.values()))


def test_plain_profile_uses_only_ranks(instance: Instance, facts: dict[str, Memory]) -> None:
    instance.recall_profile = "rrf"
    Memory.objects.update(stale_since=timezone.now(), importance=10)
    hit = recall(instance, "Does the user play the cello?").hits[0]
    assert hit.memory == facts[CELLO]
    assert hit.parts == {"meaning": pytest.approx(1 / 61), "words": pytest.approx(1 / 61)}
    assert hit.score == pytest.approx(2 / 61)
    measured = recall(
        instance, "Does the user play the cello?", RecallOptions(profile="default")
    ).hits[0]
    assert measured.memory == facts[CELLO]
    assert {"importance", "stale"} < set(measured.parts)


def test_hits_are_sorted_and_limited(instance: Instance, store_memory: Remember) -> None:
    for animal in "bees cats dogs fish goats hens horses mice pigs rabbits sheep snails".split():
        store_memory(f"Keeps {animal} in the garden.")
    for limit in (1, 5, 12):
        scores = [
            hit.score for hit in recall(instance, "the garden", RecallOptions(limit=limit)).hits
        ]
        assert len(scores) == limit
        assert scores == sorted(scores, reverse=True)


# Messages


def test_unread_message_is_a_hit(instance: Instance, conversation: Conversation) -> None:
    hit = recall(instance, "Which food would put Alice in hospital?").hits[0]
    assert hit.message == conversation.messages.get(position=1)
    assert (hit.memory, hit.ranks, hit.similarity) == (None, {"said": 1}, None)


def test_memory_and_its_source_message_are_one_hit(
    instance: Instance, conversation: Conversation, store_memory: Remember
) -> None:
    message = conversation.messages.get(position=1)
    learned = store_memory(
        "Peanuts would put Alice in hospital.",
        conversation_id=conversation.pk,
        message_id=message.pk,
    )
    for profile in ("default", "rrf"):
        hits = recall(
            instance, "What would put Alice in hospital?", RecallOptions(profile=profile)
        ).hits
        assert hits[0].memory == learned
        assert hits[0].ranks == {"meaning": 1, "words": 1, "said": 1}
        assert message not in [hit.message for hit in hits]


def test_message_with_more_information_is_a_separate_hit(
    instance: Instance, conversation: Conversation, store_memory: Remember
) -> None:
    said = append(
        conversation, [NewMessage("user", "My cello teacher Piet lives in Ghent. It rains here.")]
    ).added[0]
    rain = store_memory(
        "It often rains where the user lives.", conversation_id=conversation.pk, message_id=said.pk
    )
    hits = recall(instance, "Who is my cello teacher in Ghent?").hits
    assert hits[0].message == said
    assert rain not in [hit.memory for hit in hits[:1]]


def test_message_without_its_memory_is_a_separate_hit(
    instance: Instance, conversation: Conversation, store_memory: Remember
) -> None:
    message = conversation.messages.get(position=1)
    store_memory("Xyzzy.", conversation_id=conversation.pk, message_id=message.pk)
    hits = recall(instance, "satay hospital").hits
    assert [hit.message for hit in hits] == [message]


def test_messages_lead_to_their_memories_if_only_memories_are_wanted(
    instance: Instance, conversation: Conversation, store_memory: Remember
) -> None:
    message = conversation.messages.get(position=1)
    learned = store_memory("Xyzzy.", conversation_id=conversation.pk, message_id=message.pk)
    (hit,) = recall(instance, "satay hospital", RecallOptions(with_messages=False)).hits
    assert (hit.memory, hit.ranks) == (learned, {"said": 1})


def test_current_conversation_is_excluded(instance: Instance, conversation: Conversation) -> None:
    other = Conversation.objects.create(instance=instance)
    (elsewhere,) = append(other, [NewMessage("user", "The hospital was fine.")]).added
    found = recall(instance, "hospital", RecallOptions(current_conversation=conversation)).hits
    assert [hit.message for hit in found] == [elsewhere]
    assert len(recall(instance, "hospital").hits) == 2


@pytest.mark.parametrize("profile", ["default", "rrf"])
def test_concurrently_deleted_results_are_omitted(
    instance: Instance, facts: dict[str, Memory], conversation: Conversation, profile: str
) -> None:
    def at_the_same_time(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        """Delete after the lists are read and before they are scored."""
        if "memoryapp_memorysource" in sql and not deleted:
            deleted.append(True)
            facts[PEANUTS].delete()
            conversation.delete()
        return execute(sql, params, many, context)

    question = "What is Alice allergic to, and when did she move?"
    options = RecallOptions(profile=profile, weaker_too=True)
    before = recall(instance, question, options).hits
    assert {PEANUTS, LYON} < {hit.content for hit in before}
    assert any(hit.message for hit in before)
    deleted: list[bool] = []
    with connection.execute_wrapper(at_the_same_time):
        hits = recall(instance, question, options).hits
    assert deleted
    assert hits[0].memory == facts[LYON]
    assert PEANUTS not in contents(RecallResult(hits))
    assert not any(hit.message for hit in hits)


# Filters


def test_end_user_filters_memories_and_messages(instance: Instance, store_memory: Remember) -> None:
    for person in ("alice", "bob", ""):
        store_memory("The user plays the cello.", end_user=person)
        theirs = Conversation.objects.create(instance=instance, end_user=person)
        append(theirs, [NewMessage("user", "I practise the cello every day.")])
    for person in ("alice", "bob", ""):
        hits = recall(instance, "cello", RecallOptions(end_user=person)).hits
        assert {hit.memory.end_user for hit in hits if hit.memory} == {person}
        assert {hit.message.conversation.end_user for hit in hits if hit.message} == {person}
        assert len(hits) == 2
    assert len(recall(instance, "cello", RecallOptions(limit=10)).hits) == 6
    assert recall(instance, "cello", RecallOptions(end_user="nobody")).hits == []


def test_filter_applies_to_every_list(
    instance: Instance, conversation: Conversation, store_memory: Remember
) -> None:
    message = conversation.messages.get(position=1)
    source = {"conversation_id": conversation.pk, "message_id": message.pk}
    store_memory("Peanuts would put Alice in hospital.", category="fact", **source)
    wanted = store_memory("Alice wants no satay.", category="preference", **source)
    preferences = Memory.objects.filter(category="preference")
    hits = recall(
        instance, "satay peanuts hospital", RecallOptions(memories=preferences, with_messages=False)
    ).hits
    assert [hit.memory for hit in hits] == [wanted]
    assert set(hits[0].ranks) == {"meaning", "words", "said"}


def test_recall_count_is_incremented(instance: Instance, facts: dict[str, Memory]) -> None:
    hits = recall(instance, "Does the user play the cello?", RecallOptions(limit=1)).hits
    note_recalled(instance, hits)
    note_recalled(instance, hits)
    shown = Memory.objects.get(pk=facts[CELLO].pk)
    assert shown.recall_count == 2
    assert shown.last_recalled_at is not None
    assert Memory.objects.exclude(pk=shown.pk).filter(recall_count__gt=0).count() == 0


# Degradation


@pytest.fixture
def embedded(instance: Instance, provider: ScriptedProvider, store_memory: Remember) -> Instance:
    """An instance with a few facts, embedded by the provider."""
    embed_with(provider, instance)
    for fact in (PEANUTS, LYON, CELLO):
        store_memory(fact)
    provider.reset()
    return instance


@pytest.mark.parametrize(
    "fault", ["429", "500", "401", "drop", "html", "empty", "truncated_json", "nan", "zero"]
)
def test_rejecting_provider_degrades_to_words(
    embedded: Instance, provider: ScriptedProvider, fault: str
) -> None:
    provider.fail_next(fault, None, "embeddings")
    recalled = recall(embedded, "When did Alice move?")
    assert contents(recalled) == [LYON]
    assert recalled.degraded == "embedding_unavailable"
    assert recalled.problem
    assert set(recalled.hits[0].ranks) == {"words"}


def test_unreachable_provider_degrades_to_words(
    embedded: Instance, provider: ScriptedProvider
) -> None:
    provider.close()
    recalled = recall(embedded, "When did Alice move?")
    assert contents(recalled) == [LYON]
    assert "connection refused" in recalled.problem


def test_hanging_provider_delays_only_one_search(
    embedded: Instance, provider: ScriptedProvider
) -> None:
    provider.fail_next("hang", None, "embeddings")
    started = time.monotonic()
    assert contents(recall(embedded, "When did Alice move?")) == [LYON]
    assert time.monotonic() - started < HANG_SECONDS / 2

    again = recall(embedded, "When did Alice move?")
    assert (contents(again), again.degraded) == ([LYON], "embedding_unavailable")
    assert provider.count("embeddings") == 1


def test_provider_is_called_again_after_its_pause(
    embedded: Instance, provider: ScriptedProvider
) -> None:
    provider.fail_next("500", 1, "embeddings")
    assert recall(embedded, "When did Alice move?").degraded
    assert recall(embedded, "When did Alice move?").degraded
    Usage.objects.exclude(error="").update(at=Usage.objects.all()[0].at - timedelta(seconds=16))
    recalled = recall(embedded, "When did Alice move?")
    assert recalled.degraded is None
    assert recalled.hits[0].ranks["meaning"] == 1
    assert provider.count("embeddings") == 2


def test_missing_key_degrades_to_words_without_a_call(
    instance: Instance, facts: dict[str, Memory]
) -> None:
    instance.embedding_provider = "openai"
    instance.save()
    recalled = recall(instance, "When did Alice move?")
    assert contents(recalled) == [LYON]
    problem = "The embedding model text-embedding-3-small (OpenAI) needs an API key."
    assert recalled.problem == problem
    assert not Usage.objects.exists()


def test_vectors_of_a_previous_model_are_never_compared(
    embedded: Instance, provider: ScriptedProvider
) -> None:
    embed_with(provider, embedded, "other-words")
    recalled = recall(embedded, "When did Alice move?")
    assert set(recalled.hits[0].ranks) == {"words"}
    assert recall(embedded, "a musical instrument").hits == []


@pytest.mark.parametrize(
    "fact", ["The user is allergic to peanuts.", "The user has a severe peanut allergy."]
)
def test_fact_in_other_words_is_found(
    fact: str, instance: Instance, store_memory: Callable[..., Memory]
) -> None:
    memory = store_memory(fact)
    assert memory in [hit.memory for hit in recall(instance, "what should I not cook?").hits]
