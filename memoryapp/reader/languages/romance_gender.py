"""Gender of the speaker: what a woman says of herself in the Romance languages, where a word tells
it. Pure.

What names the user has a gender in Spanish and French, with which the words about them agree:
"la usuaria está embarazada". Men and those who do not tell are "el usuario", as dictionaries have
it. Patterns are for text as it is typed, accents or not.
"""

import re

#: Around what is one word or several.
_FIRST, _LAST = r"(?<![\w'])", r"(?![\w-])"
#: Behind "soy": a word for a woman, but no noun and adverb that is for men as well or tells of
#: something else.
_WOMAN_ES = (
    r"(?:madre|mam[aá]|mujer|actriz|t[ií]a|(?!(?:para|fuera|cerca|ahora|encima|contra|hasta|esta|"
    r"toda|nada|ella|cada|otra|casa|hora|media|semana|persona|v[ií]ctima|fiesta|pareja|belga|"
    r"celta|hincha|atleta|idiota|colega|croata|ind[ií]gena|borja|luca|alerta|\w+(?:ista|[oó]crata|"
    r"iatra|eta|ota|auta|cola|icida|ía))\b)\w{2,14}[a-zñ]as?)"
)
_LITTLE_ES = (
    r"(?:(?:no|muy|más|mas|ya|bastante|tan|s[uú]per|un poco|algo|casi|reci[eé]n|tambi[eé]n|s[oó]lo|"
    r"totalmente|medio|profe|ex|yo|siempre|actualmente) )*"
)
_WORKER_ES = r"(?:\w{2,14}(?:[eodtf]r|[oó]log|dic|ad|fat|ient|ist?r)a|jefa)"
SPANISH = re.compile(
    rf"{_FIRST}(?:"
    rf"(?:soy|somos) {_LITTLE_ES}(?:(?:la|una|las|unas) (?:mayor|menor|joven|(?={_WOMAN_ES})))?"
    rf"{_WOMAN_ES}|"
    r"(?:soy|somos) (?:la|una|las) (?:mayor|menor|joven)(?:es)?|"
    rf"(?:estoy|estamos|estuve|seré|sere|sigo|seguimos|(?:he|hemos|había|habíamos) (?:sido|estado)|"
    rf"acabo de ser|voy a ser|me (?:siento|sentí|encuentro|quedo|quedé|quede|pongo|puse|"
    rf"he (?:quedado|sentido|puesto))|nos (?:sentimos|quedamos)|(?:yo|cuando|donde) era) "
    rf"{_LITTLE_ES}{_WOMAN_ES}|"
    r"(?:llevo|llevamos) (?:(?!un)\w{1,12} ){0,4}(?:casad|separad|divorciad|jubilad|embarazad|"
    r"solter|enferm|sol|viud|ingresad|parad|apuntad)as?|"
    r"(?:vivo|vivimos|viajo|voy|crío|crio) (?:yo )?solas?|yo (?:sola|misma)|nosotras|"
    r"(?:cuando era|(?:^|, |\. )(?:ya )?de) (?:niña|pequeña|chica)|"
    rf"(?:trabajo|curro|estoy) (?:de|como) (?!guardia){_WORKER_ES}|"
    r"me (?:han |acaban de )?(?:ascen\w+|nombra\w*|contrat\w+)(?: (?:a|como|de))? "
    rf"{_WORKER_ES}"
    rf"){_LAST}",
    re.IGNORECASE,
)

#: Behind "je suis": a word for a woman alone, or a form that only she has.
_WOMAN_FR = (
    r"(?:enceinte|veuve|seule|folle|maman|femme|fille|m[eè]re|grand-m[eè]re|sage-femme|cheffe|"
    r"grosse|grande|petite|vieille|blonde|rousse|longue|forte|morte|sourde|douce|jalouse|nounou|"
    r"n[eé]e|gauch[eè]re|droiti[eè]re|bavarde|mamie|marraine|"
    r"(?!(?:ath|mus|lyc)[eé]e\b)\w{1,14}[ée]e|(?!(?:derri|carri)[eè]re\b)\w{2,14}(?:i[eè]re|euse|"
    r"trice|enne|onne|aine|aise|[dilnst]ante|[cdgtl]ente|ctive|tive|rtie|[lnrv]ie|inscrite|rprise|"
    r"ssise|mise|cine|sine|pine|(?:en|d[eé][cç]|perd|m|bat|re[cç]|l|t[eê]t)ue))s?"
)
_LITTLE_FR = (
    r"(?:(?:tr[eè]s|trop|pas|plus|d[eé]j[aà]|encore|toujours|bien|tout|toute|assez|super|vraiment|"
    r"aussi|actuellement|r[eé]cemment|enfin|un peu|jamais|jeune|future) )*"
)
_WORKER_FR = (
    r"(?:(?!carri[eè]re)\w{2,14}(?:euse|i[eè]re|trice|ienne)|femme(?: \w+)?|fille(?: \w+)?|maman|"
    r"m[eè]re)"
)
FRENCH = re.compile(
    rf"{_FIRST}(?:"
    rf"(?:je (?:ne )?(?:me )?(?:suis|serai|deviens|reste|sens)|j'(?:[eé]tais|viens|avais [eé]t[eé]|"
    rf"ai (?:jamais |toujours )?[eé]t[eé])|je (?:viens|vais|voulais|veux) (?:d'|de )?"
    rf"(?:[eê]tre|devenir)|chuis?|j'?suis|nous sommes|on est) {_LITTLE_FR}{_WOMAN_FR}|"
    rf"(?:je (?:ne )?suis|j'[eé]tais) (?:une|la|sa|leur) (?:seule|derni[eè]re|{_WORKER_FR}|"
    r"(?:ancienne|future|jeune|grande|petite|vieille) \w+)|"
    r"j(?:e |')(?:(?!qui |elle |ma |que )[^.,;!?]){2,60}? (?:toute |moi-m[eê]me )?seule|"
    rf"(?:je (?:travaille|bosse|bossais|travaillais) comme|en tant que) {_WORKER_FR}|"
    r"m'(?:a|ont) (?:op[eé]r[eé]|promu|vir[eé]|licenci[eé]|embauch[eé]|hospitalis[eé]|largu[eé]|"
    r"quitt[eé]|invit[eé]|aid[eé]|soign[eé]|augment[eé]|mut[eé]|convoqu[eé]|[eé]lev[eé]|adopt[eé]|"
    r"renvers[eé])e|"
    r"(?:quand )?j'[eé]tais (?:petite|gamine|[eé]tudiante|adolescente)"
    rf"){_LAST}",
    re.IGNORECASE,
)

#: Behind "sono": a word for a woman.
_WOMAN_IT = (
    r"(?:madre|donna|moglie|(?!(?:ora|ancora|circa|sopra|senza|contro|persona|guida|atleta|"
    r"collega|belga|mezza|tanta|quella|una|la|alla|della|nella|dalla|sulla|da|a|mia|sua|"
    r"ex|\w+(?:ista|iatra|eta|ota|etra|auta|cida))\b)\w{3,15}a)"
)
_LITTLE_IT = (
    r"(?:(?:molto|già|gia|ancora|appena|sempre|anche|un po'|piuttosto|troppo|cos[iì]|tanto|mai|"
    r"pure|davvero|stata|una|la) )*"
)
ITALIAN = re.compile(
    rf"{_FIRST}(?:"
    rf"(?<!ci )(?:sono|sar[oò]|mi sento|mi ritrovo|ero|rimango|sono rimasta|siamo) "
    rf"{_LITTLE_IT}{_WOMAN_IT}|"
    r"(?:faccio|facevo) (?:la |l')\w{2,15}(?:iera|trice|essa|aia|stra)|"
    r"lavoro come \w{2,15}(?:iera|trice|essa|aia|stra)|"
    r"m(?:i ha(?:nno)?|'hanno) (?:operat|promoss|licenziat|assunt|ricoverat|lasciat|invitat|"
    r"bocciat|"
    r"dimess|investit|tamponat|chiamat|aiutat)a|"
    r"(?:vivo|abito|sto|imparo|imparando) (?:[^.,;!?]{1,30} )?da sola|io stessa"
    rf"){_LAST}",
    re.IGNORECASE,
)
