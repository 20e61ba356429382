"""The activity log over REST."""

from collections.abc import Callable

from instances.models import Instance, User
from memoryapp.models import Activity, Memory
from tests.api.conftest import Program

Store = Callable[..., Memory]


def test_activity_tells_who_did_what(
    program: Program, instance: Instance, alice: User, store_memory: Store
) -> None:
    memory = store_memory("The user keeps bees.")
    instance.activity.all().delete()
    program.send("PATCH", f"memories/{memory.pk}", {"importance": 9})
    instance.activity.create(action="settings", by=alice, about="Memory")
    settings, updated = program.send("GET", "activity")["items"]
    assert (settings["action"], settings["by"], settings["about"]) == (
        "settings",
        "alice",
        "Memory",
    )
    assert (updated["action"], updated["by"], updated["memory_id"]) == ("updated", None, memory.pk)
    assert updated["via"].startswith("api ks_")


def test_activity_is_filtered(program: Program, instance: Instance, store_memory: Store) -> None:
    memory = store_memory("The user keeps bees.")
    Activity.objects.all().delete()
    entries = [
        instance.activity.create(action="updated", memory_id=memory.pk, at="2031-05-01T12:00Z"),
        instance.activity.create(action="deleted", at="2031-05-02T12:00Z"),
    ]
    for query, found in (
        ("action=deleted", [1]),
        (f"memory_id={memory.pk}", [0]),
        ("since=2031-05-02T00:00:00Z", [1]),
        ("until=2031-05-02T12:00:00Z", [0]),
        ("conversation_id=7", []),
        ("limit=1", [1]),
    ):
        items = program.send("GET", f"activity?{query}")["items"]
        assert [each["id"] for each in items] == [entries[n].pk for n in found], query
    program.send("GET", "activity?action=danced", status=422)
