"""Legal holds: setting and lifting them, and the error with which they answer a deletion."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db import DatabaseError, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import Instance
from instances.translatable import translatable
from memoryapp.models import Activity, LegalHold, Memory, MemorySource
from memoryapp.models.legal_holds import ON_HOLD, HoldOn
from memoryapp.runs.locks import lock_out_writers


class OnHold(Exception):
    """Something under a legal hold was to be deleted, and was not."""

    def __init__(self, name: str) -> None:
        super().__init__(
            translatable(
                "“%(name)s” is a legal hold on this: it cannot be deleted until a manager lifts "
                "the hold.",
                name=name,
            )
        )
        self.name = name


class PeriodRefused(ValueError):
    """The last day of a period is before its first; its text says so, translatable."""


def watch(*, connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Make the statements of a new *connection* raise `OnHold` for the error of the triggers."""
    if _raise_on_hold not in connection.execute_wrappers:
        connection.execute_wrappers.append(_raise_on_hold)


def _raise_on_hold(execute: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return execute(*arguments)
    except DatabaseError as error:
        cause: Any = error.__cause__
        if getattr(cause, "sqlstate", None) != ON_HOLD:
            raise
        raise OnHold(cause.diag.message_primary) from error


def set_hold(
    instance: Instance,
    name: str,
    *,
    by: Actor,
    end_user: str | None = None,
    conversation: Conversation | None = None,
    period: tuple[date, date] | None = None,
) -> LegalHold:
    """Put a hold with this *name* on a person, on a conversation, on a *period* in days, the last
    one included, or, without any of these, on all of *instance*. What is being deleted is waited
    for. Raises `PeriodRefused`.
    """
    hold = LegalHold(
        instance=instance, name=name, set_by=by.user, set_by_name=by.name, scope="instance"
    )
    if end_user is not None:
        hold.scope, hold.end_user = LegalHold.Scope.PERSON, instance.canonical_end_user(end_user)
    elif conversation is not None:
        hold.scope, hold.conversation = LegalHold.Scope.CONVERSATION, conversation
    elif period is not None:
        first, last = period
        if last < first:
            raise PeriodRefused(translatable("The last day must not be before the first."))
        zone = ZoneInfo(instance.time_zone)
        hold.scope = LegalHold.Scope.PERIOD
        hold.begins_at = datetime.combine(first, time(), zone)
        hold.ends_at = datetime.combine(last + timedelta(days=1), time(), zone)
    with transaction.atomic():
        lock_out_writers(instance)
        hold.save()
        person = hold.end_user if hold.scope == LegalHold.Scope.PERSON else None
        instance.activity.record(by, Activity.Action.HOLD_SET, about=name[:150], end_user=person)
    return hold


def lift(hold: LegalHold, *, by: Actor) -> bool:
    """Lift *hold*; return False if it had been lifted."""
    with transaction.atomic():
        active = LegalHold.objects.active().filter(instance=hold.instance_id, pk=hold.pk)
        lifted = active.update(lifted_at=timezone.now(), lifted_by_name=by.name)
        if lifted:
            hold.instance.activity.record(by, Activity.Action.HOLD_LIFTED, about=hold.name[:150])
    return bool(lifted)


def refuse_to_replace(conversation: Conversation, *, since: datetime) -> None:
    """Raise `OnHold` if what was said in *conversation* at a moment or later is under a hold: a
    reply would be lost that another one takes the place of.
    """
    if hold := LegalHold.objects.on_conversation(conversation, since=since).first():
        raise OnHold(hold.name)


def refuse_to_erase(instance: Instance, end_users: Sequence[str]) -> None:
    """Raise `OnHold` if something of a person with one of these ids is under a hold."""
    memories = Memory._base_manager.filter(instance=instance, end_user__in=end_users)
    messages = Message.objects.filter(instance=instance, conversation__end_user__in=end_users)
    in_period = Q(Exists(memories.filter(_within("said_at") | _within("created_at"))))
    in_period |= Q(Exists(messages.filter(_within("sent_at"))))
    active = LegalHold.objects.active().filter(
        Q(scope=LegalHold.Scope.INSTANCE)
        | Q(scope=LegalHold.Scope.PERSON, end_user__in=end_users)
        | Q(scope=LegalHold.Scope.CONVERSATION, conversation__end_user__in=end_users)
        | Q(scope=LegalHold.Scope.PERIOD) & in_period,
        instance=instance,
    )
    if hold := active.first():
        raise OnHold(hold.name)


def not_on_hold(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Narrow *rows*, of a table that holds keep, to those under no hold."""
    free: QuerySet[Any] = rows.alias(hold=HoldOn(rows.model)).filter(hold__isnull=True)
    if rows.model is not Memory:
        return free
    sources = MemorySource.objects.filter(instance=OuterRef("instance"), memory=OuterRef("pk"))
    held = sources.alias(hold=HoldOn(MemorySource)).filter(hold__isnull=False)
    return free.filter(~Exists(held))


def delete_unless_on_hold(delete: Callable[[], int]) -> int:
    """Return what *delete* returns; 0, with nothing deleted, if something is under a hold."""
    with suppress(OnHold), transaction.atomic():
        return delete()
    return 0


def _within(moment: str) -> Q:
    """The condition that a *moment* of a row is in the period of the hold outside."""
    return Q(**{f"{moment}__gte": OuterRef("begins_at"), f"{moment}__lt": OuterRef("ends_at")})
