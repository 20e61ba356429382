"""A message of a chat is no search box: what stands in it commands no search."""

from collections.abc import Callable

import pytest

from instances.models import Instance
from memoryapp.context.builder import context_for_message
from memoryapp.models import Memory
from memoryapp.recall import RecallOptions, recall

CAT = "The user's cat is called Biscotto."
MARKS = ['"{}"', "“{}”", "„{}“", "„{}”", "«{}»", "«\u202f{}\u202f»", "'{}'", "‘{}’", "「{}」"]

Remember = Callable[..., Memory]


@pytest.fixture
def cat(store_memory: Remember) -> Memory:
    return store_memory(CAT)


def told(instance: Instance, message: str) -> str:
    return context_for_message(instance, message, end_user="", conversation=None).text


@pytest.mark.usefixtures("cat")
@pytest.mark.parametrize("marks", MARKS)
def test_marks_around_a_message_are_no_phrase(marks: str, instance: Instance) -> None:
    assert CAT in told(instance, marks.format("What is my cat called?"))
    assert CAT in told(instance, marks.format("Tell me about my cat"))


@pytest.mark.usefixtures("cat")
@pytest.mark.parametrize(
    "message",
    [
        'My vet asked for "the name of the pet": what is my cat called again',
        "What is my cat called -quickly",
        '"What is" my "cat called"',
    ],
)
def test_nothing_in_a_message_is_a_hard_filter(message: str, instance: Instance) -> None:
    assert CAT in told(instance, message)


@pytest.mark.usefixtures("cat")
@pytest.mark.parametrize("question", ['"my cat called"', "cat -Biscotto"])
def test_in_a_search_box_they_still_hold(question: str, instance: Instance) -> None:
    assert not recall(instance, question).hits
    assert recall(instance, question, RecallOptions(is_message=True)).hits
