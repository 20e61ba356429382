"""The official MCP client against the running app with two processes."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction
from mcp.shared.exceptions import MCPError

from instances.models import ApiKey, Instance
from memoryapp.models import Activity, Memory, Origin
from tests.api.conftest import SCOPES, key_of
from tests.api.mcp.conftest import Agent, text_of

# The app sees only committed rows.
pytestmark = pytest.mark.django_db(transaction=True)
Store = Callable[..., Memory]


@pytest.mark.parametrize("era", ["legacy", "auto"])
def test_agent_saves_searches_lists_and_forgets(
    era: str, served: str, instance: Instance, store_memory: Store
) -> None:
    store_memory("The user is allergic to peanuts.", category="fact", importance=9)
    key, program = key_of(instance)
    agent = Agent(served, program.secret, era=era)

    saved = agent.call("save_memory", content="The user sails on Sundays.", tags=["Sport"])
    memory = Memory.objects.get(tags=["sport"])
    assert (memory.content, memory.origin) == ("The user sails on Sundays.", Origin.API)
    assert saved.structured_content == {
        "id": f"m{memory.pk}",
        "content": "The user sails on Sundays.",
        "action": "stored_new",
    }
    assert text_of(saved) == f"[m{memory.pk}] stored."

    found = agent.call("search_memory", query="When does the user sail?")
    assert found.structured_content["items"][0]["id"] == f"m{memory.pk}"
    assert f"[m{memory.pk}]" in text_of(found)

    listed = agent.call("list_memories", limit=1)
    assert [item["content"] for item in listed.structured_content["items"]] == [memory.content]
    rest = agent.call("list_memories", limit=1, cursor=listed.structured_content["next"])
    assert rest.structured_content["items"][0]["importance"] == 9
    assert rest.structured_content["next"] is None

    gone = agent.call("forget_memory", id=f"m{memory.pk}")
    assert (gone.is_error, gone.structured_content["forgotten"]) == (False, [f"m{memory.pk}"])
    assert not Memory.objects.filter(pk=memory.pk).exists()
    vias = Activity.objects.exclude(via="test").values_list("via", flat=True)
    assert set(vias) == {f"mcp {key.prefix}"}
    assert ApiKey.objects.get().last_used_at is not None


@pytest.mark.parametrize("era", ["legacy", "auto"])
def test_server_info_is_returned(era: str, served: str, instance: Instance) -> None:
    async def introduced(client: Any) -> tuple[str, str]:
        return client.server_info.title, client.instructions

    title, instructions = Agent(served, key_of(instance)[1].secret, era=era).do(introduced)
    assert title == "Keepsake"
    assert "long-term memory" in instructions


def test_tool_errors_are_explained(served: str, instance: Instance) -> None:
    agent = Agent(served, key_of(instance)[1].secret)
    wrong = agent.call("search_memory", query="x", limit=99)
    assert wrong.is_error
    assert "limit: Input should be less than or equal to 20" in text_of(wrong)
    assert "There is no tool 'drop_memory'" in text_of(agent.call("drop_memory"))


def test_invalid_key_is_rejected(served: str, instance: Instance) -> None:
    key, program = key_of(instance)
    key.revoke()
    for secret in (program.secret, "ks_of-nobody"):
        with pytest.raises(BaseExceptionGroup) as caught:
            Agent(served, secret).tools()
        assert caught.group_contains(MCPError, match="error response")


def test_concurrent_users_see_only_their_own_memories(
    served: str, instance: Instance, private: Instance, store_memory: Store
) -> None:
    store_memory("The user keeps bees.")
    store_memory("The diary is about bees.", into=private)
    asked = [("search_memory", {"query": "bees"})] * 12
    for owner, words in ((instance, "keeps bees"), (private, "diary")):
        for result in Agent(served, key_of(owner)[1].secret).calls(*asked):
            (item,) = result.structured_content["items"]
            assert words in item["content"]


def test_concurrent_saves_of_one_fact_store_it_once(served: str, instance: Instance) -> None:
    agent = Agent(served, key_of(instance)[1].secret)
    saved = agent.calls(*[("save_memory", {"content": "The user keeps bees."})] * 8)
    assert sorted(result.structured_content["action"] for result in saved) == [
        *["duplicate_exact"] * 7,
        "stored_new",
    ]
    assert Memory.objects.count() == 1


@pytest.mark.parametrize("scope", SCOPES)
def test_tools_match_the_scopes_of_the_key(scope: str, served: str, instance: Instance) -> None:
    names = {
        "read": {"search_memory", "list_memories", "search", "fetch"},
        "write": {"save_memory"},
        "delete": {"forget_memory"},
        "people": set(),
        "webhooks": set(),
    }
    offered = Agent(served, key_of(instance, [scope])[1].secret).tools()
    assert offered.keys() == names[scope]
    for tool in offered.values():
        hints = tool.annotations
        assert hints is not None
        assert hints.read_only_hint is (scope == "read")
        assert hints.destructive_hint is (scope == "delete")


@pytest.mark.parametrize("era", ["legacy", "auto"])
def test_long_call_reports_its_progress(era: str, served: str, instance: Instance) -> None:
    locked, reported = threading.Event(), threading.Event()
    notes: list[tuple[float, str | None]] = []

    def hold_memories() -> None:
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("LOCK TABLE memoryapp_memory IN SHARE ROW EXCLUSIVE MODE")
                locked.set()
                reported.wait(20)
        finally:
            connection.close()

    async def note(progress: float, total: float | None, message: str | None) -> None:
        notes.append((progress, message))
        if len(notes) == 2:
            reported.set()

    async def save(client: Any) -> Any:
        content = {"content": "The user sails on Sundays."}
        return await client.call_tool("save_memory", content, progress_callback=note)

    holder = threading.Thread(target=hold_memories)
    holder.start()
    assert locked.wait(10)
    saved = Agent(served, key_of(instance)[1].secret, era=era).do(save)
    holder.join()
    assert not saved.is_error and Memory.objects.get().content == "The user sails on Sundays."
    seconds = [progress for progress, _ in notes]
    assert seconds == sorted(seconds) and seconds[0] > 0
    assert notes[0][1] == "At work for 1 s."
