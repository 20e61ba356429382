"""How people ask, request and tell in Spanish. Pure."""

from memoryapp.policy.turn_words.language import TurnWords, anywhere, words

_THE_SPANISH = r"(?:(?:el|la|los|las|mi|mis|un|una) )?"
SPANISH = TurnWords(
    asks=words(
        r"qué (?!(?:bien|bueno|buena|lindo|bonito|bonita|pena|rico|guay|alegría|susto|horror|raro|"
        r"risa|asco|suerte|ilusión|gusto|lástima|calor|frío)\b)\w+ \w+|qué \w+(?:o|as|es)$"
        r"|(?:quién|quiénes|cuál|cuáles|dónde|adónde|cuándo|por qué|cuánt[oa]s) \w+"
        r"|(?:cuánto|cuánta) (?!(?:te|me|os|la|lo)\b)\w+"
        r"|cómo (?!(?:mis?|tus?|su|el|la|un|una|te|os|ya|he|siempre)\b)\w+"
        r"|(?:qué|quién|cuándo|dónde|cómo|cuál|por qué|cuánto)$"
        r"|donde (?:vivo|trabajo)(?: yo| ahora)?$|donde (?!\w+o\b)\w+ (?:el |la |mi )?\w+$"
        rf"|cuando es {_THE_SPANISH}\w+$|quien es {_THE_SPANISH}\w+$|cual es|como se llaman? \w+"
        r"|cuanto (?:es|cuesta|vale)|cuantos años|que (?:hora|dia|día) es"
        r"|(?:a|con|de|en|para|por|desde|hasta|sobre) (?:qué|quién|quiénes|cuál|cuándo|cuánto|"
        r"dónde)"
    ),
    asks_if_marked=words(r"puedo|puedes|sabes|es|está|debo|tengo que|hay|donde|cuando|como|que"),
    asks_indirectly=words(
        r"(?:(?:me )?(?:puedes|podrías|sabrías) (?:decir|decirme|recordar|recordarme)|dime|"
        r"(?:quiero|quisiera|quería|me gustaría) saber|me pregunto|(?:te )?(?:sabes|acuerdas)|"
        r"recuérdame|(?:¿)?recuerdas)(?: de)?[ ,]+"
        r"(?:qué|quién|quiénes|cuál|cuáles|dónde|adónde|cuándo|cómo|cuánt[oa]s?|por qué|si|donde|"
        r"(?:a|con|de|en|para|por|desde) (?:qué|quién|cuál|dónde|cuándo))"
    ),
    asks_within=anywhere(r"(?:qué|cómo|dónde|cuánto|cuál) \w+|qué puedo|puedo"),
    verbs=anywhere(r"es|son|soy|somos|está|estoy|tengo|tiene|he|ha|era|sabe|llama"),
    relative=words(r"que|quien|el cual|la cual"),
    requests=words(
        r"(?:por favor )?(?:(?:di|da|haz|escríbe|explíca|búsca|muéstra|recomiénda|ayúda|cuénta|"
        r"encuéntra|tradúce|resúme|enséña|corríge|aconséja|prepára)me"
        r"|(?:escribe|traduce|resume|corrige|explica|redacta|reescribe) (?:un|una|el|la|los|las|"
        r"est\w+|al|en|[\"'“«]\w*)|(?:calcula|enumera|define|describe) (?:el|la|los|las|est\w+))"
    ),
    reads=words(
        r"(?:por favor )?(?:traduce|corrige|resume|reescribe|explica|tradúceme|corrígeme|resúmeme)"
    ),
    beside=anywhere(
        r"(?:a|con|como|de|desde|en|para|por|según|sin|sobre) (?:mis?|nuestr[oa]s?)"
        r"|(?:ya que|dado que|puesto que|porque|aunque|ahora que|si (?:soy|tengo|"
        r"no puedo))(?: [\w']+){2}|(?:problema|malo|grave|normal) (?:que|si) \w+|"
        r"para un\w* \w+ que|(?:desde|a partir de) ahora"
        r"|puedes siempre|(?:dicho|dije|contado|conté|sabes|sabías|record\w+|acuerdas|acuerdes|"
        r"anot\w+|apunt\w+)(?: de)? que(?: [\w']+){3}"
    ),
    not_known=words(
        r"(?:lo siento,? )?(?:pero )?(?:eso )?(?:todavía |aún )?(?:no (?:lo |la )?(?:sé|recuerdo|"
        r"conozco|encuentro|tengo (?:información|datos|constancia|eso|ese))"
        r"|no me (?:lo |la )?has (?:dicho|contado|hablado)|ninguna información)"
    ),
    comments=words(
        r"(?:eso )?(?:suena|parece)|me alegr\w+|qué (?:buen\w*|lind\w+|bonit\w+) \w+|avísame"
        r"|aquí estoy|es bueno saberlo"
    ),
)
