"""The queue of statements that wait for a person: to approve or to reject, alone or by source."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from instances.access import Request, visible_row, with_instance
from instances.actor import Actor
from instances.models import ApiKey, Instance
from instances.url_state import URLState, parsed
from memoryapp.models import HeldStatement, Memory
from memoryapp.pipeline import Rejected
from memoryapp.pipeline.review import DecidedAlready, approve, approve_instead, reject
from memoryapp.web.memory.rollback_links import rollback_query
from memoryapp.web.memory.words import grouped

PER_PAGE = 20
#: Statements of one source that are approved at once.
MAX_AT_ONCE = 500

Source = tuple[int | None, str, object]


@dataclass(frozen=True)
class ReviewList(URLState):
    """The state of the list, from its URL."""

    url_name = "review"

    instance: Instance
    page: str = parsed(str)


@dataclass(frozen=True)
class ShownStatement:
    """A held statement with what a person needs to decide about it."""

    held: HeldStatement
    disputed: Sequence[Memory]
    #: Where it comes from, if not from a conversation.
    source: str
    #: How many wait from the same source.
    from_source: int
    #: The query string of the rollback of its source; empty if that is none.
    rollback: str


@require_GET
@with_instance("review")
def queue(request: Request, instance: Instance) -> HttpResponse:
    """List the statements that wait, latest first."""
    listing = ReviewList.parse(request.GET, instance=instance)
    rows = HeldStatement.objects.waiting().filter(instance=instance)
    rows = rows.select_related("conversation", "message")
    page = Paginator(rows.defer("message__search"), PER_PAGE).get_page(listing.page)
    context = {
        "instance": instance,
        "section": "review",
        "page": page,
        "statements": _shown(instance, list(page)),
        "pages": listing,
    }
    return render(request, "memory/review.html", context)


@require_POST
def decide(request: Request, pk: int) -> HttpResponse:
    """Carry out the decision that the button names."""
    held = visible_row(request, HeldStatement.objects.waiting(), pk)
    decision, by = request.POST.get("decision", ""), Actor(request.user)
    try:
        if decision == "approve":
            approve(held, by=by)
            messages.success(request, _("Approved: it is a memory now."))
        elif decision == "instead":
            approve_instead(held, by=by)
            messages.success(request, _("Replaced: the earlier text is in the history."))
        elif decision == "approve_source":
            _approve_all(request, held, by)
        elif decision in ("reject", "reject_source"):
            same = HeldStatement.objects.from_the_source_of(held).values_list("pk", flat=True)
            ids = list(same) if decision == "reject_source" else [held.pk]
            count = reject(held.instance, ids, by=by)
            messages.success(request, _rejected(count))
    except DecidedAlready:
        messages.info(request, _("This has been decided already."))
    except Rejected as problem:
        messages.error(request, _("It was not approved. %(problem)s") % {"problem": problem})
    return redirect(f"{reverse('review')}?instance={held.instance.slug}")


def _approve_all(request: Request, held: HeldStatement, by: Actor) -> None:
    done = failed = 0
    same = HeldStatement.objects.from_the_source_of(held).select_related("instance")
    for each in same.order_by("pk")[:MAX_AT_ONCE]:
        try:
            approve(each, by=by)
            done += 1
        except (DecidedAlready, Rejected):
            failed += 1
    text = ngettext("Approved %(number)s statement.", "Approved %(number)s statements.", done)
    messages.success(request, text % {"number": grouped(done)})
    if failed:
        text = ngettext(
            "%(number)s statement could not be approved.",
            "%(number)s statements could not be approved.",
            failed,
        )
        messages.error(request, text % {"number": grouped(failed)})


def _rejected(count: int) -> str:
    text = ngettext("Rejected %(number)s statement.", "Rejected %(number)s statements.", count)
    return text % {"number": grouped(count)}


def _shown(instance: Instance, page: Sequence[HeldStatement]) -> list[ShownStatement]:
    disputed = Memory.objects.in_instance(instance).defer("search")
    memories = disputed.in_bulk({pk for held in page for pk in held.contradicts})
    keys = {
        key.prefix: key
        for key in ApiKey.objects.filter(
            instance=instance, prefix__in={held.via.rpartition(" ")[2] for held in page}
        )
    }
    waiting = Counter[Source]()
    same = HeldStatement.objects.waiting().filter(
        instance=instance, via__in={each.via for each in page}
    )
    conversations = {each.conversation_id for each in page if each.conversation_id}
    groups = same.filter(conversation__in=conversations) | same.filter(conversation=None)
    counts = groups.order_by().values_list("conversation_id", "via", "batch")
    for conversation, via, batch, number in counts.annotate(number=Count("pk")):
        waiting[_source(conversation, via, batch)] += number
    batches = {held.batch for held in page if held.batch and held.via == "import"}
    files = dict(instance.imports.filter(batch__in=batches).values_list("batch", "pk"))
    return [
        ShownStatement(
            held,
            [memories[pk] for pk in held.contradicts if pk in memories],
            _in_words(held, keys),
            waiting[_source(held.conversation_id, held.via, held.batch)],
            _rollback_of(instance, held, keys, files),
        )
        for held in page
    ]


def _source(conversation: int | None, via: str, batch: object) -> Source:
    if conversation is not None:
        return conversation, "", None
    return None, via, batch if via == "import" else None


def _rollback_of(
    instance: Instance, held: HeldStatement, keys: dict[str, ApiKey], files: dict[UUID, int]
) -> str:
    prefix = held.via.rpartition(" ")[2]
    if held.conversation_id is not None:
        return rollback_query(instance, conversation=held.conversation_id)
    if prefix in keys:
        return rollback_query(instance, key=keys[prefix].pk)
    file = files.get(held.batch) if held.batch else None
    return rollback_query(instance, file=file) if file else ""


def _in_words(held: HeldStatement, keys: dict[str, ApiKey]) -> str:
    *doors, prefix = held.via.split(" ")
    if prefix in keys:
        return f"{keys[prefix].name} ({doors[0] if doors else 'api'})"
    return _("an imported file") if held.via == "import" else held.via
