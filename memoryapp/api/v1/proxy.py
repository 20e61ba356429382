"""Answers one request: stores its messages, adds memories, asks the provider, runs our tools, and
passes on and stores the answer.
"""

import logging
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from zoneinfo import ZoneInfo

from django.db import close_old_connections, transaction
from django.utils import timezone

from conversations.models import Conversation, Role
from instances.actor import Actor
from instances.secrets import UnreadableSecret
from instances.tiers import Tier
from instances.translatable import internal_error, translatable
from memoryapp import tools
from memoryapp.api.v1.conversation_matching import (
    StoredTranscript,
    store_reply,
    store_transcript,
)
from memoryapp.api.v1.request import ProxyRequest
from memoryapp.api.v1.transcript import links
from memoryapp.api.v1.turn_context import TurnContext, keep, kept
from memoryapp.api.v1.wire import Additions, Part, Round
from memoryapp.assistant import prompt
from memoryapp.assistant.cancellation import CancellableWait, Cancelled
from memoryapp.assistant.tool_calls import MAX_ROUNDS, Called, allowed_tools, carry_out
from memoryapp.context.builder import MessageContext, context_for_message
from memoryapp.context.placement import nonce_of
from memoryapp.health.database_outages import retry_during_outage
from memoryapp.language.shortening import without_middle
from memoryapp.models import Answer, KeyRequest, Origin, RequestDoor, RequestRemark, Usage
from memoryapp.pipeline import Writer
from memoryapp.providers.chat_stream import ToolCall
from memoryapp.providers.errors import ErrorKind, ProviderError
from memoryapp.providers.stream_chunks import interrupted
from memoryapp.suppression.sending import model_of

logger = logging.getLogger(__name__)

#: Characters of a message that are used to recall memories.
MAX_QUESTION_CHARACTERS = 4_000
#: The error in the usage log if the caller has disconnected.
CALLER_DISCONNECTED = "The caller hung up."


class ProxiedAnswer:
    """The answer to one request, while it is passed on."""

    def __init__(self, request: ProxyRequest, stop: threading.Event) -> None:
        self.request = request
        self.stored: StoredTranscript | None = None
        self._instance = request.instance
        self._endpoint = request.endpoint
        self._wait = CancellableWait(stop, beat=lambda: True)
        self._started_at = timezone.now()
        self._shown = TurnContext()
        self._wire = request.wire()
        #: Our tools that the model may call, and those that ran.
        self._tool_names: list[str] = []
        self._tool_runs: list[Called] = []
        #: True if the model is asked without our tools, after a call that could not be read.
        self._asks_without_tools = False
        #: The rounds so far; the last one may not be complete.
        self._rounds: list[Round] = []

    def answer(self) -> Iterator[Part]:
        """Yield what the caller is sent: parts of a stream, or the one complete answer.

        However it ends, the text so far is stored. Raises `ProviderError`, `UnreadableSecret`,
        `OtherUsersConversation`, and `Cancelled` if the caller has disconnected.
        """
        new = self.request.messages[self.request.known :]
        if self.request.stores and new:
            self.stored = store_transcript(self.request.owner, new, after=self.request.after)
            if self.stored.conversation.without_memory:
                # Also if this request does not say so again.
                self.request = replace(self.request, recalls=False, offers_tools=False)
        state, error = Answer.State.DONE, ""
        try:
            self._extend_request()
            yield from self._stream() if self.request.streams else self._complete()
        except Cancelled:
            state = Answer.State.STOPPED
            raise
        except (ProviderError, UnreadableSecret) as failure:
            state, error = Answer.State.FAILED, str(failure)
            raise
        except Exception as failure:
            state, error = Answer.State.FAILED, internal_error(failure)
            raise
        finally:
            self._finish(state, error)

    # The request to the provider.

    def _extend_request(self) -> None:
        self._tool_names = self._offered_tools()
        shown = self._turn_context()
        additions = Additions(
            instructions=self._instructions(),
            context=shown.text,
            placement=self._instance.context_placement,
            tool_names=self._tool_names,
        )
        self._wire.extend(additions)
        self._shown = shown

    def _offered_tools(self) -> list[str]:
        """Return our tools that the model may call: none if the caller's options do not allow calls
        that the caller does not know.
        """
        request = self.request
        taken = self._wire.offered_names()
        if not request.offers_tools or taken is None:
            return []
        ours = allowed_tools(self._instance, recalls=request.recalls)
        ours = [name for name in ours if tools.TOOLS[name].needs in request.permissions]
        if self.stored is None and tools.FORGET in ours:
            ours.remove(tools.FORGET)  # A person decides, in the transcript.
        return [name for name in ours if name not in taken]

    def _turn_context(self) -> TurnContext:
        """Return what the model is shown for the turn: what it was shown before if the client's own
        tools have run since.
        """
        request = self.request
        if not request.recalls and not self._tool_names:
            return TurnContext()
        messages = request.messages
        asked = [n for n, each in enumerate(messages, 1) if each.message.role == Role.USER]
        if not asked:
            return TurnContext()
        begun_before = asked[-1] < len(messages)
        goes_on = bool(request.body.get("tools") or request.body.get("functions"))
        turn = ""
        if begun_before or goes_on:
            # All messages up to the user's last one.
            told = f"{request.recalls} {request.reach}"
            turn = f"{told} {self._nonce} {links(messages[: asked[-1]])[-1]}"
        if begun_before and (known := kept(self._instance, turn)) is not None:
            return known
        began = timezone.now()
        question = messages[asked[-1] - 1].message.content
        recalled = self._recall(question) if request.recalls else None
        text = recalled.text if recalled else ""
        if text or self._tool_names:
            zone = self._instance.time_zone
            text = prompt.paragraphs(prompt.date_line(began.astimezone(ZoneInfo(zone)), zone), text)
        context = TurnContext(text, recalled)
        if goes_on:
            keep(self._instance, turn, context, at=began)
        return context

    def _recall(self, question: str) -> MessageContext:
        question = without_middle(question, MAX_QUESTION_CHARACTERS)
        return context_for_message(
            self._instance,
            question,
            end_user=self._end_user,
            conversation=self._conversation,
            agent=self.request.agent,
            reach=self.request.reach,
        )

    @property
    def _conversation(self) -> Conversation | None:
        return self.stored.conversation if self.stored else None

    @property
    def _end_user(self) -> str:
        conversation = self._conversation
        return conversation.end_user if conversation else self.request.end_user

    @property
    def _nonce(self) -> str:
        """The id in the tags of this conversation."""
        return nonce_of(self._instance, self._end_user, self._conversation)

    def _instructions(self) -> str:
        """Return our instructions, the same in a whole conversation; empty for none."""
        agent, parts = self.request.agent, list[str]()
        if self.request.is_assistant:
            parts += [self._instance.instructions, agent.instructions if agent else ""]
        if self.request.recalls:
            parts.append(prompt.memory_note(self._nonce, self._instance.context_placement))
        return prompt.paragraphs(*parts)

    # The answer of the provider.

    def _stream(self) -> Iterator[Part]:
        wire = self._wire
        for number in range(MAX_ROUNDS + 1):
            if number == MAX_ROUNDS:
                wire.without_our_tools()
            yield from self._stream_round()
            self._run_tools()
            if not wire.continues:
                self._check_text()
                break
            wire.next_round(self._text)
        else:
            raise self._too_many_rounds()
        yield from wire.last()

    def _stream_round(self) -> Iterator[Part]:
        """Stream one round; send the request again if the server refuses what we have added."""
        wire = self._wire
        while True:
            current = wire.begin_round()
            self._rounds.append(current)
            failure: ProviderError | None = None
            passed = False
            try:
                for part in self._wait.each(wire.send()):
                    if isinstance(part, ProviderError):
                        failure = part
                        break
                    wire.note_success()
                    passed = True
                    yield from wire.take(part)
            except Cancelled:
                self._record_usage(current, CALLER_DISCONNECTED)
                raise
            if failure is None and not current.finish_reason:
                failure = interrupted(self._endpoint)
            self._record_usage(current, failure or "")
            if failure is None:
                return
            if passed or not wire.refused_by(failure):
                raise failure
            self._rounds.pop()

    def _complete(self) -> Iterator[Part]:
        wire = self._wire
        for number in range(MAX_ROUNDS + 1):
            if number == MAX_ROUNDS:
                wire.without_our_tools()
            text_before = self._text
            self._complete_round()
            if self._run_tools() != []:
                self._check_text()
                break
            wire.next_round(self._text)
        else:
            raise self._too_many_rounds()
        yield wire.whole(text_before)

    def _complete_round(self) -> None:
        wire = self._wire
        while True:
            current = wire.begin_round()
            close_old_connections()
            try:
                wire.send_whole()
            except ProviderError as error:
                self._record_usage(current, error)
                if wire.refused_by(error):
                    continue
                raise
            wire.note_success()
            self._rounds.append(current)
            self._record_usage(current)
            return

    def _run_tools(self) -> list[ToolCall] | None:
        """Run our tools that the last round called, and add their results to the next request.
        Return the other calls, which are the caller's; None if none was ours.
        """
        reply = self._rounds[-1].reply()
        ours = [call for call in reply.tool_calls if call.name in self._tool_names]
        if reply.unreadable_call and not (reply.tool_calls or reply.cut_off):
            return self._ask_without_tools()
        if not ours or reply.cut_off:
            return None
        runs = carry_out(ours, self._tool_context(), allowed=self._tool_names, waiting=self._wait)
        self._tool_runs += runs
        self._wire.add_results(ours, runs)
        return [call for call in reply.tool_calls if call.name not in self._tool_names]

    def _ask_without_tools(self) -> list[ToolCall] | None:
        """Do so once, after a call of ours that could not be read."""
        if self._asks_without_tools:
            return None
        self._asks_without_tools = True
        self._wire.ask_again()
        self._wire.without_our_tools()
        return []

    def _check_text(self) -> None:
        """Raise an error if the answer was nothing but a call that could not be read."""
        reply = self._rounds[-1].reply()
        if reply.unreadable_call and not (self._text or reply.tool_calls or reply.cut_off):
            raise self._too_many_rounds()

    def _tool_context(self) -> tools.ToolContext:
        if self.stored is not None:
            return tools.ToolContext.answering(
                self._instance,
                self.stored.conversation,
                self.stored.message,
                reach=self.request.reach,
            )
        writer = Writer(Origin.USER_EXPLICIT, Actor(via="assistant"), tier=Tier.ASSISTANT)
        request = self.request
        return tools.ToolContext(
            self._instance,
            writer,
            request.end_user,
            agent=request.agent,
            reach=request.reach,
            recipient=model_of(self._instance),
        )

    def _too_many_rounds(self) -> ProviderError:
        return ProviderError(
            ErrorKind.UNUSABLE_ANSWER,
            translatable(
                "%(model)s kept calling tools and gave no answer. Try again.",
                model=self._endpoint.model,
            ),
        )

    # Storing.

    @property
    def _text(self) -> str:
        return "\n\n".join(each.text for each in self._rounds if each.text.strip())

    def _record_usage(self, current: Round, error: ProviderError | str = "") -> None:
        record = partial(
            Usage.objects.record,
            self._instance,
            Usage.Source.CHAT,
            current.model or self._endpoint.model,
            host=self._endpoint.host,
            about=[self._end_user],
            prompt_tokens=current.prompt_tokens,
            billed_prompt_tokens=current.billed_prompt_tokens,
            completion_tokens=current.completion_tokens,
            error=error,
        )
        retry_during_outage(record)

    def _finish(self, state: Answer.State, error: str) -> None:
        """Store the reply and its sources. A failure is only logged, because the caller has the
        reply already, and sends it again with the next request.
        """
        kept = 0
        if self.stored is not None:
            try:
                kept = retry_during_outage(partial(self._store, self.stored, state, error))
            except Exception:
                pk = self.stored.conversation.pk
                logger.exception("a reply in conversation %s was not stored", pk)
        try:
            self._note_request(kept)
        except Exception:
            logger.exception("a request was not listed for its key")

    def _note_request(self, kept: int) -> None:
        """List the request for its key."""
        request = self.request
        conversation = self._conversation
        forgets = conversation is not None and conversation.without_memory
        KeyRequest.objects.note(
            request.door.key,
            RequestDoor.CHAT,
            client=request.client,
            end_user=self._end_user,
            kept=kept,
            remark=request.remark or (RequestRemark.MEMORY_OFF if forgets else ""),
        )

    @transaction.atomic
    def _store(self, stored: StoredTranscript, state: Answer.State, error: str) -> int:
        """Return how many messages of the request were stored, with the reply."""
        last = self._rounds[-1].reply() if self._rounds else None
        calls = [
            {"id": call.id, "name": call.name, "arguments": call.arguments}
            for call in (last.tool_calls if last and state == Answer.State.DONE else ())
            if call.name not in self._tool_names
        ]
        text = self._text.strip()
        reply = store_reply(stored, text, calls) if text or calls else None
        kept = stored.added + (reply is not None)
        if reply is not None and Answer.objects.filter(reply=reply).exists():
            reply = None  # The same reply was stored before, with another answer.
        answer = Answer.objects.create(
            instance=self._instance,
            conversation=stored.conversation,
            message=stored.message,
            reply=reply,
            state=state,
            error=error,
            cut_off=bool(last and last.cut_off),
            model=(last.model if last else self._endpoint.model)[:200],
            public_id=self.request.public_id if state == Answer.State.DONE else "",
            created_at=self._started_at,
            finished_at=timezone.now(),
        )
        if self._shown.recalled is not None:
            self._shown.recalled.note(answer, self._wire.placement)
        for run in self._tool_runs:
            run.note(answer)
        return kept
