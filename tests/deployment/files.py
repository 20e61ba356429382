"""Read the container files as Docker and Compose read them."""

import json
import os
import re
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent

#: A completed ``.env`` for a machine behind a proxy that terminates TLS.
FILLED_IN = {
    "SECRET_KEY": "0123456789abcdef" * 4,
    "ENCRYPTION_KEY": "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
    "POSTGRES_PASSWORD": "fedcba9876543210",
    "ADMIN_PASSWORD": "compiler-1952",
    "ALLOWED_HOSTS": "memory.example.org",
    "HTTPS": "true",
    "TRUST_PROXY": "true",
}


def compose(env_file: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run ``docker-compose`` on the project's file with this ``.env`` and no other variables."""
    with tempfile.NamedTemporaryFile("w", suffix=".env") as file:
        file.write(env_file)
        file.flush()
        return subprocess.run(
            [str(BIN / "docker-compose"), "--env-file", file.name, *arguments],
            cwd=PROJECT,
            env={"PATH": os.environ["PATH"], "HOME": "/nonexistent"},
            capture_output=True,
            text=True,
            check=False,
        )


@cache
def services(override: Path | None = None, /, **changed: str) -> dict[str, Any]:
    """Return the services as Compose reads them, with all variables substituted."""
    filled = "\n".join(f"{name}={value}" for name, value in (FILLED_IN | changed).items())
    files = ["--file", "docker-compose.yml", *(["--file", str(override)] if override else [])]
    result = compose(filled, *files, "config", "--format", "json")
    assert result.returncode == 0, result.stderr
    read: dict[str, Any] = json.loads(result.stdout)["services"]
    return read


def dockerfile() -> str:
    """Return the Dockerfile with each instruction on one line."""
    return re.sub(r"\s*\\\n\s*", " ", (PROJECT / "Dockerfile").read_text())


def instruction(name: str) -> list[str]:
    """Return the arguments of the last such instruction in the last stage."""
    *_, last = re.findall(rf"^{name} .*?(\[.+\])$", dockerfile(), re.MULTILINE)
    words: list[str] = json.loads(last)
    return words


def image_environment() -> dict[str, str]:
    """Return the environment variables of the image, except its PATH."""
    last_stage = dockerfile().rpartition("\nFROM ")[2]
    pairs = re.findall(r"(\w+)=(\S+)", " ".join(re.findall(r"^ENV (.+)$", last_stage, re.M)))
    return {name: value for name, value in pairs if name != "PATH"}


def project_files() -> list[str]:
    """Return the files of the project that a clone would have, and new ones, relative to it."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=PROJECT,
        capture_output=True,
        check=True,
    ).stdout.split(b"\0")
    return [name for name in filter(None, map(os.fsdecode, listed)) if (PROJECT / name).is_file()]


def without_programs(module: str) -> str:
    """The output of a check that is run where there are no programs at all: no ``docker``, and
    nothing that could install one. It must not fail.
    """
    result = subprocess.run(
        [sys.executable, "-m", module],
        cwd=PROJECT,
        env={"PATH": "/nonexistent"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout
