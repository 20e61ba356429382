"""Pointers of drawers in a question, whose answers are what is filed there."""

import re
from dataclasses import replace

from instances.models import Instance
from memoryapp.models import Drawer
from memoryapp.models.aaak import (
    NotAPointer,
    Pointer,
    parse_pointer,
    pointers_in,
    without_pointers,
)
from memoryapp.recall.options import RecallOptions
from memoryapp.recall.results import Hit, RecallResult
from memoryapp.recall.search_scope import SearchScope

#: The only part of the score of such a hit.
POINTER = "pointer"

_WORD = re.compile(r"\w")


def pointed_at(instance: Instance, question: str, options: RecallOptions) -> list[Hit]:
    """Return the messages and notes that *question* points to and that pass the filters, in the
    order in which it names them.
    """
    # Most questions name none, and to write the statement for them would take as long as to rank.
    if not options.with_messages:
        return []
    pointers = _pointers(question)[: options.limit]
    if not pointers:
        return []
    within = SearchScope(instance, options).drawers.order_by()
    found = (
        Drawer.objects.at(pointers)
        .filter(pk__in=within.values("pk"))
        .select_related("message")
        .defer("search", "message__search")
    )
    return [_hit(drawer) for drawer in sorted(found, key=lambda each: pointers.index(each.pointer))]


def beside_pointers(question: str) -> str:
    """Return what *question* asks besides its pointers; empty if it is one pointer with its tags,
    or nothing but pointers.
    """
    rest = without_pointers(question)
    return rest if _WORD.search(rest) and _whole(question) is None else ""


def first(pointed: list[Hit], result: RecallResult, limit: int) -> RecallResult:
    """Return *result* with what was *pointed* at before its other hits."""
    drawers = {hit.filed.pk for hit in pointed}
    others, weaker = (
        [hit for hit in hits if hit.memory or not hit.drawer or hit.drawer.pk not in drawers]
        for hits in (result.hits, result.weaker)
    )
    hits = [*pointed, *others]
    complete = result.complete and len(hits) <= limit
    return replace(result, hits=hits[:limit], weaker=weaker, complete=complete)


def _pointers(question: str) -> list[Pointer]:
    whole = _whole(question)
    return pointers_in(question) if whole is None else [whole]


def _whole(question: str) -> Pointer | None:
    """The pointer that *question* is, with or without tags."""
    try:
        return parse_pointer(question)
    except NotAPointer:
        return None


def _hit(drawer: Drawer) -> Hit:
    return Hit(
        memory=None,
        message=drawer.message,
        score=1.0,
        ranks={},
        parts={POINTER: 1.0},
        drawer=drawer,
    )
