"""Vocabulary of French. Pure."""

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
    "le la les l un une des du de d je j me m moi mon ma mes nous notre nos tu te t toi ton ta "
    "tes vous votre vos il elle ils elles on lui leur leurs son sa ses se s y en qui que quoi "
    "qu quel quelle quels quelles lequel laquelle quand où comment pourquoi combien si et ou "
    "mais ni ne n pas à au aux dans par pour avec sans sur sous entre chez vers depuis est "
    "suis es sommes êtes sont était étais étaient être été ai as a avons avez ont avait avais "
    "avoir peux peut puis pouvez pourrais dois doit ce c ça cela cet cette ces ici là plus "
    "aussi encore déjà très bien comme".split()
)
_MONTHS = (
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
).split()
_WEEKDAYS = "lundi mardi mercredi jeudi vendredi samedi dimanche".split()
_PARTS = "matin soir".split()
_CARDINALS = cardinals(
    "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize "
    "dix-sept dix-huit dix-neuf vingt trente quarante cinquante soixante soixante-dix/septante "
    "quatre-vingts/octante/huitante quatre-vingt-dix/nonante cent mille million/millions"
)

_TIMES = TimeWords(
    word=re.compile(r"(?i:aujourd['’]hui|week-end)|[^\W\d_]{1,7}['’](?=\w)|[^\W_]+"),
    days={"avant-hier": -2, "hier": -1, "aujourd'hui": 0, "demain": 1, "ce matin": 0, "ce soir": 0}
    | {"cet après midi": 0, "après demain": 2, "avant hier": -2}
    | {f"hier {part}": -1 for part in _PARTS}
    | {f"demain {part}": 1 for part in _PARTS},
    units={
        word: unit
        for unit, words in {
            "day": "jour jours",
            "week": "semaine semaines",
            "weekend": "week-end weekend",
            "month": "mois",
            "year": "an ans année années",
        }.items()
        for word in words.split()
    },
    seasons={"printemps": 0, "été": 1, "automne": 2, "hiver": 3},
    parts_of_day=parts_of_day("matin matins matinée|midi||soir soirs soirée soirées|nuit nuits"),
    approximate=frozenset("environ presque".split()),
    after_hour=frozenset("h heures".split()),
    part_written=part_phrases("au matin|à midi|dans l'après-midi|au soir|dans la nuit"),
    midnight="minuit",
    weekdays={day: number for number, day in enumerate(_WEEKDAYS)},
    months={month: number for number, month in enumerate(_MONTHS, 1)},
    numbers={"un": 1, "une": 1} | up_to_twelve(_CARDINALS),
    vague={"quelques": 3, "plusieurs": 4},
    last=frozenset("dernier dernière passé passée".split()),
    last_of_several=frozenset("derniers dernières".split()),
    this=frozenset("ce cet cette".split()),
    next=frozenset("prochain prochaine".split()),
    after_next=frozenset(),
    after_next_behind="",
    ago_before=("il y a",),
    ago_after=(),
    ahead_before=("dans",),
    before_weekday=frozenset([""]),
    before_month=frozenset("en depuis jusqu'en".split()),
    beginnings=frozenset("depuis dès".split()),
    openings=frozenset("dès".split()),
    targets=frozenset("à au pour jusqu'à jusqu'au jusqu'en".split()),
    before_month_asked=frozenset("en de d' depuis jusqu'en début fin mi durant".split()),
    abbreviations={"janv": 1, "févr": 2, "avr": 4, "juil": 7, "sept": 9, "oct": 10, "nov": 11}
    | {"déc": 12},
    first_day="premier",
    ordinals="er",
    date_links="de",
    month_before_day=False,
    last_day=("dernier jour",),
    lasting_before=("pendant", "durant", "pour"),
    habits=frozenset("chaque tous toutes les le".split()),
    kept=frozenset("depuis dès jusqu' avant après pour de du".split()),
    dropped=frozenset("le la l' en à au".split()),
    weeks_on={"en huit": 1, "en quinze": 2},
    articled={word: f"{word} le" for word in "depuis dès avant après pour".split()}
    | {"jusqu'": "jusqu'au", "de": "du", "à": "au"},
    range_links="au|à|jusqu['’](?:au|à)|et le",
    before_range=re.compile(r"(?:du|le)\s$", re.IGNORECASE),
    day_article="le",
    day_ending=r"(?![\w:]|[.,]\d|\s(?:h|heures?)\b)",
    days_alone=(
        r"(?:(?<=\best le )|(?<=\bsera le )|(?<=\ble )(?=\d{1,2} (?:à|vers) \d))(?P<day>\d{1,2})"
        r"(?=[.,;!?)]|$|\s(?:à|vers|avec|chez|pour|et)\b)",
        r"(?<=\bdu )(?P<day>\d{1,2})(?P<to> au )(?P<last>\d{1,2})(?=[.,;!?)]|$|\s)",
        # A day with which a clause of the speaker begins.
        r"(?<=^le )(?P<day>\d{1,2})(?=,?\s(?:j'|(?:je|on|nous|mon|ma|mes)\b))",
    ),
    numbered=frozenset("numéro numéros nombre chiffre étage favori préféré dossard".split()),
    before_digits=("le", "du", "au"),
    parts_of_month=frozenset("début mi fin mois".split()),
    conjunctions=frozenset("et ou".split()),
    before_hour=frozenset("à vers".split()),
    written={
        "range": "du {first} au {last}",
        "day": "le {day}",
        "around": "vers le {day}",
        "week": "dans la semaine du {day}",
        "weekend": "pendant le week-end du {day}",
        "month": "en {month} {year}",
        "year": "en {year}",
        "season": "{season} {year}",
    },
    month_names=_MONTHS,
    season_names=["au printemps", "à l'été", "à l'automne", "à l'hiver"],
)
_THE_FRENCH = r"(?:(?:le|la|les|mon|ma|mes|un|une) |l')?"

_TURNS = TurnWords(
    asks=words(
        r"où (?:est|sont)|où (?!(?:je|tu|il|elle|on|nous|vous|ils|elles)\b)\w+ "
        rf"{_THE_FRENCH}\w+$|où (?:je |j'|tu |on )\w+(?: maintenant| déjà)?$"
        rf"|quand (?:est|part|arrive|commence|finit|vient|ouvre|ferme) {_THE_FRENCH}\w+$"
        r"|(?:quand|où|comment|pourquoi|combien|qui) est-ce"
        r"|comment \w+|pourquoi \w+|combien \w+"
        r"|que (?:faire|\w+(?:er|ir|re))|qu'est-ce|est-ce|qu'(?:ai|as|a)-\w+"
        r"|quel(?:le)?s? (?:est|sont|était|étaient)"
        r"|quel(?:le)?s? (?!(?:belle|beau|bonheur|chance|plaisir|joie|surprise|horreur|dommage|"
        r"bonne|bon)\b)\w+ (?:[jmt]')?\w+|qui (?:est|sont|vient|habite|vit|paye|arrive|"
        r"a)(?: \w+){0,3}$|(?:à|avec|chez|de|dans|pour|sur|par|depuis|en|d') ?(?:quoi|qui|"
        r"quel(?:le)?s?|combien|quand)|c'est (?:quoi|où|qui|quand(?! même)|combien)"
        r"|(?!dit-)(?:\w+ ){0,2}(?!dit-)\w+-(?:t-)?(?:je|tu|il|elle|on|ils|elles)"
        r"|(?:avez|êtes|pouvez|savez|connaissez|voulez|pourriez|auriez)-vous"
        r"|(?:quoi|où|qui|quand|comment|pourquoi|combien)$"
    ),
    asks_if_marked=words(
        r"où|qui|que|quand|tu (?:sais|peux|as|connais)|vous (?:savez|pouvez|avez)"
    ),
    asks_indirectly=words(
        r"(?:(?:tu )?(?:peux|pourrais)(?:-tu)? me (?:dire|rappeler)|(?:dis|rappelle|montre)[- ]moi|"
        r"(?:je )?(?:voudrais|veux|aimerais) savoir|je me demande|"
        r"tu (?:sais|te souviens|te rappelles)(?: de)?|sais-tu)(?: encore)?[ ,]+"
        r"(?:ce que|ce qui|qui|quoi|quel(?:le)?s?|où|quand|comment|pourquoi|combien|si|"
        r"(?:à|avec|chez|de|dans|pour) (?:qui|quoi|quel(?:le)?s?))"
    ),
    asks_within=anywhere(
        r"qu'est-ce|que faire|puis-je|(?:je|on) peux?t?|je dois|(?:où|comment) \w+"
    ),
    verbs=anywhere(r"est|sont|suis|c'est|j'ai|ai|avons|était|sait|appelle|a"),
    relative=words(r"qui|que|dont|lequel|laquelle"),
    requests=words(
        r"(?:s'il te plaît )?(?:(?:dis|donne|fais|écris|trouve|cherche|montre|aide|propose|"
        r"recommande|conseille|explique|raconte|traduis|lis|prépare|résume|corrige)-(?:moi|"
        r"nous)(?! (?:signe|un coup))|(?:écris|rédige|traduis|résume|corrige|réécris|explique|"
        r"décris|calcule|reformule) (?:un|une|"
        r"le|la|les|ce|cet|cette|ces|ceci|cela|ça|en|comment|pourquoi|[\"'“«]\w*)"
        r"|(?:écris|rédige|traduis|résume|corrige|explique|décris) l'\w+)"
    ),
    reads=words(r"(?:traduis|corrige|résume|réécris|reformule|explique)(?:-moi)?"),
    beside=anywhere(
        r"(?:à|avec|chez|comme|dans|depuis|pour|sans|sur) (?:mon|ma|mes|notre|nos)"
        r"|(?:parce qu|puisqu|vu qu|étant donné qu|maintenant qu|bien qu)(?:e|')? ?\w+ \w+"
        r"|(?:si|comme) (?:je suis|j'ai|je ne)(?: \w+){1,2}"
        r"|(?:problème|grave|normal) (?:que|qu'|si) ?\w+|pour une? \w+ qui|désormais|dorénavant"
        r"|(?:dit|raconté|parlé|sais|savais|savais-tu|sais-tu|note[rz]?|rappelle[rz]?|souviens|"
        r"retenir|retiens|oublie|ajouter|préciser)"
        r" qu(?:e |')\w+(?: [\w']+){2}"
    ),
    changes=anywhere(
        r"maintenant|désormais|à présent|(?:ne |n')\w{1,15} plus|fini|à la place|au lieu|"
        r"chang(?:e|é|ée|és|ent|ement)|nouveaux?|nouvel|nouvelles?|repouss(?:e|é|ée|és|ées)|"
        r"report(?:é|ée|és|ées)|annul(?:é|ée|és|ées)|avanc(?:ée|és|ées)|déménag(?:e|é|ement)|"
        r"vendue?s?|arrêté|laissé tomber|quitt(?:e|é|ée)|à partir|finalement|rectification"
    ),
    not_known=words(
        r"(?:(?:je suis )?désolée?,? )?(?:mais )?"
        r"(?:je ne (?:le |la |l'|les |m'en |me )?(?:sais|connais|trouve|"
        r"souviens|rappelle) (?:pas|plus)|je n'ai (?:pas|aucune) (?:encore )?(?:d'|cette |l'|"
        r"de )?(?:information|trace|note)\w*|(?:tu|vous) ne m(?:e l'|'en )(?:as|avez) pas "
        r"(?:encore )?(?:dit|parlé))"
    ),
    comments=words(
        r"(?:cela|ça) (?:semble|a l'air)|ça me fait plaisir|quelle? (?:belle?|bon|bonne|beau) \w+"
        r"|n'hésite[sz]?|fais-moi signe|je suis là|"
        r"(?:si|quand|dès que) (?:tu me le dis|vous me le dites)"
    ),
)
_SAID_FRENCH = (
    "demandé|dit|parlé|raconté|écrit|mentionné|discuté|conseillé|recommandé|suggéré|proposé|"
    "expliqué|répondu|évoqué"
)
_RELATIVE_FRENCH = r"(\w+(?: \w+)?) (?:de |d['’])NAME"

_QUESTIONS = QuestionWords(
    now=anywhere(
        "maintenant|actuellement|actuel(?:le)?s?|en ce moment|ces jours-ci|ces temps-ci|"
        "de nos jours|récemment|dernièrement|récente?s?|à présent|encore"
    ),
    first_person=anywhere("je|j|me|m|moi|mon|ma|mes"),
    assistant_said=re.compile(
        r"\b(?:as|avais|avez|aviez)(?:[- ](?:tu|vous))? (?:\w+ )?(?:dit|conseillé|recommandé|"
        r"suggéré|proposé|expliqué|écrit|mentionné|donné|listé|décrit|raconté|répondu|cité|"
        r"indiqué)"
        r"|\b(?:t(?:on|a|es)|votre|vos) (?:conseil|réponse|suggestion|recommandation|avis)",
        re.IGNORECASE,
    ),
    intake=anywhere(
        r"mang(?:er|e|es|é|eons|ent)|boire|bois|boit|cuisin(?:er|e|es)|cuire|goûter|goûte|"
        r"(?:petit[- ])?déjeuner|dîner|souper|repas|en-cas|apéro|apéritif|desserts?|gâteaux?|"
        r"recettes?|menus?|plats?|buffet|ingrédients?|nourriture|aliments?|faim|soif|restaurants?|"
        r"barbecue|pique-nique|on me sert|"
        r"médicaments?|comprimés?|pilules?|antidouleurs?|antibiotiques?|ibuprofène|aspirine|"
        r"paracétamol|doliprane|prescri(?:re|t|te|vent)|vaccins?|anesthésie|"
        r"allergiques?|allergies?|tolère|supporte"
    ),
    talk=re.compile(
        r"\b(?:ai|as|avons|avais|avions|a-t-on|on a)(?:[- ](?:je|tu|nous))? (?:\w+ )?"
        rf"(?:{_SAID_FRENCH})\b"
        # "Qu'est-ce que Kim m'a dit ?"
        rf"|\b(?:m'|nous )(?:a|avait)(?:-t-(?:il|elle))? (?:\w+ )?(?:{_SAID_FRENCH})\b"
        r"|\b(?:m[ea]s?|mon|t[ea]s?|ton|nos|notre) (?:\w+ )?(?:questions?|réponses?|messages?|"
        r"conversations?)\b"
        r"|\bétai(?:t|ent) t(?:on|es) (?:\w+ )?(?:conseils?|suggestions?|recommandations?)\b",
        re.IGNORECASE,
    ),
    rephrasing=(
        (rf"\bdu {_RELATIVE_FRENCH}", r"de mon \1"),
        (rf"\bau {_RELATIVE_FRENCH}", r"à mon \1"),
        (rf"\bdes {_RELATIVE_FRENCH}", r"de mes \1"),
        (rf"\baux {_RELATIVE_FRENCH}", r"à mes \1"),
        # "Mon" also stands before a feminine noun that begins with a vowel.
        (rf"\b(?:le |l['’]){_RELATIVE_FRENCH}", r"mon \1"),
        (rf"\bla {_RELATIVE_FRENCH}", r"ma \1"),
        (rf"\bles {_RELATIVE_FRENCH}", r"mes \1"),
        (r"\b(?:de |d['’])NAME", "de moi"),
        (r"\b(à|chez|avec|pour|sans|sur) NAME", r"\1 moi"),
        ("NAME", "je"),
    ),
)

_SPEECH = SpeechWords(
    mine=frozen("moi je vous toi"),
    subjects=frozen("je j nous-mêmes"),
    parts=frozen(
        "intervenant intervenante personne participant participante interviewer intervieweur "
        "intervieweuse journaliste animateur animatrice invité invitée narrateur narratrice "
        "client cliente agent utilisateur utilisatrice humain assistant assistante ia système q r "
        "patient patiente médecin professeur élève voix inconnu maman papa patron patronne"
    ),
    headings=frozen(
        "note notes remarque mise correction question questions réponse réponses problème "
        "problèmes adresse mail e-mail courriel téléphone portable nom prénom métier travail "
        "profession emploi poste titre âge sexe anniversaire naissance ville domicile maison pays "
        "lieu régime allergie allergies médicament médicaments traitement loisir loisirs passion "
        "passions intérêts goûts préférence préférences contexte bio profil présentation résumé "
        "objectif objectifs but tâche tâches résultat résultats sortie entrée exemple exemples "
        "attention erreur info infos information informations détails description catégorie date "
        "heure quand où qui quoi pourquoi comment objet sujet rappel important avantage avantages "
        "inconvénient inconvénients option options étape étapes plan projet projets petit "
        "déjeuner dîner goûter matin midi après-midi soir nuit aujourd'hui hier demain "
        "week-end jour semaine mois année budget prix coût total statut version source sources "
        "lien liens fichier code compétences formation expérience langue langues fait faits idée "
        "idées santé nourriture musique sport sports voyage voyages famille animaux voiture "
        "argent école études sommeil poids taille introduction conclusion conseil règle raison "
        "raisons maintenant avant après ensuite puis actuellement enfin bref souhait souhaits "
        "bonjour salut merci désolé oui non vrai faux nationalité religion qualités défauts "
        "devise rôle symptôme symptômes ps nb rendez-vous rdv réunion vol train bus yoga cours "
        "appel fête concert café thé"
    ),
    unreal=frozen(
        "but objectif objectifs souhait souhaits plan projet projets idée idées faux exemple "
        "exemples tâche tâches rappel question questions sortie entrée résultat résultats "
        "option options sujet"
    ),
    introduces=anywhere(r"savoir|(?:sur|à propos de|de) moi|dire|mentionner|retenir"),
    disputed=anywhere(
        r"(?:mais|ce qui|et) (?:c'|ce n'|il |elle |ils )?(?:est faux|est pas vrai|"
        r"n'est pas vrai|a tort|ont tort|se trompe|se trompent|ment|mentent)"
    ),
    names=frozen(""),
    at="à",
    says=anywhere(
        r"répète|répétait|affirme|affirmait|prétend|prétendait|ajoute|insiste|jure|mentionne|crie|"
        r"(?:a|ont) (?:[^\W\d_]{1,12} )?(?:répété|affirmé|ajouté|mentionné|crié|juré)|"
        r"(?<!ceci )(?<!cela )(?<!autrement )(?<!ça )dit|disait|disent|écrit|écrivait|écrivent|"
        r"répond|répondit|m'explique|me demande|raconte|déclare|(?:a|ont) (?:[^\W\d_]{1,12} )?"
        r"(?:dit|écrit|répondu|demandé|raconté|envoyé|posté|publié|expliqué|déclaré|annoncé|avoué)"
    ),
    messages=anywhere(
        r"(?:message|texto|sms|texte|message vocal|répondeur|carte postale|carte|mot|e-?mail|"
        r"mail|courriel|lettre|réponse|commentaire|citation|"
        r"mots|bio|profil|cv|avis|récit) (?:de |du |d'|des )(?:mon|ma|mes|une?|la|le|notre|votre|"
        r"ton|ta|son|sa|(?-i:[A-ZÉÈ]\w{1,30}))"
        r"|(?:sur|dans) (?:son|sa|leur|une?|le|la) (?:répondeur|message|lettre|carte|mot|courriel)"
        r"|laissé (?:un mot|un message|une lettre|une note)"
    ),
)

_FICTION = FictionWords(
    before="alors|bon|bonjour|salut|mais|et|bref",
    headings="couplet|refrain|chapitre|prologue|scène|acte",
    begins=words(
        r"(?:faisons|on fait|jouons|commençons|on joue)\b[^.:!?]{0,20}\b(?:jeu de rôles?|scène)|"
        r"jeu de rôles?|imagine|imaginons|"
        r"(?:(?:cette nuit|hier),? )?j'ai (?:encore )?rêvé (?:que|qu'\w|de \w{2,12}r)|"
        r"(?:cette nuit,? )?j'ai fait un (?:[^\W\d_]{1,12} )?(?:rêve|cauchemar)\b|imaginez|"
        r"suppose|supposons|supposez|admettons|"
        r"mettons que|fais(?:ons)? (?:comme si|semblant)|dans (?:mon|ma|notre|le|la|l'|un|une|"
        r"cette|ce) ?(?:[^\W\d_]{1,12} )?(?:roman|histoire|rêve|cauchemar|livre|scénario|"
        r"pièce de théâtre|film|nouvelle|conte|fanfiction|scène)|"
        r"dans mon (?:[^\W\d_]{1,12} )?jeu|(?:mon|ma) (?:[^\W\d_]{1,12} )?(?:personnage|"
        r"protagoniste|narrateur|narratrice)|il était une fois"
    ),
    marvels=re.compile(
        r"imagine(?:z)? (?:ma|mon|notre|sa|son|leur|la|"
        r"le)(?: [^\W\d_]{1,14}){1,2}\s?[!.]",
        re.IGNORECASE,
    ),
    tells=anywhere(
        r"à la première personne|du point de vue d|dans la peau d|(?:persona|personnage|profil|"
        r"utilisat\w{1,5}|client|cliente|dialogue|histoire|personne|biographie) (?:de test|"
        r"d'exemple|ficti(?:fs?|ves?)|imaginaires?|inventée?s?|factices?)|tu (?:es|"
        r"joues)\b[^.:!?]{1,50}(?:,| et) (?:moi,? )?je (?:suis|joue) (?:le|la|l'|une?|ton|ta)"
    ),
    works=anywhere(
        r"paroles|chanson|couplet|refrain|poème|scénario|script|scène|chapitre|monologue|"
        r"dialogue|conte|fanfiction|prologue|journal intime|roman|(?<!mon )histoire|persona|"
        r"personnage|protagoniste|jeu de rôles?|(?:données|texte|compte) (?:de test|d'exemple)|"
        r"(?:exemple|modèle)\b.{0,20} (?:formulaire|questionnaire|exercice|champ|bot|site|"
        r"candidature)"
    ),
    leaves=words(
        r"(?:puis |quand |et )?je me (?:suis réveillée?|réveille)|(?:retour|revenons|"
        r"revenir) (?:à la (?:réalité|vraie vie)|au réel|à moi)|dans (?:la|"
        r"ma) (?:vraie vie|réalité|vie réelle)|en (?:réalité|vrai)|pour de vrai|"
        r"fin(?: (?:de l'histoire|du jeu(?: de rôles?)?|de la scène|du texte|du poème|du roman|"
        r"du conte))?(?=[.,:!)]|$)|(?:blague|plaisanterie) à part|(?:plus )?sérieusement|"
        r"trêve de|quant à moi|arrêtons (?:le jeu|de jouer)"
    ),
)

_DENIALS = DenialWords(
    denials=frozen("ne pas jamais aucun aucune rien personne sans"),
    of_one_thing=frozen("aucun aucune sans"),
    backward=frozen("pas jamais rien"),
    verbs=frozen("arrêté cessé déteste détester évite"),
    in_sense=frozen("rarement malheureusement allergique renoncé annulé refusé"),
    yet=frozen("encore"),
    enough=frozen("assez"),
    plain=r"(?:\b(?:ne|pas|aucune?|jamais)\b|\bn')",
    limits="seulement|uniquement|que",
    stress=r"(?<!pas )(?:absolument|certainement|vraiment|sûrement)|finalement|en fait|du tout|"
    r"en aucun cas|"
    r"je (?:le )?répète,? pas",
    instead=ending(r",? (?:mais|plutôt)\b"),
    untrue=ending(
        r"(?:(?:ce n'|il n'|c'|il )est (?:pas (?:vrai|exact|correct)|faux|inexact)|"
        r"(?:oublie|oubliez)(?: le fait)?) qu(?:e |')"
    ),
    never=ending(r"\bn'(?:ai|a|avait) jamais été\b"),
    am="suis",
    forms=("être est suis sont était étais été soit sois fut", "avoir ai avait avais"),
    no_longer=(
        ending(
            rf"\b(?:ne |n'){BETWEEN}\bplus\b(?! qu)"
            rf"(?! de (?:\d|(?:{'|'.join(_CARDINALS)})\b))"
        ),
    ),
    stopping=ending(r"\b(?:a|ai) (?:arrêté|cessé) (?:de\b|d')"),
)

_HOME = HomeWords(
    lives=frozen("habite vit réside"),
    where=frozen("à a au aux en"),
    tells=frozen(
        "habite habitons habiter vis vivons vivre maison appartement logement déménagé déménage "
        "déménager installé installée ville village quartier voisins ici chez loyer"
    ),
)

_JOINS = JoiningWords(
    adding=frozen("et"),
    choosing=frozen("ou"),
    opposing=frozen("mais"),
    giving_reasons=frozen("parce"),
    concluding=frozen("donc"),
)

_COMMANDS = CommandWords(
    commands=frozen(
        "réponds répondez écris écrivez traduis traduisez ignore ignorez oublie oubliez résume "
        "résumez explique expliquez montre montrez envoie envoyez supprime donne donnez parle "
        "parlez dis dites utilise utilisez crée exécute cherche"
    ),
    requests=frozen("conseille recommande suggère propose trouve cherche dis aide"),
    politely="peux[- ]tu|pourrais[- ]tu|pouvez[- ]vous|pourriez[- ]vous",
    manners=frozen(
        "réponds répondez répondre écris écrivez parle parlez appelle utilise utilisez tutoie garde"
    ),
    talk=frozen("réponds répondez parle parlez garde"),
    style=frozen("court courte brièvement simple français anglais allemand"),
    forms_of_address="appelle[- ]moi|appelez[- ]moi",
    fillers=frozen("toujours jamais s'il vous te plaît ne"),
    standing=frozen("toujours jamais chaque"),
    standing_phrases="désormais|dorénavant|à partir de maintenant",
    no_manners="mot de passe",
    question_words=frozen("qui quand où pourquoi comment quel quelle quoi"),
    asked=frozen("est sont"),
    finite=frozen("était été avait sera sont"),
    subordinating=frozen("que si quoi quand comme"),
    of_object=frozen("les des mon ma mes tout tous toutes toujours le la un"),
    prepositions=frozen("de du des avec pour par sur dans"),
    breaking_off=frozen("et"),
)

_FACTS = FactWords(
    kin=one_word_each(
        "mère|père|sœur|soeur|frère|fille|fils|mari|ami|amie|femme|copain|copine|tante|oncle|"
        "grand-mère|grand-père|chien|collègue"
    ),
    pets=frozen("chien"),
    units=frozen(
        "euro euros francs ans année années mois semaine semaines jour jours heure heures minutes"
    ),
    numbered=frozen(
        "boîte chambre facture numéro étagère chapitre page maison rue commande compte"
    ),
    measuring=frozen("pèse coûte gagne"),
    preferring=frozen("préfère préfèrent"),
    states=phrases(
        "habite à|vit à|travaille chez|travaille pour|travaille comme|s'appelle|marié à|mariée à"
    ),
    attributes=frozen(
        "nom anniversaire âge adresse métier employeur salaire loyer médecin dentiste"
    ),
    superlatives=frozen("préféré préférée actuel actuelle"),
    conjunctions=frozen("quand lorsque si parce puisque avant après"),
)

_NARRATION = NarrationWords(
    narration=frozen("utilisateur utilisatrice aime veut"),
)

FRENCH = Vocabulary(
    name="french",
    function_words=_FUNCTION_WORDS,
    own_signs=frozenset("çêëïœÇŒ"),
    first_person=frozenset("je j me m moi mon ma mes nous notre nos".split()),
    possessives=frozen("mon ma mes notre nos"),
    second_person=frozen("tu te toi ton ta tes vous votre vos"),
    third_person=frozenset("elle lui".split()),
    stating=frozenset("suis est".split()),
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
    numerals={"zéro": 0} | _CARDINALS,
)
