"""The entry of the MCP registry, by the rules of its schema of 11 December 2025."""

import hashlib
import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from instances.models import Instance
from tests.api.conftest import key_of
from tests.api.mcp.conftest import Agent
from tests.integrations.conftest import INTEGRATIONS

FOLDER = INTEGRATIONS / "mcp-registry"
REPOSITORY = "https://github.com/owner/memory"
INPUT = {
    *("choices", "default", "description", "format", "isRequired", "isSecret", "placeholder"),
    *("value", "variables"),
}


@pytest.fixture
def entry(tmp_path: Path) -> dict[str, Any]:
    """The entry, completed for a repository."""
    bundle = runpy.run_path(str(INTEGRATIONS / "mcpb/build.py"))["build"](tmp_path)
    write = runpy.run_path(str(FOLDER / "registry_entry.py"))["write"]
    completed: dict[str, Any] = json.loads(write(REPOSITORY, tmp_path).read_text())
    [package] = completed["packages"]
    assert package["fileSha256"] == hashlib.sha256(bundle.read_bytes()).hexdigest()
    assert (
        package["identifier"]
        == f"{REPOSITORY}/releases/download/v{completed['version']}/{bundle.name}"
    )
    return completed


def check_input(given: dict[str, Any]) -> None:
    """Check a value that the user gives, with those that are put into it."""
    assert given.keys() - {"name"} <= INPUT
    assert given.get("format", "string") in {"string", "number", "boolean", "filepath"}
    assert {type(given.get(flag, False)) for flag in ("isRequired", "isSecret")} == {bool}
    named = re.findall(r"\{(\w+)\}", given.get("value", ""))
    assert set(named) == given.get("variables", {}).keys()
    for variable in given.get("variables", {}).values():
        check_input(variable)


def test_it_follows_the_schema(entry: dict[str, Any]) -> None:
    assert entry["$schema"].endswith("/schemas/2025-12-11/server.schema.json")
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", entry["name"])
    assert entry["name"] == "io.github.owner/memory"
    assert 1 <= len(entry["description"]) <= 100 and 1 <= len(entry["title"]) <= 100
    assert re.fullmatch(r"\d+\.\d+\.\d+", entry["version"])
    assert entry["repository"] == {"url": REPOSITORY, "source": "github"}
    for remote in entry["remotes"]:
        assert remote.keys() <= {"type", "url", "variables", "headers"}
        assert remote["type"] in {"streamable-http", "sse"}
        assert re.fullmatch(r"https?://\S+", remote["url"])
        check_input({"value": remote["url"], "variables": remote["variables"]})
        for header in remote["headers"]:
            assert header["name"]
            check_input(header)
    for package in entry["packages"]:
        assert package.keys() == {
            *("registryType", "identifier", "fileSha256", "transport", "environmentVariables"),
        }
        # The registry takes bundles from releases on GitHub, with "mcp" in their address.
        assert package["registryType"] == "mcpb" and "mcp" in package["identifier"]
        assert re.fullmatch(r"[a-f0-9]{64}", package["fileSha256"])
        assert package["transport"] == {"type": "stdio"}
        for variable in package["environmentVariables"]:
            check_input(variable)


def test_the_bundle_is_told_what_it_reads(entry: dict[str, Any]) -> None:
    manifest = json.loads((INTEGRATIONS / "mcpb/manifest.json").read_text())
    [package] = entry["packages"]
    told = {each["name"]: each.get("isSecret", False) for each in package["environmentVariables"]}
    assert told.keys() == manifest["server"]["mcp_config"]["env"].keys()
    assert told == {"KEEPSAKE_ADDRESS": False, "KEEPSAKE_KEY": True}


@pytest.mark.django_db(transaction=True)
def test_the_remote_is_where_the_server_answers(
    entry: dict[str, Any], served: str, instance: Instance
) -> None:
    [remote] = entry["remotes"]
    secret = key_of(instance, ("read",))[1].secret
    url = remote["url"].format(host=served.partition("://")[2])
    assert url.partition("://")[2] == f"{served}/mcp".partition("://")[2]
    [authorization, person] = remote["headers"]
    assert authorization["value"].format(key=secret) == f"Bearer {secret}"
    assert (authorization["name"], person["name"]) == ("Authorization", "X-User-Id")
    assert "search_memory" in Agent(served, secret, user="ana").tools()


def test_another_address_is_refused(tmp_path: Path) -> None:
    write = runpy.run_path(str(FOLDER / "registry_entry.py"))["write"]
    with pytest.raises(SystemExit, match=r"write https://github\.com/owner/name"):
        write("https://example.com/memory", tmp_path)
