"""Queue of the texts to embed: those of a question at once, those of bulk work in turn.

A request of a few short texts is a question: the thread that has received it embeds them itself,
with the priority of any program. The texts of larger requests are embedded one by one by a thread
for each core, with a low priority, and requests take turns. A question therefore never waits for a
text of another request; it only shares the cores, of which low priority leaves it nine tenths.
"""

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from memoryapp.process import size
from memoryapp.providers.builtin_model.frames import DIMENSIONS

#: A request with more texts or characters than this is bulk work.
MAX_QUESTION_TEXTS, MAX_QUESTION_CHARACTERS = 8, 4_000
#: Vectors that are kept: people send the same short messages again, and turn pages of one search.
MAX_KEPT_VECTORS = 2_048

#: The number of word pieces and the vector of a text.
Embedding = tuple[int, NDArray[np.float32]]


class _Bulk:
    """A large request."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts
        self.next = 0
        self.left = len(texts)
        self.found: list[Embedding | None] = [None] * len(texts)
        self.error: Exception | None = None
        self.is_over = threading.Event()


class EmbeddingQueue:
    """Embeds texts with *embed_one*, which is called by several threads at once."""

    def __init__(self, embed_one: Callable[[str], Embedding], *, threads: int) -> None:
        self._embed_one = embed_one
        self._kept: OrderedDict[bytes, Embedding] = OrderedDict()
        self._keeping = threading.Lock()
        self._questions = threading.BoundedSemaphore(threads)
        self._waiting: deque[_Bulk] = deque()
        self._changed = threading.Condition()
        for _ in range(threads):
            threading.Thread(target=self._work, name="bulk", daemon=True).start()

    def embed(self, texts: Sequence[str]) -> tuple[int, bytes]:
        """Return the word pieces of *texts* and their vectors, as float32 one after the other.
        Raises what *embed_one* raises.
        """
        if len(texts) <= MAX_QUESTION_TEXTS and sum(map(len, texts)) <= MAX_QUESTION_CHARACTERS:
            with self._questions:
                found = [self._embedded(text) for text in texts]
        else:
            found = self._in_turn(texts)
        matrix = np.array([vector for _, vector in found], np.float32).reshape(-1, DIMENSIONS)
        return sum(pieces for pieces, _ in found), matrix.tobytes()

    def _in_turn(self, texts: Sequence[str]) -> list[Embedding]:
        places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        bulk = _Bulk(list(places))
        with self._changed:
            self._waiting.append(bulk)
            self._changed.notify_all()
        bulk.is_over.wait()
        if bulk.error is not None:
            raise bulk.error
        return [found for text in texts if (found := bulk.found[places[text]]) is not None]

    def _work(self) -> None:
        size.lower_priority()
        while True:
            with self._changed:
                self._changed.wait_for(lambda: bool(self._waiting))
                bulk = self._waiting.popleft()
                place, bulk.next = bulk.next, bulk.next + 1
                if bulk.next < len(bulk.texts):
                    self._waiting.append(bulk)
            try:
                bulk.found[place] = self._embedded(bulk.texts[place])
            except Exception as error:
                bulk.error = error
            with self._changed:
                bulk.left -= 1
                if not bulk.left:
                    bulk.is_over.set()

    def _embedded(self, text: str) -> Embedding:
        # By its digest: what was asked is not to be found in the memory of this process.
        key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        with self._keeping:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
        found = self._embed_one(text)
        with self._keeping:
            self._kept[key] = found
            while len(self._kept) > MAX_KEPT_VECTORS:
                self._kept.popitem(last=False)
        return found
