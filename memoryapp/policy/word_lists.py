"""Word lists in several languages for the comparison of sentences."""

from memoryapp.language.numerals import NUMERALS
from memoryapp.language.vocabularies import FACTS, VOCABULARIES

_TIMES = [known.times for known in VOCABULARIES.values()]

#: Words that change the meaning of sentences with nearly equal vectors: "the left knee" and "the
#: right knee" have a cosine of 0.985.
QUALIFIERS = frozenset(
    "left right before after until since more less most least up down over under last "
    "always often sometimes rarely seldom hardly barely scarcely almost nearly mg g kg ml l".split()
)
#: Words for parts of the day, mapped to one word for each.
TIMES_OF_DAY = {"am": "am", "pm": "pm"} | {
    word: part for times in _TIMES for word, part in times.parts_of_day.items()
}
#: Pairs of opposites, besides those with a prefix (happy, unhappy).
OPPOSITES = frozenset(
    frozenset(pair.split("-"))
    for pair in (
        "accept-reject accepted-rejected accepts-rejects agree-disagree appreciates-resents "
        "appreciate-resent arrived-left asleep-awake bad-good begin-end began-ended begins-ends "
        "believes-doubts believe-doubt best-worst better-worse big-small borrowed-lent bought-sold "
        "buy-sell buys-sells cheap-expensive closed-open closed-opened closes-opens cold-hot "
        "dead-alive decrease-increase decreased-increased dangerous-safe difficult-easy easy-hard "
        "early-late empty-full enemy-friend failed-passed fails-passes failed-succeeded "
        "failure-success false-true fast-slow fired-hired first-last forgets-remembers "
        "forgot-remembered gained-lost gave-took gives-takes happy-sad heavy-light high-low "
        "joined-left large-small loose-tight lose-win loses-wins lost-won lost-found loud-quiet "
        "loved-hated loves-hates married-divorced married-single near-far negative-positive "
        "new-old off-on old-young oppose-support opposes-supports optimistic-pessimistic "
        "poor-rich public-private pull-push received-sent short-tall short-long single-divorced "
        "sink-swim start-stop strong-weak thick-thin thick-slim wet-dry wide-narrow wrong-right"
    ).split()
)
PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non", "mis")
#: Numbers in words, but for those that are English words of another sense.
NUMBER_WORDS = {
    word: str(number) for word, number in NUMERALS.items() if word not in ("due", "cent", "mil")
}
TENS = frozenset("20 30 40 50 60 70 80 90".split())
#: Names of dates, which with a capital would count as names.
DATES = frozenset("today tomorrow yesterday daily weekly monthly yearly annually".split()).union(
    *({*times.weekdays, *times.months} for times in _TIMES)
)
#: Words that say when, but for months, which are names, too; and those that stand by them.
MOMENTS = frozenset[str]().union(
    *(
        {*times.weekdays, *times.parts_of_day, *times.units, *" ".join(times.days).split()}
        | {f"{day}s" for day in times.weekdays}
        for times in _TIMES
    )
)
WHICH = frozenset[str]().union(*(times.this | times.next | times.last for times in _TIMES))
#: Words at the start of a sentence that are no names.
OPENERS = frozenset(
    "the a an user users they he she it his her their its this that these those in on at for from "
    "with when while after before since until every each some many most all there as by to of and "
    "but if both decided lately recently currently now last next yesterday today soon later "
    "earlier previously usually often always sometimes once "
    "der die das ein eine er sie es ihr sein le la les un une il elle lo gli i el los las una o os "
    "um uma él ella l d les los las i gli "
    # Conjunctions and prepositions
    "if because although whenever unless wenn falls weil obwohl während bevor nachdem als am im "
    "quand lorsque si quando se perché cuando porque aunque jeden chaque tous ogni cada".split()
)


ARTICLES = frozenset("the a an der die das la le il lo el o os as de het den l".split())
#: Words for the user.
USERS = frozenset(
    "user users usuario usuaria usuário usuária utilisateur utilisatrice utente nutzer nutzerin "
    "benutzer gebruiker användaren brugeren brukeren пользователь".split()
)
#: Words for relatives, friends and pets, mapped to one word for each.
KIN = FACTS.kin
#: Words before a person who took part.
COMPANY = frozenset("by with von mit par avec por con da com door met".split())
#: Words for "with" among these: "lives with", "works with".
TOGETHER = frozenset("with mit avec con com met".split())
#: Words before a name that may change while the fact stays the same.
PLACING = frozenset(
    "in at to from near into on called named is are was were like in bei nach aus heißt à de "
    "en a desde di se llama".split()
)
#: Words without meaning of their own, in which wordings differ.
FUNCTION_WORDS = frozenset(
    "the a an of to in on at for from with by and or but as is are was were be been being am has "
    "have had having do does did it its his her hers their theirs them him he she they who whom "
    "which that this these those there will would can could should may might shall must so than "
    "then also too very really just someone somebody person one thing s".split()
)
#: Articles that tell who does it and to whom: "der Nutzer", "den Nutzer".
CASES = frozenset("der den dem einen einem einer".split())
#: Words that only link others, besides the articles above: prepositions, auxiliary verbs, and
#: further articles.
LINKING_WORDS = frozenset(
    "of to in on at for from with by as do does did any "
    "dem des ein eine einen einem einer eines im am in an auf bei mit nach von vom zu zum zur für "
    "i gli un uno una di del della dei delle da dal nel nella con su per al alla come als "
    "unos unas en por para a como "
    "une du d l à au aux dans sur avec pour chez comme".split()
)
#: Units, before or after which a number is a quantity.
UNITS = FACTS.units.union(
    "mg g kg ml l cm m km mm kcal kwh gb mb tb hz % yen usd eur gbp chf".split()
)
CURRENCIES = frozenset("€$£¥₹")
#: After a number that is a time of the day.
CLOCK = frozenset("am pm uhr o'clock".split())
COPULAS = frozenset("is was ist war est était è era es".split())
#: Verbs with what links them to a value that has one value at a time, as words.
STATES = frozenset(tuple(phrase.split()) for phrase in FACTS.states)
