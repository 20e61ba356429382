"""Permissions to create, see and delete instances, and complete deletion of their rows."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from django.apps import apps
from django.core.files.base import ContentFile
from django.db.models import ForeignKey, Model
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from conversations.messages import NewMessage, append
from conversations.models import Conversation, CountedTexts, Import, Message, WordCount
from instances.actor import Actor
from instances.models import (
    AccessToken,
    Agent,
    AuthorizationCode,
    CircuitBreaker,
    HashKey,
    Instance,
    Membership,
    OAuthClient,
    RefreshToken,
    Secret,
    SecretName,
    User,
    Webhook,
)
from instances.oauth.connections import connect
from instances.tiers import Tier
from memoryapp.documents.writing import NewDocument, put
from memoryapp.forgetting.archive import archive
from memoryapp.graph.ingestion import NamedEntity, StatementIn, ingest
from memoryapp.models import (
    Activity,
    Answer,
    AuditRecord,
    Contradiction,
    EmbeddingSpace,
    IdempotentRequest,
    LegalHold,
    Memory,
    MutedNote,
    Origin,
    Palace,
    RefusedProposal,
    Run,
    SavedFilter,
    Summary,
    Usage,
    Wing,
    Withdrawn,
)
from memoryapp.people.groups import GroupMembers, create_group
from memoryapp.pipeline import Candidate, Changes, Writer, remember, revise


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


# Creation


def test_superadmin_creates_shared_and_private_instances(dana: User) -> None:
    client = signed_in(dana)
    assert 'name="private"' in client.get("/instances/new").content.decode()
    response = client.post("/instances/new", {"name": "Front desk"})
    assert response["Location"] == "/welcome/front-desk"
    client.post("/instances/new", {"name": "Notes", "slug": "my-notes", "private": "on"})
    assert Instance.objects.get(slug="front-desk").private_to is None
    assert Instance.objects.get(slug__startswith="my-notes--").private_to == dana


@pytest.mark.parametrize(
    ("given", "expected"),
    [("Asia/Tokyo", "Asia/Tokyo"), ("", "UTC"), ("Mars/North", "UTC"), ("../etc", "UTC")],
)
def test_new_instance_has_the_time_zone_of_the_browser(
    given: str, expected: str, dana: User
) -> None:
    signed_in(dana).post("/instances/new", {"name": "Front desk", "time_zone": given})
    assert Instance.objects.get().time_zone == expected


def test_other_users_create_only_private_instances(as_alice: Client, alice: User) -> None:
    page = as_alice.get("/instances/new").content.decode()
    assert 'name="private"' not in page
    assert "It will be private" in page
    created_url = as_alice.post("/instances/new", {"name": "Notes"})["Location"]
    as_alice.post("/instances/new", {"name": "More notes", "private": "", "private_to": ""})
    assert set(Instance.objects.values_list("private_to", flat=True)) == {alice.pk}
    assert Instance.objects.count() == 2
    assert as_alice.get(created_url).status_code == 200


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"name": ""}, {"name"}),
        ({"name": "x" * 101}, {"name"}),
        ({"name": "Notes", "slug": "not a slug"}, {"slug"}),
        ({"name": "Notes", "slug": "../notes"}, {"slug"}),
        ({"name": "Notes", "slug": "x" * 61}, {"slug"}),
        ({"name": "Notes", "slug": "new"}, {"slug"}),
        ({"name": "Notes", "slug": "desk"}, {"slug"}),
        ({"name": "Notes", "slug": "my--notes"}, {"slug"}),
    ],
)
def test_invalid_slug_is_rejected(
    fields: dict[str, str], wrong: set[str], dana: User, instance: Instance
) -> None:
    response = signed_in(dana).post("/instances/new", fields)
    assert response.status_code == 422
    assert set(response.context["form"].errors) == wrong
    assert Instance.objects.count() == 1


def test_slug_of_a_shared_instance_does_not_reveal_private_ones(
    as_alice: Client, dana: User
) -> None:
    """A superadmin gets the same answers whether private instances exist or not."""

    def created(client: Client, **fields: str) -> str:
        response = client.post("/instances/new", fields)
        return str(response["Location"]).split("/")[2] if response.status_code == 302 else "refused"

    private = created(as_alice, name="Therapy")
    assert re.fullmatch("therapy--[0-9a-f]{6}", private)
    superadmin = signed_in(dana)
    assert created(superadmin, name="Therapy") == "therapy"
    assert created(superadmin, name="Therapy") == "therapy-2"
    assert created(superadmin, name="Therapy") == "therapy-3"
    # Slugs of private instances are not available, whether they exist or not.
    assert created(superadmin, name="Any", slug=private) == "refused"
    assert created(superadmin, name="Any", slug="therapy--000000") == "refused"
    for name in ("x" * 100, "a -- b", "-", "–––", "x" * 55 + " - y"):
        assert "--" not in created(superadmin, name=name)
        assert "--" in created(as_alice, name=name)


def test_list_shows_own_instances_with_permitted_links(
    alice: User, bob: User, charlie: User, dana: User, instance: Instance, private: Instance
) -> None:
    def page(user: User) -> str:
        # Leave out the frame, which also names the instances.
        page = signed_in(user).get("/instances").content.decode()
        return page.partition("<main")[2].partition("</main>")[0]

    assert "/instances/desk/settings" in page(alice)
    assert "/instances/diary/settings" in page(alice)
    assert "/memory?instance=desk" in page(bob)
    assert "Details" in page(bob) and "Settings<" not in page(bob)
    assert "Diary" not in page(bob)
    assert "No instances yet" in page(charlie)
    assert "/instances/desk/settings" in page(dana)
    assert "Diary" not in page(dana)


# Deletion


@pytest.fixture
def full(instance: Instance, alice: User, settings: Settings, tmp_path: Path) -> Instance:
    """The instance with a row in every table that belongs to instances."""
    return fill(instance, alice)


def fill(instance: Instance, user: User) -> Instance:
    # What happens below is an event for it.
    webhook = Webhook(instance=instance, url="https://example.org", events=["memory.learned"])
    webhook.make_secret()
    webhook.save()
    put(instance, NewDocument(("notes",), "bees", {"hives": 2}), by=Actor(user))
    CircuitBreaker.objects.create(instance=instance, server="https://api.openai.com")
    secret = Secret(instance=instance, name=SecretName.CHAT_API_KEY)
    secret.seal("sk-0123456789abcdef", "https://api.openai.com/v1")
    secret.save()
    agent = Agent.objects.create(instance=instance, slug="nora", name="Nora")
    conversation = Conversation.objects.create(instance=instance, agent=agent, title="Talk")
    # The second message stays unfiled.
    turns = [NewMessage("user", "I keep bees."), NewMessage("assistant", "How many hives?")]
    message = append(conversation, turns).added[0]
    candidate = Candidate(
        "The user keeps bees.", conversation_id=conversation.pk, message_id=message.pk
    )
    (outcome,) = remember(instance, [candidate], Writer(Origin.MANUAL, Actor(user, "test")))
    revise(outcome.memory, Changes("The user keeps wasps.", "fact", 5), by=Actor(user))
    outcome.memory.revisions.update(source=outcome.memory.sources.earliest("pk"))
    run = Run.objects.create(instance=instance, conversation=conversation, state="queued")
    Usage.objects.create(instance=instance, run=run, source="memory_extract", model="any")
    RefusedProposal.objects.create(
        instance=instance,
        run=run,
        conversation=conversation,
        message=message,
        content="No bees.",
        reason="unsupported",
    )
    instance.held.create(
        conversation=conversation, message=message, content="No bees.", tier=1, reason="tier"
    )
    (other,) = remember(
        instance,
        [Candidate("The user keeps no bees.")],
        Writer(Origin.MANUAL, Actor(user, "test"), tier=Tier.PERSON),
    )
    Contradiction.objects.note(outcome.memory, [other.memory.pk])
    import_ = Import.objects.create(
        instance=instance, by=user, filename="x.jsonl", file=ContentFile(b"x", name="x.jsonl")
    )
    import_.add_conversation(conversation)
    Membership.objects.get_or_create(instance=instance, user=user)
    instance.invitations.create(username="nobody")
    HashKey.of(instance.pk)
    instance.circuit_breakers.create(server="https://api.example.com:443")
    Summary.objects.get_or_create(instance=instance, end_user="")
    SavedFilter.objects.create(instance=instance, user=user, name="Facts", query="category=fact")
    key = instance.api_keys.create(
        name="Any", prefix="ks_any", digest=f"{instance.pk}", scopes=["read"]
    )
    key.requests.create(instance=instance, door="v1")
    app = OAuthClient.objects.create(name="Any", client_type="public")
    connection = connect(app, user, instance, ["read"])
    until = {"user": user, "application": app, "key": connection}
    AuthorizationCode.objects.create(code=f"c{instance.pk}", expires=timezone.now(), **until)
    token = AccessToken.objects.create(token=f"t{instance.pk}", expires=timezone.now(), **until)
    renewed = RefreshToken.objects.create(token=f"r{instance.pk}", access_token=token, **until)
    token.source_refresh_token = renewed
    token.save()
    answer = Answer.objects.create(
        instance=instance,
        conversation=conversation,
        message=message,
        reply=append(conversation, [NewMessage("assistant", "How many hives?")]).added[0],
        replaces=append(conversation, [NewMessage("assistant", "I see.")]).added[0],
    )
    (hummed,) = append(conversation, [NewMessage("user", "I hum.")]).added
    in_bin = Candidate("The user hums.", conversation_id=conversation.pk, message_id=hummed.pk)
    (hums,) = remember(instance, [in_bin], Writer(Origin.MANUAL, Actor(user, "test")))
    archive(instance, Memory.objects.filter(pk=hums.memory.pk), by=Actor(user))
    Message.objects.filter(instance=instance).update(api_key=instance.api_keys.get(client=None))
    instance.suppression_rules.create(memory_id=7, words=b"", via="screen")
    instance.aliases.create(alias="old", end_user="new")
    instance.erasures.create(asked_by="alice", via="screen")
    create_group(instance, "Family", GroupMembers(["new"], instance.agents.all()), by=Actor(user))
    instance.retention_rules.create(kept="usage", days=365)
    instance.golden_questions.create(text="Where?", memories=[1])
    instance.golden_rounds.create(cause="nightly")
    # Lifted: an active one would keep the instance.
    LegalHold.objects.create(
        instance=instance,
        conversation=conversation,
        name="A case",
        scope="conversation",
        set_by_name="alice",
        lifted_at=timezone.now(),
    )
    instance.suppressed_statements.create(message=message, memory_id=7, whole=True)
    embedding = outcome.memory.embeddings.get()
    space = embedding.space
    (twin,) = remember(
        instance,
        [Candidate("It rains in Cork.")],
        Writer(Origin.MANUAL, Actor(user, "test"), tier=Tier.PERSON),
    )
    embedding.likenesses.create(
        instance=instance,
        space=space,
        other=twin.memory.embeddings.get(),
        similarity=0.5,
        nearest=True,
    )
    instance.embedding_jobs.create(kind="fill_in", space=space, former_space=space)
    file_a_turn(message, outcome.memory, space)
    instance.vector_indexes.create(space=space, of="memory", dimensions=384)
    counted = {"instance": instance, "table": "memoryapp_memory", "texts": 200}
    CountedTexts.objects.create(**counted, counted_at=timezone.now())
    WordCount.objects.create(**counted, stem="'bee'")
    answer.recalls.create(instance=instance)
    answer.tool_runs.create(instance=instance, name="search_memory")
    answer.proposed_deletions.create(
        instance=instance, memory_id=1, memory_updated_at=timezone.now()
    )
    IdempotentRequest.objects.create(
        instance=instance, key_digest="k", request_digest="r", lease_until=timezone.now()
    )
    return instance


def file_a_turn(message: Message, memory: Memory, space: EmbeddingSpace) -> None:
    instance = message.instance
    Palace.objects.update_or_create(instance=instance, defaults={"last_wing": 1})
    wing = Wing.objects.create(instance=instance, number=1, name="Bees", slug="bees")
    room = wing.rooms.create(instance=instance, conversation=message.conversation, number=1)
    closet = room.closets.create(instance=instance, name="Hives", slug="hives")
    drawer = closet.drawers.create(
        instance=instance, message=message, wing_number=1, room_number=1, number=1
    )
    drawer.embeddings.create(instance=instance, space=space, embedding=[1.0, 0.0])
    statement = StatementIn(NamedEntity("Anna"), "owns", NamedEntity("Acme"), timezone.now())
    ingest(
        instance,
        "",
        [replace(statement, drawer_id=drawer.pk), replace(statement, memory_id=memory.pk)],
    )
    instance.held.create(drawer=drawer, tier=5, reason="shared", digest="to share")
    MutedNote.objects.create(instance=instance, drawer=drawer)
    Withdrawn.objects.create(instance=instance, drawer=drawer)
    Withdrawn.objects.create(instance=instance, memory=memory)


def paths_to_instance(model: type[Model], visited: tuple[type[Model], ...] = ()) -> Iterator[str]:
    """Yield every chain of foreign keys from *model* to its instance, as a filter lookup."""
    for field in model._meta.get_fields():
        if not isinstance(field, ForeignKey):
            continue
        parent = field.related_model
        if parent is Instance:
            yield field.name
        elif isinstance(parent, type) and parent not in (*visited, User, model):
            for path in paths_to_instance(parent, (*visited, model)):
                yield f"{field.name}__{path}"


def rows_of(instance_pk: int) -> dict[str, int]:
    """Return the rows of each table that belong to the instance, even indirectly."""
    counts = {}
    for model in apps.get_models(include_auto_created=True):
        # The audit log stays.
        for path in paths_to_instance(model) if model is not AuditRecord else ():
            rows = model._default_manager.filter(**{path: instance_pk})
            counts[f"{model._meta.label}.{path}"] = rows.count()
    return counts


def test_deleting_an_instance_deletes_all_its_rows(
    as_alice: Client,
    full: Instance,
    private: Instance,
    alice: User,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    other = fill(private, alice)
    before = rows_of(full.pk)
    assert len(before) > 20
    empty = {name for name, count in before.items() if not count}
    assert not empty, (
        "The fixture has no row in these tables, so the test would miss rows that remain."
    )
    of_other = rows_of(other.pk)
    tables = {
        m: m._default_manager.count()
        for m in apps.get_models()
        if list(paths_to_instance(m)) and m is not AuditRecord
    }

    page = as_alice.get("/instances/desk/delete").content.decode()
    assert "3 memories" in page
    assert "1 conversation" in page
    with django_capture_on_commit_callbacks(execute=True):
        response = as_alice.post("/instances/desk/delete", {"slug": "desk"}, follow=True)
    assert "Deleted Support desk, with everything in it." in response.content.decode()

    assert not Instance.objects.filter(pk=full.pk).exists()
    assert set(rows_of(full.pk).values()) == {0}
    assert rows_of(other.pk) == of_other
    for model, count in tables.items():
        # Both instances had the same rows: half of them remain, none without an instance.
        assert model._default_manager.count() == count / 2, model
    assert User.objects.filter(pk=alice.pk).exists()


@pytest.mark.parametrize("typed", ["", "Desk", "Support desk", "diary"])
def test_instance_is_not_deleted_without_its_name(
    typed: str, as_alice: Client, instance: Instance
) -> None:
    response = as_alice.post("/instances/desk/delete", {"slug": typed})
    assert response.status_code == 422
    assert "This does not match." in response.content.decode()
    assert Instance.objects.exists()


def test_superadmin_deletes_a_person_with_private_instances_unseen(
    alice: User, dana: User, instance: Instance, private: Instance
) -> None:
    fill(private, alice)
    fill(instance, alice)
    client = signed_in(dana)
    url = f"/server/people/{alice.pk}/delete"
    page = client.get(url).content.decode()
    assert "1 private instance with all its memories" in page
    assert "bees" not in page
    assert "Diary" not in page
    assert client.post(url, {"username": "alice"}).status_code == 302
    assert not User.objects.filter(username="alice").exists()
    assert list(Instance.objects.all()) == [instance]
    # Shared data remains, without the name of the person.
    assert {memory.instance for memory in Memory.objects.all()} == {instance}
    assert set(Activity.objects.values_list("by", flat=True)) == {None}
