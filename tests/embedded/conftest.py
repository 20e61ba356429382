"""Fixtures for a separate home folder of the servers that a test starts."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from memoryapp.embedded import locations, paths


def _remove_elsewhere(home: Path) -> None:
    """Remove data that servers store outside a home folder that is unreachable or too long."""
    shutil.rmtree(locations.SYSTEM_FOLDER / paths.digest(home), ignore_errors=True)
    for folder in (home / "postgres" / "socket", home / "redis"):
        away = Path("/tmp") / f"keepsake-{os.geteuid()}-{paths.digest(folder)}"  # noqa: S108 - As there.
        shutil.rmtree(away, ignore_errors=True)


@contextlib.contextmanager
def separate_folder() -> Iterator[Path]:
    """Make a folder that every user may traverse, unlike pytest's own, and remove it."""
    folder = Path(tempfile.mkdtemp(prefix="keepsake-")).resolve()
    folder.chmod(0o711)
    yield folder
    for home in [*folder.glob("*"), *folder.glob("*/home")]:
        _remove_elsewhere(home)
    shutil.rmtree(folder)


@pytest.fixture
def top() -> Iterator[Path]:
    """Such a folder."""
    with separate_folder() as folder:
        yield folder


@pytest.fixture
def home(top: Path) -> Path:
    """A home folder that does not exist yet."""
    return top / "home"
