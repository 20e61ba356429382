"""The graph screens: list, entity on any day, and corrections."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest
from django.test import Client

from instances.models import Instance
from instances.tiers import Tier
from memoryapp.graph.ingestion import NamedEntity, StatementIn, ingest
from memoryapp.models import Drawer, Entity, Memory, Relation, Statement
from memoryapp.templatetags.days import when
from tests.graph.conftest import Filed, at, filed

__all__ = ["filed"]

ANNA = NamedEntity("Anna", "person", ("Nan",))
ACME, GLOBEX = NamedEntity("Acme", "organisation"), NamedEntity("Globex", "organisation")


@pytest.fixture
def anna(instance: Instance, filed: Filed, store_memory: Callable[..., Memory]) -> Entity:
    said = filed("I was at Acme for two years, and am at Globex <b>now</b>.")
    memory = store_memory("Yukiko lives in Kyoto and is Anna's sister.")
    works = StatementIn(
        ANNA,
        "works_at",
        GLOBEX,
        at(2024),
        date(2022, 3, 1),
        tier=Tier.USER,
        drawer_id=said.pk,
    )
    ingest(
        instance,
        "",
        [
            replace(works, object=ACME, valid_from=date(2020, 1, 1)),
            works,
            StatementIn(
                NamedEntity("由紀子", "person"), "sister_of", ANNA, at(2024), memory_id=memory.pk
            ),
            StatementIn(ANNA, "born_on", "12 May 1990", at(2024), drawer_id=said.pk),
        ],
    )
    return Entity.objects.get(name="Anna")


def page(client: Client, address: str, status: int = 200) -> str:
    response = client.get(address, follow=True)
    assert response.status_code == status
    return response.content.decode()


def test_list_is_searchable_by_any_name_and_filtered_by_kind(
    as_alice: Client, anna: Entity
) -> None:
    whole = page(as_alice, "/memory/graph?instance=desk")
    for name in ("Anna", "Acme", "Globex", "由紀子", "also <bdi>Nan</bdi>", "Relations today"):
        assert name in whole
    last_said = Drawer.objects.get(mentions__entity=anna, mentions__name="Anna").said_at
    assert f"last mentioned </span>{when(last_said)}" in whole
    main = page(as_alice, "/memory/graph?instance=desk&q=nan").split("<main")[1]
    assert "Anna" in main and "Acme" not in main
    main = page(as_alice, "/memory/graph?instance=desk&kind=organisation").split("<main")[1]
    assert "Acme" in main and "Anna" not in main
    assert "Nothing found" in page(as_alice, "/memory/graph?instance=desk&q=zeppelin")
    assert "Nothing here yet" in page(as_alice, "/memory/graph?instance=desk&user=x")


def test_entity_shows_current_and_past_relations_with_sources(
    as_alice: Client, anna: Entity
) -> None:
    whole = page(as_alice, f"/memory/graph/{anna.pk}")
    holds, _, held = whole.partition('id="held"')
    assert "since 1 Mar 2022" in holds and "12 May 1990" in holds
    assert "1 Jan 2020 to 1 Mar 2022" in held
    assert "from a web page or document, unverified" in holds and "unverified" not in held
    assert "am at Globex &lt;b&gt;now&lt;/b&gt;" in whole
    assert "/memory/" in whole and "lives in Kyoto" in whole
    assert whole.count('class="timeline') == 2
    assert 'aria-label="由紀子, Person"' in whole


def test_future_relations_are_separate(as_alice: Client, anna: Entity) -> None:
    there = {"subject": "Anna", "predicate": "goes to", "object": "Lima", "since": "2199-01-01"}
    as_alice.post("/memory/graph/new?instance=desk", relation(**there))
    _, _, coming = page(as_alice, f"/memory/graph/{anna.pk}").partition('id="coming"')
    assert "from 1 Jan 2199" in coming.partition('id="held"')[0]


def test_entity_as_of_a_day(as_alice: Client, anna: Entity) -> None:
    then = page(as_alice, f"/memory/graph/{anna.pk}?as_of=2021-05-01")
    facts = then.split('class="said-of"')[1]
    assert "<bdi>Acme</bdi>" in facts and "<bdi>Globex</bdi>" not in facts
    assert "what was true on 1 May 2021" in then
    assert "is not a valid date" in page(as_alice, f"/memory/graph/{anna.pk}?as_of=2021-13-01")
    assert "is not a valid date" in page(as_alice, f"/memory/graph/{anna.pk}?as_of=9999-01-01")
    assert "Nothing is known about this day" in page(
        as_alice, f"/memory/graph/{anna.pk}?as_of=1999-01-01"
    )


def test_withdrawing_a_relation_reopens_the_one_it_ended(as_alice: Client, anna: Entity) -> None:
    globex = Relation.objects.get(object__name="Globex")
    where = {"entity": anna.pk}
    after = as_alice.post(f"/memory/graph/relations/{globex.pk}/withdraw", where, follow=True)
    assert "Deleted 1 statement" in after.content.decode()
    assert Relation.objects.get(object__name="Acme").is_open
    # Repeating it changes nothing.
    again = as_alice.post(f"/memory/graph/relations/{globex.pk}/withdraw", where)
    assert again.status_code == 404


def test_relation_is_ended_on_a_valid_day(as_alice: Client, anna: Entity) -> None:
    globex = Relation.objects.get(object__name="Globex")
    address = f"/memory/graph/relations/{globex.pk}/end"
    for day, said in (
        ("", "Enter the day"),
        ("2022-03-01", "must end later"),
        ("2024-06-30", "Ended."),
    ):
        after = as_alice.post(address, {"day": day, "entity": anna.pk}, follow=True)
        assert said in after.content.decode()
    assert Relation.objects.get(object__name="Globex").valid_to == date(2024, 6, 30)


def relation(**more: str) -> dict[str, str]:
    return {
        "subject": "Anna",
        "subject_kind": "person",
        "predicate": "lives in",
        "object": "Lisbon",
        "object_kind": "place",
        "since": "2023-01-01",
    } | more


def test_relation_is_added_manually(as_alice: Client, anna: Entity) -> None:
    form = page(as_alice, f"/memory/graph/new?instance=desk&subject={anna.pk}")
    assert 'value="Anna"' in form
    after = as_alice.post("/memory/graph/new?instance=desk", relation(), follow=True)
    assert "Relation added" in after.content.decode() and after.context["entity"] == anna
    added = Relation.objects.get(object__name="Lisbon")
    assert (added.subject, added.valid_from, added.single_valued) == (anna, date(2023, 1, 1), True)
    as_alice.post("/memory/graph/new?instance=desk", relation(object="42", object_kind="value"))
    assert Relation.objects.get(value="42").object is None


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"subject": " \u200b "}, "visible character"),
        ({"object": "anna"}, "a name that differs from the one above"),
        ({"predicate": "?!"}, "letter or digit"),
        ({"until": "2022-01-01"}, "later than “Since”"),
        ({"since": "0001-01-01"}, "between the years"),
        ({"object": "anna@example.org"}, "secret or an identifier"),
    ],
)
def test_invalid_relation_is_rejected(
    wrong: dict[str, str], said: str, as_alice: Client, instance: Instance
) -> None:
    response = as_alice.post("/memory/graph/new?instance=desk", relation(**wrong))
    assert response.status_code == 422
    assert said in response.content.decode()
    assert not Statement.objects.exists()


def test_entity_is_renamed(as_alice: Client, anna: Entity) -> None:
    address = f"/memory/graph/{anna.pk}/rename"
    after = as_alice.post(address, {"name": "Anna Moser", "kind": "person"}, follow=True)
    assert "Anna Moser" in after.content.decode()
    refused = as_alice.post(address, {"name": "acme", "kind": "person"})
    assert refused.status_code == 422
    assert "“Acme” exists already" in refused.content.decode()
    assert "Merge them" in refused.content.decode()
    assert as_alice.post(address, {"name": " "}).status_code == 422
    assert Entity.objects.get(pk=anna.pk).name == "Anna Moser"


def test_entities_are_merged_after_a_preview(as_alice: Client, anna: Entity) -> None:
    acme, globex = (Entity.objects.get(name=name) for name in ("Acme", "Globex"))
    offered = page(as_alice, f"/memory/graph/{acme.pk}/merge?q=glo")
    assert f"into={globex.pk}" in offered
    preview = page(as_alice, f"/memory/graph/{acme.pk}/merge?into={globex.pk}")
    assert "1 statement about <bdi>Acme</bdi> will be about" in preview
    assert "Merge into Globex" in preview
    assert Entity.objects.filter(name="Acme").exists()
    after = as_alice.post(f"/memory/graph/{acme.pk}/merge", {"into": globex.pk}, follow=True)
    assert "Search finds it by both names" in after.content.decode()
    only = Relation.objects.get(predicate="works_at")
    assert (only.object, only.valid_from) == (globex, date(2020, 1, 1))
    itself = as_alice.post(f"/memory/graph/{globex.pk}/merge", {"into": globex.pk})
    assert itself.status_code == 422


def test_redirects_stay_in_the_instance(as_alice: Client, anna: Entity, private: Instance) -> None:
    ingest(private, "", [StatementIn(ANNA, "likes", "marzipan", at(2024))])
    other = Entity.objects.get(instance=private)
    address = f"/memory/graph/{anna.pk}/merge"
    assert as_alice.get(f"{address}?into={other.pk}").status_code == 404
    assert as_alice.post(address, {"into": other.pk}).status_code == 404
    form = page(as_alice, f"/memory/graph/new?instance=desk&subject={other.pk}")
    assert 'value="Anna"' not in form
    assert "marzipan" not in page(as_alice, "/memory/graph?instance=desk")


def test_entities_omitted_from_a_picture_are_counted(as_alice: Client, instance: Instance) -> None:
    town = NamedEntity("Hubtown", "place")
    said = [
        StatementIn(NamedEntity(f"Neighbour {n}"), "visited", town, at(2024)) for n in range(230)
    ]
    ingest(instance, "", said)
    hub = Entity.objects.get(name="Hubtown")
    whole = page(as_alice, f"/memory/graph/{hub.pk}")
    # Twenty besides the town; a phone has the list alone.
    assert "210 more connections are not drawn" in whole
    assert whole.count('class="node"') == 20
    assert "130 more relations are not listed" in whole
