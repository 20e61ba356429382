"""The inventory: no table is missing, and the rows of each are found."""

import pytest
from django.apps import apps
from django.db.models import Model

from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance
from memoryapp.documents.writing import NewDocument, put
from memoryapp.people.inventory import (
    HOLDINGS,
    NOT_ABOUT_END_USERS,
    ErasureAction,
    Person,
    columns_of,
    counts_of,
    has_end_user,
    holding_of,
    inventory_hash,
)

LABELS = {holding.label for holding in HOLDINGS}


def tables() -> list[type[Model]]:
    return [
        model
        for model in apps.get_models(include_auto_created=True)
        if model.__module__.partition(".")[0] != "tests"
    ]


def test_every_table_is_in_the_inventory_or_has_a_reason_not_to_be() -> None:
    known = LABELS | NOT_ABOUT_END_USERS.keys()
    missing = {model._meta.label for model in tables()} - known
    assert not missing, "Add the new table to memoryapp/people/inventory.py."
    assert not known - {model._meta.label for model in tables()}
    assert not LABELS & NOT_ABOUT_END_USERS.keys()
    assert all(NOT_ABOUT_END_USERS.values())


def test_every_table_with_the_id_of_a_person_is_in_the_inventory() -> None:
    """A reason is not enough for a table that names end users."""
    naming = {
        model._meta.label
        for model in tables()
        if model._meta.managed and any(column.attname == "end_user" for column in columns_of(model))
    }
    assert naming <= LABELS


def test_tables_that_name_a_person_name_the_instance() -> None:
    """By both, rows are renamed when ids are joined, and found when a backup is restored."""
    for holding in HOLDINGS:
        if has_end_user(holding.model):
            assert holding.model._meta.get_field("instance").related_model is Instance


def test_what_is_not_deleted_has_a_reason() -> None:
    for holding in HOLDINGS:
        assert bool(holding.reason) is (holding.fate != ErasureAction.DELETE), holding.label
        assert bool(holding.stripped) is (holding.fate == ErasureAction.STRIP), holding.label
        columns = {column.attname for column in columns_of(holding.model)}
        assert {*holding.stripped, *holding.left_out, *holding.verbatim} <= columns, holding.label


def test_rows_of_every_table_are_found(
    instance: Instance, ana: Conversation, ben: Conversation
) -> None:
    """Otherwise the tests of the erasure would prove nothing about a table."""
    counts = counts_of(Person.of(instance, "ana@example.org"))
    assert counts.keys() == LABELS
    # Of each person, only their own: the two have as many rows.
    assert counts == counts_of(Person.of(instance, "ben"))


def test_a_document_of_nobody_that_names_the_person_is_theirs(instance: Instance) -> None:
    by = Actor(via="test")
    put(instance, NewDocument(("notes", "ana"), "k", {}), by=by)
    put(instance, NewDocument(("notes", "ana"), "of ben", {}, "ben"), by=by)
    put(instance, NewDocument(("notes", "anabel"), "k", {}), by=by)
    put(instance, NewDocument(("notes",), "ana", {}), by=by)
    (document,) = holding_of("memoryapp.StoredDocument").rows(Person.of(instance, "ana"))
    assert (document.namespace, document.key) == (["notes", "ana"], "k")
    counts = counts_of(Person.of(instance, "ana"))
    assert counts == {"memoryapp.StoredDocument": 1, "memoryapp.DocumentEmbedding": 1}


def test_another_id_of_the_person_finds_the_same(instance: Instance, ana: Conversation) -> None:
    assert Person.of(instance, "ana@example.org.old") == Person.of(instance, "ana@example.org")


def test_nothing_is_found_in_another_instance(
    instance: Instance, private: Instance, ana: Conversation
) -> None:
    assert counts_of(Person.of(private, "ana@example.org")) == {}


def test_the_hash_depends_on_the_inventory(monkeypatch: pytest.MonkeyPatch) -> None:
    before = inventory_hash()
    inventory_hash.cache_clear()
    monkeypatch.setitem(NOT_ABOUT_END_USERS, "memoryapp.Palace", "another reason")
    assert inventory_hash() != before
    inventory_hash.cache_clear()
