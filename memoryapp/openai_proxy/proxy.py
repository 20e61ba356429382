"""Answers one request: stores its messages, adds memories, asks the provider, runs our tools, and
passes on and stores the answer.
"""

import logging
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from django.db import close_old_connections, transaction
from django.utils import timezone

from conversations.models import Conversation, Role
from instances.actor import Actor
from instances.secrets import UnreadableSecret
from instances.tiers import Tier
from instances.translatable import internal_error, translatable
from memoryapp import tools
from memoryapp.assistant import prompt
from memoryapp.assistant.cancellation import CancellableWait, Cancelled
from memoryapp.assistant.tool_calls import MAX_ROUNDS, Called, allowed_tools, as_messages, carry_out
from memoryapp.context.builder import MessageContext, context_for_message
from memoryapp.context.placement import nonce_of
from memoryapp.health.database_outages import retry_during_outage
from memoryapp.models import Answer, Origin, Usage
from memoryapp.openai_proxy import tool_call_filter
from memoryapp.openai_proxy.conversation_matching import (
    StoredTranscript,
    store_reply,
    store_transcript,
)
from memoryapp.openai_proxy.request import ProxyRequest
from memoryapp.openai_proxy.tool_call_filter import ToolCallFilter
from memoryapp.openai_proxy.transcript import links
from memoryapp.openai_proxy.turn_context import TurnContext, keep, kept
from memoryapp.openai_proxy.upstream_request import UpstreamRequest
from memoryapp.openai_proxy.written_calls import RequestCalls, callers_tools, with_calls
from memoryapp.pipeline import Writer
from memoryapp.providers.chat_stream import Assembly, ToolCall
from memoryapp.providers.errors import ErrorKind, ProviderError
from memoryapp.providers.stream_chunks import complete_answer, interrupted, stream_chunks
from memoryapp.text.shortening import without_middle

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
        self._upstream: UpstreamRequest | None = None
        #: Our tools that the model may call, and those that ran.
        self._tool_names: list[str] = []
        self._tool_runs: list[Called] = []
        #: Whether the model is asked without our tools, after a call that could not be read.
        self._asks_without_tools = False
        #: The rounds so far; the last one may not be complete.
        self._rounds: list[Assembly] = []

    def answer(self) -> Iterator[dict[str, Any]]:
        """Yield what the caller is sent: chunks of a stream, or the one complete answer.

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

    def _upstream_request(self) -> UpstreamRequest:
        self._tool_names = self._offered_tools()
        self._shown = self._turn_context()
        self._upstream = UpstreamRequest(
            self._endpoint,
            self.request.body,
            instructions=self._instructions(),
            context=self._shown.text,
            placement=self._instance.context_placement,
            tool_names=self._tool_names,
        )
        return self._upstream

    def _offered_tools(self) -> list[str]:
        """Return our tools that the model may call: none if the caller's options do not allow calls
        that the caller does not know.
        """
        request, body = self.request, self.request.body
        theirs = body.get("tools")
        if (
            not request.offers_tools
            or body.get("n") not in (None, 1)
            or body.get("tool_choice") not in (None, "auto")
            or body.get("functions")
            or not isinstance(theirs, list | None)
        ):
            return []
        ours = allowed_tools(self._instance, recalls=request.recalls)
        ours = [name for name in ours if tools.TOOLS[name].needs in request.permissions]
        if self.stored is None and tools.FORGET in ours:
            ours.remove(tools.FORGET)  # A person decides, in the transcript.
        taken = {tool_call_filter.tool_name(tool) for tool in theirs or []}
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
            turn = f"{request.recalls} {self._nonce} {links(messages[: asked[-1]])[-1]}"
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
            self._instance, question, end_user=self._end_user, conversation=self._conversation
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

    def _stream(self) -> Iterator[dict[str, Any]]:
        request = self._upstream_request()
        options = self.request.body.get("stream_options")
        wants_usage = isinstance(options, dict) and bool(options.get("include_usage"))
        tool_filter = ToolCallFilter(self._tool_names, wants_usage=wants_usage)
        for number in range(MAX_ROUNDS + 1):
            if number == MAX_ROUNDS:
                request.without_our_tools()
            yield from self._stream_round(request, tool_filter)
            self._run_tools(request)
            if not tool_filter.continues:
                self._check_text()
                break
            tool_filter.next_round(self._text)
        else:
            raise self._too_many_rounds()
        yield from tool_filter.last()

    def _stream_round(
        self, request: UpstreamRequest, tool_filter: ToolCallFilter
    ) -> Iterator[dict[str, Any]]:
        """Stream one round; send the request again if the server refuses what we have added."""
        while True:
            assembly, calls = self._assembly()
            self._rounds.append(assembly)
            failure: ProviderError | None = None
            passed = False
            try:
                for chunk in self._wait.each(stream_chunks(self._endpoint, request.body())):
                    if isinstance(chunk, ProviderError):
                        failure = chunk
                        break
                    request.note_success()
                    text = assembly.take(chunk)
                    passed = True
                    if calls is not None:
                        shown_calls = calls.their_calls if assembly.finish_reason else []
                        chunk = with_calls(chunk, text, shown_calls)
                    yield from tool_filter.filter(chunk, hides_calls=self._hides(calls))
            except Cancelled:
                self._record_usage(assembly, CALLER_DISCONNECTED)
                raise
            if failure is None and not assembly.finish_reason:
                failure = interrupted(self._endpoint)
            self._record_usage(assembly, failure or "")
            if failure is None:
                return
            if passed or not request.refused_by(failure):
                raise failure
            self._rounds.pop()

    def _complete(self) -> Iterator[dict[str, Any]]:
        request = self._upstream_request()
        usage: dict[str, Any] = {}
        for number in range(MAX_ROUNDS + 1):
            if number == MAX_ROUNDS:
                request.without_our_tools()
            text_before = self._text
            answer = self._complete_round(request)
            usage = tool_call_filter.add_usage(usage, answer.get("usage"))
            if self._run_tools(request) != []:
                self._check_text()
                break
        else:
            raise self._too_many_rounds()
        if self._tool_names:
            answer = tool_call_filter.without_calls(answer, self._tool_names, text_before)
            answer |= {"usage": usage} if usage else {}
        yield answer

    def _complete_round(self, request: UpstreamRequest) -> dict[str, Any]:
        while True:
            assembly, calls = self._assembly()
            close_old_connections()
            try:
                answer = complete_answer(self._endpoint, request.body())
            except ProviderError as error:
                self._record_usage(assembly, error)
                if request.refused_by(error):
                    continue
                raise
            request.note_success()
            text = assembly.take(answer) + assembly.end()
            self._rounds.append(assembly)
            self._record_usage(assembly)
            return with_calls(answer, text, calls.their_calls) if calls else answer

    def _assembly(self) -> tuple[Assembly, RequestCalls | None]:
        """Return what assembles a round, and finds the calls that are written as text."""
        theirs = callers_tools(self.request.body)
        calls = RequestCalls(self._tool_names, theirs) if self._tool_names or theirs else None
        return Assembly(self._endpoint, calls), calls

    def _hides(self, calls: RequestCalls | None) -> bool:
        """Whether the text has a call that is not shown, so that the model is asked again."""
        return calls is not None and (
            calls.has_ours or (calls.unreadable and not self._asks_without_tools)
        )

    def _run_tools(self, request: UpstreamRequest) -> list[ToolCall] | None:
        """Run our tools that the last round called, and add their results to the next *request*.
        Return the other calls, which are the caller's; None if none was ours.
        """
        reply = self._rounds[-1].reply()
        ours = [call for call in reply.tool_calls if call.name in self._tool_names]
        if reply.unreadable_call and not (reply.tool_calls or reply.cut_off):
            return self._ask_without_tools(request)
        if not ours or reply.cut_off:
            return None
        runs = carry_out(ours, self._tool_context(), allowed=self._tool_names, waiting=self._wait)
        self._tool_runs += runs
        request.add_messages(as_messages(reply.text, ours, runs))
        return [call for call in reply.tool_calls if call.name not in self._tool_names]

    def _ask_without_tools(self, request: UpstreamRequest) -> list[ToolCall] | None:
        """Do so once, after a call of ours that could not be read."""
        if self._asks_without_tools:
            return None
        self._asks_without_tools = True
        request.without_our_tools()
        return []

    def _check_text(self) -> None:
        """Raise an error if the answer was nothing but a call that could not be read."""
        reply = self._rounds[-1].reply()
        if reply.unreadable_call and not (self._text or reply.tool_calls or reply.cut_off):
            raise self._too_many_rounds()

    def _tool_context(self) -> tools.ToolContext:
        if self.stored is not None:
            return tools.ToolContext.answering(
                self._instance, self.stored.conversation, self.stored.message
            )
        writer = Writer(Origin.USER_EXPLICIT, Actor(via="assistant"), tier=Tier.ASSISTANT)
        return tools.ToolContext(self._instance, writer, self.request.end_user)

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

    def _record_usage(self, assembly: Assembly, error: ProviderError | str = "") -> None:
        record = partial(
            Usage.objects.record,
            self._instance,
            Usage.Source.CHAT,
            assembly.model or self._endpoint.model,
            prompt_tokens=assembly.prompt_tokens,
            completion_tokens=assembly.completion_tokens,
            error=error,
        )
        retry_during_outage(record)

    def _finish(self, state: Answer.State, error: str) -> None:
        """Store the reply and its sources. A failure is only logged, because the caller has the
        reply already, and sends it again with the next request.
        """
        if self.stored is None:
            return
        try:
            retry_during_outage(partial(self._store, self.stored, state, error))
        except Exception:
            pk = self.stored.conversation.pk
            logger.exception("a reply in conversation %s was not stored", pk)

    @transaction.atomic
    def _store(self, stored: StoredTranscript, state: Answer.State, error: str) -> None:
        last = self._rounds[-1].reply() if self._rounds else None
        calls = [
            {"id": call.id, "name": call.name, "arguments": call.arguments}
            for call in (last.tool_calls if last and state == Answer.State.DONE else ())
            if call.name not in self._tool_names
        ]
        text = self._text.strip()
        reply = store_reply(stored, text, calls) if text or calls else None
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
        if self._upstream is not None and self._shown.recalled is not None:
            self._shown.recalled.note(answer, self._upstream.placement)
        for run in self._tool_runs:
            run.note(answer)
