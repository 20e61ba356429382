"""Pronouns for relatives who were named before: "he" for "my dad". Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Reference:
    """A pronoun with which a clause begins."""

    pattern: re.Pattern[str]
    #: What stands before the relative in its place, and the verb that the pronoun is joined with.
    owner: str
    verb: str
    #: Those that it may stand for.
    relatives: frozenset[str]


def _reference(pattern: str, owner: str, relatives: str, verb: str = "") -> Reference:
    compiled = re.compile(rf"(?:{pattern})(?![\w'])", re.IGNORECASE)
    return Reference(compiled, owner, verb, frozenset(relatives.split()))


_MALE = (
    "father dad daddy brother son husband fiancé boyfriend uncle nephew grandfather grandpa "
    "grandson hubby stepfather stepson landlord "
    "father-in-law brother-in-law son-in-law "
)
_FEMALE = (
    "mother mom mum mommy sister daughter wife fiancée girlfriend aunt niece grandmother grandma "
    "granddaughter nan nana gran granny stepmother stepdaughter landlady "
    "mother-in-law sister-in-law daughter-in-law "
)
_EITHER = (
    "spouse partner friend cousin child kid baby toddler boss manager colleague coworker neighbor "
    "neighbour therapist doctor dentist roommate flatmate teacher coach mentor dog puppy cat "
    "kitten pet horse rabbit "
)
_SEVERAL = (
    "parents grandparents sisters brothers siblings daughters sons children kids friends cousins "
    "colleagues dogs cats pets twins parents-in-law"
)
ENGLISH: Sequence[Reference] = (
    *(
        reference
        for pronoun, relatives in (("he", _MALE + _EITHER), ("she", _FEMALE + _EITHER))
        for reference in (
            _reference(pronoun, "my", relatives),
            _reference(rf"{pronoun}'s(?= (?:got|been|had)\b)", "my", relatives, " has"),
            _reference(f"{pronoun}'s", "my", relatives, " is"),
            _reference(f"{pronoun}'ll", "my", relatives, " will"),
        )
    ),
    _reference("they", "my", _SEVERAL),
    _reference("they're", "my", _SEVERAL, " are"),
    _reference("they've", "my", _SEVERAL, " have"),
)
#: "Told her the truth" has an object, and "told her mother" a possessive.
_NO_NOUN = (
    r"(?! (?:the|an?|that|this|to|in|on|at|with|for|from|by|about|of|and|but|or|so|when|if|as|is|"
    r"was|"
    r"not|every|some|because|while|after|before|up|out|off|back|again|there|here|now|how|what|why|"
    r"all|last|next|my|our|his|her|their|yesterday|today|tomorrow|two|three|four|[a-z]{2,10}ly)\b)"
)
ENGLISH_WITHIN: Sequence[Reference] = (
    _reference(r"\bhis(?= [a-z])", "my", _MALE + _EITHER, "'s"),
    _reference(r"\bhim", "my", _MALE + _EITHER),
    _reference(rf"\bher(?= [a-z]){_NO_NOUN}", "my", _FEMALE + _EITHER, "'s"),
    _reference(r"\bher", "my", _FEMALE + _EITHER),
)
_FEMALE_DE = (
    "mutter mama schwester tochter frau ehefrau partnerin verlobte freundin tante cousine nichte "
    "oma großmutter enkelin chefin kollegin nachbarin mitbewohnerin katze schwiegermutter "
    "schwägerin"
)
_SEVERAL_DE = (
    "eltern schwestern brüder geschwister töchter söhne kinder freunde freundinnen großeltern "
    "kollegen hunde katzen zwillinge schwiegereltern"
)
GERMAN: Sequence[Reference] = (
    _reference(
        "er", "mein",
        "vater papa bruder sohn mann ehemann partner verlobter freund onkel cousin neffe opa "
        "großvater enkel chef kollege nachbar mitbewohner hund kater schwiegervater schwager",
    ),
    _reference(r"sie(?= (?:\w{2,20}en|sind)\b)", "meine", _SEVERAL_DE),
    _reference("sie", "meine", _FEMALE_DE),
)  # fmt: skip
FRENCH: Sequence[Reference] = (
    _reference(
        r"il(?! (?:y|faut|pleut|fait|semble|paraît|reste|existe|vaut|s')\b)", "mon",
        "père papa frère fils mari copain ami oncle neveu cousin grand-père patron collègue voisin "
        "chien chat beau-père",
    ),
    _reference(
        "elle", "ma",
        "mère maman sœur soeur fille femme copine tante nièce cousine grand-mère patronne voisine "
        "chienne chatte belle-mère",
    ),
    _reference("ils", "mes", "parents frères fils enfants cousins amis jumeaux grands-parents"),
    _reference("elles", "mes", "sœurs soeurs filles cousines amies jumelles"),
)  # fmt: skip
ITALIAN: Sequence[Reference] = (
    _reference("lui", "mio", "padre papà fratello figlio marito zio cugino nonno suocero"),
    _reference("lei", "mia", "madre mamma sorella figlia moglie zia cugina nonna suocera"),
)
SPANISH: Sequence[Reference] = (
    _reference("él", "mi", "padre papá hermano hijo marido esposo novio tío primo abuelo jefe"),
    _reference("ella", "mi", "madre mamá hermana hija mujer esposa novia tía prima abuela jefa"),
    _reference("ellos", "mis", "padres hermanos hijos primos abuelos amigos"),
    _reference("ellas", "mis", "hermanas hijas primas amigas"),
)
