"""The palace screen: places, drawers, the panel, and deletion."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils.formats import date_format
from django.utils.timezone import localtime

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from instances.models import Instance
from memoryapp.models import Closet, Drawer, Memory, Unfiled, Wing
from tests.palace_factories import file_note, file_turn, wing_of
from tests.web.page_text import text_of

HTMX = {"HX-Request": "true"}


@pytest.fixture
def dinner(conversation: Conversation) -> list[Drawer]:
    """Two messages about a dinner in Alice's wing."""
    first, second = conversation.messages.all()
    return [
        file_turn(first, "Alice", "food", kind="person", people=["Alice"], items=["satay"]),
        file_turn(second, "Alice", "food", kind="person"),
    ]


@pytest.fixture
def allergy(dinner: list[Drawer], store_memory: Callable[..., Memory]) -> Memory:
    """A memory from the first message about the dinner."""
    message = dinner[0].message
    assert message
    return store_memory(
        "Alice is allergic to peanuts.",
        conversation_id=message.conversation_id,
        message_id=message.pk,
    )


@pytest.fixture
def bees(instance: Instance) -> Drawer:
    conversation = Conversation.objects.create(instance=instance, title="In the garden")
    (message,) = append(conversation, [NewMessage("user", "The bees swarm at noon.")]).added
    return file_turn(message, "Bees", "swarms")


def page(client: Client, query: str = "", **kwargs: Any) -> str:
    response = client.get(f"/conversations/palace?instance=desk&{query}", **kwargs)
    assert response.status_code == 200
    return response.content.decode()


def rows(client: Client, query: str = "") -> list[Drawer]:
    response = client.get(f"/conversations/palace?instance=desk&{query}")
    return [row.drawer for row in response.context["drawers"].rows]


def labels(client: Client, query: str = "") -> list[Any]:
    """Return the open tree as nested labels."""

    def told(branches: list[Any]) -> list[Any]:
        return [(b.label, *told(b.children)) if b.children else b.label for b in branches]

    response = client.get(f"/conversations/palace?instance=desk&{query}")
    return told(response.context["tree"].branches)


class TestTree:
    def test_tree_opens_level_by_level(
        self, as_alice: Client, dinner: list[Drawer], bees: Drawer
    ) -> None:
        closet = dinner[0].closet
        assert sorted(labels(as_alice)) == ["Alice", "Bees"]
        of_wing = labels(as_alice, f"wing={closet.room.wing_id}")
        assert ("Alice", "Dinner for eight") in of_wing
        of_room = labels(as_alice, f"room={closet.room_id}")
        assert ("Alice", ("Dinner for eight", "food")) in of_room
        assert labels(as_alice, f"closet={closet.pk}") == of_room

    def test_no_level_repeats_the_name_above_it(
        self, as_alice: Client, dinner: list[Drawer]
    ) -> None:
        room = dinner[0].closet.room
        assert room.conversation
        Wing.objects.update(name="dinner for Eight")
        day = date_format(localtime(room.conversation.created_at), "j M Y")
        assert labels(as_alice, f"room={room.pk}") == [("dinner for Eight", (day, "food"))]
        text = text_of(page(as_alice, f"room={room.pk}"))
        assert f"{day} Conversation" in text
        assert "Dinner for eight Conversation" not in text
        # A topic of its own says nothing more if it has the same name.
        Closet.objects.update(name="DINNER FOR EIGHT")
        assert labels(as_alice, f"room={room.pk}") == [("dinner for Eight", day)]

    def test_click_on_the_current_place_closes_it(self, as_alice: Client, bees: Drawer) -> None:
        wing, room = bees.closet.room.wing_id, bees.closet.room_id
        text = page(as_alice, f"room={room}")
        assert (
            f'id="room-{room}" href="/conversations/palace?instance=desk&amp;wing={wing}"' in text
        )
        text = page(as_alice, f"wing={wing}")
        assert f'id="wing-{wing}" href="/conversations/palace?instance=desk"' in text

    def test_wings_are_sorted(self, as_alice: Client, dinner: list[Drawer], bees: Drawer) -> None:
        Drawer.objects.filter(pk=bees.pk).update(said_at="2020-01-01T00:00Z")
        file_note(bees.instance, "Aphids again.", "Zinnias")
        assert labels(as_alice) == ["Zinnias", "Alice", "Bees"]
        assert labels(as_alice, "sort=name") == ["Alice", "Bees", "Zinnias"]
        assert labels(as_alice, "sort=size")[0] == "Alice"

    @pytest.mark.parametrize(
        ("name", "find"), [("سلمى والنحل", "النحل"), ("由紀子の京都", "京都"), ("Пчёлы", "пчЁ")]
    )
    def test_wing_is_found_by_part_of_its_name(
        self, as_alice: Client, instance: Instance, bees: Drawer, name: str, find: str
    ) -> None:
        file_note(instance, "Anything.", name)
        assert labels(as_alice, f"find={find}") == [name]

    def test_wing_is_found_by_its_person_and_former_name(
        self, as_alice: Client, instance: Instance, bees: Drawer
    ) -> None:
        wing_of(instance, "Work", end_user="Ben")
        Wing.objects.filter(name="Bees").update(aliases=["apiary"])
        assert labels(as_alice, "find=ben") == ["Work"]
        assert labels(as_alice, "find=apia") == ["Bees"]
        assert "No subject has “wasps” in its name" in page(as_alice, "find=wasps")

    def test_wings_are_paginated_and_the_current_one_stays_visible(
        self, as_alice: Client, instance: Instance
    ) -> None:
        Wing.objects.bulk_create(
            Wing(instance=instance, number=n, name=f"Wing {n:03}", slug=f"wing-{n:03}")
            for n in range(1, 501)
        )
        assert len(labels(as_alice, "sort=name")) == 50
        assert "Show more subjects (450 left)" in page(as_alice, "sort=name")
        assert labels(as_alice, "sort=name&wings=1")[99] == "Wing 100"
        last = Wing.objects.get(number=500).pk
        assert labels(as_alice, f"sort=name&wing={last}")[0] == "Wing 500"

    def test_deleted_place_is_reported(self, as_alice: Client, bees: Drawer) -> None:
        for gone in ("wing=999999", "room=999999", "closet=999999"):
            assert "Showing the whole palace" in page(as_alice, gone)
        assert "Showing the whole palace" not in page(as_alice, "wing=abc")

    def test_places_of_another_instance_are_not_shown(
        self, as_alice: Client, instance: Instance, private: Instance
    ) -> None:
        secret = file_note(private, "Nobody knows.", "Secrets")
        text = page(as_alice, f"closet={secret.closet_id}")
        assert "Showing the whole palace" in text
        assert "Secrets" not in text


class TestDrawers:
    def test_place_filters_the_drawers(
        self, as_alice: Client, dinner: list[Drawer], bees: Drawer
    ) -> None:
        assert rows(as_alice) == [bees, *reversed(dinner)]
        assert rows(as_alice, f"wing={bees.closet.room.wing_id}") == [bees]
        # A room is listed from its beginning.
        assert rows(as_alice, f"room={dinner[0].closet.room_id}") == dinner
        newest = f"closet={dinner[0].closet_id}&order=newest"
        assert rows(as_alice, newest) == [dinner[1], dinner[0]]

    def test_row_shows_author_place_and_missing_parts(
        self, as_alice: Client, dinner: list[Drawer]
    ) -> None:
        Drawer.objects.update(search=None)
        text = page(as_alice)
        assert "No satay please" in text
        assert "§ W-001/R-01/D-001" in text
        assert "Alice · satay" in text
        assert "no vector yet" in text
        assert "being indexed" in text

    def test_pointer_is_apart_from_what_a_row_says(
        self, as_alice: Client, dinner: list[Drawer]
    ) -> None:
        row = page(as_alice).partition('id="drawer-')[2].partition("</article>")[0]
        said, pointer, _ = row.partition('<span class="pointer">')
        assert pointer and "W-001" not in said

    def test_subject_is_not_repeated_by_its_conversation(
        self, as_alice: Client, conversation: Conversation, bees: Drawer
    ) -> None:
        drawer = file_turn(conversation.messages.all()[0], conversation.title)
        meta = page(as_alice).partition(f'id="drawer-{drawer.pk}"')[2].partition("</article>")[0]
        assert meta.count(conversation.title) == 1
        other = page(as_alice).partition(f'id="drawer-{bees.pk}"')[2].partition("</article>")[0]
        assert "<bdi>Bees</bdi>" in other and "In the garden" in other
        panel = as_alice.get(drawer.get_absolute_url(), headers=HTMX).content.decode()
        assert panel.partition('<section class="told"')[0].count(conversation.title) == 1

    def test_drawers_have_pages_of_twenty(self, as_alice: Client, instance: Instance) -> None:
        for number in range(21):
            file_note(instance, f"Note {number}.")
        assert len(rows(as_alice)) == 20
        assert len(rows(as_alice, "page=2")) == 1

    def test_person_filters_wings_and_drawers(
        self, as_alice: Client, instance: Instance, bees: Drawer
    ) -> None:
        talk = Conversation.objects.create(instance=instance, end_user="Ben")
        (message,) = append(talk, [NewMessage("user", "I work nights.")]).added
        bens = file_turn(message, "Work")
        assert rows(as_alice, "user=Ben") == [bens]
        assert labels(as_alice, "user=Ben") == ["Work"]

    def test_empty_palace_explains_how_drawers_are_created(
        self, as_alice: Client, instance: Instance
    ) -> None:
        assert "No messages yet" in page(as_alice)

    def test_messages_are_escaped(self, as_alice: Client, instance: Instance) -> None:
        file_note(instance, "<b>bold</b> & \u0003", "<i>Wing</i>", "<u>topic</u>")
        text = page(as_alice)
        assert "&lt;b&gt;bold&lt;/b&gt; &amp;" in text
        assert "<i>Wing</i>" not in text


class TestSearch:
    def test_search_finds_messages_and_explains_the_match(
        self, as_alice: Client, dinner: list[Drawer], bees: Drawer
    ) -> None:
        assert rows(as_alice, "q=when do the bees swarm") == [bees]
        text = page(as_alice, "q=bees")
        assert "<mark>bees</mark>" in text
        assert "contains “bees”" in text

    def test_place_filters_the_search(
        self, as_alice: Client, dinner: list[Drawer], bees: Drawer
    ) -> None:
        wing = dinner[0].closet.room.wing_id
        assert rows(as_alice, f"q=bees&wing={wing}") == []
        assert "Only this part of the palace was searched" in page(as_alice, f"q=bees&wing={wing}")

    def test_search_finds_notes(self, as_alice: Client, instance: Instance, bees: Drawer) -> None:
        note = file_note(instance, "Order frames and wax.", "Bees")
        assert rows(as_alice, "q=frames") == [note]
        assert rows(as_alice, f"q=frames&closet={bees.closet_id}") == []

    @pytest.mark.parametrize("written", ["§ W-001/R-01/D-002", "w-1/r-1/d-2"])
    def test_pointer_opens_its_drawer(
        self, as_alice: Client, dinner: list[Drawer], written: str
    ) -> None:
        there = f"/conversations/palace/drawers/{dinner[1].pk}?instance=desk"
        asked = {"instance": "desk", "q": written}
        assert as_alice.get("/conversations/palace", asked).headers["Location"] == there
        swapped = as_alice.get("/conversations/palace", asked, headers=HTMX)
        assert swapped.headers["HX-Redirect"] == there

    def test_pointer_narrows_the_deletion_of_all_that_match(
        self, as_alice: Client, dinner: list[Drawer]
    ) -> None:
        asked = "/conversations/palace/delete?instance=desk&q=§ W-001/R-01/D-002"
        assert as_alice.post(asked, {"all": "yes"}).context["only"] == dinner[1]

    def test_pointer_of_another_instance_is_not_found(
        self, as_alice: Client, instance: Instance, private: Instance
    ) -> None:
        file_note(private, "Nobody knows.")
        assert "No messages found" in page(as_alice, "q=W-001/R-01/D-001")


class TestPanel:
    def test_panel_shows_the_message_between_its_neighbours(
        self, as_alice: Client, instance: Instance
    ) -> None:
        talk = Conversation.objects.create(instance=instance, title="Talk")
        said = "  Two  spaces\n\tand a <tab>."
        turns = [
            NewMessage("user", "Before."),
            NewMessage("tool", "17 °C"),
            NewMessage("user", said),
        ]
        message = append(talk, [*turns, NewMessage("assistant", "After.")]).added[2]
        drawer = file_turn(message, "Weather")
        text = as_alice.get(drawer.get_absolute_url(), headers=HTMX).content.decode()
        assert '<div class="exact">  Two  spaces\n\tand a &lt;tab&gt;.</div>' in text
        assert text.index("Before.") < text.index("Two  spaces") < text.index("After.")
        assert "17 °C" not in text
        assert message.get_absolute_url() in text

    def test_full_page_opens_the_tree_at_the_drawer(
        self, as_alice: Client, dinner: list[Drawer], bees: Drawer
    ) -> None:
        response = as_alice.get(bees.get_absolute_url())
        assert response.context["spot"].closet == bees.closet
        assert [row.drawer for row in response.context["drawers"].rows] == [bees]

    def test_htmx_returns_only_the_panel(self, as_alice: Client, bees: Drawer) -> None:
        text = as_alice.get(bees.get_absolute_url(), headers=HTMX).content.decode()
        assert "<html" not in text
        assert str(bees) in text

    def test_panel_lists_the_memories_of_the_message(
        self, as_alice: Client, dinner: list[Drawer], allergy: Memory
    ) -> None:
        text = as_alice.get(dinner[0].get_absolute_url()).content.decode()
        assert allergy.get_absolute_url() in text
        assert "No memory was learned from this message" not in text

    def test_note_has_no_conversation(self, as_alice: Client, instance: Instance) -> None:
        text = as_alice.get(file_note(instance, "Buy frames.").get_absolute_url())
        assert "Show in conversation" not in text.content.decode()


class TestWaysThere:
    def test_transcript_links_to_the_drawers(
        self, as_alice: Client, conversation: Conversation, dinner: list[Drawer]
    ) -> None:
        text = as_alice.get(conversation.get_absolute_url()).content.decode()
        for drawer in dinner:
            assert f'In Palace: <a href="{drawer.get_absolute_url()}">' in text
        dinner[0].delete()
        text = as_alice.get(conversation.get_absolute_url()).content.decode()
        assert text.count("In Palace:") == 1

    def test_memory_links_to_the_drawer_of_its_source(
        self, as_alice: Client, dinner: list[Drawer], allergy: Memory
    ) -> None:
        text = as_alice.get(allergy.get_absolute_url()).content.decode()
        assert f'filed under <a href="{dinner[0].get_absolute_url()}">' in text

    def test_subject_is_not_named_beside_a_conversation_of_its_name(
        self, as_alice: Client, dinner: list[Drawer], allergy: Memory
    ) -> None:
        room = dinner[0].closet.room
        assert room.conversation
        Wing.objects.filter(pk=room.wing_id).update(name=room.conversation.title)
        text = as_alice.get(allergy.get_absolute_url()).content.decode()
        assert f'<a href="{dinner[0].get_absolute_url()}">in the palace</a>' in text
        assert "filed under" not in text


class TestDeleting:
    def ask(self, client: Client, query: str = "", **body: Any) -> str:
        response = client.post(f"/conversations/palace/delete?instance=desk&{query}", body)
        assert response.status_code == 200
        return response.content.decode()

    def test_confirmation_shows_the_number(
        self, as_alice: Client, dinner: list[Drawer], bees: Drawer
    ) -> None:
        assert "Delete 2 messages from the palace?" in self.ask(as_alice, id=[d.pk for d in dinner])
        wing = f"wing={dinner[0].closet.room.wing_id}"
        assert "Delete all of the subject “Alice” from the palace: 2 messages?" in self.ask(
            as_alice, wing, all="yes"
        )
        assert "Delete 1 message that matches from the palace?" in self.ask(
            as_alice, "q=bees", all="yes"
        )
        assert "It stays in its conversation" in self.ask(as_alice, id=[bees.pk])
        assert "Nothing is selected" in self.ask(as_alice)
        assert Drawer.objects.count() == 3

    def test_confirmation_warns_that_notes_cannot_be_restored(
        self, as_alice: Client, instance: Instance, bees: Drawer
    ) -> None:
        note = file_note(instance, "Buy frames.")
        assert "1 of them is a note, which cannot be restored" in self.ask(
            as_alice, id=[note.pk, bees.pk]
        )

    def test_whole_wing_is_deleted(
        self, as_alice: Client, dinner: list[Drawer], bees: Drawer
    ) -> None:
        address = f"/conversations/palace/delete?instance=desk&wing={dinner[0].closet.room.wing_id}"
        response = as_alice.post(address, {"all": "yes", "confirmed": "yes"}, follow=True)
        text = response.content.decode()
        assert "Deleted 2 messages from the palace. They stay in their conversations" in text
        # The current place is gone, so its parent is shown.
        assert response.context["spot"].place is None
        assert list(Drawer.objects.all()) == [bees]
        assert Message.objects.count() == 3
        assert Unfiled.objects.count() == 2

    def test_drawers_filed_after_the_question_are_kept(
        self, as_alice: Client, instance: Instance, bees: Drawer
    ) -> None:
        later = file_note(instance, "Later.")
        body = {"all": "yes", "confirmed": "yes", "until": bees.pk}
        as_alice.post("/conversations/palace/delete?instance=desk", body)
        assert list(Drawer.objects.all()) == [later]

    def test_drawers_of_another_instance_are_kept(
        self, as_alice: Client, instance: Instance, private: Instance
    ) -> None:
        note = file_note(private, "Nobody knows.")
        body = {"id": note.pk, "confirmed": "yes"}
        as_alice.post("/conversations/palace/delete?instance=desk", body)
        assert Drawer.objects.exists()

    def test_htmx_swaps_the_page_and_pushes_the_url(self, as_alice: Client, bees: Drawer) -> None:
        address = f"/conversations/palace/delete?instance=desk&closet={bees.closet_id}"
        body = {"id": bees.pk, "confirmed": "yes"}
        response = as_alice.post(address, body, headers=HTMX)
        assert response.headers["HX-Push-Url"] == "/conversations/palace?instance=desk"
        assert "No messages yet" in response.content.decode()
