"""French verbs, told by their endings. Pure."""

import re

_FIRST = dict(
    pair.split(":")
    for pair in (
        "suis:est ai:a vais:va fais:fait peux:peut veux:veut dois:doit prends:prend "
        "apprends:apprend comprends:comprend entends:entend vends:vend perds:perd rends:rend "
        "attends:attend mets:met promets:promet bats:bat réponds:répond descends:descend "
        "défends:défend vis:vit lis:lit écris:écrit dis:dit sais:sait connais:connaît nais:naît "
        "fus:fut eus:eut vaux:vaut viens:vient deviens:devient tiens:tient pars:part sors:sort "
        "dors:dort cours:court sers:sert ris:rit conduis:conduit construis:construit "
        "traduis:traduit produis:produit bois:boit vois:voit crois:croit reçois:reçoit "
        "souffre:souffre offre:offre ouvre:ouvre ressens:ressent appartiens:appartient "
        "reviens:revient parcours:parcourt poursuis:poursuit finis:finit choisis:choisit "
        "grandis:grandit réussis:réussit remplis:remplit ralentis:ralentit étais:était "
        "avais:avait suivis:suivit couds:coud peins:peint crains:craint rejoins:rejoint"
    ).split()
)
#: Of "we", to the third person in the singular, where the ending does not tell it.
_OF_WE = dict(
    pair.split(":")
    for pair in (
        "sommes:est avons:a allons:va faisons:fait pouvons:peut voulons:veut devons:doit "
        "prenons:prend apprenons:apprend comprenons:comprend attendons:attend entendons:entend "
        "vendons:vend perdons:perd rendons:rend descendons:descend défendons:défend mettons:met "
        "vivons:vit suivons:suit lisons:lit écrivons:écrit disons:dit savons:sait "
        "connaissons:connaît venons:vient revenons:revient devenons:devient tenons:tient "
        "partons:part sortons:sort dormons:dort courons:court servons:sert buvons:boit "
        "voyons:voit croyons:croit recevons:reçoit étions:était avions:avait allions:allait "
        "faisions:faisait vivions:vivait habitions:habitait travaillions:travaillait aurons:aura "
        "saurons:saura devrons:devra verrons:verra pourrons:pourra livrons:livre "
        "rejoignons:rejoint appelons:appelle jetons:jette tirons:tire admirons:admire "
        "désirons:désire retirons:retire"
    ).split()
)
#: Of one, to that of several, where the ending does not tell it.
_OF_THEM = dict(
    pair.split(":")
    for pair in (
        "est:sont a:ont va:vont fait:font peut:peuvent veut:veulent doit:doivent prend:prennent "
        "apprend:apprennent comprend:comprennent met:mettent vit:vivent suit:suivent lit:lisent "
        "écrit:écrivent dit:disent sait:savent connaît:connaissent vient:viennent "
        "revient:reviennent devient:deviennent tient:tiennent part:partent sort:sortent "
        "dort:dorment court:courent sert:servent boit:boivent voit:voient croit:croient "
        "reçoit:reçoivent conduit:conduisent construit:construisent traduit:traduisent "
        "bat:battent rejoint:rejoignent"
    ).split()
)
#: Third persons of verbs that people use of their family.
_VERBS = (
    "achète adopte adore aide aime allaite appelle arrive assure attend bosse bricole brode "
    "change chante cherche collectionne commence compte conduit continue coud coûte cuisine "
    "cultive danse déménage dessine déteste dirige dort doute échoue écoute élève emménage "
    "emmène enseigne entraîne entre envisage espère étudie évite fabrique fête fréquente fume "
    "gagne garde gère grimpe habite héberge hésite intègre jardine jongle joue lance loge loue "
    "mange marche mesure milite monte nage navigue opère organise parle participe passe pêche "
    "pédale peine pense pèse photographie pilote pleure porte possède pratique préfère prépare "
    "présente prie quitte randonne ramasse recherche redouble refuse regarde rembourse rencontre "
    "rénove rentre répare représente réside reste retape retourne rêve ronfle s'occupe "
    "s'installe soigne souffre supporte surveille termine tombe touche tousse traite travaille "
    "traverse tricote trouve utilise vérifie visite vole voyage"
).split()
PLURALS = frozenset(f"{verb}nt" for verb in _VERBS if verb.endswith("e")) | frozenset(
    "sont ont vivent font vont viennent partent sortent dorment boivent lisent écrivent prennent "
    "apprennent tiennent veulent peuvent doivent attendent vendent conduisent suivent".split()
)
#: Verbs whose first person is no other word, and another than the third.
FIRST = frozenset(form for form, third in _FIRST.items() if form != third)
THIRDS = frozenset(_FIRST.values()) | frozenset(_VERBS) | frozenset("suit fête".split())
_NO_VERBS = frozenset("me te se le la les ne y en pas plus que de une nous".split())
#: The stem of "we" ends in what its first person has with an accent: "achetons".
_OPENED = re.compile(r"[eé](?=(?:[bcdfglmnprstv]|gn|ch)$)")


def third(verb: str) -> str | None:
    """The third person of a French verb after "je", "on" or "nous"; None if it does not look like
    one.
    """
    if verb in _FIRST:
        return _FIRST[verb]
    if verb in THIRDS:
        return verb
    if verb in _NO_VERBS or len(verb) < 3:
        return None
    if is_of_we(verb):
        return _of_we(verb)
    if verb.endswith("ait") and len(verb) > len("fait"):
        return verb
    if verb.endswith("ra"):
        return verb
    if verb.endswith("rai"):
        return f"{verb[:-1]}"
    if verb.endswith(("ais", "is", "us", "rs")):
        return f"{verb[:-1]}t"
    return verb if verb.endswith("e") else None


def plural(verb: str) -> str | None:
    """The third person in the plural of a verb of "we" or "on"; None if it does not look like
    one.
    """
    single = third(verb)
    if single is None:
        return None
    if single in _OF_THEM:
        return _OF_THEM[single]
    if verb.endswith("issons") or single.endswith(("oisit", "andit", "éussit", "init", "ossit")):
        return f"{single[:-1]}ssent"
    if single.endswith("ait"):
        return f"{single[:-2]}ient"
    if single.endswith("a"):
        return f"{single[:-1]}ont"
    if single.endswith("d"):
        return f"{single}ent"
    return f"{single}nt" if single.endswith("e") else None


def is_of_we(verb: str) -> bool:
    """True if *verb* is one after "nous" as its subject."""
    return verb in _OF_WE or (verb.endswith("ons") and len(verb) > 4)


def _of_we(verb: str) -> str:
    if verb in _OF_WE:
        return _OF_WE[verb]
    stem = verb[: -len("ons")]
    if stem.endswith("iss"):
        return f"{stem[:-2]}t"
    if stem.endswith("uis"):
        return f"{stem[:-1]}t"
    if stem.endswith(("er", "dr", "ir")):
        return f"{stem}a"
    if stem.endswith("ge"):
        return stem
    stem = f"{stem[:-1]}c" if stem.endswith("ç") else stem
    return f"{_OPENED.sub('è', stem)}e"
