"""Trigger functions for the rows that a statement has changed, which are in transition tables.

Citus admits a transition table only in a statement that reads no other table. So a function goes
through the instances of the rows, gathers the columns that it needs in arrays, and gives these and
the instance to ordinary statements. Those read one shard or one partition.
"""

# ruff: noqa: S608 - All names are of this package.

from collections.abc import Sequence


def function(name: str, tables: Sequence[str], body: str, *, variables: str = "") -> str:
    """The trigger function *name*, which runs *body* for each instance of the rows in *tables*:
    ``mine`` is its id. The order is the same in each transaction, so that none waits for another
    in a circle. *variables* are declarations.
    """
    instances = " UNION ".join(f"SELECT instance_id FROM {table}" for table in tables)
    return f"""
CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE mine bigint; {variables}
BEGIN
    FOR mine IN SELECT DISTINCT instance_id FROM ({instances}) AS rows ORDER BY instance_id LOOP
        {body.strip()}
    END LOOP;
    RETURN NULL;
END $$;
"""


def gathered(column: str, table: str, *, distinct: bool = False) -> str:
    """An array of what the rows of the instance in a transition *table* have in *column*."""
    what = f"DISTINCT {column}" if distinct else column
    return f"ARRAY(SELECT {what} FROM {table} WHERE instance_id = mine)"
