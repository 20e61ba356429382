"""The list of suppressed memories, without their texts; each can be lifted."""

from dataclasses import dataclass

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from instances.access import Request, visible_instance, visible_row
from instances.models import Instance
from instances.url_state import URLState, parsed
from memoryapp.models import SuppressionRule

PER_PAGE = 20


@dataclass(frozen=True)
class RuleList(URLState):
    """The state of the list, from its URL."""

    url_name = "suppression"

    instance: Instance
    page: str = parsed(str)


@require_GET
def rules(request: Request) -> HttpResponse:
    """List the suppressed memories, latest first."""
    instance = visible_instance(request, request.GET.get("instance", ""))
    listing = RuleList.parse(request.GET, instance=instance)
    rows = instance.suppression_rules.select_related("by")
    context = {
        "instance": instance,
        "section": "blocked",
        "page": Paginator(rows, PER_PAGE).get_page(listing.page),
        "listing": listing,
    }
    return render(request, "memory/suppression.html", context)


@require_POST
def lift(request: Request, pk: int) -> HttpResponse:
    """Allow a memory to be learned again."""
    rule = visible_row(request, SuppressionRule.objects.all(), pk)
    rule.delete()
    messages.success(
        request,
        _(
            "Allowed again: it is remembered when it is said again. It does not come back from the "
            "messages that it came from."
        ),
    )
    return redirect(f"{reverse('suppression')}?instance={rule.instance.slug}")
