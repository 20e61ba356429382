"""The status line: what the worker is doing for an instance."""

from dataclasses import dataclass
from datetime import timedelta

from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from conversations.models import Import
from instances.models import Instance
from memoryapp.embeddings.embedder import embedding_problem
from memoryapp.models import Run, may_read
from memoryapp.models.fair_queue import waits_for_share

#: If a run waits longer than this, there is probably no worker.
WAITING_TOO_LONG = timedelta(seconds=30)

#: Why work that costs money waits.
CAP_IN_SHORT = gettext_lazy("this month’s cost cap is reached")


@dataclass(frozen=True)
class Learning:
    """The memories of today, and the work in progress."""

    learned_today: int
    running: int
    waiting: int
    #: Waiting for so long that probably no worker runs.
    stuck: int
    #: Whether work waits because the holder has used its share of the workers.
    waits_for_share: bool
    failed: int
    #: Files that are being checked or imported, or wait for that.
    files: int
    #: Whether work waits because the month's cost cap is reached.
    capped: bool
    #: Why search by meaning does not work at present; empty if it does.
    embedding_problem: str

    @property
    def busy(self) -> bool:
        return bool(self.running or (self.waiting and not self.capped) or self.files)

    @property
    def worker(self) -> str:
        """The worker's part of the status line."""
        doing = []
        if self.running:
            text = ngettext(
                "reading %(n)s conversation", "reading %(n)s conversations", self.running
            )
            doing.append(text % {"n": intcomma(self.running)})
        if self.files:
            text = ngettext("importing %(n)s file", "importing %(n)s files", self.files)
            doing.append(text % {"n": intcomma(self.files)})
        if self.waiting:
            doing.append(self._waiting_in_words())
        return ", ".join(doing) or _("nothing waiting")

    def _waiting_in_words(self) -> str:
        values = {"n": intcomma(self.waiting), "reason": CAP_IN_SHORT}
        if self.capped:
            text = ngettext(
                "%(n)s conversation waiting: %(reason)s",
                "%(n)s conversations waiting: %(reason)s",
                self.waiting,
            )
        elif self.waits_for_share:
            text = ngettext(
                "%(n)s conversation waiting for your other work to finish",
                "%(n)s conversations waiting for your other work to finish",
                self.waiting,
            )
        elif self.stuck and not self.running:
            text = ngettext(
                "%(n)s conversation waiting, but no worker is running",
                "%(n)s conversations waiting, but no worker is running",
                self.waiting,
            )
        else:
            text = ngettext(
                "%(n)s conversation waiting to be read",
                "%(n)s conversations waiting to be read",
                self.waiting,
            )
        return text % values


def learning(instance: Instance) -> Learning:
    """Load the status, in a fixed number of queries."""
    now = timezone.now()
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    # Filing is quick, so only extraction is shown.
    runs = (
        Run.objects.extractions()
        .filter(instance=instance)
        .aggregate(
            running=Count("pk", filter=Q(state=Run.State.RUNNING)),
            waiting=Count("pk", filter=Q(state=Run.State.QUEUED)),
            stuck=Count("pk", filter=Q(state=Run.State.QUEUED, due_at__lt=now - WAITING_TOO_LONG)),
        )
    )
    looks_stuck = bool(runs["stuck"]) and not runs["running"]
    return Learning(
        waits_for_share=looks_stuck and bool(waits_for_share(instance)),
        learned_today=instance.memories.filter(created_at__gte=midnight).count(),
        files=instance.imports.filter(
            state__in=[*Import.AT_WORK, *Import.AT_WORK.values()]
        ).count(),
        failed=Run.objects.extractions().filter(instance=instance).unresolved_failures().count(),
        capped=not may_read(instance),
        embedding_problem=embedding_problem(instance),
        **runs,
    )
