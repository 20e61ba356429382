"""``manage.py run`` while each of its processes is killed."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.restarts import KINDS, Trial
from tests.scripted_provider import ScriptedProvider


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that every user may traverse, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp(prefix="keepsake-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


@pytest.mark.soak
def test_killing_any_process_loses_and_duplicates_nothing(
    folder: Path, provider: ScriptedProvider
) -> None:
    trial = Trial(folder / "home", folder / "output", provider)
    report = trial.run(60, patient=False)
    assert report.wrong == [], trial.keepsake.log
    for words in filter(None, KINDS.values()):
        assert trial.keepsake.log.count(words) == 1, trial.keepsake.log
    # Clients get 503 during an outage, never 500 or 502.
    assert not {"500", "502"} & report.repeated.keys(), report.repeated
