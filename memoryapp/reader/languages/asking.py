"""How people ask for something without a question, beside what they tell of themselves. Pure."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Asking:
    """The words of one language."""

    #: Begins a clause that asks.
    begins: re.Pattern[str]
    #: Gives the reason of a request: what follows is a statement.
    reason: re.Pattern[str]
    #: Begins a clause that tells more of somebody: "who".
    relative: re.Pattern[str]
    #: Between two parts of a sentence, one of which may ask: behind a mark, before the words from
    #: which on a wish is a standing one, or where a question begins without a mark.
    cut: re.Pattern[str]
    #: Begins a task to write or explain something that is not there yet, behind which the author
    #: may tell of themselves; the words of a task whose text says "I" without meaning them.
    creates: re.Pattern[str]
    invents: re.Pattern[str]
    #: What is invented for a relative, of whom its author tells then: "a poem for my …".
    dedicated: re.Pattern[str]
    #: Goes on telling of the same: "who has a cat and who loves it".
    further: re.Pattern[str]


def _asking(
    begins: str,
    reason: str,
    relative: str,
    links: str,
    from_now_on: str,
    creates: str,
    invents: str,
    dedicated: str,
    asked: str = r"(?!)",
    so: str = r"(?!)",
    leads: str = r"(?!)",
) -> Asking:
    """The words of one language; one of *leads* may stand before what is *asked* without a mark."""
    lead, asked_there = rf"(?:{leads})\s", rf"(?:{asked})(?!\w)"
    wish = rf"(?:{links})\s(?=(?:{from_now_on})(?!\w))"
    return Asking(
        re.compile(rf"(?:(?:{so}),? )?(?:{begins}|{asked})(?!\w)", re.IGNORECASE),
        re.compile(rf"(?:{reason})(?!\w)", re.IGNORECASE),
        re.compile(rf",? (?:{relative}) "),
        re.compile(
            rf"(?<=[,;:?!])\s(?:{wish}|{lead}(?={asked_there}))?|\s[-–—]\s|\s{wish}|"
            rf"\s(?:{lead})?(?={asked_there})",
            re.IGNORECASE,
        ),
        re.compile(rf"(?:{creates})(?!\w)", re.IGNORECASE),
        re.compile(rf"(?<!\w)(?:{invents})(?!\w)|:\s{{0,3}}$", re.IGNORECASE),
        re.compile(rf"\b(?:{dedicated})", re.IGNORECASE),
        re.compile(rf"(?<=\s)(?P<link>{links}) (?:{relative}) "),
    )


ENGLISH = _asking(
    r"(?:i )?(?:need|want)(?: some| an?)?(?: \w{2,15}){0,2} (?:ideas?|tips?|advice|help|"
    r"suggestions?|recipes?)|"
    r"(?:(?:have )?(?:you )?got )?(?:any|some) (?:\w{2,12} )?(?:tips?|ideas?|advice|suggestions?|"
    r"recommendations?)|(?:dinner|lunch|gift|"
    r"recipe) ideas|ideas|tips|suggest|recommend|plan|give me|find me|list|help|looking for|"
    r"in need of|i(?:'d| would) (?:be (?:\w{2,8} )?(?:grateful|obliged|thankful)|appreciate)|"
    r"(?:explain|describe|write|draft|make|show|tell|compare|outline|create|design|"
    r"put together)(?! (?:to|and)\b)|(?:some|any)thing|preferably|ideally",
    r"since|as(?! (?:an?|someone|somebody|a person)\b)|because|given that|considering that|"
    r"seeing as|considering|bc|cause|cuz",
    r"who",
    r"and",
    r"from now on|in (?:the )?future|going forward",
    r"(?:(?:please|pls|hey|hi|ok|okay|can you|could you|would you|now|help me(?: to)?|"
    r"i need you to|i want you to),? ){0,3}(?:write|draft|compose|explain|generate|analy[sz]e)",
    r"stor(?:y|ies)|tales?|poems?|limericks?|haikus?|sonnets?|songs?|lyrics|raps?|novels?|fiction|"
    r"scenes?|dialogues?|monologues?|diary|role\w*|characters?|jokes?|sketch|plays?|myth|fable|"
    r"first[- ]person|perspective|in the style|as (?:if|though)|pretend\w*|imagin\w+|"
    r"like this|this|these|following|below|above",
    r"(?:poem|limerick|haiku|sonnet|song|rap)(?: [\w'-]{1,20}){0,4}? "
    r"(?:for|about|to) (?=(?:my|our) )",
    r"(?:how|what|which|where|when|why|who)(?: [a-z]{1,15}){0,2} (?:do|does|can|could|should|would|"
    r"shall) (?:i|we|you)|is it (?:ok|okay|safe|possible|worth|true|normal)|"
    # "So do I" and "as can I" ask nothing.
    r"(?<!\bso )(?<!\bas )(?<!\bnor )(?<!\bneither )(?<!\bthan )(?:do|does|can|could|should|would|"
    r"shall) (?:i|we|you)|(?<=\bso )(?:do|can|could|should|would|shall) (?:i|we) \w[^?.!]{2,200}\?",
    leads=r"so|and|but",
)
GERMAN = _asking(
    r"(?:ich )?(?:brauche?|suche?)|(?:irgendwelche )?(?:ideen|tipps?|vorschläge)|"
    r"(?:empfiehl|empfehlen sie|schlag|plane?|hilf|gib|nenne?|mach|erkläre?|beschreibe?|"
    r"schreibe?|zeige?|entwirf|erstelle?|vergleiche?)(?: mir)?|"
    r"(?:fasse?|rechne|übersetze?|korrigiere?|prüfe?|check|such) (?:mir|mal|bitte|uns|das|die|den|"
    r"diesen?)|(?:hast|habt) (?:du|ihr)|etwas|am besten|"
    # A verb comes first in a question only.
    r"(?:geht|gehen|passt|passen|reicht|lohnt|hilft|helfen|schadet|gilt|zählt|kommt|stimmt|"
    r"braucht|brauche?|kriege?) (?:da|das|es|ich|man|der|die|denn|auch|sich|mir)",
    r"denn",
    r"(?!)",
    r"und",
    r"ab jetzt|ab sofort|künftig|in zukunft|von nun an",
    r"(?:(?:bitte|kannst du|könntest du|hey|hallo|ok),? ){0,3}(?:schreibe?|schreib mir|verfasse|"
    r"formuliere|programmiere|analysiere)",
    r"\w*geschichten?|märchen|\w*gedichte?|limericks?|reime?|lied(?:er|text)?|romane?|szenen?|"
    r"dialoge?|monologe?|tagebuch\w*|rolle\w*|figuren?|witze?|sketch|fabel|ich-\w+|perspektive|"
    r"im stil|als ob|tu so|so|dies\w{0,2}|folgende\w?|unten|oben",
    r"(?:\w*gedicht|reim|lied|limerick)(?: [\w'-]{1,20}){0,4}? (?:für|über|an) "
    r"(?=(?:mein|unser)\w{0,3} )",
    r"(?:was|wie|wo|wann|warum|wieso|womit|welche[nmrs]? \w{2,20}) [a-zäöüß]{2,15} (?:ich|man|wir)|"
    r"was hilft|(?<=\balso )(?:kann|darf|soll|sollte|könnte) (?:ich|wir) \w[^?.!]{2,200}\?",
    leads="also|und|aber",
)
ITALIAN = _asking(
    r"qualche \w{3,15}|ide[ae]|consigli[o]?|suggeriment[oi]|consigliami|suggeriscimi|"
    r"proponimi|aiutami|(?:mi )?serv(?:e|ono)|cerco|(?:devo|voglio|vorrei) (?:trovare|comprare|"
    r"cercare|regalare)|"
    r"trova|cerca|calcola|prepara|usa|racconta|spiega|continua|controlla|"
    r"immagina|manda|cucina|organizza|proponi|suggerisci|consiglia|elenca|confronta|pianifica|"
    r"evita|"
    r"niente|tien(?:ilo|ine|i) (?:conto|presente)|"
    r"(?:è|sarebbe) per|correggil[oa]|correggi|scrivi|traduci|riassumi|dammi|trovami|spiegami|"
    r"descrivimi|adatta|cambia|togli|metti|sostituisci|modifica|migliora|segna(?:te)?lo|"
    r"ricordamelo|ricordami|non dimenticar\w{0,4}|"
    r"(?:che|(?:che )?cosa|come) (?:faccio|facciamo|posso|possiamo|devo|cucino|preparo|metto|"
    r"regalo|"
    r"compro|dico|scrivo|mangio|mangiamo|ringrazio|mi|gli|le)|"
    r"preparami|scrivimi|fammi",
    r"visto che|dato che|siccome|poiché|perché|sapendo che|considerando che|considerato che|"
    r"tenendo (?:conto|presente) che",
    r"che",
    r"e",
    r"d'ora in (?:poi|avanti)|in futuro",
    r"(?:(?:per favore|puoi|potresti|ciao|ok),? ){0,3}(?:scrivi|scrivimi|crea|analizza)",
    r"stori[ae]|raccont[oi]|fiab[ae]|favol[ae]|poesi[ae]|filastrocc\w+|canzon[ei]|romanz[oi]|"
    r"scen[ae]|dialog\w+|monolog\w+|diario|ruolo|personaggi\w?|barzellett\w|prima persona|"
    r"nei panni|stile|come se|quest[oaie]|seguent[ei]|così",
    r"(?:poesia|filastrocca|canzone)(?: [\w'-]{1,20}){0,4}? (?:per|a|su|sul|sulla) "
    r"(?=(?:(?:il|la|i|le) )?(?:mi[oae]i?|nostr[oaie]) |(?:nonn[oa]|mamma|papà|zi[oa])\b)",
    r"(?<!\bche )(?<!\bse )(?<!\bquando )(?<!\bcome )(?<!\bnon )(?:mi (?:aiuti|dai|dici|consigli|"
    r"fai|scrivi|puoi|spieghi|suggerisci)|"
    r"puoi|"
    r"potresti|come (?:faccio|posso|si fa)|cosa (?:posso|mi|devo)|che cosa|qual[ei]? \w{3,15} "
    r"(?:mi|posso)|(?:posso|possiamo|devo|dovrei) (?:mangiare|bere|prendere|fare|usare|dare|andare|"
    r"mettere) [^?.!]{2,80}\?|hai (?:idee|consigli|qualche))",
    so=r"quindi|perciò|per cui|allora",
)
SPANISH = _asking(
    r"(?:alguna |algún |algun |unas )(?:\w{3,15}\b)|ideas?|consejos?|sugerencias?|recomiéndame|"
    r"sugiéreme|"
    r"ayúdame|hazme|dame|necesito|busco|(?:tengo que|quiero|debo) (?:buscar|comprar|encontrar|"
    r"regalar)|"
    r"redacta\w*|corr[ií]ge\w*|escríbe\w*|escribe|traduce|resume|propónme|explícame|descríbeme|"
    r"prepárame|escríbeme|prepara|usa|cocina|cuenta|continúa|lee|mira|piensa|añade|responde|"
    r"contesta|busca|calcula|compara|revisa|planifica|organiza|propón|sugiere|"
    r"(?:es|sería) para|recomienda|explica|encuentra|haz|dime|cuéntame|evita|nada de|"
    r"ten(?:lo)? (?:en cuenta|presente)|adapta|cambia|quita|pon|sustituye|modifica|mejora|arregla|"
    r"recu[eé]rda(?:me|lo|melo)|ap[uú]ntalo|an[oó]talo|no lo olvides|"
    r"[a-zñ]{2,8}[aeéáí]me(?:l[oa]s?)?|"
    r"qu[eé] (?!siempre|nunca|ayer|hoy|ya|no|me|nos|se|yo|mi|su)\w{3,15} \w{2,15}(?:[aei]mos|o)\b|"
    r"qu[eé] les? \w{2,10}o\b|"
    r"qu[eé] (?:hago|hacemos|puedo|podemos|debo|cocino|cenamos|comemos|hace falta)|"
    r"c[oó]mo (?:hago|hacemos|puedo|podemos|(?:se )?l[eoa]s? \w{2,10}o)",
    r"ya que|dado que|como|porque|puesto que|visto que|sabiendo que|considerando que|"
    r"teniendo en cuenta que",
    r"que",
    r"y",
    r"a partir de ahora|(?:de ahora )?en adelante",
    r"(?:(?:por favor|puedes|podrías|hola|vale),? ){0,3}(?:escribe|escríbeme|crea|analiza)",
    r"historias?|cuentos?|relatos?|fábulas?|poemas?|canción|canciones|novelas?|escenas?|diálogos?|"
    r"monólogos?|diario|rol|personajes?|chistes?|primera persona|estilo|como si|"
    r"est[eao]s?|siguientes?|así",
    r"(?:poema|canción|rima)(?: [\w'-]{1,20}){0,4}? (?:para|a|sobre) "
    r"(?=(?:mis?|nuestr[oa]s?) |(?:mamá|papá)\b)",
    r"(?<!\bque )(?<!\bsi )(?<!\bcuando )(?<!\bcomo )(?<!\bno )(?:me (?:puedes|podrías|dices|"
    r"ayudas|recomiendas|das|haces|aconsejas|"
    r"explicas|sugieres)|puedes|podrías|qué (?:puedo|hago|me)|cómo (?:puedo|hago)|"
    r"qu[eé] (?:\w{2,15} ){0,4}me (?:recomiendas|aconsejas|sugieres|propones|das|dices|harías)|"
    r"qu[eé] \w{3,15}s me \w|dónde (?:puedo|hay)|cuánto (?:cuesta|tarda)|tienes (?:ideas|alguna|"
    r"algún))",
    so=r"así que|por (?:eso|lo tanto)|entonces|o sea que",
)
FRENCH = _asking(
    r"(?:des|une?|quelques) (?:idées?|conseils?|suggestions?|astuces?|recettes?|trucs?)|(?:propose|"
    r"suggère|recommande|conseille|trouve|donne|aide|décris|fais|explique|écris|rédige|prépare)"
    r"(?:-moi)?|c'est pour|ce serait pour|évite|oublie|pas de|calcule|compare|vérifie|planifie|"
    r"organise|résume|traduis|"
    r"tiens[- ]en compte|rappelle[- ](?:moi|le)|note[- ](?:le|moi|ça)|n'oublie pas|adapte|change|"
    r"enlève|remplace|modifie|améliore|(?!chez|pour|avec|sans|selon|comme)\w{3,12}[- ]moi|"
    r"(?:je|on|tu|nous|c'est|il) (?:\w{2,12} )?(?:\w{2,8} )?(?:quoi|comment|où|combien)|"
    r"il me faut|je cherche|(?:il faut que je|je dois|"
    r"je veux|je voudrais) (?:trouve|trouver|chercher|acheter|achète|offrir|offre)",
    r"comme|puisque|vu que|étant donné que|car|parce que|sachant que",
    r"qui",
    r"et",
    r"à l'avenir|désormais|dorénavant|à partir de maintenant",
    r"(?:(?:peux-tu|pourrais-tu|bonjour|ok),? ){0,3}(?:écris|crée|analyse)(?:-moi)?",
    r"histoires?|contes?|fables?|poèmes?|chansons?|comptines?|romans?|scènes?|dialogues?|"
    r"monologues?|journal intime|rôle|personnages?|blagues?|première personne|style|comme si|"
    r"ce(?:t|tte|s)?|suivante?s?|ainsi",
    r"(?:poème|chanson|comptine)(?: [\w'-]{1,20}){0,4}? "
    r"(?:pour|à|sur|de) (?=(?:mon|ma|mes|notre|nos) |"
    r"(?:maman|papa|mamie|papi)\b)",
    r"(?<!\bque )(?<!\bsi )(?<!\bquand )(?<!\bcomme )(?:tu (?:peux|pourrais|me conseilles|"
    r"as (?:des|une)|connais|saurais)|"
    r"t'as (?:des|une)|peux-tu|pourrais-tu|vous (?:pouvez|pourriez)|comment (?:je|on|faire)|"
    r"qu'est-ce|est-ce que|(?:fais|donne|aide|explique|propose)[- ]moi)",
    so=r"donc|du coup|alors",
)
