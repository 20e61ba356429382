"""The encryption key can be changed while Keepsake runs, and nothing encrypted is left behind."""

import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.apps import apps
from django.conf import settings as configured
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import Settings

from instances import key_rotation, secrets
from instances.actor import Actor
from instances.key_rotation import TOKEN_START, encrypted_columns, rotate_all
from instances.models import HashKey, Instance, Secret, SecretName, User
from memoryapp.embedded import paths
from memoryapp.management.commands import rotate_encryption_key
from memoryapp.models import Memory, Origin
from memoryapp.pipeline import Candidate, Suppressed, Writer, remember
from memoryapp.pipeline.deletion import forget
from tests.instances.test_permissions import fill

ADDRESS = "https://api.openai.com/v1"
OLD, NEW = Fernet.generate_key().decode(), Fernet.generate_key().decode()
VALUES = {
    SecretName.CHAT_API_KEY: "sk-heliotrope-0123456789",
    SecretName.EMBEDDING_API_KEY: "sk-wolpertinger-ключ-鍵",
}

#: Which modules encrypt, and where what they encrypt is stored.
ENCRYPTING = {
    "instances/models/secret.py": {"instances.Secret.token", "instances.HashKey.token"},
    "instances/signin/adapters.py": {"mfa.Authenticator.data"},
}


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rotate_encryption_key, "SETTLING_SECONDS", 0)


@pytest.fixture
def key_file(settings: Settings, tmp_path: Path) -> Path:
    """A key file of this test's own."""
    settings.ENCRYPTION_KEY = ""
    settings.ENCRYPTION_KEY_FILE = tmp_path / "encryption_key"
    settings.ENCRYPTION_KEY_FILE.write_text(f"{OLD}\n")
    return tmp_path / "encryption_key"


@pytest.fixture
def sealed(key_file: Path, instance: Instance) -> Instance:
    """An instance with secrets, encrypted with the old key."""
    for name, value in VALUES.items():
        secret = Secret(instance=instance, name=name)
        secret.seal(value, ADDRESS)
        secret.save()
    return instance


def rotate() -> str:
    said = StringIO()
    call_command("rotate_encryption_key", stdout=said, stderr=said)
    return said.getvalue()


def opened_by(key: str) -> bool:
    """Whether *key* alone opens all that is stored."""
    tokens = [*Secret.objects.values_list("token", flat=True)]
    tokens += HashKey.objects.values_list("token", flat=True)
    try:
        for token in tokens:
            Fernet(key).decrypt(token)
    except Exception:
        return False
    return bool(tokens)


def test_the_key_in_the_file_is_replaced(sealed: Instance, key_file: Path) -> None:
    said = rotate()
    assert "Encrypted 2 values with the new key." in said
    (key,) = key_file.read_text().split()
    assert key != OLD
    assert opened_by(key)
    assert not opened_by(OLD)
    assert key_file.stat().st_mode & 0o777 == 0o600
    found = Instance.objects.get(pk=sealed.pk)
    assert {name: found.key_for(ADDRESS, name) for name in VALUES} == VALUES


def test_a_rotation_that_was_stopped_goes_on(
    sealed: Instance, key_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def fail_at_the_second(token: str) -> str:
        calls.append(token)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return secrets.rotate(token)

    with monkeypatch.context() as patch:
        patch.setattr(key_rotation, "rotate", fail_at_the_second)
        with pytest.raises(KeyboardInterrupt):
            rotate()
    new, old = key_file.read_text().split()
    assert old == OLD
    # Half way through, everything can be read, and what is stored now has the new key.
    found = Instance.objects.get(pk=sealed.pk)
    assert {name: found.key_for(ADDRESS, name) for name in VALUES} == VALUES
    assert Fernet(new).decrypt(secrets.encrypt("now")) == b"now"
    assert "Encrypted 1 value with the new key." in rotate()
    assert key_file.read_text().split() == [new]
    assert opened_by(new)


def test_what_is_stored_meanwhile_stays(
    sealed: Instance, key_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody enters another key between the reading and the writing of the old one."""

    def enter_another(token: str) -> str:
        secret = Secret.objects.get(name=SecretName.CHAT_API_KEY)
        if secret.token == token:
            secret.seal("sk-entered-meanwhile", ADDRESS)
            secret.save()
        return secrets.rotate(token)

    monkeypatch.setattr(key_rotation, "rotate", enter_another)
    rotate()
    assert (
        Instance.objects.get().key_for(ADDRESS, SecretName.CHAT_API_KEY) == "sk-entered-meanwhile"
    )
    assert opened_by(key_file.read_text().strip())


def test_only_one_rotation_runs(sealed: Instance, key_file: Path) -> None:
    with (
        paths.lock(key_file.with_name("encryption_key.lock")),
        pytest.raises(CommandError, match="Another rotation is running"),
    ):
        rotate()
    assert key_file.read_text().split() == [OLD]


def test_what_no_key_opens_is_told_and_left(sealed: Instance) -> None:
    Secret.objects.filter(name=SecretName.CHAT_API_KEY).update(
        token=Fernet(Fernet.generate_key()).encrypt(b"lost").decode()
    )
    said = rotate()
    assert "Encrypted 1 value with the new key." in said
    assert "1 could not be read with any of the keys" in said


def test_keys_from_the_environment(sealed: Instance, settings: Settings) -> None:
    settings.ENCRYPTION_KEY = OLD
    with pytest.raises(CommandError) as refused:
        rotate()
    assert "ENCRYPTION_KEY_FALLBACKS" in str(refused.value)
    (proposed,) = re.findall(r"such as (\S{44})\n", str(refused.value))
    Fernet(proposed)
    settings.ENCRYPTION_KEY, settings.ENCRYPTION_KEY_FALLBACKS = NEW, [OLD]
    found = Instance.objects.get()
    assert {name: found.key_for(ADDRESS, name) for name in VALUES} == VALUES
    said = rotate()
    assert "remove ENCRYPTION_KEY_FALLBACKS from the environment" in said
    assert opened_by(NEW)
    assert rotate_all().changed == 0


def test_what_is_not_to_be_learned_again_is_still_recognised(
    instance: Instance, key_file: Path, alice: User, remembered: Callable[..., Memory]
) -> None:
    memory = remembered("The user plays the cello in the town band.")
    chosen = Memory.objects.filter(pk=memory.pk)
    forget(instance, chosen, by=Actor(alice, "test"), never_again=True)
    rotate()
    again = Candidate("The user plays the cello in the town band.")
    with pytest.raises(Suppressed):
        remember(instance, [again], Writer(Origin.API, Actor(via="test")))


# The inventory.


def test_whatever_encrypts_stores_it_where_the_rotation_finds_it() -> None:
    """A module that encrypts something new fails this until it says where that is stored."""
    root = Path(configured.BASE_DIR)
    calls = re.compile(
        r"secrets\.encrypt\(|from instances\.secrets import[^\n]*\bencrypt\b|Fernet\("
    )
    found = {
        str(path.relative_to(root))
        for app in ("instances", "conversations", "memoryapp")
        for path in (root / app).rglob("*.py")
        if calls.search(path.read_text())
    }
    # A new link waits in the session until its page is shown: if the key is gone, it is not shown.
    in_session = "instances/people/views.py"
    known = {"instances/secrets.py", "memoryapp/checks.py", in_session, *ENCRYPTING}
    assert found <= known, "Say in this module where it is stored."
    columns = {f"{field.model._meta.label}.{field.name}" for field in encrypted_columns()}
    for module in found & ENCRYPTING.keys():
        assert ENCRYPTING[module] <= columns


def test_no_token_stands_in_any_other_column(
    instance: Instance, alice: User, settings: Settings, tmp_path: Path
) -> None:
    settings.MEDIA_ROOT = tmp_path
    fill(instance, alice)
    known = {(field.model._meta.db_table, field.column) for field in encrypted_columns()}
    seen = set()
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            place = (model._meta.db_table, str(field.column))
            table, column = map(connection.ops.quote_name, place)
            with connection.cursor() as cursor:
                cursor.execute(
                    f"SELECT EXISTS (SELECT FROM {table} WHERE {column}::text LIKE %s)",  # noqa: S608 - Own names.
                    [f"%{TOKEN_START}%"],
                )
                (has_token,) = cursor.fetchone()
            if has_token:
                seen.add(place)
    assert seen
    assert seen <= known


@pytest.mark.parametrize("value", [None, "", 7, "plain", {"a": ["plain", None]}])
def test_what_is_no_token_stays_as_it_is(value: Any, key_file: Path) -> None:
    assert key_rotation._rotated(value) == value


def test_tokens_inside_of_json_are_found(key_file: Path) -> None:
    sealed = {"secret": secrets.encrypt("a"), "codes": [secrets.encrypt("b")], "counter": 7}
    key_file.write_text(f"{NEW}\n{OLD}\n")
    rotated = key_rotation._rotated(sealed)
    assert Fernet(NEW).decrypt(rotated["secret"]) == b"a"
    assert Fernet(NEW).decrypt(rotated["codes"][0]) == b"b"
    assert rotated["counter"] == 7
