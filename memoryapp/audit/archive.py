"""The records of a period, or of an instance, as one file that anyone can check without Keepsake.

The archive (zip) has ``records.jsonl``, one record a line in the order of the chain, and
``manifest.json`` with the SHA-256 of that file, the digest before its first record, and the number
and digest of its last one. A record that the reader may not see is a line with its number and
digest only, so that the chain has no gap.
"""

import hashlib
import json
import zipfile
from collections.abc import Iterator
from datetime import datetime
from typing import IO, Any

from django.db.models import Max, Min
from django.utils import timezone

from instances.models import Instance, User
from memoryapp.audit.verification import CHUNK_SIZE, Link, Verification, check
from memoryapp.models import AuditRecord
from memoryapp.models.audit_records import BEGINNING

FORMAT = "keepsake-audit-1"
RECORDS, MANIFEST = "records.jsonl", "manifest.json"


class BadArchive(ValueError):
    """A file that is no archive of an audit log, or not a whole one."""


def write_archive(
    out: IO[bytes],
    since: datetime | None = None,
    until: datetime | None = None,
    *,
    reader: User | None = None,
    of_instance: Instance | None = None,
) -> dict[str, Any]:
    """Write the records from *since* until before *until* to *out*, and return the manifest. What
    *reader* may not see is withheld, and with *of_instance* what is of other instances and of the
    server; without either, nothing is.
    """
    span = AuditRecord.objects.chained()
    if since is not None:
        span = span.filter(at__gte=since)
    if until is not None:
        span = span.filter(at__lt=until)
    if of_instance is not None:
        span = span.filter(instance=of_instance)
    # By number, since a record may have been committed after a later one.
    first, last = span.aggregate(first=Min("number"), last=Max("number")).values()
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "made_at": timezone.now().isoformat(),
        "since": since and since.isoformat(),
        "until": until and until.isoformat(),
        "before": _digest_at((first or 1) - 1),
        "records": 0,
        "withheld": 0,
        "first": first,
        "last": last,
        "digest": _digest_at(last or 0) if last else None,
    }
    hashed = hashlib.sha256()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open(RECORDS, "w", force_zip64=True) as file:
            for line in _lines(first, last, reader, of_instance):
                manifest["records"] += 1
                manifest["withheld"] += "action" not in line
                data = (json.dumps(line, ensure_ascii=False) + "\n").encode()
                hashed.update(data)
                file.write(data)
        manifest["sha256"] = hashed.hexdigest()
        archive.writestr(MANIFEST, json.dumps(manifest, indent=2))
    return manifest


def _digest_at(number: int) -> str:
    found = AuditRecord.objects.filter(number=number).values_list("digest", flat=True).first()
    return found or BEGINNING


def _lines(
    first: int | None, last: int | None, reader: User | None, of_instance: Instance | None
) -> Iterator[dict[str, Any]]:
    if first is None or last is None:
        return
    rows = AuditRecord.objects.chained().filter(number__gte=first, number__lte=last)
    seen = None
    if reader is not None:
        seen = set(rows.filter(is_private=True).visible_to(reader).values_list("pk", flat=True))
    for row in rows.iterator(chunk_size=CHUNK_SIZE):
        is_other = of_instance is not None and row.instance_id != of_instance.pk
        if is_other or (seen is not None and row.is_private and row.pk not in seen):
            yield {"number": row.number, "digest": row.digest}
        else:
            yield {**row.content, "end_user": row.end_user, "digest": row.digest}


def verify_archive(file: IO[bytes]) -> Verification:
    """Check an archive for itself. Raises `BadArchive`."""
    try:
        with zipfile.ZipFile(file) as archive:
            manifest = json.loads(archive.read(MANIFEST))
            if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
                raise BadArchive("This is no archive of an audit log.")
            hashed = hashlib.sha256()
            with archive.open(RECORDS) as lines:
                links = _links(lines, hashed)
                result = check(links, after=(manifest["first"] or 1) - 1, before=manifest["before"])
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError) as error:
        if isinstance(error, BadArchive):
            raise
        raise BadArchive("This is no archive of an audit log, or it is damaged.") from error
    if hashed.hexdigest() != manifest["sha256"]:
        raise BadArchive("The records are not those of the manifest: their SHA-256 differs.")
    if manifest["last"] and (result.last, result.digest) != (manifest["last"], manifest["digest"]):
        raise BadArchive("The last record is not that of the manifest.")
    return result


def _links(lines: IO[bytes], hashed: Any) -> Iterator[Link]:
    for line in lines:
        hashed.update(line)
        record = json.loads(line)
        number, digest = record["number"], record.pop("digest")
        # Beside the record, not in what the digest covers.
        record.pop("end_user", None)
        yield Link(number, digest, record if "action" in record else None)
