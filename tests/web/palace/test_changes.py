"""Notes, renaming, merging, and the back-fill."""

import pytest
from django.test import Client

from conversations.models import Conversation
from instances.models import Instance
from memoryapp.models import Closet, Drawer, Run, Wing
from tests.palace_factories import file_note, file_turn, wing_of

HTMX = {"HX-Request": "true"}
NEW = "/conversations/palace/notes/new?instance=desk"


class TestNotes:
    def test_new_note_is_in_its_wing_and_searchable(
        self, as_alice: Client, instance: Instance
    ) -> None:
        body = {"text": "  Order frames.\n\nTwelve.", "wing": "由紀子の蜂", "kind": "project"}
        response = as_alice.post(NEW, body, follow=True)
        note = Drawer.objects.get()
        assert note.note == "Order frames.\n\nTwelve."
        assert (note.closet.room.wing.name, note.closet.name) == ("由紀子の蜂", "general")
        assert note.closet.room.wing.kind == "project"
        assert f"Note saved as {note}." in response.content.decode()
        found = as_alice.get("/conversations/palace?instance=desk&q=frames")
        assert [row.drawer for row in found.context["drawers"].rows] == [note]

    def test_note_is_filed_in_the_current_place_by_default(
        self, as_alice: Client, instance: Instance
    ) -> None:
        closet = file_note(instance, "Queen seen.", "Bees", "hive").closet
        form = as_alice.get(f"{NEW}&closet={closet.pk}").context["form"]
        assert (form["wing"].value(), form["topic"].value()) == ("Bees", "hive")

    @pytest.mark.parametrize(
        ("text", "wing", "said"),
        [
            ("", "Bees", "This field is required"),
            ("Swarms.", "\u200b", "Enter what the note is about"),
            ("My password is somewhere in here", "Bees", "assword"),
        ],
    )
    def test_invalid_note_is_rejected_with_the_reason(
        self, as_alice: Client, instance: Instance, text: str, wing: str, said: str
    ) -> None:
        response = as_alice.post(NEW, {"text": text, "wing": wing, "kind": "topic"})
        assert response.status_code == 422
        assert said in response.content.decode()
        assert not Drawer.objects.exists()

    def test_secret_in_a_note_is_redacted_and_reported(
        self, as_alice: Client, instance: Instance
    ) -> None:
        body = {"text": "Ask ana@example.com about the hive.", "wing": "Bees", "kind": "topic"}
        response = as_alice.post(NEW, body, follow=True)
        assert "A secret was replaced" in response.content.decode()
        assert "ana@example.com" not in Drawer.objects.get().note

    def test_edited_note_keeps_its_pointer(self, as_alice: Client, instance: Instance) -> None:
        note = file_note(instance, "Order frames.")
        as_alice.post(
            f"/conversations/palace/notes/{note.pk}/edit?instance=desk", {"text": "Order wax."}
        )
        assert str(Drawer.objects.get(note="Order wax.")) == str(note)

    def test_messages_cannot_be_edited(self, as_alice: Client, conversation: Conversation) -> None:
        turn = file_turn(conversation.messages.all()[0])
        assert as_alice.get(f"/conversations/palace/notes/{turn.pk}/edit").status_code == 404

    def test_htmx_errors_stay_in_the_panel(self, as_alice: Client, instance: Instance) -> None:
        response = as_alice.post(NEW, {"text": ""}, headers=HTMX)
        assert response.headers["HX-Retarget"] == "#panel"


class TestOrdering:
    def test_wing_is_renamed(self, as_alice: Client, instance: Instance) -> None:
        wing = file_note(instance, "Queen seen.").closet.room.wing
        address = f"/conversations/palace/wings/{wing.pk}"
        as_alice.post(address, {"name": "Apiary", "kind": "project"})
        wing.refresh_from_db()
        assert (wing.name, wing.kind, wing.aliases) == ("Apiary", "project", ["bees"])

    def test_taken_name_offers_a_merge(self, as_alice: Client, instance: Instance) -> None:
        wing = file_note(instance, "Queen seen.").closet.room.wing
        wing_of(instance, "Apiary")
        response = as_alice.post(
            f"/conversations/palace/wings/{wing.pk}", {"name": "apiary", "kind": "topic"}
        )
        assert response.status_code == 422
        assert "Merge the two instead" in response.content.decode()

    def test_merge_has_a_preview(
        self, as_alice: Client, instance: Instance, conversation: Conversation
    ) -> None:
        source = file_turn(conversation.messages.all()[0], "The bees").closet.room.wing
        into = file_note(instance, "Queen seen.", "Bees").closet.room.wing
        address = f"/conversations/palace/wings/{source.pk}"
        preview = as_alice.get(f"{address}?into={into.pk}").content.decode()
        assert "<b>1 message</b>" in preview
        assert "Dinner for eight" in preview
        assert "moves unchanged" in preview
        assert "the-bees" in preview
        assert Wing.objects.count() == 2
        response = as_alice.post(address, {"into": into.pk}, follow=True)
        assert "Moved 1 message to “Bees”" in response.content.decode()
        assert Wing.objects.get() == into

    def test_topics_are_merged(self, as_alice: Client, instance: Instance) -> None:
        source = file_note(instance, "Brood.", topic="hives").closet
        into = file_note(instance, "Queen.", topic="hive").closet
        address = f"/conversations/palace/topics/{source.pk}"
        assert "<b>1 message</b>" in as_alice.get(f"{address}?into={into.pk}").content.decode()
        as_alice.post(address, {"into": into.pk})
        assert Closet.objects.get() == into

    def test_wings_of_other_people_are_neither_offered_nor_accepted(
        self, as_alice: Client, instance: Instance
    ) -> None:
        mine, other = wing_of(instance, "Work"), wing_of(instance, "Work", end_user="ben")
        address = f"/conversations/palace/wings/{mine.pk}"
        assert as_alice.get(address).context["others"] == []
        as_alice.post(address, {"into": other.pk})
        assert Wing.objects.count() == 2


class TestFilingTheRest:
    def test_unfiled_messages_are_shown_with_the_effort(
        self, as_alice: Client, instance: Instance, conversation: Conversation
    ) -> None:
        instance.memory_enabled = instance.palace_enabled = True
        instance.save()
        Run.objects.all().delete()
        assert (
            "2 messages are not filed yet."
            in as_alice.get("/conversations/palace?instance=desk").content.decode()
        )
        form_page = as_alice.get("/conversations/palace/file?instance=desk").content.decode()
        assert "File 2 messages of 1 conversation?" in form_page
        assert "Uses no language model" in form_page
        as_alice.post("/conversations/palace/file?instance=desk")
        run = Run.objects.minings().get()
        assert (run.conversation, run.with_model) == (conversation, False)
        page = as_alice.get("/conversations/palace?instance=desk").content.decode()
        assert "1 conversation is being filed" in page

    def test_complete_filing_shows_no_notice(
        self, as_alice: Client, conversation: Conversation
    ) -> None:
        for message in conversation.messages.all():
            file_turn(message)
        assert (
            "not filed yet"
            not in as_alice.get("/conversations/palace?instance=desk").content.decode()
        )
        form_page = as_alice.get("/conversations/palace/file?instance=desk").content.decode()
        assert "All messages are filed" in form_page
