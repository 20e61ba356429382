"""Texts of the recommendations on the health screen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib.humanize.templatetags.humanize import intcomma
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from instances.models import Instance
from instances.translatable import translated
from memoryapp.health.diagnosis import Diagnosis
from memoryapp.health.recommendations import Recommendation, Remedy
from memoryapp.health.stalled_work import StalledWork
from memoryapp.health.waiting_work import WaitReason
from memoryapp.models import Summary
from memoryapp.models.memory import MAX_FADING_IMPORTANCE, UNUSED_AFTER_DAYS
from memoryapp.web.settings.pages import card_url

#: Writes a text for a number of rows; texts hold it as ``%(n)s``, and ``%(into)s`` as what is left.
Counted = Callable[[int], str]
Text = str | Promise


@dataclass(frozen=True)
class RecommendationText:
    """The texts of a remedy."""

    icon: str
    #: The finding.
    found: Counted
    #: Why it matters.
    why: Counted
    #: What the remedy does.
    what: Text
    #: The label of the button.
    button: Counted
    #: True if the button takes something away.
    deletes: bool = False


_DELETES = _("Each memory is deleted, with its history.")


def _why_unused(n: int) -> str:
    text = ngettext(
        "It has importance %(importance)s or less, has not changed for %(days)s days, and was "
        "never recalled.",
        "They have importance %(importance)s or less, have not changed for %(days)s days, and "
        "were never recalled.",
        n,
    )
    return text % {"importance": MAX_FADING_IMPORTANCE, "days": UNUSED_AFTER_DAYS}


TEXTS = {
    Remedy.RUNS: RecommendationText(
        "rotate-ccw",
        lambda n: ngettext("%(n)s task has failed", "%(n)s tasks have failed", n),
        lambda n: ngettext(
            "The conversation is stored, but it could not be read or filed.",
            "The conversations are stored, but they could not be read or filed.",
            n,
        ),
        _("Each task is queued again and continues where it failed. Nothing is stored twice."),
        lambda n: ngettext("Retry %(n)s task", "Retry %(n)s tasks", n),
    ),
    Remedy.VECTORS: RecommendationText(
        "scan-search",
        lambda n: ngettext(
            "%(n)s memory has no vector yet", "%(n)s memories have no vector yet", n
        ),
        lambda n: ngettext(
            "Search finds it by its words, but not by its meaning.",
            "Search finds them by their words, but not by their meaning.",
            n,
        ),
        _("Vectors are made in the background. The texts stay as they are."),
        lambda n: ngettext("Make %(n)s vector", "Make %(n)s vectors", n),
    ),
    Remedy.MERGE: RecommendationText(
        "combine",
        lambda n: ngettext(
            "%(n)s memory can be merged into %(into)s",
            "%(n)s memories can be merged into %(into)s",
            n,
        ),
        lambda n: ngettext(
            "It says the same as another one, and uses up space in what the assistant is shown.",
            "They repeat the same facts, and use up space in what the assistant is shown.",
            n,
        ),
        _(
            "In each group, one memory keeps its text and gets the tags, links and highest "
            "importance of the others. The others move to its history. You can undo a merge."
        ),
        lambda n: ngettext(
            "Merge %(n)s memory into %(into)s", "Merge %(n)s memories into %(into)s", n
        ),
    ),
    Remedy.EXPIRED: RecommendationText(
        "calendar-x",
        lambda n: ngettext("%(n)s memory has expired", "%(n)s memories have expired", n),
        lambda n: ngettext(
            "Its “valid until” date has passed. It ranks lower, but may still be shown to the "
            "assistant.",
            "Their “valid until” dates have passed. They rank lower, but may still be shown to the "
            "assistant.",
            n,
        ),
        _DELETES,
        lambda n: ngettext("Delete %(n)s expired memory", "Delete %(n)s expired memories", n),
        deletes=True,
    ),
    Remedy.UNUSED: RecommendationText(
        "feather",
        lambda n: ngettext(
            "%(n)s memory has never been used", "%(n)s memories have never been used", n
        ),
        _why_unused,
        _DELETES,
        lambda n: ngettext("Delete %(n)s memory", "Delete %(n)s memories", n),
        deletes=True,
    ),
    Remedy.STALE: RecommendationText(
        "hourglass",
        lambda n: ngettext("%(n)s memory is stale", "%(n)s memories are stale", n),
        lambda n: ngettext(
            "It has not been recalled, confirmed or changed for a long time, and may no longer be "
            "true. It ranks slightly lower.",
            "They have not been recalled, confirmed or changed for a long time, and may no longer "
            "be true. They rank slightly lower.",
            n,
        ),
        _("Each memory counts as confirmed today, and ranks as before."),
        lambda n: ngettext("Mark %(n)s memory as current", "Mark %(n)s memories as current", n),
    ),
}


@dataclass(frozen=True)
class Finding:
    """A line of the recommendations, with a link to what fixes it."""

    #: Identifies it on the page.
    name: str
    icon: str
    found: str
    why: str
    url: str
    #: The cause in this instance; empty if it is unknown.
    cause: str = ""
    #: True if only managers may open what fixes it.
    is_for_managers: bool = False


def in_words(recommendation: Recommendation, instance: Instance, diagnosis: Diagnosis) -> Finding:
    """Return *recommendation* with its texts."""
    remedy, count = recommendation.remedy, recommendation.count
    texts = TEXTS[remedy]
    return Finding(
        remedy,
        texts.icon,
        in_number(texts.found, count, recommendation.into),
        texts.why(count),
        address(remedy, instance),
        translated(diagnosis.embedding_problem) if remedy is Remedy.VECTORS else "",
    )


def near_duplicates(count: int, instance: Instance) -> Finding:
    """Return the finding of *count* memories that are nearly the same as another one."""
    return Finding(
        "near-duplicates",
        "copy",
        in_number(
            lambda n: ngettext(
                "%(n)s memory is nearly the same as another one",
                "%(n)s memories are nearly the same as another one",
                n,
            ),
            count,
        ),
        str(_("They differ in a word, and were kept apart for it. Merge those that say the same.")),
        f"{reverse('memories')}?instance={instance.slug}&state=similar",
    )


def stalled(work: StalledWork, instance: Instance) -> list[Finding]:
    """Return the findings of the *work* that does not get on by itself."""
    erasures = f"{reverse('erasures')}?instance={instance.slug}"
    texts: list[tuple[str, str, int, Counted, Text, str]] = [
        (
            "webhooks",
            "webhook",
            work.webhooks,
            lambda n: ngettext(
                "%(n)s webhook does not get through", "%(n)s webhooks do not get through", n
            ),
            _("Other programs do not hear of what happens."),
            card_url(instance.slug, "webhooks"),
        ),
        (
            "model-changes",
            "shuffle",
            work.model_changes,
            lambda n: ngettext(
                "%(n)s change of the embedding model is held up",
                "%(n)s changes of the embedding model are held up",
                n,
            ),
            _("Search uses the former model meanwhile."),
            card_url(instance.slug, "embeddings"),
        ),
        (
            "erasures",
            "user-x",
            work.erasures,
            lambda n: ngettext("%(n)s erasure is held up", "%(n)s erasures are held up", n),
            _("Keepsake tries again every minute."),
            erasures,
        ),
    ]
    return [
        Finding(name, icon, in_number(text, count), str(why), url, is_for_managers=True)
        for name, icon, count, text, why, url in texts
        if count
    ]


#: Why conversations wait, if something other than the work before them keeps them from being read.
_WHY_WAITING: dict[WaitReason, Text] = {
    WaitReason.CAP: _(
        "This month’s cost cap is reached. Reading continues next month, or when you raise the cap."
    ),
    WaitReason.NO_WORKER: _("No worker is running."),
    WaitReason.NO_QUEUE: _("Redis does not answer, so no worker is told of them."),
}


def waiting_conversations(diagnosis: Diagnosis, instance: Instance) -> Finding:
    """Return the finding of conversations that are not read, or have waited for too long."""
    why = _WHY_WAITING.get(diagnosis.waiting_for, _("They have waited for more than an hour."))
    listed = f"{reverse('conversations')}?instance={instance.slug}&state=waiting"
    is_capped = diagnosis.waiting_for is WaitReason.CAP
    return Finding(
        "waiting",
        "clock",
        in_number(
            lambda n: ngettext(
                "%(n)s conversation waiting to be read",
                "%(n)s conversations waiting to be read",
                n,
            ),
            diagnosis.kept_waiting,
        ),
        str(why),
        card_url(instance.slug, "cost") if is_capped else listed,
        is_for_managers=is_capped,
    )


def held(count: int, instance: Instance) -> Finding:
    """Return the finding of *count* statements that wait for review."""
    return Finding(
        "review",
        "shield-alert",
        in_number(
            lambda n: ngettext(
                "%(n)s statement waits for review", "%(n)s statements wait for review", n
            ),
            count,
        ),
        str(_("What waits is not recalled until a person decides.")),
        f"{reverse('review')}?instance={instance.slug}",
    )


def summaries(failed: Sequence[Summary], instance: Instance) -> Finding:
    """Return the finding of *failed* summaries."""
    first = failed[0]
    where = urlencode({"instance": instance.slug, "end_user": first.end_user})
    return Finding(
        "summaries",
        "user",
        in_number(
            lambda n: ngettext(
                "%(n)s summary could not be written", "%(n)s summaries could not be written", n
            ),
            len(failed),
        ),
        translated(first.error),
        f"{reverse('profile')}?{where}",
    )


def contradictions(count: int, instance: Instance) -> Finding:
    """Return the finding of *count* pairs of memories that may contradict each other."""
    return Finding(
        "contradictions",
        "git-compare",
        in_number(
            lambda n: ngettext(
                "%(n)s pair of memories may contradict each other",
                "%(n)s pairs of memories may contradict each other",
                n,
            ),
            count,
        ),
        ngettext(
            "Both are kept until you decide which one is true.",
            "All are kept until you decide which ones are true.",
            count,
        ),
        f"{reverse('memories')}?instance={instance.slug}&state=contradicted",
    )


def address(remedy: Remedy, instance: Instance) -> str:
    """Return the address of the preview of *remedy*."""
    return f"{reverse('health_remedy', args=[remedy])}?instance={instance.slug}"


def in_number(text: Counted, count: int, into: int = 0) -> str:
    """Write *text* for *count* rows."""
    return text(count) % {"n": intcomma(count), "into": intcomma(into)}


def for_script(text: Counted, count: int) -> str:
    """Write *text* as for *count* rows, with ``{n}`` and ``{into}`` where a script sets numbers."""
    return text(count) % {"n": "{n}", "into": "{into}"}
