"""In which partition the rows of an instance are, if the tables of content are partitioned, and
whether Citus divides them among servers.

Nearly all statements leave that to PostgreSQL, which finds it by the ``instance_id`` in them. It is
for those that must name the partition, or cannot do without that condition on Citus.
"""

from django.db import connection

#: From PostgreSQL's ``partbounds.c`` and ``hashfn.h``: constants of the hash that divides rows. It
#: may never change there, since rows would be looked for in the wrong place.
_SEED, _COMBINE = 0x7A5B22367996DCFD, 0x49A0F4DD15E5A8E3
_START = (0x9E3779B9 + 4 + 3_923_095) & 0xFFFFFFFF
_BITS_32, _BITS_64 = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF


#: What `partitions` has found; None before.
_known: int | None = None
#: What `is_divided` has found; None before.
_divided: bool | None = None


def partitions() -> int:
    """The number of partitions of each table of content; 0 if they have none. The database is asked
    once in a process: nothing else runs while the tables are moved.
    """
    global _known
    if _known is None:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_inherits"
                " WHERE inhparent = to_regclass('conversations_message')"
            )
            _known = int(cursor.fetchone()[0])
    return _known


def is_divided() -> bool:
    """True if Citus divides the tables of content among its workers. The database is asked once in
    a process.
    """
    global _divided
    if _divided is None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT FROM pg_extension WHERE extname = 'citus'")
            _divided = cursor.rowcount > 0
            if _divided:
                cursor.execute("SELECT FROM pg_dist_partition WHERE partmethod = 'h' LIMIT 1")
                _divided = cursor.rowcount > 0
    return _divided


def forget() -> None:
    """Ask the database again: the tables have been moved."""
    global _known, _divided
    _known = _divided = None


def partition_of(table: str, instance_id: int) -> str:
    """Return the name of the partition of *table* that holds the rows of this instance; that of the
    table itself if it has none.
    """
    number = partitions()
    if not number:
        return table
    return partition_name(table, number, remainder(instance_id, number))


def partition_name(table: str, partitions: int, number: int) -> str:
    """The name of the partition with this *number*, from 0 on, of so many."""
    return f"{table}_{number}_of_{partitions}"


def remainder(value: int, partitions: int) -> int:
    """Return the number of the partition for a ``bigint``, as PostgreSQL computes it: Jenkins' hash
    (``hashint8extended``), combined as for a key of one column (``hash_combine64``).
    """
    low, high = value & _BITS_32, (value >> 32) & _BITS_32
    low ^= high if value >= 0 else ~high & _BITS_32
    return ((_hash(low) + _COMBINE) & _BITS_64) % partitions


def _hash(word: int) -> int:
    """``hash_bytes_uint32_extended``, with the seed of partitions."""
    a = b = c = _START
    a, b = (a + (_SEED >> 32)) & _BITS_32, (b + _SEED) & _BITS_32
    for x, y, z in ((4, 6, 8), (16, 19, 4)):
        a, c = ((a - c) & _BITS_32) ^ _rotated(c, x), (c + b) & _BITS_32
        b, a = ((b - a) & _BITS_32) ^ _rotated(a, y), (a + c) & _BITS_32
        c, b = ((c - b) & _BITS_32) ^ _rotated(b, z), (b + a) & _BITS_32
    a = (a + word) & _BITS_32
    c = ((c ^ b) - _rotated(b, 14)) & _BITS_32
    a = ((a ^ c) - _rotated(c, 11)) & _BITS_32
    b = ((b ^ a) - _rotated(a, 25)) & _BITS_32
    c = ((c ^ b) - _rotated(b, 16)) & _BITS_32
    a = ((a ^ c) - _rotated(c, 4)) & _BITS_32
    b = ((b ^ a) - _rotated(a, 14)) & _BITS_32
    c = ((c ^ b) - _rotated(b, 24)) & _BITS_32
    return b << 32 | c


def _rotated(word: int, bits: int) -> int:
    return (word << bits | word >> (32 - bits)) & _BITS_32
