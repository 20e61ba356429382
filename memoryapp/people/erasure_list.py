"""The list of erasures beside the backups, by which a restored backup forgets again.

A file of JSON lines, each with the keyed hashes of one person's ids: nothing that names anybody.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from instances.models import Instance
from memoryapp.models import Erasure

#: The name of the file in `settings.ERASURES_DIR`.
FILENAME = "erasures.jsonl"
#: The longest line that is read.
MAX_LINE_BYTES = 1_000_000


class BadList(ValueError):
    """The list cannot be read; the message says where."""


@dataclass(frozen=True)
class ListedErasure:
    """A line of the list."""

    uid: UUID
    instance_id: int
    slug: str
    hashes: tuple[str, ...]
    asked_at: datetime
    with_rules: bool


def path() -> Path:
    """Return where the list is."""
    return Path(settings.ERASURES_DIR) / FILENAME


def make() -> Path:
    """Make an empty list, so that there is one to copy before anybody is erased, and return where
    it is. Raises `OSError`.
    """
    os.close(_open(path()))
    return path()


def write(erasure: Erasure) -> None:
    """Add *erasure* to the list, on disk when this returns. Raises `OSError`."""
    line = json.dumps(
        {
            "erasure": str(erasure.uid),
            "instance": erasure.instance_id,
            "slug": erasure.instance.slug,
            "person": list(erasure.hashes),
            "asked_at": erasure.asked_at.isoformat(),
            "rules": erasure.with_rules,
        }
    )
    # One write of one line at the end: several processes may do so at once.
    descriptor = _open(path())
    try:
        os.write(descriptor, f"{line}\n".encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    erasure.listed_at = timezone.now()
    erasure.row().update(listed_at=erasure.listed_at)


def _open(file: Path) -> int:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)


def read(file: Path) -> Iterator[ListedErasure]:
    """Yield the erasures of a list, each once. Raises `BadList`, and `OSError`."""
    seen: set[UUID] = set()
    with file.open("rb") as lines:
        for number, line in enumerate(iter(lambda: lines.readline(MAX_LINE_BYTES), b""), 1):
            if not line.strip():
                continue
            try:
                fields = json.loads(line)
                listed = ListedErasure(
                    uid=UUID(fields["erasure"]),
                    instance_id=int(fields["instance"]),
                    slug=str(fields["slug"]),
                    hashes=tuple(map(str, fields["person"])),
                    asked_at=datetime.fromisoformat(fields["asked_at"]),
                    with_rules=bool(fields["rules"]),
                )
            except (ValueError, KeyError, TypeError) as error:
                raise BadList(f"Line {number} of {file} is not an erasure.") from error
            if listed.uid not in seen:
                seen.add(listed.uid)
                yield listed


def not_applied(file: Path) -> list[tuple[ListedErasure, Instance]]:
    """Return the listed erasures that this database does not know, since it is older, with their
    instances. Raises `BadList`, and `OSError`.
    """
    listed = list(read(file))
    known = set(
        Erasure.objects.filter(uid__in=[each.uid for each in listed]).values_list("uid", flat=True)
    )
    # By id and slug: another installation has other instances of the same id.
    instances = {(each.pk, each.slug): each for each in Instance.objects.all()}
    by_pk = {each.pk: each for each in instances.values()}
    found = []
    for each in listed:
        instance = instances.get((each.instance_id, each.slug)) or by_pk.get(each.instance_id)
        if each.uid not in known and instance is not None:
            found.append((each, instance))
    return found
