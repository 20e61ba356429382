"""Labels: which agents, apps and runs have stated a memory. Pure.

A label is a kind and a name, such as ``agent:coach``; a memory has a set of them, in the order in
which they came. A kind without a name, ``agent:``, says that the fact was also stated by nobody of
that kind, for example by a person on a screen: what an agent repeated does not become its own.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any
from unicodedata import normalize

#: The kinds of labels. Programs give the name in a field ``agent_id``, ``app_id`` or ``run_id``.
KINDS = ("agent", "app", "run")
#: Those fields, with their kinds.
ID_FIELDS = {f"{kind}_id": kind for kind in KINDS}
MAX_NAME = 200
#: Labels of one memory. When a fact is repeated in more runs, the oldest runs give way.
MAX_LABELS = 500


def label(kind: str, name: str) -> str:
    """The label for *name*, an agent, app or run, in the one form of Unicode of all ids."""
    return f"{kind}:{normalize('NFC', name)[:MAX_NAME]}"


def kind_of(text: str) -> str:
    """The kind of a label."""
    return text.partition(":")[0]


def names(labels: Iterable[str], kind: str) -> list[str]:
    """The names in those of *labels* that are of *kind*."""
    parts = (text.partition(":") for text in labels)
    return [name for of_kind, _, name in parts if of_kind == kind and name]


def named(labels: Iterable[str]) -> list[str]:
    """Members of *labels* that have a name."""
    return [text for text in labels if text.partition(":")[2]]


def is_label(text: str) -> bool:
    """True if *text* is a label, with or without a name."""
    kind, colon, name = text.partition(":")
    return bool(colon) and kind in KINDS and len(name) <= MAX_NAME


def meant_by(text: str) -> list[str]:
    """The labels that a person may mean with *text*: that label, or a name of any kind."""
    return [normalize("NFC", text)] if is_label(text) else [label(kind, text) for kind in KINDS]


def taken_out(metadata: Mapping[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """The labels for the ids of agents, apps and runs in *metadata*, and the rest of it."""
    ids = {field: _as_name(metadata.get(field)) for field in ID_FIELDS}
    labels = [label(ID_FIELDS[field], name) for field, name in ids.items() if name]
    return labels, {name: metadata[name] for name in metadata if not ids.get(name)}


def _as_name(value: Any) -> str:
    # Some programs give numbers.
    is_id = isinstance(value, str | int) and not isinstance(value, bool)
    return str(value).strip()[:MAX_NAME] if is_id else ""


def united(*statements: Sequence[str]) -> list[str]:
    """The labels of a memory that was stated with each of these labels."""
    found = list(dict.fromkeys(chain(*statements)))
    for kind in KINDS:
        with_kind = [any(kind_of(text) == kind for text in each) for each in statements]
        nobody = label(kind, "")
        if any(with_kind) and not all(with_kind) and nobody not in found:
            found.append(nobody)
    runs = [label("run", name) for name in names(found, "run")]
    surplus = set(runs[: max(0, len(found) - MAX_LABELS)])
    return [text for text in found if text not in surplus]


def without(labels: Sequence[str], taken: Collection[str]) -> list[str]:
    """Rest of *labels* if *taken* are taken away, where others of the same kind are left. The same
    labels: nobody else has stated the memory.
    """
    left = {kind_of(text) for text in labels if text not in taken}
    return [text for text in labels if text not in taken or kind_of(text) not in left]
