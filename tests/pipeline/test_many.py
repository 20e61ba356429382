"""Many facts in one call: all are kept, with as many statements as for a few."""

from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance
from instances.tiers import Tier
from memoryapp.models import (
    Activity,
    Contradiction,
    Memory,
    MemoryEmbedding,
    MemoryRevision,
    MemorySource,
    Origin,
)
from memoryapp.pipeline import Candidate, Outcome, Writer, remember
from memoryapp.policy.dedup import Action

WRITER = Writer(Origin.API, Actor(via="test"), tier=Tier.USER)
STORED, UPDATED, DUPLICATE = Action.STORED, Action.UPDATED, Action.DUPLICATE


def told(instance: Instance, *facts: Candidate | str) -> list[Outcome]:
    candidates = [fact if isinstance(fact, Candidate) else Candidate(fact) for fact in facts]
    return remember(instance, candidates, WRITER)


def actions(outcomes: Sequence[Outcome]) -> list[Action]:
    return [outcome.action for outcome in outcomes]


def statements(act: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as queries:
        act()
    return len(queries)


@pytest.mark.parametrize("calls", [1, 4])
def test_lists_of_alike_things_stay_as_many_as_they_were(instance: Instance, calls: int) -> None:
    facts = [
        text
        for number in range(60)
        for text in (
            f"The user has the token word tok{number:04}x.",
            f"Box {number} is on shelf {number % 7}.",
            f"Invoice {20_000 + number} is paid.",
            f"Ana answers extension {7_000 + number}.",
        )
    ]
    size = len(facts) // calls
    for begin in range(0, len(facts), size):
        outcomes = told(instance, *facts[begin : begin + size])
        assert actions(outcomes) == [STORED] * size
    assert sorted(Memory.objects.values_list("content", flat=True)) == sorted(facts)
    assert MemoryEmbedding.objects.count() == Activity.objects.count() == len(facts)
    assert set(actions(told(instance, *facts))) == {DUPLICATE}


def new_facts(begin: int, count: int) -> list[Candidate]:
    return [Candidate(f"Box {begin + n} holds {n % 9} shells.") for n in range(count)]


def new_keys(begin: int, count: int) -> list[Candidate]:
    return [
        Candidate(
            f"Person {begin + n} lives in town {n}.",
            key="home_city",
            value=f"town {n}",
            external_id=f"id-{begin + n}",
            end_user=f"person {begin + n}",
        )
        for n in range(count)
    ]


@pytest.mark.parametrize("facts", [new_facts, new_keys])
def test_number_of_statements_does_not_grow_with_the_facts(
    instance: Instance, conversation: Conversation, facts: Callable[[int, int], list[Candidate]]
) -> None:
    told(instance, *facts(200, 2))
    few, many = facts(0, 5), facts(100, 40)
    assert statements(lambda: told(instance, *few)) == statements(lambda: told(instance, *many))
    # Neither when they are known already.
    assert statements(lambda: told(instance, *few)) == statements(lambda: told(instance, *many))


def test_number_of_statements_does_not_grow_with_the_changes(
    instance: Instance, conversation: Conversation
) -> None:
    message = conversation.messages.earliest("pk")

    def cats(begin: int, end: int, number: int) -> list[Candidate]:
        return [
            Candidate(
                f"The user has {number} cats.",
                end_user=f"person {n}",
                conversation_id=conversation.pk,
                message_id=message.pk,
            )
            for n in range(begin, end)
        ]

    told(instance, *cats(0, 45, 3))
    Memory.objects.update(said_at=timezone.now() - timedelta(days=1))
    few = statements(lambda: told(instance, *cats(0, 5, 4)))
    assert statements(lambda: told(instance, *cats(5, 45, 4))) == few
    assert MemoryRevision.objects.count() == 45
    assert set(Memory.objects.values_list("content", flat=True)) == {"The user has 4 cats."}
    assert MemorySource.objects.in_conversations().count() == 45
    assert all(revision.embeddings.count() == 1 for revision in MemoryRevision.objects.all())


def test_one_fact_takes_few_statements(instance: Instance) -> None:
    told(instance, "The user likes tea.")
    # Begin, locks, rules, search, memory, source, vector, activity, audit log, commit.
    assert statements(lambda: told(instance, "Ana plays the cello.")) <= 10


# Facts of one call


def test_facts_of_one_call_do_not_replace_each_other(instance: Instance) -> None:
    outcomes = told(
        instance,
        "Ana has 3 cats.",
        "Ana has 4 cats.",
        "Ana has four cats.",
        "ana has 4 cats",
        "Ana owns 4 cats.",
    )
    assert actions(outcomes) == [STORED, STORED, STORED, DUPLICATE, STORED]
    first, second, *_ = (outcome.memory.pk for outcome in outcomes)
    assert outcomes[1].contradicts == (first,)
    assert outcomes[3].memory.pk == second
    assert Contradiction.objects.filter(memory=first, other=second).exists()


def test_second_value_of_a_key_stands_beside_the_first(instance: Instance) -> None:
    outcomes = told(
        instance,
        Candidate("The user lives in Rome.", key="home_city", value="Rome"),
        Candidate("The user lives in Paris.", key="home_city", value="Paris"),
        Candidate("Rome is the user's home.", key="home_city", value="Rome"),
        Candidate("The user is allergic to nuts.", key="allergy", value="nuts"),
        Candidate("The user is allergic to penicillin.", key="allergy", value="penicillin"),
    )
    assert actions(outcomes) == [STORED, STORED, DUPLICATE, STORED, STORED]
    assert list(Memory.objects.order_by("pk").values_list("key", "value")) == [
        ("home_city", "Rome"),
        ("", ""),
        ("allergy", "nuts"),
        ("allergy", "penicillin"),
    ]
    assert outcomes[1].contradicts == (outcomes[0].memory.pk,)


def test_second_text_of_an_id_stands_beside_the_first(instance: Instance) -> None:
    outcomes = told(
        instance,
        Candidate("Ana rows.", external_id="m-1"),
        Candidate("Ana sails.", external_id="m-1"),
        Candidate("Ana rows.", external_id="m-1"),
    )
    assert actions(outcomes) == [STORED, STORED, DUPLICATE]
    assert outcomes[1].contradicts == (outcomes[0].memory.pk,)
    assert list(Memory.objects.order_by("pk").values_list("content", "external_id")) == [
        ("Ana rows.", "m-1"),
        ("Ana sails.", ""),
    ]


def test_one_message_says_a_fact_twice(instance: Instance, conversation: Conversation) -> None:
    message = conversation.messages.earliest("pk")
    fact = Candidate("Ana rows.", conversation_id=conversation.pk, message_id=message.pk)
    told(instance, fact, fact)
    assert MemorySource.objects.get().action == "stored_new"


def test_changes_before_it_count_for_a_fact(instance: Instance) -> None:
    told(instance, Candidate("The user has 3 cats."))
    Memory.objects.update(said_at=timezone.now() - timedelta(days=1))
    outcomes = told(
        instance, "The user has 4 cats.", "The user has 5 cats.", "The user has 4 cats!"
    )
    assert actions(outcomes) == [UPDATED, STORED, DUPLICATE]
    assert outcomes[1].contradicts == (outcomes[0].memory.pk,)
    assert MemoryRevision.objects.get().content == "The user has 3 cats."


def test_end_of_a_fact_is_extended_twice(instance: Instance) -> None:
    today = timezone.localdate()
    outcomes = told(
        instance,
        *(
            Candidate(
                f"The user stays in Rome for {days} days.",
                key="home_city",
                value="Rome",
                valid_until=today + timedelta(days=days),
            )
            for days in (3, 6, 9)
        ),
    )
    assert actions(outcomes) == [STORED, UPDATED, UPDATED]
    memory = Memory.objects.get()
    assert memory.valid_until == today + timedelta(days=9)
    assert [revision.content for revision in memory.revisions.all()] == [
        "The user stays in Rome for 6 days.",
        "The user stays in Rome for 3 days.",
    ]
    assert all(revision.embeddings.count() == 1 for revision in memory.revisions.all())
    assert memory.embeddings.count() == 1
