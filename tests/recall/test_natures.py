"""What only asks or acknowledges is no answer, unless the question is about what was asked."""

import pytest

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.models import Instance
from memoryapp.embeddings.drawer_vectors import embed_drawers
from memoryapp.models import MutedMessage
from memoryapp.recall import RecallOptions, recall
from tests.palace_factories import file_turn

pytestmark = pytest.mark.django_db

TALK = (
    ("user", "Good morning!"),
    ("assistant", "Good morning to you."),
    ("user", "Where do I live?"),
    ("assistant", "I don't know that yet."),
    ("user", "I live in Leeds, near the station."),
    ("assistant", "Noted."),
    ("user", "Write a poem about where I live"),
    ("user", "I'm off for a run later."),
)


@pytest.fixture
def talk(instance: Instance) -> Conversation:
    """A conversation, of which half is filed."""
    talk = Conversation.objects.create(instance=instance)
    said = append(talk, [NewMessage(role, text) for role, text in TALK], finished=False).added
    drawers = [file_turn(message, "Home", "Places").pk for message in said if message.position % 2]
    embed_drawers(instance, drawers)
    return talk


def found(instance: Instance, question: str, profile: str) -> list[str]:
    options = RecallOptions(limit=8, only_relevant=False, profile=profile)
    return [hit.content for hit in recall(instance, question, options).hits]


@pytest.mark.usefixtures("talk")
@pytest.mark.parametrize("profile", ["default", "rrf"])
@pytest.mark.parametrize("question", ["Where do I live now?", "Where do I live tonight?"])
def test_answer_comes_and_not_the_question(instance: Instance, question: str, profile: str) -> None:
    results = found(instance, question, profile)
    assert results[0] == TALK[4][1]
    assert not {text for _, text in (*TALK[:4], *TALK[5:7])}.intersection(results)


@pytest.mark.usefixtures("talk")
@pytest.mark.parametrize("profile", ["default", "rrf"])
def test_questions_are_found_where_one_asks_for_them(instance: Instance, profile: str) -> None:
    assert TALK[2][1] in found(instance, "Did I ask where I live?", profile)


def test_answer_follows_a_question_across_a_tool(instance: Instance) -> None:
    """A tool neither asks nor answers."""
    talk = Conversation.objects.create(instance=instance)
    asked = NewMessage("assistant", "When is the exam? I can note it.", caption="A calendar")
    append(talk, [asked, NewMessage("tool", "ok")])
    append(talk, [NewMessage("tool", "ok"), NewMessage("user", "Tomorrow, good")])
    append(talk, [NewMessage("tool", "ok"), NewMessage("user", "Good night")])
    natures = list(talk.messages.order_by("position").values_list("nature", flat=True))
    assert natures == ["statement"] * 5 + ["ack"]


def test_answer_follows_a_question_that_was_muted(instance: Instance) -> None:
    talk = Conversation.objects.create(instance=instance)
    (asked,) = append(talk, [NewMessage("assistant", "You live in Hull. When is the exam?")]).added
    MutedMessage.objects.create(message=asked, instance=instance, content=asked.content)
    talk.messages.update(content="")
    append(talk, [NewMessage("user", "Tomorrow, good")])
    assert talk.messages.get(position=2).nature == "statement"


def test_answer_is_found_by_its_question(instance: Instance) -> None:
    """A reply seldom repeats the words of what it answers."""
    talk = Conversation.objects.create(instance=instance)
    said = (
        ("user", "Who is training me at the moment?"),
        ("assistant", "Sofía Rossi, on Mondays."),
        ("user", "My sister was training for a marathon when I was small."),
        ("assistant", "She had a good trainer in Leeds at the moment of her best race."),
    )
    added = append(talk, [NewMessage(role, text) for role, text in said], finished=False).added
    embed_drawers(instance, [file_turn(each, "Sport", "Training").pk for each in added])
    result = recall(instance, "Who is training me?", RecallOptions(limit=3, only_relevant=False))
    assert result.hits[0].content == said[1][1]
    assert result.hits[0].parts["answers"] > 0
