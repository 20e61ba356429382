"""What stands around every screen: the rail with its picker, and how a fragment is chosen."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.functional import SimpleLazyObject

from instances.access import Request
from instances.models import Instance


def frame(request: HttpRequest) -> dict[str, Any]:
    """Template context of the rail: whose memory this is, and whose else there is."""
    # A request may be refused before anybody has looked whose it is.
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {}
    instance = getattr(request, "instance", None)
    return {
        "instance": instance,
        "instances": SimpleLazyObject(lambda: list(Instance.objects.visible_to(user))),
        "counts": SimpleLazyObject(lambda: _counts(instance)),
        "may_manage": SimpleLazyObject(
            lambda: (
                instance is not None
                and Instance.objects.managed_by(user).filter(pk=instance.pk).exists()
            )
        ),
    }


def show(
    request: Request,
    page: str,
    fragment: str,
    context: dict[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    """Render the whole *page*, or for htmx the *fragment* that the page includes."""
    template = fragment if request.htmx else page
    response = render(request, template, context, status=status)
    # The same address gives two answers, so neither may stand in for the other in a cache.
    patch_vary_headers(response, ["HX-Request"])
    patch_cache_control(response, private=True, no_store=True)
    return response


def _counts(instance: Instance | None) -> dict[str, int]:
    if instance is None:
        return {}
    return {
        "memories": instance.memories.count(),
        "conversations": instance.conversations.count(),
    }
