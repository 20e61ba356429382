"""German: from what a person says of themselves to a sentence about them. Pure."""

import re
from collections.abc import Callable, Sequence

from memoryapp.language.words import is_function_word
from memoryapp.policy.word_lists import KIN
from memoryapp.reader.languages.appositions import set_off_name
from memoryapp.reader.languages.language import Narrated

_TOKEN = re.compile(r"[^\W_]+|\s+|[^\w\s]|_")
_IRREGULAR = {
    form: third
    for pair in (
        "bin:ist habe:hat hab:hat werde:wird fahre:fährt schlafe:schläft esse:isst lese:liest "
        "sehe:sieht spreche:spricht treffe:trifft nehme:nimmt gebe:gibt laufe:läuft trage:trägt "
        "helfe:hilft vergesse:vergisst halte:hält lade:lädt wasche:wäscht lasse:lässt fange:fängt "
        "falle:fällt verlasse:verlässt trete:tritt empfehle:empfiehlt wachse:wächst breche:bricht "
        "vertrage:verträgt bewerbe:bewirbt erhalte:erhält backe:backt stehle:stiehlt rate:rät "
        "sterbe:stirbt werfe:wirft messe:misst fresse:frisst enthalte:enthält behalte:behält "
        "übernehme:übernimmt verbringe:verbringt sammle:sammelt segle:segelt bastle:bastelt "
        "klettere:klettert wandere:wandert feiere:feiert radle:radelt handle:handelt lade:lädt "
        "verspreche:verspricht betrete:betritt unterhalte:unterhält"
    ).split()
    for form, third in [pair.split(":")]
}
#: The same in the first and the third person.
_SAME = frozenset(
    "mag kann muss will soll darf weiß möchte war hatte wurde würde ging kam fuhr sah fand nahm "
    "gab lief schrieb las aß trank blieb stand bekam begann zog traf half sprach verlor gewann "
    "schwamm lag saß hielt ließ schlief trug wuchs starb rief fing flog entschied verstand bewarb "
    "brach schloss verließ unterschrieb erhielt erfuhr betrat verbrachte".split()
)
_OF_WE = {
    "sind": "ist", "haben": "hat", "werden": "wird", "können": "kann", "müssen": "muss",
    "wollen": "will", "sollen": "soll", "dürfen": "darf", "mögen": "mag", "wissen": "weiß",
    "möchten": "möchte",
}  # fmt: skip
#: Present forms that look like past ones.
_PRESENT_IN_TE = frozenset(
    "arbeite warte miete vermiete biete halte bitte leite reite koste teste starte streite heirate "
    "chatte bedeute beobachte betrachte richte verrichte unterrichte berichte faste achte fürchte "
    "schalte gestalte verwalte bearbeite begleite verarbeite leiste beantworte antworte züchte "
    "braute flirte trete rate melde".split()
)
_NO_VERBS = frozenset(
    "eine meine keine seine ihre unsere heute gerne viele alle diese jede jene manche andere beide "
    "ohne beste neue kleine große letzte nächste erste ganze mehrere einige welche solche lange "
    "leise gerade sowie bitte genaue eure deine ende mitte abende".split()
)
#: Verbs that may follow "und" without a subject.
_COMMON = frozenset(
    "wohne lebe arbeite spiele lerne studiere mache koche trinke gehe komme liebe "
    "hasse suche finde "
    "kaufe baue schreibe höre singe tanze schwimme jogge trainiere sammle lese fahre esse reise "
    "bin habe mag möchte will kann muss darf hatte war wurde leite führe besuche "
    "unterrichte pflege "
    "betreue ziehe plane nehme trage heiße züchte male zeichne fotografiere programmiere verkaufe "
    "bleibe stehe sitze glaube denke interessiere engagiere helfe verbringe schlafe laufe wandere "
    "backe nähe stricke boxe reite segle tauche rauche ernähre bevorzuge benutze verwende".split()
)
#: Those of which people leave out the last letter: "ich fahr", "ich wohn".
_SHORTENED = _COMMON.union(
    _IRREGULAR,
    "bekomme brauche bringe denke frage freue führe hoffe hole kriege lege lerne nutze putze "
    "rechne rede sage schaue schicke setze steige stelle stehe such tue überlege versuche "
    "verdiene verkaufe rufe mähe gieße spüle räume fliege wecke leihe heize melke säe hänge "
    "schaffe verpasse verliere bezahle spare zocke schulde kämpfe schiebe hüte verstehe wiege "
    "wünsche zahle zeige".split(),
) - {"bin", "mag", "möchte", "will", "kann", "muss", "darf", "hatte", "war", "wurde"}
#: What follows a verb, and no adjective: "und kaue gerade".
_BEHIND_VERB = frozenset(
    "mich mir uns gerade grad jetzt noch schon auch oft immer meist meistens nie kein keine keinen "
    "ein eine einen der die das den dem mein meine meinen meinem seit jeden jede jedes im in am an "
    "auf für mit nach zu zum zur".split()
)
#: Letters of the shortest verb in "-ieren": "vier" and "hier" are none.
_MIN_IER = 5
_SUBJECTS = frozenset(("ich", "wir"))
_MARKS = frozenset(",;:")
_LINKS = frozenset("und oder aber sondern sowie".split())
#: Behind these, verbs are infinitives.
_MODAL = frozenset("können müssen wollen sollen dürfen mögen möchten werden würden".split())
_SUBORDINATE = frozenset(
    "weil dass da obwohl wenn als während nachdem bevor seit seitdem damit ob wo was die der das "
    "den dem welche welches womit worauf wofür wohin sodass".split()
)
#: Of these, the ones that begin a clause even without a comma.
_SUBJUNCTIONS = frozenset("weil dass obwohl nachdem sodass".split())
#: Adjectives before a noun in small letters.
_ADJECTIVE = re.compile(
    r"(?:alt|älter|ältest|neu|klein|groß|größ(?:er|t)|jung|jünger|jüngst|best|erst|zweit|ganz|"
    r"eigen|lieb|früher|ehemalig|aktuell|jetzig|link|recht|letzt|nächst|gut|kaputt|ander|fest|"
    r"halb|leiblich|beid|zwei|drei|vier)(?:e[nmrs]?)?"
)
_NEUTER = frozenset(
    "auto kind haus baby büro studium pferd fahrrad rad handy lieblingsessen lieblingsbuch "
    "lieblingstier team zimmer boot gehalt hobby ziel leben patenkind enkelkind meerschweinchen "
    "kaninchen unternehmen geschäft restaurant café projekt instrument lieblingsgericht budget "
    "konto visum abo problem knie auge ohr herz bein bett fest gesicht gewicht haar konzert netz "
    "programm seminar semester sofa spiel system tablet telefon ticket training video gerät "
    "interview meeting praktikum abitur examen stipendium gericht essen schloss kleid deutsch "
    "englisch französisch spanisch italienisch dach fenster klavier moped motorrad dorf büro bild "
    "tier buch fach geld schiff zelt ohr gehör gedächtnis immunsystem gebiss becken".split()
)
_NEUTER_ENDINGS = (
    "chen",
    "lein",
    "ment",
    "haus",
    "zimmer",
    "auto",
    "rad",
    "gerät",
    "jahr",
    "heim",
    "zentrum",
    "gespräch",
    "konzert",
    "kind",
    "ticket",
)
#: Nouns that are declined as adjectives: "mein Großer", "der Große".
_DECLINED = frozenset("verlobter bekannter verwandter angestellter vorgesetzter".split())
#: Participles of what is done to somebody: "uns" is no dative before them.
_TO_THEM = frozenset(
    "eingeladen besucht verlassen gefragt angerufen abgeholt betrogen gebeten unterstützt "
    "getroffen "
    "mitgenommen informiert geweckt gerettet gestört genervt überrascht".split()
)
#: Tokens from a possessive to its noun.
_MAX_NOUN = 6
_POSSESSIVE = re.compile(r"(?:mein|unser|unsr)(?P<ending>e[nmrs]?)?$")
_ARTICLES = {"e": "die", "en": "den", "em": "dem", "er": "der", "es": "des"}


def narrate(text: str, person: Narrated) -> str | None:
    """Tell *text*, said in the first person, of *person*; None if a form is not known."""
    return _Narration(text, person).told()


def third_person(verb: str) -> str | None:
    """The third person of a *verb* in the first; None if it does not look like one."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb in _SAME:
        return verb
    if f"{verb}e" in _SHORTENED or (verb.endswith("ier") and len(verb) > _MIN_IER):
        return third_person(f"{verb}e")
    if verb in _NO_VERBS or not verb.islower() or not verb.endswith("e") or len(verb) < 4:
        return None
    if verb.endswith("te") and verb not in _PRESENT_IN_TE:
        return verb
    root = verb[:-1]
    if root[-1] in "lr" and root[-2] not in "aeiouäöühlry":
        return f"{root[:-1]}e{root[-1]}t"
    needs_vowel = root.endswith(("d", "t")) or (
        root[-1] in "mn" and len(root) > 1 and root[-2] not in "aeiouäöühlrmn"
    )
    return root + ("et" if needs_vowel else "t")


def third_person_of_we(verb: str) -> str | None:
    """The same of a verb in the plural."""
    if verb in _OF_WE:
        return _OF_WE[verb]
    if not verb.endswith("en") or not verb.islower():
        return None
    return verb[:-2] if verb[:-2] in _SAME else third_person(verb[:-1])


class _Narration:
    """Goes through a sentence once for its verbs, and once for its pronouns."""

    def __init__(self, text: str, person: Narrated) -> None:
        self.tokens = _TOKEN.findall(text)
        self.words = [at for at, token in enumerate(self.tokens) if token[0].isalnum()]
        self.person = person
        self.sure, self.named = True, False
        #: True if the person was named as a subject.
        self.is_told = False
        #: Clauses in which the person is the subject.
        self.own_clauses: set[int] = set()
        #: Tokens that are verbs of the person.
        self.replaced: set[int] = set()
        self.clauses = self._clauses()

    def told(self) -> str | None:
        for place in range(len(self.words)):
            self._verb_of(place)
        at, parts = 0, list[str]()
        while self.sure and at < len(self.tokens):
            at = self._pronoun(at, parts)
        return "".join(parts) if self.sure and self.named else None

    def _clauses(self) -> list[int]:
        numbers, number, is_subordinate, before = [], 0, False, ""
        for at, token in enumerate(self.tokens):
            word = token.lower()
            begins = word in _SUBJUNCTIONS and before not in _MARKS
            # "… dass ich umziehe und ich freue mich".
            ends = is_subordinate and word in _LINKS and self._token(at + 2) in _SUBJECTS
            if token in _MARKS or begins or ends:
                number, is_subordinate = number + 1, False
            is_subordinate = is_subordinate or word in _SUBJUNCTIONS
            numbers.append(number)
            before = before if token.isspace() else token
        return numbers

    def _token(self, at: int) -> str:
        return self.tokens[at].lower() if at < len(self.tokens) else ""

    def _word(self, place: int) -> str:
        return self.tokens[self.words[place]].lower() if 0 <= place < len(self.words) else ""

    def _same_clause(self, place: int, other: int) -> bool:
        return (
            0 <= other < len(self.words)
            and self.clauses[self.words[place]] == self.clauses[self.words[other]]
        )

    def _verb_of(self, place: int) -> None:
        """Put the verb of the subject at this place into the third person."""
        subject = self._word(place)
        if subject not in ("ich", "wir"):
            return
        convert = third_person if subject == "ich" else third_person_of_we
        clause = [p for p in range(len(self.words)) if self._same_clause(place, p)]
        self.own_clauses.add(self.clauses[self.words[place]])
        if (
            place
            and self._word(place - 1) == "und"
            and place - 2 in clause
            and not any(self._word(p) in ("ich", "wir") for p in clause if p < place)
            and len([p for p in clause if p < place]) <= 4
        ):
            return  # "Meine Frau und ich wohnen": in the plural.
        if self._word(clause[0]) in _SUBORDINATE and clause[0] < place:
            candidates = [clause[-1], place - 1, place + 1]
        elif place - 1 in clause and self._word(place - 1) not in _LINKS:
            candidates = [place - 1, place + 1]
        else:
            candidates = [place + 1]
        for at in candidates:
            verb = self._word(at)
            # "Dass ich Vegetarier bin": a noun.
            is_noun = 0 < at < len(self.words) and self.tokens[self.words[at]][0].isupper()
            if at in clause and not is_noun and (told := convert(verb)):
                self._replace(at, told)
                if verb not in _MODAL:
                    # "Am Montag fahre ich": the verb may come before.
                    self._coordinated(max(at, place), convert)
                return
        self.sure = False

    def _replace(self, place: int, told: str) -> None:
        index = self.words[place]
        self.replaced.add(index)
        capital = self.tokens[index][0].isupper()
        self.tokens[index] = told.capitalize() if capital else told

    def _coordinated(self, verb: int, convert: Callable[[str], str | None]) -> None:
        """Verbs behind "und" or a comma that have the same subject."""
        for place in range(verb + 1, len(self.words)):
            word = self._word(place)
            if word in ("ich", "wir") or self._word(place + 1) in ("ich", "wir"):
                return
            is_new = not self._same_clause(place - 1, place)
            if not (is_new or self._word(place - 1) in _LINKS):
                continue
            if convert is third_person_of_we:
                # "Wohnen" at the end is an infinitive.
                is_verb = word in _OF_WE or word[:-1] in _COMMON
                is_verb = is_verb and self._same_clause(place, place + 1)
            else:
                is_verb = word in _COMMON
                # "Ich mag Sport und Tanz" ends with a noun.
                goes_on = self._same_clause(place, place + 1)
                is_known = word in _SHORTENED or f"{word}e" in _SHORTENED
                is_verb = is_verb or (is_known and goes_on) or self._looks_like_verb(place)
            is_verb = is_verb and self.tokens[self.words[place]].islower()
            if is_verb and (told := convert(word)):
                self._replace(place, told)
                self.own_clauses.add(self.clauses[self.words[place]])

    def _looks_like_verb(self, place: int) -> bool:
        """True if the word here may be a verb only, where people write nouns with a capital."""
        following = self._word(place + 1)
        writes_capitals = any(self.tokens[at][0].isupper() for at in self.words[1:])
        return writes_capitals and self._same_clause(place, place + 1) and following in _BEHIND_VERB

    def _name(self, parts: list[str], article: str) -> str:
        self.named = True
        if self.person.name:
            return self.person.name
        name = f"{article} Nutzer"
        return name[0].upper() + name[1:] if not "".join(parts).strip() else name

    def _pronoun(self, at: int, parts: list[str]) -> int:
        token = self.tokens[at]
        word, is_own = token.lower(), self.clauses[at] in self.own_clauses
        if word in ("ich", "wir"):
            before = "".join(parts).split()
            again = self.is_told and before and before[-1] in _LINKS and len(self.own_clauses) == 1
            self.is_told = True
            parts.append("er" if again and not self.person.name else self._name(parts, "der"))
        elif word in ("mich", "mir", "uns"):
            is_object = word == "mich" or (word == "uns" and not _TO_THEM.isdisjoint(self.tokens))
            article = "den" if is_object else "dem"
            is_own = is_own and not self._is_of_another(at)
            parts.append("sich" if is_own else self._name(parts, article))
        elif possessive := _POSSESSIVE.match(word):
            return self._possessive(at, possessive["ending"] or "", parts)
        else:
            parts.append(token)
        return at + 1

    def _is_of_another(self, at: int) -> bool:
        """True if the verb before the pronoun here has another subject: "und Lärm stresst mich"."""
        before = at - 2
        verb = self.tokens[before] if before >= 0 else ""
        is_verb = verb.islower() and verb.endswith("t") and not verb.startswith("ge")
        return is_verb and verb not in _NO_THIRD and before not in self.replaced

    def _possessive(self, at: int, ending: str, parts: list[str]) -> int:
        if self.person.name:
            self.named = True
            suffix = "’" if self.person.name.endswith(("s", "x", "z", "ß")) else "s"
            parts.append(self.person.name + suffix)
            return at + 1
        if self.named:
            parts.append(f"sein{ending}")
            return at + 1
        noun = self._noun(at + 1)
        if noun is None:
            self.sure = False
            return at + 1
        plain = self.tokens[noun].lower()
        is_neuter = plain in _NEUTER or plain.endswith(_NEUTER_ENDINGS)
        article = _ARTICLES.get(ending) or ("das" if is_neuter else "der")
        between = "".join(self.tokens[at + 1 : noun])
        if not ending:
            between = re.sub(r"e[rs]\s", "e ", between)
        told = "".join(parts).split()
        begins = not told
        if told and told[-1].lower() in ("alle", "beide"):
            article, between = "", between.lstrip()
        parts.append(article.capitalize() if begins else article)
        name, end = set_off_name(self.tokens, noun)
        capital = self.tokens[noun][0].upper() + self.tokens[noun][1:]
        if not ending and (plain in _DECLINED or _ADJECTIVE.fullmatch(plain)):
            capital = capital.removesuffix("r")
        parts.append(f"{between}{capital} des Nutzers{name}")
        self.named = True
        return end

    def _noun(self, start: int) -> int | None:
        """The place of the noun behind a possessive: the word for a relative, or with a capital, or
        the first one that is no adjective where people write nouns in small letters.
        """
        small = None
        for at in range(start, min(start + _MAX_NOUN, len(self.tokens))):
            token = self.tokens[at]
            if token[0].isupper() or token in KIN:
                return at
            if token.isspace():
                continue
            if not token.islower():
                break
            if small is None and not _ADJECTIVE.fullmatch(token):
                small = at
        is_noun = small is not None and not is_function_word(self.tokens[small])
        return small if is_noun else None


_THIRD = (
    frozenset(told for word in _COMMON | _SHORTENED if (told := third_person(word)))
    | frozenset(_IRREGULAR.values())
    | _SAME
)
#: Words in "-t" that are no verbs.
_NO_THIRD = frozenset("nicht jetzt oft selbst fast meist erst seit mit dort bereits statt".split())
_PLURAL = frozenset(word + "n" for word in _COMMON) | frozenset(_OF_WE) | {"waren", "hatten"}


def agrees(noun: str, verb: str) -> bool:
    """True if *noun* may be the subject of *verb*."""
    if verb in _PLURAL:
        return noun.endswith(("n", "er", "e", "s")) and noun not in ("mann", "ehemann", "sohn")
    return verb in _THIRD or (verb.endswith("t") and verb not in _NO_THIRD)


#: Between clauses, of which each has its verb last.
_LAST = re.compile(r",? (?:und|aber) |, ")
#: What is parted from its verb in a main clause: "aufstehe", "stehe … auf".
_PREFIX = re.compile(
    r"(?P<prefix>auf|an|ab|aus|ein|mit|zu|um|vor|weg|nach|her|hin|zurück|los|teil|fern)"
    r"(?P<verb>[a-zäöüß]{3,20})"
)


def main_clause(text: str) -> str:
    """*text*, behind "dass", as a main clause: "ich Arzt bin" is "ich bin Arzt"."""
    end = len(text.rstrip(" .!"))
    parts, at = list[str](), 0
    for cut in [*_LAST.finditer(text, 0, end), None]:
        stop = cut.start() if cut else end
        words = text[at:stop].split()
        subject = _subject_length(words)
        if len(words) < subject + 2 or not (verb := _last_verb(words[-1])):
            if not parts:
                return text
            parts.append(text[at:stop])
        else:
            finite, prefix = verb
            parts.append(" ".join([*words[:subject], finite, *words[subject:-1], *prefix]))
        if cut:
            parts.append(cut[0])
            at = cut.end()
    return "".join(parts) + text[end:]


def _subject_length(words: Sequence[str]) -> int:
    """How many of *words*, up to a verb, are the subject: "ich", "meine Frau Anna"."""
    if not words or words[0].lower() in _SUBJECTS:
        return len(words[:1])
    if not _POSSESSIVE.match(words[0].lower()):
        return 0
    noun = next((at for at, word in enumerate(words) if at and word[0].isupper()), 1)
    # "Mein Sohn Asthma hat": what stands right before the verb is no name.
    while noun + 3 < len(words) and words[noun + 1][0].isupper():
        noun += 1
    return noun + 1


def _last_verb(word: str) -> tuple[str, list[str]] | None:
    """The finite verb of a *word* at the end of a clause, and what is parted from it."""
    parted = _PREFIX.fullmatch(word)
    if parted and (parted["verb"] in _COMMON | _SHORTENED | _IRREGULAR.keys() | _THIRD):
        return parted["verb"], [parted["prefix"]]
    is_verb = third_person(word) or word in _THIRD or word in _PLURAL or word in ("ist", "sind")
    return (word, []) if is_verb else None
