"""What the tests that move the tables have in common."""

import pytest

from instances import partitions


@pytest.fixture(autouse=True)
def known_partitions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Know the number of partitions again afterwards: the move is rolled back with the test."""
    monkeypatch.setattr(partitions, "_known", partitions._known)
    monkeypatch.setattr(partitions, "_divided", partitions._divided)
