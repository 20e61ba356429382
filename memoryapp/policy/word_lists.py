"""Word lists in several languages for the comparison of sentences."""

from memoryapp.language.numerals import NUMERALS
from memoryapp.language.vocabularies import VOCABULARIES

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
#: Words that open a clause.
CONJUNCTIONS = frozenset(
    "when whenever if because although while since before after until unless "
    "wenn falls weil obwohl während bevor nachdem sobald quand lorsque si parce puisque avant "
    "après quando se perché siccome prima dopo cuando porque aunque antes después".split()
)


ARTICLES = frozenset("the a an der die das la le il lo el o os as de het den l".split())
#: Words for the user.
USERS = frozenset(
    "user users usuario usuaria usuário usuária utilisateur utilisatrice utente nutzer nutzerin "
    "benutzer gebruiker användaren brugeren brukeren пользователь".split()
)
#: Words for relatives, friends and pets, mapped to one word for each.
KIN = {
    word: words.split()[0]
    for words in (
        "mother mom mum mama|father dad papa|parents parent|sister sisters|brother brothers|"
        "sibling siblings|daughter daughters|son sons|child children kid kids|wife|husband|"
        "spouse|partner|fiancé fiancée|girlfriend|boyfriend|friend friends pal pals buddy buddies|"
        "aunt|uncle|cousin cousins|niece|nephew|grandmother grandma|grandfather grandpa|"
        "grandparents|grandson|granddaughter|boss manager|colleague colleagues coworker coworkers|"
        "neighbor neighbour|roommate flatmate|teacher|doctor|coach|client|"
        "dog dogs puppy pup|cat cats kitten|"
        "madre|padre|hermana|hermano|hija|hijo|esposa|esposo|amigo|amiga|"
        "mère|père|sœur|soeur|frère|fille|fils|mari|ami|amie|"
        "mutter mama|vater|eltern|schwester schwestern|bruder brüder|geschwister|tochter töchter|"
        "sohn söhne|kinder|frau ehefrau|mann ehemann|verlobte verlobter|freundin freundinnen|"
        "freund freunde|tante|onkel|cousine|nichte|neffe|oma großmutter|opa großvater|großeltern|"
        "enkel enkelin|chef chefin|kollege kollegin kollegen|nachbar nachbarin|mitbewohner "
        "mitbewohnerin|lehrer lehrerin|arzt ärztin|hund hunde hündin|katze katzen kater|"
        "sorella|fratello|figlia|figlio|moglie|marito|amico amici|amica|capo|collega|gatto|"
        "jefe jefa|novio|novia|tía|tío|abuela|abuelo|perro|gata|"
        "femme|copain|copine|tante|oncle|grand-mère|grand-père|chien|collègue|mãe|pai|irmã|irmão|filha|filho"
    ).split("|")
    for word in words.split()
}
#: Of these, the pets.
PETS = frozenset(
    "dog dogs puppy pup cat cats kitten hund hunde hündin katze katzen kater gatto perro gata "
    "chien".split()
)
#: Words before a person who took part.
COMPANY = frozenset("by with von mit par avec por con da com door met".split())
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
UNITS = frozenset(
    "mg g kg ml l cm m km mm lb lbs oz ft kcal kwh gb mb tb hz % percent prozent euro euros "
    "dollar  dollars pound pounds francs yen usd eur gbp chf year years month months week weeks "
    "day days  hour hours minute minutes second seconds jahr jahre jahren monat monate woche "
    "wochen tag tage  stunde stunden minuten ans année années mois semaine semaines jour jours "
    "heure heures anno anni  mese mesi settimana settimane giorno giorni ora ore año años mes "
    "meses semanas día días hora  horas mile miles meter meters metre metres kilometer kilometers "
    "kilos kilo gram grams litre  litres liter liters degrees grad".split()
)
CURRENCIES = frozenset("€$£¥₹")
#: After a number that is a time of the day.
CLOCK = frozenset("am pm uhr o'clock".split())
#: Things that have a number as their name: "box 8" is not the same as "box 18".
NUMBERED = frozenset(
    "box boxes room rooms invoice number no nr id code token ticket order shelf drawer chapter "
    "page  version flight bus line track gate apartment flat house street platform account route "
    "highway  season episode level grade step item case part building floor unit seat row table "
    "lot batch  model type size channel exercise question lesson volume issue patient sample "
    "kiste zimmer rechnung nummer regal kapitel seite haus straße bestellung konto gleis  boîte "
    "chambre facture numéro étagère chapitre page maison rue commande compte  scatola stanza "
    "fattura numero scaffale capitolo pagina casa via ordine conto  caja habitación factura "
    "número estante capítulo página calle pedido cuenta".split()
)
#: Verbs before a quantity without a unit.
MEASURING = frozenset(
    "weighs costs earns pays measures wiegt kostet verdient zahlt pèse coûte gagne pesa costa "
    "guadagna cuesta gana".split()
)
#: Verbs of which a person has one order at a time: tea to coffee.
PREFERRING = frozenset(
    "prefer prefers preferred favor favors favored favour favours favoured preference bevorzugt "
    "bevorzugen lieber préfère préfèrent preferisce preferiscono prefiere prefieren".split()
)
COPULAS = frozenset("is was ist war est était è era es".split())
#: Verbs with what links them to a value that has one value at a time.
STATES = frozenset(
    tuple(words.split())
    for words in (
        "lives in|lives at|live in|living in|resides in|based in|works at|works for|works as|"
        "work at|work for|employed by|employed at|married to|engaged to|studies at|is called|"
        "is named|banks with|banks at|"
        "wohnt in|lebt in|arbeitet bei|arbeitet für|arbeitet als|verheiratet mit|studiert an|heißt|"
        "habite à|vit à|travaille chez|travaille pour|travaille comme|s'appelle|marié à|mariée à|"
        "vive a|abita a|lavora per|lavora presso|lavora come|si chiama|sposato con|sposata con|"
        "vive en|trabaja en|trabaja para|trabaja como|se llama|casado con|casada con"
    ).split("|")
)
#: What a person or thing has one of: "the user's employer is".
SINGLE_ATTRIBUTES = frozenset(
    "name surname nickname birthday age height weight address hometown city country job employer "
    "occupation profession salary rent dose dosage bank doctor dentist landlord manager boss "
    "password pin diet type timezone religion nationality language deadline budget status "
    "geburtstag alter adresse beruf arbeitgeber gehalt miete dosis arzt zahnarzt chef "
    "nom anniversaire âge adresse métier employeur salaire loyer médecin dentiste "
    "nome compleanno età indirizzo lavoro stipendio affitto dose medico dentista capo "
    "nombre cumpleaños edad dirección trabajo sueldo alquiler dosis médico jefe".split()
)
#: Words that make one of several: "the user's favourite colour is".
SUPERLATIVES = frozenset(
    "favourite favorite preferred current primary main lieblingsfarbe lieblingsessen aktuelle "
    "préféré préférée actuel actuelle preferito preferita attuale favorito favorita actual".split()
)
