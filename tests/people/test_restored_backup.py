"""The list of erasures beside the backups: a restored backup forgets again."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from pytest_django import Settings

from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.models import Erasure, Memory
from memoryapp.people.erasure import ask_for_erasure
from memoryapp.people.inventory import HOLDINGS, Person, counts_of
from tests.people.conftest import work_off
from tests.people.factories import WORDS, create_person

ANA = "ana@example.org"


def applied(*args: object) -> str:
    out = io.StringIO()
    call_command("apply_erasures", *args, stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_there_is_a_list_to_copy_before_anybody_is_erased(erasures_dir: Path) -> None:
    assert "Nothing to apply" in applied()
    file = erasures_dir / "erasures.jsonl"
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("", 0o600)


@pytest.mark.django_db
def test_a_list_that_cannot_be_made_stops_no_start(
    settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An erasure waits for it, and says so."""
    (tmp_path / "taken").touch()
    settings.ERASURES_DIR = str(tmp_path / "taken")
    assert "Nothing to apply" in applied()
    assert "Erasures cannot be listed" in capsys.readouterr().err


@pytest.fixture
def restored(instance: Instance, alice: User, ana: Conversation) -> Instance:
    """The instance after a backup of before the erasure was restored."""
    by = Actor(alice)
    erasure = work_off(ask_for_erasure(instance, ANA, by=by, typed=ANA, with_rules=True))
    Erasure.objects.filter(pk=erasure.pk).delete()
    create_person(instance, ANA, author=alice)
    return instance


def test_the_list_names_nobody(restored: Instance, erasures_dir: Path) -> None:
    text = (erasures_dir / "erasures.jsonl").read_text()
    assert len(text.splitlines()) == 1
    assert json.loads(text)["slug"] == "desk"
    assert not any(word in text for word in (*WORDS, ANA))
    assert (erasures_dir / "erasures.jsonl").stat().st_mode & 0o077 == 0


def test_a_restored_person_is_erased_again(restored: Instance, ben: Conversation) -> None:
    assert "1 applied" in applied()
    kept = {holding.label for holding in HOLDINGS if holding.model is Erasure}
    assert counts_of(Person.of(restored, ANA)).keys() == kept
    assert Memory.objects.filter(end_user="ben").exists()
    erasure = Erasure.objects.get(asked_by="a restored backup")
    assert erasure.is_done and erasure.certificate["tables"]
    assert "Nothing to apply" in applied()


def test_an_id_that_was_joined_only_later_is_erased_too(restored: Instance, alice: User) -> None:
    """In the older database, the rows of the second id are still under that one."""
    restored.aliases.all().delete()
    Memory.objects.filter(end_user=ANA).update(end_user=f"{ANA}.old")
    applied()
    assert not Memory.objects.filter(end_user__startswith=ANA).exists()


def test_who_came_back_after_the_erasure_stays(
    instance: Instance, alice: User, ana: Conversation
) -> None:
    by = Actor(alice)
    work_off(ask_for_erasure(instance, ANA, by=by, typed=ANA, with_rules=True))
    instance.memories.create(content="Ana is back.", end_user=ANA)
    assert "Nothing to apply" in applied()
    assert Memory.objects.filter(end_user=ANA).exists()


def test_an_erasure_that_was_under_way_is_finished(
    instance: Instance, alice: User, ana: Conversation
) -> None:
    ask_for_erasure(instance, ANA, by=Actor(alice), typed=ANA, with_rules=False)
    applied()
    assert Erasure.objects.get(asked_by="alice").is_done


def test_without_a_list_there_is_nothing_to_do(db: None) -> None:
    assert "Nothing to apply" in applied()


def test_a_damaged_list_stops_it(db: None, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_text('{"erasure": "x"}\n')
    with pytest.raises(CommandError, match="Line 1"):
        applied(damaged)
    with pytest.raises(CommandError, match="cannot be read"):
        applied(tmp_path / "absent.jsonl")
