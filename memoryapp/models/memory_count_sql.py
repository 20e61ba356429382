"""The SQL of `memory_counts`: triggers that keep the counts and marks, and what puts them right.

What is counted of a memory is said once, for the triggers and for counting anew. PostgreSQL keeps
the plan of a trigger's first call, so no plan may be slow for a few rows or for many: what an
update has changed is found by grouping, not by joining the rows before it with those after it, and
other tables are looked up row by row: a NOT EXISTS would become a join.
"""

# ruff: noqa: S608 - All names are of this module.

import re

from memoryapp.models.memory_choices import NO_VERSION
from memoryapp.models.transition_tables import function

#: What tells the counts of an instance apart, and the types of these columns.
_TYPES = {
    "kind": "text",
    "value": "text",
    "category": "text",
    "origin": "text",
    "importance": "smallint",
    "recalled": "boolean",
    "stale": "boolean",
}
KEY = tuple(_TYPES)
_COLUMNS = ", ".join(("instance_id", *KEY))
#: The rows of `MemoryRevisionQuerySet.versions`.
_IS_VERSION = "r.reason NOT IN ({})".format(", ".join(f"'{reason}'" for reason in NO_VERSION))


def _own(rows: str, number: int) -> str:
    """The counts that each of *rows*, memories, is in, apart from those by other tables."""
    return f"""
    SELECT m.instance_id, c.kind, c.value, m.category, c.origin, c.importance, c.recalled, c.stale,
        {number}
    FROM {rows} AS m CROSS JOIN LATERAL (
        SELECT 'all', '', m.origin, m.importance, m.recalled, m.stale_since IS NOT NULL
        UNION ALL SELECT 'person', m.end_user, '', 0, false, false WHERE m.end_user <> ''
        UNION ALL SELECT DISTINCT 'tag', tag, '', 0, false, false FROM unnest(m.tags) AS tag
        UNION ALL SELECT DISTINCT 'label', label, '', 0, false, false
            FROM unnest(m.labels) AS label
        UNION ALL SELECT 'end', to_char(m.valid_until, 'YYYY-MM-DD'), '', 0, false, false
            WHERE m.valid_until IS NOT NULL
    ) AS c (kind, value, origin, importance, recalled, stale)
    """


def _other(rows: str, kind: str, value: str, number: int | str) -> str:
    """One count of a *kind* that each of *rows* is in; they have `instance_id` and `category`."""
    return f"""
    SELECT instance_id, '{kind}', {value}, category, '', 0, false, false, {number} FROM {rows}
    """


def _marks(rows: str, instance: str = "mine") -> str:
    """The marks of *rows*, memories of one *instance*, which may have a `number`."""
    return f"""(
        SELECT m.*, k.kind FROM {rows} AS m CROSS JOIN LATERAL (
            SELECT k.kind FROM memoryapp_memorymark AS k WHERE k.instance_id = {instance}
                AND k.memory_id = m.id AND k.kind IN ('no_vector', 'changed') OFFSET 0
        ) AS k
    ) AS marked"""


def _vectors(rows: str, instance: str = "mine") -> str:
    """The vectors of *rows*, memories of one *instance*, which may have a `number`."""
    return f"""(
        SELECT m.*, v.space_id FROM {rows} AS m CROSS JOIN LATERAL (
            SELECT v.space_id FROM memoryapp_memoryembedding AS v
            WHERE v.instance_id = {instance} AND v.memory_id = m.id OFFSET 0
        ) AS v
    ) AS embedded"""


def _memories(rows: str) -> str:
    """*rows*, which have a `memory_id`, with the columns of those memories that still exist."""
    return f"""(
        SELECT r.*, m.category, m.created_at FROM {rows} AS r CROSS JOIN LATERAL (
            SELECT m.category, m.created_at FROM memoryapp_memory AS m
            WHERE m.instance_id = mine AND m.id = r.memory_id OFFSET 0
        ) AS m
    ) AS of_memories"""


def _add(*changes: str) -> str:
    """Add what *changes* amount to."""
    return f"""
    INSERT INTO memoryapp_memorycount ({_COLUMNS}, number, folded)
    SELECT {_COLUMNS}, sum(number), false
    FROM ({" UNION ALL ".join(changes)}) AS change ({_COLUMNS}, number)
    GROUP BY {_COLUMNS} HAVING sum(number) <> 0
    """


def _fold(counts: str, instance: str) -> str:
    """Replace the rows of *counts*, of one *instance*, by their sums. Whatever happens at the same
    time: the sums are of those rows that this statement deletes.
    """
    return f"""
    WITH chosen AS MATERIALIZED ({counts}), deleted AS (
        DELETE FROM memoryapp_memorycount AS c USING chosen
        WHERE c.instance_id = {instance} AND c.kind = chosen.kind AND c.value = chosen.value
        RETURNING c.*
    )
    INSERT INTO memoryapp_memorycount ({_COLUMNS}, number, folded)
    SELECT {_COLUMNS}, sum(number), true FROM deleted GROUP BY {_COLUMNS} HAVING sum(number) <> 0
    """


#: An array for each column of the counts that are changed by the rows of a statement themselves.
_GATHERED = ", ".join(f"{name}_of" for name in (*KEY, "number"))


def _gather_own(*changes: str) -> str:
    """Gather what *changes* by `_own` amount to, which is for a transition table alone to say."""
    arrays = ", ".join(f"array_agg({name})" for name in (*KEY, "number"))
    return f"""
    SELECT {arrays} INTO {_GATHERED} FROM (
        SELECT {", ".join(KEY)}, sum(number) AS number
        FROM ({" UNION ALL ".join(changes)}) AS change ({_COLUMNS}, number)
        GROUP BY {", ".join(KEY)} HAVING sum(number) <> 0
    ) AS own
    """


#: What `_gather_own` has gathered, as one of the changes for `_add`.
_OWN = f"SELECT mine, own.* FROM unnest({_GATHERED}) AS own"
#: Forget persons, tags and labels that the last of the memories had which `_gather_own` has taken
#: out.
_FORGET_NAMES = _fold(
    """
    SELECT c.kind, c.value FROM unnest(kind_of, value_of, number_of) AS own (kind, value, number)
    CROSS JOIN LATERAL (
        SELECT c.* FROM memoryapp_memorycount AS c
        WHERE c.instance_id = mine AND c.kind = own.kind AND c.value = own.value OFFSET 0
    ) AS c
    WHERE own.kind IN ('person', 'tag', 'label') AND own.number < 0
    GROUP BY c.kind, c.value HAVING sum(c.number) = 0
    """,
    "mine",
)


#: The instance as a parameter. Each table is told it: so one shard is read.
_GIVEN = "%(instance)s"
FOLD = _fold(
    f"""
    SELECT DISTINCT kind, value FROM memoryapp_memorycount
    WHERE instance_id = {_GIVEN} AND NOT folded
    """,
    _GIVEN,
)
#: Whatever changes a count writes to this table, and waits for the lock.
LOCK = "LOCK TABLE memoryapp_memorycount IN SHARE ROW EXCLUSIVE MODE"
_TO_MARK = f"""(
    SELECT m.instance_id, 'no_vector' AS kind, m.id AS memory_id, m.created_at
    FROM memoryapp_memory AS m WHERE m.instance_id = {_GIVEN} AND NOT EXISTS (
        SELECT FROM memoryapp_memoryembedding AS v
        WHERE v.instance_id = {_GIVEN} AND v.memory_id = m.id
    )
    UNION ALL
    SELECT m.instance_id, 'changed', m.id, m.created_at FROM memoryapp_memory AS m
    WHERE m.instance_id = {_GIVEN} AND EXISTS (
        SELECT FROM memoryapp_memoryrevision AS r
        WHERE r.instance_id = {_GIVEN} AND r.memory_id = m.id AND {_IS_VERSION}
    )
) AS t"""
UNMARK = f"""
DELETE FROM memoryapp_memorymark AS k WHERE k.instance_id = {_GIVEN} AND NOT EXISTS (
    SELECT FROM {_TO_MARK}
    WHERE k.kind = t.kind AND k.memory_id = t.memory_id AND k.created_at = t.created_at
)
"""
MARK = f"""
INSERT INTO memoryapp_memorymark (instance_id, kind, memory_id, created_at)
SELECT t.instance_id, t.kind, t.memory_id, t.created_at FROM {_TO_MARK}
ON CONFLICT DO NOTHING RETURNING memory_id
"""
FORGET = f"DELETE FROM memoryapp_memorycount WHERE instance_id = {_GIVEN}"
_OF_INSTANCE = f"(SELECT * FROM memoryapp_memory WHERE instance_id = {_GIVEN})"
RECOUNT = _add(
    _own(_OF_INSTANCE, 1),
    _other(_marks(_OF_INSTANCE, _GIVEN), "mark", "kind", 1),
    _other(_vectors(_OF_INSTANCE, _GIVEN), "vector", "space_id::text", 1),
)

_ARRIVED, _GONE_ROWS, _WAS, _BECAME = (
    f"(SELECT * FROM {rows} WHERE instance_id = mine)"
    for rows in ("arrived", "gone", "was", "became")
)
#: Memories with their category, and with by how much it is to be counted.
_GATHERED_MEMORIES = """(
    SELECT mine AS instance_id, m.* FROM unnest(ids, categories) AS m (id, category)
)"""
#: Vectors, by their memory and space.
_GATHERED_VECTORS = """(
    SELECT mine AS instance_id, v.* FROM unnest(ids, spaces) AS v (memory_id, space_id)
)"""
_NEW = f"""
    {_gather_own(_own(_ARRIVED, 1), _other(_ARRIVED, "mark", "'no_vector'", 1))};
    SELECT array_agg(id), array_agg(created_at) INTO ids, moments FROM {_ARRIVED} AS m;
    INSERT INTO memoryapp_memorymark (instance_id, kind, memory_id, created_at)
    SELECT mine, 'no_vector', m.* FROM unnest(ids, moments) AS m;
    {_add(_OWN)}
"""
#: `moved` has each memory whose category has changed twice. Most changes are in no count.
_CHANGED = f"""
    SELECT array_agg(id), array_agg(created_at) INTO ids, moments FROM (
        SELECT id, created_at FROM {_BECAME} AS m EXCEPT SELECT id, created_at FROM {_WAS} AS m
    ) AS m;
    IF ids IS NOT NULL THEN
        UPDATE memoryapp_memorymark AS k SET created_at = m.created_at
        FROM unnest(ids, moments) AS m (id, created_at)
        WHERE k.instance_id = mine AND k.memory_id = m.id AND k.kind IN ('no_vector', 'changed');
    END IF;
    SELECT array_agg(id), array_agg(category), array_agg(number) INTO ids, categories, numbers
    FROM (
        SELECT id, category, sum(number) AS number FROM (
            SELECT id, category, -1 AS number FROM {_WAS} AS m
            UNION ALL SELECT id, category, 1 FROM {_BECAME} AS m
        ) AS both_times
        GROUP BY id, category HAVING sum(number) <> 0
    ) AS moved;
    {_gather_own(_own(_WAS, -1), _own(_BECAME, 1))};
    IF kind_of IS NOT NULL OR ids IS NOT NULL THEN
        WITH moved AS MATERIALIZED (
            SELECT mine AS instance_id, m.*
            FROM unnest(ids, categories, numbers) AS m (id, category, number)
        )
        {
    _add(
        _OWN,
        _other(_marks("moved"), "mark", "kind", "number"),
        _other(_vectors("moved"), "vector", "space_id::text", "number"),
    )
};
        {_FORGET_NAMES};
    END IF
"""
#: Its vectors may go before it or after it.
_GONE = f"""
    {_gather_own(_own(_GONE_ROWS, -1))};
    SELECT array_agg(id), array_agg(category) INTO ids, categories FROM {_GONE_ROWS} AS m;
    WITH unmarked AS (
        DELETE FROM memoryapp_memorymark AS k USING unnest(ids, categories) AS m (id, category)
        WHERE k.instance_id = mine AND k.memory_id = m.id
            AND k.kind IN ('no_vector', 'changed')
        RETURNING k.instance_id, k.kind, m.category
    )
    {
    _add(
        _OWN,
        _other("unmarked", "mark", "kind", -1),
        _other(_vectors(_GATHERED_MEMORIES), "vector", "space_id::text", -1),
    )
};
    {_FORGET_NAMES}
"""
_EMBEDDED = f"""
    SELECT array_agg(memory_id), array_agg(space_id) INTO ids, spaces FROM {_ARRIVED} AS v;
    WITH filled AS MATERIALIZED (SELECT * FROM {_memories(_GATHERED_VECTORS)}), unmarked AS (
        DELETE FROM memoryapp_memorymark AS k
        WHERE k.instance_id = mine AND k.kind = 'no_vector' AND k.memory_id = ANY(ids)
        RETURNING k.instance_id, k.memory_id
    )
    {
    _add(
        _other("filled", "vector", "space_id::text", 1),
        _other(_memories("unmarked"), "mark", "'no_vector'", -1),
    )
}
"""
_NOT_EMBEDDED = f"""
    SELECT array_agg(memory_id), array_agg(space_id) INTO ids, spaces FROM {_GONE_ROWS} AS v;
    WITH emptied AS MATERIALIZED (SELECT * FROM {_memories(_GATHERED_VECTORS)}), marked AS (
        INSERT INTO memoryapp_memorymark (instance_id, kind, memory_id, created_at)
        SELECT DISTINCT e.instance_id, 'no_vector', e.memory_id, e.created_at FROM emptied AS e
        WHERE (
            SELECT true FROM memoryapp_memoryembedding AS v
            WHERE v.instance_id = mine AND v.memory_id = e.memory_id LIMIT 1
        ) IS NULL
        ON CONFLICT DO NOTHING RETURNING instance_id, memory_id
    )
    {
    _add(
        _other("emptied", "vector", "space_id::text", -1),
        _other(_memories("marked"), "mark", "'no_vector'", 1),
    )
}
"""


def _versions(memories: str) -> str:
    """Mark those of *memories*, a query for their ids, that have versions, and no others."""
    return f"""
    ids := ARRAY({memories});
    WITH known AS MATERIALIZED (
        SELECT m.* FROM unnest(ids) AS touched (memory_id) CROSS JOIN LATERAL (
            SELECT m.instance_id, m.id, m.created_at, (
                SELECT true FROM memoryapp_memoryrevision AS r
                WHERE r.instance_id = mine AND r.memory_id = m.id AND {_IS_VERSION} LIMIT 1
            ) IS TRUE AS has_version
            FROM memoryapp_memory AS m
            WHERE m.instance_id = mine AND m.id = touched.memory_id OFFSET 0
        ) AS m
    ), marked AS (
        INSERT INTO memoryapp_memorymark (instance_id, kind, memory_id, created_at)
        SELECT instance_id, 'changed', id, created_at FROM known WHERE has_version
        ON CONFLICT DO NOTHING RETURNING instance_id, memory_id
    ), unmarked AS (
        DELETE FROM memoryapp_memorymark AS k USING known
        WHERE k.instance_id = mine AND k.kind = 'changed' AND k.memory_id = known.id
            AND NOT has_version
        RETURNING k.instance_id, k.memory_id
    )
    {
        _add(
            _other(_memories("marked"), "mark", "'changed'", 1),
            _other(_memories("unmarked"), "mark", "'changed'", -1),
        )
    }
    """


_BEFORE, _AFTER = "OLD TABLE AS", "NEW TABLE AS"
_MEMORY, _VECTOR = "memoryapp_memory", "memoryapp_memoryembedding"
_REVISION = "memoryapp_memoryrevision"
#: By name: when, the rows it is given, and what it does.
_TRIGGERS = {
    "count_new": (f"INSERT ON {_MEMORY}", f"{_AFTER} arrived", _NEW),
    "count_changed": (f"UPDATE ON {_MEMORY}", f"{_BEFORE} was {_AFTER} became", _CHANGED),
    "count_gone": (f"DELETE ON {_MEMORY}", f"{_BEFORE} gone", _GONE),
    "count_embedded": (f"INSERT ON {_VECTOR}", f"{_AFTER} arrived", _EMBEDDED),
    "count_not_embedded": (f"DELETE ON {_VECTOR}", f"{_BEFORE} gone", _NOT_EMBEDDED),
    "count_version": (
        f"INSERT ON {_REVISION}",
        f"{_AFTER} arrived",
        _versions(f"SELECT DISTINCT memory_id FROM {_ARRIVED} AS r"),
    ),
    "count_other_version": (
        f"UPDATE ON {_REVISION}",
        f"{_BEFORE} was {_AFTER} became",
        _versions(f"SELECT memory_id FROM {_WAS} AS r UNION SELECT memory_id FROM {_BECAME} AS r"),
    ),
    "count_no_version": (
        f"DELETE ON {_REVISION}",
        f"{_BEFORE} gone",
        _versions(f"SELECT DISTINCT memory_id FROM {_GONE_ROWS} AS r"),
    ),
}


_VARIABLES = "".join(
    f"{name} {type_}[]; "
    for name, type_ in {
        **{f"{name}_of": type_ for name, type_ in _TYPES.items()},
        "number_of": "bigint",
        "ids": "bigint",
        "categories": "text",
        "numbers": "bigint",
        "spaces": "bigint",
        "moments": "timestamptz",
    }.items()
)


def _create(name: str) -> str:
    event, rows, body = _TRIGGERS[name]
    tables = re.findall(r"TABLE AS (\w+)", rows)
    return f"""
{function(f"keepsake_{name}", tables, f"{body};", variables=_VARIABLES)}
CREATE TRIGGER {name} AFTER {event} REFERENCING {rows}
    FOR EACH STATEMENT EXECUTE FUNCTION keepsake_{name}();
"""


CREATE_COUNT_TRIGGERS = "".join(map(_create, _TRIGGERS))
DROP_COUNT_TRIGGERS = "".join(f"DROP FUNCTION keepsake_{name} CASCADE;" for name in _TRIGGERS)
