"""Sets what becomes of statements about areas of life, and the areas of the managers' own."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from instances.activity import InstanceAction, record
from instances.actor import Actor
from instances.models import Instance
from instances.models.sensitivity_settings import AREAS, AreaHandling
from instances.translatable import translatable
from memoryapp.suppression.settings_lists import change_list

MAX_AREAS = 20
MAX_WORDS = 100
#: Characters of a name, and of a word or phrase.
MAX_CHARACTERS = 60


class TooManyAreas(ValueError):
    """The instance has as many areas as it may; the text says so, translatable."""

    def __init__(self) -> None:
        super().__init__(
            translatable("There are %(most)s areas already. Remove one first.", most=MAX_AREAS)
        )


@transaction.atomic
def set_all(
    instance: Instance,
    handlings: Mapping[str, AreaHandling],
    own: Mapping[str, tuple[Sequence[str], AreaHandling]],
    *,
    by: Actor,
) -> None:
    """Set what becomes of statements about each of `AREAS`, and these *own* areas by name, with
    their words, in the place of all others. Raises `TooManyAreas`.
    """
    locked = Instance.objects.select_for_update(of=("self",)).get(pk=instance.pk)
    changes = [
        (f"{area}_handling", before.value, handlings[area].value)
        for area in AREAS
        if (before := locked.handling_of_area(area)) != handlings[area]
    ]
    # Also where nothing changes: the instance was read before others changed it.
    for area in AREAS:
        setattr(instance, f"{area}_handling", handlings[area].value)
    instance.own_areas = locked.own_areas
    if changes:
        instance.save(update_fields=[column for column, _, _ in changes])
        record(instance, by, InstanceAction.SETTINGS, about="Areas", changes=changes)
    named = {name.casefold() for name in own}
    for each in locked.own_areas:
        if each["name"].casefold() not in named:
            remove_area(instance, each["name"], by=by)
    for name, (words, handling) in own.items():
        set_area(instance, name, words, handling, by=by)


def set_area(
    instance: Instance, name: str, words: Sequence[str], handling: AreaHandling, *, by: Actor
) -> None:
    """Set what becomes of statements with these *words*, in the place of an area of that name.

    Raises `TooManyAreas`.
    """
    area = {"name": name, "words": list(words), "handling": handling.value}

    def with_area(areas: list[Any]) -> list[Mapping[str, Any]]:
        others = _without(areas, name)
        if len(others) >= MAX_AREAS:
            raise TooManyAreas
        return sorted([*others, area], key=lambda each: str(each["name"]).casefold())

    change_list(instance, "own_areas", with_area, about=f"Area {name}", by=by)


def remove_area(instance: Instance, name: str, *, by: Actor) -> bool:
    """Remove the area of that name; False if there is none."""
    return change_list(
        instance,
        "own_areas",
        lambda areas: _without(areas, name),
        about=f"Area {name}",
        by=by,
    )


def _without(areas: list[Any], name: str) -> list[Mapping[str, Any]]:
    return [area for area in areas if str(area["name"]).casefold() != name.casefold()]
