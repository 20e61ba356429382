"""What the operator of an installation does: looks at its containers, stops and upgrades it, and
restores a backup.
"""

import json
import re
from pathlib import Path
from typing import Any

from tests.deployment.image_check import pages
from tests.deployment.image_check.installation import NAME, Installation
from tests.deployment.image_check.steps import expect, until
from tests.deployment.image_check.use import HARBOUR, WALNUTS, finds
from tests.deployment.image_check.visitor import Visitor

AFTERWARDS = ("ana", "Ana keeps the boiler in her cellar.")
#: What a container is asked about itself.
LOOK = """
id -u
touch /app/x 2>/dev/null && echo app-is-writable
touch /data/x /tmp/x && rm /data/x /tmp/x && echo data-is-writable
grep -E '^(CapEff|NoNewPrivs):' /proc/1/status
"""


def build(site: Installation) -> str:
    """Build the image."""
    site.compose("build", "--quiet", seconds=1800)
    (found,) = json.loads(site.engine.docker("image", "inspect", NAME).stdout)
    return f"{found['Size'] / 1e6:.0f} MB"


def start(site: Installation) -> str:
    """Start it for the first time."""
    site.compose("up", "--detach")
    site.wait_until_healthy()
    ready(site)
    state = site.containers()["migrate-1"]["State"]
    began, ended = (state[it][11:19] for it in ("StartedAt", "FinishedAt"))
    return f"{len(site.states())} containers; migrate ran from {began} to {ended}"


def ready(site: Installation) -> None:
    """Wait until everything answers: the web server, its database, its queue, a worker."""
    visitor = Visitor(f"http://localhost:{site.http}")

    def state() -> dict[str, Any]:
        try:
            found: dict[str, Any] = visitor.send("GET", "/readyz").json
        except (OSError, ValueError) as error:
            return {"error": str(error)}
        return found

    until(
        lambda: (
            (found := state()).get("ready")
            and found["worker"]["alive"]
            and found["scheduler"]["alive"]
        ),
        lambda: f"/readyz says {state()}; {site.states()}",
        180,
    )


def look_at_containers(site: Installation) -> str:
    """See that containers are limited and have no rights that they do not need."""
    found = site.containers()
    for name, it in found.items():
        host = it["HostConfig"]
        service = name.rpartition("-")[0]
        if service == "model":
            continue
        expect(host["PidsLimit"], f"{name} may start any number of processes")
        expect(host["Memory"] or service in ("migrate", "proxy"), f"{name} may take all memory")
        expect("no-new-privileges:true" in host["SecurityOpt"], f"{name} may gain privileges")
        if service != "postgres":
            expect(host["ReadonlyRootfs"], f"{name} may write to its image")
        if service in ("web", "worker", "migrate"):
            expect(it["Config"]["User"] == "10001:10001", f"{name} runs as {it['Config']['User']}")
    for service in ("web", "worker"):
        said = site.compose("exec", "--no-TTY", service, "sh", "-c", LOOK).split()
        expect(
            said == ["10001", "data-is-writable", "CapEff:", "0" * 16, "NoNewPrivs:", "1"],
            f"{service} says {said}",
        )
    open_to_others = [
        f"{name}: {port}"
        for name, it in found.items()
        for ports in (it["HostConfig"]["PortBindings"] or {}).values()
        for port in ports
        if port["HostIp"] != "127.0.0.1"
    ]
    expect(not open_to_others, f"others can reach {open_to_others}")
    stores = json.loads(site.engine.docker("network", "inspect", f"{NAME}_stores").stdout)
    expect(stores[0]["Internal"], "the databases have a way out")
    used = site.engine.docker("stats", "--no-stream", "--format", "{{.Name}} {{.MemUsage}}").stdout
    memory = re.findall(rf"{NAME}-(\w+-\d+) (\S+)", used)
    return ", ".join(f"{name} {amount}" for name, amount in sorted(memory))


def check_deploy(site: Installation) -> str:
    """Run the documented check of the settings, which has one thing to say about plain http."""
    done = site.engine.docker(
        *("compose", "--project-name", NAME, "run", "--rm", "--no-deps", "--no-TTY"),
        *("web", "python", "manage.py", "check", "--deploy"),
        cwd=site.folder,
    )
    ids = re.findall(r"\((\w+\.[EW]\d+)\)", done.stdout + done.stderr)
    is_https = "\nHTTPS=true" in (site.folder / ".env").read_text()
    expect(ids == ([] if is_https else ["keepsake.W006"]), f"it says {ids}: {done.stderr[-500:]}")
    return "nothing is wrong" if is_https else "says that HTTPS is off, once"


def restart(site: Installation, program: Visitor) -> str:
    """End all containers and start them again."""
    site.compose("down")
    expect(not site.states(), "containers are left")
    site.compose("up", "--detach")
    ready(site)
    return finds(program, WALNUTS, "what should Ana not eat?")


def upgrade(site: Installation) -> str:
    """Change the code, and bring the installation up to date as the page says."""
    template = site.folder / "templates" / "base.html"
    text = template.read_text()
    template.write_text(text.replace("</body>", "<!-- the next version --></body>"))
    expect("<!-- the next version -->" in template.read_text(), "the page has no end")
    command = pages.upgrade_command(site.page("deploy"))
    site.shell(command, seconds=1200)
    ready(site)
    page = Visitor(f"http://localhost:{site.http}").page("/accounts/login")
    expect("<!-- the next version -->" in page, "the old version answers")
    return command


def back_up_and_restore(site: Installation, program: Visitor) -> str:
    """Follow the page on backups, word by word; a person is erased between backup and restore, and
    the list of erasures is lost, as on a new machine.
    """
    back_up, restore, clear = pages.backup_commands(site.page("backup"))
    copy_list = pages.list_command(site.page("backup"))
    site.shell(copy_list)
    expect((site.folder / "erasures.jsonl").read_text() == "", "the list of erasures is not empty")
    site.shell(back_up)
    dump = site.folder / "keepsake.dump"
    expect(dump.stat().st_mode & 0o077 == 0, "the backup is for others to read")
    person, content = AFTERWARDS
    program.send("POST", "/api/memories", {"content": content, "user_id": person})
    erase(program, HARBOUR[0])
    site.shell(copy_list)
    site.compose("exec", "--no-TTY", "web", "rm", "--recursive", "/data/erasures")
    site.shell(pages.place_list_command(site.page("backup")))
    site.shell(restore, seconds=600)
    ready(site)
    finds(program, WALNUTS, "what should Ana not eat?")
    kept = {person: facts_about(program, person) for person in (AFTERWARDS[0], HARBOUR[0])}
    expect(AFTERWARDS[1] not in kept[AFTERWARDS[0]], "what came after the backup is still there")
    expect(kept[HARBOUR[0]] == [], "who was erased is back")
    site.shell(clear)
    return (
        f"{dump.stat().st_size >> 10} kB; the state of the backup is there, who was erased is not"
    )


def erase(program: Visitor, person: str) -> None:
    """Erase a person, and wait until it is done."""
    asked = program.send("POST", "/api/people/erasures", {"user_id": person, "confirm": person})
    expect(asked.status == 202, f"the erasure is answered with {asked.status} {asked.body[:300]}")
    done = f"/api/people/erasures/{asked.json['id']}"
    until(lambda: program.send("GET", done).json["state"] == "done", "the erasure is not done")


def facts_about(program: Visitor, person: str) -> list[str]:
    """Return what is known about a person."""
    items = program.send("GET", f"/api/memories?user_id={person}").json["items"]
    return [str(item["content"]) for item in items]


def read_logs(site: Installation) -> str:
    """See that logs can be read by machines, and hold no texts and secrets."""
    env = (site.folder / ".env").read_text()
    secrets = [
        value.strip("'") for value in re.findall(r"^\w*(?:KEY|PASSWORD)=(.+)$", env, re.MULTILINE)
    ]
    lines = {service: site.logs(service) for service in ("web", "worker", "postgres")}
    plain = [
        line
        for service in ("web", "worker")
        for line in lines[service]
        if not line.startswith("{") and not line.startswith("worker: ")
    ]
    expect(not plain, f"{len(plain)} lines are no JSON: {plain[:5]}")
    for text in (*secrets, WALNUTS[1], AFTERWARDS[1]):
        expect(
            not any(text in line for found in lines.values() for line in found),
            "the log holds a text or a secret",
        )
    return ", ".join(f"{len(found)} lines of {service}" for service, found in lines.items())


def authority(site: Installation) -> Path:
    """Return the certificate of the proxy's own authority."""
    file = site.folder / "root.pem"
    site.compose("cp", "proxy:/data/caddy/pki/authorities/local/root.crt", str(file))
    return file
