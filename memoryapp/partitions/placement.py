"""In which partition the rows of an instance are."""

from django.db import connection

# `satisfies_hash_partition` is what PostgreSQL itself checks for a row.
_PARTITION = """
SELECT p.relname
FROM pg_inherits i
JOIN pg_class p ON p.oid = i.inhrelid
CROSS JOIN LATERAL (
    SELECT (regexp_match(pg_get_expr(p.relpartbound, p.oid), 'modulus (\\d+), remainder (\\d+)'))
        AS bound
) AS b
WHERE i.inhparent = to_regclass(%s)
    AND satisfies_hash_partition(i.inhparent, bound[1]::int, bound[2]::int, %s::bigint)
"""


def partition_of(table: str, instance_id: int) -> str:
    """Return the name of the partition of *table* that holds the rows of this instance; that of the
    table itself if it has no partitions.
    """
    with connection.cursor() as cursor:
        cursor.execute(_PARTITION, [table, instance_id])
        row = cursor.fetchone()
    return row[0] if row else table
