"""Files that are published: all of one version, and the same bytes wherever they are built."""

import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import keepsake_client
from memoryapp import __version__
from tests.deployment.files import PROJECT

TYPESCRIPT = PROJECT / "sdk/typescript"


def test_everything_has_one_version() -> None:
    package, lock = (
        json.loads((TYPESCRIPT / name).read_text())
        for name in ("package.json", "package-lock.json")
    )
    [image] = re.findall(r"^ARG VERSION=(.+)$", (PROJECT / "Dockerfile").read_text(), re.MULTILINE)
    manifests = [
        json.loads((PROJECT / "integrations" / name).read_text())["version"]
        for name in (
            "claude-code/.claude-plugin/plugin.json",
            "mcpb/manifest.json",
            "mcp-registry/server.json",
        )
    ]
    named = {package["version"], lock["version"], lock["packages"][""]["version"], image}
    head = (PROJECT / "integrations/open-webui/keepsake_filter.py").read_text()
    named |= {*manifests, *re.findall(r"^version: (.+)$", head, re.MULTILINE)}
    assert {keepsake_client.__version__, *named} == {__version__}


@pytest.mark.parametrize("client", ["python", "typescript"])
def test_clients_come_with_the_licence(client: str) -> None:
    held = PROJECT / "sdk" / client / "LICENSE"
    assert held.read_text() == (PROJECT / "LICENSE").read_text()


def released(folder: Path, *, umask: int, age_seconds: int) -> dict[str, str]:
    """Release a copy of the sources in *folder*; return the digests of the files."""
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    before = os.umask(umask)
    try:
        for name in filter(None, tracked):
            source, copy = PROJECT / name, folder / name
            if source.is_file():
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(source.read_bytes())
                modified = (PROJECT / ".venv/installed-dev").stat().st_mtime - age_seconds
                os.utime(copy, (modified, modified))
        (folder / ".venv").symlink_to(PROJECT / ".venv")
        environment = os.environ | {"SOURCE_DATE_EPOCH": "1900000000"}
        done = subprocess.run(
            ["make", "release"], cwd=folder, env=environment, capture_output=True, text=True
        )
    finally:
        os.umask(before)
    assert done.returncode == 0, done.stdout + done.stderr
    return {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in (folder / "dist").iterdir()
    }


# It fetches a compiler.
@pytest.mark.soak
def test_a_release_is_whole_and_the_same_elsewhere(tmp_path: Path) -> None:
    first = released(tmp_path / "one", umask=0o022, age_seconds=60)
    dist = tmp_path / "one/dist"
    version = __version__
    assert first.keys() == {
        f"keepsake_memory-{version}-py3-none-any.whl",
        f"keepsake_memory-{version}.tar.gz",
        f"keepsake_client-{version}-py3-none-any.whl",
        f"keepsake_client-{version}.tar.gz",
        f"keepsake-client-{version}.tgz",
        f"keepsake-{version}.mcpb",
        "keepsake_memory.cdx.json",
        "SHA256SUMS",
    }
    sums = dict(line.split("  ")[::-1] for line in (dist / "SHA256SUMS").read_text().splitlines())
    assert sums == {name: digest for name, digest in first.items() if name != "SHA256SUMS"}

    described = json.loads((dist / "keepsake_memory.cdx.json").read_text())
    assert described["bomFormat"] == "CycloneDX"
    assert described["metadata"]["component"]["name"] == "keepsake-memory"
    pinned = re.findall(
        r"^([\w.-]+)(?:\[.*\])?==(\S+)", (PROJECT / "requirements.lock").read_text(), re.MULTILINE
    )
    components = {(each["name"].lower(), each["version"]) for each in described["components"]}
    assert components == set(pinned)

    shutil.rmtree(tmp_path / "one")
    assert released(tmp_path / "another", umask=0o077, age_seconds=86_400) == first
