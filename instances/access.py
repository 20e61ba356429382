"""Access checks: from a request to an instance that the person may see.

An object that the person may not see is a 404 like any other, never a 403 with a hint. One of an
instance that they may see, but for which their role is too low, is a 403 that says whom to ask.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django_htmx.middleware import HtmxDetails

from instances.last_instance import last_instance
from instances.models import Instance, InstanceRole, User

Row = TypeVar("Row", bound=Model)
View = TypeVar("View", bound=Callable[..., HttpResponseBase])

#: Methods that only read.
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

#: Shown to a person whose role is too low, by the role that is needed.
ROLE_NEEDED = {
    InstanceRole.MEMBER: _("You need to be a member. Ask a manager to make you one."),
    InstanceRole.MANAGER: _("You need to be a manager. Ask a manager to make you one."),
}


class Request(HttpRequest):
    """A request of a signed-in person, as the views see it."""

    user: User
    htmx: HtmxDetails
    #: Whose memory the screen shows; the rail names it.
    instance: Instance | None = None
    #: The person's role there, if it has been looked up already.
    role: InstanceRole | None = None
    #: The role that the view requires; see `needs`.
    needed_role: InstanceRole | None = None


InstanceView = Callable[[Request, Instance], HttpResponseBase]
PlainView = Callable[[HttpRequest], HttpResponseBase]


def signed_in(request: HttpRequest) -> Request:
    """Return the request as the views see it; `LoginRequiredMiddleware` has checked the user."""
    return cast(Request, request)


def needs(role: InstanceRole) -> Callable[[View], View]:
    """Require *role* for a view, where the request's method does not decide."""

    def decorate(view: View) -> View:
        @wraps(view)
        def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            signed_in(request).needed_role = role
            return view(request, *args, **kwargs)

        return cast(View, checked)

    return decorate


def require_superadmin(request: HttpRequest) -> Request:
    """Return the request of a superadmin; raise `Http404` for anyone else."""
    if not request.user.is_superuser:
        raise Http404
    return signed_in(request)


def visible_instance(
    request: Request, slug: str, *, needed: InstanceRole | None = None
) -> Instance:
    """Return the instance of that name if the person may see it, else raise `Http404`; for a role
    that is *needed*, see `on_screen`. Without a name, as in a typed address, a page shows the
    instance that the person looked at last, or their only one.
    """
    if not slug and request.method in SAFE_METHODS:
        slug = _usual_slug(request)
    if "\x00" in slug:
        raise Http404  # PostgreSQL would rather fail than look for it.
    instances = Instance.objects.visible_to(request.user).prefetch_related("secrets")
    return on_screen(request, get_object_or_404(instances, slug=slug), needed=needed)


def visible_row(
    request: Request, rows: QuerySet[Row], pk: int, *, needed: InstanceRole | None = None
) -> Row:
    """Return the row with that id if the person may see its instance, else raise `Http404`; for a
    role that is *needed*, see `on_screen`.
    """
    visible = rows.filter(instance__in=Instance.objects.visible_to(request.user))
    row: Any = get_object_or_404(visible.select_related("instance"), pk=pk)
    on_screen(request, row.instance, needed=needed)
    return cast(Row, row)


def managed_instance(request: Request, slug: str) -> Instance:
    """Return the instance if the person may change its settings; raise `PermissionDenied` if they
    may see it only, else `Http404`.
    """
    managed = Instance.objects.managed_by(request.user).prefetch_related("secrets")
    instance = None if "\x00" in slug else managed.filter(slug=slug).first()
    if instance is None:
        return visible_instance(request, slug, needed=InstanceRole.MANAGER)
    request.instance, request.role = instance, InstanceRole.MANAGER
    return instance


def on_screen(
    request: Request, instance: Instance, *, needed: InstanceRole | None = None
) -> Instance:
    """Note whose memory the screen shows; raise `PermissionDenied` if the person's role does not
    allow the request. The role that is *needed* depends on the view, or on the method.

    All views get their instance through here, so none can forget the check.
    """
    request.instance, request.role = instance, None
    default = InstanceRole.VIEWER if request.method in SAFE_METHODS else InstanceRole.MEMBER
    needed = needed or getattr(request, "needed_role", None) or default
    if needed != InstanceRole.VIEWER:
        request.role = instance.role_of(request.user)
        if request.role not in needed.and_above:
            raise PermissionDenied(ROLE_NEEDED[needed])
    return instance


def with_instance(section: str) -> Callable[[InstanceView], PlainView]:
    """Give a view the instance in the query string; without one, let the person choose."""

    def decorate(view: InstanceView) -> PlainView:
        @wraps(view)
        def with_chosen(request: HttpRequest) -> HttpResponseBase:
            request = signed_in(request)
            slug = request.GET.get("instance")
            if not slug:
                return _choose_instance(request, section)
            return view(request, visible_instance(request, slug))

        return with_chosen

    return decorate


def _choose_instance(request: Request, section: str) -> HttpResponse:
    """Ask for which instance to open the screen; redirect to the last one, or the only one."""
    match = request.resolver_match
    target = match.view_name if match else "memories"
    usual = _usual_slug(request)
    if usual and request.method == "GET":
        query = request.GET.copy()
        query["instance"] = usual
        return redirect(f"{reverse(target)}?{query.urlencode()}")
    return render(request, "settings/choose.html", {"target": target, "section": section})


def _usual_slug(request: Request) -> str:
    """Return the slug of the person's last instance, or of their only one; empty without either."""
    if last := last_instance(request):
        return last.slug
    slugs = list(Instance.objects.visible_to(request.user).values_list("slug", flat=True)[:2])
    return slugs[0] if len(slugs) == 1 else ""
