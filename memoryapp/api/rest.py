"""REST: typed, with OpenAPI and a docs page at `/api/docs`. Every error is JSON with ``detail``
and a stable ``code``.
"""

import logging
from collections.abc import Callable
from datetime import date, datetime
from functools import wraps
from typing import Any, Literal

from csp.decorators import csp_update
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, URLResolver, re_path
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from ninja import Field, NinjaAPI, Query, Schema
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.security import SessionAuth
from pydantic import field_validator

from conversations.models import Conversation, ConversationOrigin, Message
from conversations.turns import Turn, append, clean
from instances.access import signed_in
from instances.models import Instance
from memoryapp.models import Category, Memory
from memoryapp.recall import Hit, note_recalled, recall

logger = logging.getLogger(__name__)


class SignedIn(SessionAuth):
    """The session that the screens use, with its CSRF token for whatever changes something."""

    def __call__(self, request: HttpRequest) -> Any:
        """Who it is; None for nobody, whose trouble is not a missing CSRF token."""
        return super().__call__(request) if request.user.is_authenticated else None


api = NinjaAPI(
    title="Keepsake",
    version="1",
    description="Long-term memory for AI assistants. Sign in at /accounts/login; a request that "
    "changes something needs the CSRF token in X-CSRFToken.",
    auth=SignedIn(),
    urls_namespace="api",
)

#: Messages that one request may append.
MOST_MESSAGES = 1_000


class Problem(Schema):
    """Every error."""

    detail: str
    code: str


class BadRequest(HttpError):
    """An error with a code of its own."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(status, detail)
        self.code = code


@api.exception_handler(HttpError)
def _http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    code = getattr(error, "code", f"http_{error.status_code}")
    return _problem(request, error.status_code, code, str(error))


@api.exception_handler(Http404)
def _not_found(request: HttpRequest, error: Http404) -> HttpResponse:
    return _problem(request, 404, "not_found", "There is nothing here that you may see.")


@api.exception_handler(AuthenticationError)
def _unauthenticated(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
    return _problem(request, 401, "unauthenticated", "Sign in first.")


@api.exception_handler(ValidationError)
def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    said = "; ".join(
        f"{'.'.join(str(part) for part in item['loc'][1:]) or 'request'}: {item['msg']}"
        for item in error.errors
    )
    return _problem(request, 422, "invalid", said)


@api.exception_handler(RequestDataTooBig)
def _too_big(request: HttpRequest, error: RequestDataTooBig) -> HttpResponse:
    most = (settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0) / 1_000_000
    return _problem(
        request, 413, "too_large", f"A request may have {most:.1f} MB. Send it in parts."
    )


@api.exception_handler(Exception)
def _internal_error(request: HttpRequest, error: Exception) -> HttpResponse:
    logger.exception("%s %s failed", request.method, request.path)
    return _problem(request, 500, "internal_error", "Something went wrong: the log says what.")


def _problem(request: HttpRequest, status: int, code: str, detail: str) -> HttpResponse:
    return api.create_response(request, {"detail": detail, "code": code}, status=status)


def addresses() -> tuple[list[URLResolver | URLPattern], str, str]:
    """What the URL map includes. Whatever is asked of it, it says in JSON what is wrong: also to
    those who have not signed in, whom the middleware would send to the login page otherwise. The
    docs and the document they show, which are for people, stay behind that page.
    """
    patterns, app_name, namespace = api.urls
    for pattern in patterns:
        if isinstance(pattern, URLPattern) and pattern.name not in ("openapi-json", "openapi-view"):
            root = pattern.name == "api-root"
            pattern.callback = nowhere if root else _refusing_in_json(pattern.callback)
        elif isinstance(pattern, URLPattern) and pattern.name == "openapi-view":
            # Swagger's own stylesheet has pictures in it.
            pattern.callback = csp_update({"img-src": ["data:"]})(pattern.callback)
    return [*patterns, re_path("", nowhere, name="nowhere")], app_name, namespace


@login_not_required
@csrf_exempt
def nowhere(request: HttpRequest) -> HttpResponse:
    """Answer what is asked of an address that the API does not have."""
    return _problem(request, 404, "not_found", "The API has no such address: see /api/docs.")


def _refusing_in_json(view: Callable[..., Any]) -> Callable[..., Any]:
    # Each operation asks for the session and the CSRF token itself: see `SignedIn`.
    @login_not_required
    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        response = view(request, *args, **kwargs)
        if response.status_code != 405:
            return response
        refused = _problem(request, 405, "method_not_allowed", "This address takes another method.")
        refused["Allow"] = response["Allow"]
        return refused

    return answer


class MemoryOut(Schema):
    """A memory. With a search, ``score`` and ``ranks`` say why it was found."""

    id: int
    content: str
    category: str
    importance: int
    tags: list[str]
    user_id: str = Field(alias="end_user")
    valid_until: date | None
    origin: str
    confidence: int | None
    created_at: datetime
    updated_at: datetime
    score: float | None = None
    #: List name to rank, from 1.
    ranks: dict[str, int] | None = None


class MessageHitOut(Schema):
    """A message that answers the search, from which no memory was learned."""

    id: int
    conversation_id: int
    role: str
    author: str
    content: str
    sent_at: datetime
    score: float
    ranks: dict[str, int]


class MemoriesOut(Schema):
    """One page of memories, or the results of a search."""

    items: list[MemoryOut]
    messages: list[MessageHitOut] = Field(default_factory=list)
    #: How many there are in all; for a search, how many were found.
    count: int
    limit: int
    offset: int
    #: Why a search ran on words alone; null when it did not.
    degraded: Literal["embedding_unavailable"] | None = None


class MemoriesIn(Schema):
    instanceId: str | None = None  # The published name of this parameter.
    q: str = ""
    category: str = ""
    tag: str = ""
    user_id: str = ""
    limit: int = 20
    offset: int = 0


@api.get(
    "/memories",
    response={200: MemoriesOut, 400: Problem, 401: Problem, 404: Problem, 422: Problem},
    summary="List or search memories",
)
def list_memories(request: HttpRequest, params: Query[MemoriesIn]) -> dict[str, Any]:
    """Without ``q``: newest first. With it: hybrid search over memories and messages, best first.

    ``instanceId`` is an instance's slug or id. ``limit`` is brought between 1 and 100.
    """
    instance = _instance(request, params.instanceId)
    limit = min(100, max(1, params.limit))
    offset = min(1_000_000, max(0, params.offset))
    if params.category and params.category not in Category.values:
        raise BadRequest(
            400, "unknown_category", f"category must be one of {', '.join(Category.values)}"
        )
    memories = Memory.objects.in_instance(instance)
    if params.category:
        memories = memories.filter(category=params.category)
    if params.tag:
        memories = memories.filter(tags__contains=[clean(params.tag).lower()])
    if params.user_id:
        memories = memories.filter(end_user=clean(params.user_id))
    if not clean(params.q).strip():
        rows = memories.order_by("-created_at", "-id").defer("search")
        return {
            "items": list(rows[offset : offset + limit]),
            "count": memories.count(),
            "limit": limit,
            "offset": offset,
        }
    narrowed = bool(params.category or params.tag)
    found = recall(
        instance,
        clean(params.q),
        limit=limit,
        end_user=clean(params.user_id) or None,
        memories=memories if narrowed else None,
        with_messages=not narrowed,
    )
    note_recalled(found.hits)
    return {
        "items": [_memory_hit(hit, hit.memory) for hit in found.hits if hit.memory],
        "messages": [_message_hit(hit, hit.message) for hit in found.hits if hit.message],
        "count": len(found.hits),
        "limit": limit,
        "offset": 0,
        "degraded": found.degraded,
    }


class ConversationIn(Schema):
    """A new conversation."""

    instanceId: str
    title: str = Field("", max_length=300)
    user_id: str = Field("", max_length=200)
    #: The slug of one of the instance's agents.
    agent: str = ""
    #: Your own id for it: creating it twice gives the same one.
    external_id: str = Field("", max_length=300)


class ConversationOut(Schema):
    id: int
    title: str
    user_id: str = Field(alias="end_user")
    external_id: str
    created_at: datetime
    last_activity_at: datetime


@api.post(
    "/conversations",
    response={200: ConversationOut, 401: Problem, 404: Problem, 422: Problem},
    summary="Begin a conversation",
)
def begin_conversation(request: HttpRequest, body: ConversationIn) -> Conversation:
    """Create a conversation, or return the one that has this ``external_id`` already."""
    instance = _instance(request, body.instanceId)
    agent = get_object_or_404(instance.agents, slug=clean(body.agent)) if body.agent else None
    external_id = clean(body.external_id)
    values = {
        "title": clean(body.title),
        "end_user": clean(body.user_id),
        "agent": agent,
        "origin": ConversationOrigin.API,
    }
    if not external_id:
        return Conversation.objects.create(instance=instance, **values)
    return Conversation.objects.get_or_create(
        instance=instance, external_id=external_id, defaults=values
    )[0]


class ToolCallIn(Schema):
    name: str = Field(max_length=200)
    arguments: Any = None


class MessageIn(Schema):
    """One turn."""

    role: Literal["user", "assistant", "system", "tool"]
    content: str = Field("", max_length=1_000_000)
    author: str = Field("", max_length=200)
    #: Your own id for it: appending it twice adds it once.
    id: str = Field("", max_length=300)
    created_at: datetime | None = None
    tool_name: str = Field("", max_length=200)
    tool_calls: list[ToolCallIn] = Field(default_factory=list)

    @field_validator("created_at")
    @classmethod
    def _is_a_date_of_ours(cls, moment: datetime | None) -> datetime | None:
        # PostgreSQL takes dates that Python cannot read back, and nobody talked to assistants then.
        if moment is not None and not 1900 <= moment.year <= 2200:
            raise ValueError("must lie between the years 1900 and 2200")
        return moment


class MessagesIn(Schema):
    messages: list[MessageIn] = Field(min_length=1, max_length=MOST_MESSAGES)


class AppendedOut(Schema):
    """What was added."""

    added: int
    known: int
    ids: list[int]


@api.post(
    "/conversations/{conversation_id}/messages",
    response={200: AppendedOut, 401: Problem, 404: Problem, 422: Problem},
    summary="Append turns to a conversation",
)
def append_messages(request: HttpRequest, conversation_id: int, body: MessagesIn) -> dict[str, Any]:
    """Store the turns. When a reply of the assistant is among them and memory is on, the
    conversation is read for facts in the background; this request does not wait for it.
    """
    instances = Instance.objects.visible_to(signed_in(request).user)
    conversation = get_object_or_404(
        Conversation.objects.filter(instance__in=instances), pk=_id(conversation_id)
    )
    appended = append(
        conversation,
        [
            Turn(
                role=message.role,
                content=message.content,
                author=message.author,
                external_id=clean(message.id),
                tool_name=message.tool_name,
                tool_calls=[call.dict() for call in message.tool_calls],
                sent_at=_aware(message.created_at),
            )
            for message in body.messages
        ],
    )
    return {
        "added": len(appended.added),
        "known": appended.known,
        "ids": [message.pk for message in appended.added],
    }


def _instance(request: HttpRequest, name: str | None) -> Instance:
    if not name:
        raise BadRequest(400, "instance_required", "instanceId is required")
    visible = Instance.objects.visible_to(signed_in(request).user).prefetch_related("secrets")
    if name.isascii() and name.isdigit() and len(name) < 19:
        by_id = visible.filter(pk=int(name)).first()
        if by_id is not None:
            return by_id
    return get_object_or_404(visible, slug=clean(name))


def _id(number: int) -> int:
    """A number that no row can have is an id like any other that does not exist."""
    if not 0 < number < 2**63:
        raise Http404
    return number


def _aware(moment: datetime | None) -> datetime | None:
    if moment is None or timezone.is_aware(moment):
        return moment
    return timezone.make_aware(moment)


def _memory_hit(hit: Hit, memory: Memory) -> dict[str, Any]:
    fields = {name: getattr(memory, name) for name in _MEMORY_FIELDS}
    return fields | {"score": hit.score, "ranks": hit.ranks}


_MEMORY_FIELDS = [
    "id",
    "content",
    "category",
    "importance",
    "tags",
    "end_user",
    "valid_until",
    "origin",
    "confidence",
    "created_at",
    "updated_at",
]


def _message_hit(hit: Hit, message: Message) -> dict[str, Any]:
    return {
        "id": message.pk,
        "conversation_id": message.conversation_id,
        "role": message.role,
        "author": message.author,
        "content": message.content,
        "sent_at": message.sent_at,
        "score": hit.score,
        "ranks": hit.ranks,
    }
