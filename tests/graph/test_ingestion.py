"""Messages become entities, mentions and statements, which are deleted with their source."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest

from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.graph.corrections import withdraw_relation
from memoryapp.graph.ingestion import EntityMention, NamedEntity, StatementIn, ingest
from memoryapp.graph.predicates import is_single_valued, predicate
from memoryapp.models import Drawer, Entity, Memory, Mention, Relation, Statement, Withdrawn
from memoryapp.pipeline import Changes, revise
from tests.graph.conftest import Filed, at

ANNA = NamedEntity("Anna", "person")
ACME = NamedEntity("Acme", "organisation")


def works(drawer: Drawer, **more: object) -> StatementIn:
    statement = StatementIn(ANNA, "works at", ACME, at(2024, 5), drawer_id=drawer.pk)
    return replace(statement, **more)  # type: ignore[arg-type]


def test_repeated_statement_is_stored_once(instance: Instance, filed: Filed) -> None:
    drawer = filed("Anna works at Acme.")
    for _ in range(2):
        ingest(instance, "ana", [works(drawer)], [EntityMention(NamedEntity("Paris"), drawer.pk)])
    relation = Relation.objects.get()
    assert (relation.subject.name, relation.predicate) == ("Anna", "works_at")
    assert relation.object and relation.object.name == "Acme"
    assert relation.single_valued
    # Without a start date, the date of the message is used.
    assert (relation.valid_from, relation.dated) == (date(2024, 5, 1), False)
    assert set(Entity.objects.values_list("name", "kind")) == {
        ("Anna", "person"),
        ("Acme", "organisation"),
        ("Paris", "other"),
    }
    assert Mention.objects.count() == 3


@pytest.mark.parametrize(
    ("known", "statement", "same"),
    [
        (NamedEntity("Anna Moser"), NamedEntity("Dr. Anna Moser"), True),
        (NamedEntity("Anna Moser"), NamedEntity("MOSER, Anna"), True),
        (NamedEntity("Ann"), NamedEntity("Anne"), False),
        (NamedEntity("New York", aliases=("Big Apple",)), NamedEntity("big apple"), True),
        (NamedEntity("Robert"), NamedEntity("Bob Miller", aliases=("Robert",)), True),
        (NamedEntity("Paris", "person"), NamedEntity("Paris", "place"), False),
        (NamedEntity("Keepsake", "project"), NamedEntity("Keepsake", "item"), True),
        (NamedEntity("سلمى"), NamedEntity("سلمى"), True),
        (NamedEntity("由紀子", aliases=("ユキコ",)), NamedEntity("ユキコ"), True),
        (NamedEntity("Анна"), NamedEntity("Анна Каренина"), False),
    ],
)
def test_entity_is_found_by_name_or_alias(
    known: NamedEntity, statement: NamedEntity, same: bool, instance: Instance, filed: Filed
) -> None:
    drawer = filed("…")
    ingest(instance, "", [], [EntityMention(known, drawer.pk)])
    ingest(instance, "", [], [EntityMention(statement, drawer.pk)])
    assert Entity.objects.count() == (1 if same else 2)
    # One combined call gives the same result.
    ingest(
        instance, "both", [], [EntityMention(known, drawer.pk), EntityMention(statement, drawer.pk)]
    )
    assert Entity.objects.filter(end_user="both").count() == (1 if same else 2)


def test_people_and_instances_have_separate_graphs(
    instance: Instance, private: Instance, filed: Filed
) -> None:
    ingest(instance, "ana", [works(filed("Anna works at Acme."))])
    ingest(instance, "ben", [works(filed("Anna works at Acme."))])
    ingest(private, "ana", [works(filed("Anna works at Acme.", into=private))])
    assert Entity.objects.count() == 6
    assert Relation.objects.count() == 3


def test_empty_statements_are_skipped(instance: Instance, filed: Filed) -> None:
    drawer = filed("…")
    ingest(
        instance,
        "",
        [
            works(drawer, subject=NamedEntity("  ")),
            works(drawer, object=NamedEntity("\x00")),
            works(drawer, object="  "),
            works(drawer, predicate="?!"),
            works(drawer, object=ANNA),
        ],
    )
    assert not Statement.objects.exists()


def test_deleting_a_message_deletes_its_statements(instance: Instance, filed: Filed) -> None:
    first, second = filed("Anna, whom we call Nan, works at Acme."), filed("Nan sails.")
    nan = NamedEntity("Anna", "person", ("Nan",))
    ingest(instance, "", [works(first, subject=nan)])
    ingest(instance, "", [], [EntityMention(NamedEntity("Nan", "person"), second.pk)])
    assert Entity.objects.get(slug="anna").mentions.count() == 3
    assert first.message
    Message.objects.filter(pk=first.message.pk).delete()
    assert not Relation.objects.exists()
    # No message mentions Anna or Acme any more.
    assert list(Entity.objects.values_list("name", "slug")) == [("Nan", "nan")]
    Conversation.objects.all().delete()
    assert not Entity.objects.exists() and not Mention.objects.exists()


def test_changed_memory_deletes_its_statements(
    instance: Instance, store_memory: Callable[..., Memory], alice: User
) -> None:
    memory = store_memory("Anna works at Acme.")
    statement = StatementIn(ANNA, "works_at", ACME, at(2024), memory_id=memory.pk)
    ingest(instance, "", [statement])
    Memory.objects.filter(pk=memory.pk).update(importance=3)
    assert Relation.objects.count() == 1
    revise(memory, Changes("Anna plays the tuba.", "fact", 5), by=Actor(alice))
    assert not Relation.objects.exists() and not Entity.objects.exists()
    ingest(instance, "", [statement])
    memory.delete()
    assert not Relation.objects.exists() and not Entity.objects.exists()


def test_withdrawn_relation_does_not_return(instance: Instance, filed: Filed, alice: User) -> None:
    wrong, right = filed("Anna works at Acme."), filed("Anna works at Globex.")
    ingest(instance, "", [works(right, object=NamedEntity("Globex"), valid_from=date(2020, 1, 1))])
    ingest(instance, "", [works(wrong, valid_from=date(2024, 1, 1))])
    relation = Relation.objects.get(object__name="Acme")
    assert withdraw_relation(relation, by=Actor(alice)) == 1
    ingest(
        instance, "", [works(wrong, valid_from=date(2024, 1, 2))], [EntityMention(ACME, wrong.pk)]
    )
    left = Relation.objects.get()
    assert left.object and left.object.name == "Globex"
    assert left.is_open
    assert Withdrawn.objects.get().drawer == wrong
    assert instance.activity.get(action="relation_withdrawn").count == 1


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Works at", "works_at"),
        ("works for", "works_at"),
        ("worksFor", "works_at"),
        ("is-married-to", "married_to"),
        ("живёт в", "живёт_в"),
        ("好きな食べ物", "好きな食べ物"),
        ("?!", ""),
        ("  ", ""),
    ],
)
def test_predicates_are_normalized(written: str, name: str) -> None:
    assert predicate(written) == name
    assert predicate(name) == name


def test_known_predicates_override_the_statement() -> None:
    assert is_single_valued("lives_in", stated=False)
    assert not is_single_valued("likes", stated=True)
    assert is_single_valued("drives_daily", stated=True)
    assert not is_single_valued("drives_daily", stated=False)
