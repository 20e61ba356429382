"""The form that sets an area of the managers' own."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from instances.models import Instance
from instances.models.sensitivity_settings import AreaHandling
from memoryapp.pipeline import Rejected
from memoryapp.pipeline.own_areas import area_name, area_words
from memoryapp.suppression.own_areas import MAX_CHARACTERS, MAX_WORDS


def area_named(instance: Instance, name: str) -> dict[str, Any]:
    """The fields of the area of that name; empty if there is none."""
    for area in instance.own_areas:
        if area["name"] == name:
            return {**area, "words": "\n".join(area["words"])}
    return {}


class OwnAreaForm(forms.Form):
    """A name, the words and phrases that tell of the area, and what becomes of statements."""

    name = forms.CharField(max_length=MAX_CHARACTERS, label=_("Name"))
    handling = forms.ChoiceField(
        choices=AreaHandling.choices, initial=AreaHandling.REFUSE, label=_("Statements about it")
    )
    words = forms.CharField(
        max_length=MAX_WORDS * (MAX_CHARACTERS + 2),
        label=_("Words and phrases"),
        help_text=_("One a line."),
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
    )

    def __init__(self, data: Any = None, *, instance: Instance, **options: Any) -> None:
        super().__init__(data, **options)
        self._instance = instance

    def clean_name(self) -> str:
        try:
            return area_name(self._instance, self.cleaned_data["name"])
        except Rejected as problem:
            raise forms.ValidationError(str(problem)) from None

    def clean_handling(self) -> AreaHandling:
        return AreaHandling(self.cleaned_data["handling"])

    def clean_words(self) -> list[str]:
        try:
            return area_words(self._instance, self.cleaned_data["words"].splitlines())
        except Rejected as problem:
            raise forms.ValidationError(str(problem)) from None
