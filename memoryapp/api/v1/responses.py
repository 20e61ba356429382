"""OpenAI's responses and conversations. What a request continues after is resolved here, so nothing
that was forgotten lives on at the provider.
"""

import time
from collections.abc import Mapping
from dataclasses import replace
from itertools import accumulate
from secrets import token_hex
from typing import Any

from asgiref.sync import sync_to_async
from django.db.models import F, Func, IntegerField
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase

from conversations.models import Conversation, ConversationOrigin, Message, Role
from instances.actor import Actor
from instances.ids import parse_pk
from instances.models import Instance, Permission
from memoryapp.api.auth import caller_of
from memoryapp.api.errors import ApiError
from memoryapp.api.key_requests import require_person
from memoryapp.api.v1.errors import openai_event
from memoryapp.api.v1.relay import NamedEvents, relay
from memoryapp.api.v1.request import BadRequest, ProxyRequest, end_user_of
from memoryapp.api.v1.requests import answering, body_of, instance_of, proxied, require_method
from memoryapp.api.v1.responses_format import ResponseStream, chat_request, response
from memoryapp.api.v1.stored_history import (
    Requester,
    StoredHistory,
    answer_named,
    as_chat,
    conversation_named,
    history_of_conversation,
    history_of_response,
)
from memoryapp.api.v1.transcript import read_messages
from memoryapp.disclosure import Disclosed, disclosed
from memoryapp.models import Answer, RequestDoor
from memoryapp.models.pagination import MAX_PAGE_CHARACTERS
from memoryapp.trust.conversation_deletion import forget_conversation

_CONVERSATION, _RESPONSE = "conv_", "resp_"


@answering
async def responses(request: HttpRequest) -> HttpResponseBase:
    """Answer a request for a response."""
    require_method(request, "POST")
    body, parsed = await sync_to_async(_parse)(request)
    created_at = int(time.time())
    stream = ResponseStream(parsed.public_id, body, created_at=created_at)
    events = NamedEvents(stream, lambda error: stream.fail(openai_event(error)))
    return await relay(
        parsed,
        events,
        lambda answer: response(parsed.public_id, body, answer, created_at=created_at),
    )


@answering
async def stored_response(request: HttpRequest, name: str) -> HttpResponseBase:
    """Return a stored response, or forget its name: its messages stay in the conversation."""
    require_method(request, "GET", "DELETE")
    if request.method == "DELETE":
        return JsonResponse(await sync_to_async(_delete_response)(request, name))
    return JsonResponse(await sync_to_async(_stored_response)(request, name))


@answering
async def conversations(request: HttpRequest) -> HttpResponseBase:
    """Begin a conversation, which responses can then name."""
    require_method(request, "POST")
    return JsonResponse(await sync_to_async(_begin)(request))


@answering
async def conversation(request: HttpRequest, name: str) -> HttpResponseBase:
    """Return a conversation, or delete it; what was learned from it stays."""
    require_method(request, "GET", "DELETE")
    return JsonResponse(await sync_to_async(_conversation)(request, name))


@answering
async def items(request: HttpRequest, name: str) -> HttpResponseBase:
    """List the messages of a conversation."""
    require_method(request, "GET")
    return JsonResponse(await sync_to_async(_items)(request, name))


def _parse(request: HttpRequest) -> tuple[dict[str, Any], ProxyRequest]:
    instance = instance_of(request, Permission.READ, Permission.WRITE)
    body = body_of(request)
    history, named = _history(request, instance, body)
    chat = chat_request(body, history.messages)
    if chat.get("stream"):
        chat["stream_options"] = {"include_usage": True}
    parsed = proxied(request, instance, chat)
    parsed = replace(
        parsed,
        public_id=f"{_RESPONSE}{token_hex(24)}",
        after=history.last,
        known=len(read_messages(history.messages)),
    )
    if named:
        parsed = replace(parsed, conversation_id=named)
    return body, parsed


def _history(
    request: HttpRequest, instance: Instance, body: Mapping[str, Any]
) -> tuple[StoredHistory, str]:
    """Return the messages that *body* continues after, and the conversation that it names."""
    key = caller_of(request).key
    requester = Requester(instance, end_user_of(instance, body, request.headers, key), key)
    previous, place = body.get("previous_response_id"), body.get("conversation")
    if previous and place:
        raise BadRequest(
            "Send “previous_response_id” or “conversation”, not both.", "previous_response_id"
        )
    if previous:
        if not isinstance(previous, str):
            raise BadRequest("“previous_response_id” must be a text.", "previous_response_id")
        return history_of_response(requester, previous), ""
    name = place.get("id") if isinstance(place, Mapping) else place
    if not name:
        return StoredHistory(), ""
    if not isinstance(name, str):
        raise BadRequest("“conversation” must be the id of one.", "conversation")
    return history_of_conversation(requester, name), name


def _stored_response(request: HttpRequest, name: str) -> dict[str, Any]:
    instance = instance_of(request, Permission.READ)
    answer = _answer(request, instance, name)
    replies = as_chat([(answer.reply, disclosed(instance, answer.reply))] if answer.reply else [])
    choices = [{"message": each, "finish_reason": "stop"} for each in replies]
    body = {"model": answer.model}
    created_at = int(answer.created_at.timestamp())
    return response(name, body, {"choices": choices}, created_at=created_at)


def _delete_response(request: HttpRequest, name: str) -> dict[str, Any]:
    answer = _answer(request, instance_of(request, Permission.WRITE), name)
    answer.row().update(public_id="")
    return {"id": name, "object": "response", "deleted": True}


def _answer(request: HttpRequest, instance: Instance, name: str) -> Answer:
    answer = answer_named(instance, name)
    if answer is None or not _is_for(request, answer.conversation):
        raise ApiError(404, "not_found", f"There is no response “{name}”.")
    return answer


def _begin(request: HttpRequest) -> dict[str, Any]:
    instance = instance_of(request, Permission.WRITE)
    body = body_of(request)
    if body.get("items"):
        text = "Items are not supported here. Send them as the input of the first response."
        raise BadRequest(text, "items")
    key = caller_of(request).key
    end_user = end_user_of(instance, body, request.headers, key)
    require_person(request, end_user, RequestDoor.CHAT)
    begun = Conversation.objects.create(
        instance=instance,
        external_id=f"{_CONVERSATION}{token_hex(24)}",
        origin=ConversationOrigin.OPENAI,
        end_user=end_user,
    )
    return _described(begun)


def _conversation(request: HttpRequest, name: str) -> dict[str, Any]:
    needed = Permission.DELETE if request.method == "DELETE" else Permission.READ
    found = _found(request, instance_of(request, needed), name)
    if request.method == "GET":
        return _described(found)
    key = caller_of(request).key
    by = Actor(via=f"api {key.prefix}" if key else "api")
    forget_conversation(found, by=by, with_memories=False)
    return {"id": name, "object": "conversation.deleted", "deleted": True}


def _items(request: HttpRequest, name: str) -> dict[str, Any]:
    instance = instance_of(request, Permission.READ)
    found = _found(request, instance, name)
    messages, has_more = item_page(found, request.GET)
    shown = [_item(each, disclosed(instance, each)) for each in messages]
    ids = [each["id"] for each in shown]
    return {
        "object": "list",
        "data": shown,
        "first_id": ids[0] if ids else None,
        "last_id": ids[-1] if ids else None,
        "has_more": has_more,
    }


def _item(message: Message, shown: Disclosed) -> dict[str, Any]:
    if message.role == Role.TOOL:
        return {
            "id": f"fco_{message.pk}",
            "type": "function_call_output",
            "call_id": message.tool_name,
            "output": shown.content,
        }
    kind = "output_text" if message.role == Role.ASSISTANT else "input_text"
    return {
        "id": f"msg_{message.pk}",
        "type": "message",
        "role": str(message.role),
        "status": "completed",
        "content": [{"type": kind, "text": shown.content}],
    }


def _found(request: HttpRequest, instance: Instance, name: str) -> Conversation:
    found = conversation_named(instance, name)
    if found is None or not _is_for(request, found):
        raise ApiError(404, "not_found", f"There is no conversation “{name}”.")
    return found


def _is_for(request: HttpRequest, conversation: Conversation) -> bool:
    """True if the conversation is that of the person whom the request is for, if it is for one."""
    person = end_user_of(conversation.instance, {}, request.headers, caller_of(request).key)
    return not person or conversation.end_user == person


def _described(conversation: Conversation) -> dict[str, Any]:
    return {
        "id": conversation.external_id,
        "object": "conversation",
        "created_at": int(conversation.created_at.timestamp()),
        "metadata": {},
    }


#: Messages on a page, by default and at most.
USUAL_ITEMS, MAX_ITEMS = 20, 100


def item_page(conversation: Conversation, asked: Mapping[str, str]) -> tuple[list[Message], bool]:
    """Return the messages of *conversation* after the item that the parameters *asked* name, and
    whether there are more. A page has fewer than ``limit`` where their texts are long.

    Raises `BadRequest`.
    """
    order = asked.get("order", "desc")
    if order not in ("asc", "desc"):
        raise BadRequest("“order” must be “asc” or “desc”.", "order")
    limit = parse_pk(asked.get("limit", USUAL_ITEMS))
    if limit is None or limit > MAX_ITEMS:
        raise BadRequest(f"“limit” must be a number from 1 to {MAX_ITEMS}.", "limit")
    rows = conversation.messages.exclude(role=Role.SYSTEM).exclude(content="")
    if after := asked.get("after", ""):
        last = _position(conversation, after)
        rows = rows.filter(**{"position__gt" if order == "asc" else "position__lt": last})
    rows = rows.order_by("position" if order == "asc" else "-position")
    size = Func(F("content"), function="octet_length", output_field=IntegerField())
    sizes = rows.values_list("pk", size)[: limit + 1]
    ids = [pk for pk, _ in sizes]
    fit = sum(total <= MAX_PAGE_CHARACTERS for total in accumulate(size for _, size in sizes))
    shown = ids[: min(limit, max(1, fit))]
    return list(rows.filter(pk__in=shown).defer("search")), len(ids) > len(shown)


def _position(conversation: Conversation, item: str) -> int:
    """The position of the message that is called *item*, such as ``msg_12``."""
    pk = parse_pk(item.rpartition("_")[2])
    found = conversation.messages.filter(pk=pk or 0).values_list("position", flat=True).first()
    if found is None:
        raise BadRequest(f"There is no item “{item}”.", "after")
    return found
