"""The product on a real server, with a key of an instance."""

from typing import NamedTuple

import pytest

from instances.models import Instance
from tests.api.conftest import key_of
from tests.serving import served

__all__ = ["served"]


class Keepsake(NamedTuple):
    """Where the product is, and a key to it."""

    url: str
    key: str


@pytest.fixture
def keepsake(transactional_db: None, served: str, instance: Instance) -> Keepsake:
    """The product, and a key that may read, write and delete."""
    return Keepsake(served, key_of(instance, ("read", "write", "delete"))[1].secret)
