"""The forms of the memory screen."""

from datetime import datetime
from typing import Any, ClassVar, cast

from django import forms
from django.http import QueryDict
from django.utils.dateparse import parse_datetime

from conversations.sanitizer import sanitize
from instances.models import Instance
from memoryapp.models import Category, Memory
from memoryapp.pipeline import MAX_CONTENT, MAX_TAGS
from memoryapp.policy.keyed_facts import normalised


class MemoryForm(forms.ModelForm[Memory]):
    """The fields of a memory that a person may change."""

    #: Whether the memory is suppressed, so that the form must ask.
    asks_to_lift = False
    #: The memory that says the same already, so that the form must ask.
    known: Memory | None = None
    #: The version of the memory that the form was made from; see `pipeline.revise`.
    version = forms.CharField(required=False, widget=forms.HiddenInput)
    importance = forms.IntegerField(min_value=1, max_value=10, label="Importance (1–10)")
    tags = forms.CharField(
        required=False, max_length=600, help_text="Separated by commas.", label="Tags"
    )

    class Meta:
        model = Memory
        fields = ("content", "category", "importance", "valid_until", "tags", "key", "value")
        labels: ClassVar = {"valid_until": "Valid until"}
        help_texts: ClassVar = {
            "valid_until": "The last day on which it is true. Leave empty if it does not expire.",
            "key": "A short name for what it is about, such as home_city or allergy.",
            "value": "Such as Munich. A new value replaces the present one if the key has one "
            "value at a time, as home_city has.",
        }
        widgets: ClassVar = {
            "content": forms.Textarea(
                attrs={"rows": 4, "maxlength": MAX_CONTENT, "placeholder": "The user …"}
            ),
            "valid_until": forms.DateInput(attrs={"type": "date"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["content"].label = "What to remember"
        categories = cast("forms.ChoiceField", self.fields["category"])
        categories.choices = [(each, f"{each.label} – {each.meaning}") for each in Category]
        self.fields["content"].widget.attrs["autofocus"] = True
        for name in ("key", "value"):
            self.fields[name].widget.attrs["autocomplete"] = "off"
        if self.instance.pk:
            self.initial["tags"] = ", ".join(self.instance.tags)
            self.initial["version"] = self.instance.updated_at.isoformat()

    def clean_content(self) -> str:
        content: str = self.cleaned_data["content"]
        if len(content) > MAX_CONTENT:
            raise forms.ValidationError(
                f"This has {len(content):,} characters; a memory is at most {MAX_CONTENT:,}."
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
            f"This memory was changed while you edited it. It now says: “{present.content}” Save "
            "again to replace that with your text.",
        )
        data = cast("QueryDict", self.data).copy()
        data[self.add_prefix("version")] = present.updated_at.isoformat()
        self.data = data

    def clean_tags(self) -> list[str]:
        tags = [tag.strip() for tag in self.cleaned_data["tags"].split(",") if tag.strip()]
        if len(tags) > MAX_TAGS:
            raise forms.ValidationError(f"At most {MAX_TAGS} tags.")
        return tags

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if "key" not in self.fields:
            return data
        given, data["key"] = data.get("key", ""), normalised(sanitize(data.get("key", "")))
        if given and not data["key"]:
            self.add_error("key", "A key has at least one letter or digit.")
        elif data["key"] and not data.get("value"):
            self.add_error("value", "Give the value of this key, or leave both empty.")
        elif data.get("value") and not given:
            self.add_error("key", "Name the key of this value, or leave both empty.")
        return data

    @property
    def has_fact(self) -> bool:
        """Whether the section with key and value is open."""
        return any(self[name].value() or self[name].errors for name in ("key", "value"))

    def _post_clean(self) -> None:
        # The pipeline writes the row, not the form: the model instance must stay as it was loaded,
        # so that its text can be stored as a revision.
        pass


class RowForm(MemoryForm):
    """The fields that can be corrected in a row of the list."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("tags", "valid_until", "key", "value"):
            del self.fields[name]
        self.fields["content"].widget.attrs["rows"] = 3
        for field in self.fields.values():
            # A row has no room for labels, and more than one row may be open.
            field.widget.attrs["aria-label"] = field.label or ""
        self.auto_id = f"row-{self.instance.pk}-%s"


class FactForm(MemoryForm):
    """A fact with a key, on the profile of a person."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["tags"], self.fields["importance"]
        self.order_fields(["key", "value", "content", "category", "valid_until"])
        self.fields["key"].required = self.fields["value"].required = True
        self.fields["key"].help_text = "A short name, such as home_city."
        self.fields["value"].help_text = "What it is now, such as Munich."
        self.fields["content"].label = "As a sentence"
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
        label="About (end user)",
        help_text="Only when this assistant serves more than one person.",
    )
    conversation = forms.IntegerField(
        required=False,
        label="Conversation",
        help_text="The number at the end of the conversation’s address, if it was said in one.",
    )

    keep_apart = forms.BooleanField(required=False, label="Add anyway")
    lift = forms.BooleanField(
        required=False,
        label="Remember it all the same",
        help_text="It may be learned again from then on.",
    )

    def __init__(self, *args: Any, owner: Instance, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.owner = owner

    #: The fields that are folded under "More".
    MORE: ClassVar = (
        *("category", "importance", "tags", "valid_until", "key", "value", "end_user"),
        "conversation",
    )

    @property
    def shows_more(self) -> bool:
        """Whether "More" is open: something was written there."""
        return self.is_bound and any(
            name in self.changed_data or self[name].errors for name in self.MORE
        )

    def clean_conversation(self) -> int | None:
        number: int | None = self.cleaned_data["conversation"]
        if number is None or self.owner.conversations.filter(pk=number).exists():
            return number
        raise forms.ValidationError(f"{self.owner} has no conversation {number}.")
