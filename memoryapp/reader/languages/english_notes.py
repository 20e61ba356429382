"""How people tell of themselves in English notes. Pure."""

import re

from memoryapp.reader.languages.notes import Notes, rules, spellings

_COUNT = r"(?:\d{1,2}|an?|one|two|three|four|five|six|no)"
#: Adjectives and religions are spelled with a capital, as names are.
_NO_NAME = (
    r"(?!(?:I|[A-Z]\w{1,15}(?:ish|ese|nch|tch|lsh|iss|ech|eek|olic|stant|ndu|dhist|slim|heist|"
    r"eli|raqi|stani|ladeshi|ghan)|(?:Amer|Afr|Mex|Jama|Domin|Rican|Ital|Austr|Ind|Iran|Brazil|"
    r"Russ|Ukrain|Hungar|Bulgar|Serb|Croat|Belg|Norweg|Canad|Colomb|Niger|Ghan|Egypt|Syr|Alban|"
    r"Armen|Eston|Latv|Lithuan|Austral|Palestin|Peruv|Boliv|Chil|Venezuel|Argentin|Christ|As|"
    r"Europ|Ethiop|Keny|Indones|Malays|Cambod|Tunis|Alger|Moroc|Germ|Roman|Georg|Sloven|"
    r"Bosn|Ecuador|Cub|Leban)\w{0,4}ans?|Mr|Mrs|Ms|Dr|OK|ADHD|HR|Sure|Sorry|Same|Not|Nothing|"
    r"Still)\b)"
)
#: Who says "as a nurse, …" is one. "As a reminder" is nobody, and "as an expert" the assistant.
_ROLE = (
    r"an? (?!(?:[\w'-]{1,15} ){0,3}(?:reminder|answer|number|starter|dinner|order|matter|letter|"
    r"chapter|souvenir|favou?r|decor|filler|poster|expert|professional|assistant|kid|child|teen\w*|"
    r"writer|copywriter|marketer|specialist|consultant|advis[eo]r)\b)(?:[\w'-]{1,15} ){0,3}?"
    r"(?:[\w-]{1,15}(?:er|or|ist|ian|ant|man|woman|ee)|person|mum|mom|dad|mother|father|parent|"
    r"nurse|student|vegan|adult|bride|groom|cook|chef|pilot|guide|coach|native|diabetic|asthmatic|"
    r"coeliac|celiac|introvert|extrovert|apprentice|intern|judge|clerk|expat|veteran|vet|widow|"
    r"couple|family|midwife|au pair)\b(?! (?:would|should|could|can|must|is|are|was|has|means|"
    r"makes|takes)\b)"
)
_WHEN = (
    r"(?= (?:[\w'.:-]{1,20} ){0,6}?(?:tomorrow|tonight|today|(?:mon|tues|wednes|thurs|fri|satur|"
    r"sun)days?|(?:january|february|march|april|may|june|july|august|september|october|november|"
    r"december)|next week|\d{1,2}(?:st|nd|rd|th))\b)"
)
#: "Cancel the meeting" asks for something, and "my flight leaves" is a sentence.
_NO_EVENT = (
    r"(?!(?:an?|any|other|another|every|each|all|the|my|our|his|her|your|their|this|that|no|not|if|"
    r"is|are|am|on|at|in|of|as|and|it|i|book|cancel|plan|reschedule|move|schedule|add|set|find|"
    r"prepare|organi[sz]e|remind|create|note|invite|arrange|explain|update|upcoming|important|"
    r"summari[sz]e|write|draft|postpone|confirm|which|what|when|how|who|why|make|give|show)\b|"
    r"\w{1,15}'s )"
)
_EVENT = (
    rf"(?![aeiou]){_NO_EVENT}(?:[a-z][\w'-]{{1,15}} )?(?:meeting|appointment|interview|exam|"
    r"flight|surgery|operation|check-?up|scan|viewing|wedding|funeral|trip|date|test|lesson|class|"
    rf"rehearsal|hearing|deadline|viva){_WHEN}"
)
_VOWEL_EVENT = (
    rf"(?=[aeiou]){_NO_EVENT}(?:[a-z][\w'-]{{1,15}} )?(?:meeting|appointment|interview|exam|"
    rf"flight|operation|scan|test|lesson){_WHEN}"
)
NOTES = Notes(
    spelling=spellings(
        (r"\bim\b(?= \w)", "I'm"), (r"\bive\b", "I've"), (r"\bweve\b", "we've"),
        (r"\b(what|that|where|who|how|there|he|she)s\b(?= \w)", r"\1's"),
        (r",? (?:btw|by the way|lol|haha|tbh|ngl|lmao|fyi)(?=[,.!?]|$)", ""),
        (r"\b(?:me|i) and (my (?:[\w'-]{1,15} ){0,2}?[\w'-]{2,15})(?= (?:are|were|have|had|went|"
         r"live|"
         r"both|always|just|want|will|share|run|play|got|met|bought|love|like|work|moved|go)\b)",
         r"\1 and I"),
        (r"(?:(?<!.)|(?<=, )|(?<=and ))the (kids|twins|wife|missus|hubby)(?= (?:are|is|was|were|"
         r"has|"
         r"have|had|love|loves|like|likes|hate|hates|go|goes|eat|eats|need|needs|want|wants|don't|"
         r"doesn't|won't|can't|works|both|always|start|starts)\b)", r"our \1"),
        # "Hugo, my flatmate, moves out".
        (r"(?<!.)((?-i:[A-Z])[\w'-]{1,20}), ((?:my|our) (?:[\w'-]{2,15} )?(?:flatmate|roommate|"
         r"housemate|brother|sister|son|daughter|wife|husband|partner|boyfriend|girlfriend|cousin|"
         r"boss|colleague|neighbou?r|dog|cat|mum|mom|dad|mother|father|aunt|uncle|nephew|niece)), "
         r"(?=(?-i:[a-z]))", r"\2 \1 "),
        (r"(?<!.)the (dog|cat|puppy|kitten|rabbit|hamster|parrot|tortoise)(?:'s| is)(?= (?:called|"
         r"named|an? (?!animal|pet|danger)\w|allergic|diabetic|pregnant|\d{1,2})\b)", r"my \1 is"),
        (r"(?<!.)the (dog|cat|puppy|kitten|rabbit|hamster|parrot|tortoise)'s name(?= is\b)",
         r"my \1's name"),
        (r"\bthis (?=new (?:jobs?|school|course|class|gym|flat|apartment|house|boss|colleague|"
         r"dentist|doctor|neighbou?r|client)\b)|(?<=\bhad )this (?=\w{2,15} (?:for|since)\b)",
         "a "),
        (r"\b(do|does|did|is|are|was|were|have|has|had|ca|wo|could|would|should)nt\b", r"\1n't"),
        (r"\bgonna\b", "going to"), (r"\bgotta\b", "have to"), (r"\bwanna\b", "want to"),
        (r"\b(?:me|i) and ((?-i:[A-Z])[\w'-]{1,20})(?= (?:are|were|have|had|went|live|both|always|"
         r"just|want|will|share|run|play|got|met|bought|love|like|work|moved|go|gave|started|took|"
         r"decided|broke|split)\b)", r"\1 and I"),
        (r" (?:bc|cuz|coz|(?<!\bthe )(?<!\ba )(?<!\bno )cause(?= (?:i|i'm|it|it's|we|my|our|they|"
         r"he|she|of)\b))(?= )", " because"),
        (r"(?<=,) been (?=(?:in|at|with|on|an?) )", " I've been "),
        (r" (?:uh|um|erm|uhm|er),?(?= \w)", ""),
        (r",? (?:as|like) i (?:already )?(?:said|mentioned|told you)(?: before| earlier)?,?(?= "
         r"\w)", ""),
        # Who calls them so is their child.
        (r"(?:(?<!.)|(?<=, )|(?<=and )|(?<=but )|(?<=so ))(dad|mum|mom|mummy|mommy|daddy|nan|nana|"
         r"gran|granny|grandma|grandpa|grandad|hubby)(?='s (?:got|been|had|just|now|still|in|on|at|"
         r"\w{3,12}"
         r"ing)\b| (?:(?:\w{2,12}ly|just|now|still|also|always|never) )?(?:is|was|has|had|can't|"
         r"can|"
         r"won't|will|isn't|wasn't|hasn't|doesn't|didn't|wants|lives|works|needs|likes|loves|hates|"
         r"keeps|takes|turns|turned|went|got|fell|came|goes|gets|says|lost|moved|died|broke|"
         r"passed|started|stopped|retired)\b|'s (?:\d{1,3}(?:st|nd|rd|th)|birthday|surgery|wedding|"
         r"funeral|operation)\b)", r"my \1"),
        (r"\b((?:my|our) (?:[\w-]{2,15} ){0,2}[\w-]{2,15})'s(?= (?:been|got|had) )", r"\1 has"),
        (r"\b((?:my|our) (?:[\w-]{2,15} ){0,2}[\w-]{2,15})'s(?= (?:(?:just|now|still|also|not) )?"
         r"(?:\w{2,12}ing (?:an?|the|my|our|over|in|to|at|on|for|with|up|from|off|next|\d)|"
         r"allergic|pregnant|vegan|vegetarian|coeliac|celiac|diabetic|asthmatic|autistic|dyslexic|"
         r"deaf|blind|retired|unemployed|an? \w+|ill|in|on|at|from)\b|"
         r" (?:\d{1,3}|(?-i:[A-Z])[a-z]{1,12}(?:ian|ean|can|ish|ese|man|ch|qi|ni))"
         r"(?=[,.;!]|$| (?:and|but|so)\b))", r"\1 is"),
        (r"\banymore (?=(?:i|i'm|i've|we|we're|we've|my|our) )", "anymore, "),
        # Without a mark between two sentences: "what can I cook I'm vegan".
        (r"\b((?!(?:that|and|but|because|cause|cuz|since|so|if|when|whenever|as|like|say|said|says|"
         r"thinks?|thought|knows?|knew|sure|guess|feel|where|what|why|while|though|although|or|now|"
         r"than|how|until|then|not|still|means?|believe|hope|told|tells?|mentioned|considering|"
         r"seeing|given|whether|once|wish|\w{0,5}things?|ones?|the|which|who|whom|saying|assume|"
         r"forgot|forget|remember|reali[sz]ed?|of|yes|no|hi|hey|hello|well|ok|also|actually|me)\b)"
         r"[\w']{2,20}) (?=(?:i'm|i am) (?:an? (?!bit|little|lot)\w|\d\d\b|vegan\b|vegetarian\b|"
         r"pregnant\b|diabetic\b|coeliac\b|celiac\b|allergic to \w))", r"\1, "),
        (r"(?<!.)((?:i|i'm|i've|we|we're)\b (?!(?:think|know|hope|feel|guess|wish|mean|said)\b)"
         r"[^,.;:!?]{4,80}?)(?<!\bthat)(?<!\band)(?<!\bbut)(?<!\bbecause)(?<!\bsince)(?<!\bwhen)"
         r"(?<!\bwhile)(?<!\bwhere)(?<!\bif)(?<!\bso)(?<!\bas)(?<!\bthough)(?<!\bbefore)"
         r"(?<!\bafter) (?=i (?:work (?:as an?|nights|shifts|part[- ]?time|full[- ]?time)|"
         r"live (?:alone|on my own|with my))\b)", r"\1, "),
    ),
    name=re.compile(
        r"(?:(?i:i'm|i am|it's|this is|(?:my |the )?name(?:'s| is)|my name:|name:) "
        r"(?:(?i:called) )?"
        rf"{_NO_NAME}(?P<name>[A-Z][\w'’-]{{1,30}}(?: [A-Z][\w'’-]{{1,30}}){{0,2}})"
        r"(?: (?i:here))?(?=[,.!]|$| (?:and (?:i|my|everyone|people|friends)|but|from|here)\b)|"
        rf"{_NO_NAME}(?P<alone>[A-Z][\w'’-]{{1,30}}(?: [A-Z][\w'’-]{{1,30}})?)"
        r"(?: here(?=[,.!]|$)|(?=, \d\d(?:,|$))))"
    ),
    named="My name is {}",
    aged="I'm {}",
    being=rules(
        (r"(?=(?:an?|the|from|in|on|at|based|living|working|studying|married|single|divorced|"
         r"retired|vegan|vegetarian|diabetic|self-employed|unemployed|originally|currently|"
         r"recently|pregnant|allergic|\w{3,12}(?:ing|ed))\b)", "I'm "),
        (r"(?=\d{1,2} years old)", "I'm "),
        (r"(?=(?:\d{1,2}|two|three|four|five|no)\b)", "I have "),
        (r"(?=[aeiou])", "I'm an "),
        (r"(?=\w)", "I'm a "),
    ),
    completions=rules(
        (r"(?:as|being) (?:someone|somebody|a person|anyone) with ", "I have "),
        (rf"(?:as|being) ({_ROLE})", r"I'm \1"),
        (rf"({_EVENT})", r"I have a \1"),
        (rf"((?:an|another) {_EVENT})", r"I have \1"),
        (rf"(?:a )?({_VOWEL_EVENT})", r"I have an \1"),
        (r"((?:planning|intending|saving(?: up)?) to (?!ask\b|know\b)\w{2,12}\b)", r"I'm \1"),
        (r"((?:now|currently|still) (?:flying|moving|getting|training|preparing|planning|saving|"
         r"expecting|recovering|driving|sharing|looking after|learning|taking|doing|renting|on)\b)",
         r"I'm \1"),
        # "Moving to a new city is hard" is no note.
        (r"((?:flying|moving|travell?ing|going|heading|getting|turning|starting|driving|hosting|"
         r"visiting|"
         rf"leaving|having|seeing|meeting){_WHEN})(?![^.?!]{{0,80}}\b(?:is|are|was|were|has|had|"
         rf"makes?|"
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
        (r"the ((?:[\w-]{2,15} )?(?:appointment|flight|train|ferry|exam|interview|surgery|"
         r"operation|wedding|funeral|deadline|MOT|move|party|delivery|viewing|check-?up|scan|lease)"
         r"(?: (?:to|with|in|at|for|from) [\w'-]{2,20}){0,3}? (?:is|leaves|starts|begins|ends|"
         rf"takes place|(?:was|got|has been) (?:re)?(?:moved|scheduled)){_WHEN})", r"My \1"),
        (r"(last day(?: (?:at|of|in) (?:the |my )?[\w'-]{2,20})? is )", r"My \1"),
        (r"(want to (?!know\b|ask\b|see\b|check\b|find\b|make sure\b)\w{2,12}\b)", r"I \1"),
        (r"(born (?:in|on|and (?:raised|bred))\b)", r"I was \1"),
        (r"(been (?!there\b|a while\b|thinking\b|wondering\b|trying\b|asked\b|told\b|meaning\b|"
         r"so\b|great\b|fun\b|nice\b|good\b|busy\b|quite\b|a (?:long|busy|bad|good|hard)\b)\w)",
         r"I've \1"),
        (r"((?:choir|yoga|pilates|band practice|football|swimming|rehearsals?|training|piano|"
         r"book club|ballet|judo|karate)(?: (?:practice|lessons?|class|training))? (?:is|are) "
         rf"(?:now )?(?:on|at){_WHEN})", r"My \1"),
        (rf"({_COUNT} (?:\w+ )?(?:kids?|child(?:ren)?|sons?|daughters?|cats?|dogs?|brothers?|"
         r"sisters?|siblings|pets|allergies|years(?: of|') experience)"
         r"(?=[,.;!]|$| (?:and|with|in|aged|named|called|as)\b))", r"I have \1"),
        (r"(live (?:in|with|near|on|alone)|work (?:as|at|for)|have (?:an?|two|three|four|"
         r"\d{1,2}|no) \w|moved (?:to|from|in|out|back|house)|(?:can't|cannot|don't|never) "
         r"(?:eat|drink|drive|"
         r"smoke)|(?:was|am) (?:born|diagnosed|allergic|married|retired|laid off|fired|sacked|"
         r"made redundant|hired|promoted|raised|brought up|hospitali[sz]ed|engaged|"
         r"pregnant))\b", r"I \1"),
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
