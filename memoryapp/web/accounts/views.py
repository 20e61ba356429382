"""The people screens for superadmins: the list, and the page of each person."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.core.paginator import Paginator
from django.db import IntegrityError
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from instances import accounts, secrets
from instances.access import Request, require_superadmin
from instances.accounts import INVITED
from instances.models import InstanceRole, PasswordLink, User
from instances.url_state import FilterChip, URLState, one_of, parsed
from memoryapp.web.accounts.forms import InviteForm, MemberForm

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

PER_PAGE = 20

NOT_YOURSELF = gettext_lazy("You cannot deactivate your own account. Ask another superadmin.")
LAST_SUPERADMIN = gettext_lazy(
    "Nothing was changed: Keepsake would be left without a superadmin who can sign in. Make "
    "another person a superadmin first."
)

STATES = {
    "superadmin": (gettext_lazy("Superadmins"), Q(is_superuser=True)),
    "invited": (gettext_lazy("Invited"), INVITED),
    "inactive": (gettext_lazy("Deactivated"), Q(is_active=False)),
}


@dataclass(frozen=True)
class PeopleList(URLState):
    """The state of the list, from its URL."""

    url_name = "people"

    q: str = parsed(lambda text: text.replace("\x00", "").strip()[:150])
    state: str = one_of(STATES)
    page: str = parsed(str)

    @property
    def chips(self) -> list[FilterChip]:
        labels = {name: label for name, (label, _condition) in STATES.items()}
        return self.chips_for("state", {"": gettext_lazy("Everyone")} | labels)

    def people(self) -> QuerySet[User]:
        """The people that match, with what each row shows."""
        people = listed()
        if self.q:
            name = Q(first_name__icontains=self.q) | Q(last_name__icontains=self.q)
            people = people.filter(Q(username__icontains=self.q) | name)
        if self.state:
            people = people.filter(STATES[self.state][1])
        return people


def listed() -> QuerySet[User]:
    """All people, with what each row of the list shows."""
    return (
        User.objects.annotate(
            memberships=Count("membership", distinct=True),
            second_factor=_second_factor(),
        )
        .select_related("password_link")
        .order_by("username")
    )


def _second_factor() -> Exists:
    """True if a person has a second factor besides recovery codes."""
    factors = Authenticator.objects.filter(user=OuterRef("pk"))
    return Exists(factors.exclude(type=Authenticator.Type.RECOVERY_CODES))


@require_GET
def people(request: HttpRequest) -> HttpResponse:
    """List all accounts."""
    request = require_superadmin(request)
    listing = PeopleList.parse(request.GET)
    page = Paginator(listing.people(), PER_PAGE).get_page(listing.page)
    context = {"section": "settings", "list": listing, "page": page}
    return render(request, "people/list.html", context)


@require_http_methods(["GET", "POST"])
def invite(request: HttpRequest) -> HttpResponse:
    """Invite a person, and show the link on their page."""
    request = require_superadmin(request)
    form = InviteForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            person, token = accounts.invite(
                form.cleaned_data["username"],
                form.cleaned_data["name"],
                form.memberships,
                by=request.user,
            )
        except IntegrityError:
            # The username has been taken since it was checked: now the form says so.
            form.full_clean()
            if form.is_valid():
                raise
        else:
            show_link_once(request, person, token)
            return redirect("person", person.pk)
    status = 422 if request.method == "POST" else 200
    context = {"section": "settings", "form": form, "roles": InstanceRole}
    return render(request, "people/invite.html", context, status=status)


@require_GET
@never_cache
def person(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one person, with the actions on their account, and the link that has just been made."""
    request = require_superadmin(request)
    return _person(request, pk, link=_link_to_show(request, pk))


@require_POST
def make_link(request: HttpRequest, pk: int) -> HttpResponse:
    """Make a link with which the person sets a password, and show it on their page."""
    request = require_superadmin(request)
    account = _other(request, pk)
    if not account.is_active:
        messages.error(
            request,
            _("Reactivate %(person)s first: the link would not work.") % {"person": account},
        )
        return redirect("person", pk)
    token = accounts.make_password_link(account, by=request.user)
    show_link_once(request, account, token)
    return redirect("person", pk)


@require_POST
def withdraw_link(request: HttpRequest, pk: int) -> HttpResponse:
    """Withdraw a password link."""
    require_superadmin(request)
    PasswordLink.objects.filter(user=pk).delete()
    messages.success(request, _("The link no longer works."))
    return redirect("person", pk)


@require_POST
def add_to_instance(request: HttpRequest, pk: int) -> HttpResponse:
    """Make the person a member of a shared instance, or give them another role there."""
    request = require_superadmin(request)
    account = get_object_or_404(User, pk=pk)
    form = MemberForm(request.POST)
    if not form.is_valid():
        return _person(request, pk, member_form=form)
    instance, role = form.cleaned_data["instance"], form.cleaned_data["role"]
    accounts.add_member(instance, account, role, by=request.user)
    messages.success(
        request,
        _("%(person)s now has access to %(instance)s. Role: %(role)s.")
        % {"person": account, "instance": instance, "role": InstanceRole(role).label},
    )
    return redirect("person", pk)


@require_POST
def change(request: HttpRequest, pk: int, what: str) -> HttpResponse:
    """Deactivate or reactivate a person, or make them a superadmin or not."""
    request = require_superadmin(request)
    account = get_object_or_404(User, pk=pk)
    if what not in CHANGES:
        raise Http404
    if account == request.user and what == "deactivate":
        messages.error(request, NOT_YOURSELF)
        return redirect("person", pk)
    act, message = CHANGES[what]
    try:
        act(account, by=request.user)
    except accounts.LastSuperadmin:
        messages.error(request, LAST_SUPERADMIN)
    else:
        messages.success(request, message % {"person": account})
    # A superadmin who has dismissed themselves may not see this screen.
    return redirect("instances") if account == request.user else redirect("person", pk)


#: Changes by their name in the URL: the function, and the message afterwards.
CHANGES: "dict[str, tuple[Callable[..., None], StrOrPromise]]" = {
    "deactivate": (accounts.deactivate, gettext_lazy("%(person)s can no longer sign in.")),
    "reactivate": (accounts.reactivate, gettext_lazy("%(person)s can sign in again.")),
    "appoint": (accounts.appoint, gettext_lazy("%(person)s is a superadmin now.")),
    "dismiss": (accounts.dismiss, gettext_lazy("%(person)s is no longer a superadmin.")),
}


@require_http_methods(["GET", "POST"])
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what is deleted with the person and ask for confirmation; then delete them."""
    request = require_superadmin(request)
    account = _other(request, pk)
    wrong = request.method == "POST" and request.POST.get("username") != account.username
    if request.method == "POST" and not wrong:
        try:
            accounts.delete(account, by=request.user)
        except accounts.LastSuperadmin:
            messages.error(request, LAST_SUPERADMIN)
            return redirect("person", pk)
        messages.success(
            request,
            _("Deleted %(person)s, with everything that was private to them.")
            % {"person": account},
        )
        return redirect("people")
    context = {
        "section": "settings",
        "person": account,
        "private": account.private_instances.count(),
        "wrong": wrong,
    }
    return render(request, "people/delete.html", context, status=422 if wrong else 200)


def _other(request: Request, pk: int) -> User:
    """The person with that id; `Http404` for the superadmin themselves."""
    return get_object_or_404(User.objects.exclude(pk=request.user.pk), pk=pk)


def _person(
    request: Request, pk: int, *, link: str = "", member_form: MemberForm | None = None
) -> HttpResponse:
    """The page of one person, with the *link* if one has just been made."""
    account = get_object_or_404(listed(), pk=pk)
    context = {
        "section": "settings",
        "person": account,
        "link": link,
        "pending": getattr(account, "password_link", None),
        "is_invited": accounts.is_invited(account),
        "shared": account.membership_set.select_related("instance").order_by("instance__name"),
        "member_form": member_form or MemberForm(),
        "roles": InstanceRole,
    }
    status = 422 if member_form else 200
    return render(request, "people/person.html", context, status=status)


def show_link_once(request: Request, account: User, token: str) -> None:
    """Keep *token* in the session of the superadmin for the next time they see that person.

    A page that answered the POST would make another link when it is reloaded. The token is
    encrypted: sessions are stored in the database, which keeps only digests of tokens.
    """
    request.session[_session_key(account.pk)] = secrets.encrypt(token)


def _link_to_show(request: Request, pk: int) -> str:
    """The URL of the link that was just made for that person, once; else an empty string."""
    try:
        token = secrets.decrypt(request.session.pop(_session_key(pk), ""))
    except secrets.UnreadableSecret:
        return ""
    if not PasswordLink.objects.opened_by(token).filter(user=pk).exists():
        return ""  # It has been replaced, withdrawn or used.
    return f"{request.build_absolute_uri(reverse('password_link'))}?token={token}"


def _session_key(pk: int) -> str:
    return f"password_link_{pk}"
