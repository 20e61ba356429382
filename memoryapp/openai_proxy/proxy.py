"""One request to its end: what is said is stored, what is remembered goes in, the provider's answer
comes out, and is stored too.
"""

import logging
import threading
from collections.abc import Iterator
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from django.db import close_old_connections, transaction
from django.utils import timezone

from conversations.models import Role
from instances.actor import Actor
from instances.secrets import UnreadableSecret
from memoryapp import tools
from memoryapp.assistant import prompt
from memoryapp.assistant.cancellation import CancellableWait, Cancelled
from memoryapp.assistant.tool_calls import (
    MAX_ROUNDS,
    Called,
    allowed_tools,
    as_messages,
    carry_out,
)
from memoryapp.context.builder import MessageContext, context_for_message
from memoryapp.extraction.transcript import shortened
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
from memoryapp.openai_proxy.upstream_request import UpstreamRequest
from memoryapp.pipeline import Writer
from memoryapp.providers.chat_stream import Assembly, ToolCall
from memoryapp.providers.errors import ErrorKind, ProviderError
from memoryapp.providers.stream_chunks import complete_answer, interrupted, stream_chunks

logger = logging.getLogger(__name__)

#: Characters of a message by which the memory is asked.
MAX_QUESTION_CHARACTERS = 4_000
#: Said in the books of a request whose caller has gone.
CALLER_DISCONNECTED = "The caller hung up."


class ProxiedAnswer:
    """The state of one request while it is passed on."""

    def __init__(self, asked: ProxyRequest, stop: threading.Event) -> None:
        self.asked = asked
        self.kept: StoredTranscript | None = None
        self._instance = asked.instance
        self._endpoint = asked.endpoint
        self._waiting = CancellableWait(stop, beat=lambda: True)
        self._began = timezone.now()
        self._shown: MessageContext | None = None
        #: Our tools that the model may call, and those that ran.
        self._names: list[str] = []
        self._called: list[Called] = []
        #: The rounds so far, the last of which may go on.
        self._rounds: list[Assembly] = []

    def answer(self) -> Iterator[dict[str, Any]]:
        """Yield what the caller is sent: chunks if they want a stream, else the one whole answer.

        Whatever has been said when it ends is stored, in whichever way it ends. Raises
        `ProviderError`, `UnreadableSecret`, `keeping.AnotherPersons`, and `Cancelled` when the
        caller has gone.
        """
        if self.asked.keeps and self.asked.said:
            self.kept = store_transcript(self.asked.place, self.asked.said)
        state, error = Answer.State.DONE, ""
        try:
            yield from self._stream() if self.asked.streams else self._whole()
        except Cancelled:
            state = Answer.State.STOPPED
            raise
        except (ProviderError, UnreadableSecret) as failure:
            state, error = Answer.State.FAILED, str(failure)
            raise
        except Exception as failure:
            state, error = Answer.State.FAILED, f"Internal error: {type(failure).__name__}."
            raise
        finally:
            self._finish(state, error)

    # What goes out.

    def _request(self) -> UpstreamRequest:
        asked = self.asked
        self._names = self._our_tools()
        if asked.recalls and asked.said:
            self._shown = self._recall()
        told = self._told(tools_offered=bool(self._names))
        return UpstreamRequest(self._endpoint, asked.body, told=told, names=self._names)

    def _our_tools(self) -> list[str]:
        """Which of our tools the model may call: none where the caller's own wishes leave no room
        for calls that they do not know of.
        """
        asked, body = self.asked, self.asked.body
        theirs = body.get("tools")
        if (
            not asked.offers_tools
            or body.get("n") not in (None, 1)
            or body.get("tool_choice") not in (None, "auto")
            or body.get("functions")
            or not isinstance(theirs, list | None)
        ):
            return []
        ours = allowed_tools(self._instance, recalls=asked.recalls)
        ours = [name for name in ours if tools.TOOLS[name].needs in asked.may]
        taken = {tool_call_filter.name_of(tool) for tool in theirs or []}
        return [name for name in ours if name not in taken]

    def _recall(self) -> MessageContext:
        users = (each.turn.content for each in self.asked.said if each.turn.role == Role.USER)
        question = list(users)[-1:] or [self.asked.said[-1].turn.content]
        kept = self.kept
        return context_for_message(
            self._instance,
            shortened(question[0], MAX_QUESTION_CHARACTERS),
            end_user=kept.conversation.end_user if kept else self.asked.end_user,
            conversation=kept.conversation if kept else None,
        )

    def _told(self, *, tools_offered: bool) -> str:
        """What we tell the model; nothing where there is nothing to tell."""
        asked, told = self.asked, list[str]()
        if asked.in_person:
            told += [self._instance.instructions, asked.agent.instructions if asked.agent else ""]
        context = self._shown.text if self._shown else ""
        if context or tools_offered:
            zone = self._instance.time_zone
            now = timezone.now().astimezone(ZoneInfo(zone))
            told += [prompt.date_line(now, zone), prompt.MEMORY, context]
        return "\n\n".join(part.strip() for part in told if part.strip())

    # What comes back.

    def _stream(self) -> Iterator[dict[str, Any]]:
        request = self._request()
        options = self.asked.body.get("stream_options")
        wants_usage = isinstance(options, dict) and bool(options.get("include_usage"))
        hide = ToolCallFilter(self._names, wants_usage=wants_usage)
        for number in range(MAX_ROUNDS + 1):
            if number == MAX_ROUNDS:
                request.without_our_tools()
            yield from self._streamed(request, hide)
            self._carry_out(request)
            if not hide.goes_on:
                break
            hide.next_round(self._text)
        else:
            raise self._endless()
        yield from hide.last()

    def _streamed(self, request: UpstreamRequest, hide: ToolCallFilter) -> Iterator[dict[str, Any]]:
        """One round, asked for once more where the server does not take what we add."""
        while True:
            assembly = Assembly(self._endpoint)
            self._rounds.append(assembly)
            failure: ProviderError | None = None
            passed = False
            try:
                for chunk in self._waiting.each(stream_chunks(self._endpoint, request.body())):
                    if isinstance(chunk, ProviderError):
                        failure = chunk
                        break
                    request.went_well()
                    assembly.take(chunk)
                    passed = True
                    yield from hide.pass_on(chunk)
            except Cancelled:
                self._book(assembly, CALLER_DISCONNECTED)
                raise
            if failure is None and not assembly.finish_reason:
                failure = interrupted(self._endpoint)
            self._book(assembly, failure or "")
            if failure is None:
                return
            if passed or not request.refused_by(failure):
                raise failure
            self._rounds.pop()

    def _whole(self) -> Iterator[dict[str, Any]]:
        request = self._request()
        usage: dict[str, Any] = {}
        for number in range(MAX_ROUNDS + 1):
            if number == MAX_ROUNDS:
                request.without_our_tools()
            said_before = self._text
            answer = self._asked_whole(request)
            usage = tool_call_filter.add_usage(usage, answer.get("usage"))
            if self._carry_out(request) != []:
                break
        else:
            raise self._endless()
        if self._names:
            answer = tool_call_filter.without_calls(answer, self._names, said_before)
            answer |= {"usage": usage} if usage else {}
        yield answer

    def _asked_whole(self, request: UpstreamRequest) -> dict[str, Any]:
        while True:
            assembly = Assembly(self._endpoint)
            close_old_connections()
            try:
                answer = complete_answer(self._endpoint, request.body())
            except ProviderError as error:
                self._book(assembly, error)
                if request.refused_by(error):
                    continue
                raise
            request.went_well()
            assembly.take(answer)
            self._rounds.append(assembly)
            self._book(assembly)
            return answer

    def _carry_out(self, request: UpstreamRequest) -> list[ToolCall] | None:
        """Run our tools that the last round called, and tell the model of it with the next
        *request*. Returns the other calls, which are the caller's; None if none was ours.
        """
        reply = self._rounds[-1].reply()
        ours = [call for call in reply.tool_calls if call.name in self._names]
        if not ours or reply.cut_off:
            return None
        called = carry_out(ours, self._scope(), allowed=self._names, waiting=self._waiting)
        self._called += called
        request.go_on(as_messages(reply.text, ours, called))
        return [call for call in reply.tool_calls if call.name not in self._names]

    def _scope(self) -> tools.ToolContext:
        if self.kept is not None:
            return tools.ToolContext.answering(
                self._instance, self.kept.conversation, self.kept.message
            )
        writer = Writer(Origin.USER_EXPLICIT, Actor(via="assistant"))
        return tools.ToolContext(self._instance, writer, self.asked.end_user)

    def _endless(self) -> ProviderError:
        return ProviderError(
            ErrorKind.UNUSABLE_ANSWER,
            f"{self._endpoint.model} kept calling tools and gave no answer. Try again.",
        )

    # What is kept.

    @property
    def _text(self) -> str:
        return "\n\n".join(each.text for each in self._rounds if each.text.strip())

    def _book(self, assembly: Assembly, error: ProviderError | str = "") -> None:
        book = partial(
            Usage.objects.record,
            self._instance,
            Usage.Source.CHAT,
            assembly.model or self._endpoint.model,
            prompt_tokens=assembly.prompt_tokens,
            completion_tokens=assembly.completion_tokens,
            error=error,
        )
        retry_during_outage(book)

    def _finish(self, state: Answer.State, error: str) -> None:
        """Store the reply and how it came about. The caller has it already, so that a failure is
        for the log: what they send next brings the reply along.
        """
        if self.kept is None:
            return
        try:
            retry_during_outage(partial(self._store, self.kept, state, error))
        except Exception:
            logger.exception("a reply in conversation %s was not stored", self.kept.conversation.pk)

    @transaction.atomic
    def _store(self, kept: StoredTranscript, state: Answer.State, error: str) -> None:
        last = self._rounds[-1].reply() if self._rounds else None
        calls = [
            {"id": call.id, "name": call.name, "arguments": call.arguments}
            for call in (last.tool_calls if last and state == Answer.State.DONE else ())
            if call.name not in self._names
        ]
        text = self._text.strip()
        reply = store_reply(kept, text, calls) if text or calls else None
        if reply is not None and Answer.objects.filter(reply=reply).exists():
            reply = None  # The very same was said before: it is stored with that answer.
        answer = Answer.objects.create(
            instance=self._instance,
            conversation=kept.conversation,
            message=kept.message,
            reply=reply,
            state=state,
            error=error,
            cut_off=bool(last and last.cut_off),
            model=(last.model if last else self._endpoint.model)[:200],
            created_at=self._began,
            finished_at=timezone.now(),
        )
        if self._shown is not None:
            self._shown.note(answer)
        for each in self._called:
            each.note(answer)
