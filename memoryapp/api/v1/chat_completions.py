"""OpenAI's chat completions, and the list of models."""

import logging
from collections.abc import Iterable
from typing import Any

from asgiref.sync import sync_to_async
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase

from instances.models import Permission
from memoryapp.api.errors import ApiError
from memoryapp.api.v1.errors import openai_event
from memoryapp.api.v1.relay import event, relay
from memoryapp.api.v1.request import ASSISTANT_MODEL, ProxyRequest
from memoryapp.api.v1.requests import answering, body_of, instance_of, proxied, require_method
from memoryapp.providers.configured import assistant_endpoint
from memoryapp.providers.errors import ProviderError
from memoryapp.providers.stream_chunks import list_models as provided_models

logger = logging.getLogger(__name__)


@answering
async def chat_completions(request: HttpRequest) -> HttpResponseBase:
    """Pass a conversation with recalled memories on to the instance's provider, and its reply back
    to the client.
    """
    require_method(request, "POST")
    parsed = await sync_to_async(_parse)(request)
    return await relay(parsed, ChunkEvents(), lambda answer: answer)


@answering
async def models(request: HttpRequest) -> HttpResponseBase:
    """List the models: the assistant, its agents, and those of the provider."""
    require_method(request, "GET")
    return JsonResponse({"object": "list", "data": await sync_to_async(_models)(request)})


@answering
async def model(request: HttpRequest, name: str) -> HttpResponseBase:
    """Describe one model."""
    require_method(request, "GET")
    for each in await sync_to_async(_models)(request):
        if each.get("id") == name:
            return JsonResponse(each)
    raise ApiError(404, "model_not_found", f"There is no model “{name}”: see /v1/models.")


class ChunkEvents:
    """The chunks of a chat completion as they are."""

    def begin(self) -> Iterable[bytes]:
        return ()

    def take(self, chunk: dict[str, Any]) -> Iterable[bytes]:
        return (event(chunk),)

    def end(self) -> Iterable[bytes]:
        return (b"data: [DONE]\n\n",)

    def fail(self, error: Exception) -> Iterable[bytes]:
        return (event({"error": openai_event(error)}),)


def _parse(request: HttpRequest) -> ProxyRequest:
    instance = instance_of(request, Permission.READ, Permission.WRITE)
    return proxied(request, instance, body_of(request))


def _models(request: HttpRequest) -> list[dict[str, Any]]:
    instance = instance_of(request, Permission.READ)
    names = dict.fromkeys([ASSISTANT_MODEL, *(agent.slug for agent in instance.agents.all())])
    created = int(instance.created_at.timestamp())
    ours = [
        {"id": name, "object": "model", "created": created, "owned_by": "keepsake"}
        for name in names
    ]
    endpoint = assistant_endpoint(instance)
    if endpoint is None:
        return ours
    try:
        theirs = provided_models(endpoint)
    except ProviderError as error:
        # Our own models are listed anyway, and may still be usable.
        logger.info("the models of instance %s are not known: %s", instance.pk, error.kind)
        return ours
    return [*ours, *(each for each in theirs if each.get("id") not in names)]
