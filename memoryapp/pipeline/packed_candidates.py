"""Candidates that wait as JSON for the decision of a person."""

from datetime import date, datetime
from typing import Any

from instances.tiers import Tier
from memoryapp.models import Origin
from memoryapp.pipeline.candidates import Candidate

_TIMES = ("said_at", "created_at", "updated_at", "expires_at")


def packed(candidate: Candidate) -> dict[str, Any]:
    """The columns of *candidate* besides its text, person and message."""
    return {
        "category": str(candidate.category) if candidate.category else None,
        # What rules gave is no assessment, when it is stored.
        "importance": candidate.assessed_importance,
        "tags": list(candidate.tags),
        "valid_until": candidate.valid_until.isoformat() if candidate.valid_until else None,
        "has_no_end": candidate.has_no_end,
        "key": candidate.key,
        "value": candidate.value,
        "metadata": dict(candidate.metadata),
        "labels": list(candidate.labels),
        "origin": str(candidate.origin) if candidate.origin else None,
        "confidence": candidate.confidence,
        **{name: (at := getattr(candidate, name)) and at.isoformat() for name in _TIMES},
        "external_id": candidate.external_id,
    }


def unpacked(
    columns: dict[str, Any],
    content: str,
    end_user: str,
    *,
    conversation_id: int | None,
    message_id: int | None,
    tier: Tier = Tier.PERSON,
) -> Candidate:
    """The candidate that was `packed`, or a part of it."""
    columns = dict(columns)
    until, origin = columns.pop("valid_until", None), columns.pop("origin", None)
    columns |= {name: datetime.fromisoformat(at) for name in _TIMES if (at := columns.get(name))}
    return Candidate(
        content=content,
        end_user=end_user,
        conversation_id=conversation_id,
        message_id=message_id,
        tier=tier,
        valid_until=date.fromisoformat(until) if until else None,
        origin=Origin(origin) if origin else None,
        **columns,
    )
