"""Relations of the entities that a question names."""

from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from instances.models import Instance
from memoryapp.graph.ingestion import EntityMention, NamedEntity, StatementIn, ingest
from memoryapp.graph.neighbourhood import entities_named_in, relations_of
from memoryapp.models import Entity
from tests.graph.conftest import Filed, at


@pytest.fixture
def known(instance: Instance, private: Instance, filed: Filed) -> None:
    drawer = filed("…").pk

    def works(who: str, where: str, since: date, **more: Any) -> StatementIn:
        return StatementIn(
            NamedEntity(who, "person"),
            "works_at",
            NamedEntity(where, "organisation"),
            at(2024),
            since,
            drawer_id=drawer,
            **more,
        )

    statements = [
        works("Anna", "Acme", date(2020, 1, 1)),
        works("Anna", "Globex", date(2022, 1, 1)),
        works("Ben", "Acme", date(2021, 1, 1)),
        StatementIn(NamedEntity("Ben", "person"), "speaks", "Dutch", at(2024), drawer_id=drawer),
    ]
    ingest(instance, "ana", statements)
    ingest(instance, "ben", [works("Anna", "Initech", date(2020, 1, 1))])
    other = [StatementIn(NamedEntity("Anna"), "likes", "marzipan", at(2024))]
    ingest(private, "ana", other)
    names = ["New York", "York", "由紀子", "سلمى", "C++", "O’Brien"]
    ingest(instance, "ana", [], [EntityMention(NamedEntity(name), drawer) for name in names])


def test_neighbours_in_both_directions_with_current_relations_first(
    known: None, instance: Instance
) -> None:
    assert [fact.sentence for fact in relations_of(instance, ["ana"], ["anna"])] == [
        "Anna works at Globex (since 2022-01-01)",
        "Anna works at Acme (2020-01-01 to 2022-01-01)",
    ]
    acme = Entity.objects.get(name="Acme")
    assert [fact.sentence for fact in relations_of(instance, ["ana"], [acme.pk])] == [
        "Ben works at Acme (since 2021-01-01)",
        "Anna works at Acme (2020-01-01 to 2022-01-01)",
    ]
    assert len(relations_of(instance, None, ["Anna"])) == 3
    assert len(relations_of(instance, None, ["Anna"], limit=1)) == 1
    assert not relations_of(instance, ["ana"], ["nobody", 10**9, ""])


def test_neighbourhood_as_of_a_day(known: None, instance: Instance) -> None:
    then = relations_of(instance, ["ana"], ["Anna", "Ben"], as_of=date(2021, 6, 1))
    assert {fact.object for fact in then} == {"Acme"}
    assert not relations_of(instance, ["ana"], ["Anna"], as_of=date(2019, 12, 31))


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Where does Anna work?", ["Anna"]),
        ("What is Anna's job, and ben’s?", ["Anna", "Ben"]),
        ("Is new york big", ["New York", "York"]),
        ("由紀子はどこに住んでいますか", ["由紀子"]),
        ("أين تعيش سلمى؟", ["سلمى"]),
        ("Does O'Brien know C++?", ["C++", "O’Brien"]),
        ("How is Annabel?", []),
        ("", []),
    ],
)
def test_entities_named_in_a_question(
    question: str, names: list[str], known: None, instance: Instance
) -> None:
    with CaptureQueriesContext(connection) as queries:
        ids = entities_named_in(instance, ["ana"], question)
    assert len(queries) <= 1
    entity_names = [Entity.objects.get(pk=pk).name for pk in ids]
    assert sorted(entity_names) == sorted(names)
    if "New York" in names:
        assert entity_names[0] == "New York"


def test_entities_of_other_people_are_not_named(
    known: None, instance: Instance, private: Instance
) -> None:
    assert not entities_named_in(private, ["ana"], "Does Ben know Acme?")
    assert not entities_named_in(instance, ["ben"], "Does Ben know Acme?")
    anna = Entity.objects.get(instance=private)
    assert not relations_of(instance, None, [anna.pk])
