"""mem0's filters."""

import contextlib
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from instances.models import Instance
from memoryapp.api.errors import ApiError
from memoryapp.api.mem0.filters import parse, parse_query_value
from memoryapp.models import Memory
from tests.api.conftest import key_of

ZONE = ZoneInfo("Europe/Berlin")

#: Memories by name: owner, metadata, category, tags, and creation time.
MEMORIES: dict[str, dict[str, Any]] = {
    "rows": {
        "end_user": "ana",
        "labels": ["agent:coach", "run:r-1", "agent:cox"],
        "metadata": {
            "room": "a",
            "seat": {"row": 3},
            "score": 3,
            "day": "2026-01-31",
            "gear": ["oar", "cap"],
        },
        "category": "preference",
        "tags": ["sport", "lake"],
        "at": datetime(2026, 3, 1, 12, tzinfo=UTC),
    },
    "sings": {
        "end_user": "ana",
        "labels": ["agent:choir"],
        "metadata": {"room": "b", "score": 7, "day": "2026-02-28", 'a"b\\ü__gte': 1},
        "category": "fact",
        "tags": ["music"],
        # 2 March in Berlin
        "at": datetime(2026, 3, 1, 23, 30, tzinfo=UTC),
    },
    "bakes": {
        "end_user": "ben",
        # Stated by no agent, and in no run that has a name.
        "labels": ["agent:", "run:"],
        "metadata": {},
        "category": "general",
        "tags": ["food"],
        "at": datetime(2026, 3, 5, 12, tzinfo=UTC),
    },
    "sails": {
        "end_user": "",
        "labels": ["agent:coach"],
        "metadata": {},
        "category": "event",
        "tags": [],
        "at": datetime(2026, 4, 1, 12, tzinfo=UTC),
    },
}


@pytest.fixture
def ids(instance: Instance) -> dict[str, int]:
    """Ids of the memories by name."""
    return {
        name: Memory.objects.create(
            instance=instance,
            content=f"Somebody {name} on Monday_1.",
            created_at=fields["at"],
            **{key: value for key, value in fields.items() if key != "at"},
        ).pk
        for name, fields in MEMORIES.items()
    }


def selected(filters: Any) -> set[str]:
    matching = Memory.objects.filter(parse(filters, ZONE).q)
    return {memory.content.split()[1] for memory in matching}


@pytest.mark.parametrize(
    ("filters", "names"),
    [
        ({"user_id": "ana"}, {"rows", "sings"}),
        ({"user_id": {"ne": "ana"}}, {"bakes", "sails"}),
        ({"user_id": {"in": ["ana", "ben"]}}, {"rows", "sings", "bakes"}),
        ({"user_id": ["ben"]}, {"bakes"}),
        ({"user_id": {"nin": ["ana", "ben"]}}, {"sails"}),
        ({"user_id": "*"}, {"rows", "sings", "bakes"}),
        ({"agent_id": "coach"}, {"rows", "sails"}),
        ({"agent_id": {"ne": "coach"}}, {"sings", "bakes"}),
        ({"agent_id": "cox"}, {"rows"}),
        ({"agent_id": {"in": ["cox", "choir"]}}, {"rows", "sings"}),
        ({"AND": [{"agent_id": "cox"}, {"agent_id": "coach"}]}, {"rows"}),
        ({"run_id": "*"}, {"rows"}),
        ({"agent_id": "*"}, {"rows", "sings", "sails"}),
        ({"NOT": [{"agent_id": "*"}]}, {"bakes"}),
        ({"user_id": "ana", "agent_id": "coach"}, {"rows"}),
        ({"AND": [{"user_id": "ana"}, {"run_id": "r-1"}]}, {"rows"}),
        ({"OR": [{"run_id": "r-1"}, {"user_id": "ben"}]}, {"rows", "bakes"}),
        ({"AND": {"user_id": "ana"}}, {"rows", "sings"}),
        ({"NOT": {"user_id": "ana"}}, {"bakes", "sails"}),
        ({"NOT": [{"user_id": "ana"}, {"user_id": "ben"}]}, {"sails"}),
        (
            {"AND": [{"user_id": "*"}, {"OR": [{"categories": "music"}, {"app_id": "x"}]}]},
            {"sings"},
        ),
        ({"categories": {"in": ["music", "food"]}}, {"sings", "bakes"}),
        ({"categories": {"contains": "Lake"}}, {"rows"}),
        ({"categories": ["fact", "event"]}, {"sings", "sails"}),
        ({"categories": {"ne": "fact"}}, {"rows", "bakes", "sails"}),
        ({"keywords": "SINGS"}, {"sings"}),
        ({"keywords": {"icontains": "SINGS"}}, {"sings"}),
        ({"keywords": {"contains": "SINGS"}}, set()),
        ({"keywords": {"contains": "Monday%1"}}, set()),
        ({"metadata": {"room": "a"}}, {"rows"}),
        ({"metadata": {"seat": {"row": 3}}}, {"rows"}),
        ({"metadata": {"contains": {"room": "b"}}}, {"sings"}),
        ({"metadata": {"ne": {"room": "a"}}}, {"sings", "bakes", "sails"}),
        ({"metadata": {"room": {"eq": "a"}}}, {"rows"}),
        ({"metadata": {"room": {"ne": "a"}}}, {"sings", "bakes", "sails"}),
        ({"metadata": {"room": {"in": ["a", "b"]}}}, {"rows", "sings"}),
        ({"metadata": {"room": {"nin": ["a", "b"]}}}, {"bakes", "sails"}),
        ({"metadata": {"room": "*"}}, {"rows", "sings"}),
        ({"metadata": {"score": {"gte": 3}}}, {"rows", "sings"}),
        ({"metadata": {"score": {"gt": 3, "lt": 7.5}}}, {"sings"}),
        ({"metadata": {"score": {"lte": 3}, "room": "a"}}, {"rows"}),
        # A text is no number.
        ({"metadata": {"score": {"gte": "3"}}}, set()),
        ({"metadata": {"day": {"gte": "2026-02-01", "lt": "2026-03-01"}}}, {"sings"}),
        ({"metadata": {"gear": {"contains": "oar"}}}, {"rows"}),
        ({"metadata": {"day": {"contains": "-01-"}}}, {"rows"}),
        ({"metadata": {"day": {"contains": "%"}}}, set()),
        ({"metadata": {"room": {"icontains": "B"}}}, {"sings"}),
        ({"metadata": {'a"b\\ü__gte': 1}}, {"sings"}),
        ({"metadata": {'a"b\\ü__gte': {"gte": 1}}}, {"sings"}),
        ({"room": "a"}, {"rows"}),
        ({"score": {"gte": 7}}, {"sings"}),
        ({"OR": [{"room": "b"}, {"user_id": "ben"}]}, {"sings", "bakes"}),
        ({"run_id": None}, {"sings", "bakes", "sails"}),
        ({"user_id": "ana", "run_id": None}, {"sings"}),
        ({"agent_id": {"ne": None}}, {"rows", "sings", "sails"}),
        ({"run_id": {"in": ["r-1", None]}}, {"rows", "sings", "bakes", "sails"}),
        ({"metadata": {"room": "'; DROP TABLE memories; --"}}, set()),
        ({"created_at": "2026-03-01"}, {"rows"}),
        ({"created_at": {"gte": "2026-03-02"}}, {"sings", "bakes", "sails"}),
        ({"created_at": {"gt": "2026-03-02"}}, {"bakes", "sails"}),
        ({"created_at": {"lte": "2026-03-02"}}, {"rows", "sings"}),
        ({"created_at": {"lt": "2026-03-02"}}, {"rows"}),
        ({"created_at": {"ne": "2026-03-02"}}, {"rows", "bakes", "sails"}),
        ({"created_at": {"gte": "2026-03-01", "lte": "2026-03-31"}}, {"rows", "sings", "bakes"}),
        ({"created_at": {"lte": "2026-03-01T12:00:00Z"}}, {"rows"}),
        ({"created_at": {"lt": "2026-03-01T13:00:00"}}, set()),
        ({"timestamp": {"gt": 1_774_000_000}}, {"sails"}),
    ],
)
def test_filters_select_memories(filters: Any, names: set[str], ids: dict[str, int]) -> None:
    assert selected(filters) == names


def test_filter_by_ids(ids: dict[str, int]) -> None:
    Memory.objects.filter(pk=ids["rows"]).update(external_id="m-1")
    parameters = ["m-1", str(ids["bakes"]), ids["sails"], str(ids["rows"]), "none", "9" * 30]
    assert selected({"memory_ids": parameters}) == {"rows", "bakes", "sails"}


@pytest.mark.parametrize(
    ("filters", "owned"),
    [
        ({"user_id": "ana"}, True),
        ({"run_id": "*"}, True),
        ({"memory_ids": ["1"]}, True),
        ({"user_id": "ana", "categories": "food"}, True),
        ({"AND": [{"categories": "food"}, {"user_id": "ana"}]}, True),
        ({"OR": [{"user_id": "ana"}, {"agent_id": "coach"}]}, True),
        ({"OR": [{"user_id": "ana"}, {"categories": "food"}]}, False),
        ({"user_id": {"ne": "ana"}}, False),
        ({"run_id": {"in": [None]}}, False),
        ({"user_id": "ana", "run_id": None}, True),
        ({"room": "a"}, False),
        ({"NOT": [{"user_id": "ana"}]}, False),
        ({"NOT": [{"NOT": [{"user_id": "ana"}]}]}, False),
        ({"categories": "food"}, False),
        ({"metadata": {"user_id": "ana"}}, False),
    ],
)
def test_filters_name_an_entity(filters: Any, owned: bool) -> None:
    assert parse(filters, ZONE).owned is owned


@pytest.mark.parametrize(
    ("filters", "end_user"),
    [
        ({"user_id": "ana"}, "ana"),
        ({"user_id": {"eq": "ana", "ne": "ben"}}, "ana"),
        ({"AND": [{"categories": "food"}, {"user_id": "ana"}]}, "ana"),
        ({"user_id": 7}, "7"),
        ({"user_id": "*"}, None),
        ({"user_id": ["ana"]}, None),
        ({"agent_id": "ana"}, None),
        ({"OR": [{"user_id": "ana"}, {"user_id": "ana"}]}, None),
        ({"NOT": [{"user_id": "ana"}]}, None),
    ],
)
def test_single_user_of_the_filters(filters: Any, end_user: str | None) -> None:
    assert parse(filters, ZONE).end_user == end_user


words = st.sampled_from(["AND", "OR", "NOT", "eq", "in", "gte", "contains", "user_id", "run_id"])
fields = st.sampled_from(["categories", "created_at", "keywords", "metadata", "memory_ids", "*"])
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | words | fields,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(words | fields | st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(parameters=anything)
def test_any_filter_is_parsed_or_rejected(parameters: Any) -> None:
    with contextlib.suppress(ApiError):
        str(Memory.objects.filter(parse(parameters, ZONE).q).query)


def nested(depth: int) -> dict[str, Any]:
    return {"AND": [nested(depth - 1)]} if depth else {"user_id": "ana"}


@pytest.mark.parametrize(
    "filters",
    [
        None,
        [],
        {},
        "user_id=ana",
        {"user": "ana"},
        {"User_id": "ana"},
        {"userId": "ana"},
        {"user-id": "ana"},
        {"createdAt": "2031-01-01"},
        {"memory_id": "1"},
        {"user_id": None},
        {"user_id": ""},
        {"user_id": " "},
        {"user_id": True},
        {"user_id": {"like": "an%"}},
        {"user_id": {}},
        {"user_id": {"in": []}},
        {"user_id": {"in": ["ana", None]}},
        {"AND": []},
        {"AND": "ana"},
        {"AND": [{}]},
        {"OR": [{"user_id": "ana"}, {}]},
        {"NOT": [{}]},
        {"and": [{"user_id": "ana"}]},
        {"created_at": "soon"},
        {"created_at": None},
        {"created_at": {"near": "2026-01-01"}},
        {"created_at": {"gte": True}},
        {"created_at": 10**20},
        {"created_at": "0001-01-01"},
        {"categories": {"contains": [[]]}},
        {"keywords": ""},
        {"keywords": {"in": ["a"]}},
        {"metadata": "a"},
        {"metadata": {}},
        {"metadata": {"score": {"gte": [3]}}},
        {"metadata": {"score": {"gte": True}}},
        {"metadata": {"score": {"gte": 3, "near": 4}}},
        {"metadata": {"score": {"in": []}}},
        {"category": "food"},
        {"memory_ids": {"ne": ["1"]}},
        nested(12),
    ],
)
def test_invalid_filter_is_rejected(filters: Any) -> None:
    with pytest.raises(ApiError, match="filters: ") as refused:
        parse(filters, ZONE)
    assert refused.value.status_code == 400


def test_ten_levels_are_accepted() -> None:
    assert parse(nested(10), ZONE).owned


def test_filters_in_a_query_string() -> None:
    filters = {"user_id": "it's", "AND": [{"run_id": 'a "b"'}, {"categories": ["x", "y"]}]}
    # The first is how httpx encodes a dictionary.
    for query_string in (
        str(filters),
        '{"user_id": "it\'s", "AND": [{"run_id": "a \\"b\\""}, {"categories": ["x", "y"]}]}',
    ):
        assert parse_query_value(query_string) == filters


@pytest.mark.parametrize("text", ["", "user_id=ana", "__import__('os')", "(" * 5000, "[" * 30000])
def test_invalid_filter_in_a_query_string_is_rejected(text: str) -> None:
    with pytest.raises(ApiError, match="filters: "):
        parse_query_value(text)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["metadata", "filters"])
@pytest.mark.parametrize("value", ["-1", "[]", "null", "{1, 2}", "{'a': {1, 2}}", "b'x'", "1j"])
def test_query_that_holds_no_object_is_refused(instance: Instance, name: str, value: str) -> None:
    program = key_of(instance)[1]
    refused = program.ask("GET", f"/v1/memories/?user_id=ana&{urlencode({name: value})}")
    assert refused.status_code in (400, 422), refused.content


@pytest.mark.django_db
def test_query_in_python_becomes_json(instance: Instance) -> None:
    program = key_of(instance)[1]
    query = urlencode({"user_id": "ana", "metadata": "{1: (2, None)}"})
    assert program.send("GET", f"/v1/memories/?{query}") == []
