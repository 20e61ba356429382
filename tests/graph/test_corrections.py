"""Manual corrections of the graph."""

from datetime import date

import pytest

from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.graph.corrections import (
    EntitiesNotMergeable,
    EntityNameTaken,
    NewRelation,
    add_relation,
    end_relation,
    merge_entities,
    preview_merge,
    rename_entity,
    withdraw_relation,
)
from memoryapp.graph.ingestion import EntityMention, NamedEntity, StatementIn, ingest
from memoryapp.models import Entity, Mention, Relation, Statement
from tests.graph.conftest import Filed, at

BOB, ROBERT, ACME = (
    NamedEntity("Bob", "person"),
    NamedEntity("Robert", "person"),
    NamedEntity("Acme"),
)


def entity(name: str) -> Entity:
    return Entity.objects.get(name=name)


@pytest.fixture
def known(instance: Instance, filed: Filed) -> None:
    first, second = filed("Bob works at Acme and knows Robert."), filed("Robert works at Acme.")
    ingest(
        instance,
        "",
        [
            StatementIn(BOB, "works_at", ACME, at(2024), date(2020, 1, 1), drawer_id=first.pk),
            StatementIn(BOB, "knows", ROBERT, at(2024), drawer_id=first.pk),
            StatementIn(ROBERT, "works_at", ACME, at(2024), date(2022, 1, 1), drawer_id=second.pk),
            # Identical to the statement about Bob in this message.
            StatementIn(ROBERT, "works_at", ACME, at(2024), date(2020, 1, 1), drawer_id=first.pk),
        ],
    )


def test_merging_moves_everything_and_keeps_both_names(
    known: None, instance: Instance, alice: User
) -> None:
    bob, robert = entity("Bob"), entity("Robert")
    before = preview_merge(robert, bob)
    assert (before.names, before.moved, before.dropped) == (["Robert"], 2, 1)
    assert merge_entities(robert, bob, by=Actor(alice)) == before
    assert set(Entity.objects.values_list("name", flat=True)) == {"Bob", "Acme"}
    assert set(bob.mentions.values_list("name", flat=True)) == {"Bob", "Robert"}
    relation = Relation.objects.get()
    assert (relation.subject, relation.valid_from) == (bob, date(2020, 1, 1))
    assert len(relation.statements) == Statement.objects.count() == 2
    assert instance.activity.get(action="entities_merged").by == alice
    # New statements about Robert are about Bob.
    ingest(instance, "", [StatementIn(ROBERT, "likes", "tea", at(2024))])
    assert Relation.objects.get(predicate="likes").subject == bob


def test_only_entities_of_the_same_person_can_be_merged(
    known: None, instance: Instance, private: Instance, filed: Filed, alice: User
) -> None:
    ingest(instance, "ben", [], [EntityMention(BOB, filed("Bob.").pk)])
    ingest(private, "", [], [EntityMention(BOB, filed("Bob.", into=private).pk)])
    robert = entity("Robert")
    for other in [*Entity.objects.filter(name="Bob").exclude(instance=instance, end_user="")]:
        with pytest.raises(EntitiesNotMergeable, match="different people"):
            merge_entities(robert, other, by=Actor(alice))
    with pytest.raises(EntitiesNotMergeable, match="with itself"):
        merge_entities(robert, robert, by=Actor(alice))
    assert Statement.objects.count() == 4


def test_renaming_keeps_the_old_name_as_an_alias(
    known: None, instance: Instance, alice: User
) -> None:
    bob = entity("Bob")
    rename_entity(bob, "  Bob   Miller ", "person", by=Actor(alice))
    bob.refresh_from_db()
    assert (bob.name, bob.slug) == ("Bob Miller", "bob-miller")
    ingest(instance, "", [StatementIn(BOB, "likes", "tea", at(2024))])
    assert Relation.objects.get(predicate="likes").subject == bob
    with pytest.raises(EntityNameTaken, match="“Robert” exists already"):
        rename_entity(bob, "robert", "person", by=Actor(alice))
    with pytest.raises(ValueError, match="visible character"):
        rename_entity(bob, " \u200b ", "person", by=Actor(alice))
    # Its own name in another case is not an alias.
    rename_entity(bob, "BOB MILLER", "other", by=Actor(alice))
    assert Mention.objects.filter(slug="bob-miller").values_list("name", flat=True)[0].isupper()


def test_manual_relation_is_treated_like_any_other(
    known: None, instance: Instance, alice: User
) -> None:
    add_relation(
        instance,
        "",
        NewRelation(BOB, "works at", NamedEntity("Globex"), since=date(2023, 5, 1)),
        by=Actor(alice),
    )
    acme, globex = Relation.objects.filter(subject__name="Bob", predicate="works_at")
    assert (acme.valid_to, acme.ended, acme.is_open) == (date(2023, 5, 1), False, False)
    assert (globex.valid_from, globex.confidence, globex.is_open) == (date(2023, 5, 1), 100, True)
    assert Statement.objects.get(pk=globex.pk).by == alice
    end_relation(globex, date(2024, 5, 1), by=Actor(alice))
    globex = Relation.objects.get(pk=globex.pk)
    assert (globex.valid_to, globex.ended) == (date(2024, 5, 1), True)
    assert withdraw_relation(globex, by=Actor(alice)) == 2
    assert not Entity.objects.filter(name="Globex").exists()
    assert Relation.objects.get(pk=acme.pk).is_open


def test_ended_relation_can_be_added(instance: Instance, alice: User) -> None:
    add_relation(
        instance,
        "",
        NewRelation(BOB, "lives in", "a boat", since=date(2001, 1, 1), until=date(2003, 1, 1)),
        by=Actor(alice),
    )
    add_relation(
        instance,
        "",
        NewRelation(BOB, "plays", "chess", since=None, until=date(1999, 1, 1)),
        by=Actor(alice),
    )
    assert set(Relation.objects.values_list("value", "valid_from", "valid_to")) == {
        ("a boat", date(2001, 1, 1), date(2003, 1, 1)),
        ("chess", None, date(1999, 1, 1)),
    }
