"""The form that sets a legal hold."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance
from instances.translatable import translated
from memoryapp.forgetting.holds import PeriodRefused, set_hold
from memoryapp.models import LegalHold
from memoryapp.web.days import DayInput

Scope = LegalHold.Scope


def hold_on(query: Mapping[str, str]) -> dict[str, str]:
    """The first values of the form for the *user* or the *conversation* of an address."""
    if "user" in query:
        return {"scope": Scope.PERSON, "end_user": query["user"]}
    if "conversation" in query:
        return {"scope": Scope.CONVERSATION, "conversation": query["conversation"]}
    return {}


class HoldForm(forms.Form):
    """A name, and what the hold is on: the fields of other scopes are passed over."""

    name = forms.CharField(
        max_length=200, label=_("Name"), help_text=_("Such as the number of a case.")
    )
    scope = forms.ChoiceField(choices=Scope.choices, label=_("Applies to"))
    end_user = forms.CharField(max_length=200, required=False, label=_("Person"))
    conversation = forms.IntegerField(
        required=False, label=_("Conversation"), help_text=_("The number in its address.")
    )
    first = forms.DateField(required=False, label=_("From"), widget=DayInput)
    last = forms.DateField(required=False, label=_("Until"), widget=DayInput)

    def __init__(self, data: Any = None, *, instance: Instance, **options: Any) -> None:
        super().__init__(data, **options)
        self.instance = instance

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        match given.get("scope"):
            case Scope.CONVERSATION:
                given["conversation"] = self._conversation(given.get("conversation"))
            case Scope.PERIOD:
                if given.get("first") is None or given.get("last") is None:
                    self.add_error("first", _("Enter the first and the last day."))
        return given

    def _conversation(self, number: int | None) -> Conversation | None:
        found = Conversation.objects.filter(instance=self.instance, pk=number or 0).first()
        if found is None:
            self.add_error("conversation", _("There is no conversation with this number here."))
        return found

    def save(self, by: Actor) -> LegalHold | None:
        """Set the hold; None, with an error, if it cannot be."""
        given = self.cleaned_data
        scope: dict[str, Any] = {
            Scope.PERSON: {"end_user": given["end_user"]},
            Scope.CONVERSATION: {"conversation": given["conversation"]},
            Scope.PERIOD: {"period": (given["first"], given["last"])},
        }.get(given["scope"], {})
        try:
            return set_hold(self.instance, given["name"], by=by, **scope)
        except PeriodRefused as error:
            self.add_error("last", translated(error.args[0]))
            return None
