"""Mining runs: each files one window of messages, with one call to a model at most."""

from dataclasses import dataclass

from django.conf import settings
from django.db import transaction

from conversations.models import Conversation, Message, Role
from instances.actor import Actor
from instances.secrets import UnreadableSecret
from instances.translatable import sentences, translatable
from memoryapp.embeddings.drawer_vectors import embed_drawers
from memoryapp.graph.ingestion import ingest
from memoryapp.llm.answers import UnusableAnswer
from memoryapp.mining import placement, windows
from memoryapp.mining.llm_call import ask_about, messages_before
from memoryapp.models import Activity, Run, Unfiled, awaiting_filing, may_spend
from memoryapp.palace.filing import file_messages
from memoryapp.policy.recalled_context import without_recalled
from memoryapp.providers.configured import chat_endpoint
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ProviderError
from memoryapp.providers.written_calls import is_call
from memoryapp.runs import execution
from memoryapp.suppression.sensitivity import is_kept

#: Why an existing model was not asked.
OVER_CAP = translatable("This month’s cost cap is reached.")
TOO_SLOW = translatable("The language model is too slow to file as well as read.")
#: Follows the reason for which a run did without a model.
WITHOUT = translatable("The messages were filed without the language model.")


@dataclass(frozen=True)
class Window:
    """The messages that one run files."""

    messages: list[Message]
    #: Messages that are not filed: without text, or only a tool call that was written as text.
    empty: list[Message]
    #: True if there are more after them.
    more: bool


def mine(run: Run) -> None:
    """Carry out *run*, which the caller has claimed: it ends succeeded, queued again, or failed.

    All that it files is stored in one transaction with the end of the run and the next run, if
    there is more to file: a worker that dies leaves either nothing or everything. Vectors are made
    afterwards, and missing ones by the back-fill.
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
    """File all of *conversation* in this process, whatever the settings of its instance; return the
    number of messages filed. If a worker is filing it, or a model has to be called again later, the
    run is left to the workers.
    """
    filed = 0
    while awaiting_filing(conversation.messages.all()).exists():
        with transaction.atomic():
            conversation.locked()
            Run.objects.queue(conversation, Run.Kind.MINING, with_model=with_model)
        waiting = Run.objects.minings().waiting().filter(conversation=conversation)
        run = waiting.select_related("conversation__instance").first()
        if run is None or not run.claim():
            break
        with run.kept(seconds=settings.RUN_TIMEOUT_SECONDS):
            mine(run)
        run.refresh_from_db()
        filed += run.filed
        if run.state != Run.State.SUCCEEDED:
            break
    return filed


def _mine_window(run: Run) -> list[int]:
    """File the next messages; return the ids of their drawers."""
    conversation = run.conversation
    endpoint, why_not = _model_for(run)
    window = _window(conversation, with_model=endpoint is not None)
    plan = placement.by_conversation(conversation, window.messages)
    if endpoint is not None and window.messages:
        try:
            earlier = messages_before(window.messages[0], conversation)
            filing = ask_about(run, endpoint, window.messages, earlier)
            plan = placement.by_model(conversation, window.messages, filing, earlier)
        except (ProviderError, UnusableAnswer) as error:
            given_up = run.attempts >= Run.MAX_ATTEMPTS
            if isinstance(error, ProviderError):
                given_up = error.was_sent and (given_up or not error.retryable)
            if not given_up:
                raise
            why_not = str(error)
    return _finish(run, window, plan, sentences(why_not, WITHOUT) if why_not else "")


def _model_for(run: Run) -> tuple[Endpoint | None, str]:
    """The model to ask; or None, with the reason if there is one to report."""
    instance = run.conversation.instance
    if not run.with_model:
        return None, ""
    try:
        endpoint = chat_endpoint(instance)
    except UnreadableSecret as error:
        return None, str(error)
    if endpoint is not None and endpoint.abilities.is_slow:
        return None, TOO_SLOW
    if endpoint is not None and not may_spend(instance):
        return None, OVER_CAP
    return endpoint, ""


def _window(conversation: Conversation, *, with_model: bool) -> Window:
    """The next unfiled messages: as many as fit one call, or one transaction."""
    limit = windows.SHORT if with_model else windows.MAX_MESSAGES_WITHOUT_MODEL
    rows = list(
        awaiting_filing(conversation.messages.all())
        .order_by("position")
        .defer("search", "tool_calls", "metadata")[: limit + 1]
    )
    taken = rows[:limit]
    if with_model and rows:
        total = conversation.messages.filter(role__in=[Role.USER, Role.ASSISTANT]).count()
        lengths = [len(row.content) + len(row.caption) for row in rows]
        taken = rows[: windows.fitting(lengths, total=total)]
    window = Window([], [], more=len(rows) > len(taken))
    for row in taken:
        has_text = row.caption or without_recalled(row.content)
        if row.role == Role.ASSISTANT and is_call(row.content):
            has_text = ""
        if not is_kept(conversation.instance, row.content):
            has_text = ""
        (window.messages if has_text else window.empty).append(row)
    return window


@transaction.atomic
def _finish(run: Run, window: Window, plan: placement.MiningPlan, why_not: str) -> list[int]:
    """File the messages, end *run*, and queue the next run if there are more."""
    positions = [message.position for message in (*window.messages, *window.empty)]
    execution.finish(
        run,
        error=why_not,
        first_position=min(positions, default=None),
        last_position=max(positions, default=None),
        rejected=execution.rejected(plan.dropped),
    )
    # To delete a message, this row is locked first: none is deleted while it is being filed.
    conversation = (
        run.conversation.row().select_for_update(of=("self",)).select_related("instance").get()
    )
    drawers = file_plan(conversation, plan, by=Actor(via="mining"))
    Unfiled.objects.filter(message__in=window.empty).update(stays_out=True)
    run.row().update(filed=len(drawers))
    if window.more:
        Run.objects.queue(conversation, Run.Kind.MINING, with_model=run.with_model)
    return drawers


def file_plan(conversation: Conversation, plan: placement.MiningPlan, *, by: Actor) -> list[int]:
    """File the messages of *plan*, add their statements to the graph, and record both; return the
    ids of their drawers. Belongs in a transaction that has locked the row of *conversation*.
    """
    drawers = file_messages(conversation, plan.placed)
    by_message = {drawer.message_id or 0: drawer for drawer in drawers}
    statements, mentions = plan.statements(by_message), plan.mentions(by_message)
    learned = 0
    if statements or mentions:
        learned = ingest(conversation.instance, conversation.end_user, statements, mentions)
    for action, count in (
        (Activity.Action.FILED, len(drawers)),
        (Activity.Action.RELATIONS_LEARNED, learned),
    ):
        Activity.objects.add_to_day(
            conversation.instance,
            by,
            action,
            count=count,
            conversation_id=conversation.pk,
            end_user=conversation.end_user,
        )
    return [drawer.pk for drawer in drawers]
