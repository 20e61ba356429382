"""The commands of ``docs/backup.md`` restore everything."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from psycopg import sql

from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance, SecretName
from instances.secrets import UnreadableSecret
from memoryapp.embedded.locations import find
from memoryapp.embedded.postgres import DATABASE, PostgresServer, find_binaries
from memoryapp.models import Origin
from memoryapp.pipeline import Candidate, Writer, remember
from tests.deployment.files import PROJECT
from tests.embedded.conftest import home, top
from tests.servers import Postgres

__all__ = ["home", "top"]

LOOK = """
import django, json; django.setup()
from instances.models import Instance, SecretName
from memoryapp.recall import recall
instance = Instance.objects.get(slug="desk")
try:
    key = instance.key_for("https://api.openai.com/v1", SecretName.CHAT_API_KEY)
except Exception as error:
    key = type(error).__name__
found = recall(instance, "what should I not cook?")
print(json.dumps({"key": key, "found": [hit.content for hit in found.hits]}))
"""


def documented_command(program: str) -> list[str]:
    """Return the command after ``docker compose exec …`` on the page that runs *program*."""
    page = (PROJECT / "docs" / "backup.md").read_text()
    (line,) = re.findall(
        rf"^docker compose exec -T postgres ({program} .+?)(?: [<>] \S+)?$", page, re.MULTILINE
    )
    return shlex.split(line)


def commands_with(word: str) -> list[str]:
    page = (PROJECT / "docs" / "backup.md").read_text()
    return [line for line in page.splitlines() if line.startswith(word)]


@pytest.fixture
def own_database(postgres: Postgres) -> Iterator[None]:
    """The database that the commands name, recreated after the test; no other test uses it."""
    yield
    with postgres.connect() as session:
        for name in ("before", "restored", DATABASE):
            session.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        session.execute(f"CREATE DATABASE {DATABASE}")


def local_command(words: list[str], socket_folder: Path) -> list[str]:
    """Return the same command for the test server, with the tools of its package."""
    tool, *rest = words
    return [str(find_binaries(None) / tool), "--host", str(socket_folder), *rest]


def everything(database: str, postgres: Postgres) -> dict[str, str]:
    """Return a checksum of the rows of every table."""
    with postgres.connect(database) as session:
        names = [
            row[0]
            for row in session.execute(
                "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
            )
        ]
        return {
            name: str(
                session.execute(
                    sql.SQL(
                        "SELECT count(*), md5(string_agg(t::text, '|' ORDER BY t::text)) FROM {} t"
                    ).format(sql.Identifier(name))
                ).fetchone()
            )
            for name in names
        }


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_dump_is_restored_completely(
    instance: Instance,
    conversation: Conversation,
    own_database: None,
    postgres: Postgres,
    tmp_path: Path,
) -> None:
    (outcome,) = remember(
        instance,
        [Candidate("The user is allergic to peanuts.")],
        Writer(Origin.MANUAL, Actor(via="test")),
    )
    secret = instance.secrets.create(name=SecretName.CHAT_API_KEY, token="", ending="")
    secret.seal("sk-kept-over-a-restore-1234", "https://api.openai.com/v1")
    secret.save()
    name = str(connection.settings_dict["NAME"])
    dumped, there_until_then = (everything(it, postgres) for it in (name, DATABASE))
    dump = tmp_path / "keepsake.dump"

    def execute(*words: str, **streams: object) -> None:
        result = subprocess.run(  # type: ignore[call-overload]  # Options vary.
            local_command(list(words), postgres.socket_folder),
            stderr=subprocess.PIPE,
            check=False,
            **streams,
        )
        assert result.returncode == 0, result.stderr

    *dumping, database = documented_command("pg_dump")
    assert database == DATABASE
    with dump.open("wb") as out:
        execute(*dumping, name, stdout=out)
    execute(*documented_command("createdb"))
    with dump.open("rb") as into:
        execute(*documented_command("pg_restore"), stdin=into)
    execute(*documented_command("psql"), stdout=subprocess.DEVNULL)
    assert everything(DATABASE, postgres) == dumped
    assert everything("before", postgres) == there_until_then != dumped
    execute(*documented_command("dropdb"))

    def look(**environment: str) -> dict[str, object]:
        result = subprocess.run(
            [sys.executable, "-c", LOOK],
            cwd=PROJECT,
            env=os.environ | environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 0, result.stderr
        output: dict[str, object] = json.loads(result.stdout)
        return output

    there = look()
    assert there["key"] == "sk-kept-over-a-restore-1234"
    assert outcome.memory.content in str(there["found"])
    lost = look(ENCRYPTION_KEY="MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
    assert lost["key"] == UnreadableSecret.__name__
    assert lost["found"] == there["found"], "more than the keys was lost"
    subprocess.run([sys.executable, "manage.py", "migrate", "--check"], cwd=PROJECT, check=True)


def test_copied_folder_of_a_stopped_server_is_a_backup(home: Path, top: Path) -> None:
    home = top / ".keepsake"
    with PostgresServer(home) as server:
        _run(server, "CREATE TABLE kept (word text)", "INSERT INTO kept VALUES ('peanuts')")
    (home / "encryption_key").write_text("a key")
    (create,), (extract,) = commands_with("tar --create"), commands_with("tar --extract")
    subprocess.run(shlex.split(create), cwd=top, check=True)
    place = find(home)
    home.rename(top / "in-the-way")
    subprocess.run(shlex.split(extract), cwd=top, check=True)
    assert find(home).account == place.account
    with PostgresServer(home) as server:
        assert _run(server, "SELECT word FROM kept") == [("peanuts",)]
    assert (home / "encryption_key").read_text() == "a key"


def _run(server: PostgresServer, *statements: str) -> list[tuple[object, ...]]:
    with Postgres(server.socket_folder).connect(DATABASE) as session:
        for statement in statements:
            result = session.execute(statement.encode())
        return result.fetchall() if result.description else []


def archiving_blocks() -> list[str]:
    """Return the commands of the page, block by block, that write a file."""
    page = (PROJECT / "docs" / "backup.md").read_text()
    blocks = re.findall(r"^```\n(.+?)^```$", page, re.MULTILINE | re.DOTALL)
    return [block for block in blocks if re.search(r" > \S|--create |pg_dump .*--file ", block)]


def test_backups_are_for_their_owner_only(tmp_path: Path) -> None:
    """Backups hold all memories, and some the keys: only their owner may read them."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("docker", "pg_dump"):
        program = programs / name
        # Writes where the real one would.
        program.write_text(
            '#!/bin/sh\nwhile [ $# -gt 1 ]; do [ "$1" = --file ] && echo > "$2"; shift; done'
        )
        program.chmod(0o755)
    blocks = archiving_blocks()
    assert {"docker", "tar", "pg_dump"} <= {
        line.split()[0] for it in blocks for line in it.split("\n") if line
    }
    for number, block in enumerate(blocks):
        folder = tmp_path / str(number)
        (folder / ".keepsake").mkdir(parents=True)
        result = subprocess.run(
            ["sh", "-c", f"umask 022\n{block}"],
            cwd=folder,
            env=os.environ | {"PATH": f"{programs}:{os.environ['PATH']}"},
            check=False,
        )
        assert result.returncode == 0, block
        written = [file for file in folder.iterdir() if file.is_file()]
        assert written, block
        assert {file.stat().st_mode & 0o077 for file in written} == {0}, block
