"""Merges memories that a person chose in the list or in the panel."""

from django.contrib import messages
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from instances.access import Request
from instances.actor import Actor
from memoryapp.models import Memory
from memoryapp.pipeline.candidates import Changed, Rejected
from memoryapp.pipeline.duplicate_merge import DuplicateGroup, best_of, join
from memoryapp.web.layout import show
from memoryapp.web.memory.merge import separate_all, undo_query
from memoryapp.web.memory.page import answer, beside
from memoryapp.web.row_selection import RowSelection
from memoryapp.web.version_token import parse_token, version_token

#: Memories that are merged at once.
MAX_MERGED = 10


@require_POST
def merge(request: Request) -> HttpResponse:
    """Ask which of the checked memories keeps its text; then merge the others into it."""
    current = beside(request)
    rows = Memory.objects.in_instance(current.instance)
    kept = parse_token(request.POST.get("keep", ""))
    seen = dict(filter(None, map(parse_token, request.POST.getlist("merge")[:MAX_MERGED])))
    if kept is not None and kept[0] in seen and len(seen) > 1:
        group = DuplicateGroup(kept[0], [pk for pk in seen if pk != kept[0]])
        try:
            revisions = join(current.instance, [group], seen, by=Actor(request.user))
        except Changed:
            messages.error(request, _("Nothing was merged: one of them has changed since."))
            return answer(request, current)
        except Rejected as error:
            messages.error(request, _("Nothing was merged. %(problem)s") % {"problem": error})
            return answer(request, current)
        text = ngettext(
            "Merged %(number)s memory. You can separate them again in the history.",
            "Merged %(number)s memories. You can separate them again in the history.",
            len(seen),
        )
        undo = f"{reverse('memory_merge_undo')}?{current.beside}&{undo_query(revisions)}"
        messages.success(request, text % {"number": len(seen)}, extra_tags=undo)
        return answer(request, current, rows.get(pk=kept[0]))
    chosen = list(
        rows.filter(pk__in=RowSelection.parse(request.POST).ids)
        .order_by("-said_at", "-pk")
        .defer("search")[: MAX_MERGED + 1]
    )
    best = best_of(chosen) if chosen else None
    context = {
        "listing": current,
        "chosen": [(each, version_token(each), each == best) for each in chosen],
        "too_many": len(chosen) > MAX_MERGED,
        "most": MAX_MERGED,
    }
    return show(request, "memory/merge.html", "memory/_merge.html", context)


@require_POST
def undo(request: Request) -> HttpResponse:
    """Separate again what was merged at once."""
    current = beside(request)
    separate_all(request, current.instance)
    return answer(request, current)
