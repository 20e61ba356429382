"""How people tell of themselves in French notes. Pure."""

from memoryapp.language.vocabularies import VOCABULARIES
from memoryapp.reader.languages.accents import known
from memoryapp.reader.languages.french_verbs import FIRST, THIRDS
from memoryapp.reader.languages.notes import (
    Notes,
    appointments,
    clause_up_to,
    introduction,
    rules,
    spellings,
)

_THINGS = (
    (r"(?:groupe sanguin|passeport|poids|anniversaire|numéro de (?:téléphone|sécu\w*)|médecin|"
     r"permis(?: de conduire)?|tour de \w+|dentiste)", "Mon", "est"),
    (r"(?:pointure|taille(?: de \w+)?|date de naissance|langue maternelle|plaque|"
     r"carte d'identité|clé(?: \w+){0,3}?|clef(?: \w+){0,3}?|carte vitale)", "Ma", "est"),
    (r"(?:adresse)", "Mon", "est"),
    (r"(?:clés(?: \w+){0,3}?|clefs(?: \w+){0,3}?|factures|papiers|médicaments|lunettes|outils|"
     r"documents)", "Mes", "sont"),
)  # fmt: skip
_VERBS = "faite?|est|sera|a|part|était|c'est|dure|coûte|commence"
#: Whom people have an appointment with, by the article.
_PRACTICE = (
    r"(?:dentiste|médecin|docteur|généraliste|kiné|gynéco|dermato|cardio|pédiatre|psy|véto|"
    r"vétérinaire|coiffeur|notaire|banquier|podologue|cardiologue|dermatologue|gynécologue|"
    r"rhumato\w*|neuro\w*|pneumo\w*|radiologue|juge|proviseur)"
)
_PRACTICE_VOWEL = (
    r"(?:ostéo(?:pathe)?|ophtalmo(?:logue)?|orthodontiste|orthophoniste|allergologue|"
    r"endocrino\w*|oncologue|avocate?|assistante sociale|expert-comptable|orl)"
)
_PRACTICE_SHE = r"(?:sage-femme|coiffeuse|psychologue|maîtresse|pédicure)"
#: Where a relative begins a clause, or is the one for whom or with whom something is.
_BEFORE_KIN = r"(?:^|(?<=, )|(?<=\bet )|(?<=\bmais )|(?<=\bpour )|(?<=\bavec )|(?<=\bchez ))"
#: How somebody's own child or pet goes on: its name, kind, age or health.
_IS_ONE = (
    r"(?= (?:s'appelle|a \d{1,2} (?:ans|mois)|(?:c'est|est) une? (?!animal|être)|"
    r"est (?:malade|allergique|né|opéré|mort|castré|stérilisé|diabétique)))"
)
_TIMES = VOCABULARIES["french"].times
_DAY = "|".join(
    [r"(?:le|ce|cet|à partir du|du) (?!(?:docteur|dr)\b)\w+", *_TIMES.weekdays, *_TIMES.days]
)
_FIRST_CLAUSE = clause_up_to(r"(?:et|mais|car|donc) (?:je|j'\w+|on|nous|m(?:on|a|es))")
_COMPANY = r"((?:mon|ma|mes|notre|nos) [\w-]+(?: [a-z]\w+)?(?: (?-i:[A-Z])\w+)?|(?-i:[A-Z])\w+)"
#: Behind "plus" that denies, as no "more of" does.
_NO_MORE = (
    r"(?= (?:(?:v[eé]gan|végétarien|étudiant|mari[eé]|enceinte|célibataire|salari[eé]|"
    r"fumeu)\w{0,4}|"
    r"chez|à|au|aux|en|dans|avec|du tout|rien|personne|"
    r"(?:d'|de )(?:alcool|viande|gluten|sucre|café|lait|porc|cigarettes?|tabac))\b|"
    r"(?! qu)[^,.;!?]{0,40} depuis\b)"
)
_ACCENTS = known(
    "french",
    "déjà après très même mêmes mère père frère sœur grand-mère grand-père belle-mère beau-père "
    "beau-frère médecin médicament médicaments hôpital école lycée collège télé téléphone vélo "
    "numéro réunion opération études étudiant étudiante élève musée année années soirée journée "
    "végétarien végétarienne diabétique cœliaque allergique février août décembre été "
    "problème problèmes régime séance séances bébé écran café préféré préférée célibataire "
    "propriétaire déménagement entraînement théâtre fête forêt île début dès idée idées "
    "grossesse kiné kinésithérapeute ostéopathe dépression fatiguée mariée célèbre "
    "intolérant intolérante épicé épicée crêpe pâtes légumes bière étage mètres trentaine "
    "étais était étaient ça là-bas voilà plutôt bientôt peut-être",
    (verb for verb in THIRDS | FIRST if not verb.endswith("e")),
    "",
) | {"soeur": "sœur", "soeurs": "sœurs", "belle-soeur": "belle-sœur", "coeur": "cœur"}
NOTES = Notes(
    accents=_ACCENTS,
    spelling=spellings(
        (rf"^(?:rdv|rendez-vous) (?=(?:{_PRACTICE}|{_PRACTICE_VOWEL}|{_PRACTICE_SHE}|"
         r"banque|mairie|préfecture|caf|cpam|crèche)\b)", ""),
        (r"\b(?:rdv|rendez vous)\b", "rendez-vous"),
        (r"\b(belle|grand|beau)[ -]?(mère|père|sœur|frère)\b", r"\1-\2"),
        (r"\b(ils?|elles?) (?!ne )([bcdfgjklmnpqrstvwxz]\w{1,15}) (?=(?:pas|jamais|plus de)\b)",
         r"\1 ne \2 "),
        (r"\b(ils?|elles?) (?!ne |y |en )([aeiouéêh]\w{0,15}) (?=(?:pas|jamais|plus de)\b)",
         r"\1 n'\2 "),
        (r"(?<=\w),? (?:et|mais) (?:moi|nous) (?:non|pas|aussi|si|oui)(?: plus)?(?=[,.;!?]|$)", ""),
        (r"^(?:c'est|ce n'est) pas [^,.;]{2,20} mais ((?:le )?(?:(?:lun|mar|mercre|jeu|vendre|"
         r"same)di|"
         r"dimanche|\d{1,2} \w{3,9})) (?:le|mon) (rendez-vous|rdv|contrôle|dîner|vol|train|"
         r"concert)\b",
         r"mon \2 est \1,"),
        # Typed without an accent.
        (r"\b(\w{2,15})iere(s?)\b", r"\1ière\2"),
        (r"(?<=\bj')e(?=(?:tudi|cout|cri|lev|vit|chang|pous|lèv)\w{1,3}\b)", "é"),
        (r"\b(je|on|il|elle|qui) préféré\b", r"\1 préfère"),
        (r"\b((?:je |j'|on |il |elle )(?:ne |me |m'|se |s')?)(ach|esp|prom|l|emm|am|rép|g|poss)"
         r"e(t|r|n|v|d)e\b", r"\1\2è\3e"),
        (r"\b((?:est|suis|sont|était|bosse|travaille|habite|vit)\b[^,.;!?]{1,40}?) a "
         r"(?=(?-i:[A-Z])[a-z])", r"\1 à "),
        (r"\bon vient de (?:me |m')(\w{3,15})er\b", r"on m'a \1é"),
        # Relatives who need no "my", and children and pets who are no others.
        (rf"{_BEFORE_KIN}(maman|mamie|mémé|tata)(?= [^\W\d_])(?! (?:ours|poule|solo|et)\b)",
         r"ma \1"),
        (rf"{_BEFORE_KIN}(?<!maman et )(papa|papi|papy|pépé|tonton)(?= [^\W\d_])"
         r"(?! (?:poule|solo|et|noël)\b)",
         r"mon \1"),
        (r"(?:^|(?<=, )|(?<=\bet ))les (enfants|filles|garçons|petits|jumeaux|jumelles)"
         r"(?= [^,.;!?]{1,50}\b(?:avec|chez) (?:moi|nous)\b)", r"mes \1"),
        (r"^les (enfants|filles|garçons|petits|jumeaux|jumelles)"
         r"(?=(?:, [^;.!?]{2,40},)? (?:ont \d|s'appellent|vont (?:à|au))\b)", r"mes \1"),
        (rf"^(?:le |la |l')(chien|chat|petit|bébé){_IS_ONE}", r"mon \1"),
        (rf"^(?:la )(chienne|chatte|petite){_IS_ONE}", r"ma \1"),
        (r"^quand j'étais (petite?|jeune|enfant|ado|adolescente?|étudiante?|gamine?),? ", r"\1, "),
        (r"\bj ?'?suis\b|\bchuis?\b", "je suis"), (r"\bj(?=(?:ai|avais|étais|habit|aim|"
         r"ador|appren|étudi|attend|achèt|essai|arriv|écout|espèr|entend)\w{0,4}\b)", "j'"),
        (r"\b(je|on|nous) (?!ne )([bcdfgjklmnpqrstvwxz]\w{1,15}) (?=(?:pas|"
         r"jamais|aucune?|rien)\b)", r"\1 ne \2 "),
        (r"\b(on|nous) (?!ne )([aeiouéêh]\w{0,15}) (?=(?:pas|jamais|aucune?|rien)\b)", r"\1 n'\2 "),
        (r"\bj'(?!y\b|en\b)(\w{2,15}) (?=(?:pas|jamais|plus (?:très|trop|du tout|rien))\b)",
         r"je n'\1 "),
        (r"^(m(?:on|a|es) [\w'-]{2,20}) (?!ne )([bcdfgjklmnpqrstvwxz]\w{1,15}) (?=(?:pas|"
         r"jamais|aucune?|rien)\b)",
         r"\1 ne \2 "),
        (r"^(m(?:on|a|es) [\w'-]{2,20}) ([aeiouéêh]\w{0,15}) "
         r"(?=(?:pas|jamais|aucune?|rien)\b)", r"\1 n'\2 "),
        (r"\b(ce mois|cette (?:semaine|année))-ci\b", r"\1"),
        # "Plus" that denies: with a length of time, before a place, or at the end.
        (rf"\b(je|on|nous|ils?|elles?) (?!ne )([bcdfgjklmnpqrstvwxz]\w{{1,15}}) "
         rf"(?=plus\b{_NO_MORE})",
         r"\1 ne \2 "),
        (rf"\b(on|nous|ils?|elles?) (?!ne |en |y )([aeiouéêh]\w{{0,15}}) (?=plus\b{_NO_MORE})",
         r"\1 n'\2 "),
        (rf"\bj'(?!y\b|en\b)(\w{{2,15}}) (?=plus\b{_NO_MORE})", r"je n'\1 "),
        (r"(?<!\bil )(?<!')\by a (?=\w{1,12} (?:ans?|mois|semaines?|jours?)\b)", "il y a "),
        (r"\b((?:semaine|année) )pro(?!\w)", r"\1prochaine"), (r"\b(mois|week-?end|an) pro(?!\w)",
         r"\1 prochain"),
        (r"\b(?:pcq|pck|pasque)\b", "parce que"), (r"\b(?:tjrs|tjs)\b", "toujours"),
        (r"\bbcp\b", "beaucoup"),
        (r"(?<=\w),? (?:tous|toutes) les (?:deux|trois|quatre|2|3|4)(?=[,.;!?]|$| avec\b)", ""),
        # Of what is over, it tells the moment, and of what goes on, since when.
        (r"^(?:(?:ça|cela) fait|il y a) (\w{1,12} (?:ans?|mois|semaines?|jours?)) (?:que |"
         r"qu'(?=on))"
         r"((?:j'ai|on a|nous avons) (?!pas |mal |ici )\w{2,15}(?:é|u|i|is|"
         r"it)(?= )[^,;.!?]{3,200})",
         r"\2 il y a \1"),
        (r"^l'autre (?:jour|soir),? (?=\w)", ""),
        (r"^(?:(?:ça|cela) fait|il y a) (\w{1,12} (?:ans?|mois|semaines?|jours?)) (?:que |"
         r"qu'(?=on))"
         rf"{_FIRST_CLAUSE}", r"\2 depuis \1"),
        (r"^c'est ((?:mon|ma|notre) [\w'-]{3,20})(?= (?:le|demain|aujourd'hui|lundi|mardi|mercredi|"
         r"jeudi|vendredi|samedi|dimanche|la semaine)\b)", r"\1 est"),
        (r"^((?:mon|ma|mes|notre|nos) (?:[\w'-]{1,20} ){0,4}?[\w'-]{1,20}),? c'est "
         r"(?!(?:que?|pas|vrai|trop|super|très|bien|quoi|où|quand|combien)\b|[^,.;]{1,60}\squi?\b)",
         r"\1 est "),
        (r"^(?:pas [^,.]{1,40}, )?c'est ((?:à|au|en|chez|dans) [^,.]{1,60}?) (?:que |qu'(?=on))"
         r"((?:j'|je |on |nous )\S{1,20})", r"\2 \1"),
        (r"^(m(?:on|a|es) [\w'-]{2,20}(?: [a-z]\w{1,20})?),? (?:elles?|ils?) (?!y\b)",
         r"\1 "),
        (rf"^{_COMPANY} et moi,? (?=(?:on|nous) )", r"avec \1, "),
        (rf"^moi et {_COMPANY},? (?=(?:on|nous) )", r"avec \1, "),
        (rf"^{_COMPANY} et moi,? (?=sommes\b|\w{{2,20}}ons\b)", r"avec \1, nous "),
        (r"\b([mst])(?=(?:appell|intéress|inquièt|occup|install|entraîn|énerv|inscri)\w{1,4}\b)",
         r"\1'"),
        (r"\b([dl])(?=(?:avril|août|octobre|hôpital|école|ophtalmo|alcool|asthme|eau|une?|"
         r"abord)\b)",
         r"\1'"),
        (r"\bm[ao] (?=(?:dit|fait|donné|demandé|prescrit|offert|appelée?|proposé|annoncé|opérée?|"
         r"mise?|virée?|licenciée?|quittée?|larguée?|volé|trouvé|conseillé|rendu|augmentée?|"
         r"interdit|diagnostiqué)\b)", "m'a "),
        (r"\b((?:j'ai|j'avais|je (?:me )?suis|nous avons|on a|on est) )(mari|divorc|commenc|"
         r"adopt|trouv|demand|chang|quitt|rat|pass|invit|n|all|lanc|install|tomb|licenci|achet|"
         r"termin|rencontr)e(e?)\b", r"\1\2é\3"),
        (r"^(m(?:on|a) [\w'-]{2,20}(?: (?-i:[A-Z])\w+)?) n'est pas [^,.;]{1,30}, (?:il|elle) est ",
         r"\1 est "),
        (r"^(m(?:on|a|es) [\w'-]{2,20}),? (?:c'|ce n')?est pas (?:le |la )?[^,.;]{1,20}? mais ",
         r"\1 est "),
        (r"(?:^|(?<=\bet )|(?<=\bmais )|(?<=, ))moi,? (?=j'|je\b)", ""),
        (r"^(aucune? de (?:mes|"
         r"nos) [\w-]{2,20}) (?=(?!ne\b)[bcdfgjklmnpqrstvwxz]\w{1,15} )", r"\1 ne "),
        (r"((?:lun|mar|mercre|jeu|vendre|same)di|dimanche),? (?:et )?pas (?:le )?"
         r"(?:(?:lun|mar|mercre|jeu|vendre|same)di|dimanche)\b", r"\1"),
        (r"(?<=\w)[,.!]? (?:merci(?: beaucoup| bcp| d'avance)?|croise les doigts|"
        r"souhaite-moi bonne chance|à l'aide|help|mdr|lol|cordialement)"
         r"[.! ]*$", ""),
        (r"\b(j'ai|on a|nous avons|je viens de) demenage", r"\1 déménagé"),
        (r"(?<=\w\w) a (?=l'(?:hôpital|école)\b|partir\b|cause\b|côté\b|mi[- ]temps\b|"
         r"\d{1,2} ?h)", " à "),
        (r"\b((?:habit|travaill|viv)\w{1,4}|vis|vit|déménagé|née?|vais|allée?|suis) a "
         r"(?=(?-i:[A-Z]))", r"\1 à "),
        (r"(?<=\w)(?<!\bet)(?<!\bmais)(?<!\bque)(?<!\bcar)(?<!\bquand)(?<!\bdonc) "
         r"(?=(?:du coup|faut (?:pas |que)|ça (?:me|m'|te|nous|fait|va)\b))", ", "),
        (r"\bj(?=(?:fais|vais|dois|peux|veux|travaille|prends|mange|bois|viens|pars|vis)\b)",
         "je "),
    ),
    name=introduction(
        r"(?:moi,? )?(?:je suis|c'est|je m'appelle|moi c'est|moi,)|ici|nom :|prénom :",
        r"[,.!]|$| (?:et|de)\b",
    ),
    named="Je m'appelle {}",
    aged="J'ai {} ans",
    being=rules((r"(?=(?:deux|trois|quatre|cinq|\d{1,2})\b)", "J'ai "),
                 (r"(?=(?:j'|je )\w)", ""), (r"(?=\w)", "Je suis ")),
    completions=rules(
        (r"((?:rappel|vaccin|contrôle technique|bilan|scanner)(?: [\w'-]{1,20}){0,3}?) fait"
         r"(?= (?:le|en|hier|il y a)\b)", r"J'ai fait le \1"),
        (r"((?:prise de sang|radio|visite médicale|mammographie)(?: [\w'-]{1,20}){0,3}?) faite"
         r"(?= (?:le|en|hier|il y a)\b)", r"J'ai fait la \1"),
    ) + appointments(
        _DAY, _VERBS,
        (r"(?:rendez-vous)\b", r"J'ai \1"),
        (rf"{_PRACTICE_VOWEL}\b", r"J'ai rendez-vous chez l'\1"),
        (r"(?:banque|mairie|préfecture|caf|cpam|crèche)\b", r"J'ai rendez-vous à la \1"),
        (rf"{_PRACTICE_SHE}\b", r"J'ai rendez-vous chez la \1"),
        (rf"{_PRACTICE}\b", r"J'ai rendez-vous chez le \1"),
        (r"(?:(?:rappel de )?vaccin|contrôle(?: technique)?|scanner|examen|entretien|oral|vol|"
         r"train|mariage|dîner|cours|concert|bilan|enterrement|baptême|match|déménagement|"
         r"spectacle|partiel|conseil de classe)\b", r"J'ai un \1"),
        (r"(?:prise de sang|radio|irm|écho(?:graphie)?|opération|réunion|visite|audience|livraison|"
         r"soutenance|soirée|mammographie|consultation|séance|formation|conférence)\b",
         r"J'ai une \1"),
    ) + rules(
        (r"(?:en tant qu(?:e |')|comme )((?!(?:toujours|exemple)\b)(?:\w{2,12} )?(?:mère|père|"
         r"maman|papa|"
         r"grand-mère|grand-père|médecin|prof|élève|végétarien(?:ne)?|végane?|cœliaque|retraitée?|"
         r"avocate?|architecte|artisane?|infirmi(?:er|ère)|sapeur-pompier|\w{2,12}(?:iste|teur|"
         r"trice|"
         r"ante?|ente?|euse|eur|ien|ienne|ologue|[ln]ier|[ln]ière|étique|atique))(?: (?:d[eu]|d'|"
         r"des|en|"
         r"avec|à|au|qui) ?[^,?]{1,60}| (?:volontaire|célibataire|seule?|retraitée?|indépendante?|"
         r"végétarien(?:ne)?|végane?))?)\s?(?=,|$)", r"je suis \1"),
        (r"(?:le )((?:rendez-vous|rdv|mariage|déménagement|vol|voyage|train|"
         r"contrôle)\b)(?=[^?]{0,60} "
         r"(?:est|part|sera) (?:le |(?:lun|mar|mercre|jeu|vendre|same)di|dimanche|demain|"
         r"aujourd'hui|à \d))", r"mon \1"),
        (r"(?:la |l')((?:réunion|visite|opération|audience|soutenance|fête|entretien|examen)\b)"
         r"(?=[^?]{0,60} (?:est|sera) (?:le |(?:lun|mar|mercre|jeu|vendre|same)di|dimanche|demain|"
         r"aujourd'hui|à \d))", r"notre \1"),
        (r"((?:(?:très|légèrement|gravement|actuellement|récemment|encore) )?"
         r"(?:allergique (?:à|au|aux)|intolérante? (?:à|au)|"
         r"(?:mariée?|divorcée?|séparée?|pacsée?|fiancée?|veuve?|célibataire|enceinte|retraitée?|"
         r"à la retraite|au chômage|auto-entrepreneu\w+|gauch(?:er|ère)|daltonien(?:ne)?|"
         r"diabétique|asthmatique|cœliaque|végétarien(?:ne)?|végane?|née? (?:à|en|le)|"
         r"originaire d\w+|en arrêt|en congé \w+)(?=[\s,.;!']|$)))", r"Je suis \1"),
        (r"((?:deux|trois|quatre|cinq|un|une|\d{1,2}) (?:enfants?|fils|filles?|chats?|chiens?|"
         r"frères?|sœurs?|ans d'expérience)(?=[,.;!]|$| (?:et|de|en|dans)\b))", r"J'ai \1"),
        (r"((?:habite (?:à|en|au|chez)|travaille (?:comme|chez|dans|à|en|pour)|vis (?:à|en|au|avec|"
         r"seule?)|suis (?!-))\b)", r"Je \1"),
        *(
            (rf"({nouns})(?: {verb})?(?:\s?:|(?= (?:dans|sous|sur|derrière|à|au|chez|près|\d|"
             r"(?-i:[A-Z]{1,3})\b)))\s", rf"{owner} \1 {verb} ")
            for nouns, owner, verb in _THINGS
        ),
    ),
)  # fmt: skip
