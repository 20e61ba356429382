"""The settings of an instance: pages of cards, each card with a form. Some are saved with a button,
others with each change, which can be undone.
"""

import zoneinfo
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.db import IntegrityError, transaction
from django.db.models import Count
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect

from instances import accounts
from instances.access import Request, managed_instance, signed_in, visible_instance
from instances.activity import InstanceAction, record
from instances.actor import Actor
from instances.models import Agent, Instance, InstanceRole, MembershipInvitation, User
from instances.models.sensitivity_settings import AreaHandling
from instances.oauth.connections import keys_of
from instances.url_state import is_way_back
from memoryapp.embeddings.language_support import unread_languages
from memoryapp.embeddings.reembedding import ReembeddingRunning
from memoryapp.providers.server_info import FoundOllama, find_ollama
from memoryapp.web.accounts.views import show_link_once
from memoryapp.web.connection_test import model_report
from memoryapp.web.embeddings.vector_state import vector_state
from memoryapp.web.settings.changes import allow_address, carry_out, recorded_changes
from memoryapp.web.settings.client_snippets import client_snippets
from memoryapp.web.settings.forms.agents import AgentForm
from memoryapp.web.settings.forms.api_keys import ApiKeyForm
from memoryapp.web.settings.forms.groups import NewGroupForm
from memoryapp.web.settings.forms.holds import HoldForm, hold_on
from memoryapp.web.settings.forms.members import InvitationForm
from memoryapp.web.settings.forms.own_areas import OwnAreaForm, area_named
from memoryapp.web.settings.forms.providers import EmbeddingsForm, LanguageModelForm
from memoryapp.web.settings.forms.retention import RetentionForm, rule_in_words
from memoryapp.web.settings.forms.sending import SendingRuleForm, rule_rows
from memoryapp.web.settings.forms.settings import (
    AssistantForm,
    CostForm,
    DuplicatesForm,
    GeneralForm,
    GuidanceForm,
    MemorySettingsForm,
    PrivacyForm,
    RankingForm,
    SensitiveAreasForm,
)
from memoryapp.web.settings.forms.webhooks import WebhookForm
from memoryapp.web.settings.pages import PAGE_OF, PAGES, SettingsPage, card_url, pages_of

#: The cards with a form, and their forms.
CARDS: dict[str, type[BaseForm]] = {
    "general": GeneralForm,
    "memory": MemorySettingsForm,
    "privacy": PrivacyForm,
    "areas": SensitiveAreasForm,
    "guidance": GuidanceForm,
    "duplicates": DuplicatesForm,
    "language-model": LanguageModelForm,
    "embeddings": EmbeddingsForm,
    "cost": CostForm,
    "assistant": AssistantForm,
    "ranking": RankingForm,
    "agents": AgentForm,
    "members": InvitationForm,
}


@require_GET
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the first page of the settings; to people who may not change them, a summary."""
    request = signed_in(request)
    instance = visible_instance(request, slug)
    request.role = instance.role_of(request.user)
    if request.role == InstanceRole.MANAGER:
        return render_page(request, instance, PAGES[0])
    managers = User.objects.filter(
        membership__instance=instance, membership__role=InstanceRole.MANAGER
    )
    context = {
        "section": "settings",
        "page": PAGES[0],
        "role": request.role,
        "managers": managers.order_by("username"),
    }
    return render(request, "settings/overview.html", context)


@require_http_methods(["GET", "POST"])
def card(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Show the page of that name, or redirect to the page with the card of that name. A POST saves
    the card.
    """
    request = signed_in(request)
    instance = managed_instance(request, slug)
    pages = pages_of(instance)
    if request.method == "POST":
        if name not in CARDS or PAGE_OF[name] not in pages:
            raise Http404
        return _save(request, instance, name)
    page = next((page for page in pages if page.name == name), None)
    if page == PAGES[0] or (page is None and PAGE_OF.get(name) in pages):
        return redirect(card_url(slug, name))
    if page is None:
        raise Http404
    return render_page(request, instance, page)


@require_POST
def turn_on(request: HttpRequest, slug: str) -> HttpResponse:
    """Turn the memory of an instance on where it is missed, and go back there."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    if not instance.memory_enabled:
        changes = [("memory_enabled", False, True)]
        instance.memory_enabled = True
        with transaction.atomic():
            instance.save(update_fields=["memory_enabled"])
            by, settings = Actor(request.user), InstanceAction.SETTINGS
            record(instance, by, settings, about="Memory", changes=changes)
    messages.success(request, _("Memory is on."))
    back = request.POST.get("back", "")
    return redirect(back if is_way_back(back) else card_url(slug, "memory"))


def render_page(
    request: Request, instance: Instance, page: SettingsPage, *, status: int = 200, **more: Any
) -> HttpResponse:
    """Render a whole page of the settings, with *more* in its context."""
    context: dict[str, Any] = {"page": page}
    for name in page.cards:
        context |= card_context(request, instance, name)
    return render(request, "settings/settings.html", context | more, status=status)


def card_context(request: Request, instance: Instance, card: str) -> dict[str, Any]:
    """Return what one card shows."""
    more = MORE[card](request, instance) if card in MORE else {}
    if card == "embeddings":
        # A change of model may finish at any time. The instance is read after the state of that:
        # otherwise the card could show a finished change beside the former model.
        instance = managed_instance(request, instance.slug)
    form = {_form_name(card): _form(card, instance)} if card in CARDS else {}
    return {"section": "settings", "name": card, **form, **more}


def address_of(request: HttpRequest) -> str:
    """Return the address at which the person reaches this server, for their programs."""
    return f"{request.scheme}://{request.get_host()}"


def _time_zones(request: Request, instance: Instance) -> dict[str, Any]:
    return {"time_zones": sorted(zoneinfo.available_timezones())}


def _language_model(request: Request, instance: Instance) -> dict[str, Any]:
    return {
        "model_report": model_report(instance),
        "ollama": found_ollama(instance, request.user),
    }


def found_ollama(instance: Instance, user: User) -> FoundOllama | None:
    """Return an Ollama server to offer to *user*; None if *instance* has a model already."""
    if instance.has_language_model:
        return None
    return find_ollama(on_this_machine=user.is_superuser)


def _vectors(request: Request, instance: Instance) -> dict[str, Any]:
    return {"work": vector_state(instance), "unread": unread_languages(instance)}


def _agents(request: Request, instance: Instance) -> dict[str, Any]:
    return {"rows": instance.agents.all()}


def _groups(request: Request, instance: Instance) -> dict[str, Any]:
    counted = instance.groups.annotate(
        people=Count("members", distinct=True), machines=Count("agents", distinct=True)
    )
    return {"rows": counted, "groups_form": NewGroupForm(prefix="group")}


def _members(request: Request, instance: Instance) -> dict[str, Any]:
    return {
        "roles": InstanceRole,
        "rows": [
            *instance.membership_set.select_related("user").order_by("user__username"),
            *instance.invitations.all(),
        ],
    }


def _api_keys(request: Request, instance: Instance) -> dict[str, Any]:
    return {
        "api_keys_form": ApiKeyForm(prefix="api-key"),
        "api_keys": keys_of(instance),
        "ways": client_snippets(address_of(request)),
    }


def _webhooks(request: Request, instance: Instance) -> dict[str, Any]:
    return {
        "webhooks_form": WebhookForm(prefix="webhook"),
        "webhooks": instance.webhooks.select_related("created_by"),
    }


def _holds(request: Request, instance: Instance) -> dict[str, Any]:
    known = instance.legal_holds.select_related("instance", "conversation")
    return {
        "rows": known.filter(lifted_at=None),
        "lifted_holds": known.exclude(lifted_at=None),
        "holds_form": HoldForm(instance=instance, prefix="hold", initial=hold_on(request.GET)),
    }


def _retention(request: Request, instance: Instance) -> dict[str, Any]:
    rules = instance.retention_rules.all()
    return {
        "rows": [{"rule": rule, "in_words": rule_in_words(rule)} for rule in rules],
        "retention_form": RetentionForm(instance=instance, prefix="rule"),
    }


def _own_areas(request: Request, instance: Instance) -> dict[str, Any]:
    chosen = area_named(instance, request.GET.get("area", ""))
    form = OwnAreaForm(instance=instance, prefix="area", initial=chosen)
    return {
        "rows": [
            area | {"in_words": AreaHandling(area["handling"]).label} for area in instance.own_areas
        ],
        "own_areas_form": form,
    }


def _sending(request: Request, instance: Instance) -> dict[str, Any]:
    return {
        "rows": rule_rows(instance),
        "sending_form": SendingRuleForm(instance=instance, prefix="sending"),
    }


#: What cards show besides their form.
MORE: dict[str, Callable[[Request, Instance], dict[str, Any]]] = {
    "general": _time_zones,
    "language-model": _language_model,
    "embeddings": _vectors,
    "agents": _agents,
    "members": _members,
    "groups": _groups,
    "api-keys": _api_keys,
    "webhooks": _webhooks,
    "holds": _holds,
    "retention": _retention,
    "own-areas": _own_areas,
    "sending": _sending,
}


def _save(request: Request, instance: Instance, card: str) -> HttpResponse:
    before = _form(card, instance)
    # Its fields stand beside those of the card.
    before.auto_id = False
    form = _form(card, instance, request.POST)
    if card == "members":
        form.instance.invited_by = request.user
        if form.is_valid() and form.makes_account and (link := _make_account(request, form)):
            return HttpResponseClientRedirect(link) if request.htmx else redirect(link)
    if form.is_valid() and (message := _save_card(card, form, instance, by=request.user)):
        allowed, warning = allow_address(form, by=request.user)
        message += allowed
        if not request.htmx:
            messages.success(request, message)
            if warning:
                messages.warning(request, warning)
            return redirect(card_url(instance.slug, card))
        shown = card_context(request, managed_instance(request, instance.slug), card)
        shown |= {"said": message, "warning": warning, "card": card, "undo": before}
        return render(request, f"settings/_{card}.html", shown)
    # What the form put into the instance must not be shown as if it were saved.
    fresh = managed_instance(request, instance.slug)
    wrong = {_form_name(card): form}
    if request.htmx:
        shown = card_context(request, fresh, card) | wrong
        return render(request, f"settings/_{card}.html", shown, status=422)
    return render_page(request, fresh, PAGE_OF[card], status=422, **wrong)


def _make_account(request: Request, form: InvitationForm) -> str:
    """Make an account for the person that *form* invites, as a member; return the address where its
    link is shown. Empty if the username was taken meanwhile: then its owner is invited.
    """
    role = form.cleaned_data["role"]
    try:
        person, token = accounts.invite(
            form.cleaned_data["username"], "", {form.instance.instance: role}, by=request.user
        )
    except IntegrityError:
        return ""
    show_link_once(request, person, token)
    return reverse("person", args=[person.pk])


def _save_card(card: str, form: Any, instance: Instance, *, by: User) -> str:
    """Save *form* and record it; return the message. Empty: not saved, with an error in *form*."""
    action = InstanceAction.INVITED if card == "members" else InstanceAction.SETTINGS
    try:
        with transaction.atomic():
            message = carry_out(form, instance, by=by)
            changes = recorded_changes(form)
            record(instance, Actor(by), action, about=_about(card, form), changes=changes)
    except ReembeddingRunning as error:
        # Another manager has begun a change of model since the form was checked.
        form.add_error(None, str(error))
        return ""
    return message


def _about(card: str, form: Any) -> str:
    """Return how the activity log names what a card has saved."""
    if card == "members":
        return str(form.cleaned_data["username"])
    if card == "agents":
        return f"Agent {form.instance}"
    return card.replace("-", " ").capitalize()


def _form_name(card: str) -> str:
    """The name of the card's form in its template."""
    return f"{card.replace('-', '_')}_form"


def _form(card: str, instance: Instance, data: Any = None) -> Any:
    if card == "agents":
        return AgentForm(data, instance=Agent(instance=instance), prefix="agent")
    if card == "members":
        invitation = MembershipInvitation(instance=instance)
        return InvitationForm(data, instance=invitation, prefix="member")
    # All the others are forms of models, which the type of the table does not say.
    return CARDS[card](data, instance=instance, prefix=card)  # type: ignore[call-arg]  # As above.
