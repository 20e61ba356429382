"""Rounds of golden questions: when they are due, asking them, and what has changed."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from zoneinfo import ZoneInfo

from django.db import IntegrityError, transaction
from django.utils import timezone

from instances.models import Instance, User
from memoryapp.golden.questions import stored_rows
from memoryapp.models import GoldenQuestion, GoldenRound, MemorySource
from memoryapp.providers.configured import space_of
from memoryapp.recall import RecallOptions, recall
from memoryapp.recall.results import HitRef, RecallResult
from memoryapp.recall.scoring import Weights

#: The hour, in the time zone of the instance, from which on the nightly round is due.
NIGHT_HOUR = 3
#: Seconds that a round may take.
MAX_SECONDS = 1800.0
Cause = GoldenRound.Cause


def settings_of(instance: Instance) -> dict[str, Any]:
    """The settings of *instance* that decide what a question finds."""
    return {
        "profile": instance.recall_profile,
        "weights": instance.recall_weights,
        "limit": instance.top_k,
        "messages": instance.turns_enabled,
        "language": instance.language,
        "space": space_of(instance.embeddings),
    }


def open_round(
    instance: Instance, cause: str, *, by: User | None = None, tried: dict[str, Any] | None = None
) -> GoldenRound | None:
    """Have all questions of *instance* asked, with settings that are *tried* in place of its own;
    return None if it has none. A round that is under way is returned as it is.
    """
    if not GoldenQuestion.objects.filter(instance=instance).exists():
        return None
    settings = settings_of(instance) | (tried or {})
    try:
        with transaction.atomic():
            return GoldenRound.objects.create(
                instance=instance, cause=cause, by=by, settings=settings
            )
    except IntegrityError:
        rounds = GoldenRound.objects.of_saved_settings()
        return rounds.filter(instance=instance, finished_at=None).first()


def open_due() -> None:
    """Open a round for each instance that has questions, and whose settings have changed since the
    last one, or which was not asked this night.
    """
    now = timezone.now()
    for instance in Instance.objects.filter(
        pk__in=GoldenQuestion.objects.values("instance").distinct()
    ):
        last = GoldenRound.objects.of_saved_settings().filter(instance=instance).first()
        if last is not None and last.finished_at is None:
            continue
        if last is not None and last.settings != settings_of(instance):
            open_round(instance, Cause.SETTINGS)
        elif last is None or _is_night_due(instance, last, now):
            open_round(instance, Cause.NIGHTLY)


def _is_night_due(instance: Instance, last: GoldenRound, now: datetime) -> bool:
    is_new_day = instance.date_of(last.created_at) < instance.date_of(now)
    return is_new_day and now.astimezone(ZoneInfo(instance.time_zone)).hour >= NIGHT_HOUR


def carry_out(round_: GoldenRound) -> bool:
    """Ask all questions, one after the other; return False if it is not over: another worker has
    taken over, or nothing can be found by meaning at present, which would tell nothing about the
    settings. A reranking model is not asked: that would cost a call for each question.
    """
    instance = round_.instance
    questions = list(GoldenQuestion.objects.filter(instance=instance).order_by("pk"))
    answers = answers_of(instance, questions)
    results: dict[str, Any] = {}
    for question in questions:
        if answers[question.pk]:
            found = _ask(question, round_)
            if found.problem:
                round_.release()
                return False
            results[str(question.pk)] = _place(found, answers[question.pk])
        if not round_.renew():
            return False
    places = [each["place"] for each in results.values()]
    return round_.release(
        results=results,
        asked=len(places),
        first=places.count(1),
        shown=sum(place is not None for place in places),
        finished_at=timezone.now(),
    )


def _ask(question: GoldenQuestion, round_: GoldenRound) -> RecallResult:
    settings = round_.settings
    return recall(
        round_.instance,
        question.text,
        RecallOptions(
            limit=settings["limit"],
            end_user=question.end_user,
            profile=settings["profile"],
            weights=Weights.of(settings["weights"]),
            with_messages=settings["messages"],
            is_message=True,
        ),
    )


def _place(found: RecallResult, answers: AbstractSet[HitRef]) -> dict[str, Any]:
    rows = [hit.row for hit in found.hits]
    place = next((number for number, row in enumerate(rows, 1) if row in answers), None)
    return {"place": place, "top": list(rows[0]) if rows else None}


def answers_of(instance: Instance, questions: Iterable[GoldenQuestion]) -> dict[int, set[HitRef]]:
    """The rows that answer each of the *questions*, by its id: those that it names and that are
    there, and with a memory the messages that it was learned from, with a message the memories.
    """
    questions = list(questions)
    memories, messages = stored_rows(
        instance,
        {pk for each in questions for pk in each.memories},
        {pk for each in questions for pk in each.messages},
    )
    sources = MemorySource.objects.filter(instance=instance, message__isnull=False)
    pairs = sources.values_list("memory_id", "message_id")
    said: dict[int, set[int]] = defaultdict(set)
    for memory, message in pairs.filter(memory__in=memories):
        said[memory].add(message)
    learned: dict[int, set[int]] = defaultdict(set)
    for memory, message in pairs.filter(message__in=messages):
        learned[message].add(memory)
    found: dict[int, set[HitRef]] = {}
    for each in questions:
        own = {*each.memories} & memories, {*each.messages} & messages
        all_memories = own[0].union(*(learned[pk] for pk in own[1]))
        all_messages = own[1].union(*(said[pk] for pk in own[0]))
        found[each.pk] = {HitRef("memory", pk) for pk in all_memories} | {
            HitRef("message", pk) for pk in all_messages
        }
    return found


class Direction(StrEnum):
    """Course of a question from one round to the next."""

    BETTER = "better"
    WORSE = "worse"
    SAME = "same"
    NEW = "new"


@dataclass(frozen=True)
class PlaceChange:
    """The places of the answer to a question in two rounds; None where it was not shown."""

    question: GoldenQuestion
    before: int | None
    after: int | None
    direction: Direction


def changes(
    questions: Iterable[GoldenQuestion], before: GoldenRound | None, after: GoldenRound
) -> Iterator[PlaceChange]:
    """Changes of the *questions* that were asked in *after*."""
    for question in questions:
        if not after.has_asked(question):
            continue
        new = after.place_of(question)
        if before is None or not before.has_asked(question):
            yield PlaceChange(question, None, new, Direction.NEW)
            continue
        old = before.place_of(question)
        ranks = [place or float("inf") for place in (old, new)]
        direction = (
            Direction.SAME
            if ranks[0] == ranks[1]
            else Direction.BETTER
            if ranks[1] < ranks[0]
            else Direction.WORSE
        )
        yield PlaceChange(question, old, new, direction)
