"""Scripts that are written without spaces between words, as ranges of a character class. Pure."""

THAI, LAO = "\u0e00-\u0e7f", "\u0e80-\u0eff"
BURMESE, KHMER = "\u1000-\u109f", "\u1780-\u17ff"
#: Hiragana and katakana.
KANA = "\u3040-\u30ff"
HAN = "\u3400-\u9fff"
#: Forms of Han characters that NFKC maps to the usual ones, except for a few.
HAN_COMPATIBILITY = "\uf900-\ufaff"

UNSPACED = THAI + LAO + BURMESE + KHMER + KANA + HAN

#: Hangul syllables. Korean has spaces, but words carry their particles and endings.
HANGUL = "\uac00-\ud7af"

#: Chinese characters that are function words, or parts of them.
FUNCTION_CHARACTERS = frozenset(
    "的地得了着过是在有和与或及就也都还很太最更不没别我你您他她它们这那哪些个什么怎样谁几多少为以因所"
    "于把被让给对从到向跟比吗呢吧啊呀嘛会能可要想应该来去上下里中"
)
