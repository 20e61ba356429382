"""The words by which a drawer is found: those of its message and of the message before.

They contain no secret and no recalled context. The message itself is not changed.
"""

from collections.abc import Sequence

from django.db import connection, transaction

from instances.models import Instance
from memoryapp.embeddings.drawer_text import searchable_text
from memoryapp.language.words import language_of
from memoryapp.models import Drawer

#: The weights of a tsvector tell where a word stands: in the message itself, in its tags, in the
#: message before. Search decides what each is worth.
OWN, TAGS, BEFORE = "A", "B", "C"
#: Characters of the message before: a question, not a whole document. Together with the longest
#: message they fit into a tsvector, which holds a megabyte.
MAX_PREVIOUS_CHARACTERS = 20_000
#: Drawers per transaction.
BATCH_SIZE = 500

#: A drawer with its message or note, and the message before it.
_WITH_PREVIOUS_MESSAGE = """
SELECT d.id, coalesce(m.author, ''), coalesce(m.content, d.note), coalesce(m.caption, ''),
    coalesce(p.author, ''), coalesce(p.content, ''), coalesce(p.caption, ''),
    d.people || d.places || d.events || d.items || d.times,
    coalesce(m.language, ''), coalesce(p.language, '')
FROM memoryapp_drawer d
LEFT JOIN conversations_message m ON m.id = d.message_id AND m.instance_id = %(instance)s
LEFT JOIN LATERAL (
    SELECT b.author, b.language, left(b.content, %(most)s) AS content,
        left(b.caption, %(most)s) AS caption
    FROM conversations_message b
    WHERE b.instance_id = %(instance)s
        AND b.conversation_id = m.conversation_id AND b.position < m.position
        AND b.role IN ('user', 'assistant') AND (b.content <> '' OR b.caption <> '')
    ORDER BY b.position DESC LIMIT 1
) p ON true
WHERE d.instance_id = %(instance)s AND d.id = ANY(%(ids)s)
"""
_WRITE = f"""
UPDATE memoryapp_drawer d SET search =
    setweight(keepsake_tsvector(d.instance_id, w.language, w.own), '{OWN}')
    || setweight(keepsake_tsvector(d.instance_id, w.language, w.tags), '{TAGS}')
    || setweight(keepsake_tsvector(d.instance_id, w.language_before, w.before), '{BEFORE}')
FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[])
    AS w (id, own, tags, before, language, language_before)
WHERE d.instance_id = %s AND d.id = w.id
"""  # noqa: S608 — the weights are constants


def write_search_text(instance: Instance, drawer_ids: Sequence[int]) -> None:
    """Write the search text of these drawers of *instance*, with two statements."""
    if not drawer_ids:
        return
    with connection.cursor() as cursor:
        cursor.execute(
            _WITH_PREVIOUS_MESSAGE,
            {
                "instance": instance.pk,
                "ids": list(drawer_ids),
                "most": MAX_PREVIOUS_CHARACTERS,
            },
        )
        rows = cursor.fetchall()
        usual = instance.language
        words = [
            (
                *(pk, _text(instance, row[:3]), " ".join(tags), _text(instance, row[3:])),
                # A note has no message.
                *(language or language_of(row[1], usual), before or usual),
            )
            for pk, *row, tags, language, before in rows
        ]
        instance.note_languages(language for *_, language, _ in words)
        columns = [list(column) for column in zip(*words, strict=True)]
        cursor.execute(_WRITE, [*columns, instance.pk])


def _text(instance: Instance, message: Sequence[str]) -> str:
    author, content, caption = message
    return f"{author} {searchable_text(instance, content, caption)}"


def write_missing_search_text(instance: Instance, *, most: int = 10_000) -> int:
    """Write the search text of drawers without one, of about *most* at most; return how many. It is
    cleared when the message before is deleted, and when another language is chosen.
    """
    written = 0
    while written < most:
        with transaction.atomic():
            # A transaction that deletes a message waits for these rows, and clears their text
            # afterwards: deleted words cannot come back. Locked rows are left for the next time.
            ids = list(
                Drawer.objects.filter(instance=instance, search=None)
                .order_by("pk")
                .select_for_update(of=("self",), skip_locked=True)
                .values_list("pk", flat=True)[:BATCH_SIZE]
            )
            write_search_text(instance, ids)
        written += len(ids)
        if len(ids) < BATCH_SIZE:
            break
    return written
