"""Deleting a text removes its graph data from every table and from Redis."""

from collections.abc import Callable
from datetime import date

import pytest
import redis
from django.test import Client
from pytest_django import Settings

from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.graph.corrections import (
    end_relation,
    merge_entities,
    rename_entity,
    withdraw_relation,
)
from memoryapp.graph.ingestion import NamedEntity, StatementIn, ingest
from memoryapp.models import Entity, Memory, Relation
from memoryapp.trust.conversation_deletion import forget_conversation
from tests.graph.conftest import Filed, at
from tests.leak_scanner import places_by_text

#: A name, an alias, a value, and the name of a merged entity.
WORDS = ("Wolpertinger", "Ærøskøbing", "marzipan", "京都")


@pytest.fixture
def server(settings: Settings) -> "redis.Redis":
    server = redis.Redis.from_url(settings.REDIS_URL)
    server.flushdb()
    return server


def places_by_word(server: "redis.Redis") -> dict[str, set[str]]:
    return places_by_text(server, WORDS)


def test_deleting_messages_deletes_all_statements_learned_from_them(
    as_alice: Client,
    instance: Instance,
    alice: User,
    filed: Filed,
    store_memory: Callable[..., Memory],
    server: "redis.Redis",
) -> None:
    one = filed("The Wolpertinger of Ærøskøbing lives on marzipan.")
    stays = filed("Bea lives in Ghent.")
    memory = store_memory("Bea went to 京都.")
    beast = NamedEntity("Wolpertinger", "other", ("Ærøskøbing beast",))
    ingest(
        instance,
        "",
        [
            StatementIn(beast, "eats", "marzipan", at(2024), drawer_id=one.pk),
            StatementIn(beast, "knows", NamedEntity("Bea", "person"), at(2024), drawer_id=one.pk),
            StatementIn(
                NamedEntity("Bea", "person"),
                "lives_in",
                NamedEntity("Ghent"),
                at(2024),
                drawer_id=stays.pk,
            ),
            StatementIn(
                NamedEntity("Bea", "person"),
                "visits",
                NamedEntity("京都"),
                at(2024),
                memory_id=memory.pk,
            ),
        ],
    )
    # Manual changes meanwhile: ended, merged and withdrawn relations.
    for predicate in ("eats", "visits"):
        end_relation(Relation.objects.get(predicate=predicate), date(2025, 1, 1), by=Actor(alice))
    merge_entities(
        Entity.objects.get(name="京都"), Entity.objects.get(name="Ghent"), by=Actor(alice)
    )
    withdraw_relation(Relation.objects.get(predicate="knows"), by=Actor(alice))
    rename_entity(Entity.objects.get(name="Wolpertinger"), "The beast", "other", by=Actor(alice))
    for address in ("/memory/graph?instance=desk", "/memory/graph?instance=desk&q=Wolpertinger"):
        assert as_alice.get(address).status_code == 200
    assert places_by_word(server).keys() == set(WORDS)

    memory.delete()
    assert places_by_word(server).keys() == set(WORDS) - {"京都"}
    assert one.message
    one.message.delete()
    assert places_by_word(server) == {}
    # Data of other texts stays, and unmentioned entities are gone.
    assert set(Entity.objects.values_list("name", flat=True)) == {"Bea", "Ghent"}

    forget_conversation(Conversation.objects.get(), with_memories=True, by=Actor(alice))
    assert not Relation.objects.exists() and not Entity.objects.exists()
