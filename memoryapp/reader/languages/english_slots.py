"""How people say in English what has one value at a time. Pure."""

import re

from memoryapp.reader.languages.language import Slot

_PERSON_NAME = r"(?P<value>[A-Z][\w'’-]{1,30}(?: [A-Z][\w'’-]{1,30}){0,2})"
_PLACE = r"(?P<value>[A-Z][\w'’-]{1,30}(?:,? [A-Z][\w'’-]{1,30}){0,3})"

SLOTS = (
    Slot(
        "name",
        re.compile(rf"\b(?:my (?:full )?name is|my name's|i'm called) {_PERSON_NAME}", re.I),
        importance=8,
    ),
    Slot(
        "nickname",
        re.compile(rf"\b(?:friends|people|everyone) calls? me {_PERSON_NAME}"),
        importance=6,
    ),
    Slot(
        "age",
        re.compile(
            r"\bI(?:'m| am) (?P<value>\d{1,2})(?: years old)?(?=[.,!;]|\s(?:and|years|now)\b|$)"
        ),
        importance=7,
    ),
    Slot("age", re.compile(r"\bI(?:'ve)? (?:just )?turned (?P<value>\d{2})\b"), importance=7),
    Slot(
        "birthday",
        re.compile(
            r"\b[Mm]y birthday is (?:on )?(?:the )?(?P<value>(?:\d{1,2}(?:st|nd|rd|th)? "
            r"(?:of )?)?[A-Z][a-z]{2,8}(?: \d{1,2}(?:st|nd|rd|th)?)?)"
        ),
        importance=8,
    ),
    Slot(
        "home_city",
        re.compile(
            rf"\bI(?:'m| am|'ve| have)? (?:(?:currently|now|still|actually|just|recently|always|"
            rf"been) )?"
            rf"(?:live(?:d(?= [\w ,]{{2,60}} since\b))?|living|based|moved to|relocated to) "
            rf"(?:(?:here )?in )?{_PLACE}"
        ),
        importance=8,
    ),
    Slot(
        "home_city",
        re.compile(
            rf"\bI(?:'ve| have) (?:just |recently )?(?:moved|relocated) (?:from "
            rf"[A-Z]\w{{1,30}} )?to {_PLACE}"
        ),
        importance=8,
    ),
    Slot(
        "hometown",
        re.compile(
            rf"\bI (?:grew up in|was born in|was born and raised in|come from|am from|am "
            rf"originally from) {_PLACE}"
        ),
        importance=7,
    ),
    Slot("hometown", re.compile(rf"\bI'm (?:originally )?from {_PLACE}"), importance=7),
    Slot(
        "employer",
        re.compile(
            rf"\bI (?:(?:currently|now|still) )?(?:work|started working|started|started a "
            rf"new job) (?:for|at) {_PLACE}"
        ),
        importance=7,
    ),
    Slot(
        "employer",
        re.compile(
            rf"\bI(?:'ve| have)? (?:just )?(?:joined|got a job at|got hired at|accepted an "
            rf"offer from) {_PLACE}"
        ),
        importance=7,
    ),
    Slot(
        "occupation",
        re.compile(
            r"\bI (?:(?:currently|now|still) )?work(?:ed)? as (?:an? )"
            r"(?P<value>[a-z][a-z -]{2,40}?)(?= (?:at|for|in|with|and|near|since|on|from)\b|"
            r"[.,!;]|$)"
        ),
        importance=7,
    ),
    Slot(
        "occupation",
        re.compile(
            r"\bI(?:'m| am) an? (?P<value>(?:[a-z]{2,15} ){0,2}(?:teacher|nurse|doctor|"
            r"engineer|developer|programmer|designer|lawyer|student|writer|chef|cook|baker|"
            r"plumber|electrician|carpenter|architect|accountant|journalist|photographer|"
            r"musician|translator|librarian|farmer|pilot|dentist|vet|veterinarian|"
            r"pharmacist|psychologist|therapist|scientist|researcher|professor|manager|"
            r"consultant|analyst|mechanic|paramedic|firefighter|gardener|barista|tailor|"
            r"midwife|surgeon|historian|biologist|physicist|chemist|economist|social worker|"
            r"civil servant|data scientist|product manager))\b"
        ),
        importance=7,
    ),
    Slot(
        "diet",
        re.compile(
            r"\bI(?:'m| am|'ve been| have been|'ve gone| went) (?:(?:a|an|now|strictly|"
            r"mostly) ){0,2}(?P<value>vegan|vegetarian|pescatarian|gluten[- ]free|lactose "
            r"intolerant|coeliac|celiac|kosher|halal)\b"
        ),
        importance=8,
    ),
    Slot(
        "allergy",
        re.compile(
            r"\bI(?:'m| am) (?:\w{4,10}ly |very )?allergic to (?P<value>[a-z][a-z ]{2,30}?)"
            r"(?=[.,!;]|\b(?: and| so| but)\b|$)"
        ),
        importance=9,
    ),
    Slot(
        "allergy",
        re.compile(r"\bI have an? (?:severe |bad )?(?P<value>[a-z]{3,20}) allergy\b"),
        importance=9,
    ),
    Slot(
        "blood_type",
        re.compile(
            r"\b[Mm]y blood (?:type|group) is (?P<value>(?:A|B|AB|O|0)(?: ?[+-]| "
            r"(?:positive|negative))?)"
        ),
        importance=8,
    ),
    Slot(
        "{what}",
        re.compile(
            rf"\b[Mm]y (?P<what>wife|husband|partner|boss|manager|dentist|doctor|landlord)"
            rf"(?:'s name is| is called| is named|,)? {_PERSON_NAME}"
        ),
        "relationship",
        7,
    ),
    Slot(
        "favourite_{what}",
        re.compile(
            r"\b[Mm]y (?:all-time )?favou?rite (?P<what>[a-z]{2,20}(?: [a-z]{2,20})?) (?:is|"
            r"has always been|are) (?P<value>[^.,;!?]{2,60})"
        ),
        "preference",
        6,
    ),
    Slot(
        "native_language",
        re.compile(
            r"\b[Mm]y (?:native language|mother tongue|first language) is "
            r"(?P<value>[A-Z][a-z]{2,20})"
        ),
        importance=7,
    ),
    Slot(
        "nationality",
        re.compile(
            r"\bI(?:'m| am) (?P<value>German|Italian|French|Spanish|British|American|"
            r"Canadian|Australian|Swiss|Austrian|Dutch|Polish|Swedish|Danish|Norwegian|"
            r"Finnish|Irish|Scottish|Portuguese|Greek|Turkish|Indian|Chinese|Japanese|"
            r"Korean|Brazilian|Mexican)\b"
        ),
        importance=7,
    ),
    Slot(
        "marital_status",
        re.compile(r"\bI(?:'m| am) (?P<value>married|divorced|widowed|engaged|single)\b"),
        "relationship",
        7,
    ),
    Slot(
        "height",
        re.compile(
            r"\bI(?:'m| am) (?P<value>\d(?:[.,]\d{1,2})? ?(?:m|metres|meters|cm)|\d{3} ?cm) tall\b"
        ),
        importance=5,
    ),
    Slot(
        "shoe_size",
        re.compile(r"\b[Mm]y shoe size is (?P<value>(?:EU |UK |US )?\d{1,2}(?:\.5)?)"),
        importance=4,
    ),
)
