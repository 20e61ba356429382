"""The words with which a language names dates. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

PARTS_OF_DAY = ("morning", "noon", "afternoon", "evening", "night")


@dataclass(frozen=True, eq=False)  # Hashable, for a cache of patterns.
class TimeWords:
    """How a language speaks of time. Words are in small letters."""

    word: re.Pattern[str]
    #: Names of days to their distance from today: "yesterday" is -1.
    days: Mapping[str, int]
    #: day, week, weekend, month or year.
    units: Mapping[str, str]
    #: Spring is 0.
    seasons: Mapping[str, int]
    #: To one of `PARTS_OF_DAY`.
    parts_of_day: Mapping[str, str]
    #: As it is written within a sentence.
    midnight: str
    #: Monday is 0.
    weekdays: Mapping[str, int]
    months: Mapping[str, int]
    numbers: Mapping[str, int]
    #: Numbers that are no exact count: "a few".
    vague: Mapping[str, int]
    last: frozenset[str]
    #: Those that stand by a number: "the last two weeks".
    last_of_several: frozenset[str]
    this: frozenset[str]
    next: frozenset[str]
    #: For the one after the next: words before a period, "übernächste"; behind it, "after next".
    after_next: frozenset[str]
    after_next_behind: str
    #: Phrases around an amount: "vor", "hace"; "ago", "fa"; "in", "tra".
    ago_before: Sequence[str]
    ago_after: Sequence[str]
    ahead_before: Sequence[str]
    #: What stands before the bare name of a weekday or month that is a date; "" if nothing need.
    before_weekday: frozenset[str]
    before_month: frozenset[str]
    #: Of these, and around them, the ones before a beginning, which is over: "since".
    beginnings: frozenset[str]
    #: Of these, the ones before a beginning that may be to come as well: "dal", "desde".
    openings: frozenset[str]
    #: Before the day or month that something is moved to, booked for, or to last until.
    targets: frozenset[str]
    #: In a question, where less depends on it, the name is a date after each of these as well.
    before_month_asked: frozenset[str]
    #: Of months, before or after a day or a year.
    abbreviations: Mapping[str, int]
    #: The first of a month in words, the ending of a day in digits, and what stands between a day,
    #: a month and a year, as regular expressions.
    first_day: str
    ordinals: str
    date_links: str
    #: True if the month may come first: "May 8".
    month_before_day: bool
    #: Between the first and the last day of a stretch, and before one with a dash ("from 3-9 May"),
    #: as regular expressions; the article of a day behind its weekday, and what follows a day
    #: behind its weekday without a month, the same.
    range_links: str
    before_range: re.Pattern[str]
    day_article: str
    day_ending: str
    #: Days without a month: regular expressions with the group ``day``, and for a stretch, ``to``
    #: and ``last``.
    days_alone: Sequence[str]
    #: Words before a number that is no day: "my lucky number is the 7th".
    numbered: frozenset[str]
    #: Words before a day and month in digits: "le 3/8".
    before_digits: Sequence[str]
    #: The beginning, middle and end of a month; between two days; before the hour of one.
    parts_of_month: frozenset[str]
    conjunctions: frozenset[str]
    before_hour: frozenset[str]
    #: What follows the number of an hour: "5pm", "15 Uhr".
    after_hour: frozenset[str]
    #: What makes it a habit instead: "every Monday".
    habits: frozenset[str]
    #: Before a date, these stay ("since"), and these are part of its wording ("on", "the").
    kept: frozenset[str]
    dropped: frozenset[str]
    #: How to write each kind of moment, with the first word a preposition.
    written: Mapping[str, str]
    month_names: Sequence[str]
    season_names: Sequence[str]
    #: The article of a day whose number begins with a vowel, in full: "l'8" is "il 8".
    elided_article: str = ""
    #: Of those that stay, the ones that join the article of a day: "da" is "dal".
    articled: Mapping[str, str] = field(default_factory=dict)
    #: Phrases before the period that a day is the last of; around an amount of days that something
    #: is to take; between an amount and the day that it counts from.
    last_day: Sequence[str] = ()
    lasting_before: Sequence[str] = ()
    lasting_after: Sequence[str] = ()
    counted_from: frozenset[str] = frozenset()
    #: Words before an amount that is no exact one: "about five years ago".
    approximate: frozenset[str] = frozenset()
    #: How many weeks after its next one a weekday is meant, by what follows it: "jeudi en huit".
    weeks_on: Mapping[str, int] = field(default_factory=dict)
    #: How to write each of `PARTS_OF_DAY` behind a day.
    part_written: Mapping[str, str] = field(default_factory=dict)
    #: Verbs of which a day before them is the subject, and then has no preposition:
    #: "yesterday was".
    verbs_of_days: frozenset[str] = frozenset()
    #: Months that without a capital may be another word behind one of `before_month`: "in march".
    words_like_months: frozenset[str] = frozenset()
    #: Short names, which count only after "last" and "next": "sun" and "sat" are words as well.
    short_weekdays: Mapping[str, int] = field(default_factory=dict)


def part_phrases(phrases: str) -> dict[str, str]:
    """Phrases for `PARTS_OF_DAY`, in order, with a bar between each two."""
    return dict(zip(PARTS_OF_DAY, phrases.split("|"), strict=True))


def parts_of_day(words: str) -> dict[str, str]:
    """The words of `PARTS_OF_DAY`, in order, with a bar between each two."""
    return {
        word: part
        for part, forms in zip(PARTS_OF_DAY, words.split("|"), strict=True)
        for word in forms.split()
    }
