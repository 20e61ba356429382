"""The endpoints to store and retrieve, and the tools over REST."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from instances.models import EmbeddingProvider, Instance
from memoryapp.models import Memory, Origin
from tests.api.conftest import Program
from tests.provider_fixtures import read_with
from tests.scripted_provider import ScriptedProvider

pytestmark = pytest.mark.django_db
Store = Callable[..., Memory]


def test_text_is_stored_and_the_outcome_returned(program: Program) -> None:
    body = {"content": "The user likes morning calls.", "tags": ["work"], "importance": 7}
    first = program.send("POST", "memory/store", body, status=201)
    memory = Memory.objects.get()
    assert first == {
        "id": memory.pk,
        "content": "The user likes morning calls.",
        "category": "preference",
        "importance": 7,
        "categories": ["work"],
        "external_id": "",
        "metadata": {},
        "temporal": {"type": "persistent", "valid_until": None},
        "dedup": {"action": "stored_new", "existing_id": None},
        "pii": {"redactions": {}},
        "held_id": None,
        "not_taken": False,
        "degraded": None,
    }
    again = program.send("POST", "memory/store", body, status=200)
    assert again["dedup"] == {"action": "duplicate_exact", "existing_id": memory.pk}
    until = program.send(
        "POST", "memory/store", {"content": "He is away.", "valid_until": "2031-05-31"}
    )
    assert until["temporal"] == {"type": "temporal", "valid_until": "2031-05-31"}


def test_secrets_are_redacted_or_rejected(program: Program) -> None:
    stored = program.send(
        "POST", "memory/store", {"content": "The user’s e-mail is ana@example.org."}
    )
    assert stored["pii"]["redactions"] == {"EMAIL": 1}
    assert "example.org" not in stored["content"]
    refused = program.send(
        "POST", "memory/store", {"content": "My password is somewhere in here."}, status=422
    )
    assert refused["code"] == "pii_rejected"
    assert Memory.objects.count() == 1


def test_repeated_store_request_stores_once(program: Program) -> None:
    body = {"content": "The user sails."}
    answers = [program.ask("POST", "memory/store", body, key="k1") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].content == answers[1].content


def test_question_retrieves_memories_with_details(program: Program, store_memory: Store) -> None:
    today = timezone.now().date()
    memory = store_memory(
        "The user is allergic to peanuts.",
        category="fact",
        importance=9,
        tags=["food"],
        end_user="ana",
        valid_until=today - timedelta(days=3),
    )
    answer = program.send("POST", "memory/retrieve", {"query": "Any allergy to peanuts?"})
    (ranked,) = answer["results"]
    assert answer["degraded"] is None
    assert ranked["score"] > 0
    assert 0.3 < ranked["similarity"] <= 1
    assert ranked | {"score": 0, "similarity": 0, "created_at": 0, "updated_at": 0} == {
        "id": memory.pk,
        "content": "The user is allergic to peanuts.",
        "score": 0,
        "similarity": 0,
        "importance": 9,
        "temporal": {"type": "temporal", "valid_until": str(today - timedelta(days=3))},
        "expired": True,
        "meta": {
            "category": "fact",
            "categories": ["food"],
            "user_id": "ana",
            "origin": "manual",
            "tier": "user",
            "confidence": memory.confidence,
        },
        "created_at": 0,
        "updated_at": 0,
    }
    memory.refresh_from_db()
    assert memory.recall_count == 1


@pytest.mark.parametrize(
    ("filters", "ranked"),
    [
        ({}, {"a boat", "a kite", "a sail"}),
        ({"category": "fact"}, {"a boat"}),
        ({"tag": "toys"}, {"a kite"}),
        ({"user_id": "ana"}, {"a sail"}),
        ({"importance": 8}, {"a boat"}),
        ({"current": True}, {"a boat", "a sail"}),
        ({"until": "2001-01-01"}, set()),
    ],
)
def test_filters_narrow_the_results(
    filters: dict[str, Any], ranked: set[str], program: Program, store_memory: Store
) -> None:
    yesterday = timezone.now().date() - timedelta(days=1)
    store_memory("The wind moves a boat.", category="fact", importance=9)
    store_memory("In the wind he flew a kite.", tags=["toys"], valid_until=yesterday)
    store_memory("Ana’s wind fills a sail.", end_user="ana")
    body = {"query": "wind", "filters": filters}
    contents = [hit["content"] for hit in program.send("POST", "memory/retrieve", body)["results"]]
    assert {" ".join(text.rstrip(".").split()[-2:]) for text in contents} == ranked


def test_invalid_filter_is_reported(program: Program) -> None:
    for filters, status in (({"category": "rumour"}, 400), ({"colour": "red"}, 422)):
        body = {"query": "wind", "filters": filters}
        program.send("POST", "memory/retrieve", body, status=status)


def test_retrieval_degrades_to_words_without_vectors(
    program: Program, store_memory: Store, instance: Instance
) -> None:
    store_memory("The user sails.")
    instance.embedding_provider = EmbeddingProvider.OPENAI
    instance.save()
    answer = program.send("POST", "memory/retrieve", {"query": "sails"})
    assert answer["degraded"] == "embedding_unavailable"
    assert [hit["content"] for hit in answer["results"]] == ["The user sails."]


def test_tools_are_listed_by_the_scopes_of_the_key(
    program: Program, program_that_may: Callable[..., Program]
) -> None:
    def names(of: Program) -> list[str]:
        return [tool["function"]["name"] for tool in of.send("GET", "tools")["tools"]]

    assert names(program) == ["search_memory", "list_memories", "save_memory", "forget_memory"]
    assert names(program_that_may("write")) == ["save_memory"]


def test_tool_calls_are_executed(program: Program, instance: Instance) -> None:
    def call(name: str, **body: Any) -> Any:
        return program.send("POST", f"tools/{name}", body)

    saved = call("save_memory", content="Ana sails.", user_id="ana", tags=["Sport"])
    memory = Memory.objects.get()
    assert (memory.end_user, memory.origin, memory.tags) == ("ana", Origin.API, ["sport"])
    assert saved == {
        "ok": True,
        "text": f"[m{memory.pk}] stored.",
        "data": {"id": f"m{memory.pk}", "content": "Ana sails.", "action": "stored_new"},
    }
    assert "Ana sails." in call("search_memory", query="sails")["text"]
    assert call("list_memories", user_id="imre")["data"]["total"] == 0
    assert call("forget_memory", id=memory.pk, user_id="imre")["ok"] is False
    assert call("forget_memory", id=memory.pk)["data"]["forgotten"] == [f"m{memory.pk}"]
    assert not Memory.objects.exists()
    assert instance.activity.latest("pk").via.startswith("api ks_")


@pytest.mark.parametrize("path", ["search", "memory/retrieve"])
def test_reranking_by_a_model_on_request(
    path: str,
    program: Program,
    store_memory: Store,
    instance: Instance,
    provider: ScriptedProvider,
) -> None:
    for what in ("boat", "boat cover"):
        store_memory(f"The user has a {what}.")
    field = "q" if path == "search" else "query"

    def ranked(**body: Any) -> tuple[list[str], str | None]:
        answer = program.send("POST", path, {field: "Which boat?", **body})
        results = answer.get("results") or [item["memory"] for item in answer["items"]]
        return [result["content"] for result in results], answer["rerank_problem"]

    plain, problem = ranked()
    assert problem is None
    order, problem = ranked(rerank=True)
    assert order == plain
    assert problem == "Not reranked: no language model is set up."
    read_with(provider, instance)
    provider.reply_with({"best": [2]})
    assert ranked(rerank=True) == (plain[::-1], None)
