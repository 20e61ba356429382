"""The forms for agents."""

import itertools
from typing import ClassVar

from django import forms
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from instances.models import Agent


class AgentForm(forms.ModelForm[Agent]):
    """A new agent."""

    class Meta:
        model = Agent
        fields = ("name",)
        labels: ClassVar = {"name": _("Name")}

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        agents = self.instance.instance.agents
        if agents.filter(name__iexact=name).exists():
            raise forms.ValidationError(_("An agent with this name already exists."))
        # Different names may have one slug: those in other scripts have none at all.
        slug = slugify(name)[:50] or "agent"
        taken = set(agents.values_list("slug", flat=True))
        slugs = itertools.chain([slug], (f"{slug}-{n}" for n in itertools.count(2)))
        self.instance.slug = next(slug for slug in slugs if slug not in taken)
        return name


class AgentDetailsForm(forms.ModelForm[Agent]):
    """An agent's name and instructions. Its slug never changes, since programs use it."""

    class Meta:
        model = Agent
        fields = ("name", "instructions", "recall_enabled", "reach")
        labels: ClassVar = {"name": _("Name")}
        widgets: ClassVar = {"instructions": forms.Textarea(attrs={"rows": 6})}

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        others = Agent.objects.filter(instance=self.instance.instance).exclude(pk=self.instance.pk)
        if others.filter(name__iexact=name).exists():
            raise forms.ValidationError(_("An agent with this name already exists."))
        return name
