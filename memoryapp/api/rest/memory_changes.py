"""Changes of memories by programs: by the memory, or by the id that it has in the program."""

from collections.abc import Callable, Collection
from dataclasses import fields
from typing import Any

from django.http import Http404, HttpRequest

from instances.models import Instance
from instances.tiers import Tier
from memoryapp.api.auth import caller_of
from memoryapp.api.conditional import check_version
from memoryapp.api.errors import ApiError
from memoryapp.models import Memory
from memoryapp.pipeline import (
    Candidate,
    Changed,
    Changes,
    KeyTaken,
    Outcome,
    Outranked,
    Rejected,
    admit,
    revise,
)

#: Attempts to apply a change while others change the same memory.
MAX_ATTEMPTS = 3
#: The columns that the fields of a request give, if these are not of the same name.
_COLUMNS = {
    "valid_until": ("valid_until", "expires_at"),
    "expires_days": ("valid_until", "expires_at"),
    "source_context": ("metadata",),
}


def correct(
    request: HttpRequest,
    load: Callable[[], Memory],
    changes: dict[str, Any],
    *,
    if_match: str | None = None,
    tier: Tier = Tier.PERSON,
) -> Outcome:
    """Apply *changes* to the memory that *load* returns; they are believed as far as the caller is,
    but at most as *tier*. Raises `ApiError` if it cannot be changed, or is not a version of
    *if_match*.
    """
    caller = caller_of(request)
    for _ in range(MAX_ATTEMPTS):
        memory = load()
        # Only this version is changed: `revise` compares it again under the lock.
        check_version(memory, if_match)
        present = {field.name: getattr(memory, field.name) for field in fields(Changes)}
        try:
            return revise(
                memory,
                Changes(**(present | changes)),
                by=caller.actor,
                version=memory.updated_at,
                tier=min(tier, caller.tier),
            )
        except Changed:
            continue  # The other fields must come from the memory as it is now.
        except Rejected as error:
            raise unfit(error) from error
        except Memory.DoesNotExist:
            raise Http404 from None
    raise ApiError(
        409, "conflict", "This memory is being changed by other requests. Try again in a moment."
    )


def known_by_id(instance: Instance, candidate: Candidate) -> Memory | None:
    """Return the memory that has the external id of *candidate*, if there is one; raise `ApiError`
    if it is about another person.
    """
    if not candidate.external_id:
        return None
    with_id = Memory.objects.in_instance(instance).filter(external_id=candidate.external_id)
    memory = with_id.select_related("instance").defer("search").first()
    if memory is not None and memory.end_user != instance.canonical_end_user(candidate.end_user):
        raise ApiError(
            409,
            "external_id_taken",
            "A memory about another person has this external_id. Give this one another.",
        )
    return memory


def restate(
    request: HttpRequest, known: Memory, candidate: Candidate, given: Collection[str]
) -> Outcome:
    """Change the memory *known* to what a request says that creates it again: the fields that are
    *given*. A fact that is not to be stored again is refused here, too.
    """
    for refused in admit(known.instance, [candidate])[1]:
        raise unfit(refused.problem)
    changed = {name for field in given for name in _COLUMNS.get(field, (field,))}
    changes = {
        field.name: getattr(candidate, field.name)
        for field in fields(Changes)
        if field.name in changed
    }
    for name in ("category", "importance"):
        if getattr(candidate, name) is None:
            changes.pop(name, None)
    rows = Memory.objects.in_instance(known.instance).defer("search").select_related("instance")

    def load() -> Memory:
        memory = rows.filter(pk=known.pk).first()
        if memory is None:
            raise Http404
        return memory

    return correct(request, load, changes, tier=candidate.tier)


def unfit(error: Rejected) -> ApiError:
    """Return the response to a candidate that the pipeline rejects."""
    if isinstance(error, Outranked):
        return ApiError(403, error.code, str(error))
    if isinstance(error, KeyTaken):
        return ApiError(409, error.code, str(error))
    return ApiError(422, error.code, f"content: {error}")
