"""The agents of an instance: changing and removing them."""

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from instances.access import managed_instance, signed_in
from instances.activity import InstanceAction, record
from instances.actor import Actor
from instances.models import Agent
from memoryapp.web.settings.forms.agents import AgentDetailsForm
from memoryapp.web.settings.pages import PAGE_OF, card_url


@require_http_methods(["GET", "POST"])
def edit(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Change the name and the instructions of an agent."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    agent = get_object_or_404(Agent.objects.select_related("instance"), pk=pk, instance=instance)
    name = agent.name
    form = AgentDetailsForm(request.POST or None, instance=agent)
    if request.method == "POST" and form.is_valid():
        with transaction.atomic():
            form.save()
            record(instance, Actor(request.user), InstanceAction.SETTINGS, about=f"Agent {agent}")
        messages.success(request, _("Saved %(name)s.") % {"name": agent})
        return redirect(card_url(slug, "agents"))
    context = {"section": "settings", "page": PAGE_OF["agents"], "form": form}
    context |= {"name": name, "agent": agent}
    status = 422 if request.method == "POST" else 200
    return render(request, "settings/agent.html", context, status=status)


@require_POST
def remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Remove an agent; its conversations stay."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    agent = get_object_or_404(Agent, pk=pk, instance=instance)
    with transaction.atomic():
        agent.delete()
        about = f"Agent {agent} removed"
        record(instance, Actor(request.user), InstanceAction.SETTINGS, about=about)
    messages.success(request, _("Removed %(name)s. Its conversations stay.") % {"name": agent})
    return redirect(card_url(slug, "agents"))
