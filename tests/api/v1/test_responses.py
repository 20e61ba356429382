"""Responses and conversations, with the official client and with OpenAI's agents."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from agents import Agent, OpenAIResponsesModel, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI, BadRequestError, ConflictError, NotFoundError, OpenAI

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import ApiKey, Instance
from memoryapp.forgetting.deletion import forget
from memoryapp.models import Answer, Memory, Origin, Run
from memoryapp.pipeline import Candidate, Writer, remember
from tests.api.v1.test_clients import transcript
from tests.scripted_provider import Request, Says, ScriptedProvider

# Requests are passed on in threads, which see only committed rows.
pytestmark = pytest.mark.django_db(transaction=True)
Store = Callable[..., Memory]

WEATHER: Any = {
    "type": "function",
    "name": "weather",
    "description": "The weather of a city.",
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": False,
    },
    "strict": True,
}


def asked(provider: ScriptedProvider) -> list[dict[str, Any]]:
    """The messages of the last request, without our instructions and what is recalled."""
    body = [each.body for each in provider.requests if each.path.endswith("completions")][-1]
    return [each for each in body["messages"] if each["role"] != "system"]


def test_complete_response(client: OpenAI, provider: ScriptedProvider) -> None:
    provider.reply_with("Nothing with peanuts.")
    reply = client.responses.create(model="keepsake", input="What should I not cook?")
    assert reply.output_text == "Nothing with peanuts."
    assert (reply.status, reply.model) == ("completed", "talker")
    assert reply.usage is not None and reply.usage.output_tokens == 3
    assert transcript() == [
        ("user", "What should I not cook?"),
        ("assistant", "Nothing with peanuts."),
    ]
    assert Answer.objects.get().public_id == reply.id
    assert Run.objects.exists()


def test_streamed_response(client: OpenAI, provider: ScriptedProvider) -> None:
    provider.reply_with("Nothing with peanuts.")
    with client.responses.stream(model="keepsake", input="What should I not cook?") as stream:
        kinds = [event.type for event in stream]
        final = stream.get_final_response()
    assert final.output_text == "Nothing with peanuts."
    assert final.usage is not None and final.usage.output_tokens == 3
    assert kinds[:2] == ["response.created", "response.in_progress"]
    assert "response.output_text.delta" in kinds
    assert kinds[-1] == "response.completed"


def test_memories_reach_the_model(
    client: OpenAI, provider: ScriptedProvider, store_memory: Store
) -> None:
    store_memory("The user is allergic to peanuts.")
    client.responses.create(model="keepsake", input="Am I allergic to peanuts?")
    assert "The user is allergic to peanuts." in asked(provider)[-1]["content"]


def test_response_continues_after_a_stored_one(client: OpenAI, provider: ScriptedProvider) -> None:
    provider.reply_with("In March.")
    first = client.responses.create(
        model="keepsake", input="When do we sail?", instructions="Be brief."
    )
    provider.reply_with("With Bo.")
    second = client.responses.create(
        model="keepsake", input="With whom?", previous_response_id=first.id
    )
    assert second.previous_response_id == first.id
    told = asked(provider)
    assert [each["role"] for each in told] == ["user", "assistant", "user"]
    assert [each["content"] for each in told[:2]] == ["When do we sail?", "In March."]
    assert len(transcript()) == 4
    # Another branch from the first one.
    provider.reply_with("To Corfu.")
    client.responses.create(model="keepsake", input="Where to?", previous_response_id=first.id)
    assert [each["role"] for each in asked(provider)] == ["user", "assistant", "user"]
    assert "With whom?" not in str(asked(provider))
    assert Conversation.objects.count() == 1


def test_what_was_forgotten_is_not_told_again(
    client: OpenAI, provider: ScriptedProvider, instance: Instance
) -> None:
    first = client.responses.create(model="keepsake", input="I am allergic to walnuts.")
    said = Message.objects.get(role="user")
    candidate = Candidate(
        "The user is allergic to walnuts.",
        conversation_id=said.conversation_id,
        message_id=said.pk,
    )
    remember(instance, [candidate], Writer(Origin.CONVERSATION, Actor(via="extraction")))
    forget(instance, Memory.objects.all(), by=Actor())
    client.responses.create(model="keepsake", input="Go on.", previous_response_id=first.id)
    assert "walnuts" not in str([each for each in asked(provider) if each["role"] == "user"])


def test_callers_tool_runs_between_two_requests(client: OpenAI, provider: ScriptedProvider) -> None:
    provider.reply_with(Says(calls=[("weather", {"city": "Lyon"})]))
    first = client.responses.create(
        model="keepsake", input="How is the weather in Lyon?", tools=[WEATHER]
    )
    (call,) = [each for each in first.output if each.type == "function_call"]
    assert (call.name, call.arguments) == ("weather", '{"city": "Lyon"}')
    provider.reply_with("Sunny.")
    result: Any = {"type": "function_call_output", "call_id": call.call_id, "output": "sun, 25"}
    second = client.responses.create(
        model="keepsake", input=[result], previous_response_id=first.id, tools=[WEATHER]
    )
    assert second.output_text == "Sunny."
    user, reply, tool = asked(provider)
    assert user["role"] == "user"
    assert reply["tool_calls"][0]["id"] == tool["tool_call_id"] == call.call_id
    assert tool["content"] == "sun, 25"


def test_structured_answer(client: OpenAI, provider: ScriptedProvider) -> None:
    provider.reply_with('{"city": "Lyon"}')
    schema: Any = {"type": "object", "properties": {"city": {"type": "string"}}}
    form: Any = {"type": "json_schema", "name": "place", "schema": schema, "strict": True}
    client.responses.create(
        model="keepsake", input="Where?", text={"format": form}, max_output_tokens=50
    )
    body = provider.requests[-1].body
    assert body["response_format"]["json_schema"]["name"] == "place"
    assert body["max_tokens"] == 50


def test_conversation_holds_its_messages(client: OpenAI, provider: ScriptedProvider) -> None:
    begun = client.conversations.create()
    for text in ("I keep bees.", "How many hives?"):
        client.responses.create(model="keepsake", input=text, conversation=begun.id)
    assert [each["role"] for each in asked(provider)] == ["user", "assistant", "user"]
    assert len(list(client.conversations.items.list(begun.id))) == 4
    assert Conversation.objects.get().external_id == begun.id
    assert client.conversations.retrieve(begun.id).id == begun.id


def test_a_conversation_drops_no_items_in_silence(client: OpenAI) -> None:
    said = {"type": "message", "role": "user", "content": "I keep bees."}
    with pytest.raises(BadRequestError, match="Items are not supported here"):
        client.conversations.create(items=[said])  # type: ignore[list-item]  # As a program writes it.
    assert not Conversation.objects.exists()


def test_response_is_returned_and_its_name_forgotten(
    client: OpenAI, provider: ScriptedProvider
) -> None:
    provider.reply_with("Yes.")
    reply = client.responses.create(model="keepsake", input="Do I keep bees?")
    assert client.responses.retrieve(reply.id).output_text == "Yes."
    # Another key has no permission to delete; this one may write.
    client.responses.delete(reply.id)
    with pytest.raises(NotFoundError):
        client.responses.retrieve(reply.id)
    with pytest.raises(BadRequestError, match="There is no response"):
        client.responses.create(model="keepsake", input="Go on", previous_response_id=reply.id)
    assert len(transcript()) == 2


def test_nothing_is_kept_on_request(client: OpenAI) -> None:
    reply = client.responses.create(model="keepsake", input="I keep bees.", store=False)
    assert not Conversation.objects.exists()
    with pytest.raises(NotFoundError):
        client.responses.retrieve(reply.id)


@pytest.mark.parametrize(
    ("options", "param"),
    [
        ({"input": [{"type": "item_reference", "id": "x"}]}, "input"),
        ({"input": "Hello", "tools": [{"type": "web_search"}]}, "tools"),
        ({"input": "Hello", "background": True}, "background"),
        ({"input": "Hello", "conversation": "conv_nowhere"}, "conversation"),
        ({"input": 7}, "input"),
    ],
)
def test_what_is_not_supported_is_said(client: OpenAI, options: dict[str, Any], param: str) -> None:
    with pytest.raises(BadRequestError) as raised:
        client.responses.create(model="keepsake", **options)
    assert raised.value.param == param


def test_openai_agents_work_as_they_come(
    address: str, secret: str, instance: Instance, provider: ScriptedProvider
) -> None:
    set_tracing_disabled(True)

    @function_tool
    def weather(city: str) -> str:
        """The weather of a city."""
        return f"Sunny in {city}."

    def reply(body: Request) -> object:
        last = body["messages"][-1]
        calls = Says(calls=[("weather", {"city": "Lyon"})])
        return "It is sunny." if last["role"] == "tool" else calls

    provider.reply_with(reply)

    async def run() -> str:
        async with AsyncOpenAI(base_url=address, api_key=secret, max_retries=0) as client:
            model = OpenAIResponsesModel("keepsake", client)
            agent = Agent("Attic", instructions="Be brief.", model=model, tools=[weather])
            result = await Runner.run(agent, "How is the weather in Lyon?")
            return str(result.final_output)

    assert asyncio.run(run()) == "It is sunny."
    assert [role for role, _ in transcript()] == ["user", "assistant", "tool", "assistant"]


def test_functions_in_namespaces_have_joined_names(
    client: OpenAI, provider: ScriptedProvider
) -> None:
    def reply(body: Request) -> Says:
        if body["messages"][-1]["role"] == "tool":
            return Says("It is sunny.")
        return Says("", [("sky__weather", {"city": "Lyon"})])

    provider.reply_with(reply)
    namespace: Any = {"type": "namespace", "name": "sky", "tools": [WEATHER]}
    search: Any = {"type": "web_search"}
    question: Any = {"role": "user", "content": "How is the weather?"}
    first = client.responses.create(
        model="keepsake", input=[question], tools=[namespace, search], store=False
    )
    body = provider.requests[-1].body
    assert [tool["function"]["name"] for tool in body["tools"]] == ["sky__weather"]
    (call,) = list[Any](each.model_dump() for each in first.output)
    assert (call["namespace"], call["name"]) == ("sky", "weather")
    result: Any = {"type": "function_call_output", "call_id": call["call_id"], "output": "sunny"}
    second = client.responses.create(
        model="keepsake", input=[question, call, result], tools=[namespace], store=False
    )
    assert second.output_text == "It is sunny."
    (made,) = provider.requests[-1].body["messages"][-2]["tool_calls"]
    assert made["function"]["name"] == "sky__weather"


@pytest.mark.parametrize("choice", ["auto", {"type": "web_search"}])
def test_tools_of_openais_servers_are_refused_where_they_are_needed(
    client: OpenAI, choice: Any
) -> None:
    tools: Any = [{"type": "web_search"}, *([WEATHER] if choice != "auto" else [])]
    with pytest.raises(BadRequestError, match="web_search"):
        client.responses.create(model="keepsake", input="Hi", tools=tools, tool_choice=choice)


def test_what_is_not_stored_by_the_provider_may_be_remembered(
    client: OpenAI, provider: ScriptedProvider
) -> None:
    for header, stored in ((None, 0), ("on", 2)):
        headers = {"X-Keepsake-Memory": header} if header else {}
        client.responses.create(model="keepsake", input="Hi", store=False, extra_headers=headers)
        assert Message.objects.count() == stored


def secret_of(instance: Instance, person: str = "") -> str:
    """The secret of another key, whose person is *person*."""
    key = ApiKey(instance=instance, name="Another", scopes=["read", "write"], end_user=person)
    secret = key.make_secret()
    key.save()
    return secret


@pytest.mark.parametrize("store", [True, False])
def test_other_peoples_conversations_are_not_continued(
    address: str, client: OpenAI, provider: ScriptedProvider, instance: Instance, store: bool
) -> None:
    begun = client.conversations.create(extra_headers={"X-User-Id": "ann"})
    first = client.responses.create(
        model="keepsake", input="I fear owls.", conversation=begun.id, user="ann"
    )
    asked_before = len(provider.requests)
    pinned = OpenAI(base_url=address, api_key=secret_of(instance, "bert"), max_retries=0)
    for other, named in ((client, "bert"), (pinned, "ann")):
        for after in ({"previous_response_id": first.id}, {"conversation": begun.id}):
            options: Any = {"input": "What do I fear?", "user": named, "store": store, **after}
            with pytest.raises(ConflictError):
                other.responses.create(model="keepsake", **options)
    assert len(provider.requests) == asked_before
    # And ann goes on.
    client.responses.create(
        model="keepsake", input="Go on.", previous_response_id=first.id, user="ann", store=store
    )
    assert "owls" in str(asked(provider))


def test_key_of_a_person_sees_no_other_persons_conversation(
    address: str, client: OpenAI, instance: Instance
) -> None:
    begun = client.conversations.create(extra_headers={"X-User-Id": "ann"})
    first = client.responses.create(
        model="keepsake", input="I fear owls.", conversation=begun.id, user="ann"
    )
    pinned = OpenAI(base_url=address, api_key=secret_of(instance, "bert"), max_retries=0)
    for ask in (
        lambda: pinned.conversations.items.list(begun.id),
        lambda: pinned.conversations.retrieve(begun.id),
        lambda: pinned.responses.retrieve(first.id),
        lambda: pinned.responses.delete(first.id),
        lambda: client.responses.retrieve(first.id, extra_headers={"X-User-Id": "bert"}),
    ):
        with pytest.raises(NotFoundError):
            ask()
    own = OpenAI(base_url=address, api_key=secret_of(instance, "ann"), max_retries=0)
    assert len(list(own.conversations.items.list(begun.id))) == 2


def test_secrets_go_back_only_to_the_key_that_has_sent_them(
    address: str, client: OpenAI, provider: ScriptedProvider, instance: Instance
) -> None:
    provider.reply_with("Your password is Zebra-17x.")
    first = client.responses.create(model="keepsake", input="My password is Zebra-17x.")
    provider.reply_with("Yes.")
    other = OpenAI(base_url=address, api_key=secret_of(instance), max_retries=0)
    for program, is_clear in ((client, True), (other, False)):
        program.responses.create(model="keepsake", input="Go on.", previous_response_id=first.id)
        told = str(asked(provider)[:2])
        assert told.count("Zebra-17x") == (2 if is_clear else 0)
        assert told.count("[REDACTED:PASSWORD]") == (0 if is_clear else 2)
        assert "Zebra" not in client.responses.retrieve(first.id).output_text


def test_items_come_in_pages(client: OpenAI, instance: Instance) -> None:
    talk = instance.conversations.create(external_id="chat-1")
    append(talk, [NewMessage("user", f"Message {number}") for number in range(5)])
    append(talk, [NewMessage("user", "x" * 150_000) for _ in range(3)])
    items = client.conversations.items

    page = items.list("chat-1", limit=3, order="asc")
    texts = [each.model_dump()["content"][0]["text"] for each in page.data]
    assert texts == [f"Message {number}" for number in range(3)]
    assert page.has_more
    # Only one of the long ones fits on a page.
    assert len(items.list("chat-1").data) == 1
    assert len(list(items.list("chat-1"))) == len(list(items.list("chat-1", order="asc"))) == 8
    for wrong in ({"limit": 0}, {"limit": 101}, {"order": "up"}, {"after": "msg_7777777"}):
        with pytest.raises(BadRequestError):
            client.conversations.items.list("chat-1", extra_query=wrong)
