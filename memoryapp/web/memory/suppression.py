"""The list of suppressed memories, without their texts; each can be lifted."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from instances.access import signed_in, visible_instance, visible_row
from instances.models import Instance
from memoryapp.models import NeverAgain

PER_PAGE = 20


@dataclass(frozen=True)
class RulePages:
    """Addresses of the pages, as the pager template needs them."""

    instance: Instance

    @property
    def path(self) -> str:
        return reverse("never_again")

    def query(self, *, page: str) -> str:
        return urlencode({"instance": self.instance.slug, "page": page})


@require_GET
def rules(request: HttpRequest) -> HttpResponse:
    """List them, latest first."""
    request = signed_in(request)
    instance = visible_instance(request, request.GET.get("instance", ""))
    page = Paginator(instance.never_again.select_related("by"), PER_PAGE).get_page(
        request.GET.get("page")
    )
    context = {
        "instance": instance,
        "section": "memory",
        "page": page,
        "pages": RulePages(instance),
    }
    return render(request, "memory/suppression.html", context)


@require_POST
def lift(request: HttpRequest, pk: int) -> HttpResponse:
    """Allow it to be learned again."""
    request = signed_in(request)
    rule = visible_row(request, NeverAgain.objects.all(), pk)
    rule.delete()
    messages.success(
        request,
        "Lifted: it is remembered when it is said again. From the messages that it came from "
        "it does not return.",
    )
    return redirect(f"{reverse('never_again')}?instance={rule.instance.slug}")
