"""Sets and removes the areas of the managers' own. They stand with the instance, since every text
that is kept or sent is compared with them.
"""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from instances.activity import InstanceAction, record
from instances.actor import Actor
from instances.models import Instance
from instances.models.sensitivity_settings import AreaHandling
from instances.translatable import translatable

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
def set_area(
    instance: Instance, name: str, words: Sequence[str], handling: AreaHandling, *, by: Actor
) -> None:
    """Set what becomes of statements with these *words*, in the place of an area of that name.

    Raises `TooManyAreas`.
    """
    others = _without(_locked(instance), name)
    if len(others) >= MAX_AREAS:
        raise TooManyAreas
    area = {"name": name, "words": list(words), "handling": handling.value}
    _store(instance, [*others, area], name, by)


@transaction.atomic
def remove_area(instance: Instance, name: str, *, by: Actor) -> bool:
    """Remove the area of that name; False if there is none."""
    before = _locked(instance)
    others = _without(before, name)
    if len(others) == len(before):
        return False
    _store(instance, others, name, by)
    return True


def _locked(instance: Instance) -> list[dict[str, Any]]:
    """The areas as they are now: two managers may change them at once."""
    rows = Instance.objects.select_for_update().values_list("own_areas", flat=True)
    areas: list[dict[str, Any]] = rows.get(pk=instance.pk)
    return areas


def _without(areas: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    return [area for area in areas if str(area["name"]).casefold() != name.casefold()]


def _store(instance: Instance, areas: list[dict[str, Any]], name: str, by: Actor) -> None:
    instance.own_areas = sorted(areas, key=lambda area: str(area["name"]).casefold())
    instance.save(update_fields=["own_areas"])
    # By name alone: members who are no managers read the log.
    changes = [("own_areas",)]
    record(instance, by, InstanceAction.SETTINGS, about=f"Area {name}", changes=changes)
