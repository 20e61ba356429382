"""The state of the processes of ``manage.py run``, in a file that the web server reads.

It is a file so that it can be read while the database, Redis or the worker is down.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from memoryapp.embedded import paths

_FILE = "processes.json"


class ProcessState(StrEnum):
    RUNNING = "running"
    #: It has ended and is about to be restarted.
    RESTARTING = "restarting"
    #: It kept ending and is not restarted.
    GIVEN_UP = "given_up"


@dataclass(frozen=True)
class End:
    """An unexpected end of a process."""

    at: datetime
    #: ``killed, signal 9``, ``exit code 1``.
    how: str


@dataclass
class Process:
    """A process and its recent history."""

    #: ``The worker``.
    title: str
    state: ProcessState = ProcessState.RUNNING
    #: The ends of the last day, the oldest first.
    ends: list[End] = field(default_factory=list)
    #: Its last output before it was given up.
    last_output: str = ""
    #: What still works without it; empty if nothing does.
    without: str = ""


def write(home: Path, processes: Sequence[Process]) -> None:
    """Replace the file."""
    content = {"supervisor": os.getpid(), "processes": [asdict(each) for each in processes]}
    paths.replace(home / _FILE, json.dumps(content, default=datetime.isoformat).encode())


def remove(home: Path) -> None:
    """Remove the file."""
    (home / _FILE).unlink(missing_ok=True)


def read(home: Path) -> list[Process]:
    """Return the processes if ``manage.py run`` has started the calling one; else none."""
    try:
        content = json.loads((home / _FILE).read_bytes())
    except (OSError, ValueError):
        return []
    if content["supervisor"] != os.getppid():
        return []
    return [restored(each) for each in content["processes"]]


def restored(content: dict[str, object]) -> Process:
    ends = content.pop("ends")
    state = ProcessState(str(content.pop("state")))
    assert isinstance(ends, list)  # noqa: S101 - `write` has written it.
    return Process(
        state=state,
        ends=[End(datetime.fromisoformat(end["at"]), end["how"]) for end in ends],
        **{name: str(value) for name, value in content.items()},
    )
