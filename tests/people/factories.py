"""A person about whom every table of the inventory holds something."""

from datetime import timedelta

from django.utils import timezone

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Import, Message
from instances.actor import Actor
from instances.models import ApiKey, EndUserAlias, Instance, User, Webhook
from memoryapp.documents.writing import NewDocument, put
from memoryapp.forgetting.archive import archive
from memoryapp.forgetting.deletion import forget
from memoryapp.graph.ingestion import EntityMention, NamedEntity, StatementIn, ingest
from memoryapp.health.duplicate_scan import scan_for_duplicates
from memoryapp.models import (
    Answer,
    Contradiction,
    EmbeddingSpace,
    Erasure,
    KeyRequest,
    Memory,
    MemorySource,
    Origin,
    Run,
    SavedFilter,
    Statement,
    Summary,
    Unfiled,
    Usage,
    Withdrawn,
)
from memoryapp.models.erasures import hash_of
from memoryapp.palace.notes import NewNote, add_note
from memoryapp.people.groups import GroupMembers, create_group
from memoryapp.pipeline import Candidate, Changes, RememberOptions, Writer, remember, revise
from tests.palace_factories import file_turn

#: Words that occur only in what is kept about a person who was created here.
WORDS = ("Quokka", "Zanzibar", "Ocarina", "Marzipan", "Heliotrope", "Wolpertinger", "Xanthippe")


def create_person(instance: Instance, end_user: str, *, author: User) -> Conversation:
    """Create rows of every table of the inventory; return the person's conversation."""
    if not instance.webhooks.exists():
        # What is forgotten below is an event for it.
        webhook = Webhook(instance=instance, url="https://example.org", events=["memory.forgotten"])
        webhook.make_secret()
        webhook.save()
    conversation = Conversation.objects.create(
        instance=instance, title="On the Quokka", end_user=end_user, external_id=f"of {end_user}"
    )
    turns = [
        NewMessage("user", "I went to Zanzibar.", author="Xanthippe"),
        NewMessage("assistant", "To hear an Ocarina?"),
        NewMessage("user", "No, for Marzipan."),
    ]
    first, second, third = append(conversation, turns).added
    _remembered(instance, end_user, first, second, author)
    _work(instance, conversation, first, second)
    drawer = file_turn(first, "The Wolpertinger", "Ocarina", people=["Xanthippe"])
    space, _ = EmbeddingSpace.objects.get_or_create(instance=instance, name="drawers")
    drawer.embeddings.create(instance=instance, space=space, embedding=[0.1, 0.2])
    add_note(
        instance,
        NewNote("The Quokka sleeps.", wing="Notes of a Quokka", end_user=end_user),
        by=Actor(author),
    )
    put(
        instance,
        NewDocument(("pets",), f"of {end_user}", {"likes": "the Quokka"}, end_user),
        by=Actor(author),
    )
    who, what = NamedEntity("Xanthippe"), NamedEntity("Ocarina")
    said = timezone.now()
    ingest(
        instance,
        end_user,
        [StatementIn(who, "plays", what, said, drawer_id=drawer.pk)],
        [EntityMention(who, drawer_id=drawer.pk)],
    )
    Withdrawn.objects.create(instance=instance, drawer=drawer)
    Summary.objects.create(instance=instance, end_user=end_user, text="Was in Zanzibar.")
    Unfiled.objects.get_or_create(instance=instance, message=third)
    SavedFilter.objects.create(
        instance=instance, user=author, name=f"Of {end_user}", query=f"user={end_user}"
    )
    key = ApiKey(instance=instance, name="Phone", scopes=["read"], end_user=end_user)
    key.make_secret()
    key.save()
    KeyRequest.objects.note(key, KeyRequest.Door.CHAT, client="", end_user=end_user, kept=2)
    EndUserAlias.objects.create(instance=instance, alias=f"{end_user}.old", end_user=end_user)
    circle = f"Circle {instance.groups.count()}"
    create_group(instance, circle, GroupMembers([end_user]), by=Actor(author))
    Instance.objects.filter(pk=instance.pk).update(has_aliases=True)
    instance.refresh_from_db()
    Erasure.objects.create(
        instance=instance,
        state=Erasure.State.DONE,
        hashes=[hash_of(instance.pk, end_user)],
        asked_by="somebody, long ago",
        asked_at=timezone.now() - timedelta(days=400),
        via="screen",
    )
    assert Statement.objects.filter(instance=instance, end_user=end_user).exists()
    return conversation


def _remembered(
    instance: Instance, end_user: str, first: Message, second: Message, author: User
) -> None:
    writer = Writer(Origin.MANUAL, Actor(author, "test"))

    def learn(content: str, message: Message) -> Memory:
        candidate = Candidate(
            content,
            end_user=end_user,
            conversation_id=message.conversation_id,
            message_id=message.pk,
        )
        return remember(instance, [candidate], writer, RememberOptions(ask_model=False))[0].memory

    journey = learn("The user went to Zanzibar on a Quokka.", first)
    sweets = learn("The user eats Marzipan at noon.", second)
    gone = learn("The user plays the Heliotrope.", second)
    in_bin = learn("The user sold a Wolpertinger.", second)
    revise(
        journey,
        Changes("The user lives in Zanzibar with a Quokka.", "fact", 7),
        by=Actor(author),
    )
    Contradiction.objects.note(journey, [sweets.pk])
    plays = NewNote("On music. The user plays the Heliotrope.", wing="Music", end_user=end_user)
    add_note(instance, plays, by=Actor(author))
    forget(instance, Memory.objects.filter(pk=gone.pk), by=Actor(author), never_again=True)
    archive(instance, Memory.objects.filter(pk=in_bin.pk), by=Actor(author))
    scan_for_duplicates(instance, seconds=60)
    instance.refused.create(
        conversation=first.conversation,
        message=first,
        end_user=end_user,
        content="The Wolpertinger sings.",
        reason="name",
        words="names a Wolpertinger",
    )
    instance.golden_questions.create(
        text="Who was in Zanzibar?", end_user=end_user, memories=[gone.pk]
    )
    # Lifted: an active one would refuse the erasure.
    instance.legal_holds.create(
        name="A case",
        scope="person",
        end_user=end_user,
        set_by_name="test",
        lifted_at=timezone.now(),
        lifted_by_name="test",
    )
    instance.held.create(
        conversation=first.conversation,
        message=first,
        end_user=end_user,
        content="The Wolpertinger obeys.",
        tier=1,
        reason="instruction",
        digest=f"held about {end_user}",
    )
    assert MemorySource.objects.filter(memory=journey).exists()


def _work(instance: Instance, conversation: Conversation, message: Message, reply: Message) -> None:
    run = Run.objects.create(instance=instance, conversation=conversation, state="failed")
    Usage.objects.create(
        instance=instance,
        run=run,
        source="chat",
        model="any",
        host="models.example",
        end_user=conversation.end_user,
        people=1,
        error="It said: Zanzibar?",
    )
    answer = Answer.objects.create(
        instance=instance,
        conversation=conversation,
        message=message,
        reply=reply,
        state=Answer.State.DONE,
    )
    answer.recalls.create(instance=instance, problem="The Marzipan is burnt.")
    answer.tool_runs.create(instance=instance, name="search_memory", outcome="2 memories")
    answer.proposed_deletions.create(
        instance=instance, memory_id=1, memory_updated_at=timezone.now()
    )
    brought = Import.objects.create(
        instance=instance,
        filename="talks.json",
        state=Import.State.SUCCEEDED,
        titles=["On the Quokka"],
        skipped=["Message 2 of “On the Quokka” is empty."],
    )
    brought.add_conversation(conversation)
