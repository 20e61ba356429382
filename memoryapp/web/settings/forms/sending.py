"""The form that sets which model may not see what."""

import json
from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conversations import bounded_json
from instances.models import Instance
from instances.models.sensitivity_settings import AREAS
from instances.presets import PRESETS
from instances.tiers import Tier
from instances.translatable import translated
from memoryapp.providers.endpoints import host_of
from memoryapp.suppression.sending import Scope, SendingRule, rules_of
from memoryapp.suppression.sending_rules import MAX_SERVER, SendingRuleRefused, server_named
from memoryapp.web.memory.words import category_name, category_names
from memoryapp.web.settings.forms.settings import SensitiveAreasForm


def rule_rows(instance: Instance) -> list[dict[str, str]]:
    """The rules of *instance* in words, each with its `row`, by which it is removed."""
    return [
        {"row": json.dumps(rule.as_json()), "what": _what(rule), "server": rule.server}
        for rule in rules_of(instance)
    ]


def rule_in_row(row: str) -> SendingRule | None:
    """The rule of a `row`; None if it is none."""
    try:
        return SendingRule(**bounded_json.parse(row))
    except (TypeError, ValueError):
        return None


def _what(rule: SendingRule) -> str:
    narrowed = [
        area_name(rule.area),
        category_name(rule.category),
        str(Tier(rule.tier).label) if rule.tier else "",
        str(Scope(rule.scope).label) if rule.scope else "",
    ]
    return capfirst(", ".join(filter(None, narrowed))) or _("Everything")


def area_name(name: str) -> str:
    """The name of an area as people read it."""
    return str(SensitiveAreasForm.base_fields[f"{name}_handling"].label) if name in AREAS else name


def _own_areas(instance: Instance) -> list[str]:
    return [each["name"] for each in instance.own_areas]


class SendingRuleForm(forms.Form):
    """A class of what is remembered, and the server whose models are not shown it."""

    area = forms.ChoiceField(required=False, label=gettext_lazy("Area"))
    category = forms.ChoiceField(required=False, label=gettext_lazy("Category"))
    tier = forms.TypedChoiceField(
        required=False, coerce=int, empty_value=None, label=gettext_lazy("Trust")
    )
    scope = forms.ChoiceField(required=False, label=gettext_lazy("Who sees it"))
    server = forms.CharField(
        required=False,
        max_length=MAX_SERVER + len("https://"),
        label=gettext_lazy("Not shown to models at"),
        help_text=gettext_lazy("Empty: any server that is not yours."),
        widget=forms.TextInput(attrs={"list": "servers", "dir": "ltr", "autocomplete": "off"}),
    )

    def __init__(self, data: Any = None, *, instance: Instance, **options: Any) -> None:
        super().__init__(data, **options)
        #: The rule that it says, once the form is valid.
        self.rule = SendingRule()
        own = {host_of(instance.chat_address)} if instance.provider else set()
        usual = {host_of(preset.base_url) for preset in PRESETS.values()}
        #: Servers to choose from.
        self.servers = sorted(filter(None, own | usual))
        for name, choices in (
            ("area", [(name, area_name(name)) for name in (*AREAS, *_own_areas(instance))]),
            ("category", category_names()),
            ("tier", [(tier.value, capfirst(str(tier.label))) for tier in Tier]),
            ("scope", [(each.value, capfirst(str(each.label))) for each in Scope]),
        ):
            field: Any = self.fields[name]
            field.choices = [("", _("any")), *choices]

    def clean_server(self) -> str:
        try:
            return server_named(self.cleaned_data["server"])
        except SendingRuleRefused as error:
            raise forms.ValidationError(translated(error.args[0])) from None

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if not self.errors:
            self.rule = SendingRule(**given)
        return given
