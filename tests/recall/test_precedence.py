"""Results that stand before others, although their scores are lower."""

from datetime import UTC, date, datetime, timedelta

import pytest

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import Instance
from instances.tiers import Tier
from memoryapp.context.builder import build_context
from memoryapp.mining.run import mine_here
from memoryapp.models import Memory, Origin
from memoryapp.pipeline import Candidate, Writer, remember
from memoryapp.recall import RecallOptions, recall
from memoryapp.recall.precedence import (
    DEPTH,
    LEADS,
    NEWER,
    REPLY,
    current_first,
    memories_first,
    replies_first,
)
from memoryapp.recall.results import Hit, HitRef
from memoryapp.recall.scoring import NOT_THEIR_OWN, Scale, Traits

DAY = date(2026, 3, 1)
MONDAYS = "Piano lessons are on Mondays."
MOVED = "Piano moved to Thursday."
ALIKE = "We hold piano lessons at Kim's."
OTHER = "Kim is vegan."


def order(*said: tuple[str, int, float], source: float = 0.0, language: str = "english") -> str:
    """The numbers of what was *said*, each a text with its day and its score, as they stand when
    they come in the order of their scores; what was said last comes from this *source*.
    """
    traits, hits = {}, []
    for pk, (text, day, score) in enumerate(said):
        message = Message(pk=pk, content=text, role="user")
        hits.append(Hit(None, message, score, {}, {"meaning": score}))
        traits[HitRef("message", pk)] = Traits(
            day=DAY + timedelta(days=day), source=source if pk == len(said) - 1 else 0.0
        )
    hits.sort(key=lambda hit: -hit.score)
    found = current_first(hits, traits, language)
    assert all(sum(hit.parts.values()) == pytest.approx(hit.score) for hit in found)
    return "".join(str(hit.said.pk) for hit in found)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ([(MONDAYS, 0, 5.0), (MOVED, 9, 4.5)], "10"),
        # The other way round, nothing has to change.
        ([(MONDAYS, 0, 4.5), (MOVED, 9, 5.0)], "10"),
        # An earlier statement, and one of the same day, take the place of nothing.
        ([(MONDAYS, 9, 5.0), (MOVED, 0, 4.5)], "01"),
        ([(MONDAYS, 0, 5.0), (MOVED, 0, 4.5)], "01"),
        # What is much nearer to the question stays first.
        ([(MONDAYS, 0, 7.0), (MOVED, 9, 4.5)], "01"),
        # Without a word of a change, only what is about as likely passes.
        ([(MONDAYS, 0, 5.0), (ALIKE, 9, 4.7)], "10"),
        ([(MONDAYS, 0, 5.0), (ALIKE, 9, 4.3)], "01"),
        ([(MONDAYS, 0, 5.0), (OTHER, 9, 4.9)], "01"),
        # It passes nothing else that stood before the earlier one.
        ([(MONDAYS, 0, 5.0), (MOVED, 9, 4.5), (OTHER, 1, 6.0)], "210"),
        # Of three values, the last one stands first.
        ([(MONDAYS, 0, 5.0), (MOVED, 5, 4.5), ("Piano is cancelled.", 9, 4.2)], "210"),
    ],
)
def test_order(said: list[tuple[str, int, float]], expected: str) -> None:
    assert order(*said) == expected


def test_assistant_and_files_replace_nothing() -> None:
    said = (MONDAYS, 0, 5.0), (MOVED, 9, 4.5)
    assert order(*said, source=NOT_THEIR_OWN) == "01"


def test_only_the_first_results_are_compared() -> None:
    between = [(f"Number {n}.", 0, 5.0 - n / 100) for n in range(1, DEPTH)]
    lead = max(LEADS.values())
    moved = (MOVED, 9, 5.0 - lead + 0.01)
    assert order((MONDAYS, 0, 5.0), *between, moved).startswith("01")
    assert order((MONDAYS, 0, 5.0), *between[1:], moved).startswith(str(DEPTH - 1))


QUESTIONS = {
    "english": "Which street do we live on? I always forget.",
    "german": "In welcher Straße wohnen wir? Ich vergesse es immer.",
    "italian": "In che via abitiamo? Non me lo ricordo mai.",
    "spanish": "¿En qué calle vivimos? Siempre se me olvida.",
    "french": "Dans quelle rue habitons-nous ? Je l'oublie toujours.",
}


def exchange(*, question: str, position: int = 2, role: str = "assistant") -> list[Hit]:
    """The hits of a *question* and of what somebody in this *role* said at this *position*."""
    said = [
        Message(pk=1, conversation_id=1, position=1, role="user", content=question),
        Message(pk=2, conversation_id=1, position=position, role=role, content="Mill Lane."),
    ]
    return [Hit(None, each, 5.0 - each.pk, {}, {"meaning": 5.0 - each.pk}) for each in said]


@pytest.mark.parametrize("language", QUESTIONS)
def test_reply_stands_before_its_question(language: str) -> None:
    question, reply = exchange(question=QUESTIONS[language])
    found = replies_first([question, reply], language)
    assert [hit.row for hit in found] == [reply.row, question.row]
    assert found[0].parts[REPLY] == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize(
    "hits",
    [
        exchange(question="We live on the hill."),
        exchange(question=QUESTIONS["english"], position=3),
        exchange(question=QUESTIONS["english"], role="user"),
    ],
    ids=["nothing was asked", "not the next message", "of the user"],
)
def test_other_messages_stay_where_they_are(hits: list[Hit]) -> None:
    assert replies_first(hits, "english") == hits


@pytest.mark.parametrize(
    ("turn", "memories", "expected"),
    [
        # A memory with half of what speaks for its turn stands before it.
        ((5.0, 0.4), [(4.0, 0.2)], "m0 turn other"),
        # One that hardly bears on the question stays behind.
        ((5.0, 0.4), [(4.0, 0.1)], "turn m0 other"),
        # The best of several; the others stay where they are.
        ((5.0, 0.4), [(3.0, 0.2), (4.0, 0.3)], "m1 turn m0 other"),
        # One that stands before it is enough.
        ((5.0, 0.4), [(6.0, 0.3), (4.0, 0.3)], "m0 turn m1 other"),
    ],
)
def test_memory_stands_before_its_turn(
    turn: tuple[float, float], memories: list[tuple[float, float]], expected: str
) -> None:
    score, cosine = turn
    hits = [
        Hit(None, Message(pk=1, content="turn"), score, {}, {"meaning": score}),
        Hit(Memory(pk=9, content="other"), None, 2.0, {}, {"meaning": 2.0}),
    ]
    traits = {HitRef("message", 1): Traits(cosine=cosine), HitRef("memory", 9): Traits(cosine=0.5)}
    for pk, (score, cosine) in enumerate(memories):
        memory = Memory(pk=pk, content=f"m{pk}")
        hits.append(Hit(memory, None, score, {}, {"meaning": score - 0.5, "said": 0.5}))
        traits[HitRef("memory", pk)] = Traits(cosine=cosine)
    hits.sort(key=lambda hit: -hit.score)
    found = memories_first(hits, {1: [*range(len(memories))]}, traits, Scale())
    assert " ".join(hit.content for hit in found) == expected
    assert all(sum(hit.parts.values()) == pytest.approx(hit.score) for hit in found)


def test_what_is_current_passes_the_memory_of_what_it_replaces() -> None:
    hits = [
        Hit(None, Message(pk=1, content=MONDAYS), 5.0, {}, {}),
        Hit(None, Message(pk=2, content=MOVED), 4.7, {}, {}),
        Hit(Memory(pk=1, content="The user has piano on Mondays."), None, 3.7, {}, {}),
    ]
    traits = {hit.row: Traits(day=DAY, cosine=0.4) for hit in hits}
    traits[hits[1].row].day = DAY + timedelta(days=9)
    found = current_first(hits, traits, "english")
    found = memories_first(found, {1: [1]}, traits, Scale())
    assert [hit.row for hit in found] == [hits[1].row, hits[2].row, hits[0].row]


def test_memory_of_another_turn_stays_where_it_is() -> None:
    hits = [
        Hit(None, Message(pk=1, content="turn"), 5.0, {}, {}),
        Hit(Memory(pk=1, content="other"), None, 4.9, {}, {}),
    ]
    traits = {hit.row: Traits(cosine=0.4) for hit in hits}
    assert memories_first(hits, {2: [1]}, traits, Scale()) == hits


#: The question, what was said first, and what later.
LANGUAGES = {
    "english": (
        "Which day is my piano lesson?",
        "My piano lesson is on Monday.",
        "My piano lesson has been moved, it is on Thursday.",
    ),
    "german": (
        "Wann habe ich Klavierstunde?",
        "Ich habe montags Klavierstunde.",
        "Ich habe jetzt donnerstags Klavierstunde.",
    ),
    "italian": (
        "Quando ho la lezione di piano?",
        "Ho lezione di piano il lunedì.",
        "Adesso ho lezione di piano il giovedì.",
    ),
    "spanish": (
        "¿Cuándo tengo clase de piano?",
        "Tengo clase de piano los lunes.",
        "Ahora tengo clase de piano los jueves.",
    ),
    "french": (
        "Quand ai-je ma leçon de piano ?",
        "J'ai ma leçon de piano le lundi.",
        "J'ai maintenant ma leçon de piano le jeudi.",
    ),
}


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_recall_puts_what_is_current_first(instance: Instance, language: str) -> None:
    instance.language = language
    instance.save()
    question, *said = LANGUAGES[language]
    for day, text in enumerate(said, start=1):
        talk = Conversation.objects.create(instance=instance)
        at = datetime(2026, 3, day, 9, tzinfo=UTC)
        append(talk, [NewMessage("user", text, sent_at=at)], finished=False)
        mine_here(talk, with_model=False)
    hits = recall(instance, question, RecallOptions(is_message=True)).hits
    assert [hit.content for hit in hits] == said[::-1]
    # What was said on a day is not what is current.
    if language == "english":
        asked = "What did I say about my piano lesson on 1 March 2026?"
        hits = recall(instance, asked, RecallOptions(is_message=True)).hits
        assert hits[0].content == said[0]
        assert not any(NEWER in hit.parts for hit in hits)
    shown = build_context(instance, question, end_user="").text
    assert shown.index(said[1]) < shown.index(said[0])


@pytest.mark.django_db
def test_recall_puts_the_memory_before_its_turn(instance: Instance) -> None:
    talk = Conversation.objects.create(instance=instance)
    text = (
        "Long day at the workshop, the delivery of oak came late and the saw broke. Anyway, "
        "my sister Ida plays the cello in Graz, and the oak is for her music stand."
    )
    (said,) = append(talk, [NewMessage("user", text)], finished=False).added
    mine_here(talk, with_model=False)
    remember(
        instance,
        [
            Candidate(
                "The user's sister Ida plays music.", conversation_id=talk.pk, message_id=said.pk
            )
        ],
        Writer(Origin.CONVERSATION, Actor(via="test"), tier=Tier.USER),
    )
    hits = recall(instance, "What is the oak for my sister?", RecallOptions(is_message=True)).hits
    # The turn says more, and stays.
    assert [hit.memory is not None for hit in hits] == [True, False]
    assert hits[1].message == said


@pytest.mark.django_db
def test_recall_puts_the_reply_before_the_question(instance: Instance) -> None:
    talk = Conversation.objects.create(instance=instance)
    question, reply = (
        "Which street do we live on? I have typed the old one twice.",
        "You live on Mill Lane, the street by the river.",
    )
    said = [NewMessage("user", question), NewMessage("assistant", reply)]
    append(talk, said, finished=False)
    mine_here(talk, with_model=False)

    def found(asked: str) -> list[str]:
        return [hit.content for hit in recall(instance, asked, RecallOptions(is_message=True)).hits]

    assert found("On which street do we live?") == [reply, question]
    # Whoever asks what they asked wants the question.
    assert found("What did I ask you about the street on which we live?")[0] == question
