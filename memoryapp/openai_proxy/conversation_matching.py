"""The conversation that a transcript is of: found or begun, and what is new in it stored, once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from conversations.messages import append, short_id, shortened
from conversations.models import (
    TRANSCRIPT_LINK_PREFIX,
    Conversation,
    ConversationOrigin,
    Message,
    Role,
)
from conversations.sanitizer import sanitize
from instances.models import Agent, Instance
from memoryapp.assistant.answer import MAX_REPLY_CHARACTERS
from memoryapp.assistant.submission import title_of
from memoryapp.models import Answer
from memoryapp.openai_proxy.transcript import (
    ROOT,
    ClientMessage,
    TranscriptWalk,
    link,
    links,
    walk,
)
from memoryapp.openai_proxy.transcript import assistant_message as as_said
from memoryapp.runs.locks import wait_for_lock

#: For how long a conversation in which nothing has followed the first message is taken for the one
#: that begins with the same words. Later, it is somebody who says hello once more.
SAME_OPENING_WINDOW = timedelta(minutes=10)
#: Links at the end of a transcript that are looked up first, and messages that are looked at.
LINKS_TRIED_FIRST = 8
MAX_MATCHING_MESSAGES = 200
#: Conversations with the same opening that are looked through for a reply that was cut short.
MAX_CANDIDATES = 5
#: How many of a person's latest conversations are compared with a transcript that begins nowhere,
#: and for how long after they were last spoken in.
MAX_RECENT_CONVERSATIONS = 20
RECENT_WINDOW = timedelta(days=1)
#: The latest messages among which the place of a shortened transcript is looked for.
MAX_LATEST_MESSAGES = 200


class OtherUsersConversation(Exception):
    """The conversation of that id is somebody else's; the message says so."""


@dataclass(frozen=True)
class TranscriptOwner:
    """Whose conversation a transcript is of, and its id, if the caller gave one."""

    instance: Instance
    agent: Agent | None
    end_user: str
    conversation_id: str = ""


@dataclass(frozen=True)
class StoredTranscript:
    """Where a transcript is stored: ``message`` is its last message, which is to be answered."""

    conversation: Conversation
    message: Message
    link: str


@transaction.atomic
def store_transcript(place: TranscriptOwner, said: Sequence[ClientMessage]) -> StoredTranscript:
    """Store what is new in the transcript *said*, which has at least one message.

    What the caller sends again is known by its links. An edited message, or another reply to the
    same one, is added behind what is there: nothing that was said is replaced.

    Raises `OtherUsersConversation`.
    """
    conversation = _named(place, said) if place.conversation_id else _recognised(place, said)
    # The row lock decides between two requests that bring the same messages at once.
    Conversation.objects.select_for_update(of=("self",)).get(pk=conversation.pk)
    stored = _Stored(conversation)
    walked = walk(said, stored.at, stored.replies_to)
    if not walked.known and stored.at:
        walked = _resumed(said, stored)
    new = said[walked.known :]
    made = links(new, walked.link)
    turns = [replace(each.turn, external_id=at) for each, at in zip(new, made, strict=True)]
    # Whether there is something to read for facts is known once there is a reply.
    added = append(conversation, turns, finished=False).added
    if added:
        return StoredTranscript(conversation, added[-1], made[-1])
    messages = conversation.messages.defer("search")
    return StoredTranscript(conversation, messages.get(pk=stored.at[walked.link]), walked.link)


@transaction.atomic
def store_reply(kept: StoredTranscript, text: str, calls: Sequence[dict[str, str]] = ()) -> Message:
    """Store the assistant's reply, so that the conversation is read for facts. The same reply to
    the same messages is stored once: its link is that of the whole reply, which the client has,
    even if only the beginning is stored.
    """
    said = as_said(text, calls)
    at = link(kept.link, said)
    content = shortened(sanitize(said.turn.content), MAX_REPLY_CHARACTERS)
    turn = replace(said.turn, content=content, external_id=at)
    added = append(kept.conversation, [turn], finished=True).added
    return added[0] if added else kept.conversation.messages.defer("search").get(external_id=at)


def _named(place: TranscriptOwner, said: Sequence[ClientMessage]) -> Conversation:
    """The conversation that has the caller's id, begun if there is none."""
    conversation, begun = Conversation.objects.get_or_create(
        instance=place.instance,
        external_id=short_id(place.conversation_id),
        defaults=_beginning(place, said),
    )
    if not begun and place.end_user and conversation.end_user != place.end_user:
        raise OtherUsersConversation(
            "The conversation of this id was begun with another user. Give it another id."
        )
    return conversation


def _recognised(place: TranscriptOwner, said: Sequence[ClientMessage]) -> Conversation:
    """The conversation that begins like the transcript, begun if there is none."""
    made = links(said)
    # Decides between two requests that begin the same conversation at once.
    wait_for_lock(f"transcript:{place.instance.pk}:{place.end_user}:{made[0]}")
    found = _found(place, said, made) or _shortened(place, said)
    return found or Conversation.objects.create(instance=place.instance, **_beginning(place, said))


def _found(
    place: TranscriptOwner, said: Sequence[ClientMessage], made: list[str]
) -> Conversation | None:
    """The conversation that shares the longest beginning with the transcript of these links, with
    a reply of ours in it: clients bring examples and greetings that many conversations share. One
    in which nothing has followed yet is the same for a few minutes.
    """
    # What follows the latest reply is nearly always new, and openings are shared by many.
    for some in (made[-LINKS_TRIED_FIRST:], made):
        alike, deepest = _alike(place, made, some)
        matches = [
            (deepest[pk][0], conversation.last_activity_at, pk)
            for pk, conversation in alike.items()
            if deepest[pk][1] or _still_at(made[deepest[pk][0]], conversation)
        ]
        if matches:
            return alike[max(matches)[2]]
    # A client that hung up in the middle of the first reply sends its beginning from then on.
    latest = sorted(alike.values(), key=lambda each: each.last_activity_at, reverse=True)
    for conversation in latest[:MAX_CANDIDATES]:
        stored = _Stored(conversation)
        if walk(said, stored.at, stored.replies_to).known > deepest[conversation.pk][0] + 1:
            return conversation
    return None


def _alike(
    place: TranscriptOwner, made: list[str], some: list[str]
) -> tuple[dict[int, Conversation], dict[int, tuple[int, bool]]]:
    """The latest conversations that share *some* of the links *made*; and of each, which link is
    the last one that they share, and whether a reply of ours is among them.
    """
    depth = {at: number for number, at in enumerate(made)}
    rows = Message.objects.filter(
        instance=place.instance,
        external_id__in=some,
        external_id__startswith=TRANSCRIPT_LINK_PREFIX,
        conversation__in=_of(place),
    ).annotate(ours=Exists(Answer.objects.filter(reply=OuterRef("pk"))))
    deepest: dict[int, tuple[int, bool]] = {}
    latest = rows.order_by("-pk").values_list("conversation", "external_id", "ours")
    for pk, at, is_ours in latest[:MAX_MATCHING_MESSAGES]:
        before, replied = deepest.get(pk, (-1, False))
        deepest[pk] = (max(before, depth[at]), replied or is_ours)
    return Conversation.objects.in_bulk(deepest), deepest


def _shortened(place: TranscriptOwner, said: Sequence[ClientMessage]) -> Conversation | None:
    """The recent conversation that the transcript is the end of: many clients send only so many
    messages. All but the last one must be known, up to the latest that is stored.
    """
    if len(said) < 3:
        return None
    since = timezone.now() - RECENT_WINDOW
    recent = (
        _of(place)
        .filter(last_activity_at__gte=since)
        .order_by("-last_activity_at")[:MAX_RECENT_CONVERSATIONS]
    )
    latest = Message.objects.filter(conversation__in=list(recent)).defer("search")
    latest = latest.order_by("conversation_id", "-position").distinct("conversation_id")
    ends = {link(ROOT, each) for each in said[-2:]}
    alike = [each.conversation_id for each in latest if link(ROOT, _said(each)) in ends]
    for conversation in recent:
        if conversation.pk in alike:
            stored = _Stored(conversation)
            walked = _resumed(said, stored)
            at_its_end = walked.link == stored.latest()[0][0]
            if at_its_end and walked.known >= len(said) - 1:
                return conversation
    return None


def _of(place: TranscriptOwner) -> QuerySet[Conversation]:
    """The conversations that a transcript without an id may be of."""
    return Conversation.objects.filter(
        instance=place.instance,
        origin=ConversationOrigin.OPENAI,
        external_id="",
        end_user=place.end_user,
        agent=place.agent,
    )


def _still_at(at: str, conversation: Conversation) -> bool:
    """Whether nothing has been asked since the message of this link, a moment ago."""
    if conversation.last_activity_at < timezone.now() - SAME_OPENING_WINDOW:
        return False
    messages = conversation.messages
    position = messages.values_list("position", flat=True).get(external_id=at)
    return not messages.filter(position__gt=position, role=Role.USER).exists()


def _beginning(place: TranscriptOwner, said: Sequence[ClientMessage]) -> dict[str, object]:
    asked = next((each.turn.content for each in said if each.turn.role == Role.USER), "")
    return {
        "agent": place.agent,
        "end_user": place.end_user,
        "origin": ConversationOrigin.OPENAI,
        "title": title_of(sanitize(asked)),
    }


class _Stored:
    """The messages of a conversation by their links."""

    def __init__(self, conversation: Conversation) -> None:
        self._messages = conversation.messages.order_by("position")
        #: Link to message id.
        self.at: dict[str, int] = {}
        rows = list(self._messages.values_list("pk", "external_id"))
        if all(at.startswith(TRANSCRIPT_LINK_PREFIX) for _, at in rows):
            self.at = {at: pk for pk, at in rows}
            return
        # Some came in by another door: their links are what a client would have made of them.
        before = ROOT
        for message in self._messages.exclude(role=Role.SYSTEM).defer("search"):
            known = message.external_id.startswith(TRANSCRIPT_LINK_PREFIX)
            before = message.external_id if known else link(before, _said(message))
            self.at.setdefault(before, message.pk)

    def replies_to(self, before: str) -> Iterable[tuple[str, str]]:
        replies = self._messages.filter(role=Role.ASSISTANT)
        if before in self.at:
            asked = Message.objects.filter(pk=self.at[before]).values("position")
            replies = replies.filter(position__gt=asked)
        for message in replies.defer("search")[:MAX_LATEST_MESSAGES]:
            at = link(before, _said(message))
            if at in self.at:
                yield at, message.content

    def latest(self) -> list[tuple[str, Message]]:
        """The latest messages with their links, the latest first."""
        by_pk = {pk: at for at, pk in self.at.items()}
        found = self._messages.reverse().defer("search")[:MAX_LATEST_MESSAGES]
        return [(by_pk[message.pk], message) for message in found if message.pk in by_pk]


def _resumed(said: Sequence[ClientMessage], stored: _Stored) -> TranscriptWalk:
    """Find where a transcript goes on that does not begin where its conversation does, because the
    client has left out what is old: where most of it is known, and the latest such place. If none
    of it is known, it follows what was said last.
    """
    latest = stored.latest()
    tail = latest[0][0] if latest else ROOT
    best = TranscriptWalk(0, tail)
    last_asked = next((at for at, message in latest if message.role == Role.USER), tail)
    for at, message in latest:
        if link(ROOT, _said(message)) != link(ROOT, said[0]):
            continue
        rest = walk(said[1:], stored.at, stored.replies_to, start=at)
        walked = TranscriptWalk(rest.known + 1, rest.link)
        # A single message that was said long ago is said again.
        if walked.known > best.known and (len(said) > 1 or at == last_asked):
            best = walked
    return best


def _said(message: Message) -> ClientMessage:
    turn = as_said(message.content, message.tool_calls).turn
    return ClientMessage(replace(turn, role=message.role, author=message.author))
