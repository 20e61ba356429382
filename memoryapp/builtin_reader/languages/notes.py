"""How people tell of themselves in notes: without a subject, a verb or an apostrophe. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """A way in which a note begins, and the beginning of the sentence that it stands for."""

    pattern: re.Pattern[str]
    #: The replacement of what the pattern matches, with its groups.
    whole: str
    #: Whether the note begins with a noun, which keeps its capital where nouns have one.
    is_noun: bool = False


@dataclass(frozen=True)
class Spelling:
    """What people type in haste, and its full spelling."""

    pattern: re.Pattern[str]
    whole: str
    #: The same pattern for a text in small letters: several times as fast as one for any letters.
    small: re.Pattern[str]


@dataclass(frozen=True)
class Notes:
    """The notes of one language."""

    #: Spelled in haste: "im", "dont", "jsuis".
    spelling: Sequence[Spelling]
    #: Gives the speaker's name, in the group ``name``; the sentence that does.
    name: re.Pattern[str]
    named: str
    #: An age behind the name, alone; the sentence that tells it.
    aged: str
    #: What somebody is, behind their name; an article may be needed.
    being: Sequence[Rule]
    #: What makes a sentence of a note.
    completions: Sequence[Rule]


_NAMED = r"(?P<name>[{capitals}][\w'’-]{{1,30}}(?: [{capitals}][\w'’-]{{1,30}}){{0,2}})"


def _rules(*pairs: tuple[str, str]) -> tuple[Rule, ...]:
    return tuple(_rule(pattern, whole) for pattern, whole in pairs)


def _spellings(*pairs: tuple[str, str]) -> tuple[Spelling, ...]:
    return tuple(_spelling(pattern, whole) for pattern, whole in pairs)


def _spelling(pattern: str, whole: str) -> Spelling:
    """That of a *pattern* in small letters, but for the capital of a name."""
    small = re.compile(pattern.replace("[A-Z]", "[a-z]"))
    return Spelling(re.compile(pattern, re.IGNORECASE), whole, small)


def _rule(pattern: str, whole: str) -> Rule:
    return Rule(re.compile(pattern, re.IGNORECASE), whole)


def _things(*triples: tuple[str, str, str]) -> tuple[Rule, ...]:
    """Those of things that the speaker has: the noun, what follows it, the sentence."""
    return tuple(_thing(*triple) for triple in triples)


def _thing(noun: str, following: str, whole: str) -> Rule:
    return Rule(re.compile(rf"({noun}){following}", re.IGNORECASE), whole, is_noun=True)


def _name(before: str, capitals: str, after: str) -> re.Pattern[str]:
    named = _NAMED.format(capitals=capitals)
    alone = named.replace("name", "alone")
    return re.compile(rf"(?:(?i:{before}) {named}(?={after})|{alone}(?=, \d\d(?:,|$)))")


_COUNT_EN = r"(?:\d{1,2}|an?|one|two|three|four|five|six|no)"
#: Adjectives and religions are spelled with a capital, as names are.
_NO_NAME_EN = (
    r"(?!(?:I|[A-Z]\w{1,15}(?:ish|ese|nch|tch|lsh|iss|ech|eek|olic|stant|ndu|dhist|slim|heist|"
    r"eli|raqi|stani|ladeshi|ghan)|(?:Amer|Afr|Mex|Jama|Domin|Rican|Ital|Austr|Ind|Iran|Brazil|"
    r"Russ|Ukrain|Hungar|Bulgar|Serb|Croat|Belg|Norweg|Canad|Colomb|Niger|Ghan|Egypt|Syr|Alban|"
    r"Armen|Eston|Latv|Lithuan|Austral|Palestin|Peruv|Boliv|Chil|Venezuel|Argentin|Christ|As|"
    r"Europ|Ethiop|Keny|Indones|Malays|Cambod|Tunis|Alger|Moroc|Germ|Roman|Georg|Sloven|"
    r"Bosn|Ecuador|Cub|Leban)\w{0,4}ans?|Mr|Mrs|Ms|Dr|OK|ADHD|HR|Sure|Sorry|Same|Not|Nothing|Still)\b)"
)
#: Who says "as a nurse, …" is one. "As a reminder" is nobody, and "as an expert" the assistant.
_ROLE_EN = (
    r"an? (?!(?:[\w'-]{1,15} ){0,3}(?:reminder|answer|number|starter|dinner|order|matter|letter|"
    r"chapter|souvenir|favou?r|decor|filler|poster|expert|professional|assistant|kid|child|teen\w*|"
    r"writer|copywriter|marketer|specialist|consultant|advis[eo]r)\b)(?:[\w'-]{1,15} ){0,3}?"
    r"(?:[\w-]{1,15}(?:er|or|ist|ian|ant|man|woman|ee)|person|mum|mom|dad|mother|father|parent|"
    r"nurse|student|vegan|adult|bride|groom|cook|chef|pilot|guide|coach|native|diabetic|asthmatic|"
    r"coeliac|celiac|introvert|extrovert|apprentice|intern|judge|clerk|expat|veteran|vet|widow|"
    r"couple|family|midwife|au pair)\b(?! (?:would|should|could|can|must|is|are|was|has|means|"
    r"makes|takes)\b)"
)
_WHEN_EN = (
    r"(?= (?:[\w'.:-]{1,20} ){0,6}?(?:tomorrow|tonight|today|(?:mon|tues|wednes|thurs|fri|satur|"
    r"sun)days?|(?:january|february|march|april|may|june|july|august|september|october|november|"
    r"december)|next week|\d{1,2}(?:st|nd|rd|th))\b)"
)
#: "Cancel the meeting" asks for something, and "my flight leaves" is a sentence.
_NO_EVENT_EN = (
    r"(?!(?:an?|any|other|another|every|each|all|the|my|our|his|her|your|their|this|that|no|not|if|"
    r"is|are|am|on|at|in|of|as|and|it|i|book|cancel|plan|reschedule|move|schedule|add|set|find|"
    r"prepare|organi[sz]e|remind|create|note|invite|arrange|explain|update|upcoming|important|"
    r"summari[sz]e|write|draft|postpone|confirm|which|what|when|how|who|why|make|give|show)\b|"
    r"\w{1,15}'s )"
)
_EVENT_EN = (
    rf"(?![aeiou]){_NO_EVENT_EN}(?:[a-z][\w'-]{{1,15}} )?(?:meeting|appointment|interview|exam|"
    r"flight|surgery|operation|check-?up|scan|viewing|wedding|funeral|trip|date|test|lesson|class|"
    rf"rehearsal|hearing|deadline|viva){_WHEN_EN}"
)
_VOWEL_EVENT_EN = (
    rf"(?=[aeiou]){_NO_EVENT_EN}(?:[a-z][\w'-]{{1,15}} )?(?:meeting|appointment|interview|exam|"
    rf"flight|operation|scan|test|lesson){_WHEN_EN}"
)
ENGLISH = Notes(
    spelling=_spellings(
        (r"\bim\b(?= \w)", "I'm"), (r"\bive\b", "I've"), (r"\bweve\b", "we've"),
        (r"\b(?:me|i) and (my (?:[\w'-]{1,15} ){0,2}?[\w'-]{2,15})(?= (?:are|were|have|had|went|"
         r"live|"
         r"both|always|just|want|will|share|run|play|got|met|bought|love|like|work|moved|go)\b)",
         r"\1 and I"),
        (r"(?:(?<!.)|(?<=, )|(?<=and ))the (kids|twins|wife|missus|hubby)(?= (?:are|is|was|were|"
         r"has|"
         r"have|had|love|loves|like|likes|hate|hates|go|goes|eat|eats|need|needs|want|wants|don't|"
         r"doesn't|won't|can't|works|both|always|start|starts)\b)", r"our \1"),
        (r"\bthis (?=new (?:jobs?|school|course|class|gym|flat|apartment|house|boss|colleague|"
         r"dentist|doctor|neighbou?r|client)\b)|(?<=\bhad )this (?=\w{2,15} (?:for|since)\b)",
         "a "),
        (r"\b(do|does|did|is|are|was|were|have|has|had|ca|wo|could|would|should)nt\b", r"\1n't"),
        (r"\bgonna\b", "going to"), (r"\bgotta\b", "have to"), (r"\bwanna\b", "want to"),
        (r"\b(?:me|i) and ((?-i:[A-Z])[\w'-]{1,20})(?= (?:are|were|have|had|went|live|both|always|"
         r"just|want|will|share|run|play|got|met|bought|love|like|work|moved|go|gave|started|took|"
         r"decided|broke|split)\b)", r"\1 and I"),
        (r" (?:bc|cuz|coz)(?= )", " because"),
        (r" (?:uh|um|erm|uhm|er),?(?= \w)", ""),
        (r",? (?:as|like) i (?:already )?(?:said|mentioned|told you)(?: before| earlier)?,?(?= "
         r"\w)", ""),
        # Who calls them so is their child.
        (r"(?:(?<!.)|(?<=, )|(?<=and )|(?<=but )|(?<=so ))(dad|mum|mom|mummy|mommy|daddy|nan|nana|"
         r"gran|granny|grandma|grandpa|grandad)(?='s (?:got|been|had|just|now|still|in|on|at|"
         r"\w{3,12}"
         r"ing)\b| (?:(?:\w{2,12}ly|just|now|still|also|always|never) )?(?:is|was|has|had|can't|"
         r"can|"
         r"won't|will|isn't|wasn't|hasn't|doesn't|didn't|wants|lives|works|needs|likes|loves|hates|"
         r"keeps|takes|turns|turned|went|got|fell|came|goes|gets|says|lost|moved|died|broke|"
         r"passed|started|stopped|retired)\b|'s (?:\d{1,3}(?:st|nd|rd|th)|birthday|surgery|wedding|"
         r"funeral|operation)\b)", r"my \1"),
        (r"\b((?:my|our) (?:[\w-]{2,15} ){0,2}[\w-]{2,15})'s(?= (?:(?:just|now|still|also|not) )?"
         r"(?:\w{2,12}ing (?:an?|the|my|our|over|in|to|at|on|for|with|up|from|off|next|\d)|"
         r"allergic|pregnant|vegan|vegetarian|ill|in|on|at|from)\b)", r"\1 is"),
        (r"\banymore (?=(?:i|i'm|i've|we|we're|we've|my|our) )", "anymore, "),
        # Without a mark between two sentences: "what can I cook I'm vegan".
        (r"\b((?!(?:that|and|but|because|cause|cuz|since|so|if|when|whenever|as|like|say|said|says|"
         r"thinks?|thought|knows?|knew|sure|guess|feel|where|what|why|while|though|although|or|now|"
         r"than|how|until|then|not|still|means?|believe|hope|told|tells?|mentioned|considering|"
         r"seeing|given|whether|once|wish|\w{0,5}things?|ones?|the|which|who|whom|saying|assume|"
         r"forgot|forget|remember|reali[sz]ed?|of|yes|no|hi|hey|hello|well|ok|also|actually|me)\b)"
         r"[\w']{2,20}) (?=(?:i'm|i am) (?:an? (?!bit|little|lot)\w|\d\d\b|vegan\b|vegetarian\b|"
         r"pregnant\b|diabetic\b|coeliac\b|celiac\b|allergic to \w))", r"\1, "),
    ),
    name=re.compile(
        r"(?:(?i:i'm|i am|it's|this is|(?:my |the )?name(?:'s| is)|my name:|name:) "
        r"(?:(?i:called) )?"
        rf"{_NO_NAME_EN}(?P<name>[A-Z][\w'’-]{{1,30}}(?: [A-Z][\w'’-]{{1,30}}){{0,2}})"
        r"(?: (?i:here))?(?=[,.!]|$| (?:and (?:i|my|everyone|people|friends)|but|from|here)\b)|"
        rf"{_NO_NAME_EN}(?P<alone>[A-Z][\w'’-]{{1,30}}(?: [A-Z][\w'’-]{{1,30}})?)"
        r"(?: here(?=[,.!]|$)|(?=, \d\d(?:,|$))))"
    ),
    named="My name is {}",
    aged="I'm {}",
    being=_rules(
        (r"(?=(?:an?|the|from|in|on|at|based|living|working|studying|married|single|divorced|"
         r"retired|vegan|vegetarian|diabetic|self-employed|unemployed|originally|currently|"
         r"recently|pregnant|allergic|\w{3,12}(?:ing|ed))\b)", "I'm "),
        (r"(?=\d{1,2} years old)", "I'm "),
        (r"(?=(?:\d{1,2}|two|three|four|five|no)\b)", "I have "),
        (r"(?=[aeiou])", "I'm an "),
        (r"(?=\w)", "I'm a "),
    ),
    completions=_rules(
        (r"(?:as|being) (?:someone|somebody|a person|anyone) with ", "I have "),
        (rf"(?:as|being) ({_ROLE_EN})", r"I'm \1"),
        (rf"({_EVENT_EN})", r"I have a \1"),
        (rf"((?:an|another) {_EVENT_EN})", r"I have \1"),
        (rf"(?:a )?({_VOWEL_EVENT_EN})", r"I have an \1"),
        (r"((?:planning|intending|saving(?: up)?) to (?!ask\b|know\b)\w{2,12}\b)", r"I'm \1"),
        (r"((?:now|currently|still) (?:flying|moving|getting|training|preparing|planning|saving|"
         r"expecting|recovering|driving|sharing|looking after|learning|taking|doing|renting|on)\b)",
         r"I'm \1"),
        # "Moving to a new city is hard" is no note.
        (r"((?:flying|moving|travell?ing|going|heading|getting|turning|starting|driving|hosting|"
         r"visiting|"
         rf"leaving|having|seeing|meeting){_WHEN_EN})(?![^.?!]{{0,80}}\b(?:is|are|was|were|has|had|makes?|"
         r"can|will|would|should|must|seems?|costs?|takes?|feels?|means?|helps?|needs?)\b)",
         r"I'm \1"),
        (r"((?:(?:currently|recently|newly|now|still|happily|also|severely|highly|originally|"
         r"previously) )?(?:(?:working|training) (?:as|at|for|in|from)|living (?:in|with|near|on|"
         r"at|alone)|based in|studying \w|originally from|from (?-i:[A-Z])\w+(?=,)|"
         r"allergic to|(?:\w+ )?intoleran(?:t|ce) to|diagnosed with|"
         r"(?:lactose|gluten) intolerant|colou?r[- ]?blind|left-handed|"
         r"(?:married|divorced|single|widowed|engaged|separated|retired|pregnant|vegan|vegetarian|"
         r"pescatarian|diabetic|asthmatic|self-employed|unemployed|freelance)"
         r"(?=[,.;!]|$| (?:and|since|for|with|to|from|but)\b))\b)", r"I'm \1"),
        (r"(want to (?!know\b|ask\b|see\b|check\b|find\b|make sure\b)\w{2,12}\b)", r"I \1"),
        (r"(born (?:in|on|and raised)\b)", r"I was \1"),
        (rf"({_COUNT_EN} (?:\w+ )?(?:kids?|child(?:ren)?|sons?|daughters?|cats?|dogs?|brothers?|"
         r"sisters?|siblings|pets|allergies|years(?: of|') experience)"
         r"(?=[,.;!]|$| (?:and|with|in|aged|named|called|as)\b))", r"I have \1"),
        (r"(live (?:in|with|near|on|alone)|work (?:as|at|for)|have (?:an?|two|three|four|"
         r"\d{1,2}|no) \w|moved (?:to|from|in|out|back|house)|(?:can't|cannot|don't|never) "
         r"(?:eat|drink|drive|"
         r"smoke)|(?:was|am) (?:born|diagnosed|allergic|married|retired))\b", r"I \1"),
        (r"((?:\w+ )?(?:blood (?:type|group)|(?:shoe|shirt|ring|clothing|dress|hat|glove|trouser|"
         r"bike|frame|clothes) size|height|weight|birthday|date of birth|home address|"
         r"mother tongue|"
         r"native language|nationality|hometown|licen[cs]e plate|number plate|emergency contact|"
         r"spare key|passport|(?:insurance|tax) (?:card|number)))(?:\s?:|(?: is)?(?="
         r" (?:in|under|on|behind|inside|at|[\dA-Z]|between|above|below|with|size)\b)) (?!of\b)",
         r"My \1 is "),
        (r"((?:\w+ )?(?:keys|documents|bills|papers|tools|medicines|meds|tablets))"
         r"(?:\s?:|(?: are)?(?= (?:in|under|on|behind|inside|between|above|below|next to)\b)) ",
         r"My \1 are "),
        (r"((?:just |also |recently |finally )?(?:went|got|started|took|finished|bought|visited|"
         r"saw|met|made|found|had|tried|spent|ran|won|painted|joined|moved|watched|cooked|baked|"
         r"signed up|attended|adopted|learned|began|wrote|read|(?:[a-z]{3,12}ed|sold|lost|left|"
         r"quit|gave(?: up)?|"
         r"broke|paid|taught|built|drove|wrote|ate|slept|flew|grew|rode|brought|"
         r"kept|caught|chose|sent|hurt) (?:my|our|an?|the|all|some|two|three|\d{1,5}|in|at|for)))\b"
         r"(?! (?:above|below|attached)\b)",
         r"I \1"),
    ),
)  # fmt: skip

_NO_NAME_DE = (
    r"(?!\w{0,30}(?:er|in|ist|ent|ant|eur|iker|frau|mann|ling|isch|ung|heit|keit|schaft|ier|"
    r"or|nd|loge|amme|arzt|koch|wirt|anwalt|mutter|vater|mama|papa|oma|opa|single|fan|profi|"
    r"christ|muslim|jude|hindu|mitte|ende|anfang|azubi|chef|laie|kollege|waise|witwe|pate|beamte|"
    r"angestellte|ose|use|[ktlp]ole|däne|grieche|türke|schwede|finne|brite|ire|schotte|tscheche|"
    r"ungar|model|coach|nerd|gast|kunde|student|experte)\b)"
)
_THINGS_DE = (
    (r"(?:\w+)?(?:schlüssel|(?<!kom)pass|ausweis|führerschein|geburtstag|notfallkontakt|hausarzt|"
     r"zahnarzt|tierarzt|vermieter|arbeitgeber)", "Mein"),
    (r"(?:\w+)?(?:blutgruppe|größe|adresse|telefonnummer|handynummer|versicherungsnummer|"
     r"steuernummer|muttersprache|krankenkasse|geburtsurkunde|konfektionsgröße)", "Meine"),
    (r"(?:\w+)?(?:kennzeichen|geburtsdatum|sternzeichen)", "Mein"),
)  # fmt: skip
_EVENTS_DE = (
    (r"(?:\w+)?(?:termin|flug|umzug|elternabend|(?:vorstellungs|bewerbungs)gespräch|konzert|examen)",
     "Mein"),
    (r"(?:\w+)?(?:prüfung|op|operation|klausur|hochzeit|beerdigung|untersuchung|einschulung|taufe)",
     "Meine"),
)  # fmt: skip
_PLACED_DE = (
    r" ?(?::|(?:ist|sind|liegt|liegen|hängt|hängen)?(?= (?:in|im|unter|auf|hinter|am|an|bei|beim|"
    r"neben|\d|(?-i:[A-Z]{1,2})\b)\b)) (?!von\b)"
)
GERMAN = Notes(
    spelling=_spellings(
        (r"(?:(?<!.)|(?<=, )|(?<=und ))die (kinder|zwillinge|kids)(?= (?:sind|haben|mögen|lieben|"
         r"gehen|"
         r"essen|wollen|brauchen|können|hatten|waren|bekommen|sollen|dürfen|spielen|kommen)\b)",
         r"unsere \1"),
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
        (r"(?<=\s)'?ner\b", "einer"),
        (r"(?<=\s)'?nen\b", "einen"), (r"(?<=\s)'?ne\b(?=\s[\wäöü])", "eine"),
        (r"(?<=\s)'?nem\b", "einem"), (r"\b(hab|bin|wohn|geh|fahr|komm|mach)s\b", r"\1 es"),
    ),
    name=re.compile(
        r"(?:(?i:(?:ich bin|hier (?:ist|schreibt)|mein name:|name:)) (?:(?:die|der) )?"
        rf"(?:(?:(?<=ist )|(?<=schreibt )|(?<=ame: ))|{_NO_NAME_DE})"
        r"(?P<name>[A-ZÄÖÜ][\wäöüß-]{1,30}(?: [A-ZÄÖÜ][\wäöüß-]{1,30})?)"
        r"(?=[,.!]|$| und (?:ich|[a-zäöü]\w+ )|(?= aus\b))|"
        rf"{_NO_NAME_DE}(?P<alone>[A-ZÄÖÜ][\wäöüß-]{{1,30}})(?: hier(?=[,.!]|$)|(?=, \d\d(?:,|"
        rf"$))))",
    ),
    named="Ich heiße {}",
    aged="Ich bin {}",
    being=_rules((r"(?=\d{1,2} Jahre\b)", "Ich bin "),
                 (r"(?=(?:zwei|drei|vier|fünf|\d)\b)", "Ich habe "), (r"(?=\w)", "Ich bin ")),
    completions=_rules(
        (r"((?:seit (?:\w+ ){1,4}?)?(?:(?:stark|leicht|schwer|frisch|glücklich|noch|inzwischen|"
         r"seit kurzem|derzeit|aktuell) )?(?:allergisch (?:gegen|auf)|selbstständig|selbständig|"
         r"freiberuflich|verheiratet|geschieden|verwitwet|ledig|verlobt|schwanger|"
         r"(?:laktose|gluten|fruktose|histamin)intolerant|arbeitslos|alleinerziehend|farbenblind|"
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
    ) + _things(
        *(
            (noun, r"((?: (?:bei|beim|in|im|mit|zum|zur|der|dem)(?: [\w-]{2,20}){1,3}?)?)(?: ist|"
                   r" wäre)?"
             r"(?: (?:übrigens|jetzt|nun|doch|schon|erst))?(?= (?:am|morgen|übermorgen|heute|"
             r"nächste\w|"
             r"kommende\w|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch) ?)"
             # "Termin am 3. Mai absagen" asks for something.
             r"(?!.{0,200}[a-zäöüß]en[.!]?$)", rf"{owner} \1\2 ist")
            for noun, owner in _EVENTS_DE
        ),
        (r"(?:rentner|vegetarier|veganer|diabetiker|linkshänder|asthmatiker|epileptiker)(?:in)?",
         r"(?=[,.;!]|$| (?:und|seit|mit|aus)\b)", r"Ich bin \1"),
        *((noun, _PLACED_DE, rf"{owner} \1 ist ") for noun, owner in _THINGS_DE),
        (r"(?:\w+)?(?:unterlagen|rechnungen|papiere|medikamente|tabletten|werkzeuge|dokumente)",
         _PLACED_DE, r"Meine \1 sind "),
    ),
)  # fmt: skip

_THINGS_IT = (
    (r"gruppo sanguigno|numero di (?:scarpe?|telefono)|passaporto|codice fiscale|compleanno|"
     r"medico di base|dentista|indirizzo|segno zodiacale|peso", "Il mio", "è"),
    (r"taglia(?: di \w+)?|misura(?: di \w+)?|altezza|data di nascita|madrelingua|targa|"
     r"carta d'identità|chiave(?: \w+){0,3}?|patente|tessera(?: \w+)?", "La mia", "è"),
    (r"chiavi(?: \w+){0,3}?|bollette|medicine|pastiglie|ricette", "Le mie", "sono"),
    (r"documenti|farmaci|occhiali|attrezzi", "I miei", "sono"),
)  # fmt: skip
_CAPITALS = "A-ZÀ-Ý"
#: A clause, up to its end.
_CLAUSE = r"([^,;.!?]{3,200}[^\s,;.!?])"
ITALIAN = Notes(
    spelling=_spellings(
        (rf"^sono (\w{{1,12}} (?:ann[oi]|mes[ei]|settiman[ae]|giorni)) che {_CLAUSE}", r"\2 da \1"),
        (r"^io ed? ((?:(?:il|la|i|le) )?mi\w+ \w+(?: [a-z]\w+)?) ", r"\1 e io "),
    ),
    name=_name(r"(?:io )?(?:sono|mi chiamo|mi chiamano)|qui|nome:", _CAPITALS,
               r"[,.!]|$| (?:e|da|di)\b"),
    named="Mi chiamo {}",
    aged="Ho {} anni",
    being=_rules((r"(?=(?:due|tre|quattro|cinque|\d{1,2})\b)", "Ho "), (r"(?=(?:vivo|abito)\b)",
     ""),
                 (r"(?=\w)", "Sono ")),
    completions=_rules(
        (r"((?:(?:molto|leggermente|gravemente|ancora|attualmente) )?"
         r"(?:allergic[oa] (?:a\b|al\b|al\w{1,3}\b|ai\b|agli\b)|intollerante (?:a|ai|al\w{0,3})\b|"
         r"(?:sposat|divorziat|separat|vedov|fidanzat|pensionat|disoccupat|mancin|daltonic|asmatic|"
         r"celiac|diabetic|vegetarian|vegan|separat|disoccupat)[oa]|single|celibe|nubile|incinta|"
         r"in pensione|"
         r"libero professionista|residente a|originari[oa] di|"
         r"(?:nat|cresciut|laureat|diplomat|iscritt)[oa] (?:a|ad|in|nel|il|al\w*|all'\w+))\b)",
         r"Sono \1"),
        (r"((?:due|tre|quattro|cinque|nessun\w?|un'?|una|\d{1,2}) ?(?:figl[ioea]+|gatt[aoi]|"
         r"can[ei]|"
         r"sorelle|fratell[io]|bambin[ioae]|anni di esperienza)(?=[,.;!]|$| (?:e|di|in)\b))",
         r"Ho \1"),
        *(
            (rf"({nouns})(?: {verb})?(?:\s?:|(?= (?:in|nel\w{{0,2}}|sotto|su\w{{0,3}}|dietro|"
             rf"al\w{{0,2}}|"
             r"da\w{0,2}|accanto|dentro|\d+|(?-i:[A-Z]{1,3})\b)\b))\s?'?", rf"{owner} \1 {verb} ")
            for nouns, owner, verb in _THINGS_IT
        ),
    ),
)  # fmt: skip

_THINGS_ES = (
    (r"(?:grupo sanguíneo|tipo de sangre|pasaporte|número de (?:pie|zapato|teléfono)|cumpleaños|"
     r"médico de cabecera|dentista|domicilio|signo|peso|dni|carn[eé]t(?: de \w+)?)", "Mi", "es"),
    (r"(?:talla(?: de \w+)?|altura|fecha de nacimiento|lengua materna|matrícula|dirección|"
     r"llave(?: \w+){0,3}?|tarjeta(?: \w+)?)", "Mi", "es"),
    (r"(?:llaves(?: \w+){0,3}?|facturas|papeles|documentos|medicinas|pastillas|gafas|"
     r"herramientas)", "Mis", "son"),
)  # fmt: skip
SPANISH = Notes(
    spelling=_spellings(
        (rf"^(hace \w{{1,12}} (?:años?|mes(?:es)?|semanas?|días?)) que {_CLAUSE}", r"\2 desde \1"),
        (r"\bantes era\b", "antes fui"),
    ),
    name=_name(r"(?:yo )?(?:soy|me llamo|me llaman)|aquí|nombre:", _CAPITALS,
               r"[,.!]|$| (?:y|de)\b"),
    named="Me llamo {}",
    aged="Tengo {} años",
    being=_rules((r"(?=(?:dos|tres|cuatro|cinco|\d{1,2})\b)", "Tengo "),
                 (r"(?=(?:casad|jubilad|divorciad|embarazad|prejubilad)[oa]\b)", "Estoy "),
                 (r"(?=(?:vivo|trabajo)\b)", ""), (r"(?=\w)", "Soy ")),
    completions=_rules(
        (r"((?:(?:muy|recién|felizmente|ya|aún|actualmente) )?"
         r"(?:(?:casad|jubilad|divorciad|separad|embarazad|prometid|desemplead)[oa]|de baja|"
         r"en paro|diagnosticad[oa])\b)", r"Estoy \1"),
        (r"((?:(?:muy|también) )?(?:alérgic[oa] (?:a|al)|intolerante (?:a|al)|"
         r"(?:solter|viud|zurd|diabétic|asmátic|celíac|vegetarian|vegan|daltónic|autónom)[oa]|"
         r"pensionista|hij[oa] únic[oa]|originari[oa] de|natural de|madre de|padre de)"
         r"(?=[\s,.;!]|$))", r"Soy \1"),
        (r"((?:dos|tres|cuatro|cinco|ningún|un|una|\d{1,2}) (?:hij[oa]s?|gat[oa]s?|perr[oa]s?|"
         r"herman[oa]s?|años de experiencia)(?=[,.;!]|$| (?:y|de|en)\b))", r"Tengo \1"),
        *(
            (rf"({nouns})(?: (?:está|están|{verb}))?(?:\s?:|(?= (?:\d|(?-i:[A-Z]{{1,3}})\b))) ",
             rf"{owner} \1 {verb} ")
            for nouns, owner, verb in _THINGS_ES
        ),
        *(
            (rf"({nouns})(?: (?:está|están))?\s?:?(?= (?:en|bajo|sobre|debajo|detrás|dentro|junto)"
             r"\b)", rf"{owner} \1 {verb}")
            for nouns, owner, verb in (
                (_THINGS_ES[0][0], "Mi", "está"), (_THINGS_ES[1][0], "Mi", "está"),
                (_THINGS_ES[2][0], "Mis", "están"),
            )
        ),
    ),
)  # fmt: skip

_THINGS_FR = (
    (r"(?:groupe sanguin|passeport|poids|anniversaire|numéro de (?:téléphone|sécu\w*)|médecin|"
     r"permis(?: de conduire)?|tour de \w+|dentiste)", "Mon", "est"),
    (r"(?:pointure|taille(?: de \w+)?|date de naissance|langue maternelle|plaque|"
     r"carte d'identité|clé(?: \w+){0,3}?|clef(?: \w+){0,3}?|carte vitale)", "Ma", "est"),
    (r"(?:adresse)", "Mon", "est"),
    (r"(?:clés(?: \w+){0,3}?|clefs(?: \w+){0,3}?|factures|papiers|médicaments|lunettes|outils|"
     r"documents)", "Mes", "sont"),
)  # fmt: skip
FRENCH = Notes(
    spelling=_spellings(
        (r"\b(je|on|nous) (?!ne )([bcdfgjklmnpqrstvwxz]\w{1,15}) (?=(?:pas|"
         r"jamais)\b)", r"\1 ne \2 "),
        (r"\b(on|nous) (?!ne )([aeiouéêh]\w{0,15}) (?=(?:pas|jamais)\b)", r"\1 n'\2 "),
        (r"\bj'(?!y\b|en\b)(\w{2,15}) (?=(?:pas|jamais|plus (?:très|trop|du tout|rien))\b)",
         r"je n'\1 "),
        (r"^(m(?:on|a|es) [\w'-]{2,20}) (?!ne )([bcdfgjklmnpqrstvwxz]\w{1,15}) (?=(?:pas|"
         r"jamais)\b)",
         r"\1 ne \2 "),
        (r"^(m(?:on|a|es) [\w'-]{2,20}) ([aeiouéêh]\w{0,15}) (?=(?:pas|jamais)\b)", r"\1 n'\2 "),
        (r"\b(ce mois|cette (?:semaine|année))-ci\b", r"\1"),
        (r"^(?:(?:ça|cela) fait|il y a) (\w{1,12} (?:ans?|mois|semaines?|jours?)) (?:que |"
         r"qu'(?=on))"
         rf"{_CLAUSE}", r"\2 depuis \1"),
        (r"^c'est ((?:mon|ma|notre) [\w'-]{3,20})(?= (?:le|demain|aujourd'hui|lundi|mardi|mercredi|"
         r"jeudi|vendredi|samedi|dimanche|la semaine)\b)", r"\1 est"),
        (r"^((?:mon|ma|mes|notre|nos) (?:[\w'-]{1,20} ){0,4}?[\w'-]{1,20}),? c'est "
         r"(?!(?:que?|pas|vrai|trop|super|très|bien|quoi|où|quand|combien)\b|[^,.;]{1,60}\squi?\b)",
         r"\1 est "),
        (r"^(?:pas [^,.]{1,40}, )?c'est ((?:à|au|en|chez|dans) [^,.]{1,60}?) (?:que |qu'(?=on))"
         r"((?:j'|je |on |nous )\S{1,20})", r"\2 \1"),
        (r"^(m(?:on|a|es) [\w'-]{2,20}(?: [a-z]\w{1,20})?),? (?:elles?|ils?) (?!y\b)",
         r"\1 "),
        (r"^(?:moi et )?((?:mon|ma|mes) \w+(?: [a-z]\w+)?) et moi,? (?=(?:on|"
         r"nous) )", r"avec \1, "),
        (r"^(?:moi et )?((?:mon|ma|mes) \w+(?: [a-z]\w+)?) et moi,? (?=sommes\b|\w{2,20}ons\b)",
         r"avec \1, nous "),
        (r"\bj ?'?suis\b|\bchuis\b", "je suis"), (r"\bj(?=(?:ai|avais|étais|habit|aim|"
         r"ador)\w{0,4}\b)", "j'"),
        (r"\bj(?=(?:fais|vais|dois|peux|veux|travaille|prends|mange|bois|viens|pars|vis)\b)",
         "je "),
    ),
    name=_name(r"(?:moi,? )?(?:je suis|c'est|je m'appelle|moi c'est|moi,)|ici|nom :|prénom :",
     _CAPITALS,
               r"[,.!]|$| (?:et|de)\b"),
    named="Je m'appelle {}",
    aged="J'ai {} ans",
    being=_rules((r"(?=(?:deux|trois|quatre|cinq|\d{1,2})\b)", "J'ai "),
                 (r"(?=(?:j'|je )\w)", ""), (r"(?=\w)", "Je suis ")),
    completions=_rules(
        (r"((?:(?:très|légèrement|gravement|actuellement|récemment|encore) )?"
         r"(?:allergique (?:à|au|aux)|intolérante? (?:à|au)|"
         r"(?:mariée?|divorcée?|séparée?|pacsée?|fiancée?|veuve?|célibataire|enceinte|retraitée?|"
         r"à la retraite|au chômage|auto-entrepreneu\w+|gauch(?:er|ère)|daltonien(?:ne)?|"
         r"diabétique|asthmatique|cœliaque|végétarien(?:ne)?|végane?|née? (?:à|en|le)|"
         r"originaire d\w+|en arrêt|en congé \w+)(?=[\s,.;!']|$)))", r"Je suis \1"),
        (r"((?:deux|trois|quatre|cinq|un|une|\d{1,2}) (?:enfants?|fils|filles?|chats?|chiens?|"
         r"frères?|sœurs?|ans d'expérience)(?=[,.;!]|$| (?:et|de|en|dans)\b))", r"J'ai \1"),
        (r"((?:habite (?:à|en|au|chez)|travaille (?:comme|chez|dans|à|en|pour)|vis (?:à|en|au|avec|"
         r"seule?)|suis (?!-))\b)", r"Je \1"),
        *(
            (rf"({nouns})(?: {verb})?(?:\s?:|(?= (?:dans|sous|sur|derrière|à|au|chez|près|\d|"
             r"(?-i:[A-Z]{1,3})\b)))\s", rf"{owner} \1 {verb} ")
            for nouns, owner, verb in _THINGS_FR
        ),
    ),
)  # fmt: skip
