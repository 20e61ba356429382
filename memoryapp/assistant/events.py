"""Events while an answer is made, in order."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class MemoriesRecalled:
    """The memory was searched; ``problem`` says why not, or not in full."""

    #: The ids that the answer may cite, with their addresses.
    sources: Mapping[str, str]
    problem: str = ""


@dataclass(frozen=True)
class ModelAsked:
    """A request was sent to the model; it is expected to read for so many seconds before it writes.
    0: not known.
    """

    seconds: float


@dataclass(frozen=True)
class Delta:
    """More text of the reply."""

    text: str


@dataclass(frozen=True)
class ToolBegan:
    name: str


@dataclass(frozen=True)
class ToolDone:
    name: str
    outcome: str
    ok: bool
    memory_ids: tuple[int, ...]
    milliseconds: int


@dataclass(frozen=True)
class Finished:
    """The reply is stored, under this message's id."""

    reply_id: int


@dataclass(frozen=True)
class Searched:
    """No language model is connected: the answer is what was recalled."""


@dataclass(frozen=True)
class Stopped:
    """A person stopped it; the text so far is stored, if there is any."""

    reply_id: int | None


@dataclass(frozen=True)
class Failed:
    """The message could not be answered, or not in full; ``error`` says why, and what to do."""

    error: str
    reply_id: int | None = None


Event = (
    MemoriesRecalled
    | ModelAsked
    | Delta
    | ToolBegan
    | ToolDone
    | Finished
    | Searched
    | Stopped
    | Failed
)
