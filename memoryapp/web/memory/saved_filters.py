"""Saved filters: named states of the memory list.

They belong to a person and do not change the memory, so viewers may save them, too.
"""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from conversations.sanitizer import sanitize
from instances.access import Request, needs, visible_row
from instances.models import Instance, InstanceRole
from memoryapp.models import SavedFilter
from memoryapp.web.memory.page import listing_of


class SavedFilterForm(forms.Form):
    """A name that the person has not used yet in this instance."""

    name = forms.CharField(max_length=60, label="Name")

    def __init__(self, *args: object, saved: SavedFilter, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.saved = saved

    def clean_name(self) -> str:
        name = " ".join(sanitize(self.cleaned_data["name"]).split())
        others = SavedFilter.objects.filter(
            instance=self.saved.instance, user=self.saved.user
        ).exclude(pk=self.saved.pk)
        if not name:
            raise forms.ValidationError("Write a name.")
        if others.filter(name=name).exists():
            raise forms.ValidationError(f"There is a saved filter “{name}” already.")
        if others.count() >= SavedFilter.MAX_PER_PERSON:
            raise forms.ValidationError(
                f"You have {SavedFilter.MAX_PER_PERSON} saved filters here. "
                "Delete one to save another."
            )
        return name


@require_http_methods(["GET", "POST"])
@needs(InstanceRole.VIEWER)
def saved(request: Request) -> HttpResponse:
    """List the person's own filters, and save the filter of the URL under a name."""
    current = listing_of(request)
    query = current.query(instance="", page="")
    filter_ = SavedFilter(instance=current.instance, user=request.user, query=query)
    form = SavedFilterForm(request.POST or None, saved=filter_)
    if request.method == "POST" and query and form.is_valid():
        filter_.name = form.cleaned_data["name"]
        filter_.save()
        messages.success(request, f"Saved as “{filter_}”.")
        return redirect(filter_)
    return _screen(request, current.instance, {"form": form, "listing": current, "new": filter_})


@require_POST
@needs(InstanceRole.VIEWER)
def rename(request: Request, pk: int) -> HttpResponse:
    """Rename a filter."""
    filter_ = _own(request, pk)
    form = SavedFilterForm(request.POST, saved=filter_)
    if not form.is_valid():
        return _screen(request, filter_.instance, {"renaming": filter_, "renamed": form})
    filter_.name = form.cleaned_data["name"]
    filter_.save(update_fields=["name"])
    messages.success(request, f"It is called “{filter_}” now.")
    return redirect(_list_of(filter_.instance))


@require_POST
@needs(InstanceRole.VIEWER)
def delete(request: Request, pk: int) -> HttpResponse:
    """Delete the filter; memories are not affected."""
    filter_ = _own(request, pk)
    filter_.delete()
    messages.success(request, f"Deleted the filter “{filter_}”. The memories stay.")
    return redirect(_list_of(filter_.instance))


def _own(request: Request, pk: int) -> SavedFilter:
    return visible_row(request, SavedFilter.objects.filter(user=request.user), pk)


def _list_of(instance: Instance) -> str:
    return f"{reverse('filters')}?instance={instance.slug}"


def _screen(request: Request, instance: Instance, context: dict[str, object]) -> HttpResponse:
    filters = list(request.user.saved_filters.filter(instance=instance).select_related("instance"))
    return render(
        request,
        "memory/saved_filters.html",
        {"section": "memory", "filters": filters} | context,
        status=422 if request.method == "POST" else 200,
    )
