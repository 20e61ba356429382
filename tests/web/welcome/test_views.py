"""The first run: who sees the guide, what each step does, and how to leave it."""

from collections.abc import Callable

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils.html import strip_tags

from instances.models import EmbeddingProvider, Instance, Membership, Provider, SecretName, User
from instances.tiers import Tier
from memoryapp.models import Memory
from tests.provider_fixtures import provider as provider
from tests.scripted_provider import ScriptedProvider
from tests.web.page_text import text_of

KEY = "sk-welcome-0123456789"


def as_person(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def home_of(client: Client) -> str:
    return str(client.get("/", follow=True).redirect_chain[-1][0])


def current(client: Client, slug: str, query: str = "") -> str:
    """Return the open step; empty if none is left."""
    response = client.get(f"/welcome/{slug}{query}")
    assert response.status_code == 200
    return str(response.context["step"])


def save(client: Client, slug: str, **fields: str) -> str:
    """Submit the second step, and return the message on the following page."""
    form = {f"language-model-{name}": value for name, value in fields.items()}
    response = client.post(f"/welcome/{slug}", form, follow=True)
    return strip_tags(response.content.decode())


def custom(provider: ScriptedProvider, **fields: str) -> dict[str, str]:
    return {
        "provider": "custom",
        "base_url": provider.base_url,
        "fast_model": "scripted-small",
    } | fields


def test_home_is_the_guide_until_there_is_data(dana: User, charlie: User) -> None:
    for user in (dana, charlie):
        client = as_person(user)
        assert home_of(client) == "/welcome"
        client.post("/welcome", {"name": f"Helper of {user}"})
        assert home_of(client).startswith(f"/memory?instance=helper-of-{user}")


def test_untouched_demo_does_not_count_as_data(db: None) -> None:
    call_command("load_demo", verbosity=0)
    dana = User.objects.create_superuser("dana")
    client = as_person(dana)
    assert home_of(client) == "/welcome"
    assert 'href="/memory?instance=demo"' in client.get("/welcome").content.decode()

    client.post("/instances/demo/settings/memory", {"memory-extract_when": "by_hand"})

    assert home_of(client) == "/memory?instance=demo"


def test_member_goes_to_their_instance(bob: User) -> None:
    assert home_of(as_person(bob)) == "/memory?instance=desk"


def test_guide_can_be_skipped(charlie: User) -> None:
    client = as_person(charlie)
    assert client.post("/welcome", {"skip": "all"})["Location"] == "/"
    assert home_of(client) == "/memory"
    # It can be resumed.
    assert client.get("/welcome").status_code == 200
    assert 'href="/welcome"' in client.get("/memory").content.decode()


def test_ordinary_user_creates_a_private_instance(charlie: User, dana: User) -> None:
    client = as_person(charlie)
    assert "It will be private" in client.get("/welcome").content.decode()
    address = client.post("/welcome", {"name": "Diary"})["Location"]
    assert address.startswith("/welcome/diary-")
    assert Instance.objects.get().private_to == charlie
    assert as_person(dana).get(address).status_code == 404


def test_superadmin_chooses_private_or_shared(dana: User) -> None:
    client = as_person(dana)
    client.post("/welcome", {"name": "Shared"})
    client.post("/welcome", {"name": "Own", "private": "on"})
    found = dict(Instance.objects.values_list("name", "private_to"))
    assert found == {"Shared": None, "Own": dana.pk}


def test_name_is_required(charlie: User) -> None:
    response = as_person(charlie).post("/welcome", {"name": ""})
    assert response.status_code == 422
    assert not Instance.objects.exists()


def test_guide_is_only_for_managers(bob: User) -> None:
    client = as_person(bob)
    assert client.get("/welcome/desk").status_code == 403
    assert (
        "Support desk"
        not in strip_tags(client.get("/welcome").content.decode()).partition("Name your assistant")[
            2
        ]
    )


def test_steps_follow_from_existing_data(
    as_alice: Client, instance: Instance, store_memory: Callable[..., Memory]
) -> None:
    assert current(as_alice, "desk") == "model"
    instance.provider = Provider.OLLAMA
    instance.save()
    assert current(as_alice, "desk") == "memories"
    store_memory("The user likes figs.")
    assert current(as_alice, "desk") == ""
    assert "Support desk is ready" in as_alice.get("/welcome/desk").content.decode()
    # Completed steps can be viewed again.
    assert current(as_alice, "desk", "?step=model") == "model"
    assert current(as_alice, "desk", "?step=nonsense") == ""


def test_fact_is_said_asked_for_and_seen(as_alice: Client, instance: Instance) -> None:
    here = "/welcome/desk"
    response = as_alice.post(here, {"fact": "I am allergic to walnuts."})
    memory = Memory.objects.get()
    assert (memory.content, memory.tier) == ("I am allergic to walnuts.", Tier.PERSON)
    assert response["Location"] == f"{here}?step=memories&said={memory.pk}#memories"
    said = f"{here}?step=memories&said={memory.pk}"
    page = text_of(as_alice.get(said).content.decode())
    assert "Remembered: I am allergic to walnuts." in page and "is shown" not in page
    page = as_alice.get(f"{said}&ask=What+should+I+not+cook").content.decode()
    assert '<li class="said" dir="auto">I am allergic to walnuts.</li>' in page
    page = text_of(as_alice.get(f"{said}&ask=How+tall+is+the+church+tower").content.decode())
    assert "Nothing fits this question" in page
    # Said again, it is the same one.
    again = as_alice.post(here, {"fact": "I am allergic to walnuts."})
    assert again["Location"] == response["Location"]


def test_fact_that_cannot_be_stored_says_why(
    as_alice: Client, instance: Instance, private: Instance, store_memory: Callable[..., Memory]
) -> None:
    response = as_alice.post("/welcome/desk", {"fact": "  "})
    assert response.status_code == 422
    assert response.context["step"] == "memories"
    assert 'id="fact-problem"' in response.content.decode()
    assert not Memory.objects.exists()
    # Of another instance, nothing is shown.
    memory = store_memory("The user keeps bees.", into=private)
    page = as_alice.get(f"/welcome/desk?step=memories&said={memory.pk}").content.decode()
    assert "bees" not in page and "Say a fact" in page


def test_chat_is_offered_with_a_model(as_alice: Client, instance: Instance) -> None:
    chat = 'href="/chat?instance=desk">Chat with it'
    page = "/welcome/desk?step=memories"
    assert chat not in as_alice.get(page).content.decode()
    instance.provider = Provider.OLLAMA
    instance.save()
    assert chat in as_alice.get(page).content.decode()


def test_program_is_connected_in_the_settings(as_alice: Client, instance: Instance) -> None:
    html = as_alice.get("/welcome/desk?step=memories").content.decode()
    address = html.partition("Connect a program")[0].rpartition('href="')[2].partition('"')[0]
    assert address == "/instances/desk/settings/keys#api-keys"
    assert "API keys" in as_alice.get(address).content.decode()


def test_skipped_step_can_still_be_done(
    as_alice: Client, instance: Instance, private: Instance
) -> None:
    as_alice.post("/welcome/desk", {"skip": "model"})
    assert current(as_alice, "desk") == "memories"
    assert "Skipped for now" in as_alice.get("/welcome/desk").content.decode()
    assert current(as_alice, "desk", "?step=model") == "model"
    as_alice.post("/welcome/desk", {"skip": "memories"})
    assert current(as_alice, "desk") == ""
    # It mentions only what was set up.
    assert "once a language model is set up" in as_alice.get("/welcome/desk").content.decode()
    # Only for this instance.
    assert current(as_alice, "diary") == "model"


def test_guide_begins_with_the_built_in_reader(as_alice: Client) -> None:
    as_alice.post("/welcome", {"name": "Bees"})
    instance = Instance.objects.get(name="Bees")
    assert instance.memory_enabled and instance.reads_by_itself
    page = as_alice.get(f"/welcome/{instance.slug}").content.decode()
    assert "Start with the built-in reader" in page and "Not now" not in page
    as_alice.post(f"/welcome/{instance.slug}", {"skip": "model"})
    page = as_alice.get(f"/welcome/{instance.slug}").content.decode()
    assert "Facts appear once they have been read." in page
    assert "Skipped for now" not in page
    as_alice.post(f"/welcome/{instance.slug}", {"skip": "memories"})
    page = as_alice.get(f"/welcome/{instance.slug}").content.decode()
    assert "It remembers from now on." in page


def test_working_model_is_enabled(
    as_alice: Client, instance: Instance, provider: ScriptedProvider
) -> None:
    message = save(as_alice, "desk", **custom(provider, key=KEY, remember="on"))

    assert "scripted-small answered" in message
    assert provider.requests[-1].headers["authorization"] == f"Bearer {KEY}"
    instance = Instance.objects.get(pk=instance.pk)
    assert instance.memory_enabled
    assert instance.has_language_model
    assert instance.key_for(provider.base_url, SecretName.CHAT_API_KEY) == KEY
    assert instance.embedding_provider == EmbeddingProvider.BUILTIN
    assert KEY not in as_alice.get("/welcome/desk?step=model").content.decode()
    assert current(as_alice, "desk") == "memories"


def test_memory_can_stay_off(
    as_alice: Client, instance: Instance, provider: ScriptedProvider
) -> None:
    Instance.objects.update(prompt_price="0.25")
    save(as_alice, "desk", **custom(provider))
    # Other settings are unchanged.
    assert str(Instance.objects.get(pk=instance.pk).prompt_price).startswith("0.25")
    assert not Instance.objects.get(pk=instance.pk).memory_enabled
    assert "memory is off" in as_alice.get("/welcome/desk").content.decode()


def test_failing_model_is_reported_without_blocking(as_alice: Client, instance: Instance) -> None:
    form = {"provider": "custom", "base_url": "http://127.0.0.1:9/v1", "fast_model": "nobody"}
    response = as_alice.post(
        "/welcome/desk", {f"language-model-{name}": value for name, value in form.items()}
    )
    assert response["Location"] == "/welcome/desk?step=model"
    page = as_alice.get("/welcome/desk?step=model").content.decode()
    assert "127.0.0.1:9" in page
    assert 'value="nobody"' in page
    assert 'href="?step=memories"' in page
    assert current(as_alice, "desk") == "memories"


@pytest.mark.parametrize(
    ("fields", "hint"),
    [
        ({}, "Choose a provider, or skip"),
        ({"provider": "custom"}, "Enter the server’s address"),
        ({"provider": "custom", "base_url": "ftp://x"}, "http"),
    ],
)
def test_missing_values_are_reported_and_nothing_saved(
    fields: dict[str, str], hint: str, as_alice: Client, instance: Instance
) -> None:
    form = {f"language-model-{name}": value for name, value in fields.items()}
    response = as_alice.post("/welcome/desk", form)
    assert response.status_code == 422
    assert hint in response.content.decode()
    assert response.context["step"] == "model"
    assert Instance.objects.get(pk=instance.pk).provider == Provider.NONE


def test_empty_memory_links_to_the_guide(as_alice: Client, instance: Instance) -> None:
    link = 'href="/welcome/desk"'
    assert link in as_alice.get("/memory?instance=desk").content.decode()
    Membership.objects.update(role="member")
    assert link not in as_alice.get("/memory?instance=desk").content.decode()
