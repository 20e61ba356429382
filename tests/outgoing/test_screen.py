"""The superadmins' screen for outgoing calls, and the ways to allow an address."""

import logging
from typing import Any

import pytest
from django.test import Client

from instances.models import AllowedAddress, Instance, OutgoingConnections, User
from tests.scripted_provider import ScriptedProvider

PLACE = "/server/connections"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def as_dana(client: Client, dana: User) -> Client:
    client.force_login(dana)
    return client


def page(client: Client) -> str:
    response = client.get(PLACE)
    assert response.status_code == 200
    return response.content.decode()


def save_model(client: Client, base_url: str, headers: dict[str, str] | None = None) -> Any:
    data = {"provider": "custom", "base_url": base_url, "fast_model": "reader"}
    return client.post(
        "/instances/desk/settings/language-model",
        {f"language-model-{name}": value for name, value in data.items()},
        headers=headers or {},
    )


def addresses() -> list[str]:
    return [str(address) for address in AllowedAddress.objects.all()]


def test_mode_is_saved_with_its_author(as_dana: Client, dana: User) -> None:
    assert 'value="public" checked' in page(as_dana)
    answer = as_dana.post(PLACE, {"mode": "listed"}, follow=True).content.decode()
    assert 'value="listed" checked' in answer
    assert "by dana" in answer
    assert as_dana.post(PLACE, {"mode": "all"}).status_code == 422
    current = OutgoingConnections.current()
    assert (current.mode, current.changed_by) == ("listed", dana)


def test_address_is_added_with_author_and_time_and_removed(
    as_dana: Client, dana: User, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    form = {"address": "Ollama:11434", "note": "The one in the cellar"}
    content = as_dana.post(f"{PLACE}/add", form, follow=True).content.decode()
    for text in ("<code>ollama:11434</code>", "The one in the cellar", "by dana"):
        assert text in content
    address = AllowedAddress.objects.get()
    as_dana.post(f"{PLACE}/{address.pk}/remove")
    assert not addresses()
    assert as_dana.post(f"{PLACE}/{address.pk}/remove").status_code == 404
    log_lines = [
        record.getMessage() for record in caplog.records if "outgoing" in record.getMessage()
    ]
    assert log_lines == [
        f"user {dana.pk} allowed outgoing connections to ollama:11434",
        f"user {dana.pk} disallowed outgoing connections to ollama:11434",
    ]


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", "This field is required"),
        ("http://ollama:11434/v1", "without http://"),
        ("169.254.169.254", "never called"),
        ("OLLAMA", "on the list already"),
        ("x" * 301, "300"),
        ("ollama\x00", "Null characters"),
    ],
)
def test_invalid_address_is_rejected_with_an_explanation(
    as_dana: Client, typed: str, words: str
) -> None:
    AllowedAddress.objects.create(address="ollama")
    response = as_dana.post(f"{PLACE}/add", {"address": typed, "note": "kept"})
    assert response.status_code == 422
    assert words in response.content.decode()
    assert 'value="kept"' in response.content.decode()
    assert addresses() == ["ollama"]


def test_next_url_must_be_on_this_server(as_dana: Client) -> None:
    for back, place in (("/instances/desk/settings", None), ("https://evil.example/", PLACE)):
        form = {"address": f"host-{len(addresses())}", "next": back}
        assert as_dana.post(f"{PLACE}/add", form)["Location"] == (place or back)


def test_operator_entries_are_shown(as_dana: Client) -> None:
    content = page(as_dana)
    assert "<code>127.0.0.1</code>" in content
    assert "OUTGOING_ALLOW" in content


def test_screen_warns_while_all_addresses_are_allowed(as_dana: Client) -> None:
    warning = '<div class="notice"><span>Keepsake may call any address'
    assert warning not in page(as_dana)
    as_dana.post(PLACE, {"mode": "everything"})
    assert warning in page(as_dana)
    # The warning persists, unlike the message about the change.
    assert warning in page(as_dana)
    as_dana.post(PLACE, {"mode": "listed"})
    assert warning not in page(as_dana)


def test_superadmins_see_the_link_to_the_screen(
    as_dana: Client, client: Client, alice: User
) -> None:
    assert PLACE in as_dana.get("/instances").content.decode()
    client.force_login(alice)
    assert PLACE not in client.get("/instances").content.decode()


# Messages when a provider is saved or tested.


def test_address_saved_by_a_superadmin_is_allowed(
    as_dana: Client, instance: Instance, nothing_listed: None
) -> None:
    answer = save_model(as_dana, "http://127.0.0.1:11434/v1", HTMX)
    assert "127.0.0.1:11434 is now an allowed address." in answer.content.decode()
    assert addresses() == ["127.0.0.1:11434"]
    # Saving again, or saving a public address, adds nothing.
    save_model(as_dana, "http://8.8.8.8/v1")
    save_model(as_dana, "http://127.0.0.1:11434/v1")
    assert addresses() == ["127.0.0.1:11434"]


def test_unusual_spelling_is_allowed_in_normal_form(
    as_dana: Client, instance: Instance, nothing_listed: None
) -> None:
    save_model(as_dana, "http://127.1:11434/v1")
    save_model(as_dana, "http://[::ffff:127.0.0.1]:11434/v1")
    assert addresses() == ["127.0.0.1:11434"]


def test_saving_other_settings_allows_nothing(
    as_dana: Client, instance: Instance, nothing_listed: None
) -> None:
    """An address that a manager has entered is not allowed as a side effect."""
    Instance.objects.update(provider="custom", base_url="http://10.0.0.5/v1", fast_model="reader")
    save_model(as_dana, "http://10.0.0.5/v1")
    as_dana.post("/instances/desk/settings/cost", {})
    assert not addresses()


def test_embeddings_address_is_allowed_too(
    as_dana: Client, instance: Instance, nothing_listed: None
) -> None:
    fields = {
        "embedding_provider": "custom",
        "embedding_base_url": "http://10.0.0.5:8080/v1",
        "embedding_model": "words",
    }
    as_dana.post(
        "/instances/desk/settings/embeddings",
        {f"embeddings-{name}": value for name, value in fields.items()},
    )
    assert addresses() == ["10.0.0.5:8080"]


def test_forbidden_address_cannot_be_allowed(
    as_dana: Client, instance: Instance, nothing_listed: None
) -> None:
    answer = save_model(as_dana, "http://169.254.169.254/v1", HTMX).content.decode()
    assert "link-local addresses are never called" in answer
    assert "superadmin" not in answer
    assert not addresses()


def test_manager_is_referred_to_a_superadmin(
    as_alice: Client, instance: Instance, provider: ScriptedProvider, nothing_listed: None
) -> None:
    answer = save_model(as_alice, provider.base_url, HTMX).content.decode()
    assert ">Saved.</span>" in answer, "the warning is part of the success message"
    warning = answer.partition('<div class="notice" role="alert">')[2].partition("</div>")[0]
    assert "A superadmin can allow it under Settings → Outgoing connections." in warning
    tested = as_alice.post("/instances/desk/test/chat", headers=HTMX).content.decode()
    assert "A superadmin can allow it" in tested
    assert "/add" not in tested
    assert not addresses()
    assert not provider.requests


@pytest.mark.parametrize("what", ["chat", "embeddings"])
def test_connection_test_offers_to_allow_the_address(
    as_dana: Client,
    instance: Instance,
    provider: ScriptedProvider,
    nothing_listed: None,
    what: str,
) -> None:
    entry = provider.base_url.removeprefix("http://").removesuffix("/v1")
    Instance.objects.update(
        provider="custom",
        base_url=provider.base_url,
        fast_model="reader",
        embedding_provider="custom",
        embedding_base_url=provider.base_url,
        embedding_model="words",
    )
    place = f"/instances/desk/test/{what}"
    offered = as_dana.post(place, headers=HTMX).content.decode()
    assert f">Allow {entry}</button>" in offered
    # Without JavaScript there is one more page.
    assert entry in as_dana.post(place, follow=True).content.decode()
    form = {"address": entry, "next": "/instances/desk/settings"}
    assert as_dana.post(f"{PLACE}/add", form)["Location"] == form["next"]
    tested = as_dana.post(place, headers=HTMX).content.decode()
    assert "notice ok" in tested
    assert "Allow" not in tested


def test_open_and_closed_ports_look_alike(
    as_alice: Client, instance: Instance, provider: ScriptedProvider, nothing_listed: None
) -> None:
    responses = set()
    for base_url in (provider.base_url, "http://127.0.0.1:1/v1"):
        Instance.objects.update(provider="custom", base_url=base_url, fast_model="reader")
        responses.add(as_alice.post("/instances/desk/test/chat", headers=HTMX).content)
    assert len(responses) == 1


def test_first_superadmin_connects_ollama_in_one_click(
    as_dana: Client, instance: Instance, nothing_listed: None
) -> None:
    form = {"language-model-provider": "ollama", "language-model-remember": "on"}
    content = as_dana.post("/welcome/desk", form, follow=True).content.decode()
    assert addresses() == ["localhost:11434"]
    # No server answers in this test, but the address is allowed.
    assert "did not answer" in content
    assert "superadmin" not in content
