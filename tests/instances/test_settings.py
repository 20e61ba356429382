"""The settings: their pages; saving, warnings and validation of each card."""

import re
from collections.abc import Callable
from decimal import Decimal
from html import unescape
from typing import Any

import pytest
from django.test import Client

from conversations.models import Conversation, Message
from instances.models import Agent, Instance, Membership, Secret, User
from instances.models.sensitivity_settings import AREAS
from memoryapp.models import Activity, Memory
from memoryapp.web.settings.pages import PAGE_OF, PAGES, card_url
from tests.instances.cards import HTMX, save, settings_page
from tests.instances.people import signed_in

Store = Callable[..., Memory]

NO_READER = (
    "Conversations are not read: no language model is set up, and the built-in reader is off."
)
SETTINGS = "/instances/desk/settings"
WORDS_ONLY = (
    "No embedding provider is usable. Memories are stored, but search finds them by words only"
)


CARDS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "memory",
        {"memory_enabled": "on", "extract_when": "by_hand"},
        {"memory_enabled": True, "extract_when": "by_hand"},
    ),
    (
        "general",
        {"name": "Front desk", "time_zone": "Europe/Berlin", "language": "german"},
        {"name": "Front desk", "slug": "desk", "time_zone": "Europe/Berlin", "language": "german"},
    ),
    (
        "privacy",
        {
            "pii_policy": "reject",
            "assistant_handling": "keep",
            "tool_handling": "hold",
            "document_handling": "ignore",
        },
        {"pii_policy": "reject", "tool_handling": "hold", "document_handling": "ignore"},
    ),
    (
        "guidance",
        {"guidance": "Remember diets."},
        {"guidance": "Remember diets."},
    ),
    (
        "areas",
        {f"{area}_handling": "keep" for area in AREAS} | {"health_handling": "refuse"},
        {"health_handling": "refuse", "religion_handling": "keep"},
    ),
    (
        "cost",
        {
            "prompt_price": "0.2500",
            "completion_price": "2.0000",
            "embedding_price": "0.0200",
            "monthly_cap": "12.50",
        },
        {"prompt_price": Decimal("0.25"), "monthly_cap": Decimal("12.50")},
    ),
    (
        "memory",
        {
            "memory_enabled": "on",
            "extract_when": "stale",
            "stale_minutes": "45",
            "palace_enabled": "on",
        },
        {"stale_minutes": 45, "palace_enabled": True, "pii_policy": "redact"},
    ),
    (
        "language-model",
        {"provider": "custom", "base_url": "http://llm:8080/v1", "fast_model": "tiny"},
        {"provider": "custom", "base_url": "http://llm:8080/v1", "fast_model": "tiny"},
    ),
    (
        "embeddings",
        {
            "embedding_provider": "custom",
            "embedding_base_url": "http://llm:8080/v1",
            "embedding_model": "e5",
        },
        {"embedding_provider": "custom", "embedding_model": "e5"},
    ),
    (
        "assistant",
        {
            "instructions": "Answer in rhyme.",
            "top_k": "20",
            "chat_model": "eloquent",
        },
        {
            "instructions": "Answer in rhyme.",
            "recall_enabled": False,
            "top_k": 20,
            "chat_model": "eloquent",
        },
    ),
    (
        "ranking",
        {
            "tools_for_clients": "on",
            "recall_profile": "rrf",
            "context_placement": "system_message",
            "rerank_enabled": "on",
            "rerank_model": "judge",
        },
        {
            "tools_for_clients": True,
            "recall_profile": "rrf",
            "context_placement": "system_message",
            "rerank_enabled": True,
            "rerank_model": "judge",
        },
    ),
    (
        "duplicates",
        {
            "merge_with_model": "on",
            "single_valued_keys": "shoe_size,car",
            "dedup_exact": "0.97",
            "dedup_update": "0.85",
            "dedup_merge": "0.75",
            "decay_days": "30",
        },
        {
            "merge_with_model": True,
            "single_valued_keys": ["shoe_size", "car"],
            "dedup_exact": 0.97,
            "dedup_update": 0.85,
            "dedup_merge": 0.75,
            "decay_days": 30,
        },
    ),
]


@pytest.mark.parametrize(
    ("card", "fields", "expected"), CARDS, ids=[f"{card[0]} {n}" for n, card in enumerate(CARDS)]
)
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "htmx"])
def test_each_card_is_saved_with_a_message(
    headers: dict[str, str],
    card: str,
    fields: dict[str, Any],
    expected: dict[str, Any],
    as_alice: Client,
    alice: User,
    instance: Instance,
) -> None:
    response = save(as_alice, card, headers, **fields)
    if headers:
        assert response.status_code == 200
        page = response.content.decode()
        assert "<html" not in page
        assert f'<section class="card" id="{card}">' in page
        assert re.search(r'<span( class="saved" data-announce)?>Saved', page)
    else:
        assert response["Location"] == card_url("desk", card)
        assert "Saved" in settings_page(as_alice, card)
    instance.refresh_from_db()
    assert {name: getattr(instance, name) for name in expected} == expected
    activity = Activity.objects.get()
    assert (activity.action, activity.by, activity.via) == ("settings", alice, "screen")
    # The screen shows the saved values.
    for value in fields.values():
        assert value in ("on",) or str(value) in settings_page(as_alice, card)


def test_saving_one_card_keeps_the_others(as_alice: Client, instance: Instance) -> None:
    for card, fields, _ in CARDS:
        save(as_alice, card, **fields)
    save(as_alice, "memory", extract_when="after_response")
    instance.refresh_from_db()
    assert not instance.memory_enabled
    assert instance.provider == "custom"
    assert instance.language == "german"


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("memory", {"extract_when": "at full moon"}, "extract_when"),
    ("memory", {"extract_when": "stale", "stale_minutes": "0"}, "stale_minutes"),
    ("memory", {"extract_when": "stale", "stale_minutes": "1441"}, "stale_minutes"),
    ("language-model", {"provider": "oracle"}, "provider"),
    ("language-model", {"provider": "custom"}, "base_url fast_model"),
    ("language-model", {"provider": "openai", "base_url": "llm:8080/v1"}, "base_url"),
    ("language-model", {"provider": "openai", "base_url": "ftp://llm/v1"}, "base_url"),
    ("language-model", {"provider": "openai", "base_url": "http://a b/v1"}, "base_url"),
    ("language-model", {"provider": "openai", "base_url": "http://u:p@llm/v1"}, "base_url"),
    ("language-model", {"provider": "openai", "base_url": "http://llm/v1?key=x"}, "base_url"),
    (
        "language-model",
        {"provider": "openai", "base_url": "http://llm/v1/chat/completions"},
        "base_url",
    ),
    ("language-model", {"provider": "openai", "key": "x" * 1001}, "key"),
    ("embeddings", {"embedding_provider": "anthropic"}, "embedding_provider"),
    ("embeddings", {"embedding_provider": "custom"}, "embedding_base_url embedding_model"),
    (
        "embeddings",
        {"embedding_provider": "openai", "embedding_base_url": "http://llm/v1/embeddings"},
        "embedding_base_url",
    ),
    ("general", {"time_zone": "Mars/Olympus"}, "time_zone"),
    ("general", {"time_zone": "../../etc/passwd"}, "time_zone"),
    ("general", {"time_zone": ""}, "time_zone"),
    ("general", {"language": "klingon"}, "language"),
    ("general", {"name": " "}, "name"),
    ("privacy", {"pii_policy": "pray"}, "pii_policy"),
    ("duplicates", {"dedup_exact": "1.01"}, "dedup_exact"),
    ("duplicates", {"dedup_update": "0.49"}, "dedup_update"),
    ("duplicates", {"dedup_exact": "0.8", "dedup_update": "0.9"}, "dedup_exact"),
    ("duplicates", {"dedup_merge": "0.99"}, "dedup_merge"),
    ("duplicates", {"dedup_merge": "0.49"}, "dedup_merge"),
    ("duplicates", {"dedup_exact": "nan"}, "dedup_exact"),
    ("duplicates", {"dedup_exact": ""}, "dedup_exact"),
    ("assistant", {"top_k": "0"}, "top_k"),
    ("assistant", {"top_k": "21"}, "top_k"),
    ("assistant", {"top_k": "5", "instructions": "x" * 20_001}, "instructions"),
    ("ranking", {"recall_profile": "plain"}, "recall_profile"),
    ("ranking", {"recall_profile": "rrf", "context_placement": "footnote"}, "context_placement"),
    ("agents", {"name": ""}, "name"),
    ("agents", {"name": "x" * 101}, "name"),
    ("members", {"username": "", "role": "member"}, "username"),
    ("members", {"username": "no spaces", "role": "member"}, "username"),
    ("members", {"username": "alice", "role": "member"}, "username"),
    ("members", {"username": "bob", "role": "owner"}, "role"),
]
WORKING: dict[str, dict[str, Any]] = {
    "general": {"name": "Support desk", "time_zone": "UTC", "language": "english"},
    "duplicates": {"dedup_exact": "0.98", "dedup_update": "0.9"},
    "privacy": {
        "pii_policy": "redact",
        "assistant_handling": "keep",
        "tool_handling": "keep",
        "document_handling": "keep",
    },
}


@pytest.mark.parametrize(("card", "fields", "wrong"), REFUSED, ids=lambda v: str(v)[:60])
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "htmx"])
def test_invalid_values_are_rejected_and_change_nothing(
    headers: dict[str, str],
    card: str,
    fields: dict[str, Any],
    wrong: str,
    as_alice: Client,
    instance: Instance,
) -> None:
    before = Instance.objects.filter(pk=instance.pk).values().get()
    everything = WORKING.get(card, {}) | fields
    response = save(as_alice, card, headers, **everything)
    assert response.status_code == 422
    form = response.context[f"{card.replace('-', '_')}_form"]
    assert set(form.errors) == set(wrong.split())
    page = response.content.decode()
    assert 'class="error"' in page
    assert ("<html" in page) is not bool(headers)
    assert Instance.objects.filter(pk=instance.pk).values().get() == before
    assert not Secret.objects.exists()
    assert not Agent.objects.exists()
    assert Membership.objects.count() == 1
    assert not Activity.objects.exists()


def test_unknown_card_or_test_is_not_found(as_alice: Client, instance: Instance) -> None:
    assert save(as_alice, "secrets").status_code == 404
    assert as_alice.post("/instances/desk/test/telepathy").status_code == 404
    assert as_alice.get("/instances/desk/settings/secrets").status_code == 404
    assert as_alice.get("/instances/desk/test/chat").status_code == 405
    assert as_alice.post("/instances/desk/settings").status_code == 405


# Pages


def test_each_page_has_its_cards_and_marks_itself(as_alice: Client, instance: Instance) -> None:
    for page in PAGES:
        html = as_alice.get(page.url("desk")).content.decode()
        assert re.findall(r'<section class="card[^"]*" id="([\w-]+)">', html) == list(page.cards)
        (marked,) = re.findall(r'<a href="([^"]+)"[^>]*aria-current="page"', in_pages(html))
        assert marked == page.url("desk")
        # Every change is saved with a button.
        assert "data-autosave" not in html


def in_pages(html: str) -> str:
    """Return the list of pages."""
    return html.partition('<nav class="pages"')[2].partition("</nav>")[0]


def test_address_of_a_card_leads_to_its_page(as_alice: Client, instance: Instance) -> None:
    for card, page in PAGE_OF.items():
        response = as_alice.get(f"/instances/desk/settings/{card}")
        if response.status_code == 302:
            assert response["Location"] == f"{page.url('desk')}#{card}"
        else:
            assert response.context["page"] == page
    assert as_alice.get("/instances/desk/settings/general")["Location"].startswith(SETTINGS)


def test_private_instance_has_no_members_page(as_alice: Client, private: Instance) -> None:
    page = as_alice.get("/instances/diary/settings").content.decode()
    assert "/instances/diary/settings/keys" in in_pages(page)
    assert "/instances/diary/settings/members" not in page
    assert as_alice.get("/instances/diary/settings/members").status_code == 404


def test_member_sees_what_is_set_and_their_account(
    bob: User, instance: Instance, alice: User
) -> None:
    as_bob = signed_in(bob)
    Instance.objects.update(memory_enabled=True, time_zone="Europe/Rome")
    page = as_bob.get(SETTINGS).content.decode()
    for words in ("Your role", "Member", "alice", "On · After every response", "Europe/Rome"):
        assert words in page
    assert set(re.findall(r'<a href="([^"]+)"', in_pages(page))) == {
        SETTINGS,
        "/account",
        "/instances",
    }
    assert f'href="{SETTINGS}"' in as_bob.get("/instances").content.decode()
    for other in PAGES[1:]:
        assert as_bob.get(other.url("desk")).status_code == 403


def test_help_says_what_another_server_needs(as_alice: Client, instance: Instance) -> None:
    Instance.objects.update(provider="openai", embedding_provider="openai")
    page = settings_page(as_alice, "language-model")
    assert page.count("Leave empty to use the provider’s usual address.</div>") == 2
    refused = save(as_alice, "language-model", provider="custom", key="sk-any")
    html = refused.content.decode()
    assert "Required. Usually ends in /v1, such as http://localhost:8080/v1.</div>" in html
    assert "Required. Choose a model that the server offers, or type its name.</div>" in html


# Warnings


@pytest.mark.parametrize(
    ("fields", "warned"),
    [
        ({"memory_enabled": False}, False),
        ({"memory_enabled": True}, True),
        ({"memory_enabled": True, "provider": "openai"}, True),
        ({"memory_enabled": True, "provider": "custom"}, True),
        ({"memory_enabled": True, "provider": "custom", "base_url": "http://llm/v1"}, False),
        ({"memory_enabled": True, "provider": "ollama"}, False),
        ({"memory_enabled": False, "provider": "openai"}, False),
    ],
)
def test_memory_without_a_language_model_shows_a_warning(
    fields: dict[str, Any], warned: bool, as_alice: Client, instance: Instance
) -> None:
    Instance.objects.filter(pk=instance.pk).update(**fields)
    assert (NO_READER in settings_page(as_alice, "memory")) is warned


@pytest.mark.parametrize(
    ("fields", "warned"),
    [
        ({"memory_enabled": True}, False),
        ({"memory_enabled": True, "embedding_provider": "openai"}, True),
        ({"memory_enabled": True, "embedding_provider": "openrouter"}, True),
        ({"memory_enabled": True, "embedding_provider": "custom"}, True),
        (
            {
                "memory_enabled": True,
                "embedding_provider": "custom",
                "embedding_base_url": "http://llm/v1",
            },
            False,
        ),
        ({"memory_enabled": True, "embedding_provider": "ollama"}, False),
        ({"memory_enabled": False, "embedding_provider": "openai"}, False),
    ],
)
def test_memory_without_usable_embeddings_shows_a_warning(
    fields: dict[str, Any], warned: bool, as_alice: Client, instance: Instance
) -> None:
    Instance.objects.filter(pk=instance.pk).update(**fields)
    page = settings_page(as_alice, "memory")
    assert (WORDS_ONLY in page) is warned
    assert ('<a href="/instances/desk/settings/models#embeddings">Set one up</a>' in page) is warned


def test_key_removes_the_warnings(as_alice: Client, instance: Instance) -> None:
    Instance.objects.filter(pk=instance.pk).update(
        memory_enabled=True, provider="openai", embedding_provider="openai"
    )
    page = settings_page(as_alice, "memory")
    assert NO_READER in page
    assert WORDS_ONLY in page
    # One key is enough, because both use the same provider.
    save(as_alice, "language-model", provider="openai", key="sk-0123456789abcdef")
    page = settings_page(as_alice, "memory")
    assert NO_READER not in page
    assert WORDS_ONLY not in page


def test_switching_memory_on_shows_the_warning(as_alice: Client, instance: Instance) -> None:
    fields: dict[str, Any] = {"memory_enabled": "on", "extract_when": "after_response"}
    page = save(as_alice, "memory", HTMX, **fields).content.decode()
    assert NO_READER in page
    assert '<a href="/instances/desk/settings/models#language-model">Set up a model</a>' in page
    assert " checked" in page
    page = save(as_alice, "memory", HTMX, extract_when="after_response").content.decode()
    assert NO_READER not in page


# Language


def test_change_of_language_rebuilds_the_text_index(
    as_alice: Client, instance: Instance, conversation: Conversation, store_memory: Store
) -> None:
    store_memory("Die Nutzerin züchtet Kaninchen in mehreren Häusern.")
    Message.objects.filter(position=1).update(content="Ich besitze viele Bücher.")

    def by_words(question: str) -> int:
        rows = as_alice.get("/memory", {"instance": "desk", "q": question}).context["rows"].rows
        return sum("words" in row.hit.ranks for row in rows)

    def messages_with(question: str) -> int:
        page = as_alice.get("/conversations", {"instance": "desk", "q": question}).context["page"]
        return int(page.paginator.count)

    assert (by_words("Haus"), messages_with("Buch")) == (0, 0)
    save(as_alice, "general", **WORKING["general"] | {"language": "german"})
    assert (by_words("Haus"), messages_with("Buch")) == (1, 1)
    save(as_alice, "general", **WORKING["general"])
    assert (by_words("Haus"), messages_with("Buch")) == (0, 0)


def columns_of(instance: Instance) -> dict[str, object]:
    return dict(Instance.objects.filter(pk=instance.pk).values().get())


def test_a_card_that_saves_itself_offers_the_way_back(as_alice: Client, instance: Instance) -> None:
    Instance.objects.update(memory_enabled=True, single_valued_keys=["shoe_size", "car"])
    settings = {
        "memory": {"extract_when": "by_hand"},
        "duplicates": {"dedup_exact": "0.99", "dedup_update": "0.9", "decay_days": ""},
        "ranking": {"recall_profile": "rrf", "rerank_enabled": "on"},
    }
    for card, fields in settings.items():
        before = columns_of(instance)
        page = save(as_alice, card, HTMX, **fields).content.decode()
        assert columns_of(instance) != before
        toast = page.partition('id="messages"')[2]
        back = {
            unescape(name): unescape(value)
            for name, value in re.findall(r'name="([\w-]+)"(?: value="([^"]*)")?', toast)
            if name.startswith(card)
        }
        as_alice.post(f"/instances/desk/settings/{card}", back, headers=HTMX)
        undone = columns_of(instance)
        changed = {name for name in before if undone[name] != before[name]}
        assert changed <= {"updated_at"}, card


def test_secrets_in_what_matters_are_masked(as_alice: Client, instance: Instance) -> None:
    save(as_alice, "guidance", guidance="Ask ana@example.org about diets.")
    instance.refresh_from_db()
    assert instance.guidance == "Ask [REDACTED:EMAIL] about diets."
