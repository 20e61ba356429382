"""The extraction status of each message in the transcript."""

import pytest

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from instances.models import Instance
from memoryapp.extraction.message_status import ExtractionProgress
from memoryapp.extraction.run import read
from memoryapp.models import MemorySource, Run
from tests.provider_fixtures import fact, read_with, unfinished_messages
from tests.scripted_provider import ScriptedProvider

TURNS = [
    NewMessage("system", "Be brief."),
    NewMessage("user", "I play the cello, so I am musical."),
    NewMessage("user", "Hm."),
    NewMessage("tool", "Sunny.", tool_name="weather"),
    NewMessage("assistant", "I see."),
]


@pytest.fixture
def talk(instance: Instance, provider: ScriptedProvider) -> Conversation:
    """A conversation with a queued run."""
    read_with(provider, instance)
    talk = Conversation.objects.create(instance=instance)
    append(talk, TURNS)
    return talk


def fates(talk: Conversation) -> list[str]:
    """Return the status of each message, or its number of memories."""
    talk = Conversation.objects.get(pk=talk.pk)
    reading = ExtractionProgress.of(talk)

    def status_of(message: Message) -> str:
        fate = reading.status_of(message, list(MemorySource.objects.filter(message=message)))
        return fate.words or f"{len(fate.sources)} memories"

    return [status_of(message) for message in talk.messages.all()]


def finished(talk: Conversation) -> Run:
    run = Run.objects.get(state=Run.State.QUEUED)
    assert run.claim()
    read(run)
    run.refresh_from_db()
    return run


NOT_READ = "Not read: system message."


def test_status_before_anything_happens(talk: Conversation) -> None:
    assert fates(talk) == [NOT_READ, *["Waiting to be read."] * 4]
    assert list(unfinished_messages(talk)) == [2, 3, 4, 5]
    assert ExtractionProgress.of(talk).state == "queued"


def test_status_without_a_run(talk: Conversation) -> None:
    Run.objects.all().delete()
    assert fates(talk) == [NOT_READ, *["Not read yet."] * 4]
    Instance.objects.update(memory_enabled=False)
    assert fates(talk) == [NOT_READ, *["Not read: memory is off."] * 4]
    assert ExtractionProgress.of(Conversation.objects.get()).state == "unread"


def test_status_while_reading(talk: Conversation) -> None:
    assert Run.objects.get().claim()
    assert fates(talk) == [NOT_READ, *["Being read."] * 4]
    assert ExtractionProgress.of(talk).state == "running"


def test_status_after_reading(talk: Conversation, provider: ScriptedProvider) -> None:
    provider.reply_with(
        {
            "memories": [
                fact(2, "The user plays the cello."),
                fact(2, "The user is musical."),
                fact(3, ""),
                fact(3, ""),
                fact(5, "The assistant sees."),
            ]
        }
    )
    finished(talk)
    assert fates(talk) == [
        NOT_READ,
        "2 memories",
        "Nothing kept. The proposed fact has no text.",
        "Read for context only.",
        "Read for context only.",
    ]
    assert unfinished_messages(talk) == {}
    assert ExtractionProgress.of(Conversation.objects.get()).state == "read"


def test_status_without_memories(talk: Conversation, provider: ScriptedProvider) -> None:
    provider.reply_with({"memories": []})
    finished(talk)
    assert fates(talk)[1:3] == ["Nothing to remember."] * 2
    assert unfinished_messages(talk) == {}


def test_status_after_a_temporary_failure(talk: Conversation, provider: ScriptedProvider) -> None:
    provider.fail_next("html")
    run = finished(talk)
    assert fates(talk)[1] == f"Waiting for attempt 2 of 5. Last error: {run.error}"
    assert list(unfinished_messages(talk)) == [2, 3, 4, 5]


def test_status_after_a_permanent_failure(talk: Conversation, provider: ScriptedProvider) -> None:
    provider.fail_next("401")
    run = finished(talk)
    assert fates(talk) == [NOT_READ, *[f"Failed: {run.error}"] * 4]
    message = talk.messages.get(position=2)
    assert ExtractionProgress.of(talk).status_of(message, []).failed
    assert unfinished_messages(talk) == {}
    assert ExtractionProgress.of(talk).state == "failed"


def test_failure_keeps_the_status_of_messages_read_before(
    talk: Conversation, provider: ScriptedProvider
) -> None:
    provider.reply_with({"memories": [fact(2, "The user plays the cello.")]})
    finished(talk)
    append(talk, [NewMessage("user", "I live in Lyon."), NewMessage("assistant", "I see.")])
    provider.fail_next("401")
    run = finished(talk)
    assert fates(talk)[1:] == [
        "1 memories",
        "Nothing to remember.",
        "Read for context only.",
        "Read for context only.",
        f"Failed: {run.error}",
        f"Failed: {run.error}",
    ]


def test_messages_after_the_last_run_are_unread(
    talk: Conversation, provider: ScriptedProvider
) -> None:
    provider.reply_with({"memories": []})
    finished(talk)
    append(talk, [NewMessage("user", "One more thing.")])
    assert fates(talk)[-1] == "Not read yet."
    assert list(unfinished_messages(talk)) == [6]


def test_concurrently_read_message_is_not_shown_as_unread(talk: Conversation) -> None:
    loaded = Conversation.objects.select_related("instance").get(pk=talk.pk)
    finished(talk)
    reading = ExtractionProgress.of(loaded)
    assert [
        reading.status_of(message, []).words for message in talk.messages.filter(role="user")
    ] == ["Nothing to remember."] * 2


def test_status_has_a_constant_number_of_queries(
    talk: Conversation, django_assert_num_queries: object
) -> None:
    Run.objects.update(state=Run.State.FAILED)
    talk = Conversation.objects.select_related("instance").get(pk=talk.pk)
    with django_assert_num_queries(1):  # type: ignore[operator]
        ExtractionProgress.of(talk)
    for _ in range(10):
        Run.objects.create(instance=talk.instance, conversation=talk, state=Run.State.FAILED)
    with django_assert_num_queries(1):  # type: ignore[operator]
        ExtractionProgress.of(talk)
