"""Italian words of the sensitive areas; `wordings` explains the notation."""

from memoryapp.policy.sensitivity.areas import SensitiveArea
from memoryapp.policy.sensitivity.wordings import Wording

ITALIAN = {
    SensitiveArea.HEALTH: Wording(
        tells="""
        diagnos*, allergi*, intolleran*, asma*, diabet*, insulina, epiless*, epilettic*,
        emicrani*, cancro, tumore, tumori, leucemi*, chemio*, radioterapi*, dialisi, artrit*,
        artros*, reumati*, sclerosi, parkinson, alzheimer, demenza, autis*, adhd, dislessi*,
        asperger, crohn, colite, celiac*, celiachi*, senza glutine, lattosio, epatite, hiv,
        aids, sieropositiv*, covid, polmonite, bronchite, anemi*, ansia, ansios*, attacch* di
        panico, depress*, antidepress*, bipolare, schizofreni*, burnout, anoressi*, bulimi*,
        disturb* (alimentar*/bipolar*/d/dell/del/di/mentale), suicid*, psichiatr*, psicoterap*,
        psicolog*, (in/una/la/fa/faccio) terapia, riabilitazione, alcolist*, alcolizzat*,
        tossicodipenden*, dipendenza da, incinta, gravidanza, aborto, abortito, sterilità,
        menopausa, endometriosi, infarto, ictus, ipertes*, ipertension*, pressione (alta/bassa),
        colesterolo, pacemaker, cardiopati*, trapiant*, amputa*, sedia a rotelle, carrozzina,
        disabil*, invalid*, paraliz*, paraplegi*, sord*, (è/sono/diventat*) (cieco/cieca),
        apparecchio acustico, ernia, (rotto/rotta/fratturat*) … (gamba/braccio/femore/polso/
        caviglia/anca/piede/crociato/costola), frattura*, (operat*/operazione/intervento) … (al/
        alla/ai/alle/chirurgico/cuore/ginocchio/anca/schiena), ricoverat*, ricovero, (in/all/
        dall) ospedale, farmac*, medicin* … (prend*/giorno), (prend*/assume/assumo) … (pillol*/
        compress*/antibiotic*/cortison*/gocce/psicofarmac*/pastigli*), antibiotic*, cortison*,
        ansiolitic*, anticoagulant*, betabloccant*, malattia, malattie, malato, malata,
        ammalat*, soffr* di, affett* da, cronic*, sindrome, infezion*, sintom*, insonnia,
        insonne, eczema, psoriasi, fibromialgia, tiroid*, sciatica, scoliosi, gruppo sanguigno,
        positiv* al, febbre, mal di (schiena/testa/pancia), cardiolog*, oncolog*, neurolog*,
        ginecolog*, in mutua, morbo di, apnee, gastrite, reflusso, trombosi, aspett* (un/una/il/
        due/dei) (bambino/bambina/figlio/figlia/bimbo/bimba/gemelli), (quasi/è/diventato/
        diventata/nato/nata) (cieco/cieca), ipoved*, non vedente, non udente, (fa/fanno) male
        (la/il/le/i) , fisioterap*, calcoli, obes*, sovrappeso, vaccinat*, stampelle, gesso al,
        protesi, esaurimento nervoso, crisi (di panico/epilettica/ipertensiva), cure palliative,
        medico … (detto/prescritt*/trovato), disintossic*, nervos* esaurimento, herpes,
        orticaria, acufene, glicemia, menisco, (evitare/senza/poco) (il/) (sale/glutine), (reni/
        fegato/tiroide/colon/prostata/utero/retina), (smesso/smettere) di (bere/fumare/
        drogarsi), (non sento/non sente/sento male), ricadut* … (bere/droga/malattia),
        (dimentica/scorda) (tutto/i nomi/le cose), (dorme/dormo) (male/poco), non dormo, coma,
        terapia intensiva, biopsia, risonanza, tac, cesareo, (medico/dottore/ortopedico/
        dottoressa) … (dice/vieta/consiglia/prescri*), (porta/mette) (gli occhiali/l
        apparecchio), carenza di (ferro/vitamina*), distorsione, commozione cerebrale, tremor*,
        (caduta/cadut*) … ospedale, carie, colica, (non tollera/non tollero/non digerisce/non
        digerisco), orticaria, sfogo, nausea, vomit*, radiografia, ecografia, analisi del
        sangue, esami del sangue, dermatolog*, urolog*, cortisone, stent
        """,
        seems="""
        malat* di (calcio/lavoro/nostalgia/gelosia/protagonismo/moto), (lavora/lavoro/lavorano/
        tirocinio/volontariato) … (ospedale/ospedali/psichiatria/farmacia/oncologia/clinica),
        (è/sono/come/da/diventat*/fa) (un/una/lo/la/il/) (psichiatra/psicologo/psicologa/
        psicoterapeuta/cardiolog*/oncolog*/neurolog*/ginecolog*/farmacista), (libro/saggio/
        romanzo/film/articolo/tesi/documentario/serie/mostra) … (su/sul/sulla/sulle/sull/di) …
        (cancro/depressione/malatti*/demenza/autismo/epilessia/psichiatria/dipendenz*/
        gravidanza/medicina), (server/guasto/bug/rete/stampante/motore) … diagnos*, diagnos* …
        (guasto/bug/rete/server), febbre del sabato, febbre dell oro, allergic* (alle riunioni/
        ai lunedì/al lavoro), sordo alle, medicina legale, studia medicina, farmacia, pillola
        rossa, (dispositivi) medici, prende la pillola, prendo la pillola, allergic* alle
        (riunioni/lunghe)
        """,
    ),
    SensitiveArea.RELIGION: Wording(
        tells="""
        cattolic*, protestant*, evangelic*, ortodoss*, cristian*, battist*, valdes*, mormon*,
        testimon* di geova, geova, musulman*, islam, islamic*, sunnit*, sciit*, ebre*, ebraic*,
        ebraismo, hindu*, induis*, buddis*, buddhis*, sikh, ate*, ateo, atea, agnostic*,
        religios*, credente, credenti, non credente, devot*, praticante, battezzat*, battesimo,
        (mi sono/si è/è) convertit*, convertit* (al/all), prima comunione, cresima, (a/alla)
        messa … (domenic*/ogni/va/vado/andiamo), (va/vado/andiamo/vanno) (sempre/spesso/) (a/
        alla) messa, (va/vado/andiamo) in (chiesa/moschea/sinagoga), preg*, prega, preghier*,
        rosario, ramadan, quaresima, shabbat, sabato ebraico, kosher, halal, velo … (porta/
        indossa/fede), porta il velo, hijab, cred* … in (dio/gesù/allah), (credo/crede/crediamo)
        … dio, (perso/perduto/ritrovato) la fede, fede (cristiana/cattolica/islamica), sbattez*,
        parrocchi*, legge (la bibbia/il corano), corano, bibbia, imam, rabbino, coro della
        chiesa, pellegrin*, catechis*, (è/diventat*/fa il/sono) (prete/suora/frate/monaco/
        monaca/sacerdote/pastore), oratorio, confess* … (prete/peccat*), (famiglia/cresciut*) …
        (cattolic*/religios*/ebrea/musulman*), fede, battezz*, hanukkah, chanukkah, pesach,
        diwali, yom kippur, (non mangia/non mangiamo) (carne il venerdì/maiale), oratorio,
        omelia, predica, altarino, reincarnazione, digiun*, spiritual*, teolog*, padrino,
        madrina, sacerdot*, parroco, gruppo di preghiera, scout cattolici, motivi religiosi
        """,
        seems="""
        grazie a dio, per l amor di dio, (libro/romanzo/film/articolo/tesi/mostra/documentario/
        saggio/corso) … (su/sul/sulla/sull/di/del) … (papa/islam/buddismo/monac*/frat*/ebraismo/
        religion*/cristian*/ebre*), (visitat*/vist*/fotografat*) … (chiesa/duomo/cattedrale/
        moschea/sinagoga/monastero/tempio/battistero), cristiano (ronaldo/rossi/è/ha), cristiana
        (è/ha/lavora), religiosamente, prego, atelier, atene, preg* di (rispondere/inviare),
        prega di, ortodosso nel codice, ore pregiat*, pregi, pregio, (museo/mostra/galleria) …
        (buddist*/cristian*/islamic*/ebraic*), (arte/musica/architettura) (buddista/cristiana/
        islamica/ebraica/sacra)
        """,
    ),
    SensitiveArea.POLITICS: Wording(
        tells="""
        (vota/voto/votato/votano/voterà/votiamo/voterò/voti) … (pd/partito/lega/fratelli/forza/
        movimento/cinque/5 stelle/sinistra/destra/verdi/radicali/renzi/meloni/salvini/conte/
        schlein/referendum/elezioni/no/sì/azione), partito (democratico/comunista/socialista/
        radicale/liberale/politico), (iscritt*/tesserat*/milita/milito/militant*/attivist*/
        simpatizzant*) … (partito/pd/lega/cgil/cisl/uil/sindacato/movimento/rifondazione/verdi/
        radicali/fratelli/azione/usb), cgil, cisl, uil, sindacat*, sindacalist*, leghist*,
        grillin*, piddin*, fratelli d italia, forza italia, rifondazione, movimento 5 stelle,
        (è/sono/si definisce/convint*/un/una) (comunist*/socialist*/anarchic*/fascist*/
        monarchic*/liberale/conservator*/progressist*/femminist*/nazionalist*/sovranist*/
        marxist*), (comunist*/socialist*/anarchic*/fascist*/conservator*/monarchic*/liberale)
        convint*, (è/sono/sempre/estrema/centro) (di/) (destra/sinistra) (da/convint*/moderat*),
        di (destra/sinistra) da, di (estrema/centro) (destra/sinistra), estrema (destra/
        sinistra), centrosinistra, centrodestra, politicamente, (idee/opinion*/convinzion*/
        attivist*/militanza) politic*, manifestazion* (contro/per/di), (manifestat*/protest*/
        scioper*/corteo) … (contro/per/governo/riforma/guerra/clima), corteo, (si candida/mi
        candido/candidat*) … (comunali/regionali/politiche/sindaco/elezioni/consigliere/
        parlamento/europee/lista), (contro/favorevole/contrari*) … (governo/immigrazione/aborto/
        eutanasia/nucleare/ponte sullo stretto/premierato/autonomia differenziata), no vax, no
        tav, consigliere comunale, (era/erano/siamo/eravamo) (comunist*/socialist*/fascist*/
        democristian*/anarchic*/di sinistra/di destra), sciopero (generale/per/contro),
        (partecipat*/scioperat*/andat*) … (sciopero/corteo/manifestazione), (contro/odia/stima/
        ammira/detesta/sostiene/appoggia) … (meloni/salvini/schlein/renzi/conte/berlusconi/
        trump/putin/governo), consigliere (comunale/regionale), raccolta firme (contro/per),
        firmato … petizione, (è stato/è stata/sono stato/fu) (socialista/comunista/fascista/
        democristiano/anarchico) , (pensa/penso/ritiene/crede/trova) … (governo/ministro/
        sindaco/politici/premier/partiti) … (incapace/corrott*/ladri/dimett*/male/bene),
        scioper*, (raccogl*/raccolta) … firme, firme (contro/per), (delegat*/rappresentante)
        sindacal*, rsu, (tasse/ricchi/immigrati/migranti/frontiere) … (dovrebbe*/devono/vanno),
        (andrebbe/va) (abolit*/vietat*), attivist*, consigliera comunale, assessor*, lega,
        azione … votat*, votat* azione, (immigrazione/immigrati/profughi/aborto/nucleare/asilo)
        … (ridurre/ridott*/fermare/bisogna/vietare), (bisogna/occorre) … (immigrazione/tasse/
        confini/aborto), (candida/candido) … (consiglio/comune/regione/camera/senato), tessera
        del (partito/pd/sindacato)
        """,
        seems="""
        scienze politiche, partita, (a/alla/sulla/della) destra (della/del/di/dell), (a/alla)
        sinistra (della/del/di/dell), votat* (il/la) (film/nome/logo/miglior/ristorante), voto
        (alto/di/dell/in), (libro/romanzo/film/articolo/tesi/saggio/documentario) … (su/sul/
        sulla/sui/di/del) … (partito/sindacat*/elezioni/fascis*/comunis*/politic*/anarchi*),
        unione europea, stima conservativa, conservatorio, candidat* … (posto/lavoro/master/
        borsa), mano (destra/sinistra), lega (a/il/la/le/di/pro/serie/calcio), in lega
        """,
    ),
    SensitiveArea.SEXUALITY: Wording(
        tells="""
        gay, lesbic*, bisessual*, omosessual*, eterosessual*, pansessual*, asessual*, (è/sono/
        come) (bi/queer/etero/trans/intersessuale), queer, lgbt*, transgender, transessual*,
        (uomo/donna/ragazzo/ragazza/persona) trans, non binari*, gender fluid, genderfluid,
        coming out, (si è/mi sono) dichiarat*, orientamento sessuale, identità di genere,
        (transizione) di genere, terapia ormonale, (inizi*/cominci*) la transizione, vita
        sessuale, (rapporti/rapporto/desiderio/abitudini/relazioni) sessual*, sessual*, sesso,
        fa sesso, a letto, attratt* … (da/dagli/dalle/dai) … (uomini/donne/ragazzi/ragazze),
        (piacciono/preferisc*/frequenta) … (uomini/donne/ragazzi/ragazze), (un/una/sua/avuto)
        (amante), relazione extraconiugale, tradi* … (marito/moglie), poliamor*, (coppia/
        relazione) aperta, feticis*, bdsm, porno*, libido, impoten*, viagra, contraccett*,
        (prende/prendo) la pillola, preservativ*, vergine, grindr, unione civile, malatti*
        venere*, (le/gli/mi) piacciono … (le donne/gli uomini/le ragazze/i ragazzi), (suo marito
        e lui/sua moglie e lei), tradito, tradisce, escort, scambist*, orgasm*, (relazione/
        storia) segreta, (ha/ho) un (amante/amico segreto), pronomi, (sua moglie … lesbica),
        prende la pillola, contraccezione, ciclo (mestruale/in ritardo), ovulazione, (con sua
        moglie) … lei , innamorat* di (un uomo/una donna/un ragazzo/una ragazza)
        """,
        seems="""
        (libro/romanzo/film/articolo/tesi/saggio/documentario/corso/festival/mostra) … (su/sul/
        sulla/sulle/sui/di/sull) … (sessual*/omosessual*/gay/queer/lesbic*/transessual*), olio
        extra vergine, extravergine, olio vergine, lana vergine, segno della vergine, della
        vergine, transizione (al/alla/ecologica/energetica/digitale/verso), sesto, sessanta,
        (colazione/a) letto (presto/tardi/alle), a letto (presto/tardi/alle/con un libro),
        riproduzione asessuata, pronomi (in/della/del/personali)
        """,
    ),
    SensitiveArea.FINANCES: Wording(
        tells="""
        stipendio, stipendi, (guadagn*/percepisc*/prend*/riceve/ricevo) … <money>, <money> … (al
        mese/l anno/all anno/netti/lordi/di risparmi/di debiti/da parte/sul conto/mensili),
        reddito, redditi, ral, busta paga, risparm* (di/da/per), risparmi, (messo/mettere/messi)
        da parte, debito, debiti, indebitat*, (deve/devo/dobbiamo/devono) … <money>, prestito,
        prestiti, mutuo, mutui, ipoteca, rata, rate … (mutuo/auto/prestito/paga*), fallimento
        personale, bancarotta, insolven*, (conto/corrente) … (rosso/scoperto/vuoto/pignorat*),
        conto corrente, saldo del conto, in rosso, pignora*, cessione del quinto, carta di
        credito … (limite/bloccata/debito), ereditato, ereditat*, eredità, patrimonio, investi*
        … (<money>/azioni/fondi/bitcoin/btp/criptovalut*/etf), azioni … (di/possiede/compr*/ha),
        bitcoin, criptovalut*, btp, pensione di, percepisce … pensione, reddito di cittadinanza,
        disoccupazione, assegno (di mantenimento/unico/sociale), naspi, cassa integrazione,
        isee, (non riesc*/non poss*/fatic*) … (pagare/arrivare a fine mese/affitto/bollette),
        arretrat* … (affitto/rate), affitto arretrato, morosit*, moros*, tasse … (arretrat*/
        deve/devo/debito), cartella esattoriale, rimborso irpef, (perso/vinto) … <money>, gioco
        d azzardo, al verde, problemi (economici/finanziari/di soldi), difficoltà (economiche/
        finanziarie), situazione (economica/finanziaria), milionari*, fine mese, tredicesima,
        (perso/vinto/giocato) … (slot/casinò/scommesse/poker), <money> … (slot/casinò/
        scommesse), pien* di debiti, guadagn* (bene/poco/molto), sussidio, stipendi*, caparra
        persa, sfratt*, usura, usuraio, fine del mese, (compr*/ha) … (btp/azioni/bitcoin),
        cartell* (equitalia/esattorial*), (pagando/paga/pago/pagare) … rate, rate (della/del/
        dell), (soldi/denaro) … (poker/casinò/slot/scommesse), (soldi) (non bastano/finiti/
        contati), (presta*) … <money>, (restituire) … (<money>/soldi), liquidazione di, tfr,
        aumento di stipendio, ludopat*, affitto … (non/arretrat*/stipendio), (mila/<money>) …
        (fondo/fondi/conto/libretto/azioni), fondo (pensione/comune/di investimento), in un
        fondo, libretto postale, vive di rendita
        """,
        seems="""
        debito tecnico, (azienda/società/ditta/stato/governo/comune) … (debit*/fatturato/
        reddit*/prestit*/stipend*), (risparm*) … (tempo/memoria/spazio/energia), (libro/romanzo/
        film/articolo/tesi/saggio) … (su/sul/sulla/sui/di) … (debit*/mutui/bitcoin/povertà),
        (app/calcolatore/tabella/colonna/modulo) … (stipendi/mutui/mutuo/debiti/spese/redditi),
        in prestito … (biblioteca/libro), (biblioteca/libro) … in prestito, ereditat* (il/la/un)
        (progetto/codice/codebase/ricetta/gatto/pianta/bug), ereditarietà, patrimonio (dell
        umanità/artistico/culturale/unesco), (lavora/lavoro) … (ufficio mutui/ufficio prestiti/
        banca), divano al verde, (guadagnat*) (la/il/tempo/fiducia)
        """,
    ),
    SensitiveArea.MINORS: Wording(
        tells="""
        (figlio/figlia/figli/bambin*/nipot*/nipotin*/gemell*/ragazz*/fratell*/sorell*/
        primogenit*/maggiore/minore/piccol*) … (ha/hanno/compie/compiono/di/aveva/avrà/fa/fanno)
        … <18> (anni/mesi/anno/settimane/mese), (figlio/figlia/figli/figlie/bambin*/nipot*/
        nipotin*/gemell*/sorellina/fratellino/piccolo/piccola) … (scuola/elementare/elementari/
        asilo/nido/materna/medie/media/classe/maestra/maestre/liceo/compiti/pediatra/babysitter/
        tata/ciuccio/pannolin*/prima superiore/gita scolastica/doposcuola/grest), (asilo/scuola/
        elementari/nido) … (figlio/figlia/figli/bambin*/nipot*/gemell*), (la/il/mia/mio/nostra/
        nostro/sua/suo/loro/una/un/i/le) (bambina/bambino/bambine/bambini/bimba/bimbo/bimbi/
        bimbe/neonat*/nipotin*), neonat*, (nipotin*/figliolett*/fratellino/sorellina), (figli/
        figlio/figlia) (piccol*/minorenn*/adolescent*), (piccol*) figli*, minorenn*,
        adolescent*, quindicenne, sedicenne, diciassettenne, quattordicenne, tredicenne,
        dodicenne, undicenne, decenne, (treenne/quattrenne/seienne/novenne/ottenne/settenne),
        affido, affidament* … (figli/figlio/figlia/minor*/condiviso), allatt*, svezzamento,
        pediatra, passeggino, <18> mesi di vita, <comma> <18> (anni/mesi/) <comma>, (due/tre/
        quattro/dei) (bambini/bambine/bimbi), (figli/bambini) piccoli, (primo/secondo/terzo)
        (anno di liceo/liceo), (prima/seconda/terza/quarta/quinta) (elementare/media), gattona,
        pannolin*, (dorme/piange) … (bambin*/neonat*), (ha/hanno/compie/compiono/compirà/avrà)
        <18> (anni/mesi/anno/settimane), baby sitter, babysitter, (i/dei/ai) piccoli (a/al/all/
        dormono), asilo nido, (al) nido, (prima/seconda/terza/quarta/quinta) (a/b/c/d) ,
        paghetta, dentino, compleanno di mio figlio, recita scolastica, <18> anni appena
        compiuti, hanno <18> e <18> (anni/mesi), (sospes*/espuls*) da scuola, (tredicenn*/
        quindicenn*/dodicenn*/quattordicenn*/diciassettenn*), (avuto/avere/avremo) un (bambino/
        bimbo/figlio)
        """,
        seems="""
        da (bambino/bambina/piccol*/ragazz*/adolescente/bambini), gioco da (ragazzi/bambini),
        libr* per (bambini/ragazzi/l infanzia), (cane/gatto/gatta/auto/macchina/cavallo/azienda/
        casa/cucciolo/vino/portatile/telefono/bici/progetto/server/startup/moto/coniglio) … <18>
        (anni/mesi/anno/mese/settimane), (maestra/maestro/insegnante/insegna/lavora) … (scuola/
        elementar*/asilo/materna/nido/liceo/medie), passi da bambino, (scriv*/illustr*/tradu*/
        canzoni/teatro/storie/giochi/ospedale) … per (i/) bambini, <18> anni fa, da <18> anni,
        scuola di (ballo/lingue/danza/cucina/nuoto), aspett* (un/una/il/due/dei) (bambino/
        bambina/figlio/figlia/bimbo/bimba/gemelli), (lavoro/azienda/esperienza) … ha <18> anni,
        nidi di, asilo politico, (garanzia/contratto/mutuo/albero/palazzo/edificio/software/
        sistema/libro/film/negozio) … <18> (anni/mesi), (codice/legge/ponte/tradizione/sistema/
        server) ha <18> (anni/mesi)
        """,
    ),
}
