"""What people and programs do with hosts behind a proxy, and what they must find."""

import json
import re
from pathlib import Path

from tests.deployment.image_check import use
from tests.deployment.image_check.steps import expect, until
from tests.deployment.image_check.visitor import Visitor
from tests.deployment.servers_check.host import ADMIN_PASSWORD, NAME, Host

#: The address that *NAME* leads to. A connection to it comes from it, too, so that a visitor is
#: told apart from a proxy.
VISITOR = "127.0.0.9"
SITE = f"https://{NAME}"
PRINT_LEASE = """
from memoryapp.scheduler import _LEASE
from memoryapp.telemetry.redis_store import client
print("LEASE", (client().get(_LEASE) or b"").decode())
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
    try:
        too_much = visitor.send("POST", "/api/memories", b"x" * (4 * use.MEBIBYTE)).status
    except OSError:
        # The proxy has closed the connection before all of it was sent.
        too_much = visitor.send("GET", "/healthz").status
        expect(too_much == 200, f"afterwards: {too_much}")
        return "100 MB uploaded, 4 MB for a fact are cut off"
    expect(too_much == 413, f"4 MB for a fact are answered with {too_much}")
    return "100 MB uploaded, 4 MB for a fact are refused"


def take_over(first: Host, second: Host) -> str:
    """Kill the worker that is the scheduler: the one of the other host takes over."""
    holder = scheduler(first)
    killed = first if first.name in holder else second
    killed.run("systemctl kill --signal SIGKILL keepsake-worker; systemctl stop keepsake-worker")
    until(lambda: scheduler(first) not in ("", holder), "no other one takes over", 40)
    other = second if killed is first else first
    expect(other.name in scheduler(first), f"the scheduler is {scheduler(first)}")
    killed.run("systemctl start keepsake-worker")
    return f"{killed.name} is killed, {other.name} takes over"


def scheduler(host: Host) -> str:
    """Return who holds the lease of the scheduler; empty if nobody does."""
    said = host.manage("shell", "--command", PRINT_LEASE)
    (found,) = re.findall(r"^LEASE ?(.*)$", said, re.MULTILINE)
    return str(found).strip()
