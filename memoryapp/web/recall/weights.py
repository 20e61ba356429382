"""The weights of the ranking signals: tried in the list, then saved for an instance."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import ClassVar

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from instances.access import Request, managed_instance
from instances.models import Instance, RecallProfile
from memoryapp.recall.scoring import NAMES, WEIGHTS, Weights
from memoryapp.web.reasons import LOSSES, SIGNALS, label_of

#: The maximum weight of a signal.
MAX_WEIGHT = 10.0
#: Prefix of the name of a weight in the URL.
PREFIX = "w-"


@dataclass(frozen=True)
class Weight:
    """A weight with its values."""

    name: str
    #: The setting of the instance, and the measured default.
    own: float
    measured: float
    #: The value that is tried instead.
    tried: float | None = None

    #: The maximum of each.
    most: ClassVar[float] = MAX_WEIGHT

    @property
    def field(self) -> str:
        return f"{PREFIX}{self.name}"

    @property
    def label(self) -> str:
        return label_of(self.name)

    @property
    def is_loss(self) -> bool:
        """True if it is what a memory loses."""
        return self.name in LOSSES

    @property
    def says(self) -> str:
        return str(SIGNALS[self.name].says)


def weights_of(instance: Instance, tried: Mapping[str, float]) -> list[Weight]:
    """Return all weights of *instance* with those *tried*, in the order of the score bars."""
    own = Weights.of(instance.recall_weights)
    return [
        Weight(name, getattr(own, name), getattr(WEIGHTS, name), tried.get(name))
        for name in SIGNALS
        if name in NAMES
    ]


def read(instance: Instance, query: QueryDict) -> tuple[dict[str, float], list[str]]:
    """Return the weights in *query* that differ from those of *instance*, by name; and problems
    with others, in words.
    """
    tried, problems = {}, []
    for weight in weights_of(instance, {}):
        text = query.get(weight.field, "").strip()
        if not text:
            continue
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not (isfinite(value) and 0 <= value <= MAX_WEIGHT):
            problems.append(
                _("“%(signal)s” must be a number from 0 to %(most)s, not “%(text)s”.")
                % {"signal": weight.label, "most": f"{MAX_WEIGHT:g}", "text": text[:20]}
            )
        elif value != weight.own:
            tried[weight.name] = value
    return tried, problems


@require_POST
@transaction.atomic
def keep(request: Request) -> HttpResponse:
    """Save these weights for the instance, or reset them to the measured ones."""
    instance = managed_instance(request, request.GET.get("instance", ""))
    # If two people save at once, the last one wins.
    locked = Instance.objects.select_for_update().values_list("recall_weights", flat=True)
    instance.recall_weights = locked.get(pk=instance.pk)
    tried, problems = read(instance, request.POST)
    if problems:
        text = _("Nothing was changed. %(problems)s") % {"problems": " ".join(problems)}
        messages.error(request, text)
    elif tried or "reset" in request.POST:
        weights = {} if "reset" in request.POST else instance.recall_weights | tried
        instance.recall_weights = {
            name: value for name, value in weights.items() if value != getattr(WEIGHTS, name, value)
        }
        instance.save(update_fields=["recall_weights"])
        messages.success(request, _saved(instance))
    return redirect(f"{reverse('memories')}?{request.GET.urlencode()}")


def _saved(instance: Instance) -> str:
    name = {"instance": instance.name}
    if instance.recall_weights:
        text = _("%(instance)s now ranks with these weights.") % name
    else:
        text = _("%(instance)s now ranks with the default weights.") % name
    if instance.recall_profile == RecallProfile.DEFAULT:
        return text
    ranking = {"ranking": instance.get_recall_profile_display()}
    unused = _("Its ranking is set to “%(ranking)s”, which does not use weights.") % ranking
    return f"{text} {unused}"
