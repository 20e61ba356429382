"""How people ask, request and tell in French. Pure."""

from memoryapp.policy.turn_words.language import TurnWords, anywhere, words

_THE_FRENCH = r"(?:(?:le|la|les|mon|ma|mes|un|une) |l')?"
FRENCH = TurnWords(
    asks=words(
        r"où (?:est|sont)|où (?!(?:je|tu|il|elle|on|nous|vous|ils|elles)\b)\w+ "
        rf"{_THE_FRENCH}\w+$|où (?:je |j'|tu |on )\w+(?: maintenant| déjà)?$"
        rf"|quand (?:est|part|arrive|commence|finit|vient|ouvre|ferme) {_THE_FRENCH}\w+$"
        r"|(?:quand|où|comment|pourquoi|combien|qui) est-ce"
        r"|comment \w+|pourquoi \w+|combien \w+"
        r"|que (?:faire|\w+(?:er|ir|re))|qu'est-ce|est-ce|qu'(?:ai|as|a)-\w+"
        r"|quel(?:le)?s? (?:est|sont|était|étaient)"
        r"|quel(?:le)?s? (?!(?:belle|beau|bonheur|chance|plaisir|joie|surprise|horreur|dommage|"
        r"bonne|bon)\b)\w+ (?:[jmt]')?\w+|qui (?:est|sont|vient|habite|vit|paye|arrive|"
        r"a)(?: \w+){0,3}$|(?:à|avec|chez|de|dans|pour|sur|par|depuis|en|d') ?(?:quoi|qui|"
        r"quel(?:le)?s?|combien|quand)|c'est (?:quoi|où|qui|quand(?! même)|combien)"
        r"|(?!dit-)(?:\w+ ){0,2}(?!dit-)\w+-(?:t-)?(?:je|tu|il|elle|on|ils|elles)"
        r"|(?:avez|êtes|pouvez|savez|connaissez|voulez|pourriez|auriez)-vous"
        r"|(?:quoi|où|qui|quand|comment|pourquoi|combien)$"
    ),
    asks_if_marked=words(
        r"où|qui|que|quand|tu (?:sais|peux|as|connais)|vous (?:savez|pouvez|avez)"
    ),
    asks_indirectly=words(
        r"(?:(?:tu )?(?:peux|pourrais)(?:-tu)? me (?:dire|rappeler)|(?:dis|rappelle|montre)[- ]moi|"
        r"(?:je )?(?:voudrais|veux|aimerais) savoir|je me demande|"
        r"tu (?:sais|te souviens|te rappelles)(?: de)?|sais-tu)(?: encore)?[ ,]+"
        r"(?:ce que|ce qui|qui|quoi|quel(?:le)?s?|où|quand|comment|pourquoi|combien|si|"
        r"(?:à|avec|chez|de|dans|pour) (?:qui|quoi|quel(?:le)?s?))"
    ),
    asks_within=anywhere(
        r"qu'est-ce|que faire|puis-je|(?:je|on) peux?t?|je dois|(?:où|comment) \w+"
    ),
    verbs=anywhere(r"est|sont|suis|c'est|j'ai|ai|avons|était|sait|appelle|a"),
    relative=words(r"qui|que|dont|lequel|laquelle"),
    requests=words(
        r"(?:s'il te plaît )?(?:(?:dis|donne|fais|écris|trouve|cherche|montre|aide|propose|"
        r"recommande|conseille|explique|raconte|traduis|lis|prépare|résume|corrige)-(?:moi|"
        r"nous)(?! (?:signe|un coup))|(?:écris|rédige|traduis|résume|corrige|réécris|explique|"
        r"décris|calcule|reformule) (?:un|une|"
        r"le|la|les|ce|cet|cette|ces|ceci|cela|ça|en|comment|pourquoi|[\"'“«]\w*)"
        r"|(?:écris|rédige|traduis|résume|corrige|explique|décris) l'\w+)"
    ),
    reads=words(r"(?:traduis|corrige|résume|réécris|reformule|explique)(?:-moi)?"),
    beside=anywhere(
        r"(?:à|avec|chez|comme|dans|depuis|pour|sans|sur) (?:mon|ma|mes|notre|nos)"
        r"|(?:parce qu|puisqu|vu qu|étant donné qu|maintenant qu|bien qu)(?:e|')? ?\w+ \w+"
        r"|(?:si|comme) (?:je suis|j'ai|je ne)(?: \w+){1,2}"
        r"|(?:problème|grave|normal) (?:que|qu'|si) ?\w+|pour une? \w+ qui|désormais|dorénavant"
        r"|(?:dit|raconté|parlé|sais|savais|savais-tu|sais-tu|note[rz]?|rappelle[rz]?|souviens|"
        r"retenir|retiens|oublie|ajouter|préciser)"
        r" qu(?:e |')\w+(?: [\w']+){2}"
    ),
    not_known=words(
        r"(?:désolée?,? )?(?:mais )?(?:je ne (?:le |la |l'|les |m'en |me )?(?:sais|connais|trouve|"
        r"souviens|rappelle) (?:pas|plus)|je n'ai (?:pas|aucune) (?:encore )?(?:d'|cette |l'|"
        r"de )?(?:information|trace|note)\w*|tu ne m(?:e l'as|'en as) pas (?:encore )?(?:dit|"
        r"parlé))"
    ),
    comments=words(
        r"(?:cela|ça) (?:semble|a l'air)|ça me fait plaisir|quelle? (?:belle?|bon|bonne|beau) \w+"
        r"|n'hésite[sz]?|fais-moi signe|je suis là"
    ),
)
