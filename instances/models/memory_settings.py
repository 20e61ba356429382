"""What an instance remembers of its conversations, and how it tells one fact from another."""

import zoneinfo
from datetime import date, datetime

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from instances.languages import LANGUAGES
from instances.models.choices import ExtractWhen, PIIPolicy
from instances.tiers import Tier, TierHandling


def validate_time_zone(name: str) -> None:
    """Refuse names that are not in the IANA database."""
    if name not in zoneinfo.available_timezones():
        raise ValidationError(
            f"“{name}” is not a time zone. Use a name such as Europe/Berlin or UTC."
        )


def _threshold(label: str, default: float, help_text: str) -> "models.FloatField[float, float]":
    """A cosine similarity of two facts."""
    between = [MinValueValidator(0.5), MaxValueValidator(1.0)]
    return models.FloatField(label, default=default, validators=between, help_text=help_text)


def _handling(label: str, help_text: str = "") -> "models.CharField[str, str]":
    """What becomes of the statements of a tier."""
    return models.CharField(
        label,
        max_length=10,
        choices=TierHandling,
        default=TierHandling.KEEP,
        help_text=help_text,
    )


class MemorySettings(models.Model):
    """The settings of the cards "Memory" and "Search"."""

    memory_enabled = models.BooleanField(
        "Memory",
        default=False,
        help_text="Read conversations in the background and keep the facts worth keeping.",
    )
    extract_when = models.CharField(
        "When to read conversations",
        max_length=20,
        choices=ExtractWhen,
        default=ExtractWhen.AFTER_RESPONSE,
        help_text="Whichever you choose: a button on each conversation reads at once what is new "
        "in it.",
    )
    stale_minutes = models.PositiveSmallIntegerField(
        "Minutes of silence",
        default=30,
        validators=[MinValueValidator(1), MaxValueValidator(1440)],
        help_text="How long nothing is said before a conversation is read: 1 to 1440. All that is "
        "new is then read at once, which takes fewer calls than reading after every response.",
    )
    builtin_reader = models.BooleanField(
        "Built-in reader",
        default=True,
        help_text="Without a language model, read the plain things that people say of themselves, "
        "by rules, in English, German, Italian, Spanish and French. It costs nothing and sends "
        "nothing anywhere. A model, once there is one, reads instead, and finds more.",
    )
    palace_enabled = models.BooleanField(
        "Palace",
        default=True,
        help_text="While it remembers, also file every turn, word for word, by subject and topic. "
        "With a language model, one small call for each stretch of a conversation names them and "
        "notes who and what is spoken of; without one, turns are filed by their conversation.",
    )
    merge_with_model = models.BooleanField(
        "Merge with the model",
        default=False,
        help_text="When a new fact is near one that is known, let the language model say whether "
        "to merge the two, to replace the old one, or to keep both. One more call for each reading "
        "in which that happens; you can take back what it does.",
    )
    pii_policy = models.CharField(
        "Secrets and identifiers",
        max_length=10,
        choices=PIIPolicy,
        default=PIIPolicy.REDACT,
        help_text="Passwords, keys, PINs, card and phone numbers, IBANs, social security numbers, "
        "e-mail and IP addresses: a memory holds [REDACTED:CARD] in their place, or is refused, "
        "and they are stored nowhere but in the conversation itself, which is shown with them "
        "masked. Names, places and dates stay.",
    )
    assistant_handling = _handling("What the assistant says")
    tool_handling = _handling("What tools return")
    document_handling = _handling(
        "What documents say",
        "Quoted, pasted and attached text, files, and programs that count as such. Suspicious is "
        "what speaks to the assistant, or may contradict what the user or a person has said: it "
        "waits under Memory, Review.",
    )
    decay_days = models.PositiveIntegerField(
        "Goes stale after",
        default=90,
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(3650)],
        help_text="Days for which a memory may go unasked for. Then it is marked as stale and "
        "ranks a little lower, until it is asked for again. Nothing is deleted. Empty: never.",
    )
    dedup_exact = _threshold(
        "Same fact from",
        0.98,
        "Similarity from which a new fact that says the same is left out: the cosine of the "
        "built-in embedder, to which those of other models are converted.",
    )
    dedup_update = _threshold(
        "New wording above",
        0.90,
        "Above this, a new fact that says the same in other words becomes the new version of the "
        "old one, which stays in its history.",
    )
    dedup_merge = _threshold(
        "Ask the model from",
        0.70,
        "From here on the language model compares a new fact with an old one, if it is to merge.",
    )
    single_valued_keys = ArrayField(
        models.CharField(max_length=100),
        verbose_name="Keys with one value",
        default=list,
        blank=True,
        help_text="Besides the usual ones, such as home_city and employer: a new value of such a "
        "key replaces the present one. Values of other keys stand side by side.",
    )
    time_zone = models.CharField(
        "Time zone",
        max_length=60,
        default="UTC",
        validators=[validate_time_zone],
        help_text="“Tomorrow” in a conversation becomes a date in this zone.",
    )
    language = models.CharField(
        "Usual language",
        max_length=20,
        choices=LANGUAGES,
        default="english",
        help_text="For texts too short to tell their language, and for languages other than "
        "English, German, Italian, Spanish and French, which are recognised. Decides word "
        "endings: “moved” finds “move”.",
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

    def handling_of(self, tier: Tier) -> TierHandling:
        """What becomes of statements of *tier*, which is below the user's."""
        return TierHandling(
            {
                Tier.ASSISTANT: self.assistant_handling,
                Tier.TOOL: self.tool_handling,
                Tier.DOCUMENT: self.document_handling,
            }[tier]
        )

    @property
    def reads_what_goes_stale(self) -> bool:
        """Whether conversations are read once they have gone stale."""
        return self.memory_enabled and self.extract_when == ExtractWhen.STALE
