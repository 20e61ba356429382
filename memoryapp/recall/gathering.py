"""The lists of a question, and what is known of each thing that they hold.

Five lists, each ranked on its own; what one of them holds is looked up for the others as well, in
as few statements as there are tables, because a search is mostly waiting for statements.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import Exists, OuterRef
from django.utils import timezone

from conversations.search import FoundByWords, TextQuery, found_by_words
from instances.models import Instance
from memoryapp.models import Category, Drawer, MemorySource
from memoryapp.models.vectors import halfvec
from memoryapp.pipeline.embedding import Vectors
from memoryapp.recall.fading import Fading
from memoryapp.recall.scope import Scope
from memoryapp.recall.semantic import nearest_drawers, nearest_memories
from memoryapp.recall.weighing import Traits

#: The lists: over memories, over messages, and over drawers; and what people are told of them.
MEANING, WORDS, SAID = "meaning", "words", "said"
DRAWER_MEANING, DRAWER_WORDS = "drawer_meaning", "drawer_words"
LISTS = {
    MEANING: "meaning",
    WORDS: "words",
    SAID: "said",
    DRAWER_MEANING: "meaning of a turn",
    DRAWER_WORDS: "words of a turn",
}

#: What a list holds: its kind and its id. A turn is a ``message``, whether it is filed or not; a
#: ``drawer`` is a note.
Found = tuple[str, int]

#: Drawers of the conversation that is left out, for which a search by meaning looks further.
MOST_LEFT_OUT = 500


class Held(NamedTuple):
    """Whether an instance has memories, and turns or notes that are filed; and the names by which
    people sign their turns.
    """

    memories: bool
    drawers: bool
    participants: list[str]


@dataclass
class Gathered:
    """What the lists hold."""

    #: List name to what it holds, best first.
    lists: dict[str, list[Found]] = field(default_factory=dict)
    traits: dict[Found, Traits] = field(default_factory=dict)
    fading: dict[Found, Fading] = field(default_factory=dict)
    #: Message id to the memories that were learned from it.
    learned: dict[int, list[int]] = field(default_factory=dict)


def gather(
    instance: Instance,
    scope: Scope,
    vector: Vectors,
    words: TextQuery | None,
    *,
    depth: int,
    held: Held,
    filed_twice: bool,
    with_messages: bool = True,
) -> Gathered:
    """Look for an answer in every list, the best *depth* of each.

    What is not *held* at all is not looked for. ``filed_twice``: whether the list of
    messages holds those that are filed as well, as the list of drawers does. Without
    ``with_messages``, all that was learned from the messages found counts as found.
    """
    near: list[tuple[int, float]] = []
    by_words = filed = FoundByWords([], {})
    if held.memories:
        near = nearest_memories(instance, vector, limit=depth, among=scope.among_memories)
        by_words = found_by_words(scope.memories, words, limit=depth, also=[pk for pk, _ in near])
    near_drawers: list[tuple[int, float]] = []
    if held.drawers:
        further = scope.left_out.messages.count() if scope.left_out else 0
        near_drawers = nearest_drawers(
            instance,
            vector,
            limit=depth + min(further, MOST_LEFT_OUT),
            among=scope.among_drawers,
        )
        drawers = scope.drawers
        if scope.left_out is not None:
            drawers = drawers.exclude(message__conversation=scope.left_out)
        filed = found_by_words(drawers, words, limit=depth, also=[pk for pk, _ in near_drawers])
    messages = scope.messages
    if not filed_twice:
        messages = messages.filter(~Exists(Drawer.objects.filter(message=OuterRef("pk"))))
    said = found_by_words(messages, words, limit=depth)

    gathered = Gathered()
    turns = _turns(
        vector,
        instance,
        drawers={*(pk for pk, _ in near_drawers), *filed.ids},
        messages=said.ids,
        left_out=scope.left_out.pk if scope.left_out else None,
    )
    of_drawer = {turn.drawer: turn.item for turn in turns if turn.drawer is not None}
    gathered.lists = {
        MEANING: [("memory", pk) for pk, _ in near],
        WORDS: [("memory", pk) for pk in by_words.ids],
        SAID: [("message", pk) for pk in said.ids],
        DRAWER_MEANING: [of_drawer[pk] for pk, _ in near_drawers if pk in of_drawer][:depth],
        DRAWER_WORDS: [of_drawer[pk] for pk in filed.ids if pk in of_drawer],
    }
    listed = {item for items in gathered.lists.values() for item in items}
    for turn in turns:
        if turn.item in listed:
            turn.traits.words = max(
                said.shares.get(turn.item[1], 0.0) if turn.item[0] == "message" else 0.0,
                filed.shares.get(turn.drawer, 0.0) if turn.drawer is not None else 0.0,
            )
            gathered.traits[turn.item] = turn.traits
    if held.memories:
        found = {pk for kind, pk in listed if kind == "memory"}
        in_messages = [pk for kind, pk in listed if kind == "message"]
        if not with_messages:
            found |= _learned(scope, in_messages)
        _add_memories(gathered, instance, vector, found, in_messages, dict(near), by_words)
    # What has been deleted since a list has found it is in none.
    gathered.lists = {
        name: [item for item in items if item in gathered.traits]
        for name, items in gathered.lists.items()
    }
    return gathered


@dataclass
class _Turn:
    item: Found
    drawer: int | None
    traits: Traits


#: A turn or a note with its similarity to the question, empty where there is no vector yet.
#: The space is looked up once.
_TURN = """
WITH space AS (
    SELECT id FROM memoryapp_embeddingspace WHERE instance_id = %(instance)s AND name = %(space)s
),
item (drawer_id, message_id, said_at) AS (
    SELECT id, message_id, said_at FROM memoryapp_drawer WHERE id = ANY(%(drawers)s)
    UNION
    SELECT d.id, m.id, coalesce(d.said_at, m.sent_at) FROM conversations_message m
    LEFT JOIN memoryapp_drawer d ON d.message_id = m.id WHERE m.id = ANY(%(messages)s)
)
SELECT item.message_id, item.drawer_id,
    (coalesce(m.sent_at, item.said_at) AT TIME ZONE %(time_zone)s)::date, m.author, m.role,
    m.conversation_id, m.position, -(own.embedding <#> %(vector)s::halfvec)
FROM item
LEFT JOIN conversations_message m ON m.id = item.message_id
LEFT JOIN memoryapp_drawerembedding own
    ON own.drawer_id = item.drawer_id AND own.space_id = (SELECT id FROM space)
WHERE m.conversation_id IS DISTINCT FROM %(left_out)s OR m.id IS NULL
"""


def _turns(
    vector: Vectors,
    instance: Instance,
    *,
    drawers: Iterable[int],
    messages: Iterable[int],
    left_out: int | None,
) -> list[_Turn]:
    """Return what is known of these drawers and messages, but for those of one conversation."""
    asked: dict[str, Any] = {
        "instance": instance.pk,
        "space": vector.space,
        "drawers": list(drawers),
        "messages": list(messages),
        "vector": _literal(vector, -1),
        "time_zone": instance.time_zone,
        "left_out": left_out,
    }
    if not (asked["drawers"] or asked["messages"]):
        return []
    with connection.cursor() as cursor:
        cursor.execute(_TURN, asked)
        rows = cursor.fetchall()
    turns = []
    # The turn that follows in the same session counts where it has been found as well: one that
    # has not is hardly about the question, and to look it up takes longer than all the others.
    cosines = {(row[5], row[2], row[6]): row[7] for row in rows if row[5]}
    for message, drawer, day, author, role, conversation, position, cosine in rows:
        following = cosines.get((conversation, day, position + 1)) if conversation else None
        session = (conversation, day.toordinal()) if conversation else None
        traits = Traits(
            day=day,
            cosine=cosine,
            author=author or "",
            role=role or "",
            session=session,
            following=following,
        )
        item = ("message", message) if message is not None else ("drawer", drawer)
        turns.append(_Turn(item, drawer, traits))
    return turns


#: A memory with its similarity to the question, how often it was said, and from which of the
#: messages that were found it was learned.
_MEMORY = """
WITH learned AS (
    SELECT memory_id, array_agg(message_id) AS messages FROM memoryapp_memorysource
    WHERE message_id = ANY(%(messages)s) AND action <> %(undone)s GROUP BY memory_id
)
SELECT m.id, m.importance, m.category, (m.created_at AT TIME ZONE %(time_zone)s)::date,
    m.valid_until, m.stale_since IS NOT NULL,
    -(e.embedding <#> %(vector)s::halfvec),
    (SELECT count(*) FROM memoryapp_memorysource s WHERE s.memory_id = m.id
        AND s.action <> ALL(%(not_said)s) AND m.category = %(preference)s),
    learned.messages
FROM memoryapp_memory m
LEFT JOIN learned ON learned.memory_id = m.id
LEFT JOIN memoryapp_memoryembedding e ON e.memory_id = m.id AND e.space_id = (
    SELECT id FROM memoryapp_embeddingspace WHERE instance_id = %(instance)s AND name = %(space)s
)
WHERE m.id = ANY(%(memories)s)
"""
_NOT_SAID = [MemorySource.Action.UNDONE.value, MemorySource.Action.HEARD.value]


def _add_memories(
    gathered: Gathered,
    instance: Instance,
    vector: Vectors,
    found: Iterable[int],
    messages: Sequence[int],
    near: Mapping[int, float],
    by_words: FoundByWords,
) -> None:
    """Add what is known of the memories that were *found*, and from which of the *messages* that
    were found they were learned.
    """
    asked: dict[str, Any] = {
        "instance": instance.pk,
        "space": vector.space,
        "memories": list(found),
        "messages": messages,
        "undone": MemorySource.Action.UNDONE.value,
        "vector": _literal(vector, 0),
        "time_zone": instance.time_zone,
        "not_said": _NOT_SAID,
        "preference": Category.PREFERENCE.value,
    }
    if not asked["memories"]:
        return
    with connection.cursor() as cursor:
        cursor.execute(_MEMORY, asked)
        rows = cursor.fetchall()
    today = instance.date_of(timezone.now())
    for pk, importance, category, day, valid_until, is_stale, cosine, heard, learned in rows:
        item = ("memory", pk)
        gathered.traits[item] = Traits(
            day=day,
            cosine=near.get(pk, cosine),
            words=by_words.shares.get(pk, 0.0),
            importance=importance,
            is_preference=category == Category.PREFERENCE,
            times_heard=heard,
        )
        if valid_until is not None and valid_until < today:
            gathered.fading[item] = Fading.EXPIRED
        elif is_stale:
            gathered.fading[item] = Fading.STALE
        for message in learned or ():
            gathered.learned.setdefault(message, []).append(pk)


#: Which memories were learned from messages, of those that may be found.
_LEARNED = """
SELECT memory_id FROM memoryapp_memorysource
WHERE message_id = ANY(%s) AND action <> %s AND memory_id IN ({memories})
"""


def _learned(scope: Scope, message_ids: Sequence[int]) -> set[int]:
    """Return the ids of the memories that were learned from these messages."""
    if not message_ids:
        return set()
    try:
        memories, params = scope.memories.order_by().values("pk").query.sql_with_params()
    except EmptyResultSet:
        return set()
    with connection.cursor() as cursor:
        cursor.execute(
            _LEARNED.format(memories=memories),
            [list(message_ids), MemorySource.Action.UNDONE, *params],
        )
        return {memory for (memory,) in cursor}


#: What there is to search, and those who sign turns: one look into the index for each of them,
#: however many turns there are.
_HELD = """
WITH RECURSIVE name (author) AS (
    (SELECT author FROM conversations_message
        WHERE instance_id = %(instance)s AND author <> '' AND author > '' ORDER BY author LIMIT 1)
    UNION ALL
    SELECT (SELECT m.author FROM conversations_message m
        WHERE m.instance_id = %(instance)s AND m.author <> '' AND m.author > name.author
        ORDER BY m.author LIMIT 1)
    FROM name WHERE name.author IS NOT NULL
)
SELECT EXISTS (SELECT FROM memoryapp_memory WHERE instance_id = %(instance)s),
    EXISTS (SELECT FROM memoryapp_drawer WHERE instance_id = %(instance)s),
    ARRAY(SELECT author FROM name WHERE author IS NOT NULL LIMIT %(most)s)
"""
#: Names that a question is compared with.
MOST_PARTICIPANTS = 100


def held_by(instance: Instance) -> Held:
    """Look what there is to search in *instance*: many have no memories, or no palace."""
    with connection.cursor() as cursor:
        cursor.execute(_HELD, {"instance": instance.pk, "most": MOST_PARTICIPANTS})
        return Held(*cursor.fetchone())


def _literal(vector: Vectors, which: int) -> str | None:
    """The question's vector as PostgreSQL reads it; without one, all similarities are empty."""
    return None if vector.vectors is None else halfvec(vector.vectors[which])
