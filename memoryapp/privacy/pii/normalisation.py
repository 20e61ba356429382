"""Spells a text plainly, so that one detector finds a secret in each of its spellings. Pure.

Each character of the plain text has its place in the original text:

- invisible characters and emphasis (``**``) are left out, runs of spaces become one;
- digits, letters and punctuation in other forms (full-width, mathematical, in a keycap) become the
  usual ones, and marks are composed with their letters or left out;
- HTML entities and percent-encoded characters are decoded;
- Cyrillic and Greek letters that look like Latin ones become Latin in a word that also has Latin
  letters ("pаssword" with a Cyrillic а);
- digits one by one ("4 8 2 1", "four eight two one") become a number.

The letters that look alike are a table, because of Unicode's thousands (UTS #39) only those matter
that stand for a letter of ASCII, and Python's ``unicodedata`` knows no shapes. The packages for
this, such as `confusable-homoglyphs`, compare whole words and return no places.
"""

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

#: Start and end (exclusive).
Span = tuple[int, int]

#: Stands for one finding: a private-use character.
MARK = "\ue000"

_USUAL = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "−": "-"}
    | {"ي": "ی", "ى": "ی", "ك": "ک", "۔": "."}
)

#: What is not copied as it is.
_SPECIAL = re.compile(
    r"[^\x00-\x7e]+|&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,8});|%[2-7][0-9A-Fa-f]"
    r"|[ \t]{2,}|\t|\*{2,3}"
)

#: Unicode's confusables, as far as they stand for letters of ASCII: Cyrillic, Greek, Latin. NFKC
#: has replaced those that are the same letter in another form before.
_LOOKALIKES = str.maketrans(
    "аеорсухѕіјԁһԛԝӏѵкАВЕКМНОРСТУХЅІЈӀαορνικυχγΑΒΕΖΗΙΚΜΝΟΡΤΥΧıɡɑȷɩᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ",
    "aeopcyxsijdhqwlvkABEKMHOPCTYXSIJlaopvikuxyABEZHIKMNOPTYXigajiabcdeghijklmnoprstuvwyz",
)
_WORD = re.compile(r"[^\W_]+")
_LATIN = re.compile(r"[A-Za-z]")

#: Digits in English, German, Italian, Spanish and French.
_DIGIT_WORDS = {
    word: str(digit)
    for digit, words in enumerate(
        (
            "zero oh nought null cero zéro",
            "one eins uno un",
            "two zwei zwo due dos deux",
            "three drei tre tres trois",
            "four vier quattro cuatro quatre",
            "five fünf cinque cinco cinq",
            "six sechs sei seis",
            "seven sieben sette siete sept",
            "eight acht otto ocho huit",
            "nine neun nove nueve neuf",
        )
    )
    for word in words.split()
}
_TIMES = {"double": 2, "triple": 3}
_DIGIT_WORD = rf"(?:(?:{'|'.join(_TIMES)}) )?(?:{'|'.join(_DIGIT_WORDS)})(?!\w)"
_DIGITS_IN_WORDS = re.compile(
    rf"(?<!\w){_DIGIT_WORD}(?:[ ,.-]{{1,2}}{_DIGIT_WORD}){{2,40}}", re.IGNORECASE
)
_TWO_DIGITS = re.compile(r"\d[ ./_,-] ?\d")
#: 4 8 2 1 9, 4-8-2-1-9; with other signs only in the length of a card, because of 8.8.8.8.
_SINGLE_DIGITS = re.compile(
    r"(?<![\w.,/-])(?<!\d )(?<!\d, )\d(?:(?: \d){3,40}|(?:-\d){3,40}|(?:\.\d){11,40}|(?:/\d){11,40}"
    r"|(?:_\d){11,40}|(?:, ?\d){11,40})(?![\w/-]|[.,]\d| \d)"
)


class PlainText:
    """A plain text, with the place of each of its characters in the original."""

    def __init__(self) -> None:
        self._characters: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []

    def read(self, text: str, start: int, end: int) -> None:
        """Add the characters of *text* from *start* to *end*."""
        done = start
        for special in _SPECIAL.finditer(text, start, end):
            self._copy(text, done, special.start())
            done = special.end()
            if special[0] > "\x7e":
                for place in range(*special.span()):
                    self._add(text[place], place, place + 1)
            elif special[0][0] == "&":
                meant = html.unescape(special[0])
                if len(meant) == 1:
                    self._add(meant, *special.span())
                else:
                    self._copy(text, *special.span())
            elif special[0][0] == "%":
                self._add(chr(int(special[0][1:], 16)), *special.span())
            elif special[0][0] != "*":
                self._add(" ", *special.span())
        self._copy(text, done, end)

    def mark(self, start: int, end: int) -> None:
        """Add a `MARK` for what is between *start* and *end*."""
        self._append(MARK, start, end)

    def spelled(self) -> str:
        """Return the text, after lookalikes and single digits were replaced."""
        text = "".join(self._characters)
        if not text.isascii():
            text = _WORD.sub(_in_one_script, text)
        if _holds_digit_words(text):
            text = self._respelled(text, list(_digits_in_words(text)))
        if _TWO_DIGITS.search(text):
            text = self._respelled(text, list(_single_digits(text)))
        return text

    def _copy(self, text: str, start: int, end: int) -> None:
        self._characters += text[start:end]
        self.starts += range(start, end)
        self.ends += range(start + 1, end + 1)

    def _append(self, character: str, start: int, end: int) -> None:
        self._characters.append(character)
        self.starts.append(start)
        self.ends.append(end)

    def _add(self, character: str, start: int, end: int) -> None:
        """Add one *character* in its usual form."""
        follows = bool(self._characters) and self._characters[-1] != MARK and self.ends[-1] == start
        if follows and unicodedata.category(character) in ("Mn", "Me"):
            composed = unicodedata.normalize("NFC", self._characters[-1] + character)
            if len(composed) == 1:
                self._characters[-1] = composed
                self.ends[-1] = end
                return
            if not folded(character):
                self.ends[-1] = end
                return
        usual = folded(character)
        if usual == " " and follows and self._characters[-1] == " ":
            self.ends[-1] = end
            return
        for each in usual:
            self._append(each, start, end)

    def _respelled(self, text: str, spellings: list[tuple[Span, list[tuple[str, Span]]]]) -> str:
        """Replace each span of *text* by characters, each of which stands for a part of it."""
        if not spellings:
            return text
        pieces: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        done = 0
        for (start, end), characters in spellings:
            pieces.append(text[done:start])
            starts += self.starts[done:start]
            ends += self.ends[done:start]
            for character, (first, last) in characters:
                pieces.append(character)
                starts.append(self.starts[first])
                ends.append(self.ends[last - 1])
            done = end
        pieces.append(text[done:])
        self.starts = starts + self.starts[done:]
        self.ends = ends + self.ends[done:]
        return "".join(pieces)


@lru_cache(maxsize=4096)
def folded(text: str) -> str:
    """*text* with each character in its usual form; also for the words of a pattern."""
    return "".join(map(_usual, text))


def _usual(character: str) -> str:
    if character < "\x7f":
        return character
    if character == MARK:
        return " "
    match unicodedata.category(character):
        case "Cf" | "Me":
            return ""
        case "Mn":
            return character if _belongs_to_its_letter(character) else ""
        case "Nd":
            return str(unicodedata.digit(character))
        case "Zs":
            return " "
        case "Zl" | "Zp":
            return "\n"
        case "Pd":
            return "-"
    usual = unicodedata.normalize("NFKC", character.translate(_USUAL))
    return usual if len(usual) == 1 or usual.isalnum() else character


def _belongs_to_its_letter(mark: str) -> bool:
    """True if *mark* is a vowel or the like, as in the scripts of India, and no accent or point."""
    return unicodedata.combining(mark) in (0, 7, 9) and not "\ufe00" <= mark <= "\ufe0f"


def _in_one_script(word: re.Match[str]) -> str:
    if word[0].isascii() or not _LATIN.search(word[0]):
        return word[0]
    return word[0].translate(_LOOKALIKES)


def _holds_digit_words(text: str) -> bool:
    return sum(word in _DIGIT_WORDS for word in _WORD.findall(text.lower())) >= 3


def _digits_in_words(text: str) -> Iterator[tuple[Span, list[tuple[str, Span]]]]:
    for run in _DIGITS_IN_WORDS.finditer(text):
        digits: list[tuple[str, Span]] = []
        times, first = 1, None
        for word in _WORD.finditer(text, *run.span()):
            first = word.start() if first is None else first
            if word[0].lower() in _TIMES:
                times = _TIMES[word[0].lower()]
                continue
            digit = _DIGIT_WORDS[word[0].lower()]
            digits += [(digit, (first, word.end()))] * times
            times, first = 1, None
        yield run.span(), digits


def _single_digits(text: str) -> Iterable[tuple[Span, list[tuple[str, Span]]]]:
    for run in _SINGLE_DIGITS.finditer(text):
        places = (place for place in range(*run.span()) if text[place].isdigit())
        yield run.span(), [(text[place], (place, place + 1)) for place in places]
