"""What can be seen of ``make citus-check`` without the source of Citus."""

import subprocess
import sys
from pathlib import Path

from tests.deployment.files import PROJECT


def test_a_folder_that_is_not_the_source_of_citus_is_refused(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.deployment.citus_check", str(tmp_path)],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert f"{tmp_path} is not the source of Citus." in done.stdout
    assert done.stderr == ""


def test_the_folder_has_to_be_given() -> None:
    done = subprocess.run(
        ["make", "--silent", "citus-check", "--assume-old=.venv/installed-dev"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode != 0 and "make citus-check CITUS=folder" in done.stderr
