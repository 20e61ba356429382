"""The words with which Italian names dates. Pure."""

import re

from memoryapp.text.dates.words import TimeWords

_MONTHS = (
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"
).split()
_WEEKDAYS = "lunedì martedì mercoledì giovedì venerdì sabato domenica".split()
_PARTS = "mattina pomeriggio sera notte".split()

ITALIAN = TimeWords(
    word=re.compile(r"(?i:fine settimana)|[^\W\d_]{1,7}['’](?=\w)|[^\W_]+"),
    days={"l'altro ieri": -2, "ieri": -1, "oggi": 0, "stamattina": 0, "stasera": 0, "stanotte": 0}
    | {"domani": 1, "dopodomani": 2, "questa mattina": 0}
    | {f"ieri {part}": -1 for part in _PARTS}
    | {f"domani {part}": 1 for part in _PARTS},
    units={
        word: unit
        for unit, words in {
            "day": "giorno giorni",
            "week": "settimana settimane",
            "weekend": "weekend",
            "month": "mese mesi",
            "year": "anno anni",
        }.items()
        for word in words.split()
    }
    | {"fine settimana": "weekend"},
    seasons={"primavera": 0, "estate": 1, "autunno": 2, "inverno": 3},
    weekdays={day: number for number, day in enumerate(_WEEKDAYS)},
    months={month: number for number, month in enumerate(_MONTHS, 1)},
    numbers={
        word: number
        for number, word in enumerate(
            "un due tre quattro cinque sei sette otto nove dieci undici dodici".split(), 1
        )
    }
    | {"una": 1},
    vague={"un paio di": 2, "qualche": 3, "alcuni": 3, "alcune": 3, "pochi": 3, "poche": 3},
    last=frozenset("scorso scorsa passato passata ultimo ultima".split()),
    last_of_several=frozenset("ultimi ultime scorsi scorse passati passate".split()),
    this=frozenset("questo questa quest'".split()),
    next=frozenset("prossimo prossima".split()),
    ago_before=(),
    ago_after=("fa",),
    ahead_before=("tra", "fra"),
    before_weekday=frozenset([""]),
    before_month=frozenset("a in da".split()),
    beginnings=frozenset("da dal dall'".split()),
    before_month_asked=frozenset("a in di da fino durante ad nell'".split()),
    abbreviations={
        name[:3]: number for number, name in enumerate(_MONTHS, 1) if name != "settembre"
    }
    | {"sett": 9},
    first_day="primo",
    ordinals="[°º]",
    date_links="di|del",
    month_before_day=False,
    habits=frozenset("ogni tutti tutte i le il la".split()),
    kept=frozenset("da dal dalla dall' fino per di del".split()),
    dropped=frozenset("il la l' lo nel nella nell' a in lì".split()),
    written={
        "day": "il {day}",
        "around": "intorno al {day}",
        "week": "nella settimana del {day}",
        "weekend": "nel fine settimana del {day}",
        "month": "a {month} {year}",
        "year": "nel {year}",
        "season": "{season} {year}",
    },
    month_names=_MONTHS,
    months_have_capitals=False,
    season_names=[
        "nella primavera del",
        "nell'estate del",
        "nell'autunno del",
        "nell'inverno del",
    ],
)
