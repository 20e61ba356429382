"""Delete memories, with confirmation and a ten-second undo."""

from dataclasses import replace

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from instances.access import Request, signed_in
from memoryapp.models import Memory
from memoryapp.pipeline import undo_buffer
from memoryapp.pipeline.deletion import forget_undoably
from memoryapp.web.layout import show
from memoryapp.web.memory.page import answer, how_many, listing_of
from memoryapp.web.row_selection import RowSelection


@require_POST
def delete(request: HttpRequest) -> HttpResponse:
    """Confirm, with the number of rows; then delete the checked ones, or all that match."""
    request = signed_in(request)
    current = listing_of(request)
    selection = RowSelection.parse(request.POST)
    memories = Memory.objects.in_instance(current.instance)
    chosen = selection.of(memories, lambda: memories.filter(pk__in=current.matching_ids()))
    if request.POST.get("confirmed") == "yes":
        for_good = request.POST.get("for_good") == "yes"
        forgotten = forget_undoably(current.instance, chosen, by=request.user, never_again=for_good)
        said = f"Deleted {how_many(forgotten.count)}, with vectors and history."
        if for_good and forgotten.count:
            said += " What was in it is not learned again."
        if forgotten.count and forgotten.ticket is None:
            said += " This cannot be undone."
        messages.success(request, said)
        return answer(request, replace(current, page=""), ticket=forgotten.ticket)
    found = list(chosen.order_by("pk").values_list("pk", flat=True))
    context = selection.context(len(found), found[-1] if found else None) | {
        "listing": current,
        "what": how_many(len(found)),
        "only": chosen.first() if len(found) == 1 else None,
        "undoable": undo_buffer.weight(found) <= undo_buffer.MAX_BYTES,
        "seconds": undo_buffer.UNDO_SECONDS,
    }
    return show(request, "memory/delete.html", "memory/_delete.html", context)


@sensitive_post_parameters("key")
@require_POST
def undelete(request: HttpRequest) -> HttpResponse:
    """Undo a deletion, with the token from the page that confirmed it."""
    request = signed_in(request)
    current = listing_of(request)
    ticket = undo_buffer.UndoToken(
        request.POST.get("name", "")[:100], request.POST.get("key", "")[:100]
    )
    try:
        returned = undo_buffer.bring_back(ticket, current.instance, request.user)
    except undo_buffer.NotYours as error:
        raise Http404 from error
    except undo_buffer.NothingToUndo:
        messages.warning(
            request,
            f"The {undo_buffer.UNDO_SECONDS} seconds are over, or it has been undone already. "
            "What was deleted and not brought back is gone.",
        )
    else:
        _say_returned(request, returned)
    return answer(request, current)


def _say_returned(request: Request, returned: undo_buffer.Returned) -> None:
    messages.success(request, f"Brought back {how_many(returned.memories)}.")
    if returned.links:
        messages.warning(
            request,
            "Some could not be linked to where they were said: the conversation has been deleted "
            "in the meantime.",
        )
    if returned.vectors:
        messages.warning(request, "Some came back without a vector. It is filled in soon.")
