"""Rules that change a fact but few of its words, for `benchmarks.dedup`. Pure functions.

Each rule takes a fact and the name of the person that it is about, and returns two sentences that
are different facts: the fact, and the fact with one thing changed. None if it does not apply.
"""

import re
from collections.abc import Callable

from benchmarks.paraphrase_rules import NUMBER_WORDS, passive

Pair = tuple[str, str]
Rule = Callable[[str, str], Pair | None]

_ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"]
_MONTHS = (
    "January February March April May June July August September October November December"
).split()
_WORDS = list(NUMBER_WORDS.values())
_BASES = {"has": "have", "does": "do", "goes": "go", "watches": "watch", "wishes": "wish"}
_OPPOSITES = dict(
    line.split(" → ")
    for line in """\
enjoys → dislikes
loves → hates
likes → dislikes
able → unable
happy → unhappy
supports → opposes
comfortable → uncomfortable
interested → uninterested
believes → doubts
excited → unexcited
healthy → unhealthy
willing → unwilling
successful → unsuccessful
important → unimportant
started → stopped
won → lost
with → without
always → never
more → less
better → worse
before → after
accepted → rejected
agrees → disagrees
appreciates → resents
""".splitlines()
)


def _changed(text: str, said: str) -> Pair | None:
    return (text, said) if said != text else None


def _added(text: str, old: str, new: str) -> Pair:
    body = text.strip().rstrip(".")
    return f"{body} {old}.", f"{body} {new}."


def digit(text: str, person: str) -> Pair | None:
    """One more of what is counted in digits."""
    return _changed(text, re.sub(r"(?<![\w.])\d+", lambda m: str(int(m[0]) + 1), text, count=1))


def number_word(text: str, person: str) -> Pair | None:
    """One more of what is counted in words."""

    def next_one(match: re.Match[str]) -> str:
        return _WORDS[(_WORDS.index(match[0]) + 1) % len(_WORDS)]

    return _changed(text, re.sub(rf"\b({'|'.join(_WORDS)})\b", next_one, text, count=1))


def ordinal(text: str, person: str) -> Pair | None:
    def next_one(match: re.Match[str]) -> str:
        return _ORDINALS[(_ORDINALS.index(match[0]) + 1) % len(_ORDINALS)]

    return _changed(text, re.sub(rf"\b({'|'.join(_ORDINALS)})\b", next_one, text, count=1))


def _of(text: str, choices: int) -> int:
    """A number below *choices* that depends on *text* alone, so that pairs are varied and yet the
    same for everybody.
    """
    return sum(map(ord, text)) % choices


def day(text: str, person: str) -> Pair:
    number, month = _of(text, 27) + 1, _MONTHS[_of(text, 12)]
    return _added(text, f"on {number} {month} 2023", f"on {number + 1} {month} 2023")


def month(text: str, person: str) -> Pair:
    at = _of(text, 12)
    return _added(text, f"in {_MONTHS[at]} 2023", f"in {_MONTHS[(at + 1) % 12]} 2023")


def year(text: str, person: str) -> Pair:
    return _added(text, f"in {(at := 1990 + _of(text, 33))}", f"in {at + 1}")


def duration(text: str, person: str) -> Pair:
    at = _of(text, len(_WORDS) - 1)
    return _added(text, f"for {_WORDS[at]} years", f"for {_WORDS[at + 1]} years")


def amount(text: str, person: str) -> Pair:
    amount = 10 * (_of(text, 90) + 1)
    return _added(text, f"and paid ${amount:,} for it", f"and paid ${amount * 10:,} for it")


def part_of_day(text: str, person: str) -> Pair:
    parts = ("in the morning", "in the afternoon", "in the evening", "at night")
    at = _of(text, 3)
    return _added(text, parts[at], parts[at + 1])


def before_or_after_noon(text: str, person: str) -> Pair:
    hour = _of(text, 11) + 1
    return _added(text, f"at {hour} am", f"at {hour} pm")


def negated(text: str, person: str) -> Pair | None:
    """Put "not" after an auxiliary, "does not" before a verb, "never" before one in the past."""
    auxiliary = r"\b(is|are|was|were|has been|will|would|can|could|should)\b"
    said = re.sub(auxiliary + "(?! not)", r"\1 not", text, count=1).replace(
        "has been not", "has not been"
    )
    if said != text:
        return text, said
    begun = re.match(rf"({re.escape(person)}) (\w+)s\b(.*)$", text)
    if begun and not begun[2].endswith(("s", "u", "i")):
        verb = _BASES.get(begun[2] + "s", begun[2])
        return text, f"{person} does not {verb}{begun[3]}"
    begun = re.match(
        rf"({re.escape(person)}) (\w+ed|went|got|took|made|had|found|won)\b(.*)$", text
    )
    return (text, f"{person} never {begun[2]}{begun[3]}") if begun else None


def contracted_negation(text: str, person: str) -> Pair | None:
    pair = negated(text, person)
    if pair is None:
        return None
    said = re.sub(r"\b(is|are|was|were|does|has|would|could|should) not\b", r"\1n't", pair[1])
    return (text, said) if said != pair[1] else None


def no_longer(text: str, person: str) -> Pair | None:
    return _changed(
        text, re.sub(rf"^({re.escape(person)}) (is )?(?=\w+(?:s|ing)\b)", r"\1 \2no longer ", text)
    )


def negation_dropped(text: str, person: str) -> Pair | None:
    said = re.sub(r"(?<=\w)n't\b|\b(not|never|no longer) ", "", text, count=1)
    return _changed(text, said)


def opposite(text: str, person: str) -> Pair | None:
    words = "|".join(_OPPOSITES)
    return _changed(text, re.sub(rf"\b({words})\b", lambda m: _OPPOSITES[m[0]], text, count=1))


def almost(text: str, person: str) -> Pair | None:
    """Turn a fact round without any "not"."""
    words = ("hardly", "almost", "rarely", "barely")
    return _changed(
        text,
        re.sub(
            rf"^({re.escape(person)}) (?=(?!is|was|has|had)\w+(?:s|ed)\b)",
            rf"\1 {words[_of(text, 4)]} ",
            text,
        ),
    )


def swapped(text: str, person: str, other: str) -> Pair | None:
    """Say of *other* what is said of *person*."""
    return _changed(text, re.sub(rf"\b{re.escape(person)}\b", other, text))


def stranger(text: str, person: str) -> Pair | None:
    strangers = ("Priya", "Oskar", "Hannah", "Mateo", "Yusuf", "Ingrid")
    return swapped(text, person, strangers[_of(text, len(strangers))])


def relative(text: str, person: str) -> Pair | None:
    relatives = ("sister", "brother", "mother", "husband", "best friend", "boss")
    return swapped(text, person, f"{person}'s {relatives[_of(text, len(relatives))]}")


def between_relatives(text: str, person: str) -> Pair | None:
    """The same of her sister, and of her brother."""
    relatives = ("sister", "brother", "mother", "father", "daughter", "son")
    at = _of(text, len(relatives))
    both = [swapped(text, person, f"{person}'s {relatives[(at + n) % 6]}") for n in (0, 1)]
    return (both[0][1], both[1][1]) if both[0] and both[1] else None


def the_user(text: str, person: str) -> Pair | None:
    if not text.startswith(person):
        return None
    return text, re.sub(
        rf"\b{re.escape(person)}\b", "the user", "T" + _begun_by_the_user(text, person)[1:]
    )


def _begun_by_the_user(text: str, person: str) -> str:
    return "The user" + text[len(person) :]


def at_the_end(text: str, person: str) -> Pair | None:
    """Of a passive: "A lake was painted by Ana", and by somebody else."""
    said = passive(text, person)
    return swapped(said, person, "Priya") if said else None


NUMBERS: dict[str, Rule] = {
    "digits": digit,
    "number word": number_word,
    "ordinal": ordinal,
    "day": day,
    "month": month,
    "year": year,
    "duration": duration,
    "amount": amount,
    "part of the day": part_of_day,
    "am, pm": before_or_after_noon,
}
NEGATIONS: dict[str, Rule] = {
    "not": negated,
    "n't": contracted_negation,
    "no longer": no_longer,
    "not, taken out": negation_dropped,
    "opposite word": opposite,
    "hardly, almost": almost,
}
PEOPLE: dict[str, Rule] = {
    "a stranger": stranger,
    "a relative": relative,
    "two relatives": between_relatives,
    "the user": the_user,
    "in a passive": at_the_end,
}
#: Who does it to whom: languages, each with two sentences of the same words.
_DEEDS: dict[str, tuple[str, str]] = {
    "English": ("The user lent {} a drill.", "{} lent the user a drill."),
    "English, with to": ("The user sent {} a letter.", "{} sent a letter to the user."),
    "French": (
        "L'utilisateur a prêté une perceuse à {}.",
        "{} a prêté une perceuse à l'utilisateur.",
    ),
    "German": (
        "Der Nutzer hat {} einen Bohrer geliehen.",
        "{} hat dem Nutzer einen Bohrer geliehen.",
    ),
    "Italian": ("L'utente ha prestato un trapano a {}.", "{} ha prestato un trapano all'utente."),
    "Spanish": (
        "El usuario le prestó un taladro a {}.",
        "{} le prestó un taladro al usuario.",
    ),
}


def exchanged(language: str) -> Rule:
    """Return the rule that has the person of a fact and the user exchange what they do."""
    one, other = _DEEDS[language]
    return lambda text, person: (one.format(person), other.format(person))


ORDERS: dict[str, Rule] = {language: exchanged(language) for language in _DEEDS}
