"""How many versions of a memory are undone when a source is taken back."""

from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest

from memoryapp.policy.version_rollback import OtherStatements, WrittenVersion, versions_to_undo

OWN, OTHER, ALSO_OWN = uuid4(), uuid4(), uuid4()


def at(hour: int) -> datetime:
    return datetime(2026, 11, 23, hour, tzinfo=UTC)


@pytest.mark.parametrize(
    ("batches", "said_by_others", "undone"),
    [
        # Newest first; each version began at the hour of its number from the oldest, 0.
        ([OWN], None, 1),
        ([OWN, OTHER], None, 1),
        ([OWN, ALSO_OWN, OTHER], None, 2),
        ([OTHER, OWN], None, 0),
        ([OWN, OTHER, ALSO_OWN], None, 1),
        ([None], None, 0),
        # Another said it while the oldest version stood, or the second, or the newest.
        ([OWN, ALSO_OWN], 0, 1),
        ([OWN, ALSO_OWN, OWN], 1, 1),
        ([OWN, ALSO_OWN], 2, 0),
    ],
)
def test_versions_to_undo(
    batches: list[UUID | None], said_by_others: int | None, undone: int
) -> None:
    hours = range(len(batches) - 1, -1, -1)
    versions = [
        WrittenVersion(batch, at(hour) if hour else None)
        for batch, hour in zip(batches, hours, strict=True)
    ]
    others = OtherStatements()
    if said_by_others is not None:
        others.add([], at(said_by_others))
    assert versions_to_undo(versions, {OWN, ALSO_OWN}, others) == undone


def test_batch_of_two_sources_stays() -> None:
    others = OtherStatements()
    others.add([OWN], at(0))
    assert versions_to_undo([WrittenVersion(OWN, at(1))], {OWN}, others) == 0
