"""Pages while rows are added and deleted: no row twice, and none missing."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.core import signing
from django.utils import timezone

from conversations.models import Conversation, Message
from instances.models import Instance
from memoryapp.models import Memory, MemoryRevision, Run
from tests.api.conftest import Program


def make_memory(instance: Instance, number: int) -> Any:
    """Create memories in pairs of the same age, so that the id decides the order."""
    age = timedelta(minutes=number // 2)
    when = timezone.now().replace(microsecond=0) - timedelta(days=1) + age
    return Memory.objects.create(instance=instance, content=f"Fact {number}.", created_at=when)


def make_conversation(instance: Instance, number: int) -> Any:
    return Conversation.objects.create(instance=instance, title=f"Talk {number}")


def make_run(instance: Instance, number: int) -> Any:
    return Run.objects.create(
        instance=instance, conversation=make_conversation(instance, number), state="failed"
    )


def make_revision(instance: Instance, number: int) -> Any:
    memory = Memory.objects.get_or_create(instance=instance, content="Fact.")[0]
    return MemoryRevision.objects.create(
        instance=instance,
        memory=memory,
        content=f"Fact {number}.",
        category="fact",
        importance=5,
        valid_from=timezone.now(),
        reason="edited",
    )


def make_message(instance: Instance, number: int) -> Any:
    conversation = Conversation.objects.get_or_create(instance=instance)[0]
    last = conversation.messages.order_by("-position").first()
    return Message.objects.create(
        instance=instance,
        conversation=conversation,
        position=last.position + 1 if last else 1,
        role="user",
        content=f"Turn {number}.",
    )


LISTS: dict[str, tuple[Callable[[Instance, int], Any], Callable[[Any], str]]] = {
    "memories": (make_memory, lambda row: "memories"),
    "conversations": (make_conversation, lambda row: "conversations"),
    "runs": (make_run, lambda row: "runs"),
    "messages": (make_message, lambda row: f"conversations/{row.conversation_id}/messages"),
    "revisions": (make_revision, lambda row: f"memories/{row.memory_id}/revisions"),
}


def pages(program: Program, path: str, limit: int) -> Iterator[list[int]]:
    """Yield the ids of each page until the last one."""
    cursor = ""
    while cursor is not None:
        answer = program.send("GET", f"{path}?limit={limit}&cursor={cursor}")
        assert answer["limit"] == limit
        yield [item["id"] for item in answer["items"]]
        cursor = answer["next"]


@pytest.mark.parametrize("name", LISTS)
def test_pages_are_stable_while_rows_change(
    name: str, program: Program, instance: Instance
) -> None:
    make, path_of = LISTS[name]
    rows = [make(instance, number) for number in range(9)]
    path = path_of(rows[0])
    walk = pages(program, path, 2)
    seen = next(walk) + next(walk)
    # Add and delete rows before, at and after the current position.
    newcomers = [make(instance, 100), make(instance, -100)]
    ids = {row.pk for row in rows}
    behind = sorted(ids - set(seen), reverse=seen[0] > seen[1])
    gone = {seen[0], seen[-1], behind[2]}
    type(rows[0]).objects.filter(pk__in=gone).delete()
    for page in walk:
        seen += page
    assert len(seen) == len(set(seen)), "a row is listed twice"
    assert ids - {behind[2]} <= set(seen), "a row is missing"
    assert set(seen) <= ids | {row.pk for row in newcomers}


@pytest.mark.parametrize("name", LISTS)
def test_last_page_has_no_next_cursor(name: str, program: Program, instance: Instance) -> None:
    make, path_of = LISTS[name]
    rows = [make(instance, number) for number in range(4)]
    sizes = [len(page) for page in pages(program, path_of(rows[0]), 2)]
    assert sizes == [2, 2]
    assert program.send("GET", f"{path_of(rows[0])}?limit=4")["next"] is None
    assert len(program.send("GET", f"{path_of(rows[0])}?limit=3")["items"]) == 3


def test_conversation_that_continues_meanwhile_is_not_missed(
    program: Program, instance: Instance
) -> None:
    rows = [make_conversation(instance, number) for number in range(4)]
    walk = pages(program, "conversations", 2)
    seen = next(walk)
    Conversation.objects.filter(pk=rows[0].pk).update(last_activity_at=timezone.now())
    seen += next(walk)
    assert seen == [row.pk for row in reversed(rows)]


def test_messages_are_listed_in_order(program: Program, instance: Instance) -> None:
    rows = [make_message(instance, number) for number in range(5)]
    path = f"conversations/{rows[0].conversation_id}/messages"
    assert [i for page in pages(program, path, 2) for i in page] == [row.pk for row in rows]


@pytest.mark.parametrize(
    "cursor",
    [
        "x",
        "1",
        ":::",
        "é",
        "\x00",
        signing.dumps(["-created_at", "-id", "2024-01-01T00:00:00+00:00", 1]),
        signing.dumps(["-id", 1], salt="keepsake.api.cursor"),
        signing.dumps({}, salt="keepsake.api.cursor"),
        signing.dumps(5, salt="keepsake.api.cursor"),
    ],
    ids=range(9),
)
def test_invalid_cursor_is_400(cursor: str, program: Program, instance: Instance) -> None:
    answer = program.send("GET", f"memories?cursor={quote(cursor)}", status=400)
    assert answer["code"] == "invalid_cursor"


def test_cursor_of_another_list_is_400(program: Program, instance: Instance) -> None:
    for number in range(3):
        make_memory(instance, number)
    cursor = program.send("GET", "memories?limit=1")["next"]
    answer = program.send("GET", f"conversations?cursor={cursor}", status=400)
    assert answer["code"] == "invalid_cursor"


@pytest.mark.parametrize("name", LISTS)
def test_total_is_counted_on_demand(name: str, program: Program, instance: Instance) -> None:
    make, path_of = LISTS[name]
    rows = [make(instance, number) for number in range(5)]
    path = path_of(rows[0])
    assert program.send("GET", f"{path}?limit=2")["total"] is None
    first = program.send("GET", f"{path}?limit=2&total=true")
    assert first["total"] == 5
    later = program.send("GET", f"{path}?limit=2&total=true&cursor={first['next']}")
    assert later["total"] == 5
    assert program.send("GET", f"{path}?total=some", None, 422)["code"] == "invalid"
