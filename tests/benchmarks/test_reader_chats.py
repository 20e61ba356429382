"""The messages with which the built-in reader is measured: their form, and how days are judged."""

from collections import Counter
from dataclasses import replace
from datetime import date

from benchmarks.embedder_centres import MESSAGES
from benchmarks.reader_chats import SAID_ON, Expected, Score, cases, every_case
from memoryapp.reader import Spoken, read


def test_chats_are_800_in_five_languages() -> None:
    development, held_out = cases()
    assert (len(development), len(held_out)) == (600, 200)
    for part, share in ((development, 120), (held_out, 40)):
        languages = Counter(case.language for case in part)
        assert set(languages.values()) == {share}
        assert len(languages) == 5


def test_every_kind_is_held_out_in_every_language() -> None:
    development, held_out = cases()
    kinds = {(case.language, case.kind) for case in development}
    assert {(case.language, case.kind) for case in held_out} == kinds
    assert len(kinds) == 5 * 19


def test_the_means_of_vectors_are_of_the_plain_messages() -> None:
    languages = Counter(case.language for case in every_case() if case.kind == "plain")
    assert set(languages.values()) == {MESSAGES}


def test_messages_differ_and_a_third_hold_nothing() -> None:
    every = every_case()
    assert len({" ".join(case.text.lower().split()) for case in every}) == len(every)
    assert sum(not case.facts for case in every) >= len(every) / 3


def test_a_kind_holds_facts_or_none() -> None:
    with_facts = {case.kind for case in every_case() if case.facts}
    without = {case.kind for case in every_case() if not case.facts}
    assert with_facts & without == {"plain"}
    assert without == {"plain", "question", "task", "talk", "pasted", "fiction", "others"}


def test_first_days_stand_in_the_facts_and_last_days_are_still_to_come() -> None:
    facts = [fact for case in every_case() for fact in case.facts]
    for fact in facts:
        if fact.first_day:
            assert fact.first_day.isoformat() in fact.text
        if fact.last_day:
            assert fact.last_day >= (fact.first_day or SAID_ON) >= SAID_ON
    assert sum(bool(fact.first_day) for fact in facts) >= 60
    assert sum(bool(fact.last_day) for fact in facts) >= 40


def test_the_days_of_right_facts_are_judged() -> None:
    [fact] = read([Spoken(1, "user", "I live in Leeds.", SAID_ON)])
    until = date(2025, 4, 17)
    score = Score()
    for text, last_day in (("On 2025-04-03, …", until), ("On 3 April, …", None)):
        score.accept(
            replace(fact, text=text, last_day=last_day), Expected("", date(2025, 4, 3), until)
        )
    score.accept(fact, Expected(fact.text))
    both = Score()
    both.add(score)
    assert both.right == 3
    figures = both.summary()
    assert (figures["first_days"], figures["last_days"]) == (0.5, 0.5)
