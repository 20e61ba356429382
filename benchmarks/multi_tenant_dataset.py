"""Many instances in one database, as after years of use: one large, a few medium, many small.

Every message is filed in the palace. Rows of all instances are mixed in the tables, as if they had
been added over time. They are written with COPY, since the write path would take days; the text
indexes are built at the end.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import numpy as np
from django.db import connection
from django.utils import timezone
from numpy.typing import NDArray

from benchmarks.bulk_copy import copy_rows, copy_vectors, go_on_counting, no_word_indexes
from benchmarks.palace_dataset import file_turns
from benchmarks.single_tenant_dataset import PEOPLE
from benchmarks.synthetic_text import END, TOPICS, Floats, Ints, SyntheticText
from conversations.models import Conversation, Message, Role
from instances.models import Instance
from memoryapp.models import Category, EmbeddingSpace, Memory, MemoryEmbedding, MemorySource, Origin
from memoryapp.providers.builtin_embedder import DIMENSIONS, SPACE
from memoryapp.providers.embeddings import Embedded

#: Instances of these sizes are in every run that has room for them: their cost must not depend on
#: the other rows of the tables.
YARDSTICKS = (10_000, 1_000)
#: How fast the sizes of instances decrease: size ~ rank ** -SKEW.
SKEW = 0.8
TURNS_PER_CONVERSATION = 20
TOPICS_PER_INSTANCE = 40
#: The share of memories that were learned from messages; the others were typed or imported.
LEARNED = 0.7
SEED = 20_240_501
#: The slugs of the instances begin with it.
SLUG = "crowd-"
#: Beginnings of questions.
ASKING = ("what does", "when did", "who was", "where is", "how many", "what did", "did")
#: Rows that are formatted at a time.
BATCH_SIZE = 20_000
DAYS = 730


@dataclass(frozen=True)
class Question:
    """A question and its unit vector."""

    text: str
    vector: Floats


@dataclass(frozen=True)
class Crowd:
    """The instances and their numbers of memories, the largest first."""

    instances: list[Instance]
    sizes: list[int]
    turns: int

    def of_size(self, size: int) -> Instance | None:
        """The instance of exactly so many memories, if there is one."""
        return self.instances[self.sizes.index(size)] if size in self.sizes else None

    def questions(self, instance: Instance, count: int) -> list[Question]:
        """Questions that *instance* can answer: a few words of a memory among those that questions
        are made of, each with its vector.
        """
        babble, dice = SyntheticText(), np.random.default_rng(SEED + instance.pk)
        numbers = {word: number for number, word in enumerate(babble.words)}
        texts = list(instance.memories.order_by("pk").values_list("content", flat=True))
        asked = []
        for text in dice.choice(np.array(texts, dtype=object), count):
            words = dice.permutation(text.split())[: dice.integers(3, 8)]
            asked.append([*dice.choice(ASKING).split(), *words])
        rows = np.full((count, max(map(len, asked))), END, dtype=np.int32)
        for row, question in zip(rows, asked, strict=True):
            row[: len(question)] = [numbers[word] for word in question]
        vectors = babble.vectors(dice, rows)
        return [Question(*pair) for pair in zip(babble.said(rows), vectors, strict=True)]

    def facts(self, instance: Instance, count: int) -> dict[str, Floats]:
        """New facts, with their vectors."""
        babble, dice = SyntheticText(), np.random.default_rng(SEED - instance.pk)
        lengths = dice.integers(8, 20, count).astype(np.int32)
        texts = babble.texts(dice, dice.integers(0, TOPICS, count).astype(np.int32), lengths)
        return dict(zip(babble.said(texts), babble.vectors(dice, texts), strict=True))


def sizes_of(memories: int, instances: int, largest: int | None = None) -> list[int]:
    """Share *memories* out: *largest*, or a fifth, to one instance, which is the largest, some of
    the sizes in `YARDSTICKS`, the others by a power law, none without any.
    """
    if memories < instances:
        raise ValueError("There must be at least one memory for each instance.")
    if instances == 1:
        return [memories]
    mean = -(-memories // instances)
    if largest is not None and not mean <= largest <= memories - instances + 1:
        raise ValueError(
            f"The largest of {instances} instances with {memories} memories in all has between"
            f" {mean} and {memories - instances + 1}."
        )
    sizes = [largest or max(memories // 5, mean)]
    for size in YARDSTICKS:
        left, heads = memories - sum(sizes) - size, instances - len(sizes) - 1
        # No yardstick is to be larger than the largest, or to leave nothing for the rest.
        if size <= sizes[0] and heads > 0 and left >= max(heads, size):
            sizes.append(size)
    heads, left = instances - len(sizes), memories - sum(sizes)
    skew = SKEW
    while (shares := _shared(left, heads, skew)).max() > sizes[0] and skew > 0:
        skew = max(0.0, skew - 0.1)  # Few instances are more alike.
    return sorted([*sizes, *map(int, shares)], reverse=True)


def _shared(what: int, heads: int, skew: float) -> NDArray[np.int64]:
    """Share *what* among *heads*, by rank."""
    weights = (np.arange(heads) + 1.0) ** -skew
    shares: NDArray[np.int64] = 1 + np.floor((what - heads) * weights / weights.sum()).astype(
        np.int64
    )
    shares[: what - shares.sum()] += 1
    return shares


def fill(
    memories: int, instances: int, *, largest: int | None = None, turns_a_memory: float = 1.0
) -> Crowd:
    """Fill the empty database in use, and gather its statistics as autovacuum does in time."""
    sizes = sizes_of(memories, instances, largest)
    crowd = Crowd(
        Instance.objects.bulk_create(
            Instance(slug=f"{SLUG}{number}", name=f"Crowd {number}", memory_enabled=True)
            for number in range(instances)
        ),
        sizes,
        sum(_turns(sizes, turns_a_memory)),
    )
    with no_word_indexes():
        _Filling(crowd, turns_a_memory).run()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return crowd


def kept() -> Crowd:
    """The instances with which `fill` has filled the database in use."""
    sizes = Counter(Memory.objects.values_list("instance", flat=True).iterator())
    instances = list(Instance.objects.filter(slug__startswith=SLUG))
    instances.sort(key=lambda instance: -sizes[instance.pk])
    if not instances:
        raise ValueError("This database was not filled by the benchmark.")
    return Crowd(instances, [sizes[instance.pk] for instance in instances], Message.objects.count())


def _turns(sizes: Sequence[int], turns_a_memory: float) -> list[int]:
    return [max(1, round(size * turns_a_memory)) for size in sizes]


class _Filling:
    def __init__(self, crowd: Crowd, turns_a_memory: float) -> None:
        self.crowd = crowd
        self.babble = SyntheticText()
        self.dice = np.random.default_rng(SEED)
        self.now = timezone.now()
        self.turns = _turns(crowd.sizes, turns_a_memory)
        self.ids = np.array([instance.pk for instance in crowd.instances])
        count = len(crowd.sizes)
        self.topics = self.dice.integers(0, TOPICS, size=(count, TOPICS_PER_INSTANCE))
        # Most instances serve one person, who has no id; the others up to fifty.
        self.people = np.where(self.dice.random(count) < 0.7, 1, self.dice.integers(2, 50, count))
        self.people[0] = 50

    def run(self) -> None:
        spaces = EmbeddingSpace.objects.bulk_create(
            EmbeddingSpace(instance=instance, name=SPACE) for instance in self.crowd.instances
        )
        self.spaces = np.array([space.pk for space in spaces])
        owners = self._mixed(self.turns)
        order = _place_among_own(owners)
        conversations = self._conversations(owners, order)
        texts = self._messages(owners, order, conversations)
        in_space = {space.instance_id: space.pk for space in spaces}
        file_turns(self.crowd.instances, in_space, owners, texts, self.dice)
        self._memories(owners, order, conversations, texts)
        go_on_counting(Conversation, Message, Memory, MemorySource, MemoryEmbedding)

    def _mixed(self, sizes: Sequence[int]) -> Ints:
        """To which instance each row belongs, in the order of time."""
        return self.dice.permutation(np.repeat(np.arange(len(sizes)), sizes)).astype(np.int32)

    def _when(self, number: int, count: int) -> Any:
        """When row *number* of *count* came."""
        return self.now - timedelta(days=DAYS * (1 - (number + 1) / count))

    def _conversations(self, owners: Ints, order: Ints) -> Ints:
        """Store conversations; return the id of each turn's."""
        keys = owners.astype(np.int64) * 1_000_000 + order // TURNS_PER_CONVERSATION
        first, inverse, lengths = np.unique(
            keys, return_index=True, return_inverse=True, return_counts=True
        )[1:]
        # Numbered in the order of time.
        numbers = np.empty(len(first), dtype=np.int64)
        numbers[np.argsort(first)] = np.arange(len(first)) + 1
        copy_rows(
            Conversation,
            (
                {
                    "id": numbers[at],
                    "instance_id": self.ids[owners[row]],
                    "title": f"Talk {numbers[at]}",
                    "end_user": self._end_user(owners[row], int(numbers[at])),
                    "watermark": lengths[at],
                    "created_at": self._when(row, len(owners)),
                    "last_activity_at": self._when(row, len(owners)),
                }
                for at, row in sorted(enumerate(map(int, first)), key=lambda pair: pair[1])
            ),
        )
        return numbers[inverse].astype(np.int32)

    def _end_user(self, owner: int, number: int) -> str:
        people = int(self.people[owner])
        return "" if people == 1 else f"person-{number * 7919 % people}"

    def _messages(self, owners: Ints, order: Ints, conversations: Ints) -> Ints:
        """Store what was said; return it as word numbers."""
        about = self.topics[owners, conversations * 31 % TOPICS_PER_INSTANCE].astype(np.int32)
        by_user = order % 2 == 0
        lengths = self._lengths(np.where(by_user, 16, 36), most=64)
        texts = self.babble.texts(self.dice, about, lengths)
        self.about = about

        def rows() -> Iterator[dict[str, Any]]:
            for begin in range(0, len(owners), BATCH_SIZE):
                for at, said in enumerate(
                    self.babble.said(texts[begin : begin + BATCH_SIZE]), begin
                ):
                    person = PEOPLE[int(conversations[at]) % len(PEOPLE)]
                    yield {
                        "id": at + 1,
                        "instance_id": self.ids[owners[at]],
                        "conversation_id": conversations[at],
                        "position": order[at] % TURNS_PER_CONVERSATION + 1,
                        "role": Role.USER if by_user[at] else Role.ASSISTANT,
                        "author": person if by_user[at] else "",
                        "content": said,
                        "sent_at": self._when(at, len(owners)),
                    }

        copy_rows(Message, rows())
        return texts

    def _memories(self, owners: Ints, order: Ints, conversations: Ints, said: Ints) -> None:
        """Store memories, of which half of the words are those of a turn of the same instance."""
        mine = self._mixed(self.crowd.sizes)
        # The n-th memory of an instance comes from its n-th turn, and again from the first on.
        turn_of: dict[tuple[int, int], int] = {
            (int(owner), int(place)): at
            for at, (owner, place) in enumerate(zip(owners, order, strict=True))
        }
        place = _place_among_own(mine)
        sources = np.array(
            [
                turn_of[int(owner), int(number) % self.turns[owner]]
                for owner, number in zip(mine, place, strict=True)
            ]
        )
        texts = self.babble.texts(self.dice, self.about[sources], self._lengths(13, len(mine)))
        kept = min(texts.shape[1], said.shape[1])
        heard = said[sources, :kept]
        take = (self.dice.random(heard.shape) < 0.5) & (heard != END) & (texts[:, :kept] != END)
        texts[:, :kept] = np.where(take, heard, texts[:, :kept])
        names = self.babble.name((conversations[sources] % len(PEOPLE)).astype(np.int32))
        texts[:, 0] = np.where(self.dice.random(len(mine)) < 0.5, names, texts[:, 0])
        learned = self.dice.random(len(mine)) < LEARNED
        copy_rows(Memory, self._memory_rows(mine, texts, conversations[sources], learned))
        copy_rows(
            MemorySource,
            (
                {
                    "id": number + 1,
                    "instance_id": self.ids[mine[at]],
                    "memory_id": at + 1,
                    "conversation_id": conversations[sources[at]],
                    "message_id": sources[at] + 1,
                    "action": MemorySource.Action.STORED,
                }
                for number, at in enumerate(np.flatnonzero(learned))
            ),
        )
        for begin in range(0, len(mine), BATCH_SIZE):
            some = slice(begin, begin + BATCH_SIZE)
            vectors = self.babble.vectors(self.dice, texts[some])
            memories = np.arange(begin, begin + len(vectors)) + 1
            owner = mine[some]
            copy_vectors(
                MemoryEmbedding,
                {
                    "id": memories,
                    "memory_id": memories,
                    "instance_id": self.ids[owner],
                    "space_id": self.spaces[owner],
                },
                vectors,
            )

    def _memory_rows(
        self, mine: Ints, texts: Ints, conversations: Ints, learned: Any
    ) -> Iterator[dict[str, Any]]:
        dice = np.random.default_rng(SEED + 1)
        categories = dice.choice(Category.values, len(mine), p=[0.06, 0.22, 0.38, 0.16, 0.1, 0.08])
        importance = np.clip(np.round(dice.normal(5, 2, len(mine))), 1, 10).astype(int)
        others = dice.choice([Origin.MANUAL, Origin.API, Origin.IMPORT], len(mine))
        # By Zipf too: a few tags are everywhere, most are rare.
        tags = np.minimum(dice.zipf(1.5, (len(mine), 2)), 2_000)
        recalled = np.where(dice.random(len(mine)) < 0.6, 0, dice.integers(1, 40, len(mine)))
        fate = dice.random(len(mine))
        for begin in range(0, len(mine), BATCH_SIZE):
            for at, content in enumerate(
                self.babble.said(texts[begin : begin + BATCH_SIZE]), begin
            ):
                when = self._when(at, len(mine))
                yield {
                    "id": at + 1,
                    "instance_id": self.ids[mine[at]],
                    "end_user": self._end_user(mine[at], int(conversations[at])),
                    "content": content,
                    "category": categories[at],
                    "importance": importance[at],
                    "tags": sorted({f"{self.babble.words[200 + tag]}" for tag in tags[at]}),
                    # One in ten is past its day, one in ten has not been asked for in long.
                    "valid_until": when.date() if fate[at] < 0.1 else None,
                    "stale_since": self.now if 0.05 < fate[at] < 0.2 else None,
                    "origin": Origin.CONVERSATION if learned[at] else others[at],
                    "confidence": 70,
                    "assessed": True,
                    "recall_count": recalled[at],
                    "last_recalled_at": self.now if recalled[at] else None,
                    "created_at": when,
                    "updated_at": when,
                }

    def _lengths(self, usual: Any, count: int | None = None, *, most: int = 30) -> Ints:
        usual = np.broadcast_to(usual, (count,)) if count is not None else usual
        drawn = self.dice.lognormal(np.log(usual), 0.45)
        lengths: Ints = np.clip(np.round(drawn), 4, most).astype(np.int32)
        return lengths


def _place_among_own(owners: Ints) -> Ints:
    """The number of each row within its owner, from 0."""
    order = np.argsort(owners, kind="stable")
    starts = np.searchsorted(owners[order], np.arange(owners.max() + 1))
    places = np.empty(len(owners), dtype=np.int32)
    places[order] = np.arange(len(owners)) - starts[owners[order]]
    return places


class ReadyVectors:
    """An embedder with known answers."""

    dimensions = DIMENSIONS
    space = SPACE

    def __init__(self, vectors: Mapping[str, Floats]) -> None:
        self.vectors = vectors

    def embed(self, texts: Sequence[str], *, as_questions: bool = False) -> Embedded:
        """Return what each of *texts* has as its vector. Another form of a question, such as the
        one in the first person, lies where the question itself does.
        """
        asked = next(self.vectors[text] for text in texts if text in self.vectors)
        return Embedded(np.stack([self.vectors.get(text, asked) for text in texts]), 0, SPACE)


@contextmanager
def ready_vectors(vectors: Mapping[str, Floats]) -> Iterator[None]:
    """Let every instance embed with *vectors*, by text: the embedder is not measured."""
    embedder = ReadyVectors(vectors)
    with patch("memoryapp.embeddings.embedder.embedder_for", lambda *_, **__: embedder):
        yield


def a_tag_and_a_person(instance: Instance) -> dict[str, str]:
    """Values of filters for *instance*: its most frequent tag, a rare one, and an end user."""
    tags = Counter(tag for row in instance.memories.values_list("tags", flat=True) for tag in row)
    ordered = [tag for tag, _ in tags.most_common()]
    person = instance.memories.order_by("pk").values_list("end_user", flat=True)[0]
    return {"tag": ordered[0], "rare": ordered[len(ordered) // 10], "user": person}


def sizes_on_disk() -> dict[str, float]:
    """Megabytes of the largest tables and indexes, without PostgreSQL's own."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, pg_relation_size(oid) / 1e6 FROM pg_class"
            " WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'i')"
            " ORDER BY 2 DESC LIMIT 16"
        )
        return {name: float(size) for name, size in cursor.fetchall()}
