"""Mining a conversation: one run, one window of turns, one call at most."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from conversations.models import Conversation, Message
from memoryapp import palace
from memoryapp.mining import places, windows
from memoryapp.models import Run, Unfiled, unfiled
from memoryapp.pipeline.injected import without_recalled

logger = logging.getLogger(__name__)


class Superseded(Exception):
    """Another worker has taken this run over."""


@dataclass(frozen=True)
class Window:
    """The turns that one run files, and the silent ones among them, which are not filed."""

    turns: list[Message]
    silent: list[Message]
    #: Whether there are more behind them.
    more: bool


def mine(run: Run) -> None:
    """Carry out *run*, which the caller has claimed: it ends succeeded, queued again, or failed.

    All that it files is stored in one transaction with the run's own end and the next run, if
    there is more to file: a worker that dies at any moment leaves either nothing or everything.
    The vectors follow; those that do not are filled in later.
    """
    try:
        filed = _mine_window(run)
    except Superseded:
        logger.info("run %s was taken over by another worker", run.pk)
    except Exception as error:
        # Whatever it is, a person must be able to see it; the traceback is for the log.
        logger.exception("run %s failed", run.pk)
        run.try_later(f"Internal error: {type(error).__name__}.", retryable=True)
    else:
        palace.embed_drawers(run.conversation.instance, filed)


def mine_here(conversation: Conversation, *, with_model: bool) -> int:
    """File all of *conversation* here and now, whatever its instance does by itself; return how
    many turns were filed. It ends early where a worker is at it, or a model wants patience: then
    a run is there that the workers carry on.
    """
    filed = 0
    while unfiled(conversation.messages.all()).exists():
        with transaction.atomic():
            Conversation.objects.select_for_update(of=("self",)).get(pk=conversation.pk)
            Run.objects.queue(conversation, Run.Kind.MINING, with_model=with_model)
        waiting = Run.objects.minings().waiting().filter(conversation=conversation)
        run = waiting.select_related("conversation__instance").first()
        if run is None or not run.claim():
            break
        mine(run)
        run.refresh_from_db()
        filed += run.filed
        if run.state != Run.State.SUCCEEDED:
            break
    return filed


def _mine_window(run: Run) -> list[int]:
    """File the next turns; return the ids of their drawers."""
    conversation = run.conversation
    window = _window(conversation)
    return _finish(run, window, places.by_conversation(conversation, window.turns))


def _window(conversation: Conversation) -> Window:
    rows = list(
        unfiled(conversation.messages.all())
        .order_by("position")
        .defer("search", "tool_calls", "metadata")[: windows.MOST_WITHOUT_MODEL + 1]
    )
    taken = rows[: windows.MOST_WITHOUT_MODEL]
    speaking = {row.pk for row in taken if row.caption or without_recalled(row.content)}
    return Window(
        turns=[row for row in taken if row.pk in speaking],
        silent=[row for row in taken if row.pk not in speaking],
        more=len(rows) > len(taken),
    )


@transaction.atomic
def _finish(run: Run, window: Window, placed: Sequence[palace.Placed]) -> list[int]:
    """File the turns, end *run* and queue the run over what is left, in one transaction."""
    seen = [*window.turns, *window.silent]
    finished = run.still_mine().update(
        state=Run.State.SUCCEEDED,
        finished_at=timezone.now(),
        lease_until=None,
        first_position=min((turn.position for turn in seen), default=None),
        last_position=max((turn.position for turn in seen), default=None),
    )
    if not finished:
        raise Superseded
    # Whoever deletes a message of it holds this row first. So none goes while it is being filed.
    conversation = (
        Conversation.objects.select_for_update(of=("self",))
        .select_related("instance")
        .get(pk=run.conversation_id)
    )
    drawers = palace.file(conversation, placed)
    silent = conversation.messages.filter(pk__in=[turn.pk for turn in window.silent])
    Unfiled.objects.bulk_create(
        [Unfiled(instance_id=run.instance_id, message=message) for message in silent.only("pk")],
        ignore_conflicts=True,
    )
    Run.objects.filter(pk=run.pk).update(filed=len(drawers))
    if window.more:
        Run.objects.queue(conversation, Run.Kind.MINING, with_model=run.with_model)
    return [drawer.pk for drawer in drawers]
