"""Removes invisible characters, which can hide text from people but not from models. Pure.

Invisible characters that a language needs stay: the joiners of Persian, of Indic scripts and of
emoji, the word breaks of Khmer, Thai, Lao and Burmese, direction marks, and the variation selectors
of Han characters and of emoji.
"""

import re

_JOINERS = "\u200c\u200d"
_DIRECTIONS = "\u200e\u200f\u061c"
_MONGOLIAN = "\u180b-\u180f"
#: All invisible characters, except paired direction controls, which `_in_order` handles.
_UNSEEN = (
    f"\u00ad\u034f\u115f\u1160\u17b4\u17b5\u200b\u2060-\u2065\u206a-\u206f\u3164\ufe00-\ufe0f\ufeff"
    f"\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    f"{_JOINERS}{_DIRECTIONS}{_MONGOLIAN}"
)
#: Arabic, Syriac, N'Ko, Indic, Tibetan, Burmese, Khmer, Mongolian, Balinese, Adlam.
_JOINED = (
    "\u0600-\u0603\u0620-\u08ff\u0900-\u0fff\u1000-\u109f\u1780-\u17b3\u17b6-\u17ff\u1800-\u180a"
    "\u1810-\u18af\u1a00-\u1aff\u1b00-\u1bff\ua800-\ua8ff\ua900-\uaaff\uabc0-\uabff\ufb50-\ufdff"
    "\ufe70-\ufefe\U00010a00-\U00010bff\U00011000-\U000119ff\U0001e900-\U0001e95f"
)
_WITHOUT_SPACES = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17b3\u17b6-\u17ff"
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
#: Arrows, symbols, dingbats and pictographs: the parts of emoji.
_PICTURES = "\u00a9\u00ae\u203c\u2049\u2100-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
#: England, Scotland and Wales: the only flags that are spelled with tag characters.
_FLAGS = "|".join(
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(letter)) for letter in name) + "\U000e007f"
    for name in ("gbeng", "gbsct", "gbwls")
)
_HIDDEN = re.compile(
    # First, because it quickly rules out nearly all characters.
    rf"(?=[{_UNSEEN}\U0001f3f4])(?:(?P<needed>{_FLAGS}"
    rf"|(?<=[{_JOINED}])[{_JOINERS}]"
    # A family, a profession: joined pictures, the first with or without a variation selector.
    rf"|(?:(?<=[{_PICTURES}])|(?<=[{_PICTURES}]\ufe0f))\u200d(?=[{_PICTURES}])"
    rf"|(?<=[{_PICTURES}])[\ufe00-\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)"
    rf"|(?<=[{_HAN}])[\ufe00-\ufe02\U000e0100-\U000e01ef]"
    rf"|(?<=[{_WITHOUT_SPACES}])\u200b(?=[{_WITHOUT_SPACES}])"
    rf"|(?<=[\u1800-\u180a\u1810-\u18af])[{_MONGOLIAN}]"
    rf"|(?<![{_UNSEEN}])[{_DIRECTIONS}])"
    rf"|[{_UNSEEN}])"
)

_EMBEDDINGS, _OVERRIDES, _ISOLATES = "\u202a\u202b", "\u202d\u202e", "\u2066\u2067\u2068"
_END_OF_EMBEDDING, _END_OF_ISOLATE = "\u202c", "\u2069"
#: Direction controls, and paragraph ends, which end all directions.
_DIRECTED = re.compile(r"[\u202a-\u202e\u2066-\u2069]|[\n\r\x1c-\x1e\x85\u2029]")


def without_hidden(text: str) -> str:
    """Remove invisible characters from *text* that no language needs."""
    if text.isascii():
        return text
    return _HIDDEN.sub(lambda found: found["needed"] or "", _in_order(text))


def _in_order(text: str) -> str:
    """Remove direction controls that show letters out of order: overrides, and controls without
    their counterpart in the same paragraph (UAX 9).
    """
    paired: set[int] = set()
    begun: list[re.Match[str]] = []
    for sign in _DIRECTED.finditer(text):
        if sign[0] in _EMBEDDINGS + _OVERRIDES + _ISOLATES:
            begun.append(sign)
        elif sign[0] == _END_OF_EMBEDDING:
            if begun and begun[-1][0] not in _ISOLATES:
                begin = begun.pop()
                if begin[0] in _EMBEDDINGS:
                    paired |= {begin.start(), sign.start()}
        elif sign[0] == _END_OF_ISOLATE:
            # It also ends the embeddings inside the isolate.
            while begun:
                begin = begun.pop()
                if begin[0] in _ISOLATES:
                    paired |= {begin.start(), sign.start()}
                    break
        else:
            begun = []

    def keep(sign: re.Match[str]) -> str:
        return sign[0] if sign.start() in paired or sign[0].isspace() else ""

    return _DIRECTED.sub(keep, text)
