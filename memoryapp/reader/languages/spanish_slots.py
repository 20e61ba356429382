"""How people say in Spanish what has one value at a time. Pure."""

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

_NAME = r"(?P<value>[A-ZÁ-Ú][\w'’-]{1,30}(?: [A-ZÁ-Ú][\w'’-]{1,30}){0,2})"
_NOW = r"(?:(?:ahora|ya|actualmente|todavía|aún|acabo de|otra vez|de nuevo|desde \w{3,12}) ){0,2}"
_DAY = r"(?:lunes|martes|miércoles|jueves|viernes|sábados?|domingos?)"
_DAYS = rf"(?:los|todos los|cada) {_DAY}(?:(?:,| y|, y) (?:los )?{_DAY}){{0,5}}"
_OWNED = Owned(
    my=r"\b(?:[Mm]i|[Nn]uestr[oa]) (?:(?:nuev[oa]|actual) )?",
    being=r"(?:nuev[oa] )?(?:ahora )?(?:es|se llama)(?: ahora)? ",
    article=r"(?:una? |el |la )(?:[a-zá-úñ-]{2,15} ){0,2}",
    got=rf"\b(?:[Hh]e|[Hh]emos|[Mm]e|[Nn]os|[Tt]engo|[Uu]so|[Cc]onduzco|[Mm]anejo) {_NOW}"
    r"(?:(?:he |hemos )?(?:compr(?:é|ado|amos)|pill(?:é|ado|amos)|cambi(?:é|ado) a|"
    r"pas(?:é|ado) a|cog(?:í|ido)|vend(?:í|ido) (?:el|la) [\w -]{2,30}? y (?:me )?(?:he "
    r")?compr(?:é|ado)) )?",
)
_PEOPLE = {
    "médico|médica|doctora|doctor|médico de cabecera": "doctor",
    "dentista": "dentist",
    "veterinario|veterinaria": "vet",
    "psicóloga|psicólogo|terapeuta": "therapist",
    "fisio|fisioterapeuta": "physiotherapist",
    "peluquero|peluquera": "hairdresser",
    "casero|casera": "landlord",
    "jefe|jefa": "boss",
    "entrenador|entrenadora": "trainer",
    "matrona": "midwife",
    "mujer|esposa": "wife",
    "marido|esposo": "husband",
    "novia|novio|pareja": "partner",
}
_THINGS = {
    "coche|carro|auto": "car",
    "bici|bicicleta": "bicycle",
    "móvil|celular|teléfono": "mobile_phone",
    "ordenador|portátil|computadora": "computer",
    "gimnasio": "gym",
    "banco": "bank",
}
_AMOUNTS = {
    "alquiler": "rent",
    "sueldo|salario": "salary",
    "peso": "weight",
    "presupuesto": "budget",
}
_RELATIVES = {
    "mujer|esposa": "wife",
    "marido|esposo": "husband",
    "novia|novio|pareja": "partner",
    "madre|mamá": "mother",
    "padre|papá": "father",
}
_OF_RELATIVES = {
    "employer": rf"{_NOW}trabaja {_NOW}(?:en|para) (?:la |el )?{_NAME}",
    "home_city": rf"(?:{_NOW}vive {_NOW}en|se {_NOW}(?:ha )?(?:mudó|mudado|trasladó|trasladado)"
    rf"(?: de [A-Z]\w{{1,30}})? a) {_NAME}",
}
KEYS = {
    **keys_of(_PEOPLE, _THINGS, _AMOUNTS),
    **keys_of_relatives(_RELATIVES, _OF_RELATIVES),
    "entreno_days": "training_days",
    "nado_days": "swimming_days",
    "corro_days": "running_days",
    "bailo_days": "dancing_days",
    "canto_days": "choir_days",
    "coro_days": "choir_days",
    "color_favorito": "favourite_colour",
    "comida_favorito": "favourite_food",
    "plato_favorito": "favourite_food",
    "película_favorito": "favourite_film",
    "libro_favorito": "favourite_book",
}
#: Tells of a value beside another, or of what is not so yet or not always.
BESIDE = re.compile(
    r"\b(?:también|además|segund[oa]|otr[oa]|media jornada|a veces|de vez en cuando|"
    r"los fines de semana|por las noches|de voluntari[oa]|temporalmente|"
    r"por (?:un|una|dos|tres|unos|unas) (?:días?|semanas?|mes(?:es)?|año)|quisiera|podría|casi|"
    r"quizás?|antes)\b",
    re.IGNORECASE,
)

SLOTS = (
    *slots_of_relatives("[Mm]i", _RELATIVES, _OF_RELATIVES),
    Slot("name", re.compile(rf"\b(?:me llamo|mi nombre es) {_NAME}", re.I), importance=8),
    Slot("age", re.compile(r"\b[Tt]engo (?P<value>\d{1,2}) años\b"), importance=7),
    Slot("home_city", re.compile(rf"\b[Vv]ivo (?:ahora )?en {_NAME}"), importance=8),
    Slot("home_city", re.compile(rf"\b[Mm]e (?:mudé|he mudado|trasladé) a {_NAME}"), importance=8),
    Slot(
        "hometown",
        re.compile(
            rf"\b(?:[Ss]oy de|[Vv]engo de|[Cc]recí en|[Nn]ací (?:[\w ]{{0,30}} )?en) {_NAME}"
        ),
        importance=7,
    ),
    Slot(
        "occupation",
        re.compile(r"\b[Tt]rabajo (?:como|de) (?P<value>[a-zá-úñ]{3,25})"),
        importance=7,
    ),
    Slot("employer", re.compile(rf"\b[Tt]rabajo (?:para|en) (?:la |el )?{_NAME}"), importance=7),
    Slot(
        "diet",
        re.compile(r"\b[Ss]oy (?P<value>vegetarian[oa]|vegan[oa]|celíac[oa])\b"),
        importance=8,
    ),
    Slot(
        "allergy",
        re.compile(
            r"\balérgic[oa] (?:a|al) (?:las? |los |el )?(?P<value>[a-zá-úñ ]{3,30}?)"
            r"(?=[.,!;]| (?:y|desde|así|pero|por)\b|$)"
        ),
        importance=9,
    ),
    Slot(
        "allergy",
        re.compile(r"\bintolerante (?:a|al) (?:la |el )?(?P<value>[a-zá-úñ]{3,30})"),
        importance=9,
    ),
    Slot(
        "{what}_favorito",
        re.compile(
            r"\b[Mm]i (?P<what>[a-zá-úñ]{3,20}) (?:favorit|preferid)[oa] es "
            r"(?P<value>[^.,;!?]{2,60})"
        ),
        "preference",
        6,
    ),
    Slot(
        "marital_status",
        re.compile(r"\b[Ee]stoy (?P<value>casad[oa]|divorciad[oa]|solter[oa]|comprometid[oa])\b"),
        "relationship",
        7,
    ),
    Slot(
        "home_city",
        re.compile(rf"\b(?:[Vv]ivo|[Vv]ivimos) {_NOW}en {_NAME}"),
        importance=8,
    ),
    Slot(
        "home_city",
        re.compile(
            rf"\b(?:[Mm]e|[Nn]os) {_NOW}(?:he |hemos )?(?:mudé|mudado|mudamos|trasladé|trasladado)"
            rf"(?: de [A-Z]\w{{1,30}})? a {_NAME}"
        ),
        importance=8,
    ),
    Slot(
        "employer",
        re.compile(
            rf"\b(?:[Tt]rabajo|[Hh]e {_NOW}(?:empezado|entrado)(?: a trabajar)?|[Ee]mpecé"
            rf"(?: a trabajar)?|[Ee]ntré(?: a trabajar)?|[Mm]e han contratado|[Mm]e contrataron|"
            rf"[Mm]e he cambiado(?: de [A-Z]\w{{1,30}})?|[Hh]e pasado(?: de [A-Z]\w{{1,30}})?) "
            rf"{_NOW}(?:en|para|a) (?:la |el )?{_NAME}"
        ),
        importance=7,
    ),
    Slot(
        "diet",
        re.compile(
            rf"\b(?:[Ss]oy|[Mm]e (?:he )?(?:hecho|hice|vuelto|volví)) {_NOW}"
            r"(?P<value>vegetarian[oa]|vegan[oa])\b"
        ),
        importance=8,
    ),
    *slots_of(_OWNED, _PEOPLE, _THINGS, _AMOUNTS),
    Slot("weight", re.compile(rf"\b[Pp]eso {_NOW}(?P<value>\d[\w., ]{{1,12}}?)(?=[.;!]|$)")),
    days_of(
        rf"\b(?:[Vv]oy a|[Hh]ago|[Tt]engo|[Jj]uego al|[Hh]acemos) {_NOW}(?:(?:clase|clases) de )?"
        r"(?P<what>(?!(?:tod[oa]s|cada|siempre|libres?)\b)[a-zá-úñ]{3,20})(?: ahora)? ",
        _DAYS,
    ),
    days_of(rf"\b(?P<what>[Ee]ntreno|[Nn]ado|[Cc]orro|[Bb]ailo|[Cc]anto) {_NOW}", _DAYS),
)
