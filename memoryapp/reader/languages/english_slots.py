"""How people say in English what has one value at a time. Pure."""

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

_NOW = r"(?:(?:currently|now|still|just|recently|finally|actually|mostly|officially|also) ){0,2}"
_DAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days"
_DAYS = rf"{_DAY}(?:(?:,| and|, and| &) {_DAY}){{0,5}}"
_OWNED = Owned(
    my=r"\b(?:[Mm]y|[Oo]ur) (?:(?:new|current|present|own) )?",
    being=r"(?:is|are)(?: (?:now|currently|called|named|still)){0,2} ",
    article=r"(?:an?|the|my) (?:[a-z-]{2,15} ){0,3}",
    got=rf"\b(?:I|[Ww]e)(?:'ve| have)? {_NOW}(?:drive|bought|got|leased|picked up|use|have|"
    r"(?:sold|traded in|traded|swapped) (?:my|our|the) [\w -]{2,30}?(?: (?:for|and (?:bought|got))"
    r"(?: myself)?)|(?:switched|upgraded|changed|moved)(?: from [\w -]{2,30}?)? to)"
    r"(?: (?:myself|us|ourselves))? ",
)
_PEOPLE = {
    "doctor|family doctor|gp|GP|physician": "doctor",
    "dentist": "dentist",
    "vet|veterinarian": "vet",
    "therapist|psychologist": "therapist",
    "physio|physiotherapist": "physiotherapist",
    "hairdresser|barber": "hairdresser",
    "landlord|landlady": "landlord",
    "boss": "boss",
    "manager|line manager|team lead|supervisor": "manager",
    "coach|trainer|personal trainer": "trainer",
    "midwife": "midwife",
    "wife": "wife",
    "husband": "husband",
    "partner|girlfriend|boyfriend|fiancé|fiancée": "partner",
}
_THINGS = {
    "car": "car",
    "bike|bicycle": "bicycle",
    "phone|mobile|mobile phone|cell phone|smartphone": "mobile_phone",
    "laptop|computer": "computer",
    "gym": "gym",
    "bank": "bank",
    "employer|company": "employer",
}
_AMOUNTS = {"rent": "rent", "salary|pay": "salary", "weight": "weight", "budget": "budget"}
#: Tells of a value beside another, or of what is not always so.
BESIDE = re.compile(
    r"\b(?:also|too|as well|second|another|other|part[- ]time|side (?:job|hustle)|on the side|"
    r"sometimes|occasionally|at weekends|on weekends|in the evenings?|for fun|in addition|"
    r"temporarily|for (?:a|one|two|three|the) (?:days?|weeks?|months?|summer|semester)|"
    r"will|might|would|almost|nearly|want to|hope to|plan to|used to)\b",
    re.IGNORECASE,
)
#: Names behind "moved to" that are no places.
_NO_PLACE = (
    r"(?!(?:Linux|Windows|Macs?|macOS|Android|iOS|Python|Rust|Java|Go|Slack|Notion|Teams|Zoom|"
    r"Postgres\w*|AWS|Azure|Chrome|Firefox|Git\w*|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)(?:day)?\b)"
)

_PERSON_NAME = r"(?P<value>[A-Z][\w'’-]{1,30}(?: [A-Z][\w'’-]{1,30}){0,2})"
_PLACE = r"(?P<value>[A-Z][\w'’-]{1,30}(?:,? [A-Z][\w'’-]{1,30}){0,3})"

_RELATIVES = {
    "wife": "wife",
    "husband": "husband",
    "partner|girlfriend|boyfriend|fiancé|fiancée": "partner",
    "mother|mum|mom": "mother",
    "father|dad": "father",
}
_OF_RELATIVES = {
    "employer": rf"(?:{_NOW}works? {_NOW}(?:for|at)|(?:has )?{_NOW}started(?: working| a new "
    "job)? at"
    rf"|(?:has )?{_NOW}joined) {_PLACE}",
    "home_city": rf"(?:{_NOW}lives {_NOW}in|(?:has )?{_NOW}moved(?: back)?"
    rf"(?: from [A-Z]\w{{1,30}})? to) {_NO_PLACE}{_PLACE}",
    "occupation": rf"(?:{_NOW}works {_NOW}as|is {_NOW}) ?an? (?P<value>(?:[a-z]{{2,15}} ){{0,2}}"
    r"(?:teacher|nurse|doctor|engineer|developer|designer|lawyer|chef|cook|baker|plumber|"
    r"electrician|carpenter|architect|accountant|journalist|librarian|farmer|pilot|dentist|"
    r"pharmacist|psychologist|manager|consultant|mechanic|paramedic|gardener|midwife))\b",
}
KEYS = {
    **keys_of(_PEOPLE, _THINGS, _AMOUNTS),
    **keys_of_relatives(_RELATIVES, _OF_RELATIVES),
    "train_days": "training_days",
    "swim_days": "swimming_days",
    "run_days": "running_days",
    "dance_days": "dancing_days",
    "sing_days": "choir_days",
}

SLOTS = (
    *slots_of_relatives("[Mm]y", _RELATIVES, _OF_RELATIVES),
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
            r"\bI(?:'m| am) (?P<value>\d{1,2})(?: years old)?"
            r"(?=[.,!;](?!\d)|\s(?:and|years|now)\b|$)"
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
            rf"(?:(?:here )?in )?{_NO_PLACE}{_PLACE}"
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
        "home_city",
        re.compile(
            rf"\b(?:(?:I|[Ww]e)(?:'ve| have)? {_NOW}(?:moved|relocated)"
            rf"(?: back| house| home| out| over)?"
            rf"(?: from [A-Z]\w{{1,30}}(?: [A-Z]\w{{1,30}})?)? to|[Ww]e {_NOW}live in) "
            rf"{_NO_PLACE}{_PLACE}"
        ),
        importance=8,
    ),
    Slot("birthplace", re.compile(rf"\bI was born in {_PLACE}"), importance=7),
    Slot(
        "hometown",
        re.compile(
            rf"\bI (?:grew up in|was born and raised in|come from|am from|am "
            rf"originally from) {_PLACE}"
        ),
        importance=7,
    ),
    Slot("hometown", re.compile(rf"\bI'm (?:originally )?from {_PLACE}"), importance=7),
    Slot(
        "employer",
        re.compile(
            rf"\bI(?:'m| am|'ve| have)? {_NOW}(?:work|working|(?:started|start)(?: working| work|"
            rf"(?: an?| my| in my)? new (?:job|position|role)| as an? [a-z][a-z -]{{2,30}}?)?) "
            rf"(?:for|at|with) {_PLACE}"
        ),
        importance=7,
    ),
    Slot(
        "employer",
        re.compile(
            rf"\b(?:I(?:'ve| have)? {_NOW}(?:joined|(?:got|found|have|took) an? (?:new )?"
            rf"(?:job|position|role) (?:at|with)|got hired (?:at|by)|accepted an offer from|"
            rf"(?:changed|switched) jobs? (?:and (?:now )?(?:am |work )?(?:now )?(?:at|for)|to|"
            rf"from [A-Z]\w{{1,30}} to))|[Mm]y new job is (?:at|with)) {_PLACE}"
        ),
        importance=7,
    ),
    Slot(
        "occupation",
        re.compile(
            rf"\bI(?:'m| am|'ve been| have been| was| got)? {_NOW}"
            r"(?:work(?:ed|ing)? as|promoted to) (?:an? )?"
            r"(?P<value>[a-z][a-z -]{2,40}?)(?= (?:at|for|in|with|and|near|since|on|from)\b|"
            r"[.,!;]|$)"
        ),
        importance=7,
    ),
    Slot(
        "occupation",
        re.compile(
            rf"\bI(?:'m| am) {_NOW}an? "
            r"(?P<value>(?:[a-z]{2,15} ){0,2}(?:teacher|nurse|doctor|"
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
            r"\bI(?:'m| am|'ve been| have been|'ve gone| went|'ve become| have become| became|"
            r"'ve turned| turned| eat)(?: (?:an?|now|strictly|mostly|fully|back to being))*"
            r" (?P<value>vegan|vegetarian|pescatarian|flexitarian)\b"
        ),
        importance=8,
    ),
    Slot(
        "dietary_restriction",
        re.compile(
            r"\bI(?:'m| am|'ve been| have been|'ve gone| went) (?:(?:a|an|now|strictly|"
            r"mostly) ){0,2}(?P<value>gluten[- ]free|lactose intolerant|coeliac|celiac|kosher|"
            r"halal)\b"
        ),
        importance=8,
    ),
    Slot(
        "diet",
        re.compile(
            r"\bI {_NOW}(?:eat|started eating) (?P<value>meat)(?: again| now)\b".replace(
                "{_NOW}", _NOW
            )
        ),
        importance=7,
    ),
    Slot(
        "allergy",
        re.compile(
            r"\bI(?:'m| am) (?:\w{4,10}ly |very )?allergic to (?P<value>[a-z][a-z ]{2,30}?)"
            r"(?=[.,!;]|\b(?: and| so| but| since| from| ever| as)\b|$)"
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
            rf"'s name is {_PERSON_NAME}"
        ),
        "relationship",
        7,
    ),
    # Such a sentence tells something else of them.
    Slot(
        "",
        re.compile(
            r"\b[Mm]y (?:wife|husband|partner|boss|manager|dentist|doctor|landlord),? "
            rf"{_PERSON_NAME}"
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
    *slots_of(_OWNED, _PEOPLE, _THINGS, _AMOUNTS),
    Slot("weight", re.compile(rf"\bI {_NOW}weigh (?P<value>\d[\w. ]{{1,10}})(?=[.,;!]|$)")),
    days_of(
        r"\b(?:[Mm]y|[Oo]ur) (?:new )?(?P<what>[a-z]{2,20})(?: (?:class(?:es)?|lessons?|training|"
        r"practice|course|sessions?|rehearsals?|group|shifts?|days?))? (?:is|are|takes place)"
        r"(?: now)? (?:on )?",
        _DAYS,
    ),
    days_of(
        rf"\b(?:I|[Ww]e) {_NOW}(?:(?:usually|always) )?(?:go to|have|do|play|teach|attend)"
        r"(?: (?:the|my|an?|our))? (?P<what>(?!(?:every|each|always|"
        r"all)\b)[a-z]{3,20})(?: (?:class(?:es)?|lessons?|training|"
        r"practice))?(?: now)? (?:on )?",
        _DAYS,
    ),
    days_of(
        rf"\b(?:I|[Ww]e) {_NOW}(?:(?:usually|always) )?(?P<what>train|swim|run|dance|sing)"
        r"(?: now)? (?:on )?",
        _DAYS,
    ),
)
