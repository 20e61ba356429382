"""A key with a person sees and changes only what is about that person, through every door."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from conversations.messages import NewMessage, append
from conversations.models import Conversation, ConversationOrigin, Message
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.api.mem0.ids import id_of
from memoryapp.models import Answer, Memory, Origin, Run
from memoryapp.models.archived_memories import ArchivedMemory
from memoryapp.people.groups import GroupMembers, create_group
from memoryapp.pipeline import Candidate, Writer, remember
from tests.api.conftest import SCOPES, Program, key_of
from tests.api.mcp.conftest import Line
from tests.instances.oauth.conftest import OAuthProgram, answer_in, decide
from tests.palace_factories import file_turn
from tests.web.access_instances import create_rows
from tests.web.access_table import GUARDED, Address, Guarded, addresses, url_of

#: Words that occur only in what is not about Bert; all of it is Ann's, or nobody's.
WORDS = ("sextant", "Wolpertinger", "ocarina", "Zanzibar", "quokka", "marzipan")
#: Bodies that look for it, or change it, by the beginning of the names of addresses.
BODIES: dict[str, list[dict[str, Any]]] = {
    "api:": [
        {"q": "sextant", "weaker": True},
        {"q": "sextant", "user_id": "ann"},
        {"query": "sextant"},
        {"content": "Another instrument.", "user_id": "ann"},
        {"text": "Gone."},
        {"title": "Gone"},
        {"external_id": "chat-1"},
        {"category": "general"},
    ],
    "v1_": [{"conversation": "chat-1", "input": "Go on."}],
    "mem0:": [
        {"query": "sextant"},
        {"query": "sextant", "filters": {"user_id": "ann"}},
        {"filters": {"OR": [{"user_id": "*"}, {"user_id": "ann"}]}},
        {"text": "Gone."},
    ],
}


@pytest.fixture
def parts(instance: Instance, alice: User) -> dict[str, Any]:
    """The parts of the addresses of what is about Ann."""
    parts = create_rows(instance, alice)
    talk = Conversation.objects.create(
        instance=instance,
        title="The sextant",
        external_id="chat-1",
        end_user="ann",
        origin=ConversationOrigin.OPENAI,
    )
    said, reply = append(
        talk,
        [NewMessage("user", "I use a sextant."), NewMessage("assistant", "A sextant, fine.")],
    ).added
    Answer.objects.create(
        instance=instance,
        conversation=talk,
        message=said,
        reply=reply,
        public_id="resp_1",
        state=Answer.State.DONE,
    )
    fact = Candidate(
        "The user owns a sextant.", end_user="ann", conversation_id=talk.pk, message_id=said.pk
    )
    (outcome,) = remember(instance, [fact], Writer(Origin.API, Actor(via="test")))
    run = Run.objects.create(instance=instance, conversation=talk, state="failed")
    rows = {"conversation": talk, "message": said, "memory": outcome.memory, "run": run}
    parts |= {name: row.pk for name, row in rows.items()}
    parts |= {"drawer": file_turn(said, "ann", "sextant").pk, "name": "chat-1"}
    return parts | {"memory_id": id_of(outcome.memory), "end_user": "ann"}


def program_for(instance: Instance, person: str) -> Program:
    key, program = key_of(instance, SCOPES)
    key.end_user = person
    key.save()
    return program


def connection_for(instance: Instance, user: User, **limits: str) -> Program:
    """An app that *user* has connected, with *limits* to what it is told."""
    app = OAuthProgram()
    app.register()
    address = app.address(resource="http://testserver/", scope="read write delete")
    answer = answer_in(decide(user, address, instance, ["read", "write", "delete"], **limits))
    assert app.exchange(answer["code"]).status_code == 200
    return Program(app.tokens["access_token"])


def requests_to(address: Address, parts: dict[str, Any]) -> list[tuple[str, str, Any]]:
    """Requests of every method to *address*: plain, with its own body, and with all `BODIES`."""
    if address.name == "v1_response":
        parts = parts | {"name": "resp_1"}
    url = url_of(address, parts)
    own = {
        name: value.format(**parts) if isinstance(value, str) else value
        for name, value in GUARDED.get(address.name, Guarded()).body.items()
    }
    of_ann = f"{url}{'&' if '?' in url else '?'}user_id=ann"
    asked: list[tuple[str, str, Any]] = [
        *((method, address, None) for method in ("GET", "DELETE") for address in (url, of_ann)),
        ("GET", f"{of_ann}&q=sextant", None),
    ]
    bodies = next(some for door, some in BODIES.items() if address.name.startswith(door))
    asked += [("POST", url, body) for body in (own, *bodies)]
    changes = [body for body in bodies if body.keys() & {"text", "title", "content"}]
    asked += [(method, url, body) for method in ("PUT", "PATCH") for body in (own, *changes)]
    asked.append(("DELETE", url, own))
    return asked


def of_others() -> list[Any]:
    """What is not about Bert, to see that nothing of it is changed."""
    return [
        list(Memory.objects.exclude(end_user="bert").values("pk", "content").order_by("pk")),
        list(
            Message.objects.exclude(conversation__end_user="bert")
            .values("pk", "content")
            .order_by("pk")
        ),
        list(Conversation.objects.exclude(end_user="bert").values("pk", "title").order_by("pk")),
        list(Answer.objects.values("pk", "public_id").order_by("pk")),
        list(Run.objects.exclude(conversation__end_user="bert").values("pk", "state")),
        ArchivedMemory.objects.exclude(memory_id=0).count(),
    ]


def text_of(response: Any) -> str:
    body = b"".join(response) if response.streaming else response.content
    return str(body.decode())


def of_key(instance: Instance, alice: User) -> Program:
    return program_for(instance, "bert")


def of_connection(instance: Instance, alice: User) -> Program:
    return connection_for(instance, alice, end_user="bert")


def of_connection_told_only_its_own(instance: Instance, alice: User) -> Program:
    # What is Ann’s is shared with Bert, and this app is not told what is shared.
    create_group(instance, "Crew", GroupMembers(["bert"]), end_user="ann", by=Actor(alice))
    return connection_for(instance, alice, end_user="bert", reach="own")


@pytest.mark.parametrize(
    "made", [of_key, of_connection, of_connection_told_only_its_own], ids=lambda made: made.__name__
)
def test_key_of_a_person_reaches_nothing_of_another(
    instance: Instance,
    alice: User,
    parts: dict[str, Any],
    made: Callable[[Instance, User], Program],
) -> None:
    secret = made(instance, alice).secret
    client = Client(headers={"Authorization": f"Bearer {secret}"})
    before = of_others()
    doors = [each for each in addresses() if each.name.startswith(tuple(BODIES))]
    for address in doors:
        closed = set()
        for method, url, body in requests_to(address, parts):
            if method in closed:
                continue
            with transaction.atomic():
                data = b"" if body is None else json.dumps(body)
                response = client.generic(method, url, data, content_type="application/json")
                # What was sent may be repeated.
                text = text_of(response)
                told = [word for word in WORDS if word in text and word not in f"{url} {body}"]
                assert not told, (method, url, body)
                assert "a sextant" not in text.lower(), (method, url, body)
                if method != "GET" and response.status_code < 400:
                    assert of_others() == before, (method, url, body)
                if response.status_code in (403, 405) and "for another" not in text:
                    closed.add(method)
                transaction.set_rollback(True)


def test_tools_of_mcp_are_for_the_person_of_the_key(
    instance: Instance, alice: User, parts: dict[str, Any]
) -> None:
    drawer = instance.drawers.get(pk=parts["drawer"])
    create_group(instance, "Crew", GroupMembers(["carl"]), end_user="ann", by=Actor(alice))
    for program, reaches in (
        (program_for(instance, "bert"), False),
        (program_for(instance, "ann"), True),
        (connection_for(instance, alice, end_user="bert"), False),
        (connection_for(instance, alice, end_user="ann", reach="own"), True),
        (connection_for(instance, alice, end_user="carl"), True),
        (connection_for(instance, alice, end_user="carl", reach="own"), False),
        # A group, by its name.
        (connection_for(instance, alice, end_user="crew"), True),
    ):
        secret = program.secret
        agent = Line(**{"Authorization": f"Bearer {secret}", "X-User-Id": "ann"})
        for name, arguments in (
            ("search_memory", {"query": "Who owns it, a sextant"}),
            ("list_memories", {}),
            ("search", {"query": "Who owns it, a sextant"}),
            ("fetch", {"id": f"m{parts['memory']}"}),
            ("fetch", {"id": f"s{parts['message']}"}),
            ("fetch", {"id": str(drawer)}),
        ):
            assert ("a sextant." in str(agent.call(name, **arguments))) == reaches, name
        for uri in ("keepsake://profile", f"keepsake://memories/{parts['memory']}"):
            read = str(agent.read(uri))
            assert ("a sextant." in read) == reaches, uri


def test_the_person_of_the_key_reaches_their_own(instance: Instance, parts: dict[str, Any]) -> None:
    program = program_for(instance, "ann")
    for path in (
        f"memories/{parts['memory']}",
        "memories",
        "memories?q=sextant",
        "memories/export",
        f"conversations/{parts['conversation']}",
        "conversations",
        f"conversations/{parts['conversation']}/messages",
        f"messages/{parts['message']}",
        "/v1/conversations/chat-1/items",
        "/v1/responses/resp_1",
        f"/v1/memories/{parts['memory_id']}/",
        "/v1/memories/?user_id=ann",
    ):
        assert "sextant" in text_of(program.ask("GET", path)), path
    made = program.send("POST", "memories", {"content": "The user sails a ketch."})
    assert Memory.objects.get(pk=made["id"]).end_user == "ann"
    for path, body in (
        ("memories", {"content": "The user sails.", "user_id": "bert"}),
        ("search", {"q": "sextant", "user_id": "bert"}),
    ):
        assert program.send("POST", path, body, status=403)["code"] == "key_of_a_person"
    for path in ("health", "store/documents", "graph/entities", "palace/drawers"):
        assert program.send("GET", path, status=403)["code"] == "key_of_a_person"
