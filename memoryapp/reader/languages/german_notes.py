"""How people tell of themselves in German notes. Pure."""

import re

from memoryapp.reader.languages.notes import Notes, rules, spellings, things

_NO_NAME = (
    r"(?!\w{0,30}(?:er|in|ist|ent|ant|eur|iker|frau|mann|ling|isch|ung|heit|keit|schaft|ier|"
    r"or|nd|loge|amme|arzt|koch|wirt|anwalt|mutter|vater|mama|papa|oma|opa|single|fan|profi|"
    r"christ|muslim|jude|hindu|mitte|ende|anfang|azubi|chef|laie|kollege|waise|witwe|pate|beamte|"
    r"angestellte|ose|use|[ktlp]ole|däne|grieche|türke|schwede|finne|brite|ire|schotte|tscheche|"
    r"ungar|model|coach|nerd|gast|kunde|student|experte)\b)"
)
_THINGS = (
    (r"(?:\w+)?(?:schlüssel|(?<!kom)pass|ausweis|führerschein|geburtstag|notfallkontakt|hausarzt|"
     r"zahnarzt|tierarzt|vermieter|arbeitgeber)", "Mein"),
    (r"(?:\w+)?(?:blutgruppe|größe|adresse|telefonnummer|handynummer|versicherungsnummer|"
     r"steuernummer|muttersprache|krankenkasse|geburtsurkunde|konfektionsgröße)", "Meine"),
    (r"(?:\w+)?(?:kennzeichen|geburtsdatum|sternzeichen)", "Mein"),
)  # fmt: skip
_EVENTS = (
    (r"(?:\w+)?(?:termin|flug|umzug|elternabend|(?:vorstellungs|bewerbungs)gespräch|konzert|"
    r"examen)",
     "Mein"),
    (r"(?:\w+)?(?:prüfung|op|operation|klausur|hochzeit|beerdigung|untersuchung|einschulung|taufe|"
     r"probe)",
     "Meine"),
)  # fmt: skip
_PLACED = (
    r" ?(?::|(?:ist|sind|liegt|liegen|hängt|hängen)?(?= (?:in|im|unter|auf|hinter|am|an|bei|beim|"
    r"neben|\d|(?-i:[A-Z]{1,2})\b)\b)) (?!von\b)"
)
NOTES = Notes(
    order=spellings(
        (r"\b(leider|übrigens|nebenbei|zum glück|eigentlich|ehrlich gesagt|jedenfalls|außerdem|"
         r"zudem) ([^\W\d_]{2,15}) (ich|wir)\b(?=[^?]{0,400}$)", r"\1 \3 \2"),
    ),
    spelling=spellings(
        (r",? (?:btw|lol|haha|übrigens)(?=[,.!?]|$)", ""),
        (r"(?:(?<!.)|(?<=, )|(?<=und ))die (kinder|zwillinge|kids)(?= (?:sind|haben|mögen|lieben|"
         r"gehen|"
         r"essen|wollen|brauchen|können|hatten|waren|bekommen|sollen|dürfen|spielen|kommen|"
         r"heißen)\b)",
         r"unsere \1"),
        # "Hugo, mein Mitbewohner, zieht aus".
        (r"(?<!.)((?-i:[A-Z])[\wäöüß-]{1,20}), ((?:meine?|unsere?) (?:[\wäöüß-]{2,15} )?"
         r"(?:mitbewohner(?:in)?|bruder|schwester|sohn|tochter|frau|mann|partner(?:in)?|"
         r"freund(?:in)?|"
         r"cousine?|chef(?:in)?|kolleg(?:e|in)|nachbar(?:in)?|hund|katze|kater|mutter|vater|mama|"
         r"papa|"
         r"tante|onkel|neffe|nichte)), (?=(?-i:[a-z]))", r"\2 \1 "),
        (r"(?<!.)der (hund|kater|welpe|hamster|wellensittich) (?=(?:heißt|ist (?:eine?|\d|krank)|"
         r"hat eine)\b)", r"mein \1 "),
        (r"(?<!.)die (katze|hündin|schildkröte) (?=(?:heißt|ist (?:eine?|\d|krank)|hat eine)\b)",
         r"meine \1 "),
        (r"(?:(?<!.)|(?<=, )|(?<=und ))der (enkel|opa|papa|schwiegervater) "
         r"(?=(?:ist|hat|hatte|war|wird|will|"
         r"kann|muss|\w{2,12}t)\b)", r"unser \1 "),
        # Who calls them so is their child.
        (r"(?:(?<!.)|(?<=, )|(?:(?<=und )|(?<=aber )))(papa|opa|vati) (?=(?:ist|hat|hatte|war|wird|"
         r"wurde|will|"
         r"kann|muss|darf|soll|lag|kam|(?!fragt|sagt)\w{2,12}t)\b)", r"mein \1 "),
        (r"(?:(?<!.)|(?<=, )|(?:(?<=und )|(?<=aber )))(mama|oma|mutti) (?=(?:ist|hat|hatte|war|"
         r"wird|wurde|will|"
         r"kann|muss|darf|soll|lag|kam|(?!fragt|sagt)\w{2,12}t)\b)", r"meine \1 "),
        (r" (?:ähm?|hm),?(?= \w)", ""),
        (r",? wie (?:schon |bereits |ich schon )?(?:gesagt|erwähnt|besprochen),?(?= \w)", ""),
        # Without a mark between two sentences: "kannst du mir helfen ich bin Erzieherin".
        (r"\b(\w{2,20}en) (?=ich (?:bin|habe?|wohne?|lebe?|arbeite|studiere|esse?|vertrage?|"
         r"leide)\s)",
         r"\1, "),
        (r"((?:(?<!.)|(?<=, ))(?:seit|seitdem|weil|nachdem|bevor|"
         r"obwohl) (?:[\w-]{1,20} ){1,6}?(?:bin|ist|"
         r"sind|habe?|hat|haben|war|waren|hatten?|wurden?)) (?=\w{2,15} (?:ich|wir)\s)", r"\1, "),
        (r"((?:(?<!.)|(?<=, ))(?:seit|seitdem|weil|nachdem|bevor|obwohl) (?:ich|wir) "
         r"(?:[\w-]{1,20} ){1,6}?\w{2,15}(?:en?|ten?)) (?=\w{2,15} (?:ich|wir)\s)", r"\1, "),
        (r"(?<=\s)'?ner\b", "einer"),
        (r"(?<=\s)'?nen\b", "einen"), (r"(?<=\s)'?ne\b(?=\s[\wäöü])", "eine"),
        (r"(?<=\s)'?nem\b", "einem"), (r"\b(hab|bin|wohn|geh|fahr|komm|mach)s\b", r"\1 es"),
    ),
    name=re.compile(
        r"(?:(?i:(?:ich bin|hier (?:ist|schreibt)|mein name:|name:)) (?:(?:die|der) )?"
        rf"(?:(?:(?<=ist )|(?<=schreibt )|(?<=ame: ))|{_NO_NAME})"
        r"(?P<name>[A-ZÄÖÜ][\wäöüß-]{1,30}(?: [A-ZÄÖÜ][\wäöüß-]{1,30})?)"
        r"(?=[,.!]|$| und (?:ich|[a-zäöü]\w+ )|(?= aus\b))|"
        rf"{_NO_NAME}(?P<alone>[A-ZÄÖÜ][\wäöüß-]{{1,30}})(?: hier(?=[,.!]|$)|(?=, \d\d(?:,|"
        rf"$))))",
    ),
    named="Ich heiße {}",
    aged="Ich bin {}",
    being=rules((r"(?=\d{1,2} Jahre\b)", "Ich bin "),
                 (r"(?=(?:zwei|drei|vier|fünf|\d)\b)", "Ich habe "), (r"(?=\w)", "Ich bin ")),
    completions=rules(
        (r"((?:seit (?:\w+ ){1,4}?)?(?:(?:stark|leicht|schwer|frisch|glücklich|noch|inzwischen|"
         r"seit kurzem|derzeit|aktuell) )?(?:allergisch (?:gegen|auf)|selbstständig|selbständig|"
         r"freiberuflich|verheiratet|geschieden|verwitwet|ledig|verlobt|schwanger|"
         r"(?:laktose|gluten|fruktose|histamin)intolerant|arbeitslos|alleinerziehend|farbenblind|"
         r"vegan|vegetarisch|(?:gluten|laktose)frei|"
         r"berufstätig|in (?:rente|elternzeit|mutterschutz|ausbildung|therapie|kurzarbeit|"
         r"teilzeit)|auf jobsuche|gelernte[rn]?|geboren (?:in|am)|tätig)\b)", r"Ich bin \1"),
        (r"((?:zwei|drei|vier|fünf|keine|\d) (?:\w+ )?(?:kinder|söhne|töchter|katzen|hunde|"
         r"geschwister|haustiere|allergien|enkel)(?=[,.;!]|$| (?:und|im|in)\b))", r"Ich habe \1"),
        (r"(habe? (?:mir|mich)\b)", r"Ich \1"),
        (r"((?:bin|hab|habe|hatte|war|wohne?|lebe?|arbeite|studiere|heiße|mag|kann kein\w{0,2}|"
         r"muss|"
         r"nehme?|esse?|trinke?|fahre?|ziehe?|fliege?|vertrage?|leide|komme?|stamme|spiele|lerne?|"
         r"spreche|pflege|betreue|leite|verdiene|rauche?|werde|wurde|liebe|hasse|bevorzuge|mache|"
         r"bekomme|kriege?|suche seit|vermiete|unterrichte|trainiere|besitze|wiege?|trage?|"
         r"schlafe?|gehe?|nutze|brauche|"
         r"benutze|stehe?|verstehe|verwende|koche|lese|reise|habe)"
         r"(?! (?:ich|du|sie|er|es|wir|ihr|mir|das|man|bitte|eine? (?:liste|tabelle))\b) )",
         r"Ich \1"),
    ) + rules(
        *(
            (rf"(?:der|die|das) ({noun})(?= (?:[\w-]{{2,20}} ){{0,4}}?(?:ist|geht|startet|beginnt|"
             r"endet|fährt|findet|fällt|wurde|wird) (?:[\w.-]{1,20} ){0,4}?(?:am|auf (?:den )?|"
             r"morgen|übermorgen|"
             r"nächste\w|kommende\w|(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs)\b)",
             rf"{owner} \1")
            for noun, owner in _EVENTS
        ),
    ) + things(
        *(
            (noun, r"((?: (?:bei|beim|in|im|mit|zum|zur|der|dem)(?: [\w-]{2,20}){1,3}?)?)(?: ist|"
                   r" wäre)?"
             r"(?: (?:übrigens|jetzt|nun|doch|schon|erst))?(?= (?:am|morgen|übermorgen|heute|"
             r"nächste\w|"
             r"kommende\w|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch) ?)"
             # "Termin am 3. Mai absagen" asks for something.
             r"(?!.{0,200}[a-zäöüß]en[.!]?$)", rf"{owner} \1\2 ist")
            for noun, owner in _EVENTS
        ),
        (r"(?:rentner|vegetarier|veganer|diabetiker|linkshänder|asthmatiker|epileptiker)(?:in)?",
         r"(?=[,.;!]|$| (?:und|seit|mit|aus|typ)\b)", r"Ich bin \1"),
        *((noun, _PLACED, rf"{owner} \1 ist ") for noun, owner in _THINGS),
        (r"(?:\w+)?(?:unterlagen|rechnungen|papiere|medikamente|tabletten|werkzeuge|dokumente)",
         _PLACED, r"Meine \1 sind "),
    ),
)  # fmt: skip
