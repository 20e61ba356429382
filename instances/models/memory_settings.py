"""Settings for what an instance remembers, and for how it tells one fact from another."""

import zoneinfo
from datetime import date, datetime
from typing import TYPE_CHECKING

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from instances.languages import LANGUAGES
from instances.models.choices import ExtractWhen, PIIPolicy
from instances.tiers import Tier, TierHandling

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


def validate_time_zone(name: str) -> None:
    """Refuse names that are not in the IANA database."""
    if name not in zoneinfo.available_timezones():
        raise ValidationError(
            _("“%(name)s” is not a time zone. Use a name such as Europe/Berlin or UTC."),
            params={"name": name},
        )


def _threshold(
    label: "StrOrPromise", default: float, help_text: "StrOrPromise"
) -> "models.FloatField[float, float]":
    """A cosine similarity of two facts."""
    between = [MinValueValidator(0.5), MaxValueValidator(1.0)]
    return models.FloatField(label, default=default, validators=between, help_text=help_text)


def _handling(
    label: "StrOrPromise", help_text: "StrOrPromise" = ""
) -> "models.CharField[str, str]":
    """Field for the handling of a tier's statements."""
    return models.CharField(
        label,
        max_length=10,
        choices=TierHandling,
        default=TierHandling.KEEP,
        help_text=help_text,
    )


class MemorySettings(models.Model):
    """The settings of the pages "General" and "Memory"."""

    memory_enabled = models.BooleanField(
        _("Memory"),
        default=False,
        help_text=_("Off: nothing new is learned; what is known is still recalled."),
    )
    extract_when = models.CharField(
        _("When to read conversations"),
        max_length=20,
        choices=ExtractWhen,
        default=ExtractWhen.AFTER_RESPONSE,
        help_text=_("Any conversation can be read at once, too."),
    )
    stale_minutes = models.PositiveSmallIntegerField(
        _("Idle minutes"),
        default=30,
        validators=[MinValueValidator(1), MaxValueValidator(1440)],
        help_text=_("1 to 1440."),
    )
    builtin_reader = models.BooleanField(
        _("Built-in reader"),
        default=True,
        help_text=_("Finds plain statements without a model, in five languages."),
    )
    guidance = models.TextField(
        _("What matters"),
        max_length=500,
        blank=True,
        help_text=_("Told to the model that reads; the built-in reader cannot follow it."),
    )
    palace_enabled = models.BooleanField(
        _("Palace"),
        default=True,
        help_text=_("Files every message by subject. A model names subjects, one small call each."),
    )
    merge_with_model = models.BooleanField(
        _("Merge with the model"),
        default=False,
        help_text=_("The model decides about facts that are close. You can undo every merge."),
    )
    looks_recorded = models.BooleanField(
        _("Record who looks"),
        default=False,
        help_text=_("Who opens or searches what, in the audit log."),
    )
    pii_policy = models.CharField(
        _("Secrets and identifiers"),
        max_length=10,
        choices=PIIPolicy,
        default=PIIPolicy.REDACT,
        help_text=_(
            "Passwords, keys, card, phone and account numbers, addresses of e-mail and IP."
        ),
    )
    assistant_handling = _handling(_("From the assistant"))
    tool_handling = _handling(_("From tools"))
    document_handling = _handling(
        _("From documents"),
        _("Suspicious: it gives orders or contradicts a person. It waits under Review."),
    )
    decay_days = models.PositiveIntegerField(
        _("Stale after (days)"),
        default=90,
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(3650)],
        help_text=_("Unused memories rank a little lower after this. Empty: never."),
    )
    dedup_exact = _threshold(
        _("Duplicate above"),
        0.98,
        _("A new fact that says the same is dropped."),
    )
    dedup_update = _threshold(
        _("Rewording above"),
        0.90,
        _("A rewording replaces the old version."),
    )
    dedup_merge = _threshold(
        _("Ask the model above"),
        0.70,
        _("If merging is on."),
    )
    single_valued_keys = ArrayField(
        models.CharField(max_length=100),
        verbose_name=_("Single-value keys"),
        default=list,
        blank=True,
        help_text=_("Beside home_city and employer; separated by commas."),
    )
    time_zone = models.CharField(
        _("Time zone"),
        max_length=60,
        default="UTC",
        validators=[validate_time_zone],
        help_text=_("“Tomorrow” in a conversation becomes a date in this time zone."),
    )
    language = models.CharField(
        _("Default language"),
        max_length=20,
        choices=LANGUAGES,
        default="english",
        help_text=_("For short texts, and languages that are not detected."),
    )
    #: The other languages in which it has texts.
    further_languages = ArrayField(
        models.CharField(max_length=20), default=list, blank=True, editable=False
    )

    class Meta:
        abstract = True

    @property
    def search_languages(self) -> list[str]:
        """The languages that its texts are in, the usual one first."""
        return [self.language, *(each for each in self.further_languages if each != self.language)]

    def date_of(self, moment: datetime) -> date:
        """Return the date of *moment* in the instance's time zone."""
        return moment.astimezone(zoneinfo.ZoneInfo(self.time_zone)).date()

    def midnight(self) -> datetime:
        """Return the moment at which today has begun in the instance's time zone."""
        now = timezone.localtime(timezone=zoneinfo.ZoneInfo(self.time_zone))
        return now.replace(hour=0, minute=0, second=0, microsecond=0)

    def handling_of(self, tier: Tier) -> TierHandling:
        """Handling of statements of *tier*, which is below the user's."""
        return TierHandling(
            {
                Tier.ASSISTANT: self.assistant_handling,
                Tier.TOOL: self.tool_handling,
                Tier.DOCUMENT: self.document_handling,
            }[tier]
        )

    @property
    def reads_what_goes_stale(self) -> bool:
        """True if conversations are read once they have gone stale."""
        return self.memory_enabled and self.extract_when == ExtractWhen.STALE
