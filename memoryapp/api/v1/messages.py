"""Anthropic's messages. The model behind answers in chat completions, whatever it is."""

import math
import re
from dataclasses import replace
from secrets import token_hex
from typing import Any

from asgiref.sync import sync_to_async
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase

from instances.models import Permission, Provider
from memoryapp.api.v1.errors import anthropic_event, anthropic_problem
from memoryapp.api.v1.relay import NamedEvents, relay
from memoryapp.api.v1.requests import answering, body_of, instance_of, proxied, require_method
from memoryapp.openai_proxy.messages_format import MessageStream, chat_request, message, texts_of
from memoryapp.openai_proxy.request import ASSISTANT_MODEL, ProxyRequest

#: Characters of a usual token; the tokens of each message besides its text.
CHARACTERS_PER_TOKEN = 3.5
#: The id that Claude Code sends is that of a session, not of a person.
_SESSION = re.compile(r"session_?id|_session_", re.IGNORECASE)


async def messages(request: HttpRequest) -> HttpResponseBase:
    """Answer a request for a message."""
    require_method(request, "POST")
    body, parsed = await sync_to_async(_parse)(request)
    name = f"msg_{token_hex(12)}"
    events = NamedEvents(MessageStream(name, body), lambda error: [anthropic_event(error)])
    return await relay(parsed, events, lambda answer: message(name, body, answer))


async def count_tokens(request: HttpRequest) -> HttpResponseBase:
    """Estimate the tokens of a request: each model counts in its own way."""
    require_method(request, "POST")
    return JsonResponse(await sync_to_async(_count)(request))


def _parse(request: HttpRequest) -> tuple[dict[str, Any], ProxyRequest]:
    instance = instance_of(request, Permission.READ, Permission.WRITE)
    body = body_of(request)
    chat = chat_request(body)
    metadata = chat.get("metadata")
    if isinstance(metadata, dict) and _SESSION.search(str(metadata.get("user_id"))):
        del chat["metadata"]
    name = chat.get("model")
    if isinstance(name, str) and name.startswith("claude") and _is_elsewhere(instance.provider):
        # Anthropic's clients name its models; here, the assistant's answers.
        chat["model"] = ASSISTANT_MODEL
    parsed = proxied(request, instance, chat)
    return body, replace(parsed, is_assistant=name in (None, ASSISTANT_MODEL) or bool(parsed.agent))


def _is_elsewhere(provider: str) -> bool:
    """Whether *provider* does not know Anthropic's models by Anthropic's names."""
    return provider != Provider.ANTHROPIC


def _count(request: HttpRequest) -> dict[str, int]:
    instance_of(request, Permission.READ)
    characters = sum(len(text) + CHARACTERS_PER_TOKEN * 4 for text in texts_of(body_of(request)))
    return {"input_tokens": math.ceil(characters / CHARACTERS_PER_TOKEN)}


messages_view = answering(messages, anthropic_problem)
count_tokens_view = answering(count_tokens, anthropic_problem)
