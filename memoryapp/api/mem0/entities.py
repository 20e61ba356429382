"""Owners of memories: users, agents, apps and runs."""

from typing import Any

from django.db.models import CharField, Count, F, Max, Min, QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.http import Http404, HttpRequest

from memoryapp.api.auth import caller_of, instance_named
from memoryapp.api.mem0 import filters
from memoryapp.api.mem0.auth import DELETE, READ, router
from memoryapp.api.mem0.entity_scope import ALL, USER
from memoryapp.api.mem0.schemas import deleted
from memoryapp.api.mem0.search import matching
from memoryapp.models import Memory
from memoryapp.pipeline.deletion import forget

#: The kinds of owners by mem0's names, with the fields of their ids.
TYPES = {name.removesuffix("_id"): name for name in ALL}


@router.get("/v1/entities/", auth=READ, url_name="entities", summary="List owners")
def list_entities(request: HttpRequest) -> dict[str, Any]:
    """List the owners of memories, each with the number of memories."""
    memories = Memory.objects.in_instance(instance_named(request, None))
    owners = [owner for kind in TYPES for owner in _of_kind(memories, kind)]
    return {"count": len(owners), "next": None, "previous": None, "results": owners}


def _of_kind(memories: QuerySet[Memory], kind: str) -> list[dict[str, Any]]:
    name = TYPES[kind]
    named = (
        F("end_user")
        if name == USER
        else KeyTextTransform(name, "metadata", output_field=CharField())
    )
    rows = (
        memories.annotate(owner=named)
        .exclude(owner=None)
        .exclude(owner="")
        .order_by("owner")
        .values("owner")
        .annotate(number=Count("pk"), first=Min("created_at"), last=Max("updated_at"))
    )
    return [
        {
            "id": row["owner"],
            "name": row["owner"],
            "type": kind,
            "total_memories": row["number"],
            "created_at": row["first"],
            "updated_at": row["last"],
        }
        for row in rows
    ]


@router.delete(
    "/v2/entities/{kind}/{name}/", auth=DELETE, url_name="entity", summary="Delete an owner"
)
def delete_entity(request: HttpRequest, kind: str, name: str) -> dict[str, Any]:
    """Permanently delete all memories of an owner."""
    if kind not in TYPES or name == filters.ANY:
        raise Http404
    instance = instance_named(request, None)
    memories = matching(instance, {TYPES[kind]: name})
    count = forget(instance, memories, by=caller_of(request).actor)
    if not count:
        raise Http404
    return deleted(count)
