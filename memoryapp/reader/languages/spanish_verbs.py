"""Spanish verbs, conjugated by their endings. Pure."""

from collections.abc import Iterator

from memoryapp.reader.languages.romance_verbs import Tense, irregular, verbs_of

#: With the vowel that the last one of the stem becomes under stress. What is a noun more often than
#: a verb in the first person is left out: "regalo".
_REGULAR = (
    "abandonar acabar escuchar mostrar:ue pensar:ie aceptar acostar:ue acostumbrar adoptar "
    "adorar ahorrar alojar alquilar almorzar:ue amar apagar aparcar apuntar aprobar:ue "
    "aprovechar arreglar aterrizar ayudar bailar bañar bordar buscar cambiar caminar cantar "
    "casar cazar celebrar cenar cerrar:ie cobrar cocinar coleccionar colaborar comenzar:ie "
    "comprar conectar contratar contar:ue crear criar cuidar cultivar curar currar dedicar "
    "dejar desayunar descansar despertar:ie detestar dibujar diseñar disfrutar divorciar "
    "doctorar duchar echar educar empezar:ie emigrar enamorar encargar encontrar:ue enfermar "
    "enseñar entrar entregar entrenar esperar esquiar estrenar estudiar evitar examinar "
    "exportar fabricar facturar fichar firmar fregar:ie fumar ganar gastar gestionar grabar "
    "graduar guardar hablar heredar hornear importar ingresar inscribir instalar intentar "
    "investigar invitar jubilar jugar:ue lavar lesionar levantar licenciar llamar llegar llevar "
    "luchar madrugar mandar manejar marear matricular mejorar merendar:ie mirar montar mudar "
    "nadar navegar necesitar odiar operar opositar ordenar organizar pagar participar pasar "
    "pasear patinar pedalear peinar pescar pesar pilotar pintar planear plantar practicar "
    "preparar presentar probar:ue programar publicar quedar quejar reciclar recordar:ue "
    "recuperar reformar regar:ie regresar reparar reservar restaurar rezar robar roncar sacar "
    "separar soñar:ue sudar tardar teletrabajar tolerar soportar terminar tirar tocar "
    "tomar trabajar trasladar trasnochar tratar tropezar:ie usar vacunar viajar visitar votar "
    "acceder creer aprender atender:ie barrer beber coger comer comprender conocer correr coser "
    "crecer creer deber defender:ie depender desaparecer emprender encender:ie entender:ie "
    "escoger leer merecer meter mover:ue nacer obedecer ofrecer padecer perder:ie pertenecer "
    "poseer proteger recoger responder romper suspender tejer temer vender volver:ue abrir "
    "acudir añadir asistir competir:i compartir conducir construir convertir:ie cubrir cumplir "
    "decidir descubrir despedir:i dirigir discutir divertir:ie dormir:ue elegir:i escribir "
    "impartir inscribir invertir:ie medir:i mentir:ie parir partir pedir:i permitir preferir:ie "
    "producir recibir repetir:i residir seguir:i conseguir:i sentir:ie servir:i subir sufrir "
    "sobrevivir traducir unir vestir:i vivir acompañar acelerar afeitar afinar agotar aguantar "
    "ahogar amasar amueblar anotar apostar:ue arrancar asar asegurar atropellar barnizar bucear "
    "calentar:ie cansar charlar chocar colgar:ue comunicar congelar conservar consultar debutar "
    "declarar depilar desmontar devorar discrepar doblar engordar enviudar esconder espantar "
    "facilitar fatigar felicitar frecuentar golpear hospedar ilusionar impresionar improvisar "
    "inflamar jurar maquillar mascar masticar matar moderar mojar negar:ie notar obligar "
    "olvidar opinar perdonar pernoctar presidir quitar reaccionar rebajar recetar reclamar "
    "reemplazar regentar renovar:ue renunciar respirar sembrar:ie solicitar superar suspirar "
    "temblar:ie tramitar triunfar valorar veranear agradecer aparecer cocer:ue carecer "
    "envejecer establecer fallecer morder:ue permanecer prometer reconocer recorrer resolver:ue "
    "someter torcer:ue toser verter:ie aburrir admitir advertir:ie agredir asumir combatir "
    "compadecer consumir debatir digerir:ie distribuir evadir exigir fingir huir influir "
    "interrumpir instruir percibir presumir recurrir referir:ie resistir restringir sugerir:ie "
    "transmitir andar dudar cursar meditar adelgazar alegrar preocupar suscribir acoger alimentar "
    "fotografiar tatuar desplazar recaer convivir"
).split()
_IRREGULAR = (
    "soy:es:somos:son estoy:está:estamos:están voy:va:vamos:van doy:da:damos:dan "
    "tengo:tiene:tenemos:tienen mantengo:mantiene:mantenemos:mantienen "
    "vengo:viene:venimos:vienen hago:hace:hacemos:hacen pongo:pone:ponemos:ponen "
    "salgo:sale:salimos:salen digo:dice:decimos:dicen traigo:trae:traemos:traen "
    "oigo:oye:oímos:oyen caigo:cae:caemos:caen sé:sabe:sabemos:saben veo:ve he:ha:hemos:han "
    "puedo:puede:podemos:pueden quiero:quiere:queremos:quieren suelo:suele:solemos:suelen "
    "esquío:esquía envío:envía:enviamos crío:cría gradúo:gradúa fui:fue:fuimos:fueron "
    "tuve:tuvo:tuvimos:tuvieron mantuve:mantuvo:mantuvimos:mantuvieron "
    "hice:hizo:hicimos:hicieron estuve:estuvo:estuvimos:estuvieron pude:pudo:pudimos:pudieron "
    "puse:puso:pusimos:pusieron quise:quiso:quisimos:quisieron supe:supo:supimos:supieron "
    "vine:vino:vinimos:vinieron dije:dijo:dijimos:dijeron traje:trajo:trajimos:trajeron "
    "conduje:condujo:condujimos:condujeron traduje:tradujo:tradujimos:tradujeron "
    "produje:produjo:produjimos:produjeron di:dio:dimos:dieron vi:vio:vimos:vieron "
    "leí:leyó:leímos:leyeron oí:oyó:oímos:oyeron caí:cayó:caímos:cayeron "
    "creí:creyó:creímos:creyeron salí:salió:salimos:salieron haré:hará:haremos:harán "
    "tendré:tendrá:tendremos:tendrán iré:irá:iremos:irán seré:será:seremos:serán "
    "estaré:estará:estaremos:estarán podré:podrá:podremos:podrán vendré:vendrá:vendremos:vendrán "
    "saldré:saldrá:saldremos:saldrán pondré:pondrá:pondremos:pondrán daré:dará:daremos:darán "
    "veré:verá:veremos:verán tenía:tenía:teníamos:tenían"
)
#: Changes of the last letter of a stem before "o" and before "e".
_BEFORE_O = (("uc", "uzc"), ("ec", "ezc"), ("oc", "ozc"), ("ac", "azc"), ("gu", "g"), ("g", "j"))
_BEFORE_E = (("c", "qu"), ("g", "gu"), ("z", "c"))


def _conjugated(infinitive: str, stressed: str) -> Iterator[Tense]:
    """The tenses of a verb whose stem has the vowel *stressed* under stress."""
    stem, ending = infinitive[:-2], infinitive[-2:]
    strong = _changed(stem, stressed)
    if ending == "ar":
        soft = _respelled(stem, _BEFORE_E)
        yield Tense(f"{strong}o", f"{strong}a", f"{stem}amos", f"{strong}an")
        yield Tense(f"{soft}é", f"{stem}ó", f"{stem}amos", f"{stem}aron")
        yield Tense(f"{stem}aba", f"{stem}aba", f"{stem}ábamos", f"{stem}aban")
    else:
        we = "emos" if ending == "er" else "imos"
        weak = _changed(
            stem, {"ie": "i", "i": "i", "ue": "u"}.get(stressed, "") if we[0] == "i" else ""
        )
        if stem.endswith("u") and not stem.endswith("gu"):
            yield Tense(f"{stem}yo", f"{stem}ye", f"{stem}imos", f"{stem}yen")
            yield Tense(f"{stem}í", f"{stem}yó", f"{stem}imos", f"{stem}yeron")
        else:
            first = _respelled(strong, _BEFORE_O)
            yield Tense(f"{first}o", f"{strong}e", f"{stem}{we}", f"{strong}en")
            yield Tense(f"{stem}í", f"{weak}ió", f"{stem}imos", f"{weak}ieron")
        yield Tense(f"{stem}ía", f"{stem}ía", f"{stem}íamos", f"{stem}ían")
    yield Tense(f"{infinitive}é", f"{infinitive}á", f"{infinitive}emos", f"{infinitive}án")


def _changed(stem: str, vowel: str) -> str:
    """*stem* with *vowel* for its last one."""
    if not vowel:
        return stem
    at = max(stem.rfind(one) for one in "aeiou" if not stem.endswith("gu") or one != "u")
    return stem[:at] + vowel + stem[at + 1 :]


def _respelled(stem: str, changes: tuple[tuple[str, str], ...]) -> str:
    for end, other in changes:
        if stem.endswith(end):
            return stem[: -len(end)] + other
    return stem


def _tenses() -> Iterator[Tense]:
    yield from irregular(_IRREGULAR)
    for verb in _REGULAR:
        infinitive, _, stressed = verb.partition(":")
        yield from _conjugated(infinitive, stressed)


VERBS = verbs_of(_tenses())
