"""Addresses below ``/v1/``."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import path, re_path

from memoryapp.api.errors import ApiError
from memoryapp.api.json_errors import match_without_slash
from memoryapp.api.v1 import chat_completions, embeddings, messages, responses
from memoryapp.api.v1.requests import answering


@answering
async def nowhere(request: HttpRequest) -> HttpResponseBase:
    """Answer requests to unknown addresses, and to known ones with a slash at the end."""
    if match := match_without_slash(request):
        response: HttpResponseBase = await match.func(request, *match.args, **match.kwargs)
        return response
    raise ApiError(
        404,
        "not_found",
        "Unknown endpoint. Available: /v1/chat/completions, /v1/responses, /v1/conversations, "
        "/v1/messages, /v1/embeddings and /v1/models.",
    )


urlpatterns = [
    path("chat/completions", chat_completions.chat_completions, name="v1_chat_completions"),
    path("responses", responses.responses, name="v1_responses"),
    path("responses/<str:name>", responses.stored_response, name="v1_response"),
    path("conversations", responses.conversations, name="v1_conversations"),
    path("conversations/<str:name>", responses.conversation, name="v1_conversation"),
    path("conversations/<str:name>/items", responses.items, name="v1_items"),
    path("messages", messages.messages_view, name="v1_messages"),
    path("messages/count_tokens", messages.count_tokens_view, name="v1_count_tokens"),
    path("embeddings", embeddings.embeddings, name="v1_embeddings"),
    path("models", chat_completions.models, name="v1_models"),
    path("models/<path:name>", chat_completions.model, name="v1_model"),
    re_path("", nowhere, name="v1_nowhere"),
]
