"""The forms for groups."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from instances.models import Agent, Group, Instance
from memoryapp.people.groups import GroupMembers


class NewGroupForm(forms.Form):
    """A new group."""

    name = forms.CharField(max_length=100, label=_("Name"))
    end_user = forms.CharField(
        max_length=200,
        required=False,
        label=_("Id"),
        help_text=_("Empty: a new one. What is kept under an id is shared."),
    )


class GroupForm(forms.Form):
    """Name and members of a group. Its id never changes, since programs use it."""

    name = forms.CharField(max_length=100, label=_("Name"))
    everyone = forms.BooleanField(
        required=False, label=_("Everyone"), help_text=_("All people and agents are members.")
    )
    people = forms.CharField(
        required=False,
        label=_("People"),
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=_("Their ids, one on each line."),
    )
    agents = forms.ModelMultipleChoiceField(
        Agent.objects.none(),
        required=False,
        label=_("Agents"),
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, data: Any = None, *, instance: Instance, **options: Any) -> None:
        super().__init__(data, **options)
        agents: Any = self.fields["agents"]
        agents.queryset = instance.agents.all()

    @staticmethod
    def initial_of(group: Group) -> dict[str, Any]:
        """Initial values of the form of *group*."""
        return {
            "name": group.name,
            "everyone": group.everyone,
            "people": "\n".join(group.members.values_list("end_user", flat=True)),
            "agents": group.agents.all(),
        }

    @property
    def members(self) -> GroupMembers:
        """The members that a valid form names."""
        given = self.cleaned_data
        return GroupMembers(given["people"].splitlines(), given["agents"], given["everyone"])
