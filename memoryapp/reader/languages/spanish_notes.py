"""How people tell of themselves in Spanish notes. Pure."""

from memoryapp.language.vocabularies import VOCABULARIES
from memoryapp.reader.languages.accents import forms, known, with_endings
from memoryapp.reader.languages.notes import (
    Notes,
    appointments,
    clause_up_to,
    introduction,
    rules,
    spellings,
)
from memoryapp.reader.languages.spanish_verbs import VERBS

_THINGS = (
    (r"(?:grupo sanguíneo|tipo de sangre|pasaporte|número de (?:pie|zapato|teléfono)|cumpleaños|"
     r"médico de cabecera|dentista|domicilio|signo|peso|dni|carn[eé]t(?: de \w+)?)", "Mi", "es"),
    (r"(?:talla(?: de \w+)?|altura|fecha de nacimiento|lengua materna|matrícula|dirección|"
     r"llave(?: \w+){0,3}?|tarjeta(?: \w+)?)", "Mi", "es"),
    (r"(?:llaves(?: \w+){0,3}?|facturas|papeles|documentos|medicinas|pastillas|gafas|"
     r"herramientas)", "Mis", "son"),
)  # fmt: skip
#: Where a relative begins a clause, or is the one for whom or with whom something is.
_BEFORE_KIN = r"(?:^|(?<=, )|(?<=\by )|(?<=\bpero )|(?<=\bpara )|(?<=\bcon )|(?<=\ba ))"
_TIMES = VOCABULARIES["spanish"].times
_DAY = "|".join([r"(?:el|este) (?!(?:doctor|dr)\b)\w+", *_TIMES.weekdays, *_TIMES.days])
_FIRST_CLAUSE = clause_up_to(
    r"(?:y|pero|porque) (?:no|ya|me|mi|mis|estoy|tengo|soy|quiero|necesito|voy|he|ando|llevo)"
)
_MONTHS = "|".join(_TIMES.months)
#: Stems of the first person of the past, whose accent is left out where a moment tells the tense.
_PAST = "|".join(sorted(verb[:-1] for verb in VERBS.third if verb.endswith("é") and len(verb) > 3))
_COMPANY = r"((?:mis?|nuestr[oa]s?) \w+(?: [a-z]\w+)?(?: (?-i:[A-Z])\w+)?|(?-i:[A-Z])\w+)"
_ACCENTS = known(
    "spanish",
    "alérgico alérgica alérgicos alérgicas médico médica psicólogo psicóloga dermatólogo "
    "ginecóloga fisioterapéutico diabético diabética asmático asmática última último últimas "
    "últimos próximo próxima próximos próximas teléfono móvil número música inglés francés alemán "
    "japonés portugués autobús avión camión tren fácil difícil rápido jóvenes exámenes además "
    "quizás todavía detrás atrás según ningún algún últimamente así también después allí mamá tía "
    "tío reunión operación habitación vacaciones oposición oposiciones corazón riñón "
    "pensión televisión depresión tensión lesión canción dirección presentación medicación "
    "alimentación jubilación educación ración perdón razón jamón jabón balcón sillón salón "
    "pánico murió falleció celíaco celíaca celíacos teórico teórica pájaro árbol lápiz "
    "máster práctica prácticas fábrica cámara lámpara mecánico mecánica eléctrico eléctrica "
    "informática matemáticas química física farmacéutico farmacéutica biología psicología "
    "cumpleaños cafetería panadería librería carnicería peluquería ferretería energía alergia "
    "compañía policía batería estómago hígado páncreas cáncer migraña maratón decía esquí "
    "sábado miércoles café sofá recomiéndame explícame ayúdame dímelo respóndeme llámame escríbeme "
    "corrígeme háblame podrías deberías gustaría encantaría querría tendría sería sé días",
    with_endings(forms(VERBS), ("í", "ió", "ía", "ían", "íamos", "ábamos", "yó")),
    "cuanto cuanta cuantos cuantas hacia seria sabia varia barrio barrera cerro conto estara se "
    "aun media median uni",
)
NOTES = Notes(
    accents=_ACCENTS,
    spelling=spellings(
        (rf"^{_COMPANY} y yo,? ", r"con \1 "), (rf"^yo y {_COMPANY},? ", r"con \1 "),
        (rf"\b(ayer|anteayer|anoche|el otro día|la semana pasada|(?:el|la) (?:lunes|martes|"
         rf"miércoles|"
         rf"jueves|viernes|sábado|domingo|mes|año) pasad[oa]|hace \w{{1,12}} \w{{3,8}}(?: que)?),? "
         rf"((?:me |lo |la |nos )?)({_PAST})e\b", r"\1 \2\3é"),
        # Of what is over, it tells the moment, and of what goes on, since when.
        (r"^(hace \w{1,12} (?:años?|mes(?:es)?|semanas?|días?)) que ((?:me |nos |lo |"
         r"la )?(?:\w{2,15}(?:é|í)|fui|"
         r"tuve|hice|vine|puse|nos? \w{3,15}[ai]mos)(?= )[^,;.!?]{3,200})", r"\2 \1"),
        (rf"^((?:me |lo |la |nos )?)({_PAST})e (?=[^,.;!?]{{2,60}} (?:ayer|anoche|en (?:\d{{4}}|"
         rf"{_MONTHS})|"
         r"hace \w{1,12} \w{3,8}|el (?:mes|año) pasado)\b)", r"\1\2é "),
        (r"^(?:el otro d[ií]a),? (?=\w)", ""),
        (r"\b(el|un|del|al|tomo|bebo) te(?= |$|[,.])", r"\1 té"),
        (r"\bllevamos (\w{1,12} (?:años?|mes(?:es)?)) (casad|separad|divorciad|jubilad)([oa]s)\b",
         r"estamos \2\3 desde hace \1"),
        (r"^(?:me |nos )?toca (?=\w{2,15}[aei]r )", "tengo que "),
        (rf"^(hace \w{{1,12}} (?:años?|mes(?:es)?|semanas?|"
         rf"días?)) que {_FIRST_CLAUSE}", r"\2 desde \1"),
        (r"\bantes era\b", "antes fui"),
        (r"(?:^|(?<=\w )|(?<=, ))q(?= [a-zñ])", "que"), (r"\bpal\b", "para el"),
        (r"\bpa\b", "para"), (r"\b(?:xq|pq|xk|porq)\b", "porque"),
        (r"\bme (enseñ|regal|recet|contrat|prest|invit)o\b", r"me \1ó"),
        (r"\b(?:tb|tmb)\b", "también"), (r"\b(\w{2,12})isim([oa]s?)\b", r"\1ísim\2"),
        (r"(?<=\w)(?<!\ba)(?<!\bde)(?<!\bdesde)(?<!\bhasta)(?<!\bsobre),? (?:l[oa]s|"
        r"tod[oa]s) (?:dos|tres|cuatro)(?=[,.;!?]|$)", ""),
        (r"(?<=\w),? (?:y|pero) (?:yo|nosotr[oa]s) (?:no|sí|también|tampoco)(?=[,.;!?]|$)", ""),
        (r"^(?:no es [^,.;]{2,15} sino|es) (el \w{5,9}|mañana|el \d{1,2} de \w+) ((?:la|"
         r"el) (?:cita|reunión|entrevista|boda|"
         r"examen|operación|vuelo|cena|consulta|revisión)\b[^,.;!?]{0,60})", r"\2 es \1"),
        (r"^a mis? [\w-]{2,20} y a m[íi] (?=nos\b)", ""),
        # Relatives who need no "my", and children and pets who are no others.
        (rf"{_BEFORE_KIN}(?:la |el )?(mamá|papá)(?= [^\W\d_])(?! (?:y|de)\b)", r"mi \1"),
        (rf"{_BEFORE_KIN}(?:(?:la|el) )?(abuel[oa]|t[ií][oa]|suegr[oa]|yaya|yayo)"
         r"(?= (?-i:[A-Z])[a-z])", r"mi \1"),
        (r"(?:^|(?<=, )|(?<=\by ))l[oa]s (niñ[oa]s|hij[oa]s|críos|peques|mellizos|gemelos)"
         r"(?= [^,.;!?]{1,50}\b(?:conmigo|(?:con|donde|para) nosotr[oa]s)\b)", r"mis \1"),
        (r"(?:^|(?<=, )|(?<=\by ))l[oa]s (niñ[oa]s|hij[oa]s|críos|peques|mellizos|gemelos)"
         r"(?= (?:est[aá]n|viven|se quedan) conmigo\b)", r"mis \1"),
        (r"^l[oa]s (niñ[oa]s|hij[oa]s|críos|peques|mellizos|gemelos)"
         r"(?=(?:, [^;.!?]{2,40},)? (?:tienen \d|se llaman|van a)\b)", r"mis \1"),
        (r"^(?:el|la) (perr[oa]|gat[oa]|niñ[oa]|peque|bebé)(?= (?:se llama|tiene \d{1,2} |"
         r"es una? (?!animal|ser)|está (?:mal|mala|enferm|opera)|es (?:alérgic|celíac|diabétic)))",
         r"mi \1"),
        (r"^cuando era (pequeñ[oa]|niñ[oa]|joven|adolescente|estudiante),? ", r"de \1 "),
        (r"\bse (cas|mud|jubil|oper|separ|divorci|licenci|qued|enfad|enter|olvid|levant|lesion|"
         r"enamor|march|acost|sent|quit|tir|queda)o\b", r"se \1ó"),
        (r"\bno (es|son) (?:el |la )?[^,.;]{1,20}? sino ", r"\1 "),
        (r"(el (?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)),? (?:y )?no (?:es )?el "
         r"(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)\b", r"\1"),
        (r"(?<=\w)[,.!]? (?:(?:muchas |mil )?gracias|ayuda+|socorro|un saludo|¡?deséame suerte|"
        r"cruza los dedos|(?:ja|je){2,5}j?)"
         r"[.! ]*$", ""),
        (r"\bno se (?=(?:si|que|qué|como|cómo|cuando|donde|cual|quien|cuanto|por qu[eé])\b)",
         "no sé "),
        (r"\ba (?:mí|mi|nosotr[oa]s) (?=(?:no )?(?:me|nos)\b)", ""),
        (r"^(?:pues )?yo que sepa,? ", ""),
        (r"\besta (?=(?:casad|jubilad|embarazad|enferm|ingresad|separad|divorciad|operad|mal|bien|"
         r"muy|en (?:paro|casa|el|la|coma)|de baja|cieg|sord|coj|loc|sol|parad|\w{2,10}[ai]do|"
         r"\w{2,10}(?:a|ie)ndo)\w{0,1}\b)", "está "),
    ),
    name=introduction(
        r"(?:yo )?(?:soy|me llamo|me llaman)|aquí|nombre:",
        r"[,.!]|$| (?:y|de)\b",
    ),
    named="Me llamo {}",
    aged="Tengo {} años",
    being=rules((r"(?=(?:dos|tres|cuatro|cinco|\d{1,2})\b)", "Tengo "),
                 (r"(?=(?:casad|jubilad|divorciad|embarazad|prejubilad)[oa]\b)", "Estoy "),
                 (r"(?=(?:vivo|trabajo)\b)", ""), (r"(?=\w)", "Soy ")),
    completions=appointments(
        _DAY, "es|está|será|sale|era|fue|dura|cuesta",
        (r"(?:cita|consulta|turno|hora|dentista|médic[oa]|pediatra|fisio|psicólog[oa]|psiquiatra|"
         r"oculista|ginecólog[oa]|dermatólog[oa]|cardiólog[oa]|traumatólog[oa]|matrona|notario|"
         r"abogad[oa]|veterinari[oa]|peluquería|reunión|entrevista|examen|operación|boda|revisión|"
         r"vuelo|itv|analítica|radiografía|resonancia|ecografía|mamografía|mudanza|cena|comida|"
         r"juicio|tutoría|concierto|partido|ensayo|bautizo|comunión|entierro|clase|viaje|"
         r"oposición|parcial)\b", r"Tengo \1"),
    ) + rules(
        (r"((?:vacuna|dosis)(?: [\w'-]{1,20}){0,4}?) puesta(?= (?:el|en|ayer|hace)\b)",
         r"Me puse la \1"),
        (r"como ((?!(?:siempre|ejemplo)\b)(?:\w{2,12} )?(?:madre|padre|mamá|papá|abuel[oa]|"
         r"estudiante|"
         r"médic[oa]|maestr[oa]|vegetarian[oa]|vegan[oa]|celíac[oa]|autónom[oa]|jubilad[oa]|"
         r"alumn[oa]|"
         r"arquitect[oa]|abogad[oa]|\w{2,12}(?:ista|[nmt]er[oa]|[dst]ora?|ólog[oa]|ante|étic[oa]|"
         r"átic[oa]))(?: (?:de|en|con|que|solter[oa]|jubilad[oa]|autónom[oa]|"
         r"primeriz[oa]) [^,?]{1,60}|"
         r" (?:solter|jubilad|autónom|primeriz|vegetarian|vegan)[oa])?)(?=,|$)", r"soy \1"),
        (r"(?:el|la) ((?:cita|reunión|entrevista|operación|boda|mudanza|revisión|consulta|examen|"
         r"vuelo|juicio|cena|comida|viaje|tutoría)\b)(?=[^?]{0,60} (?:es|será|sale) (?:el |"
         r"mañana|hoy|"
         r"pasado mañana|a las?\b))", r"mi \1"),
        (r"((?:(?:muy|recién|felizmente|ya|aún|actualmente) )?"
         r"(?:(?:casad|jubilad|divorciad|separad|embarazad|prometid|desemplead)[oa]|de baja|"
         r"en paro|diagnosticad[oa])\b)", r"Estoy \1"),
        (r"((?:(?:muy|también) )?(?:alérgic[oa] (?:a|al)|intolerante (?:a|al)|"
         r"(?:solter|viud|zurd|diabétic|asmátic|celíac|vegetarian|vegan|daltónic|autónom)[oa]|"
         r"pensionista|hij[oa] únic[oa]|originari[oa] de|natural de|madre de|padre de)"
         r"(?=[\s,.;!]|$))", r"Soy \1"),
        (r"((?:dos|tres|cuatro|cinco|ningún|un|una|\d{1,2}) (?:hij[oa]s?|gat[oa]s?|perr[oa]s?|"
         r"herman[oa]s?|años de experiencia)(?=[,.;!]|$| (?:y|de|en)\b))", r"Tengo \1"),
        *(
            (rf"({nouns})(?: (?:está|están|{verb}))?(?:\s?:|(?= (?:\d|(?-i:[A-Z]{{1,3}})\b))) ",
             rf"{owner} \1 {verb} ")
            for nouns, owner, verb in _THINGS
        ),
        *(
            (rf"({nouns})(?: (?:está|están))?\s?:?(?= (?:en|bajo|sobre|debajo|detrás|dentro|junto)"
             r"\b)", rf"{owner} \1 {verb}")
            for nouns, owner, verb in (
                (_THINGS[0][0], "Mi", "está"), (_THINGS[1][0], "Mi", "está"),
                (_THINGS[2][0], "Mis", "están"),
            )
        ),
    ),
)  # fmt: skip
