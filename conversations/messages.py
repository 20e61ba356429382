"""Appending what was said to a conversation: the one way in for the API and for imports."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from conversations.models import Conversation, Message, Role
from conversations.sanitizer import sanitize, sanitize_json
from conversations.signals import turn_finished

#: Characters of an external id, as the models have it.
MAX_ID_CHARACTERS = 300
#: The most characters of a message that are stored.
MAX_MESSAGE_CHARACTERS = 1_000_000
#: The end of a message that was cut.
TRUNCATION_NOTICE = "\n\n[The rest was too long to be kept.]"


@dataclass(frozen=True)
class NewMessage:
    """One message on its way in. ``external_id`` makes appending it twice add it once."""

    role: str
    content: str
    author: str = ""
    caption: str = ""
    external_id: str = ""
    tool_name: str = ""
    tool_calls: list[dict[str, Any]] = field(default_factory=list)
    sent_at: datetime | None = None
    #: What the program that sends it attached, for the memories that come of it.
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class AppendResult:
    """What an append did: the new messages, and how many were there already."""

    added: list[Message]
    known: int


def append(
    conversation: Conversation, turns: Iterable[NewMessage], *, finished: bool | None = None
) -> AppendResult:
    """Add *turns* to the end of *conversation*, in one transaction.

    ``finished`` says whether the turn is complete, so that the conversation may be read for facts;
    by default it is when a reply of the assistant is among what was added.
    """
    turns = list(turns)
    with transaction.atomic():
        # The row lock decides who gets the next positions when two appends arrive at once.
        conversation = (
            Conversation.objects.select_for_update(of=("self",))
            .select_related("instance")
            .get(pk=conversation.pk)
        )
        ids = [short_id(turn.external_id) for turn in turns]
        known = set(
            conversation.messages.filter(external_id__in=[i for i in ids if i]).values_list(
                "external_id", flat=True
            )
        )
        fresh: list[tuple[NewMessage, str]] = []
        for turn, external_id in zip(turns, ids, strict=True):
            if external_id and external_id in known:
                continue
            known.add(external_id)
            fresh.append((turn, external_id))
        if not fresh:
            return AppendResult([], len(turns))
        last = conversation.messages.order_by("-position").first()
        position = last.position if last else 0
        now = timezone.now()
        added = Message.objects.bulk_create(
            [
                Message(
                    instance_id=conversation.instance_id,
                    conversation=conversation,
                    position=position + number,
                    role=turn.role,
                    author=sanitize(turn.author)[:200],
                    content=shortened(sanitize(turn.content)),
                    caption=shortened(sanitize(turn.caption)),
                    external_id=external_id,
                    tool_name=sanitize(turn.tool_name)[:200],
                    tool_calls=sanitize_json(turn.tool_calls),
                    language=conversation.instance.language,
                    sent_at=turn.sent_at or now,
                    metadata=sanitize_json(turn.metadata),
                )
                for number, (turn, external_id) in enumerate(fresh, start=1)
            ],
            batch_size=500,
        )
        latest = max(message.sent_at for message in added)
        conversation.last_activity_at = (
            max(latest, conversation.last_activity_at) if last else latest
        )
        conversation.save(update_fields=["last_activity_at"])
        if finished is None:
            finished = any(turn.role == Role.ASSISTANT for turn, _ in fresh)
        if finished:
            turn_finished.send(sender=Conversation, conversation=conversation)
    return AppendResult(added, len(turns) - len(added))


def append_new(conversation: Conversation, turns: Sequence[NewMessage]) -> AppendResult:
    """Add those of *turns* that *conversation* does not end with already: for programs that give
    their messages no ids, and send them again when they are not sure, or with each new one.

    The turn is not taken for finished: the caller says what follows.
    """
    with transaction.atomic():
        # Whoever else adds to it waits, so that what it ends with stays that.
        list(Conversation.objects.select_for_update(of=("self",)).filter(pk=conversation.pk))
        latest = conversation.messages.order_by("-position").values_list("role", "content")
        known = overlap(
            list(latest[: len(turns)])[::-1],
            [(turn.role, shortened(sanitize(turn.content))) for turn in turns],
        )
        appended = append(conversation, turns[known:], finished=False)
    return AppendResult(appended.added, appended.known + known)


def overlap(end: Sequence[object], new: Sequence[object]) -> int:
    """How many of *new* stand at the *end* already, as its last ones and in the same order."""
    longest = min(len(end), len(new))
    return next((n for n in range(longest, 0, -1) if end[-n:] == new[:n]), 0)


def finish(conversation: Conversation) -> None:
    """Say that *conversation* is complete as it stands, if anything in it has not been read yet.

    For what came in over several appends: whichever of them added something, and even if the one
    who did died before saying so.
    """
    with transaction.atomic():
        conversation = (
            Conversation.objects.select_for_update(of=("self",))
            .select_related("instance")
            .get(pk=conversation.pk)
        )
        if Message.objects.filter(conversation=conversation).unread().exists():
            turn_finished.send(sender=Conversation, conversation=conversation)


def shortened(text: str, most: int = MAX_MESSAGE_CHARACTERS) -> str:
    """Cut *text* to *most* characters, with a note at the end if it was longer."""
    return text if len(text) <= most else text[: most - len(TRUNCATION_NOTICE)] + TRUNCATION_NOTICE


def short_id(external_id: str) -> str:
    """Make *external_id* fit its column: of a longer one, the start and a hash of the whole."""
    external_id = sanitize(external_id)
    if len(external_id) <= MAX_ID_CHARACTERS:
        return external_id
    digest = hashlib.sha256(external_id.encode()).hexdigest()
    return f"{external_id[: MAX_ID_CHARACTERS - len(digest) - 1]}:{digest}"
