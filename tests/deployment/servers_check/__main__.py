"""``python -m tests.deployment.servers_check``: see the package."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from tests.deployment.image_check.base_images import SUITE
from tests.deployment.image_check.steps import Failed, Steps
from tests.deployment.servers_check import servers, use, walk
from tests.deployment.servers_check.host import NAME, Host, laid
from tests.deployment.servers_check.machine import cut_off, debian

#: The programs that make machines, and the packages of Debian that have them.
NEEDED = {
    "debootstrap": "debootstrap",
    "unshare": "util-linux",
    "nsenter": "util-linux",
    "ip": "iproute2",
    "git": "git",
}
#: More than the page asks for at first: what it tells about later.
FURTHER = "apt-get install --yes nginx pgbouncer redis-server"


def main() -> int:
    """Run all steps; return the exit code."""
    if missing := lacking():
        print(f"left out: {missing} Nothing was checked.")
        return 0
    steps = Steps()
    # A check that is ended from outside cleans up, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("servers-check: ended"))
    # Not below /tmp, which may be in memory.
    with tempfile.TemporaryDirectory(prefix="keepsake-servers-check-", dir="/var/tmp") as folder:
        try:
            check(steps, Path(folder))
        except Failed as error:
            print(f"servers-check: failed at “{error}” after {steps.seconds:.0f} s")
            return 1
    print(f"servers-check: {steps.passed} steps passed in {steps.seconds:.0f} s")
    return 0


def check(steps: Steps, folder: Path) -> None:
    """Make the machines, then start them in a network that leads nowhere."""
    steps.run("an empty Debian", lambda: str(debian(SUITE)))
    for version in (*servers.OF_PYTHON, *servers.OF_DEBIAN):
        steps.run(f"PostgreSQL {version}", partial(fetch_server, version))
    first, second = (laid(name, folder, debian(SUITE)) for name in ("first", "second"))
    steps.run("packages", lambda: first.follow("1. Packages") and "")
    steps.run("code", first.get_code)
    steps.run("what is tried besides", lambda: install_further(first))
    steps.run("packages and code of a second host", lambda: walk.install_second(second))
    use_them(steps, first, second)


def fetch_server(version: int) -> str:
    """Have a server of PostgreSQL in the cache; return where."""
    return str(servers.fetch(version).root)


def install_further(host: Host) -> str:
    """Install what is told about later, which does not start by itself."""
    host.run(f"{FURTHER}; systemctl disable nginx pgbouncer redis-server")
    return FURTHER


def use_them(steps: Steps, first: Host, second: Host) -> None:
    """Start the machines in a network that leads nowhere, and use them."""
    second.address = "127.0.0.2"
    names = {use.VISITOR: NAME, "127.0.0.1": "localhost"}
    cut_off("".join(f"{address} {name}\n" for address, name in names.items()))
    subprocess.run(["ip", "address", "add", f"{use.VISITOR}/32", "dev", "lo"], check=True)
    model = subprocess.Popen([sys.executable, "-m", "tests.deployment.image_check.model_server"])
    try:
        walk.one_host(steps, first)
        walk.two_hosts(steps, first, second)
        walk.other_servers(steps, first)
    except Failed:
        report(first, second)
        raise
    finally:
        first.stop()
        second.stop()
        model.terminate()
        model.wait()


def report(*hosts: Host) -> None:
    """Print the last lines of each host that runs."""
    for host in hosts:
        print(f"--- {host.name}", host.tried("journalctl --lines 60 --no-pager")[1], sep="\n")


def lacking() -> str:
    """Return what is missing for the check, as a sentence; empty if nothing is."""
    if os.geteuid() != 0:
        return "Only root can make machines."
    missing = sorted({package for it, package in NEEDED.items() if not shutil.which(it)})
    return f"Install first: {', '.join(missing)}." if missing else ""


if __name__ == "__main__":
    sys.exit(main())
