"""What the pages of the admin show of a row: text masked and cut, secrets never."""

import re
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test import Client
from django.urls import reverse

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.actor import Actor
from instances.models import ApiKey, Instance, Secret, SecretName, User, Webhook
from memoryapp.admin.columns import IN_LIST, column, list_of, page_of
from memoryapp.admin.tables import site
from memoryapp.forgetting.deletion import forget
from memoryapp.models import Memory, Origin
from memoryapp.pipeline import Candidate, Writer, remember
from tests.palace_factories import file_note, file_turn

CARD = "4111.1111.1111.1111"
PASSWORD = "Zebra-17x"


def all_pages(client: Client) -> dict[str, str]:
    """Every list, and the page of every row, by their addresses."""
    paths = [list_of(model) for model in site._registry]
    paths += [
        page_of(model, pk)
        for model in site._registry
        for pk in model._base_manager.values_list("pk", flat=True)
    ]
    return {path: client.get(path).content.decode() for path in paths}


def test_no_page_shows_a_secret(
    as_dana: Client, dana: User, shared: dict[str, Any], instance: Instance
) -> None:
    secret = Secret(instance=instance, name=SecretName.CHAT_API_KEY)
    secret.seal("sk-a-very-secret-key", "https://api.openai.com/v1")
    secret.save()
    columns = re.compile(
        "token|digest|password$|secret$|^code|session_key|session_data|checksum|^data$|hash"
    )
    stored: set[str] = set()
    with connection.cursor() as cursor:
        for model in site._registry:
            for field in model._meta.concrete_fields:
                if columns.search(field.name) and field.get_internal_type() in (
                    "CharField",
                    "TextField",
                    "JSONField",
                ):
                    table = model._meta.db_table
                    cursor.execute(f'SELECT "{field.column}"::text FROM "{table}"')  # noqa: S608
                    stored |= {text for (text,) in cursor if text and len(text) > 8}
    assert len(stored) > 4
    for path, page in all_pages(as_dana).items():
        # The token of the page's own form has another place.
        assert not [text for text in stored if text in page], path


@pytest.mark.parametrize(
    ("model", "name"),
    [(User, "password"), (ApiKey, "digest"), (Webhook, "token"), (Memory, "metadata")],
)
def test_a_table_with_a_secret_column_does_not_start(model: Any, name: str) -> None:
    with pytest.raises(ImproperlyConfigured):
        column(model, name, in_list=True)


def test_secrets_in_what_was_said_are_masked(as_dana: Client, instance: Instance) -> None:
    said = f"I drink green tea, and my password is {PASSWORD}."
    conversation = Conversation.objects.create(instance=instance, title=f"Card {CARD}")
    message = NewMessage("user", said, caption=f"With the card {CARD}")
    (stored,) = append(conversation, [message]).added
    file_turn(stored, f"Card {CARD}", "tea")
    file_note(instance, f"Her card is {CARD}.", "Ana")
    instance.refused.create(
        conversation=conversation, message=stored, content=f"Her card is {CARD}.", reason="name"
    )
    pages = all_pages(as_dana)
    assert "I drink green tea" in pages[page_of(type(stored), stored.pk)]
    for path, page in pages.items():
        assert PASSWORD not in page and CARD not in page, path


def test_forgotten_text_is_on_no_page(as_dana: Client, instance: Instance) -> None:
    conversation = Conversation.objects.create(instance=instance, title="Talk")
    fact = "The user plays the ocarina in Zanzibar."
    (said,) = append(conversation, [NewMessage("user", fact)]).added
    (outcome,) = remember(
        instance,
        [Candidate(fact, conversation_id=conversation.pk, message_id=said.pk)],
        Writer(Origin.MANUAL, Actor(via="test")),
    )
    assert "ocarina" in "".join(all_pages(as_dana).values())
    forget(instance, Memory.objects.filter(pk=outcome.memory.pk), by=Actor(via="test"))
    for path, page in all_pages(as_dana).items():
        assert "ocarina" not in page, path


def test_long_texts_are_cut_in_lists(as_dana: Client, instance: Instance) -> None:
    instance.memories.create(content="The user sails. " * 300)
    page = as_dana.get(list_of(Memory)).content.decode()
    assert page.count("The user sails.") <= IN_LIST
    assert page.count("The user sails.") < 20


def test_markup_in_a_text_is_no_markup(as_dana: Client, instance: Instance) -> None:
    memory = instance.memories.create(content="<script>alert(1)</script>")
    for path in (list_of(Memory), page_of(Memory, memory.pk)):
        assert "<script>alert" not in as_dana.get(path).content.decode()


def test_pages_lead_back_and_on(as_dana: Client, shared: dict[str, Any]) -> None:
    page = as_dana.get(page_of(Memory, shared["memory"])).content.decode()
    for path in (
        reverse("memory", args=[shared["memory"]]),
        reverse("memory_edit", args=[shared["memory"]]),
        f"{reverse('admin:memoryapp_memorysource_changelist')}?memory={shared['memory']}",
        reverse("home"),
    ):
        assert f'href="{path}"' in page, path
    for address in re.findall(r'href="(/[^"#]*)"', page.replace("&amp;", "&")):
        if "/static/" not in address:
            assert as_dana.get(address).status_code in (200, 302), address


@pytest.mark.parametrize("language", ["de", "it"])
def test_pages_are_in_the_language_of_the_person(
    language: str, as_dana: Client, shared: dict[str, Any]
) -> None:
    english = as_dana.get(list_of(Memory)).content.decode()
    page = as_dana.get(list_of(Memory), headers={"Accept-Language": language}).content.decode()
    assert f'<html lang="{language}"' in page
    for text in ("Memories", "Importance", "Move to the bin", "Back to Keepsake"):
        assert text in english and text not in page, text
