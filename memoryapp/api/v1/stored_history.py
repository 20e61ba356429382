"""The messages before a request that names a stored reply or conversation instead of sending them.

They are read from what is stored here, so a message that states something forgotten is left out.
System messages and pictures are not stored, and have to be sent again.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from conversations.messages import short_id
from conversations.models import Conversation, Message, Role
from instances.models import ApiKey, Instance
from memoryapp.api.v1.conversation_matching import as_sent, check_person, stored_links
from memoryapp.api.v1.request import BadRequest
from memoryapp.api.v1.transcript import ROOT, link
from memoryapp.disclosure import Disclosed, disclosed, revealed
from memoryapp.models import Answer
from memoryapp.models.muted_messages import is_muted

#: The most messages of a conversation that a model is shown again.
MAX_MESSAGES = 400


@dataclass(frozen=True)
class StoredHistory:
    """The messages before a request."""

    #: The last of them; None at the beginning of a conversation.
    last: Message | None = None
    #: In the form of chat completions.
    messages: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class Requester:
    """Person or key that continues after what is stored."""

    instance: Instance
    #: The person whom the request is for; empty for nobody.
    end_user: str = ""
    key: ApiKey | None = None


def history_of_response(requester: Requester, name: str) -> StoredHistory:
    """Return the messages up to the reply called *name*; raises `BadRequest` if it is unknown, and
    `OtherUsersConversation`.
    """
    answer = answer_named(requester.instance, name)
    if answer is None:
        raise BadRequest(
            f"There is no response “{name}”. It may have been deleted, or was not stored.",
            "previous_response_id",
        )
    check_person(answer.conversation, requester.end_user)
    reply = answer.reply or _reply_to(answer)
    return StoredHistory(reply, _as_chat(requester, _path_to(reply)))


def history_of_conversation(requester: Requester, name: str) -> StoredHistory:
    """Return all messages of the conversation called *name*; raises `BadRequest` if it is unknown,
    and `OtherUsersConversation`.
    """
    conversation = conversation_named(requester.instance, name)
    if conversation is None:
        raise BadRequest(f"There is no conversation “{name}”.", "conversation")
    check_person(conversation, requester.end_user)
    messages = _messages_of(conversation)
    return StoredHistory(messages[-1] if messages else None, _as_chat(requester, messages))


def answer_named(instance: Instance, name: str) -> Answer | None:
    """Return the answer that was given out as *name*."""
    answers = instance.answers.filter(public_id=short_id(name)).exclude(public_id="")
    return answers.select_related("conversation", "reply", "message").first()


def conversation_named(instance: Instance, name: str) -> Conversation | None:
    """Return the conversation with the id that a client was given."""
    return instance.conversations.filter(external_id=short_id(name)).exclude(external_id="").first()


def _as_chat(requester: Requester, messages: Iterable[Message]) -> list[dict[str, Any]]:
    """Return *messages* in the form of chat completions, without those that are muted. What the
    same key has sent, and the answers to it, the program has had in clear; in the rest, secrets are
    masked.
    """
    shown: list[tuple[Message, Disclosed]] = []
    is_own = False
    for message in messages:
        if message.role != Role.ASSISTANT:
            is_own = requester.key is not None and message.api_key_id == requester.key.pk
        if not is_muted(message):
            clear = revealed(message) if is_own else disclosed(requester.instance, message)
            shown.append((message, clear))
    return as_chat(shown)


def as_chat(messages: Iterable[tuple[Message, Disclosed]]) -> list[dict[str, Any]]:
    """Return *messages*, each with what is shown of it, in the form of chat completions."""
    chat: list[dict[str, Any]] = []
    calls: list[dict[str, Any]] = []
    for message, shown in messages:
        if message.role == Role.TOOL:
            # Results come in the order of the calls.
            call = next((each for each in calls if each["name"] == message.tool_name), None)
            if call is not None:
                calls.remove(call)
                result = {"role": "tool", "tool_call_id": call["id"], "content": shown.content}
                chat.append(result)
        elif message.role == Role.ASSISTANT:
            calls = [
                {**call, "id": call.get("id") or f"call_{message.pk}_{number}"}
                for number, call in enumerate(shown.tool_calls)
            ]
            reply: dict[str, Any] = {"role": "assistant", "content": shown.content or None}
            if calls:
                reply["tool_calls"] = [_call(call) for call in calls]
            chat.append(reply)
        elif message.role == Role.USER and shown.content:
            chat.append({"role": "user", "content": shown.content})
    return chat


def _call(call: dict[str, Any]) -> dict[str, Any]:
    function = {"name": call["name"], "arguments": call.get("arguments") or "{}"}
    return {"id": call["id"], "type": "function", "function": function}


def _reply_to(answer: Answer) -> Message:
    """Return the reply of an answer that repeats an earlier one, which has it."""
    later = answer.conversation.messages.filter(
        position__gt=answer.message.position, role=Role.ASSISTANT
    )
    return later.order_by("position").defer("search").first() or answer.message


def _messages_of(conversation: Conversation) -> list[Message]:
    """Return the latest messages of a conversation, in their order."""
    rows = conversation.messages.exclude(role=Role.SYSTEM).select_related("muted").defer("search")
    return list(rows.order_by("-position")[:MAX_MESSAGES])[::-1]


def _path_to(last: Message) -> list[Message]:
    """Return the messages that lead to *last*: of a conversation with several replies to one
    message, those of its branch.
    """
    earlier = [each for each in _messages_of(last.conversation) if each.position < last.position]
    links = stored_links(last.conversation)
    path = [last]
    while earlier:
        own, sent = links.get(path[-1].pk), as_sent(path[-1])
        if own == link(ROOT, sent):
            break
        fits = (n for n in reversed(range(len(earlier))) if link(links[earlier[n].pk], sent) == own)
        # One that came in another way, or not as a whole, follows the one before it.
        place = next(fits, len(earlier) - 1)
        path.append(earlier[place])
        del earlier[place:]
    return path[::-1]
