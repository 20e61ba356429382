"""Patterns for attributes that have one value at a time, with the words of a language. Pure.

The keys are the same in all languages: see `memoryapp.policy.keyed_facts`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from memoryapp.policy.keyed_facts import normalised
from memoryapp.reader.languages.language import Slot

#: Cars and telephones that people name without saying what they are.
CARS = (
    "Audi|BMW|Mercedes|VW|Volkswagen|Golf|Polo|Passat|Tiguan|Caddy|Sprinter|Tesla|Toyota|Yaris|"
    "Corolla|Honda|Civic|Ford|Fiesta|Transit|Opel|Vauxhall|Corsa|Astra|Fiat|Panda|Punto|Ducato|"
    "Doblò|Peugeot|Renault|Clio|Twingo|Zoe|Kangoo|Citro[eë]n|Berlingo|Dacia|Duster|Sandero|Jogger|"
    "Seat|Ibiza|[SŠ]koda|Fabia|Octavia|Volvo|Mazda|Nissan|Micra|Kia|Picanto|Hyundai|Tucson|"
    "Mini Cooper|Suzuki|Subaru|Mitsubishi|Porsche|Lexus|Jeep|Chevrolet|Alfa Romeo|Lancia|Cupra"
)
PHONES = (
    r"(?i:iphone|pixel(?= \d)|galaxy(?= [a-z]\d)|samsung(?: galaxy)?(?= [a-z]\d)|xiaomi|redmi|"
    r"oneplus|fairphone|huawei|motorola|xperia|realme)"
)
#: The name of a thing: "iPhone 13", "Golf", "Model 3".
THING = (
    r"(?P<value>i?[A-ZÀ-Ý0-9][\w.+-]{0,20}(?: (?:[A-ZÀ-Ý0-9][\w.+-]{0,20}|mini|pro|max|plus)){0,3})"
)
#: The name of a person, with a title.
PERSON = (
    r"(?P<value>(?:(?:Frau|Herrn?|Doktor|Dr|Mr|Mrs|Ms|Prof|Sig|Sig\.ra|Dott|Dott\.ssa|Mme|Dra|Sra?)"
    r"\.? ){0,2}[A-ZÀ-Ý][\w'’-]{1,30}(?: [A-ZÀ-Ý][\w'’-]{1,30}){0,2})"
)
#: An amount with a number.
AMOUNT = r"(?P<value>(?=[^.,;!?]{0,12}\d)[^;!?]{1,30}?)(?=[.,]?(?: [^\d ]|$)|[;!?])"


@dataclass(frozen=True)
class Owned:
    """How a language tells what belongs to the speaker. All are regular expressions."""

    #: "my", with what may stand between it and the noun: "my new".
    my: str
    #: "is", "is called", "is now".
    being: str
    #: An article with adjectives, before the name of a thing: "a silver ".
    article: str
    #: "I bought", "I got", "I switched to", up to the article.
    got: str


def slots_of(
    owned: Owned, people: Mapping[str, str], things: Mapping[str, str], amounts: Mapping[str, str]
) -> tuple[Slot, ...]:
    """The slots for people, things and amounts that belong to the speaker, each by its noun, which
    `keys_of` maps to a key.
    """
    thing = rf"(?:{owned.article})?{THING}"
    return (
        _owned(owned, people, PERSON, "relationship", 7),
        _owned(owned, things, thing, "fact", 5),
        _owned(owned, amounts, AMOUNT, "fact", 6),
        Slot("car", _pattern(rf"{owned.got}(?:{owned.article})?{_named(CARS)}"), importance=5),
        Slot(
            "mobile_phone",
            _pattern(rf"{owned.got}(?:{owned.article})?{_named(PHONES)}"),
            importance=5,
        ),
    )


def slots_of_relatives(
    my: str, relatives: Mapping[str, str], attributes: Mapping[str, str]
) -> tuple[Slot, ...]:
    """The slots for *attributes*, each with the pattern of how it is told of one of *relatives*, of
    whom everybody has one: `keys_of_relatives` maps them to ``wife_employer``.
    """
    whose = rf"\b{my} (?P<what>{'|'.join(relatives)})(?: [A-ZÀ-Ý][\w'’-]{{1,30}})?,? "
    return tuple(
        Slot(f"{{what}}_{key}", _pattern(whose + told), "relationship", 6)
        for key, told in attributes.items()
    )


def keys_of_relatives(
    relatives: Mapping[str, str], attributes: Mapping[str, str]
) -> dict[str, str]:
    """The key of each attribute of each of *relatives*."""
    return {
        f"{noun}_{key}": f"{relative}_{key}"
        for noun, relative in keys_of(relatives).items()
        for key in attributes
    }


def keys_of(*nouns: Mapping[str, str]) -> dict[str, str]:
    """The key of each of *nouns*, which is in the form of a key."""
    return {
        normalised(noun): key
        for group in nouns
        for each, key in group.items()
        for noun in each.split("|")
    }


def days_of(what: str, days: str, *, importance: int = 5) -> Slot:
    """The slot for what happens on the same *days* every week; *what* has the group ``what``."""
    return Slot("{what}_days", _pattern(rf"{what}(?P<value>{days})"), importance=importance)


def _owned(
    owned: Owned, nouns: Mapping[str, str], value: str, category: str, importance: int
) -> Slot:
    pattern = rf"{owned.my}(?P<what>{'|'.join(nouns)}) {owned.being}{value}"
    return Slot("{what}", _pattern(pattern), category, importance)


def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _named(names: str) -> str:
    return (
        rf"(?P<value>(?:{names})(?!\w)"
        r"(?: (?:[A-Z0-9][\w.+-]{0,20}|\d\w{0,3}|mini|pro|max|plus)){0,3})"
    )
