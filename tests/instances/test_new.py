"""New instances: their slugs, which reveal nothing about private instances."""

import re
import threading

import pytest
from django.db import connections
from django.test import Client

from instances.models import Instance, User
from memoryapp.web.settings.forms.instances import NewInstanceForm


def as_person(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def create(user: User, **fields: str) -> tuple[int, str]:
    """Return the status, and the slug of the new instance or the text of the page."""
    response = as_person(user).post("/instances/new", fields)
    if response.status_code != 302:
        return response.status_code, response.content.decode()
    return 302, str(response["Location"]).split("/")[2]


def test_shared_instance_gets_the_given_slug(dana: User) -> None:
    assert create(dana, name="Kitchen help") == (302, "kitchen-help")
    assert create(dana, name="Kitchen help", slug="chef") == (302, "chef")


def test_visible_slug_is_taken(dana: User, instance: Instance) -> None:
    status, page = create(dana, name="Another", slug="desk")
    assert status == 422
    assert "This name is taken" in page
    assert create(dana, name="Another", slug="new")[0] == 422
    # A generated slug avoids it silently.
    status, slug = create(dana, name="Desk")
    assert status == 302
    assert slug == "desk-2"
    assert create(dana, name="New") == (302, "new-2")


@pytest.mark.parametrize("slug", ["diary", ""])
def test_slug_does_not_reveal_private_instances(
    slug: str, alice: User, charlie: User, dana: User
) -> None:
    """The response is the same whether a private instance has the slug or not."""
    create(alice, name="Diary", slug=slug)
    for name in ("diary", "journal"):
        fields = {"name": name.capitalize()} | ({"slug": name} if slug else {})
        status, created = create(charlie, **fields)
        assert (status, re.sub("[0-9a-f]{6}$", "…", created)) == (302, f"{name}--…")
        status, created = create(dana, **fields, private="on")
        assert (status, re.sub("[0-9a-f]{6}$", "…", created)) == (302, f"{name}--…")
    assert create(dana, name="Diary", slug=slug) == (302, "diary")
    assert Instance.objects.get(slug="diary").private_to is None


def test_name_in_any_script_is_accepted(dana: User, charlie: User) -> None:
    assert create(dana, name="日記") == (302, "assistant")
    assert create(dana, name="日記") == (302, "assistant-2")
    assert re.fullmatch("assistant--[0-9a-f]{6}", create(charlie, name="Дневник", slug="")[1])


def test_long_name_is_shortened_to_a_slug(charlie: User, dana: User) -> None:
    for user in (charlie, dana):
        status, slug = create(user, name="a" * 100)
        assert status == 302
        assert len(slug) <= 60


def test_invalid_slug_is_rejected(charlie: User) -> None:
    status, _ = create(charlie, name="Diary", slug="my diary")
    assert status == 422
    assert not Instance.objects.exists()


@pytest.fixture
def rival(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another user takes the slug between its validation and storage."""
    check = NewInstanceForm.free_slug

    def check_early(form: NewInstanceForm, chosen: str) -> str:
        slug = check(form, chosen)
        Instance.objects.get_or_create(slug="kitchen", defaults={"name": "The other kitchen"})
        return slug

    monkeypatch.setattr(NewInstanceForm, "free_slug", check_early)


def test_concurrently_taken_slug_is_reported_at_the_field(dana: User, rival: None) -> None:
    status, page = create(dana, name="Help", slug="kitchen")
    assert status == 422
    assert "This name is taken" in page
    response = as_person(dana).post("/welcome", {"name": "Help", "slug": "kitchen"})
    assert response.status_code == 422


def test_generated_slug_avoids_a_concurrently_taken_one(dana: User, rival: None) -> None:
    assert create(dana, name="Kitchen") == (302, "kitchen-2")


@pytest.mark.django_db(transaction=True)
def test_equal_names_at_once_are_no_server_error(dana: User) -> None:
    together, statuses = threading.Barrier(8), []

    def create() -> None:
        client = Client(raise_request_exception=False)
        client.force_login(dana)
        together.wait(30)
        try:
            response = client.post("/instances/new", {"name": "Attic", "slug": ""})
            statuses.append(response.status_code)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=create) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert set(statuses) <= {302, 422}
    assert len(statuses) == 8
    assert Instance.objects.count() == statuses.count(302) >= 3
