"""Matching transcripts with conversations, and storing repeated messages once."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections, transaction
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from instances.models import Agent, Instance
from memoryapp.api.v1 import conversation_matching
from memoryapp.api.v1.conversation_matching import (
    OtherUsersConversation,
    StoredTranscript,
    TranscriptOwner,
    store_reply,
    store_transcript,
)
from memoryapp.api.v1.transcript import read_messages
from memoryapp.models import Answer, Run

pytestmark = pytest.mark.django_db
Path = tuple[str, ...]


@pytest.fixture
def place(instance: Instance) -> TranscriptOwner:
    return TranscriptOwner(instance, None, "ana")


def transcript(*texts: str) -> list[Any]:
    """Return a transcript with alternating messages of user and assistant."""
    roles = ["user", "assistant"] * len(texts)
    return read_messages([{"role": r, "content": t} for r, t in zip(roles, texts, strict=False)])


def exchange(place: TranscriptOwner, *texts: str, reply: str = "") -> StoredTranscript:
    """Make a request with this transcript, and store its reply if given."""
    stored = store_transcript(place, transcript(*texts))
    if not reply:
        return stored
    with transaction.atomic():
        message = store_reply(stored, reply)
        if not Answer.objects.filter(reply=message).exists():
            Answer.objects.create(
                instance=place.instance,
                conversation=stored.conversation,
                message=stored.message,
                reply=message,
                state=Answer.State.DONE,
            )
    return stored


def contents(conversation: Conversation) -> list[str]:
    return list(conversation.messages.values_list("content", flat=True))


def test_resent_transcript_continues_its_conversation(place: TranscriptOwner) -> None:
    first = exchange(place, "Hello", reply="Hi")
    second = exchange(place, "Hello", "Hi", "I sail", reply="Nice")
    third = exchange(place, "Hello", "Hi", "I sail", "Nice", "Bye", reply="Bye")
    assert first.conversation == second.conversation == third.conversation
    assert contents(first.conversation) == ["Hello", "Hi", "I sail", "Nice", "Bye", "Bye"]
    assert third.message.content == "Bye"


def test_user_message_is_read_after_the_reply(place: TranscriptOwner) -> None:
    place.instance.memory_enabled = True
    place.instance.save()
    stored = exchange(place, "I sail", "Nice", "A red boat")
    assert not Run.objects.exists()
    store_reply(stored, "Ahoy")
    assert Run.objects.get().conversation == stored.conversation


def test_edited_message_is_appended(place: TranscriptOwner) -> None:
    exchange(place, "Hello", reply="Hi")
    exchange(place, "Hello", "Hi", "I sail", reply="Nice")
    edited = exchange(place, "Hello", "Hi", "I ski", reply="Cold")
    back = exchange(place, "Hello", "Hi", "I sail", "Nice", "A lot", reply="Wow")
    assert edited.conversation == back.conversation
    assert contents(back.conversation) == [
        *("Hello", "Hi", "I sail", "Nice"),
        *("I ski", "Cold", "A lot", "Wow"),
    ]


def test_regenerated_reply_is_stored_once(
    place: TranscriptOwner,
) -> None:
    exchange(place, "Hello", reply="Hi")
    exchange(place, "Hello", reply="Hi")
    stored = exchange(place, "Hello", reply="Good day")
    assert contents(stored.conversation) == ["Hello", "Hi", "Good day"]


def test_later_identical_opening_starts_a_new_conversation(place: TranscriptOwner) -> None:
    first = exchange(place, "Hello", reply="Hi")
    Conversation.objects.update(last_activity_at=timezone.now() - timedelta(minutes=11))
    second = exchange(place, "Hello", reply="Hi")
    assert second.conversation != first.conversation
    # Further messages belong to the later conversation.
    third = exchange(place, "Hello", "Hi", "I sail", reply="Nice")
    assert third.conversation == second.conversation


def test_identical_opening_starts_a_new_conversation_after_more_messages(
    place: TranscriptOwner,
) -> None:
    exchange(place, "Hello", reply="Hi")
    first = exchange(place, "Hello", "Hi", "I sail", reply="Nice")
    assert exchange(place, "Hello", reply="Hi").conversation != first.conversation


def test_few_shot_examples_do_not_match_conversations(place: TranscriptOwner) -> None:
    one = exchange(place, "2+2", "4", "3+3", reply="6")
    other = exchange(place, "2+2", "4", "5+5", reply="10")
    assert one.conversation != other.conversation
    assert exchange(place, "2+2", "4", "5+5", "10", "Why?").conversation == other.conversation


def test_old_conversation_is_found_behind_many_with_the_same_opening(
    place: TranscriptOwner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversation_matching, "MAX_MATCHING_MESSAGES", 3)
    old = exchange(place, "2+2", "4", "3+3", reply="6")
    for number in range(5):
        exchange(place, "2+2", "4", f"{number}+5", reply=str(number + 5))
    assert exchange(place, "2+2", "4", "3+3", "6", "Why?").conversation == old.conversation
    # The number of new messages does not matter.
    later = [str(number) for number in range(2 * conversation_matching.LINKS_TRIED_FIRST)]
    sent = exchange(place, "2+2", "4", "3+3", "6", "Why?", *later)
    assert sent.conversation == old.conversation


def test_conversations_of_others_do_not_match(place: TranscriptOwner, private: Instance) -> None:
    agent = Agent.objects.create(instance=place.instance, slug="cook", name="Cook")
    places = [
        place,
        replace(place, end_user="bo"),
        replace(place, agent=agent),
        replace(place, instance=private),
        replace(place, conversation_id="c1"),
    ]
    for each in places:
        exchange(each, "Hello", reply="Hi")
    conversations = {exchange(each, "Hello", "Hi", "I sail").conversation.pk for each in places}
    assert len(conversations) == len(places)


def test_external_id_finds_the_conversation(place: TranscriptOwner) -> None:
    named = replace(place, conversation_id="c" * 400)
    first = exchange(named, "Hello", reply="Hi")
    Conversation.objects.update(last_activity_at=timezone.now() - timedelta(days=9))
    assert exchange(named, "Hello", "Hi", "I sail").conversation == first.conversation
    with pytest.raises(OtherUsersConversation):
        store_transcript(replace(named, end_user="bo"), transcript("Hello"))
    # A request without an end user matches by the id.
    assert (
        store_transcript(replace(named, end_user=""), transcript("Hello")).conversation
        == first.conversation
    )


@pytest.mark.parametrize(
    ("sent", "new"),
    [
        (["c", "d", "e", "f", "g"], ["g"]),  # without its beginning
        (["e", "f", "g"], ["g"]),
        (["g"], ["g"]),  # only new messages
        (["e"], []),  # resent for another reply
        (["c", "d", "e"], []),
        (["c"], ["c"]),  # repeated much later
        (["x", "y", "z"], ["x", "y", "z"]),
        (["a"], []),
    ],
)
def test_client_with_an_id_may_omit_old_messages(
    sent: list[str], new: list[str], place: TranscriptOwner
) -> None:
    named = replace(place, conversation_id="c1")
    exchange(named, "a", reply="b")
    exchange(named, "a", "b", "c", reply="d")
    stored = exchange(named, "a", "b", "c", "d", "e", reply="f")
    before = contents(stored.conversation)
    for _ in range(2):
        assert exchange(named, *sent).conversation == stored.conversation
        assert contents(stored.conversation) == [*before, *new]


def test_client_without_an_id_may_send_only_recent_messages(place: TranscriptOwner) -> None:
    exchange(place, "a", reply="b")
    exchange(place, "a", "b", "c", reply="d")
    first = exchange(place, "a", "b", "c", "d", "e", reply="f")
    other = exchange(place, "x", reply="f")
    exchange(place, "c", "d", "e", "f", "g", reply="h")
    stored = exchange(place, "e", "f", "g", "h", "i", reply="j")
    assert stored.conversation == first.conversation != other.conversation
    assert contents(stored.conversation) == list("abcdefghij")
    # Not if only its middle matches, and not much later.
    assert exchange(place, "c", "d", "k").conversation != first.conversation
    Conversation.objects.update(last_activity_at=timezone.now() - timedelta(days=2))
    assert exchange(place, "g", "h", "i", "j", "k").conversation != first.conversation


def test_conversations_from_other_apis_match(place: TranscriptOwner) -> None:
    conversation = Conversation.objects.create(
        instance=place.instance, end_user="ana", external_id="c1"
    )
    turns = [
        NewMessage("system", "Be brief."),
        NewMessage("user", "Hello"),
        NewMessage("assistant", "Hi"),
    ]
    append(conversation, turns)
    stored = exchange(replace(place, conversation_id="c1"), "Hello", "Hi", "I sail", reply="Nice")
    assert contents(stored.conversation) == ["Be brief.", "Hello", "Hi", "I sail", "Nice"]
    exchange(replace(place, conversation_id="c1"), "Hello", "Hi", "I sail", "Nice", "Bye")
    assert contents(stored.conversation)[-2:] == ["Nice", "Bye"]


def test_partially_received_reply_matches(place: TranscriptOwner) -> None:
    exchange(place, "Tell me", reply="Once upon a time there")
    exchange(place, "Tell me", "Once upon", "Go on", reply="There was")
    Conversation.objects.update(last_activity_at=timezone.now() - timedelta(days=1))
    stored = exchange(place, "Tell me", "Once upon", "Go on", "There was", "Who?", reply="Ana")
    assert contents(stored.conversation) == [
        *("Tell me", "Once upon a time there", "Go on", "There was", "Who?", "Ana")
    ]


def test_lookup_uses_its_index(place: TranscriptOwner) -> None:
    talks = [Conversation(instance=place.instance) for _ in range(300)]
    Message.objects.bulk_create(
        Message(
            instance=place.instance,
            conversation=conversation,
            position=position,
            role="user",
            content="Hello",
            external_id=f"transcript:{conversation.pk}:{position}",
        )
        for conversation in Conversation.objects.bulk_create(talks)
        for position in range(1, 11)
    )
    rows = Message.objects.filter(
        instance=place.instance,
        external_id__in=["transcript:1", "transcript:2"],
        external_id__startswith="transcript:",
    )
    with transaction.atomic(), connections["default"].cursor() as cursor:
        cursor.execute("ANALYZE conversations_message, conversations_conversation")
        assert "message_link" in rows.explain()


# Any client behaviour

TEXTS = st.sampled_from(["yes", "no", "I sail", "why"])
#: Next step of a client: send a message, resend everything, regenerate the last reply, edit an
#: earlier message, or go back to another branch; with a random number and two texts.
STEP = st.tuples(
    st.sampled_from(["say", "resend", "regenerate", "edit", "branch"]),
    st.integers(0, 30),
    TEXTS,
    TEXTS,
    st.booleans(),
)


class Client:
    """A client that keeps its own transcripts, and a record of all messages."""

    def __init__(self, place: TranscriptOwner) -> None:
        self.place = place
        self.transcripts: list[Path] = []
        self.paths: set[Path] = set()
        self.request((), "Hello", "Hi")

    def request(self, before: Path, text: str, reply: str) -> None:
        prompt = (*before, text)
        exchange(self.place, *prompt, reply=reply)
        whole = (*prompt, reply) if reply else prompt
        self.paths.update(whole[:length] for length in range(1, len(whole) + 1))
        if reply:
            self.transcripts.append(whole)

    def take(self, step: str, number: int, text: str, reply: str, answered: bool) -> None:
        now = self.transcripts[-1]
        reply = reply if answered else ""
        match step:
            case "say":
                self.request(now, text, reply)
            # Without an id, a repeated opening is another conversation.
            case "resend" if len(now) > 2 or self.place.conversation_id:
                self.request(now[:-2], now[-2], now[-1] if answered else "")
            case "regenerate" if len(now) > 2:
                self.request(now[:-2], now[-2], reply)
            case "edit" if len(now) > 2:
                place = 2 + 2 * (number % ((len(now) - 2) // 2))
                self.request(now[:place], text, reply)
            case "branch":
                self.request(self.transcripts[number % len(self.transcripts)], text, reply)


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.mark.parametrize("examples", [15, pytest.param(60, marks=pytest.mark.soak)])
@pytest.mark.parametrize("conversation_id", ["", "c1"])
def test_any_client_behaviour_stores_each_message_once(
    place: TranscriptOwner, conversation_id: str, examples: int
) -> None:
    @settings(max_examples=examples)
    @given(steps=st.lists(STEP, max_size=12))
    def stored_once(steps: list[tuple[str, int, str, str, bool]]) -> None:
        with undone():
            client = Client(replace(place, conversation_id=conversation_id))
            for step in steps:
                client.take(*step)
            conversation = Conversation.objects.get()
            assert Counter(contents(conversation)) == Counter(path[-1] for path in client.paths)
            positions = list(conversation.messages.values_list("position", flat=True))
            assert positions == list(range(1, len(client.paths) + 1))

    stored_once()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("conversation_id", ["", "c1"])
def test_concurrent_requests_store_each_message_once(
    place: TranscriptOwner, conversation_id: str
) -> None:
    named = replace(place, conversation_id=conversation_id)

    def ask(texts: tuple[str, ...], reply: str) -> int:
        try:
            return exchange(named, *texts, reply=reply).conversation.pk
        finally:
            connections.close_all()

    replies = [f"Hi {number % 3}" for number in range(24)]
    with ThreadPoolExecutor(8) as pool:
        conversations = set(pool.map(lambda reply: ask(("Hello",), reply), replies))
        conversations |= set(pool.map(lambda reply: ask(("Hello", reply, "I sail"), ""), replies))
    assert len(conversations) == 1
    (conversation,) = Conversation.objects.all()
    assert Counter(contents(conversation)) == Counter(
        ["Hello", "Hi 0", "Hi 1", "Hi 2", "I sail", "I sail", "I sail"]
    )
