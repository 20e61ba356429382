"""Limits of memory and of processor cores for a process and all that it starts, by a control group
of Linux, as containers have them.
"""

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_GROUPS = Path("/sys/fs/cgroup")


class CannotLimit(RuntimeError):
    """The machine admits no such limit; the message says why."""


@dataclass(frozen=True)
class Limit:
    """A control group with a limit of memory, and a number of cores."""

    folder: Path
    cores: int

    def enter(self) -> None:
        """Put the calling process, and what it will start, within the limit."""
        (self.folder / "cgroup.procs").write_text(str(os.getpid()))
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: self.cores])

    def kills(self) -> int:
        """Return how many processes the kernel has killed since memory ran out."""
        for name in ("memory.events", "memory.oom_control"):
            if (file := self.folder / name).exists():
                found = re.search(r"^oom_kill (\d+)$", file.read_text(), re.MULTILINE)
                return int(found[1]) if found else 0
        return 0


@contextlib.contextmanager
def limited(megabytes: int, cores: int) -> Iterator[Limit]:
    """Give a limit of so many *megabytes*, without swap, and *cores*. What runs within it must have
    ended before the block does. Raises `CannotLimit`.
    """
    # With version 1 of control groups, each controller has a tree of its own.
    tops = [top for top in (_GROUPS / "memory", _GROUPS) if (top / "cgroup.procs").exists()]
    if not tops:
        raise CannotLimit("There are no control groups.")
    folder = tops[0] / f"keepsake-{os.getpid()}"
    try:
        folder.mkdir()
    except OSError as error:
        raise CannotLimit(f"No control group can be made: {error}.") from error
    try:
        _write(folder, megabytes << 20)
        yield Limit(folder, cores)
    finally:
        with contextlib.suppress(OSError):
            folder.rmdir()


def _write(folder: Path, limit: int) -> None:
    second = (folder / "memory.max").exists()
    names = ("memory.max",) if second else ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes")
    try:
        for name in names:
            (folder / name).write_text(str(limit))
        if second and (swap := folder / "memory.swap.max").exists():
            swap.write_text("0")
    except OSError as error:
        raise CannotLimit(f"Memory cannot be limited: {error}.") from error
