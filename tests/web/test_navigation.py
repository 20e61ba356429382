"""The frame: the sections and their tabs, and the switch between instances."""

import re

import pytest
from django.test import Client

from conversations.models import Conversation
from instances.models import Instance, Membership, User
from tests.web.page_text import text_of

pytestmark = pytest.mark.django_db


def rail(page: str) -> str:
    return page.partition('<ul class="nav">')[2].partition("</ul>")[0]


def tabs(page: str) -> list[str]:
    bar = page.partition('<nav class="tabs"')[2].partition("</nav>")[0]
    return [text_of(each).strip() for each in re.findall(r"<a [^>]*>(.*?)</a>", bar, re.DOTALL)]


def current(page: str) -> list[str]:
    """Return the entry of the rail and the tab that are marked as current."""
    parts = rail(page) + page.partition('<nav class="tabs"')[2].partition("</nav>")[0]
    marked = re.findall(r'<a [^>]*aria-current="page">(.*?)</a>', parts, re.DOTALL)
    return [re.sub(r"\s+\d+$", "", text_of(each).strip()) for each in marked]


@pytest.mark.parametrize(
    ("path", "marked"),
    [
        ("/memory", ["Memory", "Memories"]),
        ("/memory/bin", ["Memory", "Memories"]),
        ("/memory/recall", ["Memory", "Ask memory"]),
        ("/memory/review", ["Memory", "Review"]),
        ("/memory/profile", ["Memory", "Profile"]),
        ("/memory/documents", ["Memory", "Documents"]),
        ("/memory/palace", ["Palace"]),
        ("/memory/graph", ["Graph"]),
        ("/conversations", ["Conversations", "Conversations"]),
        ("/chat", ["Conversations", "Chat"]),
        ("/activity", ["Activity", "Activity"]),
        ("/usage", ["Activity", "Usage"]),
        ("/jobs", ["Activity", "Jobs"]),
        ("/memory/health", ["Activity", "Health"]),
    ],
)
def test_the_section_and_the_tab_are_marked(
    as_alice: Client, instance: Instance, path: str, marked: list[str]
) -> None:
    page = as_alice.get(f"{path}?instance=desk", follow=True).content.decode()

    assert current(page) == marked


def test_there_are_six_entries(as_alice: Client, instance: Instance) -> None:
    page = as_alice.get("/memory?instance=desk").content.decode()

    assert rail(page).count("<li") == 6
    assert tabs(page) == ["Memories", "Ask memory", "Review", "Profile", "Documents"]


@pytest.mark.parametrize(
    ("path", "same"),
    [
        ("/memory/recall?instance=desk&q=boats", "/memory/recall?instance=diary"),
        ("/memory/bin?instance=desk", "/memory/bin?instance=diary"),
        ("/chat?instance=desk", "/chat?instance=diary"),
        ("/instances/desk/settings", "/instances/diary/settings"),
        ("/instances/desk/settings/models", "/instances/diary/settings/models"),
        # A private instance has no members.
        ("/instances/desk/settings/members", "/instances/diary/settings"),
        ("/conversations/{conversation}", "/conversations?instance=diary"),
    ],
)
def test_switching_the_instance_keeps_the_screen(
    as_alice: Client,
    instance: Instance,
    private: Instance,
    conversation: Conversation,
    path: str,
    same: str,
) -> None:
    page = as_alice.get(path.format(conversation=conversation.pk)).content.decode()
    picker = page.partition('class="picker"')[2].partition("</details>")[0]

    assert f'href="{same}"' in picker


def test_members_of_another_instance_are_led_to_the_first_page_of_its_settings(
    as_alice: Client, alice: User, instance: Instance
) -> None:
    lab = Instance.objects.create(slug="lab", name="Lab")
    Membership.objects.create(instance=lab, user=alice, role="member")

    page = as_alice.get("/instances/desk/settings/models").content.decode()

    assert 'href="/instances/lab/settings"' in page
    assert 'href="/instances/lab/settings/models"' not in page
    assert as_alice.get("/instances/lab/settings").status_code == 200
