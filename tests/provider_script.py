"""Script of the provider in tests: its replies, faults, and received requests."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Request = dict[str, Any]
Reply = object | Callable[[Request], object]

#: How long a hanging server is silent if the test gives no other time.
HANG_SECONDS = 60.0

#: Each fault with the path where it applies; "" means everywhere.
FAULTS: Mapping[str, str] = {
    "429": "",  # with Retry-After: `retry_after` seconds, by default 1
    "500": "",
    "401": "",  # echoing the key, partly masked, as some providers do
    "hang": "",  # for `seconds`, by default HANG_SECONDS, or until the server closes
    "drop": "",  # close the connection without an answer
    "truncated_json": "",  # the body is cut in half
    "html": "",  # a web page, with status 200
    "empty": "",  # no body at all, with status 200
    "error_in_200": "",  # an error object, with status 200
    "half_content": "chat/completions",  # a valid answer whose message is half a JSON
    "empty_content": "chat/completions",
    "length": "chat/completions",  # cut off at the limit of tokens
    "refusal": "chat/completions",
    "reject_response_format": "chat/completions",  # 400 for requests that have one
    "reject_temperature": "chat/completions",  # 400 for requests that have one
    "reject_tools": "chat/completions",  # 400 for requests that have tools
    "no_system": "chat/completions",  # 400 for requests with a system message
    "second_system": "chat/completions",  # 400 for requests with more than one system message
    "reject_stream_options": "chat/completions",  # likewise
    "no_stream": "chat/completions",  # the whole answer as JSON, whatever was asked for
    "cut_stream": "chat/completions",  # the connection breaks in the middle
    "end_stream": "chat/completions",  # it ends in the middle, as if complete
    "garbage_stream": "chat/completions",  # half a JSON in the middle
    "error_stream": "chat/completions",  # an error object in the middle
    "hang_stream": "chat/completions",  # silence in the middle, for `seconds`
    "wrong_dimension": "embeddings",  # one too few
    "nan": "embeddings",
    "zero": "embeddings",
    "too_few": "embeddings",  # one vector is missing
    "shuffled": "embeddings",  # in reverse order, with the right index: not an error
}


@dataclass(frozen=True)
class Says:
    """The model's answer to a chat: text, and tool calls as name and arguments.

    ``before``, if given, is called with the number of each piece of text before it is sent.
    """

    text: str = ""
    calls: Sequence[tuple[str, object]] = ()
    before: Callable[[int], object] | None = None


@dataclass(frozen=True)
class Blocks:
    """The model's answer to a request for a message of Anthropic's API: its blocks, why it ended,
    and what it counts.

    ``before``, if given, is called with the number of each event before it is sent.
    """

    blocks: Sequence[Mapping[str, Any]]
    stop_reason: str = ""
    usage: Mapping[str, Any] = field(default_factory=dict)
    before: Callable[[int], object] | None = None


@dataclass(frozen=True)
class Recorded:
    """A request that was received. ``at`` is on the monotonic clock, in seconds."""

    path: str
    body: Request
    headers: dict[str, str]
    at: float
    query: str = ""


@dataclass
class Fault:
    """A pending fault. ``left`` is None for every request until the next reset."""

    name: str
    left: int | None
    path: str
    seconds: float
    retry_after: float


@dataclass
class Script:
    """Pending replies and faults, and received requests. Guarded by ``lock``."""

    reply: Reply | None = None
    once: list[Reply] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    requests: list[Recorded] = field(default_factory=list)
    #: Status and body of the answer by the end of the path.
    bodies: dict[str, tuple[int, bytes, str]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
