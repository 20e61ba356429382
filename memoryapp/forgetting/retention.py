"""Retention: deletes what has been kept for as long as the rules of its instance say.

A worker does it every night, in small transactions, so that others can go on working. What is
under a legal hold is passed over, and due again when the hold is lifted. The activity log tells how
many rows of which kind went, never a text.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, F, Min, Q, QuerySet
from django.db.models.functions import Greatest
from django.utils import timezone

from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import Instance
from instances.translatable import translatable
from memoryapp.forgetting.deletion import delete_with_summaries
from memoryapp.forgetting.holds import not_on_hold
from memoryapp.models import (
    Activity,
    Drawer,
    Kept,
    Memory,
    RetentionRule,
    StoredDocument,
    Usage,
)
from memoryapp.models.retention import MAX_RETENTION_DAYS, NARROWED_BY
from memoryapp.pipeline.validation import admitted_tags
from memoryapp.runs.locks import lock_memories, lock_out_writers, lock_out_writers_of

#: Rows that one transaction deletes.
BATCH_SIZE = 200
#: The days below which no setting goes: the cost of a month is summed from the log of usage.
_MIN_DAYS = {Kept.USAGE: 32}
_RETENTION = Actor(via="retention")


class RuleRefused(ValueError):
    """A rule cannot be as it is given; its text says why, translatable."""


@dataclass(frozen=True)
class Preview:
    """Effect that a rule would have."""

    #: The number of rows in the next night, and since when the oldest of them has been there.
    due: int
    oldest: datetime | None
    #: When the first of the others is due; None if there is none.
    next_at: datetime | None


def floors() -> dict[str, int]:
    """The days below which no rule goes, by the kind of rows. Raises ValueError for settings that
    cannot be read.
    """
    found = {}
    for entry in settings.RETENTION_FLOORS:
        kept, _, days = entry.partition("=")
        found[Kept(kept.strip())] = int(days)
    return {kept: max(1, _MIN_DAYS.get(kept, 1), found.get(kept, 1)) for kept in Kept}


def age_of(rule: RetentionRule) -> timedelta:
    """How long *rule* keeps a row: not below the floor, which may have been raised meanwhile."""
    return timedelta(days=max(rule.days, floors()[rule.kept]))


def new_rule(
    instance: Instance,
    kept: str,
    days: int,
    *,
    category: str = "",
    tier: int | None = None,
    origin: str = "",
    tag: str = "",
) -> RetentionRule:
    """Return a rule that is not stored yet. Raises `RuleRefused` if it is below the floor, or for
    a class of rows that have none.
    """
    tag = "".join(admitted_tags(instance, [tag]))
    if kept != Kept.MEMORIES and (category or tier or origin or tag):
        raise RuleRefused(translatable("Only memories have a category, trust, origin and tags."))
    floor = floors()[kept]
    if days < floor:
        raise RuleRefused(
            translatable("This server keeps these for %(days)s days at least.", days=floor)
        )
    return RetentionRule(
        instance=instance,
        kept=kept,
        days=min(days, MAX_RETENTION_DAYS),
        category=category,
        tier=tier,
        origin=origin,
        tag=tag,
    )


def set_rule(rule: RetentionRule, *, by: Actor) -> RetentionRule:
    """Store a `new_rule`, in the place of one for the same rows."""
    same = {name: getattr(rule, name) for name in ("instance", "kept", *NARROWED_BY)}
    with transaction.atomic():
        stored, _ = RetentionRule.objects.update_or_create(
            **same,
            defaults={"days": rule.days, "created_by": by.user, "created_at": timezone.now()},
        )
        rule.instance.activity.record(by, Activity.Action.RETENTION_SET, about=str(rule)[:150])
    return stored


def remove_rule(rule: RetentionRule, *, by: Actor) -> None:
    """Remove *rule*: what it was for is kept."""
    with transaction.atomic():
        deleted, _ = RetentionRule.objects.filter(pk=rule.pk, instance=rule.instance_id).delete()
        if deleted:
            rule.instance.activity.record(
                by, Activity.Action.RETENTION_REMOVED, about=str(rule)[:150]
            )


def preview(rule: RetentionRule) -> Preview:
    """Return what *rule*, which may not be stored yet, would delete."""
    begins = timezone.now() - age_of(rule)
    since = _KINDS[Kept(rule.kept)].since
    found = _free(rule, rows_of(rule)).aggregate(
        due=Count("pk", filter=Q(since__lte=begins)),
        oldest=Min(since, filter=Q(since__lte=begins)),
        next=Min(since, filter=Q(since__gt=begins)),
    )
    return Preview(found["due"], found["oldest"], found["next"] and found["next"] + age_of(rule))


def rows_of(rule: RetentionRule) -> QuerySet[Any]:
    """The rows that *rule* is for, each with when it was last said, changed or written
    (``since``).
    """
    kind = _KINDS[Kept(rule.kept)]
    rows = kind.model.objects.filter(instance=rule.instance_id).alias(since=kind.since)
    narrowed = {name: getattr(rule, name) for name in NARROWED_BY if name != "tag"}
    rows = rows.filter(**{name: value for name, value in narrowed.items() if value})
    if rule.tag:
        rows = rows.tagged(rule.instance, rule.tag)
    found: QuerySet[Any] = rows
    return found


def _free(rule: RetentionRule, rows: QuerySet[Any]) -> QuerySet[Any]:
    """Narrow *rows* to those under no hold. The function that knows is called for each of them."""
    has_holds = rule.instance.legal_holds.filter(lifted_at=None).exists()
    return not_on_hold(rows) if has_holds else rows


def apply_rule(rule: RetentionRule, *, seconds: float, after: int = 0) -> int | None:
    """Delete what *rule* says, for about so many *seconds*, from the row that follows the one with
    the id *after*; return the id after which to go on, None if that was all.
    """
    ends = time.monotonic() + seconds
    last: int | None = after
    while last is not None and time.monotonic() < ends:
        last = _next_batch(rule, last)
    return last


def _next_batch(rule: RetentionRule, after: int) -> int | None:
    """Delete those of the next due rows, after the one with the id *after*, that are under no hold;
    return the id of the last one, None if there were none.
    """
    with transaction.atomic():
        # No hold can be set meanwhile: that takes this lock.
        lock_out_writers(rule.instance)
        due = rows_of(rule).filter(since__lte=timezone.now() - age_of(rule), pk__gt=after)
        ids: list[int] = list(due.order_by("pk").values_list("pk", flat=True)[:BATCH_SIZE])
        if not ids:
            return None
        free = list(_free(rule, rows_of(rule).filter(pk__in=ids)).values_list("pk", flat=True))
        if free:
            _KINDS[Kept(rule.kept)].delete(rule.instance, free)
        Activity.objects.add_to_day(
            rule.instance, _RETENTION, Activity.Action.EXPIRED, count=len(free), about=rule.kept
        )
    return ids[-1]


def _delete_memories(instance: Instance, ids: list[int]) -> None:
    lock_memories(instance, Memory.objects.filter(pk__in=ids))
    delete_with_summaries(instance, ids)


def _delete_messages(instance: Instance, ids: list[int]) -> None:
    messages = Message.objects.filter(instance=instance, pk__in=ids)
    conversations = list(messages.order_by().values_list("conversation", flat=True).distinct())
    lock_out_writers_of(instance, conversations)
    Drawer.objects.filter(message__in=ids).hold(instance.pk)
    messages.delete()
    emptied = Conversation.objects.filter(instance=instance, pk__in=conversations, messages=None)
    # One on hold stays. Its next message is its first.
    emptied.update(watermark=0)
    not_on_hold(emptied).delete()


def _delete_from(model: Any) -> Callable[[Instance, list[int]], None]:
    def delete(instance: Instance, ids: list[int]) -> None:
        model.objects.filter(instance=instance, pk__in=ids).delete()

    return delete


@dataclass(frozen=True)
class _Kind:
    """A kind of rows: when one was last said, changed or written, and how some are deleted."""

    model: Any
    since: Any
    delete: Callable[[Instance, list[int]], None]


_KINDS: Mapping[Kept, _Kind] = {
    Kept.MEMORIES: _Kind(
        Memory, Greatest("said_at", "updated_at", "verified_at"), _delete_memories
    ),
    Kept.MESSAGES: _Kind(Message, F("sent_at"), _delete_messages),
    Kept.DOCUMENTS: _Kind(StoredDocument, F("updated_at"), _delete_from(StoredDocument)),
    Kept.ACTIVITY: _Kind(Activity, F("at"), _delete_from(Activity)),
    Kept.USAGE: _Kind(Usage, F("at"), _delete_from(Usage)),
}
