"""Where people live, in five languages. Pure."""

from collections.abc import Iterable

from memoryapp.policy.gate.words import Word, stem

#: Verbs that say where somebody lives, before one of `_WHERE`.
_LIVES = frozenset(
    "live lives resides reside based wohnt lebt abita vive risiede reside habite vit réside".split()
)
_WHERE = frozenset("in at near en a à au aux bei nahe".split())
#: Words between the verb and the place: "lives today in".
_MAX_BETWEEN = 2
#: What people say of the place where they live, as stems.
_HOME = {
    stem(word)
    for word in (
        # English
        "live lives lived living reside residence resident based home homes hometown house flat "
        "apartment condo studio room roommate neighbor neighbour neighborhood neighbourhood move "
        "moved moving relocate relocated settle settled stay staying from here local address town "
        "city village suburb downtown country rent landlord lease place "
        # German
        "wohne wohnt wohnen gewohnt wohnung wohnort lebe lebt leben gelebt zuhause hause daheim "
        "haus heimat umgezogen gezogen ziehe ziehen zog umzug nachbar nachbarn stadt dorf ort "
        "adresse miete vermieter komme hier "
        # Italian
        "vivo vive vivere abito abita abitare casa appartamento trasferito trasferita trasferirmi "
        "città paese quartiere vicini residente residenza qui affitto "
        # Spanish
        "vivir vivimos piso apartamento mudé mudado mudarme mudanza trasladé ciudad pueblo barrio "
        "vecinos residencia aquí alquiler "
        # French
        "habite habitons habiter vis vivons vivre maison appartement logement déménagé déménage "
        "déménager installé installée ville village quartier voisins ici chez loyer"
    ).split()
}


def lives_somewhere(words: list[Word]) -> bool:
    """Whether a statement says where somebody lives, as in "she lives in Berlin"."""
    return any(
        word.bare in _LIVES
        and any(next_.bare in _WHERE for next_ in words[at + 1 : at + 2 + _MAX_BETWEEN])
        for at, word in enumerate(words)
    )


def tells_of_home(words: Iterable[Word]) -> bool:
    """Whether a message may say where somebody lives: it has a word for home, or for moving."""
    return any(stem(word.bare) in _HOME for word in words)
