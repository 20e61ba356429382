"""Endpoints of sensitive areas: read and set what becomes of statements about them."""

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from instances.models import Instance
from instances.models.sensitivity_settings import AREAS, AreaHandling
from memoryapp.api.auth import caller_of, instance_named
from memoryapp.api.errors import ApiError
from memoryapp.api.fields import In, InstanceId
from memoryapp.api.operations import of_people
from memoryapp.pipeline import Rejected
from memoryapp.pipeline.own_areas import area_name, area_words
from memoryapp.suppression.own_areas import MAX_AREAS, MAX_CHARACTERS, MAX_WORDS, set_all

router = Router(tags=["Sensitive areas"])


class OwnAreaFields(In):
    """An area of the managers' own."""

    name: str = Field(min_length=1, max_length=MAX_CHARACTERS, examples=["Merger"])
    words: list[str] = Field(
        min_length=1,
        max_length=MAX_WORDS,
        description=f"Words and phrases that tell of it, of up to {MAX_CHARACTERS} characters.",
        examples=[["Project Heron", "takeover"]],
    )
    handling: AreaHandling


class SensitiveAreasFields(Schema):
    """The handling of statements about each area: `keep`, `local` (kept, for models here only),
    `hold` (for review) or `refuse`.
    """

    health: AreaHandling
    religion: AreaHandling
    politics: AreaHandling
    sexuality: AreaHandling
    finances: AreaHandling
    minors: AreaHandling
    own_areas: list[OwnAreaFields] = Field(
        max_length=MAX_AREAS, description="Areas of the managers’ own; their names differ."
    )


class SensitiveAreasOf(Schema):
    """The instance whose areas are meant."""

    instance_id: InstanceId = None


class SensitiveAreasIn(SensitiveAreasFields, In):
    """All that an instance is to have: no field may be left out, so that none is loosened."""

    instance_id: InstanceId = None


@router.get("/sensitive-areas", **of_people(SensitiveAreasFields, "Get sensitive areas"))
def read_sensitive_areas(request: HttpRequest, params: Query[SensitiveAreasOf]) -> dict[str, Any]:
    """Return what becomes of statements about each area."""
    return _shown(instance_named(request, params.instance_id))


@router.put("/sensitive-areas", **of_people(SensitiveAreasFields, "Set sensitive areas", 422))
def set_sensitive_areas(request: HttpRequest, body: SensitiveAreasIn) -> dict[str, Any]:
    """Set this for every area, with these areas of the managers' own in the place of all others."""
    instance = instance_named(request, body.instance_id)
    own = {}
    try:
        for each in body.own_areas:
            name = area_name(instance, each.name)
            own[name] = (area_words(instance, each.words), each.handling)
    except Rejected as problem:
        raise ApiError(422, problem.code, str(problem)) from problem
    if len({name.casefold() for name in own}) < len(body.own_areas):
        raise ApiError(422, "invalid", "Two of your own areas have the same name. Join them.")
    handlings = {area: getattr(body, area) for area in AREAS}
    set_all(instance, handlings, own, by=caller_of(request).actor)
    return _shown(instance)


def _shown(instance: Instance) -> dict[str, Any]:
    handlings = {area: instance.handling_of_area(area) for area in AREAS}
    return {**handlings, "own_areas": instance.own_areas}
