"""Mining a conversation: one run, one window of turns, one call at most."""

from dataclasses import dataclass

from django.conf import settings
from django.db import transaction

from conversations.models import Conversation, Message, Role
from instances.secrets import UnreadableSecret
from memoryapp.embeddings.drawer_vectors import embed_drawers
from memoryapp.graph.ingestion import ingest
from memoryapp.llm.answers import UnusableAnswer
from memoryapp.mining import placement, windows
from memoryapp.mining.llm_call import ask_about
from memoryapp.models import Run, Unfiled, awaiting_filing, keep_lease, may_spend
from memoryapp.palace.filing import file_messages
from memoryapp.providers.configured import chat_endpoint
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ProviderError
from memoryapp.runs import execution
from memoryapp.text.recalled_context import without_recalled

#: Why no model was asked where there is one.
OVER_CAP = "This month’s cost cap is reached."
#: What a run says behind the reason for which it did without a model.
WITHOUT = "The turns were filed without the language model."


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
    filed: list[int] = []
    execution.carry_out(
        run,
        lambda run: filed.extend(_mine_window(run)),
        retry_on=(UnusableAnswer,),
        retry_every_provider_error=True,
    )
    embed_drawers(run.conversation.instance, filed)


def mine_here(conversation: Conversation, *, with_model: bool) -> int:
    """File all of *conversation* here and now, whatever its instance does by itself; return how
    many turns were filed. It ends early where a worker is at it, or a model wants patience: then
    a run is there that the workers carry on.
    """
    filed = 0
    while awaiting_filing(conversation.messages.all()).exists():
        with transaction.atomic():
            Conversation.objects.select_for_update(of=("self",)).get(pk=conversation.pk)
            Run.objects.queue(conversation, Run.Kind.MINING, with_model=with_model)
        waiting = Run.objects.minings().waiting().filter(conversation=conversation)
        run = waiting.select_related("conversation__instance").first()
        if run is None or not run.claim():
            break
        with keep_lease(run.still_mine(), seconds=settings.RUN_TIMEOUT_SECONDS):
            mine(run)
        run.refresh_from_db()
        filed += run.filed
        if run.state != Run.State.SUCCEEDED:
            break
    return filed


def _mine_window(run: Run) -> list[int]:
    """File the next turns; return the ids of their drawers."""
    conversation = run.conversation
    endpoint, why_not = _model_for(run)
    window = _window(conversation, with_model=endpoint is not None)
    plan = placement.by_conversation(conversation, window.turns)
    if endpoint is not None and window.turns:
        try:
            filing = ask_about(run, endpoint, window.turns)
            plan = placement.by_model(conversation, window.turns, filing)
        except (ProviderError, UnusableAnswer) as error:
            given_up = run.attempts >= Run.MAX_ATTEMPTS
            if isinstance(error, ProviderError):
                given_up = error.was_sent and (given_up or not error.retryable)
            if not given_up:
                raise
            why_not = str(error)
    return _finish(run, window, plan, f"{why_not} {WITHOUT}" if why_not else "")


def _model_for(run: Run) -> tuple[Endpoint | None, str]:
    """Who is asked; or nobody, and why not, where that is worth telling."""
    instance = run.conversation.instance
    if not run.with_model:
        return None, ""
    try:
        endpoint = chat_endpoint(instance)
    except UnreadableSecret as error:
        return None, str(error)
    if endpoint is not None and not may_spend(instance):
        return None, OVER_CAP
    return endpoint, ""


def _window(conversation: Conversation, *, with_model: bool) -> Window:
    """The next turns that are not filed: as many as fit one call, or one transaction."""
    most = windows.SHORT if with_model else windows.MAX_MESSAGES_WITHOUT_MODEL
    rows = list(
        awaiting_filing(conversation.messages.all())
        .order_by("position")
        .defer("search", "tool_calls", "metadata")[: most + 1]
    )
    taken = rows[:most]
    if with_model and rows:
        turns = conversation.messages.filter(role__in=[Role.USER, Role.ASSISTANT]).count()
        lengths = [len(row.content) + len(row.caption) for row in rows]
        taken = rows[: windows.fitting(lengths, conversation=turns)]
    speaking = {row.pk for row in taken if row.caption or without_recalled(row.content)}
    return Window(
        turns=[row for row in taken if row.pk in speaking],
        silent=[row for row in taken if row.pk not in speaking],
        more=len(rows) > len(taken),
    )


@transaction.atomic
def _finish(run: Run, window: Window, plan: placement.MiningPlan, why_not: str) -> list[int]:
    """File the turns, tell the graph, end *run* and queue the run over what is left, in one
    transaction.
    """
    seen = [*window.turns, *window.silent]
    execution.finish(
        run,
        error=why_not,
        first_position=min((turn.position for turn in seen), default=None),
        last_position=max((turn.position for turn in seen), default=None),
        rejected=execution.rejected(plan.dropped),
    )
    # Whoever deletes a message of it holds this row first. So none goes while it is being filed.
    conversation = (
        Conversation.objects.select_for_update(of=("self",))
        .select_related("instance")
        .get(pk=run.conversation_id)
    )
    drawers = put_away(conversation, plan)
    silent = [turn.pk for turn in window.silent]
    Unfiled.objects.filter(message__in=silent).update(stays_out=True)
    Run.objects.filter(pk=run.pk).update(filed=len(drawers))
    if window.more:
        Run.objects.queue(conversation, Run.Kind.MINING, with_model=run.with_model)
    return drawers


def put_away(conversation: Conversation, plan: placement.MiningPlan) -> list[int]:
    """File the turns of *plan* and tell the graph what they say; return the ids of their drawers.
    Belongs in a transaction that holds the row of *conversation*.
    """
    drawers = file_messages(conversation, plan.placed)
    by_message = {drawer.message_id or 0: drawer for drawer in drawers}
    said, mentioned = plan.said(by_message), plan.mentioned(by_message)
    if said or mentioned:
        ingest(conversation.instance, conversation.end_user, said, mentioned)
    return [drawer.pk for drawer in drawers]
