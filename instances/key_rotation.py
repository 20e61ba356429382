"""Re-encrypts everything after the encryption key has changed.

Columns are found by class: every `EncryptedTextField` of any model, and the listed columns of other
packages that encrypt with `instances.secrets`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db.models import Field, Model

from instances.models.fields import EncryptedTextField
from instances.secrets import UnreadableSecret, rotate

#: Columns of other packages' models, as app, model and field. In JSON, every token is rotated.
FOREIGN_COLUMNS = [("mfa", "Authenticator", "data")]

#: How every Fernet token begins until the year 4147: its version, and the high bytes of its time.
TOKEN_START = "gAAAAA"  # noqa: S105 - Not a token, but the start of each.

BATCH_SIZE = 500


@dataclass(frozen=True)
class Rotated:
    """The result of one pass over all encrypted values."""

    changed: int = 0
    #: Values that none of the keys decrypts.
    unreadable: int = 0

    def __add__(self, other: "Rotated") -> "Rotated":
        return Rotated(self.changed + other.changed, self.unreadable + other.unreadable)


def encrypted_columns() -> list["Field[Any, Any]"]:
    """All columns with encrypted values."""
    ours = [
        field
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, EncryptedTextField)
    ]
    foreign = [
        apps.get_model(app, model)._meta.get_field(name) for app, model, name in FOREIGN_COLUMNS
    ]
    return [*ours, *foreign]


def rotate_all() -> Rotated:
    """Encrypt everything with the first key, in one pass that can be repeated."""
    return sum(map(_rotate_column, encrypted_columns()), Rotated())


def _rotate_column(field: "Field[Any, Any]") -> Rotated:
    changed = unreadable = 0
    for pk, value in _values(field):
        try:
            now = with_rotated_tokens(value)
        except UnreadableSecret:
            unreadable += 1
            continue
        if now != value:
            # Only if it is unchanged: a value stored since it was read is left to the next pass.
            same = field.model._default_manager.filter(pk=pk, **{field.attname: value})
            changed += same.update(**{field.attname: now})
    return Rotated(changed, unreadable)


def _values(field: "Field[Any, Any]") -> Iterator[tuple[Any, Any]]:
    """Yield the id and value of each row, in batches by id, so that no cursor stays open."""
    model: type[Model] = field.model
    rows = model._default_manager.order_by("pk").values_list("pk", field.attname)
    batch = list(rows[:BATCH_SIZE])
    while batch:
        yield from batch
        batch = list(rows.filter(pk__gt=batch[-1][0])[:BATCH_SIZE])


def with_rotated_tokens(value: Any) -> Any:
    """The *value* with each token in it encrypted with the first key."""
    if isinstance(value, dict):
        return {name: with_rotated_tokens(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [with_rotated_tokens(inner) for inner in value]
    if isinstance(value, str) and value.startswith(TOKEN_START):
        return rotate(value)
    return value
