"""Constraints that PostgreSQL enforces: values of choices, and foreign keys within an instance."""

from django.db import migrations, models
from django.db.models import Q


def allow_values(field: str, choices: type[models.Choices], name: str) -> models.CheckConstraint:
    """Allow only the values of *choices* in *field*."""
    return models.CheckConstraint(condition=Q((f"{field}__in", choices.values)), name=name)


def within_instance(table: str, column: str, parent: str) -> migrations.RunSQL:
    """Add a composite foreign key, which Django cannot express: the row of *parent* to which
    *column* of *table* points must be of the same instance.

    *parent* must have a unique constraint over (id, instance_id). It is checked at commit, like
    Django's own, so that rows may be deleted in any order.
    """
    name = f"{table}_{column}_same_instance"
    return migrations.RunSQL(
        f"ALTER TABLE {table} ADD CONSTRAINT {name} FOREIGN KEY ({column}, instance_id)"
        f" REFERENCES {parent} (id, instance_id) DEFERRABLE INITIALLY DEFERRED",
        f"ALTER TABLE {table} DROP CONSTRAINT {name}",
    )
