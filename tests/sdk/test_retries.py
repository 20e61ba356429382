"""What the client sends again, and what it must not."""

import httpx
import pytest

from keepsake_client import ApiError, Keepsake, Unreachable
from memoryapp.models import Memory
from tests.sdk.conftest import Connect, Faults

PEANUTS = "The user is allergic to peanuts."


@pytest.fixture
def network() -> Faults:
    return Faults()


@pytest.fixture
def keepsake(connect: Connect, network: Faults) -> Keepsake:
    return connect(transport=network, retries=1)


@pytest.mark.parametrize("fault", ["lost", "cut", 429, 502, 503, httpx.ConnectError("refused")])
def test_what_is_stored_is_stored_once(
    keepsake: Keepsake, network: Faults, fault: Exception | int | str
) -> None:
    network.next = [fault]
    stored = keepsake.remember(PEANUTS)
    assert [memory.pk for memory in Memory.objects.all()] == [stored.id]
    assert stored.dedup.action == "stored_new"
    keys = [request.headers["Idempotency-Key"] for request in network.requests]
    assert len(keys) == 2 and len(set(keys)) == 1
    keepsake.remember("The user keeps bees.")
    assert network.requests[-1].headers["Idempotency-Key"] != keys[0]


@pytest.mark.parametrize("fault", ["lost", 429, 503])
def test_questions_are_asked_again(keepsake: Keepsake, network: Faults, fault: int | str) -> None:
    keepsake.remember(PEANUTS)
    for ask in (
        keepsake.who_am_i,
        lambda: keepsake.search("peanuts"),
        lambda: [*keepsake.export()],
    ):
        network.next = [fault]
        assert ask()


def test_changes_are_not_repeated_after_a_lost_answer(keepsake: Keepsake, network: Faults) -> None:
    memory_id = keepsake.remember(PEANUTS).id
    assert memory_id
    network.requests.clear()
    for change in (
        lambda: keepsake.correct(memory_id, importance=9),
        lambda: keepsake.forget(memory_id),
    ):
        network.next = [503]
        with pytest.raises(ApiError, match="503") as refused:
            change()
        assert (refused.value.status, refused.value.code) == (503, "")
        network.next = ["lost"]
        with pytest.raises(Unreachable):
            change()
    assert len(network.requests) == 4
    with pytest.raises(ApiError, match="not_found"):
        keepsake.memory(memory_id)


@pytest.mark.parametrize("fault", [429, httpx.ConnectError("refused")])
def test_what_never_began_is_begun_again(
    keepsake: Keepsake, network: Faults, fault: Exception | int
) -> None:
    memory_id = keepsake.remember(PEANUTS).id
    assert memory_id
    network.next = [fault]
    assert keepsake.correct(memory_id, importance=9).importance == 9


def test_an_export_that_breaks_off_is_no_whole_one(keepsake: Keepsake, network: Faults) -> None:
    keepsake.remember(PEANUTS)
    network.next = ["cut"]
    with pytest.raises(Unreachable):
        list(keepsake.export())


def test_it_gives_up(keepsake: Keepsake, network: Faults) -> None:
    network.next = ["lost", "lost"]
    with pytest.raises(Unreachable):
        keepsake.who_am_i()
    network.next = [429, 429]
    with pytest.raises(ApiError, match="429"):
        keepsake.who_am_i()
    assert len(network.requests) == 4
