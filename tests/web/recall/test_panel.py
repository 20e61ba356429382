"""A result opens next to the question that found it, and its panel says why it was found."""

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from conversations.models import Conversation, ConversationOrigin, Message
from instances.models import Instance, User
from memoryapp.models import Answer, Drawer, Memory, RecallLog
from tests.palace_factories import file_note, file_turn

HTMX = {"HX-Request": "true"}
QUESTION = "Where is the boat?"
ASKED = "/memory?instance=desk&list=ask&q=Where+is+the+boat%3F"
#: The address of the list, among others with whatever query.
LIST = r"/memory(?=\?instance=desk&amp;list=ask&amp;q=Where)"
FOUND = "Why it was found"


@pytest.fixture
def boat(store_memory: Callable[..., Memory]) -> Memory:
    store_memory("The user once sold a boat.")
    return store_memory("The user has a boat in Kiel.", category="fact")


@pytest.fixture
def note(instance: Instance) -> Drawer:
    return file_note(instance, "The boat is in the third shed behind the harbour.")


def get(client: Client, url: str, **headers: str) -> str:
    response = client.get(url, headers=headers)
    assert response.status_code == 200, url
    return str(response.content.decode())


def links(html: str, path: str) -> list[str]:
    """The addresses on a page that lead to *path*, with whatever query."""
    return [unescape(url) for url in re.findall(rf'href="({path}(?:\?[^"]*)?)"', html)]


def halves(html: str) -> list[str]:
    """The question with its results, and the panel next to them."""
    return html.split("</aside>")[0].split('<aside class="panel"')


def opened_rows(html: str) -> list[str]:
    return re.findall(r'<article class="row open"\s[^>]*data-row="([^"]+)"', html)


def test_result_opens_next_to_its_question(as_alice: Client, boat: Memory) -> None:
    (address,) = links(get(as_alice, ASKED), f"/memory/{boat.pk}")
    question, panel = halves(get(as_alice, address))
    assert f'value="{QUESTION}"' in question
    assert "The user once sold a boat." in question
    assert opened_rows(question) == [f"row-{boat.pk}"]
    assert re.search(r'aria-current="page">\s*What the assistant sees', question)
    assert FOUND in panel
    assert links(panel, LIST) == [ASKED]


def test_panel_alone_is_sent_to_a_page_that_has_the_question(
    as_alice: Client, boat: Memory
) -> None:
    (address,) = links(get(as_alice, ASKED), f"/memory/{boat.pk}")
    panel = get(as_alice, address, **HTMX)
    assert "<html" not in panel
    assert FOUND in panel
    assert 'class="row' not in panel
    closed = get(as_alice, links(panel, LIST)[0], **HTMX)
    assert opened_rows(closed) == []
    assert re.search(r'<aside class="panel" id="panel"[^>]*hx-swap-oob="true" hidden', closed)


def test_note_and_filed_message_open_next_to_the_question(
    as_alice: Client, note: Drawer, instance: Instance, store_message: Callable[..., Message]
) -> None:
    talk = Conversation.objects.create(instance=instance, title="Harbour")
    filed = file_turn(store_message(talk, "The boat is moored in Kiel."), "Boats")
    html = get(as_alice, ASKED)
    for drawer in (note, filed):
        (address,) = links(html, f"/conversations/palace/drawers/{drawer.pk}")
        question, panel = halves(get(as_alice, address))
        assert f'value="{QUESTION}"' in question
        assert opened_rows(question) == [f"drawer-{drawer.pk}"]
        assert FOUND in panel
        assert ASKED in links(panel, LIST)


def test_every_option_of_the_question_survives(as_alice: Client, boat: Memory) -> None:
    asked = f"{ASKED}&profile=rrf&against=measured&limit=7&why={boat.pk}&w-words=1"
    address = links(get(as_alice, asked), f"/memory/{boat.pk}")[0]
    panel = get(as_alice, address, **HTMX)
    (back,) = links(panel, LIST)
    for part in ("profile=rrf", "limit=7", "w-words=1", f"why={boat.pk}"):
        assert part in back


def test_actions_of_the_panel_come_back_to_the_question(as_alice: Client, boat: Memory) -> None:
    (address,) = links(get(as_alice, ASKED), f"/memory/{boat.pk}")
    in_row, edit = links(get(as_alice, address), f"/memory/{boat.pk}/edit")
    assert in_row == edit
    form = get(as_alice, edit)
    assert f'value="{QUESTION}"' in form
    assert "Edit memory" in form
    (version,) = re.findall(r'name="version" value="([^"]*)"', form)
    data = {"content": "The user has a boat in Kiel harbour.", "category": "fact"}
    data |= {"importance": "5", "version": unescape(version)}
    assert "This field is required" in as_alice.post(edit, {**data, "content": ""}).content.decode()
    saved = as_alice.post(edit, data)
    assert saved["Location"] == address
    html = get(as_alice, address)
    assert "boat in Kiel harbour" in halves(html)[0]
    (undo,) = re.findall(r'method="post" action="([^"]*/undo[^"]*)"\s+hx-post', html)[:1]
    fragment = as_alice.post(unescape(undo), headers=HTMX | {"HX-Current-URL": address})
    assert f'value="{QUESTION}"' in fragment.content.decode()
    assert fragment["HX-Push-Url"] == address


def test_deletion_and_its_undo_stay_with_the_question(as_alice: Client, boat: Memory) -> None:
    panel = get(as_alice, links(get(as_alice, ASKED), f"/memory/{boat.pk}")[0])
    (delete,) = re.findall(r'<form class="top" method="post" action="([^"]+)"', panel)
    asks = as_alice.post(unescape(delete), {"id": boat.pk}).content.decode()
    assert ASKED in links(asks, LIST)
    gone = as_alice.post(unescape(delete), {"id": boat.pk, "confirmed": "yes"}, headers=HTMX)
    html = gone.content.decode()
    assert f'value="{QUESTION}"' in html
    assert "boat in Kiel" not in html
    (undo,) = re.findall(r'action="(/memory/undo[^"]+)"', html)
    undo_token = dict(re.findall(r'type="hidden" name="(name|key)" value="([^"]+)"', html))
    restored = as_alice.post(unescape(undo), undo_token, headers=HTMX).content.decode()
    assert f'value="{QUESTION}"' in restored
    assert "boat in Kiel" in restored


def test_all_that_match_cannot_be_deleted_from_a_question(as_alice: Client, boat: Memory) -> None:
    form = {"all": "yes", "confirmed": "yes"}
    for path in ("/memory/delete", "/conversations/palace/delete"):
        as_alice.post(f"{path}?list=ask&instance=desk&q=boat", form)
    assert Memory.objects.count() == 2


def test_memory_of_another_instance_is_not_opened(
    client: Client, charlie: User, boat: Memory, private: Instance
) -> None:
    client.force_login(charlie)
    hidden = Memory.objects.create(instance=private, content="Her boat.", origin="manual")
    for memory in (hidden.pk, 10**9):
        response = client.get(f"/memory/{memory}?list=ask&instance=desk&q=boat")
        assert response.status_code == 404


def test_memory_that_was_not_found_says_so(
    as_alice: Client, boat: Memory, store_memory: Callable[..., Memory]
) -> None:
    cello = store_memory("The user plays the cello.")
    panel = get(as_alice, f"/memory/{cello.pk}?list=ask&instance=desk&q=boat", **HTMX)
    assert FOUND not in panel
    assert "Would the assistant see this?" in panel


# Every place that lists what was found.


@pytest.fixture
def answered(instance: Instance, boat: Memory) -> Conversation:
    """A chat in which the boat was recalled."""
    talk = Conversation.objects.create(
        instance=instance, title="Boats", origin=ConversationOrigin.CHAT
    )
    message = Message.objects.create(
        instance=instance, conversation=talk, position=1, role="user", content=QUESTION
    )
    answer = Answer.objects.create(
        instance=instance, conversation=talk, message=message, state=Answer.State.DONE
    )
    hit = {"ref": f"m{boat.pk}", "memory": boat.pk, "ranks": {"meaning": 1}, "similarity": 0.5}
    RecallLog.objects.create(instance=instance, answer=answer, hits=[hit], milliseconds=1)
    return talk


@pytest.mark.parametrize(
    "url",
    [
        ASKED,
        f"{ASKED}&against=rrf",
        "/memory?instance=desk&q=boat",
        "/palette?instance=desk&q=boat",
        "/memory/past?instance=desk&q=boat&on={day}",
        "/chat/{chat}?turn=t1",
    ],
)
def test_every_place_that_lists_found_memories_leads_to_why(
    as_alice: Client, boat: Memory, answered: Conversation, url: str
) -> None:
    day = timezone.localdate() - timedelta(days=2)
    earlier = timezone.now() - timedelta(days=4)
    Memory.objects.update(created_at=earlier, updated_at=earlier)
    found = links(get(as_alice, url.format(day=day, chat=answered.pk)), f"/memory/{boat.pk}")
    assert found
    for address in set(found):
        assert FOUND in get(as_alice, address)
        assert FOUND in get(as_alice, address, **HTMX)
