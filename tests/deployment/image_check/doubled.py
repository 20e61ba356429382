"""Two web containers and two workers behind the proxy with TLS, under load while Redis and
PostgreSQL go away and come back.
"""

import json
import threading
import time

from tests.deployment.image_check.installation import ADMIN_PASSWORD, Installation
from tests.deployment.image_check.operate import authority
from tests.deployment.image_check.steps import expect, until
from tests.deployment.image_check.use import MEBIBYTE, chat, upload
from tests.deployment.image_check.visitor import Visitor

#: The load: so many messages at most, with so many seconds between two.
MOST_MESSAGES = 600
PAUSE = 0.1


def start_doubled(site: Installation) -> str:
    """Start the proxy, and everything of ours twice."""
    site.set(
        COMPOSE_PROFILES="tls",
        ALLOWED_HOSTS="localhost",
        HTTPS="true",
        TRUST_PROXY="true",
        WEB_CONTAINERS="2",
        WORKER_CONTAINERS="2",
        PUBLISH=f"127.0.0.1:{site.http}-{site.second}",
        PUBLISH_HTTP=f"127.0.0.1:{site.redirecting}",
        PUBLISH_HTTPS=f"127.0.0.1:{site.https}",
    )
    site.compose("up", "--detach")
    site.wait_until_healthy()
    until(lambda: authority(site), "the proxy has no certificate")
    return f"{len(site.states())} containers"


def use_by_https(site: Installation, key: str) -> str:
    """Use it by https, as people and programs do; both web containers answer."""
    address = f"https://localhost:{site.https}"
    browser = Visitor(address, authority=authority(site))
    browser.sign_in("admin", ADMIN_PASSWORD)
    expect(all(cookie.secure for cookie in browser.cookies), "a cookie is sent by http too")
    for _ in range(20):
        browser.page("/memory")
    served = {
        name: sum('"path": "/memory"' in line for line in container_log(site, name))
        for name in site.states()
        if name.startswith("web-")
    }
    expect(len(served) == 2 and all(served.values()), f"requests to each container: {served}")
    program = Visitor(address, key=key, authority=authority(site))
    streamed = chat(program)
    row = json.dumps({"conversation": "big", "role": "user", "content": "word " * 200}) + "\n"
    content = (row * (30 * MEBIBYTE // len(row))).encode()
    upload(program, content, read=False)
    overload = program.overload("/api/memories", 4 * MEBIBYTE)
    return (
        f"requests to each container {sorted(served.values())}; chat: {streamed}; 30 MB uploaded, "
        f"4 MB for a fact are {overload}"
    )


def container_log(site: Installation, name: str) -> list[str]:
    """Return the lines of one container."""
    container = site.containers()[name]["Id"]
    done = site.engine.docker("logs", container)
    return [line for line in (done.stdout + done.stderr).splitlines() if line.startswith("{")]


class Load(threading.Thread):
    """Posts messages to one conversation, and remembers which were accepted."""

    def __init__(self, program: Visitor, conversation: int) -> None:
        super().__init__(daemon=True)
        self.accepted: list[str] = []
        self.refused: list[int | str] = []
        self._program = program
        self._path = f"/api/conversations/{conversation}/messages"
        self._ending = threading.Event()

    def run(self) -> None:
        for number in range(MOST_MESSAGES):
            if self._ending.wait(PAUSE):
                return
            role = "assistant" if number % 2 else "user"
            message = {
                "id": f"load-{number}",
                "role": role,
                "content": f"This is sentence {number}.",
            }
            try:
                answer = self._program.send("POST", self._path, {"messages": [message]})
            except OSError as error:
                self.refused.append(type(error).__name__)
                continue
            if answer.status < 300:
                self.accepted.append(message["id"])
            else:
                self.refused.append(answer.status)

    def end(self) -> None:
        self._ending.set()
        self.join(120)


def survive_outages(site: Installation, key: str) -> str:
    """Take Redis away for ten seconds, and restart PostgreSQL, while messages come in: those that
    were accepted are there afterwards, and are read.
    """
    program = Visitor(f"https://localhost:{site.https}", key=key, authority=authority(site))
    conversation = program.send("POST", "/api/conversations", {"user_id": "dora"}).json["id"]
    load = Load(program, conversation)
    load.start()
    try:
        until(
            lambda: len(load.accepted) > 20,
            lambda: f"accepted {load.accepted}, refused {load.refused}",
        )
        site.compose("stop", "redis")
        there = len(load.accepted)
        time.sleep(10)
        without_redis = len(load.accepted) - there
        site.compose("start", "redis")
        time.sleep(3)
        site.compose("restart", "postgres")
        after_restart = len(load.accepted)
        until(
            lambda: len(load.accepted) > after_restart + 20 or not load.is_alive(),
            lambda: f"nothing is accepted any more: {load.refused[-5:]}",
        )
    finally:
        load.end()
    expect(len(load.accepted) > after_restart, f"nothing is accepted any more: {load.refused[-5:]}")
    expect(set(load.refused) <= {502, 503, 504}, f"answers in between: {set(load.refused)}")
    lost = set(load.accepted) - message_ids(program, conversation)
    expect(not lost, f"{len(lost)} accepted messages are lost")
    about = f"/api/conversations/{conversation}"
    last = {"role": "assistant", "content": "Good night."}
    program.send("POST", f"{about}/messages", {"messages": [last]})
    until(
        lambda: program.send("GET", about).json["state"] == "read",
        lambda: f"not all are read: {program.send('GET', about).body}",
        240,
    )
    site.wait_until_healthy()
    return (
        f"{len(load.accepted)} messages accepted, {without_redis} of them without Redis; "
        f"{len(load.refused)} refused; none lost, all read"
    )


def message_ids(program: Visitor, conversation: int) -> set[str]:
    """Return the ids that the sender gave to the messages of a conversation."""
    found: set[str] = set()
    cursor = ""
    while True:
        path = f"/api/conversations/{conversation}/messages?limit=100{cursor}"
        page = program.send("GET", path).json
        found |= {item["external_id"] for item in page["items"]}
        if not page["next"]:
            return found
        cursor = f"&cursor={page['next']}"
