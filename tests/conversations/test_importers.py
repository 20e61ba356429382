"""Behaviour common to all formats: chunks, finished conversations, format detection."""

import io
import json
import zipfile
from collections.abc import Callable
from functools import partial

import pytest

from conversations import messages
from conversations.importers import (
    BrokenFile,
    Report,
    UnknownFormat,
    check_stream,
    writer,
)
from conversations.importers.reader import Reader
from conversations.importers.seen_counter import SeenCounter
from conversations.models import Conversation, Message
from instances.models import Instance
from memoryapp.forgetting.muting import mute
from tests.conversations.import_files import counts, sample, stream_of


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
        '{"content": "x"}'.encode("utf-16-le"),
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


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be"])
@pytest.mark.parametrize(
    "text",
    [
        '{"content": "Grün 😀 木"}\n\n{"content": "Zwei"}\n',
        '\n[{"role": "user", "content": "Grün 😀 木"}, {"role": "user", "content": "Zwei"}]',
    ],
)
def test_file_is_read_in_the_encoding_of_its_mark(
    text: str, encoding: str, bring_in: Callable[..., Report]
) -> None:
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    data = (mark + text).encode(encoding)
    report = bring_in(io.BytesIO(data))
    assert [each.content for each in Message.objects.order_by("position")] == [
        "Grün 😀 木",
        "Zwei",
    ]
    assert report.bytes_read == len(data)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("notes.jsonl", data)
    assert bring_in(archive).messages_known == 2


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("ﬁsh 😀 木".encode("utf-16"), "ﬁsh 😀 木"),
        # Half a character, a surrogate alone, and no text at all.
        (b"\xff\xfea\x00b", "a�"),
        (b"\xff\xfea\x00\x3d\xd8b\x00", "a�b"),
        (b"\xfe\xff", ""),
    ],
)
def test_reader_decodes_in_pieces(data: bytes, text: str, size: int) -> None:
    pieces = iter(partial(Reader(io.BytesIO(data)).read, size), b"")
    assert b"".join(pieces).decode() == text


def test_tally_counts_conversations_separately() -> None:
    with SeenCounter() as tally:
        assert [tally.count("a", "b"), tally.count("ab"), tally.count("a", "b")] == [1, 1, 2]


# Ids


def line(content: str, message_id: str = "1", **more: str) -> dict[str, str]:
    return {"conversation": "c", "id": message_id, "role": "user", "content": content, **more}


def test_same_id_with_other_words_is_another_message(
    bring_in: Callable[..., Report], instance: Instance
) -> None:
    first, second = (
        [line("I row."), line("And ski.", "2")],
        [line("I sail."), line("And ski.", "2")],
    )
    assert counts(bring_in(first)) == (1, 2, 0, 0)
    assert counts(check_stream(instance, stream_of(second))) == (1, 1, 1, 0)
    assert counts(bring_in(second)) == (1, 1, 1, 0)
    assert said() == ["I row.", "And ski.", "I sail."]
    for again in (first, second):
        assert counts(check_stream(instance, stream_of(again))) == (1, 0, 2, 0)
        assert counts(bring_in(again)) == (1, 0, 2, 0)
    assert len(said()) == 3


def test_same_id_by_another_speaker_is_another_message(bring_in: Callable[..., Report]) -> None:
    bring_in([line("Yes.")])
    assert counts(bring_in([line("Yes.", role="assistant")])) == (1, 1, 0, 0)


@pytest.mark.parametrize("most", [1, 500])
def test_id_stands_once_in_a_file(
    most: int, bring_in: Callable[..., Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "MAX_CHUNK_MESSAGES", most)
    file = [line("I row."), line("I row and ski."), line("Yes.", "2")]
    for added in (2, 0):
        assert counts(bring_in(file)) == (1, added, 3 - added, 0)
    assert said() == ["I row.", "Yes."]


def test_message_that_was_cut_is_known(
    bring_in: Callable[..., Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "MAX_MESSAGE_CHARACTERS", 50)
    long = [line("I row. " * 20 + "\x00 \ufeff")]
    for added in (1, 0):
        assert counts(bring_in(long)) == (1, added, 1 - added, 0)


def test_muted_message_is_known_by_its_id(
    bring_in: Callable[..., Report], instance: Instance
) -> None:
    bring_in([line("I row.")])
    mute(instance, [Message.objects.get().pk])
    assert counts(bring_in([line("I row.")])) == (1, 0, 1, 0)
    assert said() == [""]


def said() -> list[str]:
    return list(Message.objects.order_by("position").values_list("content", flat=True))


def _of_claude(number: int) -> str:
    message = {"uuid": f"m{number}", "sender": "human", "text": f"I have hive no. {number}."}
    return json.dumps({"uuid": f"c{number}", "name": "Bees", "chat_messages": [message]})


@pytest.mark.parametrize(
    "content",
    [
        # Conversations on lines, exports put together into one file, and both.
        "\n".join(map(_of_claude, range(3))),
        f"[{_of_claude(0)}][{_of_claude(1)},{_of_claude(2)}]",
        f"[{_of_claude(0)}, {_of_claude(1)}]\n{_of_claude(2)}\n",
        f"{_of_claude(0)}{_of_claude(1)}\n[{_of_claude(2)}]",
    ],
)
def test_all_values_of_a_file_are_imported(content: str, bring_in: Callable[..., Report]) -> None:
    assert counts(bring_in(content)) == (3, 3, 0, 0)


def test_what_stands_before_broken_json_is_imported(bring_in: Callable[..., Report]) -> None:
    with pytest.raises(BrokenFile):
        bring_in(f"[{_of_claude(0)}]\n[{_of_claude(1)}, {{")
    assert Message.objects.count() == 2
