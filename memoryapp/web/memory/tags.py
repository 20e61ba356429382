"""The list of all tags of an instance, which can be renamed, merged and deleted."""

from dataclasses import dataclass

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from conversations.sanitizer import sanitize
from conversations.url_text import filter_text
from instances.access import Request, visible_instance, with_instance
from instances.actor import Actor
from instances.models import Instance
from instances.url_state import URLState, parsed
from memoryapp.models import CountKind, Memory, MemoryCount
from memoryapp.pipeline import Rejected
from memoryapp.pipeline.bulk_edit import BulkChange, change_all
from memoryapp.pipeline.validation import admitted_tags
from memoryapp.web.memory.words import memories_counted

PER_PAGE = 50
#: Tags that a form suggests, the most used ones.
MAX_SUGGESTED = 100


@dataclass(frozen=True)
class TagList(URLState):
    """The state of the list, from its URL."""

    url_name = "tags"

    instance: Instance
    q: str = parsed(filter_text)
    page: str = parsed(str)

    def rows(self) -> list[tuple[str, int]]:
        """The tags with the numbers of their memories, the most used first."""
        rows = MemoryCount.objects.filter(instance=self.instance, kind=CountKind.TAG)
        return sorted(rows.by("value").items(), key=lambda row: (-row[1], row[0]))


def suggested_tags(instance: Instance) -> list[tuple[str, int]]:
    """The tags that a form suggests, with the numbers of their memories."""
    return TagList(instance).rows()[:MAX_SUGGESTED]


@require_GET
@with_instance("memory")
def tags(request: Request, instance: Instance) -> HttpResponse:
    """List the tags, the most used first."""
    listing = TagList.parse(request.GET, instance=instance)
    words = listing.q.lower()
    found = [row for row in listing.rows() if words in row[0]]
    context = {
        "instance": instance,
        "section": "memory",
        "page": Paginator(found, PER_PAGE).get_page(listing.page),
        "listing": listing,
        # Where an undo leads back to.
        "back": f"{listing.path}?{listing.query()}",
    }
    return render(request, "memory/tags.html", context)


@require_POST
def rename(request: Request) -> HttpResponse:
    """Rename a tag; with the name of another one, merge them."""
    instance, tag = _tag_of(request)
    try:
        new = "".join(admitted_tags(instance, [request.POST.get("name", "")]))
    except Rejected as error:
        messages.error(request, str(error))
        return _back(request, instance)
    if not new or "," in new:
        messages.error(request, _("Enter a name for the tag, without commas."))
    elif new != tag:
        merged = Memory.objects.in_instance(instance).tagged(instance, new).exists()
        text = (
            _("Merged the tag “%(tag)s” into “%(name)s”: %(memories)s.")
            if merged
            else _("Renamed the tag “%(tag)s” to “%(name)s”: %(memories)s.")
        )
        _change(request, instance, tag, BulkChange(rename_tags={tag: new}), text, new)
    return _back(request, instance)


@require_POST
def delete(request: Request) -> HttpResponse:
    """Take a tag off all memories."""
    instance, tag = _tag_of(request)
    text = _("Removed the tag “%(tag)s” from %(memories)s.")
    _change(request, instance, tag, BulkChange(remove_tags=[tag]), text)
    return _back(request, instance)


def _tag_of(request: Request) -> tuple[Instance, str]:
    instance = visible_instance(request, request.GET.get("instance", ""))
    return instance, sanitize(request.POST.get("tag", ""))[:50]


def _change(
    request: Request, instance: Instance, tag: str, change: BulkChange, text: str, name: str = ""
) -> None:
    """Change the memories with *tag*; say so in *text*, with a button that undoes it."""
    memories = Memory.objects.in_instance(instance).tagged(instance, tag)
    result = change_all(instance, memories, change, by=Actor(request.user))
    if result.count:
        values = {"tag": tag, "name": name, "memories": memories_counted(result.count)}
        undo = f"{reverse('memory_bulk_undo', args=[result.batch])}?instance={instance.slug}"
        messages.success(request, text % values, extra_tags=undo)
    else:
        messages.warning(request, _("No memory has this tag any more."))


def _back(request: Request, instance: Instance) -> HttpResponse:
    return redirect(f"{reverse('tags')}?{TagList.parse(request.GET, instance=instance).query()}")
