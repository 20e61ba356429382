"""Import of memories from other systems with their ids, dates, people and labels."""

import gzip
import io
import json
import zipfile
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from hypothesis import example, given
from hypothesis import strategies as st

from conversations.importers import Report
from conversations.importers.reader import BrokenFile
from conversations.importers.zip_archives import Archive
from conversations.models import Import
from instances.models import Instance
from memoryapp.imports import openmemory
from memoryapp.imports.file_format import GRAPH as GRAPH_FORM
from memoryapp.imports.file_format import MEM0_LINES, OPENMEMORY_LINES, read
from memoryapp.models import Activity, Memory, Origin
from tests.imports.files import BACKUP, GRAPH, IDS, backup, hosted, lines, own
from tests.uploading import confirm, counts, replacing, upload


def brought_in(client: Client, content: bytes) -> Import:
    import_ = upload(client, content)
    assert import_.state == Import.State.READY, import_.error
    return confirm(client, import_)


def texts() -> set[str]:
    return set(Memory.objects.values_list("content", flat=True))


FILES: dict[str, tuple[bytes, str, tuple[int, int, int, int]]] = {
    "mem0, hosted": (json.dumps(hosted(), indent=2).encode(), "Memories from mem0", (3, 0, 0, 1)),
    "mem0, hosted, the list alone": (
        json.dumps(hosted()["results"]).encode(),
        "Memories from mem0",
        (3, 0, 0, 1),
    ),
    "mem0, exported": (
        json.dumps({"memories": hosted()["results"]}).encode(),
        "Memories from mem0",
        (3, 0, 0, 1),
    ),
    "mem0, line by line": (
        lines("oops", *hosted()["results"]),
        "Memories from mem0 as JSONL",
        (3, 0, 0, 2),
    ),
    "mem0, own": (json.dumps(own()).encode(), "Memories from mem0", (2, 0, 0, 0)),
    "OpenMemory": (backup(), "Backup from OpenMemory", (1, 0, 0, 1)),
    "OpenMemory, in a folder": (backup(folder="export/"), "Backup from OpenMemory", (1, 0, 0, 1)),
    "OpenMemory, unpacked": (lines(*BACKUP), "Memories from OpenMemory as JSONL", (1, 0, 0, 1)),
    "MCP memory server": (
        lines(*GRAPH),
        "Knowledge graph from the MCP memory server",
        (4, 0, 0, 1),
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_format_is_detected_and_a_dry_run_changes_nothing(
    name: str, as_alice: Client, instance: Instance
) -> None:
    content, form, expected = FILES[name]
    # On either import screen.
    for kind in ("memories", ""):
        found = upload(as_alice, content, kind=kind)
        assert (found.state, found.error) == (Import.State.READY, "")
        assert (found.kind, found.format) == (Import.Kind.MEMORIES, form)
        assert counts(found) == expected
    assert not Memory.objects.exists()
    assert not Activity.objects.exists()


def stored() -> list[dict[str, Any]]:
    """Return all memories, without the date of their last repetition."""
    columns = [field.name for field in Memory._meta.concrete_fields if field.name != "said_at"]
    return list(Memory.objects.order_by("pk").values(*columns))


@pytest.mark.parametrize("name", FILES)
def test_repeated_import_adds_nothing(name: str, as_alice: Client, instance: Instance) -> None:
    content, _, (new, _, _, left_out) = FILES[name]
    first = brought_in(as_alice, content)
    assert (first.state, counts(first)) == (Import.State.SUCCEEDED, (new, 0, 0, left_out))
    before = stored()
    second = brought_in(as_alice, content)
    assert counts(second) == (0, 0, new, left_out)
    assert stored() == before
    assert {memory.origin for memory in Memory.objects.all()} == {Origin.IMPORT}


def test_all_mem0_fields_are_kept(as_alice: Client, instance: Instance) -> None:
    brought_in(as_alice, json.dumps(hosted()).encode())
    memory = Memory.objects.get(external_id=IDS[0])
    assert memory.content == "Ana is allergic to peanuts."
    assert memory.end_user == "ana"
    assert (memory.category, memory.tags) == ("preference", ["food", "health"])
    assert memory.metadata == {"course": "dessert"}
    assert memory.labels == ["agent:cook"]
    assert memory.created_at == datetime(2025, 2, 3, 12, 5, 6, 789012, UTC)
    assert memory.updated_at == datetime(2025, 3, 4, 13, 6, 7, 891234, UTC)
    assert memory.valid_until is None
    ben = Memory.objects.get(external_id=IDS[1])
    assert (ben.end_user, ben.category, ben.tags) == ("ben", "general", [])
    assert ben.valid_until == date(2199, 1, 31)
    # Secrets are redacted as in all write paths.
    assert "Ana can be called at [REDACTED:PHONE]." in texts()


def test_mem0_library_export_with_its_graph(as_alice: Client, instance: Instance) -> None:
    brought_in(as_alice, json.dumps(own()).encode())
    memory = Memory.objects.get(external_id=IDS[4])
    assert memory.metadata == {"kind": "sport"}
    assert memory.labels == ["run:r-1"]
    relation = Memory.objects.exclude(pk=memory.pk).get()
    assert relation.content == "ana rows with ben."
    assert (relation.category, relation.tags) == ("relationship", ["rows_with"])


def test_openmemory_backup_keeps_the_user(as_alice: Client, instance: Instance) -> None:
    done = brought_in(as_alice, backup())
    memory = Memory.objects.get()
    assert memory.content == "Ana takes her tea without sugar."
    assert (memory.end_user, memory.external_id) == ("ana", IDS[5])
    assert (memory.category, memory.tags) == ("preference", ["food"])
    assert memory.labels == ["app:cursor"]
    assert memory.metadata["mcp_client"] == "cursor"
    assert memory.created_at == datetime(2025, 5, 20, 10, 11, 12, tzinfo=UTC)
    assert done.skipped == ["line 2: its state there is “deleted”."]
    assert done.bytes_read == done.bytes_total > 0


def test_observations_name_their_entity(as_alice: Client, instance: Instance) -> None:
    done = brought_in(as_alice, lines(*GRAPH))
    assert {(one.content, one.category, *one.tags) for one in Memory.objects.all()} == {
        ("Ana plays the violin", "fact", "person"),
        ("Ana: grows tomatoes on the balcony", "fact", "person"),
        ("Acme: builds kilns", "fact", "organization"),
        ("Ana works at Acme.", "relationship", "works_at"),
    }
    assert done.skipped == ["line 3: nothing has been observed about the entity."]


def test_later_export_updates_the_text(as_alice: Client, instance: Instance) -> None:
    export = hosted()
    brought_in(as_alice, json.dumps(export).encode())
    export["results"][0]["memory"] = "Ana is allergic to peanuts and almonds."
    export["results"][0]["id"] = IDS[0]
    import_ = replacing(as_alice, upload(as_alice, json.dumps(export).encode()))
    later = confirm(as_alice, import_)
    assert counts(later) == (0, 1, 2, 1)
    memory = Memory.objects.get(external_id=IDS[0])
    assert memory.content == "Ana is allergic to peanuts and almonds."
    assert [one.content for one in memory.revisions.all()] == ["Ana is allergic to peanuts."]
    # The older file is known, and reverts nothing.
    assert counts(brought_in(as_alice, json.dumps(hosted()).encode())) == (0, 0, 3, 1)


def test_same_text_with_two_ids_stays_two_memories(as_alice: Client, instance: Instance) -> None:
    twins = [{"id": pk, "memory": "Ana rows.", "user_id": "ana"} for pk in IDS[:2]]
    content = json.dumps(twins).encode()
    assert counts(upload(as_alice, content)) == (2, 0, 0, 0)
    assert counts(brought_in(as_alice, content)) == (2, 0, 0, 0)
    assert set(Memory.objects.values_list("external_id", flat=True)) == set(IDS[:2])


def test_numeric_ids_do_not_clash_with_keepsake_ids(as_alice: Client, instance: Instance) -> None:
    brought_in(as_alice, json.dumps([{"id": 7, "memory": "Ana rows."}]).encode())
    assert Memory.objects.get().external_id == "mem0:7"


@pytest.mark.parametrize(
    ("records", "reason"),
    [
        (["text"], "it is not an object."),
        ([{"memory": ["Ana rows."]}], "“memory” is missing or empty."),
        ([{"memory": "x" * 4001}], "“content” has more than 4,000 characters."),
        ([{"memory": "Ana rows.", "metadata": "room a"}], "“metadata” is not an object."),
        ([{"memory": "Ana rows.", "categories": "food"}], "“categories” is not a list of words."),
        ([{"memory": "Ana rows.", "created_at": "soon"}], "“created_at” is not a date in ISO"),
        ([{"memory": "Ana rows.", "expiration_date": 7}], "“valid_until” is not text."),
        ([{"memory": "Ana rows.", "user_id": "u" * 201}], "“end_user” has more than 200"),
        ([{"source": "ana", "relationship": "knows"}], "the relation lacks one of its ends"),
    ],
)
def test_invalid_entries_are_skipped_with_place_and_reason(
    records: list[Any], reason: str, as_alice: Client, instance: Instance
) -> None:
    good = {"id": IDS[0], "memory": "Ben rows.", "user_id": "ben"}
    done = brought_in(as_alice, json.dumps({"results": [good, *records]}).encode())
    assert counts(done) == (1, 0, 0, 1)
    assert done.skipped[0].startswith(f"memory 2: {reason}")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({"type": "entity", "name": " ", "entityType": "x", "observations": ["a"]}, "no name"),
        ({"type": "entity", "name": "Ana", "observations": [7]}, "an observation is no text"),
        ({"type": "relation", "from": "Ana", "to": "Acme"}, "lacks one of its ends, or its type"),
        ({"type": "thing"}, "neither an entity nor a relation"),
    ],
)
def test_empty_graph_entries_are_skipped(
    line: dict[str, Any], reason: str, as_alice: Client, instance: Instance
) -> None:
    done = brought_in(as_alice, lines(GRAPH[1], line))
    assert counts(done) == (1, 0, 0, 1)
    assert reason in done.skipped[0]


@pytest.mark.parametrize(
    "packed", [b"", b"no gzip at all", None], ids=["empty", "no gzip", "cut off"]
)
def test_damaged_backup_is_reported(
    packed: bytes | None, as_alice: Client, instance: Instance
) -> None:
    if packed is None:
        packed = gzip.compress(lines(*BACKUP))[:-20]
    found = upload(as_alice, backup(packed=packed))
    if packed == b"":
        assert (found.state, counts(found)) == (Import.State.READY, (0, 0, 0, 0))
        return
    assert found.state in (Import.State.FAILED, Import.State.READY)
    assert "damaged" in found.error


def test_zip_bomb_is_rejected(
    as_alice: Client, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memoryapp.imports.openmemory.LARGE_BYTES", 1000)
    padded = BACKUP[0] | {"padding": "a" * 2_000_000}
    found = upload(as_alice, backup([padded]))
    assert found.state == Import.State.FAILED
    assert "unpacks to more than memories take" in found.error


def test_entries_before_a_json_error_are_imported(as_alice: Client, instance: Instance) -> None:
    good = {"id": IDS[0], "memory": "Ben rows.", "user_id": "ben"}
    content = json.dumps({"results": [good]}).encode()[:-2] + b', {"id": '
    found = upload(as_alice, content)
    assert (found.state, counts(found)[0]) == (Import.State.READY, 1)
    assert "What comes before it can be imported" in found.error


records = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)
FIELDS = (
    "id memory content user_id run_id metadata categories created_at expiration_date source state "
    "relationship target app type name entityType observations from to relationType"
).split()


@given(record=records | st.dictionaries(st.sampled_from(FIELDS), records, max_size=8))
@example(record={"type": "entity", "name": "Ana", "entityType": ["x"], "observations": ["a", 1]})
@example(record={"id": {}, "memory": "x", "user_id": [1], "categories": [""], "metadata": {}})
def test_any_entry_is_imported_or_skipped_with_a_reason(record: Any) -> None:
    for form in (MEM0_LINES, OPENMEMORY_LINES, GRAPH_FORM):
        report = Report()
        found = list(read(form, io.BytesIO(lines(record)), report, ZoneInfo("UTC")))
        assert found or report.reasons
        assert all(one.candidate.content for one in found)


def test_conversation_files_are_still_detected(as_alice: Client, instance: Instance) -> None:
    talk = lines({"conversation": "c1", "role": "user", "content": "My memory is bad."})
    assert upload(as_alice, talk, kind="").kind == Import.Kind.CONVERSATIONS
    chats = [{"title": "Memory", "mapping": {}, "memory_scope": "global"}]
    found = upload(as_alice, json.dumps(chats).encode(), kind="")
    assert found.kind == Import.Kind.CONVERSATIONS


@pytest.mark.parametrize(
    ("about", "user_id"),
    [
        ('{"count": NaN, "user": {"name": "\\ud83d", "user_id": "ana"}}', "ana"),
        ('{"memories": [{"user": {"user_id": "x"}}], "user": {"user_id": "ben"}}', "ben"),
        ('{"other": {"user_id": "x"}, "user": ["y", ["z"]]}', ""),
        ('{"user": {"user_id": 12}}', "12"),
        ('{"user": {"user_id": "a\\udc4d"}}', "a\ufffd"),
    ],
)
def test_user_of_a_backup_is_found(about: str, user_id: str) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("memories.json", about)
    assert openmemory.user_id_of(Archive(archive)) == user_id


def test_deep_backup_is_broken() -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("memories.json", '{"user": ' + "[" * 100_000)
    with pytest.raises(BrokenFile):
        openmemory.user_id_of(Archive(archive))
