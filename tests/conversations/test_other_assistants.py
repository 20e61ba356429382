"""Import of exports from Open WebUI, LibreChat, LM Studio, Grok and Gemini."""

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import pytest

from conversations.importers import BrokenFile, Report, UnknownFormat, formats
from conversations.importers.export_fields import OTHER_BRANCHES, moment_in
from conversations.importers.gemini import plain_text, prompt_in
from conversations.models import Conversation, Message
from tests.conversations.import_files import counts

pytestmark = pytest.mark.django_db

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
SECONDS = 1_714_564_800
ASKED, ANSWERED = "How many bees?", "Forty thousand."


def file_of(content: Any) -> BytesIO:
    return BytesIO(json.dumps(content, indent=1).encode())


def said() -> list[tuple[str, str]]:
    return [(m.role, m.content) for m in Message.objects.order_by("conversation_id", "position")]


# Open WebUI


def webui(**more: Any) -> dict[str, Any]:
    """Return a chat with two answers, the second of which is the current one."""
    thought = (
        '<details type="reasoning" done="true">\n<summary>Thought</summary>\n> Hm.\n</details>'
    )
    return {
        "id": "w1",
        "user_id": "u",
        "title": "Bees",
        "chat": {
            "title": "Bees",
            "models": ["m"],
            "history": {
                "currentId": "a2",
                "messages": {
                    "q": {
                        "id": "q",
                        "parentId": None,
                        "childrenIds": ["a1", "a2"],
                        "role": "user",
                        "content": ASKED,
                        "timestamp": SECONDS,
                        "files": [{"type": "file", "name": "hive.pdf"}],
                    },
                    "a1": {"parentId": "q", "role": "assistant", "content": "Ten."},
                    "a2": {
                        "parentId": "q",
                        "role": "assistant",
                        "content": f"{thought}\n{ANSWERED}",
                        "timestamp": SECONDS + 60,
                    },
                },
            },
            "messages": [{"id": "q", "role": "user", "content": ASKED}],
        },
        "created_at": SECONDS,
        **more,
    }


def test_current_branch_of_open_webui_is_imported(bring_in: Callable[..., Report]) -> None:
    report = bring_in(file_of([webui(), {"chat": 3}, 4]))
    assert report.format == "Open WebUI export"
    assert said() == [("user", ASKED), ("assistant", ANSWERED)]
    assert report.reasons == {
        OTHER_BRANCHES: 1,
        "the model’s reasoning": 1,
        "it has no “chat”": 2,
    }
    question = Message.objects.get(role="user")
    assert (question.sent_at, question.caption) == (NOON, "file: hive.pdf")
    assert Conversation.objects.get().external_id == "open-webui:w1"
    assert bring_in(file_of([webui()])).messages_known == 2


def test_old_chat_of_open_webui_is_a_list(bring_in: Callable[..., Report]) -> None:
    listed = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": ASKED}]},
        {"role": "assistant", "content": ""},
    ]
    report = bring_in(file_of({"id": "w2", "chat": {"title": "Old", "messages": listed}}))
    assert said() == [("user", ASKED)]
    assert report.reasons == {"system messages": 1, "empty messages": 1}


@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        ({"currentId": "gone"}, [ASKED, ANSWERED]),
        ({"messages": {}}, [ASKED]),
        ({"messages": {"q": 3, "x": {"role": "user", "content": "x"}}}, ["x"]),
    ],
)
def test_damaged_chat_of_open_webui_is_imported_partially(
    damage: dict[str, Any], expected: list[str], bring_in: Callable[..., Report]
) -> None:
    chat = webui()
    chat["chat"]["history"] |= damage
    bring_in(file_of([chat]))
    assert [content for _, content in said()] == expected


# LibreChat


def libre(**more: Any) -> dict[str, Any]:
    nobody = "00000000-0000-0000-0000-000000000000"
    return {
        "conversationId": "l1",
        "endpoint": "openAI",
        "title": "Bees",
        "exportAt": "12:00:00 GMT+0000",
        "branches": True,
        "recursive": False,
        "messages": [
            {
                "messageId": "q0",
                "parentMessageId": nobody,
                "sender": "User",
                "isCreatedByUser": True,
                "text": "How many wasps?",
                "createdAt": "2024-05-01T11:00:00.000Z",
            },
            {
                "messageId": "q",
                "parentMessageId": nobody,
                "sender": "User",
                "isCreatedByUser": True,
                "text": ASKED,
                "createdAt": "2024-05-01T12:00:00.000Z",
            },
            {
                "messageId": "a",
                "parentMessageId": "q",
                "sender": "Assistant",
                "isCreatedByUser": False,
                "text": "",
                "content": [
                    {"type": "think", "think": "Hm."},
                    {"type": "tool_call", "tool_call": {"name": "f", "args": "{}", "output": "4"}},
                    {"type": "text", "text": {"value": ANSWERED}},
                ],
            },
        ],
        **more,
    }


def test_newest_branch_of_librechat_is_imported(bring_in: Callable[..., Report]) -> None:
    report = bring_in(file_of(libre()))
    assert report.format == "LibreChat export"
    assert said() == [("user", ASKED), ("assistant", ANSWERED)]
    assert report.reasons == {
        OTHER_BRANCHES: 1,
        "the model’s reasoning": 1,
        "results of tools": 1,
    }
    answer = Message.objects.get(role="assistant")
    assert answer.tool_calls == [{"name": "f", "arguments": "{}"}]
    assert answer.sent_at == NOON


def test_recursive_export_of_librechat_is_imported(bring_in: Callable[..., Report]) -> None:
    other, question, answer = libre()["messages"]
    del answer["parentMessageId"]
    nested = libre(messages=[other, {**question, "children": [answer, 3]}], recursive=True)
    assert counts(bring_in(file_of(nested)))[:3] == (1, 2, 0)
    assert said() == [("user", ASKED), ("assistant", ANSWERED)]


def test_tree_of_librechat_is_imported(bring_in: Callable[..., Report]) -> None:
    other, question, answer = libre().pop("messages")
    answer |= {"parentMessageId": None}
    tree = libre(messagesTree=[other, {**question, "children": [answer]}], recursive=True)
    del tree["messages"]
    report = bring_in(file_of(tree))
    assert said() == [("user", ASKED), ("assistant", ANSWERED)]
    assert report.reasons[OTHER_BRANCHES] == 1


def test_long_tree_of_librechat_is_imported(bring_in: Callable[..., Report]) -> None:
    message: dict[str, Any] = {}
    for number in reversed(range(300)):
        below = [message] if message else []
        message = {"messageId": f"m{number}", "isCreatedByUser": number % 2 == 0, "children": below}
        message["text"] = f"No. {number}"
    tree = {"conversationId": "c", "title": "Bees", "messagesTree": [message]}
    assert counts(bring_in(file_of(tree)))[:2] == (1, 300)
    assert said()[::299] == [("user", "No. 0"), ("assistant", "No. 299")]


# Trees of which not everything is there


def of_webui(current: str, **messages: dict[str, Any]) -> BytesIO:
    return file_of([{"id": "w", "chat": {"history": {"currentId": current, "messages": messages}}}])


def test_chat_whose_current_message_is_lost_ends_with_its_newest_turn(
    bring_in: Callable[..., Report],
) -> None:
    report = bring_in(
        of_webui(
            "gone",
            q={"parentId": None, "role": "user", "content": ASKED, "timestamp": SECONDS},
            a={"parentId": "q", "role": "assistant", "content": ANSWERED, "timestamp": SECONDS},
            lost={"parentId": "x", "role": "user", "content": "x", "timestamp": SECONDS + 9},
            alone={"role": "assistant", "content": "y", "timestamp": SECONDS + 9},
            nobody={"parentId": "a", "content": "z", "timestamp": SECONDS + 9},
        )
    )
    assert said() == [("user", ASKED), ("assistant", ANSWERED)]
    assert report.reasons == {
        "its current message is missing; the newest branch was taken": 1,
        OTHER_BRANCHES: 3,
    }


def test_lost_messages_do_not_make_a_line_of_a_tree(bring_in: Callable[..., Report]) -> None:
    report = bring_in(
        of_webui(
            "a2",
            q={"parentId": None, "role": "user", "content": ASKED},
            a1={"parentId": "q", "role": "assistant", "content": "Ten."},
            lost={"parentId": "x", "role": "assistant", "content": "x"},
            other={"parentId": "y", "role": "assistant", "content": "y"},
            a2={"parentId": "q", "role": "assistant", "content": ANSWERED},
        )
    )
    assert said() == [("user", ASKED), ("assistant", ANSWERED)]
    assert report.reasons == {OTHER_BRANCHES: 3}


def test_what_is_left_before_a_lost_message_begins_the_chat(
    bring_in: Callable[..., Report],
) -> None:
    report = bring_in(
        of_webui(
            "z",
            q={"parentId": None, "role": "user", "content": ASKED, "timestamp": SECONDS},
            a={"parentId": "q", "role": "assistant", "content": ANSWERED, "timestamp": SECONDS},
            z={
                "parentId": "x",
                "role": "assistant",
                "content": "Indeed.",
                "timestamp": SECONDS + 9,
            },
        )
    )
    assert said() == [("user", ASKED), ("assistant", ANSWERED), ("assistant", "Indeed.")]
    assert report.reasons == {"a message within it is missing": 1}


# DeepSeek


def test_newest_branch_of_deepseek_is_imported(bring_in: Callable[..., Report]) -> None:
    def node(parent: str | None, minute: int, *fragments: tuple[str, str]) -> dict[str, Any]:
        return {
            "parent": parent,
            "message": {
                "inserted_at": f"2024-05-01T20:{minute:02}:00+08:00",
                "files": [{"file_name": "hive.pdf"}] if minute == 0 else [],
                "fragments": [{"type": kind, "content": text} for kind, text in fragments],
            },
        }

    mapping = {
        "root": {"parent": None, "message": None},
        "1": node("root", 0, ("REQUEST", ASKED)),
        "2": node("1", 1, ("RESPONSE", "Ten.")),
        "3": node("1", 2, ("THINK", "Hm."), ("SEARCH", "hives"), ("RESPONSE", ANSWERED)),
    }
    report = bring_in(file_of([{"id": "d1", "title": "Bees", "mapping": mapping}]))
    assert report.format == "DeepSeek export"
    assert said() == [("user", ASKED), ("assistant", ANSWERED)]
    assert report.reasons == {
        OTHER_BRANCHES: 1,
        "the model’s reasoning": 1,
        "results of tools": 1,
    }
    question = Message.objects.get(role="user")
    assert (question.sent_at, question.caption) == (NOON, "file: hive.pdf")


# Files of a known format in which there is nothing


@pytest.mark.parametrize(
    "content",
    [
        [{"mapping": {"a": {"message": {"author": {"role": "system"}, "content": {}}}}}],
        [{"mapping": {"a": {"message": {"fragments": [{"type": "THINK", "content": "Hm."}]}}}}],
        [{"chat_messages": []}],
        [{"chat_messages": [{"sender": "nobody", "text": "x"}]}],
        {"chat": {"messages": [{"role": "system", "content": "Be brief."}]}},
    ],
)
def test_file_of_which_nothing_can_be_taken_is_refused(
    content: Any, bring_in: Callable[..., Report]
) -> None:
    with pytest.raises(UnknownFormat, match=r"nothing in it can be imported: [a-z ]+\."):
        bring_in(file_of(content))


# Records that hold no message


def strange(*records: Any) -> Any:
    return [3, None, "x", *records]


QUESTION = {"role": "user", "sender": "human", "text": ASKED, "content": ASKED}
#: Exports with a question, two records that are no messages, and how they are counted.
WITHOUT_MESSAGES: dict[str, tuple[Any, dict[str, int]]] = {
    "ChatGPT": (
        {
            "mapping": {
                "root": {"message": None},
                "q": {
                    "parent": "root",
                    "message": {"author": {"role": "user"}, "content": {"parts": ASKED}},
                },
                "a": 3,
                "b": {"parent": "q", "message": None},
                "c": {"parent": "q", "message": "x"},
            },
            "current_node": "q",
        },
        {"records that are no objects": 1, "empty messages": 2},
    ),
    "DeepSeek": (
        {
            "mapping": {
                "root": {"message": None},
                "q": {
                    "parent": "root",
                    "message": {"fragments": strange({"type": "REQUEST", "content": ASKED})},
                },
                "a": None,
                "b": {"parent": "q", "message": None},
            }
        },
        {"records that are no objects": 4, "empty messages": 1},
    ),
    "Claude": (
        {"chat_messages": strange({**QUESTION, "text": ""})},
        {"records that are no objects": 3},
    ),
    "LibreChat": (
        {
            "conversationId": "c",
            "messages": strange(
                {
                    "messageId": "q",
                    "isCreatedByUser": True,
                    "content": ASKED,
                    "children": [None],
                }
            ),
        },
        {"records that are no objects": 4},
    ),
    "Open WebUI": (
        {"chat": {"history": {"currentId": "q", "messages": {"q": QUESTION, "a": 3, "b": None}}}},
        {"records that are no objects": 2},
    ),
    "an older Open WebUI": (
        {"chat": {"messages": strange(QUESTION)}},
        {"records that are no objects": 3},
    ),
    "Grok": (
        {
            "conversations": [
                {"responses": strange({"response": {"sender": "human", "message": ASKED}})}
            ]
        },
        {"records that are no objects": 3},
    ),
    "LM Studio": (
        {
            "messages": [
                {"versions": [{"role": "user", "content": ASKED, "steps": ["x", None]}]},
            ]
        },
        {"records that are no objects": 2},
    ),
}


@pytest.mark.parametrize("name", WITHOUT_MESSAGES)
def test_records_without_a_message_are_counted(name: str, bring_in: Callable[..., Report]) -> None:
    content, reasons = WITHOUT_MESSAGES[name]
    report = bring_in(file_of(content))
    assert name.split()[-1] in report.format
    # A text in place of a list of parts is the content.
    assert said() == [("user", ASKED)]
    assert report.reasons == reasons


# LM Studio


def studio(**more: Any) -> dict[str, Any]:
    text = {"type": "text", "text": ANSWERED}
    return {
        "name": "Bees",
        "createdAt": SECONDS * 1000,
        "systemPrompt": "Be brief.",
        "messages": [
            {
                "versions": [
                    {
                        "type": "singleStep",
                        "role": "user",
                        "content": [{"type": "text", "text": "x"}],
                    },
                    {
                        "type": "singleStep",
                        "role": "user",
                        "content": [
                            {"type": "text", "text": ASKED},
                            {"type": "file", "fileIdentifier": "1.png", "fileType": "image"},
                        ],
                    },
                ],
                "currentlySelected": 1,
            },
            {
                "versions": [
                    {
                        "type": "multiStep",
                        "role": "assistant",
                        "steps": [
                            {
                                "type": "contentBlock",
                                "content": [{"type": "text", "text": "Hm."}],
                                "style": {"type": "thinking"},
                            },
                            {"type": "contentBlock", "content": [text]},
                            {"type": "debugInfoBlock", "debugInfo": "…"},
                        ],
                    }
                ],
                "currentlySelected": 0,
            },
            {"versions": [], "currentlySelected": 0},
        ],
        **more,
    }


def test_selected_versions_of_lm_studio_are_imported(bring_in: Callable[..., Report]) -> None:
    report = bring_in(file_of(studio()), "1714564800000.conversation.json")
    assert report.format == "LM Studio conversation"
    assert said() == [("user", ASKED), ("assistant", ANSWERED)]
    assert report.reasons == {
        "system messages": 1,
        OTHER_BRANCHES: 1,
        "the model’s reasoning": 1,
        "notes of the program about the session": 1,
        "it has no version with a role": 1,
    }
    assert Conversation.objects.get().title == "Bees"
    assert Message.objects.get(role="user").caption == "file: a file"
    # Renamed there, it is the same conversation.
    assert bring_in(file_of(studio(name="Hives")), "other.json").messages_known == 2


# Grok


def grok(**more: Any) -> dict[str, Any]:
    date = {"$date": {"$numberLong": str(SECONDS * 1000)}}
    return {
        "conversations": [
            {
                "conversation": {"id": "g1", "title": "Bees", "create_time": NOON.isoformat()},
                "responses": [
                    {
                        "response": {
                            "_id": "q",
                            "sender": "human",
                            "message": ASKED,
                            "create_time": date,
                        }
                    },
                    {
                        "response": {
                            "_id": "a",
                            "sender": "ASSISTANT",
                            "message": ANSWERED,
                            "thinking_trace": "Hm.",
                        },
                        "share_link": None,
                    },
                    {"response": {"_id": "x", "sender": "narrator", "message": "x"}},
                    7,
                ],
            }
        ],
        "projects": [{"name": "p"}],
        "tasks": [],
        **more,
    }


def test_export_of_grok_is_imported(bring_in: Callable[..., Report]) -> None:
    report = bring_in(file_of(grok()))
    assert report.format == "Grok export"
    assert said() == [("user", ASKED), ("assistant", ANSWERED)]
    assert {m.sent_at for m in Message.objects.all()} == {NOON}
    assert report.reasons == {
        "records that are no objects": 1,
        "the model’s reasoning": 1,
        "its sender is neither human nor assistant": 1,
        "records that are no conversations": 1,
    }


# Gemini


def activity(title: str, time: str, *answer: str, header: str = "Gemini Apps") -> dict[str, Any]:
    return {
        "header": header,
        "title": title,
        "time": time,
        "products": ["Gemini Apps"],
        "safeHtmlItem": [{"html": each} for each in answer],
    }


ACTIVITY = [
    activity("Prompted So many!", "2024-05-02T08:00:00.000Z", "<p>Yes.</p>"),
    activity(
        "Prompted And wasps?", "2024-05-01T12:05:00Z", "<p>A <b>few</b>:</p><ul><li>one</li></ul>"
    ),
    activity(f"Prompted {ASKED}", "2024-05-01T12:00:00Z", f"<p>{ANSWERED}</p>"),
    activity("Used Gemini Apps", "2024-05-01T11:00:00Z"),
    activity("Searched for bees", "2024-05-01T10:00:00Z", "<p>x</p>", header="Search"),
    7,
]


def test_activity_of_gemini_becomes_a_conversation_a_day(bring_in: Callable[..., Report]) -> None:
    report = bring_in(file_of(ACTIVITY))
    assert report.format == "Gemini activity from Google Takeout"
    titles = Conversation.objects.order_by("title").values_list("title", flat=True)
    assert list(titles) == ["Gemini 2024-05-01", "Gemini 2024-05-02"]
    first = Conversation.objects.get(title="Gemini 2024-05-01")
    assert [(m.role, m.content) for m in first.messages.all()] == [
        ("user", ASKED),
        ("assistant", ANSWERED),
        ("user", "And wasps?"),
        ("assistant", "A few:\n\n- one"),
    ]
    assert report.reasons == {
        "activity that is no prompt": 1,
        "activity in other products": 1,
        "it is not an object": 1,
    }
    assert bring_in(file_of(ACTIVITY)).messages_known == 6


@pytest.mark.parametrize(
    "title",
    [
        "Prompted I row.",
        "Prompted\u00a0I row.",
        "Asked Gemini: I row.",
        "Eingegebener Prompt: I row.",
        "Gestellte Frage: I row.",
        "Prompt\u00a0: I row.",
        "Requête saisie\u202f: I row.",
        "Has dicho: I row.",
        "Hiciste la petición I row.",
        "Instrucción enviada: I row.",
        "Hai chiesto I row.",
        "Richiesta inserita: I row.",
        "Comando enviado: I row.",
        "Você perguntou: I row.",
        "送信したメッセージ：I row.",
        "入力したプロンプト：I row.",
        "输入的提示：I row.",
        "입력한 프롬프트: I row.",
        "Prompt ingevoerd: I row.",
        "Zapytanie: I row.",
        "Ställd fråga: I row.",
        "Zadaný dotaz: I row.",
        "Запрос: I row.",
        "Запит: I row.",
        "İstem: I row.",
    ],
)
def test_prompt_of_gemini_is_found_in_each_language(title: str) -> None:
    assert prompt_in(title) == "I row."


def test_words_of_a_prompt_stay() -> None:
    assert prompt_in("Prompted with: love") == "love"
    assert prompt_in("Prompted with love") == "with love"
    assert prompt_in("Prompted My question: why?") == "My question: why?"
    assert prompt_in("Prompt : Prompted : both") == "Prompted : both"
    assert prompt_in("Asked") == prompt_in("Prompted ") == prompt_in("") == ""


@pytest.mark.parametrize(
    "title",
    [
        "Used Gemini Apps",
        "Gemini-Apps verwendet",
        "Applications Gemini utilisées",
        "Created Gemini Canvas titled Question: why",
        "Gemini-Canvas erstellt: Meine Frage",
        "Canvas Gemini créé : Plan",
        "Gave feedback: Good response",
        "Feedback zur Frage: gut",
        "Selected preferred draft",
        "Promptedly: no",
        "I row every day",
        "Kirjoitettu: I row.",
    ],
)
def test_other_activity_is_no_prompt(title: str, bring_in: Callable[..., Report]) -> None:
    entries = [activity("Prompted I ski.", "2024-05-01T12:00:00Z"), activity(title, "", "<p>x</p>")]
    assert bring_in(file_of(entries)).reasons == {"activity that is no prompt": 1}
    assert said() == [("user", "I ski.")]


def test_activity_without_answers_is_recognised(bring_in: Callable[..., Report]) -> None:
    entry = {"header": "App Gemini", "title": "Hai detto: remo.", "time": "2024-05-01T12:00:00Z"}
    bring_in(file_of([{**entry, "activityControls": ["Attività"]}]))
    assert said() == [("user", "remo.")]


def test_prompts_before_the_damage_are_imported(bring_in: Callable[..., Report]) -> None:
    with pytest.raises(BrokenFile):
        bring_in(BytesIO(json.dumps(ACTIVITY[1:3]).encode()[:-1] + b"!"))
    assert said()[0] == ("user", ASKED)


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>One</p><p>Two &amp; three</p>", "One\n\nTwo & three"),
        ("<h2>Bees</h2>They<br/>fly", "Bees\nThey\nfly"),
        ("a < b", "a < b"),
        ("<ul><li>one</li><li>two</li></ul>", "- one\n- two"),
        ("<table><tr><td>a</td><td>b</td></tr></table>", "a b"),
    ],
)
def test_markup_becomes_text(markup: str, text: str) -> None:
    assert plain_text(markup) == text


# All of them


@pytest.mark.parametrize("content", [[webui()], libre(), studio(), grok(), ACTIVITY])
def test_hostile_values_are_counted(content: Any, bring_in: Callable[..., Report]) -> None:
    """With any value in place of any other, a file is imported or refused with words."""
    junk: list[Any] = [None, 7, -1, 1e300, True, "x" * 5000, [], {}, [[]], {"a": {}}, [None, 3]]
    text = json.dumps(content)
    for number, path in enumerate(_paths(content)):
        changed = _with(json.loads(text), path, junk[number % len(junk)])
        stream = file_of(changed)
        if formats.recognise(stream):
            try:
                report = bring_in(stream)
            except UnknownFormat as refusal:
                assert "nothing in it can be imported: " in str(refusal)
                continue
            assert report.messages_added + report.messages_known + report.skipped_count > 0


def _paths(value: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for key, inner in items:
        found.append((*above, key))
        if isinstance(inner, dict | list):
            found += _paths(inner, (*above, key))
    return found


def _with(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    at = value
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = new
    return value


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (SECONDS, NOON),
        (SECONDS * 1000, NOON),
        (str(SECONDS), NOON),
        ("2024-05-01T14:00:00+02:00", NOON),
        ({"$date": "2024-05-01T12:00:00Z"}, NOON),
        ({"$date": {"$numberLong": str(SECONDS * 1000)}}, NOON),
        ({"$date": SECONDS * 1000}, NOON),
        ({"$date": {"$date": {"$date": 1}}}, None),
        ("yesterday", None),
        ("9" * 400, None),
        (float("nan"), None),
        (1e300, None),
        (True, None),
        (None, None),
    ],
)
def test_dates_are_read_in_each_form(value: Any, expected: datetime | None) -> None:
    assert moment_in({"at": value}, "at") == expected


def test_steps_of_lm_studio_are_read_in_linear_time(bring_in: Callable[..., Report]) -> None:
    def seconds(steps: int) -> float:
        spoken = {"type": "contentBlock", "content": [{"type": "text", "text": ANSWERED}]}
        version = {"role": "assistant", "steps": [spoken, *[{"content": [1]}] * steps]}
        chat = {"name": "Long", "messages": [{"versions": [version], "currentlySelected": 0}]}
        begun = time.perf_counter()
        bring_in(BytesIO(json.dumps(chat).encode()))
        return time.perf_counter() - begun

    seconds(1_000)
    # The machine may do something else for a moment.
    assert min(seconds(80_000) for _ in range(3)) < 24 * seconds(8_000)
