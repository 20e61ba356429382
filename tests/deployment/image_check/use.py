"""What people and programs do with an installation."""

import json
import re

from tests.deployment.image_check.installation import ADMIN_PASSWORD, Installation
from tests.deployment.image_check.model_server import ANSWER, PAUSE, PORT
from tests.deployment.image_check.steps import Failed, expect, until
from tests.deployment.image_check.visitor import Visitor

#: An instance with the language model of the check, and a key with every permission.
MAKE_KEY = f"""
from instances.models import ApiKey, Instance, Provider
from instances.models.keys import Permission
instance = Instance.objects.create(
    slug="check", name="Check", memory_enabled=True, provider=Provider.CUSTOM,
    base_url="http://model:{PORT}/v1", chat_model="scripted", fast_model="scripted",
)
key = ApiKey(instance=instance, name="check", scopes=[it.value for it in Permission])
print("KEY=" + key.make_secret())
key.save()
"""
#: Two facts, each of a person of its own.
WALNUTS = ("ana", "Ana is allergic to walnuts.")
HARBOUR = ("ben", "Ben keeps his boat in the old harbour.")
MEBIBYTE = 1 << 20


def read_pages(site: Installation) -> str:
    """Open the sign-in page in two languages, sign in, and open the screens."""
    browser = Visitor(f"http://localhost:{site.http}")
    sign_in = browser.page("/accounts/login")
    expect(browser.files_of(sign_in) > 2, "the page has no styles and scripts")
    german = browser.page("/accounts/login", language="de")
    expect("Anmelden" in german and 'lang="de"' in german, "a German browser is shown no German")
    browser.sign_in("admin", ADMIN_PASSWORD)
    screens = ["/memory", "/conversations", "/chat", "/status/usage"]
    files = sum(browser.files_of(browser.page(screen)) for screen in screens)
    return f"signed in; {len(screens)} screens with {files} styles, scripts and pictures; in German"


def make_key(site: Installation) -> Visitor:
    """Return a program with a key."""
    key = made_key(site.manage("shell", "--command", MAKE_KEY))
    return Visitor(f"http://localhost:{site.http}", key=key)


def made_key(output: str) -> str:
    """Return the key in the output of `MAKE_KEY`."""
    found = re.search(r"^KEY=(\S+)$", output, re.MULTILINE)
    if not found:
        raise Failed("no key was made")
    return found[1]


def store(program: Visitor) -> str:
    """Store two facts and find them."""
    for person, content in (WALNUTS, HARBOUR):
        answer = program.send("POST", "/api/memories", {"content": content, "user_id": person})
        expect(answer.status in (200, 201), f"storing: {answer.status} {answer.body[:300]}")
    return finds(program, WALNUTS, "what should Ana not eat?")


def finds(program: Visitor, fact: tuple[str, str], question: str) -> str:
    """Search for a fact that must be there."""
    person, content = fact
    answer = program.send("POST", "/api/search", {"q": question, "user_id": person})
    expect(
        content in answer.body,
        f"the search finds no “{content}”: {answer.status} {answer.body[:300]}",
    )
    return f"“{question}” finds “{content}”"


def import_file(program: Visitor) -> str:
    """Import conversations, which a worker reads."""
    cities = ("Munich", "Oslo", "Rome", "Lima")
    rows = [
        {
            "conversation": city,
            "id": f"{city}-{role}",
            "role": role,
            "content": content,
            "end_user": "cleo",
        }
        for city in cities
        for role, content in (
            ("user", f"I stayed in {city} for a month, and I liked the library there."),
            ("assistant", "How nice!"),
        )
    ]
    answer = upload(program, "\n".join(map(json.dumps, rows)).encode(), read=True)
    done = f"/api/imports/{answer['id']}"
    until(
        lambda: program.send("GET", done).json["state"] in ("succeeded", "failed", "cancelled"),
        lambda: f"the import is not done: {program.send('GET', done).body[:300]}",
    )
    expect(
        program.send("GET", done).json["state"] == "succeeded",
        f"the import failed: {program.send('GET', done).body[:500]}",
    )
    until(
        lambda: all(
            city
            in program.send(
                "POST", "/api/search", {"q": f"library in {city}", "user_id": "cleo"}
            ).body
            for city in cities
        ),
        "the imported conversations are not found",
    )
    until(
        lambda: len(program.send("GET", "/api/memories?user_id=cleo").json["items"]) >= len(cities),
        lambda: f"no facts are read from them: {program.send('GET', '/api/runs').body[:600]}",
    )
    return f"{len(rows)} messages imported, found, and read for facts"


def upload(program: Visitor, content: bytes, *, read: bool) -> dict[str, object]:
    """Send a file of conversations, and return the import."""
    answer = program.send(
        "POST",
        f"/api/imports?filename=a.jsonl&kind=conversations&read={str(read).lower()}",
        content,
        **{"Content-Type": "application/octet-stream"},
    )
    expect(
        answer.status in (200, 201, 202),
        f"the import is answered with {answer.status} {answer.body[:300]}",
    )
    found: dict[str, object] = answer.json
    return found


def use_mcp(program: Visitor) -> str:
    """List the tools by the Model Context Protocol, and call one."""

    def call(method: str, **params: object) -> str:
        answer = program.send(
            "POST",
            "/mcp",
            {"jsonrpc": "2.0", "id": 1, "method": method, "params": params},
            Accept="application/json, text/event-stream",
        )
        expect(
            answer.status == 200, f"{method} is answered with {answer.status} {answer.body[:300]}"
        )
        return answer.body

    call(
        "initialize",
        protocolVersion="2025-06-18",
        capabilities={},
        clientInfo={"name": "check", "version": "1"},
    )
    tools = call("tools/list")
    expect("search_memory" in tools, f"no search among the tools: {tools[:300]}")
    found = call(
        "tools/call", name="search_memory", arguments={"query": "Who is allergic to walnuts?"}
    )
    expect("walnuts" in found, f"the tool finds nothing: {found[:300]}")
    return "tools listed, and one called"


def chat(program: Visitor) -> str:
    """Chat by the endpoint of OpenAI's clients, and see the answer arrive word by word."""
    pieces = program.stream(
        "/v1/chat/completions",
        {
            "model": "scripted",
            "stream": True,
            "user": "ana",
            "messages": [{"role": "user", "content": "What should I not cook tonight?"}],
        },
    )
    words = [
        (seconds, choice["delta"].get("content") or "")
        for seconds, text in pieces
        if text != "[DONE]"
        for choice in json.loads(text).get("choices", [])
    ]
    said = "".join(word for _, word in words)
    expect(said == ANSWER, f"the answer is {said!r}")
    times = [seconds for seconds, word in words if word]
    expect(
        times[-1] - times[0] > PAUSE * len(ANSWER.split()) / 2,
        f"{len(times)} pieces arrive at once: {times}",
    )
    return (
        f"{len(times)} pieces, the first after {times[0]:.1f} s, the last after {times[-1]:.1f} s"
    )
