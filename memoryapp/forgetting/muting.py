"""Moves the texts of messages that state a forgotten memory out of reach, and back."""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db import connection
from django.utils import timezone

from conversations.models import Conversation, Message
from conversations.search_functions import IS_SINGLE
from instances.models import Instance
from memoryapp.embeddings.search_text import BATCH_SIZE, write_search_text
from memoryapp.forgetting.kept_filing import kept_filing, put_back
from memoryapp.models import Drawer, MutedMessage, Unfiled
from memoryapp.policy.restatement import restates, stating_parts, telling_words

#: Messages that are looked at for one wording.
MAX_RESTATEMENTS = 200

#: Words at the beginning of a title by which the message that it was made from is recognised.
TITLE_WORDS = 3
_WORD = re.compile(r"\w+")

#: The person and the texts of facts, by their ids.
Wordings = Mapping[int, tuple[str, Sequence[str]]]

#: Texts of the same person with all words of a wording, by their stems in any of the languages: at
#: least two, besides those that every fact has.
_WITH_ALL_WORDS = f"""
SELECT fact.id, said.id, said.said
FROM unnest(%s::bigint[], %s::text[], %s::text[]) AS fact (id, end_user, words)
CROSS JOIN unnest(%s::text[]) AS language
CROSS JOIN LATERAL (
    SELECT string_agg(quote_literal(lexeme), ' & ')::tsquery AS query, count(*) AS number
    FROM unnest(tsvector_to_array(keepsake_tsvector(%s, language, fact.words))) AS lexeme
    WHERE NOT {IS_SINGLE}
) AS asked
CROSS JOIN LATERAL ({{texts}}) AS said
WHERE asked.number > 2
"""  # noqa: S608 - constants
_MESSAGES = """
SELECT id, concat_ws(' ', author, content, caption) AS said FROM conversations_message
WHERE search @@ asked.query AND instance_id = %s AND conversation_id IN (
    SELECT id FROM conversations_conversation c
    WHERE c.instance_id = %s AND c.end_user = fact.end_user
)
LIMIT %s
"""

#: The next drawers of messages, whose search text has the words of these as well.
_CLEAR_NEXT = """
UPDATE memoryapp_drawer d SET search = NULL
FROM conversations_message m
CROSS JOIN LATERAL (
    SELECT n.id FROM conversations_message n
    WHERE n.instance_id = %(instance)s
        AND n.conversation_id = m.conversation_id AND n.position > m.position
        AND n.role IN ('user', 'assistant') AND (n.content <> '' OR n.caption <> '')
    ORDER BY n.position LIMIT 1
) AS next
WHERE m.instance_id = %(instance)s AND m.id = ANY(%(messages)s)
    AND d.instance_id = %(instance)s AND d.message_id = next.id
RETURNING d.id
"""


def restatements(instance: Instance, wordings: Wordings) -> dict[int, set[int]]:
    """Return the ids of messages that state facts in so many words, by the ids of the facts."""
    return stated_in(_MESSAGES, [instance.pk, instance.pk, MAX_RESTATEMENTS], instance, wordings)


def stated_in(
    texts_sql: str, parameters: Sequence[Any], instance: Instance, wordings: Wordings
) -> dict[int, set[int]]:
    """Return the ids of the texts that state facts in so many words, by the ids of the facts.
    *texts_sql*, with its *parameters*, selects the ids and texts that have all words of
    ``asked.query`` and belong to ``fact.end_user``.
    """
    facts = [(pk, person, text) for pk, (person, texts) in wordings.items() for text in texts]
    found: dict[int, set[int]] = defaultdict(set)
    if not facts:
        return found
    with connection.cursor() as cursor:
        cursor.execute(
            _WITH_ALL_WORDS.replace("{texts}", texts_sql),
            [
                [pk for pk, _, _ in facts],
                [person for _, person, _ in facts],
                [telling_words(text, person=person) for _, person, text in facts],
                *(instance.search_languages, instance.pk, *parameters),
            ],
        )
        for fact, pk, said in cursor.fetchall():
            person, texts = wordings[fact]
            if any(restates(said, text, person=person) for text in texts):
                found[fact].add(pk)
    return found


def mute(instance: Instance, message_ids: Collection[int]) -> None:
    """Take these messages out of search, prompts and the palace; the transcript still shows them.

    The caller holds the lock of the instance.
    """
    messages = list(
        Message.objects.filter(pk__in=message_ids, muted=None)
        .select_related("conversation")
        .defer("search")
    )
    if not messages:
        return
    ids = [message.pk for message in messages]
    titles = {message.pk: message.conversation.title for message in messages if _names(message)}
    Conversation.objects.filter(messages__in=titles).update(title="")
    drawers = Drawer.objects.filter(message__in=ids)
    drawers.hold(instance.pk)
    filing = kept_filing(ids)
    MutedMessage.objects.bulk_create(
        MutedMessage(
            message=message,
            instance=instance,
            content=message.content,
            caption=message.caption,
            tool_calls=message.tool_calls,
            filing=filing.get(message.pk, {}),
            title=titles.get(message.pk, ""),
        )
        for message in messages
    )
    Message.objects.filter(pk__in=ids).update(content="", caption="", tool_calls=[])
    _clear_next(instance, ids)
    drawers.delete()
    Unfiled.objects.filter(message__in=ids).update(stays_out=True)


def black_out(message_ids: Collection[int], facts: Sequence[str], *, person: str) -> None:
    """Take the sentences that state *facts* out of these muted messages."""
    for row in MutedMessage.objects.filter(message__in=message_ids):
        parts = stating_parts(row.content, facts, person=person)
        row.taken_out = sorted({*map(tuple, row.taken_out), *parts})
        row.muted_at = timezone.now()
        row.save(update_fields=["taken_out", "muted_at"])


def unmute(instance: Instance, message_ids: Collection[int]) -> None:
    """Give these messages their texts back, and their places in the palace and the graph. Those
    that had none are filed.
    """
    rows = list(
        MutedMessage.objects.filter(message__in=message_ids).select_related("message__conversation")
    )
    for row in rows:
        message = row.message
        message.content, message.caption = row.content, row.caption
        message.tool_calls = row.tool_calls
        if row.title and not message.conversation.title:
            Conversation.objects.filter(pk=message.conversation_id).update(title=row.title)
    Message.objects.bulk_update(
        [row.message for row in rows], ["content", "caption", "tool_calls"], batch_size=500
    )
    ids = [row.pk for row in rows]
    MutedMessage.objects.filter(pk__in=ids).delete()
    Unfiled.objects.filter(message__in=ids, message__role__in=["user", "assistant"]).update(
        stays_out=False
    )
    drawers = put_back(instance, {row.pk: row.filing for row in rows if row.filing})
    # The words of many are written by the next worker.
    write_search_text(instance, [*drawers, *_clear_next(instance, ids)][:BATCH_SIZE])


def _clear_next(instance: Instance, message_ids: Sequence[int]) -> list[int]:
    """Clear the search text of drawers that has the words of these messages, as those before their
    own; return their ids.
    """
    with connection.cursor() as cursor:
        cursor.execute(_CLEAR_NEXT, {"instance": instance.pk, "messages": list(message_ids)})
        return [pk for (pk,) in cursor]


def _names(message: Message) -> bool:
    """True if the title of its conversation was made from *message*."""
    title = " ".join(_WORD.findall(message.conversation.title.casefold())[:TITLE_WORDS])
    return bool(title) and title in " ".join(_WORD.findall(message.content[:1_000].casefold()))
