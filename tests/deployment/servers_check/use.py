"""What people and programs do with hosts behind a proxy, and what they must find."""

import json
import re
import time
from pathlib import Path

from tests.deployment.image_check import use
from tests.deployment.image_check.steps import expect, until
from tests.deployment.image_check.visitor import Visitor
from tests.deployment.servers_check.host import ADMIN_PASSWORD, NAME, SETTINGS, Host

#: The address that *NAME* leads to. A connection to it comes from it, too, so that a visitor is
#: told apart from a proxy.
VISITOR = "127.0.0.9"
SITE = f"https://{NAME}"
#: Asks Valkey, by the address of the settings, who holds the lease of the scheduler. Without a
#: name, valkey-cli would sign in as nobody.
GET_LEASE = f"""
url=$(sed --quiet s,^REDIS_URL=rediss://:,rediss://default:,p {SETTINGS})
valkey-cli -e -u "$url" --no-auth-warning \\
    --cacert /etc/ssl/certs/ca-certificates.crt get keepsake:scheduler:lease
"""
#: The folders to which a program may write that starts as the services do. What is below the
#: others does not stay, or is a /tmp of its own.
PRINT_WRITABLE = """
import glob, os
found = {os.path.realpath(it) for depth in (1, 2, 3) for it in glob.glob("/*" * depth)}
passing = ("/dev/", "/proc/", "/run/", "/sys/", "/tmp/", "/var/tmp/")
kept = [it for it in found if os.path.isdir(it) and not f"{it}/".startswith(passing)]
print("WRITABLE", *(it for it in kept if os.access(it, os.W_OK)))
"""


def program(key: str, authority: Path) -> Visitor:
    """Return a program with a key, at the proxy."""
    return Visitor(SITE, key=key, authority=authority)


def sign_in(authority: Path) -> tuple[Visitor, str]:
    """Sign in, and see that the proxy tells from where; return the browser, and what was found."""
    browser = Visitor(SITE, authority=authority)
    sign_in = browser.page("/accounts/login")
    expect(browser.files_of(sign_in) > 2, "the page has no styles and scripts")
    # What a client says about itself must not be believed.
    browser.page("/accounts/login", **{"X-Forwarded-For": "203.0.113.7"})
    browser.sign_in("admin", ADMIN_PASSWORD, **{"X-Forwarded-For": "203.0.113.7"})
    expect(all(cookie.secure for cookie in browser.cookies), "a cookie is sent by http too")
    sessions = browser.page("/account")
    found = set(re.findall(r"\b(?:\d+\.){3}\d+\b", sessions))
    expect(VISITOR in found and "203.0.113.7" not in found, f"sessions are from {found}")
    return browser, f"signed in from {VISITOR}"


def large_bodies(visitor: Visitor) -> str:
    """Upload 100 MB, and see what is too large."""
    row = json.dumps({"conversation": "big", "role": "user", "content": "word " * 200}) + "\n"
    use.upload(visitor, (row * (100 * 10**6 // len(row))).encode(), read=False)
    overload = visitor.overload("/api/memories", 4 * use.MEBIBYTE)
    return f"100 MB uploaded, 4 MB for a fact are {overload}"


def take_over(first: Host, second: Host) -> str:
    """Kill the worker that is the scheduler: the one of the other host takes over."""
    holder = scheduler(first)
    killed = first if first.name in holder else second
    other = second if killed is first else first
    killed.run("systemctl kill --signal SIGKILL keepsake-worker; systemctl stop keepsake-worker")
    began = time.monotonic()
    # As the page says, and what it takes to ask.
    until(lambda: other.name in scheduler(first), lambda: f"it is {scheduler(first)}", 22)
    took = time.monotonic() - began
    killed.run("systemctl start keepsake-worker")
    return f"{killed.name} is killed, {other.name} takes over after {took:.0f} s"


def scheduler(host: Host) -> str:
    """Return who holds the lease of the scheduler; empty if nobody does."""
    return host.run(GET_LEASE).strip()


def writable(host: Host) -> set[str]:
    """Return the folders to which the services may write what stays."""
    said = host.manage("shell", "--command", PRINT_WRITABLE)
    (found,) = re.findall(r"^WRITABLE(.*)$", said, re.MULTILINE)
    return set(found.split())
