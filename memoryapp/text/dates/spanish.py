"""The words with which Spanish names dates. Pure."""

import re

from memoryapp.text.dates.words import TimeWords

_MONTHS = (
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
).split()
_WEEKDAYS = "lunes martes miércoles jueves viernes sábado domingo".split()

SPANISH = TimeWords(
    word=re.compile(r"(?i:fin(?:es)? de semana)|[^\W_]+"),
    days={"anteayer": -2, "ayer": -1, "hoy": 0, "esta mañana": 0, "esta noche": 0, "anoche": -1}
    | {"esta tarde": 0, "pasado mañana": 2, "ayer por la tarde": -1, "ayer por la mañana": -1}
    | {"ayer por la noche": -1, "mañana por la mañana": 1, "mañana por la tarde": 1},
    units={
        word: unit
        for unit, words in {
            "day": "día días",
            "week": "semana semanas",
            "weekend": "finde",
            "month": "mes meses",
            "year": "año años",
        }.items()
        for word in words.split()
    }
    | {"fin de semana": "weekend", "fines de semana": "weekend"},
    seasons={"primavera": 0, "verano": 1, "otoño": 2, "invierno": 3},
    weekdays={day: number for number, day in enumerate(_WEEKDAYS)},
    months={month: number for number, month in enumerate(_MONTHS, 1)},
    numbers={
        word: number
        for number, word in enumerate(
            "un dos tres cuatro cinco seis siete ocho nueve diez once doce".split(), 1
        )
    }
    | {"una": 1},
    vague={"un par de": 2, "unos": 3, "unas": 3, "algunos": 3, "algunas": 3, "varios": 4},
    last=frozenset("pasado pasada último última".split()),
    last_of_several=frozenset("últimos últimas pasados pasadas".split()),
    this=frozenset("este esta".split()),
    next=frozenset("próximo próxima".split()),
    ago_before=("desde hace", "hace"),
    ago_after=(),
    ahead_before=("dentro de", "en"),
    before_weekday=frozenset("el este".split()),
    before_month=frozenset("en desde hasta".split()),
    beginnings=frozenset(["desde"]),
    before_month_asked=frozenset("en de desde hasta durante a".split()),
    abbreviations={name[:3]: number for number, name in enumerate(_MONTHS, 1)} | {"sept": 9},
    first_day="primero",
    ordinals="[°º]",
    date_links="de|del",
    month_before_day=False,
    habits=frozenset("cada todos todas los".split()),
    kept=frozenset("desde hasta para de".split()),
    dropped=frozenset("el la en".split()),
    written={
        "day": "el {day}",
        "around": "alrededor del {day}",
        "week": "en la semana del {day}",
        "weekend": "el fin de semana del {day}",
        "month": "en {month} de {year}",
        "year": "en {year}",
        "season": "{season} {year}",
    },
    month_names=_MONTHS,
    months_have_capitals=False,
    season_names=[
        "en la primavera de",
        "en el verano de",
        "en el otoño de",
        "en el invierno de",
    ],
)
