"""Spanish: from what a person says of themselves to a sentence about them. Pure."""

import re
from dataclasses import replace

from memoryapp.language.vocabularies import VOCABULARIES
from memoryapp.reader.languages.romance_grammar import Grammar, agreement, company
from memoryapp.reader.languages.romance_objects import Objects
from memoryapp.reader.languages.romance_person import narrator
from memoryapp.reader.languages.spanish_verbs import VERBS

_TIMES = VOCABULARIES["spanish"].times

#: Relatives, friends and superiors; whoever else belongs to somebody.
CLOSE = (
    "madre mamá padre papá padres hermana hermanas hermano hermanos hija hijo hijos hijas niño "
    "niña niños esposa esposo mujer marido pareja novia novio amiga amigo amigos amigas tía "
    "tío prima primo sobrina sobrino abuela abuelo abuelos nieto nieta jefe jefa compañero "
    "compañera compañeros compañeras"
).split()
KIN = [
    *CLOSE,
    *(
        "vecino vecina perro perros perra gato gatos gata caballo familia gemelos suegra suegro "
        "suegros cuñada cuñado cuñados vecinos vecinas tíos tías primos primas sobrinos sobrinas "
        "nietos nietas mellizos bebé ex yerno nuera casera casero"
    ).split(),
]
_FEMININE = frozenset("madre mujer mamá mano moto foto jefa pareja".split())
_MASCULINE = frozenset(
    "avión camión guion guión día mapa problema tema idioma sistema programa papá dentista".split()
)
_ADVERBS = frozenset(
    "yo no también aún todavía ya siempre nunca ahora hoy ayer mañana luego entonces actualmente "
    "normalmente finalmente a menudo el en la los del de semana fin año años mes meses verano "
    "invierno primavera otoño hace y e o pero que porque cuando desde alrededor antes mismo "
    "después últimamente además así hasta casi solo sólo final última vez veces este "
    "esta tarde noche al temprano nunca jamás poco pequeño pequeña joven niño niña siguiente "
    "resto días demás findes finde próximo próxima pasado pasada último para por entre".split()
) | frozenset([*_TIMES.months, *_TIMES.weekdays])


def _article(possessive: str, _: str, noun: str) -> str:
    plain = noun.lower()
    plural = plain.rstrip("s") if possessive in ("mis", "nuestros", "nuestras") else plain
    feminine = (
        possessive.startswith("nuestra")
        or plural in _FEMININE
        or (plural.endswith(("a", "ión", "dad", "tud")) and plural not in _MASCULINE)
    )
    if possessive in ("mis", "nuestros", "nuestras"):
        return "las" if feminine else "los"
    return "la" if feminine else "el"


def _singular(word: str) -> str | None:
    if word in _BESIDE:
        return word
    if re.search(r"(?:[ai]d|an|ic|er)[oa]s$", word):
        return word[:-1]
    return None if word.endswith("s") or word in _TIMES.numbers else word


#: Adverbs, prepositions and articles in "s" behind "we are", which no "we" makes plural.
_BESIDE = frozenset("más menos muy tras lejos jamás además después antes los las unos unas".split())
_OBJECTS = Objects(
    pronouns=frozenset("me nos".split()),
    auxiliaries=frozenset("ha han había habían".split()),
    modals=frozenset("va van quiere quieren puede pueden debe deben".split()),
    adverbs=frozenset("a ya".split()),
    refused=re.compile(r"(?<!^e)s$|[oéí]$|ste$|^(?:l[aeo]|se|te)$"),
    people=re.compile(
        rf"\b(?:{'|'.join(KIN)}|médic[oa]|doctora?|dr|dra|dentista|profesora?|profe|"
        r"psicólog\w|\w+(?:ólog|iatr|edic|ñer)[oa]s?|enfermer[oa]|caser[oa]|banco|juez|jueza|"
        r"policía|seguro|fisio|psico|abogad[oa]|notari[oa]|gente|alguien|nadie|clientes?|empresa|"
        r"hospital)\b"
    ),
    unnamed=re.compile(r"^\w+n\b|^dan? (?:miedo|asco|pánico|vergüenza|alergia)\b"),
    given=re.compile(r"(?!)"),
    dative=re.compile(r"(?!)"),
    direct=re.compile(r"(?!)"),
    to_user="al usuario",
    user="al usuario",
    agreeing=re.compile(r"(?!)(?P<verb>)"),
    unchanged="",
    repeats="le",
    named=("le", "le"),
    itself="se",
    prepositions=frozenset("con de en para por sin sobre hacia ante contra entre según".split()),
    together="con",
)
_OWN = {"mi": "su", "mis": "sus", "nuestro": "su", "nuestra": "su"} | {
    "nuestros": "sus",
    "nuestras": "sus",
}
agrees = agreement(VERBS.thirds | {"se", "lleva"}, VERBS.plurals | {"se"}, ("s",))
_GRAMMAR = Grammar(
    third=VERBS.third.get,
    is_of_we=VERBS.plural.__contains__,
    singular=_singular,
    pronouns=frozenset(["yo"]),
    we=frozenset("nosotros nosotras".split()),
    others=frozenset(),
    needs_pronoun=False,
    again=("", ""),
    elided=frozenset(),
    reflexive={"me": "se"},
    we_reflexive={"nos": "se"},
    there=frozenset(),
    attached=re.compile(
        # "Duerme" and "cuadernos" are no infinitives.
        r"^(?!(?:(?:|con|a)firme|duerme|enferme|gendarme|alarme)$|(?:cuad|mod|int|ext|invi|gobi|"
        r"infi|ti|et|mat|pat|frat|alt|subalt|cu|p|y|lint|gali)ernos$)"
        r"\w{0,20}?(?:[aei]r|ndo)(me|nos)$"
    ),
    itself="se",
    objects=_OBJECTS,
    stressed=frozenset("mí nosotros nosotras".split()),
    with_me=frozenset(["conmigo"]),
    himself="él",
    unmistakable=frozenset(
        "voy hago estoy vengo puedo quiero salgo tengo hablo soy leo tomo".split()
    ),
    homographs=frozenset("como sobre entre paso".split()),
    before_verb=frozenset("ya no nunca jamás casi apenas me lo la los las le les nos".split()),
    adverbs=_ADVERBS,
    determiners=frozenset(
        "el un una al del de a en con por para sobre mi mis su este ese cada "
        "primer último "
        "nuevo nuestro tu buen mucho".split()
    ),
    pleasing=frozenset(
        "gusta gustan gustaba gustaría gustarían encanta encantan encantaba encantaría interesa "
        "interesan apasiona "
        "duele molesta".split()
    ),
    pleased="al usuario {no}le {verb}",
    no=frozenset(["no"]),
    user="El usuario",
    of="de",
    of_user="del usuario",
    to="a",
    owners=frozenset(_OWN),
    own=lambda possessive, _: _OWN[possessive],
    article=_article,
    articles=frozenset(),
    contracted={"a el": "al", "de el": "del"},
    adjectives=frozenset(
        "favorito favorita favoritos favoritas preferido preferida mayor menor actual "
        "primer primera "
        "viejo vieja nuevo nueva mejor querido querida pequeño pequeña ex gemelo gemela".split()
    ),
    kin=frozenset(KIN),
    agrees=agrees,
    plural=VERBS.plural.get,
    past=VERBS.past,
    company=company("con", r"(?:mis?|nuestr[oa]s?)"),
    joined_by="y",
    coordinated=frozenset(),
    being=frozenset("es está era estaba será estará".split()),
    conjunctions=frozenset("y e o pero porque que cuando mientras".split()),
    links=frozenset("y e o pero".split()),
)


#: For a woman.
_FEMININE_GRAMMAR = replace(
    _GRAMMAR,
    user="La usuaria",
    of_user="de la usuaria",
    pleased="a la usuaria {no}le {verb}",
    himself="ella",
    objects=replace(_OBJECTS, to_user="a la usuaria", user="a la usuaria"),
    singular=lambda word: re.sub("o$", "a", one) if (one := _singular(word)) else None,
)


narrate = narrator(_GRAMMAR, _FEMININE_GRAMMAR)
