"""The status line: what is new, what the worker does, and what waits for a person."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext_lazy, ngettext

from conversations.models import Import
from instances.models import Instance
from memoryapp.embeddings.embedder import embedding_problem
from memoryapp.health.waiting_work import WaitingWork, WaitReason, waiting_work
from memoryapp.models import HeldStatement, Memory

#: Why work that costs money waits.
CAP_IN_SHORT = gettext_lazy("this month’s cost cap is reached")


@dataclass(frozen=True)
class Learning:
    """The memories of today, the work in progress, and what waits for a person."""

    #: Memories that were stored today, by whatever way.
    new_today: int
    work: WaitingWork
    #: Statements that wait until a person approves them.
    to_review: int
    #: Files that are being checked or imported, or wait for that.
    files: int
    #: Why search by meaning does not work at present; empty if it does.
    embedding_problem: str

    @property
    def failed(self) -> int:
        """Conversations that could not be read."""
        return self.work.counts.failed

    @property
    def capped(self) -> bool:
        """True if the month's cost cap is reached."""
        return self.work.capped

    @property
    def busy(self) -> bool:
        counts = self.work.counts
        return bool(counts.running or (counts.waiting and not self.capped) or self.files)

    @property
    def worker(self) -> str:
        """The worker's part of the status line; empty if it has nothing to do."""
        doing, counts = [], self.work.counts
        if counts.running:
            text = ngettext(
                "reading %(n)s conversation", "reading %(n)s conversations", counts.running
            )
            doing.append(text % {"n": intcomma(counts.running)})
        if self.files:
            text = ngettext("importing %(n)s file", "importing %(n)s files", self.files)
            doing.append(text % {"n": intcomma(self.files)})
        if counts.waiting:
            doing.append(_waiting_in_words(self.work))
        return ", ".join(doing)


def _waiting_in_words(work: WaitingWork) -> str:
    count = work.counts.waiting
    match work.reason:
        case WaitReason.CAP:
            text = ngettext(
                "%(n)s conversation waiting: %(reason)s",
                "%(n)s conversations waiting: %(reason)s",
                count,
            )
        case WaitReason.SHARE:
            text = ngettext(
                "%(n)s conversation waiting for your other work to finish",
                "%(n)s conversations waiting for your other work to finish",
                count,
            )
        case WaitReason.NO_WORKER:
            text = ngettext(
                "%(n)s conversation waiting, but no worker is running",
                "%(n)s conversations waiting, but no worker is running",
                count,
            )
        case WaitReason.NO_QUEUE:
            text = ngettext(
                "%(n)s conversation waiting, but Redis does not answer",
                "%(n)s conversations waiting, but Redis does not answer",
                count,
            )
        case _:
            text = ngettext(
                "%(n)s conversation waiting to be read",
                "%(n)s conversations waiting to be read",
                count,
            )
    return text % {"n": intcomma(count), "reason": CAP_IN_SHORT}


def status_context(instance: Instance) -> dict[str, Any]:
    """Return the template context of the line above the memories of *instance*."""
    newest = instance.memories.order_by("-pk").values_list("pk", flat=True).first()
    return {
        # The fragment that is sent while a person types is without it.
        "learning": SimpleLazyObject(partial(learning, instance)),
        "newest": newest or 0,
    }


def learning(instance: Instance) -> Learning:
    """Load the status, in a fixed number of queries."""
    return Learning(
        new_today=Memory.objects.in_instance(instance).stored_today(instance).count(),
        work=waiting_work(instance),
        to_review=HeldStatement.objects.waiting().filter(instance=instance).count(),
        files=instance.imports.filter(
            state__in=[*Import.AT_WORK, *Import.AT_WORK.values()]
        ).count(),
        embedding_problem=embedding_problem(instance),
    )
