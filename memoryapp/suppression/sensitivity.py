"""The sensitive areas that an instance does not keep, or only after a review."""

from instances.models import Instance
from instances.models.sensitivity_settings import AreaHandling
from memoryapp.policy.sensitivity import SensitiveArea, areas_of

#: What is not kept unless a person wants it.
NOT_KEPT = (AreaHandling.HOLD, AreaHandling.REFUSE)


def sensitive_areas(
    instance: Instance, text: str, *handlings: AreaHandling
) -> frozenset[SensitiveArea]:
    """The areas with one of these *handlings* in *instance* that *text* tells of."""
    return areas_of(text, [SensitiveArea(each) for each in instance.areas_handled(*handlings)])


def is_kept(instance: Instance, text: str) -> bool:
    """True if *instance* keeps *text* without a review, as far as its areas go."""
    return not sensitive_areas(instance, text, *NOT_KEPT)
