"""The exit for what was said: the texts of messages and notes, as they leave the server.

They are stored word for word. Whatever shows them to a person, a program or a model reads them
here: placeholders stand for secrets, unless the instance keeps those, and where many texts are
shown at once, a long one is cut. What states something forgotten is not in these columns at all:
only the transcript, which is for people, puts it back before (`muted_messages.with_text`).
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import QuerySet
from django.db.models.functions import Coalesce, Left

from conversations.models import Message
from instances.models import Instance
from memoryapp.language.shortening import ELLIPSIS
from memoryapp.models import Drawer
from memoryapp.models.pagination import MAX_PAGE_CHARACTERS
from memoryapp.privacy.verbatim import MARGIN, masked, masked_beginning, masked_within, tellable

#: Characters of a text among others.
MAX_LISTED_CHARACTERS = 50_000

#: A message; or a drawer of the palace, which has a message or a note.
Row = Message | Drawer
Rows = TypeVar("Rows", bound=QuerySet[Any])


@dataclass(frozen=True)
class Disclosed:
    """Text of a message or note that others may read."""

    content: str = ""
    #: The description of a shared picture.
    caption: str = ""
    tool_calls: Sequence[Any] = ()
    #: True if this is only the beginning.
    is_cut: bool = False
    #: True if a placeholder stands for something.
    has_secrets: bool = False
    #: True if somebody has asked for what is secret, so that no placeholder stands for it.
    is_revealed: bool = False


def disclosed(instance: Instance, row: Row, *, most: int | None = None) -> Disclosed:
    """Return what others may read of *row*, which belongs to *instance*; with *most*, that many
    characters at most.
    """
    content, caption, calls = _stored(row)
    shown = _shown(content, instance.pii_policy, most)
    pictured = _shown(caption, instance.pii_policy, most)
    return Disclosed(
        shown,
        pictured,
        [_shown_call(call, instance.pii_policy, most) for call in calls],
        is_cut=most is not None and len(content) > most,
        has_secrets=not (_is_part(shown, content) and _is_part(pictured, caption)),
    )


def disclosed_page(
    instance: Instance, rows: Sequence[Row], *, most: int = MAX_PAGE_CHARACTERS
) -> list[Disclosed]:
    """Return what others may read of *rows* on one page, with *most* characters in all: if they
    have more, the longest are cut to the same length.
    """
    limit = even_limit([len(_stored(row)[0]) for row in rows], most)
    return [disclosed(instance, row, most=min(limit, MAX_LISTED_CHARACTERS)) for row in rows]


def excerpt_of(instance: Instance, row: Row | None, most: int) -> str:
    """Return the beginning of what others may read of *row*; of a picture, what it shows."""
    if row is None:
        return ""
    content, caption, _ = _stored(row)
    return _shown(content or caption, instance.pii_policy, most)


def revealed(message: Message) -> Disclosed:
    """Return all of *message* in clear: for a member who has asked for it, which the caller
    records, and for a program that has sent it.
    """
    return Disclosed(message.content, message.caption, message.tool_calls, is_revealed=True)


def told_to_model(instance: Instance, row: Row) -> str:
    """Return *row* as a model may be told it as something remembered: empty if the PII policy of
    *instance* refuses it, or nothing is left.
    """
    content, caption, _ = _stored(row)
    pictured = f"shows a picture: {caption}" if caption.strip() else ""
    text = " · ".join(part for part in (content.strip(), pictured) if part)
    return tellable(text, instance.pii_policy)


def with_beginnings(rows: Rows, *, most: int = MAX_LISTED_CHARACTERS) -> Rows:
    """Load of the texts of *rows*, messages or drawers, only what a list of them shows."""
    if rows.model is Message:
        return rows.defer("content", "search").annotate(beginning=Left("content", most + MARGIN))
    heavy = ["note", "search", "message__content", "message__search"]
    text = Coalesce("message__content", "note")
    return rows.defer(*heavy).annotate(beginning=Left(text, most + MARGIN))


def weight(row: Row) -> int:
    """The number of characters of *row* on a page."""
    content, caption, calls = _stored(row)
    listed = min(len(content), MAX_LISTED_CHARACTERS)
    return listed + len(caption) + sum(len(str(call)) for call in calls)


def even_limit(lengths: Iterable[int], most: int) -> int:
    """Return the length to which the longest of *lengths* have to be cut so that their sum is at
    most *most*.
    """
    left, limit = most, most
    waiting = sorted(lengths)
    while waiting:
        limit = left // len(waiting)
        if waiting[0] > limit:
            return limit
        left -= waiting.pop(0)
    return most


def _stored(row: Row) -> tuple[str, str, list[Any]]:
    """The content, caption and tool calls of *row* as they are stored, or as much as was loaded."""
    message = row if isinstance(row, Message) else row.message
    beginning: str | None = getattr(row, "beginning", None)
    content = row.content if beginning is None else beginning
    return content, message.caption if message else "", message.tool_calls if message else []


def _is_part(shown: str, text: str) -> bool:
    """True if *shown* is *text* or its beginning, so that no placeholder stands in it."""
    return shown == text or text.startswith(shown.removesuffix(ELLIPSIS))


def _shown(text: str, policy: str, most: int | None) -> str:
    return masked(text, policy) if most is None else masked_beginning(text, most, policy)


def _shown_call(call: Any, policy: str, most: int | None) -> Any:
    """A tool call with its arguments masked; as a text where they are too long."""
    arguments = call.get("arguments") if isinstance(call, dict) else None
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    if most is None or len(text) <= most:
        return masked_within(call, policy)
    return {**call, "arguments": masked_beginning(text, most, policy)}
