"""Model fields."""

from collections.abc import Callable
from typing import Any

from django.db import models

from instances.translatable import decoded, encoded


class EncryptedTextField(models.TextField[str, str]):
    """A column of tokens from `instances.secrets.encrypt`.

    It stores and returns the token unchanged. Key rotation finds columns by this class, so all our
    encrypted values must be in such columns.
    """


class TranslatableJSONField(models.JSONField):
    """A column of JSON in which each text, and each name, may be translatable."""

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return _mapped(super().from_db_value(value, expression, connection), decoded)

    def get_prep_value(self, value: Any) -> Any:
        return super().get_prep_value(_mapped(value, encoded))


class TranslatableTextField(models.TextField[str, str]):
    """A column of texts that may be translatable, and come back as they were stored."""

    def from_db_value(self, value: str | None, *_: object) -> str | None:
        return None if value is None else decoded(value)

    def to_python(self, value: Any) -> Any:
        return decoded(value) if type(value) is str else super().to_python(value)

    def get_prep_value(self, value: Any) -> Any:
        prepared = super().get_prep_value(value)
        return encoded(prepared) if isinstance(prepared, str) else prepared


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    """Return JSON *value* with *change* applied to its texts and names."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_mapped(item, change) for item in value]
    if isinstance(value, dict):
        return {change(name): _mapped(item, change) for name, item in value.items()}
    return value
