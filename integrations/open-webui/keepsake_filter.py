"""
title: Keepsake
author: Keepsake
description: Chats are remembered, and models told what is relevant, on a server of your own
version: 0.1.0
required_open_webui_version: 0.6.0
license: Apache-2.0
"""

import logging
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import httpx
from pydantic import BaseModel, Field

log = logging.getLogger(__name__)

#: Of a chat, the latest messages that are sent; the server knows which of them it has.
MOST = 200
#: Characters of a message that are looked up, and that are kept.
MOST_ASKED, MOST_KEPT = 500, 100_000
SECONDS = 5.0
#: How the ids of chats begin that Open WebUI does not save.
UNSAVED = ("temporary:", "local:", "channel:")
#: What Open WebUI shows in an answer, and the model did not say to the user.
SHOWN_ONLY = re.compile(r'<details type="\w+".*?</details>\s*', re.DOTALL)

Emit = Callable[[dict[str, Any]], Awaitable[Any]] | None


class Problem(Exception):
    """A line for the user."""


class Filter:
    class Valves(BaseModel):
        address: str = Field(
            default="http://127.0.0.1:8000",
            description="Address of Keepsake, as Open WebUI reaches it",
        )
        key: str = Field(
            default="",
            description="API key of Keepsake, with Read and Write",
            json_schema_extra={"input": {"type": "password"}},
        )
        priority: int = Field(default=0, description="Filters with a lower number come first")

    class UserValves(BaseModel):
        memory: bool = Field(
            default=True, description="Remember my chats, and tell models about them"
        )

    def __init__(self) -> None:
        self.valves = self.Valves()
        #: The problem that each account was told last.
        self._told: dict[str, str] = {}

    async def inlet(
        self,
        body: dict[str, Any],
        __user__: dict[str, Any],
        __metadata__: dict[str, Any] | None = None,
        __event_emitter__: Emit = None,
    ) -> dict[str, Any]:
        """Tell the model what is relevant to the latest message."""
        asked = [each for each in body.get("messages", []) if each.get("role") == "user"]
        question = text_of(asked[-1])[:MOST_ASKED] if asked else ""
        if question and wants(__user__) and not (__metadata__ or {}).get("task"):
            work = self._recall(body, question, __user__)
            await self._attempt(work, __user__, __event_emitter__)
        return body

    async def outlet(
        self,
        body: dict[str, Any],
        __user__: dict[str, Any],
        __event_emitter__: Emit = None,
    ) -> dict[str, Any]:
        """Keep what was said in the chat, each message once by its id; temporary chats are not."""
        chat = str(body.get("chat_id") or "")
        if chat and wants(__user__) and not chat.startswith(UNSAVED):
            await self._attempt(self._keep(chat, body, __user__), __user__, __event_emitter__)
        return body

    async def _recall(self, body: dict[str, Any], question: str, user: dict[str, Any]) -> None:
        found = await self._ask("/tools/search_memory", {"query": question}, user)
        if found.get("data") and found["data"]["items"]:
            body["messages"] = with_system(body["messages"], found["text"])

    async def _keep(self, chat: str, body: dict[str, Any], user: dict[str, Any]) -> None:
        messages = [message for each in body.get("messages", []) if (message := kept(each))]
        if messages:
            name = {"external_id": f"open-webui:{chat}"}
            conversation = await self._ask("/conversations", name, user)
            path = f"/conversations/{conversation['id']}/messages"
            await self._ask(path, {"messages": messages[-MOST:]})

    async def _ask(
        self, path: str, body: dict[str, Any], user: dict[str, Any] | None = None
    ) -> Any:
        """Send a request to Keepsake, for an account; return its answer."""
        address, key = self.valves.address.strip().rstrip("/"), self.valves.key.strip()
        if not key:
            raise Problem("no API key is entered in the valves of its function")
        if user is not None:
            body = {**body, "user_id": str(user["id"])}
        try:
            async with httpx.AsyncClient(timeout=SECONDS) as client:
                response = await client.post(
                    f"{address}/api{path}", json=body, headers={"Authorization": f"Bearer {key}"}
                )
            answer = response.json()
        except (httpx.HTTPError, httpx.InvalidURL, ValueError):
            raise Problem(f"{address} does not answer as Keepsake") from None
        if response.status_code == 401:
            raise Problem("it refuses the API key in the valves of its function")
        if not response.is_success:
            raise Problem(f"{response.status_code}, {answer.get('detail', 'no reason given')}")
        return answer

    async def _attempt(self, work: Awaitable[None], user: dict[str, Any], emit: Emit) -> None:
        """Do something with memory. A problem is told to each account once, until it is over: the
        chat goes on.
        """
        line = ""
        try:
            await work
        except Problem as problem:
            line = str(problem)
        except Exception as error:
            log.exception("The filter of Keepsake failed.")
            line = f"its filter failed ({type(error).__name__})"
        if line == self._told.get(user["id"], ""):
            return
        self._told[user["id"]] = line
        if line:
            log.warning("Keepsake remembers nothing now: %s.", line)
        if line and emit:
            said = {"description": f"Keepsake remembers nothing now: {line}.", "done": True}
            await emit({"type": "status", "data": said})


def wants(user: dict[str, Any]) -> bool:
    """Return whether this is an account that has memory."""
    return bool(user.get("id")) and getattr(user.get("valves"), "memory", True)


def text_of(message: dict[str, Any]) -> str:
    """Return what a message says in words."""
    content = message.get("content") or ""
    if isinstance(content, list):
        parts = [part.get("text") or "" for part in content if part.get("type") == "text"]
        content = "\n".join(parts)
    return str(SHOWN_ONLY.sub("", str(content))).strip()


def kept(message: dict[str, Any]) -> dict[str, Any] | None:
    """Return a message as Keepsake takes it, unless it says nothing."""
    text = text_of(message)[:MOST_KEPT]
    if message.get("role") not in ("user", "assistant") or not (text and message.get("id")):
        return None
    sent = message.get("timestamp")
    return {
        "id": str(message["id"]),
        "role": message["role"],
        "content": text,
        "created_at": sent and datetime.fromtimestamp(sent, UTC).isoformat(),
    }


def with_system(messages: list[dict[str, Any]], text: str) -> list[dict[str, Any]]:
    """Return the messages with *text* at the end of what the system says."""
    if messages[0].get("role") != "system":
        return [{"role": "system", "content": text}, *messages]
    first, *rest = messages
    said = first.get("content") or ""
    if isinstance(said, list):
        return [{**first, "content": [*said, {"type": "text", "text": text}]}, *rest]
    return [{**first, "content": f"{said}\n\n{text}".strip()}, *rest]
