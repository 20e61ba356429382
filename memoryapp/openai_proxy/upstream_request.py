"""A request as it goes out: what the caller sends, and what we add, as far as servers take it."""

import re
from collections.abc import Sequence
from typing import Any

from memoryapp import tools
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ProviderError
from memoryapp.providers.refusals import refusals
from memoryapp.providers.stream_chunks import Extras

#: How servers say that a model's template knows only one system message, or none in that place.
_ABOUT_ROLES = re.compile(r"\bsystem\b|\broles?\b|\balternat", re.IGNORECASE)
_OPTION = "system messages"


class UpstreamRequest:
    """A request in the form of the OpenAI API.

    Args:
        endpoint: who is asked.
        body: what the caller sends; it is passed on as it is.
        told: what we tell the model, empty for nothing.
        names: which of our tools the model may call, beside those of the caller.

    """

    def __init__(
        self, endpoint: Endpoint, body: dict[str, Any], *, told: str, names: Sequence[str]
    ) -> None:
        self._body, extras = dict(body), dict[str, Any]()
        self._their_tools = body.get("tools")
        self._inserted = Inserted(endpoint, self._body.pop("messages"), told)
        #: What was said since, by the model and our tools.
        self._since: list[dict[str, Any]] = []
        if names and self._their_tools:
            self._body["tools"] = [*self._their_tools, *tools.schemas(names)]
        elif names:
            extras["tools"] = tools.schemas(names)
        # So that the call can be put on the books.
        if body.get("stream") and isinstance(body.get("stream_options"), dict):
            self._body["stream_options"] = {**body["stream_options"], "include_usage": True}
        elif body.get("stream"):
            self._body.pop("stream_options", None)
            extras["stream_options"] = {"include_usage": True}
        self._extras = Extras(endpoint, extras)

    def body(self) -> dict[str, Any]:
        """What to send."""
        messages = [*self._inserted.messages(), *self._since]
        return {**self._body, **self._extras.options, "messages": messages}

    def go_on(self, messages: Sequence[dict[str, Any]]) -> None:
        """Add what was said since to the next request."""
        self._since += messages

    def without_our_tools(self) -> None:
        """Have the model answer without calling ours."""
        self._extras.options.pop("tools", None)
        if self._their_tools:
            self._body["tools"] = self._their_tools

    def refused_by(self, error: ProviderError) -> bool:
        """Whether *error* is about something that we added and that can go out another way: then
        to ask again may help.
        """
        return self._extras.refused_by(error) or self._inserted.refused_by(error)

    def went_well(self) -> None:
        """Remember how the server takes it."""
        self._extras.went_well()
        self._inserted.went_well()


class Inserted:
    """A system message of ours behind the instructions that the caller's messages begin with.

    Where the model takes only one, ours goes out as the end of the caller's last one.
    """

    def __init__(self, endpoint: Endpoint, messages: list[Any], text: str) -> None:
        self._endpoint = endpoint
        self._theirs = messages
        self._text = text
        self._joined = refusals.has(endpoint, _OPTION)

    def messages(self) -> list[Any]:
        """The messages to send."""
        theirs = self._theirs
        if not self._text:
            return list(theirs)
        place = self._place()
        if self._joined and self._can_join():
            last = theirs[place - 1]
            last = {**last, "content": f"{last['content']}\n\n{self._text}"}
            return [*theirs[: place - 1], last, *theirs[place:]]
        return [*theirs[:place], {"role": "system", "content": self._text}, *theirs[place:]]

    def refused_by(self, error: ProviderError) -> bool:
        """Whether *error* says that the model takes only one system message: then it goes out
        anew, and to ask again may help.
        """
        # llama.cpp says what a template has to say with a 500.
        if error.status not in (400, 422, 500) or not _ABOUT_ROLES.search(error.hint):
            return False
        if self._joined or not self._text or not self._can_join():
            return False
        self._joined = True
        return True

    def went_well(self) -> None:
        """Remember how it went out, now that the server has answered."""
        if self._joined:
            refusals.add(self._endpoint, _OPTION)

    def _place(self) -> int:
        places = (n for n, each in enumerate(self._theirs) if not _instructs(each))
        return next(places, len(self._theirs))

    def _can_join(self) -> bool:
        place = self._place()
        return place > 0 and isinstance(self._theirs[place - 1].get("content"), str)


def _instructs(message: Any) -> bool:
    return isinstance(message, dict) and message.get("role") in ("system", "developer")
