"""French: from what a person says of themselves to a sentence about them. Pure."""

import re
from dataclasses import replace

from memoryapp.language.vocabularies import VOCABULARIES
from memoryapp.reader.languages.french_verbs import (
    FIRST,
    PLURALS,
    THIRDS,
    is_of_we,
    plural,
    third,
)
from memoryapp.reader.languages.romance_grammar import Grammar, agreement, company
from memoryapp.reader.languages.romance_objects import Objects
from memoryapp.reader.languages.romance_person import narrator

_TIMES = VOCABULARIES["french"].times

#: Relatives, friends and superiors; whoever else belongs to somebody.
CLOSE = (
    "mère maman père papa parents sœur sœurs frère frères fille filles fils enfant enfants "
    "bébé femme mari conjoint conjointe compagne compagnon copine copain fiancée fiancé amie "
    "ami amis amies tante oncle cousine cousin nièce neveu mamie papi patron patronne chef "
    "collègue collègues voisin voisine"
).split()
KIN = [
    *CLOSE,
    *(
        "colocataire chien chiens chienne chat chats chatte cheval famille jumeaux jumelles "
        "coloc proprio propriétaire bailleur nounou voisins voisines cousins cousines nièces "
        "neveux gendre mec ex cheffe"
    ).split(),
]


#: The noun behind "notre", which tells no gender.
_FEMININE = re.compile(
    r"(?:[stn]ion|aison|té|ée|ie|ure|ade|ude|[ae]nce|[eo]sse|[et]te|[eoi]lle|[eo]nne|ine|euse|rice|"
    r"ière|che|gne|ise|oupe|asse|mme|nte|ante|rde|lle|ue|nière)$|"
    r"^(?:maison|mère|sœur|main|maman|nounou|salle|chambre|table|tribu|cave|place|vie|rue|cour|"
    r"ferme|grange|piscine|caravane|banque|mutuelle|terrasse|voiture|fête|agence|école|équipe)$"
)
_MASCULINE = re.compile(r"^(?:lycée|musée|été|côté|comité|congé|incendie|génie|homme|gendre)$")


def _article(possessive: str, following: str, noun: str) -> str:
    if possessive in ("mes", "nos"):
        return "les"
    if _is_before_vowel(following):
        return "l'"
    if possessive == "notre":
        return "la" if _is_feminine(noun) else "le"
    return "la" if possessive == "ma" else "le"


def _own(possessive: str, noun: str) -> str:
    if possessive in ("mes", "nos"):
        return "ses"
    is_feminine = possessive == "ma" or (possessive == "notre" and _is_feminine(noun))
    return "sa" if is_feminine and not _is_before_vowel(noun) else "son"


def _is_before_vowel(noun: str) -> bool:
    return noun[:1].lower() in tuple("aeiouyhéèêâàîïôûœ")


def _is_feminine(noun: str) -> bool:
    return bool(_FEMININE.search(noun.lower())) and not _MASCULINE.search(noun.lower())


def _singular(word: str) -> str | None:
    if word in _BESIDE:
        return word
    if re.search(r"(?:é|i|u|en(?:ne)?|er|ère|eur|euse|ant|ct|el(?:le)?|t)e?s$", word):
        return word if word in _PARTICIPLES_WITH_S else word[:-1]
    return None if word.endswith("s") or word in _TIMES.numbers else word


#: Adverbs and prepositions in "s" behind "we are", which no "we" makes plural; participles that
#: end so in the singular.
_BESIDE = frozenset(
    "dans chez sans sous dès pas plus jamais tous toujours très depuis après".split()
)
_PARTICIPLES_WITH_S = frozenset("pris mis assis compris appris acquis".split())
_OBJECTS = Objects(
    pronouns=frozenset("me m' nous".split()),
    auxiliaries=frozenset("a ont avait avaient est sont".split()),
    modals=frozenset("va vont veut veulent peut peuvent doit doivent fait font".split()),
    adverbs=frozenset("pas plus jamais déjà bien toujours enfin encore aussi".split()),
    refused=re.compile(r"(?<!^e)(?:s|x|ez|ons)$|^(?:l[ae]|les|l'|y|en|se|te)$"),
    people=re.compile(
        rf"\b(?:on|{'|'.join(KIN)}|médecin|docteure?|dr|doctoresse|dentiste|"
        rf"prof(?:esseure?)?|"
        r"\w+(?:ologue|iatre|thérapeute|ticien|ticienne)|infirmi(?:er|ère)|sage-femme|proprio|"
        r"propriétaire|banque|juge|police|assurance|gens|quelqu'un|personne|clients?|entreprise|"
        r"hôpital|véto|vétérinaire|kiné|ostéo|psy|avocate?|notaire|ophtalmo|coach)\b"
    ),
    unnamed=re.compile(r"^\w+nt\b"),
    given=re.compile(
        r"(?:le|la|les|une?|des|du|de la|deux|trois|quatre|cinq|mon|ma|mes|son|sa|ses|leurs?|que|"
        r"de|quelques|"
        r"plusieurs) (?!\d)|(?:l|d|qu|de l)'(?!\d)|-?\d{1,3} ?%"
    ),
    dative=re.compile(
        r"\b(?:(?:manqu|saut|parl|téléphon|ment|coût|échapp|ressembl)\w+|répond\w{0,3}|plaît|"
        r"plaisent|plaisait|convien\w+|arriv\w+|serv\w+|suffi\w+|prescrit|"
        r"diagnostiqué|offert|appris|enseigné|promis|permis|dit|conseillé|interdit|volé)\b"
    ),
    direct=re.compile(
        r"\b(?:opér|licenci|renvoy|vir|libér|inform|quitt|appel|emmen|invit|aid|soign|hospitalis|"
        r"embauch|promu|adopt|élev|accompagn|renvers)\w{1,4}\b"
    ),
    to_user="à l'utilisateur",
    user="l'utilisateur",
    agreeing=re.compile(
        r"(?P<verb>^(?:a|ont|avait|avaient) (?:\w{1,12} )?\w{2,20}?(?<=[éiut]))es?$"
    ),
    unchanged="",
    repeats="",
    named=("lui", "le"),
    itself="",
    prepositions=frozenset("avec chez pour sans de sur sous derrière devant contre vers".split()),
    together="",
)


agrees = agreement(THIRDS, PLURALS, ("s", "x"), frozenset(["fils"]))
_GRAMMAR = Grammar(
    third=third,
    is_of_we=is_of_we,
    singular=_singular,
    pronouns=frozenset(["je", "j'", "on"]),
    we=frozenset(["nous"]),
    others=frozenset(["on"]),
    needs_pronoun=True,
    again=("il", "ils"),
    elided=frozenset("ne se que".split()),
    reflexive={"me": "se", "m'": "s'"},
    we_reflexive={"nous": "se"},
    there=frozenset(),
    attached=re.compile(r"(?!)"),
    itself="",
    objects=_OBJECTS,
    stressed=frozenset("moi nous".split()),
    with_me=frozenset(),
    himself="lui",
    unmistakable=frozenset(),
    homographs=frozenset(),
    before_verb=frozenset("ne n' me m' nous se s' le la les l' y en lui leur".split()),
    adverbs=frozenset(),
    determiners=frozenset(),
    pleasing=frozenset(),
    pleased="",
    no=frozenset(["ne", "n'"]),
    user="L'utilisateur",
    of="de",
    of_user="de l'utilisateur",
    to="à",
    owners=frozenset("mon ma mes notre nos".split()),
    own=_own,
    article=_article,
    articles=frozenset(),
    contracted={"de le": "du", "de les": "des", "à le": "au", "à les": "aux"},
    adjectives=frozenset(
        "préféré préférée préférés préférées aîné aînée cadet cadette actuel actuelle "
        "premier première "
        "vieux vieille nouveau nouvelle petit petite grand grande meilleur meilleure "
        "ancien ancienne".split()
    ),
    kin=frozenset(KIN),
    agrees=agrees,
    plural=plural,
    past={},
    company=company("avec", "(?:mon|ma|mes|notre|nos)"),
    joined_by="et",
    coordinated=FIRST,
    being=frozenset("est était sera".split()),
    conjunctions=frozenset("et ou mais car parce que qu' quand".split()),
    links=frozenset("et ou mais".split()),
)


def _feminine_singular(word: str) -> str | None:
    one = _singular(word)
    if one is None or one in _BESIDE or one.endswith("e"):
        return one
    return f"{one}e" if one.endswith(("é", "i", "u", "t", "d")) else None


#: For a woman.
_FEMININE_GRAMMAR = replace(
    _GRAMMAR,
    user="L'utilisatrice",
    of_user="de l'utilisatrice",
    himself="elle",
    again=("elle", "ils"),
    objects=replace(
        _OBJECTS, to_user="à l'utilisatrice", user="l'utilisatrice", named=("lui", "la")
    ),
    singular=_feminine_singular,
)


narrate = narrator(_GRAMMAR, _FEMININE_GRAMMAR)
