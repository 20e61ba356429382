"""Texts that a program cut in the middle of a character, at every door that takes texts."""

from typing import Any

import pytest

from conversations.models import Conversation, Message
from instances.models import Instance
from memoryapp.models import Memory, StoredDocument
from tests.api.conftest import Program

CUT = "The user likes jazz \ud83d"
KEPT = "The user likes jazz \ufffd"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("memories", {"content": CUT, "tags": ["cut \ud83d"], "source_context": CUT}),
        ("memories/bulk", {"memories": [{"content": CUT}]}),
        ("tools/save_memory", {"content": CUT, "tags": ["cut \ud83d"]}),
        ("/v3/memories/add/", {"messages": CUT, "user_id": "ana", "infer": False}),
    ],
)
def test_a_cut_memory_is_stored(path: str, body: dict[str, Any], program: Program) -> None:
    program.send("POST", path, body)
    memory = Memory.objects.get()
    assert memory.content == KEPT
    assert memory.tags in ([], ["cut \ufffd"])


def test_a_cut_message_is_stored(program: Program, instance: Instance) -> None:
    conversation = Conversation.objects.create(instance=instance, title="Cut")
    message = {"role": "tool", "content": CUT, "author": "Ana \ude00", "tool_name": "read \ud83d"}
    program.send("POST", f"conversations/{conversation.pk}/messages", {"messages": [message]})
    stored = Message.objects.get()
    assert (stored.content, stored.author, stored.tool_name) == (KEPT, "Ana \ufffd", "read \ufffd")


def test_both_halves_are_a_character(program: Program) -> None:
    program.send("POST", "memories", {"content": "The user likes jazz \ud83d\ude00"})
    assert Memory.objects.get().content == "The user likes jazz 😀"


def test_a_cut_question_is_asked(program: Program) -> None:
    program.send("POST", "memories", {"content": "The user likes jazz."})
    for path, field in (("search", "q"), ("tools/search_memory", "query")):
        assert "jazz" in str(program.send("POST", path, {field: "jazz \ud83d"})), path


def test_a_document_is_stored_as_it_was_sent_or_not_at_all(program: Program) -> None:
    sent = {"namespace": ["n"], "key": "k", "value": {"text": CUT}}
    assert "surrogate" in program.send("PUT", "store/document", sent, 422)["detail"]
    assert not StoredDocument.objects.exists()
