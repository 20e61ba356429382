"""How people ask, request and tell in Italian. Pure."""

from memoryapp.policy.turn_words.language import TurnWords, anywhere, words

_THE_ITALIAN = r"(?:(?:il|lo|la|i|gli|le|un|una|mio|mia|il mio|la mia) |l')"
ITALIAN = TurnWords(
    asks=words(
        r"(?:che )?cosa (?!che\b)\w+|cos'\w+|che (?:ore?|giorno)"
        r"|che \w+ (?:è|sono|ho|hai|avevi|mi|ti|devo|posso|si)"
        r"|chi (?:è|era|sono|ha|viene|abita|vive|paga|porta|arriva)(?: (?!(?:è|sono|"
        r"sa)\b)\w+){0,4}$|chi c'è|dov'\w+|dove \w+(?: adesso| ora| io)?$|dove (?!\w+o\b)\w+ \w+$"
        rf"|dove \w+ {_THE_ITALIAN}\w+(?: (?:di|da|del|della|dei) \w+)?$"
        r"|quand'è|quando (?:arriva|parte|torna|viene|inizia|comincia|finisce|apre|chiude|parto|"
        rf"torno|ho|è)(?: {_THE_ITALIAN}\w+(?: (?:di|da|dal|del|della) \w+)?| (?-i:[A-Z])\w+)?$"
        r"|com'è|come (?:si chiama|mi chiamo|ti chiami|si chiamano|si fa|si dice|si scrive|faccio|"
        r"posso|stai|va(?! detto))|qual è|quale?i? \w+|quant[oaie] (?!(?:a|al|alla|ai|agli|alle|mi|"
        r"ti)\b)\w+|(?:a|ad|con|di|da|in|per|su|fra|tra) (?:che|chi(?! (?:non|mi|ti))|cosa|"
        r"qual[ei]|quanti|quante)|da quanto|(?:che|dove|quando|chi|come|perché|quanto)$"
    ),
    asks_if_marked=words(r"perché|come|quando|dove|chi|che|posso|puoi|sai|devo|è"),
    asks_indirectly=words(
        r"(?:(?:mi )?(?:puoi|potresti|sai|sapresti) (?:dirmi|dire|ricordarmi|ricordare)|dimmi|"
        r"mi dici|mi ricordi|(?:io )?(?:vorrei|voglio|volevo) sapere|mi (?:chiedo|chiedevo)|"
        r"(?:ti )?(?:sai|ricordi)|ricordami)(?: di| ancora)?[ ,]+"
        r"(?:cosa|che (?:cosa|ora|giorno)|chi|dove|dov'\w+|quando|quand'\w+|perché|come|com'\w+|"
        r"qual[ei]?|quant[oaie]|se|(?:a|con|di|da|in|per|su) (?:che|chi|cosa|qual[ei]))"
    ),
    asks_within=anywhere(r"(?:che )?cosa \w+|come (?:posso|faccio|devo)|dove (?:posso|devo)|posso"),
    verbs=anywhere(r"è|sono|siamo|ho|ha|abbiamo|era|sa|chiama"),
    relative=words(r"che|il quale|la quale|chi"),
    requests=words(
        r"(?:per favore )?(?:(?:dim|dam|fam|scrivi|spiega|trova|consiglia|mostra|racconta|elenca|"
        r"cerca|prepara|suggerisci|aiuta|leggi|traduci|riassumi|correggi)mi(?! (?:una mano|"
        r"uno squillo))|(?:scrivi|riscrivi|traduci|correggi|riassumi|descrivi|definisci|risolvi|"
        r"leggi) (?:un|uno|una|il|lo|la|i|le|gli|quest\w+|in|l'\w+|[\"'“«]\w*)"
        r"|(?:spiega|elenca|calcola|confronta) (?:il|lo|la|i|le|gli|quest\w+|come|perché|l'\w+))"
    ),
    reads=words(r"(?:per favore )?(?:traduci|correggi|riassumi|riscrivi|spiega)(?:mi)?"),
    beside=anywhere(
        r"(?:a|al|alla|ai|alle|come|con|da|dal|dalla|in|nel|nella|per|senza|su|tra) "
        r"(?:(?:il|la|i|le) )?(?:mi[oae]i?|nostr[oaie])"
        r"|(?:visto che|dato che|siccome|poiché|adesso che|ora che|anche se|se (?:sono|ho))"
        r"(?: [\w']+){2}|perché (?:sono|ho|è|non)(?: [\w']+){2}"
        r"|(?:problema|male|grave|normale) (?:che|se) \w+|per un\w* \w+ che|d'ora in poi|"
        r"puoi sempre|(?:detto|raccontato|accennato|sai|sapevi|ricord\w+|segna\w*|nota\w*|"
        r"mente) che(?: [\w']+){2}"
    ),
    not_known=words(
        r"(?:mi dispiace,? )?(?:ma )?(?:questo |ancora )?(?:non (?:lo |la )?(?:so|ricordo|conosco|"
        r"trovo|ho (?:informazioni|questa|queste|trovato|nessun\w*)|me l'hai|me lo hai)"
        r"|nessuna informazione)"
    ),
    comments=words(
        r"(?:mi )?(?:sembra|suona)|mi fa piacere|buono a sapersi|che (?:bel\w*|brutt\w+) \w+"
        r"|fammi sapere|sono qui"
    ),
)
