"""Sharing of a memory with a group: a manager shares it, others propose it."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from instances.access import Request, needs
from instances.actor import Actor
from instances.ids import parse_pk
from instances.models import InstanceRole
from memoryapp.forgetting.archive import archive
from memoryapp.models import Memory
from memoryapp.pipeline import Rejected
from memoryapp.trust.review import DecidedAlready, approve
from memoryapp.trust.sharing import groups_for, propose
from memoryapp.web.memory.page import answer, beside, visible_memory


@require_POST
@needs(InstanceRole.MEMBER)
def share(request: Request, pk: int) -> HttpResponse:
    """Share a memory with a group, in the words that were entered."""
    memory = visible_memory(request, pk)
    current = beside(request, memory.instance)
    group = get_object_or_404(groups_for(memory), pk=parse_pk(request.POST.get("group", "")))
    by = Actor(request.user)
    try:
        held = propose(memory, group, request.POST.get("text", ""), by=by)
        if memory.instance.role_of(request.user) != InstanceRole.MANAGER:
            text = _("A manager decides under Review whether %(name)s is told.")
            messages.success(request, text % {"name": group})
            return answer(request, current, memory)
        shared = approve(held, by=by).memory
    except (Rejected, DecidedAlready) as error:
        messages.warning(request, _("Not shared. %(problem)s") % {"problem": error})
    else:
        undo = f"{reverse('memory_unshare', args=[shared.pk])}?{current.beside}"
        messages.success(request, _("Shared with %(name)s.") % {"name": group}, extra_tags=undo)
    return answer(request, current, memory)


@require_POST
@needs(InstanceRole.MEMBER)
def unshare(request: Request, pk: int) -> HttpResponse:
    """Put what was shared with a group into the bin; the person's own memory stays."""
    memory = visible_memory(request, pk)
    if memory.shared_by is None:
        raise Http404
    current = beside(request, memory.instance)
    archive(memory.instance, Memory.objects.filter(pk=memory.pk), by=Actor(request.user))
    messages.success(request, _("No longer shared. It is in the bin."))
    return answer(request, current)
