"""Spanish words and patterns of the built-in reader. Pure."""

import re

from memoryapp.reader.languages.asking import SPANISH as ASKING
from memoryapp.reader.languages.language import Language
from memoryapp.reader.languages.plans import SPANISH as PLANS
from memoryapp.reader.languages.pronouns import SPANISH as REFERRING
from memoryapp.reader.languages.romance_gender import SPANISH as FEMININE
from memoryapp.reader.languages.spanish_notes import NOTES
from memoryapp.reader.languages.spanish_person import CLOSE, KIN, agrees, narrate
from memoryapp.reader.languages.spanish_slots import BESIDE, KEYS, SLOTS
from memoryapp.reader.languages.spanish_verbs import VERBS
from memoryapp.reader.languages.topics import topics_of

#: What somebody aims at: no request to an assistant begins so.
_AIMS = (
    r"aprender|estudiar|correr|viajar|visitar|mudar(?:me|nos)|cambiar de|dejar de|adelgazar|perder|"
    r"ahorrar|comprar(?:me|nos)|montar|abrir|fundar|adoptar|volver a|ser|tener (?:hij|un perro|un "
    r"gato|un huerto)\w{0,2}|trabajar|vivir|casar(?:me|nos)|jubilar(?:me|nos)|sacar(?:me)? el|"
    r"terminar|acabar|publicar|correr|subir|participar|apuntar(?:me|nos)|presentar(?:me|nos)|"
    r"leer más|dormir|ponerme en forma|conocer (?-i:[A-Z])\w+"
)

SPANISH = Language(
    name="spanish",
    user="El usuario",
    first_person=frozenset(VERBS.third)
    | frozenset("yo me mi mis mí nuestro nuestra nuestros nuestras".split()),
    subjects=frozenset(VERBS.third)
    | frozenset("yo me nos mi mis nuestro nuestra nuestros nuestras".split()),
    pronouns=frozenset(["yo"]),
    own_pronoun=r"(?:yo|nosotr[oa]s)(?= )",
    owners=frozenset("mi mis nuestro nuestra nuestros nuestras".split()),
    owner_within=4,
    no_subject=re.compile(
        r"(?:para|como|quien|sin|casi|mis? (?:textos?|tablas?|códigos?|archivos?|documentos?|"
        r"correos?|frases?|listas?|títulos?|scripts?|informes?|redaccion(?:es)?|deberes|"
        r"presentaci(?:ón|ones)|preguntas?|respuestas?|mensajes?|borrador(?:es)?|párrafos?))\b",
        re.IGNORECASE,
    ),
    question=re.compile(
        r"(?:¿|que (?:hago|hacemos|puedo|podemos|cocino|cenamos|comemos)\b|como (?:hago|puedo)\b|"
        r"(?:quién|qué|cuál|cuáles|cuándo|dónde|por qué|cómo|cuánto|puedes|podrías|"
        r"puedo|podría|"
        r"sabes|hay)\b)",
        re.IGNORECASE,
    ),
    request=re.compile(
        r"\b(?:por ?fa(?:vor|s)?|porfis?|puedes|podrías|puede|dime|muéstrame|ayúdame|explícame|"
        r"dame|cuéntame|"
        r"necesito|busco|quiero (?:una?|dos|tres|cuatro|cinco|seis|diez|\d{1,3}|que|saber)|"
        r"quisiera|me gustaría (?:que|saber|tener (?:una|un|tu)|pedir\w*|preguntar\w*)|"
        r"me pregunto|no (?:lo )?entiendo|"
        r"no sé (?:(?:por|con|a|de|en) )?(?:qué|cómo|si|cuál\w*|dónde|cuándo|por qué|quién|cuánto)|"
        r"tengo una? (?:duda|pregunta|consulta|problema)|me sale|me refería|estoy intentando|"
        r"no (?:me acuerdo|recuerdo)|gracias|no tengo tiempo|voy a (?:probar|intentar|ver|"
        r"pensar))\b",
        re.IGNORECASE,
    ),
    asking=ASKING,
    hypothetical=re.compile(
        # "Me gustaría aprender" is a goal.
        r"\b(?:(?:era|estaba) (?:de |en )?broma|(?:estaba )?bromeando|quer[íi]a decir|quizás?|"
        r"tal vez|a lo mejor|probablemente|podría|debería|imagina|"
        r"supongamos|espero|creo|"
        r"pienso que|fuera|tuviera|sería|tendría|haría|ojalá|soñé|el uno al otro|"
        rf"(?!(?:gustaría|encantaría) (?:{_AIMS})\b)\w{{2,20}}aría)\b",
        re.IGNORECASE,
    ),
    conditional=re.compile(r"\b(?<!\bsé )(?<!\bsaber )si\b", re.IGNORECASE),
    addressing=re.compile(
        r"\b(?:tú|te|ti|tu|tus|contigo|usted|ustedes|vosotros|vuestr\w{1,2})\b", re.IGNORECASE
    ),
    task=re.compile(
        r"(?:(?:por favor|puedes|podrías|hola|vale),? ){0,3}(?:escribe|escríbeme|reescribe|traduce|"
        r"resume|corrige|completa|continúa|crea|inventa|analiza|imagina|finge|eres un|"
        r"haz como|aquí está)\b",
        re.IGNORECASE,
    ),
    opener=re.compile(
        r"(?:"
        r"(?:(?:le|les|te|os) (?:ruego|pido|agradecería) que (?:tengan? (?:en cuenta|presente)|"
        r"tengas (?:en cuenta|presente)|sep(?:an?|as)|anot(?:en?|es)|consider(?:en?|es))|"
        r"(?:permítame|permíteme|quisiera|quería|quiero|me gustaría|deseo|debo|me permito|"
        r"tengo que) (?:decir|informar|comunicar|comentar|contar|indicar|señalar|aclarar|avisar|"
        r"explicar|recordar|añadir)(?:les?|te|os)?)(?: de)? que\s|"
        r"¡?(?:(?:le|te|os|les) escribo (?:porque|ya que)|estimad[oa] (?:asistente|señor|señora)|"
        r"tengo un problema(?=,? (?:mi|mis|el|la|me|no|se)\b)|una cosa|te (?:explico|cuento)|"
        r"en realidad|nada(?: que)?|mira|mire|o sea|es que|a ver|"
        r"total|eh|em|resulta que|(?:el caso|la cosa|lo que pasa) es que|"
        r"(?:te (?:cuento|explico|resumo|comento)|(?:el )?contexto)(?=:)|"
        r"(?:muy )?(?:buena|mala|gran)s? noticias?|para que conste|por si (?:sirve|ayuda)|"
        r"personalmente|"
        r"que sepas que|"
        r"(?:te cuento|quería (?:decirte|contarte)|quiero que sepas) que|para que (?:lo )?sepas|"
        r"hola|holi|ey|oye|buenas noches|saludos|perdón|perdona|ah no|qué tal|buenas|"
        r"buenos días|buenas tardes|sí|no(?=,)|bueno|pues|ah|oh|y|"
        r"pero|vale|ok|gracias|"
        r"por cierto|la verdad|de hecho|claro|exacto|por desgracia|por suerte|sabes|entonces|"
        r"(?:olvida|olvídate de|ignora) (?:lo (?:que|de)|eso)(?: [^,.!?:]{2,40})?(?=[,.!:])|"
        r"(?:(?:pequeña|una) )?(?:corrección|novedad)(?=:)|corrijo(?=[:,])|"
        r"(?:ahora )?en español(?=:)|"
        r"(?:me (?:equivoqu[ée]|confund[íi])|me he (?:equivocado|confundido)|error mío)"
        r"(?: (?:antes|ayer|arriba|hace un momento))?(?=[:,.]))"
        r"(?:[,:!.…]|\s[-–—])?\s+|¡?que\s+(?=no\b)|"
        r"(?:(?:eso )?(?:no es (?:verdad|cierto|así|correcto)|es (?:falso|mentira|un error)))"
        r"(?:[,;:!.…]|\s[-–—])\s+)",
        re.IGNORECASE,
    ),
    pointer=re.compile(
        # The school, "tercero de la ESO", is none of them.
        r"\b(?!(?-i:ESO)\b)(?:esto|eso|aquello|él|ella|ellos|ellas|ahí|allí|allá)\b",
        re.IGNORECASE,
    ),
    personal=frozenset("él ella ellos ellas".split()),
    referring=REFERRING,
    referring_within=(),
    places=frozenset("ahí allí allá".split()),
    clause=re.compile(r"(?:,|;|\s[-–—])\s?|\s(?=(?:y|e|pero|porque|así)\s)", re.IGNORECASE),
    joint=re.compile(r",? (?:y|e|pero) |; (?:(?:y|pero) )?|, ", re.IGNORECASE),
    dependent=re.compile(
        r"\b(?:que|porque|cuando|mientras|si|quien|quienes|donde|aunque|también|tampoco|"
        r"mism[oa]s?|amb[oa]s|dice|dicen|piensa|cree|sabe|luego|así|allí|entonces)\b",
        re.IGNORECASE,
    ),
    agrees=agrees,
    having=re.compile(
        r"\b(?:tengo|tenía|tenemos|teníamos|tuve|(?:he|hemos) (?:adoptado|tenido)|adoptamos|adopté)"
        r"(?: (?:también|ahora))? una? (?:[\w'-]{2,15} ){0,3}$"
    ),
    copulas=frozenset(
        "es son era eran está están tiene tienen tenía gusta gustan encanta encantan".split()
    ),
    reminder=re.compile(
        r"(?:por favor,? )?(?:recuerda|acuérdate de|no olvides|ten en cuenta|ten presente|apunta)"
        r"(?: que\b|[:,])\s?",
        re.IGNORECASE,
    ),
    taste=re.compile(
        r"(?:yo )?(?:(?:no )?(?:(?:me|nos) (?:gusta|encanta)n?|odio|adoro|detesto|prefiero)|"
        r"(?:no|nunca|solo|sólo) (?:como|bebo|fumo|uso|tolero|soporto|digiero))(?: (?:mucho|"
        r"siempre|realmente))*"
        r" (?!es[aoe]|est[aeo]|aquel|que\b|cómo\b|cuando\b|si\b|tus?\b|su\b)\w",
        re.IGNORECASE,
    ),
    standing_wish=re.compile(
        r"no me (?:hables|trates) de (?:tú|usted)\b|"
        r"(?:yo )?prefiero que (?:no )?(?:siempre )?me (?:\w{3,12}[ae]s|des|digas)\b|"
        r"(?:por favor,? )?(?:responde|respóndeme|escribe|escríbeme|habla|háblame|usa|"
        r"llámame|contesta) "
        r"(?:[^.!?]{0,40}\b)?(?:siempre|nunca|a partir de ahora|(?:de ahora )?en adelante)\b|"
        r"(?:deja de|dejad de|evita) (?:usar|poner|llamarme|responder\w*|escribir\w*|hablarme|"
        r"tratarme|mandarme|hacerme)\b|(?:tutéame|trátame de|háblame de (?:tú|usted))\b|"
        r"s[ée] (?:siempre )?(?:breve|concis[oa]|clar[oa]|direct[oa])(?: siempre|"
        r", siempre)?(?=[.!,]|$)|"
        r"(?:llámame (?-i:[A-ZÁÉÍÓÚÑ])\w*|no me \w{3,15}s (?:más|nunca)|no vuelvas a \w+|"
        r"nunca me \w{3,15}s|"
        r"a partir de ahora|(?:de ahora )?en adelante)\b",
        re.IGNORECASE,
    ),
    standing=re.compile(
        r"(?:yo )?(?:soy|somos|(?:nunca|jamás) (?:he sido|fui)) "
        r"(?!(?:consciente|yo|así|de los que)\b)\w{3}|"
        r"(?:tengo|tenemos) (?:un[ao]?|dos|tres|cuatro|cinco|\d{1,3}) "
        r"(?!(?:preguntas?|problemas?|ideas?|error(?:es)?|dudas?|peticiones|momentos?|minutos?|"
        r"horas?|favor|listas?|archivos?|textos?|tareas?|poco)\b)|"
        r"me (?:rompí|fracturé|torcí|lesioné) (?:el|la|un|una|los|las) \w|cuido (?:a|de) (?:mis?|"
        r"un|"
        r"una) \w|(?:yo )?como (?:halal|k[oó]sher|vegan[oa]|sin \w)|he pasado a \w|"
        r"(?:les? )?(?:presté|regalé|vendí|devolví) (?:mi|el|la|los|las|un[ao]?|\d) ?\w|"
        r"(?:yo )?(?:me |nos )?(?:vivo sol[oa]|colecciono|enseño|aprendo|estudio|estudié|"
        r"colaboro|toco|"
        r"hablo (?!de\b)|"
        r"conduzco|manejo un|curro|trabaj[oé]|camino con|voy (?:con|en|fatal|mal|bien)|cultivo|"
        r"crío|"
        r"viaj(?:o|amos)|compart(?:o|imos)|enviudé|oigo (?:mal|poco|bien)|digiero|pago|"
        r"(?:vuelvo|volvemos) a (?-i:[A-Z])|"
        r"dirijo|"
        r"gestiono|sufro|padezco|practico|entreno|llevo (?!(?:un|media|una) (?:rato|hora))|"
        r"estoy (?:de baja|en paro|jubilad|embarazad|casad|separad|aprendiendo|estudiando|leyendo|"
        r"haciendo (?:un|una|el|la)\b))|"
        r"(?:me dan? (?:mucho )?(?:miedo|pánico|terror)|(?:tengo|le tengo) (?:mucho )?(?:miedo|"
        r"pánico|fobia) a(?:l)?) (?!ti\b|que\b)|"
        r"(?:acabo|acabamos) de (?!(?:ver|leer|probar|entender|pensar|copiar|escribir|"
        r"enviar)\b)\w{4,20} "
        r"(?:mi|mis|una?|el|la|los|a|en|de)\b|"
        r"(?:ya )?no (?:oigo|veo) (?:bien|nada de)|"
        r"(?:ya )?no (?:tengo|tenemos) (?!(?:ni|tiempo|ideas?|ganas|respuestas?|acceso|"
        r"error(?:es)?|dudas?|"
        r"problemas?|preguntas?|archivos?|textos?|código|forma|claro|nada|muy|por qué|que)\b)\w{3}|"
        r"(?:tengo|padezco|sufro(?: de)?) (?:\w{2,12} )?(?:dislexia|tdah|asma|diabetes|"
        r"hipertensión|artrosis|"
        r"artritis|migrañas?|ansiedad|depresión|epilepsia|vértigos?|alergias?|cáncer|autismo|"
        r"lupus|anemia|"
        r"colesterol|apnea|insomnio|reflujo|hernia|ciática|escoliosis|fibromialgia|celiaquía)\b|"
        # What somebody aims at, and habits.
        rf"(?:me (?:gustaría|encantaría)(?: mucho)?|quiero|queremos|(?:mi|nuestro) (?:sueño|meta|"
        rf"objetivo) es|pienso|planeo) (?:{_AIMS})\b(?! (?:est[aeo]s?|el (?:script|código|"
        r"programa|texto))\b)|"
        r"(?:(?:yo )?(?:siempre|nunca|casi nunca|normalmente|casi siempre|jamás|apenas|solo|"
        r"rara vez) (?!(?:me|te|se|lo|la|sé|entiendo|quiero|puedo|pienso|creo|olvido|es|"
        r"está)\b)\w{3,15} "
        r"\w|(?:me |suelo )?\w{3,12} (?:[\w'-]{1,20} ){0,6}?(?:(?:todos|todas) l[oa]s (?:días|"
        r"noches|semanas|mañanas|tardes|meses|años|\w{4,9}s)|cada (?:día|noche|semana|mañana|tarde|"
        r"mes|año|\w{4,9})|(?:una vez|(?:dos|tres|cuatro|\d) veces) (?:a la|al|por|"
        r"cada) \w{2,6})\b)|"
        r"(?:tengo|soy|vivo|me) (?:\w+ ){1,7}desde (?:siempre|(?:muy )?(?:niñ|pequeñ)[oa]|joven|"
        r"(?:hace )?(?:\w+ ){1,2}(?:años?|mes(?:es)?)\b)|"
        r"(?:suspendí|aprobé|perdí|gané|compré|vendí|adopté|cambié de|dejé|conseguí|me mudé|parí|"
        r"alquilé|heredé|he (?:suspendido|aprobado|perdido|ganado|comprado|vendido|adoptado|"
        r"cambiado de|dejado|conseguido)) (?!(?:el|la|los|las|un|una|mi|este|esta|tu) (?:archivos?|"
        r"textos?|códigos?|correos?|mensajes?|títulos?|documentos?|palabras?|error(?:es)?|"
        r"problemas?|tiempo|hilo|respuestas?)\b)",
        re.IGNORECASE,
    ),
    feelings=frozenset(
        "genial bonito bonita feliz contento contenta triste gracias guay increíble maravilloso "
        "perfecto bien mejor cansado cansada encantado".split()
    ),
    hedges=frozenset("quizás quizá algo cosas creo supongo".split()),
    lasting=frozenset(
        "vivo trabajo estudio estudié nací crecí casé casado casada mudé mudo compré "
        "empecé decidido "
        "decidí tengo toco juego aprendiendo alérgico alérgica vegetariano vegetariana "
        "prefiero odio "
        "amo adoro siempre nunca cada todos años tomo voy llamo llama dirijo entrenando "
        "dejé aprobé "
        "gané intolerante quiere viajo soy".split()
    ),
    kin=frozenset(KIN),
    past=re.compile(
        r"\b(?:fue|fueron|hizo|tuvo|estuvo|vino|dijo|puso|pudo|trajo|hubo)\b|"
        r"\b(?:he|hemos|ha|han) (?:\w+ ){0,1}\w{2,20}(?:ado|ido|to|cho)\b|"
        r"\b(?:fui|tuve|hice|estuve|era|tenía|nací|crecí|nos (?:separ|divorci)amos|"
        r"(?:conoc|tuv|hic|fu|estuv|vin|volv|vend|perd|romp)imos|puse|dije|vine|traje|pude|quise|"
        r"(?!(?:qué|porqué|café|bebé|puré|paté|chalé|bufé|aquí|allí|así|ahí|esquí|rubí|jabalí|"
        r"israelí|"
        r"marroquí|iraní|dominó|champiñó|limó)\b)\w{2,20}(?:é|í|ó|aron|ieron))\b",
        re.IGNORECASE,
    ),
    future=re.compile(
        r"\b(?:(?:voy|vamos|va|van) a \w{2,20}(?:ar|er|ir)(?:me|se|nos)?|pienso|"
        r"(?:he|hemos) quedado|pedid[oa] (?:cita|hora)|he reservado|está (?:cancelad|aplazad|"
        r"cambiad|previst|confirmad)[oa]|"
        r"\w{2,20}(?:aremos|eremos|iremos|ará|erá|irá|arán|erán|irán|dré)|iré|seré|estaré|haré|"
        r"podré|viajaré|mudaré|empezaré|comenzaré|trabajaré|estudiaré|visitaré|volveré|iremos)\b",
        re.IGNORECASE,
    ),
    preference=re.compile(
        r"\b(?:amo|adoro|me gustan?|me encantan?|prefiero|odio|detesto|favorit[oa]s?|preferid[oa]|"
        r"no soporto|no bebo|no como|apasiona)\b",
        re.IGNORECASE,
    ),
    decision=re.compile(
        r"\b(?:decidí|he decidido|hemos decidido|elegí|he elegido|acepté)\b", re.IGNORECASE
    ),
    relationship=re.compile(
        r"\b(?:mis?|nuestr[oa]s?) (?:" + "|".join(CLOSE) + r") "
        r"(?:es|se llama|vive|trabaja)\b|\b(?:casad[oa]s?|casé|prometid[oa]|divorciad[oa]s?)\b",
        re.IGNORECASE,
    ),
    topics=topics_of("spanish", KIN),
    plans=PLANS,
    notes=NOTES,
    slots=SLOTS,
    keys=KEYS,
    beside=BESIDE,
    present=re.compile(
        r"\b(?:voy|vamos|empiezo|empezamos|empieza|vuelvo|salgo|salimos|tengo|tenemos|es|tiene|"
        r"viene|"
        r"vienen|llega|llegan|sale)\b",
        re.IGNORECASE,
    ),
    narrate=narrate,
    feminine=FEMININE,
    leading=re.compile(
        r"(?:(?:finalmente|al final|actualmente|ahora mismo|de momento|por ahora|normalmente|"
        r"últimamente|a veces|por las (?:mañanas|tardes|noches)|entre semana|los findes|"
        r"el resto de (?:los )?días|los (?:demás|otros) días|el resto del tiempo)"
        r"|(?:desde|durante|tras|después de|antes de|a pesar de|debido a|gracias a|por)"
        r"(?! (?:qué|quién|cuánto)\b)(?: [\w-]{1,20}){1,5}(?=,)"
        r"|con (?:(?:mis?|nuestr[oa]s?) )?[\w-]{2,20}(?: (?-i:[A-Z])\w+)?),? "
        r"(?:(?:no )?(?:nos|me) )?",
        re.IGNORECASE,
    ),
    formerly=re.compile(
        r"(?:antes(?: de eso)?|anteriormente|de joven|en su día)\b,?\s", re.IGNORECASE
    ),
    asked_wish=re.compile(
        r"¿?(?:por favor,? )?(?:puedes|podrías|puede|podría|te importaría) (?:no )?"
        r"(?:(?:siempre|nunca|a partir de ahora|de ahora en adelante),? \w|\w{3,12}[aei]r(?:me|"
        r"nos)? "
        r"(?:[\w']{1,20} ){0,6}?(?:siempre|nunca más|a partir de ahora|de ahora en adelante)\b)",
        re.IGNORECASE,
    ),
    passing=re.compile(
        r"(?:(?:hoy|ahora(?: mismo)?),? )?(?:estoy|estamos|me siento) (?:(?:muy|un poco|súper|"
        r"tan|hoy|"
        r"algo|ya) ){0,2}(?:cansad|agotad|aburrid|triste|content|feliz|enfadad|nervios|estresad|"
        r"hart|"
        r"perdid|list|segur|confundid|atascad|liad)\w{0,2}\b|"
        r"(?:tengo|tenemos) (?:\w{2,6} )?(?:hambre|sueño|sed|frío|calor|prisa|resaca)\b|"
        r"(?:estoy|estamos|voy) (?:ahora )?(?:en|camino de|de camino a) ?(?:el |la |al |un |una )?"
        r"(?:aeropuerto|estación|súper|supermercado|tienda|tren|bus|autobús|coche|cocina|baño|"
        r"reunión|"
        r"cola|restaurante|bar|playa|parque)\b|"
        r"(?:solo |sólo )?(?:tengo|me quedan?|tenemos) (?:[\w']{1,12} ){1,8}en (?:la nevera|el "
        r"frigo\w*|el congelador|la despensa)\b",
        re.IGNORECASE,
    ),
    concerning=re.compile(r"(?:no )?se (?:me|nos) \w", re.IGNORECASE),
    unresolved=re.compile(
        # People get to know each other; the other is not told.
        r"\bse conoció\b(?! con\b)|"
        r"\b(?:yo|me|mi|mis|mí|nuestro|nuestra|nosotros|ayer|hoy|anoche|pasado|pasada|"
        r"próximo|próxima|"
        r"tú|tu|tus)\b",
        re.IGNORECASE,
    ),
)
