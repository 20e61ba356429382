"""How the modules of this package are run as programs."""

import os
import sys
from pathlib import Path

_PROJECT = Path(__file__).resolve().parents[3]
#: The variables that such a program gets: keys and addresses of the caller are not among them.
_KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX")
#: And those with these beginnings: how libraries are found, and how they compute.
_KEPT_PREFIXES = ("LD_", "DYLD_", "OPENBLAS_", "OMP_", "MKL_", "NPY_", "ORT_", "MALLOC_")


def command(module: str, *arguments: str) -> list[str]:
    """Return the command that runs *module* of this package."""
    # -P: not with the present folder among those from which modules are imported.
    return [sys.executable, "-P", "-m", f"{__package__}.{module}", *arguments]


def environment() -> dict[str, str]:
    """Return the environment variables for such a program."""
    found = {
        name: value
        for name, value in os.environ.items()
        if name in _KEPT or name.startswith(_KEPT_PREFIXES)
    }
    paths = [str(_PROJECT), os.environ.get("PYTHONPATH", "")]
    return found | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
