"""Saved filters."""

from collections.abc import Callable

import pytest
from django.test import Client

from instances.models import Instance, User
from memoryapp.models import Memory, SavedFilter

Store = Callable[..., Memory]
URL = "/memory/filters?instance=desk"


@pytest.fixture
def saved(alice: User, instance: Instance) -> SavedFilter:
    return SavedFilter.objects.create(
        instance=instance, user=alice, name="Illnesses", query="category=fact&tag=health"
    )


def test_current_filter_is_saved_by_name(as_alice: Client, store_memory: Store) -> None:
    store_memory("The user is allergic to nuts.", category="fact", tags=["health"])
    store_memory("The user plays the cello.", category="fact")
    page = as_alice.get("/memory?instance=desk&category=fact&tag=health&page=2").content.decode()
    assert "/memory/filters?instance=desk&amp;category=fact&amp;tag=health&amp;page=2" in page
    asked = as_alice.get(f"{URL}&tag=health&category=fact&page=2").content.decode()
    assert "Save this filter" in asked
    assert "category: fact, tag: health" in asked
    response = as_alice.post(
        f"{URL}&tag=health&category=fact&page=2&nonsense=1", {"name": " My  health "}, follow=True
    )
    assert response.redirect_chain == [("/memory?instance=desk&category=fact&tag=health", 302)]
    page = response.content.decode()
    assert "Saved as “My health”." in page
    assert "allergic to nuts" in page and "cello" not in page
    assert 'aria-current="true">My health</a>' in page
    # On other lists it is offered but not marked as current.
    page = as_alice.get("/memory?instance=desk").content.decode()
    assert ">My health</a>" in page and 'aria-current="true">My health</a>' not in page


@pytest.mark.parametrize("name", ["", "  ", "\x00", "x" * 61, "Illnesses"])
def test_name_is_required_and_unique(name: str, as_alice: Client, saved: SavedFilter) -> None:
    response = as_alice.post(f"{URL}&category=event", {"name": name})
    assert response.status_code == 422
    assert 'class="error"' in response.content.decode()
    assert SavedFilter.objects.count() == 1


def test_empty_filter_is_rejected(as_alice: Client, instance: Instance) -> None:
    assert as_alice.post(URL, {"name": "All"}).status_code == 422
    assert "Save this filter" not in as_alice.get(URL).content.decode()
    assert "No saved filters" in as_alice.get(URL).content.decode()


def test_number_of_saved_filters_is_limited(
    as_alice: Client, alice: User, instance: Instance
) -> None:
    for number in range(SavedFilter.MAX_PER_PERSON):
        SavedFilter.objects.create(
            instance=instance, user=alice, name=str(number), query="category=fact"
        )
    page = as_alice.post(f"{URL}&category=event", {"name": "One more"}).content.decode()
    assert "You have 20 saved filters here. Delete one to save another." in page
    assert SavedFilter.objects.count() == SavedFilter.MAX_PER_PERSON
    # Renaming does not count against the limit.
    url = f"/memory/filters/{SavedFilter.objects.all()[0].pk}"
    assert as_alice.post(url, {"name": "Renamed"}).status_code == 302


def test_filter_is_renamed_and_deleted(
    as_alice: Client, saved: SavedFilter, store_memory: Store
) -> None:
    store_memory("The user is allergic to nuts.")
    page = as_alice.post(f"/memory/filters/{saved.pk}", {"name": "Care"}, follow=True)
    assert "Renamed to “Care”." in page.content.decode()
    wrong = as_alice.post(f"/memory/filters/{saved.pk}", {"name": "y" * 70})
    assert wrong.status_code == 422
    assert f'value="{"y" * 70}"' in wrong.content.decode()
    page = as_alice.post(f"/memory/filters/{saved.pk}/delete", follow=True)
    assert "Deleted the filter “Care”. The memories stay." in page.content.decode()
    assert not SavedFilter.objects.exists()
    assert Memory.objects.count() == 1


def test_filter_is_private_to_its_owner(client: Client, bob: User, saved: SavedFilter) -> None:
    client.force_login(bob)
    for page in (client.get(URL), client.get("/memory?instance=desk")):
        assert "Illnesses" not in page.content.decode()
    assert client.post(f"/memory/filters/{saved.pk}", {"name": "Mine"}).status_code == 404
    assert client.post(f"/memory/filters/{saved.pk}/delete").status_code == 404
    # Two people may use the same name.
    assert client.post(f"{URL}&category=fact", {"name": "Illnesses"}).status_code == 302


def test_unknown_values_are_reported_and_omitted(as_alice: Client, store_memory: Store) -> None:
    store_memory("The user plays the cello.")
    page = as_alice.get("/memory?instance=desk&category=facts&sort=size").content.decode()
    assert "Ignored, since there is no such filter: category: facts, sort: size." in page
    assert "plays the cello" in page
    assert "Ignored" not in as_alice.get("/memory?instance=desk&category=fact").content.decode()


def test_filters_are_changed_in_the_sheet(as_alice: Client, saved: SavedFilter) -> None:
    htmx = {"HX-Request": "true"}
    query = "instance=desk&category=event"
    page = as_alice.post(f"/memory/filters?{query}", {"name": "Dates"}, headers=htmx)
    assert page.status_code == 200
    assert "Saved as “Dates”." in page.content.decode()
    assert "<html" not in page.content.decode()
    assert 'aria-current="true">Dates</a>' in page.content.decode()
    again = as_alice.post(f"/memory/filters?{query}", {"name": "Dates"}, headers=htmx)
    assert again.status_code == 422
    assert "You already have a filter called “Dates”." in again.content.decode()
    url = f"/memory/filters/{saved.pk}"
    wrong = as_alice.post(f"{url}?{query}", {"name": "Dates"}, headers=htmx)
    assert wrong.status_code == 422
    assert 'aria-invalid="true"' in wrong.content.decode()
    page = as_alice.post(f"{url}?{query}", {"name": "Care"}, headers=htmx)
    assert ">Care</a>" in page.content.decode()
    page = as_alice.post(f"{url}/delete?{query}", headers=htmx)
    assert "Deleted the filter “Care”." in page.content.decode()
    assert ">Care</a>" not in page.content.decode()
    # The list says nothing more of it.
    assert "Deleted the filter" not in as_alice.get("/memory?instance=desk").content.decode()
