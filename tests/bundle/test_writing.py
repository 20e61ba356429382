"""A bundle as it is written: which tables, which rows, and no secrets without a passphrase."""

import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command

from instances import secrets
from instances.models import Instance, User
from memoryapp.audit.archive import verify_archive
from memoryapp.bundle.sealing import WrongPassphrase, unseal
from memoryapp.bundle.tables import LEFT_OUT, OF_THE_SERVER, TABLES
from memoryapp.bundle.writing import bundle_of
from tests.bundle.furnishing import PASSPHRASE, furnish, rows_of


def _opened(instance: Instance, passphrase: str = "") -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(b"".join(bundle_of(instance, passphrase=passphrase))))


def _manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(archive.read("manifest.json"))
    return found


def test_every_table_has_a_place_in_the_bundle_or_a_reason_not_to_have_one() -> None:
    tables = {
        model._meta.label
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model.__module__.startswith("tests.")
    }
    bundled = [table.label for table in TABLES]
    known = {"instances.Instance", *bundled, *LEFT_OUT, *OF_THE_SERVER}
    assert tables == known, "Give the new table its place in memoryapp/bundle/tables.py."
    assert len(known) == 1 + len(bundled) + len(LEFT_OUT) + len(OF_THE_SERVER)


def test_each_row_is_one_line(furnished: Instance) -> None:
    archive = _opened(furnished, PASSPHRASE)
    for table in TABLES:
        written = [json.loads(line) for line in archive.open(table.file)]
        assert len(written) == len(rows_of(table, furnished)) > 0, table.label


def test_manifest_tells_what_is_in_it(furnished: Instance) -> None:
    archive = _opened(furnished)
    manifest = _manifest(archive)
    assert manifest["instance"]["slug"] == furnished.slug
    assert {*manifest["files"], "manifest.json"} == {*archive.namelist()}
    for name, described in manifest["files"].items():
        content = archive.read(name)
        assert described["bytes"] == len(content)
        assert described["sha256"] == hashlib.sha256(content).hexdigest()
    assert manifest["left_out"]["instances.Secret"] == "only with a passphrase"
    assert {*LEFT_OUT} < {*manifest["left_out"]}


def test_without_a_passphrase_no_secret_is_in_it(furnished: Instance) -> None:
    archive = _opened(furnished)
    text = b"".join(archive.read(name) for name in archive.namelist())
    webhook, key = furnished.webhooks.get(), furnished.api_keys.first()
    assert key is not None
    assert "secrets.json" not in archive.namelist()
    for secret in (webhook.token, secrets.decrypt(webhook.token), key.digest, "sk-quokka"):
        assert secret.encode() not in text


def test_secrets_are_read_with_the_passphrase_only(furnished: Instance) -> None:
    archive = _opened(furnished, PASSPHRASE)
    sealed = archive.read("secrets.json")
    assert b"sk-quokka" not in sealed
    assert "sk-quokka" in json.dumps(unseal(sealed, PASSPHRASE)["instances.Secret"])
    with pytest.raises(WrongPassphrase):
        unseal(sealed, "another passphrase")


def test_rows_of_another_instance_are_not_in_it(furnished: Instance, alice: User) -> None:
    other = Instance.objects.create(slug="other", name="Other")
    furnish(other, alice, end_user="charlie@example.org")
    archive = _opened(furnished)
    assert all(b"charlie@example" not in archive.read(name) for name in archive.namelist())


def test_audit_log_is_an_archive_that_verifies_with_others_withheld(
    furnished: Instance, alice: User
) -> None:
    other = Instance.objects.create(slug="other", name="Other")
    furnish(other, alice, end_user="charlie@example.org")
    file = io.BytesIO(_opened(furnished).read("audit.zip"))
    assert verify_archive(file).is_whole
    with zipfile.ZipFile(file) as audit:
        records = [json.loads(line) for line in audit.open("records.jsonl")]
    told = [record for record in records if "action" in record]
    assert told
    assert {record["instance_id"] for record in told} == {furnished.pk}


def test_command_writes_a_file_for_its_owner_only(
    furnished: Instance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "desk.zip"
    monkeypatch.setenv("BUNDLE_PASSPHRASE", PASSPHRASE)
    call_command("export_instance", furnished.slug, str(file))
    assert file.stat().st_mode & 0o777 == 0o600
    with zipfile.ZipFile(file) as archive:
        assert "secrets.json" in archive.namelist()
    with pytest.raises(CommandError, match="exists"):
        call_command("export_instance", furnished.slug, str(file))


def test_command_refuses_a_short_passphrase(
    furnished: Instance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BUNDLE_PASSPHRASE", "short")
    with pytest.raises(CommandError, match="12 characters"):
        call_command("export_instance", furnished.slug, str(tmp_path / "desk.zip"))
    assert not (tmp_path / "desk.zip").exists()
