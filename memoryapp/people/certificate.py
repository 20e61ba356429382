"""The certificate of an erasure: what was done, and what remains. It holds nothing of the person,
not even an id: those who know an id find it by its keyed hash.
"""

from datetime import datetime
from typing import Any

from memoryapp.models import Erasure
from memoryapp.people.inventory import (
    ELSEWHERE,
    HOLDINGS,
    ErasureAction,
    Person,
    holding_of,
    inventory_hash,
)

#: The format of the document.
VERSION = 1


def certificate_of(erasure: Erasure, person: Person, *, finished_at: datetime) -> dict[str, Any]:
    """Return the certificate as a JSON document."""
    return {
        "version": VERSION,
        "erasure": str(erasure.uid),
        "instance": erasure.instance.slug,
        "asked": "Erase everything about one end user",
        "never_again_rules_erased": erasure.with_rules,
        "person_hashes": list(erasure.hashes),
        "asked_at": erasure.asked_at.isoformat(),
        "asked_by": erasure.asked_by,
        "asked_via": erasure.via,
        "finished_at": finished_at.isoformat(),
        "tables": [
            {"table": label, "title": holding_of(label).title, **counts}
            for label, counts in sorted(erasure.counts.items())
        ],
        "inventory_sha256": inventory_hash(),
        "remains": _what_remains(erasure, person),
    }


def _what_remains(erasure: Erasure, person: Person) -> list[dict[str, Any]]:
    remains: list[dict[str, Any]] = []
    for holding in HOLDINGS:
        is_kept = holding.fate_of(with_rules=erasure.with_rules) == ErasureAction.KEEP
        if is_kept and (count := holding.rows(person).count()):
            remains.append({"what": holding.title, "rows": count, "until": holding.reason})
    for label, counts in sorted(erasure.counts.items()):
        if stripped := counts.get(ErasureAction.STRIP):
            holding = holding_of(label)
            remains.append({"what": holding.title, "rows": stripped, "until": holding.reason})
    remains += [{"what": what, "until": until} for what, until in ELSEWHERE.items()]
    return remains
