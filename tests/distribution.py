"""Pytest plugin that distributes the tests among the workers of pytest-xdist."""

import gc
import os
from collections.abc import Generator

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

#: Folders whose fixtures start servers or a browser for all of their tests: one worker runs the
#: whole folder.
WHOLE_FOLDERS = ("tests/browser/", "tests/hostile/")

#: The slowest tests, which start first so that the workers finish at about the same time.
FIRST = (
    *WHOLE_FOLDERS,
    "tests/embedded/",
    "tests/web/test_access.py",
    "tests/faults/",
    "tests/web/test_queries.py",
    "tests/web/test_nothing_left.py",
    "tests/deployment/",
    "tests/api/v1/",
    "tests/management/",
    "tests/web/",
)


class FileScheduling(LoadScopeScheduling):  # type: ignore[misc]
    """Gives each worker whole files, so that fixtures of a module are created once."""

    def _split_scope(self, nodeid: str) -> str:
        whole = (folder for folder in WHOLE_FOLDERS if nodeid.startswith(folder))
        return next(whole, nodeid.partition("::")[0])


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return one worker more than there are cores, since many tests wait for servers, but at most
    four: each has its own databases.
    """
    return min(4, 1 + (os.cpu_count() or 1))


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling | None:
    """Schedule whole files for ``--dist loadfile``."""
    if config.getvalue("dist") != "loadfile":
        return None
    config.option.loadscopereorder = False  # `pytest_collection_modifyitems` sets the order.
    return FileScheduling(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Disable garbage collection during test collection, which takes a quarter of its time.

    The tests and modules live until the end, so freezing them saves later collections work, too.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the slowest tests first."""

    def rank(item: pytest.Item) -> int:
        ranks = (n for n, prefix in enumerate(FIRST) if item.nodeid.startswith(prefix))
        return next(ranks, len(FIRST))

    items.sort(key=rank)
