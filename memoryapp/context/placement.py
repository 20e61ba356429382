"""Where a model is shown what was recalled: behind the text of the last message of the user.

There it has no authority, and everything before it stays as it is: later requests begin with the
same messages, so that a provider's prompt cache holds. Messages have the form of the OpenAI API.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.crypto import salted_hmac

from conversations.models import Conversation
from instances.models import Instance

#: Characters of a nonce.
NONCE_CHARACTERS = 12


def nonce_of(instance: Instance, end_user: str | None, conversation: Conversation | None) -> str:
    """Return the id in the tags of *conversation*, or if that is not stored, of *end_user*: always
    the same. It cannot be computed without SECRET_KEY, so that no text can imitate the tags.
    """
    identity = ["person", instance.pk, end_user]
    if conversation is not None:
        identity = ["conversation", conversation.pk]
    digest = salted_hmac("keepsake.context", json.dumps(identity), algorithm="sha256")
    return digest.hexdigest()[:NONCE_CHARACTERS]


def behind_last_user_message(messages: Sequence[Any], text: str) -> list[Any]:
    """Return *messages* with *text* behind the last one of the user; unchanged if there is none."""
    place = last_user_message(messages)
    return list(messages) if place is None else _with(messages, place, text, ahead=False)


def ahead_of_first_user_message(messages: Sequence[Any], text: str) -> list[Any]:
    """Return *messages* with *text* before that of the first one of the user; unchanged if there
    is none.
    """
    place = next((n for n, each in enumerate(messages) if _by_user(each)), None)
    return list(messages) if place is None else _with(messages, place, text, ahead=True)


def last_user_message(messages: Sequence[Any]) -> int | None:
    """Return the index of the last message of the user that has a content."""
    return next((n for n in reversed(range(len(messages))) if _by_user(messages[n])), None)


def _by_user(message: Any) -> bool:
    return (
        isinstance(message, Mapping)
        and message.get("role") == "user"
        and isinstance(message.get("content"), str | list)
    )


def _with(messages: Sequence[Any], place: int, text: str, *, ahead: bool) -> list[Any]:
    if not text:
        return list(messages)
    message = messages[place]
    content = message["content"]
    if isinstance(content, list):
        # With pictures, for example. Parts that must come first, such as results, stay there.
        part = {"type": "text", "text": text}
        content = [part, *content] if ahead else [*content, part]
    else:
        content = "\n\n".join(filter(None, [text, content] if ahead else [content, text]))
    return [*messages[:place], {**message, "content": content}, *messages[place + 1 :]]
