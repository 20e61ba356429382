"""How much of a machine Keepsake takes, by its memory and by KEEPSAKE_SIZE."""

from pathlib import Path

import pytest

from memoryapp.process import size
from memoryapp.process.size import LARGE, SIZES, SMALL, Size

GB = 1 << 30


@pytest.mark.parametrize(
    ("memory", "expected"), [(GB, SMALL), (2 * GB, SMALL), (3 * GB, LARGE), (64 * GB, LARGE)]
)
def test_size_fits_the_memory(memory: int, expected: Size) -> None:
    assert size.fitting(memory) is expected


def test_name_in_the_environment_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, expected in SIZES.items():
        monkeypatch.setenv("KEEPSAKE_SIZE", name)
        assert size.chosen() is expected
    # The checks report a wrong one.
    monkeypatch.setenv("KEEPSAKE_SIZE", "medium")
    assert size.chosen() is size.fitting(size.memory_bytes())


@pytest.mark.parametrize(("megabytes", "buffers"), [(512, 128), (4_096, 512), (262_144, 1_024)])
def test_buffers_of_a_large_server_are_a_share_of_its_memory(megabytes: int, buffers: int) -> None:
    assert LARGE.shared_buffers(megabytes) == buffers


@pytest.mark.parametrize("each", SIZES.values(), ids=SIZES)
def test_pools_of_all_processes_fit_the_server(each: Size) -> None:
    # One web process and one worker, and some for commands and a person with psql.
    assert each.web_pool + each.worker_pool + 10 <= each.max_connections
    assert each.worker_share < each.worker_concurrency


def machine(root: Path, groups: str, **limits: str) -> Path:
    """Make files as those of a system with control groups; *limits* by path, with ``__`` for /."""
    (root / "proc" / "self").mkdir(parents=True)
    (root / "proc" / "self" / "cgroup").write_text(groups)
    for path, limit in limits.items():
        file = root / "sys/fs/cgroup" / path.replace("__", "/").replace("_dot_", ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(limit)
    return root


def test_limit_of_a_control_group_counts(tmp_path: Path) -> None:
    there = machine(
        tmp_path,
        "0::/system.slice/keepsake.service\n",
        **{
            "memory_dot_max": "max\n",
            "system.slice__memory_dot_max": f"{GB // 2}\n",
            "system.slice__keepsake.service__memory_dot_max": f"{GB}\n",
        },
    )
    assert size.memory_bytes(there) == GB // 2


def test_limit_of_an_older_control_group_counts(tmp_path: Path) -> None:
    there = machine(
        tmp_path,
        "9:name=systemd:/\n4:cpu,memory:/box\n0::/\n",
        memory__memory_dot_limit_in_bytes="9223372036854771712\n",
        memory__box__memory_dot_limit_in_bytes=f"{GB}\n",
    )
    assert size.memory_bytes(there) == GB


def test_memory_of_the_machine_counts_without_limits(tmp_path: Path) -> None:
    assert size.memory_bytes(tmp_path) == size.memory_bytes(machine(tmp_path, "0::/\n"))
