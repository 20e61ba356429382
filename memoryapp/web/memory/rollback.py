"""The rollback of a source: what it has done, what that has led to, and taking it back."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from conversations.models import Conversation, Import, Role
from conversations.url_text import filter_text
from instances.access import Request, managed_instance, needs, visible_row
from instances.ids import parse_pk
from instances.models import Instance, InstanceRole
from instances.url_state import FilterChip, URLState, one_of, parsed
from memoryapp.forgetting import undo_copy
from memoryapp.forgetting.undo_buffer import UNDO_SECONDS
from memoryapp.models import Memory, MemoryRevision, MemorySource
from memoryapp.models.archived_memories import KEPT_FOR
from memoryapp.trust.change_source import SAVED_BY_ASSISTANT, ChangeSource
from memoryapp.trust.influence import answers_with, influence_of
from memoryapp.trust.rollback import RollbackEffect, effect_of, take_back
from memoryapp.web.days import MAX_YEAR, MIN_YEAR
from memoryapp.web.memory.history import word_diff
from memoryapp.web.memory.listing import MemoryList, for_rows
from memoryapp.web.memory.page import answer
from memoryapp.web.memory.words import grouped, source_in_words

PER_PAGE = 20
#: Imports that can be chosen, the latest first.
MAX_IMPORTS = 50

#: The parts of what a source has done.
PARTS = {
    "stored": gettext_lazy("Added"),
    "changed": gettext_lazy("Changed"),
    "staying": gettext_lazy("Stays"),
    "waiting": gettext_lazy("Waits for review"),
    "answers": gettext_lazy("Answers that used it"),
}


def parse_moment(text: str) -> datetime | None:
    """Return the moment in *text*, of the time zone of the screens unless it names one; None if
    there is none, or its year is absurd.
    """
    try:
        moment = parse_datetime(text)
    except ValueError:
        return None
    if moment is None or not MIN_YEAR <= moment.year <= MAX_YEAR:
        return None
    return moment if timezone.is_aware(moment) else timezone.make_aware(moment)


@dataclass(frozen=True)
class RollbackPage(URLState):
    """The state of the page, from its URL."""

    url_name = "rollback"

    instance: Instance
    key: int | None = parsed(parse_pk)
    conversation: int | None = parsed(parse_pk)
    file: int | None = parsed(parse_pk)
    tool: str = parsed(filter_text)
    since: datetime | None = parsed(parse_moment)
    until: datetime | None = parsed(parse_moment)
    part: str = one_of(PARTS)
    page: str = parsed(str)

    @property
    def source(self) -> ChangeSource | None:
        """The source that is chosen; None if one of the ids is not of the instance."""
        found: dict[str, Any] = {}
        conversations = Conversation.objects.filter(instance=self.instance)
        for name, rows, pk in (
            ("key", self.instance.api_keys.all(), self.key),
            ("conversation", conversations, self.conversation),
            ("import_", self.instance.imports.all(), self.file),
        ):
            found[name] = rows.filter(pk=pk).first() if pk else None
            if pk and found[name] is None:
                return None
        return ChangeSource(
            self.instance, tool=self.tool, since=self.since, until=self.until, **found
        )


@dataclass(frozen=True)
class ImportRollbackPage(RollbackPage):
    """The same of one import, under its own address."""

    @property
    def path(self) -> str:
        """The path of the page."""
        return reverse("import_take_back", args=[self.file])


@dataclass(frozen=True)
class ShownEffect:
    """A memory and what becomes of it."""

    memory: Memory
    #: What it will say again; None if it goes or stays.
    before: MemoryRevision | None = None

    @property
    def diff(self) -> list[tuple[str, str]]:
        """The change that the source made, as `word_diff` tells it."""
        return word_diff(self.before.content, self.memory.content) if self.before else []


@require_http_methods(["GET", "POST"])
def rollback(request: Request) -> HttpResponse:
    """Choose a source, and show what it has done; a POST takes that back."""
    instance = managed_instance(request, request.GET.get("instance", ""))
    state = RollbackPage.parse(request.GET, instance=instance)
    return _answer(request, state, {"section": "rollback", "choices": _choices(instance)})


@require_http_methods(["GET", "POST"])
@needs(InstanceRole.MEMBER)
def take_back_import(request: Request, pk: int) -> HttpResponse:
    """The same for one import, for members."""
    import_ = visible_row(request, Import.objects.all(), pk)
    state = ImportRollbackPage.parse(request.GET, instance=import_.instance, file=import_.pk)
    section = "memory" if import_.is_of_memories else "conversations"
    return _answer(request, state, {"section": section, "import": import_})


def _answer(request: Request, state: RollbackPage, context: dict[str, Any]) -> HttpResponse:
    source = state.source
    if source is None:
        raise Http404
    context |= {"state": state, "source": source}
    if source.is_empty:
        return render(request, "memory/rollback.html", context)
    import_ = source.import_
    if import_ and not import_.is_over:
        messages.warning(request, _("The import is not over yet. Cancel it first, or wait."))
        return redirect(import_)
    if request.method == "POST":
        return _done(request, source)
    effect = effect_of(source)
    influence = influence_of(source, effect)
    counts = {
        "stored": len(effect.stored),
        "changed": len(effect.changed),
        "staying": len(effect.staying),
        "waiting": effect.waiting,
        "answers": influence.answers,
    }
    part = state.part or next((name for name in PARTS if counts[name]), "stored")
    page = Paginator[Any](_rows_of(part, source, effect), PER_PAGE).get_page(state.page)
    context |= {
        "effect": effect,
        "influence": influence,
        "parts": [
            FilterChip(str(label), state.query(part=name, page=""), name == part, counts[name])
            for name, label in PARTS.items()
        ],
        "part": part,
        "page": page,
        "rows": _shown(part, source.instance, effect, page.object_list),
        "source_in_words": source_in_words(source),
        "undoable": undo_copy.fits(source.instance, effect.ids, effect.removal),
        "seconds": UNDO_SECONDS,
        "days": KEPT_FOR.days,
    }
    return render(request, "memory/rollback.html", context)


def _done(request: Request, source: ChangeSource) -> HttpResponse:
    effect, result = take_back(source, by=request.user)
    if effect:
        head = _("Rolled back %(source)s:") % {"source": source_in_words(source)}
        messages.success(request, f"{head} {', '.join(_parts_done(effect))}.")
    else:
        messages.warning(request, _("There was nothing left to roll back."))
    listing = MemoryList.parse(QueryDict(), instance=source.instance)
    return answer(request, listing, undo_token=result.undo_token)


def _parts_done(effect: RollbackEffect) -> list[str]:
    """The parts of the sentence that says what a rollback did."""
    conversations = len(effect.removal.conversations)
    parts = [
        (
            conversations,
            ngettext("%(n)s conversation deleted", "%(n)s conversations deleted", conversations),
        ),
        (
            len(effect.stored),
            ngettext(
                "%(n)s memory moved to the bin",
                "%(n)s memories moved to the bin",
                len(effect.stored),
            ),
        ),
        (
            len(effect.changed),
            ngettext(
                "%(n)s memory restored to its earlier text",
                "%(n)s memories restored to their earlier texts",
                len(effect.changed),
            ),
        ),
        (
            effect.waiting,
            ngettext(
                "%(n)s statement for review deleted",
                "%(n)s statements for review deleted",
                effect.waiting,
            ),
        ),
    ]
    done = [text % {"n": grouped(number)} for number, text in parts if number]
    return done or [_("reading stopped")]


def _rows_of(part: str, source: ChangeSource, effect: RollbackEffect) -> Any:
    """Rows that a part lists: ids of memories, or rows."""
    if part == "waiting":
        return source.held().select_related("conversation").order_by("-pk")
    if part == "answers":
        answers = answers_with(source, effect).select_related("conversation", "message", "reply")
        return answers.defer("message__search", "reply__search")
    ids = {"changed": [*effect.changed], "staying": effect.staying}.get(part, effect.stored)
    return sorted(ids, reverse=True)


def _shown(part: str, instance: Instance, effect: RollbackEffect, listed: Any) -> Sequence[Any]:
    if part in ("waiting", "answers"):
        return list(listed)
    memories = for_rows(instance, Memory.objects.filter(pk__in=listed)).in_bulk()
    before = {effect.changed[pk][-1]: pk for pk in listed if pk in effect.changed}
    versions = MemoryRevision.objects.filter(instance=instance, pk__in=before)
    revisions = {before[revision.pk]: revision for revision in versions}
    return [ShownEffect(memories[pk], revisions.get(pk)) for pk in listed if pk in memories]


def _choices(instance: Instance) -> dict[str, Any]:
    """Choices of a source."""
    results = MemorySource.objects.filter(instance=instance, message__role=Role.TOOL)
    tools = set(results.order_by().values_list("message__tool_name", flat=True).distinct())
    if MemorySource.objects.filter(instance=instance, via="assistant").exists():
        tools.add(SAVED_BY_ASSISTANT)
    files = instance.imports.filter(state=Import.State.SUCCEEDED).order_by("-pk")
    return {
        "keys": list(instance.api_keys.all()),
        "files": list(files.only("filename", "created_at", "instance")[:MAX_IMPORTS]),
        "tools": sorted(tools - {""}),
    }
