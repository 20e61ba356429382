"""How well search in a large instance, which ranks a selection of the texts that have words of the
question, agrees with a ranking of all of them.
"""

from collections.abc import Callable, Sequence
from statistics import fmean
from unittest.mock import patch

from django.db import connection
from django.db.models import Model

from conversations.search import TsQuery, word_search_sql
from instances.models import Instance
from memoryapp.models import Drawer, Memory
from memoryapp.recall import RecallOptions, recall
from memoryapp.recall.query import RecallQuery

FIRST = 10


def agreement(instance: Instance, questions: Sequence[str]) -> dict[str, float]:
    """The share of the first ten that stay the same, by list: memories and messages by words, and
    the whole search.
    """

    def listed(table: type[Model]) -> Callable[[str], list[object]]:
        return lambda question: _listed(table, instance, question)

    def found(question: str) -> list[object]:
        hits = recall(instance, question, RecallOptions(limit=FIRST)).hits
        return [(hit.memory and hit.memory.pk, hit.message and hit.message.pk) for hit in hits]

    lists = {"memories by words": listed(Memory), "messages by words": listed(Drawer)}
    return {
        name: fmean(_same(ask, question) for question in questions)
        for name, ask in (lists | {"whole search": found}).items()
    }


def _same(ask: Callable[[str], list[object]], question: str) -> float:
    selected = ask(question)
    with patch.object(TsQuery, "selection", lambda *_: None):
        of_all = ask(question)
    return len(set(of_all) & set(selected)) / len(of_all) if of_all else 1.0


def _listed(table: type[Model], instance: Instance, question: str) -> list[object]:
    query = RecallQuery.prepare(instance, question)
    if query is None:
        return []
    words = query.searchable.words
    sql = word_search_sql(
        table,
        words,
        limit=FIRST,
        within=instance.pk,
        selection=words.selection(table, FIRST),
    )
    with connection.cursor() as cursor:
        cursor.execute(f"WITH {sql.text} SELECT id FROM best", sql.params)  # noqa: S608 - Our own.
        return [pk for (pk,) in cursor]
