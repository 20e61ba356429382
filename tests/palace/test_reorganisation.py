"""Renaming and merging of places: pointers and names keep working."""

import pytest

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.models import Activity, Closet, Drawer, Room, Wing
from memoryapp.palace.reorganisation import (
    CannotMerge,
    PlaceNameTaken,
    merge_closets,
    merge_wings,
    preview_closets,
    preview_wings,
    rename,
)
from tests.palace_factories import closet_of, file_note, file_turn, wing_of


@pytest.fixture
def two_wings(conversation: Conversation) -> list[Drawer]:
    """Two messages of one conversation in two wings, with a note in each."""
    first, second = conversation.messages.all()
    drawers = [file_turn(first, "Bees", "honey"), file_turn(second, "The bees", "honey")]
    note = file_note(conversation.instance, "Order frames.", "Bees")
    return [*drawers, note, file_note(conversation.instance, "Queen seen.", "The bees", "hive")]


def wing(name: str) -> Wing:
    return Wing.objects.get(name=name)


def pointers() -> dict[str, str]:
    """Return the drawer of each pointer."""
    return {str(drawer): drawer.content for drawer in Drawer.objects.all()}


class TestMergingWings:
    def test_merged_wing_has_all_drawers_with_the_same_pointers(
        self, alice: User, two_wings: list[Drawer]
    ) -> None:
        before = pointers()
        assert merge_wings(wing("The bees"), wing("Bees"), by=Actor(alice)) == 2
        assert pointers() == before
        assert [w.name for w in Wing.objects.all()] == ["Bees"]
        assert Drawer.objects.filter(closet__room__wing=wing("Bees")).count() == 4

    def test_common_rooms_and_topics_are_combined(
        self, alice: User, conversation: Conversation, two_wings: list[Drawer]
    ) -> None:
        merge_wings(wing("The bees"), wing("Bees"), by=Actor(alice))
        assert Room.objects.get(conversation=conversation).closets.get().drawers.count() == 2
        notes = Room.objects.get(conversation=None)
        assert set(notes.closets.values_list("name", flat=True)) == {"general", "hive"}
        assert not Closet.objects.filter(drawers=None).exists()

    def test_moved_room_gets_an_unused_number(
        self, alice: User, instance: Instance, two_wings: list[Drawer]
    ) -> None:
        other = Conversation.objects.create(instance=instance, title="Winter")
        (message,) = append(other, [NewMessage("user", "They cluster.")]).added
        file_turn(message, "The bees")
        merge_wings(wing("The bees"), wing("Bees"), by=Actor(alice))
        room = Room.objects.get(conversation=other)
        assert room.wing == wing("Bees")
        assert room.number == wing("Bees").last_room == 3
        # The next drawer there gets an unused pointer.
        later = append(other, [NewMessage("user", "And hum.")]).added[0]
        file_turn(later, "Bees")
        assert len(pointers()) == 6

    def test_former_names_find_the_remaining_wing(
        self, alice: User, two_wings: list[Drawer]
    ) -> None:
        Wing.objects.filter(name="The bees").update(aliases=["apiary"])
        expected = preview_wings(wing("The bees"), wing("Bees"))
        merge_wings(wing("The bees"), wing("Bees"), by=Actor(alice))
        assert wing("Bees").aliases == expected.aliases == ["the-bees", "apiary"]

    def test_preview_shows_moved_and_combined_places(
        self, conversation: Conversation, two_wings: list[Drawer]
    ) -> None:
        preview = preview_wings(wing("The bees"), wing("Bees"))
        assert preview.drawers == 2
        assert {
            (move.room.conversation, move.joins is not None, move.drawers) for move in preview.moves
        } == {(conversation, True, 1), (None, True, 1)}
        assert wing("The bees").rooms.count() == 2

    def test_wings_about_two_people_are_not_merged(self, alice: User, instance: Instance) -> None:
        ana, ben = (wing_of(instance, "Work", end_user=name) for name in ("ana", "ben"))
        with pytest.raises(CannotMerge, match="different people"):
            merge_wings(ana, ben, by=Actor(alice))

    def test_wing_is_not_merged_into_itself(self, alice: User, two_wings: list[Drawer]) -> None:
        with pytest.raises(CannotMerge):
            merge_wings(wing("Bees"), wing("Bees"), by=Actor(alice))
        assert Drawer.objects.count() == 4

    def test_activity_names_wings_by_number(self, alice: User, two_wings: list[Drawer]) -> None:
        merge_wings(wing("The bees"), wing("Bees"), by=Actor(alice))
        assert Activity.objects.get().about == "merged W-002 into W-001"


class TestMergingTopics:
    def test_merged_topic_has_all_drawers(self, alice: User, instance: Instance) -> None:
        file_note(instance, "Queen seen.", topic="hive")
        file_note(instance, "Brood seen.", topic="hives")
        hives, hive = Closet.objects.get(slug="hives"), Closet.objects.get(slug="hive")
        assert preview_closets(hives, hive).drawers == 1
        assert merge_closets(hives, hive, by=Actor(alice)) == 1
        assert Closet.objects.get().drawers.count() == 2

    def test_topics_of_two_rooms_are_not_merged(self, alice: User, two_wings: list[Drawer]) -> None:
        one, other = Closet.objects.filter(slug="honey")
        with pytest.raises(CannotMerge, match="same conversation"):
            merge_closets(one, other, by=Actor(alice))


class TestRenaming:
    def test_renamed_wing_is_found_by_its_former_name(
        self, alice: User, two_wings: list[Drawer]
    ) -> None:
        rename(wing("Bees"), "  Пчёлы ", by=Actor(alice), kind="project")
        renamed = wing("Пчёлы")
        assert (renamed.slug, renamed.aliases, renamed.kind) == ("пчёлы", ["bees"], "project")
        rename(renamed, "Bees", by=Actor(alice))
        assert wing("Bees").aliases == ["пчёлы"]

    def test_name_of_another_wing_is_rejected(self, alice: User, two_wings: list[Drawer]) -> None:
        Wing.objects.filter(name="The bees").update(aliases=["apiary"])
        for name in ("the BEES", "Apiary"):
            with pytest.raises(PlaceNameTaken, match="Merge the two"):
                rename(wing("Bees"), name, by=Actor(alice))
        assert wing("Bees").aliases == []

    def test_same_name_for_another_person_is_allowed(self, alice: User, instance: Instance) -> None:
        wing_of(instance, "Work", end_user="ana")
        rename(wing_of(instance, "Job", end_user="ben"), "Work", by=Actor(alice))
        assert Wing.objects.filter(slug="work").count() == 2

    def test_topic_is_renamed(self, alice: User, two_wings: list[Drawer]) -> None:
        closet = Closet.objects.filter(slug="honey")[0]
        rename(closet, "Honey & wax", by=Actor(alice))
        assert Closet.objects.get(pk=closet.pk).slug == "honey-wax"
        closet_of(wing("Bees"), closet.room.conversation, "swarms")
        with pytest.raises(PlaceNameTaken):
            rename(closet, "Swarms", by=Actor(alice))

    @pytest.mark.parametrize("name", ["", "  ", "\u200b"])
    def test_invisible_name_is_rejected(
        self, alice: User, two_wings: list[Drawer], name: str
    ) -> None:
        with pytest.raises(ValueError, match="Enter a name"):
            rename(wing("Bees"), name, by=Actor(alice))
