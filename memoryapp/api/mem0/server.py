"""The addresses of mem0's self-hosted server, ``/memories`` and ``/search``, for programs that are
made for it.
"""

from typing import Any

from django.http import HttpRequest
from ninja import Query
from pydantic import AliasChoices, Field

from memoryapp.api.mem0 import add, memories, search
from memoryapp.api.mem0.auth import DELETE_OWN, READ_OWN, WRITE_OWN, router
from memoryapp.api.mem0.pages import Mem0PageIn
from memoryapp.pipeline import MAX_CONTENT


@router.post("/memories", auth=WRITE_OWN, url_name="server_memories", summary="Add")
def add_to_server(request: HttpRequest, body: add.AddIn) -> dict[str, Any]:
    """Add messages, as the client's `add` does."""
    return add.add(request, body)


@router.get("/memories", auth=READ_OWN, url_name="server_memories", summary="List")
def list_on_server(
    request: HttpRequest, params: Query[search.ListQuery], page: Query[Mem0PageIn]
) -> dict[str, Any]:
    """List the memories of an owner, newest first, in pages."""
    return search.list_all(request, params.as_body(), page)


@router.delete("/memories", auth=DELETE_OWN, url_name="server_memories", summary="Delete all")
def delete_on_server(request: HttpRequest, params: Query[memories.DeleteQuery]) -> dict[str, Any]:
    """Delete all memories of an owner, as the client's `delete_all` does."""
    return memories.delete_all(request, params)


@router.post("/search", auth=READ_OWN, url_name="server_search", summary="Search")
def search_server(request: HttpRequest, body: search.Mem0SearchIn) -> dict[str, Any]:
    """Return the memories that match a query, best first."""
    return search.search(request, body)


@router.get("/memories/{memory_id}", auth=READ_OWN, url_name="server_memory", summary="Get")
def get_from_server(request: HttpRequest, memory_id: str) -> dict[str, Any]:
    """Return a memory."""
    return memories.get(request, memory_id)


class ServerChangesIn(memories.ChangesIn):
    """Changes to a memory. The text has had several names."""

    text: str | None = Field(
        None,
        min_length=1,
        max_length=MAX_CONTENT,
        validation_alias=AliasChoices("text", "memory", "data"),
    )


@router.put("/memories/{memory_id}", auth=WRITE_OWN, url_name="server_memory", summary="Update")
def update_on_server(request: HttpRequest, memory_id: str, body: ServerChangesIn) -> dict[str, Any]:
    """Update the given fields. The previous version is kept in the history."""
    return memories.update(request, memory_id, body)


@router.delete("/memories/{memory_id}", auth=DELETE_OWN, url_name="server_memory", summary="Delete")
def delete_from_server(request: HttpRequest, memory_id: str) -> dict[str, Any]:
    """Delete a memory with its history: for good if the key may forget, else into the bin."""
    return memories.delete(request, memory_id)


@router.get(
    "/memories/{memory_id}/history", auth=READ_OWN, url_name="server_history", summary="History"
)
def history_on_server(request: HttpRequest, memory_id: str) -> list[dict[str, Any]]:
    """List all versions of a memory, oldest first."""
    return memories.get_history(request, memory_id)
