"""Import of sessions of Claude Code and of Codex."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import pytest

from conversations.importers import Report
from conversations.importers.claude_code import _said
from conversations.models import Conversation, Message

pytestmark = pytest.mark.django_db


def lines_of(*records: Any) -> BytesIO:
    return BytesIO("\n".join(json.dumps(record) for record in records).encode())


def event(kind: str, number: int, content: Any, **more: Any) -> dict[str, Any]:
    """Return a line of Claude Code."""
    return {
        "parentUuid": f"e{number - 1}",
        "isSidechain": False,
        "userType": "external",
        "cwd": "/home/ada/clocks",
        "sessionId": "s1",
        "version": "1.0.56",
        "type": kind,
        "message": {"role": kind, "content": content},
        "uuid": f"e{number}",
        "timestamp": "2025-06-02T18:46:59.937Z",
        **more,
    }


SESSION = [
    {"type": "summary", "summary": "Repair the clock’s tests", "leafUuid": "e9"},
    {"type": "file-history-snapshot", "messageId": "e1", "snapshot": {}},
    event("user", 1, "Caveat: the messages below were generated", isMeta=True),
    event("user", 2, "<command-name>/model</command-name><command-args>best</command-args>"),
    event("user", 3, "<local-command-stdout>Set</local-command-stdout>"),
    event(
        "user",
        4,
        [
            {"type": "text", "text": "<system-reminder>Be careful.</system-reminder>"},
            {"type": "text", "text": "Why does the test fail? I use Python 3.13."},
            {"type": "image", "source": {"type": "base64", "data": "AAAA"}},
        ],
    ),
    event("assistant", 5, [{"type": "thinking", "thinking": "Hm.", "signature": "x"}]),
    event("assistant", 6, [{"type": "text", "text": "Let me look."}]),
    event("assistant", 7, [{"type": "tool_use", "name": "Read", "input": {"path": "a.py"}}]),
    event("user", 8, [{"type": "tool_result", "tool_use_id": "t", "content": "def a(): …"}]),
    event("assistant", 9, [{"type": "text", "text": "A fixture is missing."}]),
    event("user", 10, "Find all callers", isSidechain=True),
    {"type": "system", "subtype": "compact_boundary", "sessionId": "s1", "content": "Compacted"},
    event("user", 11, "This session is continued …", isCompactSummary=True),
]


def test_session_of_claude_code_is_imported(bring_in: Callable[..., Report]) -> None:
    report = bring_in(lines_of(*SESSION, "oops"), "s1.jsonl")
    assert report.format == "Claude Code session"
    conversation = Conversation.objects.get()
    assert (conversation.external_id, conversation.title) == (
        "claude-code:s1",
        "Repair the clock’s tests",
    )
    rows = [(m.role, m.content) for m in Message.objects.order_by("position")]
    assert rows == [
        ("user", "/model best"),
        ("user", "Why does the test fail? I use Python 3.13."),
        ("assistant", "Let me look."),
        ("assistant", ""),
        ("assistant", "A fixture is missing."),
    ]
    question, call = Message.objects.get(external_id="e4"), Message.objects.get(external_id="e7")
    assert question.caption == "a picture"
    assert question.sent_at == datetime(2025, 6, 2, 18, 46, 59, 937000, tzinfo=UTC)
    assert call.tool_calls == [{"name": "Read", "arguments": '{"path": "a.py"}'}]
    assert report.reasons == {
        "notes of the program about the session": 2,
        "messages that the program wrote": 3,
        "empty messages": 1,
        "the model’s reasoning": 1,
        "results of tools": 1,
        "messages between the assistant and its subagents": 1,
        "summaries of what was said before": 1,
        "it is not an object": 1,
    }
    assert bring_in(lines_of(*SESSION), "copy.jsonl").messages_known == 5


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Hello <b>there</b>", "Hello <b>there</b>"),
        ("Hello<system-reminder>x</system-reminder> there", "Hello there"),
        ("Hello<system-reminder>x<system-reminder>y", "Hello"),
        ("<ide_selection>a</ide_selection><ide_selection>b</ide_selection>c", "c"),
        ("<command-message>init</command-message>\n<command-name>/init</command-name>", "/init"),
    ],
)
def test_own_words_are_told_from_those_of_the_program(text: str, own: str) -> None:
    assert _said(text) == own


def item(kind: str, **payload: Any) -> dict[str, Any]:
    return {
        "timestamp": "2025-10-01T08:00:00.000Z",
        "type": "response_item",
        "payload": {"type": kind, **payload},
    }


def text(role: str, content: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return {"role": role, "content": [{"type": kind, "text": content}]}


ITEMS = [
    {"type": "reasoning", "summary": [], "encrypted_content": "x"},
    {"type": "message", **text("developer", "Be careful.")},
    {"type": "message", **text("user", "<environment_context>\n<cwd>/x</cwd>")},
    {"type": "message", **text("user", "Why does the test fail?")},
    {"type": "function_call", "name": "shell", "arguments": '{"command": ["ls"]}', "call_id": "c"},
    {"type": "function_call_output", "call_id": "c", "output": "a.py"},
    {"type": "message", **text("assistant", "A fixture is missing.")},
    {"type": "message", **text("user", "Go on")},
    {"type": "message", **text("user", "Go on")},
]


@pytest.mark.parametrize("old", [False, True])
def test_session_of_codex_is_imported(old: bool, bring_in: Callable[..., Report]) -> None:
    about = {"id": "s1", "timestamp": "2025-10-01T07:59:00.000Z", "instructions": None}
    if old:
        session = [about, *ITEMS]
    else:
        session = [
            {"type": "session_meta", "payload": {**about, "cwd": "/home/ada/clocks"}},
            *(item(each["type"], **each) for each in ITEMS),
            {"type": "event_msg", "payload": {"type": "user_message", "message": "Why?"}},
        ]
    report = bring_in(lines_of(*session), "rollout.jsonl")
    assert report.format == "Codex session"
    conversation = Conversation.objects.get()
    assert conversation.external_id == "codex:s1"
    assert conversation.title == ("rollout.jsonl" if old else "clocks")
    rows = [(m.role, m.content, m.tool_calls) for m in Message.objects.order_by("position")]
    assert rows == [
        ("user", "Why does the test fail?", []),
        ("assistant", "", [{"name": "shell", "arguments": '{"command": ["ls"]}'}]),
        ("assistant", "A fixture is missing.", []),
        ("user", "Go on", []),
        ("user", "Go on", []),
    ]
    assert report.reasons == {
        "the model’s reasoning": 1,
        "system messages": 1,
        "messages that the program wrote": 1,
        "results of tools": 1,
        **({} if old else {"notes of the program about the session": 1}),
    }
    assert bring_in(lines_of(*session), "rollout.jsonl").messages_known == 5
