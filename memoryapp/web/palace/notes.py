"""Writing and editing notes in the palace. They are deleted like any drawer."""

from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Max
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from instances.access import Request, needs
from instances.actor import Actor
from instances.models import InstanceRole
from instances.url_state import is_way_back
from memoryapp.models import Drawer, Wing, WingKind
from memoryapp.palace.filing import GENERAL
from memoryapp.palace.notes import MAX_NOTE_CHARACTERS, NewNote, NoteRefused, add_note, change_note
from memoryapp.web.layout import show
from memoryapp.web.palace.listing import PalaceListing, Spot
from memoryapp.web.palace.views import (
    Beside,
    answer,
    beside,
    context_of,
    listing_of,
    visible_drawer,
)
from memoryapp.web.sharing import end_sharing, share_or_propose

#: Names of wings that the form proposes.
MAX_PROPOSED = 100


class TextForm(forms.Form):
    """The text of a note."""

    text = forms.CharField(
        label=_("Text"),
        strip=False,
        widget=forms.Textarea(
            attrs={"rows": 6, "maxlength": MAX_NOTE_CHARACTERS, "autofocus": True}
        ),
    )


class NoteForm(TextForm):
    """A new note, with its place."""

    wing = forms.CharField(
        max_length=200,
        label=_("Subject"),
        help_text=_("Who or what it is about. A new name creates a new subject."),
        widget=forms.TextInput(attrs={"list": "wings", "autocomplete": "off", "dir": "auto"}),
    )
    topic = forms.CharField(
        max_length=200,
        required=False,
        label=_("Topic"),
        help_text=format_lazy(_("Default: {topic}"), topic=GENERAL),
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )
    kind = forms.ChoiceField(
        choices=WingKind.choices,
        initial=WingKind.TOPIC,
        label=_("Kind of a new subject"),
    )
    end_user = forms.CharField(
        required=False,
        max_length=200,
        label=_("Person"),
        help_text=_("Only if the assistant serves several people."),
    )


@require_http_methods(["GET", "POST"])
@needs(InstanceRole.MEMBER)
def new_note(request: Request) -> HttpResponse:
    """Write a note; it is filed in its wing next to the messages."""
    current = listing_of(request)
    form = NoteForm(request.POST or None, initial=_proposed(current))
    if form.is_valid():
        data = form.cleaned_data
        try:
            note = add_note(
                current.instance,
                NewNote(
                    data["text"],
                    wing=data["wing"],
                    topic=data["topic"],
                    end_user=data["end_user"],
                    kind=WingKind(data["kind"]),
                ),
                by=Actor(request.user),
            )
        except NoteRefused as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, gettext("Note saved as %(pointer)s.") % {"pointer": note})
            _warn_of_redactions(request, data["text"], note)
            place = PalaceListing(current.instance, Spot.of_closet(note.closet))
            return answer(request, place, note)
    return _form(request, current, {"form": form})


@require_http_methods(["GET", "POST"])
@needs(InstanceRole.MEMBER)
def edit_note(request: Request, pk: int) -> HttpResponse:
    """Change the text of a note; its pointer stays."""
    note = visible_drawer(request, pk)
    if note.message_id is not None:
        raise Http404  # Messages are not edited.
    current = beside(request, note)
    form = TextForm(request.POST or None, initial={"text": note.note})
    if form.is_valid():
        try:
            changed = change_note(note, form.cleaned_data["text"], by=Actor(request.user))
        except NoteRefused as error:
            form.add_error(None, str(error))
        except Drawer.DoesNotExist as error:
            raise Http404 from error
        else:
            messages.success(request, gettext("Note saved."))
            _warn_of_redactions(request, form.cleaned_data["text"], changed)
            return answer(request, current, changed)
    return _form(request, current, {"form": form, "editing": note})


@require_POST
@needs(InstanceRole.MEMBER)
def share_note(request: Request, pk: int) -> HttpResponse:
    """Share a note with a group, or propose it."""
    note = visible_drawer(request, pk)
    current = beside(request, note)
    share_or_propose(request, note, query=current.beside)
    return answer(request, current, note)


@require_POST
@needs(InstanceRole.MEMBER)
def unshare_note(request: Request, pk: int) -> HttpResponse:
    """Have the group told a note no longer."""
    note = visible_drawer(request, pk)
    current = beside(request, note)
    end_sharing(request, note)
    back = request.POST.get("next", "")
    return redirect(back) if is_way_back(back) else answer(request, current, note)


def _proposed(current: PalaceListing) -> dict[str, Any]:
    """Return the defaults of a note: the current place."""
    spot = current.spot
    among_notes = spot.closet and spot.room and spot.room.conversation_id is None
    return {
        "wing": spot.wing.name if spot.wing else "",
        "topic": spot.closet.name if spot.closet and among_notes else "",
        "end_user": spot.wing.end_user if spot.wing else current.user,
    }


def _warn_of_redactions(request: Request, text: str, note: Drawer) -> None:
    if "[REDACTED" in note.note and "[REDACTED" not in text:
        messages.warning(
            request, gettext("A secret was replaced by a placeholder before the note was saved.")
        )


def _form(request: Request, current: Beside, context: dict[str, Any]) -> HttpResponse:
    wings = Wing.objects.filter(instance=current.instance)
    latest = wings.annotate(at=Max("rooms__created_at")).order_by("-at", "number")
    context |= {
        "list": current,
        "wings": list(latest.values_list("name", flat=True)[:MAX_PROPOSED]),
    }
    if not request.htmx:
        context = context_of(current) | context
    status = 422 if request.method == "POST" else 200
    response = show(
        request, current.page_template, "palace/_note_form.html", context, status=status
    )
    if request.htmx and request.method == "POST":
        response["HX-Retarget"] = "#panel"
    return response
