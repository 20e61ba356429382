"""Numbers in digits and in words, in five languages. Pure."""

from collections.abc import Sequence
from functools import lru_cache

from memoryapp.language.numerals import AMBIGUOUS_NUMERALS, number_in_words
from memoryapp.policy.gate.words import Token

#: Words that may say that there are two.
_TWO = frozenset("both pair twins".split())
_AMBIGUOUS = AMBIGUOUS_NUMERALS | _TWO
_MULTIPLES = {"k": 1_000.0, "m": 1_000_000.0}
_AFTERNOON = ("pm", "p")


@lru_cache(maxsize=10_000)
def value_of(word: str) -> float | None:
    """The number that *word*, in small letters, stands for; None for other words."""
    if word[0].isdigit():
        return _in_digits(word)
    number = 2 if word in _TWO else number_in_words(word)
    return None if number is None else float(number)


def _in_digits(word: str) -> float | None:
    """1,000 and 1.000 are a thousand, 1.5 and 1,5 are one and a half."""
    plain = word
    for mark in ",.":
        pieces = plain.split(mark)
        if len(pieces) > 1 and all(len(piece) == 3 for piece in pieces[1:]):
            plain = "".join(pieces)
    try:
        return float(plain.replace(",", "."))
    except ValueError:
        return None


def numbers_of(
    words: Sequence[Token], without: set[int], *, loose: bool = False
) -> list[tuple[float | str, int]]:
    """The numbers among *words* with their places, but for the places *without*: "twenty-five" is
    25, "10k" is 10,000, 7-9 and 8/10 are two, 5:00 is 5. What is no number in spite of its digits,
    as 9:30, stays text. If *loose*, words count that have another sense as well, such as "second",
    and an hour of the afternoon is that of either clock.
    """
    found: list[tuple[float | str, int]] = []
    for at, word in enumerate(words):
        if at in without or (word.bare in _AMBIGUOUS and not loose):
            continue
        following = words[at + 1].bare if word.is_number and at + 1 < len(words) else ""
        value = value_of(word.bare)
        if value is None:
            values = _several(word.text, loose=loose) if word.is_number else []
        elif found and found[-1][1] == at - 1 and (sum_ := _joined(found[-1][0], value, word)):
            found[-1] = (sum_, at)
            continue
        else:
            values = [value * _MULTIPLES.get(following, 1.0)]
        found += ((each, at) for each in values)
        if loose and following in _AFTERNOON:
            found += ((each + 12, at) for each in values if isinstance(each, float) and each < 12)
    return found


def _joined(before: float | str, value: float, word: Token) -> float | None:
    """The number that two words say: "twenty-five", "three hundred"."""
    if word.is_number or not isinstance(before, float):
        return None
    if before >= 20 and before % 10 == 0 and value < 10:
        return before + value
    return before * value if value in (100, 1000) and before < value else None


def _several(text: str, *, loose: bool) -> list[float | str]:
    """The numbers of a range, a share or a full hour; else *text* itself."""
    pieces = text.replace("/", "-").split("-")
    values = [_full_hour(piece) or _in_digits(piece) for piece in pieces]
    if len(pieces) > 2 or None in values:
        return [text]
    found = [value for value in values if value is not None]
    if loose and ":" in text:
        found += [value - 12 for value in found if value > 12]
    return [*found]


def _full_hour(text: str) -> float | None:
    """9 of "9:00"."""
    hour = text.removesuffix(":00")
    return float(hour) if hour != text and hour.isdigit() else None
