"""Italian words and patterns of the built-in reader. Pure."""

import re

from memoryapp.reader.languages.asking import ITALIAN as ASKING
from memoryapp.reader.languages.italian_notes import NOTES
from memoryapp.reader.languages.italian_person import CLOSE, KIN, agrees, narrate
from memoryapp.reader.languages.italian_slots import BESIDE, KEYS, SLOTS
from memoryapp.reader.languages.italian_verbs import VERBS
from memoryapp.reader.languages.language import Language
from memoryapp.reader.languages.plans import ITALIAN as PLANS
from memoryapp.reader.languages.pronouns import ITALIAN as REFERRING
from memoryapp.reader.languages.romance_gender import ITALIAN as FEMININE
from memoryapp.reader.languages.topics import topics_of

#: What somebody aims at: no request to an assistant begins so.
_AIMS = (
    r"imparare|studiare|correre|viaggiare|visitare|trasferir(?:mi|ci)|cambiare (?:lavoro|casa|"
    r"città|vita)|smettere di|dimagrire|perdere|risparmiare|comprar(?:mi|ci)|aprire|fondare|"
    r"adottare|tornare a|diventare|avere (?:figli|un figlio|un cane|un gatto|un orto)|lavorare|"
    r"vivere|sposar(?:mi|ci)|andare (?:in|a vivere)|prendere la|finire|laurear(?:mi)|pubblicare|"
    r"partecipare|iscriver(?:mi|ci)|leggere di più|dormire|rimettermi in forma|organizzare un "
    r"viaggio|fare (?:un|una|il|la) (?:maratona|viaggio|corso|cammino|figlio)"
)

_NO_PARTICIPLE = (
    r"(?!(?:una?|uno|un'\w+|il|lo|la|i|gli|le|due|tre|quattro|sette|otto|venti|trenta|quaranta|"
    r"\w{1,3}ant[aeio]|\w{2,12}mento|tutt[aeio]|molt[aeio]|poc[aeo]|pochi|di|del|della|in|con|"
    r"per|a|al|alla)\b)"
)

ITALIAN = Language(
    name="italian",
    user="L'utente",
    first_person=frozenset(VERBS.third)
    | frozenset("io mi m mio mia miei mie nostro nostra nostri nostre".split()),
    subjects=(
        frozenset(VERBS.third)
        | frozenset("io mi mio mia miei mie nostro nostra nostri nostre".split())
    ),
    pronouns=frozenset(["io"]),
    own_pronoun=r"(?:io|noi)(?= )",
    owners=frozenset("mio mia miei mie nostro nostra nostri nostre".split()),
    owner_within=3,
    no_subject=re.compile(
        r"(?:per|come|chi|cosa|senza|quasi|(?:il|la|i|le) mi\w+ (?:test[oi]|tabell[ae]|codice|file|"
        r"document[oi]|mail|fras[ei]|list[ae]|titol[oi]|script|relazion[ei]|tem[ai]|compit[oi]|"
        r"presentazion[ei]|domand[ae]|rispost[ae]|messaggi[o]?|bozz[ae]|paragraf[oi]))\b",
        re.IGNORECASE,
    ),
    question=re.compile(
        r"(?:chi|cosa|che|quale|quali|quando(?! ero)|dove|perché|come|quanto|quanti|"
        r"quante|puoi|potresti|"
        r"posso|potrei|sai|hai|è possibile|qual)\b",
        re.IGNORECASE,
    ),
    request=re.compile(
        r"\b(?:per ?favore|per piacere|x favore|plz|puoi|potresti|può|dimmi|mostrami|aiutami|"
        r"spiegami|dammi|"
        rf"elencami|raccontami|ho bisogno|cerco|vorrei(?! (?:{_AIMS})\b)|mi serve|mi servono|"
        rf"mi chiedo|non "
        r"capisco|non funziona|non so (?:più )?(?:(?:da|a|per|con|di) )?(?:(?:che )?cosa|che|"
        r"come|se|quale?|dove|quando|perché|chi|"
        r"quanto)|"
        r"ho un(?:a|')? ?(?:dubbio|domanda|problema)|ricevo sempre|ho un problema con|"
        r"sto cercando di|intendevo|grazie|non ho tempo|prov(?:o|erò)(?! a)|non (?:mi )?ricordo)\b",
        re.IGNORECASE,
    ),
    asking=ASKING,
    hypothetical=re.compile(
        rf"\b(?:(?:stavo )?scherzav?(?:o|ndo)|era uno scherzo|volevo dire(?! che\b)|forse|magari|"
        rf"probabilmente|potrei|dovrei|vorrei(?! (?:{_AIMS})\b)|immagina|"
        rf"supponiamo|"
        r"spero|credo|penso(?! di \w{2,15}r(?:e|mi|ci)\b)|"
        r"fossi|avessi|sarei|avrei|farei|chissà|ho sognato|a vicenda|\w{2,20}erei)\b",
        re.IGNORECASE,
    ),
    conditional=re.compile(r"\b(?:(?<!\bso )(?<!\bsapere )se|qualora)\b", re.IGNORECASE),
    addressing=re.compile(r"\b(?:tu|te|ti|tuo|tua|tuoi|tue|voi|vostro|vostra)\b", re.IGNORECASE),
    task=re.compile(
        r"(?:(?:per favore|puoi|potresti|ciao|ok),? ){0,3}(?:scrivi|scrivimi|riscrivi|traduci|"
        r"riassumi|correggi|completa|continua|crea|inventa|analizza|immagina|fingi|sei "
        r"un|fai finta|ecco)\b",
        re.IGNORECASE,
    ),
    opener=re.compile(
        r"(?:"
        r"(?:(?:la|ti|vi) prego di (?:tenere? (?:presente|conto(?: del fatto)?)|notare|considerare|"
        r"sapere)|(?:mi permett[ao] di|mi consenta di|(?:ci )?tengo a|desidero|vorrei|volevo|"
        r"voglio|devo) (?:dir|informar|comunicar|segnalar|precisar|ricordar|avvertir|avvisar|"
        r"spiegar|aggiunger|far)(?:[lv]e|[lt]a|[tv]i|e)(?: (?:presente|sapere|notare))?) che\s|"
        r"(?:(?:le|ti|vi) scrivo perché|gentil[ei] (?:assistente|signor[ei]|signora)|ti (?:spiego|"
        r"racconto)|ho un problema(?=,? (?:il|la|i|le|mi[oae]?|non)\b)|una cosa|niente|dunque|"
        r"insomma|guarda|senti|ascolta|cioè|praticamente|ehm|"
        r"boh|ecco|poi|"
        r"(?:volevo dirti|ti dico|sappi|considera|tieni conto|devi sapere) che|ciao(?: a tutti)?|"
        r"(?:lascia perdere|dimentica|ignora|scordati) (?:quello|quel|ciò) che"
        r"(?: [^,.!?:]{2,40})?(?=[,.!:])|salve|ehi|ehilà|hey|buondì|piacere|scusa|scusami|ops|"
        r"buongiorno|buonasera|sì|no|beh|allora|ah|oh|e|ma|ok|grazie|comunque|"
        r"(?:ti (?:dico(?: tutto)?|spiego|racconto|riassumo)|(?:il )?contesto|premessa)(?=:)|"
        r"(?:bell|brutt|buon|ottim|cattiv)[ae] notizi[ae]|(?:il fatto|la cosa) è che|"
        r"fatto sta che|premetto che|per (?:tua )?info(?:rmazione)?|"
        r"personalmente|"
        r"a proposito|tra l'altro|per la cronaca|in realtà|sinceramente|certo|esatto|purtroppo|"
        r"per fortuna|sai|infatti|(?:piccola|una) (?:correzione|novità|modifica)(?=:)|"
        r"(?:(?:ora|adesso) )?in italiano(?=:)|"
        r"(?:mi sono (?:sbagliat|confus)[oa]|mi sbagliavo|ho sbagliato|errore mio)"
        r"(?: (?:prima|ieri|sopra|poco fa))?(?=[:,.]))(?:[,:!.…]|\s[-–—])?\s+|"
        r"(?:non è (?:vero|così|giusto|corretto)|è (?:falso|sbagliato|un errore))"
        r"(?:[,;:!.…]|\s[-–—])\s+)",
        re.IGNORECASE,
    ),
    pointer=re.compile(
        r"\b(?:ciò|questo|quello|(?:questa|quella)(?= (?:è|era|ha))|lui|lei|loro|lì|là|esso|essa)"
        r"(?! (?:mese|anno|weekend|inverno|autunno|fine|momento|periodo))\b",
        re.IGNORECASE,
    ),
    personal=frozenset("lui lei loro".split()),
    referring=REFERRING,
    referring_within=(),
    places=frozenset("lì là".split()),
    clause=re.compile(r"(?:,|;|\s[-–—])\s?|\s(?=(?:e|ed|ma|però|quindi|perché)\s)", re.IGNORECASE),
    joint=re.compile(r",? (?:e|ed|ma|però) |; (?:(?:e|ma) )?|, ", re.IGNORECASE),
    dependent=re.compile(
        r"\b(?:che|perché|quando|mentre|se|chi|cui|dove|poiché|siccome|finché|benché|anche|"
        r"pure|neanche|nemmeno|stess[oaie]|entramb[ie]|dice|dicono|pensa|crede|sa|poi|invece|"
        r"così)\b",
        re.IGNORECASE,
    ),
    agrees=agrees,
    having=re.compile(
        r"\b(?:ho|avevo|abbiamo|avevamo)(?: (?:anche|avuto|adottato|preso|ora|adesso)){0,2} una? "
        r"(?:[\w'-]{2,15} ){0,3}$"
    ),
    copulas=frozenset("è sono era erano ha hanno aveva piace piacciono piaceva".split()),
    reminder=re.compile(
        r"(?:per favore,? )?(?:ricordati|ricorda|non dimenticare|tieni presente|tieni a "
        r"mente|segnati)"
        r"(?: che\b|[:,])\s?",
        re.IGNORECASE,
    ),
    taste=re.compile(
        r"(?:io )?(?:non )?(?:mi piacciono|mi piace|amo|odio|adoro|detesto|preferisco|"
        r"(?<=non )(?:mangio|bevo|fumo|uso|tollero|sopporto|digerisco))(?: (?:molto|davvero|"
        r"sempre|mai))*"
        r" (?!quest|quell|che\b|come\b|quando\b|se\b|cosa\b|(?:il|la|i|le) tu|"
        r"(?:il|la|i|le) vostr)\w",
        re.IGNORECASE,
    ),
    standing_wish=re.compile(
        r"(?:non darmi|dammi|diamoci) del (?:tu|lei)\b|"
        r"(?:per favore,? )?(?:rispondi|rispondimi|scrivi|scrivimi|parla|parlami|usa|"
        r"chiamami|dammi) "
        r"[^.!?]{0,40}\b(?:sempre|mai|d'ora in (?:poi|avanti)|in futuro)\b|"
        r"(?:smetti(?:la)? di|evita di) (?:usare|mettere|chiamarmi|rispondere|scrivere|darmi|"
        r"farmi)\b|"
        r"(?:dammi del (?:tu|lei))\b|"
        r"sii (?:sempre )?(?:breve|concis[oa]|chiar[oa]|dirett[oa])(?: sempre)?(?=[.!,]|$)|"
        r"(?:non (?!\w{1,14}o\b)\w{3,15} mai|non \w{2,15}rmi (?:più|mai)|chiamami (?-i:[A-Z])\w*|"
        r"(?:rispondi|rispondimi|scrivi|usa) sempre|d'ora in (?:poi|avanti))\b",
        re.IGNORECASE,
    ),
    standing=re.compile(
        r"(?:io )?(?:sono|siamo|non sono mai stat[oa]) "
        r"(?!(?:così|troppo|molto|qui|qua|lì|pronto|pronta|sicur[oa]|"
        r"stanc[oahi]|"
        r"felic[ei]|triste|content[oa]|annoiat[oa]|confus[oa]|curios[oa]|preoccupat[oa]|d'accordo|"
        r"in|a|al|alla|con|per|da|su|non|già|appena|solo|un po'|le|i)\b)"
        r"(?:una? |un')?\w{4}|"
        r"(?:ho|abbiamo) (?:un'|(?:un[ao]?|due|tre|quattro|cinque|\d{1,3}) )"
        r"(?!(?:domand[ae]|problem[ai]|ide[ae]|error[ei]|dubbi[o]?|richiest[ae]|moment[oi]|"
        r"minut[oi]|"
        r"or[ae]|favore|list[ae]|file|test[oi]|compit[oi]|po')\b)|"
        r"(?:io )?(?:mi |ci )?(?:tif(?:o|iamo)|colleziono|insegno|imparo|studio|collaboro|suono|"
        r"parlo (?!di\b)|"
        r"guido (?:un|il|"
        r"la)|lavor(?:o|iamo)|cammino con|coltivo|allevo|dirigo|gestisco|soffro|pratico|alleno|"
        r"porto (?:gli|le|un|i)\b|faccio (?:il|la|l'|i|le|un)\b|vado (?:a|in|al|\w*mal\w*|bene)\b|"
        r"viaggi(?:o|amo)|condivid(?:o|iamo)|digerisco|(?:ci )?(?:sento|vedo) (?:bene|male|"
        r"poco)|pago|"
        r"torn(?:o|iamo) (?:a|in) (?-i:[A-Z])|"
        r"sto (?:imparando|studiando|leggendo|facendo (?:un|il|la)\b)|"
        r"sono in (?:malattia|ferie|pensione|maternità|cassa))|"
        r"non (?:guido|fumo|bevo|mangio|sopporto|digerisco|tollero)(?! (?:ora|adesso|oggi|"
        r"stasera)\b)|"
        r"mi sono rott[oa] (?:il|la|lo|un|una|l')|tengo (?:il|la|i|le) nipot\w|"
        r"ho (?:(?:tanta|molta|una gran|sempre) )?paura (?:di|del\w{0,2}|dei|degli|"
        r"dell') ?(?!te\b)|"
        r"(?:ho|soffro (?:di|d')) ?(?:(?:la|il|l'|una|un') ?|\w{2,12} )?(?:dislessia|adhd|asma|"
        r"diabete|"
        r"ipertensione|artrosi|artrite|emicrani[ae]|ansia|depressione|epilessia|vertigini|"
        r"allergi[ae]|"
        r"cancro|autismo|lupus|anemia|colesterolo|insonnia|reflusso|ernia|sciatica|scoliosi|"
        r"fibromialgia|celiachia)\b|"
        # What somebody aims at, and habits.
        rf"(?:mi piacerebbe(?: molto| tanto)?|vorrei|vorremmo|voglio|vogliamo|(?:il )?mio (?:sogno|"
        rf"obiettivo) è|penso di|sogno di) (?:{_AIMS})\b(?! quest)|"
        r"(?:(?:io )?(?:di solito|normalmente|spesso|raramente) (?!(?:mi|ti|si|lo|la|so|capisco|"
        r"voglio|posso|penso|credo|dimentico|è)\b)\w{3,15} \w|(?:mi )?\w{3,12} "
        r"(?:[\w'-]{1,20} ){0,6}?(?:tutt[ie] (?:i|le|gli) \w{4,10}|ogni (?:giorno|notte|settimana|"
        r"mattina|sera|mese|anno|\w{6,9})|(?:una volta|(?:due|tre|quattro|\d) volte) (?:alla|al|"
        r"all'|ogni) ?\w{2,9})\b)|"
        r"mi è (?:mort|nat)[oa]\b|non (?:ci )?(?:sento|vedo) (?:bene|più)|"
        r"non (?!so|ho|posso)\w{3,12}o più (?!di\b|che\b|cosa\b|niente\b|nulla\b)|"
        r"non (?:ho|abbiamo) (?:più |mai avuto )?(?:il |la |l'|i |le |un |una |figli|animali|"
        r"fratelli)"
        r"(?!(?:tempo|idea|voglia|bisogno|risposta|accesso|error[ei]|problem[ai]|dubbio|file|testo|"
        r"codice|modo|possibilità|impressione)\b)|"
        r"(?:ho|sono|soffro|vivo) (?:\w+ ){1,7}da (?:sempre|quando ero|bambin[oa]|"
        r"(?:\w+ ){1,2}(?:ann[oi]|mes[ei])\b)|"
        r"(?:ho|abbiamo) (?:superato|perso|vinto|comprato|venduto|adottato|cambiato (?!idea)|"
        r"lasciato|"
        r"smesso di|ottenuto|imparato a|partorito|divorziato|ereditato|affittato|fallito) "
        r"(?!(?:il|lo|la|l'|i|le|un|una|mio|questo|questa|tutto) ?(?:file|testo|codice|mail|"
        r"messaggi[oi]|titolo|documento|parol[ae]|error[ei]|problem[ai]|tempo|filo|rispost[ae])\b)",
        re.IGNORECASE,
    ),
    feelings=frozenset(
        "bello bella fantastico bravo brava felice contento contenta triste grazie piacere davvero "
        "stupendo meraviglioso perfetto bene meglio stanco stanca".split()
    ),
    hedges=frozenset("forse magari qualcosa cose credo penso roba".split()),
    lasting=frozenset(
        "vivo abito lavoro studio studiato nato nata cresciuto cresciuta sposato "
        "sposata trasferito "
        "trasferita comprato iniziato cominciato deciso ho suono gioco imparo imparando allergico "
        "allergica vegetariano vegetariana preferisco odio amo adoro sempre mai ogni "
        "tutti anni prendo "
        "vado chiamo chiama gestisco allenando smesso superato vinto intollerante vuole "
        "parto".split()
    ),
    kin=frozenset(KIN),
    past=re.compile(
        r"\b(?:è|sono) del(?:l')? ?(?=\d)|"
        # "Ho un gatto", "ha sette nipoti": what follows an article or a number is no participle.
        rf"\b(?:ho|abbiamo|sono|ha|hanno) (?:{_NO_PARTICIPLE}\w+ ){{0,2}}{_NO_PARTICIPLE}\w{{2,20}}"
        r"(?:to|ta|ti|te|so|sa|tto|tta|rto|sto|nto)\b|"
        r"\b(?:è|siamo) (?:appena |già )?(?:nat|mort|andat|arrivat|partit|uscit|venut|tornat|cadut|"
        r"diventat|entrat|stat|mancat|scompars|decedut|success|capitat|rimast|guarit)[oaie]\b|"
        r"\b(?:si è|ci siamo) \w{2,20}[oaie]\b|"
        r"\b(?:ero|avevo|era|aveva|andai|fui|\w{2,20}(?:avo|evo|ivo))\b",
        re.IGNORECASE,
    ),
    future=re.compile(
        r"\b(?:\w{2,20}(?:rò|remo|rà|ranno)|sto per|stiamo per|ho intenzione|"
        r"ho prenotato|preso appuntamento|è (?:annullat|rinviat|spostat|previst|fissat|"
        r"confermat)[oa])\b",
        re.IGNORECASE,
    ),
    preference=re.compile(
        r"\b(?:amo|adoro|mi piace|mi piacciono|preferisco|odio|detesto|preferit[oaie]|non sopporto|"
        r"appassionat[oa]|non bevo|non mangio)\b",
        re.IGNORECASE,
    ),
    decision=re.compile(r"\b(?:ho deciso|abbiamo deciso|ho scelto|ho accettato)\b", re.IGNORECASE),
    relationship=re.compile(
        r"\b(?:mi[oaei]{1,2}|nostr[oaie]) (?:" + "|".join(CLOSE) + r") "
        r"(?:è|si chiama|vive|abita|lavora)\b|\b(?:sposat[oai]|fidanzat[oai]|divorziat[oai])\b",
        re.IGNORECASE,
    ),
    topics=topics_of("italian", KIN),
    plans=PLANS,
    notes=NOTES,
    slots=SLOTS,
    keys=KEYS,
    beside=BESIDE,
    present=re.compile(
        r"\b(?:\w{3,20}iamo|vado|parto|comincio|inizio|devo|voglio|è|parte|inizia|comincia|torno|"
        r"viene|vengono|arriva|arrivano|passa|mi \w{3,12}isco)\b",
        re.IGNORECASE,
    ),
    narrate=narrate,
    feminine=FEMININE,
    leading=re.compile(
        r"(?:(?:finalmente|alla fine|attualmente|per ora|per il momento|al momento|di solito|"
        r"ultimamente|a volte|spesso|la (?:mattina|sera)|il weekend|durante la settimana|"
        r"nel resto del tempo|gli altri giorni|il resto della settimana)"
        r"|(?:da|dopo|durante|prima di|nonostante|a causa d\w+|grazie a\w{0,3}|per)"
        r"(?! (?:chi|cosa|quando|quale|quanto)\b)(?: [\w'-]{1,20}){1,5}(?=,)"
        r"|con (?:(?:(?:il|la|i|le) )?(?:mi[oae]i?|nostr[oaie]) )?[\w-]{2,20}"
        r"(?: (?-i:[A-Z])\w+)?),? (?:(?:non )?(?:ci|mi) )?",
        re.IGNORECASE,
    ),
    formerly=re.compile(r"(?:prima|una volta|in passato|anni fa)\b,?\s", re.IGNORECASE),
    asked_wish=re.compile(
        r"(?:per favore,? )?(?:puoi|potresti|può|potrebbe|ti dispiacerebbe) (?:non )?"
        r"(?:(?:sempre|d'ora in (?:poi|avanti)|in futuro),? \w|\w{3,14}r(?:e|mi|ci) "
        r"(?:[\w']{1,20} ){0,6}?(?:sempre|d'ora in (?:poi|avanti)|in futuro)\b)",
        re.IGNORECASE,
    ),
    passing=re.compile(
        r"(?:(?:oggi|ora|adesso),? )?(?:sono|siamo|mi sento) (?:(?:molto|un po'|così|davvero|già|"
        r"proprio) ){0,2}(?:stanc|esaust|annoiat|trist|content|felic|arrabbiat|nervos|stressat|"
        r"stuf|"
        r"pers|pront|sicur|confus|bloccat)\w{1,2}\b|"
        r"(?:ho|abbiamo) (?:\w{2,6} )?(?:fame|sonno|sete|freddo|caldo|fretta)\b|"
        r"(?:sono|siamo|sto andando) (?:ora |adesso )?(?:al|alla|in|sul|nel|all') ?(?:aeroporto|"
        r"stazione|supermercato|negozio|treno|autobus|macchina|cucina|bagno|riunione|coda|"
        r"ristorante|"
        r"bar|spiaggia|parco)\b|"
        r"(?:ho|abbiamo|mi (?:è|sono) rimast\w) (?:solo )?(?:[\w']{1,12} ){1,8}(?:in|"
        r"nel) (?:frigo\w*|"
        r"dispensa|freezer)\b",
        re.IGNORECASE,
    ),
    unresolved=re.compile(
        # People get to know each other; the other is not told.
        r"\bsi è (?:conosciut|incontrat)[oa]\b(?! con\b)|"
        r"\b(?:io|mi|me|mio|mia|miei|mie|nostro|nostra|noi|ieri|oggi|domani|stasera|stamattina|"
        r"scorso|"
        r"scorsa|prossimo|prossima|tu|tuo|tua)\b",
        re.IGNORECASE,
    ),
)
