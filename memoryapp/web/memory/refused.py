"""The list of what a model proposed and the gate refused; each can be kept all the same."""

from dataclasses import dataclass

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from instances.access import Request, visible_instance, visible_row
from instances.actor import Actor
from instances.models import Instance
from instances.url_state import URLState, parsed
from memoryapp.models import RefusedProposal
from memoryapp.pipeline import Rejected
from memoryapp.policy.dedup import Action
from memoryapp.trust.refusals import keep_refused

PER_PAGE = 20
#: What keeping did, in words.
_KEPT = {
    Action.STORED: gettext_lazy("Kept as a new memory."),
    Action.UPDATED: gettext_lazy("Kept: a memory about the same thing was updated."),
    Action.DUPLICATE: gettext_lazy("This memory existed already."),
}


@dataclass(frozen=True)
class RefusedList(URLState):
    """The state of the list, from its URL."""

    url_name = "refused"

    instance: Instance
    page: str = parsed(str)


@require_GET
def proposals(request: Request) -> HttpResponse:
    """List the refused proposals, latest first."""
    instance = visible_instance(request, request.GET.get("instance", ""))
    listing = RefusedList.parse(request.GET, instance=instance)
    rows = instance.refused.select_related("conversation", "message").defer("message__search")
    context = {
        "instance": instance,
        "section": "refused",
        "page": Paginator(rows, PER_PAGE).get_page(listing.page),
        "listing": listing,
    }
    return render(request, "memory/refused.html", context)


@require_POST
def keep(request: Request, pk: int) -> HttpResponse:
    """Store a refused proposal, as this person's decision."""
    proposal = visible_row(request, RefusedProposal.objects.all(), pk)
    try:
        outcome = keep_refused(proposal, by=Actor(request.user))
    except RefusedProposal.DoesNotExist:
        messages.info(request, _("This has been decided already."))
    except Rejected as problem:
        messages.error(request, _("It was not kept. %(problem)s") % {"problem": problem})
    else:
        messages.success(request, _KEPT[outcome.action])
    return redirect(_address_of(proposal))


@require_POST
def dismiss(request: Request, pk: int) -> HttpResponse:
    """Delete a refused proposal."""
    proposal = visible_row(request, RefusedProposal.objects.all(), pk)
    address = _address_of(proposal)
    proposal.delete()
    messages.success(request, _("Dismissed."))
    return redirect(address)


def _address_of(proposal: RefusedProposal) -> str:
    return f"{reverse('refused')}?instance={proposal.instance.slug}"
