"""Sends the records of the audit log on to a collector, in their order: syslog over TLS (RFC 5424
in the frames of RFC 5425), or HTTPS.

A record may arrive twice, when a worker ends between sending and noting it: its number tells. What
fails is tried again until it succeeds. The ids of end users stay here, since no erasure would reach
them there: records have their keyed hashes.
"""

import json
import logging
import time
from collections.abc import Sequence
from typing import Any
from urllib.parse import SplitResult, urlsplit

import httpcore2
import httpx2
from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from instances.outgoing.client import Client
from instances.outgoing.current_policy import allowed_addresses
from instances.outgoing.limits import Limits, OutgoingError
from instances.outgoing.transport import connect_tls
from instances.translatable import cleaned, shortened, translatable
from memoryapp.models import AuditForwarding, AuditRecord
from memoryapp.providers.errors import MAX_ERROR_CHARACTERS, why_unreachable
from memoryapp.providers.field_values import storable
from memoryapp.webhooks.signature import signed_headers

logger = logging.getLogger(__name__)

SCHEMES = ("https", "syslog+tls")
SYSLOG_PORT = 6514
#: Records of one request.
BATCH_SIZE = 500
#: Seconds for which one task sends, and after which its worker counts as hanging.
SECONDS = 20.0
MAX_SECONDS = 120.0
LIMITS = Limits(silence_seconds=10.0, total_seconds=30.0, max_bytes=64_000)
#: Facility 13, log audit; severity 6, informational.
PRIORITY = 13 * 8 + 6


class NotTaken(Exception):
    """The collector answered, and did not take the records."""


def forward() -> int:
    """Send what has been chained since, for a while; return how many records were sent."""
    if not settings.AUDIT_FORWARD_URL:
        return 0
    state = AuditForwarding.claim(MAX_SECONDS)
    if state is None:
        return 0
    url, sent, ends = urlsplit(settings.AUDIT_FORWARD_URL), 0, time.monotonic() + SECONDS
    try:
        while rows := list(_after(state.number)[:BATCH_SIZE]):
            _send(url, rows)
            state.note_sent(rows[-1].number or 0, at=timezone.now())
            sent += len(rows)
            if time.monotonic() >= ends:
                break
    except (httpx2.HTTPError, httpcore2.NetworkError, httpcore2.TimeoutException, OSError) as error:
        state.note_failure(_sentence(error, url), at=timezone.now())
        logger.warning("the audit log could not be forwarded: %s", type(error).__name__)
    except NotTaken as error:
        state.note_failure(error.args[0], at=timezone.now())
    finally:
        state.release()
    return sent


def waiting() -> int:
    """Return the number of chained records that have not been sent."""
    sent = AuditForwarding.objects.values_list("number", flat=True).first() or 0
    return _after(sent).count()


def _after(number: int) -> QuerySet[AuditRecord]:
    return AuditRecord.objects.chained().filter(number__gt=number)


def _send(url: SplitResult, rows: Sequence[AuditRecord]) -> None:
    lines = [{**row.content, "digest": row.digest} for row in rows]
    if url.scheme == "https":
        _post(url, lines)
    else:
        _write_syslog(url, lines)


def _post(url: SplitResult, lines: Sequence[dict[str, Any]]) -> None:
    body = json.dumps({"records": lines}, ensure_ascii=False).encode()
    headers = {"Content-Type": "application/json", "User-Agent": "Keepsake"}
    if secret := settings.AUDIT_FORWARD_SECRET:
        name = f"audit_{lines[0]['number']}_{lines[-1]['number']}"
        headers |= signed_headers([secret], name, int(time.time()), body)
    with Client() as client:
        request = client.build_request(
            "POST", url.geturl(), content=body, headers=headers, extensions={"limits": LIMITS}
        )
        response = client.send(request, stream=True)
        status = response.status_code
        response.close()
    if not 200 <= status < 300:
        raise NotTaken(
            translatable(
                "%(server)s answered with status %(status)s.", server=url.netloc, status=status
            )
        )


def _write_syslog(url: SplitResult, lines: Sequence[dict[str, Any]]) -> None:
    frames = []
    for line in lines:
        text = json.dumps(line, ensure_ascii=False)
        message = f"<{PRIORITY}>1 {line['at']} - keepsake - audit - {text}".encode()
        frames.append(b"%d %b" % (len(message), message))
    stream = connect_tls(
        allowed_addresses,
        url.hostname or "",
        url.port or SYSLOG_PORT,
        limits=LIMITS,
        ca_file=settings.AUDIT_FORWARD_CA or None,
    )
    try:
        stream.write(b"".join(frames))
    finally:
        stream.close()


def _sentence(error: BaseException, url: SplitResult) -> str:
    if isinstance(error, OutgoingError):
        text = error.at(url.netloc, scrub=storable)
    else:
        text = why_unreachable(error, url.netloc)
    return shortened(cleaned(text, storable), MAX_ERROR_CHARACTERS)
