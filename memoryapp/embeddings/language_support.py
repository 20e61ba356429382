"""Languages of an instance's latest texts that its embedder does not read, and the models that read
them.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models.functions import Coalesce, Left

from instances.models import EmbeddingProvider, Instance
from memoryapp.language.detection import UNKNOWN, detected_language
from memoryapp.language.vocabularies import FUNCTION_WORDS

#: Memories, and turns of the palace, that are looked at; and characters of each.
SAMPLE_SIZE, SAMPLE_CHARACTERS = 50, 500
#: Texts in other languages from which it matters: how many, and their share of those that tell one.
MIN_TEXTS, MIN_SHARE = 5, 0.2
#: A language is named if it has this share of them; of several, the most frequent are.
_NAMED_SHARE, _MAX_NAMES = 0.1, 3

#: Embedding models of Ollama's library that read many languages, the first choice first. A name
#: without a tag stands for all of its tags.
MULTILINGUAL_MODELS = (
    "bge-m3",
    "snowflake-arctic-embed2",
    "qwen3-embedding",
    "embeddinggemma",
    "nomic-embed-text-v2-moe",
    "granite-embedding:278m",
    "paraphrase-multilingual",
)


@dataclass(frozen=True)
class UnreadLanguages:
    """Languages of the latest texts of an instance that its embedder does not read."""

    #: The most frequent first; empty if most of the texts are in languages that are not known.
    names: tuple[str, ...]
    #: The share of the texts that are in one of them.
    share: float

    def __str__(self) -> str:
        if not self.names:
            return "languages other than English"
        *others, last = (name.capitalize() for name in self.names)
        return f"{', '.join(others)} and {last}" if others else last

    @property
    def is_most(self) -> bool:
        """True if most of the texts are in one of them."""
        return self.share > 0.5


def unread_languages(instance: Instance) -> UnreadLanguages | None:
    """The languages other than English in which *instance* has a good part of its latest texts, if
    it uses the small built-in embedder; else None. Takes two queries.
    """
    if instance.embedding_provider != EmbeddingProvider.BUILTIN:
        return None
    told = Counter(filter(None, map(detected_language, _latest_texts(instance))))
    unread = Counter({name: count for name, count in told.items() if name != "english"})
    if unread.total() < max(MIN_TEXTS, MIN_SHARE * told.total()):
        return None
    if instance.language not in (*FUNCTION_WORDS, "simple"):
        # Its usual language is none that would be recognised.
        unread[instance.language] += unread.pop(UNKNOWN, 0)
    return UnreadLanguages(_named(unread), unread.total() / told.total())


def multilingual_model(names: Iterable[str]) -> str | None:
    """The best of the models called *names* that reads many languages; None if none does."""
    names = list(names)
    for model in MULTILINGUAL_MODELS:
        for name in names:
            if model in (name, name.partition(":")[0]):
                return name.removesuffix(":latest")
    return None


def _latest_texts(instance: Instance) -> list[str]:
    """Texts that have vectors, or get them: memories and turns, cut."""
    memories = instance.memories.order_by("-created_at", "-pk")
    turns = instance.drawers.order_by("-said_at")
    return [
        *memories.values_list(Left("content", SAMPLE_CHARACTERS), flat=True)[:SAMPLE_SIZE],
        *turns.values_list(
            Left(Coalesce("message__content", "note"), SAMPLE_CHARACTERS), flat=True
        )[:SAMPLE_SIZE],
    ]


def _named(unread: Counter[str]) -> tuple[str, ...]:
    if unread[UNKNOWN] > unread.total() / 2:
        return ()
    least = _NAMED_SHARE * unread.total()
    return tuple(
        name
        for name, count in unread.most_common(_MAX_NAMES + 1)
        if name != UNKNOWN and count >= least
    )[:_MAX_NAMES]
