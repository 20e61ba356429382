"""The SQL of `memory_counts`: triggers that keep the counts and marks, and what puts them right.

What is counted of a memory is said once, for the triggers and for counting anew. PostgreSQL keeps
the plan of a trigger's first call, so no plan may be slow for a few rows or for many: what an
update has changed is found by grouping, not by joining the rows before it with those after it, and
other tables are looked up row by row: a NOT EXISTS would become a join.
"""

# ruff: noqa: S608 - All names are of this module.

import re

from memoryapp.models.memory_choices import NO_VERSION

KEY = ("kind", "value", "category", "origin", "importance", "recalled", "stale")
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


def _marks(rows: str) -> str:
    """The marks of *rows*, memories, which may have a `number`."""
    return f"""(
        SELECT m.*, k.kind FROM {rows} AS m CROSS JOIN LATERAL (
            SELECT k.kind FROM memoryapp_memorymark AS k WHERE k.instance_id = m.instance_id
                AND k.memory_id = m.id AND k.kind IN ('no_vector', 'changed') OFFSET 0
        ) AS k
    ) AS marked"""


def _vectors(rows: str) -> str:
    """The vectors of *rows*, memories, which may have a `number`."""
    return f"""(
        SELECT m.*, v.space_id FROM {rows} AS m CROSS JOIN LATERAL (
            SELECT v.space_id FROM memoryapp_memoryembedding AS v
            WHERE v.instance_id = m.instance_id AND v.memory_id = m.id OFFSET 0
        ) AS v
    ) AS embedded"""


def _memories(rows: str) -> str:
    """*rows*, which have a `memory_id`, with the columns of those memories that still exist."""
    return f"""(
        SELECT r.*, m.category, m.created_at FROM {rows} AS r CROSS JOIN LATERAL (
            SELECT m.category, m.created_at FROM memoryapp_memory AS m
            WHERE m.instance_id = r.instance_id AND m.id = r.memory_id OFFSET 0
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


def _forget_names(before: str, after: str = "") -> str:
    """Forget persons, tags and labels that the last of the memories *before* had and the ones
    *after* do not have.
    """
    kept = f"({_own(after, 1)}) AS a ({_COLUMNS}, number)" if after else ""
    no_longer = f"EXCEPT SELECT kind, value FROM {kept}" if after else ""
    named = f"""
        SELECT c.kind, c.value FROM (
            SELECT DISTINCT kind, value
            FROM ({_own(before, -1)}) AS b ({_COLUMNS}, number)
            {no_longer}
        ) AS named CROSS JOIN LATERAL (
            SELECT c.* FROM memoryapp_memorycount AS c
            WHERE c.instance_id = mine AND c.kind = named.kind AND c.value = named.value OFFSET 0
        ) AS c
        WHERE named.kind IN ('person', 'tag', 'label')
        GROUP BY c.kind, c.value HAVING sum(c.number) = 0
    """
    return _fold(named, "mine")


FOLD = _fold(
    "SELECT DISTINCT kind, value FROM memoryapp_memorycount WHERE instance_id = %s AND NOT folded",
    "%s",
)
#: Whatever changes a count writes to this table, and waits for the lock.
LOCK = "LOCK TABLE memoryapp_memorycount IN SHARE ROW EXCLUSIVE MODE"
_SAME_MARK = "k.instance_id = t.instance_id AND k.kind = t.kind AND k.memory_id = t.memory_id"
_TO_MARK = f"""(
    SELECT m.instance_id, 'no_vector' AS kind, m.id AS memory_id, m.created_at
    FROM memoryapp_memory AS m WHERE m.instance_id = %s AND NOT EXISTS (
        SELECT FROM memoryapp_memoryembedding AS v
        WHERE v.instance_id = m.instance_id AND v.memory_id = m.id
    )
    UNION ALL
    SELECT m.instance_id, 'changed', m.id, m.created_at FROM memoryapp_memory AS m
    WHERE m.instance_id = %s AND EXISTS (
        SELECT FROM memoryapp_memoryrevision AS r
        WHERE r.instance_id = m.instance_id AND r.memory_id = m.id AND {_IS_VERSION}
    )
) AS t"""
UNMARK = f"""
DELETE FROM memoryapp_memorymark AS k WHERE k.instance_id = %s AND NOT EXISTS (
    SELECT FROM {_TO_MARK} WHERE {_SAME_MARK} AND k.created_at = t.created_at
)
"""
MARK = f"""
INSERT INTO memoryapp_memorymark (instance_id, kind, memory_id, created_at)
SELECT t.instance_id, t.kind, t.memory_id, t.created_at FROM {_TO_MARK}
WHERE NOT EXISTS (SELECT FROM memoryapp_memorymark AS k WHERE {_SAME_MARK})
"""
FORGET = "DELETE FROM memoryapp_memorycount WHERE instance_id = %s"
_OF_INSTANCE = "(SELECT * FROM memoryapp_memory WHERE instance_id = %s)"
RECOUNT = _add(
    _own(_OF_INSTANCE, 1),
    _other(_marks(_OF_INSTANCE), "mark", "kind", 1),
    _other(_vectors(_OF_INSTANCE), "vector", "space_id::text", 1),
)

#: The rows of a statement that are of one instance, `mine`: triggers take one after the other, so
#: that PostgreSQL knows in which partition of a table it has to look.
_ARRIVED, _GONE_ROWS = (
    f"(SELECT * FROM {rows} WHERE instance_id = mine)" for rows in ("arrived", "gone")
)
_WAS, _BECAME = (f"(SELECT * FROM {rows} WHERE instance_id = mine)" for rows in ("was", "became"))
_NEW = f"""
    INSERT INTO memoryapp_memorymark (instance_id, kind, memory_id, created_at)
    SELECT instance_id, 'no_vector', id, created_at FROM {_ARRIVED};
    {_add(_own(_ARRIVED, 1), _other(_ARRIVED, "mark", "'no_vector'", 1))}
"""
#: `moved` has each memory whose category has changed twice.
_CHANGED = f"""
    UPDATE memoryapp_memorymark AS k SET created_at = m.created_at
    FROM (
        SELECT id, created_at FROM {_BECAME} EXCEPT SELECT id, created_at FROM {_WAS}
    ) AS m
    WHERE k.instance_id = mine AND k.memory_id = m.id
        AND k.kind IN ('no_vector', 'changed');
    WITH moved AS MATERIALIZED (
        SELECT instance_id, id, category, sum(number) AS number FROM (
            SELECT instance_id, id, category, -1 AS number FROM {_WAS}
            UNION ALL SELECT instance_id, id, category, 1 FROM {_BECAME}
        ) AS both_times
        GROUP BY instance_id, id, category HAVING sum(number) <> 0
    )
    {
    _add(
        _own(_WAS, -1),
        _own(_BECAME, 1),
        _other(_marks("moved"), "mark", "kind", "number"),
        _other(_vectors("moved"), "vector", "space_id::text", "number"),
    )
};
    {_forget_names(_WAS, _BECAME)}
"""
#: Its vectors may go before it or after it.
_GONE = f"""
    WITH unmarked AS (
        DELETE FROM memoryapp_memorymark AS k USING {_GONE_ROWS} AS m
        WHERE k.instance_id = mine AND k.memory_id = m.id
            AND k.kind IN ('no_vector', 'changed')
        RETURNING k.instance_id, k.kind, m.category
    )
    {
    _add(
        _own(_GONE_ROWS, -1),
        _other("unmarked", "mark", "kind", -1),
        _other(_vectors(_GONE_ROWS), "vector", "space_id::text", -1),
    )
};
    {_forget_names(_GONE_ROWS)}
"""
_EMBEDDED = f"""
    WITH filled AS MATERIALIZED (SELECT * FROM {_memories(_ARRIVED)}), unmarked AS (
        DELETE FROM memoryapp_memorymark AS k USING {_ARRIVED} AS v
        WHERE k.instance_id = mine AND k.kind = 'no_vector' AND k.memory_id = v.memory_id
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
    WITH emptied AS MATERIALIZED (SELECT * FROM {_memories(_GONE_ROWS)}), marked AS (
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


def _versions(ids: str) -> str:
    """Mark those of the memories *ids* that have versions, and no others."""
    return f"""
    WITH touched AS MATERIALIZED ({ids}), known AS MATERIALIZED (
        SELECT m.* FROM touched CROSS JOIN LATERAL (
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
        _versions(f"SELECT DISTINCT memory_id FROM {_ARRIVED}"),
    ),
    "count_other_version": (
        f"UPDATE ON {_REVISION}",
        f"{_BEFORE} was {_AFTER} became",
        _versions(f"SELECT memory_id FROM {_WAS} UNION SELECT memory_id FROM {_BECAME}"),
    ),
    "count_no_version": (
        f"DELETE ON {_REVISION}",
        f"{_BEFORE} gone",
        _versions(f"SELECT DISTINCT memory_id FROM {_GONE_ROWS}"),
    ),
    #: The memories of an instance still change its counts while it is deleted.
    "count_no_instance": (
        "DELETE ON instances_instance",
        f"{_BEFORE} gone",
        "DELETE FROM memoryapp_memorycount AS c USING gone WHERE c.instance_id = gone.id",
    ),
    "count_nothing": (f"TRUNCATE ON {_MEMORY}", "", "DELETE FROM memoryapp_memorycount"),
}


def _create(name: str) -> str:
    event, rows, body = _TRIGGERS[name]
    if "mine" in body:
        names = re.findall(r"TABLE AS (\w+)", rows)
        instances = " UNION ".join(f"SELECT instance_id FROM {each}" for each in names)
        body = f"FOR mine IN SELECT DISTINCT instance_id FROM ({instances}) LOOP {body}; END LOOP"
    return f"""
CREATE FUNCTION keepsake_{name}() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE mine bigint;
BEGIN
    {body};
    RETURN NULL;
END $$;
CREATE TRIGGER {name} AFTER {event} {f"REFERENCING {rows}" if rows else ""}
    FOR EACH STATEMENT EXECUTE FUNCTION keepsake_{name}();
"""


CREATE_COUNT_TRIGGERS = "".join(map(_create, _TRIGGERS))
DROP_COUNT_TRIGGERS = "".join(f"DROP FUNCTION keepsake_{name} CASCADE;" for name in _TRIGGERS)
