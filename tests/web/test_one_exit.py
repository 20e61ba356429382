"""What was said leaves through one exit: no door tells a secret, or what was forgotten.

The doors come from the URL configuration, the tools from their catalogue, and the readers of the
columns from running them: a new one needs no line here to be tested.
"""

import ast
import inspect
import io
import json
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db import transaction
from django.test import Client

from conversations.messages import MessageDoor, NewMessage, append
from conversations.models import Conversation, ConversationOrigin, Message
from instances.actor import Actor
from instances.models import Instance, Membership, User
from memoryapp import tools
from memoryapp.api.mem0.ids import id_of
from memoryapp.forgetting.deletion import forget
from memoryapp.models import Answer, Memory, Origin
from memoryapp.pipeline import Candidate, Writer, remember
from memoryapp.tools import ToolContext
from tests.api.conftest import SCOPES, key_of
from tests.palace_factories import file_note, file_turn
from tests.web.access_instances import create_rows
from tests.web.access_table import Address, addresses, url_of

#: In clear nowhere; masked in the text, the caption, the call of a tool and its result.
SECRETS = ("Zebra-17x", "4111 1111 1111 1111", "+49 170 5550199", "GB82 WEST 1234 5698 7654 32")
FORGOTTEN = "chinchilla"
SAID = f"I drink green tea, and my password is {SECRETS[0]}."
#: Addresses that show people what was forgotten: the transcript, the chat, one message of them, and
#: a person's file, which holds all that is kept of them.
FOR_PEOPLE = {"conversation", "message", "chat_with", "chat_follow", "end_user_export"}
FOR_PEOPLE |= {"api:export_person"}
#: What a search needs to find the messages.
QUERIES = ("q=green+tea+password", "")
#: Bodies that look for the messages.
ASKED: list[dict[str, Any]] = [
    {"query": "green tea password"},
    {"query": "green tea password", "filters": {"user_id": "*"}},
    {"q": "green tea password", "weaker": True},
    {"q": "green tea password"},
    {"filters": {"user_id": "*"}},
]

#: What answers requests.
DOORS = (
    *("memoryapp/api", "memoryapp/web", "memoryapp/tools", "memoryapp/templatetags"),
    *("memoryapp/api/v1", "memoryapp/assistant", "memoryapp/people", "memoryapp/webhooks"),
    *(
        "memoryapp/context",
        "memoryapp/recall/hit_entries.py",
        "memoryapp/web/conversations/views.py",
    ),
)
#: The columns, and names that the code gives to rows that have them.
COLUMNS = {"content", "caption", "tool_calls", "note"}
NAMES = {"message", "messages", "reply", "asked", "said", "drawer", "turn", "filed", "spoken"}
#: The functions of doors that read the columns themselves, and why they may.
READ_THEMSELVES = {
    "the messages that the model answers": {
        ("memoryapp/assistant/answer.py", "_history"),
        ("memoryapp/assistant/prompt.py", "history"),
    },
    "what the model answers or calls at the moment": {
        ("memoryapp/assistant/answer.py", "events"),
        ("memoryapp/assistant/answer.py", "_call_tools"),
        ("memoryapp/api/v1/proxy.py", "_check_text"),
        ("memoryapp/api/v1/proxy.py", "_run_tools"),
    },
    "the request itself": {
        ("memoryapp/api/rest/messages.py", "append_messages"),
        ("memoryapp/api/mcp/server.py", "_note_answer"),
        ("memoryapp/api/v1/conversation_matching.py", "_beginning"),
        ("memoryapp/api/v1/conversation_matching.py", "store_reply"),
        ("memoryapp/api/v1/proxy.py", "_turn_context"),
        ("memoryapp/api/v1/transcript.py", "_cut_short"),
        ("memoryapp/api/v1/transcript.py", "link"),
        ("memoryapp/api/v1/transcript.py", "read_messages"),
    },
    "compared with a request, and shown nowhere": {
        ("memoryapp/api/v1/conversation_matching.py", "as_sent"),
        ("memoryapp/tools/save.py", "save"),
    },
}


@dataclass(frozen=True)
class Told:
    """An instance in which secrets were said, and something was forgotten."""

    instance: Instance
    conversation: Conversation
    parts: dict[str, Any]
    memory: Memory


@pytest.fixture
def told(instance: Instance, alice: User) -> Told:
    parts = create_rows(instance, alice)
    Authenticator.objects.all().delete()  # One with only a name cannot be shown.
    conversation = Conversation.objects.create(
        instance=instance,
        title="Tea",
        origin=ConversationOrigin.CHAT,
        external_id="chat-1",
        end_user="Wolpertinger",
    )
    call = {"id": "c1", "name": "pay", "arguments": json.dumps({"iban": SECRETS[3]})}
    said, reply, result, forgotten, _ = append(
        conversation,
        [
            NewMessage("user", SAID, caption=f"A receipt with the card {SECRETS[1]}"),
            NewMessage("assistant", f"Green tea, password {SECRETS[0]}.", tool_calls=[call]),
            NewMessage("tool", f"Call {SECRETS[2]} about the green tea.", tool_name="pay"),
            NewMessage("user", f"I keep a {FORGOTTEN} called Bo."),
            NewMessage("assistant", f"My password is {SECRETS[0]}, too, says the green tea."),
        ],
        door=MessageDoor(),
    ).added
    drawer = file_turn(said, "Wolpertinger", "tea")
    for message in (reply, result, forgotten):
        file_turn(message, "Wolpertinger", "tea")
    note = file_note(instance, "The green tea is in the kitchen.", "Tea")
    writer = Writer(Origin.CONVERSATION, Actor(via="extraction"))
    place: dict[str, Any] = {"conversation_id": conversation.pk, "end_user": "Wolpertinger"}
    (kept,) = remember(
        instance, [Candidate("The user drinks green tea.", message_id=said.pk, **place)], writer
    )
    statement = f"The user keeps a {FORGOTTEN} called Bo."
    remember(instance, [Candidate(statement, message_id=forgotten.pk, **place)], writer)
    gone = Memory.objects.filter(content=statement)
    forget(instance, gone, by=Actor(alice, "test"))
    answer = Answer.objects.create(
        instance=instance,
        conversation=conversation,
        message=said,
        reply=reply,
        public_id="resp_1",
        state=Answer.State.DONE,
    )
    kinds = {"message": said, "drawer": drawer, "note": note, "memory": kept.memory}
    parts |= {name: row.pk for name, row in kinds.items()}
    parts |= {"conversation": conversation.pk, "answer": answer.pk}
    parts["refused"] = instance.refused.create(
        conversation=conversation, message=said, content="Any.", reason="name"
    ).pk
    assert Message.objects.get(pk=forgotten.pk).content == ""
    return Told(instance, conversation, parts, kept.memory)


@pytest.fixture
def direct_readers(monkeypatch: pytest.MonkeyPatch) -> set[tuple[str, str]]:
    """The files and functions of doors that read the text of a stored message themselves."""
    seen: set[tuple[str, str]] = set()

    def recorded(name: str) -> property:
        stored = Message.__dict__[name]

        def read(message: Message) -> Any:
            frame = inspect.currentframe()
            caller = frame.f_back if frame else None
            path = caller.f_code.co_filename if caller else ""
            inside = path.removeprefix(f"{settings.BASE_DIR}/")
            if caller and inside.startswith(DOORS):
                seen.add((inside, caller.f_code.co_name))
            elif "/django/template/" in path:
                seen.add(("a template", name))
            if name in message.__dict__:
                return message.__dict__[name]
            return stored.__get__(message, Message)

        def write(message: Message, value: Any) -> None:
            message.__dict__[name] = value

        return property(read, write)

    for name in ("content", "caption", "tool_calls"):
        monkeypatch.setattr(Message, name, recorded(name))
    return seen


def text_of(response: Any) -> str:
    if getattr(response, "streaming", False):
        body = b"".join(response.streaming_content)
    else:
        body = response.content
    text = unzipped(body) if body[:2] == b"PK" else body.decode(errors="replace")
    text = re.sub(r"</?mark>|<wbr>", "", text)
    return text + text.encode().decode("unicode_escape", errors="replace")


def unzipped(body: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        return "\n".join(archive.read(name).decode() for name in archive.namelist())


def urls(address: Address, told: Told) -> Iterator[str]:
    """The addresses of a pattern, as they are and with words that find the messages."""
    parts = told.parts | {"name": "chat-1", "memory_id": id_of(told.memory)}
    if address.name == "v1_response":
        parts["name"] = "resp_1"
    url = url_of(address, parts)
    for query in QUERIES:
        yield f"{url}{'&' if '?' in url else '?'}{query}"


def tells(response: Any, name: str) -> list[str]:
    text = text_of(response)
    words = [*SECRETS, *([] if name in FOR_PEOPLE else [FORGOTTEN])]
    return [word for word in words if word.casefold() in text.casefold()]


def walked(client: Client, told: Told) -> Iterator[tuple[Address, str, Any]]:
    """Ask every address for what it shows, and every one that is asked in a body."""
    for address in addresses():
        if address.name in LEFT_OUT:
            continue
        for url in urls(address, told):
            with transaction.atomic():
                yield address, f"GET {url}", client.get(url)
                transaction.set_rollback(True)
        if address.name in ASKED_IN_A_BODY or address.name.startswith("mem0:"):
            url = url_of(address, told.parts | {"name": "chat-1"})
            place = {"instance_id": told.instance.slug} if address.name.startswith("api:") else {}
            for body in ASKED:
                with transaction.atomic():
                    answer = client.post(url, body | place, content_type="application/json")
                    yield address, f"POST {url}", answer
                    transaction.set_rollback(True)


#: These end the session, or are never answered.
LEFT_OUT = {"logout", "account_logout", "chat_follow"}
ASKED_IN_A_BODY = {
    *("api:search", "api:retrieve", "api:call_search_memory", "api:call_list_memories"),
    "api:search_documents",
}


# What a member opens, a manager opens, too.
@pytest.mark.parametrize("who", ["viewer", "manager", "key"])
def test_no_door_tells_secrets_or_what_was_forgotten(
    who: str, told: Told, alice: User, direct_readers: set[tuple[str, str]]
) -> None:
    client = Client(raise_request_exception=True)
    if who == "key":
        program = key_of(told.instance, SCOPES)[1]
        client = Client(headers={"Authorization": f"Bearer {program.secret}"})
    else:
        Membership.objects.filter(instance=told.instance, user=alice).update(role=who)
        client.force_login(alice)
    masked = set()
    for address, asked, response in walked(client, told):
        assert not tells(response, address.name), asked
        if response.status_code == 200 and "[REDACTED:" in text_of(response):
            masked.add(address.name)
        assert response.status_code < 500, asked
        if not client.cookies and who != "key":
            client.force_login(alice)
    expected = {"api:list_messages", "api:read_message", "api:list_drawers", "api:search"}
    if who == "key":
        expected |= {"v1_items", "v1_response", "mem0:history"}
    else:
        expected |= {"conversation", "message", "chat_with", "palace", "palace_drawer"}
        expected |= {"memory", "refused", "conversations"}
    assert masked >= expected
    assert not direct_readers


def test_no_tool_tells_secrets_or_what_was_forgotten(
    told: Told, direct_readers: set[tuple[str, str]]
) -> None:
    context = ToolContext(told.instance, Writer(Origin.USER_EXPLICIT, Actor(via="test")))
    named = {**tools.TOOLS, **tools.DOCUMENT_TOOLS}
    read = []
    for name in named:
        for words in ("What about green tea and the password?", FORGOTTEN):
            for found in ({"query": words}, {"id": f"s{told.parts['message']}"}, {}):
                result = tools.run(name, json.dumps(found), context, allowed=named)
                read.append(result.text + str(result.data))
    assert any("[REDACTED:" in text for text in read)
    for text in read:
        assert not [word for word in SECRETS if word in text]
        assert f"a {FORGOTTEN}" not in text
    assert not direct_readers


def readers() -> Iterator[tuple[str, str]]:
    """The functions of doors that read one of the columns from a name of such a row."""
    base = Path(settings.BASE_DIR)
    for door in DOORS:
        for path in [base / door] if door.endswith(".py") else (base / door).rglob("*.py"):
            for function in ast.walk(ast.parse(path.read_text())):
                if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                    continue
                for node in ast.walk(function):
                    if isinstance(node, ast.Attribute) and node.attr in COLUMNS:
                        row = node.value
                        name = (
                            row.attr if isinstance(row, ast.Attribute) else getattr(row, "id", "")
                        )
                        if name in NAMES and isinstance(node.ctx, ast.Load):
                            yield str(path.relative_to(base)), function.name


def test_no_function_of_a_door_reads_the_columns_itself() -> None:
    assert set(readers()) == set().union(*READ_THEMSELVES.values())


def test_no_template_reads_the_columns_itself() -> None:
    named = "|".join(NAMES)
    column = re.compile(rf"\b(?:{named})\.(?:{'|'.join(COLUMNS)})\b")
    for path in Path(settings.BASE_DIR, "templates").rglob("*.html"):
        assert not column.findall(path.read_text()), path
