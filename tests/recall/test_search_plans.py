"""What a search reads in a large instance, if it is about one of many end users."""

from typing import Any

import numpy as np
import pytest
from django.db import connection
from pgvector import HalfVector

from conversations import word_counting, word_selection
from conversations.search import TextQuery
from conversations.word_counting import count_words
from instances.models import Instance
from memoryapp.embeddings.embedder import Vectors
from memoryapp.embeddings.search_text import write_search_text
from memoryapp.models import Drawer, DrawerEmbedding, EmbeddingSpace, Memory, MemoryEmbedding
from memoryapp.recall import RecallOptions
from memoryapp.recall.retrieval import Candidates, retrieve, searchable_in
from memoryapp.recall.search_scope import SearchScope
from tests.palace_factories import closet_of, wing_of
from tests.partitions.plans import nodes, table_of

MINE, OTHERS = 10, 600
QUESTION = "keys in the drawer"


@pytest.fixture
def large(instance: Instance, monkeypatch: pytest.MonkeyPatch) -> Instance:
    """An instance in which nearly all is about others than ana, and whose words are counted."""
    monkeypatch.setattr(word_counting, "MIN_COUNTED_TEXTS", 100)
    monkeypatch.setattr(word_counting, "MIN_TEXTS", 10)
    monkeypatch.setattr(word_selection, "MAX_UNSELECTED", 20)
    monkeypatch.setattr(word_selection, "TEXTS", 15)
    space = EmbeddingSpace.objects.create(instance=instance, name="test")
    vector = HalfVector([0.6, 0.8])
    for person, count in (("bert", OTHERS), ("ana", MINE)):
        texts = [f"{person} puts the keys {number} in a drawer" for number in range(count)]
        memories = Memory.objects.bulk_create(
            Memory(instance=instance, end_user=person, content=text) for text in texts
        )
        closet = closet_of(wing_of(instance, "Home", end_user=person), None, "keys")
        room = closet.room
        drawers = Drawer.objects.bulk_create(
            Drawer(
                instance=instance,
                end_user=person,
                closet=closet,
                wing_number=room.wing.number,
                room_number=room.number,
                number=number,
                note=text,
            )
            for number, text in enumerate(texts, 1)
        )
        write_search_text(instance, [drawer.pk for drawer in drawers])
        MemoryEmbedding.objects.bulk_create(
            MemoryEmbedding(memory=row, instance=instance, space=space, embedding=vector)
            for row in memories
        )
        DrawerEmbedding.objects.bulk_create(
            DrawerEmbedding(drawer=row, instance=instance, space=space, embedding=vector)
            for row in drawers
        )
    count_words(Memory, Drawer)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return instance


def search(instance: Instance, person: str) -> Candidates:
    words = TextQuery.parse(QUESTION, instance_id=instance.pk, languages=["english"])
    vectors = Vectors("test", np.array([[0.8, 0.6]], dtype=np.float32))
    scope = SearchScope(instance, RecallOptions(end_user=person))
    searchable = searchable_in(instance, words)
    return retrieve(scope, vectors, searchable, depth=MINE * 2, filed_twice=False)


def test_for_one_person_only_their_rows_are_compared_and_once(large: Instance) -> None:
    rows: dict[str, float] = {}
    compared: list[str] = []

    def explain(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if "passing" in sql:
            with connection.connection.cursor() as cursor:
                # In a table of this size, PostgreSQL may prefer to read all of it.
                cursor.execute("SET LOCAL enable_seqscan = off")
                cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", params)
                plan = cursor.fetchone()[0][0]["Plan"]
                cursor.execute("SET LOCAL enable_seqscan = on")
            compared.append(sql)
            for node in nodes(plan):
                if table := table_of(node.get("Relation Name", "")):
                    read = node["Actual Rows"] + node.get("Rows Removed by Filter", 0)
                    rows[table] = rows.get(table, 0) + read * node["Actual Loops"]
        return execute(sql, params, many, context)

    with connection.execute_wrapper(explain):
        found = search(large, "ana")
    listed = {ref for refs in found.lists.values() for ref in refs}
    assert len(listed) == 2 * MINE
    assert len(compared) == 2
    tables = ("memory", "memoryembedding", "drawer", "drawerembedding")
    assert {name: rows[f"memoryapp_{name}"] for name in tables} == dict.fromkeys(tables, MINE)
