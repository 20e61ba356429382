"""Extraction runs: queueing them, and reading one window of messages for facts."""

from collections.abc import Iterable, Iterator, Sequence

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet, Subquery

from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import Instance
from instances.secrets import UnreadableSecret
from instances.tiers import Tier
from instances.translatable import translatable
from memoryapp.extraction.candidates import sort_out
from memoryapp.extraction.llm_call import line_of
from memoryapp.extraction.readers import reader_for
from memoryapp.extraction.transcript import says_something
from memoryapp.extraction.windows import MessageWindow
from memoryapp.llm.answers import Dropped, UnusableAnswer
from memoryapp.llm.structured import NoModel
from memoryapp.models import MemoryRevision, Origin, Run
from memoryapp.models.muted_messages import spoken
from memoryapp.pipeline import Outcome, Writer, remember
from memoryapp.policy.dedup import Action
from memoryapp.runs import execution
from memoryapp.telemetry import traces
from memoryapp.trust.refusals import RefusedCandidate, store_refused

BREAKS_OFF = translatable("The language model’s answer breaks off. What it said before was kept.")


def queue(conversation: Conversation) -> Run | None:
    """Queue a run over the unread messages of *conversation*, unless one waits already. Belongs in
    the transaction that stores the messages.
    """
    return Run.objects.queue(conversation, Run.Kind.EXTRACTION)


class WithoutMemory(ValueError):
    """The conversation was begun without memory, so it is never read."""

    def __init__(self) -> None:
        super().__init__("This conversation was begun without memory, so nothing of it is kept.")


def queue_by_hand(conversation: Conversation) -> Run:
    """Queue a run over *conversation* whatever the settings of its instance: retry a failed one, or
    read what is new. Returns the run that will read it, which may have waited already. Raises
    `WithoutMemory`.
    """
    if conversation.without_memory:
        raise WithoutMemory
    while True:
        runs = Run.objects.extractions().filter(conversation=conversation)
        failed = runs.unresolved_failures().first()
        run = failed if failed and failed.retry() else queue(conversation)
        # If None, a waiting one is locked until this transaction ends.
        run = run or runs.filter(state=Run.State.QUEUED).first()
        if run is not None:
            run.refresh_from_db()
            return run


def queue_again(conversation: Conversation) -> Run | None:
    """Have *conversation* read again from its beginning; return None while it is being read.

    Known facts are not stored twice, and deleted or undone ones do not return.
    """
    with transaction.atomic():
        # Writers of messages wait for the first row, a worker that claims the waiting run for the
        # second. Otherwise a run could start in between, and end with the watermark far ahead.
        conversation.locked()
        runs = Run.objects.extractions().filter(conversation=conversation)
        list(runs.filter(state=Run.State.QUEUED).select_for_update(of=("self",)))
        if runs.filter(state=Run.State.RUNNING).exists():
            return None
        conversation.row().update(watermark=0)
        return queue_by_hand(conversation)


def read_by_builtin_reader(instance: Instance) -> QuerySet[Conversation]:
    """The conversations of *instance* that the built-in reader, and not a model, has read last."""
    runs = Run.objects.extractions().filter(conversation=OuterRef("pk"), state=Run.State.SUCCEEDED)
    rows = Conversation.objects.filter(instance=instance, without_memory=False)
    last = Subquery(runs.order_by("-pk").values("with_model")[:1])
    return rows.alias(last_with_model=last).filter(last_with_model=False)


def queue_again_with_model(instance: Instance) -> int:
    """Have the model read again what the built-in reader has read; return how many conversations.
    The sweeper hands them to the workers.
    """
    queued = [queue_again(conversation) for conversation in read_by_builtin_reader(instance)]
    return sum(run is not None for run in queued)


def queue_all(conversations: QuerySet[Conversation]) -> int:
    """Queue a run over each of *conversations* with unread messages; see `execution.queue_all`."""
    unread = Message.objects.filter(conversation=OuterRef("pk")).unread()
    return execution.queue_all(conversations, Run.Kind.EXTRACTION, unread)


def queue_stale() -> int:
    """Queue a run over each stale conversation with unread messages; return how many. After a
    failed run, a conversation waits for new messages or for a person to retry it.
    """
    failed = Run.objects.extractions().filter(
        conversation=OuterRef("pk"),
        state=Run.State.FAILED,
        finished_at__gte=OuterRef("last_activity_at"),
    )
    return queue_all(Conversation.objects.stale().filter(~Exists(failed)))


@traces.traced("extraction")
def read(run: Run) -> None:
    """Carry out *run*, which the caller has claimed: it ends succeeded, queued again, or failed.

    Its memories are stored in one transaction with the watermark, the end of the run and the next
    run, if there is more to read: a worker that dies leaves either nothing or everything. Only of
    an answer that breaks off, the facts are stored first, and the run ends without the watermark.
    """
    execution.carry_out(
        run, _read_window, retry_on=(UnusableAnswer,), give_up_on=(NoModel, UnreadableSecret)
    )


def _read_window(run: Run) -> None:
    """Read the next messages, as many as fit one call."""
    conversation = run.conversation
    reader = reader_for(run)
    new, more = _window(conversation, reader.window())
    if not new:
        _finish(run, conversation.watermark, more=False)
        return
    _note_window(run, new, with_model=reader.is_model)
    telling = {
        message.position: message
        for message in new
        if message.role in reader.roles and says_something(line_of(message))
    }
    if not telling:
        _finish(run, new[-1].position, more=more)
        return
    reading = reader.read(new, telling)
    candidates = sort_out(
        conversation.instance, reading.facts, telling, source_text=reading.source_text
    )
    dropped = [*reading.dropped, *candidates.dropped]

    def finish(outcomes: Sequence[Outcome]) -> None:
        _finish(run, new[-1].position, outcomes, dropped, candidates.refused, more=more)

    remember(
        conversation.instance,
        candidates.fit,
        Writer(
            Origin.CONVERSATION,
            Actor(via=reader.via),
            reason=MemoryRevision.Reason.EXTRACTED,
            tier=Tier.USER,
        ),
        in_same_transaction=None if reading.breaks_off else finish,
    )
    if reading.breaks_off:
        # What is there is kept; the rest is asked for again, with fewer of the same messages.
        raise UnusableAnswer(BREAKS_OFF)


def _note_window(run: Run, new: Sequence[Message], *, with_model: bool) -> None:
    run.first_position, run.last_position = new[0].position, new[-1].position
    run.still_mine().update(
        first_position=run.first_position,
        last_position=run.last_position,
        with_model=with_model,
    )


def _window(conversation: Conversation, window: MessageWindow) -> tuple[list[Message], bool]:
    """The next unread messages that fit the *window*, and whether there are more."""
    conversation.refresh_from_db(fields=["watermark"])
    unread = list(
        conversation.messages.filter(position__gt=conversation.watermark)
        .order_by("position")
        .select_related("muted")
        .prefetch_related("suppressed_statements")
        .defer("search")[: window.most + 1]
    )
    new: list[Message] = []
    for message in unread:
        if any(not stone.whole for stone in message.suppressed_statements.all()):
            # Only the forgotten fact is suppressed: it may state others.
            message.content = spoken(message)
        if not window.take(len(message.content) + len(message.caption)):
            break
        new.append(message)
    return new, len(unread) > len(new)


def _not_stored(outcomes: Sequence[Outcome]) -> Iterator[Dropped]:
    """Facts that wait for review, and those that the instance ignores."""
    for outcome in outcomes:
        if outcome.held is not None and outcome.held.message is not None:
            position = outcome.held.message.position
            waits = outcome.action is Action.HELD
            yield Dropped(
                position,
                translatable("waits for review")
                if waits
                else translatable("was rejected in review"),
            )


@transaction.atomic
def _finish(
    run: Run,
    watermark: int,
    outcomes: Sequence[Outcome] = (),
    dropped: Iterable[Dropped] = (),
    refused: Sequence[RefusedCandidate] = (),
    *,
    more: bool,
) -> None:
    """End *run*, move the watermark, and queue the next run if there is *more*."""
    actions = [outcome.action for outcome in outcomes]
    dropped = [*dropped, *_not_stored(outcomes)]
    execution.finish(
        run,
        error="",
        stored=actions.count(Action.STORED),
        updated=actions.count(Action.UPDATED),
        repeated=actions.count(Action.DUPLICATE),
        rejected=execution.rejected(dropped),
    )
    store_refused(run, refused)
    Conversation.objects.filter(pk=run.conversation_id, watermark__lt=watermark).update(
        watermark=watermark
    )
    if more:
        queue(run.conversation)
