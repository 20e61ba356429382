"""Deletes files that interrupted uploads have left on the disk."""

import time
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from conversations.models import Import

#: The age from which a file without an import counts as abandoned: a new one has none yet.
ABANDONED_AFTER_SECONDS = 3600


def delete_abandoned() -> int:
    """Delete files of interrupted uploads, which belong to no import; return how many."""
    named = set(Import.objects.exclude(file="").values_list("file", flat=True))
    before = time.time() - ABANDONED_AFTER_SECONDS
    deleted = 0
    for path in _files():
        if str(path.relative_to(settings.MEDIA_ROOT)) in named:
            continue
        try:
            if path.stat().st_mtime < before:
                path.unlink()
                deleted += 1
        except FileNotFoundError:
            pass  # Another worker was faster, or the upload is now complete.
    return deleted


def _files() -> Iterator[Path]:
    """Yield uploads that Django is receiving, and files of imports."""
    root = Path(settings.MEDIA_ROOT)
    yield from root.glob("*.upload*")
    yield from (path for path in (root / "imports").glob("**/*") if path.is_file())
