"""How much of the machine Keepsake takes: `small` or `large`. KEEPSAKE_SIZE names it. And which of
its threads give way to others.

Nothing here imports Django: the embedded servers and the settings both ask.
"""

import os
import re
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

#: What `lower_priority` adds to the niceness of a thread.
NICENESS = 10
#: Up to so much memory, `small` fits.
SMALL_BYTES = 2 << 30


@dataclass(frozen=True)
class Size:
    """Settings of one size, unless a variable of its own does."""

    name: str
    #: The built-in embedder of new instances.
    embedder: str
    #: Most database connections of a web process, and of a worker. Each takes up to 10 MB of
    #: PostgreSQL's memory once it knows all tables and plans.
    web_pool: int
    worker_pool: int
    #: Tasks that a worker runs at once, and the most of them for one instance.
    worker_concurrency: int
    worker_share: int
    #: Connections that the embedded PostgreSQL admits.
    max_connections: int
    #: Megabytes of its shared buffers, by the megabytes of the machine.
    shared_buffers: Callable[[int], int]
    #: Megabytes that maintenance may take, such as building an index of words, and each cleaning in
    #: the background. Those of vectors have `VECTOR_INDEX_MEMORY`.
    maintenance_mb: int
    vacuum_mb: int
    #: Cleanings at once, and further processes for building an index and the like.
    vacuum_workers: int
    parallel_workers: int


def cores() -> int:
    """Return the number of processor cores that this process may use."""
    usable = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable else os.cpu_count() or 1


SMALL = Size(
    name="small",
    embedder="small",
    web_pool=6,
    worker_pool=6,
    worker_concurrency=8,
    worker_share=3,
    max_connections=30,
    shared_buffers=lambda megabytes: 64,
    maintenance_mb=64,
    vacuum_mb=16,
    vacuum_workers=1,
    parallel_workers=2,
)
LARGE = Size(
    name="large",
    embedder="multilingual",
    # More would not be answered sooner.
    web_pool=min(2 + 2 * cores(), 20),
    worker_pool=max(6, min(2 + 2 * cores(), 20)),
    worker_concurrency=32,
    worker_share=6,
    max_connections=80,
    # An eighth of the machine's memory, within limits; taken only as it fills.
    shared_buffers=lambda megabytes: min(max(megabytes // 8, 128), 1024),
    maintenance_mb=512,
    vacuum_mb=64,
    vacuum_workers=3,
    parallel_workers=8,
)
SIZES = {size.name: size for size in (SMALL, LARGE)}


def chosen() -> Size:
    """Return the size of this installation: by KEEPSAKE_SIZE, or else what fits the machine."""
    return SIZES.get(os.environ.get("KEEPSAKE_SIZE", ""), fitting(memory_bytes()))


def fitting(memory: int) -> Size:
    """Return the size for a machine with so many bytes of *memory*."""
    return SMALL if memory <= SMALL_BYTES else LARGE


def lower_priority() -> None:
    """Have this thread, and those that it starts, give way to others where cores are scarce: to a
    thread that has begun like it, it leaves nine tenths of a core. Only on Linux, where each thread
    has a priority.
    """
    if sys.platform == "linux":
        thread = threading.get_native_id()
        # Of a thread that gives way already, the system limits the sum.
        present = os.getpriority(os.PRIO_PROCESS, thread)
        os.setpriority(os.PRIO_PROCESS, thread, present + NICENESS)


def memory_bytes(root: Path = Path("/")) -> int:
    """Return the memory that this process and its children may take: the machine's, or less if a
    control group limits it, as those of containers do.
    """
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min([memory, *_limits(root)])


def _limits(root: Path) -> list[int]:
    """Return the limits of the control groups of this process and of those around them."""
    try:
        groups = (root / "proc/self/cgroup").read_text()
    except OSError:
        return []
    limits = []
    for controllers, path in re.findall(r"^\d+:([^:\n]*):/?(.*)$", groups, re.MULTILINE):
        if controllers == "":
            top, name = root / "sys/fs/cgroup", "memory.max"
        elif "memory" in controllers.split(","):
            top, name = root / "sys/fs/cgroup/memory", "memory.limit_in_bytes"
        else:
            continue
        group = top / path
        for level in (group, *group.parents):
            if level == top.parent:
                break
            # "max", and a missing file, limit nothing.
            try:
                limits.append(int((level / name).read_text()))
            except (OSError, ValueError):
                continue
    return limits
