"""The question whether to remove a memory, which a client puts to its user, and the answer.

A call that removes something is made twice: first without an answer, which gives the question; then
with it. A client of protocol 2026-07-28 makes the second call itself. For one of the earlier
protocols, the response to its call is a stream: it brings the question, and later the result. The
client sends its answer in a request of its own, which any process may receive, so it goes through
Redis.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import redis
from django.conf import settings
from django.core import signing
from redis.asyncio import Redis

from instances.models import ApiKey
from memoryapp.language.shortening import one_line, without_middle
from memoryapp.models import Memory

#: How long a client has for its answer, and the interval of comments that keep the stream open.
MAX_WAIT_SECONDS = 300
KEEPALIVE_SECONDS = 15
MAX_CHARACTERS = 1_000
#: The form: one choice, and none made in advance.
SCHEMA = {
    "type": "object",
    "properties": {
        "decision": {"type": "string", "title": "Decision", "enum": ["Forget", "Keep"]},
    },
    "required": ["decision"],
}

_SALT = "keepsake.mcp.consent"


class ConsentOutcome(StrEnum):
    """Outcome of a question."""

    AGREED = "agreed"
    DECLINED = "declined"
    #: Closed without an answer.
    CANCELLED = "cancelled"
    #: No answer in time.
    UNANSWERED = "unanswered"
    #: The client, or Redis, failed.
    NOT_ASKED = "not asked"

    @classmethod
    def of(cls, action: object, content: object) -> "ConsentOutcome":
        """Return the decision in the result of an elicitation."""
        if action == "accept" and isinstance(content, Mapping):
            return cls.AGREED if content.get("decision") == "Forget" else cls.DECLINED
        return {"cancel": cls.CANCELLED, "decline": cls.DECLINED}.get(str(action), cls.NOT_ASKED)

    @classmethod
    def in_reply(cls, message: Mapping[str, Any]) -> "ConsentOutcome":
        """Return the decision in a JSON-RPC response."""
        result = message.get("result")
        if not isinstance(result, Mapping):
            return cls.NOT_ASKED
        return cls.of(result.get("action"), result.get("content"))


@dataclass(frozen=True)
class Question:
    """Question to the user: may these memories be removed?"""

    text: str
    #: Their ids, with the times of their last changes.
    about: Mapping[int, datetime]

    @classmethod
    def on(cls, memory: Memory, *, for_good: bool) -> "Question":
        """The question whether to remove *memory*, ``for_good`` or into the bin."""
        after = "It cannot be restored." if for_good else "It can be restored for 30 days."
        said = f"{memory.provenance}, {memory.said_at:%Y-%m-%d}"
        content = without_middle(one_line(memory.content), MAX_CHARACTERS)
        text = f"Forget this memory? {after}\n\n“{content}”\n({said})"
        return cls(text, {memory.pk: memory.updated_at})

    def sealed(self) -> str:
        """Subject of the question, sealed for the client to send back with the answer."""
        rows = [[pk, moment.isoformat()] for pk, moment in self.about.items()]
        return signing.dumps(rows, salt=_SALT)


def opened(sealed: str) -> dict[int, datetime] | None:
    """Return what a question was about; None if it is too old, or not one of ours."""
    try:
        rows = signing.loads(sealed, salt=_SALT, max_age=MAX_WAIT_SECONDS)
    except signing.BadSignature:
        return None
    return {pk: datetime.fromisoformat(moment) for pk, moment in rows}


def deliver(key: ApiKey, question: str, decision: ConsentOutcome) -> None:
    """Hand *decision* to the process that waits for it. Raises `redis.RedisError`."""
    name = _name(key, question)
    with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2) as server:
        server.rpush(name, decision)
        server.expire(name, int(MAX_WAIT_SECONDS))


async def decision_on(key: ApiKey, question: str) -> AsyncIterator[ConsentOutcome | None]:
    """Wait for the answer to *question*, and yield the decision in the end; until then, None from
    time to time.
    """
    loop = asyncio.get_running_loop()
    until = loop.time() + MAX_WAIT_SECONDS
    try:
        async with _redis(KEEPALIVE_SECONDS + 5) as server:
            while (left := until - loop.time()) > 0:
                wait = min(left, KEEPALIVE_SECONDS)
                received = await server.blpop([_name(key, question)], timeout=wait)
                if received:
                    yield ConsentOutcome(str(received[1]))
                    return
                yield None
    except redis.RedisError:
        yield ConsentOutcome.NOT_ASKED
        return
    yield ConsentOutcome.UNANSWERED


def _redis(timeout: float) -> Redis:
    return Redis.from_url(settings.REDIS_URL, socket_timeout=timeout, decode_responses=True)


def _name(key: ApiKey, question: str) -> str:
    """The name in Redis: an answer counts only from the key that was asked."""
    return f"keepsake:mcp:{key.pk}:{question}"
