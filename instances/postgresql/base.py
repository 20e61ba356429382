"""The database backend that the settings name."""

from django.db import models
from django.db.backends.postgresql import base, features, schema

from instances.signals import table_made


class DatabaseFeatures(features.DatabaseFeatures):
    """Features of this database."""

    def allows_group_by_selected_pks_on_model(self, model: type[models.Model]) -> bool:
        """True if grouping by the id of *model* is enough to select its other columns. Not for the
        rows of an instance: where their tables are partitioned, the id is half of the primary key.
        PostgreSQL itself drops the further columns if it knows the key among them.
        """
        allowed: bool = super().allows_group_by_selected_pks_on_model(model)
        return allowed and not hasattr(model, "instance_id")


class DatabaseSchemaEditor(schema.DatabaseSchemaEditor):
    """Changes tables."""

    def create_model(self, model: type[models.Model]) -> None:
        """Make the table of *model*. Its foreign keys come at the end of the migration, and where
        tables are distributed, it has to be so as well by then.
        """
        super().create_model(model)
        table_made.send(type(self), connection=self.connection)


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to PostgreSQL."""

    features_class = DatabaseFeatures
    SchemaEditorClass = DatabaseSchemaEditor
