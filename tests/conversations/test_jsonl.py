"""Import of JSONL: fields of a line, missing ids and dates, and invalid lines."""

import io
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from conversations.importers import (
    Report,
    formats,
    json_stream,
    jsonl,
)
from conversations.importers.reader import Reader
from conversations.models import Conversation, ConversationOrigin, Message
from instances.models import Instance
from tests.conversations.import_files import counts


def test_all_fields_of_a_line_are_imported(bring_in: Callable[..., Report]) -> None:
    report = bring_in(
        [
            {
                "content": "The pump runs.",
                "role": "Tool",
                "conversation": "c1",
                "id": 7,
                "author": "pump",
                "created_at": "2024-02-03T04:05:06+01:00",
                "title": "Watering",
                "end_user": "rosa",
                "tool_name": "pump_status",
                "caption": "a gauge",
            },
            {
                "content": None,
                "role": "assistant",
                "conversation": "c1",
                "tool_calls": [
                    {"function": {"name": "open_valve", "arguments": '{"l": 2}'}, "type": "x"},
                    {"name": "wait"},
                ],
            },
        ]
    )
    assert counts(report) == (1, 2, 0, 0)
    conversation = Conversation.objects.get()
    assert conversation.external_id == "jsonl:c1"
    assert (conversation.title, conversation.end_user) == ("Watering", "rosa")
    assert conversation.origin == ConversationOrigin.IMPORT
    first, second = conversation.messages.all()
    assert (first.role, first.content, first.author) == ("tool", "The pump runs.", "pump")
    assert (first.external_id, first.tool_name, first.caption) == ("7", "pump_status", "a gauge")
    assert first.sent_at == datetime(2024, 2, 3, 3, 5, 6, tzinfo=UTC)
    assert second.content == ""
    assert second.tool_calls == [
        {"name": "open_valve", "arguments": '{"l": 2}'},
        {"name": "wait", "arguments": ""},
    ]


def test_lines_without_a_conversation_form_one(bring_in: Callable[..., Report]) -> None:
    bring_in('\ufeff{"content": "one"}\r\n\n{"content": "two"}\n')
    conversation = Conversation.objects.get()
    assert conversation.external_id == "file:notes.jsonl"
    assert conversation.title == "notes.jsonl"
    assert [(m.role, m.content) for m in conversation.messages.all()] == [
        ("user", "one"),
        ("user", "two"),
    ]


def test_messages_of_different_users_are_separate(bring_in: Callable[..., Report]) -> None:
    report = bring_in(
        [
            {"content": "Mine", "end_user": "rosa"},
            {"content": "Yours", "end_user": "imre"},
            {"content": "Ours", "conversation": "c", "end_user": "rosa"},
            {"content": "Not mine", "conversation": "c", "end_user": "imre"},
            {"content": "Also ours", "conversation": "c"},
        ]
    )
    assert counts(report) == (3, 4, 0, 1)
    assert report.skipped == ["line 4: its end user is not the conversation’s."]


def test_naive_dates_use_the_time_zone_of_the_instance(
    instance: Instance, bring_in: Callable[..., Report]
) -> None:
    instance.time_zone = "America/New_York"
    bring_in([{"content": "Snow.", "created_at": "2024-01-15T08:00"}])
    assert Message.objects.get().sent_at == datetime(2024, 1, 15, 13, tzinfo=UTC)


def test_repeated_lines_are_kept_and_not_imported_again(
    bring_in: Callable[..., Report],
) -> None:
    messages = [{"content": "ok"}, {"content": "ok"}, {"content": "ok", "conversation": "b"}]
    assert counts(bring_in(messages)) == (2, 3, 0, 0)
    assert counts(bring_in(messages)) == (2, 0, 3, 0)
    assert counts(bring_in([*messages, {"content": "ok"}])) == (2, 1, 3, 0)


def test_bad_lines_are_skipped_with_their_number(bring_in: Callable[..., Report]) -> None:
    lines = [
        b'{"content": "good"}',
        b"{not json",
        b'["content"]',
        b'{"role": "user"}',
        b'{"content": 5}',
        b'{"content": "x", "role": "narrator"}',
        b'{"content": "x", "created_at": "soon"}',
        b'{"content": "x", "created_at": "0001-01-01T00:00:00"}',
        b'{"content": "x", "created_at": "0001-01-01T00:00:00+14:00"}',
        b'{"content": "x", "tool_calls": [{}]}',
        b'{"content": "x", "id": true}',
        b'{"content": "\xff"}',
        b"[" * 100_000,
    ]
    report = bring_in(io.BytesIO(b"\n".join(lines)))
    assert counts(report) == (1, 1, 0, 12)
    assert report.skipped == [
        "line 2: it is not JSON.",
        "line 3: it is not an object.",
        "line 4: “content” is missing or empty.",
        "line 5: “content” is not text.",
        "line 6: its role is none of user, assistant, system, tool.",
        "line 7: “created_at” is not a date in ISO 8601.",
        "line 8: “created_at” lies outside the years 1900 to 2200.",
        "line 9: “created_at” is not a date in ISO 8601.",
        "line 10: a tool call has no name.",
        "line 11: “id” is not text.",
        "line 12: it is not UTF-8.",
        "line 13: it is not JSON.",
    ]


def test_first_thousand_skipped_lines_are_recorded(bring_in: Callable[..., Report]) -> None:
    report = bring_in('{"content": "good"}\n' + "bad\n" * 1500)
    assert (len(report.skipped), report.skipped_count) == (1000, 1500)
    assert report.reasons == {"it is not JSON": 1500}


def test_too_long_line_is_skipped(
    bring_in: Callable[..., Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jsonl, "MAX_LINE_BYTES", 1000)
    lines = [{"content": "a"}, {"content": "x" * 5000}, {"content": "b"}]
    report = bring_in(lines)
    assert counts(report) == (1, 2, 0, 1)
    assert report.skipped[0].startswith("line 2: it is longer than 0 MB")


@pytest.mark.parametrize(
    ("start", "repeated", "end"),
    [
        (b'{"text": "', b"a", b'"}'),
        (b'{"texts": [', b"1,", b"1]}"),
        (b"{", b'"a":1,', b'"a":1}'),
        (b"", b"[", b""),
    ],
    ids=["one text", "one list", "many keys", "brackets"],
)
def test_format_is_detected_at_the_start_of_the_file(
    start: bytes, repeated: bytes, end: bytes
) -> None:
    """Only part of a long first line is parsed, which takes a second instead of many."""
    line = start + repeated * (10_000_000 // len(repeated)) + end
    stream = io.BytesIO(line + b'\n{"content": "I moved to Lyon."}\n')
    reader = Reader(stream)
    assert (
        json_stream.find_signature(reader, {"a list": lambda path, event: event == "end_array"})
        == ""
    )
    assert reader.bytes_read <= json_stream._BYTES_TO_TRY < 5_000_000
    assert formats.recognise(stream) == jsonl.LABEL


def test_few_of_many_long_lines_are_parsed_for_detection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "_BYTES_TO_TRY", 3000)
    lines = [b"x" * 999, b"x" * 999, b"x" * 999, b'{"content": "too late"}', b""]
    assert not formats.recognise(io.BytesIO(b"\n".join(lines)))
    assert formats.recognise(io.BytesIO(b"\n".join(lines[1:])))


@pytest.mark.parametrize(
    ("line", "contents", "skipped"),
    [
        ('{"content": "One."}{"content": "Two."}', ["One.", "Two."], 0),
        ('{"content": "One."} \t{"content": "Two."}  ', ["One.", "Two."], 0),
        ('{"content": "One."}{"content": "Tw', ["One."], 1),
        ('{"content": "On{"content": "Two."}', ["Two."], 1),
        ('{"content": "On{"content": "Two."}{"content": "Three."}', ["Two.", "Three."], 1),
        ('{"a": {"content": "One."}, "b": [{"content": "x"}, {"content": "y"}], "c', [], 1),
        ('{"content": "One."}, {"content": "Two."}', ["One."], 1),
        ('12 {"content": "x"', [], 1),
        ("12 apples", [], 1),
        ('{"content": "Half a pair: \\udc4d", "seen": NaN}', ["Half a pair: \ufffd"], 0),
    ],
)
def test_whole_objects_of_a_line_are_imported(
    bring_in: Callable[..., Report], line: str, contents: list[str], skipped: int
) -> None:
    report = bring_in('{"content": "First."}\n' + line + "\n")
    assert [message.content for message in Message.objects.all()] == ["First.", *contents]
    assert report.skipped_count == skipped


def test_line_that_is_cut_within_a_character_spoils_only_itself() -> None:
    cut = '{"content": "Grün'.encode()[:-2] + b'{"content": "Blau"}'
    bad, whole = jsonl.values(cut)
    assert isinstance(bad, jsonl.BadLine)
    assert whole == {"content": "Blau"}
    assert all(isinstance(v, jsonl.BadLine) for v in jsonl.values(b'{"content": "Gr\xfcn"}'))
