"""Export of the memory list."""

import asyncio
import csv
import io
import json
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connection, connections
from django.http import Http404, StreamingHttpResponse
from django.test import AsyncRequestFactory, Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from conversations.models import Conversation
from instances.access import signed_in
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.imports import export_lines, tables
from memoryapp.models import Memory, Origin
from memoryapp.pipeline import Candidate, Writer, remember
from memoryapp.web.memory import export

Store = Callable[..., Memory]


def fetch(client: Client, query: str = "", kind: str = "jsonl") -> str:
    response = client.get(f"/memory/export?instance=desk&format={kind}&{query}")
    assert response.status_code == 200
    assert isinstance(response, StreamingHttpResponse)
    return response.getvalue().decode()


def lines(client: Client, query: str = "") -> list[dict[str, Any]]:
    return [json.loads(line) for line in fetch(client, query).splitlines()]


def cells(client: Client, query: str = "") -> list[dict[str, str]]:
    text = fetch(client, query, "csv")
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


@pytest.fixture
def extracted(instance: Instance, conversation: Conversation) -> Memory:
    message = conversation.messages.earliest("position")
    candidate = Candidate(
        "Die Nutzerin isst keine Erdnüsse; 由紀子 weiß davon.",
        category="preference",
        importance=9,
        tags=["food", "health"],
        valid_until=date(2031, 2, 3),
        end_user="Ana",
        confidence=80,
        conversation_id=conversation.pk,
        message_id=message.pk,
        labels=["agent:coach"],
        metadata={"room": "a"},
        external_id="m-1",
    )
    (outcome,) = remember(
        instance, [candidate], Writer(Origin.CONVERSATION, Actor(via="extraction"))
    )
    return outcome.memory


def test_jsonl_line_has_all_fields(
    as_alice: Client, extracted: Memory, conversation: Conversation
) -> None:
    (line,) = lines(as_alice)
    message = conversation.messages.earliest("position")
    assert line == {
        "id": extracted.pk,
        "content": "Die Nutzerin isst keine Erdnüsse; 由紀子 weiß davon.",
        "category": "preference",
        "importance": 9,
        "tags": ["food", "health"],
        "end_user": "Ana",
        "key": "",
        "value": "",
        "valid_until": "2031-02-03",
        "origin": "conversation",
        "tier": "document",
        "confidence": 80,
        "assessed": True,
        "pinned": False,
        "external_id": "m-1",
        "labels": ["agent:coach"],
        "metadata": {"room": "a"},
        "created_at": extracted.created_at.isoformat(),
        "updated_at": extracted.updated_at.isoformat(),
        "recall_count": 0,
        "last_recalled_at": None,
        "sources": [
            {
                "conversation_id": conversation.pk,
                "conversation": "Dinner for eight",
                "position": 1,
                "said_at": message.sent_at.isoformat(),
                "action": "stored_new",
            }
        ],
    }
    assert "由紀子" in fetch(as_alice)


def test_csv_has_the_same_fields(as_alice: Client, extracted: Memory) -> None:
    (row,) = cells(as_alice)
    assert list(row) == [*export_lines.COLUMNS, "sources"]
    assert row["content"] == extracted.content
    assert (row["tags"], row["sources"]) == ("food, health", "Dinner for eight #1")
    assert (row["valid_until"], row["last_recalled_at"]) == ("2031-02-03", "")


@pytest.mark.parametrize(
    "start",
    ["=1+1", "+1", "-1", "@SUM(A1)", "|cmd", "＝1", "＋1", "－1", "＠A1", "  =1", "\u3000|1"],
)
def test_formulas_are_guarded(start: str, as_alice: Client, instance: Instance) -> None:
    content = f"{start} is what the user calls it."
    Memory.objects.create(instance=instance, content=content, tags=[start], end_user=start)
    (row,) = cells(as_alice)
    assert row["content"] == f"'{content}"
    assert (row["tags"], row["end_user"]) == (f"'{start}", f"'{start}")
    # JSONL, which programs read, is not guarded.
    assert lines(as_alice)[0]["content"] == content


@pytest.mark.parametrize("space", ["", "\t", "\r", "\n", "\r\n", "  ", " \t ", "\u00a0"])
@pytest.mark.parametrize("sign", "=+-@|＝＋－＠")
@pytest.mark.parametrize("quotes", ["", "'", "''"])
def test_guarded_cell_is_imported_unchanged(quotes: str, space: str, sign: str) -> None:
    text = f"{quotes}{space}{sign}cmd"
    assert export.cell(text) == f"'{text}"
    assert tables.parse_cells({"content": export.cell(text)})["content"] == text


@pytest.mark.parametrize("text", ["1 = 1", "'quoted'", " plain", "a|b", "½ − 1"])
def test_other_cells_are_unchanged(text: str) -> None:
    assert export.cell(text) == text
    assert tables.parse_cells({"content": text})["content"] == text


def test_export_has_all_filtered_memories_in_order(
    as_alice: Client, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export_lines, "CHUNK_SIZE", 7)
    Memory.objects.bulk_create(
        Memory(instance=instance, content=f"Fact {n}.", category="fact", importance=n % 10 + 1)
        for n in range(50)
    )
    Memory.objects.create(instance=instance, content="An event.", category="event")
    assert len(lines(as_alice)) == len(cells(as_alice)) == 51
    exported = lines(as_alice, "category=fact&sort=important&page=2")
    assert len(exported) == 50
    assert [line["importance"] for line in exported] == sorted(
        (n % 10 + 1 for n in range(50)), reverse=True
    )
    assert lines(as_alice, "category=decision") == []
    assert cells(as_alice, "category=decision") == []


def test_export_of_a_search_is_ranked_or_sorted(as_alice: Client, store_memory: Store) -> None:
    old = store_memory("The user plays the cello every day.")
    new = store_memory("The user bought a cello case.")
    store_memory("The user lives in Lisbon.")
    exported = [line["id"] for line in lines(as_alice, "q=plays+the+cello+every+day")]
    assert exported[0] == old.pk
    by_age = [line["id"] for line in lines(as_alice, "q=cello&sort=newest")]
    assert by_age.index(new.pk) < by_age.index(old.pk)


def test_export_is_limited_to_the_instance(
    as_alice: Client, private: Instance, store_memory: Store
) -> None:
    store_memory("The user keeps a diary.", into=private)
    assert lines(as_alice) == []


def test_file_has_a_distinct_name_and_is_not_cached(as_alice: Client, instance: Instance) -> None:
    response = as_alice.get("/memory/export?instance=desk&format=csv")
    day = timezone.localdate().isoformat()
    assert response["Content-Disposition"] == f'attachment; filename="keepsake-desk-{day}.csv"'
    assert "no-store" in response["Cache-Control"]
    assert as_alice.get("/memory/export?instance=desk&format=exe").status_code == 404
    assert as_alice.get("/memory/export?instance=desk").status_code == 404


def test_queries_per_chunk_are_constant(as_alice: Client, instance: Instance) -> None:
    counts = []
    for _ in range(2):
        Memory.objects.bulk_create(
            Memory(instance=instance, content=f"Fact {n}.") for n in range(30)
        )
        with CaptureQueriesContext(connection) as queries:
            fetch(as_alice)
        counts.append(len(queries))
    assert counts[0] == counts[1] < 12


def test_menu_offers_the_export_with_the_count(as_alice: Client, extracted: Memory) -> None:
    page = as_alice.get("/memory?instance=desk&category=preference").content.decode()
    assert "/memory/export?instance=desk&amp;category=preference&amp;format=csv" in page
    assert "Export 1 as JSONL" in page
    assert "Export" not in as_alice.get("/memory?instance=desk&tag=no").content.decode().replace(
        "More: export, import, earlier days", ""
    )


@pytest.mark.django_db(transaction=True)
def test_export_is_streamed_by_an_async_server(
    alice: User, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export_lines, "CHUNK_SIZE", 10)
    Memory.objects.bulk_create(Memory(instance=instance, content=f"Fact {n}.") for n in range(35))

    async def parts() -> list[str]:
        request = AsyncRequestFactory().get("/memory/export?instance=desk&format=jsonl")
        request.user = alice
        response = await sync_to_async(export.export)(signed_in(request))
        assert isinstance(response, StreamingHttpResponse)
        assert response.is_async
        sent = [part.decode() async for part in response]
        # As a server does at the end of a request
        await sync_to_async(connections.close_all)()
        return sent

    got = asyncio.run(parts())
    assert len(got) == 4
    assert len("".join(got).splitlines()) == 35
    with pytest.raises(Http404):
        request = AsyncRequestFactory().get("/memory/export?instance=desk")
        request.user = alice
        export.export(signed_in(request))
