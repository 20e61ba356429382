"""Where the recalled text stands among the messages."""

from typing import Any

import pytest
from pytest_django import Settings

from conversations.models import Conversation
from instances.models import Instance
from memoryapp.context.placement import (
    ahead_of_first_user_message,
    behind_last_user_message,
    nonce_of,
)

SYSTEM = {"role": "system", "content": "Be brief."}
CALL = {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]}
RESULT = {"role": "tool", "tool_call_id": "1", "content": "Rain"}
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0K"}}


def user(content: object) -> dict[str, object]:
    return {"role": "user", "content": content, "name": "ana"}


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ([user("Hi")], [user("Hi\n\nBLOCK")]),
        ([SYSTEM, user("Hi"), CALL, RESULT], [SYSTEM, user("Hi\n\nBLOCK"), CALL, RESULT]),
        ([user("1"), CALL, user("2")], [user("1"), CALL, user("2\n\nBLOCK")]),
        (
            [user([{"type": "text", "text": "What?"}, PICTURE])],
            [user([{"type": "text", "text": "What?"}, PICTURE, {"type": "text", "text": "BLOCK"}])],
        ),
        # A protocol whose results stand in the user's message wants them first.
        (
            [user([{"type": "tool_result", "tool_use_id": "1"}])],
            [
                user(
                    [{"type": "tool_result", "tool_use_id": "1"}, {"type": "text", "text": "BLOCK"}]
                )
            ],
        ),
        ([user("")], [user("BLOCK")]),
        ([user("1"), user(None)], [user("1\n\nBLOCK"), user(None)]),
        ([SYSTEM, RESULT], [SYSTEM, RESULT]),
        (["?", 7], ["?", 7]),
        ([], []),
    ],
)
def test_text_stands_behind_the_last_message_of_the_user(
    messages: list[Any], expected: list[Any]
) -> None:
    before = repr(messages)
    assert behind_last_user_message(messages, "BLOCK") == expected
    assert behind_last_user_message(messages, "") == messages
    assert repr(messages) == before


def test_text_stands_before_the_first_message_of_the_user() -> None:
    later = [CALL, RESULT, user("2")]
    assert ahead_of_first_user_message([user("1"), *later], "NOTE") == [user("NOTE\n\n1"), *later]
    assert ahead_of_first_user_message([user([PICTURE]), *later], "NOTE") == [
        user([{"type": "text", "text": "NOTE"}, PICTURE]),
        *later,
    ]


def test_nonce_depends_on_the_conversation_and_the_key(settings: Settings) -> None:
    instance, other = Instance(pk=1), Instance(pk=2)
    seven, eight = Conversation(pk=7), Conversation(pk=8)
    nonce = nonce_of(instance, "ana", seven)
    assert nonce == nonce_of(instance, "ana", seven)
    assert len(nonce) == 12 and nonce.isalnum()
    others = [
        nonce_of(instance, "ana", eight),
        nonce_of(instance, "ana", None),
        nonce_of(instance, "bo", None),
        nonce_of(instance, None, None),
        nonce_of(other, "ana", None),
    ]
    assert len({nonce, *others}) == 6
    settings.SECRET_KEY = "another one"
    assert nonce_of(instance, "ana", seven) != nonce
