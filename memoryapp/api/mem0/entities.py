"""Owners of memories: users, agents, apps and runs."""

from typing import Any

from django.db.models import CharField, Count, F, Max, Min, QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.http import Http404, HttpRequest

from conversations.sanitizer import sanitize
from instances.models import Instance, Permission
from memoryapp.api.auth import caller_of, instance_named
from memoryapp.api.mem0 import filters
from memoryapp.api.mem0.auth import DELETE, READ, router
from memoryapp.api.mem0.entity_scope import ALL, USER
from memoryapp.api.mem0.schemas import deleted
from memoryapp.api.mem0.search import matching
from memoryapp.api.removal import remove
from memoryapp.models import Memory
from memoryapp.people.erasure import NothingKept, ask_for_erasure, work_on
from memoryapp.tasks.dispatch import hand_over_erasure

#: Seconds after which a worker goes on with the erasure of a user.
MAX_ERASURE_SECONDS = 10.0
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


def _erased(request: HttpRequest, instance: Instance, end_user: str) -> int:
    """Erase a user, now if it does not take long; return the number of rows so far."""
    try:
        erasure = ask_for_erasure(
            instance, sanitize(end_user), by=caller_of(request).actor, with_rules=False
        )
    except NothingKept:
        raise Http404 from None
    if not work_on(erasure, seconds=MAX_ERASURE_SECONDS):
        hand_over_erasure(erasure.pk)
    return erasure.rows


@router.delete(
    "/v2/entities/{kind}/{name}/", auth=DELETE, url_name="entity", summary="Delete an owner"
)
def delete_entity(request: HttpRequest, kind: str, name: str) -> dict[str, Any]:
    """Permanently delete all memories of an owner. A key that is trusted with people erases a user
    everywhere.
    """
    if kind not in TYPES or name == filters.ANY:
        raise Http404
    instance = instance_named(request, None)
    if TYPES[kind] == USER and Permission.PEOPLE in caller_of(request).scopes:
        return deleted(_erased(request, instance, name))
    memories = matching(instance, {TYPES[kind]: name})
    count = remove(request, instance, memories)
    if not count:
        raise Http404
    return deleted(count)
