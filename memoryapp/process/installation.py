"""The installation that this code is part of: a copy of the project, or a package."""

from pathlib import Path

import platformdirs

ROOT = Path(__file__).resolve().parents[2]
#: True for an installed package: it has no ``manage.py``, but a command of its own.
IS_PACKAGE = not (ROOT / "manage.py").exists()
#: The folder with templates, static files and translations; a package holds them with the code.
FILES = ROOT / "memoryapp" if IS_PACKAGE else ROOT
#: How people call the command line, and start everything.
COMMAND = "keepsake" if IS_PACKAGE else "manage.py"
START = "keepsake" if IS_PACKAGE else "make run"


def default_home() -> Path:
    """The folder of what an installation writes, if no setting names one: in the project, or among
    the data of the user.
    """
    return platformdirs.user_data_path("keepsake") if IS_PACKAGE else ROOT / ".keepsake"
