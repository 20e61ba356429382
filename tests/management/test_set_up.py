"""What ``manage.py run`` and ``manage.py set_up`` do to the database before a server starts."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from instances.models import User
from memoryapp.models import Memory
from memoryapp.serving.set_up import set_up

pytestmark = pytest.mark.django_db(transaction=True)


def test_empty_database_gets_a_demo_and_an_account() -> None:
    reports: list[dict[str, Any]] = []
    login, changed = set_up(reports.append, demo=True)
    assert changed
    assert (login.name, bool(login.password)) == ("admin", True)
    assert User.objects.get(username=login.name).check_password(login.password or "")
    assert Memory.objects.exists()
    assert [step["begins"] for step in reports if "begins" in step] == ["Database", "Demo"]
    assert sum("took" in step for step in reports) == 2


def test_later_start_only_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    User.objects.create_superuser("grace")
    commands: list[str] = []

    def note(name: str, **given: Any) -> None:
        commands.append(name)
        call_command(name, **given)

    monkeypatch.setattr("memoryapp.serving.set_up.call_command", note)
    login, changed = set_up(lambda report: None, demo=True)
    assert not changed
    assert (login.name, login.password) == ("grace", None)
    assert not Memory.objects.exists()
    # Whom an older database brings back is erased at each start.
    assert commands == ["apply_erasures"]


def test_missing_migration_is_made_up_for(monkeypatch: pytest.MonkeyPatch) -> None:
    User.objects.create_superuser("grace")
    commands: list[str] = []
    monkeypatch.setattr(
        "memoryapp.serving.set_up.call_command", lambda name, **given: commands.append(name)
    )
    plan = [("a migration", False)]
    monkeypatch.setattr(
        "django.db.migrations.executor.MigrationExecutor.migration_plan", lambda *_: plan
    )
    _, changed = set_up(lambda report: None, demo=False)
    assert changed
    assert commands == ["migrate", "apply_erasures"]


def test_unreadable_list_of_erasures_stops_the_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "erasures.jsonl").write_text("no list\n")
    monkeypatch.setattr("django.conf.settings.ERASURES_DIR", str(tmp_path))
    with pytest.raises(CommandError, match="list of erasures cannot be read"):
        set_up(lambda report: None, demo=False)


def test_command_brings_the_database_up_to_date(capfd: pytest.CaptureFixture[str]) -> None:
    call_command("set_up")
    first = capfd.readouterr().out
    call_command("set_up")
    again = capfd.readouterr().out
    assert re.search(
        r"No migrations to apply.*Nothing to apply.*Created the superadmin admin", first, re.DOTALL
    )
    assert "There is a superadmin already." in again


def test_command_lets_nobody_sign_in_where_erasures_cannot_be_applied(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "erasures.jsonl").write_text("no list\n")
    monkeypatch.setattr("django.conf.settings.ERASURES_DIR", str(tmp_path))
    with pytest.raises(CommandError, match="list of erasures cannot be read"):
        call_command("set_up")
    assert not User.objects.exists()
