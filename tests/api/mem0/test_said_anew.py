"""What a program adds again after it has deleted everything, with mem0's own client."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from mem0 import MemoryClient
from mem0.exceptions import MemoryNotFoundError

from instances.models import Instance
from memoryapp.extraction.run import queue_again
from tests.api.mem0.client_calls import ANA, read_waiting, texts
from tests.api.mem0.conftest import Connect
from tests.provider_fixtures import keep_everything, read_with
from tests.scripted_provider import ScriptedProvider

RUN = {"user_id": "ana", "run_id": "r-1"}
#: The fact is not in the last message of the user.
SAID = [
    {"role": "user", "content": "I have a dog called Rex."},
    {"role": "assistant", "content": "What a nice dog, your Rex."},
    {"role": "user", "content": "Thanks!"},
    {"role": "assistant", "content": "You are welcome."},
]
NEW = {"role": "user", "content": "Which day is it?"}


@pytest.fixture(params=["bin", "for good"])
def program(
    request: pytest.FixtureRequest,
    connect: Connect,
    instance: Instance,
    provider: ScriptedProvider,
) -> Iterator[MemoryClient]:
    """A program whose key may delete memories into the bin, or for good."""
    read_with(provider, instance)
    provider.reply_with(keep_everything)
    forget = ["forget"] if request.param == "for good" else []
    yield connect(instance, "read", "write", "delete", *forget)


def add(client: MemoryClient, messages: list[dict[str, str]], **owners: str) -> list[str]:
    """Add messages, wait until they have been read, and return what is known of Ana."""
    client.add(messages, **(owners or RUN))
    read_waiting()
    return texts(client.get_all(filters=ANA))


@pytest.mark.parametrize(
    "delete",
    [
        lambda client: client.delete_all(**ANA),
        lambda client: client.delete_all(run_id="r-1"),
        lambda client: client.delete_users(**ANA),
    ],
)
def test_same_messages_are_learned_after_everything_was_deleted(
    delete: Callable[[MemoryClient], Any], program: MemoryClient
) -> None:
    known = add(program, SAID)
    assert "I have a dog called Rex." in known
    delete(program)
    assert texts(program.get_all(filters=ANA)) == []
    assert add(program, SAID) == known
    # Sending them once more when in doubt adds nothing.
    assert add(program, SAID) == known


def test_same_messages_are_learned_elsewhere_and_later(program: MemoryClient) -> None:
    known = set(add(program, SAID))
    program.delete_all(**ANA)
    assert known <= set(add(program, SAID, user_id="ana", run_id="r-2"))
    program.delete_all(**ANA)
    add(program, [NEW])
    assert known <= set(add(program, SAID))


def test_history_stays_unheard_after_one_memory_was_deleted(program: MemoryClient) -> None:
    add(program, SAID)
    for memory in program.get_all(filters=ANA)["results"]:
        program.delete(memory["id"])
    assert not any("Rex" in text for text in add(program, [*SAID, NEW]))
    assert not any("Rex" in text for text in add(program, SAID, user_id="ana", run_id="r-2"))


def test_conversation_is_not_learned_from_by_itself(
    program: MemoryClient, instance: Instance
) -> None:
    add(program, SAID)
    program.delete_all(**ANA)
    assert queue_again(instance.conversations.get())
    assert not any("Rex" in text for text in add(program, [NEW]))


def test_user_without_memories_can_be_deleted(program: MemoryClient) -> None:
    add(program, SAID)
    program.delete_all(**ANA)
    assert program.delete_users(**ANA)["message"] == "Entity deleted successfully."
    with pytest.raises(MemoryNotFoundError):
        program.delete_users(user_id="ben")
