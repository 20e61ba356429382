"""A lower tier adds relations, and changes none of what a higher one has said."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest

from instances.actor import Actor
from instances.models import Instance, User
from instances.tiers import Tier
from memoryapp.context.builder import build_context
from memoryapp.graph.corrections import end_relation
from memoryapp.graph.ingestion import NamedEntity, StatementIn, ingest
from memoryapp.models import Relation, Statement
from tests.graph.conftest import Filed, at

MARA = NamedEntity("Mara", "person")
Says = Callable[..., None]


@pytest.fixture
def says(instance: Instance, filed: Filed) -> Says:
    """State where Mara lives: ``says(Tier.USER, "Ghent", 2020)``."""

    def state(tier: Tier, city: str, year: int, **more: object) -> None:
        home = StatementIn(
            MARA,
            "lives_in",
            NamedEntity(city, "place"),
            at(2024),
            date(year, 1, 1),
            tier=tier,
            drawer_id=filed("…").pk,
        )
        ingest(instance, "", [replace(home, **more)])  # type: ignore[arg-type]

    return state


def homes() -> list[tuple[str, int | None, int | None, str]]:
    """Object, first and last year, and tier."""
    return [
        (
            str(relation.object),
            relation.valid_from.year if relation.valid_from else None,
            relation.valid_to.year if relation.valid_to else None,
            Tier(relation.tier).api_name,
        )
        for relation in Relation.objects.order_by("valid_from", "id")
    ]


@pytest.mark.parametrize("tier", [Tier.DOCUMENT, Tier.TOOL, Tier.ASSISTANT])
def test_lower_tier_stands_beside_what_it_contradicts(tier: Tier, says: Says) -> None:
    says(Tier.USER, "Ghent", 2020)
    says(tier, "Minsk", 2021, confidence=100)
    says(tier, "Ghent", 2022, ends=True)
    assert homes() == [("Ghent", 2020, None, "user"), ("Minsk", 2021, None, tier.api_name)]
    # The claim that it ended is shown there.
    assert len(Relation.objects.get(object__name="Ghent").statements) == 2


def test_higher_tier_closes_what_a_lower_one_has_said(says: Says) -> None:
    says(Tier.DOCUMENT, "Minsk", 2019)
    says(Tier.USER, "Ghent", 2020)
    says(Tier.DOCUMENT, "Oslo", 2021)
    says(Tier.USER, "Munich", 2023)
    assert homes() == [
        ("Minsk", 2019, 2020, "document"),
        ("Ghent", 2020, 2023, "user"),
        ("Oslo", 2021, 2023, "document"),
        ("Munich", 2023, None, "user"),
    ]


def test_repetition_by_a_lower_tier_moves_no_day(says: Says) -> None:
    says(Tier.DOCUMENT, "Ghent", 2010)
    says(Tier.USER, "Ghent", 2020)
    for year in (2021, 2022):
        says(Tier.TOOL, "Ghent", year, confidence=100)
    says(Tier.USER, "Ghent", 2023)
    says(Tier.TOOL, "Ghent", 2024)
    assert homes() == [("Ghent", 2010, 2020, "document"), ("Ghent", 2020, None, "user")]
    stands = Relation.objects.get(tier=Tier.USER)
    assert (len(stands.statements), stands.confidence) == (5, 70)


def test_lower_tiers_do_not_outvote_that_there_are_many_values(says: Says) -> None:
    speaks = {"predicate": "rents", "single_valued": False}
    for city in ("Ghent", "Munich"):
        says(Tier.USER, city, 2020, **speaks)
    for year in range(2021, 2030):
        says(Tier.DOCUMENT, f"Town {year}", year, predicate="rents", single_valued=True)
    assert {end for _, _, end, tier in homes() if tier == "user"} == {None}


def test_end_by_hand_is_that_of_the_relation(says: Says, alice: User) -> None:
    says(Tier.DOCUMENT, "Minsk", 2019)
    end_relation(Relation.objects.get(), date(2022, 1, 1), by=Actor(alice))
    assert homes() == [("Minsk", 2019, 2022, "document")]
    assert Statement.objects.get(ends=True).tier == Tier.PERSON


def test_model_is_told_who_said_it(says: Says, instance: Instance) -> None:
    says(Tier.USER, "Ghent", 2020)
    says(Tier.DOCUMENT, "Minsk", 2021)
    told = build_context(instance, "Where does Mara live?", end_user="").text
    assert "relation, said by the user): Mara lives in Ghent" in told
    assert "relation, from a web page or document, unverified): Mara lives in Minsk" in told
    assert told.index("Ghent") < told.index("Minsk")
