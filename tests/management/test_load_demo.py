"""The demo instance: loaded once through the real write path, and never again after deletion."""

import json
from datetime import date

import pytest
from django.core.management import call_command

from conversations.models import Conversation, Message
from instances.models import Instance, User
from memoryapp.extraction.message_status import ExtractionProgress
from memoryapp.management.demo_answers import filing
from memoryapp.mining.parse import Filing, FilingContext
from memoryapp.models import Drawer, Memory, MemorySource, Relation, Wing, awaiting_filing
from memoryapp.recall import RecallOptions, recall

pytestmark = pytest.mark.django_db


@pytest.fixture
def demo() -> Instance:
    call_command("load_demo", verbosity=0)
    return Instance.objects.get()


def test_readme_question_finds_the_allergy(demo: Instance) -> None:
    hits = recall(demo, "what should I not cook?", RecallOptions(with_messages=False)).hits
    assert "allergic to peanuts" in hits[0].content


def test_every_memory_has_a_vector_and_a_source_message(demo: Instance) -> None:
    memories = Memory.objects.in_instance(demo)
    assert memories.count() > 20
    assert memories.filter(embeddings=None).count() == 0
    sources = MemorySource.objects.select_related("message")
    assert {source.memory_id for source in sources} == {memory.pk for memory in memories}
    assert all(source.message and source.message.role == "user" for source in sources)


def test_every_message_has_a_final_status(demo: Instance) -> None:
    for conversation in Conversation.objects.all():
        reading = ExtractionProgress.of(conversation)
        assert reading.state == "read"
        last = Message.objects.filter(conversation=conversation).order_by("-position").first()
        assert last is not None and conversation.watermark == last.position


def test_every_message_is_filed_and_searchable(demo: Instance) -> None:
    assert not awaiting_filing(Message.objects.all()).exists()
    assert not Drawer.objects.filter(embeddings=None).exists()
    assert not Drawer.objects.filter(search=None).exists()
    assert {wing.name for wing in Wing.objects.all()} == {"Mara", "Dinner for eight", "Web shop"}
    assert not Drawer.objects.filter(closet__name="general").exists(), "a drawer has no topic"


def test_the_graph_has_a_history(demo: Instance) -> None:
    homes = Relation.objects.filter(subject__name="Mara", predicate="lives_in")
    assert {(str(home.object), str(home.valid_to)) for home in homes} == {
        ("Ghent", "2024-03-01"),
        ("Munich", "None"),
    }


def test_all_filings_of_the_demo_are_stored(demo: Instance) -> None:
    for conversation in Conversation.objects.all():
        turns = list(conversation.messages.all())
        answer = filing(conversation.title, flight=date(2030, 1, 1))
        everywhere = [turn.position for turn in turns]
        people = [turn.position for turn in turns if turn.role == "user"]
        context = FilingContext(frozenset(everywhere), frozenset(people))
        mined = Filing.from_text(json.dumps(answer), context)
        assert mined.all_dropped() == []
        assert [turn.turn for turn in mined.turns] == everywhere
        tags = [
            (turn.content.casefold(), tag)
            for turn in turns
            for kind in ("people", "places", "items")
            for tag in getattr(mined.by_position[turn.position].tags, kind)
        ]
        assert [tag for text, tag in tags if tag.casefold() not in text] == []


def test_loading_twice_adds_nothing(demo: Instance) -> None:
    before = Memory.objects.count()
    call_command("load_demo", verbosity=0)
    assert Memory.objects.count() == before


def test_deleted_demo_is_not_loaded_again(demo: Instance) -> None:
    User.objects.create_superuser("dana")
    demo.delete()
    call_command("load_demo", verbosity=0)
    assert not Instance.objects.exists()
