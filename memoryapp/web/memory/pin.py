"""Pins of memories, for managers: what the assistant is always told."""

from django.contrib import messages
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from instances.access import Request, needs
from instances.actor import Actor
from instances.models import InstanceRole
from memoryapp.pipeline import Rejected, set_pinned
from memoryapp.web.memory.page import answer, beside, visible_memory


@require_POST
@needs(InstanceRole.MANAGER)
def pin(request: Request, pk: int) -> HttpResponse:
    """Have the assistant told a memory with each message."""
    return _set(request, pk, pinned=True)


@require_POST
@needs(InstanceRole.MANAGER)
def unpin(request: Request, pk: int) -> HttpResponse:
    """Have the assistant told a memory only where it answers."""
    return _set(request, pk, pinned=False)


def _set(request: Request, pk: int, *, pinned: bool) -> HttpResponse:
    memory = visible_memory(request, pk)
    current = beside(request, memory.instance)
    try:
        changed = set_pinned(memory, pinned, by=Actor(request.user))
    except Rejected as error:
        messages.warning(request, _("Not pinned. %(problem)s") % {"problem": error})
    else:
        if changed:
            text = _("Pinned: always told.") if pinned else _("Unpinned.")
            other = "memory_unpin" if pinned else "memory_pin"
            undo = f"{reverse(other, args=[pk])}?{current.beside}"
            messages.success(request, text, extra_tags=undo)
    return answer(request, current, memory)
