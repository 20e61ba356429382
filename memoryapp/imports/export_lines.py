"""Writes memories as files that `file_format` reads: JSON lines, and the columns of all formats."""

import json
from collections.abc import Generator, Iterable
from typing import Any

from django.db.models import Prefetch

from instances.tiers import Tier
from memoryapp.models import Memory, MemorySource

#: Rows that are read, formatted and sent at a time.
CHUNK_SIZE = 500

JSONL_TYPE = "application/x-ndjson"
COLUMNS = """
id content category importance tags end_user key value valid_until origin tier confidence assessed
pinned external_id labels metadata created_at updated_at recall_count last_recalled_at
""".split()


def sources_of_memories() -> Prefetch[Any]:
    """Load the sources that a line names."""
    said = MemorySource.objects.in_conversations().select_related("message")
    return Prefetch("sources", said.defer("message__search"))


def jsonl(memories: Iterable[Memory]) -> Generator[str]:
    """Yield *memories*, with `sources_of_memories`, in parts of many lines."""
    lines = []
    for memory in memories:
        fields = fields_of(memory)
        lines.append(json.dumps(fields, default=iso_format, ensure_ascii=False) + "\n")
        if len(lines) == CHUNK_SIZE:
            yield "".join(lines)
            lines.clear()
    yield "".join(lines)


def fields_of(memory: Memory) -> dict[str, Any]:
    """Return the `COLUMNS` of *memory*, and its sources."""
    return {name: getattr(memory, name) for name in COLUMNS} | {
        "valid_until": memory.end,
        "tier": Tier(memory.tier).api_name,
        "sources": [_source(source) for source in memory.sources.all()],
    }


def _source(source: MemorySource) -> dict[str, Any]:
    message = source.message
    return {
        "conversation_id": source.conversation_id,
        "conversation": str(source.conversation),
        "position": message.position if message else None,
        "said_at": message.sent_at if message else None,
        "action": source.action,
    }


def iso_format(value: Any) -> Any:
    """Write dates and times as ISO 8601; leave other values alone."""
    return value.isoformat() if hasattr(value, "isoformat") else value
