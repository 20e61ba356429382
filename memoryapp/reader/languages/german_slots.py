"""How people say in German what has one value at a time. Pure."""

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

_NAME = r"(?P<value>[A-ZÄÖÜ][\w'’-]{1,30}(?: [A-ZÄÖÜ][\w'’-]{1,30}){0,2})"
_NOW = (
    r"(?:(?:jetzt|nun|derzeit|zurzeit|momentan|inzwischen|mittlerweile|noch|immer noch|weiterhin|"
    r"gerade|nur noch|seit \w{3,12}(?: \d{4})?|seit kurzem|wieder) ){0,2}"
)
_DAY = r"(?:montags|dienstags|mittwochs|donnerstags|freitags|samstags|sonnabends|sonntags)"
_DAYS = rf"{_DAY}(?:(?:,| und|, und|\+| &) {_DAY}){{0,5}}"
_OWNED = Owned(
    my=r"\b(?:[Mm]ein|[Uu]nser)e? (?:(?:neue|jetzige|aktuelle|eigene)[rs]? )?",
    being=r"(?:ist|sind|heißt)(?: (?:jetzt|nun|mittlerweile|inzwischen)){0,2} ",
    article=r"(?:(?:ein|einen|eine|der|die|das|den) (?:[a-zäöüß-]{2,15} ){0,3})",
    got=rf"\b(?:(?:[Ii]ch|[Ww]ir) (?:fahren?|haben?|nutzen?|benutzen?)|(?:fahre|habe|fahren|haben) "
    rf"(?:ich|wir))(?: (?:mir|uns))? {_NOW}"
    r"(?:(?:auf|zu|zum) )?(?:(?:meinen?|mein|unseren?) (?:[a-zäöüß-]{2,15} ){0,2})?",
)
_PEOPLE = {
    "Arzt|Ärztin|Hausarzt|Hausärztin": "doctor",
    "Zahnarzt|Zahnärztin": "dentist",
    "Tierarzt|Tierärztin": "vet",
    "Therapeut|Therapeutin|Psychologin|Psychologe": "therapist",
    "Physiotherapeut|Physiotherapeutin|Physio": "physiotherapist",
    "Friseur|Friseurin": "hairdresser",
    "Vermieter|Vermieterin": "landlord",
    "Chef|Chefin|Vorgesetzte|Vorgesetzter": "boss",
    "Teamleiter|Teamleiterin": "manager",
    "Trainer|Trainerin": "trainer",
    "Hebamme": "midwife",
    "Frau|Ehefrau": "wife",
    "Mann|Ehemann": "husband",
    "Freundin|Freund|Partnerin|Partner|Verlobte|Verlobter": "partner",
}
_THINGS = {
    "Auto|Wagen": "car",
    "Rad|Fahrrad": "bicycle",
    "Handy|Telefon|Smartphone": "mobile_phone",
    "Laptop|Rechner|Computer": "computer",
    "Fitnessstudio": "gym",
    "Bank|Hausbank": "bank",
    "Arbeitgeber|Firma": "employer",
}
_AMOUNTS = {
    "Miete|Warmmiete|Kaltmiete": "rent",
    "Gehalt|Lohn": "salary",
    "Gewicht": "weight",
    "Budget": "budget",
}
_RELATIVES = {
    "Frau|Ehefrau": "wife",
    "Mann|Ehemann": "husband",
    "Freundin|Freund|Partnerin|Partner|Verlobte|Verlobter": "partner",
    "Mutter|Mama": "mother",
    "Vater|Papa": "father",
}
_OF_RELATIVES = {
    "employer": rf"(?:arbeitet {_NOW}(?:bei|für)|ist {_NOW}bei|hat {_NOW}bei(?= [\w -]{{2,40}} "
    rf"angefangen)|ist {_NOW}zu(?= [\w -]{{2,40}} gewechselt)) (?:der |dem )?{_NAME}",
    "home_city": rf"(?:(?:wohnt|lebt) {_NOW}in|ist {_NOW}nach(?= [\w -]{{2,40}} (?:um)?gezogen)) "
    rf"{_NAME}",
    "occupation": rf"arbeitet {_NOW}als (?P<value>[A-ZÄÖÜ][\wäöüß-]{{3,40}})",
}
KEYS = {
    **keys_of(_PEOPLE, _THINGS, _AMOUNTS),
    **keys_of_relatives(_RELATIVES, _OF_RELATIVES),
    "trainiere_days": "training_days",
    "schwimme_days": "swimming_days",
    "laufe_days": "running_days",
    "tanze_days": "dancing_days",
    "singe_days": "choir_days",
    "chor_days": "choir_days",
    "lieblingsfarbe": "favourite_colour",
    "lieblingsessen": "favourite_food",
    "lieblingsfilm": "favourite_film",
    "lieblingsbuch": "favourite_book",
    "lieblingsband": "favourite_band",
    "lieblingstier": "favourite_animal",
}
#: Tells of a value beside another, or of what is not so yet or not always.
BESIDE = re.compile(
    r"\b(?:auch|außerdem|zusätzlich|nebenbei|nebenher|teilzeit|in teilzeit|minijob|nebenjob|"
    r"zweite[nrsm]?|weitere[nrsm]?|andere[nrsm]?|manchmal|gelegentlich|am wochenende|abends|"
    r"ehrenamtlich|vorübergehend|"
    r"für (?:ein|eine|einen|zwei|drei|ein paar) (?:tage?|wochen?|monate?|jahr)|werde|würde|"
    r"könnte|möchte|will|fast|beinahe|früher|damals)\b",
    re.IGNORECASE,
)

SLOTS = (
    *slots_of_relatives("[Mm]eine?", _RELATIVES, _OF_RELATIVES),
    Slot("name", re.compile(rf"\b(?:[Ii]ch heiße|[Mm]ein Name ist) {_NAME}"), importance=8),
    Slot(
        "age",
        re.compile(r"\b[Ii]ch bin (?P<value>\d{1,2})(?: Jahre alt)?(?=[.,!;](?!\d)| und\b|$)"),
        importance=7,
    ),
    Slot(
        "birthday",
        re.compile(r"\b[Ii]ch habe am (?P<value>\d{1,2}\. ?[A-Z][a-zä]{2,8}) Geburtstag"),
        importance=8,
    ),
    Slot(
        "home_city",
        re.compile(
            rf"\b(?:[Ii]ch )?(?:wohne|lebe)(?: ich)? (?:(?:jetzt|derzeit|seit \d{{4}}|noch) "
            rf")?in {_NAME}"
        ),
        importance=8,
    ),
    Slot(
        "home_city",
        re.compile(rf"\b(?:bin|sind) (?:ich|wir) nach {_NAME} (?:gezogen|umgezogen)"),
        importance=8,
    ),
    Slot(
        "home_city",
        re.compile(rf"\b[Ii]ch bin (?:[\w. -]{{0,40}} )?nach {_NAME} (?:gezogen|umgezogen)"),
        importance=8,
    ),
    Slot(
        "hometown",
        re.compile(rf"\b[Ii]ch (?:komme|stamme) (?:ursprünglich )?aus {_NAME}"),
        importance=7,
    ),
    Slot(
        "hometown", re.compile(rf"\b[Ii]ch bin in {_NAME} (?:aufgewachsen|geboren)"), importance=7
    ),
    Slot(
        "occupation",
        re.compile(r"\b(?:arbeite|arbeite ich) als (?P<value>[A-ZÄÖÜ][\wäöüß-]{3,40})"),
        importance=7,
    ),
    Slot(
        "employer",
        re.compile(rf"\b[Ii]ch arbeite (?:bei|für) (?:der |dem |die |das )?{_NAME}"),
        importance=7,
    ),
    Slot(
        "diet",
        re.compile(
            r"\b[Ii]ch bin (?:seit [\w ]{2,20} )?(?P<value>Vegetarier|Vegetarierin|Veganer|"
            r"Veganerin|vegan|vegetarisch)\b"
        ),
        importance=8,
    ),
    Slot(
        "diet",
        re.compile(
            r"\b[Ii]ch (?:esse|lebe|ernähre mich) (?P<value>vegan|vegetarisch|glutenfrei|"
            r"koscher|halal)\b"
        ),
        importance=8,
    ),
    Slot(
        "allergy",
        re.compile(
            r"\b(?:allergisch (?:gegen|auf)|(?:gegen|auf)(?= [\wäöüß-]{3,31} allergisch\b)) "
            r"(?P<value>[A-ZÄÖÜ][\wäöüß-]{2,30})"
        ),
        importance=9,
    ),
    Slot(
        "allergy",
        re.compile(
            r"\b[Ii]ch habe eine (?P<value>[A-ZÄÖÜ][\wäöüß-]{2,30})(?:allergie|intoleranz|"
            r"unverträglichkeit)\b"
        ),
        importance=9,
    ),
    Slot(
        "lieblings{what}",
        re.compile(
            r"\b[Mm]eine? [Ll]ieblings(?P<what>[a-zäöüß]{2,20}) (?:ist|sind) "
            r"(?P<value>[^.,;!?]{2,60})"
        ),
        "preference",
        6,
    ),
    Slot(
        "native_language",
        re.compile(r"\b[Mm]eine Muttersprache ist (?P<value>[A-ZÄÖÜ][a-zäöüß]{2,20})"),
        importance=7,
    ),
    Slot(
        "marital_status",
        re.compile(
            r"\b[Ii]ch bin (?:\d{1,2}(?: Jahre alt)? und )?(?P<value>verheiratet|geschieden|"
            r"verwitwet|verlobt|ledig)\b"
        ),
        "relationship",
        7,
    ),
    Slot(
        "home_city",
        re.compile(
            rf"\b(?:(?:[Ii]ch|[Ww]ir) (?:wohnen?|leben?)|(?:wohne|lebe) ich|(?:wohnen|leben) wir) "
            rf"{_NOW}in {_NAME}"
        ),
        importance=8,
    ),
    Slot(
        "employer",
        re.compile(
            rf"\b(?:[Ii]ch arbeite|arbeite ich|[Ii]ch bin|bin ich) {_NOW}(?:angestellt )?"
            rf"bei (?:der |dem )?{_NAME}"
        ),
        importance=7,
    ),
    Slot(
        "employer",
        re.compile(
            r"\b(?:[Ii]ch habe|habe ich|[Ii]ch bin|bin ich|[Ii]ch fange|fange ich|[Ii]ch) "
            rf"(?:[\w.-]{{1,12}} ){{0,6}}?(?:von (?:der |dem )?[A-ZÄÖÜ][\w-]{{1,30}} )?"
            rf"(?:bei|zu|zur|zum) (?:der |dem )?{_NAME} "
            r"(?:angefangen|gewechselt|begonnen|an\b|unterschrieben)"
        ),
        importance=7,
    ),
    Slot(
        "occupation",
        re.compile(
            rf"\b(?:[Ii]ch arbeite|arbeite ich|[Ii]ch bin|bin ich) {_NOW}"
            r"(?:(?:bei|in) [\w. -]{2,30} )?(?:als|zur|zum) "
            r"(?P<value>[A-ZÄÖÜ][\wäöüß-]{3,40})(?= tätig| befördert|[.,;!]|$)"
        ),
        importance=7,
    ),
    Slot(
        "diet",
        re.compile(
            rf"\b(?:[Ii]ch (?:esse|lebe|ernähre mich)|(?:esse|lebe|ernähre) ich(?: mich)?) {_NOW}"
            r"(?P<value>vegan|vegetarisch|Fleisch)(?=[.,;!]|$)"
        ),
        importance=8,
    ),
    *slots_of(_OWNED, _PEOPLE, _THINGS, _AMOUNTS),
    Slot("weight", re.compile(rf"\b[Ii]ch wiege {_NOW}(?P<value>\d[\w., ]{{1,12}}?)(?=[.;!]|$)")),
    days_of(
        r"\b(?:[Mm]ein|[Uu]nser)e? (?:neue[rs]? )?(?P<what>[A-ZÄÖÜ][a-zäöüß]{2,20}?)"
        r"(?:kurs|stunden?|training|probe|unterricht|gruppe|tage?)? (?:ist|sind|findet)(?: jetzt|"
        r" nun)? (?:immer )?",
        _DAYS,
    ),
    days_of(
        rf"\b(?:[Ii]ch|[Ww]ir) (?:haben?|machen?|spielen?|gehen? (?:zum|zur|ins)) {_NOW}"
        r"(?:immer )?(?P<what>[A-ZÄÖÜ][a-zäöüß]{2,20}?)"
        r"(?:kurs|stunden?|training|probe|unterricht)? (?:jetzt |nun )?(?:immer )?",
        _DAYS,
    ),
    days_of(
        rf"\b(?:[Ii]ch|[Ww]ir) (?P<what>trainiere|schwimme|laufe|tanze|singe)n? {_NOW}(?:immer )?",
        _DAYS,
    ),
)
