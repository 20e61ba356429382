"""The graph over REST."""

from datetime import date

from instances.models import Instance
from instances.tiers import Tier
from memoryapp.graph.ingestion import NamedEntity, StatementIn, ingest
from tests.api.conftest import Program
from tests.graph.conftest import at


def test_entities_and_relations_are_read(program: Program, instance: Instance) -> None:
    anna, globex = NamedEntity("Anna", "person", ("Nan",)), NamedEntity("Globex", "organisation")
    ingest(
        instance,
        "ana",
        [
            StatementIn(anna, "works_at", NamedEntity("Acme"), at(2024), date(2020, 1, 1)),
            StatementIn(anna, "works_at", globex, at(2024), date(2022, 1, 1)),
            StatementIn(NamedEntity("Ben"), "knows", anna, at(2024), tier=Tier.USER),
        ],
    )
    entities = program.send("GET", "graph/entities?q=nan", None, 200)["items"]
    assert [(e["name"], e["kind"], e["aliases"]) for e in entities] == [("Anna", "person", ["Nan"])]
    assert not program.send("GET", "graph/entities?user_id=ben", None, 200)["items"]
    address = f"graph/entities/{entities[0]['id']}"
    whole = program.send("GET", address, None, 200)
    assert whole["entity"]["user_id"] == "ana"
    assert {(r["predicate"], r["tier"]) for r in whole["relations"]} == {
        ("works_at", "document"),
        ("knows", "user"),
    }
    then = program.send("GET", f"{address}?as_of=2021-01-01", None, 200)["relations"]
    assert [(r["object"]["name"], r["valid_from"], r["valid_to"]) for r in then] == [
        ("Acme", "2020-01-01", "2022-01-01")
    ]


def test_relations_are_paginated_by_subject(program: Program, instance: Instance) -> None:
    ingest(
        instance,
        "",
        [
            StatementIn(NamedEntity(f"Person {n}"), "owns", value, at(2024), date(2020 + n, 1, 1))
            for n in range(5)
            for value in ("a boat", "a kettle")
        ],
    )
    seen, cursor = [], ""
    while True:
        page = program.send("GET", f"graph/relations?limit=2&cursor={cursor}", None, 200)
        seen += page["items"]
        cursor = page["next"]
        if cursor is None:
            break
    assert len(seen) == len({r["id"] for r in seen}) == 10
    then = program.send("GET", "graph/relations?as_of=2021-06-01", None, 200)["items"]
    assert {r["subject"]["name"] for r in then} == {"Person 0", "Person 1"}
    assert program.send("GET", "graph/relations?as_of=soon", None, 422)["code"] == "invalid"
