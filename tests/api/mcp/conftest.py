"""Agents over MCP: the official client against a real server, or message by message."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import httpx2
import pytest
from django.test import Client as Browser
from mcp import types
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from tests.serving import served

__all__ = ["served"]

T = TypeVar("T")


class Agent:
    """An agent with the official MCP client, in the protocol version of *era*."""

    def __init__(
        self, address: str, secret: str, *, era: str = "auto", user: str = "", asks: Any = None
    ) -> None:
        self._url = f"{address}/mcp"
        self._headers = {"Authorization": f"Bearer {secret}"}
        if user:
            self._headers["X-User-Id"] = user
        self._era = era
        #: Puts questions to the user; None if the client cannot.
        self._asks = asks

    def do(self, use: Callable[[Client], Awaitable[T]]) -> T:
        """Connect, call *what* with the client, and disconnect."""

        async def run_call() -> T:
            async with (
                httpx2.AsyncClient(headers=self._headers, timeout=60) as http,
                Client(
                    streamable_http_client(self._url, http_client=http),
                    mode=self._era,
                    elicitation_callback=self._asks,
                ) as it,
            ):
                return await use(it)

        return asyncio.run(run_call())

    def tools(self) -> dict[str, types.Tool]:
        """Return the available tools."""
        return {tool.name: tool for tool in self.do(lambda client: client.list_tools()).tools}

    def call(self, name: str, **arguments: Any) -> types.CallToolResult:
        """Call one tool."""
        return self.calls((name, arguments))[0]

    def calls(self, *calls: tuple[str, dict[str, Any]]) -> list[types.CallToolResult]:
        """Call several tools concurrently."""

        async def all_of_them(client: Client) -> list[types.CallToolResult]:
            return await asyncio.gather(*(client.call_tool(*call) for call in calls))

        return self.do(all_of_them)


def text_of(result: types.CallToolResult) -> str:
    """Return the text of a tool result."""
    (block,) = result.content
    assert isinstance(block, types.TextContent)
    return block.text


class Line:
    """Sends single messages to `/mcp` through the test client, with any headers."""

    def __init__(self, **headers: str) -> None:
        self._headers = {"Accept": "application/json, text/event-stream"} | headers
        self._browser = Browser(raise_request_exception=False)

    def post(self, body: Any) -> Any:
        """Send a body as it is; return the response."""
        return self._browser.generic(
            "POST",
            "/mcp",
            body if isinstance(body, bytes) else json.dumps(body),
            content_type="application/json",
            headers=self._headers,
        )

    def call(self, name: str, **arguments: Any) -> Any:
        """Call a tool; return the result."""
        params = {"name": name, "arguments": arguments}
        response = self.post({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        assert response.status_code == 200, response.content
        return response.json()["result"]

    def read(self, uri: str) -> Any:
        """Read a resource; return the result or the error."""
        body = {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": uri}}
        return self.post(body).json()

    def tools(self) -> dict[str, Any]:
        """Return the available tools by name."""
        response = self.post({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
        return {tool["name"]: tool for tool in response.json()["result"]["tools"]}


@pytest.fixture
def ping() -> dict[str, Any]:
    """Return a minimal request."""
    return {"jsonrpc": "2.0", "id": 1, "method": "ping"}
