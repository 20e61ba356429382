"""The export: everything of the person, readable and machine-readable, and nothing of others."""

import io
import json
import random
import zipfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import PurePosixPath
from posixpath import normpath

import pytest

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.models import Instance
from memoryapp.people.export import archive_of, filename
from memoryapp.people.inventory import Person, counts_of
from tests.people.factories import WORDS

ANA = "ana@example.org"


@pytest.fixture
def archive(instance: Instance, ana: Conversation, ben: Conversation) -> zipfile.ZipFile:
    return read(Person.of(instance, ANA))


def read(person: Person) -> zipfile.ZipFile:
    archive = zipfile.ZipFile(io.BytesIO(b"".join(archive_of(person))))
    assert archive.testzip() is None
    return archive


def text_of(archive: zipfile.ZipFile, name: str) -> str:
    return archive.read(name).decode()


class Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.targets += [value or "" for name, value in attrs if name == "href"]


def links(archive: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    for name in archive.namelist():
        if name.endswith(".html"):
            parser = Links()
            parser.feed(text_of(archive, name))
            for target in parser.targets:
                yield name, target.partition("#")[0]


def test_every_table_is_a_file_of_json_lines(instance: Instance, archive: zipfile.ZipFile) -> None:
    lines = {
        PurePosixPath(name).name.removesuffix(".jsonl"): text_of(archive, name).splitlines()
        for name in archive.namelist()
        if name.startswith("data/")
    }
    counts = counts_of(Person.of(instance, ANA))
    assert {name: len(rows) for name, rows in lines.items()} == counts
    for rows in lines.values():
        assert all(isinstance(json.loads(row), dict) for row in rows)
    memory = json.loads(lines["memoryapp.Memory"][0])
    assert "Zanzibar" in memory["content"] and memory["end_user"] == ANA
    assert "search" not in memory


def test_pages_show_memories_with_history_turns_notes_and_the_rest(
    archive: zipfile.ZipFile, ana: Conversation
) -> None:
    memories = text_of(archive, "memories.html")
    assert "The user lives in Zanzibar with a Quokka." in memories
    assert "The user went to Zanzibar on a Quokka." in memories
    transcript = text_of(archive, f"conversations/{ana.pk}.html")
    assert "I went to Zanzibar." in transcript and "To hear an Ocarina?" in transcript
    assert "The Quokka sleeps." in text_of(archive, "notes.html")
    assert "Xanthippe" in text_of(archive, "graph.html")
    assert "Was in Zanzibar." in text_of(archive, "summary.html")
    assert "The Wolpertinger sings." in text_of(archive, "refused.html")
    assert "moved to the bin" in text_of(archive, "activity.html")


def test_links_lead_to_files_of_the_archive(archive: zipfile.ZipFile) -> None:
    targets = [normpath(PurePosixPath(page).parent / target) for page, target in links(archive)]
    assert len(targets) > 10
    assert set(targets) <= set(archive.namelist())


def test_nothing_of_others_is_in_it(
    archive: zipfile.ZipFile, instance: Instance, ben: Conversation
) -> None:
    assert f"conversations/{ben.pk}.html" not in archive.namelist()
    for name in archive.namelist():
        assert '"ben"' not in text_of(archive, name)


def test_secrets_in_what_was_said_are_masked(instance: Instance) -> None:
    said = Conversation.objects.create(instance=instance, end_user="cy", title="Cards")
    append(said, [NewMessage("user", "My card is 4111 1111 1111 1111.")])
    archive = read(Person.of(instance, "cy"))
    for name in archive.namelist():
        assert "1111" not in text_of(archive, name)
    assert "[REDACTED:CARD]" in text_of(archive, f"conversations/{said.pk}.html")
    assert "[REDACTED:CARD]" in text_of(archive, "data/conversations.Message.jsonl")


@pytest.mark.parametrize("end_user", ["../../etc/passwd", 'a"b\r\nSet-Cookie: x', "Ålice/京都", ""])
def test_names_are_safe_and_text_is_escaped(end_user: str, instance: Instance) -> None:
    said = Conversation.objects.create(
        instance=instance, end_user=end_user, title="<script>alert(1)</script>"
    )
    append(said, [NewMessage("user", "<img src=x onerror=alert(1)>", author="<b>me</b>")])
    person = Person.of(instance, end_user)
    assert filename(person).isascii()
    assert not set(filename(person)) & set('/\\"\r\n')
    archive = read(person)
    for name in archive.namelist():
        assert not name.startswith("/") and ".." not in name
        if name.endswith(".html"):
            page = text_of(archive, name)
            assert "<script>" not in page and "<img" not in page and "<b>me" not in page


def test_it_is_sent_piece_by_piece(instance: Instance) -> None:
    said = Conversation.objects.create(instance=instance, end_user="dan", title="Long")
    # Text that does not compress well, so that there is something to send.
    noise = random.Random(7)  # noqa: S311 - Not for a secret.
    append(
        said,
        [
            NewMessage("user", "".join(chr(noise.randrange(0x4E00, 0x9FFF)) for _ in range(20_000)))
            for _ in range(12)
        ],
    )
    pieces = list(archive_of(Person.of(instance, "dan")))
    assert len(pieces) > 4
    assert max(map(len, pieces)) < sum(map(len, pieces)) / 2


def test_words_of_the_person_are_in_the_export(archive: zipfile.ZipFile) -> None:
    whole = "".join(text_of(archive, name) for name in archive.namelist())
    # Of what was forgotten, nothing is exported.
    assert {word for word in WORDS if word not in whole} == {"Heliotrope"}
