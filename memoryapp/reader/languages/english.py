"""English words and patterns of the built-in reader. Pure."""

import re

from memoryapp.reader.languages.asking import ENGLISH as ASKING
from memoryapp.reader.languages.english_notes import NOTES
from memoryapp.reader.languages.english_person import agrees, narrate
from memoryapp.reader.languages.english_slots import BESIDE, KEYS, SLOTS
from memoryapp.reader.languages.language import Language
from memoryapp.reader.languages.plans import ENGLISH as PLANS
from memoryapp.reader.languages.pronouns import ENGLISH as REFERRING
from memoryapp.reader.languages.pronouns import ENGLISH_WITHIN as REFERRING_WITHIN
from memoryapp.reader.languages.topics import topics_of

#: Relatives, friends and superiors; whoever else belongs to somebody.
_CLOSE = (
    "mother mom mum mommy father dad daddy parents sister brother sisters brothers sibling "
    "siblings daughter son daughters sons child children kid kids baby wife husband spouse "
    "partner fiancé fiancée girlfriend boyfriend friend friends aunt uncle cousin cousins "
    "niece nephew grandmother grandma grandfather grandpa grandparents grandson granddaughter "
    "boss manager colleague colleagues"
).split()
_KIN = [
    *_CLOSE,
    *(
        "coworker neighbor neighbour roommate flatmate teacher coach mentor dog dogs puppy cat "
        "cats kitten pet pets horse rabbit parrot hamster family twins nan nana gran granny hubby "
        "fiance fiancee toddler stepmother stepfather stepmum stepmom stepdad stepsister "
        "stepbrother stepson stepdaughter nephews nieces landlord "
        "landlady therapist doctor dentist goddaughter godson godmother godfather grandad"
    ).split(),
]

ENGLISH = Language(
    name="english",
    user="The user",
    first_person=frozenset(
        "i i'm i've i'd i'll me my mine myself we we're we've we'd we'll us our ours "
        "ourselves".split()
    ),
    subjects=frozenset("i i'm i've i'd i'll we we're we've we'd we'll my our".split()),
    pronouns=frozenset("i we".split()),
    # No Italian article: "I miei genitori".
    own_pronoun=r"(?-i:I)(?:'m|'ve|'d|'ll)?(?= (?!\w{1,20}i\b)[a-z])|(?-i:we)(?= [a-z])",
    owners=frozenset("my our".split()),
    owner_within=1,
    no_subject=re.compile(
        r"(?:my|our) [^,]{2,30} (?:asked|asks|wonders|wants to know) (?:(?:me|us) )?(?:what|how|"
        r"who|"
        r"why|where|when|which)\b|"
        r"(?:(?:(?!growing up,? (?:i|we|my|our)\b|(?:being an?|having) [^,]{3,60}, (?:i|we|"
        r"my)\b)[a-z]{2,15}ing|almost|"
        r"for(?! \w{2,15},? "
        r"(?:i|we)\b)|like|than|as(?! of\b| an? [^,]{3,40},? (?:i|i'm|i've|we|my)\b)|so|such|that|"
        r"this|"
        r"which|who|to|what|good|"
        r"great|because|not|just like|especially|everything|nothing|anything|all|one)\b)",
        re.IGNORECASE,
    ),
    concerning=re.compile(
        # "Priya is my manager".
        r"(?!(?:it|this|that|he|she|what|who|there|where|here|these|those|they|you|i|we|my|our)\b)"
        r"(?-i:[A-Z])[\w'-]{1,20}(?: (?-i:[A-Z])[\w'-]{1,20})? (?:is|was) (?:my|our) |"
        r"(?:one|two|three|four|both|all|some|most|half|none|neither|each|everyone|everybody|"
        r"nobody|"
        r"no one|the (?:eldest|oldest|youngest|middle one))(?: (?:of|in|on|at))? (?:my|our) |"
        r"(?:an?|one|two|three|some) (?:\w{2,15} ){1,3}of (?:mine|ours) (?:is|are|has|have|was)\b|"
        # "Tom lent me his drill".
        r"(?!(?:it|this|that|he|she|what|who|there|where|here|these|those|they|you|i|we|my|our)\b)"
        r"(?-i:[A-Z])[\w'-]{1,20}(?: (?-i:[A-Z])[\w'-]{1,20})? (?:(?:has|have) )?(?:lent|lends|"
        r"gave|given|owes?|promised|bought|sent|taught|teaches|sold|borrowed|walks|feeds|waters|"
        r"minds|"
        r"babysits|looks after|takes care of) (?:me|us|my|our)\b",
        re.IGNORECASE,
    ),
    question=re.compile(
        r"(?:what|when(?! (?:i|we|my)\b)|where|who|whom|whose|which|why|how|do|does|did|"
        r"is|are|was|were|can|could|"
        r"will|would|should|have|has|had|may|might|am|any|isn't|aren't|don't|doesn't|didn't|can't|"
        r"couldn't|won't|wouldn't|shouldn't|wasn't|what's|where's|who's|how's|when's|shall)\b",
        re.IGNORECASE,
    ),
    request=re.compile(
        r"\b(?:please|pls|can you|could you|would you|will you|help me|let me know|tell me|show me|"
        r"give me|remind me|explain|i(?:'d| would)? (?:need|want|like|love) you(?:r)? |"
        r"i(?:'d| would) like (?:some|an?|your|to (?:know|ask|see|understand|"
        r"get (?:some|an?|your|the|more|this|help|advice|ideas|started)))\b|"
        # A task at a computer.
        r"i(?:'d| would)? (?:just )?(?:want|need|like) to [a-z]{2,12} (?:[\w'-]{1,15} "
        r"){0,3}?(?:files?|"
        r"folders?|scripts?|lists?|columns?|rows?|tables?|cells?|functions?|code|servers?|ports?|"
        r"buttons?|images?|lines?|strings?|arrays?|loops?|variables?|values?|quer(?:y|ies)|"
        r"databases?|"
        r"branch(?:es)?|commits?|containers?|documents?|spreadsheets?|formulas?|links?|urls?)\b|"
        r"i (?:just )?(?:need|want) (?:some |a |an |the |your |to (?:know|ask|understand|figure|"
        r"write|convert|fix|find out|see if|make sure|check|create|generate|sort|parse|calculate|"
        r"draft|translate|compare|implement|print|replace|format)\b)|"
        r"i(?:'m| am) (?:looking for|trying to(?! (?:lose|cut|quit|stop|give up|learn|eat|drink|"
        r"save|"
        r"get (?:pregnant|fit|healthy|sober)|conceive|reduce|gain|become|spend|live|be more)\b)|"
        r"getting an? (?!new\b|divorce|promotion|raise\b|degree|dog\b|puppy|cat\b|kitten|tattoo|"
        r"car\b)|"
        r"wondering|curious|asking|having trouble|"
        r"stuck|writing an? (?:email|letter|function|script|essay|story|query))|"
        r"(?<=\bso )(?:don't (?:suggest|recommend|give|use|tell|show|make|include|mention|ask|send|"
        r"put|add|"
        r"assume)|keep (?:it|things|them)|make (?:it|sure|them)|avoid|skip|leave out|stick to|"
        r"suggest|recommend|push (?:the|my|our)|move (?:the|my|our)|book|cancel|reschedule|swap|"
        r"remind|find)\b|"
        r"i (?:was|am) wondering|i wonder|i (?:get|got|keep getting) (?:an?|this|the) "
        r"(?:\w+ )?error|"
        r"how (?:do|can|should) i|what should i|should i|let's|let us|thank you|thanks)\b",
        re.IGNORECASE,
    ),
    asking=ASKING,
    hypothetical=re.compile(
        r"\b(?:i (?:was|am) (?:(?:only|just) )?(?:joking|kidding)|i'm (?:only|just) (?:joking|"
        r"kidding)|imagine|suppose|supposing|pretend|let's say|what if|as though|might|"
        r"could|(?<!\bin )(?<!\bof )(?<!\bby )(?<!\blast )(?<!\bnext )(?<!\bsince )(?<!\d )"
        r"(?-i:may)(?! \d)|maybe|perhaps|probably|possibly|wish|"
        r"would(?! (?:like|love|prefer|rather))|"
        r"should|guess|hopefully|i hope|hoping|dreamt|dreamed|in my (?:dream|story|novel|game)|"
        r"my character|hypothetically|not sure|supposedly|apparently|i feel like|almost "
        r"(?:bought|moved|"
        r"went|got)|was going to|were going to|used to think|thinking of|thinking about|"
        r"considering|"
        r"we (?:all|both|can|talked|chatted|spoke|last|caught up)|since we|each ?other|"
        r"one another|teammates|"
        r"together,? we)\b",
        re.IGNORECASE,
    ),
    conditional=re.compile(r"\b(?:if|unless|whether)\b", re.IGNORECASE),
    addressing=re.compile(
        r"\b(?:you|your|yours|yourself|you're|you've|you'd|you'll|u|ur|y'all)\b", re.IGNORECASE
    ),
    task=re.compile(
        r"(?:(?:please|pls|hey|hi|ok|okay|can you|could you|would you|help me(?: to)?|now|"
        r"i need you to|i want you to),? ){0,3}(?:write|rewrite|translate|proofread|rephrase|"
        r"paraphrase|summari[sz]e|draft|compose|correct|fix|edit|improve|pretend|imagine|act as|"
        r"role-?play|simulate|convert|continue|complete|finish|analy[sz]e|polish|"
        r"shorten|expand|reply|"
        r"respond|refactor|debug|explain|parse|classify|extract|generate|turn this|you "
        r"are (?:now )?an?|"
        r"from now on you are|(?:here is|here's|this is) (?:an?|the|my) (?:email|text|"
        r"letter|draft|story|"
        r"review|code|message|essay|paragraph|function))\b",
        re.IGNORECASE,
    ),
    opener=re.compile(
        r"(?:(?:hey|hi|hello|hiya|howdy|good (?:morning|afternoon|evening)|morning|greetings|hey "
        r"there|hi there|hello there|scratch that|my bad|my mistake|yeah|yep|yes|yup|yea|no|nope|"
        r"nah|well|oh|wow|so|and|but|or|"
        r"also|plus|ok|okay|alright|basically|"
        r"thanks|thank you|thx|sure|totally|absolutely|definitely|exactly|actually|anyway|anyways|"
        r"honestly|ngl|bro|bruh|dude|mate|literally|haha|lol|ah|aw|aww|hmm|um|uh|erm|"
        r"let me (?:think|see)|cool|great|nice|awesome|btw|by the way|fyi|"
        r"for context|for your information|just so you know|you know(?: what)?|guess what|i mean|"
        r"to be honest|tbh|of course|right|true|good news|as you know|as i said|like i said|"
        r"as i mentioned|between (?:you and me|us)|one more thing|another thing|in fact|i have "
        r"to say|i must say|i think|"
        r"i believe|i'd say|speaking of which|some background|a bit about me|quick intro|"
        r"sorry(?! (?:to|for)\b)|"
        r"sorry (?:to|for) (?:bother|disturb|troubl|ask)\w*(?: you)?(?: again)?(?:,? but)?|"
        r"(?:i'm |i am )?not sure (?:if|whether) (?:this|that|it) (?:matters|helps|is "
        r"\w{4,12}),? but|"
        r"i was (?:just )?(?:wondering|hoping) (?:(?:if|whether|that) )?you (?:could|can|might) "
        r"(?:help|assist)(?: me)?(?: out)?(?=[,:.])|"
        r"(?:i(?:'ve got| have) )?a (?:quick |small |silly )?question(?=[,:])|"
        r"if (?:it|that|this) (?:helps|matters)(?=[,:])|"
        r"i didn't mean [^,.!?:]{2,40}(?=, (?:i|i'm|we|we're|my|our)\b)|"
        r"for me(?=,? (?:i|i'm|i've)\b)|i meant(?: to say)?|(?:it )?turns out(?: that)?|"
        r"wrong(?=[,.!])|on another note|in the "
        r"meantime|on the bright side|"
        r"still|then|though|luckily|"
        r"fortunately|unfortunately|sadly|i know|the thing is|"
        r"dear (?:sir or madam|sir|madam|assistant|team|all|friend)|"
        r"i (?:said|told you|thought|mentioned) [^,.!?]{3,80}, but (?:actually|it turns out|"
        r"in fact|"
        r"really)(?: that)?|"
        r"(?:(?:you should know|i (?:should|must|forgot to|wanted to)(?: (?:perhaps|probably|maybe|"
        r"also|just))? (?:mention|say|add|tell you|point out)|"
        r"i (?:(?:already|just) )?(?:said|told you|mentioned)|(?:it )?might help to know|in case "
        r"it (?:helps|matters)|just to (?:say|mention)|worth knowing|important|"
        r"(?:one|another) (?:detail|fact|thing))(?:(?: that)?(?= (?:i|i'm|i've|my|we|our)\b)|"
        r"(?=[:,])))|"
        r"(?:(?:just )?a )?(?:quick|small|short|little) (?:update|change|correction|note|one|thing|"
        r"question)(?=:)|"
        r"(?:(?:please )?(?:forget|ignore|disregard|scratch) (?:what i (?:said|wrote|told you|"
        r"mentioned)|the (?:bit|part|thing|stuff) (?:about|where)|that)|"
        r"never mind(?: (?:what i (?:said|wrote|told you|mentioned)|the|that|my))?)"
        r"(?: [^,.!?:]{2,40})?(?=[,.!:])|"
        r"(?:(?:now )?in english|update|correction)(?=:)|"
        r"(?:i (?:was|(?:got|had) (?:that|it|this)) wrong|i made a mistake|i misspoke|my mistake)"
        r"(?: (?:before|earlier|just now|above|yesterday))?(?=[:,.]))"
        r"(?:[,:!.…]|\s?[-–—])?\s+|"
        r"(?:(?:that|this|it)(?:'s| is) (?:just |simply |all |completely |totally )?(?:wrong|"
        r"not (?:true|right|correct|so)|untrue|false|incorrect|a mistake|nonsense))"
        r"(?:[,;:!.…]|\s?[-–—])\s+)",
        re.IGNORECASE,
    ),
    pointer=re.compile(
        # "They/them" are pronouns that somebody goes by.
        r"\b(?<!/)(?:it|it's|it'll|it'd|its|itself|these(?! days\b)|"
        r"this(?! (?:week|weekend|month|year|morning|"
        r"afternoon|evening|spring|summer|autumn|fall|winter|(?:mon|tues|wednes|thurs|fri|satur|"
        r"sun)day)\b)|that's|those|there's|here's|"
        r"that (?:is|was|has|had|will|would|can|could|makes|made|means|meant|way|one|"
        r"kind|time|day)|"
        r"(?:like|about|of|for|with|after|do|did|doing|all|love|loved|than|to) that(?=[.,!;]|$)|"
        r"he|he's|she|she's|they|they're|they've|him|them|his|hers?|theirs?|there|here)\b(?!/)",
        re.IGNORECASE,
    ),
    personal=frozenset(
        "he he's she she's they they're they've him them his her hers their theirs".split()
    ),
    referring=REFERRING,
    referring_within=REFERRING_WITHIN,
    places=frozenset(["there"]),
    clause=re.compile(
        r"(?:,|;|\s[-–—]|\()\s?|\s(?=(?:and|but|so|because|since|which|when|while|though|although|"
        r"as|where|until)\s)",
        re.IGNORECASE,
    ),
    joint=re.compile(
        r",? (?:and|but) |; (?:(?:and|but) )?|"
        r", (?=(?:(?:now|nowadays|these days|currently|at the moment) )?"
        r"(?:i|i'm|i've|we|we're|we've|my|our|he|he's|she|she's|they|they're)\s)",
        re.IGNORECASE,
    ),
    dependent=re.compile(
        r"\b(?:that|because|when|while|who|whom|whose|which|where|although|though|whereas|if|than|"
        r"(?:since|after|before|until|till|as|like|so|how|what|why) (?:i|i'm|i've|my|we|our|the)|"
        r"says?|said|thinks?|thought|believes?|believed|tells?|told|claims?|claimed|heard|hear|"
        r"hopes?|hoped|knows?|knew|feels?|felt|means?|meant|realised|realized|dream(?:s|ed|t)?|"
        r"too|also|as well|either|neither|both|same|so (?:do|does|did|is|am|are|have|has)|"
        r"respectively|there|then|instead|otherwise)\b|"
        # "… but we've got two".
        r"\b(?:got|have|had|want|need|bought) (?:one|two|three|four|some|none|both|any)"
        r"(?: (?:anyway|now|already|though|still))?(?=[.,;!]|$)",
        re.IGNORECASE,
    ),
    agrees=agrees,
    present=re.compile(
        r"(?:\b(?:is|are|am|starts|begins|ends|opens|closes|leaves|arrives)|'(?:re|m))\b",
        re.IGNORECASE,
    ),
    having=re.compile(
        r"\b(?:i|we)(?:'ve)?(?: (?:also|just|recently|finally|have|had|got|adopted|bought|own|"
        r"rescued)){1,3} (?:an?|one) (?:[\w'-]{2,15} ){0,3}$"
    ),
    naming=frozenset(["name"]),
    copulas=frozenset("is are was were has have had isn't aren't wasn't".split()),
    reminder=re.compile(
        r"(?:please )?(?:remember|don't forget|do not forget|keep in mind|note|bear in mind|"
        r"for the record|make a note)(?: for (?:later|next time|the future))?"
        r"(?:,? that\b|[:,]|(?= (?:i|i'm|my|we|our)\b))\s?",
        re.IGNORECASE,
    ),
    taste=re.compile(
        r"i(?: (?:really|always|usually|generally|absolutely|also|do|much))*"
        r"(?: (?:prefer|like|love|enjoy|hate|dislike|adore|detest|avoid|can't stand|cannot stand)|"
        r" (?:don't|do not|never|only) (?:really )?(?:like|enjoy|eat|drink|smoke|use|watch|do|"
        r"drive|own|speak|cook|wear|celebrate|trust))"
        r" (?!the\b|this\b|that\b|these\b|those\b|it\b|them\b|your?\b|how\b|what\b|when\b|"
        r"where\b|if\b|to (?:know|see|hear|ask|think)\b)[\w“\"'’]",
        re.IGNORECASE,
    ),
    standing_wish=re.compile(
        r"(?:please )?(?:always|never|from now on,?|in (?:the )?future,?|going forward,?)\b"
        r"(?: please)? [^.!?]{0,40}\b(?:answer|reply|respond|write|use|call me|address me|keep|"
        r"speak|explain|give|be|sign|start|begin|end|include|"
        r"add|avoid|show|round|format|list)\b|"
        r"i(?:'d| would) (?:rather|prefer(?: it)?(?: if)?) you (?:didn't|did not|don't|never|"
        r"always|only|just|call(?:ed)?|address(?:ed)?|spoke|wrote|used|kept)\b|"
        r"i(?:'d| would) (?:rather|prefer to) be (?:called|addressed)\b|"
        r"(?:please )?(?:stop|quit) (?:using|adding|writing|calling|giving|starting|ending|"
        r"apologi[sz]ing|asking|repeating)\b|"
        r"(?:please )?(?:call|address) me (?:please )?(?-i:[A-Z])|"
        r"(?:please )?(?:don't|do not) call me \w|"
        r"(?:please )?(?:don't|do not|never) (?:suggest|recommend|offer|use|add|include|put) "
        r"(?:me )?(?:anything|any|recipes|dishes|meals|food)\b[^.!?]{0,30}\b(?:with|containing|"
        r"that)\b|"
        r"(?:(?:can|could|would) you )?(?:please )?keep (?:(?:all|your|the) )*"
        r"(?:answers|replies|responses|messages) [a-z]",
        re.IGNORECASE,
    ),
    standing=re.compile(
        r"i'm on (?:call|nights|benefits|(?:\w{3,10} )?leave)\b|"
        r"(?:i'm|i am|we're|we are|i (?:was never|never was)|i(?:'ve| have) never been) "
        r"(?!(?:so|too|very|really|just|here|there|back|fine|ok|okay|"
        r"good|"
        r"well|sure|unsure|ready|done|sorry|tired|happy|sad|glad|bored|lost|stuck|confused|curious|"
        r"afraid|worried|busy|late|hungry|cold|not|going|trying|having|getting|doing|using|"
        r"thinking|asking|feeling|seeing|saying|talking|all|in|on|at|with|off|out|new|"
        r"\w{2,12}ing|impressed|interested|excited|surprised|amazed|pleased|aware|open|terrified|"
        r"scared|nervous|exhausted|a (?:bit|little|lot))\b)"
        r"(?:an? )?\w{3}|i'm (?:a (?:bit|little) )?(?:(?:short|long|near|far)[ -]?sighted|"
        r"hard of hearing)|i'm on \d|i'm (?:scared|terrified|afraid) of (?!you|it\b|this\b|that\b|"
        r"the\b)|"
        r"i can(?:'t|not) (?:do|make) (?:mon|tues|"
        r"wednes|"
        r"thurs|fri|satur|sun)days\b|"
        r"(?:i|we) (?:support(?! (?:all|both)\b)|sing|play|dance|teach|coach|volunteer|commute|"
        r"swim|practi[sc]e|own|rent|"
        r"collect|"
        r"breed|knit|row|ski|surf|farm|babysit|foster|revise|snore|vape|share) (?!you|it\b|this\b|"
        r"that\b|the\b)|"
        # What happens in a life, however briefly it is told.
        r"(?:i|we)(?:'ve| have)?(?: (?:just|recently|finally|already))? "
        r"(?:(?:bought|sold|adopted|inherited|rented) (?:an?|our|my|two|three) \w|"
        r"(?:got|started|quit|left|found|lost) (?:(?:an?|my|our|the) )?(?:(?:new|first|old) "
        r")?(?:job|"
        r"therapy|school|uni|university|business|company|degree|course|apprenticeship|phd|chemo|"
        r"treatment|dog|cat|puppy|kitten|car|house|flat|apartment|divorced|engaged|married|"
        r"pregnant|"
        r"promoted|fired|sober|driving licen[cs]e)\b|"
        r"(?:had|lost) (?:(?:an?|our|my|the) )?(?:baby|twins|miscarriage|stroke|heart attack|"
        r"surgery|"
        r"operation|accident)\b|"
        r"broke (?:my|an?|both) (?:\w+ )?(?:arm|leg|foot|ankle|wrist|hand|finger|toe|hip|nose|rib|"
        r"collarbone|back|knee)s?\b|(?:passed|failed) (?:my|our|the) (?:[\w-]+ ){0,2}?(?:tests?|"
        r"exams?|"
        r"course|finals|a-levels|gcses|viva|bar)\b|joined an? (?:\w+ )?(?:choir|club|gym|team|band|"
        r"church|union|course|class|orchestra)\b|"
        r"(?:retired|graduated|emigrated|divorced|separated|remarried|studied|majored)\b|"
        r"used to (?!think|be able|know\b|get\b)\w{2})|"
        r"(?:i|we) (?:drive an? \w|weigh \w|wear \w|speak (?!of\b|to\b|with\b)\w|"
        r"play the (?!game\b|video\b|song\b)\w|snore|stutter|stammer)|"
        # An illness.
        r"i(?:'ve got| have) (?:(?:adhd|asd|ocd|ptsd|ibs|ibd|pcos|hiv|copd|bpd|cfs)\b|"
        r"[a-z]{3,20}(?:itis|osis|a?emia|algia|phobia)\b|[\w' -]{3,30} (?:syndrome|disease|"
        r"disorder)\b)|"
        # What somebody aims at; "I want to move the file" is a task.
        r"(?:i(?:'d| would)(?: \w{2,10})? (?:love|like) to|(?:i|we)(?: \w{2,10})? (?:want|plan|"
        r"intend|"
        r"hope) to|(?:i'm|i am|we're|we are) (?:planning|hoping|aiming|saving(?: up)?) to) "
        r"(?:learn|"
        r"become|visit|travel|quit|give up|retire|study|climb|swim|emigrate|adopt|lose (?:weight|"
        r"\d)|"
        r"run (?:an?|my|the|\d+) (?:\w+ )?(?:marathon|race|\d+k|business|café|cafe|shop)|"
        r"move (?:to|in with|out|abroad|house|back)\b|save(?: up)? (?:for|money|enough)|"
        r"stop (?:smoking|drinking|eating|biting|vaping|working|gambling)|"
        r"(?:start|open) (?:an?|my|our)(?: own)? (?:\w+ )?(?:family|business|company|shop|café|"
        r"cafe|"
        r"restaurant|bakery|studio|practice|charity|blog|band|garden|phd)|throw (?:\w+ ){1,4}party|"
        r"(?:finish|publish|write) (?:an?|my|our) (?:\w+ )?(?:degree|phd|thesis|book|novel|memoir)|"
        r"pass (?:my|the) (?:\w+ )?(?:exam|test|course)|"
        r"get (?:down to \d|back into (?!the\b)|married|fit\b|pregnant|promoted|divorced|sober|"
        r"(?:an?|my|our) (?:\w+ )?(?:job|degree|dog|puppy|cat|kitten|house|flat|car|motorbike|"
        r"licen[cs]e|promotion|tattoo|visa|mortgage|phd)))\b|"
        r"(?:i'm|i am|we're|we are) getting (?:an? )?(?:divorced?|married|engaged|tattoo|puppy|dog|"
        r"cat|kitten)\b|"
        # Habits.
        r"(?:i|we) (?:usually|always|often|normally|typically|rarely|mostly|regularly) (?!(?:get|"
        r"feel|think|thought|want|wanted|wonder|wondered|forget|know|knew|seem|"
        r"end)\b)[a-z]{2,12} \w|"
        r"(?:i|we) (?!(?:get(?! up\b)|see|got|have|had|need|want)\b)[a-z]{2,12} (?:[\w'-]{1,20} "
        r"){0,10}?"
        r"(?:every|each|(?:once|twice|\w{3,6} times|\d days) (?:a|per|every)) (?:day|week|month|"
        r"year|"
        r"morning|evening|night|weekend|summer|winter|(?:mon|tues|wednes|thurs|fri|satur|"
        r"sun)day)\b|"
        r"(?:i|we) (?:don't|do not|never|no longer) (?:drive|smoke|drink|cook|swim|dance|travel|"
        r"fly)\b|"
        r"(?:my|our) (?:jobs?|hobby|hobbies|goals?|dreams?|budget|height|weight|"
        r"diet|religion|pronouns|favou?rites?(?: [a-z]{2,15}){0,2}|hometown|major|phone|laptop|"
        r"car|bike) (?:is|are)\b|"
        r"(?:i|we)(?:'ve| have) never (?:been|had|eaten|driven|lived|owned|learned|learnt|flown|"
        r"worked)\b|(?:i|we) can only\b|(?:i|we) (?:can't|cannot) (?:eat|drink|lift|drive|swim|"
        r"walk|run|"
        r"bend|hear|cook|smell|taste|ride|fly|afford|have|tolerate|digest|kneel)\b|(?:i|"
        r"we)(?:'ve got| have) (?:an?|two|three|four|five|six|\d{1,3}) "
        r"(?!(?:\w{1,12} )?(?:questions?|problems?|ideas?|issues?|errors?|doubts?|requests?|"
        r"moments?|minutes?|hours?|feeling|look|plan|lists?|files?|texts?|tasks?|bugs?|lot|bit|"
        r"few)\b)",
        re.IGNORECASE,
    ),
    feelings=frozenset(
        "awesome amazing great wonderful fantastic incredible cool nice lovely "
        "beautiful glad happy "
        "thanks thank congrats congratulations wow super fun excited proud inspiring "
        "sounds totally "
        "agree absolutely definitely exactly sure yeah haha lol hope wish luck "
        "appreciate kind sweet "
        "feel feels feeling special sorry important means support care miss fab yay aw".split()
    ),
    hedges=frozenset(
        "think guess maybe perhaps probably kinda sorta somehow something someday sometime stuff "
        "things anything whatever idk seems".split()
    ),
    leading=re.compile(
        r"(?:as an?|since|due to|because of|with|without|thanks to|after|before|during|for|in|at|"
        r"on|"
        r"most|usually|normally|sometimes|often|lately|these days|right now|at the moment|"
        r"currently)"
        r"(?! (?:what|which|whom?|how|when|that|if|whether|i|you)\b)(?: [\w'-]{1,20}){0,6}?,? "
        r"(?=(?:i|i'm|i've|we|we're|we've|my|our)\b)",
        re.IGNORECASE,
    ),
    passing=re.compile(
        r"(?:i'm|i am|we're|we are) (?:(?:just|still|currently|right now) )?(?:at|in|on) "
        r"(?:the|an?) (?:[\w-]{2,15} ){0,2}(?:airport|station|supermarket|store|shop|restaurant|"
        r"café|cafe|queue|bus|train|plane|car|kitchen|bath|bathroom|toilet|garden|park|beach|"
        r"meeting|call|lecture)\b|"
        r"(?:i|we)(?:'ve got| have| only have) (?:\w{1,12} ){1,8}(?:in the (?:fridge|freezer|"
        r"pantry|"
        r"cupboard)|left over|to hand)\b|"
        r"i (?:(?:don't|do not) )?(?:really |quite |still )?(?:like|love|prefer|hate) (?:that|"
        r"this|the|"
        r"your|these|those) (?:[\w-]{2,15} )?(?:version|one|ones|draft|answer|idea|suggestions?|"
        r"options?|style|wording|title|text|poem|list|response|tone|intro)\b|"
        r"i(?:'ve got| have) an? (?:(?:bit of an?|bad|terrible|splitting|slight|massive) "
        r")?(?:headache|"
        r"hangover|cold|cramp|sore throat|stomach ?ache|craving)\b(?! (?:every|for|since|all)\b)|"
        r"(?:i'm|i am|we're|we are) (?:all )?(?:out of|running (?:late|out)|in a (?:hurry|rush)|"
        r"on (?:my|"
        r"our) way|about to)\b|"
        r"i(?:'ve got| have| need) to (?:\w{2,12} ){1,5}in (?:\w{2,8} )?(?:minutes|half an hour|"
        r"an hour)\b|"
        r"i have no (?:idea|clue|plan|time|energy)\b|"
        r"(?:i'm|i am|we're|i feel|i felt|i was|i've been|(?:my|our) \w{2,12} (?:is|are|was|were|"
        r"feels?|felt))"
        r"(?: feeling)?(?: (?:so|really|very|just|a bit|a little|pretty|quite|kind of|kinda|"
        r"super|too))* "
        r"(?:(?:scared|terrified)(?! of\b)|tired|sad|happy|low|down(?! to \d)|sick|ill|hungry|"
        r"bored|lonely|"
        r"stressed|exhausted|nervous|"
        r"anxious|angry|annoyed|upset|cold|hot|busy|off|good|great|bad|awful|terrible|better|"
        r"worse|fine|ok|okay|excited|worried|frustrated|overwhelmed|grumpy|sleepy|"
        r"devastated|thrilled|gutted)\b",
        re.IGNORECASE,
    ),
    lasting=frozenset(
        "live lives work works working job own have has had bought moved moving born "
        "grew graduated "
        "studied studying study married engaged divorced started joined adopted got decided plan "
        "planning planned signed enrolled allergic vegetarian vegan diagnosed favourite favorite "
        "love loves enjoy hate prefer always never since years usually every week month weekly "
        "daily went visited trip travel travelled traveled won ran finished completed read reading "
        "painting playing play learned learning teach training volunteer volunteered took cooked "
        "baked made built wrote written published opened launched attended met birthday".split()
    ),
    kin=frozenset(_KIN),
    past=re.compile(
        r"\b(?:(?:my|our) \w{2,12} (?:put|let|cut|hit)|was|were|had|did|went|"
        r"(?<!'ve )(?<!\bhave )(?<!'s )(?<!\bhas )got|came|saw|"
        r"made|took|gave|found|met|bought|felt|had|"
        r"(?<!my )(?<!the )left|won|ran|told|said|thought|began|became|brought|built|chose|ate|"
        r"drove|flew|grew|heard|kept|(?<!\bto )quit|"
        r"(?:i|we|he|she|they)(?: just)? called|"
        r"knew|lost|paid|sold|sent|spent|taught|wrote|woke|swam|rode|broke|fell|held|led|slept|"
        # "Is called" is how things are, and "need" is no form of the past.
        r"(?<!\bis )(?<!\bare )(?<!\bam )(?<!'s )(?<!'m )(?<!'re )(?<!\bis also )(?<!\bis now )"
        r"(?<!\bbe )(?<!\bget )(?<!\bgets )(?<!-)"
        r"(?!(?:need|feed|seed|weed|breed|speed|exceed|succeed|proceed|hundred|indeed|"
        r"naked|sacred|sighted|(?:called|named)(?= (?-i:[A-Z]))|"
        r"shed|sled)\b)[a-z]{2,20}ed)\b",
        re.IGNORECASE,
    ),
    future=re.compile(
        r"(?:\A(?:and |then )?starting (?:at|in|on|as|with|an?|my|our|next)\b|"
        r"\b(?:will|won't|shall|gonna|about to|plan(?:s|ning)? to|(?:am|are|is) going)|"
        r"'ll|'(?:m|re|s) going|(?:\bam|\bare|\bis|'m|'re|'s) (?:getting|having|moving|flying|"
        r"expecting|travell?ing|starting|turning|leaving|coming|visiting|driving|taking|seeing|"
        r"meeting|hosting|running|spending|due|[a-z]{2,12}ing (?:on|next|in)(?! \w{3,20}ing\b)))\b",
        re.IGNORECASE,
    ),
    preference=re.compile(
        r"\b(?:love|like|enjoy|prefer|hate|dislike|favou?rite|can't stand|adore|fond of|a fan of|"
        r"(?:am|is|are|been|really|got|i'm) into|rather|don't like|don't drink|"
        r"don't eat|passion|passionate)\b",
        re.IGNORECASE,
    ),
    decision=re.compile(
        r"\b(?:decided|chose|chosen|going with|made up my mind|settled on|opted|picked|agreed to|"
        r"accepted)\b",
        re.IGNORECASE,
    ),
    relationship=re.compile(
        r"\b(?:my|our) (?:\w+ ){0,2}(?:" + "|".join(_CLOSE) + r")"
        r"(?:'s name)? (?:is|are|was|lives|works|and i (?:met|got|have been)|called|named)\b|"
        r"\b(?:married|engaged|dating|divorced|friends with|broke up)\b",
        re.IGNORECASE,
    ),
    topics=topics_of("english", _KIN),
    plans=PLANS,
    notes=NOTES,
    slots=SLOTS,
    keys=KEYS,
    beside=BESIDE,
    narrate=narrate,
    formerly=re.compile(r"(?:previously|formerly|in the past)\b,?\s", re.IGNORECASE),
    asked_wish=re.compile(
        r"(?:please )?(?:can|could|would|will) you (?:please )?(?:always|never|from now on)\b,? \w",
        re.IGNORECASE,
    ),
    unresolved=re.compile(
        r"\b(?:i|i'm|i've|i'd|i'll|me|my|mine|myself|we|we're|we've|us|our|ours|"
        r"ourselves|yesterday|"
        r"today|tomorrow|tonight|(?:last|next|this|past) (?:night|morning|afternoon|evening|week|"
        r"weekend|month|year|spring|summer|fall|autumn|winter|monday|tuesday|wednesday|thursday|"
        r"friday|saturday|sunday|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)|ago|it|it's|it'll|you|"
        r"your|you're|this (?:is|was|has|one)|this(?=[.,!?]|$)|"
        r"that's|that(?=[.,!?]|$)|these (?:are|were)|those (?:are|were)|the other day|this time)\b",
        re.IGNORECASE,
    ),
)
