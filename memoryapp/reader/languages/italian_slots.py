"""How people say in Italian what has one value at a time. Pure."""

import re

from memoryapp.reader.languages.attributes import (
    Owned,
    days_of,
    keys_of,
    keys_of_relatives,
    slots_of,
    slots_of_relatives,
)
from memoryapp.reader.languages.language import Slot

_NAME = r"(?P<value>[A-ZÀ-Ú][\w'’-]{1,30}(?: [A-ZÀ-Ú][\w'’-]{1,30}){0,2})"
_NOW = r"(?:(?:ora|adesso|attualmente|ormai|ancora|appena|sempre|di nuovo|da \w{3,12}) ){0,2}"
_DAY = r"(?:luned[iì]|marted[iì]|mercoled[iì]|gioved[iì]|venerd[iì]|sabato|domenica)"
_DAYS = rf"(?:il|la|ogni|di|tutti i) {_DAY}(?:(?:,| e|, e) (?:(?:il|la|ogni|di) )?{_DAY}){{0,5}}"
_OWNED = Owned(
    my=r"\b(?:[Mm]ia|[Mm]io|[Nn]ostr[oa]) (?:(?:nuov[oa]|attuale) )?",
    being=r"(?:nuov[oa] )?(?:ora |adesso )?(?:è|si chiama)(?: (?:ora|adesso|ormai))? ",
    article=r"(?:un |una |un'|il |la |l'|lo )(?:[a-zà-ú-]{2,15} ){0,2}",
    got=rf"\b(?:[Hh]o|[Aa]bbiamo|[Mm]i sono|[Gg]uido|[Uu]so) {_NOW}"
    r"(?:(?:comprat[oa]|pres[oa]|acquistat[oa]|"
    r"vendut[oa] (?:la|il) [\w -]{2,30}? e (?:ho )?(?:comprato|preso)|passat[oa] a) )?",
)
_PEOPLE = {
    "medico|dottore|dottoressa|medico di base": "doctor",
    "dentista": "dentist",
    "veterinario|veterinaria": "vet",
    "psicologo|psicologa|terapeuta": "therapist",
    "fisioterapista": "physiotherapist",
    "parrucchiere|parrucchiera": "hairdresser",
    "padrone di casa|padrona di casa": "landlord",
    "capo|capa|responsabile": "boss",
    "allenatore|allenatrice": "trainer",
    "ostetrica": "midwife",
    "moglie": "wife",
    "marito": "husband",
    "compagna|compagno|fidanzata|fidanzato|ragazza|ragazzo": "partner",
}
_THINGS = {
    "macchina|auto": "car",
    "bici|bicicletta": "bicycle",
    "telefono|cellulare|telefonino": "mobile_phone",
    "computer|portatile": "computer",
    "palestra": "gym",
    "banca": "bank",
}
_AMOUNTS = {"affitto": "rent", "stipendio": "salary", "peso": "weight", "budget": "budget"}
_RELATIVES = {
    "moglie": "wife",
    "marito": "husband",
    "compagna|compagno|fidanzata|fidanzato": "partner",
    "madre|mamma": "mother",
    "padre|papà|babbo": "father",
}
_OF_RELATIVES = {
    "employer": rf"{_NOW}lavora {_NOW}(?:alla|al|da|per|presso) {_NAME}",
    "home_city": rf"(?:{_NOW}(?:vive|abita) {_NOW}|si è {_NOW}trasferit[oa]"
    rf"(?: da [A-Z]\w{{1,30}})? )(?:a|ad|in) {_NAME}",
}
KEYS = {
    **keys_of(_PEOPLE, _THINGS, _AMOUNTS),
    **keys_of_relatives(_RELATIVES, _OF_RELATIVES),
    "alleno_days": "training_days",
    "nuoto_days": "swimming_days",
    "corro_days": "running_days",
    "ballo_days": "dancing_days",
    "canto_days": "choir_days",
    "coro_days": "choir_days",
    "colore_preferito": "favourite_colour",
    "cibo_preferito": "favourite_food",
    "piatto_preferito": "favourite_food",
    "film_preferito": "favourite_film",
    "libro_preferito": "favourite_book",
}
#: Tells of a value beside another, or of what is not so yet or not always.
BESIDE = re.compile(
    r"\b(?:anche|pure|inoltre|second[oa]|altr[oa]|part[- ]time|a volte|ogni tanto|nel weekend|"
    r"nel fine settimana|la sera|come volontari[oa]|temporaneamente|per (?:un|una|due|tre|qualche) "
    r"(?:giorni|giorno|settiman[ae]|mes[ei]|anno)|vorrei|potrei|forse|quasi|prima|una volta)\b",
    re.IGNORECASE,
)

SLOTS = (
    *slots_of_relatives("[Mm]i[oa]", _RELATIVES, _OF_RELATIVES),
    Slot("name", re.compile(rf"\b(?:mi chiamo|il mio nome è) {_NAME}", re.I), importance=8),
    Slot("age", re.compile(r"\b[Hh]o (?P<value>\d{1,2}) anni\b"), importance=7),
    Slot(
        "home_city",
        re.compile(rf"\b(?:[Vv]ivo|[Aa]bito) (?:ora |adesso )?(?:a|ad|in) {_NAME}"),
        importance=8,
    ),
    Slot("home_city", re.compile(rf"\b[Mm]i sono trasferit[oa] (?:a|ad|in) {_NAME}"), importance=8),
    Slot(
        "hometown",
        re.compile(
            rf"\b(?:[Vv]engo da|[Ss]ono nat[oa] (?:[\w ]{{0,30}} )?a|[Ss]ono cresciut[oa] a|"
            rf"[Ss]ono originari[oa] di) {_NAME}"
        ),
        importance=7,
    ),
    Slot("occupation", re.compile(r"\b[Ll]avoro come (?P<value>[a-zà-ú]{3,25})"), importance=7),
    Slot(
        "employer",
        re.compile(rf"\b[Ll]avoro (?:per|presso|alla) (?:la |il |l')?{_NAME}"),
        importance=7,
    ),
    Slot(
        "diet",
        re.compile(r"\b[Ss]ono (?P<value>vegetarian[oa]|vegan[oa]|celiac[oa])\b"),
        importance=8,
    ),
    Slot(
        "allergy",
        re.compile(
            r"\ballergic[oa] (?:all'|alle |alla |allo |agli |al |ai |a )"
            r"(?P<value>[a-zà-ú ]{3,30}?)(?=[.,!;]| (?:e|da|fin|ma|sin)\b|$)"
        ),
        importance=9,
    ),
    Slot(
        "allergy",
        re.compile(r"\bintollerante (?:a|al|alla|allo|ai|alle) (?P<value>[a-zà-ú]{3,30})"),
        importance=9,
    ),
    Slot(
        "{what}_preferito",
        re.compile(
            r"\b[Mm]i[oa] (?P<what>[a-zà-ú]{3,20}) preferit[oa] è (?P<value>[^.,;!?]{2,60})"
        ),
        "preference",
        6,
    ),
    Slot(
        "marital_status",
        re.compile(
            r"\b[Ss]ono (?P<value>sposat[oa]|divorziat[oa]|vedov[oa]|fidanzat[oa]|single)\b"
        ),
        "relationship",
        7,
    ),
    Slot(
        "home_city",
        re.compile(
            rf"\b(?:(?:[Vv]ivo|[Aa]bito|[Vv]iviamo|[Aa]bitiamo) {_NOW}|(?:[Mm]i sono|[Cc]i siamo) "
            rf"{_NOW}trasferit[oaie](?: da [A-Z]\w{{1,30}})? )(?:a|ad|in) {_NAME}"
        ),
        importance=8,
    ),
    Slot(
        "employer",
        re.compile(
            rf"\b(?:[Ll]avoro|[Hh]o {_NOW}(?:iniziato|cominciato)(?: a lavorare)?|[Ss]ono {_NOW}"
            rf"passat[oa](?: (?:da|dalla) [A-Z]\w{{1,30}})?|[Mm]i hanno assunt[oa]|"
            rf"[Hh]o {_NOW}trovato (?:un )?(?:nuovo )?lavoro) "
            # "A Milano", "in Lombardia" are places.
            rf"{_NOW}(?:alla|al|da|presso|per|all')(?: la| il| l')? ?{_NAME}"
        ),
        importance=7,
    ),
    Slot(
        "occupation",
        re.compile(
            rf"\b(?:[Ll]avoro {_NOW}come|[Ff]accio {_NOW}(?:il|la|l')|[Mm]i hanno promoss[oa] a) ?"
            r"(?P<value>(?:cuoc[oa]|infermier[ea]|insegnante|maestr[oa]|medico|avvocat[oa]|"
            r"ingegnere|programmat(?:ore|rice)|commess[oa]|camerier[ea]|barista|grafic[oa]|"
            r"giornalista|architett[oa]|meccanico|autista|impiegat[oa]|responsabile|direttor[ei])"
            r"(?: [a-zà-ú]{3,15})?)(?=[.,;!]|$)"
        ),
        importance=7,
    ),
    Slot(
        "diet",
        re.compile(
            rf"\b(?:[Ss]ono (?:{_NOW})?(?:diventat[oa] )?(?P<value>vegetarian[oa]|vegan[oa]))\b"
        ),
        importance=8,
    ),
    *slots_of(_OWNED, _PEOPLE, _THINGS, _AMOUNTS),
    Slot("weight", re.compile(rf"\b[Pp]eso {_NOW}(?P<value>\d[\w., ]{{1,12}}?)(?=[.;!]|$)")),
    days_of(
        rf"\b(?:[Vv]ado a|[Ff]accio|[Hh]o|[Gg]ioco a|[Ff]acciamo) {_NOW}(?:(?:lezione|corso) di )?"
        r"(?P<what>(?!(?:tutt[ie]|ogni|sempre)\b)[a-zà-ú]{3,20})(?: (?:ora|adesso))? ",
        _DAYS,
    ),
    days_of(rf"\b(?:[Mm]i )?(?P<what>alleno|nuoto|corro|ballo|canto) {_NOW}", _DAYS),
)
