"""The image by itself, as one container with one volume."""

import json
import re
import time

from tests.deployment.image_check import pages
from tests.deployment.image_check.installation import NAME, Installation
from tests.deployment.image_check.steps import expect, until
from tests.deployment.image_check.visitor import Visitor

CONTAINER = f"{NAME}-alone"


def use_alone(site: Installation) -> str:
    """Start the image as the page says, sign in, start it anew with the same volume, and end it."""
    command = pages.alone_command(site.page("deploy"))
    for documented, own in (
        # The check's engine has no default network.
        ("--name keepsake", f"--name {CONTAINER} --network {CONTAINER}"),
        ("127.0.0.1:8000:8000", f"127.0.0.1:{site.http}:8000"),
        ("keepsake:/data", f"{CONTAINER}:/data"),
    ):
        expect(documented in command, f"the command has no {documented}")
        command = command.replace(documented, own)
    expect(command.endswith(" keepsake"), "the command does not end with the image")
    command = f"{command.removesuffix(' keepsake')} {NAME}"
    site.engine.docker("network", "create", CONTAINER)
    try:
        began = time.monotonic()
        site.shell(command)
        password = said(site, r"Password +(\S+) ")
        seconds = time.monotonic() - began
        visitor = Visitor(f"http://localhost:{site.http}")
        visitor.sign_in("admin", password)
        expect("Demo" in visitor.page("/"), "the demo is not there")
        site.engine.docker("rm", "--force", CONTAINER)
        site.shell(command)
        said(site, r"(as before) ")
        visitor.sign_in("admin", password)
        end(site)
    finally:
        site.engine.docker("rm", "--force", "--volumes", CONTAINER)
        site.engine.docker("volume", "rm", "--force", CONTAINER)
        site.engine.docker("network", "rm", CONTAINER)
    return f"ready after {seconds:.0f} s"


def said(site: Installation, pattern: str) -> str:
    """Wait until the container has printed what matches *pattern*; return its group."""
    found: list[str] = []

    def look() -> list[str]:
        printed = site.engine.docker("logs", CONTAINER)
        found.extend(re.findall(pattern, printed.stdout))
        return found

    until(look, lambda: site.engine.docker("logs", CONTAINER).stdout[-2000:], 300)
    return found[0]


def end(site: Installation) -> None:
    """Stop the container, which must end in time and by itself."""
    site.engine.docker("stop", "--time", "30", CONTAINER)
    (found,) = json.loads(site.engine.docker("inspect", CONTAINER).stdout)
    expect(found["State"]["ExitCode"] == 0, f"it ended with {found['State']['ExitCode']}")
    expect(
        "The next start finds everything" in site.engine.docker("logs", CONTAINER).stdout,
        "it was killed",
    )
