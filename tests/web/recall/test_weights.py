"""Weights: tried next to the present ones, and saved by managers."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from instances.models import Instance, User
from memoryapp.models import Memory
from memoryapp.recall import RecallOptions, recall
from memoryapp.recall.scoring import NAMES, WEIGHTS
from memoryapp.web.reasons import SIGNALS
from tests.web.page_text import text_of

Remember = Callable[..., Memory]
QUESTION = "Which boat does the user sail?"


@pytest.fixture
def boats(store_memory: Remember) -> list[Memory]:
    """One memory nearer to the question, and one with higher importance."""
    return [
        store_memory("The user sails a red boat.", importance=5),
        store_memory("The user once saw a boat show in Kiel.", importance=10),
    ]


def order(instance: Instance) -> list[str]:
    return [
        hit.content for hit in recall(instance, QUESTION, RecallOptions(with_messages=False)).hits
    ]


def page(client: Client, **query: Any) -> str:
    response = client.get("/memory", {"instance": "desk", "list": "ask", **query}, follow=True)
    assert response.status_code == 200
    return str(response.content.decode())


def columns(html: str) -> dict[str, list[str]]:
    """Return the texts of each column, in order."""
    found = re.findall(r'class="column" aria-label="([^"]+)">(.*?)</section>', html, re.DOTALL)
    return {
        label: [
            text_of(content)
            for content in re.findall(
                r'<a class="content"[^>]*>(.*?)</a>',
                column.partition('<details class="fold weaker')[0],
            )
        ]
        for label, column in found
    }


def save_weights(client: Client, **posted: str) -> str:
    response = client.post(
        "/memory/recall/weights?instance=desk&list=ask&q=boat", posted, follow=True
    )
    assert response.redirect_chain == [("/memory?instance=desk&list=ask&q=boat", 302)]
    return str(response.content.decode())


def test_every_weight_is_shown_with_an_explanation(as_alice: Client, instance: Instance) -> None:
    html = page(as_alice)
    for name in NAMES:
        assert f'name="w-{name}"' in html
        assert str(SIGNALS[name].says) in html


def test_other_weights_are_compared_with_the_saved_ones(
    as_alice: Client, instance: Instance, boats: list[Memory]
) -> None:
    red, show = (memory.content for memory in boats)
    html = page(as_alice, q=QUESTION, **{"w-importance": "4", "w-words": ""})
    assert columns(html) == {
        "Measured (recommended)": [red, show],
        "With these weights": [show, red],
    }
    assert "<b>importance 4</b> instead of 0.05" in html
    instance.refresh_from_db()
    assert instance.recall_weights == {}
    assert order(instance) == [red, show]


def test_saved_weights_take_effect_and_can_be_reset(
    as_alice: Client, instance: Instance, boats: list[Memory]
) -> None:
    red, show = (memory.content for memory in boats)
    html = save_weights(as_alice, **{"w-importance": "4", "w-date": f"{WEIGHTS.date:g}"})
    assert "Support desk now ranks with these weights." in html
    assert "its own weights: importance 4 (default: 0.05)." in html
    instance.refresh_from_db()
    # Default weights are not saved, so that later improvements apply to them.
    assert instance.recall_weights == {"importance": 4}
    assert order(instance) == [show, red]
    assert columns(page(as_alice, q=QUESTION)) == {"Measured (recommended)": [show, red]}

    save_weights(as_alice, **{"w-words": "3"})
    instance.refresh_from_db()
    assert instance.recall_weights == {"importance": 4, "words": 3}
    save_weights(as_alice, **{"w-words": f"{WEIGHTS.words:g}"})
    instance.refresh_from_db()
    assert instance.recall_weights == {"importance": 4}
    assert "now ranks with the default weights" in save_weights(as_alice, reset="1")
    instance.refresh_from_db()
    assert instance.recall_weights == {}
    assert order(instance) == [red, show]


def test_screen_reports_if_weights_have_no_effect(
    as_alice: Client, instance: Instance, boats: list[Memory]
) -> None:
    instance.recall_profile = "rrf"
    instance.save(update_fields=["recall_profile"])
    html = save_weights(as_alice, **{"w-importance": "4"})
    assert "Its ranking is set to “Plain (RRF)”, which does not use weights." in html
    assert "Its ranking does not use them now." in html

    html = page(as_alice, q=QUESTION, on="2020-01-01", **{"w-words": "1"})
    assert len(columns(html)) == 1
    assert "weights are not used for a past day" in html


def test_saving_no_weights_changes_nothing(as_alice: Client, instance: Instance) -> None:
    assert "now ranks" not in save_weights(as_alice)


@pytest.mark.parametrize("written", ["many", "-1", "11", "nan", "inf", "1e400", "0x10"])
def test_invalid_weight_is_reported_and_changes_nothing(
    written: str, as_alice: Client, instance: Instance, boats: list[Memory]
) -> None:
    html = page(as_alice, q=QUESTION, **{"w-words": written})
    assert f"“same words” must be a number from 0 to 10, not “{written}”." in html
    assert list(columns(html)) == ["Measured (recommended)"]
    html = save_weights(as_alice, **{"w-words": written, "w-date": "2"})
    assert (
        f"Nothing was changed. “same words” must be a number from 0 to 10, not “{written}”." in html
    )
    instance.refresh_from_db()
    assert instance.recall_weights == {}


def test_viewer_may_try_but_not_save_weights(
    client: Client, bob: User, boats: list[Memory]
) -> None:
    client.force_login(bob)
    html = page(client, q=QUESTION, **{"w-importance": "4"})
    assert len(columns(html)) == 2
    assert "Keep these" not in html


def test_decay_is_a_weight(instance: Instance, boats: list[Memory]) -> None:
    red = boats[0]
    Memory.objects.filter(pk=red.pk).update(stale_since=timezone.now() - timedelta(days=1))
    (worth,) = (hit for hit in recall(instance, QUESTION).hits if hit.memory == red)
    assert worth.parts["stale"] < 0
    instance.recall_weights = {"stale": 5}
    assert recall(instance, QUESTION).hits[-1].memory == red
    instance.recall_weights = {"stale": 0}
    (worth,) = (hit for hit in recall(instance, QUESTION).hits if hit.memory == red)
    assert "stale" not in worth.parts
