"""Filing of messages: once, in their place, with permanent pointers."""

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from conversations.search import TextQuery, best_by_words
from instances.actor import Actor
from instances.models import Instance
from instances.signals import language_changed
from memoryapp.embeddings.drawer_text import text_to_embed
from memoryapp.embeddings.drawer_vectors import embed_drawers
from memoryapp.embeddings.search_text import write_missing_search_text
from memoryapp.models import Closet, Drawer, Palace, Room, Unfiled, Wing, WingKind
from memoryapp.models.aaak import Tags, parse
from memoryapp.palace.filing import PlacedMessage, file_messages
from memoryapp.trust.conversation_deletion import forget_conversation
from tests.palace.conftest import turns_of


def put(talk: Conversation, *placed: PlacedMessage) -> list[Drawer]:
    with transaction.atomic():
        return file_messages(talk, placed)


def under(talk: Conversation, wing: str, **more: object) -> list[Drawer]:
    return put(talk, *(PlacedMessage(turn.pk, wing, **more) for turn in turns_of(talk)))  # type: ignore[arg-type]  # by name


def search(instance: Instance, question: str) -> list[str]:
    """Return the drawers found by words."""
    query = TextQuery.parse(question, instance_id=instance.pk, languages=instance.search_languages)
    ids = best_by_words(Drawer.objects.filter(instance=instance), query, limit=10)
    return [Drawer.objects.get(pk=pk).content for pk in ids]


def test_messages_are_filed_in_their_places(talk: Conversation) -> None:
    stove, fitter, thursday, cooker = turns_of(talk)
    tags = Tags(people=("the fitter", " ", "the fitter"), times=("Thursday",))
    drawers = put(
        talk,
        PlacedMessage(cooker.pk, "Camping"),
        PlacedMessage(stove.pk, "Kitchen", WingKind.PROJECT, topic="Stove"),
        PlacedMessage(fitter.pk, "kitchen", topic="Fitter"),
        PlacedMessage(thursday.pk, "Kitchen", topic="fitter", tags=tags),
    )
    assert [(str(drawer), drawer.content) for drawer in drawers] == [
        ("§ W-001/R-01/D-001", stove.content),
        ("§ W-001/R-01/D-002", fitter.content),
        ("§ W-001/R-01/D-003", thursday.content),
        ("§ W-002/R-01/D-001", cooker.content),
    ]
    places = Drawer.objects.values_list(
        "closet__room__wing__name", "closet__room__conversation", "closet__name"
    )
    assert list(places) == [
        ("Kitchen", talk.pk, "Stove"),
        ("Kitchen", talk.pk, "Fitter"),
        ("Kitchen", talk.pk, "Fitter"),
        ("Camping", talk.pk, "general"),
    ]
    assert Wing.objects.get(slug="kitchen").kind == WingKind.PROJECT
    assert drawers[2].aaak == "§ W-001/R-01/D-003 @p the fitter @t Thursday"
    assert parse(drawers[2].aaak).tags == drawers[2].tags
    assert drawers[2].said_at == thursday.sent_at


def test_number_of_messages_does_not_change_the_number_of_queries(
    talk: Conversation, instance: Instance
) -> None:
    other = Conversation.objects.create(instance=instance)
    append(other, [NewMessage("user", f"The stove is number {n}.") for n in range(60)])
    with CaptureQueriesContext(connection) as few:
        assert len(under(talk, "stove")) == len(turns_of(talk))
    with CaptureQueriesContext(connection) as many:
        assert len(under(other, "stove")) == 60
    assert len(many) <= len(few)


def test_filing_twice_adds_nothing(talk: Conversation) -> None:
    assert len(under(talk, "Kitchen")) == 4
    assert under(talk, "Somewhere else") == []
    assert [wing.name for wing in Wing.objects.all()] == ["Kitchen"]


def test_messages_of_other_conversations_are_ignored(
    talk: Conversation, conversation: Conversation
) -> None:
    other = conversation.messages.all()[0]
    no_turns = talk.messages.filter(role__in=["system", "tool"])
    assert (
        put(talk, PlacedMessage(other.pk, "x"), *(PlacedMessage(turn.pk, "x") for turn in no_turns))
        == []
    )
    assert not Wing.objects.exists()


def test_unfiled_message_is_not_filed_again(talk: Conversation) -> None:
    turn = turns_of(talk)[0]
    Unfiled.objects.filter(message=turn).update(stays_out=True)
    assert turn.content not in [drawer.content for drawer in under(talk, "Kitchen")]


@pytest.mark.parametrize("name", ["رحلة إلى القاهرة", "東京への旅", "Ремонт кухни", "🐝"])
def test_subject_in_any_script_has_its_own_wing(talk: Conversation, name: str) -> None:
    other = Conversation.objects.create(instance=talk.instance, title="More of it")
    append(other, [NewMessage("user", "And another thing.")])
    under(talk, "Kitchen")
    (drawer,) = under(other, f" {name} ")
    wing = Wing.objects.get(number=2)
    assert (wing.name, str(drawer)) == (name, "§ W-002/R-01/D-001")
    assert wing.slug
    assert drawer in talk.instance.drawers.by_pointer(" w-2/r-1/d-1 ")
    again = Conversation.objects.create(instance=talk.instance, title="Even more")
    append(again, [NewMessage("user", "One last thing.")])
    under(again, name)
    assert wing.rooms.count() == 2


def test_wing_is_found_by_an_alias(talk: Conversation) -> None:
    stove, fitter, thursday, cooker = turns_of(talk)
    put(
        talk,
        PlacedMessage(stove.pk, "Dr. Anna Moser", WingKind.PERSON, aliases=("Anni",)),
        PlacedMessage(fitter.pk, "Moser, Anna"),
        PlacedMessage(thursday.pk, "anni"),
        PlacedMessage(cooker.pk, "Annie"),
    )
    assert {wing.name: wing.rooms.count() for wing in Wing.objects.all()} == {
        "Dr. Anna Moser": 1,
        "Annie": 1,
    }


def test_wings_are_separate_for_each_person(talk: Conversation, instance: Instance) -> None:
    other = Conversation.objects.create(instance=instance, end_user="ben")
    append(other, [NewMessage("user", "My kitchen is blue.")])
    under(talk, "Kitchen")
    (drawer,) = under(other, "Kitchen")
    assert str(drawer) == "§ W-002/R-01/D-001"
    assert drawer.end_user == drawer.closet.room.wing.end_user == "ben"


def test_numbers_are_never_reused(talk: Conversation, instance: Instance) -> None:
    drawers = under(talk, "Kitchen")
    gone = str(drawers[-1])
    drawers[-1].delete()
    append(talk, [NewMessage("user", "It is here.")])
    Unfiled.objects.filter(message=turns_of(talk)[3]).update(stays_out=True)
    (drawer,) = under(talk, "Kitchen")
    assert str(drawer) != gone
    forget_conversation(talk, with_memories=False, by=Actor())
    assert not Wing.objects.exists()
    again = Conversation.objects.create(instance=instance, title="Kitchen renovation")
    append(again, [NewMessage("user", "Once more from the start.")])
    (drawer,) = under(again, "Kitchen")
    assert str(drawer) == "§ W-002/R-01/D-001"


def test_large_numbers_are_found_by_their_pointer(talk: Conversation, instance: Instance) -> None:
    Palace.objects.create(instance=instance, last_wing=98_765)
    drawers = under(talk, "Kitchen")
    assert str(drawers[0]) == "§ W-98766/R-01/D-001"
    for drawer in drawers:
        assert instance.drawers.by_pointer(str(drawer)).get() == drawer
    assert not instance.drawers.by_pointer("W-1").exists()
    assert not instance.drawers.by_pointer("no pointer at all").exists()


# Words and vectors


def test_drawer_is_found_by_its_words_tags_and_the_previous_message(talk: Conversation) -> None:
    stove, fitter, thursday, _ = turns_of(talk)
    put(
        talk,
        PlacedMessage(stove.pk, "Kitchen"),
        PlacedMessage(fitter.pk, "Kitchen"),
        PlacedMessage(thursday.pk, "Kitchen", tags=Tags(people=("Kowalski",))),
    )
    assert set(search(talk.instance, "stoves")) == {stove.content, fitter.content}
    assert search(talk.instance, "Kowalski") == [thursday.content]
    assert set(search(talk.instance, "Is the fitter here?")) == {fitter.content, thursday.content}
    assert search(talk.instance, "weather Sunny brief") == [], "unrelated words match"


def test_secrets_and_recalled_context_are_not_searchable(instance: Instance) -> None:
    talk = Conversation.objects.create(instance=instance)
    recalled = "<memory_context>The user collects stamps.</memory_context>"
    append(
        talk,
        [
            NewMessage("user", f"{recalled} My card is 4111 1111 1111 1111, from Lyon."),
            NewMessage("user", "I like tea. My password is somewhere in here. I like cocoa."),
            NewMessage("user", "My password is hunter2secret."),
        ],
    )
    drawers = under(talk, "Cards")
    assert len(search(instance, "Lyon")) == 2, "the previous message is not searched"
    assert search(instance, "tea cocoa password")
    for secret in ("stamps", "4111 1111", "hunter2secret", "somewhere"):
        assert search(instance, secret) == []
    texts = [text_to_embed(instance, drawer) for drawer in drawers]
    assert texts == [
        "My card is [REDACTED:CARD], from Lyon.",
        "I like tea. I like cocoa.",
        "My password is [REDACTED:PASSWORD].",
    ]
    assert Drawer.objects.get(pk=drawers[0].pk).content.startswith(recalled), (
        "the stored text was changed"
    )


def test_text_of_any_length_is_filed_and_embedded(instance: Instance) -> None:
    talk = Conversation.objects.create(instance=instance)
    words = " ".join(f"字{number:x}" for number in range(60_000))
    append(
        talk, [NewMessage("user", words), NewMessage("user", words), NewMessage("user", "\u200b ⚠️")]
    )
    drawers = under(talk, "Long")
    assert len(text_to_embed(instance, drawers[1]).encode()) <= 8_000
    assert embed_drawers(instance, [drawer.pk for drawer in drawers]) == 3
    assert Drawer.objects.filter(embeddings__isnull=False).count() == 3


def test_vectors_are_created_once_and_not_for_deleted_drawers(talk: Conversation) -> None:
    drawers = under(talk, "Kitchen")
    ids = [drawer.pk for drawer in drawers]
    drawers[0].delete()
    assert embed_drawers(talk.instance, ids) == 3
    embed_drawers(talk.instance, ids)
    assert sorted(d.embeddings.count() for d in Drawer.objects.all()) == [1, 1, 1]


def test_words_of_a_deleted_message_are_removed_from_its_neighbour(talk: Conversation) -> None:
    stove, fitter, *_ = turns_of(talk)
    under(talk, "Kitchen")
    assert fitter.content in search(talk.instance, "stove")
    stove.delete()
    assert Drawer.objects.filter(search=None).count() == 3
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM memoryapp_drawer WHERE search::text LIKE '%stove%'")
        assert cursor.fetchone() == (0,)
    assert write_missing_search_text(talk.instance) == 3
    assert search(talk.instance, "stove") == []
    assert fitter.content in search(talk.instance, "fitter")
    assert write_missing_search_text(talk.instance) == 0


def test_change_of_language_rebuilds_the_text_index(talk: Conversation) -> None:
    under(talk, "Kitchen")
    assert search(talk.instance, "arriving")
    Instance.objects.update(language="simple")
    instance = Instance.objects.get()
    language_changed.send(sender=Instance, instance=instance)
    assert write_missing_search_text(instance) == 4
    assert search(instance, "arriving") == []
    assert search(instance, "arrives")


def test_empty_places_are_deleted(talk: Conversation) -> None:
    under(talk, "Kitchen")
    for message in Message.objects.all():
        message.delete()
    for model in (Drawer, Closet, Room, Wing):
        assert not model.objects.exists()
