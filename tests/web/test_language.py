"""Screens speak the language that a person has chosen, or else that of the browser."""

from django.test import Client

from instances.models import Instance, User


def language_of(client: Client, accepted: str = "") -> str:
    headers = {"Accept-Language": accepted} if accepted else {}
    response = client.get("/account", headers=headers)
    assert "Accept-Language" in response.headers["Vary"]
    assert f'<html lang="{response.headers["Content-Language"]}">' in response.text
    return str(response.headers["Content-Language"])


def test_browser_names_the_language(as_alice: Client) -> None:
    assert language_of(as_alice) == "en"
    assert language_of(as_alice, "de-AT,en;q=0.5") == "de"
    assert language_of(as_alice, "fr") == "en"


def test_own_choice_comes_before_the_browser(as_alice: Client, alice: User) -> None:
    as_alice.post("/account/language", {"language": "it"})
    assert language_of(as_alice, "de") == "it"
    alice.refresh_from_db()
    assert alice.language == "it"
    as_alice.post("/account/language", {"language": ""})
    assert language_of(as_alice, "de") == "de"


def test_choice_follows_the_person_to_another_browser(alice: User, instance: Instance) -> None:
    User.objects.filter(pk=alice.pk).update(language="de")
    browser = Client()
    browser.post("/accounts/login", {"login": "alice", "password": "alice-password"})
    assert language_of(browser) == "de"


def test_unknown_language_is_refused(as_alice: Client, alice: User) -> None:
    response = as_alice.post("/account/language", {"language": "xx"})
    assert response.status_code == 422
    alice.refresh_from_db()
    assert alice.language == ""


def test_programs_are_answered_in_english_unless_they_ask(client: Client) -> None:
    assert client.get("/api/memories").headers["Content-Language"] == "en"
