"""How people say in French what has one value at a time. Pure."""

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

_NAME = r"(?P<value>[A-ZÀ-Ý][\w'’-]{1,30}(?: [A-ZÀ-Ý][\w'’-]{1,30}){0,2})"
_NOW = (
    r"(?:(?:maintenant|désormais|actuellement|encore|toujours|à nouveau|de nouveau|depuis "
    r"\w{3,12}) ){0,2}"
)
_DAY = r"(?:lundis?|mardis?|mercredis?|jeudis?|vendredis?|samedis?|dimanches?)"
_DAYS = rf"(?:le|les|tous les|chaque) {_DAY}(?:(?:,| et|, et) (?:(?:le|les) )?{_DAY}){{0,5}}"
_OWNED = Owned(
    my=r"\b(?:[Mm]on|[Mm]a|[Nn]otre) (?:(?:nouveau|nouvelle|nouvel) )?",
    being=r"(?:actuel(?:le)? )?"
    r"(?:(?:est|s'appelle)(?: (?:maintenant|désormais|à présent))?|c'est) ",
    article=r"(?:une? |le |la |l')(?:[a-zà-ÿ-]{2,15} ){0,2}",
    got=rf"\b(?:[Jj]'ai|[Nn]ous avons|[Oo]n a|[Jj]e (?:roule en|conduis|me suis)) {_NOW}"
    r"(?:(?:achetée?|prise?|acquis|vendu (?:la|le|ma|mon) [\w -]{2,30}? et (?:j'ai )?(?:acheté|"
    r"pris)|passée? à|"
    r"changé pour) )?",
)
_PEOPLE = {
    "médecin|médecin traitant|généraliste|docteur": "doctor",
    "dentiste": "dentist",
    "vétérinaire|véto": "vet",
    "psy|psychologue|thérapeute": "therapist",
    "kiné|kinésithérapeute": "physiotherapist",
    "coiffeur|coiffeuse": "hairdresser",
    "propriétaire|proprio": "landlord",
    "chef|cheffe|patron|patronne": "boss",
    "coach|entraîneur|entraîneuse": "trainer",
    "sage-femme": "midwife",
    "femme|épouse": "wife",
    "mari|époux": "husband",
    "compagne|compagnon|copine|copain|fiancée|fiancé": "partner",
}
_THINGS = {
    "voiture|auto": "car",
    "vélo": "bicycle",
    "téléphone|portable|smartphone": "mobile_phone",
    "ordinateur|ordi": "computer",
    "salle de sport": "gym",
    "banque": "bank",
    "employeur": "employer",
}
_AMOUNTS = {"loyer": "rent", "salaire": "salary", "poids": "weight", "budget": "budget"}
_RELATIVES = {
    "femme|épouse": "wife",
    "mari|époux": "husband",
    "compagne|compagnon|copine|copain|fiancée|fiancé": "partner",
    "mère|maman": "mother",
    "père|papa": "father",
}
_OF_RELATIVES = {
    "employer": rf"(?:travaille|bosse) {_NOW}(?:chez|pour) {_NAME}",
    "home_city": rf"(?:(?:habite|vit) {_NOW}|a {_NOW}(?:emménagé|déménagé)"
    rf"(?: de [A-Z][\w-]{{1,30}})? )(?:à|au|en) {_NAME}",
}
KEYS = {
    **keys_of(_PEOPLE, _THINGS, _AMOUNTS),
    **keys_of_relatives(_RELATIVES, _OF_RELATIVES),
    "entraîne_days": "training_days",
    "nage_days": "swimming_days",
    "cours_days": "running_days",
    "danse_days": "dancing_days",
    "chante_days": "choir_days",
    "chorale_days": "choir_days",
    "couleur_préféré": "favourite_colour",
    "plat_préféré": "favourite_food",
    "film_préféré": "favourite_film",
    "livre_préféré": "favourite_book",
}
#: Tells of a value beside another, or of what is not so yet or not always.
BESIDE = re.compile(
    r"\b(?:aussi|également|en plus|second|seconde|deuxième|autre|temps partiel|mi-temps|parfois|"
    r"de temps en temps|le week-end|le soir|bénévole|bénévolement|temporairement|"
    r"pour (?:une?|deux|trois|quelques) (?:jours?|semaines?|mois|an)|voudrais|pourrais|presque|"
    r"peut-être|avant)\b",
    re.IGNORECASE,
)

SLOTS = (
    *slots_of_relatives("[Mm](?:on|a)", _RELATIVES, _OF_RELATIVES),
    Slot("name", re.compile(rf"\b(?:je m'appelle|mon nom est) {_NAME}", re.I), importance=8),
    Slot("age", re.compile(r"\b[Jj]'ai (?P<value>\d{1,2}) ans\b"), importance=7),
    Slot(
        "home_city",
        re.compile(rf"\b(?:[Jj](?:'|e )habite|[Jj]e vis) (?:maintenant )?(?:à|au|en) {_NAME}"),
        importance=8,
    ),
    Slot("home_city", re.compile(rf"\b[Jj]'ai déménagé (?:à|au|en) {_NAME}"), importance=8),
    Slot(
        "hometown",
        re.compile(
            rf"\b(?:[Jj]e viens de|[Jj]e suis née? (?:[\w ]{{0,30}} )?à|[Jj]'ai grandi à|"
            rf"[Jj]e suis originaire de) {_NAME}"
        ),
        importance=7,
    ),
    Slot(
        "occupation",
        re.compile(
            r"\b[Jj]e travaille (?:comme|en tant que|en tant qu') ?(?P<value>[a-zà-ÿ]{3,25})"
        ),
        importance=7,
    ),
    Slot("employer", re.compile(rf"\b[Jj]e travaille (?:chez|pour) {_NAME}"), importance=7),
    Slot(
        "diet",
        re.compile(r"\b[Jj]e suis (?P<value>végétarien(?:ne)?|végane?|végétalien(?:ne)?)\b"),
        importance=8,
    ),
    Slot(
        "allergy",
        re.compile(
            r"\ballergique (?:à la |à l'|au |aux |à )(?P<value>[a-zà-ÿ ]{3,30}?)"
            r"(?=[.,!;]| (?:et|depuis|mais|donc)\b|$)"
        ),
        importance=9,
    ),
    Slot(
        "allergy",
        re.compile(r"\bintolérante? (?:à la |à l'|au |aux |à )(?P<value>[a-zà-ÿ]{3,30})"),
        importance=9,
    ),
    Slot(
        "{what}_préféré",
        re.compile(
            r"\b[Mm](?:on|a) (?P<what>[a-zà-ÿ]{3,20}) préférée? est (?P<value>[^.,;!?]{2,60})"
        ),
        "preference",
        6,
    ),
    Slot(
        "marital_status",
        re.compile(r"\b[Jj]e suis (?P<value>mariée?|divorcée?|célibataire|fiancée?|veuve?)\b"),
        "relationship",
        7,
    ),
    Slot(
        "home_city",
        re.compile(
            rf"\b(?:[Jj](?:'|e )habite|[Jj]e vis|[Nn]ous (?:habitons|vivons)|[Oo]n (?:habite|vit)) "
            rf"{_NOW}(?:à|au|en) {_NAME}"
        ),
        importance=8,
    ),
    Slot(
        "home_city",
        re.compile(
            rf"\b(?:[Jj]'ai|[Nn]ous avons|[Oo]n a) {_NOW}(?:emménagé|déménagé)"
            rf"(?: de [A-Z][\w-]{{1,30}})? (?:à|au|en) {_NAME}"
        ),
        importance=8,
    ),
    Slot(
        "employer",
        re.compile(
            rf"\b(?:[Jj]e (?:travaille|bosse)|[Jj]'ai {_NOW}(?:commencé|été embauchée?)|"
            rf"[Jj]e suis {_NOW}(?:passée?|embauchée?|maintenant)"
            rf"(?: de (?:chez )?[A-Z][\w-]{{1,30}})?) "
            rf"{_NOW}(?:à travailler )?(?:chez|pour|à la|à l') ?{_NAME}"
        ),
        importance=7,
    ),
    Slot(
        "diet",
        re.compile(
            rf"\b[Jj]e suis {_NOW}(?:devenue? )?(?P<value>végétarien(?:ne)?|végane?|"
            r"végétalien(?:ne)?)\b"
        ),
        importance=8,
    ),
    *slots_of(_OWNED, _PEOPLE, _THINGS, _AMOUNTS),
    Slot("weight", re.compile(rf"\b[Jj]e pèse {_NOW}(?P<value>\d[\w., ]{{1,12}}?)(?=[.;!]|$)")),
    days_of(
        rf"\b(?:[Jj]e (?:vais (?:au|à la)|fais (?:du|de la)|joue au)|[Jj]'ai|[Nn]ous avons) {_NOW}"
        r"(?:(?:cours|séance) de )?(?P<what>(?!(?:tous|toutes|chaque|toujours)\b)[a-zà-ÿ]{3,20})"
        r"(?: maintenant| désormais)? ",
        _DAYS,
    ),
    days_of(rf"\b[Jj]e (?:m')?(?P<what>entraîne|nage|cours|danse|chante) {_NOW}", _DAYS),
)
