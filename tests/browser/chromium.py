"""Start the browser: the system's Chromium if installed, else Playwright's own."""

import shutil
import subprocess
import sys

import pytest
from playwright.sync_api import Browser, Error, Playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    # Starting a process for each page takes longer than most tests.
    "--process-per-site",
    "--renderer-process-limit=1",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def launch(playwright: Playwright) -> Browser:
    """Start a browser, downloading one if necessary; if that fails, say what to do."""
    for name in _NAMES:
        if path := shutil.which(name):
            return playwright.chromium.launch(executable_path=path, args=_ARGUMENTS)
    try:
        return playwright.chromium.launch(args=_ARGUMENTS)
    except Error as error:
        if "Executable doesn't exist" not in error.message:
            raise
    fetched = subprocess.run(
        [sys.executable, "-m", "playwright", "install", "chromium"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    try:
        return playwright.chromium.launch(args=_ARGUMENTS)
    except Error as error:
        pytest.fail(
            f"The browser tests need a browser. There is none of {', '.join(_NAMES)} on the PATH, "
            "and Playwright's own could not be fetched and started. Install one (on Debian and "
            "Ubuntu: apt install chromium) and run the tests again.\n\n"
            f"{fetched.stdout[-2000:]}\n{error.message[-2000:]}",
            pytrace=False,
        )
