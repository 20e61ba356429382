"""Two ids of one person: everything becomes the first's, now and later, and no value is lost."""

from datetime import timedelta

import pytest
from django.utils import timezone

from conversations.models import Conversation
from instances.actor import Actor
from instances.models import EndUserAlias, Instance, User
from memoryapp.forgetting.deletion import forget
from memoryapp.models import (
    AuditRecord,
    Contradiction,
    Entity,
    Erasure,
    Memory,
    Origin,
    Run,
    Summary,
    SuppressedStatement,
    SuppressionRule,
    Wing,
)
from memoryapp.palace.notes import NewNote, add_note
from memoryapp.people.inventory import HOLDINGS, Person, counts_of, has_end_user
from memoryapp.people.joining import CannotJoin, join, preview
from memoryapp.pipeline import Candidate, RememberOptions, Suppressed, Writer, remember
from memoryapp.pipeline.duplicate_merge import DuplicateGroup
from memoryapp.pipeline.duplicate_merge import join as merge_duplicates
from memoryapp.pipeline.undo import undo
from memoryapp.recall import recall
from memoryapp.recall.options import RecallOptions
from tests.people.factories import create_person

ANA, MAIL = "ana", "ana@example.org"


@pytest.fixture
def joined(instance: Instance, alice: User) -> Instance:
    """Both ids have something in every table, and were joined."""
    for end_user in (ANA, MAIL):
        create_person(instance, end_user, author=alice)
    join(instance, ANA, MAIL, by=Actor(alice), typed=MAIL)
    return Instance.objects.get(pk=instance.pk)


def told(instance: Instance, content: str, end_user: str, **fields: object) -> Memory:
    writer = Writer(Origin.MANUAL, Actor(via="test"))
    candidate = Candidate(content, end_user=end_user, **fields)  # type: ignore[arg-type]
    return remember(instance, [candidate], writer, RememberOptions(ask_model=False))[0].memory


def test_everything_becomes_that_of_the_first(joined: Instance) -> None:
    person = Person.of(joined, ANA)
    assert person.ids == (ANA, f"{ANA}.old", MAIL, f"{MAIL}.old")
    for model in (holding.model for holding in HOLDINGS if has_end_user(holding.model)):
        if model not in (SuppressionRule, SuppressedStatement, EndUserAlias, AuditRecord):
            rows = model._base_manager.filter(instance=joined)
            assert set(rows.values_list("end_user", flat=True)) == {ANA}, model
    assert Conversation.objects.filter(end_user=ANA).count() == 2
    # The never-again rules and the audit log keep the id with which their hashes were made.
    assert counts_of(person)["memoryapp.SuppressionRule"] == 2


def test_subjects_and_things_of_one_name_are_merged(joined: Instance) -> None:
    assert Wing.objects.filter(name="The Wolpertinger").count() == 1
    assert Entity.objects.filter(name="Xanthippe").count() == 1


def test_what_comes_in_later_counts_as_the_first(joined: Instance) -> None:
    assert told(joined, "The user collects stamps.", MAIL).end_user == ANA
    begun = Conversation.objects.create(instance=joined, end_user=MAIL)
    assert begun.end_user == ANA
    note = NewNote("Stamps are in the attic.", wing="Stamps", end_user=MAIL)
    assert add_note(joined, note, by=Actor(via="test")).end_user == ANA
    other = Conversation.objects.create(instance=joined, end_user="ben")
    assert other.end_user == "ben"


def test_either_id_finds_the_same(joined: Instance) -> None:
    told(joined, "The user collects stamps.", ANA)
    for end_user in (ANA, MAIL):
        found = recall(joined, "Which stamps?", RecallOptions(end_user=end_user)).hits
        assert "The user collects stamps." in [hit.content for hit in found]


def test_two_values_of_a_key_stand_side_by_side(instance: Instance, alice: User) -> None:
    city = {"key": "home_city", "said_at": timezone.now() - timedelta(days=2)}
    earlier = told(instance, "The user lives in Ghent.", ANA, value="Ghent", **city)
    later = told(
        instance,
        "The user lives in Lyon.",
        MAIL,
        **city | {"value": "Lyon", "said_at": timezone.now()},
    )
    (conflict,) = preview(instance, ANA, MAIL).conflicts
    assert (conflict.kept, conflict.beside) == (later, earlier)
    join(instance, ANA, MAIL, by=Actor(alice), typed=MAIL)
    earlier.refresh_from_db()
    later.refresh_from_db()
    assert (earlier.content, earlier.key) == ("The user lives in Ghent.", "")
    assert (later.key, later.value, later.end_user) == ("home_city", "Lyon", ANA)
    assert earlier.revisions.get().value == "Ghent"
    assert Contradiction.objects.unresolved().of(later) == [earlier]


def test_merged_memories_are_split_for_the_joined_person(instance: Instance, alice: User) -> None:
    kept, other = told(instance, "Ana rows.", MAIL), told(instance, "Ana plays chess.", MAIL)
    seen = {memory.pk: memory.updated_at for memory in (kept, other)}
    group = DuplicateGroup(kept.pk, [other.pk])
    (revision,) = merge_duplicates(instance, [group], seen, by=Actor(alice))
    told(instance, "Ana sails.", ANA)
    join(instance, ANA, MAIL, by=Actor(alice), typed=MAIL)
    revision.refresh_from_db()
    undo(revision, by=Actor(alice))
    assert set(Memory.objects.values_list("end_user", flat=True)) == {ANA}
    assert Memory.objects.count() == 3


def test_the_same_value_is_no_contradiction(instance: Instance, alice: User) -> None:
    for end_user, city in ((ANA, "Ghent"), (MAIL, "ghent")):
        told(instance, f"The user lives in {city}.", end_user, key="home_city", value=city)
    join(instance, ANA, MAIL, by=Actor(alice), typed=MAIL)
    assert Memory.objects.count() == 2
    assert not Contradiction.objects.exists()


def test_keys_with_many_values_stay(instance: Instance, alice: User) -> None:
    for end_user, what in ((ANA, "nuts"), (MAIL, "penicillin")):
        told(instance, f"The user is allergic to {what}.", end_user, key="allergy", value=what)
    join(instance, ANA, MAIL, by=Actor(alice), typed=MAIL)
    assert Memory.objects.filter(key="allergy", end_user=ANA).count() == 2


def test_what_was_forgotten_for_good_is_not_learned_as_the_other(
    instance: Instance, alice: User
) -> None:
    told(instance, "The user collects stamps.", ANA)
    gone = told(instance, "The user is afraid of geese.", MAIL)
    forget(instance, Memory.objects.filter(pk=gone.pk), by=Actor(alice), never_again=True)
    join(instance, ANA, MAIL, by=Actor(alice), typed=MAIL)
    with pytest.raises(Suppressed):
        told(Instance.objects.get(pk=instance.pk), "The user is afraid of geese.", ANA)


def test_summary_is_written_anew(instance: Instance, alice: User) -> None:
    for end_user in (ANA, MAIL):
        told(instance, "The user collects stamps.", end_user)
        Summary.objects.update_or_create(
            instance=instance, end_user=end_user, defaults={"text": "Collects stamps."}
        )
    join(instance, ANA, MAIL, by=Actor(alice), typed=MAIL)
    assert list(Summary.objects.values_list("end_user", "text")) == [(ANA, "")]


def test_an_erasure_takes_all_ids(joined: Instance, alice: User) -> None:
    person = Person.of(joined, MAIL)
    assert person == Person.of(joined, ANA)
    assert EndUserAlias.objects.filter(instance=joined, end_user=ANA).count() == 3


@pytest.mark.parametrize(
    ("other", "typed", "reason"),
    [
        ("", "", "Enter two ids"),
        (ANA, ANA, "already the same person"),
        ("nobody", "nobody", "Nothing is stored about"),
        (MAIL, "ana@example", "to confirm"),
    ],
)
def test_refusals(other: str, typed: str, reason: str, instance: Instance, alice: User) -> None:
    for end_user in (ANA, MAIL):
        told(instance, "The user collects stamps.", end_user)
    with pytest.raises(CannotJoin, match=reason):
        join(instance, ANA, other, by=Actor(alice), typed=typed)
    assert set(Memory.objects.values_list("end_user", flat=True)) == {ANA, MAIL}


def test_it_waits_for_work_on_the_other(instance: Instance, alice: User) -> None:
    told(instance, "The user collects stamps.", ANA)
    read = Conversation.objects.create(instance=instance, end_user=MAIL)
    Run.objects.create(instance=instance, conversation=read, state=Run.State.RUNNING)
    with pytest.raises(CannotJoin, match="being read"):
        join(instance, ANA, MAIL, by=Actor(alice), typed=MAIL)
    Run.objects.all().delete()
    Erasure.objects.create(instance=instance, ids=[MAIL], asked_by="alice", via="screen")
    with pytest.raises(CannotJoin, match="being erased"):
        join(instance, ANA, MAIL, by=Actor(alice), typed=MAIL)
