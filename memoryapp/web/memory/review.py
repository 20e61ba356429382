"""The queue of statements that wait for a person, source by source: to approve or to reject, alone
or all of a source.

Decisions can be undone for ten seconds; those about a whole source ask for confirmation.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import push_url

from conversations.models import Import
from instances.access import Request, visible_row, with_instance
from instances.actor import Actor
from instances.ids import parse_pk
from instances.models import ApiKey, Instance
from instances.url_state import URLState, parsed
from memoryapp.embeddings.backfill import open_fill_in_job
from memoryapp.forgetting.undo_buffer import UNDO_SECONDS, UndoToken
from memoryapp.forgetting.undo_copy import decision_fits
from memoryapp.models import HeldStatement, Memory
from memoryapp.pipeline import Rejected
from memoryapp.tasks.dispatch import hand_over_job
from memoryapp.trust.review import (
    MAX_AT_ONCE,
    DecidedAlready,
    ReviewResult,
    approve_all,
    approve_instead,
    approve_sharing,
    reject_undoably,
)
from memoryapp.web.layout import show
from memoryapp.web.memory.rollback_links import rollback_query
from memoryapp.web.memory.words import grouped
from memoryapp.web.sharing import undo_address

PER_PAGE = 50


@dataclass(frozen=True)
class ReviewList(URLState):
    """The state of the list, from its URL."""

    url_name = "review"

    instance: Instance
    page: str = parsed(str)


@dataclass(frozen=True)
class ShownStatement:
    """A held statement with the memories that it may contradict."""

    held: HeldStatement
    disputed: Sequence[Memory]


@dataclass(frozen=True)
class ReviewSource:
    """A conversation, a file or a program, with its statements on this page."""

    label: str
    #: Its own page; empty if it has none that the person may open.
    url: str
    #: The query string of its rollback; empty if there is none.
    rollback: str
    #: How many of its statements wait, on this page and on others.
    number: int
    statements: Sequence[ShownStatement]

    @property
    def first(self) -> HeldStatement:
        return self.statements[0].held


@require_GET
@with_instance("review")
def queue(request: Request, instance: Instance) -> HttpResponse:
    """List the statements that wait, source by source."""
    return _page(request, ReviewList.parse(request.GET, instance=instance))


def _page(
    request: Request, listing: ReviewList, undo_token: UndoToken | None = None
) -> HttpResponse:
    """Render the list, with the *undo_token* of a decision that can still be undone."""
    instance = listing.instance
    rows = HeldStatement.objects.waiting().filter(instance=instance)
    rows = rows.by_source().select_related("conversation", "message", "drawer")
    page = Paginator(rows.defer("message__search", "drawer__search"), PER_PAGE).get_page(
        listing.page
    )
    context = {
        "instance": instance,
        "section": "review",
        "page": page,
        "sources": _sources(instance, list(page)),
        "listing": listing,
        "undo_token": undo_token,
        "seconds": UNDO_SECONDS,
        "back": _address(listing),
        # An undo shows the list again without leaving it.
        "in_place": True,
    }
    return render(request, "memory/review.html", context)


def _address(listing: ReviewList) -> str:
    return f"{listing.path}?{listing.query()}"


@require_POST
def decide(request: Request, pk: int) -> HttpResponse:
    """Carry out the decision that the button names; about all of a source, ask first."""
    held = visible_row(request, HeldStatement.objects.waiting().select_related("instance"), pk)
    decision = request.POST.get("decision", "")
    of_source = SOURCE_DECISIONS.get(decision)
    if of_source and request.POST.get("confirmed") != "yes":
        return _confirmation(request, held, of_source)
    result = ReviewResult(0)
    try:
        result = _decided(request, held, decision)
    except DecidedAlready:
        messages.info(request, _("This has been decided already."))
    except Rejected as problem:
        messages.error(request, _("It was not approved. %(problem)s") % {"problem": problem})
    listing = ReviewList.parse(request.GET, instance=held.instance)
    # An undo token is shown in this response only.
    if result.undo_token is None and not request.htmx:
        return redirect(_address(listing))
    response = _page(request, listing, result.undo_token)
    return push_url(response, _address(listing)) if request.htmx else response


def _decided(request: Request, held: HeldStatement, decision: str) -> ReviewResult:
    """Carry out a decision, and say what it did."""
    by, instance = request.user, held.instance
    if decision == "instead":
        approve_instead(held, by=Actor(by))
        messages.success(request, _("Replaced: the earlier text is in the history."))
        return ReviewResult(1)
    if decision == "approve" and (row := held.to_share):
        text = _("Shared with %(name)s.") % {"name": approve_sharing(held, by=Actor(by))}
        messages.success(request, text, extra_tags=undo_address(row))
        result = ReviewResult(1)
    elif decision == "approve":
        result = approve_all(instance, [held], by=by)
        if result.problems:
            raise result.problems[0]
        messages.success(request, _with_warning(_("Approved: it is a memory now."), result))
    elif decision == "approve_source":
        rows = _of_source(request, held).order_by("pk")
        result = approve_all(instance, rows[:MAX_AT_ONCE], by=by)
        if result.lacks_vectors and (job := open_fill_in_job(instance, by=by)):
            hand_over_job(job.pk)
        _tell_approved(request, result)
    elif decision in ("reject", "reject_source"):
        same = _of_source(request, held).values_list("pk", flat=True)
        ids = list(same) if decision == "reject_source" else [held.pk]
        result = reject_undoably(instance, ids, by=by)
        text = ngettext(
            "Rejected %(number)s statement.", "Rejected %(number)s statements.", result.count
        )
        messages.success(request, _with_warning(text, result))
    else:
        result = ReviewResult(0)
    return result


def _with_warning(text: str, result: ReviewResult) -> str:
    """The *text* about a decision, with a warning if that cannot be undone."""
    told = text % {"number": grouped(result.count)}
    return (
        told if result.undo_token or not result.count else f"{told} {_('This cannot be undone.')}"
    )


def _of_source(request: Request, held: HeldStatement) -> QuerySet[HeldStatement]:
    """Statements that wait from the source of *held*, up to what the confirmation counted."""
    rows = HeldStatement.objects.from_the_source_of(held)
    until = parse_pk(request.POST.get("until", ""))
    return rows.filter(pk__lte=until) if until else rows


@dataclass(frozen=True)
class SourceDecision:
    """A decision about all that waits from a source, as the confirmation words it."""

    name: str
    title: Callable[[int], Promise]
    text: Promise
    button: Promise
    #: The class of its button, and how many statements it can be about.
    look: str
    limit: int | None = None


SOURCE_DECISIONS = {
    each.name: each
    for each in (
        SourceDecision(
            "approve_source",
            lambda n: ngettext_lazy(
                "Approve %(number)s statement?", "Approve %(number)s statements?", n
            ),
            gettext_lazy("They become memories, and the assistant uses them."),
            gettext_lazy("Approve"),
            "",
            MAX_AT_ONCE,
        ),
        SourceDecision(
            "reject_source",
            lambda n: ngettext_lazy(
                "Reject %(number)s statement?", "Reject %(number)s statements?", n
            ),
            gettext_lazy("Their texts are deleted, and they are not held again."),
            gettext_lazy("Reject"),
            "danger",
        ),
    )
}


def _confirmation(request: Request, held: HeldStatement, decision: SourceDecision) -> HttpResponse:
    """Ask whether to decide about all that waits from the source of *held*."""
    same = HeldStatement.objects.from_the_source_of(held).order_by("pk")
    waiting = list(same.values_list("pk", flat=True))
    ids = waiting[: decision.limit]
    listing = ReviewList.parse(request.GET, instance=held.instance)
    context = {
        "instance": held.instance,
        "section": "review",
        "held": held,
        "decision": decision,
        "title": decision.title(len(ids)) % {"number": grouped(len(ids))},
        "left": len(waiting) - len(ids),
        "until": ids[-1],
        "undoable": decision_fits(held.instance, ids),
        "seconds": UNDO_SECONDS,
        "back": _address(listing),
        "query": listing.query(),
    }
    return show(request, "memory/decide_all.html", "memory/_decide_all.html", context)


def _tell_approved(request: Request, result: ReviewResult) -> None:
    text = ngettext(
        "Approved %(number)s statement.", "Approved %(number)s statements.", result.count
    )
    if result.count:
        told = _with_warning(text, result)
        if result.lacks_vectors:
            told = f"{told} {_('Search finds them by words first, and by meaning in a moment.')}"
        messages.success(request, told)
    if result.problems:
        text = ngettext(
            "%(number)s statement could not be approved: %(problem)s",
            "%(number)s statements could not be approved, the first for this reason: %(problem)s",
            len(result.problems),
        )
        number = grouped(len(result.problems))
        messages.error(request, text % {"number": number, "problem": result.problems[0]})


def _sources(instance: Instance, page: Sequence[HeldStatement]) -> list[ReviewSource]:
    """Group the statements of a page, which are in the order of their sources."""
    disputed = Memory.objects.in_instance(instance).defer("search")
    memories = disputed.in_bulk({pk for held in page for pk in held.contradicts})
    prefixes = {held.via.rpartition(" ")[2] for held in page}
    keys = {key.prefix: key for key in instance.api_keys.filter(prefix__in=prefixes)}
    batches = {held.batch for held in page if held.batch and held.via == "import"}
    rows = instance.imports.filter(batch__in=batches)
    files: dict[UUID | None, Import] = {each.batch: each for each in rows}
    return [
        _source(
            instance,
            [
                ShownStatement(held, [memories[pk] for pk in held.contradicts if pk in memories])
                for held in of_source
            ],
            keys,
            files,
        )
        for _latest, of_source in groupby(page, attrgetter("latest"))
    ]


def _source(
    instance: Instance,
    statements: Sequence[ShownStatement],
    keys: Mapping[str, ApiKey],
    files: Mapping[UUID | None, Import],
) -> ReviewSource:
    held = statements[0].held
    *doors, prefix = held.via.split(" ")
    label, url, rollback = held.via, "", ""
    if held.conversation is not None:
        label, url = str(held.conversation), held.conversation.get_absolute_url()
        rollback = rollback_query(instance, conversation=held.conversation.pk)
    elif key := keys.get(prefix):
        label = f"{key.name} ({doors[0] if doors else 'api'})"
        rollback = rollback_query(instance, key=key.pk)
    elif held.via == "import" and (file := files.get(held.batch)):
        label, url = file.filename, file.get_absolute_url()
        rollback = rollback_query(instance, file=file.pk)
    elif held.via == "import":
        label = _("an imported file")
    return ReviewSource(label, url, rollback, held.from_source, statements)
