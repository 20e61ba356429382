"""The filter for Open WebUI, which loads it and calls it as Open WebUI does."""

import asyncio
import inspect
import re
import types
from collections.abc import Callable
from typing import Any

import pytest

from conversations.models import Conversation, Message
from instances.models import Instance
from memoryapp.models import Memory
from tests.api.conftest import key_of
from tests.integrations.conftest import INTEGRATIONS

SOURCE = (INTEGRATIONS / "open-webui/keepsake_filter.py").read_text()

# The app sees only committed rows.
live = pytest.mark.django_db(transaction=True)
Store = Callable[..., Memory]
Body = dict[str, Any]


class Host:
    """Open WebUI with the filter, whose administrator has entered *address* and *secret*."""

    def __init__(self, address: str, secret: str) -> None:
        module = types.ModuleType("function_keepsake")
        exec(SOURCE, module.__dict__)  # noqa: S102
        self.filter = module.Filter()
        self._valves = {"address": address, "key": secret, "priority": 0}
        self.statuses: list[str] = []

    def runs(self, kind: str, body: Body, user: str = "ana", **extra: Any) -> Body:
        """Give the filter what it asks for by name, as an account whose valves are *memory*."""
        handler = getattr(self.filter, kind)
        # They are read anew each time; those of the account are an object, too.
        self.filter.valves = self.filter.Valves(**self._valves)
        own = self.filter.UserValves(memory=extra.pop("memory", True))
        given = {
            "__user__": {"id": user, "name": user.title(), "role": "user", "valves": own},
            "__metadata__": {"chat_id": body.get("chat_id")},
            "__event_emitter__": self._emit,
            "__id__": "keepsake",
        } | extra
        wanted = inspect.signature(handler).parameters
        assert inspect.iscoroutinefunction(handler)
        called = handler(body=body, **{name: given[name] for name in given if name in wanted})
        returned: Body = asyncio.run(called)
        return returned

    async def _emit(self, event: Body) -> None:
        assert (event["type"], event["data"]["done"]) == ("status", True)
        self.statuses.append(event["data"]["description"])

    def told(self, *messages: Body, **options: Any) -> list[Body]:
        """The messages that the model gets."""
        body = {"model": "llama", "stream": True, "messages": list(messages)}
        returned = self.runs("inlet", body, **options)
        assert (returned["model"], returned["stream"]) == ("llama", True)
        return list(returned["messages"])

    def ends(self, chat: str, *said: tuple[str, str, str], **options: Any) -> None:
        """End a turn of a chat, with all that was said in it."""
        messages = [
            {"id": name, "role": role, "content": content, "timestamp": 1764324000, "info": None}
            for name, role, content in said
        ]
        body = {"model": "llama", "messages": messages, "chat_id": chat, "id": "a-1"}
        assert self.runs("outlet", body, **options) == body


def asks(question: str) -> Body:
    return {"role": "user", "content": question}


def stored() -> list[tuple[str, str, str]]:
    rows = Message.objects.order_by("conversation_id", "position").select_related("conversation")
    return [(each.conversation.end_user, each.role, each.content) for each in rows]


def test_open_webui_reads_its_head() -> None:
    lines = SOURCE.split("\n")
    assert lines[0] == '"""'
    head = {
        match[1]: match[2]
        for line in lines[1 : lines.index('"""', 1)]
        if (match := re.fullmatch(r"([a-z_]+): (.+)", line))
    }
    assert {"title", "author", "description", "version"} <= head.keys()
    assert "requirements" not in head  # nothing is installed for it
    # Open WebUI replaces these in what it loads.
    assert not re.search(r"from (utils|apps|main|config)", SOURCE)


def test_the_key_is_entered_as_a_password() -> None:
    schema = Host("", "").filter.Valves.model_json_schema()["properties"]
    assert schema["key"]["input"] == {"type": "password"} and not schema["key"]["default"]
    assert all(field["description"] for field in schema.values())


@live
def test_the_model_is_told_what_is_relevant(
    served: str, instance: Instance, store_memory: Store
) -> None:
    store_memory("Ana is allergic to peanuts.", category="fact", importance=9, end_user="ana")
    host = Host(f"{served}/", key_of(instance, ("read", "write"))[1].secret)
    question = asks("What about the peanut allergy?")
    first, *rest = host.told(question)
    assert first["role"] == "system" and "allergic to peanuts" in first["content"]
    assert rest == [question]
    own = {"role": "system", "content": "Be brief."}
    first, *rest = host.told(own, question)
    assert first["content"].startswith("Be brief.\n\n") and "peanuts" in first["content"]
    assert rest == [question]

    parts = [{"type": "text", "text": question["content"]}, {"type": "image_url", "image_url": {}}]
    seen = {"role": "user", "content": parts}
    first, *rest = host.told({"role": "system", "content": parts[:1]}, seen)
    assert "allergic to peanuts" in first["content"][-1]["text"] and rest == [seen]

    for nothing in (
        host.told(question, user="imre"),
        host.told(question, memory=False),
        host.told(question, __metadata__={"task": "title_generation"}),
        host.told(question, __user__={}),
    ):
        assert nothing == [question]
    assert host.told(asks("How far is the moon?")) == [asks("How far is the moon?")]
    assert host.told() == [] and host.statuses == []


@live
def test_chats_are_kept_once_for_each_account(served: str, instance: Instance) -> None:
    host = Host(served, key_of(instance, ("read", "write"))[1].secret)
    thought = (
        '<details type="reasoning" done="true">\n<summary>Thought</summary>\n> Bees\n</details>'
    )
    turn = (("u-1", "user", "I keep bees."), ("a-1", "assistant", f"{thought}\nNice."))
    host.ends("c-1", *turn)
    host.ends("c-1", *turn, ("u-2", "user", "And goats."), ("a-2", "assistant", "Oh."))
    host.ends("c-2", ("u-3", "user", "I sail."), ("a-3", "assistant", ""), user="imre")
    host.ends("temporary:x", *turn)
    host.ends("local:x", *turn)
    host.ends("", *turn)
    host.ends("c-3", *turn, memory=False)
    assert stored() == [
        ("ana", "user", "I keep bees."),
        ("ana", "assistant", "Nice."),
        ("ana", "user", "And goats."),
        ("ana", "assistant", "Oh."),
        ("imre", "user", "I sail."),
    ]
    names = set(Conversation.objects.values_list("external_id", flat=True))
    assert names == {"open-webui:c-1", "open-webui:c-2"}
    assert {each.sent_at.year for each in Message.objects.all()} == {2025}
    assert host.statuses == []


@live
def test_a_refusal_is_told_once(served: str, instance: Instance) -> None:
    host = Host(served, "ks_wrong")
    assert host.told(asks("Hello")) == host.told(asks("Hello")) == [asks("Hello")]
    host.ends("c-1", ("u-1", "user", "Hello"))
    refused = (
        "Keepsake remembers nothing now: it refuses the API key in the valves of its function."
    )
    assert host.statuses == [refused]

    reader = Host(served, key_of(instance, ("read",))[1].secret)
    reader.told(asks("Hello"))
    reader.ends("c-1", ("u-1", "user", "Hello"))
    [line] = reader.statuses
    assert line.startswith("Keepsake remembers nothing now: 403, ") and "write" in line


def test_a_chat_goes_on_without_the_server(deaf: str) -> None:
    host = Host(deaf, "ks_x")
    assert host.told(asks("Hello")) == [asks("Hello")]
    host.ends("c-1", ("u-1", "user", "Hello"))
    assert host.told(asks("Hello"), user="imre") == [asks("Hello")]
    says = f"Keepsake remembers nothing now: {deaf} does not answer as Keepsake."
    assert host.statuses == [says, says]  # each account once
    no_key = Host(deaf, "")
    no_key.told(asks("Hello"))
    assert no_key.statuses[0].endswith("no API key is entered in the valves of its function.")
    # Whatever it is, such as no address at all.
    nowhere = Host("keepsake.example", "ks_x")
    assert nowhere.told(asks("Hello")) == [asks("Hello")] and len(nowhere.statuses) == 1
