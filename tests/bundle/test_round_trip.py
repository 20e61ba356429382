"""An instance that has gone through a bundle is the same, under new ids."""

import io
from collections import defaultdict
from typing import Any

import pytest
from django.db.models import Model
from django.utils import timezone
from django.utils.translation import override

from conversations.models import Import
from instances import secrets
from instances.actor import Actor
from instances.models import Agent, Instance, Secret, User
from instances.translatable import translated
from memoryapp.bundle.reading import Imported, import_bundle
from memoryapp.bundle.tables import LEFT_OUT, TABLES, key_of
from memoryapp.bundle.writing import NOT_SETTINGS, bundle_of
from memoryapp.forgetting.archive import unarchive
from memoryapp.models import ArchivedMemory, Memory, MemoryCount
from memoryapp.models.stored_rows import stored_fields
from memoryapp.people.inventory import Person, counts_of
from memoryapp.suppression.recognition import hash_key_of
from tests.bundle.furnishing import PASSPHRASE, furnish, rows_of


def come_back(instance: Instance, *, passphrase: str = PASSPHRASE, **options: Any) -> Imported:
    """Write *instance* to a bundle, and read it into a new one."""
    file = io.BytesIO(b"".join(bundle_of(instance, passphrase=passphrase)))
    return import_bundle(file, by=Actor(via="test"), passphrase=passphrase, **options)


def comparable(instance: Instance) -> dict[str, list[dict[str, Any]]]:
    """Every row of *instance* by table, with the place in its table instead of each id: the ids
    keep their order.
    """
    seen: dict[type[Model], set[int]] = defaultdict(set)

    def see(model: type[Model], pk: int) -> int:
        seen[model].add(pk)
        return pk

    tables = [(table, rows_of(table, instance)) for table in TABLES]
    for table, rows in tables:
        for row in rows:
            table.renumbered(row, see)
    places = {
        model: {pk: place for place, pk in enumerate(sorted(ids))} for model, ids in seen.items()
    }
    found: dict[str, list[dict[str, Any]]] = {}
    for table, rows in tables:
        found[table.label] = []
        for row in rows:
            plain = table.renumbered(row, lambda model, pk: places[model][pk])
            for name in (*table.blank, *table.secrets):
                plain.pop(name)
            if table.label == "memoryapp.Erasure":
                plain.pop("uid")
            found[table.label].append(plain)
    return found


@pytest.fixture
def again(furnished: Instance) -> Instance:
    """The furnished instance, come back beside itself."""
    return come_back(furnished, name="Desk again").instance


def test_every_table_comes_back_the_same(furnished: Instance) -> None:
    file = io.BytesIO(b"".join(bundle_of(furnished, passphrase=PASSPHRASE)))
    # A key that is in use would come back as revoked.
    furnished.api_keys.update(digest="of another key")
    new = import_bundle(file, by=Actor(via="test"), passphrase=PASSPHRASE).instance
    before, after = comparable(furnished), comparable(new)
    for label, rows in before.items():
        assert rows, label
        assert after[label] == rows, label


def test_settings_come_back(furnished: Instance, again: Instance) -> None:
    for column in stored_fields(Instance):
        if column.attname not in {*NOT_SETTINGS, "slug", "name"}:
            name = column.attname
            assert getattr(again, name) == getattr(furnished, name), name
    assert (again.slug, again.name) == ("desk-again", "Desk again")


def test_the_former_instance_is_untouched(instance: Instance, alice: User) -> None:
    furnish(instance, alice)
    before = {table.label: rows_of(table, instance) for table in TABLES}
    come_back(instance)
    assert before == {table.label: rows_of(table, instance) for table in TABLES}


def test_no_row_refers_to_one_of_the_former_instance(furnished: Instance, again: Instance) -> None:
    ids: dict[Instance, dict[type[Model], set[int]]] = {furnished: {}, again: {}}
    for instance, seen in ids.items():

        def see(model: type[Model], pk: int, seen: Any = seen) -> int:
            seen.setdefault(model, set()).add(pk)
            return pk

        for table in TABLES:
            for row in rows_of(table, instance):
                table.renumbered(row, see)
    for model, former in ids[furnished].items():
        assert former.isdisjoint(ids[again][model]), model


def test_what_the_database_counts_is_counted_again(again: Instance) -> None:
    assert MemoryCount.objects.total(again)
    assert not MemoryCount.objects.recount(again.pk)


def test_a_person_has_as_much_in_it_as_before(furnished: Instance, again: Instance) -> None:
    def counted(instance: Instance) -> dict[str, int]:
        counts = counts_of(Person.of(instance, "ana@example.org"))
        return {label: number for label, number in counts.items() if label not in LEFT_OUT}

    assert counted(again) == counted(furnished)


def test_secrets_come_back_and_never_again_rules_hold(furnished: Instance, again: Instance) -> None:
    key = Secret.objects.get(instance=again)
    assert key.reveal("https://api.example.org/v1") == "sk-quokka-of-the-provider"
    webhook, former = again.webhooks.get(), furnished.webhooks.get()
    assert secrets.decrypt(webhook.token) == secrets.decrypt(former.token)
    assert hash_key_of(again)("ana") == hash_key_of(furnished)("ana")


def test_a_key_that_is_in_use_here_does_not_open_a_second_instance(again: Instance) -> None:
    assert all(key.revoked_at for key in again.api_keys.all())


def test_a_key_opens_the_instance_once_the_former_one_is_gone(furnished: Instance) -> None:
    file = io.BytesIO(b"".join(bundle_of(furnished, passphrase=PASSPHRASE)))
    digest = furnished.api_keys.get().digest
    furnished.delete()
    new = import_bundle(file, by=Actor(via="test"), passphrase=PASSPHRASE).instance
    key = new.api_keys.get()
    assert (key.digest, key.revoked_at) == (digest, None)
    assert new.slug == "desk"


def test_without_a_passphrase_the_rest_comes_back(furnished: Instance) -> None:
    new = come_back(furnished, passphrase="").instance
    assert not Secret.objects.filter(instance=new).exists()
    webhook = new.webhooks.get()
    assert webhook.token
    assert not webhook.enabled
    assert Memory.objects.in_instance(new).count() == Memory.objects.in_instance(furnished).count()


@pytest.mark.parametrize("state", sorted({*Import.State.values} - {*Import.OVER}))
def test_an_import_that_was_not_over_fails_for_its_file_is_not_there(
    instance: Instance, state: str
) -> None:
    lease = timezone.now() if state in Import.AT_WORK else None
    Import.objects.create(
        instance=instance, filename="talks.json", file="1/x", state=state, lease_until=lease
    )
    came = come_back(instance).instance.imports.get()
    assert (came.state, came.file.name, came.lease_until) == ("failed", "", None)
    assert came.finished_at
    with override("de"):
        assert translated(came.error) == "Die Datei blieb zurück, als die Instanz exportiert wurde."
    assert came.error == "The file stayed behind when the instance was exported."


def test_a_memory_in_the_bin_is_restored_in_the_new_instance(again: Instance) -> None:
    in_bin = ArchivedMemory.objects.in_instance(again)
    pk = in_bin.get().memory_id
    unarchive(again, in_bin, by=Actor(via="test"))
    memory = Memory.objects.get(pk=pk)
    assert memory.instance == again
    assert memory.sources.exists()


def test_an_account_that_is_not_here_becomes_nobody(furnished: Instance, alice: User) -> None:
    file = io.BytesIO(b"".join(bundle_of(furnished)))
    User.objects.filter(pk=alice.pk).update(username="another")
    imported = import_bundle(file, by=Actor(via="test"))
    assert not imported.instance.activity.exclude(by=None).exists()
    assert imported.left_out == {"memoryapp.SavedFilter": 1}


def test_it_may_be_private(furnished: Instance, alice: User) -> None:
    new = come_back(furnished, private_to=alice).instance
    assert new.private_to == alice
    assert "--" in new.slug


def test_new_rows_have_ids_of_their_own(again: Instance) -> None:
    last = Agent.objects.get(instance=again)
    assert Agent.objects.create(instance=again, slug="second", name="Second").pk > last.pk


def test_every_column_is_named_once() -> None:
    for table in TABLES:
        keys = [key_of(column) for column in table.columns]
        assert len(keys) == len({*keys}), table.label
