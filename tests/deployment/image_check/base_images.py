"""The images that others publish; where no registry answers, stand-ins of Debian's packages."""

import hashlib
import re
import subprocess
import tempfile
from pathlib import Path

from tests.deployment.files import PROJECT
from tests.deployment.image_check.engine import Engine
from tests.deployment.image_check.steps import Failed

STAND_INS = Path(__file__).parent / "stand_ins"
#: The release of Debian on which the published images stand.
SUITE = "trixie"
#: Which stand-in is for which variable of ``.env``.
STAND_IN_FOR = {
    "PYTHON_IMAGE": "keepsake-check/python",
    "POSTGRES_IMAGE": "keepsake-check/servers",
    "REDIS_IMAGE": "keepsake-check/servers",
    "PROXY_IMAGE": "keepsake-check/servers",
}


def published() -> dict[str, str]:
    """Return the images that ``docker-compose.yml`` names, by the variable that replaces them."""
    text = (PROJECT / "docker-compose.yml").read_text()
    return dict(re.findall(r"\$\{(\w+_IMAGE):-([^}]+)\}", text))


def can_pull(engine: Engine) -> bool:
    """Return whether the published images are here or can be had."""
    return all(
        engine.has(image) or engine.docker("pull", "--quiet", image).returncode == 0
        for image in published().values()
    )


def make_stand_ins(engine: Engine) -> bool:
    """Make the stand-ins, unless those of the same description are there; return whether it did."""
    tag = hashlib.sha256(
        b"".join(file.read_bytes() for file in sorted(STAND_INS.iterdir()))
    ).hexdigest()[:12]
    names = sorted(set(STAND_IN_FOR.values()))
    missing = [name for name in names if not engine.has(f"{name}:{tag}")]
    if missing and not engine.has("keepsake-check/debian"):
        _import_debian(engine)
    for name in missing:
        file = STAND_INS / f"{name.rpartition('/')[2]}.Dockerfile"
        # By the network of this machine: an engine of our own gives containers no way out.
        built = engine.docker(
            *("build", "--network", "host", "--tag", f"{name}:{tag}", "--file", str(file)),
            str(STAND_INS),
        )
        if built.returncode != 0:
            raise Failed(f"{name} cannot be built: {(built.stdout + built.stderr)[-600:]}")
    for name in names:
        engine.docker("tag", f"{name}:{tag}", name)
    return bool(missing)


def _import_debian(engine: Engine) -> None:
    with tempfile.TemporaryDirectory(prefix="keepsake-debian-") as folder:
        made = subprocess.run(
            ["debootstrap", "--variant=minbase", SUITE, f"{folder}/root", mirror()],
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode != 0:
            raise Failed(f"debootstrap: {made.stdout[-400:]}{made.stderr[-400:]}")
        archive = f"{folder}/root.tar"
        with open(archive, "wb") as into:
            subprocess.run(
                ["tar", "--create", "--exclude=*.deb", "--directory", f"{folder}/root", "."],
                stdout=into,
                check=True,
            )
        imported = engine.docker("import", archive, "keepsake-check/debian")
        if imported.returncode != 0:
            raise Failed(f"docker import: {imported.stderr}")


def mirror() -> str:
    """Return the mirror from which this machine has its packages."""
    sources = [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]
    for file in sources:
        if file.suffix not in (".list", ".sources") or not file.is_file():
            continue
        if found := re.search(
            r"^(?:URIs:|deb\s+(?:\[.*?\]\s*)?)\s*(\S+/debian)/?\s*", file.read_text(), re.MULTILINE
        ):
            return found[1]
    raise Failed("no mirror of Debian's in /etc/apt")
