"""Import of ChatGPT and Claude exports."""

import json
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import pytest

from conversations.importers import BrokenFile, Report, import_stream
from conversations.importers.branches import Branch, current_branch
from conversations.importers.export_fields import OTHER_BRANCHES
from conversations.models import Conversation, Message
from instances.models import Instance

pytestmark = pytest.mark.django_db

NOON = 1_714_564_800.25  # 2024-05-01 12:00:00.25 UTC


def gpt_message(role: str, *parts: Any, kind: str = "text", **more: Any) -> dict[str, Any]:
    """Return a message in ChatGPT's format."""
    message: dict[str, Any] = {
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": None,
        "content": {"content_type": kind, "parts": list(parts)},
        "recipient": "all",
        "metadata": {},
    }
    return message | more


def tree(*messages: dict[str, Any], current: int | None = None, **more: Any) -> dict[str, Any]:
    """Return a conversation whose messages form a chain below an empty root."""
    mapping: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None}}
    parent = "root"
    for number, message in enumerate(messages, start=1):
        key = f"m{number}"
        mapping[key] = {"id": key, "message": {"id": key} | message, "parent": parent}
        parent = key
    conversation = {
        "title": "Bees",
        "create_time": NOON,
        "mapping": mapping,
        "current_node": f"m{current or len(messages)}",
        "conversation_id": "c1",
    }
    return conversation | more


def import_export(instance: Instance, *conversations: Any) -> Report:
    stream = BytesIO(json.dumps(list(conversations)).encode())
    return import_stream(instance, stream, name="conversations.json")


def messages() -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in Message.objects.order_by("pk")]


# ChatGPT


def test_chatgpt_current_branch_is_imported(instance: Instance) -> None:
    conversation = tree(
        gpt_message("user", "How many bees?", create_time=NOON),
        gpt_message("assistant", "A thousand."),
        gpt_message("assistant", "Forty thousand.", create_time=NOON + 60),
        gpt_message("user", "So many!"),
    )
    # The second answer is a sibling of the first, and the branch continues from it.
    conversation["mapping"]["m3"]["parent"] = "m1"
    report = import_export(instance, conversation)
    assert report.format == "ChatGPT export"
    assert messages() == [
        ("user", "How many bees?"),
        ("assistant", "Forty thousand."),
        ("user", "So many!"),
    ]
    stored = Conversation.objects.get()
    assert (stored.external_id, stored.title) == ("chatgpt:c1", "Bees")
    assert stored.created_at == datetime.fromtimestamp(NOON, UTC)
    dates = [message.sent_at.timestamp() - NOON for message in stored.messages.all()]
    assert dates == [0, 60, 60]
    assert [message.external_id for message in stored.messages.all()] == ["m1", "m3", "m4"]
    assert report.reasons == {OTHER_BRANCHES: 1}


def test_chatgpt_internal_messages_are_skipped_and_counted(instance: Instance) -> None:
    hidden = {"is_visually_hidden_from_conversation": True}
    report = import_export(
        instance,
        tree(
            gpt_message("system", ""),
            gpt_message("user", kind="user_editable_context"),
            gpt_message("assistant", kind="model_editable_context"),
            gpt_message("system", "Be nice.", metadata=hidden),
            gpt_message("user", "Hello"),
            gpt_message("assistant", kind="thoughts"),
            gpt_message("assistant", kind="reasoning_recap"),
            gpt_message("assistant", ""),
            gpt_message("assistant", "Hi"),
        ),
    )
    assert messages() == [("user", "Hello"), ("assistant", "Hi")]
    assert report.skipped == []
    assert report.reasons == {
        "system messages": 1,
        "copies of the custom instructions": 1,
        "copies of ChatGPT’s own memories": 1,
        "hidden messages": 1,
        "the model’s reasoning": 2,
        "empty messages": 1,
    }
    assert report.skipped_count == 7


def test_chatgpt_attachments_are_described_in_text(instance: Instance) -> None:
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://1"}
    drawn = picture | {"metadata": {"dalle": {"prompt": "a bee in a hat"}}}
    import_export(
        instance,
        tree(
            gpt_message("user", picture, "What is this?", kind="multimodal_text"),
            gpt_message("tool", drawn, kind="multimodal_text"),
            gpt_message(
                "user",
                {"content_type": "audio_transcription", "text": "Thank you."},
                {"content_type": "audio_asset_pointer"},
                kind="multimodal_text",
                metadata={"attachments": [{"name": "hive.pdf"}, {"id": "no name"}]},
            ),
        ),
    )
    rows = [(m.role, m.content, m.caption) for m in Message.objects.order_by("position")]
    assert rows == [
        ("user", "What is this?", "a picture"),
        ("tool", "", "a picture: a bee in a hat"),
        ("user", "Thank you.", "a recording; file: hive.pdf"),
    ]


def test_chatgpt_code_and_output_are_a_tool_call_and_its_result(instance: Instance) -> None:
    code = gpt_message("assistant", recipient="python")
    code["content"] = {"content_type": "code", "language": "python", "text": "print(6 * 7)"}
    printed = gpt_message("tool", author={"role": "tool", "name": "python"})
    printed["content"] = {"content_type": "execution_output", "text": "42"}
    quoted = gpt_message("tool", author={"role": "tool", "name": "browser"})
    quoted["content"] = {"content_type": "tether_quote", "title": "Bees", "text": "They fly."}
    import_export(instance, tree(gpt_message("user", "Compute"), code, printed, quoted))
    _, call, result, page = Message.objects.order_by("position")
    assert (call.role, call.content) == ("assistant", "")
    assert call.tool_calls == [{"name": "python", "arguments": "print(6 * 7)"}]
    assert (result.role, result.content, result.tool_name) == ("tool", "42", "python")
    assert (page.content, page.tool_name) == ("Bees\n\nThey fly.", "browser")


@pytest.mark.parametrize(
    ("damage", "expected", "reason"),
    [
        ({"current_node": "gone"}, ["one", "two", "three"], "the newest branch was taken"),
        ({"current_node": None}, ["one", "two", "three"], "the newest branch was taken"),
        ({"m2": {"parent": "gone"}}, ["one", "two", "three"], "a message within it"),
        ({"m1": {"parent": "gone"}}, ["one", "two", "three"], "the message before its first one"),
        ({"m1": {"parent": "m3"}}, ["one", "two", "three"], "in a circle"),
        ({"m2": {"message": None}}, ["one", "three"], ""),
        ({"m2": {"message": {"content": None}}}, ["one", "three"], ""),
        ({"m2": {"message": {"author": 3, "content": {"parts": 4}}}}, ["one", "three"], ""),
    ],
)
def test_damaged_chatgpt_tree_is_imported_partially(
    damage: dict[str, Any], expected: list[str], reason: str, instance: Instance
) -> None:
    conversation = tree(
        gpt_message("user", "one"),
        gpt_message("assistant", "two"),
        gpt_message("user", "three"),
    )
    for key, value in damage.items():
        if key in conversation:
            conversation[key] = value
        else:
            conversation["mapping"][key] |= value
    report = import_export(
        instance, conversation, tree(gpt_message("user", "next"), conversation_id="c2")
    )
    assert [content for _, content in messages()] == [*expected, "next"]
    assert reason in "".join(report.skipped)


@pytest.mark.parametrize("broken", [3, None, [], {}, {"mapping": []}, {"mapping": {}}])
def test_invalid_chatgpt_conversation_is_reported(broken: Any, instance: Instance) -> None:
    report = import_export(
        instance, tree(gpt_message("user", "one")), broken, tree(gpt_message("user", "two"))
    )
    assert [content for _, content in messages()] == ["one"]
    assert len(report.skipped) == 1
    assert report.skipped[0].startswith("conversation 2: ")


def test_invalid_chatgpt_dates_and_ids(instance: Instance) -> None:
    conversation = tree(
        gpt_message("user", "one", create_time=1e18),
        gpt_message("user", "two", create_time="yesterday"),
        gpt_message("user", "three", create_time=True, id=5),
        create_time=None,
        conversation_id=None,
    )
    import_export(instance, conversation)
    first = Conversation.objects.get()
    assert import_export(instance, conversation).messages_known == 3
    assert [m.external_id for m in first.messages.all()] == ["m1", "m2", "m3"]


def test_continued_chatgpt_conversation_gets_its_new_messages(instance: Instance) -> None:
    import_export(instance, tree(gpt_message("user", "one")))
    report = import_export(
        instance, tree(gpt_message("user", "one"), gpt_message("assistant", "two"))
    )
    assert (report.messages_added, report.messages_known) == (1, 1)
    assert messages() == [("user", "one"), ("assistant", "two")]


# Claude


def claude(*chat_messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    numbered = [{"uuid": f"m{n}"} | message for n, message in enumerate(chat_messages, start=1)]
    return {
        "uuid": "c1",
        "name": "Hives",
        "created_at": "2024-05-01T12:00:00.000000Z",
        "account": {"uuid": "a"},
        "chat_messages": numbered,
        **more,
    }


def test_claude_conversation_is_imported(instance: Instance) -> None:
    report = import_export(
        instance,
        claude(
            {
                "sender": "human",
                "text": "Read this",
                "content": [{"type": "text", "text": "Read this"}],
                "attachments": [
                    {"file_name": "a.txt", "extracted_content": "The bees are fine."},
                    {"file_name": "b.bin", "extracted_content": ""},
                ],
                "files": [{"file_name": "photo.jpg"}],
                "created_at": "2024-05-01T14:00:00+02:00",
            },
            {"sender": "assistant", "text": "They are fine.", "created_at": "soon"},
            {"sender": "human", "text": " "},
            {"sender": "nobody", "text": "?"},
        ),
    )
    assert report.format == "Claude export"
    first, second = Message.objects.order_by("position")
    assert first.content == "Read this\n\n[a.txt]\nThe bees are fine."
    assert first.caption == "file: photo.jpg; file: b.bin"
    assert first.sent_at == second.sent_at == datetime(2024, 5, 1, 12, tzinfo=UTC)
    assert (second.role, second.content, second.external_id) == (
        "assistant",
        "They are fine.",
        "m2",
    )
    assert report.reasons["empty messages"] == 1
    assert report.skipped == [
        "conversation 1 (“Hives”), message 4: its sender is neither human nor assistant."
    ]
    stored = Conversation.objects.get()
    assert (stored.external_id, stored.title) == ("claude:c1", "Hives")


def test_claude_tool_calls_keep_their_position(instance: Instance) -> None:
    blocks = [
        {"type": "thinking", "thinking": "Hm."},
        {"type": "text", "text": "Let me look."},
        {"type": "tool_use", "name": "search", "input": {"q": "bees"}},
        {
            "type": "tool_result",
            "name": "search",
            "content": [{"type": "text", "text": "40,000"}],
        },
        {"type": "text", "text": "Forty thousand."},
    ]
    conversation = claude({"sender": "assistant", "text": "…", "content": blocks})
    report = import_export(instance, conversation)
    rows = [(m.role, m.content, m.external_id) for m in Message.objects.order_by("position")]
    assert rows == [
        ("assistant", "Let me look.", "m1"),
        ("tool", "40,000", "m1:1"),
        ("assistant", "Forty thousand.", "m1:2"),
    ]
    assert Message.objects.get(position=1).tool_calls == [
        {"name": "search", "arguments": '{"q": "bees"}'}
    ]
    assert Message.objects.get(position=2).tool_name == "search"
    assert report.reasons == {"the model’s reasoning": 1}
    assert import_export(instance, conversation).messages_known == 3


def test_claude_tree_is_followed_to_the_latest_leaf(instance: Instance) -> None:
    def answer(text: str, parent: str) -> dict[str, Any]:
        return {"sender": "human", "text": text, "parent_message_uuid": parent}

    conversation = claude(
        answer("one", "00000000-0000-4000-8000-000000000000"),
        answer("two", "m1"),
        answer("two again", "m1"),
        current_leaf_message_uuid="m2",
    )
    report = import_export(instance, conversation)
    assert [content for _, content in messages()] == ["one", "two"]
    assert report.reasons == {OTHER_BRANCHES: 1}


@pytest.mark.parametrize("broken", [3, {}, {"chat_messages": 3}, {"chat_messages": [1, 2]}])
def test_invalid_claude_conversation_is_reported(broken: Any, instance: Instance) -> None:
    report = import_export(instance, claude({"sender": "human", "text": "one"}), broken)
    assert len(report.skipped) == 1
    assert messages() == [("user", "one")]


# Both


def test_preview_has_titles_and_dates(instance: Instance) -> None:
    late = tree(
        gpt_message("user", "x", create_time=NOON + 3600), conversation_id="c2", title="Wax"
    )
    report = import_export(instance, tree(gpt_message("user", "x", create_time=NOON)), late)
    assert report.titles == ["Bees", "Wax"]
    assert report.first_at == datetime.fromtimestamp(NOON, UTC)
    assert report.last_at == datetime.fromtimestamp(NOON + 3600, UTC)


def test_too_large_conversation_is_skipped(
    instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("conversations.importers.json_stream._MAX_VALUES", 500)
    large = tree(*[gpt_message("user", f"{n}") for n in range(100)], conversation_id="large")
    report = import_export(instance, tree(gpt_message("user", "one")), large, claude())
    assert messages() == [("user", "one")]
    assert report.skipped[0].startswith("conversation 2: it is larger than 32 MB, or has more")


def test_endless_text_is_not_loaded_into_memory(
    instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("conversations.importers.reader.MAX_PIECE_BYTES", 300_000)
    endless = tree(gpt_message("user", "x" * 1_000_000), conversation_id="endless")
    with pytest.raises(BrokenFile, match="One text"):
        import_export(instance, tree(gpt_message("user", "one")), endless)
    assert messages() == [("user", "one")]


TAKEN = "its current message is missing; the newest branch was taken"
LOST = "a message within it is missing"
CIRCLE = "its messages answer each other in a circle"
#: One message alone, two after another, one that was lost, and two in a circle.
SCATTERED = {"a": "", "b": "", "c": "b", "d": "gone", "e": "f", "f": "e"}


@pytest.mark.parametrize(
    ("parents", "leaf", "expected"),
    [
        ({}, "", Branch([])),
        ({"a": ""}, "a", Branch(["a"])),
        ({"a": "", "b": "a", "c": "a"}, "b", Branch(["a", "b"])),
        ({"a": "", "b": "a", "c": "a"}, "x", Branch(["a", "c"], TAKEN)),
        ({"a": "", "b": "a", "c": "a"}, "", Branch(["a", "c"], TAKEN)),
        ({"a": "", "b": "a", "c": "a"}, None, Branch(["a", "c"])),
        ({"a": "b", "b": "a"}, "a", Branch(["a", "b"], CIRCLE)),
        ({"a": "x"}, "a", Branch(["a"], "the message before its first one is missing")),
        ({"a": "", "b": "x", "c": "b"}, "c", Branch(["a", "b", "c"], LOST)),
        (SCATTERED, "d", Branch(["b", "c", "d"], LOST)),
        (SCATTERED, "x", Branch(["b", "c"], TAKEN)),
        (SCATTERED, "e", Branch(["b", "c"], TAKEN)),
        (SCATTERED, "a", Branch(["a"])),
    ],
)
def test_current_branch(parents: dict[str, str], leaf: str | None, expected: Branch) -> None:
    assert current_branch(parents, leaf, usable=parents, dates={}) == expected


@pytest.mark.parametrize(
    ("parents", "dates", "expected"),
    [
        ({"a": "", "b": "a", "c": "a"}, {"a": 9, "b": 3, "c": 2}, ["a", "b"]),
        ({"a": "b", "b": "a"}, {"a": 2, "b": 1}, ["b", "a"]),
        ({"a": "", "b": "a", "c": ""}, {"a": 1, "b": 2, "c": 3}, ["a", "b"]),
    ],
)
def test_newest_branch(
    parents: dict[str, str], dates: dict[str, float], expected: list[str]
) -> None:
    assert current_branch(parents, None, usable=parents, dates=dates).ids == expected


def test_what_was_said_later_is_no_beginning() -> None:
    parents = {"a": "", "b": "a", "c": "a", "d": "gone"}
    dates = {"a": 1, "b": 2, "c": 4, "d": 3}
    assert current_branch(parents, "d", usable=parents, dates=dates).ids == ["a", "b", "d"]


def test_current_message_that_says_nothing_is_no_end() -> None:
    parents = {"a": "", "b": "a", "empty": "", "c": "b"}
    branch = current_branch(parents, "empty", usable={"a", "b"}, dates={"c": 9, "empty": 8})
    assert branch == Branch(["a", "b"], TAKEN)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Bees fly.\ue200cite\ue202turn0search1\ue202turn0search2\ue201", "Bees fly."),
        ('In \ue200entity\ue202["city","Rome","Italy"]\ue201, bees fly.', "In Rome, bees fly."),
        ("\ue200entity\ue202oops\ue201Bees fly.", "Bees fly."),
        ("Bees \ue203fly\ue204.", "Bees fly."),
        ("Bees fly.\ue200cite", "Bees fly.cite"),
        ("\ue200i\ue202turn0image1\ue201", ""),
    ],
)
def test_marks_of_chatgpt_are_removed(text: str, shown: str, instance: Instance) -> None:
    import_export(instance, tree(gpt_message("user", "Tell me"), gpt_message("assistant", text)))
    assert [content for _, content in messages()[1:]] == ([shown] if shown else [])
