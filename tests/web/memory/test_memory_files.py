"""Memories exported from one instance and imported into another."""

import json
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.http import StreamingHttpResponse
from django.test import Client

from conversations.models import Conversation, Import
from instances.actor import Actor
from instances.models import Instance
from memoryapp.imports import memory_import
from memoryapp.models import Activity, Memory, MemoryRevision, Origin
from memoryapp.pipeline import Candidate, Writer, remember, set_pinned
from tests.uploading import confirm, counts, upload, work

Store = Callable[..., Memory]


def export(client: Client, kind: str = "jsonl", instance: str = "desk") -> bytes:
    response = client.get(f"/memory/export?instance={instance}&format={kind}&sort=oldest")
    assert isinstance(response, StreamingHttpResponse)
    return response.getvalue()


def lines(*objects: Any) -> bytes:
    return b"".join(json.dumps(item).encode() + b"\n" for item in objects)


@pytest.fixture
def several(instance: Instance, store_memory: Store) -> list[Memory]:
    """Memories with values in every column, and texts that are difficult in CSV."""
    return [
        store_memory(
            '=HYPERLINK(“x”) is what the user types, with “quotes”, "more", and commas.',
            category="preference",
            importance=9,
            tags=["food", "health"],
            valid_until=date(2031, 2, 3),
            end_user="-Ana",
            confidence=80,
        ),
        store_memory(
            "'+1 555 is how the user writes a number.",
            importance=1,
            labels=["agent:=coach, the second", "run:", "run:r-1"],
            metadata={"from": "=SUM(A1)", "At": [1, None]},
            external_id="-m-1",
        ),
        store_memory("由紀子は京都に住んでいる。", category="relationship", end_user="由紀子"),
        store_memory("تعيش سلمى في بيروت.", category="event", importance=3),
        store_memory("The user owns a violin."),
    ]


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_exported_memories_are_known_on_import(
    kind: str, as_alice: Client, several: list[Memory]
) -> None:
    before = list(Memory.objects.values("pk", "content", "updated_at", "labels", "metadata"))
    import_ = upload(as_alice, export(as_alice, kind))
    assert (import_.state, import_.kind) == (Import.State.READY, Import.Kind.MEMORIES)
    assert counts(import_) == (0, 0, 5, 0)
    page = as_alice.get(f"/conversations/imports/{import_.pk}").content.decode()
    assert "Nothing in this file is new" in page
    assert "Import 5 memories" not in page
    # Confirming nevertheless changes nothing.
    assert counts(confirm(as_alice, import_)) == (0, 0, 5, 0)
    after = Memory.objects.values("pk", "content", "updated_at", "labels", "metadata")
    assert list(after) == before


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_preview_of_an_export_asks_managers_whether_they_trust_it(
    kind: str, as_alice: Client, several: list[Memory], private: Instance
) -> None:
    import_ = upload(as_alice, export(as_alice, kind), "diary")
    address = f"/conversations/imports/{import_.pk}"
    page = as_alice.get(address).content.decode()
    assert "Keepsake export" in page
    assert "This is an export from a Keepsake that I trust" in page
    assert not import_.restores_tiers
    as_alice.post(f"{address}/rows", {"asks_trust": "yes", "restores_tiers": "on"})
    import_ = work(import_)
    assert (import_.restores_tiers, import_.keep_apart) == (True, True)
    confirm(as_alice, import_)
    tiers = {memory.content: memory.tier for memory in several}
    assert {memory.content: memory.tier for memory in private.memories.all()} == tiers


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
@pytest.mark.parametrize("trusted", [True, False])
def test_pins_come_from_exports_that_a_manager_trusts(
    kind: str, trusted: bool, as_alice: Client, several: list[Memory], private: Instance
) -> None:
    set_pinned(several[-1], True, by=Actor(via="test"))
    options = {"restores_tiers": "on"} if trusted else {}
    confirm(as_alice, upload(as_alice, export(as_alice, kind), "diary", **options))
    pinned = private.memories.pinned().values_list("content", flat=True)
    assert list(pinned) == ([several[-1].content] if trusted else [])


def test_changed_options_are_previewed_before_the_import(
    as_alice: Client, several: list[Memory], private: Instance
) -> None:
    import_ = upload(as_alice, export(as_alice, "jsonl"), "diary")
    chosen = {"rows": "apart", "asks_trust": "yes", "restores_tiers": "on"}
    address = f"/conversations/imports/{import_.pk}"
    page = as_alice.post(f"{address}/confirm", chosen, follow=True).content.decode()
    assert "You changed the options." in page
    import_ = work(import_)
    assert (import_.state, import_.restores_tiers) == (Import.State.READY, True)
    assert not private.memories.exists()
    as_alice.post(f"{address}/confirm", chosen)
    work(import_)
    assert private.memories.count() == 5


def test_only_managers_say_that_an_export_is_trusted(
    as_alice: Client, several: list[Memory], instance: Instance
) -> None:
    import_ = upload(as_alice, export(as_alice, "jsonl"))
    instance.membership_set.update(role="member")
    address = f"/conversations/imports/{import_.pk}"
    assert "that I trust" not in as_alice.get(address).content.decode()
    as_alice.post(f"{address}/rows", {"asks_trust": "yes", "restores_tiers": "on"})
    assert not work(import_).restores_tiers


def test_other_files_are_not_asked_about(as_alice: Client, instance: Instance) -> None:
    import_ = upload(as_alice, lines({"content": "The user sails.", "tags": []}))
    page = as_alice.get(f"/conversations/imports/{import_.pk}").content.decode()
    assert "Memories as JSONL" in page
    assert "that I trust" not in page
    # What to do comes before the rows, which may be many.
    assert page.index("Import 1 memory") < page.index('<div id="rows">')


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
@pytest.mark.parametrize("asked_for", ["memories", "conversations"])
def test_import_into_another_instance_restores_the_memories(
    kind: str, asked_for: str, as_alice: Client, several: list[Memory], private: Instance
) -> None:
    import_ = upload(as_alice, export(as_alice, kind), "diary", asked_for, restores_tiers="on")
    assert counts(import_) == (5, 0, 0, 0)
    assert not private.memories.exists()
    assert not Activity.objects.filter(instance=private).exists()
    page = as_alice.get(f"/conversations/imports/{import_.pk}").content.decode()
    assert "5 memories to import" in page
    finished = confirm(as_alice, import_)
    assert (finished.state, counts(finished)) == (Import.State.SUCCEEDED, (5, 0, 0, 0))
    assert not finished.file

    def told(instance: str) -> list[dict[str, Any]]:
        rows = [json.loads(line) for line in export(as_alice, "jsonl", instance).splitlines()]
        return [row | {"id": None, "origin": None} for row in rows]

    assert told("diary") == told("desk")
    assert set(private.memories.values_list("origin", flat=True)) == {Origin.IMPORT}
    assert all(memory.embeddings.exists() for memory in private.memories.all())
    line = Activity.objects.get(instance=private, via="import")
    assert (line.action, line.count, line.batch) == ("imported", 5, finished.batch)


def test_preview_distinguishes_new_known_changed_and_invalid(
    as_alice: Client, instance: Instance, store_memory: Store
) -> None:
    store_memory("The user has three cats.")
    store_memory("The user owns a violin.")
    content = (
        lines(
            {"content": "The user has four cats.", "category": "fact"},
            {"content": "The user owns a violin."},
            {"content": "The user sails.", "importance": 7, "tags": ["sea"]},
            {"content": "The user sails."},
            {"content": " \u0000 "},
            {"content": "x" * 4001},
            {"content": "A", "category": 7},
            {"content": "B", "importance": 11},
            {"content": "C", "importance": "much"},
            {"content": "D", "tags": {"sea": 1}},
            {"content": "E", "valid_until": "soon"},
            {"content": "F", "confidence": True},
            {"content": "G", "created_at": "9999-01-01"},
            {"content": "H", "end_user": [5]},
        )
        + b"no object\n\xff\n[1]\n"
    )
    import_ = upload(as_alice, content)
    assert import_.state == Import.State.READY, import_.error
    # What a person has written stays; a file that says otherwise waits for review.
    assert (counts(import_), import_.memories_held) == ((1, 0, 2, 13), 1)
    places = {place.partition(":")[0] for place in import_.skipped}
    assert places == {f"line {number}" for number in range(5, 18)}
    assert Memory.objects.count() == 2 and not MemoryRevision.objects.exists()

    finished = confirm(as_alice, import_)
    assert (counts(finished), finished.memories_held) == ((1, 0, 2, 13), 1)
    assert sorted(Memory.objects.values_list("content", "importance")) == [
        ("The user has three cats.", 5),
        ("The user owns a violin.", 5),
        ("The user sails.", 7),
    ]
    assert not MemoryRevision.objects.exists()


def test_worker_continues_an_interrupted_import(
    as_alice: Client, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_import, "CHUNK_SIZE", 2)
    content = lines(*({"content": f"Thing {n}: {'xyz'[n % 3] * 9}.", "tags": []} for n in range(5)))
    import_ = upload(as_alice, content)
    assert counts(import_) == (5, 0, 0, 0)
    as_alice.post(f"/conversations/imports/{import_.pk}/confirm")
    # The first worker died after the second line, whose memory was deleted since.
    Import.objects.filter(pk=import_.pk).update(lines_done=2, memories_new=2)
    finished = work(import_)
    assert (finished.state, counts(finished), finished.lines_done) == (
        Import.State.SUCCEEDED,
        (5, 0, 0, 0),
        5,
    )
    assert finished.items_total == 5
    assert sorted(text[:7] for text in Memory.objects.values_list("content", flat=True)) == [
        "Thing 2",
        "Thing 3",
        "Thing 4",
    ]


@pytest.mark.parametrize(
    ("content", "kind", "becomes"),
    [
        (lines({"content": "One."}), "memories", "memories"),
        (lines({"content": "One."}), "conversations", "conversations"),
        (lines({"content": "One.", "tags": []}), "conversations", "memories"),
        (lines({"content": "One.", "role": "user"}), "memories", "conversations"),
        (b"content,tags\nOne.,\n", "conversations", "memories"),
        (b'\xef\xbb\xbf"content"\r\nOne.\r\n', "conversations", "memories"),
        (b"oops\n" + lines({"content": "One.", "importance": 1}), "conversations", "memories"),
    ],
)
def test_kind_of_file_is_detected_from_its_lines(
    content: bytes, kind: str, becomes: str, as_alice: Client, instance: Instance
) -> None:
    import_ = upload(as_alice, content, kind=kind)
    assert (import_.state, import_.kind) == (Import.State.READY, becomes), import_.error


def test_rows_before_a_csv_error_are_imported(as_alice: Client, instance: Instance) -> None:
    endless = b'"' + b"x" * 200_000
    import_ = upload(as_alice, b"content,importance\nTwo.,x\nA,1,2\n" + endless)
    assert import_.state == Import.State.FAILED
    assert "not CSV after line" in import_.error
    import_ = upload(as_alice, b"content,importance\nOne.,7\n\nTwo.,x\nA,1,2\n")
    assert counts(import_) == (1, 0, 0, 2)
    assert [place.partition(":")[0] for place in import_.skipped] == ["line 4", "line 5"]


def test_lines_before_an_error_are_imported(as_alice: Client, instance: Instance) -> None:
    # After the first read buffer.
    rows = "".join(f"Number {n} is {'abcdefghij'[n % 10] * 12}.,{'-' * 500}\n" for n in range(200))
    import_ = upload(as_alice, b"content,ruled\n" + rows.encode() + b'"' + b"x" * 200_000)
    assert import_.state == Import.State.READY
    assert "What comes before it can be imported." in import_.error
    assert sum(counts(import_)) > 100
    finished = confirm(as_alice, import_)
    assert finished.state == Import.State.FAILED
    assert "What came before it was imported." in finished.error
    assert finished.memories_new == Memory.objects.count() > 100
    assert sum(counts(finished)) == sum(counts(import_))


def test_import_is_limited_to_its_instance(
    as_alice: Client, several: list[Memory], private: Instance, conversation: Conversation
) -> None:
    remember(private, [Candidate("Mine.")], Writer(Origin.MANUAL, Actor(via="test")))
    import_ = upload(as_alice, lines({"content": "Mine.", "tags": []}))
    # A memory of another instance is new in this one.
    assert counts(import_) == (1, 0, 0, 0)
    confirm(as_alice, import_)
    assert private.memories.count() == 1
