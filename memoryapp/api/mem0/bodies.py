"""Bodies of requests as mem0's clients send them."""

from collections.abc import Sequence
from itertools import groupby
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field

from conversations.messages import NewMessage
from conversations.models import Role
from memoryapp.api.bodies import JSONBody
from memoryapp.api.v1.transcript import read_messages

#: Roles of other APIs.
_ROLES = {"developer": "system", "function": "tool", "model": "assistant", "human": "user"}


class Body(JSONBody):
    """A request body. Unknown fields are ignored: each release of a client brings new ones."""

    model_config = ConfigDict(extra="ignore")


def _role(value: Any) -> Any:
    return _ROLES.get(value, value) if isinstance(value, str) else value


class Mem0MessageIn(Body):
    """A message in the form of OpenAI's API, as agents keep their transcripts."""

    role: Annotated[
        str, BeforeValidator(_role), Field(pattern="^(user|assistant|system|tool)$")
    ] = "user"
    content: Annotated[str, Field(max_length=1_000_000)] | list[dict[str, Any]] | None = Field(
        None, description="A text, or parts. Of a picture or file, only its presence is stored."
    )
    name: str | None = Field(None, max_length=200, description="Author, if there are several.")
    tool_calls: list[dict[str, Any]] | None = None
    tool_call_id: str | None = None

    @property
    def text(self) -> str:
        """Text of the message alone."""
        if isinstance(self.content, list):
            texts = (part.get("text") for part in self.content)
            return "\n".join(text for text in texts if isinstance(text, str))
        return self.content or ""


def as_new_messages(messages: Sequence[Mem0MessageIn]) -> list[NewMessage]:
    """Return *messages* for storing, without those that are empty."""
    said: list[NewMessage] = []
    for is_system, some in groupby(messages, lambda message: message.role == Role.SYSTEM):
        if is_system:
            named = [(message.text, message.name or "") for message in some]
            said += [NewMessage(Role.SYSTEM, text, author=name) for text, name in named if text]
        else:
            sent = [message.model_dump(exclude_none=True) for message in some]
            said += [each.message for each in read_messages(sent)]
    return said
