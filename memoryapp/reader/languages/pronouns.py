"""Pronouns for relatives who were named before: "he" for "my dad". Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Reference:
    """A pronoun with which a clause begins, or a verb that needs none."""

    pattern: re.Pattern[str]
    #: Those that it may stand for, to what stands before them in its place.
    relatives: Mapping[str, str]
    #: The verb that the pronoun is joined with.
    verb: str = ""
    #: True if only the subject of the clause before is meant.
    is_of_subject: bool = False


#: Which of several relatives is meant, beside the noun.
WHICH = frozenset(
    "petit petite grand grande aîné aînée cadet cadette mayor menor pequeño pequeña mediano "
    "mediana "
    "mejor maggiore minore piccolo piccola miglior meilleur meilleure little older younger big "
    "eldest youngest".split()
)


def _reference(pattern: str, owner: str, relatives: str, verb: str = "") -> Reference:
    compiled = re.compile(rf"(?:{pattern})(?![\w'])", re.IGNORECASE)
    return Reference(compiled, _owned(owner, relatives), verb)


def _owned(owner: str, relatives: str) -> Mapping[str, str]:
    return dict.fromkeys(relatives.split(), owner)


def _unspoken(
    before: str, persons_verbs: str, pleasing: re.Pattern[str], relatives: Mapping[str, str]
) -> Sequence[Reference]:
    """The subject that is not spoken: that of the clause before, behind little words *before* the
    verb; any relative there, where only people are the subject of the verb, or are pleased.
    """
    pleased = {noun: f"a {owner}" for noun, owner in relatives.items()}
    return (
        Reference(pleasing, pleased, " "),
        Reference(_ahead(rf"(?:(?:{before}) ){{0,3}}(?P<verb>\w{{1,20}})"), relatives, " ", True),
        Reference(_ahead(persons_verbs), relatives, " "),
    )


def _ahead(verbs: str) -> re.Pattern[str]:
    return re.compile(rf"(?=(?:{verbs})(?!\w))", re.IGNORECASE)


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
        r"il(?! (?:y|faut|pleut|fait|semble|paraît|reste|existe|vaut|s'(?:agit|avère))\b)", "mon",
        "père papa frère fils mari copain ami oncle neveu cousin grand-père patron collègue voisin "
        "chien chat beau-père beau-frère gendre petit-fils parrain chef compagnon conjoint papi "
        "papy coloc colocataire bébé",
    ),
    _reference(
        "elle", "ma",
        "mère maman sœur soeur fille femme copine tante nièce cousine grand-mère patronne voisine "
        "chienne chatte belle-mère belle-sœur belle-fille petite-fille marraine cheffe compagne "
        "amie mamie nounou collègue colocataire",
    ),
    _reference("ils", "mes", "parents frères fils enfants cousins amis jumeaux grands-parents"),
    _reference("elles", "mes", "sœurs soeurs filles cousines amies jumelles"),
)  # fmt: skip
_PADRE = (
    "padre papà fratello figlio marito zio cugino nonno suocero cognato compagno nipote genero "
)
_MADRE = "madre mamma sorella figlia moglie zia cugina nonna suocera cognata compagna nuora "
ITALIAN: Sequence[Reference] = (
    _reference("lui", "mio", _PADRE),
    _reference("lei", "mia", _MADRE),
    *_unspoken(
        r"non|già|ora|adesso|poi|sempre|però|anche|ancora|spesso|si|le|gli|lo|la|ci|ne",
        r"compie|vive|abita|lavora|studia|soffre|adora|odia|detesta|ha \d{1,3} anni|sposa|"
        r"si (?:chiama|sposa|laurea|opera|trasferisce)|"
        r"si è (?:spos|laure|trasferi|separ|ammal|opera)\w+",
        re.compile(r"(?:le|gli) (?=piac)", re.IGNORECASE),
        {
            **_owned("mio", _PADRE), **_owned("mia", _MADRE),
            **_owned("il mio", "cane gatto capo ragazzo vicino collega bambino piccolo ex"),
            **_owned("la mia", "gatta ragazza vicina bambina piccola"),
        },
    ),
)  # fmt: skip
_PADRE_ES = "padre papá hermano hijo marido esposo novio tío primo abuelo jefe suegro cuñado "
_MADRE_ES = "madre mamá hermana hija mujer esposa novia tía prima abuela jefa suegra cuñada "
SPANISH: Sequence[Reference] = (
    _reference("él", "mi", _PADRE_ES),
    _reference("ella", "mi", _MADRE_ES),
    _reference("ellos", "mis", "padres hermanos hijos primos abuelos amigos"),
    _reference("ellas", "mis", "hermanas hijas primas amigas"),
    *_unspoken(
        r"no|ya|ahora|siempre|también|además|luego|nunca|todavía|aún|casi|se|le|les|lo|la|los|las",
        r"cumple|vive|trabaja|estudia|padece|sufre|adora|odia|detesta|nació|murió|falleció|"
        r"tiene \d{1,3} años|se (?:llama|(?:cas|jubil|mud|separ|divorci|oper)(?:a|ó))",
        _ahead(r"(?:no )?le (?:gusta|encanta|duele|interesa|apasiona)n?"),
        _owned(
            "mi",
            _PADRE_ES + _MADRE_ES + "sobrino sobrina nieto nieta yerno nuera compañero compañera "
            "vecino vecina perro perra gato gata pareja amigo amiga bebé ex",
        ),
    ),
)
