"""Candidates that wait as JSON for the decision of a person."""

from collections.abc import Mapping
from typing import Any

from instances.tiers import Tier
from memoryapp.models import Memory
from memoryapp.models.stored_rows import columns_from_json, plain_columns
from memoryapp.pipeline.candidates import Candidate

#: Columns of a memory that wait, besides the text, the person, the message and the importance.
_COLUMNS = (
    *("category", "tags", "valid_until", "expires_at", "key", "value", "metadata", "labels"),
    *("origin", "confidence", "said_at", "created_at", "updated_at", "external_id"),
    "shared_by",
)


def packed(candidate: Candidate) -> dict[str, Any]:
    """The columns of *candidate* besides its text, person and message."""
    return {
        **plain_columns({name: getattr(candidate, name) for name in _COLUMNS}),
        # What rules gave is no assessment, when it is stored.
        "importance": candidate.assessed_importance,
        "has_no_end": candidate.has_no_end,
    }


def unpacked(
    columns: Mapping[str, Any],
    content: str,
    end_user: str,
    *,
    conversation_id: int | None,
    message_id: int | None,
    tier: Tier = Tier.PERSON,
) -> Candidate:
    """The candidate that was `packed`, or a part of it."""
    return Candidate(
        content=content,
        end_user=end_user,
        conversation_id=conversation_id,
        message_id=message_id,
        tier=tier,
        has_no_end=columns.get("has_no_end", False),
        **columns_from_json(Memory, columns),
    )
