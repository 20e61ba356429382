"""Appending messages: order, idempotency, and finished turns."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection

from conversations.messages import (
    MAX_ID_CHARACTERS,
    MAX_MESSAGE_CHARACTERS,
    TRUNCATION_NOTICE,
    NewMessage,
    append,
    append_new,
    finish,
    overlap,
    short_id,
)
from conversations.models import Conversation, Message
from conversations.sanitizer import sanitize
from conversations.signals import turn_finished
from instances.models import Instance


@pytest.fixture
def empty(instance: Instance) -> Conversation:
    return Conversation.objects.create(instance=instance, title="Greenhouse")


@pytest.fixture
def finished() -> Iterator[list[int]]:
    """The ids of conversations for which the signal was sent."""
    signalled: list[int] = []

    def note(sender: type, *, conversation: Conversation, **kwargs: Any) -> None:
        signalled.append(conversation.pk)

    turn_finished.connect(note)
    yield signalled
    turn_finished.disconnect(note)


def test_positions_continue(empty: Conversation) -> None:
    append(empty, [NewMessage("user", "one"), NewMessage("user", "two")])
    append(empty, [NewMessage("user", "three")])
    assert list(empty.messages.values_list("position", "content")) == [
        (1, "one"),
        (2, "two"),
        (3, "three"),
    ]


def test_same_id_is_added_once(empty: Conversation) -> None:
    turns = [NewMessage("user", "ok", external_id="a"), NewMessage("user", "ok", external_id="b")]
    first = append(empty, turns)
    again = append(empty, [*turns, NewMessage("user", "new", external_id="c")])
    assert (len(first.added), first.known) == (2, 0)
    assert (len(again.added), again.known) == (1, 2)


def test_same_id_twice_in_one_append_is_added_once(empty: Conversation) -> None:
    appended = append(empty, [NewMessage("user", "ok", external_id="a")] * 2)
    assert (len(appended.added), appended.known) == (1, 1)


def test_messages_without_an_id_are_always_added(empty: Conversation) -> None:
    append(empty, [NewMessage("user", "ok"), NewMessage("user", "ok")])
    append(empty, [NewMessage("user", "ok")])
    assert empty.messages.count() == 3


def test_too_long_ids_stay_distinct(empty: Conversation) -> None:
    turns = [NewMessage("user", "a", external_id="x" * 400 + end) for end in "ab"]
    assert len(append(empty, turns).added) == 2
    assert append(empty, turns).known == 2


def test_short_id_fits_its_column() -> None:
    assert short_id("D1:3") == "D1:3"
    assert len(short_id("x" * 1000)) == MAX_ID_CHARACTERS


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("plain", "plain"),
        ("nul\x00 byte", "nul byte"),
        ("half \ud83d pair", "half � pair"),
        ("whole \ud83d\ude00 pair", "whole 😀 pair"),
    ],
)
def test_clean(text: str, stored: str) -> None:
    assert sanitize(text) == stored


def test_unstorable_characters_are_removed(empty: Conversation) -> None:
    turn = NewMessage(
        "assistant",
        "to\x00mato",
        author="Ro\x00sa",
        caption="\ud800",
        external_id="i\x00d",
        tool_name="wa\x00ter",
        tool_calls=[{"name": "water", "arguments": {"l\x00": ["\x00", float("nan")]}}],
    )
    append(empty, [turn])
    message = empty.messages.get()
    assert (message.content, message.author, message.caption) == ("tomato", "Rosa", "�")
    assert (message.external_id, message.tool_name) == ("id", "water")
    assert message.tool_calls == [{"name": "water", "arguments": {"l": ["", None]}}]


def test_last_activity_follows_message_dates(empty: Conversation) -> None:
    append(empty, [NewMessage("user", "now", sent_at=datetime(2024, 5, 2, tzinfo=UTC))])
    append(empty, [NewMessage("user", "before", sent_at=datetime(2023, 5, 2, tzinfo=UTC))])
    empty.refresh_from_db()
    assert empty.last_activity_at == datetime(2024, 5, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    ("role", "finish", "signalled"),
    [
        ("user", None, False),
        ("assistant", None, True),
        ("user", True, True),
        ("assistant", False, False),
    ],
)
def test_turn_is_finished_by_a_reply(
    empty: Conversation, finished: list[int], role: str, finish: bool | None, signalled: bool
) -> None:
    append(empty, [NewMessage(role, "hello")], finished=finish)
    assert bool(finished) is signalled


def test_known_messages_finish_nothing(empty: Conversation, finished: list[int]) -> None:
    turn = NewMessage("assistant", "hello", external_id="a")
    append(empty, [turn])
    append(empty, [turn], finished=True)
    assert finished == [empty.pk]


def test_finish_sends_the_signal_while_messages_are_unread(
    empty: Conversation, finished: list[int]
) -> None:
    finish(empty)
    assert finished == []
    append(empty, [NewMessage("user", "hello")], finished=False)
    finish(empty)
    assert finished == [empty.pk]
    Conversation.objects.filter(pk=empty.pk).update(watermark=1)
    finish(empty)
    assert finished == [empty.pk]


@pytest.mark.django_db(transaction=True)
def test_concurrent_appends_get_distinct_positions(instance: Instance) -> None:
    conversation = Conversation.objects.create(instance=instance)
    start = threading.Barrier(2)
    failures: list[BaseException] = []

    def talk(name: str) -> None:
        try:
            start.wait()
            for number in range(20):
                # Both append the shared ids; the first one wins.
                append(
                    conversation,
                    [
                        NewMessage("user", f"{name} {number}", external_id=f"{name}{number}"),
                        NewMessage("user", f"both {number}", external_id=f"both{number}"),
                    ],
                )
        except BaseException as error:
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=talk, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    positions = Message.objects.filter(conversation=conversation).order_by("position")
    assert list(positions.values_list("position", flat=True)) == list(range(1, 61))


@pytest.mark.parametrize(
    ("end", "new", "known"),
    [
        ("", "abc", 0),
        ("abc", "", 0),
        ("abc", "abc", 3),
        ("abc", "c", 1),
        ("abc", "cde", 1),
        ("abc", "bcd", 2),
        ("abc", "ab", 0),
        ("abc", "abcd", 3),
        ("aba", "aba", 3),
        ("aba", "abc", 1),
        ("aa", "aaa", 2),
    ],
)
def test_known_suffix_is_detected(end: str, new: str, known: int) -> None:
    assert overlap(end, new) == known


def test_only_new_messages_are_appended(empty: Conversation, finished: list[int]) -> None:
    def finish(texts: str) -> list[NewMessage]:
        return [NewMessage("user" if text.islower() else "assistant", text) for text in texts]

    for texts, added in (("aB", 2), ("aB", 0), ("aBcD", 2), ("De", 1), ("a", 1)):
        appended = append_new(empty, finish(texts))
        assert (len(appended.added), appended.known) == (added, len(texts) - added)
    assert [message.content for message in empty.messages.all()] == list("aBcDea")
    # The same text of another author is a different message.
    assert append_new(empty, [NewMessage("assistant", "a")]).known == 0
    assert finished == []


def test_messages_are_compared_as_stored(empty: Conversation) -> None:
    for _ in range(2):
        append_new(empty, [NewMessage("user", "a\x00b \ud83d")])
    assert empty.messages.get().content == "ab \ufffd"


def test_too_long_message_is_truncated_with_a_notice(empty: Conversation) -> None:
    long = "x" * (MAX_MESSAGE_CHARACTERS + 1)
    fits = long[:MAX_MESSAGE_CHARACTERS]
    append(empty, [NewMessage("user", long, caption=long), NewMessage("user", fits)])
    cut, whole = empty.messages.all()
    for text in (cut.content, cut.caption):
        assert len(text) == MAX_MESSAGE_CHARACTERS
        assert text.endswith(TRUNCATION_NOTICE)
    assert whole.content == fits


def test_truncated_message_is_recognized_when_sent_again(empty: Conversation) -> None:
    long = NewMessage("user", "x" * (MAX_MESSAGE_CHARACTERS + 1))
    append_new(empty, [long])
    again = append_new(empty, [long, NewMessage("assistant", "Too long.")])
    assert (len(again.added), again.known) == (1, 1)
