"""How people tell of themselves in Italian notes. Pure."""

from memoryapp.builtin_reader.languages.accents import forms, known, with_endings
from memoryapp.builtin_reader.languages.italian_verbs import VERBS
from memoryapp.builtin_reader.languages.notes import (
    CLAUSE,
    Notes,
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
_ACCENTS = known(
    "italian",
    "perché poiché affinché così però già più giù città età università metà papà attività "
    "novità difficoltà qualità caffè tè lunedì martedì mercoledì giovedì venerdì può cioè purché "
    "finché benché mercoledì maternità paternità disabilità invalidità comunità società velocità",
    with_endings(forms(VERBS), ("rò", "rà")),
    "sara terra faro te meta papa",
)
NOTES = Notes(
    accents=_ACCENTS,
    spelling=spellings(
        (rf"^sono (\w{{1,12}} (?:ann[oi]|mes[ei]|settiman[ae]|giorni)) che {CLAUSE}", r"\2 da \1"),
        (r"((?:lune|marte|mercole|giove|vener)dì|sabato|domenica),? (?:e )?non (?:di |il )?"
         r"(?:(?:lune|marte|mercole|giove|vener)dì|sabato|domenica)\b", r"\1"),
        (r"(?<=\w)[,.!]? (?:grazie(?: mille| tante| infinite)?|aiuto+|(?:a?ha){2,5}h?)[.! ]*$", ""),
        (r"\bnon (è|sono) (?:il |la )?(\d{1,2}) ma (?=(?:il |la )?\d)", r"\1 "),
        (r"(?<!\w)[eé]'(?=\s)|(?<!\w)é(?!\w)", "è"),
        (r"\ba (?:me|noi) (?=(?:non )?piac)", "mi "), (r"\bmi (non )(?=piac)", r"\1mi "),
        (r"^((?:(?:il|la) )?mi[oa] \w{3,15}(?: [a-z]\w{1,15})?) e (?=(?:molto |sempre |stat[oa] )?"
         r"(?:allergic|celiac|diabetic|vegetarian|vegan|intollerant|incint|malat|mort|nat|sposat|"
         r"divorziat|separat|pensionat|disoccupat|laureat|ricoverat|cardiopatic|astemi|asmatic|"
         r"sord|anzian|operat|caduta|cadut|insegnant|infermier|medic|avvocat)\w{1,2}\b)", r"\1 è "),
        (r"^io ed? ((?:(?:il|la|i|le) )?mi\w+ \w+(?: [a-z]\w+)?) ", r"\1 e io "),
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
    completions=rules(
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
