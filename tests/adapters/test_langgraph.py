"""The page on LangGraph's store, with LangGraph's own package."""

import asyncio
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from langgraph.store.base import BaseStore, GetOp, PutOp, SearchOp

from memoryapp.models import StoredDocument
from tests.adapters.conftest import Keepsake
from tests.adapters.pages import adapter

ODD = {"z": 1, "a": [1.5, None, True, {"ß": "𝄞\r\n"}], "m": {}}


@pytest.fixture
def store(keepsake: Keepsake) -> Iterator[Any]:
    made = adapter("langgraph").KeepsakeStore(*keepsake, user_id="ana")
    yield made
    made._http.close()


def test_it_is_a_store(store: Any) -> None:
    assert isinstance(store, BaseStore)


def test_items_come_back_exactly(store: Any) -> None:
    namespace = ("memories", "ana")
    assert store.get(namespace, "odd") is None
    store.put(namespace, "odd", ODD)
    item = store.get(namespace, "odd")
    assert (item.namespace, item.key, item.value) == (namespace, "odd", ODD)
    assert list(item.value) == list(ODD)
    assert isinstance(item.created_at, datetime) and item.created_at.tzinfo
    store.put(namespace, "odd", {"n": 2})
    changed = store.get(namespace, "odd")
    assert changed.value == {"n": 2}
    assert changed.created_at == item.created_at < changed.updated_at
    assert StoredDocument.objects.get().end_user == "ana"
    store.delete(namespace, "odd")
    store.delete(namespace, "odd")
    assert store.get(namespace, "odd") is None


def test_two_keys_with_one_text_stay_two(store: Any) -> None:
    for key in ("a", "b"):
        store.put(("m",), key, {"text": "Ana likes tea."})
    assert {item.key for item in store.search(("m",))} == {"a", "b"}


def test_search(store: Any) -> None:
    store.put(("m", "ana"), "food", {"text": "Ana eats no fish.", "kind": "taste", "n": 1})
    store.put(("m", "ana"), "pet", {"text": "The dog is called Rex.", "kind": "pet", "n": 2})
    store.put(("m", "ben"), "pet", {"text": "The cat is called Tom.", "kind": "pet", "n": 3})
    store.put(("other",), "x", {"text": "A fish."})
    best, *_ = store.search(("m",), query="what should I not cook?")
    assert (best.key, best.namespace) == ("food", ("m", "ana"))
    assert best.score > 0
    assert [item.value["n"] for item in store.search(("m",))] == [3, 2, 1]
    assert store.search(("m",))[0].score is None
    assert [item.value["n"] for item in store.search(("m",), limit=1, offset=1)] == [2]
    assert [item.value["n"] for item in store.search((), filter={"kind": "pet"})] == [3, 2]
    assert [item.value["n"] for item in store.search((), filter={"n": {"$eq": 2}})] == [2]
    with pytest.raises(ValueError, match="filter"):
        store.search((), filter={"n": {"$gt": 1}})


def test_namespaces(store: Any) -> None:
    for namespace in (("a", "b", "c"), ("a", "b", "d", "e"), ("a", "b", "d", "i"), ("b", "c")):
        store.put(namespace, "k", {})
    everything = store.list_namespaces()
    assert everything == [("a", "b", "c"), ("a", "b", "d", "e"), ("a", "b", "d", "i"), ("b", "c")]
    assert store.list_namespaces(prefix=("a", "*"), max_depth=3) == [
        ("a", "b", "c"),
        ("a", "b", "d"),
    ]
    assert store.list_namespaces(suffix=("c",)) == [("a", "b", "c"), ("b", "c")]
    assert store.list_namespaces(prefix=("a",), suffix=("*", "e")) == [("a", "b", "d", "e")]
    assert store.list_namespaces(limit=2, offset=1) == everything[1:3]


def test_batches_sync_and_async(store: Any) -> None:
    ops = [
        PutOp(("m",), "a", {"n": 1}),
        GetOp(("m",), "a"),
        SearchOp(("m",)),
        PutOp(("m",), "a", None),
        GetOp(("m",), "a"),
    ]
    for run in (store.batch, lambda ops: asyncio.run(store.abatch(ops))):
        put, got, found, deleted, gone = run(ops)
        assert (put, got.value, [item.key for item in found]) == (None, {"n": 1}, ["a"])
        assert (deleted, gone) == (None, None)


def test_a_bad_address_is_refused_in_words(store: Any) -> None:
    with pytest.raises(ValueError, match="at most 255 characters"):
        store.put(("m",), "k" * 256, {})
