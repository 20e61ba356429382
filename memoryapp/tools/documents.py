"""``search`` and ``fetch``: the two tools that ChatGPT asks of every connector, by these names and
in these shapes: https://developers.openai.com/apps-sdk. Only MCP offers them.
"""

import json
from dataclasses import replace

from django.urls import reverse
from pydantic import BaseModel, Field

from conversations.models import Message
from instances.ids import parse_pk
from instances.models import Permission
from instances.models.groups import told_to
from instances.translatable import translatable
from memoryapp.disclosure import told_to_model
from memoryapp.models import Memory
from memoryapp.models.muted_messages import is_muted
from memoryapp.recall import note_recalled, recall
from memoryapp.recall.hit_entries import SPEAKERS, entries_for, memory_ref
from memoryapp.recall.pointers import beside_pointers, pointed_at
from memoryapp.tools.arguments import ToolArguments
from memoryapp.tools.tool import Tool
from memoryapp.tools.tool_context import ToolContext, ToolResult

#: The most results of a search, and characters of a title.
MAX_RESULTS, MAX_TITLE = 10, 80


class DocumentSearchArguments(ToolArguments):
    query: str = Field(min_length=1, max_length=500, description="What to look for.")


class SearchedItem(BaseModel):
    """A memory or message that was found."""

    id: str = Field(description="ID, for fetch.")
    title: str = Field(description="The beginning of its text.")
    url: str = Field(description="Where people see it.")


class FoundDocuments(BaseModel):
    """Memories and messages that were found, best first."""

    results: list[SearchedItem]


class FetchArguments(ToolArguments):
    id: str = Field(min_length=1, max_length=200, description="ID of a result of search.")


class Document(BaseModel):
    """A memory or message."""

    id: str
    title: str
    text: str
    url: str
    metadata: dict[str, str] = Field(description="Where it comes from, and when it was said.")


def search(arguments: DocumentSearchArguments, context: ToolContext) -> ToolResult:
    """Find memories and messages."""
    options = replace(context.options, limit=MAX_RESULTS)
    result = recall(context.instance, arguments.query, options)
    lines = entries_for(context.instance, result.hits, context.policy)
    note_recalled(context.instance, [hit for hit, _ in lines])
    data = FoundDocuments(
        results=[
            SearchedItem(id=line.ref, title=line.text[:MAX_TITLE], url=_url(context, line.ref))
            for _, line in lines
        ]
    )
    ids = tuple(hit.memory.pk for hit, _ in lines if hit.memory)
    outcome = translatable("Searched memory") if lines else translatable("Found nothing")
    return ToolResult(data.model_dump_json(), outcome, memory_ids=ids, data=data)


def fetch(arguments: FetchArguments, context: ToolContext) -> ToolResult:
    """Return one memory or message."""
    document = _memory(arguments.id, context) or _message(arguments.id, context)
    if document is None:
        text = json.dumps({"error": f"There is no {arguments.id!r}: use an id of search."})
        return ToolResult(text, translatable("Found nothing"), ok=False)
    return ToolResult(document.model_dump_json(), translatable("Opened a memory"), data=document)


def _memory(name: str, context: ToolContext) -> Document | None:
    pk = parse_pk(name.removeprefix("m")) if name.startswith("m") else None
    memory: Memory | None = context.memories().filter(pk=pk).first() if pk else None
    if memory is None or not context.policy.allows_memory(memory):
        return None
    return Document(
        id=memory_ref(memory),
        title=memory.content[:MAX_TITLE],
        text=memory.content,
        url=_url(context, name),
        metadata={
            "kind": "memory",
            "category": memory.category,
            "provenance": memory.provenance,
            "on": memory.said_at.date().isoformat(),
        },
    )


def _message(name: str, context: ToolContext) -> Document | None:
    message = _message_named(name, context)
    if message is None or message.role not in SPEAKERS or is_muted(message):
        return None
    text = told_to_model(context.instance, message)
    if not text or not context.policy.allows_message(message, text):
        return None
    return Document(
        id=name,
        title=text[:MAX_TITLE],
        text=text,
        url=_url(context, name),
        metadata={
            "kind": "message",
            "said_by": str(message.role),
            "on": message.sent_at.date().isoformat(),
        },
    )


def _message_named(name: str, context: ToolContext) -> Message | None:
    pk = parse_pk(name.removeprefix("s")) if name.startswith("s") else None
    if pk is None:
        options = replace(context.options, limit=1)
        found = [] if beside_pointers(name) else pointed_at(context.instance, name, options)
        return found[0].message if found else None
    messages = Message.objects.filter(
        instance=context.instance, conversation__without_memory=False, pk=pk
    )
    if context.people is not None:
        messages = messages.filter(told_to(context.people, "conversation__"))
    return messages.select_related("muted").defer("search").first()


def _url(context: ToolContext, name: str) -> str:
    """The address at which people see what is called *name*."""
    if name.startswith("m") and (pk := parse_pk(name.removeprefix("m"))):
        path = reverse("memory", args=[pk])
    elif name.startswith("s") and (pk := parse_pk(name.removeprefix("s"))):
        path = reverse("message", args=[pk])
    else:
        path = f"{reverse('palace')}?instance={context.instance.slug}"
    return f"{context.address}{path}"


SEARCH = Tool(
    "search",
    "Search",
    Permission.READ,
    search,
    DocumentSearchArguments,
    FoundDocuments,
    "Search the long-term memory of earlier conversations for documents, which fetch opens.",
)
FETCH = Tool(
    "fetch",
    "Fetch",
    Permission.READ,
    fetch,
    FetchArguments,
    Document,
    "Open a result of search: the whole text of a memory or message, and where it comes from.",
)
