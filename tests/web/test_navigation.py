"""The frame: the sections and their tabs, and the switch between instances."""

import re
from html import unescape

import pytest
from django.test import Client

from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance, Membership, User
from memoryapp.documents.writing import NewDocument, put
from tests.web.page_text import text_of

pytestmark = pytest.mark.django_db

MEMORY = "/memory?instance=desk"


def rail(page: str) -> str:
    return page.partition('<ul class="nav">')[2].partition("</ul>")[0]


def store_document(instance: Instance) -> None:
    put(instance, NewDocument(("notes",), "boat", {"name": "Ada"}), by=Actor(via="test"))


def labels_in(page: str, bar: str) -> list[str]:
    """Return the labels of the links in a *bar*: the tabs, or the views of a tab."""
    links = page.partition(f'<nav class="{bar}"')[2].partition("</nav>")[0]
    return [text_of(each).strip() for each in re.findall(r"<a [^>]*>(.*?)</a>", links, re.DOTALL)]


def current(page: str) -> list[str]:
    """Return the entry of the rail, the tab and the view that are marked as current."""
    bars = ['<nav class="tabs"', '<nav class="views"']
    parts = rail(page) + "".join(page.partition(bar)[2].partition("</nav>")[0] for bar in bars)
    marked = re.findall(r'<a [^>]*aria-current="page">(.*?)</a>', parts, re.DOTALL)
    return [re.sub(r"\s+\d+$", "", text_of(each).strip()) for each in marked]


@pytest.mark.parametrize(
    ("path", "marked"),
    [
        ("/chat", ["Chat"]),
        ("/memory", ["Memory", "Memories", "All memories"]),
        ("/memory?list=ask", ["Memory", "Memories", "What the assistant sees"]),
        ("/memory/graph", ["Memory", "Graph"]),
        ("/memory/profile", ["Memory", "Profile", "Facts"]),
        ("/memory/review", ["Memory", "Review"]),
        ("/memory/removed/bin", ["Memory", "Removed", "Bin"]),
        ("/memory/removed/refused", ["Memory", "Removed", "Refused"]),
        ("/memory/removed/blocked", ["Memory", "Removed", "Blocked"]),
        ("/memory/removed/rollback", ["Memory", "Removed", "Roll back"]),
        ("/conversations", ["Conversations", "By date"]),
        ("/conversations/palace", ["Conversations", "Palace"]),
        ("/status", ["Status", "Status", "Health"]),
        ("/status/health", ["Status", "Status", "Health"]),
        ("/status/usage", ["Status", "Status", "Usage"]),
        ("/status/jobs", ["Status", "Status", "Jobs"]),
        ("/activity", ["Status", "Activity"]),
    ],
)
def test_the_section_the_tab_and_the_view_are_marked(
    as_alice: Client, instance: Instance, path: str, marked: list[str]
) -> None:
    page = as_alice.get(f"{path}{'&' if '?' in path else '?'}instance=desk", follow=True)

    assert current(page.content.decode()) == marked


def test_there_are_five_entries_and_few_tabs(as_alice: Client, instance: Instance) -> None:
    store_document(instance)
    entries = re.findall(r'href="([^"]+)"', rail(as_alice.get(MEMORY).content.decode()))
    tabs = [labels_in(as_alice.get(each).content.decode(), "tabs") for each in entries]

    assert len(entries) == 5
    assert tabs[1] == ["Memories", "Graph", "Profile", "Documents", "Review", "Removed"]
    assert tabs[2] == ["By date", "Palace"]
    assert sum(map(len, tabs)) <= 10


def test_documents_are_shown_only_where_there_are_any(
    as_alice: Client, instance: Instance, private: Instance
) -> None:
    store_document(private)

    assert "Documents" not in labels_in(as_alice.get(MEMORY).content.decode(), "tabs")
    diary = as_alice.get("/memory?instance=diary").content.decode()
    assert "Documents" in labels_in(diary, "tabs")


def test_a_question_goes_along_to_the_other_view(as_alice: Client, instance: Instance) -> None:
    all_memories, seen = "/memory?instance=desk", "/memory?instance=desk&amp;list=ask"
    for path, other in ((all_memories, seen), (seen, all_memories)):
        page = as_alice.get(f"{unescape(path)}&q=red+boats").content.decode()
        views = page.partition('<nav class="views"')[2].partition("</nav>")[0]
        assert f'href="{other}&amp;q=red+boats"' in views


def test_the_switch_keeps_up_with_what_is_typed(as_alice: Client, instance: Instance) -> None:
    typed = {"HX-Request": "true", "HX-Trigger": "q"}
    fragment = as_alice.get("/memory?instance=desk&q=red+boats", headers=typed).content.decode()
    views = fragment.partition('<nav class="views" id="views"')[2].partition("</nav>")[0]
    assert 'hx-swap-oob="true"' in views
    assert 'href="/memory?instance=desk&amp;list=ask&amp;q=red+boats"' in views


def test_old_address_leads_to_the_view_with_its_question(
    as_alice: Client, instance: Instance
) -> None:
    for old in ("/memory/recall", "/memory/recall/"):
        moved = as_alice.get(f"{old}?instance=desk&q=red+boats")
        assert moved["Location"] == "/memory?list=ask&instance=desk&q=red+boats"
    assert 'value="red boats"' in as_alice.get(moved["Location"]).content.decode()
    unnamed = as_alice.get(as_alice.get("/memory/recall")["Location"])
    assert unnamed["Location"] == "/memory?list=ask&instance=desk"


def test_only_who_may_import_can_drop_a_file_on_a_page(
    as_alice: Client, charlie: User, instance: Instance
) -> None:
    zone = 'action="/conversations/import?instance=desk"'
    assert zone in as_alice.get(MEMORY).content.decode()
    assert 'id="drop-anywhere"' not in as_alice.get("/account").content.decode()
    Membership.objects.create(instance=instance, user=charlie, role="viewer")
    as_alice.force_login(charlie)
    assert 'id="drop-anywhere"' not in as_alice.get(MEMORY).content.decode()


def test_only_managers_are_led_to_rolling_back(
    as_alice: Client, bob: User, instance: Instance
) -> None:
    as_bob = Client()
    as_bob.force_login(bob)
    path = "/memory/removed/bin?instance=desk"
    views = ["Bin", "Refused", "Blocked"]

    assert labels_in(as_bob.get(path).content.decode(), "views") == views
    assert labels_in(as_alice.get(path).content.decode(), "views") == [*views, "Roll back"]


@pytest.mark.parametrize(
    ("path", "same"),
    [
        ("/memory?instance=desk&list=ask&q=boats", "/memory?instance=diary&amp;list=ask"),
        ("/memory/removed/bin?instance=desk", "/memory/removed/bin?instance=diary"),
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


def test_pages_of_the_server_keep_the_instance(dana: User, instance: Instance) -> None:
    client = Client()
    client.force_login(dana)
    assert "No instance" in client.get("/server/people").content.decode()

    client.get(MEMORY)
    for path in ("/server/people", "/account", "/instances", "/status/usage"):
        page = client.get(path).content.decode()
        assert "Instance: Support desk" in page, path
        assert 'href="/conversations?instance=desk"' in rail(page), path
    assert 'href="/instances/desk/settings/models"' in client.get("/account").content.decode()


def test_who_signs_in_again_is_where_they_were(
    as_alice: Client, instance: Instance, private: Instance
) -> None:
    assert "Whose memory" in as_alice.get("/memory").content.decode()
    as_alice.get("/memory?instance=diary")
    as_alice.post("/accounts/logout")
    as_alice.force_login(User.objects.get(username="alice"))

    assert as_alice.get("/memory")["Location"] == "/memory?instance=diary"


@pytest.mark.parametrize(
    "path",
    [
        *("/memory/new", "/memory/filters", "/memory/people", "/conversations/import"),
        *("/memory/removed/refused", "/memory/removed/blocked", "/memory/removed/rollback"),
    ],
)
def test_typed_address_shows_the_last_instance(
    as_alice: Client, instance: Instance, private: Instance, charlie: User, path: str
) -> None:
    assert as_alice.get(path).status_code == 404  # Of two, none was chosen.
    as_alice.get("/memory?instance=desk")
    assert as_alice.get(path).context["instance"] == instance
    as_alice.force_login(charlie)
    assert as_alice.get(path).status_code == 404


def test_last_instance_is_shown_only_to_those_who_may_see_it(
    as_alice: Client, private: Instance, charlie: User
) -> None:
    as_alice.get("/memory?instance=diary")
    as_alice.force_login(charlie)

    page = as_alice.get("/account").content.decode()
    assert "Diary" not in page
    assert "diary" not in page
