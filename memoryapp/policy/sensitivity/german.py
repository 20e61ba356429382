"""German words of the sensitive areas; `wordings` explains the notation."""

from memoryapp.policy.sensitivity.areas import SensitiveArea
from memoryapp.policy.sensitivity.wordings import Wording

GERMAN = {
    SensitiveArea.HEALTH: Wording(
        tells="""
        *diagnos*, festgestellt … (sklerose/krebs/diabetes/krankheit), *allergi*, *intoleranz*,
        *unverträglichkeit, asthma*, diabet*, zuckerkrank*, insulin*, epilep*, migräne*, *krebs,
        *krebserkrankung, tumor*, leukämie, chemo, chemotherapie, bestrahlung*, dialyse,
        arthritis, arthrose, rheuma*, multiple sklerose, parkinson*, alzheimer*, demenz*,
        dement, autis*, adhs, legasthen*, asperger*, crohn, colitis, zöliakie, glutenfrei,
        laktose*, hepatitis, hiv*, aids, corona … (krank/infiz*), *entzündung, lungenentzündung,
        anämie, angststörung*, panikattacke*, depress*, antidepress*, bipolar*, schizophren*,
        burnout, burn out, magersucht, magersüchtig*, bulimi*, essstörung*, suizid*,
        selbstmord*, psychiatr*, psychotherap*, therapeut*, (in/macht/mache/zur) therapie,
        *therapie, reha, trocken*r alkoholiker*, alkoholiker*, alkoholkrank*, drogensüchtig*,
        suchtkrank*, *süchtig, entzug, schwanger*, fehlgeburt*, abtreibung, unfruchtbar*,
        wechseljahre*, endometriose, herzinfarkt*, schlaganfall*, herzfehler, herzkrank*,
        herzschrittmacher, *schrittmacher, *blutdruck, blutdruck*, cholesterin*, *transplant*,
        amput*, rollstuhl*, behinder*, schwerbehindert*, gelähmt*, *gelähmt, querschnitts*,
        (taub/blind/schwerhörig*/gehörlos*), hörgerät*, bandscheibe*, *bruch, gebrochen … (bein/
        arm/hüfte/rippe/fuß), (bein/arm/hüfte/rippe/fuß) … gebrochen, operiert, (knie/herz/hüft/
        augen/)operation, *op, krankenhaus, klinik … (lag/liegt/eingeliefert), stationär,
        medikament*, tablette*, antibiotik*, schmerzmittel*, betablocker*, blutdrucksenker*,
        blutverdünner*, cortison, kortison, spritze*, verschrieben, verschreib*,
        krankgeschrieben, krank, kranke, kranker, erkrankt*, *erkrankung, krankheit,
        krankheiten, leidet, leide (an/unter), leiden (an/unter), chronisch*, syndrom,
        *infektion, symptom*, schlaflos*, schlafstörung*, neurodermitis, schuppenflechte,
        ekzem*, fibromyalgie, schilddrüse*, ischias, skoliose, blutgruppe, positiv getestet,
        fieber, *schmerzen, gynäkolog*, kardiolog*, onkolog*, neurolog*, pflegegrad*,
        pflegestufe*, magengeschwür, künstliche befruchtung, gicht, thrombose, trauma*, ptbs,
        erwartet … (kind/baby/nachwuchs/zwillinge), erwarte ein kind, psychisch*, psyche, (im/
        ins/aus dem) krankenhaus, nierenstein*, nieren*, leber*, gürtelrose, tinnitus,
        schwindel*, heuschnupfen, übergewicht*, adipos*, prothese, krücken, gips, kur,
        pflegebedürftig*, bettlägerig, ritzt, panik, krebskrank*, nervenzusammenbruch,
        sehbehindert*, physiotherap*, hausarzt … (sagt/meint/verschr*), (tut/tun) … weh,
        impfung, geimpft, (seit) … (rieche/rieche ich/schmecke/höre/sehe) … nichts, corona,
        (rieche/riecht/höre/hört/sehe/sieht) … (nichts mehr/kaum noch/schlecht), (sturz/unfall)
        … (klinik/krankenhaus/operiert), (in der/in die) klinik, angstzustände*, ängste,
        (vergisst/vergesse) (alles/namen/ständig), rückfall, (trinkt/trinke) wieder, (aufgehört/
        hörte auf) (zu trinken/zu rauchen), schlafe* … schlecht, (kaum/kein/keinen) (salz/
        alkohol) … (essen/trinken/wegen), herzrasen, ohnmacht, intensivstation, koma, biopsie,
        mrt, kernspin, kaiserschnitt, zuckerkrank, (arzt/ärztin/hausarzt/orthopäd*) … (rät/sagt/
        meint/verbietet), zahnspange, brille, kontaktlinsen, vitaminmangel, eisenmangel,
        hexenschuss, verstaucht, gehirnerschütterung, zittern, (nimmt/nehme) … (tabletten/
        tropfen/pillen/mittel), neue* (hüftgelenk/kniegelenk/hüfte/knie/niere), hüftgelenk,
        kniegelenk, (verträgt/vertrage/vertragen) … (keine/kein/keinen/nicht), ausschlag,
        quaddeln, übelkeit, erbrechen, nasenbluten, ultraschall, röntgen*, blutabnahme,
        blutwerte, hautarzt, urolog*, einlagen vom arzt
        """,
        seems="""
        (arbeitet/arbeite/arbeiten/job/praktikum/jobbt) … (klinik/krankenhaus/psychiatrie/reha/
        onkologie/kinderklinik), (ist/als/bin/wird/war/zum/zur) (psychiater*/psychotherapeut*/
        therapeut*/kardiolog*/onkolog*/neurolog*/gynäkolog*), krankheit unserer zeit,
        reisefieber, lampenfieber, goldfieber, fieberhaft, betriebsblind, blind date,
        farbenblind … design, (buch/roman/film/artikel/studie/arbeit/doktorarbeit/aufsatz/
        vortrag/serie) … (über/zu/zur/von) … (depression*/krebs/krankheit/demenz/autismus/
        epilepsie/sucht/schwangerschaft/aids/chirurgie), (server/build/fehler/drucker/netzwerk/
        auto/datenbank) … *diagnos*, *diagnose*daten, fehlerdiagnose*, diagnosetool*,
        kinderkrankheiten, krank vor (neid/sorge/liebe), rechtschreibschwäche, sehnsüchtig,
        eifersüchtig, serien süchtig, süchtig nach (schokolade/serien/dem podcast/diesem),
        allergisch (auf/gegen) (meetings/montage/unsinn), stop, *workshop, laptop, desktop,
        shop, top, *shop, *laptop, *desktop, galopp, krank geht anders, chronisch (pleite/
        unpünktlich/verspätet), (einbruch/aufbruch/umbruch/abbruch/ausbruch/anbruch/bruch/
        steinbruch/wortbruch/durchbruch/zusammenbruch), (mittelstand/wirtschaft) … kränkelt,
        leberkäse, leberwurst, nieren (im wein), gipswand, kurs, (krankenhaus) (umgebaut/wird),
        panikraum, pflege der, (klinik) sucht, in der klinik (arbeitet/als), brillen (verkäufer/
        design), (meetings/montage/sitzungen) … allergisch
        """,
    ),
    SensitiveArea.RELIGION: Wording(
        tells="""
        katholi*, evangelisch*, protestant*, lutherisch*, lutheraner*, orthodox*, christlich*,
        christ, christin, christen, freikirch*, baptist*, methodist*, mormon*, zeuge* jehovas,
        jehova*, neuapostolisch*, muslim*, moslem*, islam, sunnit*, schiit*, alevit*, jüdisch*,
        jude, jüdin, juden, judentum, hindu*, buddhis*, sikh*, atheis*, agnosti*,
        konfessionslos*, religiös*, nicht gläubig, gläubig*, ungläubig, fromm*, getauft, taufe,
        *taufe, konvertier*, (zum/den) (islam/judentum/christentum/buddhismus) … übergetreten,
        übergetreten, konfirm*, kommunion, erstkommunion, bar mizwa, gottesdienst*, (zur/in die)
        messe … (sonntag*/geht/gehen), (geht/gehe/gehen) … (in die kirche/zur messe/in die
        moschee/in die synagoge/zur beichte/in den tempel), beten, betet, bete, gebet*, ramadan,
        fastenzeit, schabbat, sabbat, koscher*, halal*, kopftuch, hidschab, glaub* … (gott/
        jesus/allah), (seinen/ihren/meinen) glauben, aus der kirche … ausgetreten, aus der
        kirche austreten, kirchenaustritt, kirchenmitglied, kirchensteuer, rosenkranz,
        bibelkreis*, bibelstunde*, (liest/lese) … (bibel/koran/tora), koran, gemeinderat der
        kirche, kirchenchor, kirchengemeinde, imam, rabbi*, pilger*, hadsch, (ist/wurde/als)
        (priester/nonne/mönch/pastor/pfarrer/diakon*), (glaubt/glaube/glauben) … (gott/
        wiedergeburt/jenseits), (christlich/muslimisch/jüdisch/katholisch/religiös) (erzogen/
        aufgewachsen), bekennend*, taufen, (lässt/lassen) … taufen, chanukka, pessach,
        zuckerfest, opferfest, diwali, jom kippur, krishna, tischgebet, schrein, hausaltar,
        gemeinde … (kirche/sonntag/pfarrer), predigt*, sonntagsschule, wiedergeburt, fastet,
        fasten (während/im), spirituell*, esoteri*, kein schweinefleisch, jugendgottesdienst,
        patenonkel, taufpat*, theolog*, bibel, (kirche) (sonntags/am sonntag), moscheeverein,
        religiöse* gründe*
        """,
        seems="""
        gott sei dank, um gottes willen, grüß gott, (buch/roman/film/artikel/studie/vortrag/
        ausstellung/vorlesung/doku) … (über/zu/zum/von) … (islam/buddhismus/mönch*/judentum/
        christentum/nonne*/papst/religion/luther/juden), (besucht*/besichtigt*/fotografier*) …
        (kirche/dom/moschee/synagoge/kloster/tempel), religiös auf (tests/ordnung), pilgerpfad,
        (bete/beten) dass, lieber beten, feuertaufe, taufrisch, messe (in/frankfurt/hannover/
        leipzig), orthodoxe methode*, christian*, christina, christine, (museum/ausstellung/
        galerie) … (buddhistisch*/christlich*/islamisch*/jüdisch*), (buddhistische/christliche/
        islamische/jüdische) (kunst/musik/architektur)
        """,
    ),
    SensitiveArea.POLITICS: Wording(
        tells="""
        (wähl*/wählt*/gewählt/stimm*/gestimmt) … (spd/cdu/csu/afd/fdp/bsw/linke/linken/grüne/
        grünen/piraten/volt/partei/öv/spö/övp/fpö/neos/svp/links/rechts/bundestagswahl*/
        landtagswahl*), (spd/cdu/csu/afd/fdp/bsw/spö/övp/fpö/neos/svp), (spd/cdu/csu/afd/fdp)
        (mitglied/wähler*/anhänger*), (die/der/den/bei den/für die) (grünen/linken) … (mitglied/
        kandid*/stadtrat/bundestag/landtag/gewählt/aktiv/beigetreten/partei), (mitglied/kandid*/
        aktiv/engagier*/eingetreten/beigetreten/wahlkampf/sympathisier*/spende*/unterstütz*) …
        (grünen/linken/partei/gewerkschaft/verdi/metall), parteimitglied*, partei* (beigetreten/
        ausgetreten/eingetreten), gewerkschaft*, ig metall, ver di, verdi, betriebsrat,
        (kandidiert/kandidiere) (für/bei), (konservativ*/liberal*) (eingestellt/gesinnt/
        wähler*), (ist/bin/als/überzeugt*/überzeugte*) (konservativ*/sozialist*/kommunist*/
        marxist*/anarchist*/monarchist*/sozialdemokrat*/libertär*/feminist*/nationalist*/
        linksradikal*/rechtsradikal*/links/rechts), links außen, rechtsextrem*, linksextrem*,
        politisch*, demo (gegen/für), (demonstrier*/demonstriert*/protestier*/kundgebung/
        streikt*/gestreikt) … (gegen/für/krieg/regierung/klima), auf (der/die/eine/einer) demo,
        (gegen/für) die (regierung/impfpflicht/rentenreform/schuldenbremse/atomkraft/
        wehrpflicht/vermögenssteuer), fridays for future, letzte generation, (merkel/scholz/
        merz/habeck/weidel/baerbock/söder/wagenknecht/trump) … (gut/schlecht/unterstütz*/wähl*/
        toll), wahlkampf, (findet/finde/finden) … (regierung/kanzler*/partei), querdenker*,
        reichsbürger*, pegida, (gegen/für) … (demonstriert/demonstrieren/protestiert/gestreikt/
        auf die straße), (links/rechts) (eingestellt/wähl*/orientiert), (ist/bin/war) in der
        (spd/cdu/csu/afd/fdp/linken/gewerkschaft/partei), (engagiert/aktiv/mitglied) … (grünen/
        linken), (hält nichts/hält viel) von (der regierung/den grünen/der ampel), streik
        (teilgenommen/beteiligt), streikt, generalstreik, (merz/scholz/trump/putin/söder/habeck)
        … (gut/toll/furchtbar/schlimm/nicht leiden/nicht ausstehen), (ampel/regierung) …
        (schlecht/gut/unfähig/furchtbar), bürgerinitiative, wahlhelfer*, (gegen/für) …
        (zuwanderung/migration/abtreibung/atomkraft/kapitalismus), (volt/piraten/
        tierschutzpartei/werteunion/bsw) … gewählt, (letzten/nächsten) wahl … gewählt,
        sozialdemokrat*, christdemokrat*, (hält/halte) … (regierung/ampel/kanzler*/minister*/
        politiker*) für, unterschriften … (gegen/für), unterschriftenaktion, (gemeinderat/
        stadtrat/kreistag/landtag/bundestag) … (sitzt/mitglied/für die), (sitzt/sitze) …
        (gemeinderat/stadtrat/kreistag/landtag/bundestag), volksbegehren, streikt, warnstreik,
        klimastreik, ortsverein, ortsverband, jusos, junge union, (reiche/steuern) … (sollten/
        sollen/müssen) … (besteuert/höher/zahlen/abgeschafft), (sollte/gehört) … (abgeschafft/
        verboten/verstaatlicht), aktivist*, (einwander*/einwanderung/flüchtling*/abtreibung/
        asyl*/bürgergeld/kernkraft) … (sollte*/soll/müss*/muss/gehört/dürf*), (findet/finde/
        meint) … (einwander*/flüchtlinge/asyl*/steuern/abtreibung), für den (stadtrat/landtag/
        bundestag/gemeinderat/kreistag)
        """,
        seems="""
        politikwissenschaft*, politiklehrer*, büropolitik, die party, abgestimmt … (name*/film/
        logo/restaurant), (grüne/grünen) (wand/wände/tee/bohnen/daumen/wiese/hose/augen), union
        berlin, europäische union, parteiverkehr, (buch/roman/film/artikel/studie/doku/vortrag)
        … (über/zu/zur/von) … (partei*/wahl/gewerkschaft*/revolution/sozialist*/politik*/
        merkel), konservativ* (schätzung/geschätzt/kalkul*/gekleidet), links (neben/von/vom/
        oben/unten), rechts (neben/von/vom/oben/unten), wahlpflichtfach, politische* (bildung/
        geografie/karte), gegenüber vom (landtag/bundestag)
        """,
    ),
    SensitiveArea.SEXUALITY: Wording(
        tells="""
        schwul, schwule, schwuler, schwulen, lesbisch*, lesbe, bisexuell*, homosexuell*,
        heterosexuell*, pansexuell*, asexuell*, demisexuell*, (ist/bin/als/sind) (bi/queer/
        hetero/homo/trans/intersexuell/intergeschlechtlich), queer*, lgbt*, transgender*,
        transsexuell*, trans (mann/frau/junge/mädchen/person), transmann, transfrau,
        nichtbinär*, non binär*, nonbinary, genderfluid, geoutet, outet*, outen, coming out,
        sexuell*, geschlechtsidentität, geschlechtsangleich*, geschlechtsanpass*,
        hormontherapie, sexleben, *sex, (hat/haben/habe/hatte) … (sex/affäre), affäre,
        seitensprung, geschlechtsverkehr, (steht/stehe/stehen) auf … (männer/frauen/jungs/
        mädchen), (datet/date/liebt/liebe) … (männer/frauen), (fühlt/fühle) … (männern/frauen) …
        hingezogen, polyamor*, offene* (beziehung/ehe), fetisch*, bdsm, porno*, libido,
        impoten*, potenz*, viagra, verhüt*, kondom*, (nimmt/nehme) die pille, jungfrau … noch,
        grindr, eingetragene lebenspartnerschaft, geschlechtskrankheit*, (ihre frau/sein mann),
        (ist/bin) auf (männer/frauen), mit (männern/frauen) … (schlaf*/sex), (seinem mann/seinen
        mann) , (ihrer frau) … (verheiratet/zusammen), lustlos im bett, (im bett) läuft,
        fremdgegangen, fremdgeht, geht fremd, bordell, onlyfans, orgasm*, menstru*, pronomen,
        (heimliche/heimlich) … (beziehung/affäre/verhältnis), verhältnis mit, betrügt … (frau/
        mann/freundin/freund), betrogen, (verliebt) in (einen mann/eine frau), (ihre frau/mit
        ihrer frau/seinem mann/seinen mann), sex, dreier, one night stand, eisprung, periode
        (ist/schmerz*/bleibt)
        """,
        seems="""
        (buch/roman/film/artikel/studie/doku/vortrag/ausstellung/serie/seminar) … (über/zu/zur/
        von) … (*sexualität/*sexuell*/schwul*/queer*/lesb*), geschichte der homosexualität,
        sternzeichen jungfrau, schwül, ungeschlechtlich*, pronomen im (deutsch*/satz),
        reflexivpronomen
        """,
    ),
    SensitiveArea.FINANCES: Wording(
        tells="""
        gehalt, gehalts*, monatsgehalt, jahresgehalt, (verdient/verdiene/verdienen/bekommt/
        bekomme/bezieht/erhält) … <money>, <money> (brutto/netto/im monat/im jahr/monatlich/pro
        monat/pro jahr), brutto, netto, einkommen*, lohn, stundenlohn, nettolohn, schulden,
        verschuldet*, überschuldet*, (schuldet/schulde/schulden) … (<money>/bank/finanzamt),
        kredit, kredite, *kredit, darlehen, *darlehen, bafög, hypothek*, *insolvenz, insolvent,
        pleite, offenbarungseid, (überzogen/überzieh*) … konto, konto … (überzogen/minus/leer/
        gepfändet), im minus, dispo, dispokredit*, schufa*, erspar*, gespart*, sparbuch,
        sparkonto, tagesgeld*, festgeld*, bausparv*, kontostand, <money> … (auf dem konto/
        angelegt/gespart/geerbt/rücklagen/sparbuch/depot), geerbt, erbschaft, erbe von, erbt,
        vermögen von, (großes/kein) vermögen, depot … (aktien/etf*), aktien, etf, etfs,
        bitcoin*, krypto*, bürgergeld, hartz*, arbeitslosengeld, sozialhilfe, grundsicherung,
        wohngeld, kindergeld, elterngeld, (alg), unterhalt (für/von/zahlt/zahlen),
        unterhaltszahlung*, rente von, (kleine/magere) rente, (kann/können) … (miete/raten/
        rechnung*/rate) … nicht … (zahlen/bezahlen/leisten/begleichen), mietrückst*, miete …
        (rückstand/schuldig), steuererstattung, steuerschuld*, steuernachzahlung, (verzockt/
        verspielt), lotto gewonnen, lohnpfändung, gepfändet, gerichtsvollzieher, inkasso*,
        geldsorgen, finanziell*, millionär*, ratenzahlung, (zahlt/zahle/zahlen) … (kredit/raten)
        … ab, abbezahl*, leasingrate, boni, bonus von, rente, pension, <money> (rente/pension/
        gehalt/schulden/erspart/unterhalt), miete … nicht … (bezahlen/zahlen/leisten),
        (verloren/gewonnen) … <money>, <money> … (verloren/verzockt/verspielt/gewonnen),
        millionen … geerbt, knapp bei kasse, reich geerbt, minijob, mindestlohn,
        zwangsversteigerung, (steuern) … (hinterzogen/nachzahlen/schuldig), kreditkarte …
        (limit/überzogen/schulden), (verdient/verdiene) (gut/schlecht/wenig/viel), (pokern/
        poker/casino/wetten/spielautomat*) … (verloren/geld), (ganzes/gesamtes) geld (verloren/
        in), (leiht/leihe/geliehen) … (<money>/geld), (geld) (fehlt/knapp/reicht nicht),
        zurückzahlen, (zurück) … <money> … (eltern/bank), umgeschuldet, gehaltserhöhung,
        gehaltsabrechnung, abfindung, (krankengeld/elterngeld/unterhaltsvorschuss), autokredit*,
        hauskredit*, (auf) raten, (stottert/stottere) … ab, taschengeld für mich, spielsucht,
        spielschulden, erbe, (tausend/<money>) … (fonds/angelegt/konto/depot), fonds, lebt von
        (<money>/seinem/ihrem/der), mietschulden, nebenkosten nicht
        """,
        seems="""
        technische schulden, (firma/unternehmen/staat/stadt/land) … (schulden/kredit*/einkommen/
        umsatz/insolvenz*), (gehalts*/kredit*/konto*) (app/rechner/tabelle/spalte/modul),
        gehaltsrechner, kreditrechner, gespart … (zeit/speicher), zeitersparnis, (buch/roman/
        film/artikel/studie/vortrag) … (über/zu/zur/von) … (schulden/insolvenz*/kredit*/
        bitcoin*/aktien), abspannkredit, (arbeitet/arbeite) … (kreditabteilung/gehaltsabteilung/
        inkasso*/lohnbuchhaltung), lohnt, pleitegeier, netto (markt/filiale/supermarkt), bei
        netto, verdient (vertrauen/anerkennung/respekt/lob/eine pause), <money> … (kostet/
        gekostet), rente (reform/debatte), rentenreform, erbe (der menschheit/des projekts),
        welterbe, kulturerbe
        """,
    ),
    SensitiveArea.MINORS: Wording(
        tells="""
        <18> jahre* alt*, <18> monate alt*, <18> wochen alt*, <18> jährig*, (einjährig*/
        zweijährig*/dreijährig*/vierjährig*/fünfjährig*/sechsjährig*/siebenjährig*/achtjährig*/
        neunjährig*/zehnjährig*/elfjährig*/zwölfjährig*/dreizehnjährig*/vierzehnjährig*/
        fünfzehnjährig*/sechzehnjährig*/siebzehnjährig*), (sohn/tochter/kind/junge/mädchen/
        enkel/enkelin/neffe/nichte/zwillinge/kinder/jüngste*/älteste*/bruder/schwester/großer/
        große/kleiner/kleine) … (ist/sind/wird/werden/wurde/war) … <18> , (sohn/tochter/kind/
        junge/mädchen/enkel/enkelin/neffe/nichte/zwillinge/kinder/jüngste*/älteste*/stiefsohn/
        stieftochter/geschwister/bruder/schwester/söhne/töchter/enkelkinder) … (schule/
        grundschule/*schule/kita/kindergarten/krippe/klasse/eingeschult/einschulung/hort/
        tagesmutter/gymnasium/hausaufgaben/babysitter/lehrerin/lehrer/schulranzen/windeln/
        spielplatz/kinderarzt*/schnuller/schulkind/ferienlager), (schule/kita/kindergarten/
        krippe/klasse/hort/gymnasium/grundschule) … (sohn/tochter/kinder/enkel*/nichte/neffe/
        zwillinge) , (unser/mein/ihr/sein/das/dem/ein/deren) baby, babys, säugling*,
        neugeboren*, kleinkind*, (meine/unsere/ihre/seine/die/den/zwei/drei/kleine/kleinen/
        beiden) kinder … (noch klein/schlafen/spielen/haben angst/kita/schule), kleine* (kinder/
        kind/tochter/sohn), minderjährig*, teenager*, pflegekind*, schulkind*, kinderarzt*,
        kinderärzt*, eingeschult, einschulung, kitaplatz, sorgerecht, stillt, gestillt,
        elternabend, krabbelgruppe, in der <18> klasse, <comma> <18> <comma>, (die/der/unsere/
        unser/meine/mein) (kleine/kleiner/kleinste/kleinster/jüngste/jüngster) (ist/hat/lernt/
        geht/kann/schläft/zahnt/wird/kommt/spricht/krabbelt), (sohn/tochter/enkel/enkelin/neffe/
        nichte/jüngste/jüngster) <comma> <18>, (zwei/drei/vier/kleine) (kleine/) kinder,
        (krabbelt/zahnt), schulpflichtig*, abitur macht, pubertät, (tochter/sohn) … (abitur/
        pubertät/schulwechsel/klassenfahrt/führerschein mit 17), (ist/wird/wurde) <18> (und/
        geworden/am/im), (wird/wurde) … <18> (jahre/), babysitter*, (die/unsere/meine/seine/
        ihre) kleinen (in/um/schlafen/spielen), krippe, (in der) (1a/1b/2a/2b/3a/3b/4a/4b/5a/5b/
        6a/6b/7a/7b/8a/8b), (sohn/tochter/enkel*) … (<18> klasse/klasse <18>/abi), milchzahn,
        (zahnfee/schulranzen/kindergeburtstag/pausenbrot/schulbus/klassenfahrt/taschengeld/
        wickeln/töpfchen), (erst/gerade) <18> (jahre/geworden), (jungs/mädels/mädchen/kinder/
        söhne/töchter/zwei) sind <18> und <18>, (vom unterricht/von der schule) …
        (ausgeschlossen/suspendiert/verwiesen), baby bekommen
        """,
        seems="""
        als (kind/jugendliche*/baby/teenager/mädchen/junge/kleinkind), kinderspiel, kinderbuch*,
        kinderbücher*, kinderlied*, kindskopf, kinderkrankheit*, (ist/bin/als/wird/war) (…)
        (grundschullehrer*/erzieher*/lehrer*/kinderarzt/kinderärztin), (hund/katze/kater/auto/
        haus/firma/wagen/laptop/handy/fahrrad/pferd/welpe/whisky/projekt/server/wein/hase) …
        <18> (jahre/monate/wochen/jahr/monat), baby schritte, babyblau, (arbeitet/arbeite/
        unterrichtet/unterrichte/lehrt) … (schule/*schule/kita/kindergarten/gymnasium),
        kinderzimmer als büro, (vor/seit/nach) <18> (jahren/monaten), in den kinderschuhen,
        erwartet … (kind/baby), (es/uhr/seite/punkt/kapitel) … ist <18> (und/am), ist <18> (und)
        <18>, (wohnt/hausnummer/nummer/zimmer/gleis) … <18>, (quellcode/code/gesetz/brücke/
        tradition/system/baum) … <18> (jahre/monate)
        """,
    ),
}
