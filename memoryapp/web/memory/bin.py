"""The bin: archived memories, which people can restore or forget."""

from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from instances.access import Request, visible_instance, with_instance
from instances.actor import Actor
from instances.models import Instance
from instances.url_state import URLState, parsed
from memoryapp.forgetting.archive import empty, unarchive
from memoryapp.models import ArchivedMemory
from memoryapp.models.archived_memories import KEPT_FOR
from memoryapp.web.memory.words import grouped
from memoryapp.web.row_selection import RowSelection

PER_PAGE = 50


def _parse_batch(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


@dataclass(frozen=True)
class BinList(URLState):
    """The state of the list, from its URL."""

    url_name = "bin"

    instance: Instance
    #: The rollback that put them there; None: any.
    batch: UUID | None = parsed(_parse_batch)
    page: str = parsed(str)

    def rows(self) -> QuerySet[ArchivedMemory]:
        """Archived memories that match, latest first."""
        rows = ArchivedMemory.objects.in_instance(self.instance)
        return rows.filter(batch=self.batch) if self.batch else rows


@require_GET
@with_instance("bin")
def archived(request: Request, instance: Instance) -> HttpResponse:
    """List the archived memories, latest first."""
    listing = BinList.parse(request.GET, instance=instance)
    context = {
        "instance": instance,
        "section": "bin",
        "page": Paginator(listing.rows().select_related("by").defer("rows"), PER_PAGE).get_page(
            listing.page
        ),
        "listing": listing,
        "days": KEPT_FOR.days,
    }
    return render(request, "memory/bin.html", context)


@require_POST
def restore(request: Request) -> HttpResponse:
    """Restore the checked memories, or all."""
    instance, chosen = _chosen(request)
    count = unarchive(instance, chosen, by=Actor(request.user))
    text = ngettext("Restored %(number)s memory.", "Restored %(number)s memories.", count)
    messages.success(request, text % {"number": grouped(count)})
    return _back(instance)


@require_POST
def forget(request: Request) -> HttpResponse:
    """Forget the checked memories, or all."""
    instance, chosen = _chosen(request)
    count = empty(instance, chosen, by=Actor(request.user))
    text = ngettext(
        "Deleted %(number)s memory for good.", "Deleted %(number)s memories for good.", count
    )
    messages.success(request, text % {"number": grouped(count)})
    return _back(instance)


def _chosen(request: Request) -> tuple[Instance, QuerySet[ArchivedMemory]]:
    instance = visible_instance(request, request.GET.get("instance", ""))
    rows = BinList.parse(request.GET, instance=instance).rows()
    return instance, RowSelection.parse(request.POST).of(rows, lambda: rows)


def _back(instance: Instance) -> HttpResponse:
    return redirect(f"{reverse('bin')}?instance={instance.slug}")
