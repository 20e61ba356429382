"""The container engine: the one that runs here, or one of our own, with files of its own."""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.deployment.image_check.steps import until

#: Folder that keeps the images of our own engine from one run to the next.
CACHE = Path(os.environ.get("IMAGE_CHECK_CACHE") or Path.home() / ".cache" / "keepsake-image-check")
#: Compose, which is one of the packages for tests.
COMPOSE = Path(sys.executable).parent / "docker-compose"


class NoEngine(Exception):
    """No engine is to be had; the message says why."""


@dataclass(frozen=True)
class Engine:
    """A running engine."""

    #: For ``docker``, whose ``docker compose`` is the one of the packages.
    environment: dict[str, str]
    #: True if the check has started the engine, and ends it.
    is_own: bool

    def docker(
        self, *arguments: str, cwd: Path | None = None, seconds: float = 1200
    ) -> "subprocess.CompletedProcess[str]":
        """Run ``docker``, whatever its exit code."""
        return subprocess.run(
            ["docker", *arguments],
            cwd=cwd,
            env=os.environ | self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=seconds,
        )

    def has(self, image: str) -> bool:
        """Return whether the image is there."""
        return self.docker("image", "inspect", image).returncode == 0


@contextlib.contextmanager
def engine() -> Iterator[Engine]:
    """Yield the running engine, or one of our own until the end. Raises `NoEngine`."""
    if not COMPOSE.exists():
        raise NoEngine("Compose is not among the packages here")
    with tempfile.TemporaryDirectory(prefix="keepsake-engine-") as name:
        folder = Path(name)
        plugins = folder / "config" / "cli-plugins"
        plugins.mkdir(parents=True)
        (plugins / "docker-compose").symlink_to(COMPOSE)
        environment = {"DOCKER_CONFIG": str(folder / "config")}
        # Without the plugin for its successor, only the older builder is there.
        if not any(Path(it).exists() for it in BUILDX):
            environment["DOCKER_BUILDKIT"] = "0"
        if _answers(environment):
            yield Engine(environment, is_own=False)
            return
        _install()
        environment["DOCKER_HOST"] = f"unix://{folder}/socket"
        server = _start(folder)
        try:
            until(
                lambda: _answers(environment) or server.poll() is not None,
                "the engine does not answer",
                60,
            )
            if server.poll() is not None:
                raise NoEngine(f"dockerd does not start: {_last_line(folder / 'log')}")
            yield Engine(environment, is_own=True)
        finally:
            server.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                server.wait(60)
            # It leaves mounted what names the machine's network, if a container has used that.
            for mounted in (folder / "exec" / "netns").glob("*"):
                subprocess.run(["umount", str(mounted)], check=False)


#: Where the plugin is, if it is there.
BUILDX = (
    "/usr/libexec/docker/cli-plugins/docker-buildx",
    "/usr/lib/docker/cli-plugins/docker-buildx",
    "/usr/local/lib/docker/cli-plugins/docker-buildx",
)


def _answers(environment: dict[str, str]) -> bool:
    if not shutil.which("docker"):
        return False
    asked = subprocess.run(
        ["docker", "version"], env=os.environ | environment, capture_output=True, check=False
    )
    return asked.returncode == 0


def _install() -> None:
    """Install Debian's engine, unless it is there."""
    if os.geteuid() != 0:
        raise NoEngine("none runs, and only root can start one")
    missing = [it for it in ("dockerd", "docker", "debootstrap") if not shutil.which(it)]
    if not missing:
        return
    if not shutil.which("apt-get"):
        raise NoEngine(f"none runs, and there is no {missing[0]} here")
    print("Engine       installing docker.io and debootstrap", flush=True)
    for command in (
        ["apt-get", "update"],
        ["apt-get", "install", "--yes", "--no-install-recommends", "docker.io", "debootstrap"],
    ):
        done = subprocess.run(
            command,
            env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise NoEngine(
                f"none runs, and {' '.join(command)} fails: {done.stderr.strip()[-200:]}"
            )


def _start(folder: Path) -> "subprocess.Popen[bytes]":
    """Start an engine whose files are in *folder* and the cache. It makes networks for containers,
    and leaves the machine's own, its routes and its firewall alone; so containers reach one another
    and this machine, and nothing else.
    """
    (CACHE / "docker").mkdir(parents=True, exist_ok=True)
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(
            [
                "dockerd",
                *("--data-root", str(CACHE / "docker")),
                *("--exec-root", str(folder / "exec")),
                *("--pidfile", str(folder / "pid")),
                *("--host", f"unix://{folder}/socket"),
                *("--bridge", "none"),
                *("--iptables=false", "--ip6tables=false", "--ip-forward=false", "--ip-masq=false"),
            ],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            # A Ctrl-C is for the check, which then removes the containers.
            start_new_session=True,
        )


def _last_line(file: Path) -> str:
    return (file.read_text(errors="replace").splitlines() or ["it says nothing"])[-1]
