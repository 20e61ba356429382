"""Definitions of keys with the instance added."""

import pytest

from memoryapp.partitions.keys import foreign_key_within_instance, with_instance


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("PRIMARY KEY (id)", "PRIMARY KEY (id, instance_id)"),
        (
            "UNIQUE NULLS NOT DISTINCT (wing_id, conversation_id) DEFERRABLE",
            "UNIQUE NULLS NOT DISTINCT (wing_id, conversation_id, instance_id) DEFERRABLE",
        ),
        (
            "CREATE UNIQUE INDEX a ON public.b USING btree (upper((c)::text), d) INCLUDE (e)"
            " NULLS NOT DISTINCT WHERE (NOT ((c)::text = ''::text))",
            "CREATE UNIQUE INDEX a ON public.b USING btree (upper((c)::text), d, instance_id)"
            " INCLUDE (e) NULLS NOT DISTINCT WHERE (NOT ((c)::text = ''::text))",
        ),
    ],
)
def test_instance_becomes_the_last_column(before: str, after: str) -> None:
    assert with_instance(before) == after


def test_foreign_key_gets_it_on_both_sides() -> None:
    assert foreign_key_within_instance(
        "FOREIGN KEY (memory_id) REFERENCES memoryapp_memory(id) DEFERRABLE INITIALLY DEFERRED"
    ) == (
        "FOREIGN KEY (memory_id, instance_id) REFERENCES memoryapp_memory(id, instance_id)"
        " DEFERRABLE INITIALLY DEFERRED"
    )


def test_definition_without_columns_is_refused() -> None:
    with pytest.raises(ValueError, match="no list of columns"):
        with_instance("PRIMARY KEY USING INDEX a")
