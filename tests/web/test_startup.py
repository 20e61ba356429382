"""What a web process does before its first request."""

import gc
from collections.abc import Iterator

import pytest

from memoryapp import asgi


@pytest.fixture
def as_before() -> Iterator[None]:
    yield
    gc.unfreeze()


def test_code_is_exempt_from_garbage_collection(as_before: None) -> None:
    asgi._spare_collector()
    assert gc.get_freeze_count() > 10 * len(gc.get_objects())
