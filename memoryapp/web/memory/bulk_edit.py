"""Changes tags, category, importance and end of the selected memories, and undoes that."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy
from django.views.decorators.http import require_POST

from instances.access import Request
from instances.actor import Actor
from memoryapp.models import Memory
from memoryapp.pipeline import MAX_TAGS, Rejected
from memoryapp.pipeline.bulk_edit import BulkChange, BulkResult, change_all, undo_all
from memoryapp.web.days import DayInput
from memoryapp.web.layout import show
from memoryapp.web.memory.forms import check_end, end_in, time_field
from memoryapp.web.memory.listing import Matches
from memoryapp.web.memory.page import Beside, answer, beside
from memoryapp.web.memory.tags import suggested_tags
from memoryapp.web.memory.words import category_choices, grouped
from memoryapp.web.row_selection import RowSelection


def split_tags(text: str) -> list[str]:
    """The tags in *text*, which are separated by commas."""
    return [tag.strip().lower() for tag in text.split(",") if tag.strip()]


class TagsForm(forms.Form):
    """Tags to add, and tags to remove."""

    add = forms.CharField(
        required=False,
        max_length=600,
        label=gettext_lazy("Add tags"),
        help_text=gettext_lazy("Separated by commas."),
        widget=forms.TextInput(
            attrs={
                "autofocus": True,
                "autocomplete": "off",
                "list": "known-tags",
                "data-tags": True,
            }
        ),
    )
    remove = forms.CharField(
        required=False,
        max_length=600,
        label=gettext_lazy("Remove tags"),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "list": "known-tags", "data-tags": True}
        ),
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if not data.get("add") and not data.get("remove") and not self.errors:
            raise forms.ValidationError(_("Enter a tag to add or to remove."))
        return data

    @property
    def change(self) -> BulkChange:
        """Change to each memory."""
        data = self.cleaned_data
        return BulkChange(
            add_tags=split_tags(data["add"])[:MAX_TAGS], remove_tags=split_tags(data["remove"])
        )


class CategoryForm(forms.Form):
    """The new category."""

    category = forms.ChoiceField(label=gettext_lazy("Category"), widget=forms.RadioSelect)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = cast("forms.ChoiceField", self.fields["category"])
        field.choices = category_choices()

    @property
    def change(self) -> BulkChange:
        """Change to each memory."""
        return BulkChange(category=self.cleaned_data["category"])


class ImportanceForm(forms.Form):
    """The new importance."""

    importance = forms.IntegerField(
        min_value=1,
        max_value=10,
        initial=5,
        label=gettext_lazy("Importance (1–10)"),
        widget=forms.NumberInput(attrs={"autofocus": True}),
    )

    @property
    def change(self) -> BulkChange:
        """Change to each memory."""
        return BulkChange(importance=self.cleaned_data["importance"])


class EndForm(forms.Form):
    """The new end."""

    valid_until = forms.DateField(
        required=False,
        label=gettext_lazy("Valid until"),
        help_text=gettext_lazy("Leave empty if they do not expire."),
        widget=DayInput(attrs={"autofocus": True}),
    )

    end_time = time_field()

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        check_end(self, data)
        return data

    @property
    def change(self) -> BulkChange:
        """Change to each memory."""
        valid_until, expires_at = end_in(self.cleaned_data)
        return BulkChange(
            valid_until=valid_until, expires_at=expires_at, clear_end=valid_until is None
        )


@dataclass(frozen=True)
class BulkAction:
    """An action on the selected memories."""

    form: type[TagsForm | CategoryForm | ImportanceForm | EndForm]
    #: The title of the dialog and its button, for a number of memories.
    title: Callable[[int], Promise]
    button: Promise


ACTIONS: Mapping[str, BulkAction] = {
    "tags": BulkAction(
        TagsForm,
        lambda count: ngettext_lazy("Tag %(number)s memory", "Tag %(number)s memories", count),
        gettext_lazy("Change tags"),
    ),
    "category": BulkAction(
        CategoryForm,
        lambda count: ngettext_lazy(
            "Set the category of %(number)s memory",
            "Set the category of %(number)s memories",
            count,
        ),
        gettext_lazy("Set category"),
    ),
    "importance": BulkAction(
        ImportanceForm,
        lambda count: ngettext_lazy(
            "Set the importance of %(number)s memory",
            "Set the importance of %(number)s memories",
            count,
        ),
        gettext_lazy("Set importance"),
    ),
    "end": BulkAction(
        EndForm,
        lambda count: ngettext_lazy(
            "Set the end date of %(number)s memory",
            "Set the end date of %(number)s memories",
            count,
        ),
        gettext_lazy("Set end date"),
    ),
}


@require_POST
def change(request: Request, what: str) -> HttpResponse:
    """Ask for the new values; then give them to the selected memories."""
    current = beside(request)
    action = ACTIONS.get(what)
    if action is None:
        raise Http404
    selection = RowSelection.parse(request.POST)
    memories = Memory.objects.in_instance(current.instance)
    matches = current.matches() if selection.everything else Matches()
    chosen = selection.of(memories, lambda: memories.filter(pk__in=matches.ids))
    form = action.form(request.POST if request.POST.get("confirmed") == "yes" else None)
    if form.is_bound and form.is_valid():
        try:
            result = change_all(current.instance, chosen, form.change, by=Actor(request.user))
        except Rejected as error:
            form.add_error(None, str(error))
        else:
            say_changed(request, result, current)
            return answer(request, current)
    ids = list(chosen.order_by("pk").values_list("pk", flat=True))
    context = selection.context(len(ids), ids[-1] if ids else None) | {
        "listing": current,
        "capped": matches.capped,
        "form": form,
        "what": what,
        "title": action.title(len(ids)) % {"number": grouped(len(ids))},
        "button": action.button,
    }
    if what == "tags":
        context["known_tags"] = suggested_tags(current.instance)
    status = 422 if form.is_bound else 200
    response = show(
        request, "memory/bulk_edit.html", "memory/_bulk_edit.html", context, status=status
    )
    if form.is_bound and request.htmx:
        # The form targets the list, where the answer to a valid form goes.
        response["HX-Retarget"] = "#dialog"
    return response


@require_POST
def undo(request: Request, batch: UUID) -> HttpResponse:
    """Undo a bulk change."""
    current = beside(request)
    count = undo_all(current.instance, batch, by=Actor(request.user))
    if count:
        text = ngettext("Undone for %(number)s memory.", "Undone for %(number)s memories.", count)
        messages.success(request, text % {"number": grouped(count)})
    else:
        messages.warning(request, _("It was undone already, or the memories have changed since."))
    return answer(request, current)


def say_changed(request: Request, result: BulkResult, current: Beside) -> None:
    """Show what a bulk change did, with a button that undoes it."""
    if result.count:
        text = ngettext("Changed %(number)s memory.", "Changed %(number)s memories.", result.count)
        messages.success(
            request,
            text % {"number": grouped(result.count)},
            extra_tags=f"{reverse('memory_bulk_undo', args=[result.batch])}?{current.query()}",
        )
    else:
        messages.info(request, _("Nothing was changed."))
    if result.full:
        text = ngettext(
            "%(number)s memory has %(limit)s tags already and got no more.",
            "%(number)s memories have %(limit)s tags already and got no more.",
            result.full,
        )
        messages.warning(request, text % {"number": grouped(result.full), "limit": MAX_TAGS})
