"""Function words of five languages, and which language a text is in. Pure.

Function words (articles, pronouns, prepositions, auxiliary verbs, question words) say nothing about
the subject of a text. In a large store their frequency shows that; in one of ten memories it does
not, nor for words of a language that full-text search is not set to.
"""

import re

#: PostgreSQL's names of the languages.
FUNCTION_WORDS: dict[str, frozenset[str]] = {
    "english": frozenset(
        "a an the this that these those there here i me my mine myself we us our ours ourselves "
        "you your yours yourself he him his himself she her hers herself it its itself they them "
        "their theirs themselves who whom whose which what when where why how if whether than then "
        "so as at by for from in into of off on onto out over to under up upon via with within "
        "without about after before between during through and or but nor not no am is are was "
        "were be been being do does did doing done have has had having will would shall should can "
        "could may might must ought s t d m re ve ll don doesn didn isn aren wasn weren haven hasn "
        "hadn won wouldn shouldn couldn mustn any some each every both all only just also too very "
        "more most other such own same few again ever yet still let lets".split()
    ),
    "german": frozenset(
        "der die das den dem des ein eine einen einem einer eines ich mich mir mein meine meinen "
        "meinem meiner meines wir uns unser unsere unseren unserem unserer du dich dir dein deine "
        "deinen deinem deiner ihr euch euer eure er ihn ihm sein seine seinen seinem seiner sie "
        "ihre ihren ihrem ihrer ihnen es man wer wen wem wessen was welche welcher welches welchen "
        "welchem wann wo wohin woher warum wieso weshalb wie wieviel ob als wenn dass weil denn "
        "doch und oder aber nicht kein keine keinen keinem keiner zu zum zur von vom vor nach bei "
        "beim mit ohne für über unter um an am auf aus in im ins durch gegen seit bis ist bin bist "
        "sind seid war waren warst wäre hat habe haben hast hatte hatten hätte wird werde werden "
        "wurde wurden würde kann kannst können könnte könntest muss müssen soll sollte sollten "
        "darf dürfen mag möchte noch nur auch schon sehr mal so da dort hier dies diese dieser "
        "dieses diesem diesen jetzt dann".split()
    ),
    "italian": frozenset(
        "il lo la i gli le un uno una l d c n m t s v io me mi mio mia miei mie noi ci nostro "
        "nostra nostri nostre tu te ti tuo tua tuoi tue voi vi vostro vostra lui lei loro suo sua "
        "suoi sue li ne che chi cosa quale quali quando dove perché perche come quanto quanta "
        "quanti quante se e ed o ma non né di del dello della dei degli delle dell a al allo alla "
        "ai agli alle all da dal dallo dalla dai dagli dalle dall in nel nello nella nei negli "
        "nelle nell con su sul sullo sulla sui sugli sulle sull per tra fra sono sei è siamo siete "
        "era ero erano essere stato stata ho hai ha abbiamo avete hanno aveva avevo avere fa fatto "
        "può puoi posso possiamo potresti deve devo devi questo questa questi queste quello quella "
        "quelli quelle qui lì più anche ancora già solo molto".split()
    ),
    "spanish": frozenset(
        "el la los las lo un una unos unas yo me mi mis mí mío mía conmigo nosotros nosotras nos "
        "nuestro nuestra nuestros nuestras tú tu tus te ti contigo usted ustedes él ella ellos "
        "ellas ello su sus se le les que qué quien quién quienes cual cuál cuales cuáles cuando "
        "cuándo donde dónde adónde por porque cómo como cuánto cuánta cuántos cuántas si y e o u "
        "pero ni no de del a al en con sin para sobre entre desde hasta es soy eres somos son está "
        "estoy estás estamos están era fue fui ser estar he has ha hemos han había hay haber tengo "
        "tiene puede puedes puedo podría podrías debe debo este esta estos estas ese esa esos esas "
        "eso esto aquel aquella aquí ahí allí más muy también ya aún sólo solo".split()
    ),
    "french": frozenset(
        "le la les l un une des du de d je j me m moi mon ma mes nous notre nos tu te t toi ton ta "
        "tes vous votre vos il elle ils elles on lui leur leurs son sa ses se s y en qui que quoi "
        "qu quel quelle quels quelles lequel laquelle quand où comment pourquoi combien si et ou "
        "mais ni ne n pas à au aux dans par pour avec sans sur sous entre chez vers depuis est "
        "suis es sommes êtes sont était étais étaient être été ai as a avons avez ont avait avais "
        "avoir peux peut puis pouvez pourrais dois doit ce c ça cela cet cette ces ici là plus "
        "aussi encore déjà très bien".split()
    ),
}

_WORD = re.compile(r"[^\W_]+")
#: Words of a text that are looked at to tell its language.
_MAX_WORDS = 60
#: How many more of a text's words have to be function words of another language than of the usual
#: one: "car", "die" and "war" are words of several languages.
_LEAD = 2
#: Where the usual language is not one of them: the function words that a text in one has at least,
#: and their share of its words.
_MIN_CLEAR_WORDS, _CLEAR_SHARE = 3, 0.4
#: Signs that tell one of the languages from the others.
_OWN_SIGNS = {
    "german": frozenset("äöüßÄÖÜ"),
    "italian": frozenset("ìò"),
    "spanish": frozenset("¿¡ñÑ"),
    "french": frozenset("çêëïœÇŒ"),
}
_NONE: frozenset[str] = frozenset()
#: The last letter of Latin Extended-B.
_LAST_LATIN = "\u024f"


def words(text: str) -> list[str]:
    """The words and numbers of *text*, case-folded; "what's" is two."""
    return _WORD.findall(text.casefold())


def language_of(text: str, usual: str = "english") -> str:
    """The language of *text* among those of `FUNCTION_WORDS`, or the *usual* one if too few words
    tell another.
    """
    found = words(text)[:_MAX_WORDS]

    def count(language: str) -> int:
        known = FUNCTION_WORDS.get(language, frozenset())
        return sum(word in known for word in found)

    best = max(FUNCTION_WORDS, key=count)
    if usual in FUNCTION_WORDS:
        return best if count(best) >= count(usual) + _LEAD else usual
    # Portuguese shares many words with Spanish, and Dutch with German: in a text of one of them
    # they are fewer.
    is_clear = count(best) >= max(_MIN_CLEAR_WORDS, _CLEAR_SHARE * len(found))
    return best if is_clear else usual


def languages_of_question(question: str, usual: str = "english") -> tuple[str, ...]:
    """The languages that *question* may be in, the likeliest first. One word is enough to tell:
    with a wrong guess, nothing is lost. Without any, it is in the *usual* language or in English,
    but in neither if its letters are of another script than Latin.
    """
    found = words(question)[:_MAX_WORDS]
    counts = {
        language: sum(word in known for word in found)
        + (not _OWN_SIGNS.get(language, _NONE).isdisjoint(question))
        for language, known in FUNCTION_WORDS.items()
    }
    most = max(counts.values())
    if not most:
        other_script = any(letter > _LAST_LATIN for word in found for letter in word)
        return () if other_script else tuple(dict.fromkeys([usual, "english"]))
    likeliest = [language for language, count in counts.items() if count == most]
    return tuple(sorted(likeliest, key=lambda language: language != usual))


def is_english(text: str, usual: str = "english") -> bool:
    """Whether *text* seems to be in English, when most texts are in the *usual* language."""
    if language_of(text, usual) != "english":
        return False
    return text.isascii() or not FUNCTION_WORDS["english"].isdisjoint(words(text))


def function_words_of(text: str, usual: str = "english") -> frozenset[str]:
    """The function words of the *usual* language, and of those that *text* may be in instead."""
    languages = languages_of_question(text, usual)
    told = {usual} if usual in languages else {usual, *languages}
    return _NONE.union(*(FUNCTION_WORDS.get(language, _NONE) for language in told))


def content_words(text: str, function_words: frozenset[str]) -> list[str]:
    """The words of *text* that are not among *function_words*."""
    return [word for word in words(text) if word not in function_words]


def is_function_word(word: str) -> bool:
    """Whether *word* is a function word of any of the languages."""
    return any(word in known for known in FUNCTION_WORDS.values())
