"""Delete memories, with confirmation and a ten-second undo."""

from dataclasses import replace

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from instances.access import Request
from memoryapp.forgetting import undo_buffer, undo_copy
from memoryapp.forgetting.deletion import forget_undoably
from memoryapp.models import Memory
from memoryapp.web.layout import show
from memoryapp.web.memory.listing import Matches, MemoryList
from memoryapp.web.memory.page import answer, beside, deletion_message
from memoryapp.web.memory.words import grouped
from memoryapp.web.row_selection import RowSelection


@require_POST
def delete(request: Request) -> HttpResponse:
    """Confirm, with the number of rows; then delete the checked ones, or all that match."""
    current = beside(request)
    selection = RowSelection.parse(request.POST)
    memories = Memory.objects.in_instance(current.instance)
    matches = current.matches() if selection.everything else Matches()
    chosen = selection.of(memories, lambda: memories.filter(pk__in=matches.ids))
    if request.POST.get("confirmed") == "yes":
        for_good = request.POST.get("for_good") == "yes"
        forgotten = forget_undoably(
            current.instance,
            chosen,
            by=request.user,
            never_again=for_good,
            take_out=request.POST.get("take_out") == "yes",
        )
        messages.success(request, deletion_message(forgotten, for_good=for_good))
        if isinstance(current, MemoryList):
            current = replace(current, page="")
        return answer(request, current, undo_token=forgotten.undo_token)
    ids = list(chosen.order_by("pk").values_list("pk", flat=True))
    context = selection.context(len(ids), ids[-1] if ids else None) | {
        "listing": current,
        "capped": matches.capped,
        "button": ngettext("Delete %(number)s memory", "Delete %(number)s memories", len(ids))
        % {"number": grouped(len(ids))},
        "only": chosen.first() if len(ids) == 1 else None,
        "undoable": undo_copy.fits(current.instance, ids),
        "seconds": undo_buffer.UNDO_SECONDS,
    }
    return show(request, "memory/delete.html", "memory/_delete.html", context)


@sensitive_post_parameters("key")
@require_POST
def undelete(request: Request) -> HttpResponse:
    """Undo a deletion, with the token from the page that confirmed it."""
    current = beside(request)
    undo_token = undo_buffer.UndoToken(
        request.POST.get("name", "")[:100], request.POST.get("key", "")[:100]
    )
    try:
        returned = undo_buffer.restore_deleted(undo_token, current.instance, request.user)
    except undo_buffer.WrongUndoToken as error:
        raise Http404 from error
    except undo_buffer.NothingToUndo:
        messages.warning(
            request,
            _(
                "The %(seconds)s seconds are over, or it was undone already. Memories that were "
                "deleted and not restored are gone."
            )
            % {"seconds": undo_buffer.UNDO_SECONDS},
        )
    else:
        text = ngettext(
            "Restored %(number)s memory.", "Restored %(number)s memories.", returned.memories
        )
        restored = [text % {"number": grouped(returned.memories)}] if returned.memories else []
        if returned.conversations:
            text = ngettext(
                "Restored %(number)s conversation.",
                "Restored %(number)s conversations.",
                returned.conversations,
            )
            restored.append(text % {"number": grouped(returned.conversations)})
        if returned.is_decision:
            text = ngettext(
                "%(number)s statement waits for review again.",
                "%(number)s statements wait for review again.",
                returned.held,
            )
            restored = [text % {"number": grouped(returned.held)}]
        messages.success(request, " ".join(restored) or _("Restored."))
        if returned.links:
            messages.warning(
                request,
                _(
                    "Some could not be linked to where they were said: the conversation was "
                    "deleted in the meantime."
                ),
            )
        if returned.vectors:
            messages.warning(request, _("Some were restored without a vector. It is added soon."))
    return answer(request, current)
