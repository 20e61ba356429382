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
    25, "10k" is 10,000. What is no number in spite of its digits, as 9:30, stays text. Words
    that have another sense as well, such as "second", count only if *loose*.
    """
    found: list[tuple[float | str, int]] = []
    for at, word in enumerate(words):
        if at in without or (word.bare in _AMBIGUOUS and not loose):
            continue
        value = value_of(word.bare)
        if value is None:
            if word.is_number:
                found.append((word.text, at))
            continue
        if found and found[-1][1] == at - 1 and not word.is_number:
            before = found[-1][0]
            if isinstance(before, float) and before >= 20 and before % 10 == 0 and value < 10:
                found[-1] = (before + value, at)
                continue
            if isinstance(before, float) and value in (100, 1000) and before < value:
                found[-1] = (before * value, at)
                continue
        following = words[at + 1].bare if word.is_number and at + 1 < len(words) else ""
        found.append((value * _MULTIPLES.get(following, 1.0), at))
    return found
