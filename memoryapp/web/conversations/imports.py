"""Takes back an import of memories, after showing what that does."""

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from conversations.models import Import
from instances.access import Request, needs, visible_row
from instances.models import InstanceRole
from memoryapp.pipeline import rollback, undo_buffer
from memoryapp.text.plurals import memories as counted_memories
from memoryapp.web.memory.listing import MemoryList
from memoryapp.web.memory.page import answer


@require_http_methods(["GET", "POST"])
@needs(InstanceRole.MEMBER)
def take_back(request: Request, pk: int) -> HttpResponse:
    """Show what taking back an import would do; a POST does it."""
    import_ = visible_row(request, Import.objects.all(), pk)
    instance = import_.instance
    if request.method == "POST":
        effect, result = rollback.take_back(instance, import_.batch, by=request.user)
        if not effect.count:
            messages.warning(request, "There was nothing to take back any more.")
            return redirect(import_)
        messages.success(
            request,
            f"Took back {counted_memories(effect.count)} of {import_.filename}: "
            f"{len(effect.stored):,} deleted, {len(effect.changed):,} as they were before.",
        )
        listing = MemoryList.parse(QueryDict(), instance=instance)
        return answer(request, listing, ticket=result.ticket)
    effect = rollback.effect_of(instance, import_.batch)
    context = {
        "section": "memory",
        "import": import_,
        "effect": effect,
        "stored": counted_memories(len(effect.stored)),
        "changed": counted_memories(len(effect.changed)),
        "staying": counted_memories(effect.staying),
        "undoable": undo_buffer.estimate_bytes([*effect.stored, *effect.changed])
        <= undo_buffer.MAX_BYTES,
        "seconds": undo_buffer.UNDO_SECONDS,
    }
    return render(request, "conversations/import_take_back.html", context)
