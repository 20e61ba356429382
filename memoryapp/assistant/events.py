"""What happens while an answer is made, in order."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class MemoriesRecalled:
    """The memory was asked; ``problem`` says why it did not take part, or not in full."""

    #: The ids that the answer may cite, with the addresses of what they name.
    sources: Mapping[str, str]
    problem: str = ""


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
class Stopped:
    """Somebody stopped it; what had been said by then is stored, if anything had."""

    reply_id: int | None


@dataclass(frozen=True)
class Failed:
    """It could not be answered, or not to the end; ``error`` says why, and what to do."""

    error: str
    reply_id: int | None = None


Event = MemoriesRecalled | Delta | ToolBegan | ToolDone | Finished | Stopped | Failed
