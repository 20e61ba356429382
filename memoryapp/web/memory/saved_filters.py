"""Saved filters: named states of the memory list.

They belong to a person and do not change the memory, so viewers may save them, too.
"""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST

from conversations.sanitizer import sanitize
from instances.access import Request, needs, visible_row
from instances.models import InstanceRole
from memoryapp.models import SavedFilter
from memoryapp.web.layout import show
from memoryapp.web.memory.listing import MemoryList
from memoryapp.web.memory.page import listing_of


class SavedFilterForm(forms.Form):
    """A name that the person has not used yet in this instance."""

    name = forms.CharField(max_length=60, label=gettext_lazy("Name"))

    def __init__(self, *args: object, saved: SavedFilter, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.saved = saved

    def clean_name(self) -> str:
        name = " ".join(sanitize(self.cleaned_data["name"]).split())
        others = SavedFilter.objects.filter(
            instance=self.saved.instance, user=self.saved.user
        ).exclude(pk=self.saved.pk)
        if not name:
            raise forms.ValidationError(_("Enter a name."))
        if others.filter(name=name).exists():
            raise forms.ValidationError(
                _("You already have a filter called “%(name)s”.") % {"name": name}
            )
        if others.count() >= SavedFilter.MAX_PER_PERSON:
            raise forms.ValidationError(
                ngettext(
                    "You have %(number)s saved filter here. Delete it to save another.",
                    "You have %(number)s saved filters here. Delete one to save another.",
                    SavedFilter.MAX_PER_PERSON,
                )
                % {"number": SavedFilter.MAX_PER_PERSON}
            )
        return name


@require_http_methods(["GET", "POST"])
@needs(InstanceRole.VIEWER)
def saved(request: Request) -> HttpResponse:
    """List the person's own filters, and save the filter of the URL under a name."""
    current = listing_of(request)
    filter_ = SavedFilter(instance=current.instance, user=request.user, query=current.saved_query)
    form = SavedFilterForm(request.POST or None, saved=filter_)
    if request.method == "POST" and filter_.query and form.is_valid():
        filter_.name = form.cleaned_data["name"]
        filter_.save()
        return _done(request, current, _("Saved as “%(name)s”."), filter_, redirect(filter_))
    return _screen(request, current, {"saving": form, "new": filter_})


@require_POST
@needs(InstanceRole.VIEWER)
def rename(request: Request, pk: int) -> HttpResponse:
    """Rename a filter."""
    filter_ = _own(request, pk)
    current = listing_of(request, filter_.instance)
    form = SavedFilterForm(request.POST, saved=filter_)
    if not form.is_valid():
        return _screen(request, current, {"renaming": filter_, "renamed": form})
    filter_.name = form.cleaned_data["name"]
    filter_.save(update_fields=["name"])
    return _done(request, current, _("Renamed to “%(name)s”."), filter_)


@require_POST
@needs(InstanceRole.VIEWER)
def delete(request: Request, pk: int) -> HttpResponse:
    """Delete the filter; memories are not affected."""
    filter_ = _own(request, pk)
    current = listing_of(request, filter_.instance)
    filter_.delete()
    text = _("Deleted the filter “%(name)s”. The memories stay.")
    return _done(request, current, text, filter_)


def _own(request: Request, pk: int) -> SavedFilter:
    return visible_row(request, SavedFilter.objects.filter(user=request.user), pk)


def _done(
    request: Request,
    current: MemoryList,
    text: str,
    filter_: SavedFilter,
    elsewhere: HttpResponse | None = None,
) -> HttpResponse:
    """Say *text* of what was done to *filter_*: in the sheet for htmx, else on the next page."""
    text %= {"name": filter_}
    if request.htmx:
        return _screen(request, current, {"note": text}, status=200)
    messages.success(request, text)
    return elsewhere or redirect(f"{reverse('filters')}?instance={current.instance.slug}")


def _screen(
    request: Request, current: MemoryList, context: dict[str, object], status: int | None = None
) -> HttpResponse:
    own = request.user.saved_filters.filter(instance=current.instance).select_related("instance")
    context = {
        "section": "memory",
        "listing": current,
        "saved": list(own),
        "saved_query": current.saved_query,
    } | context
    status = status or (422 if request.method == "POST" else 200)
    return show(request, "memory/saved_filters.html", "memory/_saved.html", context, status=status)
