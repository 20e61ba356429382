"""What is current stands before what it takes the place of."""

from datetime import UTC, date, datetime, timedelta

import pytest

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from instances.models import Instance
from memoryapp.context.builder import build_context
from memoryapp.mining.run import mine_here
from memoryapp.recall import RecallOptions, recall
from memoryapp.recall.currency import DEPTH, LEADS, NEWER, current_first
from memoryapp.recall.results import Hit, HitRef
from memoryapp.recall.scoring import NOT_THEIR_OWN, Traits

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
