"""The one way from a request to an instance: through what the person may see.

Somebody else's object is a 404 that looks like any other, never a 403 with a hint.
"""

from typing import cast

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django_htmx.middleware import HtmxDetails

from instances.models import Instance, User


class Request(HttpRequest):
    """A request of somebody who has signed in, as the views see it."""

    user: User
    htmx: HtmxDetails
    #: Whose memory the screen shows; the rail names it.
    instance: Instance | None = None


def signed_in(request: HttpRequest) -> Request:
    """The request as the views see it; `LoginRequiredMiddleware` has seen to the user."""
    return cast(Request, request)


def superadmin(request: HttpRequest) -> Request:
    """Return the request of a superadmin; to anyone else there is no such page."""
    signed = signed_in(request)
    if not signed.user.is_superuser:
        raise Http404
    return signed


def visible_instance(request: Request, slug: str) -> Instance:
    """Return the instance of that name if the person may see it, else raise `Http404`."""
    if "\x00" in slug:
        raise Http404  # PostgreSQL would rather fail than look for it.
    instances = Instance.objects.visible_to(request.user).prefetch_related("secrets")
    return on_screen(request, get_object_or_404(instances, slug=slug))


def managed_instance(request: Request, slug: str) -> Instance:
    """Return the instance if the person may change its settings, else raise `Http404`."""
    instances = Instance.objects.managed_by(request.user).prefetch_related("secrets")
    return on_screen(request, get_object_or_404(instances, slug=slug))


def on_screen(request: Request, instance: Instance) -> Instance:
    """Note whose memory the screen shows."""
    request.instance = instance
    return instance


def choose_instance(request: Request, target: str, section: str) -> HttpResponse:
    """Ask whose memory the screen *target* shall show; where there is only one, lead there."""
    slugs = list(Instance.objects.visible_to(request.user).values_list("slug", flat=True)[:2])
    if len(slugs) == 1 and request.method == "GET":
        query = request.GET.copy()
        query["instance"] = slugs[0]
        return redirect(f"{reverse(target)}?{query.urlencode()}")
    return render(request, "instances/choose.html", {"target": target, "section": section})
