"""The words by which a statement tells of a sensitive area, in one language, and how they are
written down.

A wording is a list with commas; letters count without case and accents. ``*`` stands for any
letters, ``(a/b)`` for one of several words, an empty one among them for none, ``…`` for up to five
words of the same sentence, ``<comma>`` for a comma, ``<18>`` for a number below 18 and ``<money>``
for an amount of money.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property

#: Characters of a text that are looked at.
MAX_TEXT = 20_000
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "œ": "oe"})
_GROUPED = re.compile(r"(?<=\d)[.,' \u00a0\u202f](?=\d{3}(?!\d))")
_CURRENCY = re.compile(r"[€$£¥]")
# Begins where the signs begin, so that a long row of them is read once.
_SENTENCE_END = re.compile(r"(?<![.!?;:])[.!?;:]++(?=\s|$)|\n(?=\s|$)")
_BESIDE_WORDS = re.compile(r"[^\w|,]+|_")

_NUMBERS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen ein eins zwei drei vier fuenf sechs sieben acht neun zehn elf zwoelf "
    "dreizehn vierzehn fuenfzehn sechzehn siebzehn uno un due tre quattro cinque sei sette otto "
    "nove dieci undici dodici tredici quattordici quindici sedici diciassette una dos tres cuatro "
    "cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete une deux "
    "trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"
).split()
_ORDINALS = (
    "ersten zweiten dritten vierten fuenften sechsten siebten achten neunten zehnten elften "
    "zwoelften"
).split()
_PLACEHOLDERS = {
    "…": r"(?:[\w,]+ ){0,5}",
    "<comma>": ", ",
    "<18>": rf"(?:\d|1[0-7]|{'|'.join(dict.fromkeys(_NUMBERS + _ORDINALS))}) ",
    "<money>": (
        r"(?:\d+k|(?:\d+|\w*(?:hundred|thousand|million|hundert|tausend|cento|mila|mil|cientos|cent|"
        r"mille)) (?:k |grand |thousand |million |millions |mille |mil |mila |milioni |millones |"
        r"tausend |millionen |d )?(?:euros?|eur|dollars?|dolares|pounds|pfund|franken|francs|pesos|"
        r"usd|gbp|chf|sterline|dollari)|(?:euro|eur|usd|chf) \d+|(?!(?:19|20)\d\d )\d{4,}) "
    ),
}


def folded(text: str) -> str:
    """The words of *text* in small letters without accents, each with a space behind it, and a
    stroke between sentences.
    """
    plain = _GROUPED.sub("", unicodedata.normalize("NFKC", text[:MAX_TEXT]).casefold())
    plain = _CURRENCY.sub(" euro ", _SENTENCE_END.sub(" | ", plain)).replace(",", " , ")
    return f" {_BESIDE_WORDS.sub(' ', _without_accents(plain)).strip()} "


def _without_accents(text: str) -> str:
    decomposed = unicodedata.normalize("NFD", text.translate(_GERMAN))
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def pattern_of(wordings: str) -> re.Pattern[str]:
    """The pattern that finds *wordings* in a folded text."""
    plain = re.sub(r"/\s+", "/", " ".join(wordings.split()))
    terms = [_term(term) for term in plain.split(",") if term.strip()]
    return re.compile(rf"(?<= )(?:{'|'.join(terms)})")


def _term(term: str) -> str:
    return "".join(map(_part, _words(_without_accents(term.casefold()).strip())))


def _words(term: str) -> list[str]:
    """The words of *term*; a group may have several words, and letters around it."""
    words: list[str] = []
    depth = 0
    for piece in re.split(r"( )", term):
        if piece == " " and not depth:
            words.append("")
            continue
        words = words or [""]
        words[-1] += piece
        depth += piece.count("(") - piece.count(")")
    return [word for word in words if word]


def _part(word: str) -> str:
    """The pattern of one word of a term, with the space behind it."""
    if word in _PLACEHOLDERS:
        return _PLACEHOLDERS[word]
    if word.startswith("(") and word.endswith(")") and word.count("(") == 1:
        choices = word[1:-1].split("/")
        found = "|".join(_term(choice) for choice in choices if choice)
        return f"(?:{found}){'' if all(choices) else '?'}"
    return re.sub(r"\(", "(?:", word).replace("/", "|").replace("*", r"\w*") + " "


@dataclass(frozen=True)
class Wording:
    """The words of one area in one language."""

    #: What tells of the area.
    tells: str
    #: What seems to, and is taken out of the text first.
    seems: str

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], re.Pattern[str]]:
        return pattern_of(self.tells), pattern_of(self.seems)

    def found_in(self, text: str) -> bool:
        """True if a folded *text* tells of the area."""
        tells, seems = self._patterns
        return bool(tells.search(text)) and bool(tells.search(seems.sub("| ", text)))
