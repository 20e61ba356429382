"""Decisions about memories that may contradict each other."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from instances.access import Request
from instances.actor import Actor
from memoryapp.models import Activity, Contradiction
from memoryapp.web.memory.page import answer, beside, visible_memory


@require_POST
def keep_both(request: Request, pk: int, other: int) -> HttpResponse:
    """Record that both memories are right."""
    memory = visible_memory(request, pk)
    current = beside(request, memory.instance)
    pair = get_object_or_404(Contradiction.objects.unresolved().about(pk).about(other))
    pair.resolved_at, pair.resolved_by = timezone.now(), request.user
    pair.save(update_fields=["resolved_at", "resolved_by"])
    memory.instance.activity.record(
        Actor(request.user),
        Activity.Action.UPDATED,
        memory_id=memory.pk,
        end_user=memory.end_user,
    )
    messages.success(request, _("Both memories stay as they are."))
    return answer(request, current, memory)
