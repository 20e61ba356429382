"""The words with which German names dates. Pure."""

import re

from memoryapp.text.dates.words import TimeWords

_MONTHS = (
    "januar februar märz april mai juni juli august september oktober november dezember"
).split()
_WEEKDAYS = "montag dienstag mittwoch donnerstag freitag samstag sonntag".split()
_PARTS = "morgen früh vormittag mittag nachmittag abend nacht".split()

GERMAN = TimeWords(
    word=re.compile(r"[^\W_]+"),
    days={"vorgestern": -2, "gestern": -1, "heute": 0, "übermorgen": 2, "letzte nacht": -1}
    | {f"gestern {part}": -1 for part in _PARTS}
    | {f"heute {part}": 0 for part in _PARTS}
    | {f"morgen {part}": 1 for part in _PARTS if part != "morgen"},
    units={
        word: unit
        for unit, words in {
            "day": "tag tage tagen",
            "week": "woche wochen",
            "weekend": "wochenende wochenenden",
            "month": "monat monate monaten monats",
            "year": "jahr jahre jahren jahres",
        }.items()
        for word in words.split()
    },
    seasons={"frühling": 0, "frühjahr": 0, "sommer": 1, "herbst": 2, "winter": 3},
    weekdays={day: number for number, day in enumerate(_WEEKDAYS)},
    months={month: number for number, month in enumerate(_MONTHS, 1)},
    numbers={
        word: number
        for number, word in enumerate(
            "einem zwei drei vier fünf sechs sieben acht neun zehn elf zwölf".split(), 1
        )
    }
    | {"einer": 1, "ein": 1, "eine": 1},
    vague={"paar": 3, "ein paar": 3, "einigen": 3, "einige": 3, "mehreren": 4},
    last=frozenset(
        "letzte letzten letzter letztes letztem vorige vorigen voriges vergangene "
        "vergangenen vergangenes".split()
    ),
    last_of_several=frozenset("letzten vergangenen vorigen".split()),
    this=frozenset("diese diesen dieser dieses diesem".split()),
    next=frozenset(
        "nächste nächsten nächster nächstes nächstem kommende kommenden kommendes".split()
    ),
    ago_before=("vor",),
    ago_after=(),
    ahead_before=("in",),
    before_weekday=frozenset("am bis seit".split()),
    before_month=frozenset("im bis seit".split()),
    beginnings=frozenset(["seit"]),
    before_month_asked=frozenset("im seit bis ab vom anfang mitte ende".split()),
    abbreviations={name[:3]: number for number, name in enumerate(_MONTHS, 1)} | {"sept": 9},
    first_day="erster|ersten",
    ordinals=r"\.",
    date_links="",
    month_before_day=False,
    habits=frozenset("jeden jeder jedes jede immer".split()),
    kept=frozenset("seit bis ab von nach für".split()),
    dropped=frozenset("am im in an der den dem die erst".split()),
    written={
        "day": "am {day}",
        "around": "um den {day}",
        "week": "in der Woche vom {day}",
        "weekend": "am Wochenende vom {day}",
        "month": "im {month} {year}",
        "year": "{year}",
        "season": "im {season} {year}",
    },
    month_names=[month.capitalize() for month in _MONTHS],
    months_have_capitals=True,
    season_names="Frühling Sommer Herbst Winter".split(),
)
