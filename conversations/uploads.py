"""Deletes what interrupted uploads have left: on the disk, and in the database."""

import time
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db.models import Exists, F, OuterRef
from django.db.models.functions import StrIndex
from django.utils import timezone

from conversations.models import Import, UploadPart

#: The age from which a file without an import counts as abandoned: a new one has none yet.
ABANDONED_AFTER_SECONDS = 3600


def delete_abandoned() -> int:
    """Delete the files of interrupted uploads; return how many."""
    return _delete_received() + _delete_stored()


def _delete_received() -> int:
    """Delete uploads that Django was receiving on this host."""
    before = time.time() - ABANDONED_AFTER_SECONDS
    deleted = 0
    for path in Path(settings.FILE_UPLOAD_TEMP_DIR).glob("*.upload*"):
        try:
            if path.stat().st_mtime < before:
                path.unlink()
                deleted += 1
        except FileNotFoundError:
            pass  # Another worker was faster, or the upload is now complete.
    return deleted


def _delete_stored() -> int:
    """Delete stored files that belong to no import."""
    # What is made from a file has its name, and a suffix.
    named = Import.objects.filter(instance=OuterRef("instance")).exclude(file="")
    named = named.annotate(place=StrIndex(OuterRef("name"), F("file"))).filter(place=1)
    before = timezone.now() - timedelta(seconds=ABANDONED_AFTER_SECONDS)
    abandoned = UploadPart.objects.filter(~Exists(named), number=0, written_at__lt=before)
    deleted = 0
    for instance, name in abandoned.values_list("instance", "name"):
        UploadPart.objects.filter(instance=instance, name=name).delete()
        deleted += 1
    return deleted
