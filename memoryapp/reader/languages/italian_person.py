"""Italian: from what a person says of themselves to a sentence about them. Pure."""

import re
from dataclasses import replace

from memoryapp.language.vocabularies import VOCABULARIES
from memoryapp.reader.languages.italian_verbs import TOLD, VERBS
from memoryapp.reader.languages.romance_grammar import Grammar, agreement, company
from memoryapp.reader.languages.romance_objects import Objects
from memoryapp.reader.languages.romance_person import narrator

_TIMES = VOCABULARIES["italian"].times

#: Relatives, friends and superiors; whoever else belongs to somebody.
CLOSE = (
    "madre mamma padre papà genitori sorella sorelle fratello fratelli figlia figlio figli "
    "figlie bambino bambina bambini moglie marito compagna compagno ragazza ragazzo fidanzata "
    "fidanzato amica amico amici amiche zia zio cugina cugino nipote nonna nonno nonni capo "
    "collega colleghi vicino vicina coinquilino coinquilina cane"
).split()
KIN = [
    *CLOSE,
    *(
        "cani gatto gatti gatta cavallo famiglia gemelli suocero suocera suoceri cognato cognata "
        "cognati vicini vicine cugini cugine zii zie nipoti nipotino nipotina genero nuora ex"
    ).split(),
]
_ADVERBS = frozenset(
    "al io non anche ancora già sempre mai ora adesso oggi ieri domani stamattina stasera poi "
    "quindi "
    "purtroppo spesso di solito normalmente attualmente finalmente infatti però e ed o ma a il in "
    "nel lo la l' da dal del nella settimana fine anni anno mesi mese estate inverno primavera "
    "autunno dell' dello della fa dopo prima perché che quando qui questo questa momento periodo "
    "stesso ultimamente inoltre "
    "così fino quasi solo alla fine volta volte sera notte pomeriggio mattina presto piccolo "
    "piccola giovane bambino bambina prossimo prossima scorso scorsa ultimo per tra appena "
    "alle dalle altri giorni gli weekend resto tempo intorno circa verso".split()
) | frozenset([*_TIMES.months, *_TIMES.weekdays])


def _article(possessive: str, following: str, _: str) -> str:
    plain = following.lower()
    is_vowel = plain[0] in "aeiou"
    is_hard = plain.startswith(("z", "gn", "ps", "x")) or (
        plain[0] == "s" and plain[1:2] not in tuple("aeiou")
    )
    if possessive in ("mio", "nostro"):
        return "l'" if is_vowel else "lo" if is_hard else "il"
    if possessive in ("mia", "nostra"):
        return "l'" if is_vowel else "la"
    if possessive in ("miei", "nostri"):
        return "gli" if is_vowel or is_hard else "i"
    return "le"


#: Prepositions that join an article, and what they and the article become.
_JOINED = {"di": "de", "a": "a", "da": "da", "in": "ne", "su": "su"}
_BEHIND = {"il": "l", "lo": "llo", "la": "lla", "l'": "ll'", "i": "i", "gli": "gli", "le": "lle"}


def _singular(word: str) -> str | None:
    if re.search(r"(?:[aiu]t|[eo]rt|ast|[eo]st|tt|s|an|ic)[ie]$", word) and not word.endswith(
        "isti"
    ):
        return re.sub("h?i$", "o", word) if word.endswith("i") else re.sub("h?e$", "a", word)
    return None if word in _TIMES.numbers or re.search(r"(?<!^d)(?<!^qu)i$", word) else word


_OBJECTS = Objects(
    pronouns=frozenset("mi m'".split()),
    auxiliaries=frozenset("ha hanno aveva avevano è sono".split()),
    modals=frozenset("deve devono vuole vogliono può possono fa fanno".split()),
    adverbs=frozenset("già appena anche ancora mai sempre spesso subito".split()),
    refused=re.compile(r"[^e]i$|[^n]o$|^(?:l[aeo]|ne|te)$"),
    people=re.compile(
        rf"\b(?:{'|'.join(KIN)}|medico|dottor(?:e|essa)?|dentista|prof(?:essore|"
        rf"essoressa)?|"
        r"\w+(?:olog|iatr)[oa]|infermier[ea]|padron[ea]|fisio|psico|avvocat[oa]|notaio|banca|"
        r"giudice|polizia|assicurazione|gente|"
        r"qualcuno|nessuno|clienti?|azienda|ospedale)\b"
    ),
    unnamed=re.compile(
        r"^\w+no\b|^fa (?:male|paura|schifo|bene|impressione)\b|"
        r"^è (?:mort|nat|mancat|venut|arrivat|cadut)\w\b"
    ),
    given=re.compile(
        r"(?:male|paura|schifo|bene|impressione|il|lo|la|i|gli|le|uno?|una|due|tre|quattro|"
        r"cinque|de[il]|dell[aoe]|degli|che|mi[oae]|"
        r"miei) (?!\d)|(?:l|un|dell)'(?!\d)"
    ),
    dative=re.compile(
        r"\b(?:manc|serv|piac|dispiac|bast|capit|salt|scapp|scriv|telefon|parl|rispond|sembr|cost)"
        r"\w+|\b(?:success|mort|nat|arrivat|diagnosticat|"
        r"prescritt|regalat|dett|consigliat|chiest|propost|promess|offert|insegnat|permess)[oaie]\b"
    ),
    direct=re.compile(
        r"\b(?:operat|licenziat|ricoverat|chiamat|invitat|assunt|promoss|bocciat|aiutat|"
        r"dimess|accompagnat|investit|tamponat)[oaie]\b"
    ),
    to_user="all'utente",
    user="l'utente",
    agreeing=re.compile(r"(?P<verb>^(?:ha|hanno|aveva|avevano) (?:\w{1,12} )?\w{2,20}?)[aie]$"),
    unchanged="o",
    repeats="",
    named=("gli", "lo"),
    itself="",
    prepositions=frozenset("con da di per su tra fra senza verso contro dietro sotto".split()),
    together="",
)
_OWN = {"mio": "suo", "mia": "sua", "miei": "suoi", "mie": "sue"} | {
    "nostro": "suo",
    "nostra": "sua",
    "nostri": "suoi",
    "nostre": "sue",
}
agrees = agreement(VERBS.thirds | {"si"}, VERBS.plurals | {"si"}, ("i", "lle", "iglie", "iche"))
_GRAMMAR = Grammar(
    third=TOLD.third.get,
    is_of_we=TOLD.plural.__contains__,
    singular=_singular,
    pronouns=frozenset(["io"]),
    we=frozenset(["noi"]),
    others=frozenset(),
    needs_pronoun=False,
    again=("", ""),
    elided=frozenset(),
    reflexive={"mi": "si", "m'": "s'", "me": "se"},
    we_reflexive={"ci": "si"},
    there=frozenset(["ci"]),
    attached=re.compile(
        # "Armi" and "schermi" are no infinitives.
        r"^(?!(?:(?:|all|gend|m|c)armi|(?:f|inf|v|sch|t|g)ermi|marci|(?:gu|l|comm|m)erci)$)"
        r"\w{0,20}?(?:[aei]r|ndo)(mi|ci)$"
    ),
    itself="si",
    objects=_OBJECTS,
    stressed=frozenset("me noi".split()),
    with_me=frozenset(),
    himself="",
    unmistakable=frozenset(
        "vado faccio ho sto vengo posso voglio devo esco tengo parlo prendo".split()
    ),
    homographs=frozenset("sono conto parto era".split()),
    before_verb=frozenset("quasi non mi m' me ci ne lo la li le l' c' gli vi".split()),
    adverbs=_ADVERBS,
    determiners=frozenset(
        "il lo i un uno una l' al allo alla del dello della dell' dal nel "
        "nello nella sul "
        "di a da in con su per tra fra mio mia miei suo sua questo quel ogni primo ultimo nuovo "
        "nostro buon buono".split()
    ),
    pleasing=frozenset(
        "piace piacciono piaceva piacevano piacerebbe interessa interessano".split()
    ),
    pleased="all'utente {no}{verb}",
    no=frozenset(["non"]),
    user="L'utente",
    of="di",
    of_user="dell'utente",
    to="a",
    owners=frozenset(_OWN),
    own=lambda possessive, _: _OWN[possessive],
    article=_article,
    articles=frozenset(
        "il lo la i gli le l' un una al alla del della dei delle nel nella sul "
        "due tre quattro cinque sei alcuni alcune molti molte pochi questo questa questi".split()
    ),
    contracted={
        f"{preposition} {article}": joined + ending
        for preposition, joined in _JOINED.items()
        for article, ending in _BEHIND.items()
    },
    adjectives=frozenset(
        "preferito preferita preferiti preferite maggiore minore attuale primo prima "
        "vecchio vecchia "
        "nuovo nuova piccolo piccola migliore ex caro cara gemello gemella".split()
    ),
    kin=frozenset(KIN),
    agrees=agrees,
    plural=TOLD.plural.get,
    past=TOLD.past,
    company=company("con", r"(?:(?:il|la|i|le) )?(?:mi[oae]i?|nostr[oaie])"),
    joined_by="e",
    coordinated=frozenset(),
    being=frozenset("è era sarà".split()),
    conjunctions=frozenset("e ed o ma però perché che quando mentre quindi".split()),
    links=frozenset("e ed o ma però oppure".split()),
)


#: For a woman; "l'utente" is either.
_FEMININE_GRAMMAR = replace(
    _GRAMMAR,
    objects=replace(_OBJECTS, named=("le", "la")),
    singular=lambda word: re.sub("o$", "a", one) if (one := _singular(word)) else None,
)


narrate = narrator(_GRAMMAR, _FEMININE_GRAMMAR)
