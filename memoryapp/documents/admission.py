"""Admission to the store: the address of a document, its size, and its value without secrets."""

import json
import math
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from conversations.sanitizer import sanitize
from memoryapp.language.json_texts import NamesCollide, parts_of, replaced
from memoryapp.models.stored_documents import (
    MAX_KEY_CHARACTERS,
    MAX_NAMESPACE_BYTES,
    MAX_NAMESPACE_PARTS,
    MAX_PART_CHARACTERS,
    MAX_VALUE_BYTES,
    MAX_VALUE_PARTS,
)
from memoryapp.privacy import pii
from memoryapp.privacy.pii import PIIKind, PIIMode
from memoryapp.privacy.verbatim import PLACEHOLDERS, masked

#: Kinds of secrets that no address may hold. An e-mail address or a number is a usual identifier.
_CREDENTIALS = {PIIKind.PRIVATE_KEY, PIIKind.PASSWORD, PIIKind.KEY}
#: The longest whole numbers that are taken for secrets: those of cards. Longer ones count
#: nanoseconds, or are identifiers.
_MAX_SECRET_NUMBER = 10**16
#: What a placeholder counts as in an answer: its kind.
_KINDS = {each: each.removeprefix("[REDACTED:").removesuffix("]") for each in PLACEHOLDERS}


class StoreRefused(ValueError):
    """The document cannot be stored. The message says what to change, ``code`` the reason."""

    def __init__(self, message: str, code: str = "invalid") -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class AdmittedValue:
    """A value as it is stored."""

    value: dict[str, Any]
    #: It as JSON text.
    body: str
    #: How many secrets of each kind were replaced by a placeholder.
    redactions: dict[str, int]


def check_address(namespace: Sequence[str], key: str) -> None:
    """Raise `StoreRefused` unless *namespace* and *key* may name a document."""
    check_namespace(namespace)
    if not namespace:
        raise StoreRefused("namespace needs at least one part.")
    if len(key) > MAX_KEY_CHARACTERS:
        raise StoreRefused(f"key may have at most {MAX_KEY_CHARACTERS} characters.")
    _check_name("key", key)


def check_namespace(namespace: Sequence[str]) -> None:
    """Raise `StoreRefused` unless documents may be in or under *namespace*."""
    if len(namespace) > MAX_NAMESPACE_PARTS:
        raise StoreRefused(f"namespace may have at most {MAX_NAMESPACE_PARTS} parts.")
    for part in namespace:
        if len(part) > MAX_PART_CHARACTERS:
            raise StoreRefused(
                f"A part of namespace may have at most {MAX_PART_CHARACTERS} characters."
            )
        _check_name("A part of namespace", part)
    if len("".join(namespace).encode()) > MAX_NAMESPACE_BYTES:
        raise StoreRefused(f"namespace may have at most {MAX_NAMESPACE_BYTES:,} bytes.")


def _check_name(what: str, name: str) -> None:
    if not name:
        raise StoreRefused(f"{what} may not be empty.")
    if sanitize(name) != name or any(unicodedata.category(each) == "Cc" for each in name):
        raise StoreRefused(f"{what} may have no invisible characters.")
    if any(finding.kind in _CREDENTIALS for finding in pii.examine(name).findings):
        raise StoreRefused(
            f"{what} contains a secret, and is shown in lists. Use another name.", "pii_rejected"
        )


def admitted(value: dict[str, Any], policy: str) -> AdmittedValue:
    """Return *value* as an instance with this *policy* for secrets stores it: exactly as it is,
    except that placeholders stand for secrets. Raises `StoreRefused`.
    """
    _check_size(json_of(value))
    check_storable(value)
    if (parts := sum(1 for _ in parts_of(value))) > MAX_VALUE_PARTS:
        raise StoreRefused(
            f"value may have at most {MAX_VALUE_PARTS:,} names, texts and whole numbers; this one "
            f"has {parts:,}. Store it in parts.",
            "too_large",
        )
    cleaned, redactions = value, Counter[str]()
    if policy != PIIMode.OFF:
        try:
            cleaned = replaced(value, lambda name, text: _cleaned(name, text, redactions))
        except NamesCollide:
            raise StoreRefused(
                "The names of two fields contain secrets. Use other names.", "pii_rejected"
            ) from None
    if policy == PIIMode.REJECT and redactions:
        found = pii.in_words(redactions) or "a password or key"
        raise StoreRefused(
            f"It contains {found}, which this instance does not store. Remove that.",
            "pii_rejected",
        )
    body = json_of(cleaned)
    _check_size(body)
    return AdmittedValue(cleaned, body, dict(redactions))


def json_of(value: dict[str, Any]) -> str:
    """Write *value* as compact JSON, the names in their order. Raises `StoreRefused`."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except ValueError:
        raise StoreRefused(
            "value may contain no NaN and no infinite number, which JSON does not know."
        ) from None


def _check_size(body: str) -> None:
    size = len(body.encode(errors="replace"))
    if size > MAX_VALUE_BYTES:
        raise StoreRefused(
            f"value may have at most {MAX_VALUE_BYTES:,} bytes as JSON; this one has {size:,}. "
            "Store it in parts.",
            "too_large",
        )


def check_storable(value: Any, field: str = "value") -> None:
    """Refuse what PostgreSQL cannot store, or compare with what it has stored, in the *field* of a
    request, instead of changing it. Raises `StoreRefused`.
    """
    if isinstance(value, dict):
        for name, item in value.items():
            check_storable(name, field)
            check_storable(item, field)
    elif isinstance(value, list):
        for item in value:
            check_storable(item, field)
    elif isinstance(value, str) and ("\x00" in value or any(map(_is_half, value))):
        raise StoreRefused(
            f"A text in {field} contains NUL or half of a surrogate pair, which cannot be stored."
        )
    elif isinstance(value, float) and not math.isfinite(value):
        raise StoreRefused(
            f"{field} may contain no NaN and no infinite number, which JSON does not know."
        )


def _is_half(character: str) -> bool:
    return "\ud800" <= character <= "\udfff"


def _cleaned(name: str, text: str | int, redactions: Counter[str]) -> str | int:
    """Return *text* with placeholders for its secrets, and count them. It is read behind the name
    of its field, which may announce a secret: ``"password": "swordfish"``.
    """
    if isinstance(text, int):
        if not (name and abs(text) < _MAX_SECRET_NUMBER):
            return text
        shown = _masked(name, str(text))
        if shown == str(text):
            return text
    else:
        shown = _masked(name, text)
    before = str(text)
    for placeholder, kind in _KINDS.items():
        if more := shown.count(placeholder) - before.count(placeholder):
            redactions[kind] += max(1, more)
    return shown


def _masked(name: str, text: str) -> str:
    announced = f"{name}: " if name else ""
    return masked(announced + text, PIIMode.REDACT).removeprefix(announced)
