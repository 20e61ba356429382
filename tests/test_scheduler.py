"""The scheduler's file with the last run of each task."""

from datetime import timedelta
from pathlib import Path

import pytest

from memoryapp.celery import Scheduler, app


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "schedule"


def started(file: Path) -> Scheduler:
    return Scheduler(app, schedule_filename=str(file), lazy=False)


def test_last_run_of_each_task_survives_a_restart(file: Path) -> None:
    scheduler = started(file)
    scheduler.schedule["sweep"].last_run_at -= timedelta(days=2)
    then = scheduler.schedule["sweep"].last_run_at
    scheduler.close()

    assert started(file).schedule["sweep"].last_run_at == then


@pytest.mark.parametrize("size", [0, 100])
def test_truncated_file_is_replaced(file: Path, size: int) -> None:
    started(file).close()
    snapshots = [path for path in file.parent.iterdir() if path.stat().st_size]
    for path in snapshots:
        path.write_bytes(path.read_bytes()[:size])

    scheduler = started(file)

    assert "sweep" in scheduler.schedule
    scheduler.close()
    assert "sweep" in started(file).schedule


def test_truncated_contents_are_replaced(file: Path) -> None:
    started(file).close()
    longest = max(file.parent.iterdir(), key=lambda path: path.stat().st_size)
    longest.write_bytes(b"")

    assert "sweep" in started(file).schedule
