"""Actions on checked rows: each calls the verb of the screens, in the instances of the rows.

So it is in the activity, and can be undone where the screens can undo it. Django's own deletion
does not exist.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, TypeVar

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from conversations.models import Conversation
from instances import accounts
from instances.access import signed_in
from instances.activity import InstanceAction, record
from instances.actor import Actor
from instances.models import ApiKey, Instance, User
from instances.oauth.connections import disconnect
from memoryapp.extraction.run import WithoutMemory, queue_again
from memoryapp.forgetting.archive import archive, empty, unarchive
from memoryapp.models import ArchivedMemory, HeldStatement, Memory, Run
from memoryapp.tasks.dispatch import hand_over_on_commit
from memoryapp.trust.review import MAX_AT_ONCE, DecidedAlready, approve_all, reject
from memoryapp.web.accounts.views import LAST_SUPERADMIN, NOT_YOURSELF

Row = TypeVar("Row", bound=Model)


def _by_instance(rows: Iterable[Any]) -> dict[Instance, list[int]]:
    found: dict[Instance, list[int]] = defaultdict(list)
    for row in rows:
        found[row.instance].append(row.pk)
    return found


def _done(request: HttpRequest, number: int, left: int = 0) -> None:
    """Say how many rows were changed, and how many could not be."""
    text = ngettext("%(number)s row changed.", "%(number)s rows changed.", number)
    messages.success(request, text % {"number": number_format(number, force_grouping=True)})
    if left:
        text = ngettext(
            "%(number)s row stays as it is: it cannot be changed like this.",
            "%(number)s rows stay as they are: they cannot be changed like this.",
            left,
        )
        messages.warning(request, text % {"number": number_format(left, force_grouping=True)})


def _each(
    request: HttpRequest,
    rows: Iterable[Row],
    change: Callable[[Row], object],
    *refusals: type[Exception],
) -> None:
    """Call *change* for each row; it fails with one of *refusals*, or returns False, where a row
    cannot be changed.
    """
    done = left = 0
    for row in rows:
        try:
            changed = change(row) is not False
        except refusals:
            changed = False
        done, left = done + changed, left + (not changed)
    _done(request, done, left)


@admin.action(description=gettext_lazy("Move to the bin"))
def archive_memories(admin: Any, request: HttpRequest, queryset: QuerySet[Memory]) -> None:
    """Put the memories in the bins of their instances, from which they can be restored."""
    by = Actor(signed_in(request).user)
    moved = [
        archive(instance, Memory.objects.filter(pk__in=ids), by=by)
        for instance, ids in _by_instance(queryset).items()
    ]
    _done(request, sum(moved))


@admin.action(description=gettext_lazy("Delete …"))
def delete_memories(admin: Any, request: HttpRequest, queryset: QuerySet[Memory]) -> HttpResponse:
    """Lead to the deletion of the memory screen, which asks what else is to go, and can be undone;
    it deletes in one instance at a time.
    """
    chosen = [
        (instance, ids, f"{reverse('memory_delete')}?instance={instance.slug}")
        for instance, ids in _by_instance(queryset).items()
    ]
    context = admin.admin_site.each_context(request) | {
        "title": _("Delete memories"),
        "plural": admin.plural,
        "opts": admin.model._meta,
        "chosen": chosen,
    }
    return render(request, "admin/delete_memories.html", context)


@admin.action(description=gettext_lazy("Restore"))
def restore_archived(admin: Any, request: HttpRequest, queryset: QuerySet[ArchivedMemory]) -> None:
    """Restore memories from the bin."""
    _in_bin(request, queryset, unarchive)


@admin.action(description=gettext_lazy("Forget now"))
def forget_archived(admin: Any, request: HttpRequest, queryset: QuerySet[ArchivedMemory]) -> None:
    """Forget memories in the bin before their 30 days are over."""
    _in_bin(request, queryset, empty)


def _in_bin(
    request: HttpRequest, rows: QuerySet[ArchivedMemory], change: Callable[..., int]
) -> None:
    by = Actor(signed_in(request).user)
    changed = [
        change(instance, ArchivedMemory.objects.filter(pk__in=ids), by=by)
        for instance, ids in _by_instance(rows).items()
    ]
    _done(request, sum(changed))


@admin.action(description=gettext_lazy("Approve"))
def approve_held(admin: Any, request: HttpRequest, queryset: QuerySet[HeldStatement]) -> None:
    """Make memories of held statements."""
    by, done, left = signed_in(request).user, 0, 0
    for instance, ids in _by_instance(queryset).items():
        left += len(ids)
        for at in range(0, len(ids), MAX_AT_ONCE):
            rows = HeldStatement.objects.waiting().filter(pk__in=ids[at : at + MAX_AT_ONCE])
            with suppress(DecidedAlready):
                done += approve_all(instance, rows.order_by("pk"), by=by).count
    _done(request, done, left - done)


@admin.action(description=gettext_lazy("Reject"))
def reject_held(admin: Any, request: HttpRequest, queryset: QuerySet[HeldStatement]) -> None:
    """Reject held statements."""
    by = Actor(signed_in(request).user)
    groups = _by_instance(queryset)
    done = sum(reject(instance, ids, by=by) for instance, ids in groups.items())
    _done(request, done, sum(map(len, groups.values())) - done)


@admin.action(description=gettext_lazy("Try again"))
def retry_runs(admin: Any, request: HttpRequest, queryset: QuerySet[Run]) -> None:
    """Queue failed runs again."""

    def retry(run: Run) -> bool:
        with transaction.atomic():
            if not run.retry():
                return False
            hand_over_on_commit(run)
        return True

    _each(request, queryset.select_related("conversation"), retry)


@admin.action(description=gettext_lazy("Read again"))
def read_conversations(admin: Any, request: HttpRequest, queryset: QuerySet[Conversation]) -> None:
    """Queue conversations for extraction from their beginning."""

    def read(conversation: Conversation) -> bool:
        if not conversation.instance.can_read:
            return False
        with transaction.atomic():
            run = queue_again(conversation)
            if run is None:
                return False
            hand_over_on_commit(run)
        return True

    _each(request, queryset.prefetch_related("instance__secrets"), read, WithoutMemory)


@admin.action(description=gettext_lazy("Revoke"))
def revoke_keys(admin: Any, request: HttpRequest, queryset: QuerySet[ApiKey]) -> None:
    """Revoke keys, and disconnect apps."""
    user = signed_in(request).user

    def revoke(key: ApiKey) -> bool:
        if key.revoked_at:
            return False
        if key.client_id:
            disconnect(key, by=user)
            return True
        with transaction.atomic():
            key.revoke()
            record(key.instance, Actor(user), InstanceAction.KEY_REVOKED, about=key.name)
        return True

    _each(request, queryset, revoke)


@admin.action(description=gettext_lazy("Deactivate"))
def deactivate_people(admin: Any, request: HttpRequest, queryset: QuerySet[User]) -> None:
    """Stop people from signing in: not oneself, and not the last superadmin."""
    user = signed_in(request).user
    if queryset.filter(pk=user.pk).exists():
        messages.error(request, NOT_YOURSELF)
        return
    try:
        with transaction.atomic():
            for person in queryset:
                accounts.deactivate(person, by=user)
    except accounts.LastSuperadmin:
        messages.error(request, LAST_SUPERADMIN)
    else:
        _done(request, len(queryset))


@admin.action(description=gettext_lazy("Reactivate"))
def reactivate_people(admin: Any, request: HttpRequest, queryset: QuerySet[User]) -> None:
    """Let people sign in again."""
    user = signed_in(request).user
    _each(request, queryset, lambda person: accounts.reactivate(person, by=user))
