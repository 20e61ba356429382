"""The page, from an empty server to two hosts, one heading after the other."""

import re
import time
from functools import partial
from pathlib import Path
from urllib.parse import quote

from tests.deployment.image_check import operate
from tests.deployment.image_check import use as usual
from tests.deployment.image_check.steps import Steps, expect, until
from tests.deployment.image_check.visitor import Visitor
from tests.deployment.servers_check import servers, use
from tests.deployment.servers_check.host import NAME, PAGE, Host, block

CADDYS_AUTHORITY = "/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt"
#: One with everything that the page tells to write otherwise in an address.
PASSWORD = "p4ss/w@rd#1%"
IN_ADDRESS = quote(PASSWORD, safe="")
MAKE_CERTIFICATE = (
    "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={name} "
    "-addext subjectAltName=DNS:{name} -keyout {key} -out {certificate} 2>/dev/null"
)


def one_host(steps: Steps, host: Host) -> None:
    """Go from an empty server to a page, and on to its upgrade."""
    steps.run("systemd", lambda: start(host))
    steps.run("units", lambda: units(host))
    steps.run("database", lambda: host.follow("3. Database") and "")
    steps.run("settings", host.fill_in)
    steps.run("services", lambda: services(host))
    steps.run("proxy: Caddy", lambda: caddy(host))
    key = usual.made_key(host.manage("shell", "--command", usual.MAKE_KEY))
    use_through(steps, host, "Caddy", key)
    steps.run("proxy: nginx", lambda: nginx(host))
    program = use_through(steps, host, "nginx", key)
    steps.run("import", lambda: usual.import_file(program))
    steps.run("is everything well", lambda: well(host))
    steps.run("backup", lambda: back_up(host, program))
    steps.run("upgrade", lambda: upgrade(host))
    steps.run("database away at the start", lambda: outage(host))
    steps.run("Redis in Valkey's place", lambda: redis(host, program))
    host.key = key


def use_through(steps: Steps, host: Host, proxy: str, key: str) -> Visitor:
    """Use the host through a proxy; return the program that does."""
    program = use.program(key, authority(host, proxy))
    steps.run(f"{proxy}: sign-in", lambda: use.sign_in(authority(host, proxy))[1])
    steps.run(f"{proxy}: store and search", lambda: usual.store(program))
    steps.run(f"{proxy}: MCP", lambda: usual.use_mcp(program))
    steps.run(f"{proxy}: chat", lambda: usual.chat(program))
    steps.run(f"{proxy}: large bodies", lambda: use.large_bodies(program))
    return program


def start(host: Host) -> str:
    """Start a machine."""
    host.start()
    return host.run("systemctl --version").splitlines()[0]


def units(host: Host) -> str:
    """See that systemd has nothing to say against the units."""
    said = host.run("systemd-analyze verify /etc/systemd/system/keepsake-*.service 2>&1")
    expect(said == "", f"systemd-analyze verify: {said}")
    found = host.run("systemd-analyze security --no-pager keepsake-web")
    (exposure,) = re.findall(r"Overall exposure level for keepsake-web.service: (\S+ \w+)", found)
    return f"nothing to say; exposure {exposure}"


def services(host: Host) -> str:
    """Start the services as the page says."""
    began = time.monotonic()
    host.follow("5. Services")
    took = time.monotonic() - began
    host.wait_until_ready()
    web = host.pid("keepsake-web")
    status = host.run(f"grep -E '^(Uid|CapEff|NoNewPrivs|Seccomp):' /proc/{web}/status").split()
    expect("0" * 16 in status, f"the web server has rights: {status}")
    expect(status[1] == host.run("id --user keepsake").strip(), f"the web server runs as {status}")
    found = use.writable(host)
    own = {"/var/lib/keepsake", "/var/lib/keepsake-erasures"}
    expect(found == own, f"the services may write to {sorted(found)}")
    return f"started after {took:.0f} s, and ready"


def caddy(host: Host) -> str:
    """Put Caddy in front."""
    host.follow("6. Proxy", 0)
    until(lambda: host.tried(f"test -s {CADDYS_AUTHORITY}")[0] == 0, "no certificate", 30)
    return host.run("caddy version").split()[0]


def nginx(host: Host) -> str:
    """Put nginx in Caddy's place."""
    files = {"key": "/etc/ssl/memory.key", "certificate": "/etc/ssl/memory.pem"}
    host.run(MAKE_CERTIFICATE.format(name=NAME, **files))
    host.run("systemctl disable --now caddy; systemctl enable nginx")
    host.follow("6. Proxy", 1)
    until(lambda: host.tried("curl --silent --insecure https://localhost/healthz")[0] == 0, "", 20)
    return host.run("nginx -v 2>&1").strip()


def authority(host: Host, proxy: str) -> Path:
    """Return the certificate that the certificate of a proxy is verified by."""
    path = CADDYS_AUTHORITY if proxy == "Caddy" else "/etc/ssl/memory.pem"
    return host.root / path[1:]


def well(host: Host) -> str:
    """Ask the host as the page says."""
    said = host.follow("Is everything well?")
    expect('"ready": true' in said, said[-600:])
    found = re.search(r"System check identified .+", said)
    expect(found and "no issues" in found[0], said[-600:])
    name, rows = "conversations.jsonl", b'{"role": "user", "content": "I like tea."}\n'
    hand_over = block("Is everything well?", 1).replace("FILE", name).replace("SLUG", "check")
    host.run(f"cd /root; cat > {name}\n{hand_over}", stdin=rows)
    return f"ready; {found[0] if found else ''} A file is imported."


def back_up(host: Host, program: Visitor) -> str:
    """Make a backup and restore it; a person is erased in between."""
    host.run("cd /root\n" + block("Backup"))
    person, content = "ana", "Ana keeps the boiler in her cellar."
    program.send("POST", "/api/memories", {"content": content, "user_id": person})
    operate.erase(program, usual.HARBOUR[0])
    host.run("cd /root\n" + block("Backup", 1))
    host.wait_until_ready()
    usual.finds(program, usual.WALNUTS, "what should Ana not eat?")
    kept = operate.facts_about(program, person)
    expect(content not in kept, "what came after the backup is still there")
    expect(operate.facts_about(program, usual.HARBOUR[0]) == [], "who was erased is back")
    return "the state of the backup is there, who was erased is not"


def upgrade(host: Host) -> str:
    """Change the code, and bring the host up to date."""
    template = host.repository / "templates" / "base.html"
    template.write_text(template.read_text().replace("</body>", "<!-- the next version --></body>"))
    host.commit()
    host.follow("Upgrades", 0)
    host.follow("Upgrades", 1)
    host.wait_until_ready()
    page = host.run(
        f"curl --silent --insecure --header Host:\\ {NAME} https://localhost/accounts/login"
    )
    expect("<!-- the next version -->" in page, f"the old version answers: {page[-300:]}")
    return "the next version answers"


def outage(host: Host) -> str:
    """Start the services while the database is away, and without it at a start of the machine."""
    host.run("systemctl stop keepsake-web keepsake-worker postgresql")
    code, said = host.tried("systemctl start keepsake-web")
    expect(code != 0 and "journalctl" in said, f"systemctl start = {code}: {said}")
    expect("The database does not answer" in host.journal("keepsake-web"), host.journal())
    host.run("systemctl start postgresql keepsake-worker")
    host.wait_until_ready()
    host.stop()
    host.start()
    host.wait_until_ready()
    return "said so, started with it; ready after a restart of the machine"


def redis(host: Host, program: Visitor) -> str:
    """Put Redis in Valkey's place for a while."""
    change = "systemctl disable --now {}; systemctl enable --now {}"
    host.run(change.format("valkey-server", "redis-server"))
    host.restart()
    done = usual.import_file(program)
    version = host.run("redis-server --version").split()[2]
    host.run(change.format("redis-server", "valkey-server"))
    return f"{version}; {done}"


def install_second(host: Host) -> str:
    """Install the second host as the page says."""
    left_out = {"postgresql", "postgresql-17-pgvector", "valkey-server", "caddy"}
    command = block("1. Packages")
    for name in left_out:
        command = re.sub(rf" {name}(?=\s)", "", command)
    host.run(command)
    host.get_code()
    return command.splitlines()[-1]


def two_hosts(steps: Steps, first: Host, second: Host) -> None:
    """Add a second host."""
    steps.run("Redis with a password and TLS", lambda: redis_by_tls(first))
    steps.run("a second host", lambda: add_second(first, second))
    program = use.program(first.key, authority(first, "nginx"))
    steps.run("both hosts answer", lambda: both_answer(first, second, "nginx"))
    steps.run(
        "imports by two hosts", lambda: " ".join({usual.import_file(program) for _ in "1234"})
    )
    steps.run("the scheduler is killed", lambda: use.take_over(first, second))
    steps.run("chat with two hosts", lambda: usual.chat(program))
    steps.run("both hosts behind Caddy", lambda: caddy_of_two(first, second))


def redis_by_tls(host: Host) -> str:
    """Give Valkey a password and TLS, as the page says."""
    files = {"key": "/etc/valkey/server.key", "certificate": "/etc/valkey/server.crt"}
    host.run(MAKE_CERTIFICATE.format(name="redis.local", **files))
    host.run(
        "chown valkey /etc/valkey/server.*; "
        "cp /etc/valkey/server.crt /usr/local/share/ca-certificates/; update-ca-certificates 2>&1"
    )
    lines = block("Redis with a password and TLS", 1).replace(" password", f" {PASSWORD}")
    host.run(
        "cat >> /etc/valkey/valkey.conf; systemctl restart valkey-server", stdin=lines.encode()
    )
    url = block("Redis with a password and TLS").partition("=")[2].strip()
    url = url.replace("password", IN_ADDRESS).replace("redis.example.org", "redis.local")
    # The log, so that requests can be counted in it.
    host.set(REDIS_URL=url, LOG_FORMAT="json")
    host.restart()
    expect(host.tried("valkey-cli ping")[1].strip() != "PONG", "it still listens without TLS")
    return url.replace(IN_ADDRESS, "…")


def add_second(first: Host, second: Host) -> str:
    """Follow the steps for a second host."""
    second.start()
    line = block("A second host").replace("10.0.0.0/24", "127.0.0.0/8")
    first.run("cat >> $(ls /etc/postgresql/*/main/pg_hba.conf)", stdin=line.encode())
    servers.ask(
        first,
        servers.OF_THE_HOST,
        f"ALTER ROLE keepsake PASSWORD '{PASSWORD}'",
        "SELECT pg_reload_conf()",
    )
    second.write("/etc/keepsake/keepsake.env", first.run("cat /etc/keepsake/keepsake.env"))
    trust(second, first, "/etc/valkey/server.crt")
    second.set(DATABASE_URL=verified(first, second), HOST=second.address)
    second.follow("5. Services")
    second.wait_until_ready()
    first.run(
        "sed --in-place 's/server 127.0.0.1:8000;/&\\n    server 127.0.0.2:8000;/' "
        "/etc/nginx/sites-available/keepsake; systemctl reload nginx"
    )
    until(lambda: first.metric("keepsake_workers") == 2, "there are not two workers", 20)
    until(lambda: first.metric("keepsake_schedulers") == 1, "there is not one scheduler", 70)
    return "two workers, one scheduler; an unknown certificate of the database is refused"


def verified(first: Host, second: Host) -> str:
    """Give PostgreSQL a certificate, and see that the second host verifies it; return the address
    for it.
    """
    files = {"key": "/etc/postgresql/server.key", "certificate": "/etc/postgresql/server.crt"}
    first.run(MAKE_CERTIFICATE.format(name="db.local", **files))
    first.run("chown postgres /etc/postgresql/server.*")
    servers.ask(
        first,
        servers.OF_THE_HOST,
        f"ALTER SYSTEM SET ssl_cert_file = '{files['certificate']}'",
        f"ALTER SYSTEM SET ssl_key_file = '{files['key']}'",
        "SELECT pg_reload_conf()",
    )
    (options,) = re.findall(r"`(sslmode=verify-full&.+?)`", PAGE)
    url = f"postgres://keepsake:{IN_ADDRESS}@db.local:5432/keepsake?{options}"
    _, said = second.migrate(url)
    expect("certificate verify failed" in said, f"a certificate of nobody's: {said[-600:]}")
    trust(second, first, files["certificate"])
    _, said = second.migrate(url.replace("db.local", "redis.local"))
    expect("does not match host name" in said, f"a certificate of another: {said[-600:]}")
    return url


def trust(host: Host, other: Host, certificate: str) -> None:
    """Let a host trust a certificate of another one."""
    name = certificate.strip("/").replace("/", "-")
    host.run(
        f"cat > /usr/local/share/ca-certificates/{name}; update-ca-certificates 2>&1",
        stdin=(other.root / certificate[1:]).read_bytes(),
    )


def caddy_of_two(first: Host, second: Host) -> str:
    """Put Caddy in nginx's place, and see that both hosts answer."""
    first.run(
        "systemctl disable --now nginx; "
        "sed --in-place 's/reverse_proxy 127.0.0.1:8000/& 127.0.0.2:8000/' /etc/caddy/Caddyfile; "
        "systemctl enable --now caddy"
    )
    return both_answer(first, second, "Caddy")


def both_answer(first: Host, second: Host, proxy: str) -> str:
    """Sign in once, and see that each host answers this browser."""

    def requests() -> list[int]:
        lines = (host.journal("keepsake-web", lines=5000) for host in (first, second))
        return [each.count('"path": "/memory"') for each in lines]

    before = requests()
    browser, _ = use.sign_in(authority(first, proxy))
    for _ in range(20):
        browser.page("/memory")
    counts = [now - then for now, then in zip(requests(), before, strict=True)]
    expect(all(counts), f"requests to each: {counts}")
    return f"one session, requests to each: {counts}"


def other_servers(steps: Steps, host: Host) -> None:
    """Try databases of other kinds."""
    steps.run("PgBouncer", lambda: pgbouncer(host))
    steps.run("PostgreSQL 15", lambda: servers.too_old(host, 15, 20015))
    for version in (16, 18):
        steps.run(f"PostgreSQL {version}", partial(servers.fit, host, version, 20000 + version))
    steps.run("PostgreSQL 17", lambda: servers.migrated(host, servers.OF_THE_HOST))


def pgbouncer(host: Host) -> str:
    """Put PgBouncer in between, as the page says."""
    program = use.program(host.key, authority(host, "Caddy"))
    servers.ask(host, servers.OF_THE_HOST, f"ALTER ROLE keepsake PASSWORD '{PASSWORD}'")
    url, configuration = (block("PgBouncer", it) for it in (0, 1))
    host.write("/etc/pgbouncer/pgbouncer.ini", configuration)
    host.write("/etc/pgbouncer/userlist.txt", f'"keepsake" "{PASSWORD}"\n')
    host.run("systemctl restart pgbouncer")
    url = url.partition("=")[2].strip().replace("password", IN_ADDRESS)
    host.set(DATABASE_URL=url)
    host.restart()
    usual.store(program)
    usual.import_file(program)
    usual.chat(program)
    usual.use_mcp(program)
    servers.ask(host, servers.OF_THE_HOST, "CREATE DATABASE two OWNER keepsake")
    servers.ask(host, servers.OF_THE_HOST, "CREATE EXTENSION vector", database="two")
    host.run(
        "sed --in-place 's/^keepsake = \\(.*\\)/&\\ntwo = \\1/' /etc/pgbouncer/pgbouncer.ini; "
        "systemctl reload pgbouncer"
    )
    said = servers.at_once(host, url.replace("/keepsake?", "/two?"))
    errors = host.journal("pgbouncer", lines=500).count("ERROR")
    expect(errors == 0, host.journal("pgbouncer"))
    return said
