"""The page of an API key: what became of its latest requests, and what it accepts."""

from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from instances.access import Request, managed_instance
from instances.activity import InstanceAction, record
from instances.actor import Actor
from instances.models import ApiKey
from memoryapp.models.key_requests import LOG_DAYS, KeyRequest
from memoryapp.web.settings.pages import PAGE_OF

#: How many of the latest requests are shown.
SHOWN = 50


class KeySwitchesForm(forms.ModelForm[ApiKey]):
    """Form for what a key accepts."""

    class Meta:
        model = ApiKey
        fields = ("keeps_unstored", "requires_person", "reach")
        labels: ClassVar[dict[str, str]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.client_id or not self.instance.end_user:
            # A key for all sees all; about a connection, the person decides who has made it.
            del self.fields["reach"]


@require_http_methods(["GET", "POST"])
def api_key(request: Request, slug: str, pk: int) -> HttpResponse:
    """Show the page of a key, or save its switches."""
    instance = managed_instance(request, slug)
    key = get_object_or_404(ApiKey, pk=pk, instance=instance)
    form = KeySwitchesForm(request.POST or None, instance=key)
    if request.method == "POST":
        form = KeySwitchesForm(request.POST, instance=key)
        with transaction.atomic():
            form.save(commit=False).save(update_fields=[*form.fields])
            record(instance, Actor(request.user), InstanceAction.SETTINGS, about=f"Key {key.name}")
        messages.success(request, _("Saved %(name)s.") % {"name": key.name})
        return redirect("api_key", slug, pk)
    rows = KeyRequest.objects.filter(key=key)
    context = {
        "section": "settings",
        "page": PAGE_OF["api-keys"],
        "key": key,
        "form": form,
        "rows": rows[:SHOWN],
        "unkept": rows.unkept(),
        "days": LOG_DAYS,
    }
    return render(request, "api_keys/key.html", context)
