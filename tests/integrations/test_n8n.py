"""The workflow for n8n: what n8n checks at its import, and that its addresses are answered."""

import json
import re
import uuid
from typing import Any

import httpx
import pytest

from instances.models import Instance
from tests.api.conftest import key_of
from tests.api.mcp.conftest import Agent
from tests.integrations.conftest import INTEGRATIONS

FILE = INTEGRATIONS / "n8n/keepsake_chat.json"
WORKFLOW: dict[str, Any] = json.loads(FILE.read_text())
NODES = {node["name"]: node for node in WORKFLOW["nodes"]}
LANGCHAIN = "@n8n/n8n-nodes-langchain"
#: The nodes of n8n 2.41: their versions, what comes out of them, and what goes in.
KNOWN: dict[str, tuple[set[float], set[str], set[str]]] = {
    f"{LANGCHAIN}.chatTrigger": ({1, 1.1, 1.2, 1.3, 1.4, 1.5}, {"main"}, {"ai_memory"}),
    f"{LANGCHAIN}.agent": (
        {2, 2.1, 2.2, 3, 3.1},
        {"main"},
        {"main", "ai_languageModel", "ai_memory", "ai_tool"},
    ),
    f"{LANGCHAIN}.lmChatOpenAi": ({1, 1.1, 1.2, 1.3}, {"ai_languageModel"}, set()),
    f"{LANGCHAIN}.memoryBufferWindow": ({1, 1.1, 1.2, 1.3, 1.4}, {"ai_memory"}, set()),
    f"{LANGCHAIN}.mcpClientTool": ({1, 1.1, 1.2, 1.3, 1.4}, {"ai_tool"}, set()),
    "n8n-nodes-base.stickyNote": ({1}, set(), set()),
}


def node_of(kind: str) -> dict[str, Any]:
    """The only node of a kind."""
    node: dict[str, Any]
    [node] = [each for each in NODES.values() if each["type"] == f"{LANGCHAIN}.{kind}"]
    return node


def test_nodes_are_known_to_n8n() -> None:
    assert {"name", "nodes", "connections"} <= WORKFLOW.keys()
    assert len(NODES) == len(WORKFLOW["nodes"])
    assert len({uuid.UUID(node["id"]) for node in NODES.values()}) == len(NODES)
    for node in NODES.values():
        versions, _, _ = KNOWN[node["type"]]
        assert node["typeVersion"] in versions, node["name"]
        assert [type(each) for each in node["position"]] == [int, int]
        assert isinstance(node["parameters"], dict)


def test_connections_lead_from_an_output_to_an_input() -> None:
    led_to: dict[str, set[str]] = {name: set() for name in NODES}
    for source, outputs in WORKFLOW["connections"].items():
        _, out, _ = KNOWN[NODES[source]["type"]]
        assert outputs.keys() <= out
        for kind, lists in outputs.items():
            for connection in (each for row in lists for each in row):
                _, _, taken = KNOWN[NODES[connection["node"]]["type"]]
                assert (connection["type"], connection["index"]) == (kind, 0)
                assert kind in taken
                led_to[connection["node"]].add(kind)
    agent = node_of("agent")["name"]
    assert led_to.pop(agent) == {"main", "ai_languageModel", "ai_memory", "ai_tool"}
    assert not any(led_to.values())


def test_no_secret_is_in_it() -> None:
    assert not any("credentials" in node for node in NODES.values())
    assert not re.search(r"ks_\w", FILE.read_text())
    # Asked for at the import, since they are needed: OpenAI’s always, and one for the tools.
    assert node_of("mcpClientTool")["parameters"]["authentication"] == "bearerAuth"
    assert WORKFLOW["active"] is False


@pytest.mark.django_db(transaction=True)
def test_its_addresses_are_answered(served: str, instance: Instance) -> None:
    secret = key_of(instance, ("read", "write"))[1].secret
    model, tools = node_of("lmChatOpenAi")["parameters"], node_of("mcpClientTool")["parameters"]
    authorization = {"Authorization": f"Bearer {secret}"}
    listed = httpx.get(f"{served}/v1/models", headers=authorization, timeout=60).json()
    assert model["model"]["mode"] == "id"
    assert model["model"]["value"] in {each["id"] for each in listed["data"]}
    assert (tools["serverTransport"], tools["endpointUrl"]) == (
        "httpStreamable",
        "http://127.0.0.1:8000/mcp",
    )
    address = tools["endpointUrl"].replace("http://127.0.0.1:8000", served).removesuffix("/mcp")
    assert "search_memory" in Agent(address, secret, era="legacy").tools()
