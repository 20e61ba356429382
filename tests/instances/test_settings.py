"""The settings screen: each card saves, warns in time, and refuses what cannot work."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from conversations.models import Conversation, Message
from instances.forms.settings import MemorySettingsForm
from instances.models import Agent, Instance, Membership, Secret, User
from instances.settings_changes import carry_out
from memoryapp.models import Activity, EmbeddingJob, Memory, Usage
from tests.embeddings.models import work
from tests.scripted_provider import ScriptedProvider

Store = Callable[..., Memory]
HTMX = {"HX-Request": "true"}

NOBODY_READS = "No language model is set up, so nobody reads the conversations"
WORDS_ONLY = "No embedding provider is usable: memories are stored, search finds them by words only"


def save(client: Client, card: str, headers: dict[str, str] | None = None, **fields: Any) -> Any:
    """Post one card: the fields of its form, without the prefix."""
    prefix = {"agents": "agent", "members": "member"}.get(card, card)
    data = {f"{prefix}-{name}": value for name, value in fields.items()}
    return client.post(f"/instances/desk/settings/{card}", data, headers=headers or {})


def settings_page(client: Client) -> str:
    response = client.get("/instances/desk/settings")
    assert response.status_code == 200
    return response.content.decode()


CARDS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "memory",
        {"memory_enabled": "on", "extract_when": "by_hand", "decay_days": "30"},
        {"memory_enabled": True, "extract_when": "by_hand", "decay_days": 30},
    ),
    (
        "memory",
        {"extract_when": "by_hand", "pii_policy": "reject"},
        {"memory_enabled": False, "pii_policy": "reject"},
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
            "tools_for_clients": "on",
            "top_k": "20",
            "recall_profile": "rrf",
            "chat_model": "eloquent",
            "rerank_enabled": "on",
            "rerank_model": "judge",
        },
        {
            "instructions": "Answer in rhyme.",
            "recall_enabled": False,
            "tools_for_clients": True,
            "top_k": 20,
            "recall_profile": "rrf",
            "chat_model": "eloquent",
            "rerank_enabled": True,
            "rerank_model": "judge",
        },
    ),
    (
        "search",
        {
            "time_zone": "Europe/Berlin",
            "language": "german",
            "dedup_exact": "0.97",
            "dedup_update": "0.85",
            "dedup_merge": "0.75",
        },
        {
            "time_zone": "Europe/Berlin",
            "language": "german",
            "dedup_exact": 0.97,
            "dedup_update": 0.85,
            "dedup_merge": 0.75,
        },
    ),
]


@pytest.mark.parametrize(
    ("card", "fields", "expected"), CARDS, ids=[f"{card[0]} {n}" for n, card in enumerate(CARDS)]
)
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "htmx"])
def test_each_card_saves_and_says_so(
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
        assert '<span class="saved" data-announce>Saved' in page
    else:
        assert response["Location"] == f"/instances/desk/settings#{card}"
        assert "Saved" in settings_page(as_alice)
    instance.refresh_from_db()
    assert {name: getattr(instance, name) for name in expected} == expected
    activity = Activity.objects.get()
    assert (activity.action, activity.by, activity.via) == ("settings", alice, "screen")
    # What was saved is what the screen shows from then on.
    for value in fields.values():
        assert value in ("on",) or str(value) in settings_page(as_alice)


def test_saving_one_card_leaves_the_others_alone(as_alice: Client, instance: Instance) -> None:
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
    ("search", {"time_zone": "Mars/Olympus"}, "time_zone"),
    ("search", {"time_zone": "../../etc/passwd"}, "time_zone"),
    ("search", {"time_zone": ""}, "time_zone"),
    ("search", {"language": "klingon"}, "language"),
    ("search", {"dedup_exact": "1.01"}, "dedup_exact"),
    ("search", {"dedup_update": "0.49"}, "dedup_update"),
    ("search", {"dedup_exact": "0.8", "dedup_update": "0.9"}, "dedup_exact"),
    ("search", {"dedup_merge": "0.99"}, "dedup_merge"),
    ("search", {"dedup_merge": "0.49"}, "dedup_merge"),
    ("search", {"dedup_exact": "nan"}, "dedup_exact"),
    ("search", {"dedup_exact": ""}, "dedup_exact"),
    ("assistant", {"recall_profile": "rrf", "top_k": "0"}, "top_k"),
    ("assistant", {"recall_profile": "rrf", "top_k": "21"}, "top_k"),
    ("assistant", {"recall_profile": "plain", "top_k": "5"}, "recall_profile"),
    (
        "assistant",
        {"recall_profile": "rrf", "top_k": "5", "instructions": "x" * 20_001},
        "instructions",
    ),
    ("agents", {"name": ""}, "name"),
    ("agents", {"name": "x" * 101}, "name"),
    ("members", {"username": "", "role": "member"}, "username"),
    ("members", {"username": "no spaces", "role": "member"}, "username"),
    ("members", {"username": "alice", "role": "member"}, "username"),
    ("members", {"username": "bob", "role": "owner"}, "role"),
]
WORKING: dict[str, Any] = {
    "time_zone": "UTC",
    "language": "english",
    "dedup_exact": "0.98",
    "dedup_update": "0.9",
}


@pytest.mark.parametrize(("card", "fields", "wrong"), REFUSED, ids=lambda v: str(v)[:60])
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "htmx"])
def test_what_cannot_work_is_refused_and_changes_nothing(
    headers: dict[str, str],
    card: str,
    fields: dict[str, Any],
    wrong: str,
    as_alice: Client,
    instance: Instance,
) -> None:
    before = Instance.objects.filter(pk=instance.pk).values().get()
    everything = (WORKING | fields) if card == "search" else fields
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


def test_an_unknown_card_or_test_is_not_found(as_alice: Client, instance: Instance) -> None:
    assert save(as_alice, "secrets").status_code == 404
    assert as_alice.post("/instances/desk/test/telepathy").status_code == 404
    for url in ("/instances/desk/settings/memory", "/instances/desk/test/chat"):
        assert as_alice.get(url).status_code == 405


# Warnings.


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
def test_memory_without_a_language_model_is_warned_of(
    fields: dict[str, Any], warned: bool, as_alice: Client, instance: Instance
) -> None:
    Instance.objects.filter(pk=instance.pk).update(**fields)
    assert (NOBODY_READS in settings_page(as_alice)) is warned


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
def test_memory_without_usable_embeddings_is_warned_of(
    fields: dict[str, Any], warned: bool, as_alice: Client, instance: Instance
) -> None:
    Instance.objects.filter(pk=instance.pk).update(**fields)
    page = settings_page(as_alice)
    assert (WORDS_ONLY in page) is warned
    assert ('<a href="#embeddings">Set one up</a>' in page) is warned


def test_a_key_takes_the_warnings_away(as_alice: Client, instance: Instance) -> None:
    Instance.objects.filter(pk=instance.pk).update(
        memory_enabled=True, provider="openai", embedding_provider="openai"
    )
    page = settings_page(as_alice)
    assert NOBODY_READS in page
    assert WORDS_ONLY in page
    # One key opens both, since both are the same provider.
    save(as_alice, "language-model", provider="openai", key="sk-0123456789abcdef")
    page = settings_page(as_alice)
    assert NOBODY_READS not in page
    assert WORDS_ONLY not in page


def test_the_switch_itself_brings_the_warning(as_alice: Client, instance: Instance) -> None:
    fields: dict[str, Any] = {"memory_enabled": "on", "extract_when": "after_response"}
    page = save(as_alice, "memory", HTMX, **fields).content.decode()
    assert NOBODY_READS in page
    assert '<a href="#language-model">Set one up</a>' in page
    assert " checked" in page
    page = save(as_alice, "memory", HTMX, extract_when="after_response").content.decode()
    assert NOBODY_READS not in page


# The model of the embeddings.

OTHER_MODEL: dict[str, Any] = {
    "embedding_provider": "custom",
    "embedding_base_url": "http://127.0.0.1:9/v1",
    "embedding_model": "other",
}


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "htmx"])
def test_another_embedding_model_needs_the_tick_once_there_are_memories(
    headers: dict[str, str], as_alice: Client, instance: Instance, remembered: Store
) -> None:
    memory = remembered("The user keeps bees on the roof.")
    before = Instance.objects.filter(pk=instance.pk).values().get()
    fields = {**OTHER_MODEL, "key": "sk-0123456789abcdef"}
    response = save(as_alice, "embeddings", headers, **fields)
    assert response.status_code == 422
    page = response.content.decode()
    assert "vectors of two models cannot be compared" in page
    assert "1 memory gets a vector of other (http://127.0.0.1:9/v1)" in page
    assert "about 1 call and 8 tokens." in page
    assert Instance.objects.filter(pk=instance.pk).values().get() == before
    assert not Secret.objects.exists()
    assert memory.embeddings.count() == 1


def test_with_the_tick_the_new_vectors_are_made_beside_the_present_ones(
    as_alice: Client, instance: Instance, remembered: Store
) -> None:
    remembered("The user keeps bees on the roof.")
    before = Instance.objects.filter(pk=instance.pk).values().get()
    with ScriptedProvider(dimensions=768) as provider:
        fields = {**OTHER_MODEL, "embedding_base_url": provider.base_url, "reembed": "on"}
        page = save(as_alice, "embeddings", HTMX, **fields).content.decode()
        assert "Search goes on with the present ones." in page
        assert "Going over to other" in page
        assert Instance.objects.filter(pk=instance.pk).values().get() == before
        work(EmbeddingJob.objects.get())
    instance.refresh_from_db()
    assert (instance.embedding_model, instance.embedding_dimensions) == ("other", 768)


def test_while_it_goes_over_no_third_model_can_be_chosen(
    as_alice: Client, instance: Instance, remembered: Store
) -> None:
    remembered("The user keeps bees on the roof.")
    save(as_alice, "embeddings", reembed="on", **OTHER_MODEL)
    third = {**OTHER_MODEL, "embedding_model": "third", "reembed": "on"}
    response = save(as_alice, "embeddings", **third)
    assert response.status_code == 422
    assert EmbeddingJob.objects.get().choice.model == "other"


def test_without_vectors_another_model_is_saved_at_once(
    as_alice: Client, instance: Instance
) -> None:
    Memory.objects.create(instance=instance, content="The user keeps bees on the roof.")
    assert save(as_alice, "embeddings", **OTHER_MODEL).status_code == 302
    instance.refresh_from_db()
    assert (instance.embedding_model, instance.embedding_dimensions) == ("other", None)


def test_the_usual_address_written_out_is_no_other_model(
    as_alice: Client, instance: Instance, remembered: Store
) -> None:
    remembered("The user keeps bees on the roof.")
    Instance.objects.update(embedding_provider="openai", embedding_dimensions=1536)
    written_out: dict[str, Any] = {
        "embedding_provider": "openai",
        "embedding_base_url": "https://api.openai.com/v1/",
        "embedding_model": "text-embedding-3-small",
    }
    assert save(as_alice, "embeddings", **written_out).status_code == 302
    instance.refresh_from_db()
    assert (instance.embedding_model, instance.embedding_dimensions) == (
        "text-embedding-3-small",
        1536,
    )


def test_saving_a_card_leaves_alone_what_a_worker_has_changed_since(
    instance: Instance, alice: User
) -> None:
    """Else whoever saves another card in the second of the change would take it back."""
    card, fields, _ = CARDS[0]
    data = {f"{card}-{name}": value for name, value in fields.items()}
    form = MemorySettingsForm(data, instance=Instance.objects.get(pk=instance.pk), prefix="memory")
    assert form.is_valid()
    Instance.objects.update(embedding_provider="custom", embedding_model="new")
    carry_out(form, form.instance, by=alice)
    instance.refresh_from_db()
    assert (instance.memory_enabled, instance.extract_when) == (True, "by_hand")
    assert (instance.embedding_provider, instance.embedding_model) == ("custom", "new")


def test_without_memories_no_tick_is_needed(as_alice: Client, instance: Instance) -> None:
    assert save(as_alice, "embeddings", **OTHER_MODEL).status_code == 302
    instance.refresh_from_db()
    assert instance.embedding_model == "other"


def test_saving_the_same_model_again_needs_no_tick(
    as_alice: Client, instance: Instance, remembered: Store
) -> None:
    remembered("The user keeps bees on the roof.")
    assert save(as_alice, "embeddings", embedding_provider="builtin").status_code == 302


def test_an_openai_key_brings_its_embeddings_while_nothing_is_remembered(
    as_alice: Client, instance: Instance
) -> None:
    save(as_alice, "language-model", provider="openai", key="sk-0123456789abcdef")
    assert "Embeddings come from OpenAI too" in settings_page(as_alice)
    instance.refresh_from_db()
    assert instance.embedding_provider == "openai"


def test_an_openai_key_changes_no_embeddings_once_something_is_remembered(
    as_alice: Client, instance: Instance, remembered: Store
) -> None:
    remembered("The user keeps bees on the roof.")
    save(as_alice, "language-model", provider="openai", key="sk-0123456789abcdef")
    instance.refresh_from_db()
    assert instance.embedding_provider == "builtin"


# Language.


def test_another_language_stems_anew_what_is_there(
    as_alice: Client, instance: Instance, conversation: Conversation, remembered: Store
) -> None:
    remembered("Die Nutzerin züchtet Kaninchen in mehreren Häusern.")
    Message.objects.filter(position=1).update(content="Ich besitze viele Bücher.")

    def by_words(question: str) -> int:
        rows = as_alice.get("/memory", {"instance": "desk", "q": question}).context["rows"].rows
        return sum("words" in row.hit.ranks for row in rows)

    def said(question: str) -> int:
        page = as_alice.get("/conversations", {"instance": "desk", "q": question}).context["page"]
        return int(page.paginator.count)

    assert (by_words("Haus"), said("Buch")) == (0, 0)
    save(as_alice, "search", **WORKING | {"language": "german"})
    assert (by_words("Haus"), said("Buch")) == (1, 1)
    save(as_alice, "search", **WORKING)
    assert (by_words("Haus"), said("Buch")) == (0, 0)


# Agents and members.


def test_agents_are_added_and_removed(
    as_alice: Client, instance: Instance, conversation: Conversation
) -> None:
    save(as_alice, "agents", name="Nora the Great")
    agent = Agent.objects.get()
    assert (agent.instance, agent.slug) == (instance, "nora-the-great")
    Conversation.objects.update(agent=agent)
    page = settings_page(as_alice)
    assert "<code>nora-the-great</code>" in page
    response = as_alice.post(f"/instances/desk/agents/{agent.pk}/remove", follow=True)
    assert "Removed Nora the Great. Its conversations stay." in response.content.decode()
    conversation.refresh_from_db()
    assert conversation.agent is None


def test_an_agent_is_told_what_is_special_about_it(as_alice: Client, instance: Instance) -> None:
    nora = Agent.objects.create(instance=instance, slug="nora", name="Nora")
    Agent.objects.create(instance=instance, slug="omar", name="Omar")
    url = f"/instances/desk/agents/{nora.pk}"
    assert url in settings_page(as_alice)
    taken = as_alice.post(url, {"name": "OMAR", "instructions": "Be Omar."})
    assert taken.status_code == 422
    page = taken.content.decode()
    assert "There is an agent of this name already." in page
    assert '<h1 dir="auto">Nora</h1>' in page
    saved = as_alice.post(url, {"name": "nora", "instructions": "Speak as a pirate."})
    assert saved["Location"] == "/instances/desk/settings#agents"
    nora.refresh_from_db()
    assert (nora.name, nora.slug, nora.instructions) == ("nora", "nora", "Speak as a pirate.")
    assert not nora.recall_enabled
    assert "Speak as a pirate." in as_alice.get(url).content.decode()
    assert Activity.objects.get().action == "settings"


def test_agents_have_slugs_of_their_own_whatever_the_script(
    as_alice: Client, instance: Instance
) -> None:
    for name in ("Nora", "nora!", "日本", "中国", "x" * 100):
        assert save(as_alice, "agents", name=name).status_code == 302, name
    slugs = set(Agent.objects.values_list("slug", flat=True))
    assert slugs == {"nora", "nora-2", "agent", "agent-2", "x" * 50}
    response = save(as_alice, "agents", name="NORA")
    assert "There is an agent of this name already." in response.content.decode()


def test_who_removes_themselves_is_led_away(as_alice: Client, alice: User, bob: User) -> None:
    own = Membership.objects.get(user=alice)
    response = as_alice.post(f"/instances/desk/members/{own.pk}/remove", follow=True)
    assert response.status_code == 200
    assert "alice is no longer a member." in response.content.decode()
    assert as_alice.get("/instances/desk/settings").status_code == 404


def test_nobody_and_nothing_of_another_instance_can_be_removed_from_here(
    as_alice: Client, instance: Instance, dana: User
) -> None:
    other = Instance.objects.create(slug="other", name="Other")
    agent = Agent.objects.create(instance=other, slug="a", name="A")
    membership = Membership.objects.create(instance=other, user=dana)
    for url in (f"agents/{agent.pk}", f"members/{membership.pk}", f"agents/{2**70}"):
        assert as_alice.post(f"/instances/desk/{url}/remove").status_code == 404
    assert Agent.objects.exists()
    assert Membership.objects.filter(user=dana).exists()


# The connection.


@pytest.fixture
def provider() -> Any:
    with ScriptedProvider(api_key="right-key-0123456789") as server:
        yield server


def point_to(client: Client, base_url: str, key: str) -> None:
    """Save the address and the key of one server for both uses."""
    chat = {"provider": "custom", "base_url": base_url, "fast_model": "any"}
    save(client, "language-model", None, **chat, key=key)
    vectors = {"embedding_provider": "custom", "embedding_base_url": base_url}
    save(client, "embeddings", None, **vectors, embedding_model="any", key=key)


@pytest.mark.parametrize("what", ["chat", "embeddings"])
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "htmx"])
def test_the_connection_is_tested_with_what_is_saved(
    what: str,
    headers: dict[str, str],
    as_alice: Client,
    instance: Instance,
    provider: ScriptedProvider,
) -> None:
    def tested() -> str:
        settings_page(as_alice)  # Where "Saved." is said, not below.
        url = f"/instances/desk/test/{what}"
        response = as_alice.post(url, headers=headers, follow=True)
        assert response.status_code == 200
        page = response.content.decode()
        assert ("<html" in page) is not bool(headers)
        return page.split("notice ")[1].split("</p>")[0]

    point_to(as_alice, provider.base_url, "right-key-0123456789")
    assert provider.requests == []
    answer = tested()
    assert answer.startswith("ok")
    assert provider.count("chat/completions" if what == "chat" else "embeddings") >= 1
    if what == "embeddings":
        assert "1,536 dimensions in" in answer
    point_to(as_alice, provider.base_url, "wrong-key-0123456789")
    answer = tested()
    assert answer.startswith("bad")
    assert "key" in answer
    assert "wrong-key" not in answer
    point_to(as_alice, "http://127.0.0.1:9/v1", "right-key-0123456789")
    answer = tested()
    assert answer.startswith("bad")
    assert "http://127.0.0.1:9/v1 did not answer" in answer


def test_without_a_provider_the_test_says_what_is_missing(
    as_alice: Client, instance: Instance
) -> None:
    page = as_alice.post("/instances/desk/test/chat", headers=HTMX).content.decode()
    assert "Choose a provider first" in page
    page = as_alice.post("/instances/desk/test/embeddings", headers=HTMX).content.decode()
    assert "built-in embedder needs no connection" in page
    Instance.objects.update(embedding_provider="openai")
    page = as_alice.post("/instances/desk/test/embeddings", headers=HTMX).content.decode()
    assert "Give the provider’s key or address first." in page


def test_a_test_that_goes_well_brings_search_by_meaning_back_at_once(
    as_alice: Client, instance: Instance, provider: ScriptedProvider
) -> None:
    point_to(as_alice, provider.base_url, "right-key-0123456789")
    search = "/api/memories?instanceId=desk&q=bees"
    provider.fail_next("500", times=None)
    assert as_alice.get(search).json()["degraded"] == "embedding_unavailable"
    provider.reset()
    # It rests after a failure …
    assert as_alice.get(search).json()["degraded"] == "embedding_unavailable"
    # … unless somebody shows that the provider is back.
    as_alice.post("/instances/desk/test/embeddings")
    assert as_alice.get(search).json()["degraded"] is None
    assert Usage.objects.filter(error="").exists()


def test_a_member_who_does_not_manage_can_test_nothing(
    client: Client, bob: User, provider: ScriptedProvider
) -> None:
    Instance.objects.update(provider="custom", base_url=provider.base_url, fast_model="any")
    client.force_login(bob)
    for what in ("chat", "embeddings"):
        assert client.post(f"/instances/desk/test/{what}").status_code == 404
    assert provider.requests == []
    assert not Instance.objects.get().secrets.exists()
