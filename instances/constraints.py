"""Foreign keys that cannot leave the instance: enforced by PostgreSQL, not only by the code."""

from django.db import migrations


def within_instance(table: str, column: str, parent: str) -> migrations.RunSQL:
    """Add a composite foreign key: what *table* points to by *column* is of its own instance.

    *parent* must have a unique constraint over (id, instance_id). Django cannot say this itself.
    It is checked at commit, like Django's own, so that rows may be deleted in any order.
    """
    name = f"{table}_{column}_same_instance"
    return migrations.RunSQL(
        f"ALTER TABLE {table} ADD CONSTRAINT {name} FOREIGN KEY ({column}, instance_id)"
        f" REFERENCES {parent} (id, instance_id) DEFERRABLE INITIALLY DEFERRED",
        f"ALTER TABLE {table} DROP CONSTRAINT {name}",
    )
