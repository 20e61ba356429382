"""Importing: both formats, what is left out, and that nothing comes in twice."""

import io
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.files.base import ContentFile
from django.db import OperationalError
from django.utils import timezone
from pytest_django import Settings

from conversations import messages
from conversations.importers import (
    BrokenFile,
    Report,
    UnknownFormat,
    formats,
    import_file,
    import_run,
    import_stream,
    json_stream,
    jsonl,
    writer,
)
from conversations.importers import (
    reader as reading,
)
from conversations.importers.locomo import parse_date
from conversations.importers.reader import Reader
from conversations.importers.seen_counter import SeenCounter
from conversations.models import Conversation, ConversationOrigin, Import, Message
from conversations.signals import turn_finished
from instances.models import Instance


def turn(speaker: str, turn_id: str, text: str, **more: str) -> dict[str, str]:
    return {"speaker": speaker, "dia_id": turn_id, "text": text, **more}


def sample(sample_id: str = "allotment", **conversation: Any) -> dict[str, Any]:
    """Two sessions about an allotment; *conversation* replaces what it says."""
    return {
        "qa": [{"question": "What grows?", "answer": "Leeks", "evidence": ["D1:2"]}],
        "conversation": {
            "speaker_a": "Rosa",
            "speaker_b": "Imre",
            "session_10_date_time": "12:05 am on 1 March, 2024",
            "session_10": [turn("Rosa", "D10:1", "The leeks are up.")],
            "session_2_date_time": "1:56 pm on 8 May, 2023",
            "session_2": [
                turn("Rosa", "D2:1", "I rented an allotment by the canal."),
                turn("Imre", "D2:2", "", blip_caption="a shed with a green door"),
            ],
            **conversation,
        },
        "observation": {"session_2_observation": {"Rosa": [["Rosa rented.", "D2:1"]]}},
        "sample_id": sample_id,
    }


def stream_of(content: Any) -> io.BytesIO:
    """JSON of anything but text; text as it is; of a list of objects with content, JSONL."""
    if isinstance(content, str):
        return io.BytesIO(content.encode())
    if isinstance(content, list) and content and "content" in content[0]:
        return io.BytesIO("\n".join(json.dumps(line) for line in content).encode())
    return io.BytesIO(json.dumps(content).encode())


@pytest.fixture
def bring_in(instance: Instance) -> Callable[..., Report]:
    """Import *content*, which is called notes.jsonl."""

    def bring_in(content: Any, name: str = "notes.jsonl") -> Report:
        stream = content if isinstance(content, io.BytesIO) else stream_of(content)
        return import_stream(instance, stream, name=name)

    return bring_in


@pytest.fixture
def finished() -> Iterator[list[str]]:
    """The external ids of the conversations that were said to be finished."""
    told: list[str] = []

    def note(sender: type, *, conversation: Conversation, **kwargs: Any) -> None:
        told.append(conversation.external_id)

    turn_finished.connect(note)
    yield told
    turn_finished.disconnect(note)


def counts(report: Report) -> tuple[int, int, int, int]:
    return (
        report.conversations,
        report.messages_added,
        report.messages_known,
        report.skipped_count,
    )


# LoCoMo


def test_a_sample_becomes_a_conversation(bring_in: Callable[..., Report]) -> None:
    report = bring_in([sample()])
    assert counts(report) == (1, 3, 0, 0)
    conversation = Conversation.objects.get()
    assert conversation.external_id == "locomo:allotment"
    assert conversation.title == "Rosa and Imre"
    assert conversation.created_at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert conversation.last_activity_at == datetime(2024, 3, 1, 0, 5, tzinfo=UTC)
    assert list(
        conversation.messages.values_list("external_id", "role", "author", "content", "caption")
    ) == [
        ("D2:1", "user", "Rosa", "I rented an allotment by the canal.", ""),
        ("D2:2", "user", "Imre", "", "a shed with a green door"),
        ("D10:1", "user", "Rosa", "The leeks are up.", ""),
    ]


def test_dates_are_in_the_instance_s_time_zone(
    instance: Instance, bring_in: Callable[..., Report]
) -> None:
    instance.time_zone = "Europe/Budapest"
    bring_in([sample()])
    assert Message.objects.get(external_id="D2:1").sent_at == datetime(
        2023, 5, 8, 11, 56, tzinfo=UTC
    )


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56)),
        ("12:09 am on 13 September, 2023", datetime(2023, 9, 13, 0, 9)),
        (" 10:37 AM on 27 June, 2023 ", datetime(2023, 6, 27, 10, 37)),
        ("31 February, 2023", None),
        ("1:56 pm on 31 February, 2023", None),
        ("", None),
    ],
)
def test_parse_date(text: str, date: datetime | None) -> None:
    zone = ZoneInfo("Asia/Tokyo")
    assert parse_date(text, zone) == (date.replace(tzinfo=zone) if date else None)


def test_one_sample_alone_and_a_byte_order_mark(bring_in: Callable[..., Report]) -> None:
    content = b"\xef\xbb\xbf \n" + json.dumps(sample(), indent=2).encode()
    assert counts(bring_in(io.BytesIO(content))) == (1, 3, 0, 0)


def test_importing_again_adds_what_is_new_only(bring_in: Callable[..., Report]) -> None:
    bring_in([sample()])
    assert counts(bring_in([sample()])) == (1, 0, 3, 0)
    grown = sample(session_11=[turn("Imre", "D11:1", "And the beans?")])
    assert counts(bring_in([grown, sample("orchard")])) == (2, 4, 3, 0)


def test_sessions_without_date_or_turns(bring_in: Callable[..., Report]) -> None:
    bring_in(
        [
            sample(
                session_1=[turn("Imre", "D1:1", "Hello.")],
                session_3=[turn("Imre", "D3:1", "Bye.")],
                session_4=[],
                session_5_date_time="1:00 pm on 2 June, 2023",
            )
        ]
    )
    may = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    dates = dict(Message.objects.values_list("external_id", "sent_at"))
    assert (dates["D1:1"], dates["D3:1"]) == (may, may)


def test_what_is_malformed_is_left_out_with_its_place(bring_in: Callable[..., Report]) -> None:
    report = bring_in(
        [
            sample(
                session_2=[
                    "hello",
                    turn("Rosa", "D2:2", " "),
                    {"speaker": "Rosa", "dia_id": "D2:3", "text": 7},
                    turn("Rosa", "D2:4", "Kept."),
                ],
                session_3="none",
                session_10_date_time="yesterday\x00",
            ),
            {"sample_id": "x", "conversation": {"session_1": []}},
            {"sample_id": "y"},
        ]
    )
    assert counts(report) == (1, 2, 0, 7)
    assert report.skipped == [
        "sample allotment, session 10: its date “yesterday” cannot be read.",
        "sample allotment, session 3: it is not a list of turns.",
        "sample allotment, session 2, turn 1: it is not an object.",
        "sample allotment, session 2, turn 2: it has neither “text” nor “blip_caption”.",
        "sample allotment, session 2, turn 3: “text” is not text.",
        "sample x: it has no turns.",
        "sample 3: it has no “conversation”.",
    ]


def test_two_turns_under_one_id_are_both_kept(bring_in: Callable[..., Report]) -> None:
    twice = [sample(session_2=[turn("Rosa", "D2:1", "One."), turn("Rosa", "D2:1", "Two.")])]
    assert counts(bring_in(twice)) == (1, 3, 0, 0)
    assert counts(bring_in(twice)) == (1, 0, 3, 0)


def test_samples_and_turns_without_ids(bring_in: Callable[..., Report]) -> None:
    bare = sample(session_2=[{"speaker": "Rosa", "text": "Hi."}])
    del bare["sample_id"]
    assert counts(bring_in([bare], "talk.json")) == (1, 2, 0, 0)
    assert counts(bring_in([bare], "talk.json")) == (1, 0, 2, 0)
    assert Conversation.objects.get().external_id == "locomo:talk.json:1"


def test_what_stands_before_a_break_comes_in(
    bring_in: Callable[..., Report], finished: list[str]
) -> None:
    whole = json.dumps([sample(), sample("orchard")])
    with pytest.raises(BrokenFile, match=r"broken near byte"):
        bring_in(whole[:-200])
    assert Conversation.objects.get().external_id == "locomo:allotment"
    assert finished == ["locomo:allotment"]
    assert counts(bring_in(whole)) == (2, 3, 3, 0)


def test_a_sample_that_does_not_fit_into_memory(
    bring_in: Callable[..., Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MAX_PIECE_BYTES", 200_000)
    long = sample("long", session_1=[turn("Rosa", f"D1:{n}", "x" * 1000) for n in range(500)])
    report = bring_in([sample(), long, sample("orchard")])
    assert counts(report) == (2, 6, 0, 1)
    assert report.skipped[0].startswith("sample 2: it is larger than 0 MB")


# JSONL


def test_every_field_of_a_line(bring_in: Callable[..., Report]) -> None:
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


def test_lines_without_conversation_are_one(bring_in: Callable[..., Report]) -> None:
    bring_in('\ufeff{"content": "one"}\r\n\n{"content": "two"}\n')
    conversation = Conversation.objects.get()
    assert conversation.external_id == "file:notes.jsonl"
    assert conversation.title == "notes.jsonl"
    assert [(m.role, m.content) for m in conversation.messages.all()] == [
        ("user", "one"),
        ("user", "two"),
    ]


def test_people_s_words_are_kept_apart(bring_in: Callable[..., Report]) -> None:
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


def test_naive_dates_are_in_the_instance_s_time_zone(
    instance: Instance, bring_in: Callable[..., Report]
) -> None:
    instance.time_zone = "America/New_York"
    bring_in([{"content": "Snow.", "created_at": "2024-01-15T08:00"}])
    assert Message.objects.get().sent_at == datetime(2024, 1, 15, 13, tzinfo=UTC)


def test_the_same_said_twice_is_kept_twice_and_imported_once(
    bring_in: Callable[..., Report],
) -> None:
    said = [{"content": "ok"}, {"content": "ok"}, {"content": "ok", "conversation": "b"}]
    assert counts(bring_in(said)) == (2, 3, 0, 0)
    assert counts(bring_in(said)) == (2, 0, 3, 0)
    assert counts(bring_in([*said, {"content": "ok"}])) == (2, 1, 3, 0)


def test_bad_lines_are_left_out_with_their_number(bring_in: Callable[..., Report]) -> None:
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


def test_the_first_thousand_places_are_kept(bring_in: Callable[..., Report]) -> None:
    report = bring_in('{"content": "good"}\n' + "bad\n" * 1500)
    assert (len(report.skipped), report.skipped_count) == (1000, 1500)
    assert report.reasons == {"it is not JSON": 1500}


def test_a_line_that_is_too_long(
    bring_in: Callable[..., Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jsonl, "MAX_LINE_BYTES", 1000)
    lines = [{"content": "a"}, {"content": "x" * 5000}, {"content": "b"}]
    report = bring_in(lines)
    assert counts(report) == (1, 2, 0, 1)
    assert report.skipped[0].startswith("line 2: it is longer than 0 MB")


@pytest.mark.parametrize(
    "line",
    [
        b'{"text": "' + b"a" * 50_000_000 + b'"}',
        b'{"texts": [' + b"1," * 25_000_000 + b"1]}",
        b"{" + b'"a":1,' * 8_000_000 + b'"a":1}',
        b"[" * 50_000_000,
    ],
    ids=["one text", "one list", "many keys", "brackets"],
)
def test_what_a_file_is_shows_in_its_beginning(line: bytes) -> None:
    """However long its first line is, only some of it is parsed, which takes a second and not
    half a minute.
    """
    stream = io.BytesIO(line + b'\n{"content": "I moved to Lyon."}\n')
    reader = Reader(stream)
    assert (
        json_stream.find_signature(reader, {"a list": lambda path, event: event == "end_array"})
        == ""
    )
    assert reader.bytes_read <= json_stream._BYTES_TO_TRY < 5_000_000
    assert formats.recognise(stream) == jsonl.LABEL


def test_of_many_long_lines_only_some_are_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "_BYTES_TO_TRY", 3000)
    lines = [b"x" * 999, b"x" * 999, b"x" * 999, b'{"content": "too late"}', b""]
    assert not jsonl.recognise(Reader(io.BytesIO(b"\n".join(lines))))
    assert jsonl.recognise(Reader(io.BytesIO(b"\n".join(lines[1:]))))


def test_what_postgresql_cannot_hold(bring_in: Callable[..., Report]) -> None:
    odd = r'{"content": "a\u0000b \ud83d", "conversation": "c\u0000", "title": "\u0000t"}'
    assert counts(bring_in(odd)) == (1, 1, 0, 0)
    assert counts(bring_in(odd)) == (1, 0, 1, 0)
    assert Message.objects.get().content == "ab �"


def test_chunks_and_conversations_that_alternate(
    bring_in: Callable[..., Report], finished: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "MAX_CHUNK_MESSAGES", 4)
    said = [{"content": f"{n}", "conversation": "ab"[n % 2]} for n in range(22)]
    assert counts(bring_in(said)) == (2, 22, 0, 0)
    even = Message.objects.filter(conversation__external_id="jsonl:a")
    assert [m.content for m in even] == [str(n) for n in range(0, 22, 2)]
    assert set(finished) == {"jsonl:a", "jsonl:b"}
    assert counts(bring_in(said)) == (2, 0, 22, 0)


# Finishing


def test_a_conversation_is_finished_once(
    bring_in: Callable[..., Report], finished: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "MAX_CHUNK_MESSAGES", 4)
    said = [{"content": f"{n}", "conversation": "ab"[n >= 8]} for n in range(12)]
    bring_in(said)
    assert finished == ["jsonl:a", "jsonl:b"]
    Conversation.objects.update(watermark=100)
    bring_in(said)
    assert finished == ["jsonl:a", "jsonl:b"]


def test_a_crash_before_finishing_is_made_good(
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
def test_other_formats_are_refused(bring_in: Callable[..., Report], content: bytes) -> None:
    with pytest.raises(
        UnknownFormat, match=r"Accepted are: the export of ChatGPT .*JSONL|archive is damaged"
    ):
        bring_in(io.BytesIO(content))
    assert not Conversation.objects.exists()


def test_jsonl_is_recognised_behind_bad_lines(bring_in: Callable[..., Report]) -> None:
    assert counts(bring_in('# a comment\n{"content": "x"}\n')) == (1, 1, 0, 1)


def test_tally_counts_each_apart() -> None:
    with SeenCounter() as tally:
        assert [tally.count("a", "b"), tally.count("ab"), tally.count("a", "b")] == [1, 1, 2]


# The row


@pytest.fixture
def uploaded(instance: Instance, tmp_path: Path, settings: Settings) -> Callable[[Any], Import]:
    """A row that a worker has just claimed."""
    settings.MEDIA_ROOT = tmp_path

    def upload(content: Any) -> Import:
        data = stream_of(content).getvalue()
        return Import.objects.create(
            instance=instance,
            filename="talk.json",
            file=ContentFile(data, "talk.json"),
            bytes_total=len(data),
            state=Import.State.RUNNING,
            heartbeat_at=timezone.now() - timedelta(seconds=5),
        )

    return upload


def test_an_import_succeeds(uploaded: Callable[[Any], Import], tmp_path: Path) -> None:
    row = uploaded([sample(session_1=["bad"])])
    import_file(row)
    row = Import.objects.get()
    assert row.state == Import.State.SUCCEEDED
    assert (row.conversations, row.messages_added, row.messages_known) == (1, 3, 0)
    assert row.skipped == ["sample allotment, session 1, turn 1: it is not an object."]
    assert (row.skipped_count, row.percent, row.error) == (1, 100, "")
    assert row.finished_at
    assert not row.file
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == []


def test_an_unknown_format_fails_and_says_what_is_accepted(
    uploaded: Callable[[Any], Import],
) -> None:
    import_file(uploaded("hello"))
    row = Import.objects.get()
    assert row.state == Import.State.FAILED
    assert "Accepted are" in row.error
    assert row.finished_at
    assert not row.file


def test_a_broken_file_fails_with_what_came_in(uploaded: Callable[[Any], Import]) -> None:
    import_file(uploaded(json.dumps([sample(), sample("b")])[:-200]))
    row = Import.objects.get()
    assert (row.state, row.messages_added) == (Import.State.FAILED, 3)
    assert "broken" in row.error


def test_a_file_that_is_gone(uploaded: Callable[[Any], Import]) -> None:
    row = uploaded([sample()])
    Path(row.file.path).unlink()
    import_file(row)
    row.refresh_from_db()
    assert row.state == Import.State.FAILED
    assert "Upload it again" in row.error


def test_a_bug_ends_in_failure_and_not_in_a_loop(
    uploaded: Callable[[Any], Import], monkeypatch: pytest.MonkeyPatch
) -> None:
    def bug(*args: Any, **kwargs: Any) -> None:
        raise KeyError

    monkeypatch.setattr(import_run, "import_stream", bug)
    import_file(uploaded([sample()]))
    row = Import.objects.get()
    assert row.state == Import.State.FAILED
    assert "KeyError" in row.error


@pytest.mark.parametrize("death", [SystemExit, OperationalError])
def test_a_crash_leaves_it_running_and_the_next_worker_adds_nothing_twice(
    uploaded: Callable[[Any], Import],
    monkeypatch: pytest.MonkeyPatch,
    death: type[BaseException],
) -> None:
    monkeypatch.setattr("conversations.importers.progress.UPDATE_INTERVAL_SECONDS", 0)
    monkeypatch.setattr(writer, "MAX_CHUNK_MESSAGES", 3)
    row = uploaded([sample(), sample("orchard")])
    store = messages.append

    def die_at_the_second(conversation: Conversation, *args: Any, **kwargs: Any) -> Any:
        if conversation.external_id == "locomo:orchard":
            raise death
        return store(conversation, *args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr("conversations.importers.writer.append", die_at_the_second)
        with pytest.raises(death):
            import_file(row)
    row = Import.objects.get()
    assert (row.state, row.messages_added) == (Import.State.RUNNING, 3)

    import_file(row)
    row = Import.objects.get()
    assert row.state == Import.State.SUCCEEDED
    assert (row.conversations, row.messages_added, row.messages_known) == (2, 6, 0)
    assert Message.objects.count() == 6


def test_a_slow_worker_stops_when_another_has_taken_over(
    uploaded: Callable[[Any], Import], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("conversations.importers.progress.UPDATE_INTERVAL_SECONDS", 0)
    row = uploaded([sample()])
    taken = timezone.now()
    Import.objects.update(heartbeat_at=taken)
    import_file(row)
    row.refresh_from_db()
    assert (row.state, row.heartbeat_at) == (Import.State.RUNNING, taken)
    assert not Message.objects.exists()


def test_progress_shows_while_it_comes_in(
    uploaded: Callable[[Any], Import], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("conversations.importers.progress.UPDATE_INTERVAL_SECONDS", 0)
    monkeypatch.setattr(writer, "MAX_CHUNK_MESSAGES", 1)
    row = uploaded([{"content": f"{n}"} for n in range(5)])
    shown: list[int] = []
    store = messages.append

    def look(*args: Any, **kwargs: Any) -> Any:
        shown.append(Import.objects.get().messages_added)
        return store(*args, **kwargs)

    monkeypatch.setattr("conversations.importers.writer.append", look)
    import_file(row)
    assert shown == [0, 1, 2, 3, 4]
