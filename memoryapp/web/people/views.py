"""The end users of an instance; what is kept about one, with its export and erasure; certificates.

All of it is for managers.
"""

import json
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header, urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from conversations.downloads import download
from conversations.url_text import filter_text
from instances.access import Request, managed_instance, visible_row
from instances.actor import Actor
from instances.models import Instance, InstanceRole
from instances.url_state import URLState, parsed
from memoryapp.models import Activity, Erasure
from memoryapp.people import export as exporting
from memoryapp.people import joining
from memoryapp.people.erasure import NotConfirmed, NothingKept, ask_for_erasure, rows_left
from memoryapp.people.inventory import ELSEWHERE, HOLDINGS, ErasureAction, Person, counts_of
from memoryapp.people.joining import CannotJoin
from memoryapp.people.listing import EndUsers
from memoryapp.tasks.dispatch import hand_over_erasure
from memoryapp.web.layout import show

PER_PAGE = 20


@dataclass(frozen=True)
class EndUserList(URLState):
    """The state of the list, from its URL."""

    url_name = "end_users"

    instance: Instance
    q: str = parsed(filter_text)
    page: str = parsed(str)


@dataclass(frozen=True)
class ErasureList(URLState):
    """The state of the list of certificates; ``person`` is an id whose certificate is wanted."""

    url_name = "erasures"

    instance: Instance
    person: str = parsed(filter_text)
    page: str = parsed(str)


@require_GET
def people(request: Request) -> HttpResponse:
    """List the end users, latest first."""
    instance = _managed(request)
    listing = EndUserList.parse(request.GET, instance=instance)
    page = Paginator(EndUsers(instance, listing.q), PER_PAGE).get_page(listing.page)
    return render(
        request, "people/people.html", {"section": "memory", "page": page, "listing": listing}
    )


@require_GET
def person_file(request: Request) -> HttpResponse:
    """Show what is kept about one person, and what can be done with it."""
    return _file(request, _person(request))


@require_GET
def export(request: Request) -> HttpResponseBase:
    """Stream the person's file as an archive."""
    person = _person(request)
    record = person.instance.activity.record
    record(Actor(request.user), Activity.Action.FILE_EXPORTED, end_user=person.ids[0])
    return download(
        request,
        exporting.archive_of(person),
        name=exporting.filename(person),
        content_type="application/zip",
    )


@require_POST
def erase(request: Request) -> HttpResponse:
    """Erase a person, whose id has to be typed."""
    person = _person(request)
    try:
        erasure = ask_for_erasure(
            person.instance,
            person.ids[0],
            by=Actor(request.user),
            typed=request.POST.get("typed", ""),
            with_rules=request.POST.get("rules") == "yes",
        )
    except NotConfirmed as refused:
        return _file(request, person, status=422, erase_error=str(refused))
    except NothingKept as refused:
        messages.info(request, str(refused))
        return redirect(_address("end_users", person.instance))
    hand_over_erasure(erasure.pk)
    return redirect(erasure)


@require_http_methods(["GET", "POST"])
def join(request: Request) -> HttpResponse:
    """Show what joining another id with this person would do; a POST does it, once the id of the
    other was typed.
    """
    person = _person(request)
    other = filter_text(request.GET.get("other", ""))
    if request.method == "POST":
        by, typed = Actor(request.user), request.POST.get("typed", "")
        try:
            done = joining.join(person.instance, person.ids[0], other, by=by, typed=typed)
        except CannotJoin as refused:
            return _join(request, person, other, status=422, error=str(refused))
        messages.success(
            request,
            _("%(other)s and %(into)s are now one person.")
            % {"other": done.other.name, "into": done.into.name},
        )
        return redirect(_address("end_user", person.instance, end_user=done.into.ids[0]))
    return _join(request, person, other)


def _join(
    request: Request, person: Person, other: str, *, status: int = 200, error: str = ""
) -> HttpResponse:
    try:
        plan = joining.preview(person.instance, person.ids[0], other)
    except CannotJoin as refused:
        return _file(request, person, status=422, join_error=str(refused), other=other)
    held = [(holding, plan.counts.get(holding.label)) for holding in HOLDINGS]
    context = {
        "section": "memory",
        "person": person,
        "plan": plan,
        "held": [(holding, count) for holding, count in held if count],
        "query": urlencode(
            {"instance": person.instance.slug, "end_user": person.ids[0], "other": other}
        ),
        "back": _address("end_user", person.instance, end_user=person.ids[0]),
        "error": error,
    }
    return render(request, "people/join.html", context, status=status)


@require_GET
def erasures(request: Request) -> HttpResponse:
    """List the erasures with their certificates, or those of one person."""
    instance = _managed(request)
    listing = ErasureList.parse(request.GET, instance=instance)
    rows = instance.erasures.all()
    if listing.person:
        rows = Erasure.objects.of_person(instance, listing.person)
    page = Paginator(rows, PER_PAGE).get_page(listing.page)
    return render(
        request, "people/erasures.html", {"section": "memory", "page": page, "listing": listing}
    )


@require_GET
def erasure(request: Request, pk: int) -> HttpResponse:
    """Show how far an erasure has got, or its certificate."""
    shown = _erasure(request, pk)
    total = 0 if shown.is_done else shown.rows + rows_left(shown)
    context = {"section": "memory", "erasure": shown, "total": total}
    response = show(request, "people/erasure.html", "people/_erasure.html", context)
    if request.htmx and shown.is_done:
        response["HX-Refresh"] = "true"
    return response


@require_GET
def certificate(request: Request, pk: int) -> HttpResponse:
    """Download the certificate as JSON."""
    shown = _erasure(request, pk)
    if not shown.is_done:
        raise Http404
    text = json.dumps(shown.certificate, indent=2, ensure_ascii=False)
    response = HttpResponse(text + "\n", content_type="application/json; charset=utf-8")
    name = f"erasure-{shown.uid}.json"
    response["Content-Disposition"] = content_disposition_header(True, name) or ""
    return response


def _managed(request: Request) -> Instance:
    return managed_instance(request, request.GET.get("instance", ""))


def _person(request: Request) -> Person:
    instance = _managed(request)
    if "end_user" not in request.GET:
        raise Http404
    return Person.of(instance, filter_text(request.GET["end_user"]))


def _erasure(request: Request, pk: int) -> Erasure:
    return visible_row(request, Erasure.objects.all(), pk, needed=InstanceRole.MANAGER)


def _address(name: str, instance: Instance, **query: str) -> str:
    return f"{reverse(name)}?{urlencode({'instance': instance.slug} | query)}"


def _file(request: Request, person: Person, *, status: int = 200, **context: Any) -> HttpResponse:
    counts = counts_of(person)
    held = [(holding, counts[holding.label]) for holding in HOLDINGS if holding.label in counts]
    context |= {
        "section": "memory",
        "person": person,
        "query": urlencode({"instance": person.instance.slug, "end_user": person.ids[0]}),
        "deleted": [row for row in held if row[0].fate == ErasureAction.DELETE],
        "others": [row for row in held if row[0].fate != ErasureAction.DELETE],
        "elsewhere": ELSEWHERE,
        "total": sum(count for holding, count in held if holding.model is not Erasure),
        "rules": counts.get("memoryapp.SuppressionRule", 0),
        "certificates": counts.get("memoryapp.Erasure", 0),
    }
    return render(request, "people/file.html", context, status=status)
