"""Owners of memories: users, agents, apps and runs."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import CharField, Count, F, Func, Max, Min, QuerySet
from django.db.models.expressions import Combinable
from django.http import Http404, HttpRequest

from conversations.sanitizer import sanitize
from instances.models import Instance, Permission
from memoryapp.api.auth import caller_of, instance_named
from memoryapp.api.errors import ApiError
from memoryapp.api.mem0.auth import DELETE, READ, router
from memoryapp.api.mem0.entity_scope import ALL, USER
from memoryapp.api.mem0.label_removal import remove_matching
from memoryapp.api.mem0.metadata_filters import ANY
from memoryapp.api.mem0.schemas import deleted
from memoryapp.models import Memory
from memoryapp.people.erasure import NothingKept, ask_for_erasure, work_on
from memoryapp.policy.labels import kind_of, label
from memoryapp.tasks.dispatch import hand_over_erasure

#: Seconds after which a worker goes on with the erasure of a user.
MAX_ERASURE_SECONDS = 10.0
#: The kinds of owners by mem0's names, with the fields of their ids.
TYPES = {name.removesuffix("_id"): name for name in ALL}


@router.get("/v1/entities/", auth=READ, url_name="entities", summary="List owners")
def list_entities(request: HttpRequest) -> dict[str, Any]:
    """List the owners of memories, each with the number of memories."""
    memories = Memory.objects.in_instance(instance_named(request, None))
    labels = Func(F("labels"), function="unnest", output_field=CharField(), set_returning=True)
    owners = [
        *(_owner("user", row) for row in _counted(memories.exclude(end_user=""), F("end_user"))),
        *(_owner(kind_of(row["owner"]), row) for row in _counted(memories, labels)),
    ]
    owners = [owner for owner in owners if owner["id"]]
    return {"count": len(owners), "next": None, "previous": None, "results": owners}


def _counted(memories: QuerySet[Memory], owner: Combinable) -> Iterable[Mapping[str, Any]]:
    return (
        memories.annotate(owner=owner)
        .order_by("owner")
        .values("owner")
        .annotate(number=Count("pk"), first=Min("created_at"), last=Max("updated_at"))
    )


def _owner(kind: str, row: Mapping[str, Any]) -> dict[str, Any]:
    name = row["owner"] if TYPES[kind] == USER else row["owner"].removeprefix(label(kind, ""))
    return {
        "id": name,
        "name": name,
        "type": kind,
        "total_memories": row["number"],
        "created_at": row["first"],
        "updated_at": row["last"],
    }


def _has_spoken(instance: Instance, name: str) -> bool:
    """True if there are conversations of a user, whose memories may all be deleted."""
    return instance.conversations.filter(
        end_user=instance.canonical_end_user(sanitize(name))
    ).exists()


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


#: The name may hold slashes.
ENTITY = "/v2/entities/{kind}/{path:name}/"


@router.get(ENTITY, auth=READ, url_name="entity", summary="Refuse the profile of an owner")
def get_profile(request: HttpRequest, kind: str, name: str) -> dict[str, Any]:
    """Refuse to return a profile, whose address is that of an owner named `…/profile`."""
    raise ApiError(404, "not_found", "Owners have no profiles. See docs/mem0.md.")


@router.delete(ENTITY, auth=DELETE, url_name="entity", summary="Delete an owner")
def delete_entity(request: HttpRequest, kind: str, name: str) -> dict[str, Any]:
    """Delete all memories of an owner, as `delete_all` does. A key that is trusted with people
    erases a user everywhere.
    """
    if kind not in TYPES or name == ANY:
        raise Http404
    instance = instance_named(request, None)
    if TYPES[kind] == USER and Permission.PEOPLE in caller_of(request).scopes:
        return deleted(_erased(request, instance, name))
    count = remove_matching(request, {TYPES[kind]: name})
    if not count and not (TYPES[kind] == USER and _has_spoken(instance, name)):
        raise Http404
    return deleted(count)
