"""The words with which French names dates. Pure."""

import re

from memoryapp.text.dates.words import TimeWords

_MONTHS = (
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
).split()
_WEEKDAYS = "lundi mardi mercredi jeudi vendredi samedi dimanche".split()
_PARTS = "matin soir".split()

FRENCH = TimeWords(
    word=re.compile(r"(?i:aujourd['’]hui|week-end)|[^\W\d_]{1,7}['’](?=\w)|[^\W_]+"),
    days={"avant-hier": -2, "hier": -1, "aujourd'hui": 0, "demain": 1, "ce matin": 0, "ce soir": 0}
    | {"cet après midi": 0, "après demain": 2, "avant hier": -2}
    | {f"hier {part}": -1 for part in _PARTS}
    | {f"demain {part}": 1 for part in _PARTS},
    units={
        word: unit
        for unit, words in {
            "day": "jour jours",
            "week": "semaine semaines",
            "weekend": "week-end weekend",
            "month": "mois",
            "year": "an ans année années",
        }.items()
        for word in words.split()
    },
    seasons={"printemps": 0, "été": 1, "automne": 2, "hiver": 3},
    weekdays={day: number for number, day in enumerate(_WEEKDAYS)},
    months={month: number for number, month in enumerate(_MONTHS, 1)},
    numbers={
        word: number
        for number, word in enumerate(
            "un deux trois quatre cinq six sept huit neuf dix onze douze".split(), 1
        )
    }
    | {"une": 1},
    vague={"quelques": 3, "plusieurs": 4},
    last=frozenset("dernier dernière passé passée".split()),
    last_of_several=frozenset("derniers dernières".split()),
    this=frozenset("ce cet cette".split()),
    next=frozenset("prochain prochaine".split()),
    ago_before=("il y a",),
    ago_after=(),
    ahead_before=("dans",),
    before_weekday=frozenset([""]),
    before_month=frozenset("en depuis jusqu'en".split()),
    beginnings=frozenset("depuis dès".split()),
    before_month_asked=frozenset("en de d' depuis jusqu'en début fin mi durant".split()),
    abbreviations={"janv": 1, "févr": 2, "avr": 4, "juil": 7, "sept": 9, "oct": 10, "nov": 11}
    | {"déc": 12},
    first_day="premier",
    ordinals="er",
    date_links="de",
    month_before_day=False,
    habits=frozenset("chaque tous toutes les le".split()),
    kept=frozenset("depuis dès jusqu' avant après pour de".split()),
    dropped=frozenset("le la l' en à au".split()),
    written={
        "day": "le {day}",
        "around": "vers le {day}",
        "week": "dans la semaine du {day}",
        "weekend": "pendant le week-end du {day}",
        "month": "en {month} {year}",
        "year": "en {year}",
        "season": "{season} {year}",
    },
    month_names=_MONTHS,
    months_have_capitals=False,
    season_names=["au printemps", "à l'été", "à l'automne", "à l'hiver"],
)
