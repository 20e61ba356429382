"""Damaged and forged bundles: each is one clear error, and leaves nothing behind."""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from instances.actor import Actor
from instances.models import Instance
from memoryapp.bundle import reading
from memoryapp.bundle.reading import BadBundle, import_bundle
from memoryapp.bundle.tables import TABLES
from memoryapp.bundle.writing import bundle_of
from memoryapp.models import Memory
from tests.bundle.furnishing import PASSPHRASE

pytestmark = pytest.mark.django_db

MEMORIES = "data/memoryapp.Memory.jsonl"
SOURCES = "data/memoryapp.MemorySource.jsonl"


def _files(instance: Instance) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(b"".join(bundle_of(instance, passphrase=PASSPHRASE)))) as file:
        return {name: file.read(name) for name in file.namelist()}


def _packed(files: dict[str, bytes], *, describe: bool = True) -> io.BytesIO:
    """Pack *files* again, with a manifest that fits them."""
    manifest = json.loads(files.pop("manifest.json"))
    if describe:
        for name, content in files.items():
            digest = hashlib.sha256(content).hexdigest()
            manifest["files"][name] = {"bytes": len(content), "sha256": digest}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
        archive.writestr("manifest.json", json.dumps(manifest))
    return out


def _refused(file: io.BytesIO, passphrase: str = "") -> str:
    """Import *file*, which must fail and leave nothing behind; return why."""
    before = Instance.objects.count(), Memory._base_manager.count()
    with pytest.raises(BadBundle) as refusal:
        import_bundle(file, by=Actor(via="test"), passphrase=passphrase)
    assert (Instance.objects.count(), Memory._base_manager.count()) == before
    return str(refusal.value)


def _first_row(columns: dict[str, Any]) -> Callable[[bytes], bytes]:
    def change(content: bytes) -> bytes:
        first, *others = content.splitlines()
        return b"\n".join([json.dumps(json.loads(first) | columns).encode(), *others])

    return change


CASES: dict[str, tuple[str, Callable[[bytes], bytes], str]] = {
    "of another instance": (MEMORIES, _first_row({"instance_id": 2**40}), "of another instance"),
    "unknown column": (MEMORIES, _first_row({"is_admin": True}), "column that is not known"),
    "value of another type": (MEMORIES, _first_row({"importance": "x"}), "cannot be stored"),
    "value that is not allowed": (MEMORIES, _first_row({"category": "x"}), "contradict"),
    "no value": (MEMORIES, _first_row({"content": None}), "contradict"),
    "no character": (MEMORIES, _first_row({"content": "a\0b"}), "cannot be stored"),
    "half a character": (MEMORIES, _first_row({"content": "\ud800"}), "cannot be stored"),
    "too long": (MEMORIES, _first_row({"external_id": "x" * 5_000}), "cannot be stored"),
    "id of text": (MEMORIES, _first_row({"id": "1"}), "an id that is none"),
    "id of true": (MEMORIES, _first_row({"id": True}), "an id that is none"),
    "id below one": (MEMORIES, _first_row({"id": -5}), "an id that is none"),
    "id out of reach": (MEMORIES, _first_row({"id": 2**63}), "an id that is none"),
    "id that nothing else has": (MEMORIES, _first_row({"id": 2**61}), "contradict"),
    "row that is not there": (SOURCES, _first_row({"memory_id": 999_999_999}), "contradict"),
    "twice the same id": (MEMORIES, lambda content: content + content, "contradict"),
    "no JSON": (MEMORIES, lambda content: b"DROP TABLE\n", "damaged"),
    "no text": (MEMORIES, lambda content: b"\xff\xfe\n", "damaged"),
    "no row": (MEMORIES, lambda content: b"[1]\n", "no row"),
    "deep": (MEMORIES, lambda content: b"[" * 100_000 + b"\n", "damaged"),
    "endless number": (MEMORIES, lambda content: b'{"id": NaN}\n', "damaged"),
    "document of another shape": (
        "data/memoryapp.ArchivedMemory.jsonl",
        _first_row({"rows": {"user": [{"id": 1}]}}),
        "damaged",
    ),
    "row of another instance in a document": (
        "data/memoryapp.ArchivedMemory.jsonl",
        _first_row({"rows": {"memory": [{"id": 1, "instance_id": 2**40}]}}),
        "of another instance",
    ),
    "unknown setting": (
        "settings.json",
        lambda content: json.dumps(json.loads(content) | {"is_admin": True}).encode(),
        "setting that is not known",
    ),
    "settings that are none": ("settings.json", lambda content: b"[]", "damaged"),
    "identity among the settings": (
        "settings.json",
        lambda content: json.dumps(json.loads(content) | {"id": 1}).encode(),
        "setting that is not known",
    ),
    "setting that is not allowed": (
        "settings.json",
        lambda content: json.dumps(json.loads(content) | {"pii_policy": "none at all"}).encode(),
        "settings are not valid",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_forged_rows_are_refused(furnished: Instance, name: str) -> None:
    file, change, message = CASES[name]
    files = _files(furnished)
    files[file] = change(files[file])
    assert message in _refused(_packed(files))


def test_a_changed_file_is_refused(furnished: Instance) -> None:
    files = _files(furnished)
    files[MEMORIES] = files[MEMORIES].replace(b"Quokka", b"Quakko")
    assert "SHA-256 differs" in _refused(_packed(files, describe=False))


def test_a_file_that_is_no_archive_is_refused() -> None:
    assert "no bundle" in _refused(io.BytesIO(b"not a zip"))


def test_an_archive_of_something_else_is_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("readme.txt", "Hello")
    assert "no manifest" in _refused(out)


@pytest.mark.parametrize("manifest", ["[]", "{}", '{"format": "keepsake-instance-2"}', "null"])
def test_a_manifest_of_something_else_is_refused(manifest: str) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("manifest.json", manifest)
    assert "later version" in _refused(out)


def test_unknown_files_are_refused(furnished: Instance) -> None:
    files = _files(furnished)
    files["data/instances.User.jsonl"] = b'{"username": "root", "is_superuser": true}\n'
    assert "not known here" in _refused(_packed(files))


def test_missing_files_are_refused(furnished: Instance) -> None:
    files = _files(furnished)
    del files[MEMORIES]
    assert "not those of its manifest" in _refused(_packed(files, describe=False))


def test_a_zip_bomb_is_refused_before_it_is_unpacked(
    furnished: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = _files(furnished)
    files[MEMORIES] = b" " * (reading.ALWAYS_ALLOWED_BYTES + 1)
    monkeypatch.setattr(reading, "parse", _only_the_manifest)
    assert "too tightly" in _refused(_packed(files))


def _only_the_manifest(content: bytes) -> Any:
    found = json.loads(content)
    assert "format" in found, "A file was unpacked."
    return found


def test_an_endless_line_is_refused(furnished: Instance, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_LINE_BYTES", 100)
    assert "too long" in _refused(_packed(_files(furnished)))


def test_a_wrong_passphrase_is_named(furnished: Instance) -> None:
    file = _packed(_files(furnished))
    assert "passphrase" in _refused(file, "another passphrase")


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.label)
def test_no_table_takes_a_row_of_another_instance(furnished: Instance, table: Any) -> None:
    if table.owner:
        pytest.skip("Its rows name no instance.")
    files = _files(furnished)
    files[table.file] = _first_row({"instance_id": furnished.pk + 1})(files[table.file])
    assert "of another instance" in _refused(_packed(files))
