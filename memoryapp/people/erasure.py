"""Erases everything about a person, table by table, in short transactions.

The erasure is a row, so that a crash at any moment loses nothing: each transaction deletes some
rows and counts them in that row. It ends with a pass over all tables that finds nothing left. No
lock is held for longer than one of these transactions.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from conversations.models import Conversation, Message
from conversations.word_counting import forget_words
from instances.actor import Actor
from instances.models import Instance
from instances.translatable import translatable
from memoryapp.forgetting.holds import OnHold, refuse_to_erase
from memoryapp.models import (
    Activity,
    Closet,
    Drawer,
    Entity,
    Erasure,
    Mention,
    Palace,
    Room,
    Statement,
    Wing,
)
from memoryapp.models.erasures import hash_of
from memoryapp.people import erasure_list
from memoryapp.people.certificate import certificate_of
from memoryapp.people.inventory import HOLDINGS, ErasureAction, Holding, Person, holding_of
from memoryapp.runs.locks import lock_out_writers_of
from memoryapp.trust.sharing import end_sharing_with

logger = logging.getLogger(__name__)

#: Rows of a table that one transaction deletes.
BATCH_SIZE = 200
#: Seconds after which a worker that holds an erasure counts as hanging.
MAX_SECONDS = 24 * 3600.0
#: Tables whose rows triggers delete with the last row that refers to them.
_DELETED_BY_TRIGGERS = (Closet, Room, Wing, Entity, Mention, Statement)


class NotConfirmed(ValueError):
    """The text that was typed is not the person's id."""


class NothingKept(ValueError):
    """Nothing is kept about this person."""


def ask_for_erasure(
    instance: Instance, end_user: str, *, by: Actor, typed: str | None = None, with_rules: bool
) -> Erasure:
    """Record that everything about *end_user* is to be erased, which `carry_out` then does.

    People confirm it by what they have ``typed``; None if a program that a manager trusts asks.
    Two requests for the same person give one erasure. Raises `NotConfirmed`,
    `NothingKept`, and `OnHold` if something of the person is under a hold.
    """
    person = Person.of(instance, end_user)
    # Screens name a person without an id "The user", and ask for "the user".
    names = (person.typed, person.name, *filter(None, person.ids))
    if typed is not None and typed.strip() not in names:
        raise NotConfirmed(_("Type “%(id)s” to confirm.") % {"id": person.typed})
    hashes = [hash_of(instance.pk, each) for each in person.ids]
    with transaction.atomic():
        # Decides between two people who ask for the same thing.
        Instance.objects.select_for_update(of=("self",)).get(pk=instance.pk)
        running = Erasure.objects.filter(
            instance=instance, state=Erasure.State.RUNNING, hashes__overlap=hashes
        )
        if (erasure := running.first()) is not None:
            return erasure
        refuse_to_erase(instance, person.ids)
        held = (h for h in HOLDINGS if h.fate_of(with_rules=with_rules) != ErasureAction.KEEP)
        if not any(holding.rows(person).exists() for holding in held):
            raise NothingKept(_("Nothing is stored about this person."))
        erasure = Erasure.objects.create(
            instance=instance,
            ids=list(person.ids),
            hashes=hashes,
            by=by.user,
            asked_by=by.name,
            via=by.via,
            with_rules=with_rules,
        )
        about = f"asked for: {erasure.uid}"
        instance.activity.record(by, Activity.Action.ERASED, about=about, end_user=person.ids[0])
    return erasure


def work_on(erasure: Erasure, *, seconds: float | None = None) -> bool:
    """Claim *erasure*, and `carry_out` it for at most *seconds*; return whether it is done."""
    if not erasure.claim():
        return erasure.is_done
    with erasure.kept(seconds=MAX_SECONDS):
        return carry_out(erasure, seconds=seconds)


def carry_out(erasure: Erasure, *, seconds: float | None = None) -> bool:
    """Work on *erasure*, which the caller has claimed, for at most *seconds*; return whether it is
    done. Afterwards, any worker may continue.
    """
    ends = time.monotonic() + seconds if seconds is not None else None
    error = ""
    try:
        _write_to_list(erasure)
        while not _one_pass(erasure, ends):
            if ends is not None and time.monotonic() >= ends:
                return False
        if erasure.listed_at is None:
            # Not done before the list has it: restoring a backup would bring the person back.
            erasure_list.write(erasure)
        return _finish(erasure)
    except OnHold as held:
        error = held.args[0]
    except OSError as problem:
        error = translatable(
            "The list of erasures cannot be written: %(reason)s.",
            reason=problem.strerror or str(problem),
        )
    finally:
        erasure.try_later(error=error)
    return False


def _write_to_list(erasure: Erasure) -> None:
    """Try to write it to the list before anything is deleted."""
    if erasure.listed_at is None:
        try:
            erasure_list.write(erasure)
        except OSError as problem:
            logger.warning("erasure %s could not be listed yet: %s", erasure.uid, problem)


def _one_pass(erasure: Erasure, ends: float | None) -> bool:
    """Go through all tables once; return whether nothing was left in any."""
    person = Person(erasure.instance, tuple(erasure.ids))
    clean = True
    for holding in HOLDINGS:
        fate = holding.fate_of(with_rules=erasure.with_rules)
        while fate != ErasureAction.KEEP and _next_batch(erasure, person, holding, fate):
            clean = False
            if ends is not None and time.monotonic() >= ends:
                return False
    return clean


def rows_left(erasure: Erasure) -> int:
    """How many rows *erasure* has still to delete or strip."""
    person = Person(erasure.instance, tuple(erasure.ids))
    return sum(
        holding.rows(person).count()
        for holding in HOLDINGS
        if holding.fate_of(with_rules=erasure.with_rules) != ErasureAction.KEEP
    )


def _next_batch(erasure: Erasure, person: Person, holding: Holding, fate: ErasureAction) -> bool:
    """Delete or strip some rows of one table; return False if there were none."""
    ids = list(holding.rows(person).order_by("pk").values_list("pk", flat=True)[:BATCH_SIZE])
    if not ids:
        return False
    with transaction.atomic():
        _lock(erasure.instance, holding, ids)
        rows = holding.model._base_manager.filter(instance=erasure.instance_id, pk__in=ids)
        counts: Counter[tuple[str, str]] = Counter()
        if fate == ErasureAction.STRIP:
            counts[holding.label, ErasureAction.STRIP] = rows.update(**holding.stripped)
        else:
            counts += _deleted(person, rows)
        stored = erasure.still_mine().select_for_update(of=("self",))
        totals = stored.values_list("counts", flat=True).first()
        if totals is None:
            raise LeaseLost
        for (label, what), count in counts.items():
            of_table = totals.setdefault(label, {})
            of_table[what] = of_table.get(what, 0) + count
        erasure.still_mine().update(counts=totals)
        erasure.counts = totals
    return True


class LeaseLost(Exception):
    """Another worker has taken over."""


def _deleted(person: Person, rows: Any) -> Counter[tuple[str, str]]:
    """Delete *rows*; return how many rows of each table went with them."""
    by_trigger: list[Callable[[], int]] = [
        holding_of(model._meta.label).rows(person).count for model in _DELETED_BY_TRIGGERS
    ]
    before = [count() for count in by_trigger]
    _, deleted = rows.delete()
    after = [count() for count in by_trigger]
    known = {holding.label for holding in HOLDINGS}
    counts = Counter({(label, str(ErasureAction.DELETE)): n for label, n in deleted.items()})
    for model, was, is_now in zip(_DELETED_BY_TRIGGERS, before, after, strict=True):
        key = (model._meta.label, str(ErasureAction.DELETE))
        counts[key] = max(counts[key], was - is_now)
    return Counter({key: n for key, n in counts.items() if n and key[0] in known})


def _lock(instance: Instance, holding: Holding, ids: list[int]) -> None:
    """Lock these rows, and out whoever could add to them, until the transaction ends: in the order
    of all writers, which is instance, run, conversation, answer, palace, drawers.
    """
    conversations: list[int] = []
    if holding.model is Conversation:
        conversations = ids
    elif holding.model is Message:
        messages = Message.objects.filter(pk__in=ids).order_by()
        conversations = list(messages.values_list("conversation", flat=True).distinct())
    lock_out_writers_of(instance, conversations)
    Palace.objects.hold(instance.pk)
    drawers = {Conversation: "message__conversation", Message: "message", Drawer: "pk"}
    if holding.model in drawers:
        Drawer.objects.filter(**{f"{drawers[holding.model]}__in": ids}).hold(instance.pk)


def _finish(erasure: Erasure) -> bool:
    """Issue the certificate and forget the ids; return False if another worker has taken over."""
    now = timezone.now()
    person = Person(erasure.instance, tuple(erasure.ids))
    with transaction.atomic():
        certificate = certificate_of(erasure, person, finished_at=now)
        if not erasure.release(
            state=Erasure.State.DONE, ids=[], certificate=certificate, finished_at=now, error=""
        ):
            return False
        # Of an erased group: it is not told what others have shared with it any more.
        end_sharing_with(erasure.instance, person.ids)
        # A word that many texts of the person had is in the counts until they are made anew.
        forget_words(erasure.instance)
        has_aliases = erasure.instance.aliases.exists()
        Instance.objects.filter(pk=erasure.instance_id).update(has_aliases=has_aliases)
        by = Actor(erasure.by, erasure.via)
        about = f"done: {erasure.uid}"
        erasure.instance.activity.record(
            by, Activity.Action.ERASED, count=max(1, erasure.rows), about=about
        )
    erasure.refresh_from_db()
    return True
