"""The request to the provider: the caller's, with our instructions and tools."""

import re
from collections.abc import Sequence
from typing import Any

from memoryapp import tools
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ProviderError
from memoryapp.providers.refusals import refusals
from memoryapp.providers.stream_chunks import Extras

#: Words of servers whose model takes only one system message, or none at that position.
_ABOUT_ROLES = re.compile(r"\bsystem\b|\broles?\b|\balternat", re.IGNORECASE)
_SYSTEM_MESSAGES = "system messages"


class UpstreamRequest:
    """A request in the form of the OpenAI API.

    Args:
        endpoint: the model to ask.
        body: the caller's request; it is passed on unchanged.
        instructions: our system message, empty for none.
        tool_names: our tools that the model may call, in addition to those of the caller.

    """

    def __init__(
        self,
        endpoint: Endpoint,
        body: dict[str, Any],
        *,
        instructions: str,
        tool_names: Sequence[str],
    ) -> None:
        self._body, extras = dict(body), dict[str, Any]()
        self._their_tools = body.get("tools")
        self._system_message = SystemMessage(endpoint, self._body.pop("messages"), instructions)
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

    def body(self) -> dict[str, Any]:
        """Return the body to send."""
        messages = [*self._system_message.messages(), *self._added]
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
        """Whether *error* is about something that we have added and that is now left out or sent in
        another way: then it is worth sending again.
        """
        return self._extras.refused_by(error) or self._system_message.refused_by(error)

    def note_success(self) -> None:
        """Remember what the server accepts, now that it has answered."""
        self._extras.note_success()
        self._system_message.note_success()


class SystemMessage:
    """Our system message, after the system messages that the caller's messages begin with.

    For models that take only one, it is appended to the caller's last one.
    """

    def __init__(self, endpoint: Endpoint, messages: list[Any], text: str) -> None:
        self._endpoint = endpoint
        self._messages = messages
        self._text = text
        self._is_joined = refusals.has(endpoint, _SYSTEM_MESSAGES)

    def messages(self) -> list[Any]:
        """Return the messages to send."""
        messages = self._messages
        if not self._text:
            return list(messages)
        place = self._place()
        if self._is_joined and self._can_join():
            last = messages[place - 1]
            last = {**last, "content": f"{last['content']}\n\n{self._text}"}
            return [*messages[: place - 1], last, *messages[place:]]
        return [*messages[:place], {"role": "system", "content": self._text}, *messages[place:]]

    def refused_by(self, error: ProviderError) -> bool:
        """Whether *error* says that the model takes only one system message; then ours is appended
        to the caller's, and it is worth sending again.
        """
        # llama.cpp reports errors of templates with a 500.
        if error.status not in (400, 422, 500) or not _ABOUT_ROLES.search(error.hint):
            return False
        if self._is_joined or not self._text or not self._can_join():
            return False
        self._is_joined = True
        return True

    def note_success(self) -> None:
        """Remember which form the server accepts, now that it has answered."""
        if self._is_joined:
            refusals.add(self._endpoint, _SYSTEM_MESSAGES)

    def _place(self) -> int:
        places = (n for n, each in enumerate(self._messages) if not _instructs(each))
        return next(places, len(self._messages))

    def _can_join(self) -> bool:
        place = self._place()
        return place > 0 and isinstance(self._messages[place - 1].get("content"), str)


def _instructs(message: Any) -> bool:
    return isinstance(message, dict) and message.get("role") in ("system", "developer")
