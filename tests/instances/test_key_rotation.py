"""Rotation of the encryption key while Keepsake runs, covering everything encrypted."""

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
from memoryapp.forgetting.deletion import forget
from memoryapp.management.commands import rotate_encryption_key
from memoryapp.models import Memory, Origin
from memoryapp.pipeline import Candidate, Suppressed, Writer, remember
from tests.instances.test_permissions import fill

ADDRESS = "https://api.openai.com/v1"
OLD, NEW = Fernet.generate_key().decode(), Fernet.generate_key().decode()
VALUES = {
    SecretName.CHAT_API_KEY: "sk-heliotrope-0123456789",
    SecretName.EMBEDDING_API_KEY: "sk-wolpertinger-ключ-鍵",
}

#: Modules that encrypt, with the places where their tokens are stored.
ENCRYPTING = {
    "instances/models/secret.py": {"instances.Secret.token", "instances.HashKey.token"},
    "instances/models/webhooks.py": {
        "instances.Webhook.token",
        "instances.Webhook.former_token",
    },
    "instances/signin/adapters.py": {"mfa.Authenticator.data"},
    "memoryapp/bundle/reading.py": {
        "instances.Secret.token",
        "instances.HashKey.token",
        "instances.Webhook.token",
        "instances.Webhook.former_token",
    },
}


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rotate_encryption_key, "SETTLING_SECONDS", 0)


@pytest.fixture
def key_file(settings: Settings, tmp_path: Path) -> Path:
    """A key file for one test."""
    settings.ENCRYPTION_KEY = ""
    settings.ENCRYPTION_KEY_FILE = tmp_path / "encryption_key"
    settings.ENCRYPTION_KEY_FILE.write_text(f"{OLD}\n")
    return tmp_path / "encryption_key"


@pytest.fixture
def sealed(key_file: Path, instance: Instance) -> Instance:
    """An instance with secrets encrypted with the old key."""
    for name, value in VALUES.items():
        secret = Secret(instance=instance, name=name)
        secret.seal(value, ADDRESS)
        secret.save()
    return instance


def rotate() -> str:
    output = StringIO()
    call_command("rotate_encryption_key", stdout=output, stderr=output)
    return output.getvalue()


def opened_by(key: str) -> bool:
    """Return whether *key* alone decrypts everything stored."""
    tokens = [*Secret.objects.values_list("token", flat=True)]
    tokens += HashKey.objects.values_list("token", flat=True)
    try:
        for token in tokens:
            Fernet(key).decrypt(token)
    except Exception:
        return False
    return bool(tokens)


def test_key_in_the_file_is_replaced(sealed: Instance, key_file: Path) -> None:
    output = rotate()
    assert "Encrypted 2 values with the new key." in output
    (key,) = key_file.read_text().split()
    assert key != OLD
    assert opened_by(key)
    assert not opened_by(OLD)
    assert key_file.stat().st_mode & 0o777 == 0o600
    stored = Instance.objects.get(pk=sealed.pk)
    assert {name: stored.key_for(ADDRESS, name) for name in VALUES} == VALUES


def test_interrupted_rotation_is_resumed(
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
    # After half of it, everything can be decrypted, and new values use the new key.
    stored = Instance.objects.get(pk=sealed.pk)
    assert {name: stored.key_for(ADDRESS, name) for name in VALUES} == VALUES
    assert Fernet(new).decrypt(secrets.encrypt("now")) == b"now"
    assert "Encrypted 1 value with the new key." in rotate()
    assert key_file.read_text().split() == [new]
    assert opened_by(new)


def test_values_stored_during_the_rotation_are_kept(
    sealed: Instance, key_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new value is saved between the reading and the writing of the old one."""

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


def test_only_one_rotation_runs_at_a_time(sealed: Instance, key_file: Path) -> None:
    with (
        paths.lock(key_file.with_name("encryption_key.lock")),
        pytest.raises(CommandError, match="Another rotation is running"),
    ):
        rotate()
    assert key_file.read_text().split() == [OLD]


def test_undecryptable_values_are_reported_and_kept(sealed: Instance) -> None:
    Secret.objects.filter(name=SecretName.CHAT_API_KEY).update(
        token=Fernet(Fernet.generate_key()).encrypt(b"lost").decode()
    )
    output = rotate()
    assert "Encrypted 1 value with the new key." in output
    assert "1 could not be read with any of the keys" in output


def test_keys_from_the_environment(sealed: Instance, settings: Settings) -> None:
    settings.ENCRYPTION_KEY = OLD
    with pytest.raises(CommandError) as refused:
        rotate()
    assert "ENCRYPTION_KEY_FALLBACKS" in str(refused.value)
    (proposed,) = re.findall(r"such as (\S{44})\n", str(refused.value))
    Fernet(proposed)
    settings.ENCRYPTION_KEY, settings.ENCRYPTION_KEY_FALLBACKS = NEW, [OLD]
    stored = Instance.objects.get()
    assert {name: stored.key_for(ADDRESS, name) for name in VALUES} == VALUES
    output = rotate()
    assert "remove ENCRYPTION_KEY_FALLBACKS from the environment" in output
    assert opened_by(NEW)
    assert rotate_all().changed == 0


def test_suppressed_texts_are_still_recognized(
    instance: Instance, key_file: Path, alice: User, store_memory: Callable[..., Memory]
) -> None:
    memory = store_memory("The user plays the cello in the town band.")
    chosen = Memory.objects.filter(pk=memory.pk)
    forget(instance, chosen, by=Actor(alice, "test"), never_again=True)
    rotate()
    again = Candidate("The user plays the cello in the town band.")
    with pytest.raises(Suppressed):
        remember(instance, [again], Writer(Origin.API, Actor(via="test")))


# Inventory


def test_every_encrypting_module_is_covered_by_the_rotation() -> None:
    """A new module that encrypts fails this test until its storage is listed here."""
    root = Path(configured.BASE_DIR)
    calls = re.compile(
        r"secrets\.encrypt\(|from instances\.secrets import[^\n]*\bencrypt\b|Fernet\("
    )
    encrypting = {
        str(path.relative_to(root))
        for app in ("instances", "conversations", "memoryapp")
        for path in (root / app).rglob("*.py")
        if calls.search(path.read_text())
    }
    # A new link is in the session until its page is shown; after a rotation it is not shown.
    in_session = "memoryapp/web/accounts/views.py"
    # What a model is shown for a turn is in the cache for an hour, and made again if unreadable.
    in_cache = "memoryapp/api/v1/turn_context.py"
    known = {"instances/secrets.py", "memoryapp/checks.py", in_session, in_cache, *ENCRYPTING}
    assert encrypting <= known, "List in this module where its tokens are stored."
    columns = {f"{field.model._meta.label}.{field.name}" for field in encrypted_columns()}
    for module in encrypting & ENCRYPTING.keys():
        assert ENCRYPTING[module] <= columns


def test_no_other_column_contains_tokens(
    instance: Instance, alice: User, settings: Settings, tmp_path: Path
) -> None:
    fill(instance, alice)
    known = {(field.model._meta.db_table, field.column) for field in encrypted_columns()}
    token_columns = set()
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
                token_columns.add(place)
    assert token_columns
    assert token_columns <= known


@pytest.mark.parametrize("value", [None, "", 7, "plain", {"a": ["plain", None]}])
def test_other_values_are_unchanged(value: Any, key_file: Path) -> None:
    assert key_rotation.with_rotated_tokens(value) == value


def test_tokens_inside_json_are_found(key_file: Path) -> None:
    sealed = {"secret": secrets.encrypt("a"), "codes": [secrets.encrypt("b")], "counter": 7}
    key_file.write_text(f"{NEW}\n{OLD}\n")
    rotated = key_rotation.with_rotated_tokens(sealed)
    assert Fernet(NEW).decrypt(rotated["secret"]) == b"a"
    assert Fernet(NEW).decrypt(rotated["codes"][0]) == b"b"
    assert rotated["counter"] == 7
