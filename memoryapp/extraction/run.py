"""Extraction runs: queueing them, and reading one window of messages for facts."""

from collections.abc import Iterable, Iterator, Sequence
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.utils import timezone

from conversations.models import Conversation, Message, Role
from instances.actor import Actor
from instances.models import Instance
from instances.secrets import UnreadableSecret
from instances.tiers import Tier
from memoryapp.extraction import prompt
from memoryapp.extraction.builtin import facts_of
from memoryapp.extraction.gate import Gate
from memoryapp.extraction.parse import ExtractedFact, ExtractedFacts, ShortFacts
from memoryapp.extraction.transcript import MAX_CHARACTERS, TranscriptLine, build, says_something
from memoryapp.extraction.windows import (
    MAX_CHARACTERS_BUILTIN,
    MAX_NEW_MESSAGES_BUILTIN,
    MessageWindow,
    context_for,
)
from memoryapp.llm.answers import Dropped, UnusableAnswer
from memoryapp.llm.structured import NO_MODEL, NoModel, ask
from memoryapp.models import MemoryRevision, Origin, Run, Usage
from memoryapp.models.muted_messages import spoken
from memoryapp.pipeline import Candidate, Outcome, Writer, admit, remember
from memoryapp.pipeline.refusals import RefusedCandidate, store_refused
from memoryapp.policy.dedup import Action
from memoryapp.providers.configured import chat_endpoint, reader_abilities
from memoryapp.runs import execution


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
        Conversation.objects.select_for_update(of=("self",)).get(pk=conversation.pk)
        runs = Run.objects.extractions().filter(conversation=conversation)
        list(runs.filter(state=Run.State.QUEUED).select_for_update(of=("self",)))
        if runs.filter(state=Run.State.RUNNING).exists():
            return None
        Conversation.objects.filter(pk=conversation.pk).update(watermark=0)
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


def read(run: Run) -> None:
    """Carry out *run*, which the caller has claimed: it ends succeeded, queued again, or failed.

    Its memories are stored in one transaction with the watermark, the end of the run and the next
    run, if there is more to read: a worker that dies leaves either nothing or everything.
    """
    execution.carry_out(
        run, _read_window, retry_on=(UnusableAnswer,), give_up_on=(NoModel, UnreadableSecret)
    )


def _read_window(run: Run) -> None:
    """Read the next messages, as many as fit one call."""
    conversation = run.conversation
    instance = conversation.instance
    builtin = instance.reads_by_itself
    abilities = reader_abilities(instance)
    room = abilities.conversation_characters(MAX_CHARACTERS)
    window = (
        MessageWindow(MAX_CHARACTERS_BUILTIN, MAX_NEW_MESSAGES_BUILTIN)
        if builtin
        else MessageWindow(room)
    )
    new, more = _window(conversation, window)
    if not new:
        _finish(run, conversation.watermark, more=False)
        return
    run.first_position, run.last_position = new[0].position, new[-1].position
    run.still_mine().update(
        first_position=run.first_position,
        last_position=run.last_position,
        with_model=not builtin,
    )
    roles = (Role.USER,) if builtin else (Role.USER, Role.TOOL)
    by_people = {m.position: m for m in new if m.role in roles and says_something(_line(m))}
    if not by_people:
        _finish(run, new[-1].position, more=more)
        return
    if builtin:
        # What others say, it does not read.
        source: list[Message] = list(by_people.values())
        found, dropped = facts_of(new, instance), list[Dropped]()
    else:
        source = [*_context(conversation, new), *new]
        found, dropped = _ask(run, source, new, frozenset(by_people), room)
    # All messages, since the model may point to one and quote another.
    source_text = "\n".join(message.content for message in by_people.values())
    gate = Gate(source, instance.time_zone, people=[conversation.end_user])
    if not builtin and abilities.is_slow:
        # A small model overlooks some messages, and gets others wrong.
        learned = {item.message for item in found if gate.is_usable(item)}
        found += [fact for fact in facts_of(new, instance) if fact.message not in learned]
    tiers = {id(item): gate.tier(item) for item in found}
    proposals = [
        (
            Candidate(
                content=item.content,
                category=item.category,
                importance=item.importance,
                tags=item.tags,
                valid_until=gate.valid_until(item),
                end_user=conversation.end_user,
                origin=_origin(item, by_people[item.message], tiers[id(item)]),
                tier=tiers[id(item)],
                confidence=item.confidence,
                said_at=by_people[item.message].sent_at,
                conversation_id=conversation.pk,
                message_id=by_people[item.message].pk,
                metadata=by_people[item.message].metadata,
                source_text=by_people[item.message].content if builtin else source_text,
                **gate.key_and_value(item),
            ),
            gate.refusal(item),
        )
        for item in found
    ]
    fit, unfit = admit(instance, [candidate for candidate, refusal in proposals if not refusal])
    # What is refused is shown to people: without secrets, and without what they have deleted.
    refused: list[RefusedCandidate] = []
    for candidate, refusal in proposals:
        if refusal:
            shown, hidden = admit(instance, [candidate])
            refused += [RefusedCandidate(each, refusal) for each in shown]
            unfit += hidden
    positions = {message.pk: message.position for message in by_people.values()}
    dropped += [
        Dropped(positions[each.candidate.message_id or 0], f"was refused: {each.problem}")
        for each in unfit
    ]
    dropped += [
        Dropped(positions[each.candidate.message_id or 0], each.refusal.words) for each in refused
    ]
    remember(
        instance,
        fit,
        Writer(
            Origin.CONVERSATION,
            Actor(via="builtin_reader" if builtin else "extraction"),
            reason=MemoryRevision.Reason.EXTRACTED,
            tier=Tier.USER,
        ),
        in_same_transaction=lambda outcomes: _finish(
            run, new[-1].position, outcomes, dropped, refused, more=more
        ),
    )


def _ask(
    run: Run,
    source: Sequence[Message],
    new: Sequence[Message],
    positions: frozenset[int],
    room: int,
) -> tuple[list[ExtractedFact], list[Dropped]]:
    """Have the model read *source*, which ends with the *new* messages, in *room* characters:
    the facts that it proposes of the messages at *positions*, and what was unusable.
    """
    instance = run.conversation.instance
    is_slow = reader_abilities(instance).is_slow
    transcript = build(
        [_line(m) for m in source[: -len(new)]],
        [_line(m) for m in new],
        time_zone=instance.time_zone,
        room=room,
        brief=is_slow,
    )
    if not transcript.new:
        return [], []
    endpoint = chat_endpoint(instance)
    if endpoint is None:
        raise NoModel(NO_MODEL)
    now = timezone.now().astimezone(ZoneInfo(instance.time_zone))
    answer = ask(
        instance,
        Usage.Source.EXTRACT,
        endpoint,
        ShortFacts if is_slow else ExtractedFacts,
        run=run,
        system=prompt.SHORT if is_slow else prompt.SYSTEM,
        user=prompt.question(transcript, now=now, time_zone=instance.time_zone),
        context=positions,
    )
    return answer.memories, answer.dropped["memories"]


def _origin(item: ExtractedFact, message: Message, tier: Tier) -> Origin:
    """The origin of *item*. Only the messages decide whether it is a tool's, or the user's wish."""
    if message.role == Role.TOOL:
        return Origin.TOOL_CALL
    source = Origin(item.source)
    if source is Origin.TOOL_CALL or tier < Tier.USER:
        return Origin.CONVERSATION
    return source


def _window(conversation: Conversation, window: MessageWindow) -> tuple[list[Message], bool]:
    """The next unread messages that fit the *window*, and whether there are more."""
    conversation.refresh_from_db(fields=["watermark"])
    unread = list(
        conversation.messages.filter(position__gt=conversation.watermark)
        .order_by("position")
        .select_related("muted")
        .prefetch_related("tombstones")
        .defer("search")[: window.most + 1]
    )
    new: list[Message] = []
    for message in unread:
        if any(not stone.whole for stone in message.tombstones.all()):
            # Only the forgotten fact is suppressed: it may state others.
            message.content = spoken(message)
        if not window.take(len(message.content) + len(message.caption)):
            break
        new.append(message)
    return new, len(unread) > len(new)


def _context(conversation: Conversation, new: list[Message]) -> list[Message]:
    before = conversation.messages.filter(position__lt=new[0].position).defer("search")
    return list(before.order_by("-position")[: context_for(len(new))])[::-1]


def _line(message: Message) -> TranscriptLine:
    return TranscriptLine(
        position=message.position,
        role=message.role,
        content=message.content,
        sent_at=message.sent_at,
        author=message.author,
        caption=message.caption,
        tool_name=message.tool_name,
        tool_calls=message.tool_calls,
    )


def _not_stored(outcomes: Sequence[Outcome]) -> Iterator[Dropped]:
    """What waits for review, and what the instance ignores."""
    for outcome in outcomes:
        if outcome.held is not None and outcome.held.message is not None:
            position = outcome.held.message.position
            waits = outcome.action is Action.HELD
            yield Dropped(position, "waits for review" if waits else "was rejected in review")


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
