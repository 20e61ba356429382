"""The endpoint that creates many memories in one request, each with an outcome of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from django.http import Http404, HttpRequest
from ninja import Router, Schema
from pydantic import Field, ValidationError, ValidatorFunctionWrapHandler, WrapValidator

from instances.models import Instance
from memoryapp.api.auth import caller_of, instance_named, keep_to_person
from memoryapp.api.errors import ApiError, in_words
from memoryapp.api.fields import In, InstanceId
from memoryapp.api.idempotency import IdempotencyKey, IdempotentCall, once
from memoryapp.api.key_requests import require_person
from memoryapp.api.operations import writes_own
from memoryapp.api.rest.memory_changes import known_by_id, restate, unfit
from memoryapp.api.rest.memory_create import (
    NewMemoryIn,
    RememberedOut,
    candidate_of,
    not_stored,
    note_stored,
    result_of,
    stored,
    writer_of,
)
from memoryapp.models import Memory
from memoryapp.pipeline import (
    Candidate,
    Outcome,
    Rejected,
    RememberOptions,
    Suppressed,
    admitted,
    remember,
    suppression,
)
from memoryapp.pipeline.validation import Admitted
from memoryapp.policy.dedup import Action

router = Router(tags=["Memories"])

#: Memories of one request.
MAX_MEMORIES = 100


@dataclass(frozen=True)
class Unusable:
    """An item that is no memory, and why."""

    detail: str


def _or_unusable(value: Any, validate: ValidatorFunctionWrapHandler) -> Any:
    try:
        return validate(value)
    except ValidationError as error:
        return Unusable(in_words(error.errors()))


class MemoriesToCreateIn(In):
    """The memories to create."""

    instance_id: InstanceId = None
    memories: list[Annotated[NewMemoryIn, WrapValidator(_or_unusable)]] = Field(
        min_length=1,
        max_length=MAX_MEMORIES,
        description="As for `POST /api/memories`, without `instance_id`.",
        examples=[[{"content": "The user is allergic to peanuts."}]],
    )


class ItemErrorOut(Schema):
    """Why a memory was refused."""

    code: str = Field(description="As of `POST /api/memories`.", examples=["pii_rejected"])
    detail: str


class CreatedOut(Schema):
    """Outcome of one of the memories."""

    index: int = Field(description="Position in the request, from 0.")
    outcome: Literal["created", "updated", "known", "held", "ignored", "refused"] = Field(
        description="`updated`: a memory was changed to it; `known`: a memory says so already; "
        "`held` and `ignored` as in `dedup.action` of `memory`; `refused`: see `error`."
    )
    memory: RememberedOut | None = Field(None, description="Null if it was refused.")
    error: ItemErrorOut | None = None


class AllCreatedOut(Schema):
    """Outcomes of the memories, in the order of the request."""

    results: list[CreatedOut]


_OUTCOMES = {
    Action.STORED: "created",
    Action.UPDATED: "updated",
    Action.DUPLICATE: "known",
    Action.HELD: "held",
    Action.IGNORED: "ignored",
}


@router.post("/memories/bulk", **writes_own(AllCreatedOut, "Create several memories", 409, 413))
def create_memories(
    request: HttpRequest, body: MemoriesToCreateIn, idempotency_key: IdempotencyKey = None
) -> dict[str, Any]:
    """Store up to 100 facts. New ones are stored in one transaction, after memories with a known
    `external_id` have been changed, each by itself. One that cannot be stored is refused with its
    reason, and does not affect the others. Facts of one request do not replace each other, and no
    language model is asked about them.
    """
    instance = instance_named(request, body.instance_id)
    items: Sequence[NewMemoryIn | Unusable] = body.memories
    for item in items:
        if isinstance(item, NewMemoryIn):
            keep_to_person(request, instance, item)
    people = [each.user_id for each in items if isinstance(each, NewMemoryIn)]
    for person in people:
        require_person(request, person)
    with once(request, instance, idempotency_key) as attempt:
        is_repeated = attempt.is_done
        if not attempt.is_done:
            _carry_out(request, instance, items, attempt)
    results = attempt.result["items"]
    if not is_repeated:
        note_stored(request, people[0] if len(set(people)) == 1 else "", results)
    ids = [result.get("id") for result in results]
    memories = Memory.objects.in_instance(instance).defer("search").in_bulk(ids)
    return {
        "results": [
            {"index": index, **_described(instance, item, result, memories)}
            for index, (item, result) in enumerate(zip(items, results, strict=True))
        ]
    }


def _carry_out(
    request: HttpRequest,
    instance: Instance,
    items: Sequence[NewMemoryIn | Unusable],
    attempt: IdempotentCall,
) -> None:
    """Store the *items* that can be stored, and finish *attempt* with the result of each."""
    results: dict[int, dict[str, Any]] = {}
    new: dict[int, Candidate] = {}
    ids: set[str] = set()
    for index, item in enumerate(items):
        try:
            candidate = _candidate(instance, item, ids, caller_of(request).person)
            if known := known_by_id(instance, candidate):
                given = item.model_fields_set if isinstance(item, NewMemoryIn) else ()
                results[index] = result_of(restate(request, known, candidate, given))
            else:
                new[index] = admitted(instance, candidate)
        except Rejected as problem:
            results[index] = _refused(unfit(problem))
        except ApiError as refusal:
            results[index] = _refused(refusal)
        except Http404:
            results[index] = {"code": "conflict", "detail": "This memory has just been deleted."}

    def finish(outcomes: Sequence[Outcome]) -> None:
        done = dict(zip(new, map(result_of, outcomes), strict=True))
        attempt.finish({"items": [(results | done)[index] for index in range(len(items))]})

    while new:
        suppressed = suppression.kept_out(instance, list(new.values()))
        suppression.count_hits(suppressed.values())
        for index, reason in [(list(new)[place], reason) for place, reason in suppressed.items()]:
            results[index] = _refused(unfit(reason))
        new = {index: candidate for index, candidate in new.items() if index not in results}
        if not new:
            break
        try:
            remember(
                instance,
                [Admitted(candidate) for candidate in new.values()],
                writer_of(request),
                RememberOptions(ask_model=False),
                in_same_transaction=finish,
            )
        except Suppressed:
            continue  # One of them has just been forbidden; the others are stored.
        return
    finish([])


def _candidate(
    instance: Instance, item: NewMemoryIn | Unusable, ids: set[str], person: str
) -> Candidate:
    """Return the candidate of *item*, and add its external id to the *ids* of the request."""
    if isinstance(item, Unusable):
        raise ApiError(422, "invalid", item.detail)
    if item.instance_id:
        raise ApiError(422, "invalid", "instance_id: give it once, beside “memories”")
    if item.external_id in ids:
        raise ApiError(
            409, "external_id_taken", "Another memory of this request has this external_id."
        )
    candidate = candidate_of(instance, item, person=person)
    ids |= {item.external_id} - {""}
    return candidate


def _refused(refusal: ApiError) -> dict[str, Any]:
    return {"code": refusal.code, "detail": str(refusal)}


def _described(
    instance: Instance,
    item: NewMemoryIn | Unusable,
    result: dict[str, Any],
    memories: dict[int, Memory],
) -> dict[str, Any]:
    """Return the fields of a `CreatedOut`, without the index."""
    if "code" in result or isinstance(item, Unusable):
        return {"outcome": "refused", "error": result}
    action = Action(result["action"])
    if action in (Action.HELD, Action.IGNORED):
        return {"outcome": _OUTCOMES[action], "memory": not_stored(instance, item, result)}
    memory = memories.get(result["id"])
    if memory is None:
        gone = {"code": "gone", "detail": "It was stored before, and has since been deleted."}
        return {"outcome": "refused", "error": gone}
    return {"outcome": _OUTCOMES[action], "memory": stored(memory, result)}
