"""Dates in digits and beside the name of a month: "7.5.2023", "10, 12 and 15 May". Pure."""

from collections.abc import Sequence

from memoryapp.language.english import ENGLISH
from memoryapp.language.vocabularies import VOCABULARIES
from memoryapp.policy.gate.words import Token, is_little

_ALL = [known.times for known in VOCABULARIES.values()]
#: The words of all languages together: a statement and its source may be in two.
MONTHS = {name: number for words in _ALL for name, number in words.months.items()}
MONTHS |= ENGLISH.times.abbreviations
#: By the name of a month, the words before which it is one in its languages: "en mai".
_BEFORE_MONTH = {
    name: frozenset[str]().union(*(each.before_month for each in _ALL if name in each.months))
    for name in MONTHS
}
#: Words that are months only with a capital, or with a day, a year or a word as above beside them;
#: Jan is a name as well.
_OTHER_SENSE = frozenset("may jan mar march jun sep mai mars dec wed mon".split())
#: Between a day and its month: "the 19th of May".
_ORDINAL_ENDINGS = frozenset("st nd rd th er".split())
_BEHIND_DAY = _ORDINAL_ENDINGS.union(*(words.date_links.split("|") for words in _ALL))
#: Between days of one month: "10 and 12 May", "from 3 to 8 May".
_JOINING = frozenset("and or to until till through und oder bis e o al y u a et ou au".split())
#: Words behind a month among which further days are looked for.
MAX_LISTED = 12


def in_digits(word: Token) -> tuple[int, int, int, int] | None:
    """The parts of a date in digits: 2023-05-07, 2023-05, 7.5.2023, 2023."""
    if not word.is_number:
        return None
    pieces = word.text.replace("/", "-").replace(".", "-").split("-")
    if not all(piece.isdigit() for piece in pieces) or len(pieces) > 3:
        return None
    numbers = [int(piece) for piece in pieces]
    if len(pieces[0]) == 4 and 1900 <= numbers[0] < 2100:
        year, month, on = [*numbers, 0, 0][:3]
    elif len(pieces) == 3 and len(pieces[2]) == 4 and 1900 <= numbers[2] < 2100:
        on, month, year = numbers
        if month > 12 >= on:
            on, month = month, on
    else:
        return None
    return (year, month, on, -1) if month <= 12 and on <= 31 else None


def with_month(
    words: Sequence[Token], at: int
) -> tuple[list[tuple[int, int, int, int]], set[int]] | None:
    """The dates around the name of a month at this place, and the places of their words: more than
    one of "10, 12 and 15 May", "July 16-18".
    """
    month = MONTHS[words[at].bare]
    days, places = _days_before(words, at)
    end = at
    if not days:
        days, places = _days_after(words, at)
        end = max(places, default=at)
    year = 0
    for place in range(end + 1, min(end + 3, len(words))):
        if words[place].text.isdigit() and 1900 <= int(words[place].text) < 2100:
            year = int(words[place].text)
            places.add(place)
            break
    word = words[at]
    led = at > 0 and words[at - 1].bare in _BEFORE_MONTH[word.bare]
    sure = days or year or led or word.bare not in _OTHER_SENSE
    if not (sure or (word.has_capital and not word.opens)):
        return None
    return [(year, month, on, -1) for on in days or [0]], places | {at}


def _days_before(words: Sequence[Token], at: int) -> tuple[list[int], set[int]]:
    """The days in front of a month, and their places: "the 19th of", "10, 12 and 15"."""
    days: list[int] = []
    places: set[int] = set()
    place = at - 1
    while place >= 0 and words[place].bare in _BEHIND_DAY:
        place -= 1
    while place >= 0 and (on := _days_in(words[place])):
        days = [*on, *days]
        places.add(place)
        place -= 1
        while place >= 1 and words[place].bare in (_JOINING | _BEHIND_DAY):
            place -= 1
    return days, places


def _days_after(words: Sequence[Token], at: int) -> tuple[list[int], set[int]]:
    """The days behind a month, and their places: "May 10", "May 10, 12, and 15", "May the 5th"."""
    first = at + 1 + (at + 1 < len(words) and words[at + 1].bare == "the")
    days = _days_in(words[first]) if first < len(words) else []
    if not days:
        return [], set()
    places = {first}
    more: list[int] = []
    passed: set[int] = set()
    joined = False
    for place in range(first + 1, min(first + MAX_LISTED, len(words))):
        word = words[place]
        if word.bare in _ORDINAL_ENDINGS:
            continue
        if word.bare in _JOINING:
            joined = True
        elif (on := _days_in(word)) and not _counts(words, place):
            more += on
            passed.add(place)
            if joined:
                return days + more, places | passed
        else:
            break
    return days, places


def _days_in(word: Token) -> list[int]:
    """The days that *word* names in digits: 16, or 16 and 18 of "16-18"."""
    pieces = word.text.split("-")
    if not all(piece.isdigit() and len(piece) <= 2 for piece in pieces) or len(pieces) > 2:
        return []
    return [int(piece) for piece in pieces if 1 <= int(piece) <= 31]


def _counts(words: Sequence[Token], at: int) -> bool:
    """True if the number at this place counts what follows: "on May 3 and 2 friends"."""
    following = words[at + 1] if at + 1 < len(words) else None
    return (
        following is not None
        and following.clause == words[at].clause
        and not following.is_number
        and following.bare not in _ORDINAL_ENDINGS
        and not is_little(following)
    )
