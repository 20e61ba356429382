"""The client: what a program can do with the memory of an instance."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any, TypeVar

import httpx
from pydantic import BaseModel

from keepsake_client.errors import NotFinished
from keepsake_client.transport import Transport
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


class Keepsake:
    """A client of the server at *url*, with an API *key*, which belongs to one instance.

    An answer may take *timeout_seconds* between two pieces; *retries* is how often a request is
    sent again that cannot have been carried out, or may be carried out twice. Close the client, or
    use it in a ``with`` statement; threads may share it.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        timeout_seconds: float = 30.0,
        retries: int = 3,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._transport = Transport(
            url, key, timeout_seconds=timeout_seconds, retries=retries, transport=transport
        )

    def __enter__(self) -> Keepsake:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    def who_am_i(self) -> WhoOut:
        """Return the key, its instance and its permissions."""
        return self._read(WhoOut, "/me")

    # Memories

    def remember(self, content: str, **options: Unpack[NewMemoryOptions]) -> RememberedOut:
        """Store a fact. Its `id` is None if it waits for review or is ignored: see `dedup`."""
        return self._create(RememberedOut, "/memories", {"content": content, **options})

    def memory(self, memory_id: int) -> MemoryDetailOut:
        """Return a memory with its sources."""
        return self._read(MemoryDetailOut, f"/memories/{memory_id}")

    def memories(self, **filters: Unpack[ListMemoriesOptions]) -> Iterator[MemoryHitOut]:
        """Yield the memories that match, newest first, page by page."""
        return self._pages(MemoriesOut, lambda page: page.items, "/memories", filters)

    def search(self, query: str, **options: Unpack[SearchOptions]) -> ResultsOut:
        """Find the memories, messages and notes that answer *query*, best first."""
        return self._ask(ResultsOut, "/search", {"q": query, **options})

    def context(self, query: str, **options: Unpack[SearchCallOptions]) -> str:
        """Return what is known about *query* as text for the prompt of a model; empty if nothing
        is. Only the beginning of a long query counts.
        """
        body = {"query": query[:500], **options}
        found = self._ask(SearchedOut, "/tools/search_memory", body)
        return found.text if found.data and found.data.items else ""

    def correct(self, memory_id: int, **changes: Unpack[MemoryChangesOptions]) -> MemoryDetailOut:
        """Change the given fields. The earlier wording becomes a revision."""
        body = self._transport.send(
            "PATCH", f"/memories/{memory_id}", body=changes, repeatable=False
        )
        return MemoryDetailOut.model_validate_json(body)

    def forget(self, memory_id: int, *, never_again: bool = False) -> None:
        """Delete a memory; with *never_again*, its fact is not learned again."""
        self._transport.send(
            "DELETE",
            f"/memories/{memory_id}",
            query={"never_again": never_again},
            repeatable=False,
        )

    def export(self, **filters: Unpack[ExportMemoriesOptions]) -> Iterator[dict[str, Any]]:
        """Yield the memories that match as the server reads them again in an import."""
        with self._transport.stream("/memories/export", filters) as response:
            for line in response.iter_lines():
                yield json.loads(line)

    # Conversations

    def begin_conversation(self, **options: Unpack[NewConversationOptions]) -> ConversationOut:
        """Create a conversation, or return that with the same `external_id`."""
        return self._create(ConversationOut, "/conversations", options)

    def conversations(
        self, **filters: Unpack[ListConversationsOptions]
    ) -> Iterator[ConversationOut]:
        """Yield the conversations, newest first, page by page."""
        return self._pages(ConversationsOut, lambda page: page.items, "/conversations", filters)

    def remember_messages(
        self,
        conversation_id: int,
        messages: Sequence[MessageIn],
        *,
        wait_seconds: float | None = None,
    ) -> AppendedOut:
        """Append messages, of which facts are learned in the background. With *wait_seconds*,
        return when they have been read; raise `NotFinished` if that takes longer.
        """
        path = f"/conversations/{conversation_id}/messages"
        appended = self._create(AppendedOut, path, {"messages": messages})
        if wait_seconds is not None and appended.ids:
            last = appended.ids[-1]
            _wait(
                lambda: self.message(last),
                lambda message: message.outcome.state not in _NOT_YET_READ,
                wait_seconds,
            )
        return appended

    def messages(self, conversation_id: int) -> Iterator[MessageOut]:
        """Yield the messages of a conversation, page by page."""
        path = f"/conversations/{conversation_id}/messages"
        return self._pages(MessagesOut, lambda page: page.items, path, {})

    def message(self, message_id: int) -> MessageOut:
        """Return a message; its `outcome` names what was learned from it."""
        return self._read(MessageOut, f"/messages/{message_id}")

    # People

    def export_person(self, user_id: str, file: IO[bytes]) -> None:
        """Write all that is kept about a person into *file*, as a zip archive."""
        with self._transport.stream("/people/export", {"user_id": user_id}) as response:
            for piece in response.iter_bytes():
                file.write(piece)

    def erase_person(
        self,
        user_id: str,
        *,
        wait_seconds: float | None = None,
        **options: Unpack[ErasureOptions],
    ) -> ErasureOut:
        """Erase everything about a person. With *wait_seconds*, return when it is done; raise
        `NotFinished` if that takes longer.
        """
        body = {"user_id": user_id, "confirm": user_id, **options}
        sent = self._transport.send("POST", "/people/erasures", body=body, repeatable=False)
        erasure = ErasureOut.model_validate_json(sent)
        if wait_seconds is None:
            return erasure
        return _wait(
            lambda: self._read(ErasureOut, f"/people/erasures/{erasure.id}"),
            lambda erasure: erasure.state == "done",
            wait_seconds,
        )

    def _read(self, out: type[Out], path: str, query: Mapping[str, Any] | None = None) -> Out:
        return out.model_validate_json(
            self._transport.send("GET", path, query=query, repeatable=True)
        )

    def _ask(self, out: type[Out], path: str, body: Mapping[str, Any]) -> Out:
        """Send a question, which changes nothing, as often as it takes."""
        return out.model_validate_json(
            self._transport.send("POST", path, body=body, repeatable=True)
        )

    def _create(self, out: type[Out], path: str, body: Mapping[str, Any]) -> Out:
        """Send what is to be stored, with a key by which the server knows a repetition."""
        return out.model_validate_json(
            self._transport.send(
                "POST",
                path,
                body=body,
                headers={"Idempotency-Key": str(uuid.uuid4())},
                repeatable=True,
            )
        )

    def _pages(
        self,
        out: type[Out],
        items: Callable[[Out], Sequence[Item]],
        path: str,
        filters: Mapping[str, Any],
    ) -> Iterator[Item]:
        cursor = None
        while True:
            query = {"limit": _MAX_PAGE, **filters, "cursor": cursor}
            page = self._read(out, path, query)
            yield from items(page)
            cursor = getattr(page, "next", None)
            if cursor is None:
                return


def _wait(read: Callable[[], Item], is_over: Callable[[Item], bool], seconds: float) -> Item:
    """Read again and again, less and less often, until it is over."""
    end, pause = time.monotonic() + seconds, 0.1
    while not is_over(state := read()):
        left = end - time.monotonic()
        if left <= 0:
            raise NotFinished(f"It goes on after {seconds:g} seconds.")
        time.sleep(min(pause, left))
        pause = min(pause * 1.5, 2.0)
    return state
