"""Texts of the recommendations on the health screen."""

from dataclasses import dataclass

from django.urls import reverse

from instances.models import Instance
from memoryapp.health.diagnosis import Diagnosis
from memoryapp.health.recommendations import Recommendation, Remedy
from memoryapp.models.memory import MAX_FADING_IMPORTANCE, UNUSED_AFTER_DAYS


@dataclass(frozen=True)
class RecommendationText:
    """The texts of a remedy; ``{n}`` is the number of rows, ``{into}`` how many are left."""

    icon: str
    #: The finding, in singular and plural.
    found: tuple[str, str]
    #: Why it matters.
    why: str
    #: What the remedy does.
    what: str
    #: The label of the button, in singular and plural.
    button: tuple[str, str]
    #: Whether the button takes something away.
    deletes: bool = False


WORDS = {
    Remedy.RUNS: RecommendationText(
        "rotate-ccw",
        ("{n} run has failed", "{n} runs have failed"),
        "What was said in these conversations is kept, and not yet learned from or filed.",
        "Each is put in line and goes on where it failed. Nothing is stored twice.",
        ("Try {n} run again", "Try {n} runs again"),
    ),
    Remedy.VECTORS: RecommendationText(
        "scan-search",
        ("{n} memory waits for a vector", "{n} memories wait for a vector"),
        "Search finds them by their words, and not by what they mean.",
        "Each gets its vector in the background. Its text stays as it is.",
        ("Make {n} vector", "Make {n} vectors"),
    ),
    Remedy.MERGE: RecommendationText(
        "combine",
        ("", "{n} memories say what {into} could say"),
        "The same fact takes several of the few places among what the assistant is shown.",
        "In each group, one keeps its text, and gets the tags, the links and the higher importance "
        "of the others. These go into its history, and can be taken apart again.",
        ("", "Merge {n} memories into {into}"),
    ),
    Remedy.EXPIRED: RecommendationText(
        "calendar-x",
        ("{n} memory has expired", "{n} memories have expired"),
        "Their last day has passed. They rank lower, and may still be shown to the assistant.",
        "Each is deleted, with its vector and its history.",
        ("Delete {n} expired memory", "Delete {n} expired memories"),
        deletes=True,
    ),
    Remedy.UNUSED: RecommendationText(
        "feather",
        ("{n} memory has never been used", "{n} memories have never been used"),
        f"Of importance {MAX_FADING_IMPORTANCE} or less, unchanged for {UNUSED_AFTER_DAYS} days, "
        "and never recalled.",
        "Each is deleted, with its vector and its history.",
        ("Delete {n} memory", "Delete {n} memories"),
        deletes=True,
    ),
    Remedy.STALE: RecommendationText(
        "hourglass",
        ("{n} memory has gone stale", "{n} memories have gone stale"),
        "Not recalled, confirmed or changed for so long that they may not hold any more. They rank "
        "a little lower.",
        "Each counts as confirmed today, and ranks as before.",
        ("Mark {n} memory as current", "Mark {n} memories as current"),
    ),
}


@dataclass(frozen=True)
class ShownRecommendation:
    """A remedy for an instance, with its texts."""

    remedy: Remedy
    words: RecommendationText
    count: int
    into: int
    #: The cause in this instance; empty if it is unknown.
    cause: str
    #: The address of the preview.
    url: str

    @property
    def found(self) -> str:
        return in_number(self.words.found, self.count, self.into)

    @property
    def button(self) -> str:
        return in_number(self.words.button, self.count, self.into)


def in_words(
    recommendation: Recommendation, instance: Instance, diagnosis: Diagnosis
) -> ShownRecommendation:
    """Return *recommendation* with its texts."""
    remedy = recommendation.remedy
    return ShownRecommendation(
        remedy,
        WORDS[remedy],
        recommendation.count,
        recommendation.into,
        diagnosis.embedding_problem if remedy is Remedy.VECTORS else "",
        address(remedy, instance),
    )


def address(remedy: Remedy, instance: Instance) -> str:
    """Return the address of the preview of *remedy*."""
    return f"{reverse('health_remedy', args=[remedy])}?instance={instance.slug}"


def in_number(forms: tuple[str, str], count: int, into: int = 0) -> str:
    """Return the singular or plural for *count*."""
    return forms[count != 1].format(n=f"{count:,}", into=f"{into:,}")
