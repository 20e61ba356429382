"""Sets and removes the areas of the managers' own."""

from collections.abc import Mapping, Sequence
from typing import Any

from instances.actor import Actor
from instances.models import Instance
from instances.models.sensitivity_settings import AreaHandling
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
