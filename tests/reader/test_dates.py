"""Real dates for relative ones, in each language."""

from datetime import date

import pytest

from memoryapp.reader.dates import dated, with_real_dates
from memoryapp.reader.languages import LANGUAGES
from memoryapp.reader.last_days import last_day

#: A Wednesday.
DAY = date(2025, 3, 12)


def past(at: int) -> int:
    return -1


def present(at: int) -> int:
    return 0


@pytest.mark.parametrize(
    ("language", "said", "written"),
    [
        ("english", "yesterday", "On 2025-03-11"),
        ("english", "went last night", "went on 2025-03-11 at night"),
        ("english", "comes tomorrow afternoon", "comes on 2025-03-13 in the afternoon"),
        ("english", "comes on Friday evening", "comes on 2025-03-14 in the evening"),
        ("english", "comes Friday evening", "comes on 2025-03-14 in the evening"),
        ("english", "comes on Friday evenings", "comes on Friday evenings"),
        ("english", "Yesterday was wild", "2025-03-11 was wild"),
        ("english", "Last week was wild", "The week of 2025-03-03 was wild"),
        ("german", "kommt morgen Nachmittag", "kommt am 2025-03-13 nachmittags"),
        ("german", "kommt Samstagabend", "kommt am 2025-03-15 abends"),
        ("french", "vient demain soir", "vient le 2025-03-13 au soir"),
        ("spanish", "viene mañana por la tarde", "viene el 2025-03-13 por la tarde"),
        ("italian", "viene domani sera", "viene il 2025-03-13 di sera"),
        ("english", "went over the last weekend", "went on the weekend of 2025-03-08"),
        ("english", "since last year", "since 2024"),
        ("english", "two years ago", "In 2023"),
        ("english", "three days ago", "On 2025-03-09"),
        ("english", "about three days ago", "Around 2025-03-09"),
        ("english", "moved about two years ago", "moved in 2023"),
        ("german", "zog vor etwa zwei Jahren um", "zog 2023 um"),
        ("french", "il y a environ trois ans", "En 2022"),
        ("spanish", "hace casi dos años", "En 2023"),
        ("italian", "circa tre mesi fa", "A dicembre 2024"),
        ("english", "a couple of weeks ago", "Around 2025-02-26"),
        ("english", "next Friday", "On 2025-03-14"),
        ("english", "last Friday", "On 2025-03-07"),
        ("english", "this past weekend", "On the weekend of 2025-03-08"),
        ("english", "next month", "In April 2025"),
        ("english", "last summer", "In the summer of 2024"),
        ("english", "in May", "In May 2025"),
        ("english", "moves in february", "moves in February 2026"),
        ("english", "moves in may", "moves in May 2025"),
        ("english", "plays in march bands", "plays in march bands"),
        ("english", "in May 2019", "in May 2019"),
        ("german", "zieht im november um", "zieht im November 2025 um"),
        ("german", "seit august", "seit August 2024"),
        ("german", "fliegt morgen", "fliegt am 2025-03-13"),
        ("german", "Morgen fliegt", "Am 2025-03-13 fliegt"),
        ("german", "bis morgen", "bis 2025-03-13"),
        ("german", "läuft am Morgen", "läuft am Morgen"),
        ("german", "läuft jeden morgen", "läuft jeden morgen"),
        ("spanish", "vuela mañana", "vuela el 2025-03-13"),
        ("spanish", "corre por la mañana", "corre por la mañana"),
        ("spanish", "corre cada mañana", "corre cada mañana"),
        ("english", "every Friday", "every Friday"),
        ("english", "yesterday's paper", "yesterday's paper"),
        ("english", "in two weeks", "Around 2025-03-26"),
        ("german", "vorgestern", "Am 2025-03-10"),
        ("german", "vor drei Jahren", "2022"),
        ("german", "letzte Woche", "In der Woche vom 2025-03-03"),
        ("german", "am Freitag", "Am 2025-03-14"),
        ("german", "jeden Freitag", "jeden Freitag"),
        ("italian", "l'anno scorso", "Nel 2024"),
        ("italian", "tre mesi fa", "A dicembre 2024"),
        ("italian", "venerdì prossimo", "Il 2025-03-14"),
        ("spanish", "la semana pasada", "En la semana del 2025-03-03"),
        ("spanish", "hace dos años", "En 2023"),
        ("spanish", "todos los lunes", "todos los lunes"),
        ("french", "l'année dernière", "En 2024"),
        ("french", "il y a trois ans", "En 2022"),
        ("french", "aujourd'hui", "Le 2025-03-12"),
        ("italian", "l'estate scorsa", "Nell'estate del 2024"),
        ("italian", "dall'estate scorsa", "dall'estate del 2024"),
        ("spanish", "el verano pasado", "En el verano de 2024"),
        ("french", "l'été dernier", "À l'été 2024"),
    ],
)
def test_relative_date_becomes_real(language: str, said: str, written: str) -> None:
    found, _ = with_real_dates(said, LANGUAGES[language].times, DAY, present)
    assert found == written


def test_tense_decides_which_friday() -> None:
    words = LANGUAGES["english"].times
    assert with_real_dates("on Friday", words, DAY, past)[0] == "On 2025-03-07"
    assert with_real_dates("on Friday", words, DAY, present)[0] == "On 2025-03-14"


def test_no_date_beyond_the_calendar() -> None:
    words = LANGUAGES["english"].times
    assert with_real_dates("9 years ago", words, date(5, 1, 1), past)[0] == "9 years ago"


@pytest.mark.parametrize(
    ("language", "said", "written"),
    [
        ("english", "hurts since October", "hurts since October 2024"),
        ("english", "hurts since March", "hurts since March 2025"),
        ("english", "hurts since Monday", "hurts since 2025-03-10"),
        ("english", "works until October", "works until October 2025"),
        ("english", "works from Monday until Friday", "works from Monday until Friday"),
        ("german", "wohnt seit Oktober hier", "wohnt seit Oktober 2024 hier"),
        ("german", "ist seit Montag krank", "ist seit 2025-03-10 krank"),
        ("german", "bleibt bis Oktober", "bleibt bis Oktober 2025"),
        ("german", "arbeitet von Montag bis Freitag", "arbeitet von Montag bis Freitag"),
        ("italian", "ha male da ottobre", "ha male da ottobre 2024"),
        ("italian", "è malato da lunedì", "è malato dal 2025-03-10"),
        ("italian", "lavora dal lunedì al venerdì", "lavora dal lunedì al venerdì"),
        ("french", "part jeudi en huit", "part le 2025-03-20"),
        ("italian", "parte giovedì a otto", "parte il 2025-03-20"),
        ("italian", "è via fino a domenica", "è via fino al 2025-03-16"),
        ("italian", "è via da domani a martedì", "è via dal 2025-03-13 al 2025-03-18"),
        ("italian", "viene da noi domenica", "viene da noi il 2025-03-16"),
        ("spanish", "la cita de mañana", "la cita del 2025-03-13"),
        ("french", "jusqu'à dimanche", "Jusqu'au 2025-03-16"),
        ("spanish", "vive aquí desde octubre", "vive aquí desde octubre de 2024"),
        ("spanish", "está enfermo desde el lunes", "está enfermo desde el 2025-03-10"),
        ("french", "habite ici depuis octobre", "habite ici depuis octobre 2024"),
        ("french", "est malade depuis lundi", "est malade depuis le 2025-03-10"),
        ("french", "travaille du lundi au vendredi", "travaille du lundi au vendredi"),
    ],
)
def test_beginning_is_over_and_end_is_to_come(language: str, said: str, written: str) -> None:
    found, _ = with_real_dates(said, LANGUAGES[language].times, DAY, present)
    assert found == written


@pytest.mark.parametrize(
    ("language", "said", "written"),
    [
        ("english", "The exam is on may 9th.", "The exam is on 2025-05-09."),
        ("english", "The exam is on the 2nd of February.", "The exam is on 2026-02-02."),
        ("english", "I broke my arm on 2 February.", "I broke my arm on 2025-02-02."),
        ("english", "I broke my arm on December 30.", "I broke my arm on 2024-12-30."),
        (
            "english",
            "We've booked a boat 3-9 Aug.",
            "We've booked a boat from 2025-08-03 to 2025-08-09.",
        ),
        (
            "english",
            "I'm away from April 3 to April 17.",
            "I'm away from 2025-04-03 to 2025-04-17.",
        ),
        (
            "english",
            "I'm away from December 28 to January 4.",
            "I'm away from 2025-12-28 to 2026-01-04.",
        ),
        (
            "english",
            "I'm away from March 10 to March 20.",
            "I'm away from 2025-03-10 to 2025-03-20.",
        ),
        ("english", "The flight leaves on Friday, 2 May.", "The flight leaves on 2025-05-02."),
        ("english", "The flight leaves on Thursday the 20th.", "The flight leaves on 2025-03-20."),
        (
            "english",
            "I was in Oslo from 3 May to 9 May 2019.",
            "I was in Oslo from 2019-05-03 to 2019-05-09.",
        ),
        ("english", "My birthday is on 3 May.", "My birthday is on 3 May."),
        ("english", "I was born on 3 May 1990.", "I was born on 3 May 1990."),
        ("english", "I moved on February 30.", "I moved on February 30."),
        ("german", "3.–17. April bin ich weg.", "Vom 2025-04-03 bis 2025-04-17 bin ich weg."),
        (
            "german",
            "Vom 3. bis zum 17. mai bin ich weg.",
            "Vom 2025-05-03 bis zum 2025-05-17 bin ich weg.",
        ),
        ("german", "Der Termin ist am Freitag, den 2. Mai.", "Der Termin ist am 2025-05-02."),
        ("german", "Der Termin ist am 14. um neun.", "Der Termin ist am 2025-03-14 um neun."),
        ("german", "Ich habe am 20. Januar geheiratet.", "Ich habe am 2025-01-20 geheiratet."),
        ("spanish", "El 20 tengo un examen.", "El 2025-03-20 tengo un examen."),
        ("italian", "Il 20 ho un esame.", "Il 2025-03-20 ho un esame."),
        ("french", "Le 20 j'ai un partiel.", "Le 2025-03-20 j'ai un partiel."),
        ("italian", "Dal primo giugno insegno a Pisa.", "Dal 2025-06-01 insegno a Pisa."),
        ("italian", "Siamo via dal 9 al 23 agosto.", "Siamo via dal 2025-08-09 al 2025-08-23."),
        ("italian", "Venerdì 2 maggio ho un esame.", "Il 2025-05-02 ho un esame."),
        (
            "spanish",
            "Estoy fuera desde el 2 hasta el 9 de mayo.",
            "Estoy fuera desde el 2025-05-02 hasta el 2025-05-09.",
        ),
        ("spanish", "Me operé el 20 de diciembre.", "Me operé el 2024-12-20."),
        (
            "french",
            "Je suis absent entre le 5 mai et le 1er juin.",
            "Je suis absent entre le 2025-05-05 et le 2025-06-01.",
        ),
        ("french", "Je pars du 2 au 12 juin.", "Je pars du 2025-06-02 au 2025-06-12."),
    ],
)
def test_day_without_a_year_gets_that_of_the_tense(language: str, said: str, written: str) -> None:
    assert dated(said, LANGUAGES[language], DAY)[0] == written


@pytest.mark.parametrize(
    ("language", "said", "written"),
    [
        (
            "english",
            "My appointment was moved to Friday.",
            "My appointment was moved to 2025-03-14.",
        ),
        ("english", "I bought tickets for Friday.", "I bought tickets for 2025-03-14."),
        ("english", "I invited her on Friday.", "I invited her on 2025-03-07."),
        ("english", "It was postponed to May.", "It was postponed to May 2025."),
        (
            "english",
            "They extended my lease until 5 May.",
            "They extended my lease until 2025-05-05.",
        ),
        ("english", "They extended my lease on 3 March.", "They extended my lease on 2025-03-03."),
        ("english", "I was signed off until Monday.", "I was signed off until 2025-03-17."),
        (
            "german",
            "Der Termin wurde auf Freitag verlegt.",
            "Der Termin wurde auf 2025-03-14 verlegt.",
        ),
        ("german", "Ich bin bis zum 5. Mai beurlaubt.", "Ich bin bis zum 2025-05-05 beurlaubt."),
        ("german", "Er wurde am 3. März verlängert.", "Er wurde am 2025-03-03 verlängert."),
        ("italian", "È stato spostato a venerdì.", "È stato spostato al 2025-03-14."),
        (
            "italian",
            "Mi hanno prorogato il contratto fino al 5 maggio.",
            "Mi hanno prorogato il contratto fino al 2025-05-05.",
        ),
        ("spanish", "Han movido la cita al viernes.", "Han movido la cita al 2025-03-14."),
        ("spanish", "Lo han ampliado hasta el 5 de mayo.", "Lo han ampliado hasta el 2025-05-05."),
        ("french", "Il a été déplacé à vendredi.", "Il a été déplacé au 2025-03-14."),
        ("french", "Je suis arrêté jusqu'au 5 mai.", "Je suis arrêté jusqu'au 2025-05-05."),
    ],
)
def test_what_is_moved_or_extended_reaches_a_day_to_come(
    language: str, said: str, written: str
) -> None:
    assert dated(said, LANGUAGES[language], DAY)[0] == written


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("english", "The rent is due every month on the 28th."),
        ("english", "The rent is due on the 28th from now on."),
        ("english", "Payday is the 25th."),
        ("english", "I do judo on Thursday evenings."),
        ("german", "Die Miete ist jeden Monat am 3. fällig."),
        ("german", "Die Miete ist ab jetzt am 28. fällig."),
        ("italian", "D'ora in poi l'affitto scade il 5."),
        ("spanish", "El alquiler vence cada mes el día 5."),
        ("french", "Désormais le loyer est dû le 5."),
    ],
)
def test_what_comes_again_has_no_day(language: str, said: str) -> None:
    assert dated(said, LANGUAGES[language], DAY)[0] == said
    assert last_day(said, LANGUAGES[language], DAY) is None


def test_what_comes_again_until_a_day_ends_then() -> None:
    said = "I go to therapy every Tuesday until 15 April."
    written = "I go to therapy every Tuesday until 2025-04-15."
    assert dated(said, LANGUAGES["english"], DAY)[0] == written
    assert last_day(said, LANGUAGES["english"], DAY) == date(2025, 4, 15)


def test_tense_of_a_further_clause_is_not_that_of_the_day() -> None:
    said = "My boss is away until the 7th, so nothing gets signed before."
    assert "2025-04-07" in dated(said, LANGUAGES["english"], DAY)[0]
