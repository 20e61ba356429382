"""One instance with as many rows as after years of use: the same rows in every run.

Sentences are made from patterns, so that no two are the same and questions have answers; vectors
are those of the built-in embedder. Rows are written directly into the tables: the write path
compares each memory with all others, and would take the better part of an hour.
"""

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from pgvector import HalfVector

from conversations.models import Conversation, Message, Role
from instances.models import Instance, User
from memoryapp.models import (
    EmbeddingSpace,
    Memory,
    MemoryEmbedding,
    MemoryRevision,
    MemorySource,
    Origin,
    Run,
)
from memoryapp.providers.builtin_embedder import BuiltinEmbedder

PEOPLE = (
    "Mara Idris Noor Teo Ines Pavel Yusuf Greta Lena Otto Amara Bjorn Chiara Dmitri Esther Farid "
    "Hana Ivo Joana Kofi"
).split()
PLACES = (
    "Munich Ghent Lisbon Kyoto Oslo Lyon Porto Bergen Tallinn Trieste Utrecht Graz Bilbao Cork "
    "Leipzig Split Malmö Basel Turin Riga"
).split()
THINGS = (
    "canoe loom lathe piano telescope greenhouse bicycle kiln sailboat typewriter beehive quilt "
    "mandolin anvil sundial wheelbarrow tent globe harp sewing-machine"
).split()
FOODS = (
    "peanuts coriander oysters lentils rhubarb sourdough mango saffron kimchi hazelnuts aubergine "
    "anchovies tahini polenta chestnuts okra fennel liquorice"
).split()
WORKS = (
    "the web shop of a bicycle maker|the archive of a theatre|a school for deaf children|the "
    "kitchen of a mountain hut|a seed library|the night desk of a newspaper|a repair workshop|the "
    "timetable of a ferry line"
).split("|")
HABITS = (
    "swims before breakfast|writes letters by hand|takes the night train|reads the end of a book "
    "first|keeps a diary of the weather|plays chess by post|bakes on Sundays|walks to work"
).split("|")

#: Patterns by category, with how many of a hundred memories are of it.
PATTERNS: dict[str, tuple[int, list[str]]] = {
    "fact": (
        38,
        [
            "{person} has kept a {thing} in {place} since {year}.",
            "{person} runs {work} in {place}, together with {other} and {number} others.",
            "The {thing} of {person} was made in {place} in {year} and weighs {number} kilos.",
        ],
    ),
    "preference": (
        22,
        [
            "{person} does not eat {food}, least of all with {food2}.",
            "{person} {habit} and would rather not be called before {number} o’clock in {place}.",
        ],
    ),
    "event": (
        16,
        [
            "{person} moved from {place} to {place2} in {month} {year}.",
            "{person} and {other} meet in {place} on {number} {month} {year} to look at a {thing}.",
        ],
    ),
    "relationship": (
        10,
        ["{person} and {other} have known each other since {year}, when both lived in {place}."],
    ),
    "decision": (
        8,
        ["{person} decided in {month} {year} to sell the {thing} and to move to {place}."],
    ),
    "general": (6, ["{person} once told {other} that {food} grows well near {place} ({year})."]),
}
MONTHS = "January February March April May June July August September October November".split()
TAGS = ("home work food travel family music health money").split()

VECTORS_AT_ONCE = 500


@dataclass(frozen=True)
class Size:
    """How many of what."""

    memories: int = 10_000
    conversations: int = 140
    messages_each: int = 20
    #: One conversation is much longer than the others.
    messages_in_longest: int = 1_200


def fill(instance: Instance, by: User, size: Size) -> None:
    """Put memories with vectors, sources and history into *instance*, and what was said."""
    dice = random.Random(20_240_501)  # noqa: S311 - The same rows each time.
    now = timezone.now()
    texts = list(itertools.islice(_sentences(dice), size.memories))
    messages = _fill_conversations(dice, instance, size, [text for _, text in texts], now)
    memories = Memory.objects.bulk_create(
        [_memory(dice, instance, category, text, now) for category, text in texts], 1000
    )
    MemorySource.objects.bulk_create(
        [
            MemorySource(
                instance=instance, memory=memory, conversation=message.conversation, message=message
            )
            for memory in memories
            if memory.origin == Origin.CONVERSATION
            for message in dice.sample(messages, dice.choice((1, 1, 1, 2)))
        ],
        1000,
    )
    MemoryRevision.objects.bulk_create(
        MemoryRevision(
            instance_id=memory.instance_id,
            memory=memory,
            content=f"{memory.content} At least so it seemed.",
            category=memory.category,
            importance=memory.importance,
            valid_from=memory.created_at,
            reason=MemoryRevision.Reason.EDITED,
            by=by,
        )
        for memory in dice.sample(memories, size.memories // 12)
        for _ in range(dice.choice((1, 1, 2)))
    )
    # A few have no vector yet, as after a night without the provider.
    _embed(instance, memories[: -max(1, size.memories // 200)])


def _sentences(dice: random.Random) -> Iterator[tuple[str, str]]:
    """Yield (category, sentence) without end, no sentence twice."""
    categories = list(PATTERNS)
    weights = [share for share, _ in PATTERNS.values()]
    seen: set[str] = set()
    while True:
        (category,) = dice.choices(categories, weights)
        pattern = dice.choice(PATTERNS[category][1])
        person, other = dice.sample(PEOPLE, 2)
        place, place2 = dice.sample(PLACES, 2)
        food, food2 = dice.sample(FOODS, 2)
        text = pattern.format(
            **{"person": person, "other": other, "place": place, "place2": place2},
            **{"food": food, "food2": food2, "thing": dice.choice(THINGS)},
            **{"work": dice.choice(WORKS), "habit": dice.choice(HABITS)},
            **{"month": dice.choice(MONTHS), "year": dice.randint(1961, 2025)},
            number=dice.randint(2, 28),
        )
        if text not in seen:
            seen.add(text)
            yield category, text


def _memory(
    dice: random.Random, instance: Instance, category: str, text: str, now: datetime
) -> Memory:
    created = now - timedelta(minutes=dice.randint(1, 2 * 365 * 24 * 60))
    # Most are about the one whom the instance serves; of the others, some are spoken of often.
    end_user = dice.choice(["", "", "", *PEOPLE[: dice.randint(1, len(PEOPLE))]]).lower()
    origins = [Origin.CONVERSATION] * 7 + [Origin.MANUAL, Origin.API, Origin.IMPORT]
    recalled = dice.choice((0, 0, dice.randint(1, 40)))
    return Memory(
        instance=instance,
        content=text,
        category=category,
        importance=min(10, max(1, round(dice.gauss(5, 2)))),
        tags=[dice.choice(TAGS[: dice.randint(1, len(TAGS))]), text.split()[0].lower()],
        end_user=end_user,
        origin=dice.choice(origins),
        valid_until=(now + timedelta(days=dice.randint(-200, 200))).date()
        if category == "event" and dice.random() < 0.5
        else None,
        confidence=dice.randint(50, 100),
        assessed=True,
        recall_count=recalled,
        last_recalled_at=now - timedelta(hours=recalled) if recalled else None,
        created_at=created,
        updated_at=created,
    )


def _fill_conversations(
    dice: random.Random, instance: Instance, size: Size, texts: list[str], now: datetime
) -> list[Message]:
    """Store conversations that have been read; return the messages that people said."""
    lengths = [size.messages_each] * size.conversations + [size.messages_in_longest]
    conversations = Conversation.objects.bulk_create(
        Conversation(
            instance=instance,
            title=f"{dice.choice(PEOPLE)} on the {dice.choice(THINGS)} ({number})",
            watermark=length,
            last_activity_at=now - timedelta(hours=5 * number),
        )
        for number, length in enumerate(lengths)
    )
    messages = [
        Message(
            instance=instance,
            conversation=conversation,
            position=position,
            role=Role.USER if position % 2 else Role.ASSISTANT,
            content=f"By the way: {dice.choice(texts)} {dice.choice(texts)}"
            if position % 2
            else "Thank you, that is good to know. What happened then?",
            sent_at=conversation.last_activity_at - timedelta(minutes=length - position),
        )
        for conversation, length in zip(conversations, lengths, strict=True)
        for position in range(1, length + 1)
    ]
    Message.objects.bulk_create(messages, 1000)
    Run.objects.bulk_create(
        Run(
            instance=instance,
            conversation=conversation,
            state=Run.State.SUCCEEDED,
            attempts=1,
            first_position=1,
            last_position=length,
            finished_at=conversation.last_activity_at,
        )
        for conversation, length in zip(conversations, lengths, strict=True)
    )
    return [message for message in messages if message.role == Role.USER]


def _embed(instance: Instance, memories: list[Memory]) -> None:
    embedder = BuiltinEmbedder()
    space = EmbeddingSpace.objects.create(instance=instance, name=embedder.space)
    for first in range(0, len(memories), VECTORS_AT_ONCE):
        some = memories[first : first + VECTORS_AT_ONCE]
        vectors = embedder.embed([memory.content for memory in some]).vectors
        MemoryEmbedding.objects.bulk_create(
            MemoryEmbedding(
                memory=memory, instance=instance, space=space, embedding=HalfVector(vector)
            )
            for memory, vector in zip(some, vectors, strict=True)
        )
