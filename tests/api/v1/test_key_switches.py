"""What a key accepts of /v1, and the list of its requests."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import ApiKey, Instance
from memoryapp.models import KeyRequest, Memory
from memoryapp.people.groups import GroupMembers, create_group
from tests.api.conftest import key_of
from tests.api.v1.client_requests import SAID, TASKS
from tests.provider_fixtures import eventually
from tests.scripted_provider import Says, ScriptedProvider

# Requests are passed on in threads, which see only committed rows.
pytestmark = pytest.mark.django_db(transaction=True)

Ask = Callable[..., httpx.Response]


@pytest.fixture
def ask(address: str, secret: str) -> Ask:
    def post(path: str = "/chat/completions", headers: Any = None, **body: Any) -> httpx.Response:
        sent = {"model": "keepsake", "messages": [{"role": "user", "content": SAID}]} | body
        told = {"Authorization": f"Bearer {secret}", "User-Agent": "Home/1 (x)"} | (headers or {})
        return httpx.post(f"{address}{path}", json=sent, headers=told, timeout=30)

    return post


def set_key(**switches: bool) -> None:
    ApiKey.objects.update(**switches)


def listed(number: int) -> list[tuple[str, int, str]]:
    eventually(lambda: KeyRequest.objects.count() == number, "the requests are listed")
    assert set(KeyRequest.objects.values_list("door", "client")) == {("v1", "Home/1")}
    return list(KeyRequest.objects.order_by("pk").values_list("end_user", "kept", "remark"))


def test_requests_are_listed_with_what_was_kept(ask: Ask) -> None:
    ask(user="ana")
    ask(user="ana", store=False)
    ask(messages=TASKS["opencode, title"])
    ask(user="ana", headers={"X-Keepsake-Memory": "off"})
    ask(user="ben", stream=True)
    assert listed(5) == [
        ("ana", 2, ""),
        ("ana", 0, "store_false"),
        ("", 0, "client_task"),
        ("ana", 2, "memory_off"),
        ("ben", 2, ""),
    ]


def test_a_switched_off_memory_is_said(ask: Ask, assisted: Instance) -> None:
    Instance.objects.update(memory_enabled=False)
    ask(user="ana")
    assert listed(1) == [("ana", 2, "memory_off")]


@pytest.mark.parametrize("path", ["/chat/completions", "/responses"])
def test_a_key_may_learn_what_is_not_to_be_stored(path: str, ask: Ask) -> None:
    body: dict[str, Any] = {"store": False}
    if path == "/responses":
        body |= {"input": SAID, "messages": None}
    assert ask(path, **body).status_code == 200
    assert not Conversation.objects.exists()
    set_key(keeps_unstored=True)
    assert ask(path, **body).status_code == 200
    assert Message.objects.get(role="user").content == SAID
    # What clients do for themselves stays out.
    assert ask(messages=TASKS["opencode, title"], store=False).status_code == 200
    assert Conversation.objects.count() == 1


@pytest.mark.parametrize("path", ["/chat/completions", "/responses", "/messages"])
def test_a_key_may_require_a_person(path: str, ask: Ask, provider: ScriptedProvider) -> None:
    set_key(requires_person=True)
    body: dict[str, Any] = {"input": SAID} if path == "/responses" else {}
    body |= {"max_tokens": 50} if path == "/messages" else {}
    answer = ask(path, **body)
    assert answer.status_code == 400 and "person" in answer.text
    if path != "/messages":
        assert answer.json()["error"]["code"] == "person_required"
    assert not Conversation.objects.exists() and not provider.requests
    assert KeyRequest.objects.get().remark == "no_person"
    assert ask(path, headers={"X-User-Id": "ana"}, **body).status_code == 200
    assert Conversation.objects.get().end_user == "ana"


def test_a_key_of_a_person_has_one(ask: Ask) -> None:
    ApiKey.objects.update(requires_person=True, end_user="household")
    assert ask().status_code == 200
    assert Conversation.objects.get().end_user == "household"


def test_work_of_a_client_needs_no_person(ask: Ask) -> None:
    set_key(requires_person=True)
    assert ask(messages=TASKS["opencode, title"]).status_code == 200


def test_marks_around_a_message_hide_nothing(
    ask: Ask, assisted: Instance, provider: ScriptedProvider
) -> None:
    Memory.objects.create(instance=assisted, end_user="ana", content="The cat is Biscotto.")
    for text in ("“What is my cat called?”", '"What is my cat called?"'):
        ask(user="ana", messages=[{"role": "user", "content": text}])
        assert "The cat is Biscotto" in str(provider.requests[-1].body)


@pytest.mark.parametrize(("reach", "is_told"), [("all", True), ("own", False)])
def test_key_told_only_its_own_is_told_nothing_that_is_shared(
    ask: Ask, assisted: Instance, provider: ScriptedProvider, reach: str, is_told: bool
) -> None:
    create_group(assisted, "Crew", GroupMembers(["ana"]), by=Actor(via="test"))
    Memory.objects.create(instance=assisted, end_user="crew", content="The cat is Biscotto.")
    ApiKey.objects.update(end_user="ana", reach=reach)
    asked = {"role": "user", "content": "What is my cat called?"}
    provider.reply_with(Says("Let me look.", [("search_memory", {"query": "cat"})]), times=1)
    ask(headers={"X-Keepsake-Tools": "on"}, messages=[asked])
    first, second = (str(each.body) for each in provider.requests[-2:])
    assert [first.count("The cat is Biscotto"), second.count("The cat is Biscotto")] == (
        [1, 2] if is_told else [0, 0]
    )


def test_other_keys_are_not_listed(ask: Ask, assisted: Instance) -> None:
    other, _ = key_of(assisted)
    ask(user="ana")
    assert listed(1) and not other.requests.exists()
