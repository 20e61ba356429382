"""Settings for statements about sensitive areas of a person's life."""

from typing import TYPE_CHECKING

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from instances.constraints import allow_values

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

#: The areas that have a setting, as `memoryapp.policy.sensitivity` names them.
AREAS = ("health", "religion", "politics", "sexuality", "finances", "minors")


class AreaHandling(models.TextChoices):
    """Handling of statements about a sensitive area."""

    KEEP = "keep", _("Keep")
    #: Kept, and shown only to a model on a server of one's own.
    LOCAL = "local", _("Keep, for models here only")
    HOLD = "hold", _("Hold for review")
    REFUSE = "refuse", _("Never keep")


def _handling(label: "StrOrPromise", help_text: "StrOrPromise") -> "models.CharField[str, str]":
    return models.CharField(
        label,
        max_length=10,
        choices=AreaHandling,
        default=AreaHandling.KEEP,
        help_text=help_text,
    )


def area_constraints() -> list[models.CheckConstraint]:
    """The constraints of the columns."""
    return [
        allow_values(f"{area}_handling", AreaHandling, f"instance_{area}_handling")
        for area in AREAS
    ]


class SensitivitySettings(models.Model):
    """The settings of the page "Never kept"."""

    health_handling = _handling(
        pgettext_lazy("area of a person's life", "Health"),
        _("Illness, treatment, disability, pregnancy."),
    )
    religion_handling = _handling(_("Religion"), _("Faith, its practice, or the lack of it."))
    politics_handling = _handling(_("Politics"), _("Votes, parties, unions, opinions."))
    sexuality_handling = _handling(_("Sexuality"), _("Orientation, identity, sex life."))
    finances_handling = _handling(_("Finances"), _("Income, savings, debts, benefits."))
    minors_handling = _handling(_("Minors"), _("Anybody below 18."))
    #: Areas of the managers' own: objects with "name", "words" and "handling".
    own_areas = models.JSONField(_("Areas of your own"), default=list, blank=True)
    #: Rules of what models are not shown: see `memoryapp.suppression.sending.SendingRule`.
    sending_rules = models.JSONField(_("What models see"), default=list, blank=True)

    class Meta:
        abstract = True

    def handling_of_area(self, area: str) -> AreaHandling:
        """Handling of statements about *area*, one of `AREAS`."""
        return AreaHandling(getattr(self, f"{area}_handling"))

    def areas_handled(self, *handlings: AreaHandling) -> frozenset[str]:
        """The areas with one of these *handlings*."""
        return frozenset(area for area in AREAS if self.handling_of_area(area) in handlings)
