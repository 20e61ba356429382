"""Questions that were asked again and again, which take no place from what answers them."""

import pytest

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from instances.models import Instance
from memoryapp.embeddings.drawer_vectors import embed_drawers
from memoryapp.models import Memory, MemorySource
from memoryapp.recall import RecallOptions, recall
from tests.palace_factories import file_turn

pytestmark = pytest.mark.django_db

#: More than any list is deep.
TIMES = 120
QUESTION, ANSWER = "Where do I live?", "I live in Leeds, near the station."


@pytest.fixture(params=["filed", "unfiled"])
def talk(request: pytest.FixtureRequest, instance: Instance) -> list[Message]:
    """A conversation with one answer among many questions."""
    talk = Conversation.objects.create(instance=instance)
    texts = [QUESTION] * TIMES
    texts.insert(TIMES // 2, ANSWER)
    said = append(talk, [NewMessage("user", text) for text in texts], finished=False).added
    if request.param == "filed":
        embed_drawers(instance, [file_turn(each, "Home", "Places").pk for each in said])
    return said


def found(instance: Instance, question: str, profile: str) -> list[str]:
    options = RecallOptions(limit=5, only_relevant=False, profile=profile)
    return [hit.content for hit in recall(instance, question, options).hits]


@pytest.mark.usefixtures("talk")
@pytest.mark.parametrize("profile", ["default", "rrf"])
def test_answer_is_found_among_many_questions(instance: Instance, profile: str) -> None:
    assert found(instance, QUESTION, profile) == [ANSWER]


@pytest.mark.usefixtures("talk")
@pytest.mark.parametrize("profile", ["default", "rrf"])
def test_exact_words_find_questions(instance: Instance, profile: str) -> None:
    assert found(instance, '"where do I live"', profile)[0] == QUESTION


@pytest.mark.parametrize("profile", ["default", "rrf"])
def test_memory_is_found_by_the_question_that_it_was_learned_from(
    instance: Instance, talk: list[Message], profile: str
) -> None:
    memory = Memory.objects.create(instance=instance, content="The user's home is a houseboat.")
    MemorySource.objects.create(
        instance=instance, memory=memory, message=talk[-1], action=MemorySource.Action.STORED
    )
    options = RecallOptions(limit=5, only_relevant=False, profile=profile, with_messages=False)
    hits = recall(instance, "Where do I live?", options).hits
    assert [hit.memory for hit in hits] == [memory]
