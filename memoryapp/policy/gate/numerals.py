"""Numbers in digits and in words, in five languages. Pure."""

from collections.abc import Sequence
from functools import lru_cache

from memoryapp.policy.gate.words import Word
from memoryapp.policy.word_lists import NUMBER_WORDS

_MORE = {
    word: number
    for number, words in {
        13: "dreizehn tredici trece treize thirteen",
        14: "vierzehn quattordici catorce quatorze fourteen",
        15: "fünfzehn quindici quince quinze fifteen",
        16: "sechzehn sedici dieciséis seize",
        17: "siebzehn diciassette diecisiete",
        18: "achtzehn diciotto dieciocho",
        19: "neunzehn diciannove diecinueve",
        30: "dreißig trenta treinta trente thirtieth",
        40: "vierzig quaranta cuarenta quarante",
        50: "fünfzig cinquanta cincuenta cinquante",
        60: "sechzig sessanta sesenta soixante",
        70: "siebzig settanta setenta",
        80: "achtzig ottanta ochenta",
        90: "neunzig novanta noventa",
        100: "hundred hundert cento cien ciento cent",
        1000: "thousand tausend mille mil",
        2: "both pair twins zweimal due",
        3: "thrice dreimal tre tres trois",
    }.items()
    for word in words.split()
}
#: Words that are numbers in one language, and say something else in another or of themselves.
_AMBIGUOUS = frozenset(
    "one once first couple both pair twins null nul half elf sei dos sept eins due mil cent".split()
)
_GERMAN_ONES = {
    "ein": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8,
    "neun": 9,
}  # fmt: skip
_MULTIPLES = {"k": 1_000.0, "m": 1_000_000.0}
_AFTERNOON = ("pm", "p")


@lru_cache(maxsize=10_000)
def value_of(word: str) -> float | None:
    """The number that *word*, in small letters, stands for; None for other words."""
    if word[0].isdigit():
        return _in_digits(word)
    if word in _MORE:
        return float(_MORE[word])
    if word in NUMBER_WORDS:
        return float(NUMBER_WORDS[word])
    ones, und, tens = word.partition("und")
    if und and ones in _GERMAN_ONES and tens in _MORE | {"zwanzig": 20}:
        return float(_GERMAN_ONES[ones] + (20 if tens == "zwanzig" else _MORE[tens]))
    return None


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
    words: Sequence[Word], without: set[int], *, loose: bool = False
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


def _joined(before: float | str, value: float, word: Word) -> float | None:
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
