"""Pinning a memory on its panel, and where the screens say that it is pinned."""

from collections.abc import Callable

import pytest
from django.test import Client

from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.models import Memory
from memoryapp.pipeline import set_pinned
from tests.web.page_text import text_of

Remember = Callable[..., Memory]


@pytest.fixture
def captain(store_memory: Remember) -> Memory:
    store_memory("The user has a boat in Kiel.")
    return store_memory("The user is called Captain.")


def panel(client: Client, memory: Memory) -> str:
    response = client.get(f"/memory/{memory.pk}?instance=desk", headers={"HX-Request": "true"})
    return response.content.decode()


def test_pin_and_its_undo(as_alice: Client, captain: Memory) -> None:
    address = f"/memory/{captain.pk}"
    assert f'action="{address}/pin' in panel(as_alice, captain)
    page = as_alice.post(f"{address}/pin?instance=desk", follow=True)
    assert "Pinned: always told." in text_of(page.content.decode())
    assert f'action="{address}/unpin?instance=desk"' in page.content.decode()
    assert "Support desk is told this with each message" in text_of(panel(as_alice, captain))
    captain.refresh_from_db()
    assert captain.pinned
    page = as_alice.post(f"{address}/unpin?instance=desk", follow=True)
    assert f'action="{address}/pin?instance=desk"' in page.content.decode()
    captain.refresh_from_db()
    assert not captain.pinned


def test_row_and_filter_say_so(as_alice: Client, captain: Memory) -> None:
    set_pinned(captain, True, by=Actor(via="test"))
    everything = as_alice.get("/memory?instance=desk").content.decode()
    assert everything.count('class="pinned"') == 1
    chosen = text_of(as_alice.get("/memory?instance=desk&state=pinned").content.decode())
    assert "called Captain" in chosen
    assert "boat in Kiel" not in chosen


def test_what_the_assistant_sees_says_why(as_alice: Client, captain: Memory) -> None:
    set_pinned(captain, True, by=Actor(via="test"))
    page = as_alice.get("/memory?instance=desk&list=ask&q=Hello").content.decode()
    row = page.split('<article class="row')[1]
    assert "The user is called Captain." in row
    assert "<span>pinned" in row.partition('<details class="fold why">')[2]
    opened = as_alice.get(f"/memory/{captain.pk}?instance=desk&q=Hello&list=ask")
    assert "Why it was found pinned" in text_of(opened.content.decode())


def test_members_see_pins_and_cannot_set_them(as_alice: Client, bob: User, captain: Memory) -> None:
    set_pinned(captain, True, by=Actor(via="test"))
    as_alice.force_login(bob)
    shown = panel(as_alice, captain)
    assert "told this with each message" in text_of(shown)
    assert "/unpin" not in shown
    assert as_alice.post(f"/memory/{captain.pk}/unpin?instance=desk").status_code == 403
    captain.refresh_from_db()
    assert captain.pinned


def test_refusal_says_why(as_alice: Client, store_memory: Remember, instance: Instance) -> None:
    long = store_memory("The user knows " + "x" * 300)
    page = as_alice.post(f"/memory/{long.pk}/pin?instance=desk", follow=True)
    assert "Not pinned. It has more than 300 characters." in text_of(page.content.decode())
    assert not Memory.objects.pinned().exists()
