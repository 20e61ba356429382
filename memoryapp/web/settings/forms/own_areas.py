"""The form that sets an area of the managers' own."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from conversations.sanitizer import sanitize
from instances.models import Instance
from instances.models.sensitivity_settings import AreaHandling
from memoryapp.language.shortening import one_line
from memoryapp.pipeline import Rejected
from memoryapp.pipeline.validation import admitted_text
from memoryapp.policy.sensitivity.own_areas import is_recognisable
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
        return self._without_secrets(self.cleaned_data["name"])

    def clean_handling(self) -> AreaHandling:
        return AreaHandling(self.cleaned_data["handling"])

    def clean_words(self) -> list[str]:
        lines = map(self._without_secrets, self.cleaned_data["words"].splitlines())
        words = list(dict.fromkeys(filter(None, lines)))
        if len(words) > MAX_WORDS:
            text = _("At most %(most)s words and phrases.")
            raise forms.ValidationError(text % {"most": MAX_WORDS})
        for word in words:
            if len(word) > MAX_CHARACTERS:
                text = _("“%(word)s…” is longer than %(most)s characters.")
                raise forms.ValidationError(text % {"word": word[:20], "most": MAX_CHARACTERS})
            if not is_recognisable(word):
                raise forms.ValidationError(_("Enter at least one letter or digit."))
        return words

    def _without_secrets(self, text: str) -> str:
        """*text* in one line; raises `ValidationError` if the instance stores none like it."""
        plain = one_line(sanitize(text))
        try:
            admitted = admitted_text(self._instance, plain)
        except Rejected as problem:
            raise forms.ValidationError(str(problem)) from None
        if admitted != plain:
            raise forms.ValidationError(
                _("This looks like a secret or an identifier, which may not be stored here.")
            )
        return plain
