"""Gives the records of the audit log their numbers and digests, one after the other.

Writers never wait for it, nor for each other: it takes only records that are committed, under a
lock of its own, so each gets one number and no number is left out. A record is protected from then
on, not from when it is written.
"""

from django.db import connection, transaction

from memoryapp.models import AuditRecord
from memoryapp.models.audit_records import BEGINNING, digest_of
from memoryapp.runs.locks import try_lock

#: Records that are chained in one transaction.
BATCH_SIZE = 1_000

# All records of a batch in one statement.
_SET = """
UPDATE memoryapp_auditrecord AS r SET number = c.number, digest = c.digest
FROM unnest(%(ids)s::bigint[], %(numbers)s::bigint[], %(digests)s::text[])
    AS c (id, number, digest)
WHERE r.id = c.id
"""


def chain() -> int:
    """Chain all records that wait for it; return how many there were. Does nothing if another
    process is at it.
    """
    total = 0
    while chained := _chain_batch():
        total += chained
        if chained < BATCH_SIZE:
            break
    return total


def _chain_batch() -> int:
    with transaction.atomic():
        if not try_lock("audit chain"):
            return 0
        rows = list(AuditRecord.objects.unchained()[:BATCH_SIZE])
        last = AuditRecord.objects.chained().reverse().values_list("number", "digest").first()
        latest, before = last or (0, BEGINNING)
        for number, row in enumerate(rows, (latest or 0) + 1):
            row.number = number
            row.digest = before = digest_of(row.content, before)
        with connection.cursor() as cursor:
            cursor.execute(
                _SET,
                {
                    "ids": [row.pk for row in rows],
                    "numbers": [row.number for row in rows],
                    "digests": [row.digest for row in rows],
                },
            )
    return len(rows)
