"""The people and instances that most tests need."""

import gc
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from celery import current_app
from django.db import connection
from django.test import Client
from django.utils import timezone, translation
from pytest_django import DjangoDbBlocker, Settings

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import Instance, Membership, User
from instances.tiers import Tier
from memoryapp.embedded.redis import RedisServer
from memoryapp.models import (
    Memory,
    Origin,
    VectorIndex,
    embedding_spaces,
)
from memoryapp.pipeline import Candidate, RememberOptions, Writer, remember
from tests import database
from tests.citus import cluster_database
from tests.providers.builtin_model.multilingual import converted_home

# No deadline: a busy machine must not make a test fail.
hypothesis.settings.register_profile(
    "patient", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("patient")


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    servers: RedisServer, django_db_modify_db_settings_parallel_suffix: None
) -> None:
    """Start the servers before pytest-django creates its database, which builds each model hundreds
    of times: looking for garbage among them takes a quarter of the time.
    """
    gc.disable()
    database.install(cluster_database.empty if cluster_database.ADDRESS else database.empty)
    if cluster_database.ADDRESS:
        cluster_database.create(connection.creation._get_test_db_name())  # type: ignore[attr-defined]


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Give the database the form in which the tests are to run."""
    gc.enable()
    gc.collect()
    gc.freeze()
    with django_db_blocker.unblock():
        if cluster_database.ADDRESS:
            cluster_database.distribute()
        database.partition()


@pytest.fixture(autouse=True)
def quick_passwords(settings: Settings) -> None:
    """Hash passwords with a fast hasher: a secure hash takes longer than most of these tests."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def multilingual_home(settings: Settings) -> Path:
    """A home in which the files of the multilingual embedder have been made already."""
    settings.HOME = converted_home()
    return converted_home()


@pytest.fixture(autouse=True)
def english() -> None:
    """Begin in English: a request leaves its language behind in the thread that answered it."""
    translation.deactivate()


SERVES_STATIC_FILES = "servestatic.middleware.ServeStaticMiddleware"


@pytest.fixture(autouse=True)
def quick_clients(request: pytest.FixtureRequest, settings: Settings) -> None:
    """Serve no static files unless a test asks for `static_files`: the first request of each client
    would list them all, which takes longer than most responses, and each one would go through an
    event loop.
    """
    if "static_files" not in request.fixturenames:
        settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if each != SERVES_STATIC_FILES]


@pytest.fixture
def static_files(settings: Settings) -> None:
    """Let the test's clients serve static files."""
    settings.SERVESTATIC_USE_FINDERS = True
    settings.SERVESTATIC_USE_STATIC_ROOT = False


@pytest.fixture
def idle_broker(servers: RedisServer) -> None:
    """Purge tasks of other tests: without a worker they stay in the queue, and the sweeper sends
    nothing while the queue is long.
    """
    current_app.control.purge()


@pytest.fixture(autouse=True)
def no_vector_indexes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip the periodic check for indexes of large instances, so that the number of queries on a
    screen does not depend on the clock. Tests of these indexes run the check themselves.
    """
    monkeypatch.setattr(embedding_spaces, "CACHE_SECONDS", float("inf"))
    VectorIndex.forget_known()


@pytest.fixture
def alice(db: None) -> User:
    """The manager of the instance."""
    return User.objects.create_user("alice", password="alice-password")


@pytest.fixture
def bob(instance: Instance) -> User:
    """A member."""
    bob = User.objects.create_user("bob", password="bob-password")
    Membership.objects.create(instance=instance, user=bob)
    return bob


@pytest.fixture
def vera(instance: Instance) -> User:
    """A viewer, with read-only access."""
    vera = User.objects.create_user("vera", password="vera-password")
    Membership.objects.create(instance=instance, user=vera, role="viewer")
    return vera


@pytest.fixture
def charlie(db: None) -> User:
    """An outsider."""
    return User.objects.create_user("charlie", password="charlie-password")


@pytest.fixture
def dana(db: None) -> User:
    """The superadmin."""
    return User.objects.create_superuser("dana", password="dana-password")


@pytest.fixture
def instance(alice: User) -> Instance:
    """A shared instance with the built-in embedder and nothing that reads. Only tests of mining
    file its messages.
    """
    instance = Instance.objects.create(
        slug="desk", name="Support desk", palace_enabled=False, builtin_reader=False
    )
    Membership.objects.create(instance=instance, user=alice, role="manager")
    return instance


@pytest.fixture
def private(alice: User) -> Instance:
    """Alice's private instance, which must stay invisible to all others."""
    return Instance.objects.create(
        slug="diary",
        name="Diary",
        private_to=alice,
        palace_enabled=False,
        builtin_reader=False,
    )


@pytest.fixture
def as_alice(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


@pytest.fixture
def conversation(instance: Instance) -> Conversation:
    """A conversation of two messages."""
    conversation = Conversation.objects.create(instance=instance, title="Dinner for eight")
    append(
        conversation,
        [
            NewMessage(
                "user", "No satay please, peanuts would put me in hospital.", author="Alice"
            ),
            NewMessage("assistant", "Noted, no peanuts."),
        ],
    )
    return Conversation.objects.get(pk=conversation.pk)


@pytest.fixture
def store_memory(instance: Instance) -> Callable[..., Memory]:
    """Store a memory through the write path: ``store_memory("The user …", category="fact")``."""

    def store(content: str, *, into: Instance | None = None, **kwargs: Any) -> Memory:
        (outcome,) = remember(
            into or instance,
            [Candidate(content, **kwargs)],
            Writer(Origin.MANUAL, Actor(via="test"), tier=Tier.USER),
            RememberOptions(ask_model=False),
        )
        return outcome.memory

    return store


@pytest.fixture
def store_message(instance: Instance) -> Callable[..., Message]:
    """Append one message to a conversation: ``store_message(conversation, "…", role="user")``."""

    def add(
        conversation: Conversation,
        content: str,
        *,
        role: str = "user",
        sent_at: datetime | None = None,
    ) -> Message:
        turn = NewMessage(role, content, sent_at=sent_at or timezone.now())
        return append(conversation, [turn]).added[0]

    return add
