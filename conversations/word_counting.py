"""Counts in how many texts of a large instance each word is, in the background.

With these counts, a search knows which words of a question are rare before it reads any text
(`word_selection`), and writing a text costs nothing more. They are estimates: a word that has
become frequent since is taken for a rare one, of which all texts are read. So they are counted
anew when the instance has grown or shrunk by a tenth, and once a day.

A word that few texts hold is not kept: what was said once is in no count. After a deletion, a word
that has become rare is gone with the next count.
"""

from datetime import timedelta

from django.db import connection, transaction
from django.db.models import Count, Model
from django.utils import timezone
from psycopg import sql

from conversations.models import CountedTexts, WordCount
from conversations.models.word_counts import MAX_STEM_CHARACTERS
from conversations.search_functions import RUN_CHARACTERS
from instances.models import Instance

#: Texts of a table in one instance from which on their words are counted, and the share of this
#: below which the counts are deleted, so that this is not done in turns.
MIN_COUNTED_TEXTS, DROP_BELOW = 5_000, 0.75
#: Texts that hold a word which is kept.
MIN_TEXTS = 100
#: The change in size after which words are counted anew, and the time.
CHANGE, MAX_AGE = 0.1, timedelta(days=1)

#: A character of a script without spaces is asked for as the beginning of words. The sum of their
#: counts is an upper bound: a text may hold several.
_COUNT = f"""
WITH word AS MATERIALIZED (SELECT word, ndoc AS texts FROM ts_stat(%(texts)s))
INSERT INTO conversations_wordcount (instance_id, "table", stem, texts)
SELECT %(instance)s, %(table)s, stem, texts FROM (
    SELECT array_to_tsvector(ARRAY[word])::text AS stem, texts FROM word
    UNION ALL SELECT array_to_tsvector(ARRAY["left"(word, 1)])::text || ':*', sum(texts)
    FROM word WHERE word ~ '^[{RUN_CHARACTERS}]' GROUP BY "left"(word, 1)
) AS counted WHERE texts >= %(least)s AND length(stem) <= {MAX_STEM_CHARACTERS}
"""  # noqa: S608 - a constant
_BEGUN = """
INSERT INTO conversations_countedtexts (instance_id, "table", texts, counted_at)
VALUES (%s, %s, %s, %s) ON CONFLICT (instance_id, "table")
DO UPDATE SET texts = excluded.texts, counted_at = excluded.counted_at
"""
_TEXTS = sql.SQL("SELECT search FROM {table} WHERE instance_id = {instance}")


def count_words(*tables: type[Model]) -> None:
    """Count the words of the instances that are due, table by table, and delete the counts of those
    that are small.
    """
    for table in tables:
        name = table._meta.db_table
        counted = {row.instance_id: row for row in CountedTexts.objects.filter(table=name)}
        # An index-only scan.
        sizes = table._base_manager.order_by().values_list("instance").annotate(texts=Count("*"))
        large = {
            instance: texts
            for instance, texts in sizes
            if texts >= MIN_COUNTED_TEXTS * (DROP_BELOW if instance in counted else 1)
        }
        for instance in counted.keys() - large.keys():
            _delete(instance, name)
        for instance, texts in large.items():
            if (before := counted.get(instance)) is None or _is_due(before, texts):
                _count(instance, table, texts)


@transaction.atomic
def forget_words(instance: Instance) -> None:
    """Delete all counts of *instance*, until they are counted anew."""
    # A worker that is counting what was there before is waited for.
    Instance.objects.select_for_update().get(pk=instance.pk)
    WordCount.objects.filter(instance=instance).delete()
    CountedTexts.objects.filter(instance=instance).delete()


def _is_due(counted: CountedTexts, texts: int) -> bool:
    changed = abs(texts - counted.texts) >= CHANGE * counted.texts
    return changed or timezone.now() - counted.counted_at >= MAX_AGE


@transaction.atomic
def _delete(instance: int, table: str) -> None:
    WordCount.objects.filter(instance=instance, table=table).delete()
    CountedTexts.objects.filter(instance=instance, table=table).delete()


@transaction.atomic
def _count(instance: int, table: type[Model], texts: int) -> None:
    name = table._meta.db_table
    with connection.cursor() as cursor:
        # The instance is not deleted meanwhile; everything else goes on.
        cursor.execute("SELECT FROM instances_instance WHERE id = %s FOR KEY SHARE", [instance])
        if not cursor.rowcount:
            return
        # Of two workers, the second one waits here.
        cursor.execute(_BEGUN, [instance, name, texts, timezone.now()])
        WordCount.objects.filter(instance=instance, table=name).delete()
        rows = _TEXTS.format(table=sql.Identifier(name), instance=sql.Literal(instance))
        cursor.execute(
            _COUNT,
            {
                "texts": rows.as_string(cursor.connection),
                "instance": instance,
                "table": name,
                "least": MIN_TEXTS,
            },
        )
