"""Secrets in messages are masked wherever messages are shown, and revealed to members."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from django.test import Client

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from conversations.titles import title_of
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.api.mem0.ids import id_of
from memoryapp.context.builder import build_context
from memoryapp.models import Activity, Drawer, Memory, Origin
from memoryapp.pipeline import Writer
from memoryapp.tools import search
from memoryapp.tools.tool_context import ToolContext
from tests.api.conftest import SCOPES, key_of
from tests.api.mcp.conftest import Line
from tests.palace_factories import file_turn

PASSWORD, CARD = "Zebra-17x", "4111.1111.1111.1111"
SAID = f"I drink green tea, and my password is {PASSWORD}."
SHARED = f"A receipt with the card {CARD}"
WRITER = Writer(Origin.USER_EXPLICIT, Actor(via="test"))
HTMX = {"HX-Request": "true"}


@dataclass(frozen=True)
class Talk:
    """A message with a secret, its neighbour, its drawer, and a memory from it."""

    conversation: Conversation
    message: Message
    drawer: Drawer
    memory: Memory

    def address(self, pattern: str) -> str:
        return pattern.format(
            talk=self.conversation.pk,
            message=self.message.pk,
            drawer=self.drawer.pk,
            memory=self.memory.pk,
        )


@pytest.fixture
def talk(instance: Instance, store_memory: Callable[..., Memory]) -> Talk:
    conversation = Conversation.objects.create(instance=instance, title="Tea", origin="chat")
    first, second = append(
        conversation,
        [
            NewMessage("user", SAID, caption=SHARED),
            NewMessage("assistant", f"Your password is {PASSWORD}; green tea it is."),
        ],
    ).added
    drawer = file_turn(first, "Ana", "tea")
    file_turn(second, "Ana", "tea")
    memory = store_memory(
        "The user drinks green tea.", conversation_id=conversation.pk, message_id=first.pk
    )
    instance.refused.create(conversation=conversation, message=first, content="Any.")
    return Talk(conversation, first, drawer, memory)


#: Every screen that shows a message.
SCREENS = [
    "/conversations/{talk}",
    "/conversations/messages/{message}",
    "/conversations?instance=desk&q=green",
    "/conversations?instance=desk&q=password",
    "/chat/{talk}",
    "/conversations/palace?instance=desk",
    "/conversations/palace?instance=desk&q=green+tea",
    "/conversations/palace/drawers/{drawer}?instance=desk",
    "/memory?instance=desk&list=ask&q=who+drinks+green+tea",
    "/memory/{memory}?instance=desk",
    "/memory/removed/refused?instance=desk",
]
#: Every endpoint that returns a message.
ENDPOINTS = [
    "/api/conversations/{talk}/messages",
    "/api/messages/{message}",
    "/api/memories?instance_id=desk&q=password",
    "/api/palace/drawers?instance_id=desk",
    "/api/palace/drawers?instance_id=desk&q=green+tea",
    "/api/palace/drawers/{drawer}",
]


def read(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    assert "no-store" in response["Cache-Control"]
    return response.content.decode().replace("<mark>", "").replace("</mark>", "")


@pytest.mark.parametrize("pattern", [*SCREENS, *ENDPOINTS])
def test_secrets_are_masked(as_alice: Client, talk: Talk, pattern: str) -> None:
    page = read(as_alice, talk.address(pattern))

    assert "[REDACTED:PASSWORD]" in page
    assert PASSWORD not in page
    assert CARD not in page


@pytest.mark.parametrize("pattern", [*SCREENS, *ENDPOINTS])
def test_nothing_is_masked_where_secrets_are_kept(
    as_alice: Client, talk: Talk, pattern: str
) -> None:
    Instance.objects.update(pii_policy="off")

    page = read(as_alice, talk.address(pattern))

    assert "[REDACTED" not in page
    assert PASSWORD in page


def test_search_of_the_api_masks_messages(as_alice: Client, talk: Talk) -> None:
    asked = {"instance_id": "desk", "q": "password"}

    found = as_alice.post("/api/search", asked, content_type="application/json").content.decode()

    assert "[REDACTED:PASSWORD]" in found
    assert PASSWORD not in found


def test_models_are_told_no_secrets(instance: Instance, talk: Talk) -> None:
    question = "What about the green tea and the password?"

    told = build_context(instance, question, end_user="").text
    found = search.search(
        search.SearchArguments(query=question, category=None, limit=8),
        ToolContext(instance, WRITER),
    )

    for text in (told, found.text, found.data.model_dump_json() if found.data else ""):
        assert "[REDACTED:PASSWORD]" in text
        assert PASSWORD not in text
        assert CARD not in text


def test_programs_get_masked_messages(instance: Instance, talk: Talk) -> None:
    secret = key_of(instance, SCOPES)[1].secret
    agent = Line(Authorization=f"Bearer {secret}")

    found = agent.call("search_memory", query="What about the green tea and the password?")
    history = Client().get(
        f"/v1/memories/{id_of(talk.memory)}/history/", headers={"Authorization": f"Token {secret}"}
    )

    for text in (str(found), history.content.decode()):
        assert "[REDACTED:PASSWORD]" in text
        assert PASSWORD not in text


def test_snippet_without_the_word_for_it_is_masked(as_alice: Client, instance: Instance) -> None:
    talk = Conversation.objects.create(instance=instance, title="Long")
    before = "My password for the old router in the cellar of the house by the lake is "
    append(talk, [NewMessage("user", f"{before}{PASSWORD} " + "and so on, harbour " * 40)])

    page = read(as_alice, "/conversations?instance=desk&q=harbour")

    assert "harbour" in page
    assert PASSWORD not in page


def test_sentence_with_an_unclear_secret_is_masked(
    as_alice: Client, conversation: Conversation, store_message: Callable[..., Message]
) -> None:
    store_message(conversation, "I row. The password is correct horse battery staple. I sail.")

    page = read(as_alice, f"/conversations/{conversation.pk}")

    assert "battery" not in page
    assert "[REDACTED:SECRET]" in page
    assert "I row." in page
    assert "I sail." in page


class TestReveal:
    def test_member_sees_the_secret_and_the_activity_says_so(
        self, client: Client, talk: Talk, bob: User
    ) -> None:
        client.force_login(bob)
        assert "Reveal" in read(client, f"/conversations/{talk.conversation.pk}")

        response = client.post(f"/conversations/messages/{talk.message.pk}")

        page = response.content.decode()
        assert PASSWORD in page
        assert CARD in page
        assert "no-store" in response["Cache-Control"]
        (line,) = Activity.objects.filter(action="revealed")
        assert (line.by, line.conversation) == (bob, talk.conversation)
        seen = read(client, "/activity?instance=desk")
        assert "looked at the secrets in a message" in seen
        assert PASSWORD not in seen

    def test_htmx_gets_the_message_alone(self, as_alice: Client, talk: Talk) -> None:
        address = f"/conversations/messages/{talk.message.pk}"

        revealed = as_alice.post(address, headers=HTMX).content.decode()
        hidden = as_alice.get(address, headers=HTMX).content.decode()

        assert PASSWORD in revealed
        assert "Hide" in revealed
        assert PASSWORD not in hidden
        assert "Reveal" in hidden
        assert "<html" not in revealed + hidden

    def test_viewer_sees_it_masked_and_cannot_reveal(
        self, client: Client, talk: Talk, vera: User
    ) -> None:
        client.force_login(vera)

        for pattern in SCREENS:
            page = read(client, talk.address(pattern))
            assert PASSWORD not in page
            assert "Reveal" not in page
        assert client.post(f"/conversations/messages/{talk.message.pk}").status_code == 403
        assert not Activity.objects.filter(action="revealed").exists()

    def test_owner_reveals_in_the_private_instance(
        self, as_alice: Client, private: Instance, store_message: Callable[..., Message]
    ) -> None:
        own = Conversation.objects.create(instance=private, title="Own")
        message = store_message(own, SAID)

        assert PASSWORD in as_alice.post(f"/conversations/messages/{message.pk}").content.decode()

    def test_nothing_to_reveal_without_secrets(
        self, as_alice: Client, conversation: Conversation
    ) -> None:
        assert "Reveal" not in read(as_alice, f"/conversations/{conversation.pk}")


def test_title_of_a_chat_has_no_secrets(instance: Instance) -> None:
    assert title_of(instance, SAID) == (
        "I drink green tea, and my password is [REDACTED:PASSWORD]."
    )
