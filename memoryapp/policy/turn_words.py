"""Words that tell questions, empty replies and what people say of themselves apart, by language.

All are parts of regular expressions that ignore case, for texts with straight apostrophes.
"""

from collections.abc import Mapping


def any_of(by_language: Mapping[str, str]) -> str:
    """A group that matches what any language has."""
    return f"(?:{'|'.join(by_language.values())})"


#: With what a question begins by itself, without a question mark at its end.
QUESTIONS = {
    "english": (
        r"(?:what|where|who|whom|whose|which|why|how|when)(?:'s|'re|s)?\b"
        r"(?! (?:i|we|a|an|it|he|she|they|lovely|nice|great|beautiful|sweet|kind|funny|cute|sad|"
        r"the)\b)"
        r"|(?:what|where|who)(?:'s| is| are| was| were) the\b"
        r"|(?:do|does|did|is|are|was|were|can|could|should|shall|will|would|have|has|had|am|may|"
        r"don't|doesn't|didn't|isn't|aren't|can't|won't|shouldn't) "
        r"(?:i|you|he|she|we|they|my|your|our|the|it|there|this|that|any|anyone|somebody)\b"
    ),
    "german": (
        r"(?:sag mal,? )?(?:was|wo|wohin|woher|wann?|wer|wen|wem|wessen|welche[rsnm]?|warum|wieso|"
        r"weshalb|wie|wieviel|womit|worüber|wofür|wozu)\b"
        r"(?! (?:schön|toll|nett|süß|lieb|schade|ich|wir|du weißt|gesagt|immer|gut|cool)\b)"
        r"|(?:habe?|bin|kann|darf|soll|sollte|muss|ist|sind|hat|war|wird|weißt|kennst|erinnerst|"
        r"hast|kannst|könntest|sollen|wollen|haben|dürfen|können|müssen) "
        r"(?:ich|du|er|sie|es|wir|mein\w*|dein\w*|der|die|das|noch)\b"
    ),
    "italian": (
        r"(?:cosa|che cosa|chi|dove|quando|perché|come mai|quale|quali|quanto|quanta|quanti|quante|"
        r"come (?:si|mi|ti|faccio|posso|devo|va|sta|è)|dov'è|com'è|qual è)\b"
    ),
    "spanish": (
        r"¿|(?:qué|quién|quiénes|cuál|cuáles|dónde|adónde|cuándo|cómo|cuánto|cuánta|cuántos|"
        r"cuántas|por qué)\b(?! (?:bien|bueno|lindo|bonito|pena|rico|guay|alegría)\b)"
    ),
    "french": (
        r"(?:qui|que|quoi|quel|quelle|quels|quelles|où|quand|comment|pourquoi|combien)"
        r"(?= (?:est|sont|dois|doit|puis|peux|faire|était|sera|ai|as|a|fait|vais|va|je|tu|il)\b)"
        r"|(?:est-ce|qu'est-ce|c'est quoi|c'est quand|t'as)\b"
    ),
}
#: What joins a sentence, or a clause, to the one before.
JOINTS = {
    "english": "and|but|so|ok|hey|because|since|as|also|plus|btw|now that",
    "german": "und|aber|weil|da|denn",
    "italian": "e|ed|ma|perché|siccome",
    "spanish": "y|pero|porque|como",
    "french": "et|mais|car|parce que|comme",
}
#: Begins a clause in which people tell of themselves and of theirs.
OF_ONESELF = {
    "english": r"i|i'm|i've|i'd|i'll|im|ive|we|we're|we've|my|our",
    "german": r"ich|wir|meine?[nmrs]?|unsere?[nmrs]?|bei mir|bei uns",
    "italian": (
        r"io|noi|ho|abbiamo|sono|siamo|sto|stiamo|vivo|abito|lavoro|mi|ci|mio|mia|"
        r"(?:il|la|i|le) (?:mi[oae]i?|nostr[oaie])"
    ),
    "spanish": (
        r"yo|tengo|tenemos|soy|somos|estoy|estamos|he|hemos|vivo|trabajo|me|nos|mis?|nuestr[oa]s?"
    ),
    "french": r"je|j'\w+|nous|on|mon|ma|mes|notre|nos|moi",
}
#: Names something of one's own beside what is asked: "a dog such as my whippet", "for my daughter".
BESIDE = {
    "english": r"(?:as|at|after|because of|before|by|for|from|in|like|near|on|since|than|to|with|"
    r"without) (?:my|our)",
    "german": r"(?:als|an|auf|aus|bei|für|gegen|in|mit|nach|neben|ohne|seit|von|vor|wegen|wie|zu) "
    r"(?:mein|unser)\w*",
    "italian": r"(?:a|al|alla|ai|alle|come|con|da|dal|dalla|in|nel|nella|per|senza|su|tra) "
    r"(?:(?:il|la|i|le) )?(?:mi[oae]i?|nostr[oaie])",
    "spanish": r"(?:a|con|como|de|desde|en|para|por|según|sin|sobre) (?:mis?|nuestr[oa]s?)",
    "french": r"(?:à|avec|chez|comme|dans|depuis|pour|sans|sur) (?:mon|ma|mes|notre|nos)",
}
#: That an assistant does not know.
NOT_KNOWN = {
    "english": (
        r"(?:don't|do not|didn't|can't|cannot) (?:yet )?(?:know|have|recall|remember|find|see)"
        r"|(?:i have|there is|there's) (?:no|nothing)|not (?:sure|aware)|haven't told me"
        r"|you have not told|no (?:information|record|memory)"
    ),
    "german": (
        r"weiß ich (?:noch |leider )*nicht|ich weiß (?:es |das |noch |leider )*nicht"
        r"|keine (?:information|angabe|ahnung)\w*|nicht bekannt|mir nicht gesagt"
        r"|dazu (?:habe|weiß) ich nichts"
    ),
    "italian": r"non (?:lo )?(?:so|ricordo|ho)|non me l'hai detto|nessuna informazione",
    "spanish": r"no (?:lo )?(?:sé|tengo|recuerdo)|no me lo has dicho|ninguna información",
    "french": (
        r"je ne (?:le )?(?:sais|connais|trouve|me souviens) pas|je n'ai (?:pas|aucune)"
        r"|aucune information|tu ne me l'as pas dit"
    ),
}
#: What an assistant says when it says nothing, beside the words of small talk.
EMPTY = frozenset(
    # English
    "choice noted note noting meet meeting luck glad happy hear hearing pleasure welcome enjoy "
    "congratulations congrats remember remembered remembering keep kept mind saved stored save "
    "added updated update done let anytime hope feel plan idea weekend trip time rest recover fun "
    "journey way news exciting wish wishes start take taken duly "
    "things thing sounds sound looks look seems enough "
    # German
    "notiert notiere merke gemerkt vermerkt wahl freut freue kennenzulernen spaß glück viel erfolg "
    "wünsche wochenende gespeichert erledigt glückwunsch idee plan reise besserung erholung leid "
    "hört klingt sieht "
    # Italian
    "segnato annotato ricevuto scelta piacere conoscerti congratulazioni complimenti fortuna lieto "
    "lieta contento contenta felice memorizzato salvato ricorderò ricordo idea weekend viaggio "
    "divertimento divertiti dispiace prendo nota terrò mente peccato cosa "
    # Spanish
    "anotado apuntado guardado gusto conocerte encantado encantada felicidades enhorabuena suerte "
    "alegro elección plan viaje disfruta recordaré tomo nota cosa suena parece "
    # French
    "noté notée note enregistré enchanté enchantée félicitations choix heureux heureuse ravi ravie "
    "chance retiens retenu souviendrai idée voyage weekend profite content contente prends semble "
    "".split()
)
