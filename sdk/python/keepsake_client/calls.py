"""The calls: what each of them sends, and what it reads in the answers."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import httpx
from pydantic import BaseModel

from keepsake_client.errors import NotFinished
from keepsake_client.transport import Requests, Steps
from keepsake_client.types import (
    AppendedOut,
    ConversationOut,
    ConversationsOut,
    ErasureOut,
    MemoriesOut,
    MemoryDetailOut,
    MemoryHitOut,
    MessageOut,
    MessagesOut,
    RememberedOut,
    ResultsOut,
    SearchedOut,
    WhoOut,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from keepsake_client.types import (
        ErasureOptions,
        ExportMemoriesOptions,
        ListConversationsOptions,
        ListMemoriesOptions,
        MemoryChangesOptions,
        MessageIn,
        NewConversationOptions,
        NewMemoryOptions,
        SearchCallOptions,
        SearchOptions,
    )

Out = TypeVar("Out", bound=BaseModel)
Item = TypeVar("Item")

#: States of a message whose conversation is about to be read for facts.
_NOT_YET_READ = ("waiting", "reading")
_MAX_PAGE = 100


class Calls:
    """The calls as steps, which a client carries out."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def who_am_i(self) -> Steps[WhoOut]:
        """Return the key, its instance and its permissions."""
        return self._read(WhoOut, "/me")

    # Memories

    def remember(self, content: str, **options: Unpack[NewMemoryOptions]) -> Steps[RememberedOut]:
        """Store a fact. Its `id` is None if it waits for review or is ignored: see `dedup`."""
        return self._create(RememberedOut, "/memories", {"content": content, **options})

    def memory(self, memory_id: int) -> Steps[MemoryDetailOut]:
        """Return a memory with its sources."""
        return self._read(MemoryDetailOut, f"/memories/{memory_id}")

    def memories(
        self, **filters: Unpack[ListMemoriesOptions]
    ) -> Iterator[Steps[Sequence[MemoryHitOut]]]:
        """Yield the memories that match, newest first, page by page."""
        return self._pages(MemoriesOut, lambda page: page.items, "/memories", filters)

    def search(self, query: str, **options: Unpack[SearchOptions]) -> Steps[ResultsOut]:
        """Find the memories, messages and notes that answer *query*, best first."""
        return self._ask(ResultsOut, "/search", {"q": query, **options})

    def context(self, query: str, **options: Unpack[SearchCallOptions]) -> Steps[str]:
        """Return what is known about *query* as text for the prompt of a model; empty if nothing
        is. Only the beginning of a long query counts.
        """
        body = {"query": query[:500], **options}
        found = yield from self._ask(SearchedOut, "/tools/search_memory", body)
        return found.text if found.data and found.data.items else ""

    def correct(
        self, memory_id: int, **changes: Unpack[MemoryChangesOptions]
    ) -> Steps[MemoryDetailOut]:
        """Change the given fields. The earlier wording becomes a revision."""
        response = yield from self._requests.send(
            "PATCH", f"/memories/{memory_id}", body=changes, repeatable=False
        )
        return MemoryDetailOut.model_validate_json(response.content)

    def forget(self, memory_id: int, *, never_again: bool = False) -> Steps[None]:
        """Delete a memory; with *never_again*, its fact is not learned again."""
        query = {"never_again": never_again}
        yield from self._requests.send(
            "DELETE", f"/memories/{memory_id}", query=query, repeatable=False
        )

    def export(self, **filters: Unpack[ExportMemoriesOptions]) -> Steps[httpx.Response]:
        """Yield the memories that match as the server reads them again in an import."""
        return self._long("/memories/export", filters)

    # Conversations

    def begin_conversation(
        self, **options: Unpack[NewConversationOptions]
    ) -> Steps[ConversationOut]:
        """Create a conversation, or return that with the same `external_id`."""
        return self._create(ConversationOut, "/conversations", options)

    def conversations(
        self, **filters: Unpack[ListConversationsOptions]
    ) -> Iterator[Steps[Sequence[ConversationOut]]]:
        """Yield the conversations, newest first, page by page."""
        return self._pages(ConversationsOut, lambda page: page.items, "/conversations", filters)

    def remember_messages(
        self,
        conversation_id: int,
        messages: Sequence[MessageIn],
        *,
        wait_seconds: float | None = None,
    ) -> Steps[AppendedOut]:
        """Append messages, of which facts are learned in the background. With *wait_seconds*,
        return when they have been read; raise `NotFinished` if that takes longer.
        """
        path = f"/conversations/{conversation_id}/messages"
        appended = yield from self._create(AppendedOut, path, {"messages": messages})
        if wait_seconds is not None and appended.ids:
            last = appended.ids[-1]
            yield from _wait(
                lambda: self.message(last),
                lambda message: message.outcome.state not in _NOT_YET_READ,
                wait_seconds,
            )
        return appended

    def messages(self, conversation_id: int) -> Iterator[Steps[Sequence[MessageOut]]]:
        """Yield the messages of a conversation, page by page."""
        path = f"/conversations/{conversation_id}/messages"
        return self._pages(MessagesOut, lambda page: page.items, path, {})

    def message(self, message_id: int) -> Steps[MessageOut]:
        """Return a message; its `outcome` names what was learned from it."""
        return self._read(MessageOut, f"/messages/{message_id}")

    # People

    def export_person(self, user_id: str) -> Steps[httpx.Response]:
        """Return all that is kept about a person, as a zip archive."""
        return self._long("/people/export", {"user_id": user_id})

    def erase_person(
        self,
        user_id: str,
        *,
        wait_seconds: float | None = None,
        **options: Unpack[ErasureOptions],
    ) -> Steps[ErasureOut]:
        """Erase everything about a person. With *wait_seconds*, return when it is done; raise
        `NotFinished` if that takes longer.
        """
        body = {"user_id": user_id, "confirm": user_id, **options}
        response = yield from self._requests.send(
            "POST", "/people/erasures", body=body, repeatable=False
        )
        erasure = ErasureOut.model_validate_json(response.content)
        if wait_seconds is None:
            return erasure
        return (
            yield from _wait(
                lambda: self._read(ErasureOut, f"/people/erasures/{erasure.id}"),
                lambda erasure: erasure.state == "done",
                wait_seconds,
            )
        )

    def _read(
        self, out: type[Out], path: str, query: Mapping[str, Any] | None = None
    ) -> Steps[Out]:
        response = yield from self._requests.send("GET", path, query=query, repeatable=True)
        return out.model_validate_json(response.content)

    def _long(self, path: str, query: Mapping[str, Any]) -> Steps[httpx.Response]:
        """Ask for what is long. Once it has begun, it is not asked for again."""
        return self._requests.send("GET", path, query=query, repeatable=True, is_long=True)

    def _ask(self, out: type[Out], path: str, body: Mapping[str, Any]) -> Steps[Out]:
        """Send a question, which changes nothing, as often as it takes."""
        response = yield from self._requests.send("POST", path, body=body, repeatable=True)
        return out.model_validate_json(response.content)

    def _create(self, out: type[Out], path: str, body: Mapping[str, Any]) -> Steps[Out]:
        """Send what is to be stored, with a key by which the server knows a repetition."""
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        response = yield from self._requests.send(
            "POST", path, body=body, headers=headers, repeatable=True
        )
        return out.model_validate_json(response.content)

    def _pages(
        self,
        out: type[Out],
        items: Callable[[Out], Sequence[Item]],
        path: str,
        filters: Mapping[str, Any],
    ) -> Iterator[Steps[Sequence[Item]]]:
        """Yield the steps to each page, which are carried out before the next is asked for."""
        cursor: str | None = None

        def page() -> Steps[Sequence[Item]]:
            nonlocal cursor
            query = {"limit": _MAX_PAGE, **filters, "cursor": cursor}
            read = yield from self._read(out, path, query)
            cursor = getattr(read, "next", None)
            return items(read)

        yield page()
        while cursor is not None:
            yield page()


def _wait(
    read: Callable[[], Steps[Item]], is_over: Callable[[Item], bool], seconds: float
) -> Steps[Item]:
    """Read again and again, less and less often, until it is over."""
    end, pause = time.monotonic() + seconds, 0.1
    while not is_over(state := (yield from read())):
        left = end - time.monotonic()
        if left <= 0:
            raise NotFinished(f"It goes on after {seconds:g} seconds.")
        yield min(pause, left)
        pause = min(pause * 1.5, 2.0)
    return state
