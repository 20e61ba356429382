"""How people tell of themselves in Italian notes. Pure."""

from memoryapp.language.vocabularies import VOCABULARIES
from memoryapp.reader.languages.accents import forms, known, with_endings
from memoryapp.reader.languages.italian_verbs import VERBS
from memoryapp.reader.languages.notes import (
    Notes,
    appointments,
    clause_up_to,
    introduction,
    rules,
    spellings,
)

_THINGS = (
    (r"gruppo sanguigno|numero di (?:scarpe?|telefono)|passaporto|codice fiscale|compleanno|"
     r"medico di base|dentista|indirizzo|segno zodiacale|peso", "Il mio", "è"),
    (r"taglia(?: di \w+)?|misura(?: di \w+)?|altezza|data di nascita|madrelingua|targa|"
     r"carta d'identità|chiave(?: \w+){0,3}?|patente|tessera(?: \w+)?", "La mia", "è"),
    (r"chiavi(?: \w+){0,3}?|bollette|medicine|pastiglie|ricette", "Le mie", "sono"),
    (r"documenti|farmaci|occhiali|attrezzi", "I miei", "sono"),
)  # fmt: skip
#: Where a relative begins a clause, or is the one for whom or with whom something is.
_BEFORE_KIN = r"(?:^|(?<=, )|(?<=\be )|(?<=\bma )|(?<=\bper )|(?<=\bcon )|(?<=\bda )|(?<=\ba ))"
_VERB = (
    r" (?:(?:non|si|le|gli|mi|ci|ora|adesso) ){0,2}"
    r"(?:è|ha|sta|va|vive|abita|lavora|compie|fa|viene|era|aveva|vuole|soffre)\b"
)
#: How somebody's own child or pet goes on: its name, kind, age or health.
_IS_ONE = (
    r"(?= (?:si chiama|ha \d{1,2} (?:anni|mesi)|è una? (?!animal|essere)|sta male|"
    r"è (?:malat|allergic|nat|operat|mort|sterilizzat|diabetic)))"
)
_TIMES = VOCABULARIES["italian"].times
_DAY = "|".join(
    [r"(?:il|l'|questo|questa) ?(?!(?:dottor|dott)\b)\w+", *_TIMES.weekdays, *_TIMES.days]
)
_FIRST_CLAUSE = clause_up_to(
    r"(?:e|ma|perché) (?:non|mi|il mio|la mia|ho|sono|sto|voglio|vorrei|devo)"
)
_COMPANY = (
    r"((?:(?:il|la|i|le) )?(?:mi[oae]i?|nostr[oaie]) \w+(?: [a-z]\w+)?(?: (?-i:[A-Z])\w+)?|"
    r"(?-i:[A-Z])\w+)"
)
_ACCENTS = known(
    "italian",
    "perché poiché affinché così però già più giù città età università metà papà attività "
    "novità difficoltà qualità caffè tè lunedì martedì mercoledì giovedì venerdì può cioè purché "
    "finché benché mercoledì maternità paternità disabilità invalidità comunità società velocità",
    with_endings(forms(VERBS), ("rò", "rà")),
    "sara terra faro te meta papa leggera leggero passera passero",
)
NOTES = Notes(
    accents=_ACCENTS,
    spelling=spellings(
        (r"^(controllo|incontro) (?=(?:da\w{0,2}|dall'\w+|con|in|al\w{0,2}|per) )", r"ho un \1 "),
        # Of what is over, it tells the moment, and of what goes on, since when.
        (r"^(?:sono|è) (\w{1,12} (?:ann[oi]|mes[ei]|settiman[ae]|giorn[oi])) che ((?:mi )?(?:ho|"
         r"abbiamo|"
         r"sono) \w{2,15}[aiu]t[oaie](?= )[^,;.!?]{3,200})", r"\1 fa \2"),
        (r"^l'altro giorno,? (?=\w)|^l'altra sera,? (?=\w)", ""),
        (r"\b(il|un|del|al) te(?= |$|[,.])", r"\1 tè"), (r"\bcaffe\b", "caffè"),
        (r"\b(mi|ti|gli|ci|non) da (?=(?:il|lo|la|le|i|gli|un|una|ansia|noia|"
         r"fastidio)\b)", r"\1 dà "),
        (rf"^sono (\w{{1,12}} (?:ann[oi]|mes[ei]|settiman[ae]|"
         rf"giorni)) che {_FIRST_CLAUSE}", r"\2 da \1"),
        (r"((?:lune|marte|mercole|giove|vener)dì|sabato|domenica),? (?:e )?non (?:di |il )?"
         r"(?:(?:lune|marte|mercole|giove|vener)dì|sabato|domenica)\b", r"\1"),
        (r"(?<=\w)[,.!]? (?:grazie(?: mille| tante| infinite)?|aiuto+|incrocia le dita|"
        r"in bocca al lupo|(?:a?ha){2,5}h?)[.! ]*$", ""),
        (r"\bnn\b", "non"), (r"\b(?:xk[eéè]|xch[eéè]|perchè|perche)(?!\w)", "perché"),
        (r"(?<=\w),? tutt[ie] e (?:due|tre|quattro)(?=[,.;!?]|$| (?:io|con)\b)", ""),
        (r"\bnon (è|sono) (?:il |la )?(\d{1,2}) ma (?=(?:il |la )?\d)", r"\1 "),
        (r"(?<!\w)[eé]'(?=\s)|(?<!\w)é(?!\w)", "è"),
        (r"\ba (?:me|noi) (?=(?:non )?piac)", "mi "), (r"\bmi (non )(?=piac)", r"\1mi "),
        (r"^((?:(?:il|la) )?mi[oa] \w{3,15}(?: [a-z]\w{1,15})?) e (?=(?:molto |sempre |stat[oa] )?"
         r"(?:allergic|celiac|diabetic|vegetarian|vegan|intollerant|incint|malat|mort|nat|sposat|"
         r"divorziat|separat|pensionat|disoccupat|laureat|ricoverat|cardiopatic|astemi|asmatic|"
         r"sord|anzian|operat|caduta|cadut|insegnant|infermier|medic|avvocat)\w{1,2}\b)", r"\1 è "),
        (r"(?<=\w),? (?:e|ma) (?:io|noi) (?:no|sì|invece no|anche|pure)(?=[,.;!?]|$)", ""),
        (r"^non è (?:il |di )?\w{5,9} ma (?=(?:il )?(?:(?:lune|marte|mercole|giove|vener)dì|sabato|"
         r"domenica|domani))", "è "),
        (r"^è ((?:il )?(?:(?:lune|marte|mercole|giove|vener)dì|sabato|domenica|domani)) "
         r"((?:l'|il |la )(?:appuntamento|colloquio|esame|volo|riunione|visita|"
         r"cena)\b[^,.;!?]{0,60})",
         r"\2 è \1"),
        (r"\bi miei (?=(?:sono|hanno|erano|avevano|vivono|abitano|stanno|si|non|vengono|vogliono|"
         r"parlo|vado|sto|vivo|abito)\b)", "i miei genitori "),
        (r"\b((?:con|da) ?i|dai) miei(?= (?:a|ad|in|e|ma|perché|vicino|fino)\b|[,.;!?]|$)",
         r"\1 miei genitori"),
        # Relatives who need no "my", and children and pets who are no others.
        (rf"{_BEFORE_KIN}(?:la )?(mamma|nonna|zia)(?= (?-i:[A-Z])[a-z]|{_VERB})", r"mia \1"),
        (rf"{_BEFORE_KIN}(?:il |lo )?(papà|nonno|zio)(?= (?-i:[A-Z])[a-z]|{_VERB})", r"mio \1"),
        (r"(?<=\bper )(mamma|nonna)(?=[,?.!]|$)", r"mia \1"),
        (r"(?<=\bper )(papà|nonno)(?=[,?.!]|$)", r"mio \1"),
        (r"(?:^|(?<=, )|(?<=\be ))(i) (bambini|figli|ragazzi|gemelli)"
         r"(?= [^,.;!?]{1,50}\b(?:con|da) (?:me|noi)\b)", r"\1 miei \2"),
        (r"^i (bambini|figli|gemelli)(?=(?:, [^;.!?]{2,40},)? (?:hanno \d|si chiamano|vanno a)\b)",
         r"i miei \1"),
        (rf"^il (cane|gatto|bambino|piccolo){_IS_ONE}", r"il mio \1"),
        (rf"^la (cagna|gatta|bambina|piccola){_IS_ONE}", r"la mia \1"),
        (r"^quando ero (piccol[oa]|bambin[oa]|giovane|ragazz[oa]|studente),? ", r"da \1 "),
        # "Us", where "there" makes no sense.
        (r"\bnon ci siamo(?=[,.;!?]|$)", "siamo via"),
        (r"\bci (?=(?:è|sono) (?:mort|nat|capitat|success|arrivat)[oaie]\b|"
         r"hanno (?!messo|vissuto|lavorato|abitato|provato|pensato)\w{3,15}[aeio]\b|"
         r"ha (?:dato|detto|fatto|regalato|prestato|portato|venduto|affittato|invitat|aiutat|"
         r"chiesto|promess|consigliat|lasciat|insegnat|ospitat)\w?\b|"
         r"(?:fa|fanno|dà|danno|prestano|regalano|lasciano|portano|affittano|presta|"
         r"porta|manda|regala|insegna|aiuta|ospita|guarda|cucina|prepara|affitta) (?:(?:sempre|"
         r"spesso|ogni \w{3,10}|anche) )?(?:il|lo|la|i|gli|le|un[ao]?|da|compagnia|lezioni)\b|"
         r"(?:fa|dà|presta|porta|regala|affitta) (?:(?:sempre|spesso|anche) )?l')", "mi "),
        (rf"^io ed? {_COMPANY},? ", r"con \1 "), (rf"^{_COMPANY} ed? io,? ", r"con \1 "),
    ),
    name=introduction(
        r"(?:io )?(?:sono|mi chiamo|mi chiamano)|qui|nome:",
        r"[,.!]|$| (?:e|da|di)\b",
    ),
    named="Mi chiamo {}",
    aged="Ho {} anni",
    being=rules((r"(?=(?:due|tre|quattro|cinque|\d{1,2})\b)", "Ho "), (r"(?=(?:vivo|abito)\b)",
     ""),
                 (r"(?=\w)", "Sono ")),
    completions=appointments(
        _DAY,
        "è|sarà|parte|era|dura|costa|inizia",
        (r"appuntamento\b", r"Ho \1"),
        (r"(?:dentista|medico|pediatra|fisio(?:terapista)?|ginecologo|dermatologo|cardiologo|"
         r"commercialista|veterinario|notaio|parrucchiere|logopedista|nutrizionista)\b",
         r"Ho il \1"),
        (r"(?:oculista|ortopedico|osteopata|avvocato|ortodontista|ostetrica|otorino)\b",
         r"Ho l'\1"),
        (r"(?:psicologo|psichiatra|specialista)\b", r"Ho lo \1"),
        (r"(?:colloquio|esame|corso|concerto|matrimonio|funerale|battesimo|saggio|controllo)\b",
         r"Ho un \1"),
        (r"(?:visita|riunione|cena|operazione|udienza|tac|risonanza|ecografia|festa|lezione|gita|"
         r"mammografia|partita|recita)\b", r"Ho una \1"),
    ) + rules(
        (r"((?:vaccino|richiamo|tagliando)(?: [\w'-]{1,20}){0,3}?) fatto(?= (?:il|a|ieri|nel)\b)",
         r"Ho fatto il \1"),
        (r"(?:come|da) ((?!(?:sempre|esempio)\b)(?:\w{2,12} )?(?:madre|padre|mamma|papà|nonn[oa]|"
         r"medico|maestr[oa]|vegetarian[oa]|vegan[oa]|celiac[oa]|pensionat[oa]|alunn[oa]|"
         r"architett[oa]|"
         r"avvocat[oa]|infermier[ea]|\w{2,12}(?:ista|tore|trice|ante|ente|essa|aio|aia|olog[oa]|"
         r"iere|iera|etic[oa]|atic[oa]))(?: (?:di|d'|in|con|che|a|dell\w{1,2}) ?[^,?]{1,60}|"
         r" (?:single|pensionat|vegetarian|vegan|separat|divorziat)\w?)?)(?=,|$)", r"sono \1"),
        (r"(?:il |l')((?:appuntamento|colloquio|esame|volo|matrimonio|trasloco|"
         r"viaggio)\b)(?=[^?]{0,60} "
         r"(?:è|sarà|parte) (?:il |l'|(?:lune|marte|mercole|giove|vener)dì|sabato|domenica|domani|"
         r"dopodomani|oggi|alle\b))", r"il mio \1"),
        (r"(?:la |l')((?:riunione|visita|operazione|cena|intervista|udienza|festa)\b)(?=[^?]{0,60} "
         r"(?:è|sarà) (?:il |l'|(?:lune|marte|mercole|giove|vener)dì|sabato|domenica|domani|"
         r"dopodomani|"
         r"oggi|alle\b))", r"la mia \1"),
        (r"((?:(?:molto|leggermente|gravemente|ancora|attualmente) )?"
         r"(?:allergic[oa] (?:a\b|al\b|al\w{1,3}\b|ai\b|agli\b)|intollerante (?:a|ai|al\w{0,3})\b|"
         r"(?:sposat|divorziat|separat|vedov|fidanzat|pensionat|disoccupat|mancin|daltonic|asmatic|"
         r"celiac|diabetic|vegetarian|vegan|separat|disoccupat)[oa]|single|celibe|nubile|incinta|"
         r"in pensione|"
         r"libero professionista|residente a|originari[oa] di|"
         r"(?:nat|cresciut|laureat|diplomat|iscritt)[oa] (?:a|ad|in|nel|il|al\w*|all'\w+))\b)",
         r"Sono \1"),
        (r"((?:due|tre|quattro|cinque|nessun\w?|un'?|una|\d{1,2}) ?(?:figl[ioea]+|gatt[aoi]|"
         r"can[ei]|"
         r"sorelle|fratell[io]|bambin[ioae]|anni di esperienza)(?=[,.;!]|$| (?:e|di|in)\b))",
         r"Ho \1"),
        *(
            (rf"({nouns})(?: {verb})?(?:\s?:|(?= (?:in|nel\w{{0,2}}|sotto|su\w{{0,3}}|dietro|"
             rf"al\w{{0,2}}|"
             r"da\w{0,2}|accanto|dentro|\d+|(?-i:[A-Z]{1,3})\b)\b))\s?'?", rf"{owner} \1 {verb} ")
            for nouns, owner, verb in _THINGS
        ),
    ),
)  # fmt: skip
