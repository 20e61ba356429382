"""Vocabulary of Italian. Pure."""

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
    "il lo la i gli le un uno una l d c n m t s v io me mi mio mia miei mie noi ci nostro "
    "nostra nostri nostre tu te ti tuo tua tuoi tue voi vi vostro vostra lui lei loro suo sua "
    "suoi sue li ne che chi cosa quale quali quando dove perché perche come quanto quanta "
    "quanti quante se e ed o ma non né di del dello della dei degli delle dell a al allo alla "
    "ai agli alle all da dal dallo dalla dai dagli dalle dall in nel nello nella nei negli "
    "nelle nell con su sul sullo sulla sui sugli sulle sull per tra fra sono sei è siamo siete "
    "era ero erano essere stato stata ho hai ha abbiamo avete hanno aveva avevo avere fa fatto "
    "può puoi posso possiamo potresti deve devo devi questo questa questi queste quello quella "
    "quelli quelle qui lì più anche ancora già solo molto".split()
)
#: Frequent verbs with which a speaker says "I" without a pronoun.
_OWN_VERBS = frozenset("ho avevo ero dovrei vorrei posso devo faccio vado vivo sto".split())
_MONTHS = (
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"
).split()
_WEEKDAYS = "lunedì martedì mercoledì giovedì venerdì sabato domenica".split()
_PARTS = "mattina pomeriggio sera notte".split()
_CARDINALS = cardinals(
    "due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici "
    "sedici diciassette diciotto diciannove venti trenta quaranta cinquanta sessanta settanta "
    "ottanta novanta cento mille/mila milione/milioni"
)

_TIMES = TimeWords(
    word=re.compile(r"(?i:fine settimana)|[^\W\d_]{1,7}['’](?=\w)|[^\W_]+"),
    days={"l'altro ieri": -2, "ieri": -1, "oggi": 0, "stamattina": 0, "stasera": 0, "stanotte": 0}
    | {"domani": 1, "dopodomani": 2, "questa mattina": 0}
    | {f"ieri {part}": -1 for part in _PARTS}
    | {f"domani {part}": 1 for part in _PARTS},
    units={
        word: unit
        for unit, words in {
            "day": "giorno giorni",
            "week": "settimana settimane",
            "weekend": "weekend finesettimana",
            "month": "mese mesi",
            "year": "anno anni",
        }.items()
        for word in words.split()
    }
    | {"fine settimana": "weekend"},
    seasons={"primavera": 0, "estate": 1, "autunno": 2, "inverno": 3},
    parts_of_day=parts_of_day(
        "mattina mattine mattino mattini|mezzogiorno|pomeriggio pomeriggi|sera sere serata|"
        "notte notti"
    ),
    approximate=frozenset("circa quasi".split()),
    after_hour=frozenset("h".split()),
    part_written=part_phrases("di mattina|a mezzogiorno|di pomeriggio|di sera|di notte"),
    midnight="mezzanotte",
    weekdays={day: number for number, day in enumerate(_WEEKDAYS)},
    months={month: number for number, month in enumerate(_MONTHS, 1)},
    numbers={"un": 1, "una": 1} | up_to_twelve(_CARDINALS),
    vague={"un paio di": 2, "qualche": 3, "alcuni": 3, "alcune": 3, "pochi": 3, "poche": 3},
    last=frozenset("scorso scorsa passato passata ultimo ultima".split()),
    last_of_several=frozenset("ultimi ultime scorsi scorse passati passate".split()),
    this=frozenset("questo questa quest'".split()),
    next=frozenset("prossimo prossima".split()),
    after_next=frozenset(),
    after_next_behind="",
    ago_before=(),
    ago_after=("fa",),
    ahead_before=("tra", "fra"),
    before_weekday=frozenset([""]),
    before_month=frozenset("a ad in da".split()),
    elided_article="il",
    beginnings=frozenset("da dal dall'".split()),
    openings=frozenset("da dal dall'".split()),
    targets=frozenset("a ad al fino per".split()),
    before_month_asked=frozenset("a in di da fino durante ad nell'".split()),
    abbreviations={
        name[:3]: number for number, name in enumerate(_MONTHS, 1) if name != "settembre"
    }
    | {"sett": 9},
    first_day="primo",
    ordinals="[°º]",
    date_links="di|del",
    month_before_day=False,
    last_day=("ultimo giorno",),
    lasting_before=("per",),
    habits=frozenset("ogni tutti tutte i le il la".split()),
    kept=frozenset("ad al da dal dalla dall' fino per di del della dell' alla".split()),
    dropped=frozenset("il la l' lo nel nella nell' a in lì".split()),
    weeks_on={"a otto": 1, "a quindici": 2},
    articled={"da": "dal", "fino": "fino al", "per": "per il", "di": "del", "a": "al"},
    range_links="al?|all['’]|fino al|e il|e l['’]",
    before_range=re.compile(r"(?:dal|il|nei giorni)\s$", re.IGNORECASE),
    day_article="il",
    day_ending=r"(?![\w:]|[.,]\d|\s(?:ore|h)\b(?!\s\d))",
    days_alone=(
        r"(?:(?<=\bè il )|(?<=\bsarà il )|(?<=\bil )(?=\d{1,2} alle \d))(?P<day>\d{1,2})"
        r"(?=[.,;!?)]|$|\s(?:alle|verso|con|da|dal|dalla|per|e)\b)",
        r"(?<=\bdal )(?P<day>\d{1,2})(?P<to> al )(?P<last>\d{1,2})(?=[.,;!?)]|$|\s)",
        # A day with which a clause of the speaker begins.
        r"(?:(?<=^il )|(?<=^il giorno ))(?P<day>\d{1,2})(?=\s(?:ho|abbiamo|vado|andiamo|mi|ci|"
        r"parto|inizio|devo|sono|arriva|viene)\b)",
    ),
    numbered=frozenset("numero numeri preferito fortunato maglia".split()),
    before_digits=("il", "dal", "al", "del"),
    parts_of_month=frozenset("inizio metà fine mese".split()),
    conjunctions=frozenset("e o".split()),
    before_hour=frozenset("alle ore verso".split()),
    written={
        "range": "dal {first} al {last}",
        "day": "il {day}",
        "around": "intorno al {day}",
        "week": "nella settimana del {day}",
        "weekend": "nel fine settimana del {day}",
        "month": "a {month} {year}",
        "year": "nel {year}",
        "season": "{season} {year}",
    },
    month_names=_MONTHS,
    season_names=[
        "nella primavera del",
        "nell'estate del",
        "nell'autunno del",
        "nell'inverno del",
    ],
)
_THE_ITALIAN = r"(?:(?:il|lo|la|i|gli|le|un|una|mio|mia|il mio|la mia) |l')"

_TURNS = TurnWords(
    asks=words(
        r"(?:che )?cosa (?!che\b)\w+|cos'\w+|che (?:ore?|giorno)"
        r"|che \w+ (?:è|sono|ho|hai|avevi|mi|ti|devo|posso|si)"
        r"|chi (?:è|era|sono|ha|viene|abita|vive|paga|porta|arriva)(?: (?!(?:è|sono|"
        r"sa)\b)\w+){0,4}$|chi c'è|dov'\w+|dove \w+(?: adesso| ora| io)?$|dove (?!\w+o\b)\w+ \w+$"
        rf"|dove \w+ {_THE_ITALIAN}\w+(?: (?:di|da|del|della|dei) \w+)?$"
        r"|quand'è|quando (?:arriva|parte|torna|viene|inizia|comincia|finisce|apre|chiude|parto|"
        rf"torno|ho|è)(?: {_THE_ITALIAN}\w+(?: (?:di|da|dal|del|della) \w+)?| (?-i:[A-Z])\w+)?$"
        r"|com'è|come (?:si chiama|mi chiamo|ti chiami|si chiamano|si fa|si dice|si scrive|faccio|"
        r"posso|stai|va(?! detto))|qual è|quale?i? \w+|quant[oaie] (?!(?:a|al|alla|ai|agli|alle|mi|"
        r"ti)\b)\w+|(?:a|ad|con|di|da|in|per|su|fra|tra) (?:che|chi(?! (?:non|mi|ti))|cosa|"
        r"qual[ei]|quanti|quante)|da quanto|(?:che|dove|quando|chi|come|perché|quanto)$"
    ),
    asks_if_marked=words(r"perché|come|quando|dove|chi|che|posso|puoi|sai|devo|è"),
    asks_indirectly=words(
        r"(?:(?:mi )?(?:puoi|potresti|sai|sapresti) (?:dirmi|dire|ricordarmi|ricordare)|dimmi|"
        r"mi dici|mi ricordi|(?:io )?(?:vorrei|voglio|volevo) sapere|mi (?:chiedo|chiedevo)|"
        r"(?:ti )?(?:sai|ricordi)|ricordami)(?: di| ancora)?[ ,]+"
        r"(?:cosa|che (?:cosa|ora|giorno)|chi|dove|dov'\w+|quando|quand'\w+|perché|come|com'\w+|"
        r"qual[ei]?|quant[oaie]|se|(?:a|con|di|da|in|per|su) (?:che|chi|cosa|qual[ei]))"
    ),
    asks_within=anywhere(r"(?:che )?cosa \w+|come (?:posso|faccio|devo)|dove (?:posso|devo)|posso"),
    verbs=anywhere(r"è|sono|siamo|ho|ha|abbiamo|era|sa|chiama"),
    relative=words(r"che|il quale|la quale|chi"),
    requests=words(
        r"(?:per favore )?(?:(?:dim|dam|fam|scrivi|spiega|trova|consiglia|mostra|racconta|elenca|"
        r"cerca|prepara|suggerisci|aiuta|leggi|traduci|riassumi|correggi)mi(?! (?:una mano|"
        r"uno squillo))|(?:scrivi|riscrivi|traduci|correggi|riassumi|descrivi|definisci|risolvi|"
        r"leggi) (?:un|uno|una|il|lo|la|i|le|gli|quest\w+|in|l'\w+|[\"'“«]\w*)"
        r"|(?:spiega|elenca|calcola|confronta) (?:il|lo|la|i|le|gli|quest\w+|come|perché|l'\w+))"
    ),
    reads=words(r"(?:per favore )?(?:traduci|correggi|riassumi|riscrivi|spiega)(?:mi)?"),
    beside=anywhere(
        r"(?:a|al|alla|ai|alle|come|con|da|dal|dalla|in|nel|nella|per|senza|su|tra) "
        r"(?:(?:il|la|i|le) )?(?:mi[oae]i?|nostr[oaie])"
        r"|(?:visto che|dato che|siccome|poiché|adesso che|ora che|anche se|se (?:sono|ho))"
        r"(?: [\w']+){2}|perché (?:sono|ho|è|non)(?: [\w']+){2}"
        r"|(?:problema|male|grave|normale) (?:che|se) \w+|per un\w* \w+ che|d'ora in poi|"
        r"puoi sempre|(?:detto|raccontato|accennato|sai|sapevi|ricord\w+|segna\w*|nota\w*|"
        r"mente) che(?: [\w']+){2}"
    ),
    changes=anywhere(
        r"adesso|ora|ormai|non (?:\w{1,15} ){0,2}più|invece|al posto|spostat[aeio]|rinviat[aeio]|"
        r"rimandat[aeio]|anticipat[aeio]|annullat[aeio]|saltat[aeio]|cambi(?:o|at[aeio]|amo)|"
        r"nuov[aeio]|mollat[aeio]|lasciat[aeio]|vendut[aeio]|corregg\w{1,3}|correzione|da oggi|"
        r"basta|addio|smesso|traslocat[aeio]|trasloco"
    ),
    not_known=words(
        r"(?:mi dispiace,? )?(?:ma )?(?:questo |ancora )?(?:non (?:lo |la )?(?:so|ricordo|conosco|"
        r"trovo|ho (?:informazioni|accesso|dati|questa|"
        r"queste|trovato|nessun\w*)|me l'hai|me lo hai)"
        r"|nessuna informazione)"
    ),
    comments=words(
        r"(?:mi )?(?:sembra|suona)|mi fa piacere|buono a sapersi|che (?:bel\w*|brutt\w+) \w+"
        r"|fammi sapere|sono qui|(?:se|quando|appena) me lo (?:dici|dirai)"
    ),
)
_SAID_ITALIAN = (
    "chiest|dett|parlat|raccontat|scritt|menzionat|accennat|discuss|consigliat|suggerit|propost|"
    "spiegat|rispost|domandat"
)
_RELATIVE_ITALIAN = r"(\w+(?: \w+)?) (?:di |d['’])NAME"

_QUESTIONS = QuestionWords(
    # "A che ora" asks for the time.
    now=anywhere(
        "(?<!che )(?<!quale )(?<!un')(?<!un’)ora|adesso|attualmente|in questo momento|"
        "al momento|oggigiorno|al giorno d['’]oggi|in questi giorni|in questo periodo|"
        "ultimamente|di recente|recentemente|recent[ei]|attual[ei]|ancora"
    ),
    first_person=anywhere("|".join(["io|me|mi|mio|mia|miei|mie", *sorted(_OWN_VERBS)])),
    assistant_said=re.compile(
        r"\b(?:hai|avevi|ha|aveva) (?:\w+ )?(?:detto|consigliat|suggerit|raccomandat|propost|"
        r"spiegat|scritt|menzionat|nominat|elencat|descritt|raccontat|rispost|indicat)"
        r"|\btu[oa]i? (?:consigli|rispost|suggeriment|propost|raccomandazion)",
        re.IGNORECASE,
    ),
    intake=anywhere(
        r"mangi(?:are|o|a|amo|ano|ato)?|bere|bevo|beve|cucin(?:are|o|a|iamo|ano)|prepar(?:are|o) "
        r"(?:da|per|di|la|il|una?)|cuocere|assaggi(?:are|o|a)|colazione|pranz(?:o|i|are)|"
        r"cen(?:a|e|are)|merenda|aperitivo|spuntino|dolc[ei]|torta|ricett[ae]|men[uù]|piatt[oi]|"
        r"buffet|ingredient[ei]|cib[oi]|alimenti|fame|sete|ristorante|pizzeria|mensa|"
        r"medicin[ae]|medicinal[ei]|farmac[oi]|pastigli[ae]|compress[ae]|pillol[ae]|"
        r"antidolorific[oi]|antibiotic[oi]|ibuprofene|aspirina|paracetamolo|tachipirina|"
        r"prescri(?:vere|ve|tto|tta)|ricetta medica|vaccin[oi]|anestesi[ae]|"
        r"allergic[oahe]+|allergi[ae]|toller(?:o|a|are)"
    ),
    talk=re.compile(
        rf"\b(?:t'ho|ho|hai|abbiamo|avevo|avevi|avevamo) (?:\w+ )?(?:{_SAID_ITALIAN})\w*"
        # "Cosa mi ha detto Kim?"
        rf"|\b(?:mi|ci) (?:ha|aveva) (?:\w+ )?(?:{_SAID_ITALIAN})\w*"
        r"|\b(?:mi[ae]|mi[eo]i?|tu[oae]i?|tuoi|nostr[oaei]) (?:\w+ )?(?:domand|rispost|messagg|"
        r"conversazion)\w*"
        r"|\b(?:era|erano) (?:il |i )?tu(?:o|oi|a|e) (?:\w+ )?(?:consigli|suggeriment|"
        r"raccomandazion)\w*",
        re.IGNORECASE,
    ),
    rephrasing=(
        (rf"\b(?:il|lo) {_RELATIVE_ITALIAN}", r"il mio \1"),
        (rf"\b(del|al|dal|nel|sul) {_RELATIVE_ITALIAN}", r"\1 mio \2"),
        (rf"\b(\w*la) {_RELATIVE_ITALIAN}", r"\1 mia \2"),
        (rf"\b(?:i|gli) {_RELATIVE_ITALIAN}", r"i miei \1"),
        (rf"\b(\w*le) {_RELATIVE_ITALIAN}", r"\1 mie \2"),
        (r"\b(di|a|ad|con|per|da|su) NAME", r"\1 me"),
        ("NAME", "io"),
    ),
)

_SPEECH = SpeechWords(
    mine=frozen("io tu"),
    subjects=frozen("io"),
    parts=frozen(
        "parlante persona partecipante intervistatore intervistatrice intervistato intervistata "
        "giornalista conduttore conduttrice ospite narratore narratrice cliente agente utente "
        "umano assistente ia sistema d r paziente medico dottore dottoressa insegnante studente "
        "studentessa voce sconosciuto mamma papà babbo capo"
    ),
    headings=frozen(
        "nota note avviso aggiornamento correzione domanda domande risposta risposte problema "
        "problemi indirizzo mail email posta telefono cellulare nome cognome lavoro mestiere "
        "professione impiego titolo età sesso compleanno nascita città domicilio casa paese luogo "
        "dieta allergia allergie intolleranze farmaci medicine hobby interessi passioni gusti "
        "preferenza preferenze contesto bio biografia profilo presentazione riassunto obiettivo "
        "obiettivi scopo compito compiti risultato risultati output input esempio esempi "
        "attenzione errore info informazione informazioni dettagli descrizione categoria data ora "
        "quando dove chi cosa perché come oggetto argomento tema promemoria importante vantaggi "
        "svantaggi opzione opzioni passo passi piano piani colazione pranzo merenda cena mattina "
        "pomeriggio sera notte oggi ieri domani weekend giorno settimana mese anno budget prezzo "
        "costo totale stato versione fonte fonti link file codice competenze formazione studi "
        "esperienza lingua lingue fatto fatti idea idee salute cibo musica sport viaggio viaggi "
        "famiglia animali auto soldi scuola sonno peso altezza taglia introduzione conclusione "
        "consiglio regola motivo motivi adesso prima dopo poi attualmente inoltre desiderio "
        "desideri ciao grazie scusa sì no vero falso nazionalità religione pregi difetti motto "
        "progetto progetti ruolo sintomo sintomi ps nb appuntamento riunione volo treno bus yoga "
        "palestra corso chiamata festa concerto caffè tè premessa"
    ),
    unreal=frozen(
        "obiettivo obiettivi scopo desiderio desideri piano piani idea idee falso esempio "
        "esempi compito compiti progetto progetti promemoria domanda domande risultato "
        "risultati opzione opzioni tema"
    ),
    introduces=anywhere(
        r"sapere|(?:su )?di me|dirti|dire|ricordare|ho (?:[^\W\d_]{1,12} )?(?:detto|scritto|"
        r"raccontato|spiegato)|dissi|dico|scrissi"
    ),
    disputed=anywhere(
        r"(?:ma|il che|e) (?:non è (?:vero|così)|è (?:falso|sbagliato|una bugia)|si sbagliano?|"
        r"ha torto|hanno torto|mentono|mente)"
    ),
    names=frozen("mia"),
    at="alle",
    says=anywhere(
        r"ripete|ripeteva|ripeté|afferma|affermava|sostiene|insiste|insisteva|giura|giurò|aggiunge|"
        r"aggiunse|menziona|grida|gridò|(?:ha|hanno) (?:[^\W\d_]{1,12} )?(?:ripetuto|affermato|"
        r"aggiunto|menzionato|gridato|giurato)|dice|diceva|disse|dicono|dicevano|scrive|"
        r"scriveva|scrisse|scrivono|risponde|rispose|"
        r"chiede|chiese|racconta|raccontò|(?:ha|hanno|aveva) (?:[^\W\d_]{1,12} )?(?:detto|scritto|"
        r"risposto|chiesto|raccontato|mandato|inviato|postato|pubblicato|spiegato|annunciato)"
    ),
    messages=anywhere(
        r"(?:messaggio|testo|sms|messaggio vocale|segreteria|vocale|cartolina|biglietto|e-?mail|"
        r"mail|lettera|nota|risposta|commento|citazione|parole|bio|"
        r"biografia|profilo|recensione|storia) (?:da parte )?(?:di|da|del|dal|della|dalla) "
        r"(?:mi[ao]|un|una|tu[ao]|su[ao]|nostr[ao]|(?-i:[A-ZÈ]\w{1,30}))"
        r"|(?:nella|nel|sulla|su|in) (?:suo |sua |una? )?(?:lettera|cartolina|biglietto|"
        r"messaggio|segreteria)"
        r"|lasciato una? (?:biglietto|messaggio|nota|lettera)|lasciato un (?:biglietto|messaggio)"
    ),
)

_FICTION = FictionWords(
    before="allora|dai|ciao|ma|e|ora|va bene|comunque",
    headings="strofa|ritornello|capitolo|scena|atto",
    begins=words(
        r"(?:facciamo|giochiamo|iniziamo)\b[^.:!?]{0,20}\b(?:ruolo|scena)|gioco di ruolo|"
        r"immagina|"
        r"(?:(?:stanotte|ieri),? )?(?:ho sognato|sognavo) (?:che|di)|"
        r"(?:stanotte )?ho "
        r"fatto un (?:[^\W\d_]{1,12} )?(?:sogno|incubo)\b|immaginiamo|immaginati|immagini|"
        r"supponi|supponiamo|mettiamo che|poniamo che|"
        r"fingi|fingiamo|facciamo (?:finta|conto)|fai? finta|n(?:el|ella|ell') ?(?:mi[oa] |"
        r"nostr[oa] )?(?:[^\W\d_]{1,12} )?(?:romanzo|racconto|sogno|incubo|libro|copione|storia|"
        r"novella|sceneggiatura|campagna|film|scena|fiaba)|in (?:un|una|questo|"
        r"questa) (?:romanzo|racconto|sogno|storia|scena)|nel mio (?:[^\W\d_]{1,12} )?gioco|"
        r"(?:il |la )?mi[oa] (?:[^\W\d_]{1,12} )?(?:personaggio|protagonista|narratore|"
        r"narratrice)|c'era una volta"
    ),
    marvels=re.compile(
        r"immagina(?:ti|te)? (?:la |il )?(?:mi|nostr|"
        r"su)[oa](?: [^\W\d_]{1,14}){1,2}[!.]",
        re.IGNORECASE,
    ),
    tells=anywhere(
        r"in prima persona|dal punto di vista d|nei panni d|(?:persona|personaggio|profilo|"
        r"utente|cliente|dialogo|storia|biografia) (?:di prova|di esempio|d'esempio|di test|"
        r"fittizi[oa]?|immaginari[oa]?|inventat[oaie]|fint[oaie])|tu (?:sei|"
        r"fai)\b[^.:!?]{1,50}(?:,| e) io (?:sono|faccio) (?:il|la|lo|l'|una?|uno|tu[oa])"
    ),
    works=anywhere(
        r"canzone|strofa|ritornello|poesia|copione|sceneggiatura|scena|capitolo|monologo|"
        r"dialogo|racconto|fiaba|fanfiction|prologo|diario|romanzo|(?<!mia )storia|personaggio|"
        r"protagonista|gioco di ruolo|(?:dati|testo|account) di (?:prova|esempio|test)|"
        r"(?:esempio|modello)\b.{0,20} (?:modulo|questionario|esercizio|campo|bot|sito|domanda)"
    ),
    leaves=words(
        r"(?:poi |quando |e )?mi sono svegliat[oa]|(?:torniamo|tornando|torno|"
        r"ritorno) (?:alla (?:realtà|vita reale)|a me)|"
        r"nella (?:mia )?(?:realtà|vita (?:reale|vera))|in realtà|fuori dal (?:gioco|"
        r"personaggio|racconto)|fine(?: (?:della (?:storia|scena|poesia|fiaba)|del (?:gioco|"
        r"racconto|romanzo)))?(?=[.,:!)]|$)|scherzi a parte|(?:ora )?sul serio|seriamente|"
        r"quanto a me|basta con"
    ),
)

#: "Mai" has a "non" beside it, and is a month in other languages.
_DENIALS = DenialWords(
    denials=frozen("non nessun nessuno nessuna niente senza"),
    of_one_thing=frozen("nessun nessuna niente senza"),
    verbs=frozen("odio odia detesto detesta smesso evito evita"),
    in_sense=frozen("raramente purtroppo allergico allergica rinunciato annullato"),
    yet=frozen("ancora"),
    enough=frozen("abbastanza"),
    plain=r"\b(?:non|nessun[oa']?|(?:è|sono|ho|ha|era|ero) mai)\b",
    limits="solo|soltanto",
    stress=r"dopotutto|in realtà|assolutamente|affatto|per niente|per nulla|"
    r"(?<!non )(?:davvero|certamente|"
    r"sicuramente|proprio)|in nessun modo|ripeto,? non",
    instead=ending(r",? (?:ma|bensì)\b"),
    untrue=ending(
        r"(?:non è (?:vero|corretto|giusto)|è (?:falso|sbagliato)|(?:per favore,? )?"
        r"(?:dimentica|dimenticati|scordati|dimentichi)(?: il fatto)?) che "
    ),
    never=ending(r"\bnon (?:sono|è) mai stat[oa]\b"),
    am="sono",
    forms=("essere è sono era ero stato stata sia fossi fosse", "avere ha ho aveva avevo abbia"),
    no_longer=(ending(rf"\bnon\b{BETWEEN}\bpiù\b(?! (?:di|che)\b)"),),
    stopping=ending(r"\b(?:(?:ha|ho) )?smesso di\b"),
    plurals=frozenset([("", "i"), ("o", "i"), ("o", ""), ("a", "")]),
)

_HOME = HomeWords(
    lives=frozen("abita vive risiede"),
    where=frozen("a in"),
    tells=frozen(
        "vivo vive vivere abito abita abitare casa appartamento trasferito trasferita trasferirmi "
        "città paese quartiere vicini residente residenza qui affitto"
    ),
)

_JOINS = JoiningWords(
    adding=frozen("e ed"),
    choosing=frozen("o"),
    opposing=frozen("ma però"),
    giving_reasons=frozen("perché"),
    concluding=frozen("quindi"),
)

_COMMANDS = CommandWords(
    commands=frozen(
        "rispondi scrivi traduci ignora dimentica riassumi spiega mostra invia manda cancella "
        "dammi fai parla dimmi usa crea esegui cerca ricorda"
    ),
    requests=frozen(
        "consiglia consigliami suggerisci suggeriscimi trova trovami cerca dimmi aiutami"
    ),
    politely="puoi|potresti|può",
    manners=frozen("rispondi rispondere rispondermi scrivi parla chiamami usa dammi tieni"),
    talk=frozen("rispondi parla tieni usa"),
    style=frozen("breve brevi brevemente semplice italiano inglese tedesco spagnolo francese"),
    forms_of_address="chiamami",
    fillers=frozen("per favore sempre mai non"),
    standing=frozen("sempre mai ogni"),
    standing_phrases="d'ora in poi|da ora in poi",
    no_manners="istruzioni",
    question_words=frozen("chi cosa quando dove perché come quale quali"),
    asked=frozen("è"),
    finite=frozen(
        "è era erano sono ha aveva hanno sarà fu dura costa chiude apre comincia inizia finisce"
    ),
    subordinating=frozen("che se quando come perché cosa"),
    of_object=frozen("il lo la gli le i un uno una tutto tutti tutte ogni mi me sempre solo"),
    prepositions=frozen(
        "di del della dei delle degli dello con da dal dalla per su sul sulla tra fra a al alla "
        "nel nella"
    ),
    breaking_off=frozen("e ed di"),
    after_past=frozen("ieri oggi"),
    phrasal={"mostra invia manda cerca": "a al alla"},
)

_FACTS = FactWords(
    kin=one_word_each(
        "madre|padre|sorella|fratello|figlia|figlio|moglie|marito|amico amici|amica|capo|collega|"
        "gatto"
    ),
    pets=frozen("gatto"),
    units=frozen("euro anno anni mese mesi settimana settimane giorno giorni ora ore"),
    numbered=frozen("scatola stanza fattura numero scaffale capitolo pagina casa via ordine conto"),
    measuring=frozen("pesa costa guadagna"),
    preferring=frozen("preferisce preferiscono"),
    states=phrases(
        "vive a|abita a|lavora per|lavora presso|lavora come|si chiama|sposato con|sposata con"
    ),
    attributes=frozen(
        "nome compleanno età indirizzo lavoro stipendio affitto dose medico dentista capo"
    ),
    superlatives=frozen("preferito preferita attuale"),
    conjunctions=frozen("quando se perché siccome prima dopo"),
)

_NARRATION = NarrationWords(
    narration=frozen("utente piace vuole"),
)

ITALIAN = Vocabulary(
    name="italian",
    function_words=_FUNCTION_WORDS,
    own_signs=frozenset("ìò"),
    first_person=frozenset(
        "io me mi m mio mia miei mie noi ci nostro nostra nostri nostre".split()
    ),
    own_verbs=_OWN_VERBS,
    possessives=frozen("mio mia miei mie nostro nostra nostri nostre"),
    second_person=frozen("tu te ti tuo tua tuoi tue"),
    third_person=frozenset("lui lei".split()),
    stating=frozenset("sono è ho".split()),
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
    numerals={"zero": 0} | _CARDINALS,
)
