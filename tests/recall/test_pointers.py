"""Pointers in a question find what is filed there, through every door of a search."""

import pytest

from instances.models import Instance
from memoryapp.context.builder import context_for_message
from memoryapp.models import Drawer, Memory
from memoryapp.recall import RecallOptions, recall
from tests.palace_factories import file_note

SENTENCES = [
    "What was said in {}?",
    "Was wurde in {} gesagt?",
    "Che cosa è stato detto in {}?",
    "({})",
    "{}",
]


@pytest.fixture
def mast(instance: Instance) -> Drawer:
    return file_note(instance, "The mast was varnished in spring.")


@pytest.fixture
def keel(instance: Instance, mast: Drawer) -> Drawer:
    return file_note(instance, "The keel is made of lead.")


def found(instance: Instance, question: str, **options: object) -> list[Drawer | None]:
    return [hit.drawer for hit in recall(instance, question, RecallOptions(**options)).hits]  # type: ignore[arg-type]


@pytest.mark.parametrize("sentence", SENTENCES)
@pytest.mark.parametrize("sign", ["§ ", "§", ""])
def test_pointer_in_a_sentence_finds_what_is_filed_there(
    instance: Instance, mast: Drawer, keel: Drawer, sentence: str, sign: str
) -> None:
    for drawer in (mast, keel):
        written = sign + str(drawer).removeprefix("§ ")
        assert found(instance, sentence.format(written)) == [drawer]


def test_several_pointers_find_all_in_their_order(
    instance: Instance, mast: Drawer, keel: Drawer
) -> None:
    assert found(instance, f"Compare {keel} with {mast} and {keel}.") == [keel, mast]
    assert found(instance, f"{keel}, {mast}") == [keel, mast]
    assert found(instance, f"{keel}, {mast}", limit=1) == [keel]


def test_pointed_comes_before_what_the_rest_of_the_question_finds(
    instance: Instance, mast: Drawer, keel: Drawer
) -> None:
    question = f"Is it as {mast} says, and what is the keel made of?"
    assert found(instance, question) == [mast, keel]
    assert found(instance, f"When was the mast varnished, see {mast}?").count(mast) == 1


def test_pointer_of_somebody_else_finds_nothing(instance: Instance, private: Instance) -> None:
    hidden = file_note(private, "Nobody knows.")
    anas = file_note(instance, "Ana sails.")
    Drawer.objects.filter(pk=anas.pk).update(end_user="ana")
    assert found(instance, f"What was said in {hidden}?", end_user="") == []
    assert found(instance, f"What was said in {anas}?", end_user="ben") == []
    assert found(instance, f"What was said in {anas}?", end_user="ana") == [anas]


def test_pointer_respects_the_filters_of_a_search(instance: Instance, mast: Drawer) -> None:
    question = f"What was said in {mast}?"
    assert found(instance, question, with_messages=False) == []
    assert found(instance, question, drawers=Drawer.objects.none()) == []
    assert Memory.objects.count() == 0


def test_model_is_shown_what_a_message_points_to(instance: Instance, mast: Drawer) -> None:
    context = context_for_message(
        instance, f"What was said in {mast}?", end_user="", conversation=None
    )
    assert "The mast was varnished in spring." in context.text
    assert context.hits[0]["ref"] == str(mast)
