"""Anthropic's messages. Where Anthropic is the provider, they are passed on as they are; elsewhere,
the model behind answers in chat completions.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import replace
from secrets import token_hex
from typing import Any

from asgiref.sync import sync_to_async
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase

from instances.models import Instance, Permission, Provider
from memoryapp.api.v1.errors import anthropic_event, anthropic_problem
from memoryapp.api.v1.messages_format import MessageStream, chat_request, message, texts_of
from memoryapp.api.v1.messages_transcript import chat_messages
from memoryapp.api.v1.relay import NamedEvents, Part, relay
from memoryapp.api.v1.request import (
    ASSISTANT_MODEL,
    BadRequest,
    ProxyRequest,
    chosen_model,
)
from memoryapp.api.v1.requests import answering, body_of, instance_of, proxied, require_method
from memoryapp.providers.messages_api import VERSION, MessagesOptions
from memoryapp.providers.messages_api import count_tokens as provided_count

#: Characters of a usual token; the tokens of each message besides its text.
CHARACTERS_PER_TOKEN = 3.5
#: Names of beta features in one request, at most.
MAX_BETAS = 100
VERSION_HEADER, BETA_HEADER = "anthropic-version", "anthropic-beta"
#: The id that Claude Code sends is that of a session, not of a person.
_SESSION = re.compile(r"session_?id|_session_", re.IGNORECASE)
_VERSION = re.compile(r"\d{4}-\d\d-\d\d")
_BETA = re.compile(r"[A-Za-z0-9][\w.-]{0,99}", re.ASCII)


async def messages(request: HttpRequest) -> HttpResponseBase:
    """Answer a request for a message."""
    require_method(request, "POST")
    body, parsed = await sync_to_async(_parse)(request)
    if parsed.messages_options is not None:
        return await relay(parsed, NamedEvents(_SameEvents(), _failing), lambda answer: answer)
    name = f"msg_{token_hex(12)}"
    events = NamedEvents(MessageStream(name, body), _failing)
    return await relay(parsed, events, lambda answer: message(name, body, answer))


async def count_tokens(request: HttpRequest) -> HttpResponseBase:
    """Count the tokens of a request, without what is added to it. Where Anthropic is the provider,
    it counts them; elsewhere it is an estimate, since each model counts in its own way.
    """
    require_method(request, "POST")
    return JsonResponse(await sync_to_async(_count)(request))


class _SameEvents:
    """The events of the provider as they are."""

    def begin(self) -> Iterable[Part]:
        return ()

    def take(self, event: Part) -> Iterable[Part]:
        return (event,)

    def end(self) -> Iterable[Part]:
        return ()


def _failing(error: Exception) -> Iterable[Part]:
    return (anthropic_event(error),)


def _parse(request: HttpRequest) -> tuple[dict[str, Any], ProxyRequest]:
    instance = instance_of(request, Permission.READ, Permission.WRITE)
    body = body_of(request)
    if instance.provider == Provider.ANTHROPIC:
        return body, _as_it_is(request, instance, body)
    chat = chat_request(body)
    if _is_session(chat.get("metadata")):
        del chat["metadata"]
    name = chat.get("model")
    if isinstance(name, str) and name.startswith("claude"):
        # Anthropic's clients name its models; here, the assistant's answers.
        chat["model"] = ASSISTANT_MODEL
    parsed = proxied(request, instance, chat)
    return body, replace(parsed, is_assistant=name in (None, ASSISTANT_MODEL) or bool(parsed.agent))


def _as_it_is(request: HttpRequest, instance: Instance, body: dict[str, Any]) -> ProxyRequest:
    """Return the request to a provider that speaks this API, for *body*."""
    options, metadata = _options(request), body.get("metadata")
    # `is_client_task` reads the instructions.
    instructions = {"role": "system", "content": body.get("system")}
    said = {
        "model": body.get("model"),
        "max_tokens": body.get("max_tokens"),
        "messages": [instructions, *chat_messages(body.get("messages"))],
    }
    if not _is_session(metadata):
        said["metadata"] = metadata
    if isinstance(metadata, dict):
        # The id of a conversation is for us alone; the provider knows the other one.
        others = {name: value for name, value in metadata.items() if name != "conversation_id"}
        body = {name: value for name, value in body.items() if name != "metadata"}
        body |= {"metadata": others} if others else {}
    return replace(proxied(request, instance, said), body=body, messages_options=options)


def _options(request: HttpRequest) -> MessagesOptions:
    """Return what the headers and the query say to the provider; raises `BadRequest`."""
    version = request.headers.get(VERSION_HEADER, "").strip() or VERSION
    if not _VERSION.fullmatch(version):
        raise BadRequest(f"{VERSION_HEADER} must be a date, such as {VERSION}.", VERSION_HEADER)
    names = [name.strip() for name in request.headers.get(BETA_HEADER, "").split(",")]
    names = list(dict.fromkeys(filter(None, names)))
    if len(names) > MAX_BETAS or not all(map(_BETA.fullmatch, names)):
        raise BadRequest(
            f"{BETA_HEADER} must be at most {MAX_BETAS} names of features, separated by commas.",
            BETA_HEADER,
        )
    is_beta = request.GET.get("beta") == "true"
    return MessagesOptions(version=version, betas=",".join(names), is_beta=is_beta)


def _is_session(metadata: Any) -> bool:
    """True if the id in *metadata* is not that of a person."""
    return isinstance(metadata, dict) and bool(_SESSION.search(str(metadata.get("user_id"))))


def _count(request: HttpRequest) -> dict[str, Any]:
    instance = instance_of(request, Permission.READ)
    body = body_of(request)
    if instance.provider == Provider.ANTHROPIC:
        endpoint = chosen_model(instance, body.get("model")).endpoint
        return provided_count(endpoint, body, _options(request))
    characters = sum(len(text) + CHARACTERS_PER_TOKEN * 4 for text in texts_of(body))
    return {"input_tokens": math.ceil(characters / CHARACTERS_PER_TOKEN)}


messages_view = answering(messages, anthropic_problem)
count_tokens_view = answering(count_tokens, anthropic_problem)
