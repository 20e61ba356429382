"""Search and fetch as ChatGPT wants them, resources and prompts."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from conversations.models import Conversation
from instances.models import Instance
from memoryapp.models import Memory
from tests.api.conftest import key_of
from tests.api.mcp.conftest import Line

pytestmark = pytest.mark.django_db
Store = Callable[..., Memory]


@pytest.fixture
def line(instance: Instance) -> Line:
    return Line(Authorization=f"Bearer {key_of(instance, ['read'])[1].secret}")


def ask(line: Line, method: str, **params: Any) -> Any:
    response = line.post({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    assert response.status_code == 200, response.content
    return response.json()


def test_search_and_fetch(line: Line, store_memory: Store) -> None:
    memory = store_memory("The user plays the cello.", category="fact")
    found = line.call("search", query="Which instrument does the user play?")
    (result,) = found["structuredContent"]["results"]
    assert json.loads(found["content"][0]["text"]) == found["structuredContent"]
    assert result == {
        "id": f"m{memory.pk}",
        "title": "The user plays the cello.",
        "url": f"http://testserver/memory/{memory.pk}",
    }
    opened = line.call("fetch", id=result["id"])["structuredContent"]
    assert (opened["text"], opened["url"]) == (memory.content, result["url"])
    assert opened["metadata"]["category"] == "fact"


def test_message_is_opened_unless_it_is_without_memory(
    line: Line, conversation: Conversation
) -> None:
    message = conversation.messages.filter(role="user").defer("search").earliest("position")
    opened = line.call("fetch", id=f"s{message.pk}")["structuredContent"]
    assert opened["text"] == message.content
    Conversation.objects.filter(pk=conversation.pk).update(without_memory=True)
    assert line.call("fetch", id=f"s{message.pk}")["isError"]


@pytest.mark.parametrize(
    "name", ["m999999", "s999999", "x", "m", f"m{'9' * 40}", "§ W-999/R-1/D-1"]
)
def test_unknown_ids_are_refused(line: Line, name: str) -> None:
    refused = line.call("fetch", id=name)
    assert refused["isError"]
    assert "There is no" in refused["content"][0]["text"]


def test_one_person_only_sees_their_own(instance: Instance, store_memory: Store) -> None:
    memory = store_memory("Ana plays the cello.", end_user="ana")
    secret = key_of(instance, ["read"])[1].secret
    headers = {"Authorization": f"Bearer {secret}"}
    for user, is_error in (("ana", False), ("bo", True)):
        line = Line(**headers, **{"X-User-Id": user})
        assert line.call("fetch", id=f"m{memory.pk}")["isError"] is is_error
        profile = ask(line, "resources/read", uri="keepsake://profile")
        text = profile["result"]["contents"][0]["text"]
        assert ("cello" in text) is not is_error


def test_resources(line: Line, store_memory: Store) -> None:
    memory = store_memory("The user plays the cello.")
    (profile,) = ask(line, "resources/list")["result"]["resources"]
    assert profile["uri"] == "keepsake://profile"
    (template,) = ask(line, "resources/templates/list")["result"]["resourceTemplates"]
    uri = template["uriTemplate"].replace("{id}", f"m{memory.pk}")
    read = ask(line, "resources/read", uri=uri)["result"]["contents"][0]
    assert "The user plays the cello." in read["text"]
    assert "There is no resource" in ask(line, "resources/read", uri=f"{uri}9")["error"]["message"]


def test_resources_need_the_permission_to_read(instance: Instance, store_memory: Store) -> None:
    store_memory("The user plays the cello.")
    line = Line(Authorization=f"Bearer {key_of(instance, ['write'])[1].secret}")
    assert ask(line, "resources/list")["result"]["resources"] == []
    assert "error" in ask(line, "resources/read", uri="keepsake://profile")


def test_prompts(line: Line) -> None:
    prompts = ask(line, "prompts/list")["result"]["prompts"]
    assert len(prompts) == 3
    for prompt in prompts:
        assert prompt["title"] and prompt["description"]
        got = ask(line, "prompts/get", name=prompt["name"])["result"]
        assert got["messages"][0]["content"]["text"]
    assert "There is no prompt" in ask(line, "prompts/get", name="x")["error"]["message"]
