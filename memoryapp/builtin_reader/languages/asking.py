"""How people ask for something without a question, beside what they tell of themselves. Pure."""

import re


def _asking(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{words})(?!\w)", re.IGNORECASE)


#: Begins a clause that asks, by language.
ASKING = {
    "english": _asking(
        r"(?:i )?(?:need|want)(?: some| an?)? (?:ideas?|tips?|advice|help|suggestions?|recipes?)|"
        r"(?:any|some) (?:tips?|ideas?|advice|suggestions?|recommendations?)|(?:dinner|lunch|gift|"
        r"recipe) ideas|ideas|tips|suggest|recommend|plan|give me|find me|list|help|looking for|"
        r"in need of"
    ),
    "german": _asking(
        r"(?:ich )?(?:brauche?|suche?)|(?:irgendwelche )?(?:ideen|tipps?|vorschläge)|"
        r"(?:empfiehl|empfehlen sie|schlag|plane?|hilf|gib|nenne?|mach)(?: mir)?|"
        r"(?:hast|habt) (?:du|ihr)"
    ),
    "italian": _asking(
        r"(?:qualche )?(?:ide[ae]|consigli[o]?|suggeriment[oi])|consigliami|suggeriscimi|"
        r"proponimi|aiutami|(?:mi )?serv(?:e|ono)|cerco|dammi|trovami"
    ),
    "spanish": _asking(
        r"(?:alguna |algún |unas )?(?:ideas?|consejos?|sugerencias?)|recomiéndame|sugiéreme|"
        r"ayúdame|hazme|dame|necesito|busco|propónme"
    ),
    "french": _asking(
        r"(?:des|une?|quelques) (?:idées?|conseils?|suggestions?|astuces?)|(?:propose|"
        r"suggère|recommande|conseille|trouve|donne|aide|décris|fais)(?:-moi)?|il me faut|"
        r"je cherche"
    ),
}
#: Gives the reason of a request: what follows is a statement.
REASON = {
    "english": _asking(r"since|as|because|given that|considering that|seeing as|considering"),
    "german": _asking(r"denn"),
    "italian": _asking(r"visto che|dato che|siccome|poiché|perché"),
    "spanish": _asking(r"ya que|dado que|como|porque|puesto que"),
    "french": _asking(r"comme|puisque|vu que|étant donné que|car|parce que"),
}
