"""Forgetting over MCP: where the client can, the user is asked first."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import connections
from django.test import Client
from django.utils import timezone
from mcp import types

from instances.models import ApiKey, Instance
from memoryapp.api.mcp import consent
from memoryapp.models import Memory
from tests.api.conftest import key_of
from tests.api.mcp.conftest import Agent, text_of

# The app sees only committed rows.
pytestmark = pytest.mark.django_db(transaction=True)
Store = Callable[..., Memory]

ALLERGY = "The user is allergic to peanuts."
FORGETS = ("read", "delete", "forget")
CALL = {
    "jsonrpc": "2.0",
    "id": 7,
    "method": "tools/call",
    "params": {"name": "forget_memory", "arguments": {"content": ALLERGY}},
}


class User:
    """The user of a client, who gives the same answer to each question."""

    def __init__(self, action: Any, **content: Any) -> None:
        self.action, self.content = action, content or None
        self.asked: list[str] = []

    async def __call__(self, context: Any, params: Any) -> types.ElicitResult:
        self.asked.append(params.message)
        assert params.requested_schema["required"] == ["decision"]
        return types.ElicitResult(action=self.action, content=self.content)


@pytest.mark.parametrize("era", ["legacy", "auto"])
def test_user_decides_through_the_client(
    era: str, served: str, instance: Instance, store_memory: Store
) -> None:
    memory = store_memory(ALLERGY)
    secret = key_of(instance, FORGETS)[1].secret
    for user, told in (
        (User("accept", decision="Keep"), "wants to keep the memory"),
        (User("decline"), "wants to keep the memory"),
        (User("cancel"), "closed the question"),
    ):
        result = Agent(served, secret, era=era, asks=user).call("forget_memory", content=ALLERGY)
        (question,) = user.asked
        assert f"“{ALLERGY}”\n(said by the user, " in question
        assert "It cannot be restored." in question
        assert "Nothing was forgotten" in text_of(result) and told in text_of(result)
        assert (result.is_error, result.structured_content["forgotten"]) == (False, [])
        assert Memory.objects.get() == memory
    agrees = User("accept", decision="Forget")
    agent = Agent(served, secret, era=era, asks=agrees)
    result = agent.call("forget_memory", id=f"m{memory.pk}", never_again=True)
    assert text_of(result) == f"[m{memory.pk}] is forgotten for good."
    assert not Memory.objects.exists()
    assert not instance.archived.exists()
    assert not instance.suppression_rules.exists()
    # There is nothing to ask about now.
    assert agent.call("forget_memory", id=f"m{memory.pk}").is_error
    assert len(agrees.asked) == 1


@pytest.mark.parametrize("era", ["legacy", "auto"])
def test_key_that_may_not_forget_archives_with_consent(
    era: str, served: str, instance: Instance, store_memory: Store
) -> None:
    memory = store_memory(ALLERGY)
    agrees = User("accept", decision="Forget")
    secret = key_of(instance)[1].secret
    result = Agent(served, secret, era=era, asks=agrees).call("forget_memory", content=ALLERGY)
    assert "It can be restored for 30 days." in agrees.asked[0]
    assert "Keepsake’s bin, /memory/removed/bin?instance=desk." in text_of(result)
    assert instance.archived.get().memory_id == memory.pk


@pytest.mark.parametrize("era", ["legacy", "auto"])
def test_client_that_cannot_ask_archives(
    era: str, served: str, instance: Instance, store_memory: Store
) -> None:
    memory = store_memory(ALLERGY)
    agent = Agent(served, key_of(instance, FORGETS)[1].secret, era=era)
    result = agent.call("forget_memory", content=ALLERGY)
    assert result.structured_content["forgotten"] == [f"m{memory.pk}"]
    assert "Keepsake’s bin, /memory/removed/bin?instance=desk." in text_of(result)
    assert instance.archived.get().memory_id == memory.pk


class Wire:
    """A client of protocol 2025-06-18 that can ask its user, message by message."""

    def __init__(self, key: ApiKey, secret: str) -> None:
        self.key = key
        self._headers = {
            "Accept": "application/json, text/event-stream",
            "Authorization": f"Bearer {secret}",
        }
        params = {
            "protocolVersion": "2025-06-18",
            "capabilities": {"elicitation": {}},
            "clientInfo": {"name": "wire", "version": "1"},
        }
        hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
        self._headers["Mcp-Session-Id"] = self.post(hello)["Mcp-Session-Id"]
        self._headers["MCP-Protocol-Version"] = "2025-06-18"

    def post(self, message: dict[str, Any]) -> Any:
        return Client().post("/mcp", message, "application/json", headers=self._headers)

    def call(self, answer: Callable[[str], Any] = lambda question: None) -> dict[str, Any]:
        """Call the tool; *answer* is called with the id of the question. Return the result."""
        response = self.post(CALL)
        assert response["Content-Type"] == "text/event-stream"

        def answer_and_close(question: str) -> None:
            try:
                answer(question)
            finally:
                connections.close_all()  # Those of this thread.

        async def read() -> list[dict[str, Any]]:
            messages = []
            async for part in response:
                if part.startswith(b":"):
                    continue
                messages.append(json.loads(part.decode().partition("data: ")[2]))
                if messages[-1].get("method") == "elicitation/create":
                    await asyncio.to_thread(answer_and_close, messages[-1]["id"])
            return messages

        question, result = async_to_sync(read)()
        assert question["params"]["requestedSchema"]["required"] == ["decision"]
        assert result["id"] == CALL["id"]
        return dict(result["result"])


@pytest.fixture
def wire(instance: Instance) -> Wire:
    key, program = key_of(instance, FORGETS)
    return Wire(key, program.secret)


AGREED = {"action": "accept", "content": {"decision": "Forget"}}


def test_client_that_never_answers_is_not_waited_for_forever(
    wire: Wire, store_memory: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = store_memory(ALLERGY)
    monkeypatch.setattr(consent, "MAX_WAIT_SECONDS", 1)
    monkeypatch.setattr(consent, "KEEPALIVE_SECONDS", 0.4)
    result = wire.call()
    assert "the user was asked, and has not answered in time" in result["content"][0]["text"]
    assert result["structuredContent"]["forgotten"] == []
    assert Memory.objects.get() == memory


def test_only_the_key_that_was_asked_can_answer(
    wire: Wire, instance: Instance, store_memory: Store
) -> None:
    memory = store_memory(ALLERGY)
    other = Wire(*_with_secret(instance))

    def answer(question: str) -> None:
        reply = {"jsonrpc": "2.0", "id": question}
        assert other.post(reply | {"result": AGREED}).status_code == 202
        assert wire.post(reply | {"result": {"action": "decline"}}).status_code == 202

    assert "wants to keep" in wire.call(answer)["content"][0]["text"]
    assert Memory.objects.get() == memory


def _with_secret(instance: Instance) -> tuple[ApiKey, str]:
    key, program = key_of(instance, FORGETS)
    return key, program.secret


def test_memory_that_changes_during_the_question_stays(wire: Wire, store_memory: Store) -> None:
    memory = store_memory(ALLERGY)

    def answer(question: str) -> None:
        consent.deliver(wire.key, question, consent.ConsentOutcome.AGREED)

    def change_and_answer(question: str) -> None:
        Memory.objects.update(updated_at=timezone.now())
        answer(question)

    result = wire.call(change_and_answer)
    assert result["isError"]
    assert "has changed since the user was asked" in result["content"][0]["text"]
    assert Memory.objects.get() == memory
    assert "is forgotten for good" in wire.call(answer)["content"][0]["text"]


@pytest.mark.parametrize(
    "reply",
    [
        {"result": {"action": "accept"}},
        {"result": {"action": "accept", "content": {"decision": "forget everything"}}},
        {"result": {"action": "accept", "content": "Forget"}},
        {"result": {"action": ["accept"]}},
        {"result": "Forget"},
        {"error": {"code": -32601, "message": "Method not found"}},
    ],
)
def test_unclear_answer_is_no_consent(
    reply: dict[str, Any], wire: Wire, store_memory: Store
) -> None:
    memory = store_memory(ALLERGY)

    def answer(question: str) -> None:
        assert wire.post({"jsonrpc": "2.0", "id": question} | reply).status_code == 202

    assert "Nothing was forgotten" in wire.call(answer)["content"][0]["text"]
    assert Memory.objects.get() == memory


def test_forged_state_is_no_consent(instance: Instance, store_memory: Store) -> None:
    memory = store_memory(ALLERGY)
    seen = consent.Question.on(memory, for_good=True)
    assert consent.opened(seen.sealed()) == {memory.pk: memory.updated_at}
    assert consent.opened(seen.sealed()[:-2] + "xx") is None
    assert consent.opened("") is None
