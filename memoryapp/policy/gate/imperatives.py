"""Whether the first word of a sentence commands, or names what the sentence is about. Pure.

"Book", "order", "call" and "mostra" are verbs and nouns. What follows tells: an imperative goes on
with its object ("Book a table"), a noun with its number ("Book 4: …"), with what belongs to it
("Call with Anna"), or with the verb of the sentence ("Order 17 arrived").
"""

from collections.abc import Sequence

from memoryapp.policy.gate.words import Word

#: Verbs that no object of an imperative contains, outside of a clause of its own.
_FINITE = frozenset(
    # English
    "is are was were am has had does did do can could will would should must may might isn't "
    "wasn't aren't weren't hasn't didn't doesn't won't came went got took won found met made "
    "gave sold "
    "lost sent paid left began ran fell broke rose cost went grew became kept stood sat lay "
    "starts comes goes takes meets begins arrives closes contains belongs becomes remains requires "
    "opens needs lies hangs stays keeps wants knows consists lasts seems lives sells means says "
    "gets makes helps "
    # German
    "ist sind waren hatte hatten wird wurde wurden kann muss soll läuft lief kam ging "
    "kostet dauert steht stand liegt gab fiel endet beginnt kommt geht "
    # Italian, Spanish, French
    "è era erano sono ha aveva hanno sarà fu dura costa chiude apre comincia inizia finisce "
    "está estaba fue había était été avait sera sont".split()
)
#: Words before a verb that have it in a clause of its own: "all that was said", "what I know".
_SUBORDINATING = frozenset(
    "that what which who whom whose if when where while because until unless how why whether so "
    "as like you i he she it they we dass wenn ob wie weil che se quando come perché cosa "
    "que si cuando como quoi quand comme".split()
)
#: What an object begins with, and what stands between a command and its object.
_OF_OBJECT = frozenset(
    "the a an my your his her its our their this that these those all any every each some no both "
    "me him them us it everything anything nothing yourself myself always never only not exactly "
    "immediately der die das den dem ein eine einen einem mein meine dein deine alle alles jede "
    "jeden mir mich ihm ihr ihnen uns immer nie nur il lo la gli le i un uno una tutto tutti tutte "
    "ogni mi me sempre solo el los las todo toda todos todas cada siempre les des mon ma mes tout "
    "tous toutes toujours".split()
)
_PREPOSITIONS = frozenset(
    "at in on from with for to by about between after before during near under over against of "
    "without since until von vom mit aus bei beim nach für am im zum zur um über gegen an auf in "
    "zwischen vor seit di del della dei delle degli dello con da dal dalla per su sul sulla tra "
    "fra a al alla nel nella de du des avec pour par sur dans para por sobre".split()
)
#: Verbs with the prepositions that they take as commands.
_PHRASAL = {
    verb: frozenset(prepositions.split())
    for verbs, prepositions in (
        (
            "answer reply respond write speak talk format output translate say",
            "in with about to as",
        ),
        ("begin start end", "with by"),
        ("search look ask check scan watch listen", "for in at to with"),
        ("act pose", "as"),
        ("post send forward share transfer report export upload email mail submit", "to with on"),
        ("log sign", "in on to"),
        ("turn switch", "on to from"),
        ("go move add apply refer stick adhere obey listen", "to by"),
        ("sort order group list rank", "by in"),
        ("rely focus insist elaborate", "on"),
        ("refrain abstain", "from"),
        ("proceed continue help", "with to in on"),
        ("read", "from in to about"),
        ("mostra invia manda cerca suche schicke sende", "a al alla an nach in auf"),
    )
    for verb in verbs.split()
}
_FOLLOWS_PAST = _PREPOSITIONS | frozenset(
    "yesterday today tonight again back late early twice once well already yet too soon here there "
    "gestern heute wieder ieri oggi".split()
)
_BREAKS_OFF = frozenset("and of means und oder e ed di y et".split())
#: Words of a sentence that are looked at.
MAX_WORDS = 14


def is_named(words: Sequence[Word], at: int) -> bool:
    """Whether the word number *at* of *words*, which looks like a command, is what the sentence
    is about: "Play is …", "Answer: 42", "Book 4: …", "Order 17 arrived", "Call with Anna".
    """
    clause = [
        word for word in words[at + 1 : at + 1 + MAX_WORDS] if word.clause == words[at].clause
    ]
    if not clause:
        return at + 1 < len(words)
    first = clause[0]
    if first.bare in _FINITE or first.bare in _BREAKS_OFF:
        return True
    if at and words[at - 1].bare == "no" and first.bare not in _OF_OBJECT:
        return True
    if _is_label(first):
        rest = clause[1:]
        return not rest or rest[0].bare in _PREPOSITIONS or _states(clause, from_=1)
    if first.bare in _OF_OBJECT:
        return False
    if first.bare in _PREPOSITIONS:
        return not _takes(words[at].bare, first.bare) or _states(clause, from_=1)
    return _states(clause)


def _is_label(word: Word) -> bool:
    """Whether *word* is the number or the letter of a thing: "Order 17", "Plan B"."""
    return word.is_number or (len(word.bare) == 1 and word.bare not in "aeiouy")


def _takes(verb: str, preposition: str) -> bool:
    return preposition in _PHRASAL.get(verb, ())


def _states(clause: Sequence[Word], from_: int = 0) -> bool:
    """Whether *clause*, behind its first word, has a verb that is not of a clause within it."""
    for place, word in enumerate(clause[from_:], from_):
        if word.bare in _SUBORDINATING:
            return False
        if word.bare in _FINITE or _is_past(clause, place):
            return True
    return False


def _is_past(clause: Sequence[Word], place: int) -> bool:
    """Whether the word at *place* is a verb in the past, and not as in "archived messages" or, with
    something before it, "books recommended by Ana".
    """
    word = clause[place].bare
    if not word.endswith("ed") or len(word) < 5:
        return False
    if place + 1 == len(clause):
        return True
    following = clause[place + 1]
    if following.bare == "by":
        return place == 0 or clause[place - 1].is_number
    return following.bare in _FOLLOWS_PAST or following.bare in _OF_OBJECT or following.is_number
