"""The form that sets a retention rule."""

from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from instances.models import Instance
from instances.tiers import Tier
from instances.translatable import translated
from memoryapp.forgetting.retention import RuleRefused, new_rule
from memoryapp.models import Kept, Origin, RetentionRule
from memoryapp.models.retention import MAX_RETENTION_DAYS
from memoryapp.web.memory.words import category_name, category_names


def rule_in_words(rule: RetentionRule) -> str:
    """Name the rows that a rule is for, such as “Memories: event, trip”."""
    narrowed = [
        category_name(rule.category),
        str(Tier(rule.tier).label) if rule.tier else "",
        str(rule.get_origin_display()),
        rule.tag,
    ]
    of = ", ".join(filter(None, narrowed))
    return f"{rule.get_kept_display()}: {of}" if of else str(rule.get_kept_display())


class RetentionForm(forms.Form):
    """A kind of rows and the days; of memories, a class: it is passed over for other kinds."""

    kept = forms.ChoiceField(choices=Kept.choices, label=_("What"))
    days = forms.IntegerField(min_value=1, max_value=MAX_RETENTION_DAYS, label=_("Days"))
    category = forms.ChoiceField(required=False, label=_("Category"))
    tier = forms.TypedChoiceField(required=False, coerce=int, empty_value=None, label=_("Trust"))
    origin = forms.ChoiceField(required=False, label=_("Origin"))
    tag = forms.CharField(max_length=50, required=False, label=_("Tag"))

    def __init__(self, data: Any = None, *, instance: Instance, **options: Any) -> None:
        super().__init__(data, **options)
        self._instance = instance
        #: The rule that it says, once the form is valid.
        self.rule: RetentionRule | None = None
        for name, choices in (
            ("category", category_names()),
            ("tier", [(tier.value, capfirst(str(tier.label))) for tier in Tier]),
            ("origin", [(each.value, capfirst(str(each.label))) for each in Origin]),
        ):
            field: Any = self.fields[name]
            field.choices = [("", _("any")), *choices]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if self.errors:
            return given
        narrowed = ("category", "tier", "origin", "tag") if given["kept"] == Kept.MEMORIES else ()
        try:
            self.rule = new_rule(
                self._instance,
                given["kept"],
                given["days"],
                **{name: given[name] for name in narrowed},
            )
        except RuleRefused as error:
            self.add_error("days", translated(error.args[0]))
        return given
