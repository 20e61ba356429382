"""The view of validity windows, compared with a simple implementation in Python."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from instances.models import Instance
from instances.tiers import Tier
from memoryapp.models import Entity, Memory, Relation, Statement
from tests.graph.conftest import at

FIRST = date(2020, 1, 1)
OBJECTS = 3


@dataclass
class Window:
    object: int
    begin: date | None
    end: date | None
    #: Entities in order of creation.
    statements: set[int] = field(default_factory=set)
    #: Of those that state it, in the order of their days.
    tiers: list[int] = field(default_factory=list)


def walk(statements: list[Statement]) -> list[Window]:
    """Compute the windows of one subject and predicate, tier by tier."""
    return [
        window
        for tier in {s.tier for s in statements}
        for window in walk_tier(statements, tier)
        if max(window.tiers) == tier
    ]


def walk_tier(statements: list[Statement], tier: int) -> list[Window]:
    """Compute what *tier* and higher ones say, statement by statement."""
    voters = [s for s in statements if s.tier == max(s.tier for s in statements)]
    single = 2 * sum(s.single_valued for s in voters) > len(voters)
    windows: list[Window] = []
    unbegun: dict[int, Window] = {}
    begun: set[int] = set()
    #: The last window by object, or of the single value.
    last: dict[int | None, Window] = {}
    for s in sorted(statements, key=lambda s: (s.since, s.said_at, s.pk)):
        assert s.object_id
        line = None if single else s.object_id
        current = last.get(line)
        same = current is not None and current.object == s.object_id
        if s.ends and s.object_id not in begun:
            if s.tier == tier:
                window = unbegun.setdefault(s.object_id, Window(s.object_id, None, s.since))
                window.statements.add(s.pk)
                window.tiers.append(tier)
        elif s.ends:
            if current and same:
                if s.tier >= tier:
                    current.end = current.end or s.since
                current.statements.add(s.pk)
        else:
            begun.add(s.object_id)
            if s.tier < tier:
                if current and same:
                    current.statements.add(s.pk)
                continue
            if current and same and current.end is None and current.tiers[-1] >= s.tier:
                current.statements.add(s.pk)
                current.tiers.append(s.tier)
                continue
            if current and current.end is None:
                current.end = s.since
            last[line] = Window(s.object_id, s.since, None, {s.pk}, [s.tier])
            windows.append(last[line])
    return [*windows, *unbegun.values()]


Plain = tuple[int, str, str, int, list[int]]


def plain(windows: list[Window]) -> list[Plain]:
    return sorted(
        (w.object, str(w.begin), str(w.end), max(w.tiers), sorted(w.statements)) for w in windows
    )


def derived(instance: Instance) -> dict[tuple[int, str], list[Plain]]:
    windows_by_line = defaultdict(list)
    for r in Relation.objects.filter(instance=instance):
        assert r.object_id
        assert len(r.statements) == len(set(r.statements))
        window = Window(r.object_id, r.valid_from, r.valid_to, set(r.statements), [r.tier])
        windows_by_line[r.subject_id, r.predicate].append(window)
    return {line: plain(windows) for line, windows in windows_by_line.items()}


said_things = st.lists(
    st.tuples(
        st.integers(0, 1),  # subject
        st.sampled_from(["lives_in", "likes"]),
        st.integers(0, OBJECTS - 1),
        st.integers(0, 5),  # day: few, so that they collide
        st.integers(0, 3),  # message date
        st.booleans(),  # ends
        st.booleans(),  # single-valued
        st.sampled_from([Tier.DOCUMENT, Tier.USER, Tier.PERSON]),
    ),
    max_size=14,
)


@pytest.fixture
def entities(instance: Instance) -> list[Entity]:
    """Entities that persist because a memory mentions them."""
    memory = Memory.objects.create(instance=instance, content="They are all things.")
    entities = []
    for name in (f"thing-{n}" for n in range(2 + OBJECTS)):
        entity = Entity.objects.create(instance=instance, name=name, slug=name)
        entity.mentions.create(instance=instance, name=name, slug=name, memory=memory)
        entities.append(entity)
    return entities


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(said_things=said_things, gone=st.sets(st.integers(0, 13)))
def test_view_matches_a_simple_computation_also_after_deletions(
    said_things: list[tuple[int, str, int, int, int, bool, bool, Tier]],
    gone: set[int],
    instance: Instance,
    entities: list[Entity],
) -> None:
    # Bypasses ingestion, because any rows must have one meaning.
    Statement.objects.all().delete()
    memory = Memory.objects.get(mentions__entity=entities[0])
    Statement.objects.bulk_create(
        (
            Statement(
                instance=instance,
                subject=entities[subject],
                predicate=predicate,
                object=entities[2 + thing],
                since=FIRST + timedelta(day),
                said_at=at(2024, 1, 1 + said_at),
                ends=ends,
                single_valued=single,
                tier=tier,
                # An end without a source was made by hand, and goes with the statement it ends.
                memory=memory if ends else None,
            )
            for subject, predicate, thing, day, said_at, ends, single, tier in said_things
        ),
        ignore_conflicts=True,
    )
    rows = list(Statement.objects.order_by("pk"))
    for deleted in ([], [row.pk for n, row in enumerate(rows) if n in gone]):
        Statement.objects.filter(pk__in=deleted).delete()
        lines = defaultdict(list)
        for row in Statement.objects.all():
            lines[row.subject_id, row.predicate].append(row)
        assert derived(instance) == {
            line: plain(walk(statements)) for line, statements in lines.items()
        }
        only_one_value_at_a_time(instance)
    before = said_by_the_user(instance)
    Statement.objects.filter(tier__lt=Tier.USER).delete()
    assert before <= said_by_the_user(instance)


def said_by_the_user(instance: Instance) -> set[tuple[object, ...]]:
    columns = ("id", "object", "valid_from", "valid_to", "tier", "confidence", "single_valued")
    rows = Relation.objects.filter(instance=instance, tier__gte=Tier.USER, valid_from__isnull=False)
    return {*rows.values_list(*columns)}


def only_one_value_at_a_time(instance: Instance) -> None:
    single = Relation.objects.filter(instance=instance, single_valued=True)
    for day in (FIRST + timedelta(n) for n in range(-1, 8)):
        held = list(single.as_of(day).values_list("subject", "predicate", "tier"))
        assert len(held) == len(set(held)), day
    still = list(
        single.filter(valid_to=None, valid_from__isnull=False).values_list(
            "subject", "predicate", "tier"
        )
    )
    assert len(still) == len(set(still))


# Examples


class House:
    """Add a statement about a home."""

    def __init__(self, instance: Instance, entities: list[Entity]) -> None:
        self.instance, (self.anna, _, *self.cities) = instance, entities

    def says(self, city: int, since: date, **more: object) -> Statement:
        return Statement.objects.create(
            instance=self.instance,
            subject=self.anna,
            predicate="lives_in",
            object=self.cities[city],
            since=since,
            **({"single_valued": True, "dated": True, "said_at": at(2024)} | more),
        )

    def windows(self) -> list[tuple[int, date | None, date | None]]:
        return [
            (self.cities.index(r.object), r.valid_from, r.valid_to)  # type: ignore[arg-type]
            for r in Relation.objects.filter(instance=self.instance).order_by("valid_from", "id")
        ]


@pytest.fixture
def house(instance: Instance, entities: list[Entity]) -> House:
    return House(instance, entities)


def test_new_value_ends_the_previous_one_and_its_deletion_reopens_it(house: House) -> None:
    house.says(0, date(2020, 1, 1))
    moved = house.says(1, date(2022, 6, 1))
    assert house.windows() == [(0, date(2020, 1, 1), date(2022, 6, 1)), (1, date(2022, 6, 1), None)]
    moved.delete()
    assert house.windows() == [(0, date(2020, 1, 1), None)]


def test_earlier_value_may_be_learned_later(house: House) -> None:
    house.says(1, date(2022, 6, 1))
    house.says(0, date(2020, 1, 1), said_at=at(2025))
    assert [city for city, _, _ in house.windows()] == [0, 1]
    assert house.windows()[0][2] == date(2022, 6, 1)


def test_repeated_value_continues_and_ended_value_restarts(house: House) -> None:
    house.says(0, date(2020, 1, 1))
    house.says(0, date(2021, 1, 1))
    assert house.windows() == [(0, date(2020, 1, 1), None)]
    house.says(0, date(2022, 1, 1), ends=True)
    house.says(0, date(2023, 1, 1))
    assert house.windows() == [(0, date(2020, 1, 1), date(2022, 1, 1)), (0, date(2023, 1, 1), None)]


def test_later_statement_wins_on_the_same_day(house: House) -> None:
    house.says(0, date(2020, 1, 1), said_at=at(2024, 2))
    house.says(1, date(2020, 1, 1), said_at=at(2024, 1))
    (overruled, stands) = Relation.objects.order_by("valid_to")
    assert overruled.object == house.cities[1] and overruled.is_overruled
    assert stands.object == house.cities[0] and stands.is_open
    assert list(Relation.objects.as_of(date(2020, 1, 1))) == [stands]


def test_end_of_another_value_changes_nothing(house: House) -> None:
    house.says(0, date(2020, 1, 1))
    house.says(1, date(2022, 1, 1))
    house.says(0, date(2022, 2, 1), ends=True)
    assert house.windows() == [(0, date(2020, 1, 1), date(2022, 1, 1)), (1, date(2022, 1, 1), None)]


def test_end_without_a_start_is_a_window_without_a_start(house: House) -> None:
    house.says(0, date(2022, 2, 1), ends=True)
    assert house.windows() == [(0, None, date(2022, 2, 1))]
    assert not Relation.objects.as_of(date(2021, 1, 1))


def test_multi_valued_relation_ends_nothing(house: House) -> None:
    for city, single in ((0, False), (1, True)):
        house.says(city, date(2020 + city, 1, 1), single_valued=single)
    assert house.windows() == [(0, date(2020, 1, 1), None), (1, date(2021, 1, 1), None)]
    house.says(2, date(2022, 1, 1), single_valued=True)
    assert [end for _, _, end in house.windows()] == [date(2021, 1, 1), date(2022, 1, 1), None]


def test_values_are_compared_case_insensitively(house: House, instance: Instance) -> None:
    for year, value in ((2020, "Blue"), (2021, "blue"), (2022, "Red")):
        Statement.objects.create(
            instance=instance,
            subject=house.anna,
            predicate="status",
            value=value,
            since=date(year, 1, 1),
            single_valued=True,
        )
    windows_by_line = Relation.objects.order_by("valid_from").values_list("value", "valid_from")
    assert list(windows_by_line) == [("blue", date(2020, 1, 1)), ("Red", date(2022, 1, 1))]
