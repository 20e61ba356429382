"""Sample files in the formats of other systems."""

import gzip
import io
import json
import zipfile
from typing import Any

IDS = [f"892db2ae-06d9-49e5-8b3e-585ef9b85b8{n}" for n in range(10)]


def hosted() -> dict[str, Any]:
    """A page of the response of mem0's hosted API to ``get_all``."""
    return {
        "count": 4,
        "next": None,
        "previous": None,
        "results": [
            {
                "id": IDS[0],
                "memory": "Ana is allergic to peanuts.",
                "user_id": "ana",
                "agent_id": "cook",
                "app_id": None,
                "run_id": None,
                "actor_id": None,
                "hash": "1f8d",
                "metadata": {"course": "dessert"},
                "categories": ["food", "preference", "health"],
                "created_at": "2025-02-03T04:05:06.789012-08:00",
                "updated_at": "2025-03-04T05:06:07.891234-08:00",
                "expiration_date": None,
                "structured_attributes": {"day": 3, "is_weekend": False},
                "immutable": False,
            },
            {
                "id": IDS[1],
                "memory": "Ben is in Oslo until the end of the month.",
                "user_id": "ben",
                "metadata": None,
                "categories": None,
                "created_at": "2025-02-03T04:05:06Z",
                "updated_at": "2025-02-03T04:05:06Z",
                "expiration_date": "2199-01-31",
            },
            {
                "id": IDS[2],
                "memory": "Ana can be called at +49 30 901820.",
                "user_id": "ana",
                "created_at": "2025-02-03T04:05:06Z",
            },
            {"id": IDS[3], "memory": None, "user_id": "ana"},
        ],
    }


def own() -> dict[str, Any]:
    """The result of ``get_all`` of mem0's library, with a graph."""
    return {
        "results": [
            {
                "id": IDS[4],
                "memory": "Ana rows on the lake",
                "hash": "2a1b",
                "metadata": {"kind": "sport"},
                "created_at": "2024-07-20T01:30:36.275141-07:00",
                "updated_at": None,
                "user_id": "ana",
                "run_id": "r-1",
            }
        ],
        "relations": [{"source": "ana", "relationship": "rows_with", "target": "ben"}],
    }


#: Lines of the file of the MCP memory server.
GRAPH = [
    {
        "type": "entity",
        "name": "Ana",
        "entityType": "person",
        "observations": ["Ana plays the violin", "grows tomatoes on the balcony"],
    },
    {
        "type": "entity",
        "name": "Acme",
        "entityType": "organization",
        "observations": ["builds kilns"],
    },
    {"type": "entity", "name": "Kiln 7", "entityType": "project", "observations": []},
    {"type": "relation", "from": "Ana", "to": "Acme", "relationType": "works_at"},
]

#: Lines of OpenMemory's backup.
BACKUP: list[dict[str, Any]] = [
    {
        "id": IDS[5],
        "content": "Ana takes her tea without sugar.",
        "metadata": {"source_app": "openmemory", "mcp_client": "cursor"},
        "created_at": "2025-05-20T10:11:12+00:00",
        "updated_at": "2025-05-21T10:11:12+00:00",
        "state": "active",
        "app": "cursor",
        "categories": ["preference", "food"],
    },
    {
        "id": IDS[6],
        "content": "Ana had a red bicycle.",
        "metadata": {},
        "created_at": "2025-05-20T10:11:12+00:00",
        "updated_at": "2025-05-20T10:11:12+00:00",
        "state": "deleted",
        "app": "cursor",
        "categories": [],
    },
]


def lines(*records: Any) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def backup(
    records: list[dict[str, Any]] | None = None, packed: bytes | None = None, folder: str = ""
) -> bytes:
    """OpenMemory's backup of the user ana, as its server sends it."""
    content = lines(*(BACKUP if records is None else records))
    about = {
        "user": {"id": IDS[9], "user_id": "ana", "name": "Ana", "email": None, "metadata": {}},
        "apps": [{"id": IDS[8], "name": "cursor", "is_active": True}],
        "categories": [],
        "memories": [],
        "export_meta": {"version": "1"},
    }
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(f"{folder}memories.json", json.dumps(about, indent=2))
        data = gzip.compress(content) if packed is None else packed
        file.writestr(f"{folder}memories.jsonl.gz", data)
    return archive.getvalue()
