"""Words for dates and times of the day, in each language, for all who ask."""

from datetime import date

import pytest

from memoryapp.language.time_words import PARTS_OF_DAY
from memoryapp.language.vocabularies import VOCABULARIES
from memoryapp.policy.fact_signature import fact_signature
from memoryapp.policy.gate.times import moments_of
from memoryapp.policy.gate.words import words_of
from memoryapp.policy.statement_change import StatementChange, single_change


@pytest.mark.parametrize(
    "text",
    [
        "Ines fished two weeks ago.",
        "Ines fished in the last two weeks.",
        "Ines hat vor zwei Wochen gefischt.",
        "Ines hat in den letzten zwei Wochen gefischt.",
        "Ines ha pescato due settimane fa.",
        "Ines ha pescato nelle ultime due settimane.",
        "Ines pescó hace dos semanas.",
        "Ines pescó en las últimas dos semanas.",
        "Ines a pêché il y a deux semaines.",
        "Ines pescou há duas semanas.",
        "Ines pescou duas semanas atrás.",
    ],
)
def test_gate_reads_distances_back(text: str) -> None:
    found, _ = moments_of(words_of(text), date(2024, 5, 15))
    assert [moment.relative for moment in found] == [("week", -2)]


@pytest.mark.parametrize(
    ("text", "months"),
    [
        ("Ines travels in two months.", 2),
        ("Ines verreist in zwei Monaten.", 2),
        ("Ines parte tra due mesi.", 2),
        ("Ines viaja dentro de dos meses.", 2),
        ("Ines part dans deux mois.", 2),
        ("Ines viaja daqui a dois meses.", 2),
        ("Ines travelled last month.", -1),
        ("Ines ist letzten Monat verreist.", -1),
        ("Ines è partita il mese scorso.", -1),
        ("Ines viajó el mes pasado.", -1),
        ("Ines est partie le mois dernier.", -1),
        ("Ines viajou no mês passado.", -1),
    ],
)
def test_gate_reads_distances_ahead_and_next_to_today(text: str, months: int) -> None:
    found, _ = moments_of(words_of(text), date(2024, 5, 15))
    assert [moment.relative for moment in found] == [("month", months)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ines has choir on Tuesday.", "Ines has choir on Thursday."),
        ("Ines singt am Dienstag.", "Ines singt am Donnerstag."),
        ("Ines ha coro martedì.", "Ines ha coro giovedì."),
        ("Ines tiene coro el martes.", "Ines tiene coro el jueves."),
        ("Ines a chorale mardi.", "Ines a chorale jeudi."),
    ],
)
def test_weekdays_are_dates_and_no_names(one: str, other: str) -> None:
    assert single_change(one, other) is StatementChange.DATE
    assert fact_signature(one).names == ("ines",)


def test_each_language_has_words_for_the_day_and_its_parts() -> None:
    for known in VOCABULARIES.values():
        parts = set(known.times.parts_of_day.values())
        assert parts <= set(PARTS_OF_DAY), known.name
        assert {"morning", "noon", "afternoon", "night"} - parts <= {"afternoon"}, known.name
        assert len(set(known.times.weekdays.values())) == 7, known.name
        assert len(set(known.times.months.values())) == 12, known.name
