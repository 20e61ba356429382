"""The floor of relevance: nothing relevant, nothing returned, through every door."""

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance
from instances.tiers import Tier
from memoryapp.context.builder import context_for_message
from memoryapp.models import Memory, Origin
from memoryapp.pipeline import Candidate, Writer, remember
from memoryapp.policy.dedup import Action, Decision
from memoryapp.recall import RecallOptions, RecallResult, recall
from tests.palace_factories import file_turn
from tests.provider_fixtures import embed_with, fill_in
from tests.scripted_provider import ScriptedProvider

Remember = Callable[..., Memory]

FACTS = [
    "The user is allergic to peanuts: never cook with them.",
    "The user's sister Clara is a nurse in Oslo.",
    "The user plays the cello in an orchestra.",
    "The user drives a green van that fails in the cold.",
    "Die Nachbarin der Nutzerin hat einen Dackel namens Bruno.",
    "The user moved from Ghent to Lyon in May 2021.",
    "The user prefers tea to coffee in the morning.",
    "The user is writing a book about bees.",
]
#: Of several kinds and languages.
UNRELATED = [
    "Good morning!",
    "ok thanks, that's all",
    "What is the capital of Mongolia?",
    "Explain how a transistor works",
    "Write a SQL query that counts orders per month",
    "How many litres are in a gallon?",
    "What's 19 * 3?",
    "wibble frotz blarg",
    "Danke, bis morgen!",
    "Was ist die Hauptstadt von Uruguay?",
    "Übersetze 'good luck' ins Deutsche",
    "Grazie mille",
    "Chi ha scritto la Divina Commedia?",
    "¿Cuántos planetas hay en el sistema solar?",
    "Merci, à bientôt !",
    "Explique-moi la photosynthèse",
    "ありがとうございます",
    "中国的首都在哪里？",
    "Спасибо большое!",
]
ANSWERED = [
    ("What should I not cook?", FACTS[0]),
    ("What does Clara do for a living?", FACTS[1]),
    ("cello", FACTS[2]),
    ("Why did the van not start this morning?", FACTS[3]),
    ("Wie heißt der Dackel?", FACTS[4]),
    ("Where did I live before Lyon?", FACTS[5]),
    ("Recommend me a drink for breakfast, tea or coffee", FACTS[6]),
    ("Give me five titles for my book", FACTS[7]),
]


@pytest.fixture
def facts(store_memory: Remember) -> list[Memory]:
    return [store_memory(fact) for fact in FACTS]


def contents(recalled: RecallResult) -> list[str]:
    return [hit.content for hit in recalled.hits]


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("profile", ["default", "rrf"])
def test_unrelated_messages_find_nothing_and_questions_their_answer(
    instance: Instance, profile: str
) -> None:
    options = RecallOptions(profile=profile)
    found = {message: contents(recall(instance, message, options)) for message in UNRELATED}
    assert {message: hits for message, hits in found.items() if hits} == {}
    answers = {question: contents(recall(instance, question, options)) for question, _ in ANSWERED}
    missing = [question for question, fact in ANSWERED if fact not in answers[question]]
    assert missing == []


def test_what_is_not_relevant_does_not_count_as_recalled(
    instance: Instance, facts: list[Memory]
) -> None:
    for message in ("Hello there", "What is the capital of Mongolia?"):
        context = context_for_message(instance, message, end_user="", conversation=None)
        assert (context.text, context.hits, context.problem) == ("", [], "")
    context = context_for_message(instance, "Who is Clara?", end_user="", conversation=None)
    recalled = set(Memory.objects.filter(recall_count=1).values_list("pk", flat=True))
    assert facts[1].pk in recalled
    assert recalled == {entry["memory"] for entry in context.hits} < {fact.pk for fact in facts}


def test_greeting_costs_no_call_of_the_embedding_provider(
    instance: Instance, provider: ScriptedProvider, store_memory: Remember
) -> None:
    embed_with(provider, instance)
    store_memory("The user plays the cello.")
    before = provider.count("embeddings")
    assert recall(instance, "Good morning!").hits == []
    assert provider.count("embeddings") == before
    recall(instance, "Good morning! Do I play the cello?")
    assert provider.count("embeddings") == before + 1


@pytest.mark.usefixtures("facts")
def test_weaker_matches_are_returned_on_request(instance: Instance) -> None:
    question = "What does Clara do for a living?"
    strong = recall(instance, question, RecallOptions(limit=8))
    assert strong.weaker == []
    both = recall(instance, question, RecallOptions(limit=8, max_weaker=8))
    assert contents(both) == contents(strong)
    assert all(hit.is_relevant for hit in both.hits)
    assert not any(hit.is_relevant for hit in both.weaker)
    everything = recall(instance, question, RecallOptions(limit=8, only_relevant=False))
    assert {hit.content for hit in everything.hits} == {
        hit.content for hit in [*both.hits, *both.weaker]
    }


def test_words_decide_while_there_are_no_vectors(
    instance: Instance, provider: ScriptedProvider, facts: list[Memory]
) -> None:
    embed_with(provider, instance)
    provider.fail_next(500, times=99)
    found = recall(instance, "When was the orchestra with the cello founded?")
    assert found.degraded == "embedding_unavailable"
    assert contents(found) == [FACTS[2]]
    assert contents(recall(instance, "Explain how a transistor works")) == []


def test_floor_of_an_unknown_model_is_calibrated_from_its_vectors(
    instance: Instance, provider: ScriptedProvider, facts: list[Memory], store_memory: Remember
) -> None:
    embed_with(provider, instance)
    for thing in "kayak piano beehive orchard telescope loom kiln anvil sundial aquarium".split():
        for place in ("Oslo", "Quito"):
            store_memory(f"The user keeps a {thing} in {place}.")
    fill_in(instance)
    instance.refresh_from_db()
    assert contents(recall(instance, "What is the capital of Mongolia?")) == []
    assert "The user keeps a loom in Quito." in contents(recall(instance, "the loom in Quito"))


# Places


def say_about_a_teacher(conversation: Conversation, *, days: int) -> None:
    said = [NewMessage("user", f"My cello teacher came on day {day}.") for day in range(days)]
    for message in append(conversation, said).added:
        file_turn(message)


def test_half_of_the_places_are_for_memories(
    instance: Instance, conversation: Conversation, store_memory: Remember
) -> None:
    say_about_a_teacher(conversation, days=12)
    for teacher in ("Piet", "Ana", "Noor"):
        store_memory(f"{teacher} was once the user's cello teacher.")
    # These fit less well than any turn: they take the place of none.
    for place in ("Kiel", "Bergen"):
        store_memory(f"The user plays in an orchestra in {place}.")
    fill_in(instance)
    for profile in ("default", "rrf"):
        options = RecallOptions(limit=6, profile=profile)
        hits = recall(instance, "Who was my cello teacher?", options).hits
        assert len(hits) == 6
        memories = [hit.content for hit in hits if hit.memory]
        assert len(memories) == 3
        assert profile == "rrf" or all("cello teacher" in content for content in memories)
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_memories_that_fit_nothing_take_no_places(
    instance: Instance, conversation: Conversation, store_memory: Remember
) -> None:
    say_about_a_teacher(conversation, days=6)
    for place in ("Kiel", "Bergen", "Turku"):
        store_memory(f"The user sings in an orchestra in {place}.")
    fill_in(instance)
    hits = recall(instance, "When did my cello teacher come?", RecallOptions(limit=5)).hits
    assert [hit.memory for hit in hits] == [None] * 5


# Phrases and exclusions


@pytest.mark.parametrize("profile", ["default", "rrf"])
@pytest.mark.parametrize(
    ("question", "found"),
    [
        ('"green tea" in the morning', {"The user drinks green tea."}),
        ("what does the user drink -coffee", {"The user drinks green tea."}),
        ('the user drinks -"green tea"', {"The user drinks coffee at work."}),
        ('"zebra crossing"', set()),
    ],
)
def test_phrases_and_exclusions_hold_for_every_list(
    instance: Instance,
    conversation: Conversation,
    store_memory: Remember,
    profile: str,
    question: str,
    found: set[str],
) -> None:
    facts = {"The user drinks green tea.", "The user drinks coffee at work."}
    for fact in facts:
        store_memory(fact)
    options: dict[str, Any] = {"profile": profile, "only_relevant": False}
    hits = recall(instance, question, RecallOptions(with_messages=False, **options)).hits
    assert {hit.content for hit in hits} == found
    for message in append(conversation, [NewMessage("user", fact) for fact in facts]).added:
        file_turn(message)
    fill_in(instance)
    hits = recall(instance, question, RecallOptions(limit=20, **options)).hits
    assert {hit.content for hit in hits} & facts == found
    assert any(hit.message for hit in hits) == bool(found)
    excluded = question.rpartition("-")[2].strip('"') if "-" in question else ""
    assert not any(excluded and excluded in hit.content for hit in hits)


def test_hundreds_of_rows_of_a_file_keep_nothing_out_that_a_person_said(
    instance: Instance, store_memory: Remember
) -> None:
    rows = [f"Marco must not eat bread with olives in week {week}." for week in range(120)]
    with patch("memoryapp.pipeline.plan.decide", return_value=Decision(Action.STORED)):
        remember(
            instance,
            [Candidate(row, importance=10) for row in rows],
            Writer(Origin.IMPORT, Actor(via="test"), tier=Tier.DOCUMENT),
        )
    (typed,) = remember(
        instance,
        [Candidate("I am allergic to walnuts.")],
        Writer(Origin.MANUAL, Actor(via="test"), tier=Tier.PERSON),
    )
    fill_in(instance)
    options = RecallOptions(limit=5)
    assert recall(instance, "Am I allergic to anything?", options).hits[0].memory == typed.memory
    with CaptureQueriesContext(connection) as few:
        recall(instance, "Am I allergic to anything?", RecallOptions(limit=1))
    with CaptureQueriesContext(connection) as many:
        hits = recall(instance, "What must I not eat?", options).hits
    assert typed.memory in [hit.memory for hit in hits]
    assert len(many) <= len(few) + 1


@pytest.mark.parametrize("marked", ["({})", "**{}**", "- {}", "> {}", "1. {}"])
def test_marks_around_a_question_change_nothing(
    instance: Instance, facts: list[Memory], marked: str
) -> None:
    question = "What should I not cook?"
    plain, set_off = (recall(instance, each) for each in (question, marked.format(question)))
    assert contents(plain) == contents(set_off) != []
