"""Functions of triggers give a transition table to no statement that reads another table, and name
the instance in the others: Citus runs no others, and partitions are read only where they must be.
"""

import re

import pytest
from django.db import connection

pytestmark = pytest.mark.django_db

#: The names of transition tables.
_TRANSITION = r"\b(?:arrived|filed|gone|was|became)\b"
_FUNCTIONS = """
SELECT DISTINCT p.proname, p.prosrc FROM pg_proc p JOIN pg_trigger t ON t.tgfoid = p.oid
WHERE p.proname LIKE 'keepsake%' AND NOT t.tgisinternal AND (
    t.tgoldtable IS NOT NULL OR t.tgnewtable IS NOT NULL
)
"""


def statements() -> list[tuple[str, str]]:
    """Each statement of the functions that have a transition table, with the function's name."""
    with connection.cursor() as cursor:
        cursor.execute(_FUNCTIONS)
        found = cursor.fetchall()
    return [
        (name, re.sub(r"--.*", "", statement))
        for name, text in found
        for statement in text.partition("LOOP")[2].split(";")
    ]


def tables_of(statement: str) -> set[str]:
    return set(re.findall(r"\b(?:memoryapp|conversations|instances)_\w+", statement))


def test_no_statement_reads_a_transition_table_and_another_one() -> None:
    found = statements()
    assert len({name for name, _ in found}) > 15
    both = [
        (name, statement)
        for name, statement in found
        if re.search(rf"(?:FROM|JOIN|USING)\s+{_TRANSITION}", statement) and tables_of(statement)
    ]
    assert both == []


def test_each_statement_names_the_instance() -> None:
    with_tables = [(name, text) for name, text in statements() if tables_of(text)]
    assert len(with_tables) > 20
    assert [(name, text) for name, text in with_tables if not re.search(r"\bmine\b", text)] == []
