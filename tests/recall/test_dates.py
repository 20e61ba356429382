"""Dates in questions: examples, and properties for any question."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.language.words import languages_of_question
from memoryapp.recall.dates import TOLD_WITHIN, nearness, spans

#: A Thursday.
TODAY = date(2024, 2, 29)


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("What did she paint on 8 May 2023?", "2023-05-08", "2023-05-08"),
        ("on the 8th of May, 2023", "2023-05-08", "2023-05-08"),
        ("on May 8th, 2023", "2023-05-08", "2023-05-08"),
        ("on 2023-05-08", "2023-05-08", "2023-05-08"),
        ("am 08.05.2023", "2023-05-08", "2023-05-08"),
        ("in May 2023", "2023-05-01", "2023-05-31"),
        ("in Feb. 2024", "2024-02-01", "2024-02-29"),
        ("How often in 2023?", "2023-01-01", "2023-12-31"),
        ("what did I say yesterday", "2024-02-28", "2024-02-28"),
        ("Where was I two days ago?", "2024-02-27", "2024-02-27"),
        ("three weeks ago", "2024-02-05", "2024-02-11"),
        ("in the past 2 weeks", "2024-02-15", "2024-02-29"),
        ("last Friday", "2024-02-23", "2024-02-23"),
        ("last Fri", "2024-02-23", "2024-02-23"),
        ("next Tues", "2024-03-05", "2024-03-05"),
        ("last Thursday", "2024-02-22", "2024-02-22"),
        ("last week", "2024-02-19", "2024-02-25"),
        ("last weekend", "2024-02-24", "2024-02-25"),
        ("this week", "2024-02-26", "2024-03-03"),
        ("last month", "2024-01-01", "2024-01-31"),
        ("this month", "2024-02-01", "2024-02-29"),
        ("last year", "2023-01-01", "2023-12-31"),
    ],
)
def test_date_is_parsed(question: str, first: str, last: str) -> None:
    (span,) = spans(question, TODAY)
    assert (span.first.isoformat(), span.last.isoformat()) == (first, last)


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("Was haben wir im Mai 2023 gemacht?", "2023-05-01", "2023-05-31"),
        ("Was war am 8. Mai 2023?", "2023-05-08", "2023-05-08"),
        ("Was habe ich gestern gesagt?", "2024-02-28", "2024-02-28"),
        ("Wo waren wir vor drei Wochen?", "2024-02-05", "2024-02-11"),
        ("Was hat sie letzten Freitag gekocht?", "2024-02-23", "2024-02-23"),
        ("was war in den letzten zwei Wochen?", "2024-02-15", "2024-02-29"),
        ("Wo war ich letztes Wochenende?", "2024-02-24", "2024-02-25"),
        ("Wie oft im Sept. 2023?", "2023-09-01", "2023-09-30"),
        ("¿Qué pintó el 8 de mayo de 2023?", "2023-05-08", "2023-05-08"),
        ("¿Qué hice ayer?", "2024-02-28", "2024-02-28"),
        ("¿Qué dije la semana pasada?", "2024-02-19", "2024-02-25"),
        ("¿Dónde estuve el fin de semana pasado?", "2024-02-24", "2024-02-25"),
        ("¿Qué compré hace dos semanas?", "2024-02-12", "2024-02-18"),
        ("¿Qué leí en las últimas dos semanas?", "2024-02-15", "2024-02-29"),
        ("Che cosa è successo l’8 maggio 2023?", "2023-05-08", "2023-05-08"),
        ("Cosa ho fatto la settimana scorsa?", "2024-02-19", "2024-02-25"),
        ("Dove ero due anni fa?", "2022-01-01", "2022-12-31"),
        ("Cosa ho fatto lo scorso fine settimana?", "2024-02-24", "2024-02-25"),
        ("Cosa ho detto venerdì scorso?", "2024-02-23", "2024-02-23"),
        ("Qu’est-ce que j’ai dit le 1er mai 2023 ?", "2023-05-01", "2023-05-01"),
        ("Où étais-je il y a deux ans ?", "2022-01-01", "2022-12-31"),
        ("Qu’ai-je fait aujourd’hui ?", "2024-02-29", "2024-02-29"),
        ("Qu’est-ce que j’ai fait le week-end dernier ?", "2024-02-24", "2024-02-25"),
        ("Qu’ai-je lu ces deux dernières semaines ?", "2024-02-15", "2024-02-29"),
        ("O que fiz ontem?", "2024-02-28", "2024-02-28"),
        ("O que comprei há duas semanas?", "2024-02-12", "2024-02-18"),
        ("Onde estive no fim de semana passado?", "2024-02-24", "2024-02-25"),
        ("O que pintou a Ana em 8 de maio de 2023?", "2023-05-08", "2023-05-08"),
    ],
)
def test_date_is_parsed_in_the_language_of_the_question(
    question: str, first: str, last: str
) -> None:
    (span,) = spans(question, TODAY, languages_of_question(question))
    assert (span.first.isoformat(), span.last.isoformat()) == (first, last)


@pytest.mark.parametrize(
    ("question", "month"),
    [
        ("Was war im Mai?", 5),
        ("Wann waren wir Anfang März dort?", 3),
        ("¿Qué hicimos en mayo?", 5),
        ("Dove eravamo ad agosto?", 8),
        ("Qu’est-ce que j’ai fait en mai ?", 5),
        ("Qu’est-ce que j’ai fait en août ?", 8),
    ],
)
def test_month_without_a_year_is_of_any_year(question: str, month: int) -> None:
    (span,) = spans(question, TODAY, languages_of_question(question))
    assert span.yearly
    assert (span.first.day, span.first.month) == (1, month)


@pytest.mark.parametrize(
    "question",
    [
        "Ho mai mangiato il sushi?",
        "Non ci siamo mai visti in mai?",
        "¿Me gusta el mar?",
        "Where was the cat that sat on the mat?",
        "Was ist hier?",
        "Did I see the mar in the paint?",
        "Wer hat den Marsch gemacht?",
        "Quanti set abbiamo vinto?",
    ],
)
def test_word_of_another_language_is_no_date(question: str) -> None:
    assert spans(question, TODAY, languages_of_question(question)) == ()


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("2023年5月8日我说了什么？", date(2023, 5, 8), date(2023, 5, 8)),
        ("二〇二三年，2023年十一月二十一日", date(2023, 11, 21), date(2023, 11, 21)),
        ("2022年3月份我去了哪里？", date(2022, 3, 1), date(2022, 3, 31)),
        ("2022年に何を買いましたか？", date(2022, 1, 1), date(2022, 12, 31)),
        ("去年五月我去哪里旅行了？", date(2022, 5, 1), date(2022, 5, 31)),
        ("昨年の十月にどこへ行きましたか？", date(2022, 10, 1), date(2022, 10, 31)),
        ("我昨天买了什么？", date(2023, 6, 13), date(2023, 6, 13)),
        ("一昨日は何を食べましたか？", date(2023, 6, 12), date(2023, 6, 12)),
        ("上星期大伟去哪儿了？", date(2023, 6, 5), date(2023, 6, 11)),
        ("先々週、由美さんは何をしましたか？", date(2023, 5, 29), date(2023, 6, 4)),
        ("大伟上个月卖掉了什么？", date(2023, 5, 1), date(2023, 5, 31)),
        ("健太さんは先月何を売りましたか？", date(2023, 5, 1), date(2023, 5, 31)),
        ("我下个月要做什么手术？", date(2023, 7, 1), date(2023, 7, 31)),
        ("今年、何を始めましたか？", date(2023, 1, 1), date(2023, 12, 31)),
    ],
)
def test_dates_of_chinese_and_japanese(question: str, first: date, last: date) -> None:
    (span,) = spans(question, date(2023, 6, 14), languages_of_question(question))
    assert (span.first, span.last, span.yearly) == (first, last, False)


@pytest.mark.parametrize(
    ("question", "month"),
    [("三月份我弄丢了什么？", 3), ("十二月に何がありましたか？", 12), ("5月の予定は？", 5)],
)
def test_month_of_chinese_and_japanese_is_of_any_year(question: str, month: int) -> None:
    (span,) = spans(question, TODAY, languages_of_question(question))
    assert span.yearly
    assert (span.first.month, span.first.day, span.last.month) == (month, 1, month)


@pytest.mark.parametrize(
    "question",
    [
        "我等了三个月吗？",
        "三ヶ月前から何を習っていますか？",
        "早上周三吗？",
        "13月？",
        "月が見えますか？",
    ],
)
def test_length_of_time_is_no_date_in_chinese_and_japanese(question: str) -> None:
    assert spans(question, TODAY, languages_of_question(question)) == ()


def test_question_of_unknown_language_has_dates_in_digits() -> None:
    (span,) = spans("何をしましたか 2023-05-08", TODAY, ())
    assert span.first == span.last == date(2023, 5, 8)
    assert spans("yesterday", TODAY, ()) == ()


@pytest.mark.parametrize(
    "question",
    ["", "What may I eat?", "on 31 June 2023", "Did he march on?", "room 12", "2023-13-01x"],
)
def test_no_date_gives_none(question: str) -> None:
    assert not spans(question, TODAY) or "2023" in question
    assert not any(span.first == span.last for span in spans(question, TODAY))


@pytest.mark.parametrize(
    ("question", "day", "near"),
    [
        ("in May", date(2021, 5, 3), 1.0),
        ("in May", date(2021, 6, 4), 0.5),
        ("in May", date(2021, 4, 30), 0.0),
        ("in December", date(2022, 1, 3), 0.5),
        ("on 29 February", date(2023, 2, 28), 1.0),
        ("in May 2023 or 2021", date(2021, 12, 31), 1.0),
        ("nothing of the kind", date(2021, 12, 31), 0.0),
    ],
)
def test_proximity_of_a_day(question: str, day: date, near: float) -> None:
    assert nearness(spans(question, TODAY), day) == near


@given(st.text(max_size=80), st.dates())
def test_any_span_starts_before_it_ends(question: str, today: date) -> None:
    for span in spans(question, today):
        assert span.first <= span.last


@given(
    st.sampled_from(["in May 2023", "on 3 July", "last week", "999 days ago", "this year"]),
    st.dates(date(1000, 1, 1), date(9000, 1, 1)),
    st.dates(date(1000, 1, 1), date(9000, 1, 1)),
)
def test_day_is_near_or_soon_after_or_neither(question: str, today: date, day: date) -> None:
    (span,) = spans(question, today)[:1]
    near = span.nearness(day)
    assert near in {0.0, 0.5, 1.0}
    if not span.yearly:
        assert (near == 1.0) == (span.first <= day <= span.last)
        assert (near == 0.5) == (span.last < day <= span.last + TOLD_WITHIN)
        assert span.nearness(span.last + TOLD_WITHIN + timedelta(1)) == 0.0
