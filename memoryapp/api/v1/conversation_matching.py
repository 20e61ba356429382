"""Finds the conversation of a transcript, or begins one, and stores its new messages once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from conversations.messages import BY_PEOPLE, MessageDoor, append, short_id, shortened
from conversations.models import (
    TRANSCRIPT_LINK_PREFIX,
    Conversation,
    ConversationOrigin,
    Message,
    Role,
)
from conversations.sanitizer import sanitize
from conversations.titles import title_of
from instances.models import Agent, Instance
from memoryapp.api.v1.transcript import (
    ROOT,
    ClientMessage,
    TranscriptWalk,
    assistant_message,
    link,
    links,
    walk,
)
from memoryapp.assistant.answer import MAX_REPLY_CHARACTERS
from memoryapp.models import Answer
from memoryapp.models.muted_messages import spoken
from memoryapp.runs.locks import wait_for_lock

#: How long a conversation without a second message matches a transcript with the same opening.
#: Later, the transcript is a new conversation with the same greeting.
SAME_OPENING_WINDOW = timedelta(minutes=10)
#: Links at the end of a transcript that are looked up first, and messages that are considered.
LINKS_TRIED_FIRST = 8
MAX_MATCHING_MESSAGES = 200
#: Conversations with the same opening that are searched for a reply that was cut short.
MAX_CANDIDATES = 5
#: The latest conversations of a person that are compared with a transcript whose beginning is
#: unknown, and the time since their last message.
MAX_RECENT_CONVERSATIONS = 20
RECENT_WINDOW = timedelta(days=1)
#: The latest messages among which the position of a shortened transcript is searched.
MAX_LATEST_MESSAGES = 200


class OtherUsersConversation(Exception):
    """The conversation of that id is another user's; the message says so."""


class ConversationWithMemory(Exception):
    """The conversation of that id was begun with memory; the message says what to do."""


@dataclass(frozen=True)
class TranscriptOwner:
    """Owner of the conversation of a transcript, and its id, if the caller gave one."""

    instance: Instance
    agent: Agent | None
    end_user: str
    conversation_id: str = ""
    #: The door through which the messages come.
    door: MessageDoor = BY_PEOPLE
    #: True if a new conversation is without memory.
    without_memory: bool = False


@dataclass(frozen=True)
class StoredTranscript:
    """A stored transcript: ``message`` is its last message, which is to be answered."""

    conversation: Conversation
    message: Message
    link: str
    #: How many messages were new.
    added: int = 0


@transaction.atomic
def store_transcript(
    owner: TranscriptOwner, sent: Sequence[ClientMessage], *, after: Message | None = None
) -> StoredTranscript:
    """Store the new messages of the transcript *sent*, which has at least one message. With
    *after*, a stored message, they follow it; without, the transcript is a whole one.

    Messages that are sent again are known by their links. An edited message, or another reply to
    the same one, is appended: no stored message is replaced.

    Raises `OtherUsersConversation` and `ConversationWithMemory`.
    """
    if after is not None:
        conversation = after.conversation
        _check_owner(owner, conversation)
    else:
        conversation = _named(owner, sent) if owner.conversation_id else _recognised(owner, sent)
    # The row lock decides between two requests that bring the same messages at once.
    conversation.locked()
    stored = _Stored(conversation)
    start = next((at for at, pk in stored.ids.items() if after and pk == after.pk), ROOT)
    walked = walk(sent, stored.ids, stored.replies_to, start=start)
    if not walked.known and stored.ids and after is None:
        walked = _resumed(sent, stored)
    new = sent[walked.known :]
    new_links = links(new, walked.link)
    messages = [
        replace(each.message, external_id=at) for each, at in zip(new, new_links, strict=True)
    ]
    # Whether there is anything to read for facts is known once there is a reply.
    added = append(conversation, messages, door=owner.door, finished=False).added
    if added:
        return StoredTranscript(conversation, added[-1], new_links[-1], len(added))
    last = conversation.messages.defer("search").get(pk=stored.ids[walked.link])
    return StoredTranscript(conversation, last, walked.link)


@transaction.atomic
def store_reply(
    stored: StoredTranscript, text: str, calls: Sequence[dict[str, str]] = ()
) -> Message:
    """Store the assistant's reply, so that the conversation is read for facts.

    The same reply to the same messages is stored once. Its link is that of the whole reply, which
    the client has, even if only the beginning is stored.
    """
    reply = assistant_message(text, calls)
    at = link(stored.link, reply)
    content = shortened(sanitize(reply.message.content), MAX_REPLY_CHARACTERS)
    message = replace(reply.message, content=content, external_id=at)
    added = append(stored.conversation, [message], finished=True).added
    return added[0] if added else stored.conversation.messages.defer("search").get(external_id=at)


def _named(owner: TranscriptOwner, sent: Sequence[ClientMessage]) -> Conversation:
    """Return the conversation with the caller's id; begin it if there is none."""
    conversation, created = Conversation.objects.get_or_create(
        instance=owner.instance,
        external_id=short_id(owner.conversation_id),
        defaults=_beginning(owner, sent),
    )
    if not created:
        _check_owner(owner, conversation)
    return conversation


def check_person(conversation: Conversation, end_user: str) -> None:
    """Raise `OtherUsersConversation` if a request is for an *end_user*, and the conversation is
    another one's.
    """
    if end_user and conversation.end_user != end_user:
        raise OtherUsersConversation(
            "The conversation of this id was begun with another user. Give it another id."
        )


def _check_owner(owner: TranscriptOwner, conversation: Conversation) -> None:
    """Raise an error if the conversation is not the caller's to continue."""
    check_person(conversation, owner.end_user)
    if owner.without_memory and not conversation.without_memory:
        raise ConversationWithMemory(
            "The conversation of this id was begun with memory. Give one without memory another id."
        )


def _recognised(owner: TranscriptOwner, sent: Sequence[ClientMessage]) -> Conversation:
    """Return the conversation that matches the transcript; begin one if there is none."""
    sent_links = links(sent)
    # Decides between two requests that begin the same conversation at once.
    wait_for_lock(f"transcript:{owner.instance.pk}:{owner.end_user}:{sent_links[0]}")
    conversation = _with_same_beginning(owner, sent, sent_links) or _with_same_end(owner, sent)
    return conversation or Conversation.objects.create(
        instance=owner.instance, **_beginning(owner, sent)
    )


def _with_same_beginning(
    owner: TranscriptOwner, sent: Sequence[ClientMessage], sent_links: list[str]
) -> Conversation | None:
    """Return the conversation that shares the longest beginning with the transcript, including a
    reply of ours: clients send examples and greetings that many conversations share. Without such a
    reply, a conversation matches only for a few minutes.
    """
    # The end first: openings are shared by many conversations.
    for some in (sent_links[-LINKS_TRIED_FIRST:], sent_links):
        alike, deepest = _alike(owner, sent_links, some)
        matches = [
            (deepest[pk][0], conversation.last_activity_at, pk)
            for pk, conversation in alike.items()
            if deepest[pk][1] or _unanswered_since(sent_links[deepest[pk][0]], conversation)
        ]
        if matches:
            return alike[max(matches)[2]]
    # A client that disconnected during the first reply sends only its beginning from then on.
    latest = sorted(alike.values(), key=lambda each: each.last_activity_at, reverse=True)
    for conversation in latest[:MAX_CANDIDATES]:
        stored = _Stored(conversation)
        if walk(sent, stored.ids, stored.replies_to).known > deepest[conversation.pk][0] + 1:
            return conversation
    return None


def _alike(
    owner: TranscriptOwner, sent_links: list[str], some: list[str]
) -> tuple[dict[int, Conversation], dict[int, tuple[int, bool]]]:
    """Return the latest conversations that share *some* of the links; and for each, the index of
    the last shared link, and whether a reply of ours is among those.
    """
    depth = {at: number for number, at in enumerate(sent_links)}
    rows = Message.objects.filter(
        instance=owner.instance,
        external_id__in=some,
        external_id__startswith=TRANSCRIPT_LINK_PREFIX,
        conversation__in=_candidates(owner),
    ).annotate(ours=Exists(Answer.objects.filter(reply=OuterRef("pk"))))
    deepest: dict[int, tuple[int, bool]] = {}
    latest = rows.order_by("-pk").values_list("conversation", "external_id", "ours")
    for pk, at, is_ours in latest[:MAX_MATCHING_MESSAGES]:
        before, replied = deepest.get(pk, (-1, False))
        deepest[pk] = (max(before, depth[at]), replied or is_ours)
    return Conversation.objects.in_bulk(deepest), deepest


def _with_same_end(owner: TranscriptOwner, sent: Sequence[ClientMessage]) -> Conversation | None:
    """Return the recent conversation whose end the transcript is: many clients limit the number of
    messages. All messages but the last must be known, up to the latest stored one.
    """
    if len(sent) < 3:
        return None
    since = timezone.now() - RECENT_WINDOW
    recent = (
        _candidates(owner)
        .filter(last_activity_at__gte=since)
        .order_by("-last_activity_at")[:MAX_RECENT_CONVERSATIONS]
    )
    rows = Message.objects.filter(conversation__in=list(recent))
    latest = rows.select_related("muted").defer("search")
    latest = latest.order_by("conversation_id", "-position").distinct("conversation_id")
    ends = {link(ROOT, each) for each in sent[-2:]}
    alike = [each.conversation_id for each in latest if link(ROOT, as_sent(each)) in ends]
    for conversation in recent:
        if conversation.pk in alike:
            stored = _Stored(conversation)
            walked = _resumed(sent, stored)
            at_its_end = walked.link == stored.latest()[0][0]
            if at_its_end and walked.known >= len(sent) - 1:
                return conversation
    return None


def _candidates(owner: TranscriptOwner) -> QuerySet[Conversation]:
    """Return the conversations that a transcript without an id may belong to."""
    candidates = Conversation.objects.filter(
        instance=owner.instance,
        origin=ConversationOrigin.OPENAI,
        external_id="",
        end_user=owner.end_user,
        agent=owner.agent,
    )
    # What is to be kept nowhere is not added to a conversation that is.
    return candidates.filter(without_memory=True) if owner.without_memory else candidates


def _unanswered_since(at: str, conversation: Conversation) -> bool:
    """True if the message of this link is recent, and no message of the user follows it."""
    if conversation.last_activity_at < timezone.now() - SAME_OPENING_WINDOW:
        return False
    messages = conversation.messages
    position = messages.values_list("position", flat=True).get(external_id=at)
    return not messages.filter(position__gt=position, role=Role.USER).exists()


def _beginning(owner: TranscriptOwner, sent: Sequence[ClientMessage]) -> dict[str, object]:
    texts = (each.message.content for each in sent if each.message.role == Role.USER)
    return {
        "agent": owner.agent,
        "end_user": owner.end_user,
        "without_memory": owner.without_memory,
        "origin": ConversationOrigin.OPENAI,
        "title": title_of(owner.instance, next(texts, "")),
    }


class _Stored:
    """The messages of a conversation by their links."""

    def __init__(self, conversation: Conversation) -> None:
        messages = conversation.messages.select_related("muted").defer("search")
        self._messages = messages.order_by("position")
        #: Links to ids of messages.
        self.ids: dict[str, int] = {}
        rows = list(self._messages.values_list("pk", "external_id"))
        if all(at.startswith(TRANSCRIPT_LINK_PREFIX) for _, at in rows):
            self.ids = {at: pk for pk, at in rows}
            return
        # Some came in another way: they get the links that a client would have made.
        before = ROOT
        for message in self._messages.exclude(role=Role.SYSTEM):
            known = message.external_id.startswith(TRANSCRIPT_LINK_PREFIX)
            before = message.external_id if known else link(before, as_sent(message))
            self.ids.setdefault(before, message.pk)

    def replies_to(self, before: str) -> Iterable[tuple[str, str]]:
        """Yield links and texts of the replies that may follow the link *before*."""
        replies = self._messages.filter(role=Role.ASSISTANT)
        if before in self.ids:
            position = Message.objects.filter(pk=self.ids[before]).values("position")
            replies = replies.filter(position__gt=position)
        for message in replies[:MAX_LATEST_MESSAGES]:
            at = link(before, as_sent(message))
            if at in self.ids:
                yield at, spoken(message)

    def latest(self) -> list[tuple[str, Message]]:
        """Return the latest messages with their links, the latest first."""
        by_pk = {pk: at for at, pk in self.ids.items()}
        rows = self._messages.reverse()[:MAX_LATEST_MESSAGES]
        return [(by_pk[message.pk], message) for message in rows if message.pk in by_pk]


def _resumed(sent: Sequence[ClientMessage], stored: _Stored) -> TranscriptWalk:
    """Find the position of a transcript whose client has left out old messages: where most of its
    messages are known, and of such positions the latest. If none is known, it is the end.
    """
    latest = stored.latest()
    tail = latest[0][0] if latest else ROOT
    best = TranscriptWalk(0, tail)
    last_asked = next((at for at, message in latest if message.role == Role.USER), tail)
    for at, message in latest:
        if link(ROOT, as_sent(message)) != link(ROOT, sent[0]):
            continue
        rest = walk(sent[1:], stored.ids, stored.replies_to, start=at)
        walked = TranscriptWalk(rest.known + 1, rest.link)
        # A single message matches only the latest one: an older one was repeated.
        if walked.known > best.known and (len(sent) > 1 or at == last_asked):
            best = walked
    return best


def stored_links(conversation: Conversation) -> dict[int, str]:
    """Return the links of the messages of a conversation, by their ids."""
    return {pk: at for at, pk in _Stored(conversation).ids.items()}


def as_sent(message: Message) -> ClientMessage:
    """Return a stored message as a client sends it."""
    muted = getattr(message, "muted", None)
    calls = muted.tool_calls if muted else message.tool_calls
    sent = assistant_message(spoken(message), calls).message
    return ClientMessage(replace(sent, role=message.role, author=message.author))
