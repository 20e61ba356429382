"""French words of the sensitive areas; `wordings` explains the notation."""

from memoryapp.policy.sensitivity.areas import SensitiveArea
from memoryapp.policy.sensitivity.wordings import Wording

FRENCH = {
    SensitiveArea.HEALTH: Wording(
        tells="""
        diagnos*, diagnostiqu*, allerg*, intoléran*, asthm*, diabét*, diabète, insuline,
        épilep*, migrain*, cancer*, tumeur*, leucémi*, chimio*, radiothérapie, dialyse,
        arthrite, arthrose, rhumatis*, polyarthrite, sclérose, parkinson, alzheimer, démence,
        autis*, tdah, dyslexi*, asperger, crohn, colite, coeliaque, cœliaque, sans gluten,
        lactose, hépatite, vih, sida, séropositi*, covid, pneumonie, bronchite, anémi*, anxi*,
        angoisse, crise* d angoisse, (attaque*/crise*) de panique, dépress*, dépression,
        déprim*, antidépress*, bipolaire*, schizophrèn*, schizophrén*, burn out, burnout,
        anorexi*, boulimi*, troubles, suicid*, psychiatr*, psychothérap*, (chez/voit/vois) (un/
        une/le/la/son/mon) psy*, (en/suit/suis) (une/) thérapie, thérapie, rééducation,
        (désintox*), alcooli*, toxicoman*, dépendance à, enceinte, grossesse, fausse couche,
        avortement, ivg, fiv, stéril*, infertil*, ménopaus*, endométriose, infarctus, crise
        cardiaque, avc, cardiaque, hypertension, hypertendu*, tension, cholestérol, pacemaker,
        pontage, greff*, transplant*, ampu*, fauteuil roulant, handicap*, invalid*, paralys*,
        paraplég*, sourd*, malentendant*, (est/suis/devenu*) aveugle, malvoyant*, appareil
        auditif, hernie*, cassé … (jambe/bras/hanche/poignet/cheville/pied/fémur/côte),
        fractur*, opér* (de/du/des/à), opérée, (opération/chirurgie) (de/du/à/des/cardiaque),
        hospitalis*, à l hôpital, médicament*, (prend/prends/prenait) … (comprimé*/cachet*/
        antibiotique*/cortisone/pilules/gouttes/traitement), traitement (contre/pour/de), sous
        (antidépresseurs/traitement/cortisone/anticoagulants), antibiotique*, anticoagul*,
        anxiolytique*, ventoline, inhalateur, arrêt maladie, congé maladie, en arrêt, malade,
        malades, maladie*, souffr* (de/d/du), atteint* (de/d/du), chronique*, syndrome,
        infection*, symptôme*, insomni*, eczéma, psoriasis, fibromyalgie, thyroïd*, sciatique,
        scoliose, groupe sanguin, testé* positi*, fièvre, (mal au/mal de) (dos/tête),
        cardiologue, oncologue, neurologue, gynécolog*, apnée*, gastrite, phlébite, santé
        mentale, cure de, attend* (un/une/son/notre/des) (bébé/enfant/jumeaux/premier/deuxième/
        heureux), (cassé/casse) (le/la) , (presque/né/née) aveugle, fait mal (au/à la/aux/),
        kiné*, calculs rénaux, obès*, obésité, surpoids, vacciné*, béquilles, plâtre, prothèse,
        crise (de nerfs/d épilepsie), soins palliatifs, médecin … (dit/prescrit/trouvé),
        désintox*, herpès, urticaire, acouphènes, glycémie, ménisque, se scarifie, (éviter/sans/
        moins de) (le/la/) (sel/gluten), (reins/foie/thyroïde/côlon/prostate/utérus/rétine),
        (arrêté/arrêter/arrête) de (boire/fumer/se droguer), cure, (ne sens/ne sent/n entend/n
        entends) plus, rechut*, (oublie) (tout/les noms), (dors/dort) (mal/peu), coma,
        réanimation, biopsie, irm, scanner médical, césarienne, (médecin/docteur/spécialiste) …
        (dit/interdit/conseille), (porte/mets) des lunettes, appareil dentaire, carence en,
        entorse, commotion, tremblement*, carie*, colique*, (ne digère/ne tolère/ne supporte) …
        (lait/gluten/lactose), urticaire, boutons, nausée*, vomi*, radio (du/de la/des),
        échographie, prise de sang, analyse* de sang, dermato*, urolog*, prothèse de
        """,
        seems="""
        malade* de (jalousie/rire/joie/travail/foot), soyez patient*, (travaille/travaillent/
        stage/bénévole) … (hôpital/hôpitaux/psychiatrie/clinique/urgences/ehpad), (est/suis/
        comme/une/un) (psychiatre/psychothérapeute/cardiologue/oncologue/neurologue/
        gynécologue), (livre/essai/roman/film/article/thèse/documentaire/série/exposition/
        podcast) … (sur/de/du) … (cancer/dépression/maladie*/démence/autisme/épilepsie/
        addiction*/grossesse/folie/santé), (serveur/panne/réseau/imprimante/moteur/bug) …
        diagnos*, diagnos* … (panne/réseau/serveur/bug), fièvre (de l or/du samedi), allergique*
        (aux réunions/au lundi), logiciel* pour (les/) hôpitaux, tension (artistique/narrative/
        électrique/dans l équipe/entre), chronique* (de/radio/littéraire/du/sur/hebdomadaire),
        sourd* aux, test à l aveugle, à l aveugle, dégustation à l aveugle, greffon, (cassé/
        casse) (le/la) (glace/vase/fenêtre/croûte/tasse/vitre/build), plâtre (du/au plafond/des
        murs), (cure) de (détox numérique), tremblement* de terre, curé, cure dent, (prend/
        prends) la pilule, allergique* aux (longues/réunions/lundis)
        """,
    ),
    SensitiveArea.RELIGION: Wording(
        tells="""
        catholi*, protestant*, évangélique*, orthodoxe*, chrétien*, baptiste*, mormon*, témoin*
        de jéhovah, jéhovah, musulman*, islam, islamique, sunnite*, chiite*, juif*, juive*,
        judaïsme, hindou*, bouddhis*, sikh*, athée*, agnostique*, religieu*, croyant*, non
        croyant*, pieux, pieuse, pratiquant*, baptis*, baptême, (me suis/s est) converti*,
        convertie*, converti* (à/au), première communion, confirmation … église, messe, (va/
        vais/allons/vont) … (à l église/à la mosquée/à la synagogue/au temple/au culte), pri*
        (cinq/chaque/tous/dieu), prie, prier, prière*, chapelet, ramadan, carême, shabbat,
        chabbat, casher, kasher, halal, hallal, porte le (voile/foulard), voile … (porte/
        islamique), hijab, kippa, croi* … (en dieu/en jésus/en allah/dieu), (perdu/retrouvé) la
        foi, foi (catholique/chrétienne/musulmane), apostasie, débaptis*, paroiss*, (lit/lis)
        (la bible/le coran/la torah), coran, bible, torah, imam, rabbin, chorale de l église,
        pèlerin*, hadj, catéch*, (est/devenu*/suis/comme) (prêtre/curé/moine/religieuse/pasteur/
        diacre/nonne), aumôn*, scout* de france, (famille/élevé*) … (catholique/religieu*/juive/
        musulman*/protestant*), la foi, hanoucca, pessah, diwali, kippour, sermon,
        réincarnation, (fait/pratique) le jeûne, jeûner, jeûnent, spirituel*, théolog*, parrain,
        marraine, porc … (musulman*/juif*/juive*/relig*), groupe de prière, aïd, raisons
        religieuses, carte de la paroisse
        """,
        seems="""
        dieu merci, mon dieu, pour l amour de dieu, (livre/roman/film/article/thèse/exposition/
        documentaire/essai/cours) … (sur/de/du) … (pape/islam/bouddhisme/moine*/judaïsme/
        religi*/chrétien*/juif*), (visit*/vu/photographi*) … (église/cathédrale/mosquée/
        synagogue/abbaye/temple), christian (est/a/vit), religieusement, de bonne foi, prie de,
        prié de, prière de (répondre/fermer/rappeler), juillet, juin, juive errante, religieuse
        au (café/chocolat), priorit*, (appelle/prénomme) christian*, parrain (du/de la) (projet/
        promotion/startup), jeûne intermittent, (musée/exposition/galerie) … (bouddhi*/
        chrétien*/islami*/jui*), (art/musique/architecture) (bouddhi*/chrétien*/islamique/juif/
        juive/sacr*)
        """,
    ),
    SensitiveArea.POLITICS: Wording(
        tells="""
        (vote/votes/votent/voté/votons/voter/votait/voterai/votera) … (gauche/droite/macron/le
        pen/mélenchon/bardella/hollande/sarkozy/zemmour/rn/lfi/ps/lr/modem/verts/écologistes/
        blanc/socialiste/renaissance/insoumise/parti/tour/tours/élections/référendum/
        présidentielle*/législatives), (rn/lfi/rassemblement national/france insoumise/parti
        socialiste/parti communiste/les républicains/europe écologie/eelv/reconquête), (encart*/
        adhér*/milit*/militant*/membre/sympathisant*/élu*/engag*/délégué*) … (parti/rn/lfi/ps/
        lr/syndicat/cgt/cfdt/fo/sud/insoumise/républicains/verts/rassemblement/modem/
        renaissance), cgt, cfdt, syndic*, syndiqué*, syndicat, délégué* syndical*, (est/suis/un/
        une/convaincu*) (communiste/socialiste/anarchiste/fasciste/royaliste/monarchiste/
        libéral*/conservat*/féministe/nationaliste/gaulliste/marxiste/souverainiste/macroniste/
        libertaire/écolo), (communiste/socialiste/royaliste/monarchiste/gaulliste/anarchiste)
        convaincu*, (de) (gauche/droite) (depuis/convaincu*/modéré*), (est/suis/sont) (très/
        plutôt/) (de/à) (gauche/droite), extrême (gauche/droite), centriste, politiquement,
        (idées/opinions/convictions/engagement/militantisme) politique*, (manifesté/manifeste*/
        manif/manifestation*/grève/protest*) … (contre/pour/gouvernement/réforme/guerre/
        retraites), gilet* jaune*, (se présente/me présente/candidat*) … (municipales/
        législatives/élections/maire/liste/député*/conseil municipal/régionales/sénat), (contre/
        pour) … (immigration/avortement/euthanasie/peine de mort/nucléaire/réforme des
        retraites/gouvernement), conseiller* municipal*, (était/étaient/sommes) (communiste*/
        socialiste*/gaulliste*/fasciste*/anarchiste*/de gauche/de droite), grève (générale/
        contre/pour/des), (participé/participe/allé*) … (grève/manifestation/manif/marche),
        (opposé*/favorable*) … (gouvernement/réforme/immigration/avortement/peine de mort/
        macron), (déteste/admire/soutient/soutiens) … (macron/le pen/mélenchon/bardella/sarkozy/
        trump/poutine/gouvernement), signé … pétition, milit*, (trouve/pense/estime/juge/croit)
        … (gouvernement/ministre*/maire/politiciens/président) … (incapable*/corrompu*/nul*/
        mauvais/démission*/bien), (voté/vote/votes) (écologiste/socialiste/communiste/centriste/
        rn/lfi), (a été/fut) (socialiste/communiste/gaulliste/anarchiste), (dernières/
        prochaines) élections, pétition, (déléguée/délégué/représentant*) syndical*, (impôts/
        riches/immigrés/frontières) … (devrai*/doivent/faut), (devrai*) … (aboli*/interdi*),
        activiste*, conseiller* municipa*, député*, lr, ps, (immigration/immigrés/réfugiés/
        avortement/nucléaire) … (réduire/limiter/interdire/faut), (faut/faudrait) …
        (immigration/impôts/frontières/avortement), (se présente/me présente) … (conseil/mairie/
        assemblée/sénat), carte (au/du) (parti/ps/syndicat)
        """,
        seems="""
        sciences politiques, science politique, sciences po, à (gauche/droite) (de/du/des), vot*
        pour (le nom/le film/le logo/le meilleur/la photo/le restaurant), union européenne,
        (livre/roman/film/article/thèse/essai/documentaire) … (sur/de/du/des) … (parti/
        syndicat*/élection*/politique*/fascis*/communis*/anarchis*/royalistes), estimation
        conservatrice, conservat* (de musée/du patrimoine), conservatoire, candidat* … (poste/
        emploi/bourse), main (gauche/droite), partie, syndic (de/d) (copropriété/immeuble),
        syndic, milit* (de carrière/du rang), militaire*, service militaire
        """,
    ),
    SensitiveArea.SEXUALITY: Wording(
        tells="""
        gay*, gai, lesbien*, bisexuel*, homosexuel*, hétérosexuel*, pansexuel*, asexuel*, (est/
        suis/comme/sont) (bi/queer/hétéro/trans/homo/intersexe), queer, lgbt*, transgenre*,
        transsexuel*, (homme/femme/garçon/fille/personne) trans, non binaire*, genre fluide,
        coming out, sorti* du placard, orientation sexuelle, identité de genre, (changement/
        transition) de (sexe/genre), (commencé/débuté/entamé) (sa/ma) transition, traitement
        hormonal, vie sexuelle, (relations/rapports/désir/rapport/relation) sexuel*, sexuel*,
        (fait/faire/font) l amour, sexe, attiré* (par/sexuellement), (aime/préfère/fréquente/
        sort avec) … (les hommes/les femmes/des hommes/des femmes/les garçons/les filles), (a/
        ai/avait/eu) (un/une) (amant/maîtresse/liaison), liaison avec, infidèle, infidélité,
        trompe* (son/sa), polyamour*, (couple/relation) (libre/ouvert*), fétich*, bdsm, porno*,
        libido, impuissan*, viagra, contracept*, (prend/prends) la pilule, préservatif*, (est/
        encore) vierge, grindr, pacs* entre hommes, mst, ist, (aime/préfère/aiment) (les/)
        (femmes/hommes/filles/garçons), (en/un) couple (libre/ouvert), adultère, prostitu*,
        orgasm*, (relation/histoire) secrète, pronoms, contraceptif*, pilule, règles (en retard/
        douloureuses), ovulation, amoureu* d (un homme/une femme/un garçon/une fille)
        """,
        seems="""
        (livre/roman/film/article/thèse/essai/documentaire/cours/festival/exposition/série) …
        (sur/de/du/des) … (sexu*/homosexu*/gay*/queer/lesbien*/transsexu*/sexualité), huile d
        olive vierge, olive vierge, laine vierge, page vierge, signe de la vierge, transition
        (vers/écologique/énergétique/numérique), sixième, reproduction asexuée, trompe* (de/d),
        gai savoir, pronoms (personnels/en), règles du
        """,
    ),
    SensitiveArea.FINANCES: Wording(
        tells="""
        salaire, paie, paye mensuelle, fiche de paie, (gagne/gagnent/touche/touchent/perçoi*/
        perçois/gagnons/reçoit) … <money>, <money> … (par mois/par an/net/nets/brut/bruts/
        mensuels/de dettes/de côté/sur le compte/sur mon compte/d économies/d épargne), revenus,
        revenu (de/mensuel/annuel/fiscal), économies … (ses/mes/nos/leurs/de), (ses/mes/nos/
        leurs) économies, épargne*, épargné*, livret a, livret, assurance vie, (mis/mettre) de
        côté, dette, dettes, endett*, surendett*, (doi*/devons/doivent) … <money>, (doit/dois) …
        (impôts/à la banque/loyer), prêt (étudiant/immobilier/bancaire/auto/personnel/conso*),
        prêts, crédit (immobilier/auto/conso*/étudiant/revolving/de), rembours* … (crédit/prêt/
        emprunt/dette*), emprunt*, hypothèque*, faillite personnelle, insolvab*, découvert,
        (compte) … (rouge/découvert/vide/bloqué/débiteur/solde), dans le rouge, interdit*
        bancaire*, fiché*, saisie sur salaire, huissier*, hérit* … (<money>/maison/argent/
        appartement/fortune), héritage de, patrimoine de, (invest*/placé) … (<money>/bourse/
        actions/bitcoin/crypto*/fonds), (possède/acheté/détient) … actions, bitcoin,
        cryptomonnaie*, rsa, smic, smicard*, chômage … (touche/perçoit/allocation*),
        allocation*, aah, apl, caf, prime d activité, pension (alimentaire/de), retraite de
        <money>, (n arrive/n arrivons/ne peu*/peine/n arrivent) … (payer/joindre/loyer/factures/
        fin de mois), fins de mois, (retard) … loyer*, loyer* (impayé*/en retard), impayés,
        impôts … (doit/dois/retard/redressement), (perdu/gagné/joué) … <money>, loto, fauché*,
        ruiné*, (problèmes/difficultés/soucis/situation) (d argent/financi*), millionnaire*,
        bourse du crous, boursi*, (hérité) … (maison/appartement/argent/terrain/million*),
        (perdu/gagné/joué) … (casino/loto/poker/paris), criblé* de dettes, au chômage, chômage,
        gagn* (bien/mal/peu), expuls*, usurier, minima sociaux, retraite … <money>, touche …
        <money>, arriérés, (argent) … (poker/casino/paris/jeux), (argent) (manque/ne suffit
        pas), (prêt*) … <money>, (rendre) … (<money>/argent), indemnité* de, augmentation de
        salaire, à crédit, joueur compulsif, (voiture/maison) à crédit, (mille/<money>) …
        (fonds/compte/bourse/actions/livret), fonds de placement, (vit/vis) de (son/sa/ses/mon)
        (héritage/rentes/retraite/rente)
        """,
        seems="""
        dette technique, (entreprise/société/état/gouvernement/pays/mairie) … (dette*/revenus/
        salaire*/chiffre/emprunt*), (épargn*/économi*) … (temps/mémoire/espace/énergie), (livre/
        roman/film/article/thèse/essai) … (sur/de/des) … (dette*/crédit/bitcoin/pauvreté/
        argent), (appli/calculateur/table/colonne/module/logiciel) … (salaires/paie/crédits/
        dettes/dépenses), emprunt* … (bibliothèque/livre*), (bibliothèque/livre*) … emprunt*,
        hérit* (du/le/la/un/d un) (projet/code/recette/chat), héritage (multiple/de classe),
        patrimoine mondial, (travaille) … (crédits/paie), à découvert … (plaine/ciel),
        gestionnaire de paie, (à crédit) à la bibliothèque, lit … à crédit
        """,
    ),
    SensitiveArea.MINORS: Wording(
        tells="""
        (fils/fille/filles/enfant*/petit fils/petite fille/petits enfants/nièce/neveu/jumeaux/
        jumelles/garçon/frère/soeur/sœur/ado/aîné*/cadet*/benjamin*/dernier/dernière/petit*) …
        (a/ont/de/aura/avait/fête/fêtent/âgé*/d) … <18> (ans/mois/an/semaines), (fils/fille/
        filles/enfants/enfant/nièce/neveu/jumeaux/jumelles/petit/petite/petits/aîné*/cadet*/
        benjamin*/frère/soeur) … (école/maternelle/crèche/cp/ce1/ce2/cm1/cm2/collège/lycée/
        primaire/nounou/maîtresse/devoirs/pédiatre/baby sitter/garderie/couche/couches/doudou/
        tétine/colonie/assistante maternelle/cour de récré/classe), (crèche/école/maternelle/
        collège/garderie) … (fils/fille/enfants/nièce/neveu/jumeaux), (le/un/notre/mon/son/leur/
        au/du) bébé, bébé, bébés, nouveau né*, nourrisson*, (en bas âge), (mon/ma/notre/leur/
        son/sa/mes/nos/leurs/un/une) (ado/ados/adolescent*/gamin*/petit garçon/petite fille/
        bambin*), (jeunes/petits) enfants, mineur* (de/non), enfant mineur, garde (alternée/
        partagée/des enfants), allait*, pédiatre, poussette, (entre/entré/entrée/rentre) (en/au)
        (cp/ce1/maternelle/sixième/6e/crèche), (<18> ans) … (école/collège/lycée), <comma> <18>
        (ans/mois/) <comma>, (deux/trois/quatre) (jeunes/petits/) enfants, (en/au) (cp/ce1/ce2/
        cm1/cm2/sixième/cinquième/quatrième/troisième/moyenne section), (petit frère/petite
        soeur) <comma>, (marche à quatre pattes), couches, (a/ont/aura/fête/fêtent) (ses/leurs/)
        <18> (ans/mois/an/semaines), baby sitter, nounou, (les/mes/ses/nos) petits (à/dorment/
        jouent), (est/sont/entre/rentre) en (sixième/cinquième/quatrième/troisième/seconde/
        première/terminale), argent de poche, dent de lait, petite souris, (passe/prépare) le
        bac, ont <18> et <18> (ans/mois), (exclu*/renvoyé*) … (collège/école/lycée), d avoir un
        (bébé/enfant), eu un (bébé/enfant)
        """,
        seems="""
        enfant j, (étant/quand/lorsque) … (enfant/petit/petite/gamin*), jeu d enfant, livres
        pour enfants, (livres/contes/chansons/spectacle) (pour enfants/jeunesse), (chien/
        chienne/chat/chatte/voiture/cheval/entreprise/maison/chiot/vin/ordinateur/téléphone/
        vélo/projet/serveur/moto/lapin) … <18> (ans/mois/an/semaines), (est/suis/comme/
        travaille/enseigne) … (professeur/prof/institut*/maîtresse/enseignant*/éducat*/atsem) …
        (école/écoles/collège/lycée/maternelle/crèche/primaire), (travaille/enseigne) … (école/
        collège/lycée/maternelle/crèche), il y a <18> ans, depuis <18> ans, école d (ingénieur*/
        art), école de (commerce/danse/musique/cuisine), attend* (un/une/son/notre/des) (bébé/
        enfant/jumeaux/premier/deuxième), couches (de peinture/logicielles/du), (maison/voiture/
        entreprise/chien/chat/contrat/garantie/arbre/immeuble/système/livre/magasin/film) … (a/
        aura) <18> (ans/mois), (travaille/habite) … <18> ans, en première (ligne/classe/page),
        (code/loi/pont/tradition/système/serveur) a <18> (ans/mois)
        """,
    ),
}
