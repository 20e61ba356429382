"""Deletion of files that interrupted uploads have left behind."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import TemporaryUploadedFile
from pytest_django import Settings

from conversations.models import Import
from conversations.uploads import ABANDONED_AFTER_SECONDS
from instances.models import Instance
from memoryapp.tasks import delete_abandoned_uploads


@pytest.fixture
def age_file(tmp_path: Path, settings: Settings) -> Callable[[Path], Path]:
    """Give a file the age of an abandoned one."""
    settings.MEDIA_ROOT = settings.FILE_UPLOAD_TEMP_DIR = tmp_path

    def age(path: Path) -> Path:
        path.parent.mkdir(exist_ok=True)
        path.touch()
        old = time.time() - ABANDONED_AFTER_SECONDS - 60
        os.utime(path, (old, old))
        return path

    return age


def test_abandoned_uploads_are_deleted(
    instance: Instance, age_file: Callable[[Path], Path], tmp_path: Path
) -> None:
    with TemporaryUploadedFile("talk.jsonl", "text/plain", 5, None) as fresh:
        name = Path(fresh.temporary_file_path()).name
        abandoned = [
            age_file(tmp_path / f"old-{name}"),
            age_file(tmp_path / "imports" / "stored-but-not-committed.jsonl"),
        ]
        import_ = Import.objects.create(
            instance=instance, filename="talk.jsonl", file=ContentFile(b"{}", name="talk.jsonl")
        )
        kept = [
            Path(fresh.temporary_file_path()),
            age_file(Path(import_.file.path)),
            age_file(tmp_path / "of-somebody-else"),
        ]
        new = tmp_path / "imports" / "on-its-way.jsonl"
        new.touch()
        delete_abandoned_uploads()
        assert not [path for path in abandoned if path.exists()]
        assert all(path.exists() for path in [*kept, new])


def test_cleanup_without_an_upload_folder(db: None, age_file: Callable[[Path], Path]) -> None:
    delete_abandoned_uploads()
