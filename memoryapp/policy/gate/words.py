"""Words of a sentence, their stems, and the small words of all languages. Pure."""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache

from conversations.scripts import HAN_COMPATIBILITY, UNSPACED
from memoryapp.language.denials import DENIALS
from memoryapp.language.vocabularies import ALL_FUNCTION_WORDS, FUNCTION_WORDS, JOINING

#: Characters of a text that are looked at.
MAX_TEXT = 20_000
#: Letters of a stem: "allergic" and "allergy", "counselling" and "counselor" have the same.
STEM = 5

_UNSPACED = UNSPACED + HAN_COMPATIBILITY
_MARKS = r"\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0963\u0970-\u0dff"
_LETTERS = rf"(?:[^\W\d_{_UNSPACED}]|[{_MARKS}])+"
_TOKEN = re.compile(
    rf"\d(?:[\d.,:/-]*\d)?|[{_UNSPACED}]|{_LETTERS}(?:'{_LETTERS})*|[.!?…。！？¿¡;:,\n\"“”«»()—]"
)
_ALIKE = str.maketrans({"’": "'", "ʼ": "'", "−": "-", "–": "-"})
_ENDS = frozenset(".!?…。！？¿¡;:\n")
_OPENING = _ENDS | frozenset('"“«')
_BREAKS = _ENDS | frozenset(',"“”«»()—')

#: Words that begin another clause without a comma.
_CONJUNCTIONS = JOINING.opposing | JOINING.giving_reasons

#: What a narrator says about what was said, and words that fit everything.
NARRATION = frozenset(
    "mention mentions mentioned express expresses expressed expressing believe "
    "believes believed feel feels felt feeling find finds found finding value values "
    "valued enjoy enjoys enjoyed share shares shared sharing appreciate appreciates "
    "appreciated emphasize emphasizes emphasized like likes liked love loves loved "
    "think thinks thought say says said tell tells told show shows showed shown "
    "showing describe describes described indicate indicates indicating make makes "
    "made making get gets got getting go goes going went gone lot lots way significant "
    "important importance various different want wants wanted consider considers ask "
    "asks asked offer offers offered assure assures advise advises suggest suggests "
    "open willingness recently currently despite facing towards throughout especially "
    "due specific specifically particular particularly related based including several "
    "continue continues whenever upon toward against without within along around like "
    "first really as well able always user users person called named name nutzer "
    "nutzerin benutzer benutzerin utente usuario usuaria utilisateur utilisatrice "
    "heißt mag möchte piace vuole gusta quiere aime veut".split()
)
#: What people say, think and feel of what another said.
_ATTITUDES = frozenset(
    "acknowledge admire admit advise agree apologize appreciate ask assure compliment "
    "congratulate consider emphasize emphasise empathize encourage express feel hope inquire "
    "invite mention offer praise promise propose reassure recommend recognise recognize remind "
    "reminisce remember respect say see share state suggest support sympathize tell thank think "
    "understand value wonder wish commend describe explain".split()
)
#: Further words that support nothing.
_VAGUE = frozenset(
    "already another anything because everyone everything now one quite really since someone "
    "something until while".split()
)
#: Words that only join others. Denials are no such words: they turn what is said round; and "won"
#: is one only as a part of "won't", which is whole here.
_LITTLE = (_VAGUE | ALL_FUNCTION_WORDS) - DENIALS - {"won"}
#: Irregular forms, and words that are said in one form and written in another.
_FORMS = {
    form: group.split()[0]
    for group in (
        "buy bought|meet met|take took taken|give gave given|run ran|win won|begin began begun|"
        "write wrote written|teach taught|draw drew drawn|eat ate eaten|drive drove driven|"
        "grow grew grown|know knew known|see saw seen|speak spoke spoken|keep kept|leave left|"
        "lose lost loss|sell sold|build built|spend spent|send sent|bring brought|come came|"
        "become became|fly flew flown|hear heard|hold held|lead led|pay paid|ride rode ridden|"
        "sing sang sung|sit sat|sleep slept|stand stood|swim swam swum|wear wore worn|wake woke|"
        "break broke broken|choose chose chosen|fall fell fallen|catch caught|feed fed|"
        "picture pic pics photo photos photograph pictures|family fam families|"
        "child kid kids children childhood|mother mom mum mama mommy|father dad papa daddy|"
        "movie movies film films|grateful thankful thanks thank gratitude|"
        "congratulate congrats congratulations|buddy friend friends buddies|"
        "education edu educational|career job jobs|wife husband spouse|born birth birthday|"
        "die died death passed|lend lent|feet foot|people folks"
    ).split("|")
    for form in group.split()
}


_ENDINGS = ("ings", "ing", "ies", "ers", "ed", "er", "es", "en", "ly", "s", "e", "y", "o", "a", "i")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text."""

    text: str
    #: In small letters, without what follows an apostrophe as in "Ana's".
    bare: str
    #: Whether it begins a sentence, or a quotation.
    opens: bool
    #: The number of its clause within the text.
    clause: int

    @property
    def is_number(self) -> bool:
        return self.text[0].isdigit()

    @property
    def has_capital(self) -> bool:
        return self.text[0].isupper()

    @property
    def is_unspaced(self) -> bool:
        """Whether it is one character of a script without spaces."""
        return bool(_ONE_CHARACTER.fullmatch(self.text))


#: Stands for a secret in what a model was shown, and may stand in what it proposes.
_PLACEHOLDER = re.compile(r"\[REDACTED:[A-Z_]{1,30}\]")
_ONE_CHARACTER = re.compile(rf"[{_UNSPACED}]")


def normalised(text: str) -> str:
    """*text*, cut, with one kind of apostrophe and hyphen, and without placeholders of secrets."""
    plain = unicodedata.normalize("NFKC", text[:MAX_TEXT]).translate(_ALIKE)
    return _PLACEHOLDER.sub(" ", plain).replace(" - ", " — ").replace("--", " — ")


def words_of(text: str) -> list[Word]:
    """The words and numbers of *text* in order."""
    words = []
    opens, clause = True, 0
    for found in _TOKEN.findall(normalised(text)):
        if not found[0].isalnum():
            opens = opens or found in _OPENING
            clause += found in _BREAKS
            continue
        clause += found in _CONJUNCTIONS
        words.append(Word(found, bare(found), opens, clause))
        opens = False
    return words


def bare(token: str) -> str:
    """*token* in small letters, without a possessive or a shortened verb, and without an elided
    article: "Ana's" and "l'Ana" are "ana". "don't" keeps what negates it, and "n'ai" is "ne".
    """
    folded = token.casefold()
    if "'" not in folded or folded.endswith("n't"):
        return folded
    first, _, rest = folded.partition("'")
    if len(first) <= 2 and len(rest) > 2:
        return rest
    return "ne" if first == "n" else first


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The stem of a *word* in small letters: its first letters, with accents taken off."""
    word = _FORMS.get(word, word)
    plain = "".join(c for c in unicodedata.normalize("NFKD", word) if not "\u0300" <= c <= "\u036f")
    for ending in _ENDINGS:
        if plain.endswith(ending) and len(plain) - len(ending) >= 3:
            if ending == "y" and plain[-2] in "aeou":
                break  # As "plays" has "play".
            plain = plain[: -len(ending)]
            if len(plain) > 3 and plain[-1] == plain[-2]:
                plain = plain[:-1]
            break
    return plain[:STEM]


def is_attitude(word: Word) -> bool:
    """Whether *word* is a verb for what somebody says, thinks or feels."""
    forms = (word.bare, word.bare[:-1], word.bare[:-2], word.bare[:-1] + "e", word.bare + "e")
    return word.bare.endswith(("s", "ed")) and any(form in _ATTITUDES for form in forms)


def is_little(word: Word) -> bool:
    """Whether *word* only joins others."""
    if word.is_unspaced:
        # Hiragana mostly holds endings and particles.
        return "\u3040" <= word.text <= "\u309f"
    return word.bare in _LITTLE or (len(word.bare) < 3 and not word.has_capital)


def is_small(word: Word) -> bool:
    """Whether *word* says too little to tell one fact from another."""
    return is_little(word) or word.bare in NARRATION or stem(word.bare) in _narration_stems()


@cache
def _narration_stems() -> frozenset[str]:
    return frozenset(stem(word) for word in NARRATION if len(word) > 4)


def language_of(words: list[Word]) -> str:
    """The language of *words* by their small words; empty if they do not tell."""
    counts = {
        language: sum(word.bare in known for word in words)
        for language, known in FUNCTION_WORDS.items()
    }
    best, second = sorted(counts, key=lambda language: -counts[language])[:2]
    return best if counts[best] >= 2 and counts[best] > counts[second] else ""
