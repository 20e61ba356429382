"""``manage.py import_conversations``: output and effects."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from conversations.models import Message
from instances.models import Instance
from memoryapp.models import Run

pytestmark = pytest.mark.django_db

SAMPLE = {
    "sample_id": "allotment",
    "conversation": {
        "speaker_a": "Rosa",
        "speaker_b": "Imre",
        "session_2_date_time": "1:56 pm on 8 May, 2023",
        "session_2": [
            {"speaker": "Rosa", "dia_id": "D2:1", "text": "I rented an allotment."},
            {"speaker": "Imre", "dia_id": "D2:2", "text": "How nice."},
            "bad",
        ],
    },
}


def test_conversations_are_imported_with_a_summary(
    instance: Instance, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "talk.json"
    path.write_text(json.dumps([SAMPLE]))
    call_command("import_conversations", str(path), instance=instance.slug)
    output = capsys.readouterr()
    assert output.out == (
        "LoCoMo-format JSON. 1 conversation: 2 messages added, 0 known already, 1 left out.\n"
    )
    assert "Left out: sample allotment, session 2, turn 3" in output.err
    call_command("import_conversations", str(path), instance=instance.slug)
    assert "0 messages added, 2 known already" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "slug", "message"),
    [
        ("talk.txt", "desk", "Accepted formats"),
        ("none.json", "desk", "No such file"),
        ("talk.txt", "shop", "There is no instance “shop”. There are: desk."),
    ],
)
def test_invalid_arguments_are_reported(
    instance: Instance, tmp_path: Path, name: str, slug: str, message: str
) -> None:
    (tmp_path / "talk.txt").write_text("hello")
    with pytest.raises(CommandError, match=message) as raised:
        call_command("import_conversations", str(tmp_path / name), instance=slug)
    assert raised.value.returncode == 1


def test_dry_run_changes_nothing(
    instance: Instance, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "talk.json"
    path.write_text(json.dumps([SAMPLE]))
    call_command("import_conversations", str(path), instance=instance.slug, dry_run=True)
    output = capsys.readouterr()
    assert "2 messages to add, 0 known already, 1 left out" in output.out
    assert "would take about 1 calls" in output.out
    assert not Message.objects.exists()


def test_built_in_reader_takes_no_calls(
    instance: Instance, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Instance.objects.update(builtin_reader=True)
    path = tmp_path / "talk.json"
    path.write_text(json.dumps([SAMPLE]))
    call_command("import_conversations", str(path), instance=instance.slug, dry_run=True)
    assert "takes no calls" in capsys.readouterr().out
    call_command("import_conversations", str(path), instance=instance.slug, read=True)
    assert Run.objects.count() == 1


@pytest.mark.parametrize("read", [False, True])
def test_imported_messages_are_read_for_facts_only_on_demand(
    read: bool, instance: Instance, tmp_path: Path
) -> None:
    path = tmp_path / "talk.json"
    path.write_text(json.dumps([SAMPLE]))
    if read:
        with pytest.raises(CommandError, match="No language model is set up"):
            call_command("import_conversations", str(path), instance=instance.slug, read=True)
    instance.memory_enabled, instance.provider = True, "ollama"
    instance.save()
    call_command("import_conversations", str(path), instance=instance.slug, read=read)
    assert Run.objects.count() == read
