"""Scores of results: examples of each signal, and properties of all of them."""

from dataclasses import replace
from datetime import date, timedelta
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.recall.dates import Span
from memoryapp.recall.fusion import Fused
from memoryapp.recall.query_analysis import AnalysedQuery
from memoryapp.recall.scoring import (
    MIN_SESSIONS,
    NOT_THEIR_OWN,
    SPREAD,
    WEIGHTS,
    Scale,
    Traits,
    not_clearly_weaker,
    says_the_same,
    weigh,
)

TODAY = date(2024, 2, 29)
PLAIN = AnalysedQuery("?", "?")
USUAL = Scale()


def worth(
    traits: Traits, asked: AnalysedQuery = PLAIN, scale: Scale = USUAL, *, turns: bool = False
) -> dict[str, float]:
    (entry,) = weigh(asked, {"it": traits}, {}, scale=scale, today=TODAY, turns_compete=turns)
    return entry.parts


@pytest.mark.parametrize(
    ("traits", "parts"),
    [
        (Traits(), {}),
        (Traits(cosine=2 * SPREAD), {"meaning": 2 * WEIGHTS.meaning}),
        (Traits(cosine=-0.3), {}),
        (Traits(words=0.5), {"words": WEIGHTS.words / 2}),
        (Traits(source=1), {"source": WEIGHTS.source}),
        (Traits(source=NOT_THEIR_OWN), {"source": NOT_THEIR_OWN * WEIGHTS.source}),
        (Traits(is_expired=True), {"expired": -WEIGHTS.expired}),
        (Traits(is_stale=True), {"stale": -WEIGHTS.stale}),
        (Traits(is_expired=True, is_stale=True), {"expired": -WEIGHTS.expired}),
        (Traits(following=0.15), {}),
        (Traits(following=0.15 + SPREAD), {"following": WEIGHTS.following}),
        (Traits(importance=5), {}),
        (Traits(importance=9), {"importance": 4 * WEIGHTS.importance}),
        (Traits(importance=1), {"importance": -4 * WEIGHTS.importance}),
        (Traits(is_preference=True, times_heard=1), {}),
        (Traits(is_preference=True, times_heard=3), {"preference": WEIGHTS.preference * log(3)}),
        (Traits(times_heard=3), {}),
        (Traits(day=TODAY), {}),
    ],
)
def test_weight_of_each_signal(traits: Traits, parts: dict[str, float]) -> None:
    assert worth(traits) == pytest.approx(parts)


def test_memory_has_nearly_all_evidence_of_the_turn_it_was_learned_from() -> None:
    turn, lesser = Traits(cosine=2 * SPREAD, words=0.5), Traits(words=0.5)
    evidence = 2 * WEIGHTS.meaning + WEIGHTS.words / 2
    assert worth(Traits(turns=[lesser, turn])) == {"said": pytest.approx(WEIGHTS.said * evidence)}
    # Of two memories of one turn, the one that is itself near the question stays first.
    near = worth(Traits(cosine=SPREAD, turns=[turn]))
    assert near["said"] == pytest.approx(WEIGHTS.said * (evidence - WEIGHTS.meaning))
    assert sum(near.values()) > WEIGHTS.said * evidence
    assert "said" not in worth(Traits(cosine=0.9, turns=[turn]))


def test_answer_has_the_evidence_of_the_question_before_it() -> None:
    asked = Traits(cosine=2 * SPREAD, words=1)
    evidence = 2 * WEIGHTS.meaning + WEIGHTS.words
    answer = worth(Traits(cosine=SPREAD, asked=asked))
    assert answer["answers"] == pytest.approx(WEIGHTS.answers * (evidence - WEIGHTS.meaning))
    assert "answers" not in worth(Traits(cosine=2 * SPREAD, words=1, asked=asked))


def test_similarity_is_normalized_per_model() -> None:
    assert worth(Traits(cosine=0.1), scale=Scale(0.05)) == {
        "meaning": pytest.approx(2 * WEIGHTS.meaning)
    }


def test_author_counts_if_the_question_asks_for_it() -> None:
    ana = replace(PLAIN, speakers=frozenset({"Ana"}))
    assert worth(Traits(author="Ana"), ana) == {"speaker": WEIGHTS.speaker}
    assert worth(Traits(author="Bo"), ana) == {}
    mine = replace(PLAIN, role="user")
    assert worth(Traits(role="user"), mine) == {"speaker": WEIGHTS.speaker}
    assert worth(Traits(role="assistant"), mine) == {}
    assert worth(Traits(role="user")) == {}


def test_dates_and_the_present_count_if_the_question_names_them() -> None:
    named = replace(PLAIN, dates=(Span(date(2023, 5, 1), date(2023, 5, 31)),))
    assert worth(Traits(day=date(2023, 5, 8)), named) == {"date": WEIGHTS.date}
    assert worth(Traits(day=date(2023, 6, 8)), named) == {"date": WEIGHTS.date / 2}
    now = replace(PLAIN, about_now=True)
    today, last_month, tomorrow = (
        worth(Traits(day=TODAY + timedelta(days)), now)["recency"] for days in (0, -30, 1)
    )
    assert today == tomorrow == WEIGHTS.recency
    assert last_month == pytest.approx(WEIGHTS.recency * 0.368, abs=0.001)


def test_memory_precedes_an_equally_near_message() -> None:
    found = {"turn": Traits(cosine=0.4), "memory": Traits(cosine=0.4, importance=5)}
    ranked = weigh(PLAIN, found, {}, scale=USUAL, today=TODAY, turns_compete=True)
    assert [entry.item for entry in ranked] == ["memory", "turn"]
    assert worth(found["memory"]) == worth(found["turn"])


def sessions(count: int) -> dict[str, Traits]:
    """Return a message in each of *count* sessions, the first near the question, and a weak one in
    the first session.
    """
    turns = {
        f"turn {n}": Traits(cosine=0.5 if n == 0 else 0.2, session=("talk", n))
        for n in range(count)
    }
    return turns | {"beside": Traits(cosine=0.19, session=("talk", 0))}


def test_messages_profit_from_the_best_of_their_session() -> None:
    def entries(count: int) -> dict[str, Fused[str]]:
        ranked = weigh(PLAIN, sessions(count), {}, scale=USUAL, today=TODAY, turns_compete=True)
        return {entry.item: entry for entry in ranked}

    few, many = entries(MIN_SESSIONS - 1), entries(MIN_SESSIONS)
    assert not any("session" in entry.parts for entry in few.values())
    assert few["beside"].score < few["turn 1"].score
    assert many["beside"].parts["session"] == many["turn 0"].parts["session"] > 0
    assert many["beside"].score > many["turn 1"].score
    assert "session" not in many["turn 1"].parts


@pytest.mark.parametrize(
    ("memory", "turn", "same"),
    [
        (Traits(cosine=0.5, words=0.5), Traits(cosine=0.5, words=0.5), True),
        (Traits(cosine=0.7), Traits(words=0.9), True),
        (Traits(cosine=0.1), Traits(cosine=0.6, words=0.6), False),
        (Traits(), Traits(), True),
        (Traits(cosine=None, words=0.2), Traits(words=0.9), False),
    ],
)
def test_memory_and_its_message_say_the_same(memory: Traits, turn: Traits, same: bool) -> None:
    assert says_the_same(memory, turn, USUAL) is same


unit = st.floats(0, 1)
TRAITS = st.builds(
    Traits,
    day=st.none() | st.dates(),
    cosine=st.none() | st.floats(-1, 1),
    words=unit,
    turns=st.lists(st.builds(Traits, cosine=st.none() | st.floats(-1, 1), words=unit), max_size=2),
    source=st.floats(-1, 1),
    author=st.sampled_from(["", "Ana", "Bo"]),
    role=st.sampled_from(["", "user", "assistant"]),
    session=st.none() | st.tuples(st.integers(1, 3), st.integers(1, 9)),
    following=st.none() | st.floats(-1, 1),
    importance=st.none() | st.integers(1, 10),
    is_preference=st.booleans(),
    times_heard=st.integers(0, 9),
)
ASKED = st.builds(
    AnalysedQuery,
    st.just("?"),
    st.just("?"),
    st.sampled_from([frozenset(), frozenset({"Ana"})]),
    st.sampled_from(["", "user"]),
    st.just((Span(date(2023, 5, 1), date(2023, 5, 31)),)),
    st.booleans(),
)


@given(st.dictionaries(st.integers(), TRAITS, max_size=30), ASKED, st.booleans())
def test_results_are_unique_sorted_and_scores_add_up(
    found: dict[int, Traits], asked: AnalysedQuery, turns: bool
) -> None:
    ranked = weigh(asked, found, {}, scale=USUAL, today=TODAY, turns_compete=turns)
    assert {entry.item for entry in ranked} == set(found)
    assert len(ranked) == len(found)
    scores = [entry.score for entry in ranked]
    assert scores == sorted(scores, reverse=True)
    for entry in ranked:
        assert entry.score == pytest.approx(sum(entry.parts.values()))
        assert all(entry.parts.values())


@given(st.dictionaries(st.integers(), TRAITS, max_size=12), ASKED, unit)
def test_higher_similarity_never_ranks_lower(
    found: dict[int, Traits], asked: AnalysedQuery, more: float
) -> None:
    def place(of: dict[int, Traits]) -> int:
        ranked = weigh(asked, of, {}, scale=USUAL, today=TODAY, turns_compete=True)
        return [entry.item for entry in ranked].index(-1)

    it = Traits(cosine=0.3, words=0.1)
    nearer = replace(it, cosine=0.3 + more / 2, words=0.1 + more / 2)
    others = {key: traits for key, traits in found.items() if key != -1}
    assert place(others | {-1: nearer}) <= place(others | {-1: it})


def test_what_is_clearly_weaker_than_the_best_is_left_out() -> None:
    near, far, unknown = Traits(cosine=0.9), Traits(cosine=0.1), Traits(words=0.1)
    doubted, memory = replace(near, source=-1), replace(far, importance=5)
    found = {"near": near, "far": far, "unknown": unknown, "doubted": doubted, "memory": memory}
    ranked = weigh(PLAIN, found, {}, scale=USUAL, today=TODAY, turns_compete=True)
    weaker = {"far", "memory"}
    assert not_clearly_weaker(ranked, found.keys(), found) == found.keys() - weaker
    # Only what passes the floor is compared.
    assert not_clearly_weaker(ranked, weaker, found) == weaker
    assert not_clearly_weaker(ranked, set(), found) == set()
