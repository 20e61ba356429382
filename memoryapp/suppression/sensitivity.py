"""The sensitive areas that an instance does not keep, or only after a review, or shows to no model
elsewhere (see `sending`).
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from instances.models import Instance
from instances.models.sensitivity_settings import AreaHandling
from memoryapp.policy.sensitivity import SensitiveArea, areas_of
from memoryapp.policy.sensitivity.own_areas import OwnArea, own_areas_of

#: Handlings under which nothing is kept unless a person wants it.
NOT_KEPT = (AreaHandling.HOLD, AreaHandling.REFUSE)


def sensitive_areas(
    instance: Instance, text: str, *handlings: AreaHandling
) -> frozenset[SensitiveArea | OwnArea]:
    """The areas with one of these *handlings* in *instance* that *text* tells of, those of the
    managers' own among them.
    """
    known = areas_of(text, [SensitiveArea(each) for each in instance.areas_handled(*handlings)])
    own = [each for each in instance.own_areas if each["handling"] in handlings]
    return known | _own_areas_of(text, own)


def areas_named(
    instance: Instance, text: str, names: Collection[str]
) -> frozenset[SensitiveArea | OwnArea]:
    """Areas among those with these *names* that *text* tells of, whatever becomes of them in
    *instance*.
    """
    if not names:
        return frozenset()
    known = areas_of(text, [area for area in SensitiveArea if area in names])
    own = [each for each in instance.own_areas if each["name"] in names]
    return known | _own_areas_of(text, own)


def _own_areas_of(text: str, areas: Iterable[Mapping[str, Any]]) -> frozenset[OwnArea]:
    return own_areas_of(text, [OwnArea(each["name"], tuple(each["words"])) for each in areas])


def is_kept(instance: Instance, text: str) -> bool:
    """True if *instance* keeps *text* without a review, as far as its areas go."""
    return not sensitive_areas(instance, text, *NOT_KEPT)
