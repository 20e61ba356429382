"""Appends messages to conversations, for the chat, the APIs and imports."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from conversations import hooks
from conversations.models import Conversation, Message, Nature, Role
from conversations.sanitizer import sanitize, sanitize_json
from conversations.signals import turn_finished
from instances.models import ApiKey
from instances.tiers import Tier

#: Characters of an external id, as the models have it.
MAX_ID_CHARACTERS = 300
#: Characters of a message that are stored.
MAX_MESSAGE_CHARACTERS = 1_000_000
#: The end of a message that was cut.
TRUNCATION_NOTICE = "\n\n[The rest was too long to be kept.]"
#: Who says something; a tool neither asks nor answers.
SPEAKERS = (Role.USER, Role.ASSISTANT)


@dataclass(frozen=True)
class NewMessage:
    """A message to append. With an ``external_id``, a conversation gets it only once."""

    role: str
    content: str
    author: str = ""
    caption: str = ""
    external_id: str = ""
    tool_name: str = ""
    tool_calls: list[dict[str, Any]] = field(default_factory=list)
    sent_at: datetime | None = None
    #: Attached by the sender; memories that are learned from the message get it, too.
    metadata: dict[str, Any] = field(default_factory=dict)

    def storable(self) -> "NewMessage":
        """Return the message as it is stored: sanitized, and cut to what the columns hold."""
        return replace(
            self,
            content=shortened(sanitize(self.content)),
            author=sanitize(self.author)[:200],
            caption=shortened(sanitize(self.caption)),
            external_id=short_id(self.external_id),
            tool_name=sanitize(self.tool_name)[:200],
            tool_calls=sanitize_json(self.tool_calls),
            metadata=sanitize_json(self.metadata),
        )


@dataclass(frozen=True)
class MessageDoor:
    """The authenticated door through which messages come."""

    #: How far they are believed at most; their role lowers it further.
    trust: Tier = Tier.USER
    key: ApiKey | None = None
    #: Of the import that brings them.
    batch: UUID | None = None


#: The chat, and files that people upload.
BY_PEOPLE = MessageDoor()


@dataclass(frozen=True)
class AppendResult:
    """The messages that an append has stored, and the number that were known already."""

    added: list[Message]
    known: int


def append(
    conversation: Conversation,
    messages: Iterable[NewMessage],
    *,
    door: MessageDoor = BY_PEOPLE,
    finished: bool | None = None,
    history: bool = False,
) -> AppendResult:
    """Add *messages* to the end of *conversation*, in one transaction.

    ``finished`` says whether the turn is complete, so that the conversation may be read for facts;
    by default it is if one of the added messages is the assistant's. In a *history*, nothing is
    said anew; else the last message of the user is, even if it repeats what was forgotten.
    """
    storable = [message.storable() for message in messages]
    with transaction.atomic():
        return _append(_lock(conversation), storable, door, finished=finished, history=history)


def append_new(
    conversation: Conversation, messages: Iterable[NewMessage], *, door: MessageDoor = BY_PEOPLE
) -> AppendResult:
    """Add those of *messages* with which *conversation* does not end already: for programs that
    give their messages no ids, and send them again when in doubt, or with each new one. If all are
    known, but the last one of the user is muted, it is said anew. So is every message whose
    memories a program has deleted altogether.

    The turn does not count as finished: the caller says what follows.
    """
    storable = [message.storable() for message in messages]
    with transaction.atomic():
        conversation = _lock(conversation)
        latest = conversation.messages.order_by("-position").defer("search")
        end = list(latest.select_related("muted")[: len(storable)])[::-1]
        anew = hooks.sayable_anew(end) if any(map(hooks.is_muted, end)) else ()
        known = overlap(
            [None if each.pk in anew else (each.role, hooks.spoken(each)) for each in end],
            [(message.role, message.content) for message in storable],
        )
        if known == len(storable):
            known = _said_anew(end, default=known)
        appended = _append(conversation, storable[known:], door, finished=False)
    return AppendResult(appended.added, appended.known + known)


def overlap(end: Sequence[object], new: Sequence[object]) -> int:
    """Return how many items *new* begins with are the last ones of *end*, in the same order."""
    longest = min(len(end), len(new))
    return next((n for n in range(longest, 0, -1) if end[-n:] == new[:n]), 0)


def _said_anew(messages: Sequence[Message], *, default: int) -> int:
    """The place of the user's last message among *messages* if that is muted."""
    by_user = [n for n, message in enumerate(messages) if message.role == Role.USER]
    if by_user and hooks.is_muted(messages[by_user[-1]]):
        return by_user[-1]
    return default


def finish(conversation: Conversation) -> None:
    """Report the turn as finished if *conversation* has messages that extraction has not read.

    For messages that came in over several appends, even if the process died in between.
    """
    with transaction.atomic():
        conversation = _lock(conversation)
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


def _lock(conversation: Conversation) -> Conversation:
    """Load the row under a lock, which decides who gets the next positions when two append."""
    rows = conversation.row().select_for_update(of=("self",)).select_related("instance")
    locked: Conversation = rows.get()
    return locked


def _append(
    conversation: Conversation,
    messages: Sequence[NewMessage],
    door: MessageDoor,
    *,
    finished: bool | None,
    history: bool = False,
) -> AppendResult:
    """Store *messages*, which are storable, in the locked *conversation*."""
    new = _without_known(conversation, messages)
    if not new:
        return AppendResult([], len(messages))
    known = conversation.messages.order_by("-position").select_related("muted")
    last = known.first()
    now = timezone.now()
    languages = list(_languages(new, last.language if last else conversation.instance.language))
    natures = _natures(new, languages, _said_last(last, known))
    added = Message.objects.bulk_create(
        [
            Message(
                instance_id=conversation.instance_id,
                conversation=conversation,
                position=position,
                role=message.role,
                author=message.author,
                content=message.content,
                caption=message.caption,
                external_id=message.external_id,
                tool_name=message.tool_name,
                tool_calls=message.tool_calls,
                trust=door.trust,
                api_key=door.key,
                batch=door.batch,
                language=language,
                nature=nature,
                sent_at=message.sent_at or now,
                metadata=message.metadata,
            )
            for position, (message, language, nature) in enumerate(
                zip(new, languages, natures, strict=True), start=last.position + 1 if last else 1
            )
        ],
        batch_size=500,
    )
    conversation.instance.note_languages(languages)
    latest = max(message.sent_at for message in added)
    conversation.last_activity_at = max(latest, conversation.last_activity_at) if last else latest
    conversation.save(update_fields=["last_activity_at"])
    by_user = [message for message in added if message.role == Role.USER]
    hooks.mute_repeated(conversation, added, anew=by_user[-1] if by_user and not history else None)
    if finished is None:
        finished = any(message.role == Role.ASSISTANT for message in new)
    if finished:
        turn_finished.send(sender=Conversation, conversation=conversation)
    return AppendResult(added, len(messages) - len(added))


def _languages(messages: Sequence[NewMessage], usual: str) -> Iterator[str]:
    """The language of each of *messages*: that of the one before, if it is too short to tell."""
    for message in messages:
        usual = hooks.language_of(message.content or message.caption, usual)
        yield usual


def _said_last(last: Message | None, latest: QuerySet[Message]) -> str:
    """Text that a person or the assistant said last, of the *latest* messages, whose first is
    *last*.
    """
    if last and last.role not in SPEAKERS:
        last = latest.filter(role__in=SPEAKERS).first()
    return f"{hooks.spoken(last)}\n{last.caption}" if last else ""


def _natures(
    messages: Sequence[NewMessage], languages: Sequence[str], before: str
) -> Iterator[Nature]:
    """The nature of each of *messages*; the first comes after the text *before*."""
    for message, language in zip(messages, languages, strict=True):
        text = message.content
        yield (
            # A picture shows something, whatever is said with it.
            Nature.STATEMENT
            if message.caption
            else hooks.nature_of(text, role=message.role, language=language, before=before)
        )
        if message.role in SPEAKERS:
            before = f"{text}\n{message.caption}"


def _without_known(conversation: Conversation, messages: Sequence[NewMessage]) -> list[NewMessage]:
    """Members of *messages* whose ids *conversation* does not have, each id once."""
    ids = [message.external_id for message in messages if message.external_id]
    known = set(
        conversation.messages.filter(external_id__in=ids).values_list("external_id", flat=True)
    )
    new: list[NewMessage] = []
    for message in messages:
        if message.external_id and message.external_id in known:
            continue
        known.add(message.external_id)
        new.append(message)
    return new
