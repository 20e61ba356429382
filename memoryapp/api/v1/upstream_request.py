"""The request to the provider: the caller's, with our instructions, context and tools."""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from instances.models import ContextPlacement
from memoryapp import tools
from memoryapp.assistant.prompt import paragraphs
from memoryapp.context.placement import ahead_of_first_user_message, behind_last_user_message
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ProviderError
from memoryapp.providers.refusals import refusals
from memoryapp.providers.stream_chunks import Extras

#: Words of servers whose model takes only one system message, or none at that position.
_ABOUT_ROLES = re.compile(r"\bsystem\b|\broles?\b|\balternat", re.IGNORECASE)
#: Words of those whose model takes none.
_NO_SYSTEM_ROLE = re.compile(
    r"\b(?:system|developer)\W{1,3}(?:role|message|prompt|instruction)"
    r"|\broles?\b.{0,60}\bsystem\b|\balternat",
    re.IGNORECASE,
)


class _Form(StrEnum):
    """How the instructions are sent; those but the first one after a refusal."""

    OWN = "a system message of its own"
    JOINED = "system messages"
    FIRST_USER = "system role"


class UpstreamRequest:
    """A request in the form of the OpenAI API.

    Args:
        endpoint: the model to ask.
        body: the caller's request; it is passed on unchanged.
        instructions: our instructions, empty for none.
        context: what was recalled, empty for nothing.
        placement: where the context is to stand, see `ContextPlacement`.
        tool_names: our tools that the model may call, in addition to those of the caller.

    """

    def __init__(
        self,
        endpoint: Endpoint,
        body: dict[str, Any],
        *,
        instructions: str,
        context: str,
        placement: str,
        tool_names: Sequence[str],
    ) -> None:
        self._body, extras = dict(body), dict[str, Any]()
        self._their_tools = body.get("tools")
        self._texts = AddedTexts(
            endpoint,
            self._body.pop("messages"),
            instructions=instructions,
            context=context,
            placement=placement,
        )
        #: Messages of the model and of our tools since.
        self._added: list[dict[str, Any]] = []
        if tool_names and self._their_tools:
            self._body["tools"] = [*self._their_tools, *tools.schemas(tool_names)]
        elif tool_names:
            extras["tools"] = tools.schemas(tool_names)
        # The usage is needed for the usage log.
        if body.get("stream") and isinstance(body.get("stream_options"), dict):
            self._body["stream_options"] = {**body["stream_options"], "include_usage": True}
        elif body.get("stream"):
            self._body.pop("stream_options", None)
            extras["stream_options"] = {"include_usage": True}
        self._extras = Extras(endpoint, extras)

    @property
    def placement(self) -> ContextPlacement:
        """Where the context stands."""
        return self._texts.placement

    def body(self) -> dict[str, Any]:
        """Return the body to send."""
        messages = [*self._texts.messages(), *self._added]
        return {**self._body, **self._extras.options, "messages": messages}

    def add_messages(self, messages: Sequence[dict[str, Any]]) -> None:
        """Append *messages* to the next request."""
        self._added += messages

    def without_our_tools(self) -> None:
        """Offer the model only the tools of the caller."""
        self._extras.options.pop("tools", None)
        if self._their_tools:
            self._body["tools"] = self._their_tools

    def refused_by(self, error: ProviderError) -> bool:
        """True if *error* is about something that we have added and that is now left out or sent in
        another way: then it is worth sending again.
        """
        return self._extras.refused_by(error) or self._texts.refused_by(error)

    def note_success(self) -> None:
        """Remember what the server accepts, now that it has answered."""
        self._extras.note_success()
        self._texts.note_success()


class AddedTexts:
    """Our instructions and the recalled context, among the caller's messages.

    The instructions are a system message of their own, after those that the caller's messages begin
    with. For models that take only one system message, they are appended to the caller's last one,
    and for models that take none, they begin the first message of the user. The context stands
    behind the last message of the user, or with the instructions.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        messages: list[Any],
        *,
        instructions: str,
        context: str,
        placement: str,
    ) -> None:
        self._endpoint = endpoint
        self._messages = messages
        self._instructions = instructions
        self._context = context
        self._placement = ContextPlacement(placement)
        self._form = _Form.OWN
        if refusals.has(endpoint, _Form.FIRST_USER):
            self._form = _Form.FIRST_USER
        elif refusals.has(endpoint, _Form.JOINED) and self._can_join():
            self._form = _Form.JOINED

    @property
    def placement(self) -> ContextPlacement:
        """Where the context stands."""
        if self._form == _Form.FIRST_USER:
            return ContextPlacement.USER_MESSAGE
        return self._placement

    def messages(self) -> list[Any]:
        """Return the messages to send."""
        if self.placement == ContextPlacement.SYSTEM_MESSAGE:
            return self._instructed(paragraphs(self._instructions, self._context))
        return behind_last_user_message(self._instructed(self._instructions), self._context)

    def refused_by(self, error: ProviderError) -> bool:
        """True if *error* says that the model does not take our system message; then the texts are
        placed in another way, and it is worth sending again.
        """
        # llama.cpp reports errors of templates with a 500.
        if error.status not in (400, 422, 500) or self._form != _Form.OWN:
            return False
        if not (self._instructions or self._context):
            return False
        if self._can_join() and _ABOUT_ROLES.search(error.hint):
            self._form = _Form.JOINED
        elif not self._place() and _NO_SYSTEM_ROLE.search(error.hint):
            self._form = _Form.FIRST_USER
        return self._form != _Form.OWN

    def note_success(self) -> None:
        """Remember which form the server accepts, now that it has answered."""
        if self._form != _Form.OWN:
            refusals.add(self._endpoint, self._form)

    def _instructed(self, text: str) -> list[Any]:
        messages, place = self._messages, self._place()
        if not text:
            return list(messages)
        if self._form == _Form.FIRST_USER:
            return ahead_of_first_user_message(messages, text)
        if self._form == _Form.JOINED:
            last = messages[place - 1]
            last = {**last, "content": f"{last['content']}\n\n{text}"}
            return [*messages[: place - 1], last, *messages[place:]]
        return [*messages[:place], {"role": "system", "content": text}, *messages[place:]]

    def _place(self) -> int:
        """Return the number of system messages that the caller's messages begin with."""
        places = (n for n, each in enumerate(self._messages) if not _instructs(each))
        return next(places, len(self._messages))

    def _can_join(self) -> bool:
        place = self._place()
        return place > 0 and isinstance(self._messages[place - 1].get("content"), str)


def _instructs(message: Any) -> bool:
    return isinstance(message, dict) and message.get("role") in ("system", "developer")
