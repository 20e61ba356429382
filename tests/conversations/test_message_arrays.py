"""Import of lists of messages, as programs send them to a model."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import pytest

from conversations.importers import BrokenFile, Report, jsonl
from conversations.models import Conversation, Message
from tests.conversations.import_files import counts

pytestmark = pytest.mark.django_db

TALK = [
    {"role": "system", "content": "Answer briefly."},
    {"role": "user", "content": "How many bees live in a hive?"},
    {"role": "assistant", "content": "About forty thousand."},
]


def file_of(content: Any, **dumps: Any) -> BytesIO:
    return BytesIO(json.dumps(content, **dumps).encode())


def lines_of(*records: Any) -> BytesIO:
    return BytesIO("\n".join(json.dumps(record) for record in records).encode())


def said() -> list[tuple[str, str]]:
    return [(m.role, m.content) for m in Message.objects.order_by("conversation_id", "position")]


def other(question: str) -> list[dict[str, str]]:
    return [TALK[0], {"role": "user", "content": question}]


@pytest.mark.parametrize(
    ("content", "conversations"),
    [
        (file_of(TALK), 1),
        (file_of(TALK, indent=2), 1),
        (file_of([TALK, other("And wasps?")]), 2),
        (file_of([TALK, other("And wasps?")], indent=2), 2),
        (file_of({"messages": TALK}), 1),
        (file_of({"model": "m", "messages": TALK}, indent=2), 1),
        (file_of([{"messages": TALK}, {"messages": other("And wasps?")}], indent=2), 2),
        (lines_of({"messages": TALK}, {"messages": other("And wasps?")}), 2),
        (lines_of(TALK, other("And wasps?")), 2),
    ],
)
def test_each_shape_is_read_once(
    content: BytesIO, conversations: int, bring_in: Callable[..., Report]
) -> None:
    number = 3 if conversations == 1 else 5
    report = bring_in(content, "chat.json")
    assert report.format == "Lists of messages with roles"
    assert counts(report) == (conversations, number, 0, 0)
    assert said()[:3] == [(m["role"], m["content"]) for m in TALK]
    assert counts(bring_in(content, "chat.json")) == (conversations, 0, number, 0)


def test_grown_list_gets_its_new_messages(bring_in: Callable[..., Report]) -> None:
    bring_in(file_of(TALK), "chat.json")
    grown = [*TALK, {"role": "user", "content": "So many!"}]
    assert counts(bring_in(file_of(grown), "chat.json")) == (1, 1, 3, 0)
    # Another file that begins alike is another conversation.
    assert counts(bring_in(file_of(TALK), "other.json")) == (1, 3, 0, 0)


def test_parts_calls_and_results_are_read(bring_in: Callable[..., Report]) -> None:
    report = bring_in(
        file_of(
            [
                {
                    "role": "user",
                    "content": [
                        {"type": "text", "text": "What is this?"},
                        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
                        {"type": "file", "file": {"filename": "hive.pdf", "file_data": "AAAA"}},
                        {"type": "hologram"},
                        7,
                    ],
                    "created_at": "2024-05-01T12:00:00Z",
                },
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [
                        {"id": "c1", "function": {"name": "look", "arguments": '{"at": "hive"}'}}
                    ],
                },
                {"role": "tool", "tool_call_id": "c1", "content": "A hive."},
                {"role": "assistant", "content": "It is a hive."},
            ]
        )
    )
    question, call, result, answer = Message.objects.order_by("position")
    assert (question.content, question.caption) == ("What is this?", "a picture; file: hive.pdf")
    assert question.sent_at == datetime(2024, 5, 1, 12, tzinfo=UTC)
    assert call.tool_calls == [{"name": "look", "arguments": '{"at": "hive"}'}]
    assert (result.role, result.content, result.tool_name) == ("tool", "A hive.", "look")
    assert answer.content == "It is a hive."
    assert report.reasons == {"parts of messages whose type is not known": 2}


def test_everything_left_out_is_counted(bring_in: Callable[..., Report]) -> None:
    report = bring_in(
        lines_of(
            {"messages": TALK},
            {"messages": []},
            {"prompt": "no messages"},
            {"messages": [3, {"role": "narrator", "content": "x"}, {"role": "user"}]},
        )
    )
    assert report.messages_added == 3
    assert report.skipped_count == 6
    assert report.skipped[0] == "line 2: it is neither a message nor a list of them."
    assert "line 4, message 2: its role is none of" in report.skipped[3]
    assert "line 4: empty conversation." in report.skipped


def test_bad_lines_and_deep_nesting_do_not_stop_the_others(
    bring_in: Callable[..., Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jsonl, "MAX_LINE_BYTES", 2000)
    content = b"\n".join(
        [
            json.dumps({"messages": TALK}).encode(),
            b'{"messages": [{"role": "user", "content": ' + b"[" * 900 + b"]" * 900 + b"}]}",
            b"oops",
            json.dumps({"messages": other("x" * 3000)}).encode(),
            json.dumps({"messages": other("And wasps?")}).encode(),
        ]
    )
    assert counts(bring_in(BytesIO(content))) == (2, 5, 0, 3)


def test_broken_list_is_imported_up_to_the_damage(bring_in: Callable[..., Report]) -> None:
    with pytest.raises(BrokenFile):
        bring_in(BytesIO(json.dumps(TALK, indent=1).encode()[:-40]))
    assert len(said()) == 2


def test_ids_and_titles_of_the_file_are_kept(bring_in: Callable[..., Report]) -> None:
    record = {"id": "c7", "title": "Bees", "messages": TALK, "created_at": 1_714_564_800}
    bring_in(file_of(record))
    conversation = Conversation.objects.get()
    assert (conversation.external_id, conversation.title) == ("messages:c7", "Bees")
    assert conversation.created_at == datetime(2024, 5, 1, 12, tzinfo=UTC)
