import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from memoryapp.process import size
from memoryapp.providers.builtin_model import queue
from memoryapp.providers.builtin_model.frames import DIMENSIONS
from memoryapp.providers.builtin_model.queue import (
    MAX_QUESTION_CHARACTERS,
    MAX_QUESTION_TEXTS,
    Embedding,
    EmbeddingQueue,
)

BULK = [f"bulk {n}" for n in range(MAX_QUESTION_TEXTS + 2)]


class Embedder:
    """Embeds a text as its length, and records the texts. Texts of bulk work wait until allowed."""

    def __init__(self, *, waits: bool = False) -> None:
        self.texts: list[str] = []
        self.goes_on = threading.Event()
        self.has_begun = threading.Event()
        self.waits = waits

    def __call__(self, text: str) -> Embedding:
        self.texts.append(text)
        if self.waits and text.startswith("bulk"):
            self.has_begun.set()
            assert self.goes_on.wait(60)
        if "poison" in text:
            raise ValueError(text)
        return len(text), np.full(DIMENSIONS, len(text), np.float32)


def lengths(floats: bytes) -> list[int]:
    return [int(row[0]) for row in np.frombuffer(floats, np.float32).reshape(-1, DIMENSIONS)]


@pytest.mark.parametrize("texts", [["one", "three"], [*BULK, "last"], ["x" * 5000, "y"]])
def test_vectors_are_in_the_order_of_the_texts(texts: list[str]) -> None:
    pieces, floats = EmbeddingQueue(Embedder(), threads=2).embed(texts)
    assert lengths(floats) == [len(text) for text in texts]
    assert pieces == sum(map(len, texts))


@pytest.mark.parametrize("threads", [1, 2])
def test_question_overtakes_bulk_work(threads: int) -> None:
    embedder = Embedder(waits=True)
    waiting = EmbeddingQueue(embedder, threads=threads)
    with ThreadPoolExecutor() as pool:
        bulk = [pool.submit(waiting.embed, [f"{text} of {n}" for text in BULK]) for n in range(3)]
        assert embedder.has_begun.wait(60)
        assert lengths(waiting.embed(["a question"])[1]) == [10]
        assert not any(each.done() for each in bulk)
        embedder.goes_on.set()
        assert all(len(lengths(each.result(60)[1])) == len(BULK) for each in bulk)


@pytest.mark.parametrize("texts", [BULK, ["bulk" * MAX_QUESTION_CHARACTERS]])
def test_large_requests_are_bulk_work(texts: list[str]) -> None:
    names: list[str] = []

    def embed_one(text: str) -> Embedding:
        names.append(threading.current_thread().name)
        return 1, np.zeros(DIMENSIONS, np.float32)

    EmbeddingQueue(embed_one, threads=1).embed(texts)
    assert set(names) == {"bulk"}


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a thread has no niceness")
def test_only_bulk_work_has_low_priority() -> None:
    found: dict[str, int] = {}

    def embed_one(text: str) -> Embedding:
        found[text[:4]] = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
        return 1, np.zeros(DIMENSIONS, np.float32)

    own = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    waiting = EmbeddingQueue(embed_one, threads=1)
    waiting.embed(BULK)
    waiting.embed(["what is it?"])
    # There is nothing above 19, for tests that have a low priority themselves.
    assert found == {"bulk": min(19, own + size.NICENESS), "what": own}


def test_requests_take_turns() -> None:
    embedder = Embedder(waits=True)
    waiting = EmbeddingQueue(embedder, threads=1)
    with ThreadPoolExecutor() as pool:
        first = pool.submit(waiting.embed, [f"bulk {n} first" for n in range(50)])
        assert embedder.has_begun.wait(60)
        second = pool.submit(waiting.embed, [f"bulk {n} second" for n in range(10)])
        while len(waiting._waiting) < 2:
            pass
        embedder.goes_on.set()
        second.result(60)
        first.result(60)
    last = max(place for place, text in enumerate(embedder.texts) if text.endswith("second"))
    assert sum(text.endswith("first") for text in embedder.texts[:last]) <= 12


def test_equal_texts_are_embedded_once() -> None:
    embedder = Embedder()
    waiting = EmbeddingQueue(embedder, threads=1)
    assert len(lengths(waiting.embed(["ok"] * 100)[1])) == 100
    waiting.embed(["ok"])
    waiting.embed(["ok", *BULK])
    assert embedder.texts.count("ok") == 1


def test_kept_vectors_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "MAX_KEPT_VECTORS", 3)
    embedder = Embedder()
    waiting = EmbeddingQueue(embedder, threads=1)
    for text in ("a", "b", "c", "a", "d", "a", "b"):
        waiting.embed([text])
    assert embedder.texts == ["a", "b", "c", "d", "b"]


@pytest.mark.parametrize("texts", [["poison"], [*BULK, "poison"]])
def test_failure_reaches_only_its_request(texts: list[str]) -> None:
    waiting = EmbeddingQueue(Embedder(), threads=1)
    with pytest.raises(ValueError, match="poison"):
        waiting.embed(texts)
    assert len(lengths(waiting.embed(BULK)[1])) == len(BULK)
