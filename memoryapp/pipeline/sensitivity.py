"""Refuses candidates about sensitive areas that an instance never keeps, and tells those that wait
for review. `memoryapp.policy.sensitivity` recognises them.
"""

from instances.models import Instance
from instances.models.sensitivity_settings import AreaHandling
from instances.translatable import TranslatableText, translatable
from memoryapp.pipeline.candidates import SOURCE_CONTEXT, Candidate, Rejected
from memoryapp.policy.sensitivity import SensitiveArea
from memoryapp.policy.sensitivity.own_areas import OwnArea
from memoryapp.suppression.sensitivity import sensitive_areas

CODE = "not_kept"
NOT_KEPT = {
    SensitiveArea.HEALTH: translatable("Health: not kept here (Settings → Never kept)."),
    SensitiveArea.RELIGION: translatable("Religion: not kept here (Settings → Never kept)."),
    SensitiveArea.POLITICS: translatable("Politics: not kept here (Settings → Never kept)."),
    SensitiveArea.SEXUALITY: translatable("Sexuality: not kept here (Settings → Never kept)."),
    SensitiveArea.FINANCES: translatable("Finances: not kept here (Settings → Never kept)."),
    SensitiveArea.MINORS: translatable("Minors: not kept here (Settings → Never kept)."),
}


def check(instance: Instance, candidate: Candidate, former: str = "") -> None:
    """Raise `Rejected` if *candidate* is about an area that *instance* never keeps, unless it is
    the new text of a memory whose *former* one was about it as well.
    """
    refused = _areas(instance, candidate, AreaHandling.REFUSE)
    if refused and former:
        refused -= sensitive_areas(instance, former, AreaHandling.REFUSE)
    if refused:
        raise Rejected(_reason(refused), CODE)


def waits(instance: Instance, candidate: Candidate) -> bool:
    """True if *candidate* is about an area that waits for review in *instance*."""
    return bool(_areas(instance, candidate, AreaHandling.HOLD))


def _areas(
    instance: Instance, candidate: Candidate, handling: AreaHandling
) -> frozenset[SensitiveArea | OwnArea]:
    """The areas with this *handling* that *candidate* is about, by its words or by the model that
    read it.
    """
    areas = sensitive_areas(instance, _told(candidate), handling)
    if candidate.area and candidate.area in instance.areas_handled(handling):
        areas |= {candidate.area}
    return areas


def _reason(areas: frozenset[SensitiveArea | OwnArea]) -> TranslatableText:
    """A sentence that names one of *areas*, always the same one."""
    if known := [area for area in areas if isinstance(area, SensitiveArea)]:
        return NOT_KEPT[min(known)]
    own = min(area.name for area in areas if isinstance(area, OwnArea))
    return translatable("%(area)s: not kept here (Settings → Never kept).", area=own)


def _told(candidate: Candidate) -> str:
    """All that *candidate* says, each part as a sentence."""
    context = candidate.metadata.get(SOURCE_CONTEXT, "")
    fact = f"{candidate.key.replace('_', ' ')} {candidate.value}" if candidate.key else ""
    parts = [candidate.content, fact, context if isinstance(context, str) else ""]
    return "\n".join(part for part in parts if part)
