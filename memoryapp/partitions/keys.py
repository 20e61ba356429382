"""Definitions of keys, as PostgreSQL writes them, with the distribution column added.

It is added as the last column: rows of one instance are found by all columns of the key, and a
statement that knows only the first of them, such as an id alone, still uses the index. The order
makes no difference to what is unique.
"""

#: The column by which content is distributed.
COLUMN = "instance_id"


def with_instance(definition: str) -> str:
    """Return the *definition* of a unique index, or of a primary or unique key, with `COLUMN` as
    the last of its columns.

    >>> with_instance("UNIQUE NULLS NOT DISTINCT (wing_id, number)")
    'UNIQUE NULLS NOT DISTINCT (wing_id, number, instance_id)'
    """
    end = _end_of_columns(definition)
    return f"{definition[:end]}, {COLUMN}{definition[end:]}"


def foreign_key_within_instance(definition: str) -> str:
    """Return the *definition* of a foreign key of one column with `COLUMN` on both sides.

    >>> foreign_key_within_instance("FOREIGN KEY (memory_id) REFERENCES memoryapp_memory(id)")
    'FOREIGN KEY (memory_id, instance_id) REFERENCES memoryapp_memory(id, instance_id)'
    """
    head, references, tail = definition.partition(" REFERENCES ")
    return with_instance(head) + references + with_instance(tail)


def _end_of_columns(definition: str) -> int:
    """The place of the bracket that closes the first list in *definition*."""
    depth = 0
    for place, character in enumerate(definition):
        if character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
            if not depth:
                return place
    raise ValueError(f"no list of columns: {definition}")
