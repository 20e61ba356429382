"""Titles: short, in one line, and without secrets, whoever gives them."""

from collections.abc import Callable

import pytest
from django.test import Client

from conversations.importers import Report
from conversations.models import Conversation
from conversations.titles import clean_title, title_of
from instances.models import Instance
from tests.api.conftest import key_of

SECRET = "My password is hunter2-Zebra!"
MASKED = "My password is [REDACTED:PASSWORD]"


def test_made_titles_are_the_first_words(instance: Instance) -> None:
    assert title_of(instance, "Short.") == "Short."
    long = title_of(
        instance, "What would you say about a dinner for eight people on the last Sunday of May?"
    )
    assert long == "What would you say about a dinner for eight people on the…"
    assert title_of(instance, "日" * 100) == "日" * 59 + "…"


def test_given_titles_are_one_line(instance: Instance) -> None:
    assert clean_title(instance, " Boats\nand\x00 oars ") == "Boats and oars"
    assert len(clean_title(instance, "x" * 5_000)) == 300


@pytest.mark.parametrize("door", ["screen", "file", "create", "rename"])
def test_no_door_keeps_a_secret_in_a_title(
    door: str,
    instance: Instance,
    conversation: Conversation,
    as_alice: Client,
    bring_in: Callable[..., Report],
) -> None:
    program = key_of(instance)[1]
    if door == "file":
        report = bring_in([{"content": "I row.", "title": SECRET, "conversation": "a"}])
        assert report.titles[0].startswith(MASKED)
    elif door == "screen":
        as_alice.post(f"/conversations/{conversation.pk}/rename", {"title": SECRET})
    elif door == "create":
        program.send("POST", "conversations", {"title": SECRET})
    else:
        program.send("PATCH", f"conversations/{conversation.pk}", {"title": SECRET})
    titles = list(Conversation.objects.values_list("title", flat=True))
    assert any(title.startswith(MASKED) for title in titles)
    assert not any("hunter2" in title for title in titles)
