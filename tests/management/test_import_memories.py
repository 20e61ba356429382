"""``manage.py import_memories``: output and effects."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from conversations.models import Import
from instances.models import Instance
from memoryapp.models import Memory
from tests.imports.files import backup, hosted

pytestmark = pytest.mark.django_db(transaction=True)


def test_memories_are_imported_with_a_summary(
    instance: Instance, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mem0.json"
    path.write_text(json.dumps(hosted()))
    summary = "Memories from mem0. 3 new, 0 new versions, 0 known already, 1 left out.\n"
    call_command("import_memories", str(path), instance="desk", dry_run=True)
    assert capsys.readouterr().out == summary
    assert not Memory.objects.exists()
    assert not Import.objects.exists()
    call_command("import_memories", str(path), instance="desk")
    output = capsys.readouterr()
    assert output.out == summary
    assert "Left out: memory 4: “memory” is missing or empty." in output.err
    assert Memory.objects.count() == 3
    assert Import.objects.get().state == Import.State.SUCCEEDED
    call_command("import_memories", str(path), instance="desk")
    assert "0 new, 0 new versions, 3 known already" in capsys.readouterr().out
    # The uploaded copies are deleted.
    assert [entry for entry in tmp_path.rglob("*") if entry.is_file()] == [path]


def test_columns_may_be_named(
    instance: Instance, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("a=b,c\nThe user rows on the lake.,9\n")
    call_command("import_memories", str(path), "--instance", "desk", "--column", "a=b=content")
    memory = Memory.objects.get()
    # Columns that are not named are left out.
    assert (memory.content, memory.importance) == ("The user rows on the lake.", 5)
    for wrong in ("a", "a=size", "=content"):
        with pytest.raises(CommandError, match=r"is not NAME=FIELD\. Fields are: content, "):
            call_command("import_memories", str(path), "--instance", "desk", "--column", wrong)


@pytest.mark.parametrize(
    ("name", "slug", "message"),
    [
        ("talk.jsonl", "desk", "No memories are in talk.jsonl. Accepted formats"),
        ("none.json", "desk", "No such file"),
        ("talk.jsonl", "shop", "There is no instance “shop”. There are: desk."),
        ("broken.zip", "desk", "damaged"),
    ],
)
def test_invalid_arguments_are_reported(
    instance: Instance, tmp_path: Path, name: str, slug: str, message: str
) -> None:
    (tmp_path / "talk.jsonl").write_text('{"role": "user", "content": "Hello."}\n')
    (tmp_path / "broken.zip").write_bytes(backup(packed=b"no gzip at all"))
    with pytest.raises(CommandError, match=message):
        call_command("import_memories", str(tmp_path / name), instance=slug)
    assert not Import.objects.exists()
    assert not Memory.objects.exists()
