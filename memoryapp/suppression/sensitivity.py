"""The sensitive areas that an instance does not keep, or only after a review, or shows to no model
elsewhere.
"""

from instances.models import Instance
from instances.models.sensitivity_settings import AreaHandling
from memoryapp.policy.sensitivity import SensitiveArea, areas_of
from memoryapp.policy.sensitivity.own_areas import OwnArea, own_areas_of
from memoryapp.providers.list_prices import is_own_server

#: Handlings under which nothing is kept unless a person wants it.
NOT_KEPT = (AreaHandling.HOLD, AreaHandling.REFUSE)


def sensitive_areas(
    instance: Instance, text: str, *handlings: AreaHandling
) -> frozenset[SensitiveArea | OwnArea]:
    """The areas with one of these *handlings* in *instance* that *text* tells of, those of the
    managers' own among them.
    """
    known = areas_of(text, [SensitiveArea(each) for each in instance.areas_handled(*handlings)])
    return known | own_areas_of(text, _own_areas(instance, *handlings))


def _own_areas(instance: Instance, *handlings: AreaHandling) -> list[OwnArea]:
    return [
        OwnArea(each["name"], tuple(each["words"]))
        for each in instance.own_areas
        if each["handling"] in handlings
    ]


def is_kept(instance: Instance, text: str) -> bool:
    """True if *instance* keeps *text* without a review, as far as its areas go."""
    return not sensitive_areas(instance, text, *NOT_KEPT)


def may_be_sent(instance: Instance, text: str) -> bool:
    """True if the model of *instance* may be shown *text*: if its areas are for models here only,
    the server of the model is one's own. Without a model, who asks is unknown, and counts as
    elsewhere.
    """
    if not (instance.areas_handled(AreaHandling.LOCAL) or _own_areas(instance, AreaHandling.LOCAL)):
        return True
    if instance.provider and is_own_server(instance.provider, instance.chat_address):
        return True
    return not sensitive_areas(instance, text, AreaHandling.LOCAL)
