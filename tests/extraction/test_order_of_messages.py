"""Messages have an order, however they are cut into readings: what was said later counts."""

from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.models import Instance
from memoryapp.models import Memory, MemoryRevision
from tests.extraction.runs import work

SAID = [
    "I live in Hamburg.",
    "I live in Genoa.",
    "I moved to Lille.",
    "I work at Nordwind.",
    "I no longer work at Nordwind.",
    "I work at Kestrel.",
    "I like liquorice.",
    "I don't like liquorice.",
    "Remember that I have three goats.",
    "Remember that I have four goats.",
    "I am allergic to celery.",
    "I am not allergic to celery.",
    "My sister lives in Genoa.",
]
_people = count()


@pytest.fixture(autouse=True)
def built_in(instance: Instance) -> Instance:
    instance.memory_enabled = instance.builtin_reader = True
    instance.save()
    return instance


def known_after(instance: Instance, readings: list[list[str]]) -> list[tuple[str, str, str]]:
    """What is known of a new person who says what each of *readings* holds."""
    person = f"person-{next(_people)}"
    talk = Conversation.objects.create(instance=instance, end_user=person)
    for said in readings:
        append(
            talk,
            [
                message
                for text in said
                for message in (NewMessage("user", text), NewMessage("assistant", "I see."))
            ],
        )
        work(talk)
    rows = Memory.objects.filter(end_user=person)
    return sorted(rows.values_list("content", "key", "value"))


@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(said=st.lists(st.sampled_from(SAID), min_size=2, max_size=6), data=st.data())
def test_readings_may_be_cut_anywhere(
    instance: Instance, said: list[str], data: st.DataObject
) -> None:
    cut = data.draw(st.integers(1, len(said) - 1))
    together = known_after(instance, [said])
    assert together == known_after(instance, [said[:cut], said[cut:]])
    assert together == known_after(instance, [[text] for text in said])


@pytest.mark.parametrize(
    ("said", "current"),
    [
        (SAID[:2], "The user lives in Genoa."),
        (SAID[3:5], "The user no longer works at Nordwind."),
        (SAID[8:10], "The user has four goats."),
        (["Ich wohne in Hamburg.", "Ich wohne in Kiel."], "Der Nutzer wohnt in Kiel."),
    ],
)
def test_later_message_counts(said: list[str], current: str, instance: Instance) -> None:
    assert [row[0] for row in known_after(instance, [said])] == [current]
    assert MemoryRevision.objects.versions().count() == 1


def test_one_message_is_a_list(instance: Instance) -> None:
    known = known_after(instance, [[f"{SAID[8]} {SAID[9]}"]])
    assert len(known) == 2
