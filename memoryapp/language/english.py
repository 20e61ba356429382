"""Vocabulary of English. Pure."""

import re

from memoryapp.language.command_words import CommandWords
from memoryapp.language.denial_words import BETWEEN, DenialWords, ending
from memoryapp.language.fact_words import FactWords, one_word_each, phrases
from memoryapp.language.fiction_words import FictionWords
from memoryapp.language.home_words import HomeWords
from memoryapp.language.joining_words import JoiningWords
from memoryapp.language.narration_words import NarrationWords
from memoryapp.language.number_words import cardinals, up_to_twelve
from memoryapp.language.question_words import QuestionWords
from memoryapp.language.speech_words import SpeechWords, frozen
from memoryapp.language.time_words import TimeWords, part_phrases, parts_of_day
from memoryapp.language.turn_words import TurnWords, anywhere, words
from memoryapp.language.vocabulary import Vocabulary

_FUNCTION_WORDS = frozenset(
    "a an the this that these those there here i me my mine myself we us our ours ourselves "
    "you your yours yourself he him his himself she her hers herself it its itself they them "
    "their theirs themselves who whom whose which what when where why how if whether than then "
    "so as at by for from in into of off on onto out over to under up upon via with within "
    "without about after before between during through and or but nor not no am is are was "
    "were be been being do does did doing done have has had having will would shall should can "
    "could may might must ought s t d m re ve ll don doesn didn isn aren wasn weren haven hasn "
    "hadn won wouldn shouldn couldn mustn any some each every both all only just also too very "
    "more most other such own same few again ever yet still let lets".split()
)
_MONTHS = (
    "january february march april may june july august september october november december"
).split()
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_SHORT_WEEKDAYS = {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3}
_SHORT_WEEKDAYS |= {"fri": 4, "sat": 5, "sun": 6}
_PARTS = "morning afternoon evening night".split()
_CARDINALS = cardinals(
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred "
    "thousand million"
)
#: From the first to the twentieth.
ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
).split()

_TIMES = TimeWords(
    word=re.compile(r"[^\W_]+(?:['’][^\W\d_]+)*"),
    days={"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1, "last night": -1}
    | {"the day before yesterday": -2, "the day after tomorrow": 2, "earlier today": 0}
    | {f"yesterday {part}": -1 for part in _PARTS}
    | {f"this {part}": 0 for part in _PARTS}
    | {f"tomorrow {part}": 1 for part in _PARTS},
    units={f"{unit}{s}": unit for unit in "day week weekend month year".split() for s in ("", "s")},
    seasons={"spring": 0, "summer": 1, "autumn": 2, "fall": 2, "winter": 3},
    parts_of_day=parts_of_day(
        "morning mornings|noon midday|afternoon afternoons|evening evenings|night nights"
    ),
    approximate=frozenset("about around roughly almost nearly approximately".split()),
    after_hour=frozenset("am pm o'clock".split()),
    part_written=part_phrases("in the morning|at noon|in the afternoon|in the evening|at night"),
    midnight="midnight",
    weekdays={day: number for number, day in enumerate(_WEEKDAYS)},
    short_weekdays=_SHORT_WEEKDAYS,
    months={month: number for number, month in enumerate(_MONTHS, 1)},
    numbers={"one": 1, "a": 1, "an": 1} | up_to_twelve(_CARDINALS),
    vague={
        "a couple of": 2,
        "couple of": 2,
        "a couple": 2,
        "a few": 3,
        "few": 3,
        "several": 4,
        "couple": 2,
    },
    last=frozenset("last past previous".split()),
    last_of_several=frozenset("last past previous".split()),
    this=frozenset("this".split()),
    next=frozenset("next coming upcoming".split()),
    after_next=frozenset(),
    after_next_behind="after next",
    ago_before=(),
    ago_after=("ago", "back"),
    ahead_before=("in",),
    before_weekday=frozenset(
        "on by until till since from starts begins ends opens closes arrives leaves due".split()
    ),
    before_month=frozenset("in by until till since".split()),
    beginnings=frozenset(["since"]),
    openings=frozenset(),
    targets=frozenset("to until till for".split()),
    before_month_asked=frozenset("in of since during by until till".split()),
    abbreviations={name[:3]: number for number, name in enumerate(_MONTHS, 1)} | {"sept": 9},
    first_day="",
    ordinals="st|nd|rd|th",
    date_links="of",
    month_before_day=True,
    last_day=("last day of",),
    lasting_before=("for",),
    counted_from=frozenset(["from"]),
    habits=frozenset("every each most some usually".split()),
    kept=frozenset("since until till by from before after of to around for".split()),
    dropped=frozenset("on in the over during at just earlier".split()),
    range_links="to(?: the)?|until(?: the)?|through|till|and(?: the)?",
    before_range=re.compile(r"(?:(?:from|on|between)\s(?:the\s)?)$", re.IGNORECASE),
    day_article="the",
    day_ending=r"(?:st|nd|rd|th)",
    days_alone=(
        r"the (?P<day>\d{1,2})(?:st|nd|rd|th)"
        r"(?=[.,;!?)]|$|\s(?:at|in|with|to|for|from|and|because|so|not|instead)\b)",
    ),
    numbered=frozenset("number numbers floor room lucky favourite favorite".split()),
    before_digits=(),
    parts_of_month=frozenset("beginning start middle mid end month".split()),
    conjunctions=frozenset("and or".split()),
    before_hour=frozenset(["at"]),
    verbs_of_days=frozenset("was is were".split()),
    written={
        "range": "from {first} to {last}",
        "day": "on {day}",
        "around": "around {day}",
        "week": "in the week of {day}",
        "weekend": "on the weekend of {day}",
        "month": "in {month} {year}",
        "year": "in {year}",
        "season": "in the {season} of {year}",
    },
    month_names=[month.capitalize() for month in _MONTHS],
    words_like_months=frozenset(["march"]),
    season_names="spring summer autumn winter".split(),
)
_AUX = r"(?:do|does|did|is|are|was|were|can|could|shall|should|will|would|have|has|had|am)(?:n't)?"
_ASK = r"(?:what|where|who|whom|whose|which|why|how|when|if|whether)"
_NO_NOUN = r"(?!(?:i|we|he|she|they|you|my|our|the|a|an|is|are|was|were|means|makes)\b)"

_TURNS = TurnWords(
    asks=words(
        r"(?:"
        rf"(?:what|where|who|whom|why|how|when)(?:'s|'re|s| {_AUX})"
        r"|(?:what|where|who|how|when|which|why)(?: again| then| exactly| not| else)?$"
        r"|(?:what|where|who|how|when|which) to \w+|(?:what|how) about|what if|how come"
        r"|what (?:time|day|date)"
        rf"|what {_NO_NOUN}(?-i:[a-z]+) {_AUX}"
        rf"|(?:which|whose)(?: {_NO_NOUN}\w+){{1,3}} {_AUX}|which of \w+(?: \w+){{0,2}} {_AUX}"
        r"|how (?:many|much|long|old|often|far|big|tall|late|soon|high|heavy|fast|well)"
        rf"(?: {_NO_NOUN}\w+){{0,3}} {_AUX}"
        r"|who (?:\w+(?:s|ed)|made|gave|told|said|came|went|won|wrote|got|took|sent|paid|left)"
        r"|(?:in|at|for|to|with|from|on|by|about|of|since|until) (?:which|what|whom|whose|who|"
        rf"how (?:many|much|long))(?: {_NO_NOUN}\w+){{0,3}} {_AUX}"
        r"|(?:do|did|are|were|can|could|will|would|shall|should)(?:n't)? (?:you|i|we|they)"
        r"(?! (?:just )?(?:add|say|mention|note|dare|forget))"
        r"|have(?:n't)? (?:you|i|we|they)(?! (?:on|in|over|at|to))"
        r"|(?:does|is|was|has|can|could|will|would|should)(?:n't)? (?:he|she|there|anyone|anybody|"
        r"someone|somebody|anything|everyone)"
        r"|(?:does|is|was|will|would|should)(?:n't)? it|did(?:n't)? (?:he|she|anyone|anybody)"
        r"|(?:does|did|can)(?! (?:only|hardly|not|never|no|barely)\b)(?: \w+){1,3} (?:like|eat|"
        r"live|work|know|want|need|come|drink|speak|mean)"
        r"|am i|any idea)"
        # "Who feeds the cat is Kim" has two clauses.
        r"(?!\w)(?!.* (?:is|are|was|were)\b)"
    ),
    asks_if_marked=words(
        rf"{_AUX} (?:the|my|our|your|his|her|their|this|that|these|those|any|some|a|it|"
        r"(?-i:[A-Z])\w+)"
    ),
    asks_indirectly=words(
        r"(?:(?:(?:can|could|would|will) you )?(?:please )?(?:tell|show|remind) (?:me|"
        r"us)(?: again)?|(?:can you )?(?:please )?(?:find out|look up)"
        r"|i(?: want|'d like| would like| need) to know|i wonder"
        r"|i(?:'m| am| was|'ve been) (?:just )?(?:wondering|asking)"
        r"|(?:do|did) you (?:still )?(?:know|remember|recall)|any idea|remember)[ ,]+"
        # "Remind me when I get home to …"
        r"(?:what|where|who|whom|whose|which|why|how|if|whether|when (?!(?:i|we)\b))"
    ),
    asks_within=anywhere(
        rf"(?:what|where|who|which|how|when|why)(?:'s|s| \w+)? {_AUX}|can i|may i"
    ),
    verbs=anywhere(r"is|are|was|were|am|i'm|im|i've|ive|we're|has|have"),
    relative=words(r"who|which|whose"),
    requests=words(
        r"(?:(?:can|could|would|will) you )?(?:please )?(?:"
        r"(?:tell|give|show|find|send|read|write|draw|make|teach|recommend|suggest|explain|"
        r"describe|translate|list|name|sing|fetch|get|draft) (?:to )?(?:me|us)(?! (?:a )?(?:hand|"
        r"ring|call))|(?:write|draw|compose|draft|find|suggest|recommend|describe|invent|generate|"
        r"book|set|create) (?:a|an|another|some|the|this|three|five|ten)"
        r"|(?:explain|define|compare|list|calculate|check|show|plan|search|look up|describe|"
        r"improve|sort|format|count) (?:the|this|that|these|my|how|what|why|for|all|it)"
        r"|(?:say|put|turn) (?:it|this|that) (?:in|into|as)"
        r"|summari[sz]e|rewrite|rephrase|paraphrase|proofread|shorten|simplify"
        r"|translate (?:this|that|it|the|my|into|to|[\"'“«]\w*)|correct (?:this|the|my|that)"
        r"|i (?:want|need|would like|'d like) you to)"
    ),
    reads=words(
        r"(?:(?:can|could|would|will) you )?(?:please )?(?:translate|correct|summari[sz]e|rewrite|"
        r"rephrase|paraphrase|proofread|shorten|simplify|explain)"
    ),
    beside=anywhere(
        r"(?:as|at|after|because of|before|by|for|from|in|like|near|on|since|than|to|with|without) "
        r"(?:my|our)|with (?:a|an|his|her|their)|like (?:me|us)|that (?:i|i'm|i've|we|we're|my|"
        r"our)(?: [\w']+){2}|for (?:an?|the|someone|somebody|people) (?:\w+ )?(?:who|that|with)"
        r"|do you know (?:i|we|he|she|they)(?: [\w']+){2}"
        rf"|(?:did|have) i (?:say|said) (?!{_ASK})(?:\w+ ){{1,3}}(?:is|are|has|have)"
        # What is to hold from now on.
        r"|from now on|(?:(?:can|could|would|will) you|please) always"
        r"|(?:because|now that|given that|seeing that|although|since (?!(?:when|then|last|"
        r"yesterday)\b)[a-z]+|as (?:i am|i'm|i have)|if (?:i'm|i am|i have|i can't|"
        r"im))(?: [\w']+){2}|(?:remember|note|mind|know|tell you|told you|mention|mentioned|forget|"
        r"hear|heard)(?: \w+){0,2} that(?: [\w']+){3}"
        rf"|(?:did|have|has) (?:i|you)(?: ever| already)? (?:tell you|told you|mention|mentioned|"
        rf"know|hear|heard) (?!(?:{_ASK}|about|of|anything|any|it|from|to)\b)[\w']+(?: [\w']+){{2}}"
    ),
    changes=anywhere(
        r"now|no longer|any ?more|any longer|instead|moved|changed?|new|switched|swapped|traded|"
        r"replaced|"
        r"cancell?ed|called off|postponed|rescheduled|(?:pushed|put) back|brought forward|(?:gave|"
        r"given) up|quit|sold|used to|is off|correction|i meant|from now on|nowadays|these days|"
        r"(?:gone|went) over to|handed in|retired|over"
    ),
    not_known=words(
        r"(?:as an? (?:ai|assistant|language model)[^,]{0,30}, )?"
        r"(?:(?:i'm |i am )?(?:sorry|afraid),? (?:but )?)?(?:"
        r"i (?:don't|do not|can't|cannot|couldn't|didn't|still don't) (?:yet |actually )?(?:know|"
        r"recall|remember|find|see|"
        r"have (?:that|any|this|anything|a record|information|access))"
        r"|i (?:have|see|find) (?:nothing|no (?:information|record|memory|memories|notes?|idea))"
        r"|i(?:'m| am) not (?:sure|aware)|(?:that )?you (?:haven't|have not|didn't|never) (?:yet )?"
        r"(?:told|tell|said|mentioned)|no idea)"
    ),
    comments=words(
        r"(?:that|it|this) (?:sounds|looks|must)|sounds|(?:so |very )?(?:glad|happy|sorry|good|"
        r"nice) to|(?:so |i'm )?(?:glad|sorry)(?= (?:it|that|you))|what an? \w+|(?:please |"
        r"just )?let me know|feel free|i'm here (?:to|if|for|when)|happy to help|take care"
        r"|enjoy (?:your|the|it|yourself|every)"
        r"|(?:(?:if|once|when) you (?:tell me|share it|let me know),? )?i(?:'ll| will| can) "
        r"(?:remember|note|keep|store|save) (?:it|this)\b"
    ),
)
#: Not said to somebody else: "I told my boss".
_TO_SOMEBODY = r"\b(?! (?:to )?(?:my|the|him|her|them|his|our|their)\b)"
#: Verbs of saying and asking, and what they are in the past.
_SAY = (
    rf"(?:ask|tell|write|advise|answer|thank|greet){_TO_SOMEBODY}|say|mention|talk|discuss|chat|"
    r"recommend|suggest|propose|explain|request|want to know|go over|agree"
)
_SAID = (
    rf"(?:asked|told|wrote|written|advised|answered|thanked|greeted){_TO_SOMEBODY}|said|mentioned|"
    r"talked|discussed|chatted|recommended|suggested|proposed|explained|requested|wanted to know|"
    r"went over|agreed"
)

_QUESTIONS = QuestionWords(
    now=anywhere(
        "now|nowadays|currently|current|latest|recent|recently|lately|newest|at the moment|"
        "these days|at present|most recent|still"
    ),
    first_person=re.compile(r"\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|i)\b"),
    # Not "can you remind me".
    assistant_said=re.compile(
        r"\byou (?:\w+ed|said|say|told|tell|gave|give|wrote|write|made|suggest|recommend"
        r"|mention|explain|describe|list|provide|propose|advise)\b"
        r"|\byour (?:answer|advice|suggestion|reply)",
        re.IGNORECASE,
    ),
    intake=anywhere(
        r"eat(?:s|en|ing)?|drink(?:s|ing)?|cook(?:s|ing)?|bak(?:e|es|ing)|tast(?:e|es|ing)|"
        r"feed(?:s|ing)?|serv(?:e|es|ing)|breakfast|brunch|lunch(?:es)?|dinners?|supper|meals?|"
        r"snacks?|desserts?|cakes?|recipes?|menus?|dish(?:es)?|buffet|takeaway|takeout|"
        r"ingredients?|food|foods|hungry|starving|thirsty|restaurants?|barbecue|bbq|picnic|"
        r"medicines?|medications?|pills?|tablets?|painkillers?|antibiotics?|ibuprofen|aspirin|"
        r"paracetamol|prescri(?:be|bes|bed|bing|ption|ptions)|vaccin(?:e|es|ated|ation)|"
        r"an(?:a)?esthetic|allerg(?:ic|y|ies)|tolerate|take for (?:it|this|my|the)"
    ),
    talk=re.compile(
        # "What did I ask?", and not "what should I ask?". "You said", and not "you say".
        r"\b(?:did|have|had)(?:n't)? (?:i|we|you)(?: (?:ever|already|last|just|not|also|"
        r"even))? "
        rf"(?:{_SAY}|{_SAID})\b"
        rf"|\b(?:i|we|you)(?: (?:already|just|once|last))? (?:{_SAID})\b"
        # "What did Kim tell me?"
        r"|\bdid(?: \w+){1,3} (?:tell|ask|advise|promise|warn) (?:me|us)\b"
        r"|\bdid(?: \w+){1,3} (?:say|mention|recommend|suggest|write|explain) to (?:me|us)\b"
        r"|\b(?:my|our|your) (?:\w+ )?(?:questions?|requests?|conversations?|chats?|messages?|"
        r"answers?|repl(?:y|ies))(?= (?:about|on|to|with|from|for|of|did|was|were|have|had|"
        r"that|"
        r"you|i|and)\b|\s*(?:[?.!,;]|$))"
        r"|\b(?:was|were) your (?:\w+ )?(?:advice|suggestions?|recommendations?|tips?)\b",
        re.IGNORECASE,
    ),
    rephrasing=((r"NAME['’]s(?!\w)", "my"), ("NAME", "I")),
)

_SPEECH = SpeechWords(
    mine=frozen("me i myself you"),
    subjects=frozen("i we i'd i've i'm we've we'd"),
    parts=frozen(
        "speaker person participant interviewer interviewee host guest moderator narrator agent "
        "customer client caller user human assistant bot ai chatgpt claude gemini system q a "
        "patient doctor teacher student reporter voice unknown other mom mum dad boss"
    ),
    headings=frozen(
        "note notes todo to-do update updates correction corrections question questions answer "
        "answers problem problems issue issues address email mail phone mobile name names job "
        "work occupation profession title age gender birthday birthdate birthplace born city home "
        "house country location place hometown town diet allergy allergies medication medications "
        "medicine hobby hobbies interest interests like likes dislike dislikes preference "
        "preferences background bio about profile summary context goal goals task tasks result "
        "results output input example examples warning error info information details description "
        "category tag tags date time when where who what why how subject topic re fwd ps p.s nb "
        "fyi btw edit tldr reminder remember important attention pro pros con cons option options "
        "step steps plan plans agenda breakfast lunch dinner snack snacks morning afternoon "
        "evening night noon day week month year today tomorrow yesterday tonight weekend weekdays "
        "budget price cost total status version source sources link links file files code skill "
        "skills education experience language languages fact facts idea ideas fun secret story "
        "health food drink music sport sports travel family pets car money school university "
        "college training exercise sleep weight height size intro introduction conclusion "
        "disclaimer confession spoiler theory hint tip tips rule rules reason reasons currently "
        "now before after then later first second third next last finally also plus favourite "
        "favorite favourites favorites wish wishes request requests hello hi hey thanks sorry "
        "well so okay ok yes no true false left right short long personal myself pronouns "
        "nationality religion relationship children kids strengths weaknesses motto availability "
        "achievement achievements project projects role roles symptom symptoms appointment "
        "appointments meeting meetings flight train bus yoga gym class call party concert coffee "
        "tea backstory"
    ),
    unreal=frozen(
        "goal goals wish wishes plan plans idea ideas theory false wrong example examples "
        "spoiler story task tasks todo to-do project projects reminder question questions "
        "output input result results subject option options secret"
    ),
    introduces=anywhere(r"know|about me|tell you|mention|remember|note"),
    disputed=anywhere(
        r"(?:but|which|and)(?: (?:he|she|they|that|it|this))?(?:'s|'re| is| are| was| were) "
        r"(?:just |simply |completely |totally |so |all )?(?:wrong|mistaken|lying|not true|"
        r"not right|untrue|nonsense|false|a lie)|(?:but|which)(?: (?:that|it|this))? "
        r"(?:isn't|wasn't|ain't) (?:true|so|right)"
    ),
    names=frozen("will"),
    at="at",
    says=anywhere(
        r"says|saying|keeps? (?:telling|repeating|insisting|writing|texting)|kept (?:telling|"
        r"repeating|insisting)|(?:is|was|are|were) like|mentions|mentioned|insists|insisted|"
        r"repeats|repeated|swears|swore|complains|complained|reads|reported|"
        r"tweeted|thinks|yells|yelled|screams|screamed|cried|sighs|sighed|jokes|joked|"
        r"(?<!\bas )(?<!that )(?<!enough )said|(?<!me )(?<!to )(?<!let's )say|told|tells|"
        r"wrote|writes|written|texted|texts me|asked|asks|replied|replies|answered|posted|"
        r"commented|messaged|emailed|responded|whispered|shouted|explained|claims|claimed|"
        r"announced|admitted|confessed|sent"
    ),
    messages=anywhere(
        r"(?:message|text|e-?mail|mail|letter|note|reply|answer|sms|dm|post|comment|quote|"
        r"voice ?mail|voice note|postcard|card|chat|tweet|status|"
        r"statement|words|bio|profile|cv|review|story) (?:from|by|of) (?:(?:my|our|his|her|"
        r"their|your|an?|the|some\w{3,4})(?! own\b)|(?-i:[A-Z]\w{1,30}))|"
        r"(?:(?!today|yesterday)\w{1,30}(?:'s|s')|his|her|their) (?:message|text|e-?mail|"
        r"mail|letter|note|reply|answer|sms|dm|post|comment|quote|statement|words|bio|profile|"
        r"voice ?mail|voice note|postcard|card|tweet|status|cv|review|story)|"
        r"(?:on|in) (?:a|the|his|her|their) (?:[^\W\d_]{1,12} )?(?:postcard|voice ?mail|letter|"
        r"note|card)"
        r"|left (?:me |us |her |him )?(?:a|this) (?:[^\W\d_]{1,12} )?(?:note|message|"
        r"voice ?mail|letter)"
    ),
)

_FICTION = FictionWords(
    before="ok|okay|hey|hi|hello|so|now|and|but|please|well|alright|right|anyway",
    headings="verse|chorus|bridge|chapter|prologue|scene|act|int|ext",
    begins=words(
        r"(?:let's|let us|we|can we|could we|shall we)\b[^.:!?]{0,30}\brole-? ?play|"
        r"role-? ?play(?:ing)?(?=[:.!,]|$)|(?:let's|let us) (?:pretend|imagine|suppose|assume|"
        r"say (?:that )?(?:i|my|you)|play (?:a (?:game|scene)|make-believe|pretend|you))|"
        r"pretend|imagine(?! that[!.,])|"
        r"(?:(?:last night|tonight|yesterday),? )?i (?:(?:just|once|recently) )?(?:dreamed|dreamt) "
        r"(?:that )?(?:i|i'd|my|we)|(?:last night,? )?i had (?:a|this) (?:[^\W\d_]{1,12} )?"
        r"(?:dream|nightmare)(?=[.,:!]| (?:where|that|last|tonight|in which)\b|$)|suppose|"
        r"assume|act (?:as|like)|in (?:my|our|the|this|"
        r"a) (?:[^\W\d_]{1,12} )?(?:novel|story|dream|nightmare|book|screenplay|script|play|"
        r"campaign|film|movie|fan ?fic(?:tion)?|role-?play|simulation|scenario|fantasy)(?=,|:|"
        r" (?:i|i'm|my|we|the|there|a|an)\b)|in my (?:[^\W\d_]{1,12} )?game|"
        r"my (?:[\w&'-]{1,14} )?(?:character|protagonist|narrator|persona|alter ego)|"
        r"once upon a time|hypothetically"
    ),
    marvels=re.compile(
        r"imagine (?:my|our|his|her|their|the)(?: [^\W\d_]{1,14}){0,2}[!.]", re.IGNORECASE
    ),
    tells=anywhere(
        r"(?:in|from) (?:the )?first[- ]person|first[- ]person (?:story|novel|narrat\w{1,4}|"
        r"monologue|essay|perspective)|from the (?:perspective|point of view) of an?|"
        r"in the voice of|in character|(?:fictional|fictitious|made-up|imaginary|invented|fake|"
        r"dummy|sample|example|test) (?:[^\W\d_]{1,12} )?(?:persona|person|user|profile|"
        r"character|customer|story|bio|biography|dialogue)|you(?:'re| are| be|"
        r" play)\b[^.:!?]{1,50}(?:,| and) i(?:'m| am| play|'ll be| will be) (?:the|an?|your)"
    ),
    works=anywhere(
        r"lyrics|verse|chorus|poem|song|screenplay|script|scene|chapter|monologue|dialogue|"
        r"(?<!my )(?<!my life )story|fairy tale|fan ?fiction|backstory|prologue|diary entry|"
        r"novel|persona|character|protagonist|narrator|role-? ?play|simulation|(?:test|sample|"
        r"example|dummy) (?:data|account|conversation|text|input)|(?:example|sample|template|"
        r"placeholder)s?\b.{0,20} (?:form|forms|template|field|fields|exercise|bot|prompt|app|"
        r"website|application)"
    ),
    leaves=words(
        r"(?:(?:and|but) )?(?:(?:then|when) )?i (?:woke|awoke|wake)\b|now that i'm awake|"
        r"(?:let's (?:get|go|come) )?back to (?:reality|real life|the real world|me|us)|"
        r"in (?:my )?(?:real life|reality|actual life)|irl|(?:the )?end(?: of (?:the |"
        r"my )?(?:[^\W\d_]{1,10} )?(?:story|tale|role-? ?play|game|scene|play|novel|song|poem|"
        r"lyrics|chapter|script|fiction))?(?=[.,:!)]|$)|out of character|ooc|seriously(?: now)?|"
        r"(?:all )?jok(?:es|ing) aside|for real|(?:let's )?stop (?:the |"
        r"this )?(?:role-? ?play\w{0,3}|game|pretending)|enough (?:of (?:that|this)|pretending|"
        r"fiction|role-? ?play\w{0,3})|about the real me|the real me|as for (?:the real )?me|"
        r"(?:i'm|i am) (?:done|finished) (?:pretending|with the (?:story|game))|(?:that|"
        r"this) (?:was|is) (?:the end of )?(?:the|my) (?:story|novel|role-? ?play|scene|poem|"
        r"song|character)"
    ),
)

_DENIALS = DenialWords(
    denials=frozen(
        "no not never none nobody nothing neither nor cannot without nowhere "
        # Without their apostrophe
        "dont doesnt didnt isnt arent wasnt werent havent hasnt hadnt cant couldnt wouldnt "
        "shouldnt wont aint"
    ),
    of_one_thing=frozen("no without nothing nobody nowhere"),
    verbs=frozen(
        "stop stops stopped stopping quit quits quitting avoid avoids avoided avoiding hate hates "
        "hated dislike dislikes disliked refuse refuses refused unable detest detests loathe "
        "loathes"
    ),
    in_sense=frozen(
        "fail fails failed failing failure lack lacks lacked lacking hardly barely rarely seldom "
        "scarcely unfortunately instead rather except prevent prevents unlike nope nah yet anymore "
        "allergic intolerant cancelled canceled skip skips skipped miss misses missed lost reject "
        "rejects rejected decline declines declined declining rejecting refusing pause pauses "
        "paused pausing forget forgot forgets zero former nay impossible unfortunate formerly"
    ),
    yet=frozen("yet"),
    enough=frozen("enough"),
    plain=r"(?:\b(?:(?:do|does|did)(?:n't| not)|(?:(?:has|have|had|'ve|'s) )?never|not|no)|n't)\b",
    limits="only|just|once",
    stress=r"(?:(?:most|very) )?(?<!not )(?:absolutely|definitely|certainly|really|truly|actually|"
    r"simply|emphatically|categorically)|at all|in any way|repeat (?:not|never)|after all|in fact|"
    r"whatsoever|for the record",
    instead=ending(r",? (?:but|rather|instead)\b"),
    untrue=ending(
        r"(?:it(?:'s| is) (?:just |simply |actually )?(?:not (?:true|correct|so|the case)|"
        r"untrue|false|incorrect|a lie)|(?:please )?(?:forget|disregard)(?: the fact)?)"
        r"(?: that |:? (?=(?:i|i'm|i've|my|the user)\b))"
    ),
    never=ending(
        r"\b(?:(?:was|were) never|never (?:was|were)|(?:(?:have|has|had) |'(?:ve|s) )never been)\b"
    ),
    am="am",
    forms=("be is are am was were been", "have has had"),
    no_longer=(
        ending(r"\bno longer\b(?! than)"),
        ending(
            rf"(?:\b(?:do|does|did)(?:n't| not)|n't|\bnot)\b{BETWEEN}"
            r"\b(?:anymore|any more|any longer)\b(?! than)"
        ),
    ),
    stopping=ending(
        r"\b(?:(?:has|have|had) )?(?:stopped|stops|quit|quits|gave up|given up|gives up)\b"
        r"(?= \w+ing\b)"
    ),
)

_HOME = HomeWords(
    lives=frozen("live lives resides reside based"),
    where=frozen("in at near"),
    tells=frozen(
        "live lives lived living reside residence resident based home homes hometown house flat "
        "apartment condo studio room roommate neighbor neighbour neighborhood neighbourhood move "
        "moved moving relocate relocated settle settled stay staying from here local address town "
        "city village suburb downtown country rent landlord lease place"
    ),
)

_JOINS = JoiningWords(
    adding=frozen("and"),
    choosing=frozen("or"),
    opposing=frozen("but although though"),
    giving_reasons=frozen("because"),
    concluding=frozen("so"),
)

_COMMANDS = CommandWords(
    commands=frozen(
        "add act adopt ask analyze analyse answer append apply arrange assume avoid begin book "
        "calculate call cancel change check choose clear click combine compare complete compose "
        "compute configure confirm convert copy correct create debug define delete describe "
        "determine disable disregard display divide do don't download draft draw email embed "
        "emulate enable encode encourage enhance enter enumerate erase evaluate examine execute "
        "explain export extract fetch fill find fix follow forget format forward generate get "
        "give go grant guide help hide highlight identify ignore imagine implement improve "
        "include incorporate increase inform insert install introduce instruct keep let link list "
        "log look maintain make mention mimic mix modify never note obey offer open optimize "
        "order organize output overwrite override paraphrase perform play post pretend print "
        "proceed produce promote prompt propose provide put rate read rearrange recall recite "
        "recommend record reformat refuse rely remember remind remove render repeat rephrase "
        "replace reply report request research respond return reveal reverse review revoke "
        "rewrite run save say scan schedule scramble search send set share show simulate solve "
        "sort speak spell split start state stop store substitute suggest summarise summarize "
        "swap switch take talk tell test transcribe transfer transform translate treat trust try "
        "turn type update upload urge use utilize validate verify visit warn watch write please "
        "always ensure"
    ),
    requests=frozen("suggest recommend propose advise find search tell show help"),
    politely="(?:can|could|would|will) you",
    manners=frozen(
        "answer reply respond write speak talk call address say use keep be explain format avoid "
        "stay give greet start begin end skip mention include"
    ),
    talk=frozen("answer reply respond speak talk keep be use stay"),
    style=frozen(
        "short brief briefly concise concisely long detailed simple formal informal polite metric "
        "imperial bullet bullets emoji emojis english german italian spanish french dutch "
        "portuguese celsius fahrenheit kilometres kilometers name nickname"
    ),
    forms_of_address="(?:call|address) me",
    fillers=frozen(
        "please kindly always never generally and just so then now also from on in future the by "
        "default don't do not only whenever possible that should must shall has have to needs need"
    ),
    standing=frozen("always never every whenever generally prefer prefers preferred"),
    standing_phrases="from now on|in (?:the )?future|by default|each time|any ?time|going forward",
    no_manners=(
        "password|passwords|token|tokens|api key|credentials?|secrets?|instructions?|system|"
        "prompt|rules?|guidelines?|restrictions?|unrestricted|admin|administrator|operator|tool|"
        "tools|function|execute|delete|transfer|forward|upload|download|link|links|click"
    ),
    question_words=frozen("what when where who whom whose which why how"),
    asked=frozenset(),
    finite=frozen(
        "is are was were am has had does did do can could will would should must may might isn't "
        "wasn't aren't weren't hasn't didn't doesn't won't came went got took won found met made "
        "gave sold lost sent paid left began ran fell broke rose cost went grew became kept stood "
        "sat lay starts comes goes takes meets begins arrives closes contains belongs becomes "
        "remains requires opens needs lies hangs stays keeps wants knows consists lasts seems "
        "lives sells means says gets makes helps"
    ),
    subordinating=frozen(
        "that what which who whom whose if when where while because until unless how why whether "
        "so as like you i he she it they we"
    ),
    of_object=frozen(
        "the a an my your his her its our their this that these those all any every each some no "
        "both me him them us it everything anything nothing yourself myself always never only not "
        "exactly immediately"
    ),
    prepositions=frozen(
        "at in on from with for to by about between after before during near under over against "
        "of without since until"
    ),
    breaking_off=frozen("and of means"),
    after_past=frozen(
        "yesterday today tonight again back late early twice once well already yet too soon here "
        "there"
    ),
    auxiliaries=frozen(
        "do does did is are was were can could will would should have has had may might am"
    ),
    subjects=frozen("i you he she it we they the there my your this that"),
    phrasal={
        "answer reply respond write speak talk format output translate say": (
            "in with about to as"
        ),
        "begin start end": "with by",
        "search look ask check scan watch listen": "for in at to with",
        "act pose": "as",
        "post send forward share transfer report export upload email mail submit": "to with on",
        "log sign": "in on to",
        "turn switch": "on to from",
        "go move add apply refer stick adhere obey listen": "to by",
        "sort order group list rank": "by in",
        "rely focus insist elaborate": "on",
        "refrain abstain": "from",
        "proceed continue help": "with to in on",
        "read": "from in to about",
    },
    reported_question=(
        r"the user (?:is |was |has |had )?"
        r"(?:(?:asked|asks|asking|inquired|inquires|inquiring|enquired|enquires|wondered|wonders|"
        r"wondering|curious)(?: (?:me|us|you|the assistant))? "
        r"(?:about|if|whether|what|when|where|who|whom|whose|which|why|how)\b"
        r"|(?:wants|wanted|would like) to know\b)"
    ),
    to_assistant=(
        r"you (?:must|should|shall|have to|need to|are (?:now|to|not)|will now|may now)\b"
        r"|(?:the |an? )?(?:assistant|ai|chatbot|model|system|agent|llm)"
        r" (?:must|should|shall|has to|needs to|is (?:now|to|allowed|required|instructed)|"
        r"may now|can now|will (?:now|always|never))\b"
        r"|(?:asked|asks|told|tells|instructed|instructs|ordered|requested|requests|wants|wanted|"
        r"would like|needs) (?:that )?(?:the |an? )?"
        r"(?:assistant|ai|chatbot|model|system|agent|llm)\b"
        r"|(?:previous|prior|above|earlier) (?:instructions|rules|prompts?|directions)\b"
        r"|system (?:prompt|override|message|directive)\b|your (?:response|answer|reply|output|"
        r"message|instructions|rules|system)\b"
    ),
)

_FACTS = FactWords(
    kin=one_word_each(
        "mother mom mum mama|father dad papa|parents parent|sister sisters|brother brothers|"
        "sibling siblings|daughter daughters|son sons|child children kid kids|wife|husband|spouse|"
        "partner|fiancé fiancée|girlfriend|boyfriend|friend friends pal pals buddy buddies|aunt|"
        "uncle|cousin cousins|niece|nephew|grandmother grandma|grandfather grandpa|grandparents|"
        "grandson|granddaughter|boss manager|colleague colleagues coworker coworkers|neighbor "
        "neighbour|roommate flatmate|teacher|doctor|coach|client|dog dogs puppy pup|cat cats "
        "kitten"
    ),
    pets=frozen("dog dogs puppy pup cat cats kitten"),
    units=frozen(
        "lb lbs oz ft percent euro euros dollar dollars pound pounds years year months month "
        "weeks week day days hour hours minute minutes second seconds mile miles meter meters "
        "metre metres kilometer kilometers kilos kilo gram grams litre litres liter liters degrees"
    ),
    numbered=frozen(
        "box boxes room rooms invoice number no nr id code token ticket order shelf drawer "
        "chapter page version flight bus line track gate apartment flat house street platform "
        "account route highway season episode level grade step item case part building floor unit "
        "seat row table lot batch model type size channel exercise question lesson volume issue "
        "patient sample"
    ),
    measuring=frozen("weighs costs earns pays measures"),
    preferring=frozen(
        "prefer prefers preferred favor favors favored favour favours favoured preference"
    ),
    states=phrases(
        "lives in|lives at|live in|living in|resides in|based in|works at|works for|works as|work "
        "at|work for|employed by|employed at|married to|engaged to|studies at|is called|is named|"
        "banks with|banks at"
    ),
    attributes=frozen(
        "name surname nickname birthday age height weight address hometown city country job "
        "employer occupation profession salary rent dose dosage bank doctor dentist landlord "
        "manager boss password pin diet type timezone religion nationality language deadline "
        "budget status"
    ),
    superlatives=frozen("favourite favorite preferred current primary main"),
    conjunctions=frozen("when whenever if because although while since before after until unless"),
)

_NARRATION = NarrationWords(
    narration=frozen(
        "mention mentions mentioned express expresses expressed expressing believe believes "
        "believed feel feels felt feeling find finds found finding value values valued enjoy "
        "enjoys enjoyed share shares shared sharing appreciate appreciates appreciated emphasize "
        "emphasizes emphasized like likes liked love loves loved think thinks thought say says "
        "said tell tells told show shows showed shown showing describe describes described "
        "indicate indicates indicating make makes made making get gets got getting go goes going "
        "went gone lot lots way significant important importance various different want wants "
        "wanted consider considers ask asks asked offer offers offered assure assures advise "
        "advises suggest suggests open willingness recently currently despite facing towards "
        "throughout especially due specific specifically particular particularly related based "
        "including several continue continues whenever upon toward against without within along "
        "around like first really as well able always user users person called named name"
    ),
    attitudes=frozen(
        "acknowledge admire admit advise agree apologize appreciate ask assure compliment "
        "congratulate consider emphasize emphasise empathize encourage express feel hope inquire "
        "invite mention offer praise promise propose reassure recommend recognise recognize "
        "remind reminisce remember respect say see share state suggest support sympathize tell "
        "thank think understand value wonder wish commend describe explain"
    ),
    vague=frozen(
        "already another anything because everyone everything now one quite really since someone "
        "something until while"
    ),
    forms=one_word_each(
        "buy bought|meet met|take took taken|give gave given|run ran|win won|begin began begun|"
        "write wrote written|teach taught|draw drew drawn|eat ate eaten|drive drove driven|grow "
        "grew grown|know knew known|see saw seen|speak spoke spoken|keep kept|leave left|lose "
        "lost loss|sell sold|build built|spend spent|send sent|bring brought|come came|become "
        "became|fly flew flown|hear heard|hold held|lead led|pay paid|ride rode ridden|sing sang "
        "sung|sit sat|sleep slept|stand stood|swim swam swum|wear wore worn|wake woke|break broke "
        "broken|choose chose chosen|fall fell fallen|catch caught|feed fed|picture pic pics photo "
        "photos photograph pictures|family fam families|child kid kids children childhood|mother "
        "mom mum mama mommy|father dad papa daddy|movie movies film films|grateful thankful "
        "thanks thank gratitude|congratulate congrats congratulations|buddy friend friends "
        "buddies|education edu educational|career job jobs|wife husband spouse|born birth "
        "birthday|die died death passed|lend lent|feet foot|people folks"
    ),
)

ENGLISH = Vocabulary(
    name="english",
    function_words=_FUNCTION_WORDS,
    first_person=frozenset("i me my mine myself we us our ours ourselves".split()),
    possessives=frozen("my our"),
    second_person=frozen("you your yours yourself yourselves"),
    third_person=frozenset("he him his she her hers".split()),
    stating=frozenset("i im ive".split()),
    times=_TIMES,
    turns=_TURNS,
    questions=_QUESTIONS,
    speech=_SPEECH,
    fiction=_FICTION,
    denials=_DENIALS,
    home=_HOME,
    joins=_JOINS,
    commands=_COMMANDS,
    facts=_FACTS,
    narration=_NARRATION,
    numerals={"zero": 0, "one": 1, "once": 1, "twice": 2, "couple": 2, "thrice": 3, "dozen": 12}
    | {"half": 0.5, "thirtieth": 30}
    | {word: number for number, word in enumerate(ORDINALS, 1)}
    | _CARDINALS,
)
