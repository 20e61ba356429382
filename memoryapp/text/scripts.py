"""Scripts that are written without spaces between words, as ranges of a character class. Pure."""

THAI, LAO = "\u0e00-\u0e7f", "\u0e80-\u0eff"
BURMESE, KHMER = "\u1000-\u109f", "\u1780-\u17ff"
#: Hiragana and katakana.
KANA = "\u3040-\u30ff"
HAN = "\u3400-\u9fff"
#: Forms of Han characters that NFKC maps to the usual ones, except for a few.
HAN_COMPATIBILITY = "\uf900-\ufaff"

UNSPACED = THAI + LAO + BURMESE + KHMER + KANA + HAN
