"""Makes an answer: recall, rounds of the model and its tools, and the stored reply."""

import logging
import threading
from collections.abc import Generator, Iterator, Sequence
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Count, Q, Sum
from django.db.models.functions import Coalesce, Least, Length
from django.utils import timezone

from conversations.messages import NewMessage, append, finish, shortened
from conversations.models import Conversation, Message, Role
from instances.models import ContextPlacement, Instance
from instances.secrets import UnreadableSecret
from instances.translatable import internal_error, sentences, translatable
from memoryapp import tools
from memoryapp.assistant import prompt
from memoryapp.assistant.cancellation import CancellableWait, Cancelled
from memoryapp.assistant.events import (
    Delta,
    Event,
    Failed,
    Finished,
    MemoriesRecalled,
    ModelAsked,
    Searched,
    Stopped,
    ToolBegan,
    ToolDone,
)
from memoryapp.assistant.tool_calls import (
    MAX_CALLS,
    MAX_ROUNDS,
    allowed_tools,
    as_messages,
    carry_out,
)
from memoryapp.context import builder
from memoryapp.context.placement import behind_last_user_message, nonce_of
from memoryapp.health.database_outages import is_outage, retry_during_outage
from memoryapp.llm.structured import NO_MODEL, NoModel
from memoryapp.models import Answer, Drawer, Memory, ProposedDeletion, Usage
from memoryapp.models.muted_messages import spoken
from memoryapp.providers.abilities import ModelAbilities
from memoryapp.providers.chat_stream import Reply, converse, request_size
from memoryapp.providers.configured import assistant_abilities, assistant_endpoint
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ErrorKind, ProviderError
from memoryapp.providers.written_calls import is_call
from memoryapp.reader import is_statement

logger = logging.getLogger(__name__)

#: Characters of a reply; a model that writes more is assumed not to stop.
MAX_REPLY_CHARACTERS = 200_000


def answer(attempt: Answer, stop: threading.Event | None = None) -> Iterator[Event]:
    """Carry out *attempt*, which is running, and yield events; the last one reports the outcome.
    *stop* ends it early, as does the flag on its row, which any process may set.

    The text so far is the reply, however it ends. It does not fail if recall or a tool fails.
    """
    attempt = Answer.objects.select_related("message", "conversation__agent").get(pk=attempt.pk)
    turn = _Attempt(attempt, CancellableWait(stop or threading.Event(), attempt.beat))
    state, error = Answer.State.DONE, ""
    try:
        if turn.instance.has_language_model:
            yield from turn.events()
        else:
            yield from turn.search()
            state = Answer.State.SEARCHED
    except Cancelled:
        state = Answer.State.STOPPED
    except (ProviderError, NoModel, UnreadableSecret) as failure:
        state, error = Answer.State.FAILED, str(failure)
    except Exception as failure:
        logger.exception("answer %s failed", attempt.pk)
        why = internal_error(failure)
        if is_outage(failure):
            why = translatable("The database did not answer.")
        state, error = Answer.State.FAILED, sentences(why, translatable("Try again."))
    # The text so far exists nowhere else.
    yield retry_during_outage(partial(turn.finish, state, error))


class _Attempt:
    """The state of one attempt while it goes on."""

    def __init__(self, attempt: Answer, waiting: CancellableWait) -> None:
        self.attempt = attempt
        self.conversation = attempt.conversation
        self.instance = Instance.objects.prefetch_related("secrets").get(pk=attempt.instance_id)
        self.waiting = waiting
        self.text = ""
        self.model = self.host = ""
        self.cut_off = False

    @property
    def recalls(self) -> bool:
        """True if this assistant may look into the memory."""
        if self.conversation.without_memory:
            return False
        return builder.may_recall(self.instance, self.conversation.agent)

    @property
    def allowed(self) -> list[str]:
        """The tools that the model may call."""
        if self.conversation.without_memory:
            return []
        if not self.abilities.offers_tools:
            return []
        return allowed_tools(self.instance, recalls=self.recalls)

    @property
    def abilities(self) -> ModelAbilities:
        """Abilities of the model, as far as they are known."""
        return assistant_abilities(self.instance)

    def events(self) -> Iterator[Event]:
        endpoint = assistant_endpoint(self.instance)
        if endpoint is None:
            raise NoModel(NO_MODEL)
        self.model, self.host = endpoint.model, endpoint.host
        context = ""
        if self.recalls:
            context, recalled = self._recall(within=self.conversation)
            yield recalled
        # The same until the answer is complete, also while tools run.
        messages = self._messages(context)
        offer = True
        for number in range(MAX_ROUNDS + 1):
            may_call = number < MAX_ROUNDS
            reply = yield from self._round(endpoint, messages, may_call=may_call, offer=offer)
            if reply is None or not may_call or not offer:
                break
            if reply.tool_calls:
                yield from self._call_tools(reply, messages)
            elif reply.unreadable_call:
                offer = False
            else:
                break
        if not self.text.strip():
            raise ProviderError(
                ErrorKind.UNUSABLE_ANSWER,
                translatable(
                    "%(model)s kept calling tools and gave no answer. Try again.",
                    model=endpoint.model,
                ),
            )

    def search(self) -> Iterator[Event]:
        """Answer without a language model: the page shows what is recalled."""
        if self.recalls:
            # What was said in this conversation is an answer, too: no model has it before itself.
            # Who tells something has asked for nothing.
            text = spoken(self.attempt.message)
            tells = is_statement(text, self.instance.language)
            # What is pinned is for a model that answers, and is no answer by itself.
            _, recalled = self._recall(within=None, only_clear=tells, pins=())
            yield recalled

    def _recall(
        self,
        *,
        within: Conversation | None,
        only_clear: bool = False,
        pins: Sequence[Memory] | None = None,
    ) -> tuple[str, MemoriesRecalled]:
        """Search the memory for the message, but not what was said *within* a conversation. A
        failure is noted, and does not fail the answer.
        """
        context = builder.context_for_message(
            self.instance,
            spoken(self.attempt.message),
            end_user=self.conversation.end_user,
            conversation=within,
            agent=self.conversation.agent,
            only_clear=only_clear,
            pins=pins,
        )
        context.note(self.attempt, self.instance.context_placement)
        return context.text, MemoriesRecalled(context.sources, context.problem)

    def _messages(self, context: str) -> list[dict[str, Any]]:
        instance, agent = self.instance, self.conversation.agent
        now = timezone.now().astimezone(ZoneInfo(instance.time_zone))
        shown = prompt.paragraphs(prompt.date_line(now, instance.time_zone), context)
        system = [
            prompt.paragraphs(instance.instructions, agent.instructions if agent else "")
            or prompt.DEFAULT
        ]
        if self.recalls:
            nonce = nonce_of(instance, self.conversation.end_user, self.conversation)
            short = self.abilities.is_slow
            note = prompt.memory_note(nonce, instance.context_placement, short=short)
            system.append(note if short else f"{note} {prompt.CITING}")
        history = self._history()
        if instance.context_placement == ContextPlacement.SYSTEM_MESSAGE:
            system.append(shown)
        else:
            history = behind_last_user_message(history, shown)
        return [{"role": "system", "content": prompt.paragraphs(*system)}, *history]

    def _history(self) -> list[dict[str, Any]]:
        asked = self.attempt.message
        told = self.conversation.messages.filter(
            Q(muted=None) | Q(pk=asked.pk),
            position__lte=asked.position,
            role__in=prompt.SPEAKERS,
        )
        newest = told.order_by("-position").defer("search")[: prompt.MAX_MESSAGES]
        messages = list(newest)[::-1]
        for message in messages:
            if message == asked:
                message.content = spoken(asked)
            elif message.role == Role.ASSISTANT and is_call(message.content):
                message.content = ""
        room = self.abilities.history_characters(prompt.MAX_CHARACTERS)
        if len(messages) < prompt.MAX_MESSAGES:
            return prompt.history(messages, room=room)
        length = Least(Length("content"), prompt.MAX_CHARACTERS)
        before = told.filter(position__lt=messages[0].position)
        earlier = before.aggregate(count=Count("pk"), characters=Coalesce(Sum(length), 0))
        return prompt.history(messages, prompt.EarlierMessages(**earlier), room=room)

    def _round(
        self, endpoint: Endpoint, messages: list[dict[str, Any]], *, may_call: bool, offer: bool
    ) -> Generator[Event, None, Reply | None]:
        """Call the model once; return its reply, or None if it was cut off for its length."""
        schemas = tools.schemas(self.allowed)
        stream = converse(endpoint, messages, tools=schemas, may_call=may_call, offer=offer)
        begun = False
        yield ModelAsked(self.abilities.reading_seconds(request_size(messages, schemas)))
        try:
            for piece in self.waiting.each(stream):
                if isinstance(piece, Reply):
                    self._record_usage(piece)
                    self.cut_off = piece.cut_off
                    return piece
                # The text after tools have run is a paragraph of its own.
                text = f"\n\n{piece}" if self.text.strip() and not begun else piece
                begun = True
                self.text += text
                yield Delta(text)
                if len(self.text) > MAX_REPLY_CHARACTERS:
                    self._record_usage(error=translatable("The reply exceeded the length limit."))
                    self.cut_off = True
                    return None
        except ProviderError as error:
            self._record_usage(error=error)
            raise
        except Cancelled:
            self._record_usage(error=translatable("Stopped by hand."))
            raise
        raise AssertionError("a stream ends with a reply or an error")

    def _call_tools(self, reply: Reply, messages: list[dict[str, Any]]) -> Iterator[Event]:
        """Run the tools that *reply* calls, and add calls and results to *messages*."""
        for call in reply.tool_calls[:MAX_CALLS]:
            yield ToolBegan(call.name)
        context = tools.ToolContext.answering(
            self.instance, self.conversation, self.attempt.message
        )
        called = carry_out(reply.tool_calls, context, allowed=self.allowed, waiting=self.waiting)
        for each in called:
            run, ids = each.note(self.attempt), each.result.memory_ids
            yield ToolDone(run.name, run.outcome, run.ok, ids, run.milliseconds)
        messages += as_messages(reply.text, reply.tool_calls, called)

    def _record_usage(self, reply: Reply | None = None, *, error: ProviderError | str = "") -> None:
        record = partial(
            Usage.objects.record,
            self.instance,
            Usage.Source.CHAT,
            reply.model if reply else self.model,
            host=self.host,
            about=[self.conversation.end_user],
            prompt_tokens=reply.prompt_tokens if reply else 0,
            completion_tokens=reply.completion_tokens if reply else 0,
            error=error,
        )
        retry_during_outage(record)

    @transaction.atomic
    def finish(self, state: Answer.State, error: str) -> Event:
        """End the attempt and store the reply; in the same transaction, queue the run that reads
        it, and delete the reply that it replaces.
        """
        # The same order of locks as in `submission`: the conversation first.
        self.conversation.locked()
        # The condition decides the race with a sweeper that takes this process for dead.
        still_mine = self.attempt.row().running()
        if not still_mine.update(
            state=state,
            error=error,
            model=self.model[:200],
            cut_off=self.cut_off,
            finished_at=timezone.now(),
        ):
            return Failed("This answer stopped reporting, and another process ended it.")
        reply = self._store_reply() if self.text.strip() else None
        if reply is not None:
            self.attempt.row().update(reply=reply)
        elif state == Answer.State.SEARCHED:
            # What was said is read and filed all the same.
            finish(self.conversation)
            return Searched()
        reply_id = reply.pk if reply else None
        if state == Answer.State.STOPPED:
            return Stopped(reply_id)
        if state == Answer.State.FAILED or reply_id is None:
            return Failed(error, reply_id)
        return Finished(reply_id)

    def _store_reply(self) -> Message:
        # A retry replaces the earlier reply only now, so that nothing is lost if it fails.
        if self.attempt.replaces_id:
            Drawer.objects.filter(message=self.attempt.replaces_id).hold(self.instance.pk)
            Message.objects.filter(pk=self.attempt.replaces_id).delete()
            replaced = Answer.objects.filter(message=self.attempt.message, pk__lt=self.attempt.pk)
            ProposedDeletion.objects.undecided().filter(answer__in=replaced).delete()
        text = shortened(self.text.strip(), MAX_REPLY_CHARACTERS)
        (reply,) = append(self.conversation, [NewMessage(Role.ASSISTANT, text)]).added
        return reply
