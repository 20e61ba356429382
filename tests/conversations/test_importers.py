"""Behaviour common to all formats: chunks, finished conversations, format detection."""

import io
from collections.abc import Callable

import pytest

from conversations import messages
from conversations.importers import (
    Report,
    UnknownFormat,
    writer,
)
from conversations.importers.seen_counter import SeenCounter
from conversations.models import Conversation, Message
from tests.conversations.import_files import counts, sample


def test_unstorable_characters_are_removed(bring_in: Callable[..., Report]) -> None:
    odd = r'{"content": "a\u0000b \ud83d", "conversation": "c\u0000", "title": "\u0000t"}'
    assert counts(bring_in(odd)) == (1, 1, 0, 0)
    assert counts(bring_in(odd)) == (1, 0, 1, 0)
    assert Message.objects.get().content == "ab �"


def test_alternating_conversations_across_chunks(
    bring_in: Callable[..., Report], finished: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "MAX_CHUNK_MESSAGES", 4)
    messages = [{"content": f"{n}", "conversation": "ab"[n % 2]} for n in range(22)]
    assert counts(bring_in(messages)) == (2, 22, 0, 0)
    even = Message.objects.filter(conversation__external_id="jsonl:a")
    assert [m.content for m in even] == [str(n) for n in range(0, 22, 2)]
    assert set(finished) == {"jsonl:a", "jsonl:b"}
    assert counts(bring_in(messages)) == (2, 0, 22, 0)


# Finishing


def test_conversation_is_finished_once(
    bring_in: Callable[..., Report], finished: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "MAX_CHUNK_MESSAGES", 4)
    messages = [{"content": f"{n}", "conversation": "ab"[n >= 8]} for n in range(12)]
    bring_in(messages)
    assert finished == ["jsonl:a", "jsonl:b"]
    Conversation.objects.update(watermark=100)
    bring_in(messages)
    assert finished == ["jsonl:a", "jsonl:b"]


def test_crash_before_finishing_is_repaired_by_a_retry(
    bring_in: Callable[..., Report], finished: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(conversation: Conversation) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(messages, "finish", die)
        with pytest.raises(SystemExit):
            bring_in([sample()])
    assert (Message.objects.count(), finished) == (3, [])
    assert counts(bring_in([sample()])) == (1, 0, 3, 0)
    assert finished == ["locomo:allotment"]


# Formats


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xef\xbb\xbf",
        b" \n ",
        b"PK\x03\x04 an archive",
        b"Rosa: hello\nImre: hi\n",
        b"[]",
        b"{}",
        b'[{"mapping": [{"content": "x"}]}]',
        b'[{"chat_messages": {"content": "x"}}]',
        b'[{"conversation": {"id": 1}}]',
        b'[{"content": "a list, not lines"}]',
        b'{"messages": []}',
        '{"content": "x"}'.encode("utf-16"),
        b"[" * 100_000,
    ],
)
def test_other_formats_are_rejected(bring_in: Callable[..., Report], content: bytes) -> None:
    with pytest.raises(
        UnknownFormat, match=r"Accepted formats: an export from ChatGPT, .*JSONL|archive is damaged"
    ):
        bring_in(io.BytesIO(content))
    assert not Conversation.objects.exists()


def test_jsonl_is_recognized_after_bad_lines(bring_in: Callable[..., Report]) -> None:
    assert counts(bring_in('# a comment\n{"content": "x"}\n')) == (1, 1, 0, 1)


def test_tally_counts_conversations_separately() -> None:
    with SeenCounter() as tally:
        assert [tally.count("a", "b"), tally.count("ab"), tally.count("a", "b")] == [1, 1, 2]
