"""The settings screen: its cards, each of which saves by itself."""

import zoneinfo
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from instances import hooks
from instances.access import managed_instance, signed_in
from instances.activity import InstanceAction, record
from instances.actor import Actor
from instances.forms.agents import AgentForm
from instances.forms.api_keys import ApiKeyForm
from instances.forms.members import InvitationForm
from instances.forms.providers import EmbeddingsForm, LanguageModelForm
from instances.forms.settings import AssistantForm, CostForm, MemorySettingsForm, SearchForm
from instances.models import Agent, Instance, InstanceRole, MembershipInvitation, User
from instances.settings_changes import allow_address, carry_out

CARDS: dict[str, type[BaseForm]] = {
    "memory": MemorySettingsForm,
    "language-model": LanguageModelForm,
    "embeddings": EmbeddingsForm,
    "cost": CostForm,
    "assistant": AssistantForm,
    "search": SearchForm,
    "agents": AgentForm,
    "members": InvitationForm,
}


@require_GET
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all settings of an instance."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    return render(request, "instances/settings.html", settings_context(request, instance))


@require_POST
def save(request: HttpRequest, slug: str, card: str) -> HttpResponse:
    """Save one card of the settings screen."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    if card not in CARDS or (card == "members" and instance.private_to_id):
        raise Http404
    form = _form(card, instance, request.POST)
    if card == "members":
        form.instance.invited_by = request.user
    if form.is_valid() and (message := _save_card(card, form, instance, by=request.user)):
        allowed, warning = allow_address(form, by=request.user)
        message += allowed
        instance = managed_instance(request, slug)
        if not request.htmx:
            messages.success(request, message)
            if warning:
                messages.warning(request, warning)
            return redirect(f"{instance.get_absolute_url()}#{card}")
        return render(
            request,
            f"instances/_{card}.html",
            settings_context(request, instance, card)
            | {"said": message, "warning": warning, "card": card},
        )
    # What the form put into the instance must not be shown as if it were saved.
    fresh = managed_instance(request, slug)
    shown = card if request.htmx else None
    context = settings_context(request, fresh, shown) | {f"{card.replace('-', '_')}_form": form}
    template = f"instances/_{card}.html" if request.htmx else "instances/settings.html"
    return render(request, template, context, status=422)


def _save_card(card: str, form: Any, instance: Instance, *, by: User) -> str:
    """Save *form* and record it; return the message. Empty: not saved, with an error in *form*."""
    action = InstanceAction.INVITED if card == "members" else InstanceAction.SETTINGS
    try:
        with transaction.atomic():
            message = carry_out(form, instance, by=by)
            record(instance, Actor(by), action, about=_about(card, form))
    except hooks.ReembeddingRunning as error:
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


def _form(card: str, instance: Instance, data: Any = None) -> Any:
    if card == "agents":
        return AgentForm(data, instance=Agent(instance=instance), prefix="agent")
    if card == "members":
        invitation = MembershipInvitation(instance=instance)
        return InvitationForm(data, instance=invitation, prefix="member")
    # All the others are forms of models, which the type of the table does not say.
    return CARDS[card](data, instance=instance, prefix=card)  # type: ignore[call-arg]  # As above.


def address_of(request: HttpRequest) -> str:
    """Return the address at which the person reaches this server, for their programs."""
    return f"{request.scheme}://{request.get_host()}"


def settings_context(
    request: HttpRequest, instance: Instance, card: str | None = None
) -> dict[str, Any]:
    """Return the context of the settings screen, or of one *card* of it."""
    work = unread = None
    if card in (None, "embeddings"):  # No other card shows it, and it takes several queries.
        work = hooks.embedding_work(instance)
        # A change of model may finish at any time. The instance is read after it: otherwise the
        # card could show a change that is over beside the former model, and would not be updated.
        instance = managed_instance(signed_in(request), instance.slug)
        unread = hooks.unread_languages(instance)
    return {
        "section": "settings",
        **{f"{name.replace('-', '_')}_form": _form(name, instance) for name in CARDS},
        "work": work,
        "unread": unread,
        "model_report": hooks.model_report(instance),
        "ollama": hooks.found_ollama(instance, signed_in(request).user),
        "roles": InstanceRole,
        "invitations": instance.invitations.all(),
        "members": instance.membership_set.select_related("user").order_by("user__username"),
        "agents": instance.agents.all(),
        "api_keys_form": ApiKeyForm(prefix="api-key"),
        "api_keys": instance.api_keys.select_related("created_by"),
        "ways": hooks.client_snippets(address_of(request)),
        "time_zones": sorted(zoneinfo.available_timezones()),
    }
