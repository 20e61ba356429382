"""Events: the runs that extract facts from added messages."""

from typing import Any

from django.http import HttpRequest
from ninja import Query

from conversations.models import ConversationOrigin
from conversations.sanitizer import sanitize
from instances.ids import parse_pk
from memoryapp.api.auth import instance_named
from memoryapp.api.errors import ApiError
from memoryapp.api.mem0.auth import READ, router
from memoryapp.api.mem0.pages import Mem0PageIn, page_of
from memoryapp.api.mem0.schemas import run_events
from memoryapp.models import Run


@router.get("/v1/event/{event_id}/", auth=READ, url_name="event", summary="Read an event")
def read_event(request: HttpRequest, event_id: str) -> dict[str, Any]:
    """Return the progress and results of extraction from added messages."""
    instance = instance_named(request, None)
    pk = parse_pk(event_id) or 0
    run = Run.objects.extractions().filter(instance=instance, pk=pk).first()
    if run is None:
        raise ApiError(404, "not_found", f"There is no event “{sanitize(event_id)}”.")
    return run_events([run])[0]


@router.get("/v1/events/", auth=READ, url_name="events", summary="List events")
def list_events(request: HttpRequest, page: Query[Mem0PageIn]) -> dict[str, Any]:
    """List the events of what was added through this API, newest first, in pages."""
    runs = Run.objects.extractions().filter(
        instance=instance_named(request, None), conversation__origin=ConversationOrigin.MEM0
    )
    return page_of(request, runs.order_by("-pk"), page, run_events)
