"""Italian verbs, conjugated by their endings. Pure."""

from collections.abc import Iterator

from memoryapp.reader.languages.romance_verbs import Tense, irregular, verbs_of

#: With "isc" where that follows the stem under stress. What is a noun more often than a verb in the
#: first person is left out: "regalo".
_REGULAR = (
    "staccare attaccare "
    "abbracciare abitare accompagnare acquistare adorare adottare affittare aiutare allattare "
    "allenare allevare alzare amare ammalare annaffiare arrivare ascoltare aspettare assaggiare "
    "avviare ballare cambiare camminare cantare cenare cercare chiamare coltivare collaborare "
    "collezionare cominciare compilare comprare comunicare consegnare controllare cucinare "
    "curare dedicare depositare detestare dimenticare diplomare disegnare diventare divorziare "
    "educare emigrare evitare fabbricare fotografare frequentare fumare giocare girare "
    "guadagnare guardare guidare imparare impiegare incontrare iniziare indossare innamorare "
    "insegnare installare interessare invitare lasciare laureare lavare lavorare lottare "
    "mancare mandare mangiare meditare navigare noleggiare nuotare occupare odiare operare "
    "ordinare organizzare ospitare pagare parcheggiare parlare partecipare passare passeggiare "
    "pattinare pedalare pensionare pensare pesare pescare piantare pilotare portare pranzare "
    "praticare pregare prenotare preparare presentare progettare programmare pubblicare "
    "recitare restaurare ricamare ricordare rilassare riparare risparmiare ritirare ritornare "
    "rubare russare saltare sciare scappare separare smontare sognare sopportare "
    "sperare sposare stirare studiare suonare superare svegliare tagliare terminare tollerare "
    "tornare traslocare trasportare trattare trovare usare viaggiare vietare visitare "
    "volare votare accendere assumere attendere chiedere chiudere condividere conoscere "
    "correggere correre credere crescere decidere difendere dipendere dipingere discutere "
    "dividere evadere gestire:isc iscrivere leggere mettere muovere nascere perdere permettere "
    "prendere proteggere ricevere ridere rispondere rompere scendere scrivere smettere soffrire "
    "sorridere spendere temere trascorrere vedere vendere vincere vivere agire:isc aprire "
    "avvertire bollire capire:isc coprire costruire:isc cucire divertire dormire finire:isc "
    "gestire:isc fallire:isc fornire:isc guarire:isc investire inserire:isc offrire partire "
    "preferire:isc pulire:isc seguire sentire servire spedire:isc subire:isc trasferire:isc "
    "unire:isc vestire abbassare abbonare accettare accudire addormentare affidare affrontare "
    "allargare amministrare ammobiliare apparecchiare appassionare arrabbiare arrampicare "
    "assicurare assistere badare buttare cavalcare chattare dimagrire:isc disturbare esagerare "
    "esplorare esportare fidanzare filmare firmare formare impazzire:isc imprestare inquinare "
    "intervistare intonare investigare invecchiare litigare lodare macinare migliorare montare "
    "negare nutrire pedinare pernottare rendere revisionare rianimare ricaricare ricavare "
    "riconoscere rinunciare rovinare scavare scommettere sbrigare seminare sfilare soffriggere "
    "sospendere stressare subaffittare svolgere tingere tossire:isc vogare zappare zoppicare "
    "ammettere combattere convincere deludere distribuire:isc dirigere friggere giungere "
    "insistere nascondere piangere precedere presiedere promettere raggiungere redigere "
    "resistere respingere restituire:isc rivolgere sconfiggere spegnere spingere stringere "
    "reggere tifare faticare preoccupare arrangiare convivere riprendere gonfiare ingrassare "
    "stancare sudare tremare giurare sistemare gustare "
    "trasmettere uccidere aderire:isc applaudire colpire:isc condire:isc contribuire:isc "
    "digerire:isc esibire:isc ferire:isc garantire:isc ingrandire:isc istruire:isc punire:isc "
    "reagire:isc riunire:isc sparire:isc starnutire:isc stupire:isc tradire:isc ubbidire:isc"
).split()
_IRREGULAR = (
    "sono:è:siamo:sono ho:ha:abbiamo:hanno vado:va:andiamo:vanno faccio:fa:facciamo:fanno "
    "sto:sta:stiamo:stanno so:sa:sappiamo:sanno posso:può:possiamo:possono "
    "voglio:vuole:vogliamo:vogliono vorrei:vorrebbe:vorremmo:vorrebbero "
    "devo:deve:dobbiamo:devono vengo:viene:veniamo:vengono "
    "esco:esce:usciamo:escono tengo:tiene:teniamo:tengono dico:dice:diciamo:dicono "
    "bevo:beve:beviamo:bevono do:dà:diamo:danno rimango:rimane:rimaniamo:rimangono "
    "salgo:sale:saliamo:salgono scelgo:sceglie:scegliamo:scelgono traduco:traduce:traduciamo "
    "mantengo:mantiene:manteniamo:mantengono provengo:proviene:proveniamo:provengono "
    "appartengo:appartiene:apparteniamo:appartengono raccolgo:raccoglie:raccogliamo:raccolgono "
    "ero:era:eravamo:erano avevo:aveva:avevamo:avevano facevo:faceva:facevamo:facevano "
    "stavo:stava:stavamo:stavano bevevo:beveva:bevevamo:bevevano andavo:andava:andavamo:andavano "
    "potevo:poteva:potevamo:potevano volevo:voleva:volevamo:volevano sapevo:sapeva "
    "dovevo:doveva:dovevamo:dovevano sarò:sarà:saremo:saranno avrò:avrà:avremo:avranno "
    "andrò:andrà:andremo:andranno farò:farà:faremo:faranno starò:starà:staremo:staranno "
    "verrò:verrà:verremo:verranno vorrò:vorrà dovrò:dovrà:dovremo:dovranno "
    "potrò:potrà:potremo:potranno vivrò:vivrà:vivremo:vivranno vedrò:vedrà:vedremo:vedranno "
    "terrò:terrà darò:darà:daremo:daranno saprò:saprà berrò:berrà rimarrò:rimarrà "
    "compio:compie:compiamo:compiono nacqui:nacque fui:fu ebbi:ebbe"
)
#: Of "we", those with which people call on the other to do something together as well: "vediamo".
_CALLS = frozenset(
    "chiamiamo cambiamo cerchiamo chiediamo chiudiamo cominciamo continuiamo controlliamo "
    "correggiamo diciamo finiamo giochiamo guardiamo iniziamo lasciamo leggiamo mettiamo "
    "ordiniamo parliamo passiamo pensiamo prendiamo presentiamo proviamo scriviamo sentiamo "
    "torniamo usiamo vediamo traduciamo sappiamo possiamo dobbiamo vogliamo speriamo crediamo "
    "ricordiamo".split()
)


def _conjugated(infinitive: str, stressed: str) -> Iterator[Tense]:
    """The tenses of a verb whose stem has *stressed* behind it under stress."""
    stem, vowel = infinitive[:-3], infinitive[-3]
    root = stem + stressed
    if vowel == "a":
        # Before "i" and "e", "c" and "g" keep their sound, and an "i" that is there stays alone.
        soft = stem[:-1] if stem[-1] == "i" else f"{stem}h" if stem[-1] in "cg" else stem
        dropped = soft if stem[-2:] in ("ci", "gi") or stem.endswith("sci") else stem
        future = f"{dropped if stem[-1] == 'i' else soft}e"
        yield Tense(f"{stem}o", f"{stem}a", f"{soft}iamo", f"{stem}ano")
        yield Tense(f"{stem}ai", f"{stem}ò", f"{stem}ammo", f"{stem}arono")
    else:
        future = stem + vowel
        they = f"{root}ono"
        yield Tense(f"{root}o", f"{root}e", f"{stem}iamo", they)
        if vowel == "i":
            yield Tense(f"{stem}ii", f"{stem}ì", f"{stem}immo", f"{stem}irono")
    yield Tense(f"{future}rò", f"{future}rà", f"{future}remo", f"{future}ranno")
    past = f"{stem}{vowel}v"
    yield Tense(f"{past}o", f"{past}a", f"{past}amo", f"{past}ano")


def _tenses() -> Iterator[Tense]:
    yield from irregular(_IRREGULAR)
    for verb in _REGULAR:
        infinitive, _, stressed = verb.partition(":")
        yield from _conjugated(infinitive, stressed)


#: All forms, for sentences of which the speaker is the subject.
TOLD = verbs_of(_tenses())
VERBS = verbs_of(
    Tense(tense.first, tense.third, "" if tense.we in _CALLS else tense.we, tense.they)
    for tense in _tenses()
)
