"""Continuous integration runs what failed once more, alone."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.deployment.files import PROJECT

#: A test that passes, one that passes only from the second time on, and one that never does.
_PASSES = "def test_passes(): pass\n"
_UNSTABLE = """
from pathlib import Path

def test_unstable():
    mark = Path(__file__).with_name("was_here")
    seen = mark.exists()
    mark.touch()
    assert seen
"""
_FAILS = "def test_fails(): assert False\n"
_BROKEN = "import nothing_of_this_name\n"


@pytest.mark.parametrize(
    ("tests", "code", "said"),
    [
        ([_PASSES, _UNSTABLE], 0, ["Unstable     test_1.py::test_unstable"]),
        ([_UNSTABLE, _FAILS], 1, ["Unstable     test_0.py::test_unstable", "test_fails: twice"]),
        ([_PASSES, _BROKEN], 1, []),
        ([_FAILS] * 11, 1, []),
    ],
    ids=["unstable", "fails", "broken", "too many"],
)
def test_failed_tests_run_again(
    tmp_path: Path, tests: list[str], code: int, said: list[str]
) -> None:
    for number, text in enumerate(tests):
        (tmp_path / f"test_{number}.py").write_text(text)

    run = _run(tmp_path)

    assert (run.returncode != 0) == (code != 0), run.stdout + run.stderr
    for text in said:
        assert text in run.stdout
    assert ("Unstable" in run.stdout) == any("Unstable" in text for text in said)


def test_no_test_is_no_success(tmp_path: Path) -> None:
    assert _run(tmp_path).returncode != 0


def _run(folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "tests.rerunning", str(folder), "--rootdir", str(folder)],
        cwd=folder,
        # Of the installed plugins only that one, since others take seconds to load.
        env={
            "PYTHONPATH": str(PROJECT),
            "PATH": "/usr/bin:/bin",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTEST_PLUGINS": "xdist.plugin",
        },
        capture_output=True,
        text=True,
        check=False,
    )
