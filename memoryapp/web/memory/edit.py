"""Writing and correcting memories by hand, and undoing corrections."""

from collections.abc import Callable
from dataclasses import fields, replace
from datetime import datetime
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import retarget

from instances.access import Request, needs
from instances.actor import Actor
from instances.models import Instance, InstanceRole
from instances.tiers import Tier
from memoryapp.models import Memory, MemoryRevision, Origin
from memoryapp.pipeline import (
    Candidate,
    Changed,
    Changes,
    KeyTaken,
    NotTheNewest,
    Outcome,
    Rejected,
    RememberOptions,
    Suppressed,
    Writer,
    keep_both,
    remember,
    restore,
    revise,
    undo,
)
from memoryapp.policy.dedup import Action
from memoryapp.web.layout import show
from memoryapp.web.memory.bulk_edit import ImportanceForm
from memoryapp.web.memory.forms import MemoryForm, NewMemoryForm, RowForm, end_in
from memoryapp.web.memory.listing import MemoryList, MemoryRow, for_rows
from memoryapp.web.memory.page import (
    Beside,
    add_messages,
    address_of,
    answer,
    beside,
    context_of,
    listing_of,
    panel_context,
    visible_memory,
)
from memoryapp.web.memory.tags import suggested_tags
from memoryapp.web.version_token import parse_token

WHAT_HAPPENED = {
    Action.STORED: gettext_lazy("Remembered."),
    Action.UPDATED: gettext_lazy(
        "An existing memory was updated with this text. The old text is in its history."
    ),
    # Only on the profile, whose form does not ask.
    Action.DUPLICATE: gettext_lazy("This memory exists already: nothing was added."),
}
NOT_TAKEN = gettext_lazy(
    "The current value of this key comes from a more trusted source and stays. What you wrote is "
    "in its history, where you can still choose it."
)


@require_http_methods(["GET", "POST"])
@needs(InstanceRole.MEMBER)
def new(request: Request) -> HttpResponse:
    """Write a memory by hand; it passes the same pipeline as any other."""
    current = beside(request)
    instance = current.instance
    form = NewMemoryForm(
        request.POST or None,
        owner=instance,
        initial={"conversation": request.GET.get("conversation")},
    )
    by = Actor(request.user)
    known = _to_replace(request, instance)
    write = partial(replace_from, form, *known, by) if known else None
    form.known = known[0] if known else None
    outcome = submit(form, write or partial(remember_from, form, instance, by))
    if known and outcome is not None:
        _say_saved(request, outcome, current)
        return answer(request, current, outcome.memory)
    if outcome is not None and outcome.action is Action.DUPLICATE and not outcome.not_taken:
        form.known = outcome.memory
    elif outcome is not None:
        # Next to an unfiltered list, which contains it in any case.
        everything = MemoryList(instance)
        add_messages(
            request, what_happened(outcome), outcome, undo=undo_address(outcome, everything)
        )
        return answer(request, everything, outcome.memory)
    return _form(request, current, {"form": form, "editing": None, "listing": current})


@require_http_methods(["GET", "POST"])
@needs(InstanceRole.MEMBER)
def edit(request: Request, pk: int) -> HttpResponse:
    """Correct a memory by hand; the earlier text stays in its history."""
    memory = visible_memory(request, pk)
    current = beside(request, memory.instance)
    form = MemoryForm(request.POST or None, instance=memory)
    outcome = submit(form, partial(revise_from, form, memory, Actor(request.user)))
    if outcome is not None:
        _say_saved(request, outcome, current)
        return answer(request, current, outcome.memory)
    return _form(request, current, {"form": form, "editing": memory, "listing": current})


@require_http_methods(["GET", "POST"])
def row(request: Request, pk: int) -> HttpResponse:
    """Correct a memory in its row (needs JavaScript); show the present row."""
    memory = visible_memory(request, pk)
    current = listing_of(request, memory.instance)
    if not request.htmx:
        return redirect(address_of(current, memory))
    form = RowForm(request.POST or None, instance=memory)
    panel = {}
    if request.method == "POST":
        outcome = submit(form, partial(revise_from, form, memory, Actor(request.user)))
        if outcome is None:
            return _row_form(request, current, form, status=422)
        _say_saved(request, outcome, current)
        if _is_open(request, memory.pk):
            panel = panel_context(outcome.memory, current)
    elif request.GET.get("edit"):
        return _row_form(request, current, form)
    shown = for_rows(memory.instance, memory.row()).get()
    context = {
        "listing": current,
        "row": MemoryRow(shown, shown.content),
        "today": timezone.localdate(),
    }
    return show(request, "memory/_row_response.html", "memory/_row_response.html", context | panel)


@require_POST
def importance(request: Request, pk: int) -> HttpResponse:
    """Give a memory another importance, which was tried for a question."""
    memory = visible_memory(request, pk)
    current = beside(request, memory.instance)
    form = ImportanceForm(request.POST)
    if form.is_valid():
        changes = replace(Changes.of(memory), importance=form.cleaned_data["importance"])
        try:
            _say_saved(request, revise(memory, changes, by=Actor(request.user)), current)
        except Rejected as error:
            messages.warning(request, _("Not saved. %(problem)s") % {"problem": error})
    return answer(request, current, memory)


@require_POST
def restore_revision(request: Request, pk: int, revision: int) -> HttpResponse:
    """Restore an earlier text."""
    memory = visible_memory(request, pk)
    revisions = memory.revisions.select_related("memory__instance")
    earlier = get_object_or_404(
        revisions.prefetch_related("memory__instance__secrets"), pk=revision
    )
    current = beside(request, memory.instance)
    try:
        outcome = restore(earlier, by=Actor(request.user))
    except Rejected as error:
        messages.warning(request, _("Not restored. %(problem)s") % {"problem": error})
        return answer(request, current, memory)
    if outcome.action is Action.UPDATED:
        text = (
            _("Restored. The previous text is in its history.")
            if outcome.reworded
            else _("Restored. How it was before is in its history.")
        )
    else:
        text = _("This is the current text already: nothing was changed.")
    add_messages(request, text, outcome, undo=undo_address(outcome, current))
    return answer(request, current, outcome.memory)


@require_POST
def undo_change(request: Request, pk: int, revision: int) -> HttpResponse:
    """Undo the newest change of a memory, which is named by its revision."""
    return _undo(
        request,
        pk,
        revision,
        lambda change, by: undo(change, by=by),
        _("Undone. The memory is as it was before that change."),
    )


@require_POST
def keep_both_instead(request: Request, pk: int, revision: int) -> HttpResponse:
    """Undo that a statement changed a memory, and store the statement as its own memory."""
    success = _("Both are kept: the earlier memory is as it was, and this is a new one.")
    joined = MemoryRevision.objects.filter(pk=revision, reason=MemoryRevision.Reason.JOINED)
    if joined.exists():
        success = _("Separated again: these are two memories, as before the merge.")
    return _undo(
        request,
        pk,
        revision,
        lambda change, by: keep_both(change, by=by)[1],
        success,
    )


def _to_replace(request: Request, instance: Instance) -> tuple[Memory, datetime] | None:
    """Return the memory that the person chose to replace, and the version that they saw."""
    token = parse_token(request.POST.get("replace", ""))
    known = Memory.objects.in_instance(instance).filter(pk=token[0]).first() if token else None
    return (known, token[1]) if token and known else None


def _undo(
    request: Request,
    pk: int,
    revision: int,
    undo_: Callable[[MemoryRevision, Actor], Memory],
    success: str,
) -> HttpResponse:
    memory = visible_memory(request, pk)
    current = beside(request, memory.instance)
    try:
        # It no longer exists after a second click, or a click in another window.
        change = memory.revisions.select_related("memory__instance").filter(pk=revision).first()
        if change is None:
            raise NotTheNewest
        memory = undo_(change, Actor(request.user))
    except NotTheNewest as error:
        messages.warning(request, str(error))
    else:
        messages.success(request, success)
    # The list stays as it is: only where the memory is open, it is shown again.
    is_open = not request.htmx or _is_open(request, memory.pk)
    return answer(request, current, memory if is_open else None)


def _is_open(request: Request, pk: int) -> bool:
    """True if the page that asks shows the memory *pk* next to the list."""
    return urlsplit(request.htmx.current_url or "").path == reverse("memory", args=[pk])


def submit(form: MemoryForm, write: Callable[[], Outcome]) -> Outcome | None:
    """Call *write* if *form* is valid; return None, with the errors in the form, if it is not or
    the pipeline rejects it.
    """
    if not form.is_bound or not form.is_valid():
        return None
    try:
        return write()
    except Suppressed:
        form.asks_to_lift = True
        form.add_error("content", _("This was deleted with “Don’t learn this again”."))
        return None
    except Changed:
        present = Memory.objects.get(pk=(form.known or form.instance).pk)
        form.show_changed(present)
        form.known = form.known and present
        return None
    except Rejected as error:
        taken = isinstance(error, KeyTaken) and "key" in form.fields
        form.add_error("key" if taken else "content", str(error))
        return None


def remember_from(form: MemoryForm, instance: Instance, by: Actor, end_user: str = "") -> Outcome:
    """Store a new memory; fields that *form* does not have get their defaults."""
    data = form.cleaned_data
    valid_until, expires_at = end_in(data)
    candidate = Candidate(
        data["content"],
        category=data["category"] or None,
        importance=data.get("importance"),
        tags=data.get("tags", ()),
        valid_until=valid_until,
        expires_at=expires_at,
        key=data["key"],
        value=data["value"],
        end_user=data["end_user"].strip() if "end_user" in data else end_user,
        conversation_id=data.get("conversation"),
        keep_apart=data.get("keep_apart", False),
    )
    writer = Writer(Origin.MANUAL, by, tier=Tier.PERSON)
    # A person waits: what a model says of importance and dates comes later.
    lifting = data.get("lift", False)
    (outcome,) = remember(
        instance, [candidate], writer, RememberOptions(assess_later=True, lift_rules=lifting)
    )
    return outcome


def replace_from(form: MemoryForm, known: Memory, version: datetime, by: Actor) -> Outcome:
    """Give *known* the text of *form*, a new statement, and what else was changed in the form."""
    data, present = form.cleaned_data, Changes.of(known)
    data["valid_until"], data["expires_at"] = end_in(data)
    names = {field.name for field in fields(Changes)} & {"content", *form.changed_data}
    for together in ({"key", "value"}, {"valid_until", "expires_at"}):
        if together & names:
            names |= together
    changes = replace(present, **{name: data[name] for name in names})
    return revise(known, changes, by=by, version=version, said_at=timezone.now())


def what_happened(outcome: Outcome) -> str:
    """Return the message about a new memory."""
    return str(NOT_TAKEN if outcome.not_taken else WHAT_HAPPENED[outcome.action])


def revise_from(form: MemoryForm, memory: Memory, by: Actor) -> Outcome:
    """Correct *memory*; fields that *form* does not have stay as they are."""
    data = form.cleaned_data
    valid_until, expires_at = memory.valid_until, memory.expires_at
    # A form without the time leaves it, unless the day is another one.
    if "end_time" in data or data.get("valid_until", valid_until) != valid_until:
        valid_until, expires_at = end_in(data)
    changes = Changes(
        data["content"],
        data["category"],
        data.get("importance", memory.importance),
        data.get("tags", memory.tags),
        valid_until,
        expires_at,
        key=data.get("key"),
        value=data.get("value"),
    )
    return revise(memory, changes, by=by, version=data.get("version"))


def _say_saved(request: Request, outcome: Outcome, current: Beside) -> None:
    add_messages(request, what_was_saved(outcome), outcome, undo=undo_address(outcome, current))


def what_was_saved(outcome: Outcome) -> str:
    """Return the message about a correction."""
    if outcome.action is not Action.UPDATED:
        return _("Nothing was changed.")
    if outcome.reworded:
        return _("Saved. The previous text is in its history.")
    return _("Saved.")


def undo_address(outcome: Outcome, current: Beside) -> str:
    """Return the address that undoes the last change; empty if nothing was changed."""
    if outcome.action is not Action.UPDATED:
        return ""
    versions = MemoryRevision.objects.versions().filter(memory=outcome.memory)
    newest = versions.values_list("pk", flat=True)[0]
    return f"{reverse('memory_undo', args=[outcome.memory.pk, newest])}?{current.beside}"


def _row_form(
    request: Request, current: MemoryList, form: RowForm, *, status: int = 200
) -> HttpResponse:
    context = {"form": form, "listing": current, "memory_row": form.instance}
    return show(request, "memory/_row_form.html", "memory/_row_form.html", context, status=status)


def _form(request: Request, current: Beside, context: dict[str, Any]) -> HttpResponse:
    status = 422 if request.method == "POST" else 200
    context |= {"known_tags": suggested_tags(current.instance)}
    if not request.htmx:
        context = context_of(request, current) | context
    response = show(request, current.page_template, "memory/_form.html", context, status=status)
    # The form targets the list, where the response to a valid form goes.
    return retarget(response, "#panel") if request.htmx else response
