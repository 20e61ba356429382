"""Searching and listing with mem0's client."""

import pytest
from mem0 import MemoryClient
from mem0.client.types import GetAllMemoryOptions, SearchMemoryOptions
from mem0.exceptions import ValidationError

from tests.api.mem0.client_calls import ANA, stored, texts


def test_search_is_limited_to_one_user(client: MemoryClient) -> None:
    stored(client, "Ana is allergic to peanuts.", "Ana plays the violin.")
    stored(client, "Ben is allergic to peanuts.", user_id="ben")
    answer = client.search("Who is allergic to peanuts?", filters=ANA)
    first = answer["results"][0]
    assert first["memory"] == "Ana is allergic to peanuts."
    assert 0.3 < first["score"] <= 1
    assert {one["user_id"] for one in answer["results"]} == {"ana"}
    strict = SearchMemoryOptions(filters=ANA, top_k=1, threshold=first["score"], rerank=True)
    assert texts(client.search("Who is allergic to peanuts?", strict)) == [first["memory"]]
    none = client.search("Who is allergic to peanuts?", filters=ANA, threshold=0.9999)
    assert none["results"] == []
    few = client.search("peanuts", filters=ANA, fields=["memory"])
    assert all(one.keys() == {"id", "memory"} for one in few["results"])


def test_search_across_users_must_be_explicit(client: MemoryClient) -> None:
    stored(client, "Ana rows.")
    stored(client, "Ben rows.", user_id="ben")
    with pytest.raises(ValidationError, match="An owner is required"):
        client.get_all()
    with pytest.raises(ValidationError, match="An owner is required"):
        client.search("rows", filters={"NOT": [ANA]})
    assert client.get_all(filters={"user_id": "*"})["count"] == 2


def test_list_is_paginated(client: MemoryClient) -> None:
    stored(client, *(f"Ana {what}." for what in ("rows", "sings bass", "keeps bees", "is tall")))
    stored(client, "Her sister lives in Oslo.")
    seen: list[str] = []
    page = client.get_all(filters=ANA, page=1, page_size=2)
    while True:
        assert page["count"] == 5
        seen += texts(page)
        if page["next"] is None:
            break
        page = client.client.post(page["next"], json={"filters": ANA}).json()
    assert len(seen) == len(set(seen)) == 5
    assert page["previous"].endswith("page=2&page_size=2")


def test_expired_memories_are_shown_on_request(client: MemoryClient) -> None:
    stored(client, "Ana is in Oslo.", expiration_date="2020-01-31")
    assert client.get_all(filters=ANA)["results"] == []
    assert client.search("Where is Ana?", filters=ANA)["results"] == []
    options = GetAllMemoryOptions(filters=ANA, show_expired=True)
    assert texts(client.get_all(options)) == ["Ana is in Oslo."]


def test_unrelated_query_finds_nothing_unless_a_threshold_is_given(client: MemoryClient) -> None:
    stored(client, "Ana plays the violin.", "Ana is allergic to peanuts.")
    assert client.search("Good morning!", filters=ANA)["results"] == []
    assert client.search("Explain how a transistor works", filters=ANA)["results"] == []
    options = SearchMemoryOptions(filters=ANA, threshold=0.0)
    assert client.search("Good evening, Ana", options)["results"]
