"""Two web servers to attack: one with the default time limits, one with shorter ones."""

import resource
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from tests.hostile.wire import Watch
from tests.serving import serving
from tests.waiting import eventually


@pytest.fixture(scope="package")
def spool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder where the servers store request bodies that do not fit into memory."""
    return tmp_path_factory.mktemp("spool")


@pytest.fixture(scope="package")
def served(django_db_setup: None, spool: Path) -> Iterator[str]:
    """The address of the app, started with a low limit of open files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 1000), hard))
    with serving(TMPDIR=str(spool)) as address:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        yield address


@pytest.fixture(scope="package")
def short_timeouts(django_db_setup: None) -> Iterator[str]:
    """The address of a server with short timeouts: two seconds for headers, one for the next bytes
    of a body, and three for slow bodies.
    """
    with serving(HEAD_SECONDS="2", BODY_SILENCE_SECONDS="1", BODY_GRACE_SECONDS="3") as address:
        yield address


@pytest.fixture
def watch(spool: Path) -> Iterator[Watch]:
    """Watches the disk space used by requests, once files of the previous test are closed."""
    watch = Watch(spool, Path(settings.FILE_UPLOAD_TEMP_DIR))
    eventually(lambda: watch.now() == 0, "files of the previous test stay open")
    with watch:
        yield watch
