"""Deletion of files that interrupted uploads have left behind."""

import os
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import TemporaryUploadedFile
from django.utils import timezone
from pytest_django import Settings

from conversations.models import Import, UploadPart
from conversations.uploads import ABANDONED_AFTER_SECONDS
from instances.models import Instance
from memoryapp.tasks import delete_abandoned_uploads

AGE = ABANDONED_AFTER_SECONDS + 60


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Path:
    """The folder of uploads that are on their way."""
    settings.FILE_UPLOAD_TEMP_DIR = tmp_path
    return tmp_path


def aged(path: Path) -> Path:
    path.touch()
    old = time.time() - AGE
    os.utime(path, (old, old))
    return path


@pytest.mark.usefixtures("db")
def test_abandoned_uploads_are_deleted_from_the_disk(folder: Path) -> None:
    with TemporaryUploadedFile("talk.jsonl", "text/plain", 5, None) as fresh:
        path = Path(fresh.temporary_file_path())
        abandoned = aged(folder / f"old-{path.name}")
        kept = [path, aged(folder / "of-somebody-else")]
        delete_abandoned_uploads()
        assert not abandoned.exists()
        assert all(each.exists() for each in kept)


@pytest.mark.usefixtures("folder")
def test_files_without_an_import_are_deleted_from_the_database(instance: Instance) -> None:
    def stored(name: str) -> str:
        return default_storage.save(f"{instance.pk}/{name}", ContentFile(b"{}"))

    file = Import.objects.create(
        instance=instance, filename="talk.jsonl", file=ContentFile(b"{}", name="talk.jsonl")
    ).file
    abandoned = stored("stored-but-not-committed")
    kept = [str(file.name), stored(f"{Path(str(file.name)).name}.preview")]
    UploadPart.objects.update(written_at=timezone.now() - timedelta(seconds=AGE))
    kept.append(stored("on-its-way"))
    delete_abandoned_uploads()
    assert not default_storage.exists(abandoned)
    assert all(map(default_storage.exists, kept))


@pytest.mark.usefixtures("db")
def test_cleanup_without_an_upload_folder(settings: Settings, tmp_path: Path) -> None:
    settings.FILE_UPLOAD_TEMP_DIR = tmp_path / "none"
    delete_abandoned_uploads()
