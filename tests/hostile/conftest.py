"""Two servers for attackers: as it is by default, and in more of a hurry."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from tests.hostile.wire import Watch
from tests.serving import serving


@pytest.fixture(scope="package")
def spool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the servers put what does not fit into memory."""
    return tmp_path_factory.mktemp("spool")


@pytest.fixture(scope="package")
def served(django_db_setup: None, spool: Path) -> Iterator[str]:
    """The address of the app."""
    with serving(TMPDIR=str(spool)) as address:
        yield address


@pytest.fixture(scope="package")
def hasty(django_db_setup: None) -> Iterator[str]:
    """The address of one that waits two seconds for a head, one for the next bytes of a body, and
    three for slow ones.
    """
    with serving(HEAD_SECONDS="2", BODY_SILENCE_SECONDS="1", BODY_GRACE_SECONDS="3") as address:
        yield address


@pytest.fixture
def watch(spool: Path) -> Iterator[Watch]:
    """What is on the disk from here on."""
    with Watch(spool, Path(settings.MEDIA_ROOT)) as watch:
        yield watch
