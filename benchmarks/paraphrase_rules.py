"""Rules that say a fact in other words, for `benchmarks.dedup`. Pure functions.

Each rule takes a fact and the name of the person that it is about, and returns the same fact in
other words, or None if it does not apply. No language model is involved, so that every run has the
same pairs; the sentences are plain English, if not always elegant.
"""

import re
from collections.abc import Callable

Rule = Callable[[str, str], str | None]

_SYNONYMS = dict(
    line.split(" → ")
    for line in """\
enjoys → likes
loves → adores
likes → enjoys
appreciates → values
values → treasures
believes → thinks
started → began
bought → purchased
attended → went to
made → created
created → made
recently → lately
excited → thrilled
important → crucial
difficult → hard
tough → hard
job → position
kids → children
children → kids
pictures → photos
picture → photo
movie → film
movies → films
big → large
huge → enormous
small → little
friends → pals
friend → pal
mother → mom
trip → journey
wants → wishes
helps → assists
help → assist
helped → assisted
finished → completed
journey → path
supportive → encouraging
supports → backs
happy → glad
proud → pleased
joy → delight
currently → presently
beautiful → lovely
new → brand-new
inspiring → motivating
encourages → urges
expresses → shows
expressed → showed
shared → told about
emphasizes → stresses
mentioned → said
mentions → says
store → shop
car → vehicle
begin → start
buy → purchase
show → exhibit
thinks → reckons
challenging → demanding
community → neighborhood
admires → looks up to
determined → resolved
favorite → best-loved
fun → enjoyment
hobby → pastime
hobbies → pastimes
""".splitlines()
)
#: Whole turns of phrase.
_PHRASES = [
    (r"\bis passionate about\b", "has a passion for"),
    (r"\bis planning to\b", "plans to"),
    (r"\bplans to\b", "intends to"),
    (r"\bis interested in\b", "takes an interest in"),
    (r"\benjoys\b", "takes pleasure in"),
    (r"\bloves\b", "is very fond of"),
    (r"\bappreciates\b", "is grateful for"),
    (r"\bvolunteers\b", "does volunteer work"),
    (r"\bvolunteered\b", "did volunteer work"),
    (r"\bis working on\b", "works on"),
    (r"\bis excited about\b", "looks forward to"),
    (r"\bis excited to\b", "can’t wait to"),
    (r"\bwants to\b", "would like to"),
    (r"\bbelieves in\b", "has faith in"),
    (r"\bbelieves that\b", "is convinced that"),
    (r"\bused to\b", "in the past would"),
    (r"\bfinds (\w+) (inspiring|calming|rewarding|fulfilling)\b", r"feels that \1 is \2"),
    (r"\bfinds (joy|comfort|inspiration|solace|happiness) in\b", r"gets \1 from"),
    (r"\bis grateful for\b", "feels thankful for"),
    (r"\bis proud of\b", "takes pride in"),
    (r"\bis considering\b", "is thinking about"),
    (r"\bis looking forward to\b", "is eager for"),
    (r"\bthe importance of\b", "how important it is to have"),
    (r"\bin order to\b", "so as to"),
    (r"\bdecided to\b", "made up their mind to"),
    (r"\btook part in\b", "participated in"),
    (r"\bparticipated in\b", "took part in"),
    (r"\bhas been\b", "has for some time been"),
    (r"\bis open to\b", "would not mind"),
    (r"\bis willing to\b", "is ready to"),
    (r"\badmires\b", "has great respect for"),
]
_SPELLING = {
    "favorite": "favourite",
    "counseling": "counselling",
    "color": "colour",
    "colors": "colours",
    "neighborhood": "neighbourhood",
    "organized": "organised",
    "organize": "organise",
    "organizing": "organising",
    "emphasizes": "emphasises",
    "recognizes": "recognises",
    "realized": "realised",
    "traveling": "travelling",
    "honored": "honoured",
    "center": "centre",
    "theater": "theatre",
    "cozy": "cosy",
    "flavor": "flavour",
    "flavors": "flavours",
    "practices": "practises",
    "mom": "mum",
    "program": "programme",
}
_CONTRACTIONS = [
    (r"\bis not\b", "isn't"),
    (r"\bdoes not\b", "doesn't"),
    (r"\bdid not\b", "didn't"),
    (r"\bhas not\b", "hasn't"),
    (r"\bwas not\b", "wasn't"),
    (r"\bcannot\b", "can't"),
    (r"\bisn't\b", "is not"),
    (r"\bdoesn't\b", "does not"),
    (r"\bdidn't\b", "did not"),
    (r"\bhasn't\b", "has not"),
    (r"\bwasn't\b", "was not"),
    (r"\bcan't\b", "cannot"),
    (r"\bcouldn't\b", "could not"),
    (r"\bdon't\b", "do not"),
    (r"\bit's\b", "it is"),
    (r"\bthat's\b", "that is"),
    (r"^(\w+) is (?=\w+ing\b)", r"\1's "),
    (r"^(\w+) has been\b", r"\1's been"),
    (r"^(\w+) will\b", r"\1'll"),
    (r"^(\w+) would\b", r"\1'd"),
]
#: Each way round.
NUMBER_WORDS = dict(
    pair.split()
    for pair in (
        "2 two|3 three|4 four|5 five|6 six|7 seven|8 eight|9 nine|10 ten|11 eleven|12 twelve|"
        "15 fifteen|20 twenty|30 thirty|40 forty|50 fifty"
    ).split("|")
)
_PARTICIPLES = {
    "made": "made",
    "took": "taken",
    "bought": "bought",
    "won": "won",
    "wrote": "written",
    "found": "found",
    "met": "met",
    "lost": "lost",
    "gave": "given",
    "chose": "chosen",
    "sent": "sent",
    "saw": "seen",
    "built": "built",
}
TIMES = (
    r"(?:recently|lately|yesterday|today|currently|(?:last|this|next) "
    r"(?:week|weekend|month|year|night|summer|winter|fall|spring|Monday|Tuesday|Wednesday|Thursday|"
    r"Friday|Saturday|Sunday)|(?:a few|a couple of|two|three|\d+) "
    r"(?:days|weeks|weekends|months|years) ago|a (?:week|month|year) ago|"
    r"(?:in|during) (?:January|February|March|April|May|June|July|August|September|October|"
    r"November|December|\d{4})|after a long day|in (?:his|her) free time|during tough times)"
)


def _word_by_word(text: str, words: dict[str, str], most: int) -> str | None:
    left = most

    def other(match: re.Match[str]) -> str:
        nonlocal left
        if left and match[0] in words:
            left -= 1
            return words[match[0]]
        return match[0]

    return _unless_same(text, re.sub(r"\w+", other, text))


def _unless_same(text: str, said: str) -> str | None:
    return said if said != text else None


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _predicate(text: str, person: str) -> str | None:
    """What is said of *person*, where the sentence begins with the name and a verb."""
    begun = re.match(rf"{re.escape(person)} (?!and\b|or\b)(?=\w+(?:s|ed|d|t|n|w)\b)(.+)$", text)
    return begun[1] if begun else None


def one_synonym(text: str, person: str) -> str | None:
    return _word_by_word(text, _SYNONYMS, 1)


def two_synonyms(text: str, person: str) -> str | None:
    said = _word_by_word(text, _SYNONYMS, 2)
    return said if said != one_synonym(text, person) else None


def phrase(text: str, person: str) -> str | None:
    for pattern, other in _PHRASES:
        if re.search(pattern, text):
            return re.sub(pattern, other, text, count=1)
    return None


def spelling(text: str, person: str) -> str | None:
    return _word_by_word(text, _SPELLING, 9)


def contraction(text: str, person: str) -> str | None:
    for pattern, other in _CONTRACTIONS:
        if re.search(pattern, text):
            return re.sub(pattern, other, text, count=1)
    return None


def time_moved(text: str, person: str) -> str | None:
    """A time at the end or behind the name goes to the front."""
    at_end = re.match(rf"(.+?),? ({TIMES})\.?$", text)
    if at_end and " and " not in at_end[1]:
        return f"{_sentence(at_end[2])}, {at_end[1]}."
    behind = re.match(rf"({re.escape(person)}(?: is| has| was)?) ({TIMES}) (.+)$", text)
    return f"{_sentence(behind[2])}, {behind[1]} {behind[3]}" if behind else None


def relative_clause(text: str, person: str) -> str | None:
    said = _predicate(text, person)
    if said is None or re.match(r"(is|was|has|had|will|would)\b", said):
        return None
    return f"{person} is somebody who {said}"


def cleft(text: str, person: str) -> str | None:
    said = _predicate(text, person)
    return said and f"It is {person} who {said}"


def possessive(text: str, person: str) -> str | None:
    owned = re.search(
        r"\b([A-Z]\w+)'s ((?:[a-z-]+ ){0,1}[a-z-]+)(?= (?:is|are|has|was|were)\b)", text
    )
    if owned is None:
        return None
    article = "The" if owned.start() == 0 else "the"
    return f"{text[: owned.start()]}{article} {owned[2]} of {owned[1]}{text[owned.end() :]}"


def turned_round(text: str, person: str) -> str | None:
    """Make "contemporary is Gina's favorite style" of "Gina's favorite style is contemporary"."""
    said = re.match(
        r"([A-Z]\w+'s (?:[a-z]+ ){1,3}?)(is|are|was|were) "
        r"((?!\w+ing\b|that\b)(?:[\w'-]+ ?){1,7})\.?$",
        text.strip(),
    )
    return said and f"{_sentence(said[3])} {said[2]} {said[1].strip()}."


def passive(text: str, person: str) -> str | None:
    """Make "a lake was painted by Ana last year" of "Ana painted a lake last year"."""
    said = re.match(
        rf"{re.escape(person)} (?:recently )?(\w+ed|{'|'.join(_PARTICIPLES)}) "
        r"((?:a|an|the|his|her|their) (?:[\w-]+ ){0,2}?[\w-]+)"
        r"((?: (?:for|with|at|to|in|last|during|from|on|that|recently|after|about)\b.*)?)\.$",
        text,
    )
    if said is None:
        return None
    verb = _PARTICIPLES.get(said[1], said[1])
    return f"{_sentence(said[2])} was {verb} by {person}{said[3]}."


def list_turned(text: str, person: str) -> str | None:
    """Make "music, reading and hiking" of "reading, hiking, and music"."""
    three = re.sub(
        r"\b(of|is|are|for|including|like|as|on|in|with|loves|enjoys|super|through|about|finds) "
        r"([a-z-]+), ([a-z-]+),? and ([a-z-]+)(?=\.?$)",
        r"\1 \4, \2 and \3",
        text.strip(),
        count=1,
    )
    two = r"\b([a-z]+(?:ing|ness|ion|ity)) and ([a-z]+(?:ing|ness|ion|ity))(?=\.?$)"
    said = three if three != text.strip() else re.sub(two, r"\2 and \1", three, count=1)
    return _unless_same(text.strip(), said)


def number_spelt(text: str, person: str) -> str | None:
    words = NUMBER_WORDS | {word: digit for digit, word in NUMBER_WORDS.items()}
    return _word_by_word(text, words, 9)


def several(text: str, person: str) -> str | None:
    """All that applies, one after the other."""
    said, applied = text, 0
    for rule in (phrase, one_synonym, list_turned, time_moved, possessive):
        changed = rule(said, person)
        if changed:
            said, applied = changed, applied + 1
    return said if applied >= 2 else None


def _both(text: str, one: str, other: str) -> tuple[str, str]:
    body = text.strip().rstrip(".")
    return f"{body}{one}.", f"{body}{other}."


def preposition(text: str, person: str) -> tuple[str, str]:
    begun = f", which {person} prefers"
    return _both(text, f"{begun} over television", f"{begun} to television")


def noun_in_the_plural(text: str, person: str) -> tuple[str, str]:
    return _both(text, " in the morning", " in the mornings")


def time_of_day(text: str, person: str) -> tuple[str, str]:
    return _both(text, " at 7 pm", " at 7 in the evening")


def clause_first(text: str, person: str) -> tuple[str, str]:
    body = text.strip().rstrip(".")
    return f"{body} when it rains.", f"When it rains, {body}."


#: Rules that add to a fact what they say in two ways.
ADDITIONS: dict[str, Callable[[str, str], tuple[str, str]]] = {
    "preposition": preposition,
    "noun in the plural": noun_in_the_plural,
    "time of day": time_of_day,
    "clause first": clause_first,
}
REWRITES: dict[str, Rule] = {
    "one synonym": one_synonym,
    "two synonyms": two_synonyms,
    "turn of phrase": phrase,
    "spelling": spelling,
    "contraction": contraction,
    "time moved": time_moved,
    "list turned": list_turned,
    "relative clause": relative_clause,
    "cleft": cleft,
    "possessive": possessive,
    "copula turned": turned_round,
    "passive": passive,
    "number spelt": number_spelt,
    "several at once": several,
}
