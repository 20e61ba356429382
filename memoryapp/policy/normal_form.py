"""Gives texts that are compared one form of what can be written in several. Pure.

Dates and times of the day in digits, no elided articles, and the main clause first.
"""

import re
import unicodedata

from memoryapp.language.english import ENGLISH
from memoryapp.language.vocabularies import VOCABULARIES

_ALIKE = str.maketrans({"’": "'", **dict.fromkeys("−–‐‑", "-")})
_TIMES = [known.times for known in VOCABULARIES.values()]
#: Short names but for those that are words of another sense, as "out" and "ago".
_MONTHS = {name: number for times in _TIMES for name, number in times.months.items()}
_MONTHS |= {
    name: number
    for times in _TIMES
    for name, number in times.abbreviations.items()
    if name not in ("ago", "out", "set")
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_FIRST = "|".join([*ENGLISH.times.months, *ENGLISH.times.abbreviations])
_LINK = rf"(?: (?:{'|'.join(times.date_links for times in _TIMES if times.date_links)}))? "
_ORDINAL = "|".join(times.ordinals for times in _TIMES)
#: Dates with the month in letters: 7 May 2023, May 7th, May 2023, 7 de mayo de 2023; 7.5.2023.
_SPELT_DATE = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:{_ORDINAL})?{_LINK}(?P<month>{_MONTH})\b\.?"
    rf"|(?P<month2>{_FIRST})\.? (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?(?!\d))"
    rf"(?:,?{_LINK}(?P<year>\d{{4}}))?\b"
    rf"|\b(?P<month3>{_MONTH})\.?,?{_LINK}(?P<year3>\d{{4}})\b"
    r"|(?<![\w.])(?P<day4>\d{1,2})\.(?P<month4>0?[1-9]|1[0-2])\.(?P<year4>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_GROUPS = (
    ("day", "day2", "day4"),
    ("month", "month2", "month3", "month4"),
    ("year", "year3", "year4"),
)
#: What follows the hour before and after noon; in German, "3 am Tag" is no time.
_EARLY = (
    r"a\.m\b\.?"
    r"|am\b(?! (?:\d|tag|morgen|mittag|abend|mittw|vor|nach|wochen|ende|anfang|stück|\w{3,7}tag))"
    r"|in the mornings?\b|morgens\b|vormittags\b|früh\b|du matin\b|de la mañana\b|di mattina\b"
    r"|del mattino\b"
)
_LATE = (
    r"p\.?m\b\.?|in the (?:afternoon|evening)s?\b|nachmittags\b|abends\b|du soir\b"
    r"|de l'après-midi\b|de la (?:tarde|noche)\b|di sera\b|del pomeriggio\b"
)
#: Times of the day: 6 am, 6:30, 7 in the evening, 7 Uhr abends.
_CLOCK_TIME = re.compile(
    r"(?<![\w.,:/$€£-])(?P<hour>[01]?\d|2[0-3])(?:(?P<mark>[:.])(?P<minute>[0-5]\d))?(?![\d:/])"
    r"(?: ?(?P<unit>Uhr|o'clock|heures|h)\b)?"
    rf"(?: ?(?:(?P<early>{_EARLY})|(?P<late>{_LATE})))?",
    re.IGNORECASE,
)
#: "At midnight", and neither a cat of that name nor midnight blue.
_MIDNIGHT = re.compile(
    rf"(?<=\w )(?:{'|'.join(times.midnight for times in _TIMES)})(?=[.,;!?)]|$)", re.MULTILINE
)
_WHOLE_HOURS = frozenset(["uhr", "o'clock"])
#: Articles and prepositions that lose a vowel: l'utente, dell'anno, d'été.
_ELIDED = re.compile(r"\b(l|d|un|all|dall|dell|nell|sull)'(?=[^\W\d_])", re.IGNORECASE)
#: A clause before the main one, with no other comma: "When it rains, Ana paints".
_CLAUSE_FIRST = re.compile(
    r"(?P<clause>(?:when|whenever|if|because|although|while|since|as|before|after|until|unless"
    r"|wenn|falls|weil|obwohl|während|bevor|nachdem|sobald|als"
    r"|quand|lorsque|si|s'il|parce|puisque|avant|après"
    r"|quando|se|perché|siccome|prima|dopo|cuando|porque|aunque|antes|después)"
    r" [^,;:.!?]{1,200}), (?P<main>[^,;:.!?]{1,200})(?P<end>[.!?]?)",
    re.IGNORECASE,
)


#: A name behind what opens a clause, and the pronoun for it before a verb.
_NAMED = re.compile(r"(?P<opens>\w{1,12}) (?P<name>the user|(?-i:[A-Z])\w{1,40})\b", re.IGNORECASE)
_PRONOUN = re.compile(r"(?:he|she|they|er|sie)\b", re.IGNORECASE)


def normalised(text: str) -> str:
    """Return *text* with one kind of apostrophe and minus, and its dates and times of the day in
    one form.
    """
    text = unicodedata.normalize("NFC", text).translate(_ALIKE)
    text = _MIDNIGHT.sub("00:00", _SPELT_DATE.sub(_iso, text))
    return _CLOCK_TIME.sub(_on_the_clock, text)


def comparable(text: str) -> str:
    """Return *text* `normalised`, without elisions, and the main clause first."""
    text = normalised(text).strip()
    if clauses := _CLAUSE_FIRST.fullmatch(text):
        clause, main = clauses["clause"], clauses["main"]
        if (named := _NAMED.match(clause)) and (pronoun := _PRONOUN.match(main)):
            # "Because Ana is ill, she rests" is "Ana rests because she is ill".
            clause = f"{named['opens']} {pronoun[0]}{clause[named.end() :]}"
            main = named["name"] + main[pronoun.end() :]
        text = f"{main} {clause[0].lower()}{clause[1:]}{clauses['end']}"
    return _ELIDED.sub(r"\1 ", text)


def _iso(match: re.Match[str]) -> str:
    day, month, year = (
        next((match[group] for group in groups if match[group]), "") for groups in _GROUPS
    )
    number = int(month) if month.isdecimal() else _MONTHS[month.casefold()]
    # "0000" for an unknown year, so that the date is one word.
    return "-".join([year or "0000", f"{number:02}", *([f"{int(day):02}"] if day else [])])


def _on_the_clock(match: re.Match[str]) -> str:
    """The time of the day in 24 hours; a number that may be something else stays."""
    hour, minute = int(match["hour"]), match["minute"] or "00"
    if match["late"]:
        hour += 12 if hour < 12 else 0
    elif match["early"]:
        hour %= 12
    elif match["mark"] != ":" and (match["unit"] or "").casefold() not in _WHOLE_HOURS:
        return match[0]
    return f"{hour:02}:{minute}"
