"""Clients in JavaScript, each by its own package."""

import json
from pathlib import Path

import pytest

from instances.models import Instance
from memoryapp.models import Memory
from tests.api.conftest import key_of
from tests.node_clients.conftest import RunNode
from tests.scripted_provider import Request, Says, ScriptedProvider

# The packages are fetched; requests are passed on in threads, which see only committed rows.
pytestmark = [pytest.mark.soak, pytest.mark.django_db(transaction=True)]


def test_ai_sdk(
    address: str, assisted: Instance, provider: ScriptedProvider, run_node: RunNode
) -> None:
    def reply(body: Request) -> Says:
        last = body["messages"][-1]
        if last["role"] == "tool":
            return Says(f"It is {last['content']}.")
        if body.get("tools"):
            return Says("", [("weather", {"city": "Bari"})])
        return Says("Nothing with peanuts.")

    provider.reply_with(reply)
    said = "Nothing with peanuts."
    printed = run_node("ai.mjs", address, key_of(assisted, ("read", "write"))[1].secret)
    assert json.loads(printed) == {
        "whole": said,
        "streamed": said,
        "continued": said,
        "withTool": "It is sunny in Bari.",
        "steps": 2,
        "chat": said,
        "dimensions": 384,
    }


def test_mem0(address: str, assisted: Instance, run_node: RunNode) -> None:
    scopes = ("read", "write", "delete", "forget")
    secret = key_of(assisted, scopes)[1].secret
    printed = run_node("mem0.mjs", address.removesuffix("/v1"), secret)
    assert json.loads(printed.splitlines()[-1]) == {
        "found": ["The user likes vanilla."],
        "listed": 1,
        "updated": "The user likes chocolate.",
        "versions": 2,
        "left": 0,
    }
    assert not Memory.objects.exists()


def test_types_are_generated_from_the_openapi_document(
    instance: Instance, packages: Path, run_node: RunNode
) -> None:
    _, program = key_of(instance)
    document = packages / "openapi.json"
    document.write_text(json.dumps(program.send("GET", "/api/openapi.json")))
    generator, compiler = "openapi-typescript/bin/cli.js", "typescript/bin/tsc"
    run_node(f"node_modules/{generator}", document.name, "--output", "api.d.ts")
    run_node(f"node_modules/{compiler}", "--noEmit", "--strict", "api.d.ts")
    assert "/api/memories" in (packages / "api.d.ts").read_text()
