"""Vocabulary of Spanish. Pure."""

import re

from memoryapp.language.command_words import CommandWords
from memoryapp.language.denial_words import BETWEEN, DenialWords, ending
from memoryapp.language.fact_words import FactWords, one_word_each, phrases
from memoryapp.language.fiction_words import FictionWords
from memoryapp.language.home_words import HomeWords
from memoryapp.language.joining_words import JoiningWords
from memoryapp.language.narration_words import NarrationWords
from memoryapp.language.number_words import cardinals, up_to_twelve
from memoryapp.language.question_words import QuestionWords
from memoryapp.language.speech_words import SpeechWords, frozen
from memoryapp.language.time_words import TimeWords, part_phrases, parts_of_day
from memoryapp.language.turn_words import TurnWords, anywhere, words
from memoryapp.language.vocabulary import Vocabulary

_FUNCTION_WORDS = frozenset(
    "el la los las lo un una unos unas yo me mi mis mí mío mía conmigo nosotros nosotras nos "
    "nuestro nuestra nuestros nuestras tú tu tus te ti contigo usted ustedes él ella ellos "
    "ellas ello su sus se le les que qué quien quién quienes cual cuál cuales cuáles cuando "
    "cuándo donde dónde adónde por porque cómo como cuánto cuánta cuántos cuántas si y e o u "
    "pero ni no de del a al en con sin para sobre entre desde hasta es soy eres somos son está "
    "estoy estás estamos están era eran fue fui ser estar he has ha hemos han había hay haber "
    "tengo tiene puede puedes puedo podría podrías debe debo este esta estos estas ese esa esos "
    "esas eso esto aquel aquella aquí ahí allí más muy también ya aún sólo solo".split()
)
#: Frequent verbs with which a speaker says "I" without a pronoun.
_OWN_VERBS = frozenset(
    "tengo tenía tuve soy estoy estaba fui hice dije vivo debo debería puedo voy hago "
    "compré".split()
)
_MONTHS = (
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
).split()
_WEEKDAYS = "lunes martes miércoles jueves viernes sábado domingo".split()
_CARDINALS = cardinals(
    "dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis "
    "diecisiete dieciocho diecinueve veinte treinta cuarenta cincuenta sesenta setenta ochenta "
    "noventa cien/ciento mil millón/millones"
)

_TIMES = TimeWords(
    word=re.compile(r"(?i:fin(?:es)? de semana|que viene)|[^\W_]+"),
    days={"anteayer": -2, "ayer": -1, "hoy": 0, "mañana": 1, "anoche": -1}
    | {"esta mañana": 0, "esta tarde": 0, "esta noche": 0}
    | {"pasado mañana": 2, "ayer por la tarde": -1, "ayer por la mañana": -1}
    | {"ayer por la noche": -1, "mañana por la mañana": 1, "mañana por la tarde": 1},
    units={
        word: unit
        for unit, words in {
            "day": "día días",
            "week": "semana semanas",
            "weekend": "finde",
            "month": "mes meses",
            "year": "año años",
        }.items()
        for word in words.split()
    }
    | {"fin de semana": "weekend", "fines de semana": "weekend"},
    seasons={"primavera": 0, "verano": 1, "otoño": 2, "invierno": 3},
    parts_of_day=parts_of_day("mañana mañanas|mediodía|tarde tardes||noche noches"),
    approximate=frozenset("casi unos unas aproximadamente".split()),
    after_hour=frozenset("h horas".split()),
    part_written=part_phrases("por la mañana|a mediodía|por la tarde|por la tarde|por la noche"),
    midnight="medianoche",
    weekdays={day: number for number, day in enumerate(_WEEKDAYS)},
    months={month: number for number, month in enumerate(_MONTHS, 1)},
    numbers={"un": 1, "una": 1} | up_to_twelve(_CARDINALS),
    vague={"un par de": 2, "unos": 3, "unas": 3, "algunos": 3, "algunas": 3, "varios": 4},
    last=frozenset("pasado pasada último última".split()),
    last_of_several=frozenset("últimos últimas pasados pasadas".split()),
    this=frozenset("este esta".split()),
    next=frozenset(["próximo", "próxima", "que viene"]),
    after_next=frozenset(),
    after_next_behind="",
    ago_before=("hace",),
    ago_after=(),
    ahead_before=("dentro de", "en"),
    before_weekday=frozenset("el este".split()),
    before_month=frozenset("en desde hasta".split()),
    beginnings=frozenset(["desde"]),
    openings=frozenset("desde".split()),
    targets=frozenset("a al para hasta".split()),
    before_month_asked=frozenset("en de desde hasta durante a".split()),
    abbreviations={name[:3]: number for number, name in enumerate(_MONTHS, 1)} | {"sept": 9},
    first_day="primero",
    ordinals="[°º]",
    date_links="de|del",
    month_before_day=False,
    last_day=("último día",),
    lasting_before=("durante", "por"),
    habits=frozenset("cada todos todas los".split()),
    kept=frozenset("al desde hasta para de del".split()),
    dropped=frozenset("el la en".split()),
    articled={"desde": "desde el", "hasta": "hasta el", "para": "para el", "de": "del", "a": "al"},
    range_links="al|hasta el|y el|a",
    before_range=re.compile(r"(?:del|el|los días|desde el)\s$", re.IGNORECASE),
    day_article="el",
    day_ending=r"(?![\w:]|[.,]\d|\s(?:horas|h)\b)",
    days_alone=(
        r"(?:(?<=\bes el )|(?<=\bserá el )|(?<=\bel )(?=\d{1,2} a las? \d))(?P<day>\d{1,2})"
        r"(?=[.,;!?)]|$|\s(?:a|con|en|para|y)\b)",
        r"(?<=\bdel )(?P<day>\d{1,2})(?P<to> al )(?P<last>\d{1,2})(?=[.,;!?)]|$|\s)",
        # A day with which a clause of the speaker begins.
        r"(?:(?<=^el )|(?<=^el día ))(?P<day>\d{1,2})(?=\s(?:tengo|tenemos|voy|vamos|me|mi|nos|"
        r"empiezo|viajo|vuelo|salgo|llega|viene|estoy)\b)",
    ),
    numbered=frozenset("número números dorsal favorito preferido suerte planta".split()),
    before_digits=("el", "del", "al"),
    parts_of_month=frozenset("principios mediados finales fines inicios mes".split()),
    conjunctions=frozenset("y o".split()),
    before_hour=frozenset("a las".split()),
    written={
        "range": "del {first} al {last}",
        "day": "el {day}",
        "around": "alrededor del {day}",
        "week": "en la semana del {day}",
        "weekend": "el fin de semana del {day}",
        "month": "en {month} de {year}",
        "year": "en {year}",
        "season": "{season} {year}",
    },
    month_names=_MONTHS,
    season_names=[
        "en la primavera de",
        "en el verano de",
        "en el otoño de",
        "en el invierno de",
    ],
)
_THE_SPANISH = r"(?:(?:el|la|los|las|mi|mis|un|una) )?"

_TURNS = TurnWords(
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
    changes=anywhere(
        r"ahora|ya no|en vez de|en lugar de|cambi(?:o|é|ó|amos|aron|ado)|nuev[ao]s?|"
        r"mud(?:o|é|ó|amos|aron|ado|ada)|aplaz(?:an|ó|aron|ad[ao]s?)|"
        r"retras(?:an|ó|aron|ad[ao]s?)|cancel(?:an|é|ó|aron|ad[ao]s?)|dej(?:o|é|a|ó|amos|aron|ado)|"
        r"vend(?:o|í|ió|imos|ido)|a partir de|adiós|renunci(?:o|é|ó)|al final|corrijo|corrige|"
        r"corrección"
    ),
    not_known=words(
        r"(?:lo siento,? )?(?:pero )?(?:eso )?(?:todavía |aún )?(?:no (?:lo |la )?(?:sé|recuerdo|"
        r"conozco|encuentro|tengo (?:(?:esa |esta |ninguna |la )?información|acceso|datos|"
        r"constancia|eso|ese))"
        r"|no me (?:lo |la )?has (?:dicho|contado|hablado)|ninguna información)"
    ),
    comments=words(
        r"(?:eso )?(?:suena|parece)|me alegr\w+|qué (?:buen\w*|lind\w+|bonit\w+) \w+|avísame"
        r"|aquí estoy|es bueno saberlo|(?:si|cuando) me lo (?:dices|digas|cuentas|cuentes)"
    ),
)
_RELATIVE_SPANISH = r"(\w+(?: \w+)?) de NAME"

_QUESTIONS = QuestionWords(
    now=anywhere(
        "ahora|actualmente|actual|actuales|en este momento|en estos momentos|hoy en día|"
        "estos días|últimamente|recientemente|recientes?|por ahora|todavía|aún|sigue[ns]?|"
        "sigo"
    ),
    first_person=anywhere("|".join(["yo|me|mis?|mí|mí[oa]s?|conmigo|he", *sorted(_OWN_VERBS)])),
    assistant_said=re.compile(
        r"\b(?:dijiste|recomendaste|sugeriste|aconsejaste|propusiste|mencionaste|explicaste|"
        r"escribiste|diste|contaste|describiste|enumeraste|respondiste|contestaste|hiciste|"
        r"nombraste|indicaste)\b"
        r"|\b(?:has|habías) (?:dicho|recomendado|sugerido|aconsejado|propuesto|mencionado|"
        r"explicado|escrito|dado|contado|descrito|respondido)\b"
        r"|\btus? (?:consejo|respuesta|recomendaci|sugerencia|propuesta)",
        re.IGNORECASE,
    ),
    intake=anywhere(
        r"com(?:er|o|e|emos|en|ida|idas)|beber|bebo|bebe|cocin(?:ar|o|a|amos)|guis(?:ar|o)|"
        r"hornear|prob(?:ar|amos)|pruebo|desayun(?:o|ar)|almuerzo|almorzar|cen(?:a|as|ar|o|amos)|"
        r"merienda|merendar|picar|pico|tapas|postres?|tartas?|pastel(?:es)?|recetas?|menús?|"
        r"platos?|bufé|ingredientes?|alimentos?|hambre|sed|restaurantes?|barbacoa|parrilla|"
        r"medicinas?|medicamentos?|medicación|pastillas?|píldoras?|analgésicos?|antibióticos?|"
        r"ibuprofeno|aspirina|paracetamol|recet(?:ar|a|ado|aron)|vacunas?|anestesia|"
        r"alérgic[oa]s?|alergias?|tolero|tolera"
    ),
    talk=re.compile(
        r"\b(?:he|has|hemos|había|habías|habíamos) (?:\w+ )?(?:preguntado|dicho|contado|"
        r"hablado|escrito|mencionado|comentado|recomendado|sugerido|propuesto|explicado|"
        r"respondido)\b"
        # Not "¿Qué le dije a mi jefe?".
        r"|(?<!\ble )(?<!\bles )\b(?:dije|conté|mencioné|comenté)\b"
        r"|\bte (?:pregunté|pedí|escribí|expliqué)\b|\bpregunté\b|\bhablamos\b"
        r"|\b(?:preguntaste|dijiste|contaste|mencionaste|recomendaste|sugeriste|aconsejaste|"
        r"explicaste|respondiste|propusiste)\b"
        # "¿Qué me dijo Kim?"
        r"|\b(?:me|nos) (?:dijo|contó|preguntó|recomendó|aconsejó|escribió|sugirió)\b"
        r"|\b(?:me|nos) (?:ha|había) (?:dicho|contado|preguntado|recomendado|aconsejado)\b"
        r"|\b(?:mis?|tus?|nuestr[oa]s?) (?:\w+ )?(?:preguntas?|respuestas?|mensajes?|"
        r"conversaci[oó]n(?:es)?)\b"
        r"|\b(?:fue|era|fueron) tus? (?:\w+ )?(?:consejos?|sugerencias?|recomendaci\w+)\b",
        re.IGNORECASE,
    ),
    rephrasing=(
        (rf"\b(?:el|la) {_RELATIVE_SPANISH}", r"mi \1"),
        (rf"\b(?:los|las) {_RELATIVE_SPANISH}", r"mis \1"),
        (rf"\b(a|de)l {_RELATIVE_SPANISH}", r"\1 mi \2"),
        (r"\bcon NAME", "conmigo"),
        (r"\b(a|de|para|por|sin|sobre) NAME", r"\1 mí"),
        ("NAME", "yo"),
    ),
)

_SPEECH = SpeechWords(
    mine=frozen("yo tú tu"),
    subjects=frozen("yo"),
    parts=frozen(
        "hablante persona participante entrevistador entrevistadora entrevistado entrevistada "
        "periodista presentador presentadora invitado invitada narrador narradora cliente clienta "
        "agente usuario usuaria humano asistente ia sistema p r paciente médico médica profesor "
        "profesora alumno alumna voz desconocido mamá papá jefe jefa"
    ),
    headings=frozen(
        "nota notas aviso actualización corrección pregunta preguntas respuesta respuestas "
        "problema problemas dirección correo email teléfono móvil nombre apellido trabajo oficio "
        "profesión empleo puesto título edad sexo cumpleaños nacimiento ciudad domicilio casa "
        "hogar país lugar dieta alergia alergias medicación medicamentos medicinas afición "
        "aficiones hobby hobbies intereses gustos preferencia preferencias contexto bio biografía "
        "perfil presentación resumen objetivo objetivos meta metas tarea tareas resultado "
        "resultados salida entrada ejemplo ejemplos atención error info información datos "
        "detalles descripción categoría fecha hora cuándo dónde quién qué cómo asunto tema "
        "recordatorio importante ventaja ventajas desventaja desventajas opción opciones paso "
        "pasos plan planes desayuno comida almuerzo merienda cena mañana tarde noche hoy ayer "
        "finde día semana mes año presupuesto precio coste total estado versión fuente fuentes "
        "enlace archivo código habilidades formación estudios experiencia idioma idiomas dato "
        "hecho hechos idea ideas salud música deporte deportes viaje viajes familia mascotas "
        "coche dinero escuela sueño peso altura talla introducción conclusión consejo regla razón "
        "razones ahora antes después luego actualmente además deseo deseos hola gracias perdón sí "
        "no verdadero falso nacionalidad religión virtudes defectos lema proyecto proyectos rol "
        "síntoma síntomas pd cita reunión vuelo tren bus yoga gimnasio clase llamada fiesta "
        "concierto café té"
    ),
    unreal=frozen(
        "meta metas objetivo objetivos deseo deseos plan planes idea ideas falso ejemplo "
        "ejemplos tarea tareas proyecto proyectos recordatorio pregunta preguntas salida "
        "entrada resultado resultados opción opciones tema"
    ),
    introduces=anywhere(
        r"saber|(?:sobre|acerca de) mí|contarte|decirte|decir|mencionar|recordar|dije|digo|"
        r"escribí|conté|comenté|expliqué|he (?:dicho|escrito|contado)"
    ),
    disputed=anywhere(
        r"(?:pero|lo que|lo cual|y) (?:eso )?(?:no es (?:verdad|cierto|así)|es (?:falso|"
        r"mentira)|se equivocan?|mienten?|está equivocad[oa])"
    ),
    names=frozen(""),
    at="a las?",
    says=anywhere(
        r"repite|repitió|repetía|afirma|afirmó|asegura|aseguró|insiste|insistió|jura|juró|menciona|"
        r"mencionó|añade|añadió|grita|gritó|dice|dijo|decía|dicen|dijeron|escribe|escribió|"
        r"escribieron|responde|respondió|contestó|"
        r"preguntó|pregunta|contó|comentó|explicó|mandó|envió|publicó|anunció|confesó|puso en|"
        r"(?:ha|han|había) (?:dicho|escrito|respondido|contestado|preguntado|contado|comentado|"
        r"mandado|enviado|publicado|explicado)"
    ),
    messages=anywhere(
        r"(?:mensaje|texto|sms|mensaje de voz|buzón de voz|audio|postal|tarjeta|e-?mail|correo|"
        r"carta|nota|respuesta|comentario|cita|palabras|bio|"
        r"biografía|perfil|reseña|historia) (?:de|del) (?!mí\b)(?:mi|mis|un|una|la|el|los|las|"
        r"nuestr[oa]|tu|su|(?-i:[A-ZÁÉ]\w{1,30}))"
        r"|en (?:su|una?|la|el) (?:carta|postal|nota|mensaje|correo|contestador)"
        r"|dej(?:ó|ado) una? (?:nota|mensaje|carta)"
    ),
)

_FICTION = FictionWords(
    before="bueno|vale|oye|hola|pero|y|ahora|venga",
    headings="estrofa|estribillo|capítulo|escena|acto",
    begins=words(
        r"(?:hagamos|juguemos|vamos a (?:hacer|jugar))\b[^.:!?]{0,20}\b(?:rol|escena)|"
        r"juego de rol|imagina|imaginemos|imagínate|imagine|"
        r"(?:(?:anoche|ayer),? )?(?:soñé|he soñado|soñaba) que\b|(?:anoche )?"
        r"(?:tuve|he tenido) un(?:a)? (?:sueño|pesadilla)\b|supón|supongamos|pongamos|finge|"
        r"finjamos|haz (?:como si|de cuenta)|hagamos (?:como si|de cuenta)|en (?:mi|nuestr[oa]|"
        r"la|el|una?|esta|este) (?:[^\W\d_]{1,12} )?(?:novela|cuento|historia|sueño|pesadilla|"
        r"libro|guion|guión|obra|película|relato|campaña|escena)|"
        r"en mi (?:[^\W\d_]{1,12} )?juego|mi (?:[^\W\d_]{1,12} )?(?:personaje|protagonista|"
        r"narradora?)|érase una vez|había una vez"
    ),
    marvels=re.compile(
        r"imag(?:ina|ínate|ine|ínese) (?:mi|nuestr[oa]|su|la|"
        r"el)(?: [^\W\d_]{1,14}){1,2}[!.]",
        re.IGNORECASE,
    ),
    tells=anywhere(
        r"en primera persona|desde el punto de vista de|en la piel de|(?:persona|personaje|"
        r"perfil|usuari[oa]|cliente|diálogo|historia|biografía) (?:de prueba|de ejemplo|"
        r"fictici[oa]s?|imaginari[oa]s?|inventad[oa]s?)|(?:eres|serás|"
        r"haces de)\b[^.:!?]{1,50}(?:,| y) yo (?:soy|seré|hago de) (?:el|la|una?|tu)"
    ),
    works=anywhere(
        r"letra|canción|estrofa|estribillo|poema|guion|guión|escena|capítulo|monólogo|diálogo|"
        r"(?<!te )(?<!os )cuento|relato|fanfic|prólogo|diario|novela|(?<!mi )historia|"
        r"persona de prueba|personaje|protagonista|juego de rol|"
        r"(?:datos|texto|cuenta) de (?:prueba|ejemplo)|"
        r"(?:ejemplo|modelo|plantilla)\b.{0,20} (?:formulario|cuestionario|ejercicio|campo|bot|"
        r"web|solicitud)"
    ),
    leaves=words(
        r"(?:entonces |luego |cuando |y )?me (?:desperté|he despertado|despierto)|(?:volviendo|"
        r"vuelvo|volvamos|de vuelta|regresando) a (?:la (?:realidad|vida real)|mí)|"
        r"en (?:realidad|la (?:vida real|realidad))|en mi vida real|fuera del? (?:personaje|"
        r"juego|la historia|bromas?)|fin(?: (?:de la (?:historia|escena|novela)|del (?:cuento|"
        r"juego|rol|relato|poema)))?(?=[.,:!)]|$)|bromas aparte|(?:ahora )?en serio|"
        r"en cuanto a mí|hablando en serio|basta de"
    ),
)

_DENIALS = DenialWords(
    denials=frozen("no nunca jamás ningún ninguno ninguna nadie nada sin"),
    of_one_thing=frozen("ningún ninguna nada sin"),
    verbs=frozen("odio odia detesto detesta dejado dejé dejó evito evita"),
    in_sense=frozen("rara apenas alérgico alérgica rechazado cancelado"),
    yet=frozen("todavía aún"),
    enough=frozen("suficiente bastante"),
    plain=r"\b(?:(?:que )?no|ning(?:ún|un[oa])|nunca|jamás)\b",
    limits="solo|sólo|solamente|obstante",
    stress=r"al final|en realidad|en absoluto|para nada|de ning(?:ún|una) (?:modo|manera)|"
    r"(?<!no )(?:realmente|"
    r"definitivamente|ciertamente|absolutamente)|repito,? no",
    instead=ending(r",? (?:sino|pero)\b"),
    untrue=ending(
        r"(?:no es (?:verdad|cierto|correcto)|es (?:falso|mentira|incorrecto)|(?:por favor,? )?"
        r"(?:olvida|olvídate de|olvide|olvídese de)(?: el hecho de)?) que "
    ),
    never=ending(r"\b(?:nunca|jamás) (?:(?:he|ha) sido|fui|fue|era)\b"),
    am="soy",
    forms=("ser es soy era fue fui sido sea fuera", "tener tiene tengo tenía tuve tuvo tenga"),
    no_longer=(
        ending(rf"\bya\b{BETWEEN}\bno\b"),
        ending(rf"\bno\b{BETWEEN}\bmás\b(?! (?:de|que)\b)"),
    ),
    stopping=ending(r"\b(?:(?:ha|he) dejado|dejó|dejé) de\b"),
)

_HOME = HomeWords(
    lives=frozen("vive reside"),
    where=frozen("en"),
    tells=frozen(
        "vivo vive vivir vivimos casa piso apartamento mudé mudado mudarme mudanza trasladé ciudad "
        "pueblo barrio vecinos residencia aquí alquiler"
    ),
)

_JOINS = JoiningWords(
    adding=frozen("y"),
    choosing=frozen("o u"),
    opposing=frozen("pero sino"),
    giving_reasons=frozen("porque"),
    concluding=frozen("entonces"),
)

_COMMANDS = CommandWords(
    commands=frozen(
        "responde escribe traduce ignora olvida resume explica muestra envía manda borra dame haz "
        "habla dime usa crea ejecuta busca recuerda"
    ),
    requests=frozen("recomienda recomiéndame sugiere sugiéreme busca búscame dime ayúdame"),
    politely="puedes|podrías|puede",
    manners=frozen("responde responder escribe habla llámame usa mantén"),
    talk=frozen("responde habla mantén usa"),
    style=frozen("breve corto corta breves español inglés alemán"),
    forms_of_address="llámame",
    fillers=frozen("por favor siempre nunca no"),
    standing=frozen("siempre nunca jamás cada"),
    standing_phrases="a partir de ahora|de ahora en adelante",
    no_manners="contraseña|instrucciones",
    question_words=frozen("quién qué cuándo dónde cómo cuál cuáles"),
    asked=frozen("es"),
    finite=frozen("está estaba fue era había"),
    subordinating=frozen("que si cuando como"),
    of_object=frozen("el los las todo toda todos todas cada siempre la un una me mi"),
    prepositions=frozen("de con a al para por sobre"),
    breaking_off=frozen("y"),
)

_FACTS = FactWords(
    kin=one_word_each(
        "madre|padre|hermana|hermano|hija|hijo|esposa|esposo|amigo|amiga|jefe jefa|novio|novia|"
        "tía|tío|abuela|abuelo|perro|gata"
    ),
    pets=frozen("perro gata"),
    units=frozen("euro euros año años mes meses semanas día días hora horas"),
    numbered=frozen("caja habitación factura número estante capítulo página calle pedido cuenta"),
    measuring=frozen("cuesta gana pesa"),
    preferring=frozen("prefiere prefieren"),
    states=phrases("vive en|trabaja en|trabaja para|trabaja como|se llama|casado con|casada con"),
    attributes=frozen(
        "nombre cumpleaños edad dirección trabajo sueldo alquiler dosis médico dentista jefe"
    ),
    superlatives=frozen("favorito favorita actual"),
    conjunctions=frozen("cuando porque aunque antes después si"),
)

_NARRATION = NarrationWords(
    narration=frozen("usuario usuaria gusta quiere"),
)

SPANISH = Vocabulary(
    name="spanish",
    function_words=_FUNCTION_WORDS,
    own_signs=frozenset("¿¡ñÑ"),
    first_person=frozenset(
        (
            "yo me mi mis mí mío mía conmigo nosotros nosotras nos nuestro nuestra nuestros "
            "nuestras"
        ).split()
    ),
    own_verbs=_OWN_VERBS,
    possessives=frozen("mi mis mío mía nuestro nuestra nuestros nuestras"),
    second_person=frozen("tú tu te ti tus usted ustedes"),
    third_person=frozenset("él ella".split()),
    stating=frozenset("soy es estoy tengo".split()),
    times=_TIMES,
    turns=_TURNS,
    questions=_QUESTIONS,
    speech=_SPEECH,
    fiction=_FICTION,
    denials=_DENIALS,
    home=_HOME,
    joins=_JOINS,
    commands=_COMMANDS,
    facts=_FACTS,
    narration=_NARRATION,
    numerals={"cero": 0} | _CARDINALS,
)
