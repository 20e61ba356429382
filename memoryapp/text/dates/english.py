"""The words with which English names dates. Pure."""

import re

from memoryapp.text.dates.words import TimeWords

_MONTHS = (
    "january february march april may june july august september october november december"
).split()
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_SHORT_WEEKDAYS = {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3}
_SHORT_WEEKDAYS |= {"fri": 4, "sat": 5, "sun": 6}
_PARTS = "morning afternoon evening night".split()

ENGLISH = TimeWords(
    word=re.compile(r"[^\W_]+(?:['’][^\W\d_]+)*"),
    days={"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1, "last night": -1}
    | {"the day before yesterday": -2, "the day after tomorrow": 2, "earlier today": 0}
    | {f"yesterday {part}": -1 for part in _PARTS}
    | {f"this {part}": 0 for part in _PARTS}
    | {f"tomorrow {part}": 1 for part in _PARTS},
    units={f"{unit}{s}": unit for unit in "day week weekend month year".split() for s in ("", "s")},
    seasons={"spring": 0, "summer": 1, "autumn": 2, "fall": 2, "winter": 3},
    weekdays={day: number for number, day in enumerate(_WEEKDAYS)},
    short_weekdays=_SHORT_WEEKDAYS,
    months={month: number for number, month in enumerate(_MONTHS, 1)},
    numbers={
        word: number
        for number, word in enumerate(
            "one two three four five six seven eight nine ten eleven twelve".split(), 1
        )
    }
    | {"a": 1, "an": 1},
    vague={
        "a couple of": 2,
        "couple of": 2,
        "a couple": 2,
        "a few": 3,
        "few": 3,
        "several": 4,
        "couple": 2,
    },
    last=frozenset("last past previous".split()),
    last_of_several=frozenset("last past previous".split()),
    this=frozenset("this".split()),
    next=frozenset("next coming upcoming".split()),
    ago_before=(),
    ago_after=("ago", "back"),
    ahead_before=("in",),
    before_weekday=frozenset("on by until till since".split()),
    before_month=frozenset("in by until till since".split()),
    beginnings=frozenset(["since"]),
    before_month_asked=frozenset("in of since during by until till".split()),
    abbreviations={name[:3]: number for number, name in enumerate(_MONTHS, 1)} | {"sept": 9},
    first_day="",
    ordinals="st|nd|rd|th",
    date_links="of",
    month_before_day=True,
    habits=frozenset("every each most some usually".split()),
    kept=frozenset("since until till by from before after of to around for".split()),
    dropped=frozenset("on in the over during at just earlier".split()),
    written={
        "day": "on {day}",
        "around": "around {day}",
        "week": "in the week of {day}",
        "weekend": "on the weekend of {day}",
        "month": "in {month} {year}",
        "year": "in {year}",
        "season": "in the {season} of {year}",
    },
    month_names=[month.capitalize() for month in _MONTHS],
    months_have_capitals=True,
    season_names="spring summer autumn winter".split(),
)
