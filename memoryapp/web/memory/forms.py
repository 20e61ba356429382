"""The forms of the memory screen."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, ClassVar, cast

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from conversations.sanitizer import sanitize
from instances.ids import parse_pk
from instances.models import Instance
from memoryapp.models import Category, Memory
from memoryapp.models.end_dates import split_end
from memoryapp.pipeline import MAX_CONTENT, MAX_TAGS
from memoryapp.policy.keyed_facts import normalised
from memoryapp.web.days import DayInput
from memoryapp.web.memory.words import category_names, grouped

#: Conversations from which the source of a new memory is chosen.
MAX_OFFERED = 30


class CategoryField(forms.RadioSelect):
    """The categories beside each other, with their meanings for those who point at them."""

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        option["hint"] = Category(value).meaning if value else ""
        return option


def importance_choices() -> list[tuple[str, str]]:
    """The steps of importance."""
    return [(str(step), str(step)) for step in range(1, 11)]


def time_field() -> forms.TimeField:
    """The field for the time of day at which a memory ends, next to that for the day."""
    return forms.TimeField(
        required=False,
        label=gettext_lazy("Time"),
        help_text=gettext_lazy("Optional. If empty, the end of the day."),
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )


def end_in(data: Mapping[str, Any]) -> tuple[date | None, datetime | None]:
    """Return the end in cleaned *data*, as the columns ``valid_until`` and ``expires_at``."""
    day, time = data.get("valid_until"), data.get("end_time")
    if day is None or time is None:
        return day, None
    return split_end(timezone.make_aware(datetime.combine(day, time)))


def check_end(form: forms.Form | forms.ModelForm[Memory], data: Mapping[str, Any]) -> None:
    """Add an error to *form* if there is a time without a day."""
    if data.get("end_time") is not None and not data.get("valid_until") and not form.errors:
        form.add_error("valid_until", _("Enter the day as well."))


class MemoryForm(forms.ModelForm[Memory]):
    """The fields of a memory that a person may change."""

    #: True if the memory is suppressed, so that the form must ask.
    asks_to_lift = False
    #: The memory that says the same already, so that the form must ask.
    known: Memory | None = None
    #: The version of the memory that the form was made from; see `pipeline.revise`.
    version = forms.CharField(required=False, widget=forms.HiddenInput)
    importance = forms.IntegerField(
        min_value=1,
        max_value=10,
        label=gettext_lazy("Importance"),
        widget=forms.RadioSelect(choices=importance_choices()),
    )
    tags = forms.CharField(
        required=False,
        max_length=600,
        help_text=gettext_lazy("Separated by commas."),
        label=gettext_lazy("Tags"),
        widget=forms.TextInput(attrs={"data-tags": True, "list": "known-tags"}),
    )

    end_time = time_field()

    class Meta:
        model = Memory
        fields = ("content", "category", "importance", "valid_until", "tags", "key", "value")
        labels: ClassVar = {
            "content": gettext_lazy("What to remember"),
            "category": gettext_lazy("Category"),
            "valid_until": gettext_lazy("Valid until"),
            "key": gettext_lazy("Key"),
            "value": gettext_lazy("Value"),
        }
        help_texts: ClassVar = {
            "valid_until": gettext_lazy("Last day it is true. Empty: always."),
            "key": gettext_lazy("Such as home_city or allergy."),
            "value": gettext_lazy("Such as Munich."),
        }
        widgets: ClassVar = {
            "content": forms.Textarea(
                attrs={
                    "rows": 4,
                    "maxlength": MAX_CONTENT,
                    "placeholder": gettext_lazy("The user …"),
                }
            ),
            "category": CategoryField,
            "valid_until": DayInput,
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        categories = cast("forms.ChoiceField", self.fields["category"])
        categories.choices = category_names()
        self.fields["content"].widget.attrs["autofocus"] = True
        for name in ("key", "value"):
            self.fields[name].widget.attrs["autocomplete"] = "off"
        if self.instance.expires_at is not None:
            self.initial["end_time"] = timezone.localtime(self.instance.expires_at).time()
        if self.instance.pk:
            self.initial["tags"] = ", ".join(self.instance.tags)
            self.initial["version"] = self.instance.updated_at.isoformat()

    def clean_content(self) -> str:
        content: str = self.cleaned_data["content"]
        if len(content) > MAX_CONTENT:
            raise forms.ValidationError(
                _("This has %(number)s characters; a memory has at most %(limit)s.")
                % {"number": grouped(len(content)), "limit": grouped(MAX_CONTENT)}
            )
        return content

    def clean_version(self) -> datetime | None:
        try:
            return parse_datetime(self.cleaned_data["version"])
        except ValueError:
            return None

    def show_changed(self, present: Memory) -> None:
        """Tell the person what *present* says by now, and let them save anyway."""
        self.add_error(
            "content",
            _(
                "This memory was changed while you edited it. It now says: “%(text)s” Save "
                "again to replace that with your text."
            )
            % {"text": present.content},
        )
        data = cast("QueryDict", self.data).copy()
        data[self.add_prefix("version")] = present.updated_at.isoformat()
        self.data = data

    def clean_tags(self) -> list[str]:
        tags = [tag.strip() for tag in self.cleaned_data["tags"].split(",") if tag.strip()]
        if len(tags) > MAX_TAGS:
            text = ngettext("At most %(number)s tag.", "At most %(number)s tags.", MAX_TAGS)
            raise forms.ValidationError(text % {"number": MAX_TAGS})
        return tags

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        check_end(self, data)
        if "key" not in self.fields:
            return data
        given, data["key"] = data.get("key", ""), normalised(sanitize(data.get("key", "")))
        if given and not data["key"]:
            self.add_error("key", _("A key needs at least one letter or digit."))
        elif data["key"] and not data.get("value"):
            self.add_error("value", _("Enter the value of this key, or leave both empty."))
        elif data.get("value") and not given:
            self.add_error("key", _("Enter the key of this value, or leave both empty."))
        return data

    @property
    def has_fact(self) -> bool:
        """True if the section with key and value is open."""
        return any(self[name].value() or self[name].errors for name in ("key", "value"))

    def _post_clean(self) -> None:
        # The pipeline writes the row, not the form: the model instance must stay as it was loaded,
        # so that its text can be stored as a revision.
        pass


class RowForm(MemoryForm):
    """The fields that can be corrected in a row of the list."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("tags", "valid_until", "end_time", "key", "value"):
            del self.fields[name]
        self.fields["content"].widget.attrs["rows"] = 3
        self.fields["category"].widget = forms.Select(choices=category_names())
        self.fields["importance"].widget = forms.NumberInput(attrs={"min": 1, "max": 10})
        for field in self.fields.values():
            # A row has no room for labels, and more than one row may be open.
            field.widget.attrs["aria-label"] = field.label or ""
        self.auto_id = f"row-{self.instance.pk}-%s"


class SentenceForm(RowForm):
    """The text alone: category and importance go along as they are."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # One of several on its page.
        self.fields["content"].widget.attrs.pop("autofocus", None)
        for name in ("category", "importance"):
            self.fields[name].widget = forms.HiddenInput()


class FactForm(MemoryForm):
    """A fact with a key, on the profile of a person."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["tags"], self.fields["importance"], self.fields["end_time"]
        self.order_fields(["key", "value", "content", "category", "valid_until"])
        self.fields["key"].required = self.fields["value"].required = True
        self.fields["key"].help_text = _("A short name, such as home_city.")
        self.fields["value"].help_text = _("What it is now, such as Munich.")
        self.fields["content"].label = _("As a sentence")
        self.fields["content"].widget.attrs.pop("autofocus")
        self.fields["content"].widget.attrs["rows"] = 2
        self.fields["valid_until"].help_text = ""
        if self.instance.pk:
            self.fields["value"].widget.attrs["autofocus"] = True


class NewMemoryForm(MemoryForm):
    """The form for a new memory."""

    end_user = forms.CharField(
        required=False,
        max_length=200,
        label=gettext_lazy("Person"),
        help_text=gettext_lazy("Only if the assistant serves several people."),
    )
    conversation = forms.IntegerField(
        required=False,
        label=gettext_lazy("Conversation"),
        help_text=gettext_lazy("Where it was said (optional)."),
        widget=forms.Select,
    )

    keep_apart = forms.BooleanField(required=False, label=gettext_lazy("Add anyway"))
    lift = forms.BooleanField(
        required=False,
        label=gettext_lazy("Remember it anyway"),
        help_text=gettext_lazy("It can then be learned again."),
    )

    def __init__(self, *args: Any, owner: Instance, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.owner = owner
        category = cast("forms.ChoiceField", self.fields["category"])
        category.choices = [("", _("Automatic")), *category_names()]
        category.initial, category.required = "", False
        self.fields["importance"].required = False
        steps = cast("forms.RadioSelect", self.fields["importance"].widget)
        steps.choices = [("", _("Automatic")), *importance_choices()]
        self.fields["valid_until"].help_text = _("Optional. If empty, the day that the text names.")
        select = cast("forms.Select", self.fields["conversation"].widget)
        select.choices = [("", "—"), *self._conversations()]

    #: The fields that are folded under "More".
    MORE: ClassVar = (
        *("category", "importance", "tags", "valid_until", "end_time", "key", "value", "end_user"),
        "conversation",
    )

    @property
    def shows_more(self) -> bool:
        """True if "More" is open: something was written there."""
        return self.is_bound and any(
            name in self.changed_data or self[name].errors for name in self.MORE
        )

    def _conversations(self) -> list[tuple[int, str]]:
        """The latest conversations, and the one that is chosen already."""
        latest = list(self.owner.conversations.order_by("-last_activity_at", "-pk")[:MAX_OFFERED])
        chosen = parse_pk(str(self["conversation"].value() or ""))
        if chosen and all(each.pk != chosen for each in latest):
            latest += self.owner.conversations.filter(pk=chosen)
        return [(each.pk, Truncator(str(each)).chars(80)) for each in latest]

    def clean_conversation(self) -> int | None:
        number: int | None = self.cleaned_data["conversation"]
        if number is None or self.owner.conversations.filter(pk=number).exists():
            return number
        raise forms.ValidationError(
            _("%(instance)s has no conversation %(number)s.")
            % {"instance": self.owner, "number": number}
        )
