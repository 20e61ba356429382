"""The settings screens: instances, their switches and secrets, members and agents."""

import zoneinfo
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from instances import forms, members
from instances.access import managed_instance, signed_in
from instances.actor import Actor
from instances.client_snippets import client_snippets
from instances.models import Agent, Instance, InstanceRole, MembershipInvitation
from instances.settings_changes import allow_address, carry_out

CARDS: dict[str, type[BaseForm]] = {
    "memory": forms.MemorySettingsForm,
    "language-model": forms.LanguageModelForm,
    "embeddings": forms.EmbeddingsForm,
    "cost": forms.CostForm,
    "assistant": forms.AssistantForm,
    "search": forms.SearchForm,
    "agents": forms.AgentForm,
    "members": members.InvitationForm,
}


@require_GET
def instances(request: HttpRequest) -> HttpResponse:
    """List the instances that the person may see."""
    request = signed_in(request)
    managed = set(Instance.objects.managed_by(request.user).values_list("pk", flat=True))
    invited = MembershipInvitation.objects.open_for(request.user)
    context = {
        "section": "settings",
        "managed": managed,
        "invitations": invited.select_related("instance", "invited_by"),
    }
    return render(request, "instances/list.html", context)


@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Create an instance: a shared one for superadmins, a private one for everybody."""
    request = signed_in(request)
    form = forms.NewInstanceForm(request.POST or None, user=request.user)
    if request.method == "POST" and form.is_valid() and (made := form.save_if_free()):
        return redirect(made)
    status = 422 if request.method == "POST" else 200
    return render(
        request, "instances/new.html", {"section": "settings", "form": form}, status=status
    )


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
    if form.is_valid():
        with transaction.atomic():
            said = carry_out(form, instance, by=request.user)
            action = "invited" if card == "members" else "settings"
            instance.activity.record(Actor(request.user), action, about=_about(card, form))
        allowed, warning = allow_address(form, by=request.user)
        said += allowed
        instance = managed_instance(request, slug)
        if not request.htmx:
            messages.success(request, said)
            if warning:
                messages.warning(request, warning)
            return redirect(f"{instance.get_absolute_url()}#{card}")
        return render(
            request,
            f"instances/_{card}.html",
            settings_context(request, instance) | {"said": said, "warning": warning, "card": card},
        )
    # What the form put into the instance must not be shown as if it were saved.
    fresh = managed_instance(request, slug)
    context = settings_context(request, fresh) | {f"{card.replace('-', '_')}_form": form}
    template = f"instances/_{card}.html" if request.htmx else "instances/settings.html"
    return render(request, template, context, status=422)


@require_http_methods(["GET", "POST"])
def edit_agent(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Change what an agent is called and told."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    agent = get_object_or_404(Agent.objects.select_related("instance"), pk=pk, instance=instance)
    name = agent.name
    form = forms.AgentDetailsForm(request.POST or None, instance=agent)
    if request.method == "POST" and form.is_valid():
        with transaction.atomic():
            form.save()
            instance.activity.record(Actor(request.user), "settings", about=f"Agent {agent}")
        messages.success(request, f"Saved {agent}.")
        return redirect(f"{instance.get_absolute_url()}#agents")
    context = {"section": "settings", "form": form, "name": name, "agent": agent}
    status = 422 if request.method == "POST" else 200
    return render(request, "instances/agent.html", context, status=status)


@require_POST
def remove_agent(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Remove an agent; its conversations stay."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    agent = get_object_or_404(Agent, pk=pk, instance=instance)
    with transaction.atomic():
        agent.delete()
        instance.activity.record(Actor(request.user), "settings", about=f"Agent {agent} removed")
    messages.success(request, f"Removed {agent}. Its conversations stay.")
    return redirect(f"{instance.get_absolute_url()}#agents")


@require_http_methods(["GET", "POST"])
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask, with the numbers; then delete the instance with all that it holds."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    context = {
        "section": "settings",
        "memories": instance.memories.count(),
        "conversations": instance.conversations.count(),
        "wrong": False,
    }
    if request.method == "POST":
        if request.POST.get("slug") == instance.slug:
            name = instance.name
            instance.delete()
            messages.success(request, f"Deleted {name}, with everything in it.")
            return redirect("instances")
        context["wrong"] = True
    return render(
        request, "instances/delete.html", context, status=422 if context["wrong"] else 200
    )


def _about(card: str, form: Any) -> str:
    """What the ledger calls what a card has saved."""
    if card == "members":
        return str(form.cleaned_data["username"])
    if card == "agents":
        return f"Agent {form.instance}"
    return card.replace("-", " ").capitalize()


def _form(card: str, instance: Instance, data: Any = None) -> Any:
    if card == "agents":
        return forms.AgentForm(data, instance=Agent(instance=instance), prefix="agent")
    if card == "members":
        invitation = MembershipInvitation(instance=instance)
        return members.InvitationForm(data, instance=invitation, prefix="member")
    # All the others are forms of models, which the type of the table does not say.
    return CARDS[card](data, instance=instance, prefix=card)  # type: ignore[call-arg]


def address_of(request: HttpRequest) -> str:
    """Where the person has reached this server, as their programs may too."""
    return f"{request.scheme}://{request.get_host()}"


def settings_context(request: HttpRequest, instance: Instance) -> dict[str, Any]:
    """What the settings screen and each of its cards show."""
    return {
        "section": "settings",
        "memory_form": _form("memory", instance),
        "language_model_form": _form("language-model", instance),
        "embeddings_form": _form("embeddings", instance),
        "cost_form": _form("cost", instance),
        "assistant_form": _form("assistant", instance),
        "search_form": _form("search", instance),
        "agents_form": _form("agents", instance),
        "members_form": _form("members", instance),
        "roles": InstanceRole,
        "invitations": instance.invitations.all(),
        "members": instance.membership_set.select_related("user").order_by("user__username"),
        "agents": instance.agents.all(),
        "api_keys_form": forms.ApiKeyForm(prefix="api-key"),
        "api_keys": instance.api_keys.select_related("created_by"),
        "ways": client_snippets(address_of(request)),
        "time_zones": sorted(zoneinfo.available_timezones()),
    }
