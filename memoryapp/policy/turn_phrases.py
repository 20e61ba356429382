"""Words around what is said or asked, which say nothing themselves. Pure."""

#: What may stand before what is said or asked, in any of the languages.
OPENINGS = frozenset(
    "and but so ok okay hey hi hello hiya btw um uh hm hmm hmmm well please also then oh ah ooh "
    "cool great thanks right wow nope yes yeah yep no nah und aber hallo moin na ja äh bitte "
    "danke nein e ed ma allora ciao scusa senti grazie y pero entonces hola oye bueno perdona "
    "gracias vale sí et mais alors salut bonjour merci oui non".split()
)
#: With function words and small talk alone, these say nothing: "by the way", "una cosa".
ASIDES = frozenset(
    "way thing things curiosity favour favor quick sag frage kurze cosa domanda curiosità "
    "pregunta duda curiosidad chose rapport".split()
)
#: What an assistant says when it says nothing, beside the words of small talk.
EMPTY = frozenset(
    # English
    "noted note noting meet meeting glad happy hear hearing pleasure enjoy congratulations "
    "congrats remember remembered remembering keep kept mind saved stored save added updated "
    "update done let anytime hope feel feels start taken take duly exciting sounds sound looks "
    "look seems need here free else assist wish wishes stressful sad exciting tough hard gets got "
    "soon recover safe "
    # German
    "notiert notiere merke gemerkt vermerkt freut freue kennenzulernen wünsche gespeichert "
    "erledigt leid tut hört klingt sieht schöne schönen schönes gute guten viel bescheid brauchst "
    "brauchen etwas helfen toller tolle "
    # Italian
    "segnato annotato ricevuto piacere conoscerti lieto lieta contento contenta felice "
    "memorizzato salvato ricorderò ricordo divertiti dispiace prendo terrò tengo mente sapere "
    "serve altro bisogno "
    # Spanish
    "anotado apuntado guardado gusto conocerte encantado encantada alegro recordaré tomo suena "
    "parece disfruta avísame necesitas algo más aquí "
    # French
    "noté notée enregistré enchanté enchantée heureux heureuse ravi ravie retiens retenu "
    "souviendrai profite content contente prends semble hésite besoin autre".split()
)
#: Nouns of wishes and praise: "enjoy your trip", "good plan".
WISHED = frozenset(
    "choice luck plan idea weekend trip time rest fun journey way news things thing note wahl "
    "spaß glück erfolg wochenende glückwunsch idee plan reise besserung erholung vergnügen tag "
    "scelta complimenti congratulazioni fortuna idea weekend viaggio divertimento peccato cosa "
    "nota felicidades enhorabuena suerte elección plan viaje nota cosa félicitations choix chance "
    "idée voyage weekend note chose".split()
)
