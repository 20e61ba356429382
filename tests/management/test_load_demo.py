"""The demo: there on the first start, made by the real write path, and gone for good if deleted."""

import pytest
from django.core.management import call_command

from conversations.accounts import Reading
from conversations.models import Conversation, Message
from instances.models import Instance, User
from memoryapp.models import Memory, MemorySource
from memoryapp.recall import recall

pytestmark = pytest.mark.django_db


@pytest.fixture
def demo() -> Instance:
    call_command("load_demo", verbosity=0)
    return Instance.objects.get()


def test_the_question_of_the_readme_finds_the_allergy(demo: Instance) -> None:
    hits = recall(demo, "what should I not cook?", with_messages=False).hits
    assert "allergic to peanuts" in hits[0].content


def test_every_memory_has_a_vector_and_the_message_that_says_it(demo: Instance) -> None:
    memories = Memory.objects.in_instance(demo)
    assert memories.count() > 20
    assert memories.filter(embeddings=None).count() == 0
    sources = MemorySource.objects.select_related("message")
    assert {source.memory_id for source in sources} == {memory.pk for memory in memories}
    assert all(source.message and source.message.role == "user" for source in sources)


def test_every_message_is_accounted_for(demo: Instance) -> None:
    for conversation in Conversation.objects.all():
        reading = Reading.of(conversation)
        assert reading.state == "read"
        last = Message.objects.filter(conversation=conversation).order_by("-position").first()
        assert last is not None and conversation.watermark == last.position


def test_loading_twice_adds_nothing(demo: Instance) -> None:
    before = Memory.objects.count()
    call_command("load_demo", verbosity=0)
    assert Memory.objects.count() == before


def test_a_deleted_demo_does_not_come_back(demo: Instance) -> None:
    User.objects.create_superuser("dana")
    demo.delete()
    call_command("load_demo", verbosity=0)
    assert not Instance.objects.exists()
