"""French words and patterns of the built-in reader. Pure."""

import re

from memoryapp.reader.languages.asking import FRENCH as ASKING
from memoryapp.reader.languages.french_notes import NOTES
from memoryapp.reader.languages.french_person import CLOSE, KIN, agrees, narrate
from memoryapp.reader.languages.french_slots import BESIDE, KEYS, SLOTS
from memoryapp.reader.languages.language import Language
from memoryapp.reader.languages.plans import FRENCH as PLANS
from memoryapp.reader.languages.pronouns import FRENCH as REFERRING
from memoryapp.reader.languages.romance_gender import FRENCH as FEMININE
from memoryapp.reader.languages.topics import topics_of

#: What somebody aims at: no request to an assistant begins so.
_AIMS = (
    r"apprendre|étudier|courir|voyager|visiter|(?:me |m'|nous )?(?:déménager|installer|marier|"
    r"mettre (?:au|à la)|remettre|inscrire|lancer)|changer de|arrêter (?:de|la|le)|maigrir|perdre|"
    r"économiser|m'acheter|acheter (?:une maison|un appart\w*)|ouvrir|monter (?:ma|mon|une)|fonder|"
    r"adopter|devenir|avoir (?:un enfant|des enfants|un chien|un chat|un potager)|travailler|vivre|"
    r"partir|passer (?:le|mon)|finir|publier|participer|lire plus|dormir|faire (?:un|une|le|la) "
    r"(?:marathon|semi\w*|voyage|formation|tour)"
)

_NO_PARTICIPLE = (
    r"(?!(?:une?|le|la|les|des|du|de|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|vingt|trente|"
    r"quarante|à|au|aux|en|dans|chez|très|plus|mon|ma|mes|son|sa|ses|envie|jolie?|"
    r"lundi|mardi|mercredi|jeudi|vendredi|samedi)\b)"
)

FRENCH = Language(
    name="french",
    user="L'utilisateur",
    first_person=frozenset("je j me m moi nous mon ma mes notre nos".split()),
    subjects=frozenset("je j on nous me m mon ma mes notre nos".split()),
    pronouns=frozenset("je j on nous".split()),
    # No German word for every: "je nach Wetter".
    own_pronoun=r"je(?= (?!nach\b|mehr\b|desto\b|kilo\b))|j'(?=\w)",
    owners=frozenset("mon ma mes notre nos".split()),
    owner_within=3,
    no_subject=re.compile(
        r"(?:pour|comme|qui|sans|presque|(?:mon|ma|mes) (?:textes?|tableaux?|codes?|fichiers?|"
        r"documents?|mails?|phrases?|listes?|titres?|scripts?|rapports?|exposés?|dissertations?|"
        r"devoirs?|présentations?|questions?|réponses?|messages?|brouillons?|paragraphes?))\b",
        re.IGNORECASE,
    ),
    question=re.compile(
        r"(?:qui|que|qu'|quoi|quel|quelle|quels|quelles|quand|où|pourquoi|comment|combien|est-ce|"
        r"peux-tu|pouvez-vous|pourrais-tu|puis-je|sais-tu|as-tu|es-tu|y a-t-il)(?!\w)",
        re.IGNORECASE,
    ),
    request=re.compile(
        r"\b(?:s'il te plaît|s'il vous plaît|stp|peux-tu|tu peux|pouvez-vous|vous "
        r"pouvez|pourrais-tu|dis-moi|"
        r"montre-moi|aide-moi|explique-moi|donne-moi|j'ai besoin|je cherche|"
        rf"je voudrais(?! (?:bien )?(?:{_AIMS})\b)|"
        r"je veux (?:une?|des|deux|trois|cinq|dix|que|savoir)|"
        r"j'aimerais "
        r"(?:que|savoir|un|une)|je me demande|je ne comprends pas|"
        r"je ne sais (?:pas|plus|jamais) (?:(?:par|à|avec|de|pour) )?(?:quoi|comment|si|quel\w*|"
        r"où|quand|pourquoi|que|qui|"
        r"combien)|j'obtiens|je parlais|"
        r"j'essaie|merci|"
        r"j'ai (?:une (?:question|demande)|un (?:doute|problème|souci))|(?:il (?:ne )?)?faut|"
        r"je (?:ne )?me (?:souviens|rappelle) (?:pas|plus|jamais)|je n'ai pas le temps|"
        r"je n'arrive pas|je vais (?:essayer|voir|réfléchir))\b",
        re.IGNORECASE,
    ),
    asking=ASKING,
    hypothetical=re.compile(
        r"\b(?:je (?:plaisantais|rigolais|blaguais)|c'était une blague|je voulais dire|peut-être|"
        r"probablement|pourrais|devrais|voudrais|imagine|supposons|"
        r"j'espère|je crois|"
        r"je pense|serais|aurais|ferais|sans doute|j'ai rêvé|l'un l'autre|"
        rf"(?!(?:aimerais|adorerais|souhaiterais) (?:bien |beaucoup |trop |vraiment )?"
        rf"(?:{_AIMS})\b)\w{{2,20}}erais)\b",
        re.IGNORECASE,
    ),
    conditional=re.compile(r"\b(?<!\bpas )(?<!\bsavoir )(?:si|s'il|s'ils)\b", re.IGNORECASE),
    addressing=re.compile(
        r"\b(?:tu|te|t'|toi|ton|ta|tes|(?<!rendez-)vous|votre|vos)(?!\w)", re.IGNORECASE
    ),
    task=re.compile(
        r"(?:(?:peux-tu|pourrais-tu|bonjour|ok),? ){0,3}(?:écris|réécris|traduis|résume|corrige|"
        r"complète|continue|crée|invente|analyse|imagine|fais comme|tu es un|voici)\b",
        re.IGNORECASE,
    ),
    opener=re.compile(
        r"(?:"
        r"(?:je (?:me permets|tiens|souhaite(?:rais)?|voudrais|voulais|dois|veux|(?:vous|te) prie)|"
        r"permett(?:ez|s)-moi|permets-moi|j'aimerais|veuillez)(?: de| d'| à)?\s?(?:bien vouloir )?"
        r"(?:vous |te |me |t')?(?:dire|préciser|signaler|informer|indiquer|noter|rappeler|avertir|"
        r"prévenir|confirmer|présenter|ajouter|(?:faire )?savoir|prendre (?:bonne )?note)"
        r"(?: (?:du fait )?que\s|\s(?:du fait )?qu'|\s?:\s)|"
        r"(?:j'ai un (?:souci|problème)(?=,? (?:mon|ma|mes|je|j'|on|notre)\s)|je (?:vous |"
        r"t')(?:écris|contacte) (?:car|parce que|puisque)|ch(?:er|ère) assistante?|"
        r"euh|hum|bon|du coup|bref|voilà|genre|enfin|"
        r"(?:(?:je|on) (?:voulais|voulait|voudrais|tenais à) (?:te|vous) dire|sache|sachez|"
        r"figure-toi|il faut savoir|pour info(?:rmation)?|petite précision) (?:que|:)|salut|"
        r"(?:je (?:te|vous) (?:dis(?: tout)?|explique|raconte|résume)|(?:le )?contexte)\s?(?=:)|"
        r"(?:très )?(?:bonne|mauvaise|grande|super) nouvelle|"
        r"pour info(?:rmation)?|au passage|sinon|perso(?:nnellement)?|"
        r"(?:le truc(?:,? c'est)?|il se trouve|faut (?:dire|savoir)) que|"
        r"bonjour|hello|hey|bjr|slt|re|pardon|désolée?|oups|bonsoir|coucou|oui|non|ben|bah|alors|"
        r"ah|oh|et|mais|ok|d'accord|merci|"
        r"au fait|d'ailleurs|en fait|franchement|bien sûr|exactement|malheureusement|heureusement|"
        r"tu sais|donc|(?:petite|une) (?:correction|nouvelle)(?=\s?:)|"
        r"(?:maintenant )?en français(?=\s?:)|"
        r"(?:je (?:me suis|m'étais) trompée?|j'ai fait une erreur|erreur de ma part)"
        r"(?: (?:avant|hier|plus haut|tout à l'heure))?(?=\s?[:,.]))\s?(?:[,:!.…]|\s[-–—])?\s+|"
        r"(?:c'est (?:faux|une erreur|inexact)|ce n'est pas (?:vrai|exact|ça))"
        r"\s?(?:[,;:!.…]|\s[-–—])\s+)",
        re.IGNORECASE,
    ),
    pointer=re.compile(
        r"(?:\b(?:ça|cela|ceci|il(?! y a)|elle|ils|elles|là|c'est|c'était|ce (?:sont|qui|que)|"
        # "On" is the speaker with theirs only behind verbs that people in general have not.
        r"(?<=')on|on(?! (?:(?:ne |n')?(?:(?!\w{1,12}[eidvur]rait|dis|sav|fais)\w{1,14}ait|"
        r"a (?:notre|nos|une?|deux|trois|quatre|cinq|\d{1,2}|pas|"
        r"plus|"
        r"toujours|eu|\w{2,15}(?:é|i|u|is|it))|vit|habite|signe|\w{2,12}ra|part|roule|déménage|"
        r"voyage|loue|vient|"
        r"va (?!(?:dire|voir|y|faire|commencer|essayer)\b)\w+|adopte|attend|élève|achète|vend|"
        r"passe (?!par\b|à\b)|organise|accueille|héberge|récupère|"
        r"garde|tient|travaille|reste|rentre|emménage|construit|rénove|"
        r"est (?!d'accord\b|loin\b|bien\b)\w+|fait (?:du|de la|de l'|des))|"
        r"se (?:marie|sépare|pacse|lance|prépare)|s'(?:est|installe|occupe)|"
        r"(?:m'|nous )(?:a|ont) (?!(?:dit|raconté|demandé|conseillé|recommandé|parlé|assuré|"
        r"expliqué|répondu|appris)\b)\w+)\b))(?!\w))",
        re.IGNORECASE,
    ),
    personal=frozenset("il elle ils elles".split()),
    referring=REFERRING,
    referring_within=(),
    places=frozenset(["là"]),
    clause=re.compile(r"(?:,|;|\s[-–—])\s?|\s(?=(?:et|mais|car|parce|donc)\s)", re.IGNORECASE),
    joint=re.compile(
        r",? (?:et|mais) |; (?:(?:et|mais) )?|, (?=(?:du coup |maintenant |désormais |"
        r"aujourd'hui )?(?:j'|(?:je|on|nous|ils?|elles?|mon|ma|mes|notre|nos)\s))",
        re.IGNORECASE,
    ),
    dependent=re.compile(
        r"\b(?:que|qu|parce|quand|lorsque|pendant que|tandis|si|qui|dont|où|puisque|car|"
        r"aussi|non plus|même|tous les deux|toutes les deux|dit|disent|pense|croit|sait|puis|alors|"
        r"là-bas|ainsi)\b",
        re.IGNORECASE,
    ),
    agrees=agrees,
    having=re.compile(
        r"\b(?:j'(?:ai|avais)|nous avons|nous avions|on a|on avait)"
        r"(?: (?:aussi|adopté|eu|maintenant|encore)){0,2} une? (?:[\w'-]{2,15} ){0,3}$"
    ),
    copulas=frozenset("est sont était étaient a ont avait".split()),
    reminder=re.compile(
        r"(?:souviens-toi|rappelle-toi|n'oublie pas|retiens|note|garde en tête)(?: bien)?"
        r"(?: (?:que\b|qu')|[:,])\s?",
        re.IGNORECASE,
    ),
    taste=re.compile(
        r"(?:j['’](?:aime|adore)|je (?:n['’]aime|préfère|déteste|hais|"
        r"ne (?:mange|bois|fume|supporte|tolère|digère)))"
        r"(?: (?:pas|jamais|plus|vraiment|beaucoup|bien))*"
        r" (?!ce\b|cet|ces\b|ça\b|que\b|quand\b|comment\b|si\b|t[aeo]n?s?\b|vo[st])\w",
        re.IGNORECASE,
    ),
    standing_wish=re.compile(
        r"(?:réponds|réponds-moi|écris|écris-moi|parle|parle-moi|utilise|appelle-moi) "
        r"(?:[^.!?]{0,40}\b)?"
        r"(?:toujours|jamais|désormais|dorénavant|à l'avenir|à partir de maintenant)\b|"
        r"(?:tutoie|vouvoie|tutoyez|vouvoyez)[- ]moi\b|ne me (?:tutoie|vouvoie|tutoyez|"
        r"vouvoyez) (?:pas|"
        r"plus)\b|(?:arrête|arrêtez|évite|évitez) (?:de |d')"
        r"(?:mettre|utiliser|employer|m'appeler|répondre|écrire|me (?:répondre|parler|vouvoyer|"
        r"tutoyer))\b|"
        r"n'utilise (?:jamais|plus)\b|ne (?:me |m')\w{3,15} (?:plus|jamais)\b|"
        r"(?:appelle-moi (?-i:[A-ZÀÂÇÉÈÊËÎÏÔÙÛ])\w*|désormais|dorénavant|à l'avenir|"
        r"à partir de maintenant)\b",
        re.IGNORECASE,
    ),
    standing=re.compile(
        r"(?:je suis|nous sommes|on est|je n'ai jamais été) "
        r"(?!(?:si|trop|très|ici|là|prête?|sûre?|fatiguée?|"
        r"heureu\w+|triste|contente?|perdue?|curieu\w+|inquiète|inquiet|d'accord|désolée?|en|à|au|"
        r"aux|dans|avec|sur|pour|pas|juste|un peu|bien|ravie?|chez|"
        r"impressionnée?)\b)(?:une? )?\w{4}|"
        r"(?:j'ai|nous avons|on a) (?:une?|deux|trois|quatre|cinq|\d{1,3}) "
        r"(?!(?:questions?|problèmes?|idées?|erreurs?|doutes?|demandes?|moments?|minutes?|"
        r"heures?|service|listes?|fichiers?|textes?|tâches?|peu)\b)|"
        r"(?:je |j'|nous |on )(?:me |m'|nous |se |s')?(?:vis seule?|collectionn|enseign|"
        r"appren(?:d|on)|étudi|"
        r"jou\w{1,3} (?:du|de la|au)\b|parl\w{1,3} (?!d[eu']|à\b)|roul|condui|boss|travaill|"
        r"marche avec|port\w{1,3} (?:des|un|une)\b|cultiv|élèv|tricot|dirig|gèr|souffr|pratiqu|"
        r"ti(?:en|ens|enne)\w* une?\b|entraîn|emmèn|emmen|fai\w{1,4} (?:du|de la)\b|"
        r"dor[st]\w{0,3} (?:mal|peu|le|la)\b|digèr|partag\w+ (?:une?|mon|ma|le|la|notre)\b|"
        r"entend\w* (?:mal|(?:pas|plus|peu)\b)|"
        r"suis (?:en (?:arrêt|congé)|au chômage|à la retraite))|"
        r"(?:(?:petite?|enfant|jeune|ado|adolescente?|étudiante?|gamine?), )?"
        r"(?:j'habitais|je (?:vivais|travaillais))\b|"
        r"je lis (?:surtout|beaucoup|toujours|souvent) \w|j'ai horreur d(?:e|u|es|') ?\w|"
        r"j'ai (?:(?:très|trop|toujours) )?peur d(?:e|u|es|"
        r"') ?(?!toi\b|me\b|ne\b)|"
        r"(?:je viens|nous venons|on vient) d(?:e |')(?!(?:voir|lire|essayer|tester|comprendre|"
        r"remarquer|penser|copier|écrire|envoyer)\b)\w+ (?:mon|ma|mes|une?|le|la|l'|à|chez|en|au)|"
        r"(?:j'ai|je fais|je souffre) (?:d(?:u|e la|es|e|') ?|l(?:e|a|')? ?|une? |\w{2,12} )?"
        r"(?:dyslexie|dyslexique|tdah|asthme|diabète|hypertension|arthrose|arthrite|migraines?|"
        r"anxiété|dépression|épilepsie|vertiges?|allergies?|cancer|autisme|lupus|anémie|"
        r"cholestérol|"
        r"insomnies?|reflux|hernie|sciatique|scoliose|fibromyalgie|maladie cœliaque|"
        r"endométriose)\b|"
        # What somebody aims at, and habits.
        r"(?:j'(?:aimerais|adorerais)|je (?:veux|souhaite|rêve de|rêve d'|compte|prévois de|pense)|"
        r"on (?:veut|aimerait)|nous voulons|(?:mon|notre) (?:rêve|objectif|but) est d(?:e |'))"
        rf"(?: ?(?:bien|beaucoup|trop|vraiment))? ?(?:{_AIMS})\b(?! (?:c(?:e|et|ette|es)|"
        rf"le (?:script|"
        r"code|texte|programme))\b)|"
        r"(?:je (?:n')?|j'|on (?:n')?|nous )(?:ne )?(?:me |m'|nous |se |s')?"
        r"(?:\w{3,12} (?:toujours|jamais|souvent|rarement|d'habitude) \w|"
        r"\w{3,12} (?:[\w'-]{1,20} ){0,6}?(?:(?:tous|toutes) les "
        r"(?:jours|nuits|semaines|matins|soirs|mois|ans|\w{4,9}s)|chaque (?:jour|nuit|semaine|"
        r"matin|"
        r"soir|mois|année|\w{4,9})|(?:une|deux|trois|quatre|\d) fois par \w{2,8})\b)|"
        r"je n'(?:entends) (?:pas|plus)|je ne (?:vois|dors) (?:pas|plus) |"
        r"(?:je n'ai|nous n'avons|on n'a) (?:pas|plus|jamais eu) (?:de |d'|le |la |l'|les )"
        r"(?!(?:temps|idées?|envie|besoin|réponses?|choix|accès|erreurs?|problèmes?|questions?|"
        r"fichiers?|textes?|codes?|moyen|droit|impression|air)\b)|"
        r"(?:je |j')(?:\w+ ){1,8}depuis (?:toujours|(?:mon|l')enfance|(?:\w+ ){1,2}(?:ans?|mois)\b|"
        r"(?:19|20)\d\d)|"
        r"(?:j'ai|nous avons|on a) (?:raté|réussi|perdu|gagné|acheté|vendu|adopté|changé de|quitté|"
        r"arrêté|obtenu|appris à|accouché|divorcé|rompu|épousé|hérité|loué) "
        r"(?!(?:[lc]es?|la|cette|une?|du|mon|ma|mes|tout|mes|de|des) (?:fichiers?|textes?|codes?|"
        r"mails?|messages?|titres?|documents?|mots?|erreurs?|problèmes?|temps|fil|réponses?)\b)",
        re.IGNORECASE,
    ),
    feelings=frozenset(
        "super génial beau belle heureux heureuse content contente triste merci cool incroyable "
        "magnifique parfait bien mieux fatigué fatiguée".split()
    ),
    hedges=frozenset("crois pense trucs choses quelque peut".split()),
    lasting=frozenset(
        "habite vis travaille étudie né née grandi marié mariée déménagé acheté "
        "commencé décidé ai joue "
        "j'ai j'habite apprends j'apprends allergique végétarien végétarienne préfère "
        "déteste aime adore "
        "j'adore toujours jamais chaque tous ans prends vais appelle dirige entraîne "
        "arrêté réussi gagné "
        "intolérant veut pars études suis peur bois".split()
    ),
    kin=frozenset(KIN),
    past=re.compile(
        # "J'ai un petit frère", "est à Paris": what follows an article is no participle.
        rf"(?:\bj'ai|\bje n'ai pas|\bje (?:me )?suis|\bnous avons|\bnous nous sommes|"
        rf"\bs'est|\ba|\best)\s"
        rf"(?:{_NO_PARTICIPLE}\w+\s){{0,2}}{_NO_PARTICIPLE}\w{{2,20}}"
        r"(?:é|ée|és|ées|i|ie|u|ue|is|it|eu|ait)\b|"
        r"\best morte?\b|\b(?:ai|a|avons|ont) eu\b|\b(?:j'étais|j'avais|était|avait)\b",
        re.IGNORECASE,
    ),
    future=re.compile(
        r"\b(?:(?:vais|allons|va|vont) (?:\w{1,3} )?\w{2,20}(?:er|ir|re)|"
        r"pris rendez-vous|est (?:annulé|reporté|déplacé|décalé|prévu|fixé|confirmé)e?|"
        r"(?!vrai\b|serai[st]\b)\w{2,20}(?:rai|rons|ront|ra))\b",
        re.IGNORECASE,
    ),
    preference=re.compile(
        r"\b(?:j'aime|je n'aime pas|j'adore|je préfère|je déteste|préférée?s?|j'ai horreur|"
        r"je ne bois pas|"
        r"je ne mange pas|passionnée?)\b",
        re.IGNORECASE,
    ),
    decision=re.compile(
        r"\b(?:j'ai décidé|nous avons décidé|j'ai choisi|j'ai accepté)\b", re.IGNORECASE
    ),
    relationship=re.compile(
        r"\b(?:mon|ma|mes|notre|nos) (?:" + "|".join(CLOSE) + r") "
        r"(?:est|s'appelle|vit|habite|travaille)\b|\b(?:mariée?s?|fiancée?s?|divorcée?s?)\b",
        re.IGNORECASE,
    ),
    topics=topics_of("french", KIN),
    plans=PLANS,
    notes=NOTES,
    slots=SLOTS,
    keys=KEYS,
    beside=BESIDE,
    present=re.compile(
        r"\b(?:nous \w{2,20}ons|pars|part|partons|commence|vais|va|rentre|reprends|dois|est|ai|"
        r"passe|vient|viennent|arrive|arrivent)\b",
        re.IGNORECASE,
    ),
    narrate=narrate,
    feminine=FEMININE,
    leading=re.compile(
        r"(?:(?:finalement|au final|actuellement|en ce moment|pour l'instant|normalement|souvent|"
        r"parfois|d'habitude|le reste d(?:u temps|e la semaine)|les autres jours|le (?:matin|"
        r"soir|week-?end)|"
        r"(?:avec|depuis|pendant|après|avant|malgré|chez|dans|à cause d\w{1,2}|suite à|grâce à)"
        r"(?! (?:quoi|qui|quel\w{0,3}|que|combien)\b)(?: [\w'-]{1,20}){1,6}?),? )"
        r"(?=(?:j'|(?:je|on|nous|mon|ma|mes|notre|nos)\b))",
        re.IGNORECASE,
    ),
    formerly=re.compile(
        r"(?:avant(?! (?:de|que|le|la|les|mon|ma|mes)\b)|autrefois|auparavant|dans le temps)\b,?\s",
        re.IGNORECASE,
    ),
    asked_wish=re.compile(
        r"(?:(?:est-ce que )?(?:tu (?:peux|pourrais)|vous (?:pouvez|pourriez))|peux-tu|pourrais-tu|"
        r"pouvez-vous|pourriez-vous),? (?:s'il (?:te|vous) plaît,? |stp,? )?(?:ne (?:plus|jamais) "
        r"\w|(?:toujours|désormais|dorénavant|à l'avenir|à partir de maintenant),? \w|(?:me |m')?"
        r"\w{3,14}(?:er|ir|re) (?:[\w']{1,20} ){0,6}?(?:toujours|désormais|dorénavant|à l'avenir|"
        r"à partir de maintenant)\b)",
        re.IGNORECASE,
    ),
    passing=re.compile(
        r"(?:(?:aujourd'hui|là),? )?(?:je suis|on est|nous sommes|je me sens) (?:(?:très|trop|"
        r"un peu|si|"
        r"super|vraiment|déjà|tellement) ){0,2}(?:fatigué|épuisé|crevé|triste|content|heureu|"
        r"énervé|"
        r"stressé|perdu|prêt|sûr|bloqué|dégoûté|débordé|claqué)\w{0,3}\b|"
        r"(?:j'ai|on a) (?:\w{2,6} )?(?:faim|sommeil|soif|froid|chaud|la flemme|"
        r"la gueule de bois)\b|"
        r"(?:je suis|on est) (?:(?:là|actuellement) )?(?:à|au|dans|en) ?(?:la |le |l'|"
        r"un )?(?:aéroport|"
        r"gare|supermarché|magasin|train|bus|voiture|cuisine|bain|réunion|resto|restaurant|bar|"
        r"plage|"
        r"parc)\b|"
        r"(?:j'ai|il (?:me )?reste|on a) (?:juste |que )?(?:[\w']{1,12} ){1,8}(?:au|"
        r"dans le) (?:frigo|"
        r"placard|congélo)\w*\b",
        re.IGNORECASE,
    ),
    unresolved=re.compile(
        # People get to know each other; the other is not told.
        r"\bs'est (?:rencontr|conn)[ée]?u?e?s?\b(?! avec\b)|"
        r"\b(?:je|j|me|m|moi|mon|ma|mes|notre|nos|nous|hier|aujourd'hui|demain|"
        r"(?<!petit )dernier|(?<!petite )dernière|"
        r"prochain|prochaine|tu|ton|ta|il y a|ça|c'est)\b",
        re.IGNORECASE,
    ),
)
