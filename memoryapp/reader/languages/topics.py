"""Topics of sentences: health, safety, home, work, relatives. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

#: Importance of what a person may be harmed by if nobody remembers it, and of other health.
VITAL, HEALTH = 9, 8


@dataclass(frozen=True)
class Topic:
    """The words that tell a topic, and what a statement with them is."""

    pattern: re.Pattern[str]
    category: str
    importance: int

    @property
    def is_health(self) -> bool:
        """True if it comes before all others."""
        return self.importance >= HEALTH and self.category == "fact"


def _topic(category: str, importance: int, words: Iterable[str]) -> Topic:
    return Topic(
        re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)", re.IGNORECASE), category, importance
    )


def topics_of(language: str, kin: Iterable[str]) -> Sequence[Topic]:
    """The topics in the words of *language*, whose words for relatives are *kin*; health first."""
    relatives = "|".join(sorted(kin, key=len, reverse=True))
    relations = (words.format(kin=f"(?:{relatives})") for words in _RELATIONS[language])
    return (
        _topic("fact", VITAL, _VITAL[language]),
        _topic("fact", HEALTH, _HEALTH[language]),
        _topic("relationship", 6, relations),
        _topic("fact", 7, _LIFE[language]),
        _topic("preference", 5, _TASTES[language]),
    )


#: What may harm: allergies, attacks, devices that keep somebody alive, whom to call.
_VITAL = {
    "english": (
        r"\w*allerg(?:ic|y|ies|en|ens)", r"anaphyla\w+", r"epi-?pens?",
        r"adrenalin\w* (?:pen|auto)\S*",
        r"epilep\w+", r"seizures?", r"insulin", r"pacemaker", r"ha?emophilia\w*",
        r"blood thinners?",
        r"suicidal", r"emergency (?:contact|number|medication)", r"next of kin",
        r"(?:can(?:not|'t)|must(?: not|n't)|(?:may|should) not|mayn't|shouldn't|never) "
        r"(?:eat|have|take|drink|be given|get|touch) (?:any )?(?:\w+ )?(?:nuts?|peanuts?|shellfish|"
        r"gluten|lactose|penicillin|aspirin|ibuprofen|antibiotics?|alcohol|grapefruit)",
    ),
    "german": (
        r"\w*allergi(?:e|en|ker|kerin|sche?[nrsm]?)", r"anaphyla\w+", r"epi-?pens?",
        r"notfall(?:kontakt|nummer|set|medikament\w*|spritze)", r"adrenalin\w*", r"epilep\w+",
        r"krampfanf\w+", r"insulin\w*", r"herzschrittmacher", r"bluter(?:in|krankheit)?",
        r"blutverdünner\w*", r"suizid\w*",
        r"darf (?:\w+ ){0,2}(?:keine?n?|nicht) [^.,;]{0,40}?(?:essen|trinken|nehmen|bekommen)",
        r"vertr[aä]g\w* (?!(?:sich|uns|mich|euch|dich)\b)(?:\w+ ){0,3}(?:nicht|nie)",
    ),
    "italian": (
        r"allergi(?:a|e|c[oahe]|ci|che)", r"anafila\w+", r"epi-?pen", r"adrenalina", r"epile\w+",
        r"convulsioni", r"insulina", r"pace-?maker", r"emofili\w+", r"anticoagulant\w",
        r"suicid\w+",
        r"contatto (?:di|d'|per le) emergenz[ae]",
        r"non (?:può|deve|posso|devo|possono|devono) (?:assolutamente )?(?:mangiare|bere|prendere|"
        r"assumere)",
    ),
    "spanish": (
        r"al[eé]rgi(?:as?|c[oa]s?)", r"anafil\w+", r"epi-?pen", r"adrenalina", r"epil[eé]p\w+",
        r"convulsiones", r"insulina", r"marcapasos", r"hemofil\w+", r"anticoagulantes?",
        r"suicid\w+",
        r"contacto (?:de|para) emergencias?",
        r"no (?:puede|debe|puedo|debo|pueden|deben) (?:comer|beber|tomar)",
    ),
    "french": (
        r"allergi(?:es?|ques?)", r"anaphyla\w+", r"epi-?pen", r"adrénaline", r"épilep\w+",
        r"convulsions", r"insuline", r"(?:pacemaker|stimulateur cardiaque)", r"hémophil\w+",
        r"anticoagulants?", r"suicid\w+", r"(?:contact|numéro) d'urgence",
        r"(?:ne (?:peut|doit|peux|dois|peuvent|doivent) (?:pas|jamais)|n'a pas le droit de) "
        r"(?:manger|boire|prendre)",
    ),
}  # fmt: skip

#: Other health, medicine and diet.
_HEALTH = {
    "english": (
        r"diabet(?:es|ic)", r"asthma(?:tic)?", r"inhalers?", r"c(?:o)?eliac",
        r"intoleran(?:t|ce|ces)",
        r"pregnan(?:t|cy)", r"diagnosed with", r"chronic(?:ally)?", r"cancer", r"chemo(?:therapy)?",
        r"dementia", r"alzheimer'?s?", r"migraines?", r"dialysis", r"hypertension",
        r"(?:high|low) blood pressure", r"blood (?:type|group)",
        r"heart (?:condition|disease|failure)",
        r"medications?", r"prescri(?:bed|ptions?)", r"antidepressants?", r"wheelchair", r"deaf",
        r"hearing aids?", r"(?:is|am|'m|are|legally|partially) blind", r"vegan", r"vegetarian",
        r"pescatarian", r"halal", r"kosher", r"(?:gluten|lactose|dairy|nut|sugar)[- ]free",
        r"takes? [\w -]{0,30}\d ?m[cg]g?",
        r"\d{1,4} ?m[cg]g? (?:every|each|daily|twice|once|at|in the|per|a day)", r"malabsorption",
        r"(?:can(?:not|'t)|does(?: not|n't)|do(?: not|n't)) digest",
        r"doesn't eat (?:meat|pork|fish|beef|gluten|dairy)",
        r"do(?:es)? not eat (?:meat|pork|fish|beef|gluten|dairy)",
    ),
    "german": (
        r"diabet\w+", r"asthma\w*", r"inhalator", r"zöliakie",
        r"\w*(?:intoleran[zt]|unverträglichkeit)\w*",
        r"vertr[aä]g\w* (?:\w+ )?keine?n?",
        r"\d{1,4} ?mg (?:jeden|jede|täglich|abends|morgens|pro|am)", r"malabsorption",
        r"schwanger\w*", r"diagnostiziert", r"chronisch\w*",
        r"krebs(?:erkrankung|krank\w*|diagnose)?", r"chemo(?:therapie)?", r"demen[zt]\w*",
        r"alzheimer", r"migräne", r"dialyse", r"bluthochdruck", r"blutgruppe",
        r"herz(?:krank\w*|fehler|leiden)",
        r"medikamente?n?", r"tabletten", r"rollstuhl", r"gehörlos\w*", r"taub", r"hörgeräte?",
        r"(?:ist|bin|fast) blind", r"vegan(?:er|erin)?", r"vegetari(?:er|erin|sch)", r"halal",
        r"koscher", r"(?:gluten|laktose|zucker)frei\w*",
        r"nimmt [\w ,-]{0,40}\d ?mg", r"isst kein (?:fleisch|schweinefleisch|schwein|fisch|gluten)",
    ),
    "italian": (
        r"diabet\w+", r"asma(?:tic[oa])?", r"inalatore", r"celia(?:c[oahi]|chia)", r"intolleran\w+",
        r"(?:incinta|gravidanza)", r"diagnosticat\w", r"cronic[oahei]\w*", r"tumore", r"cancro",
        r"chemio(?:terapia)?", r"demenza", r"alzheimer", r"emicrani[ae]", r"dialisi", r"ipertes\w+",
        r"gruppo sanguigno", r"cardiopati\w+", r"farmac[oi]", r"medicin(?:a|e|ale|ali)",
        r"sedia a rotelle", r"sord[oa]", r"apparecch(?:io|i) acustic[oi]", r"(?:è|sono) cie[cg]\w*",
        r"vegan[oaie]", r"vegetarian[oaie]", r"halal", r"kosher", r"senza (?:glutine|lattosio)",
        r"prende [\w ,-]{0,40}\d ?mg", r"\d{1,4} ?mg (?:ogni|al|alla|la|tutte|due)",
        r"malassorbimento", r"non diger\w+",
        r"non mangi[ao] (?:carne|maiale|pesce|glutine)",
    ),
    "spanish": (
        r"diab[eé]t\w+", r"asma(?:tic[oa]|átic[oa])?", r"inhalador", r"celía(?:c[oa]s?|quia)",
        r"intoleran\w+", r"embaraz(?:ada|o)", r"diagnosticad\w+", r"crónic[oa]s?", r"cáncer",
        r"quimio(?:terapia)?", r"demencia", r"alzheimer", r"migrañas?", r"diálisis", r"hiperten\w+",
        r"grupo sanguíneo", r"cardi(?:opatía|aco|aca)", r"medica(?:ción|mentos?)",
        r"silla de ruedas",
        r"sord[oa]s?", r"audífonos", r"(?:es|soy) cieg[oa]", r"vegan[oa]s?",
        r"vegetarian[oa]s?", r"halal",
        r"kosher", r"sin (?:gluten|lactosa)", r"toma [\w ,-]{0,40}\d ?mg",
        r"\d{1,4} ?mg (?:cada|al|a la|por|todas)", r"malabsorción", r"no digier\w+",
        r"no com[eo] (?:carne|cerdo|pescado|gluten)",
    ),
    "french": (
        r"diab[eé]t\w+|diabète", r"asthm(?:e|atiques?)", r"inhalateur", r"(?:maladie )?cœliaques?",
        r"coeliaques?", r"intoléran\w+", r"enceinte", r"grossesse", r"diagnostiqu\w+",
        r"chroniques?",
        r"cancer", r"chimio(?:thérapie)?", r"démence", r"alzheimer", r"migraines?", r"dialyse",
        r"hyperten\w+", r"groupe sanguin", r"cardiaque", r"médicaments?", r"fauteuil roulant",
        r"sourde?", r"(?:appareils? auditifs?)", r"(?:est|suis) aveugle", r"véganes?", r"vegans?",
        r"végétarien(?:ne)?s?", r"végétalien(?:ne)?s?", r"halal", r"casher",
        r"sans (?:gluten|lactose)",
        r"prend [\w ,-]{0,40}\d ?mg", r"\d{1,4} ?mg (?:chaque|par|tous|toutes|le|au)",
        r"malabsorption", r"ne digère\w* (?:pas|plus|jamais)",
        r"ne mange (?:pas|jamais) (?:de |d')(?:viande|porc|poisson|gluten)",
    ),
}  # fmt: skip

#: Who is related to whom; ``{kin}`` stands for a relative.
_RELATIONS = {
    "english": (
        r"(?:is|are|was) (?:my|our|his|her|their|\w+'s) (?:\w+ ){{0,2}}{kin}",
        r"(?:my|our|his|her|their|\w+'s) (?:\w+ ){{0,2}}{kin}(?:'s name)?,? (?:is|are|lives?|"
        r"works?|"
        r"called|named)",
        r"(?:married|engaged) to", r"(?:is|are|got|am) (?:married|engaged|divorced|widowed|single)",
    ),
    "german": (
        r"(?:ist|sind) (?:meine?|unsere?|seine?|ihre?|\w+s) (?:\w+ ){{0,2}}{kin}",
        r"(?:meine?|unsere?|seine?|ihre?|\w+s) (?:\w+ )?{kin},? (?:\w+,? )?(?:ist|heißt|lebt|wohnt|"
        r"arbeitet)",
        r"{kin} (?:des|der|von) \w+,? (?:\w+,? )?(?:ist|heißt|lebt|wohnt|arbeitet)",
        r"(?:verheiratet|verlobt|geschieden|verwitwet|ledig)",
    ),
    "italian": (
        r"è (?:(?:il|la|l') ?)?(?:mi[oa]|su[oa]|nostr[oa]) (?:\w+ )?{kin}",
        r"è (?:il|la|lo) {kin} (?:di|dell'\w+|del|della)",
        r"(?:mi[oa]|su[oa]|nostr[oa]) {kin} (?:\w+ )?(?:è|si chiama|vive|abita|lavora)",
        r"{kin} (?:di |dell'|del |della )\w+,? (?:\w+,? )?(?:è|si chiama|vive|abita|lavora)",
        r"(?:sposat|fidanzat|divorziat|vedov)[oai]",
    ),
    "spanish": (
        r"es (?:mi|su|nuestr[oa]) (?:\w+ )?{kin}", r"es (?:el|la) {kin} de",
        r"(?:mi|su|nuestr[oa]) {kin} (?:\w+ )?(?:es|se llama|vive|trabaja)",
        r"{kin} (?:de |del )\w+,? (?:\w+,? )?(?:es|se llama|vive|trabaja)",
        r"(?:casad|prometid|comprometid|divorciad|viud|solter)[oa]s?",
    ),
    "french": (
        r"est (?:mon|ma|son|sa|notre) (?:\w+ )?{kin}",
        r"est (?:le |la |l')(?:\w+ )?{kin} (?:de|du|d'\w+)",
        r"(?:mon|ma|son|sa|notre) {kin} (?:\w+ )?(?:est|s'appelle|vit|habite|travaille)",
        r"{kin} (?:de |du |de l'|d')\w+,? (?:\w+,? )?(?:est|s'appelle|vit|habite|travaille)",
        r"(?:mariée?s?|fiancée?s?|divorcée?s?|veufs?|veuves?|célibataires?)",
    ),
}  # fmt: skip

#: Where somebody lives and works, and when they were born.
_LIFE = {
    "english": (
        r"(?:lives?|living|based|resides?) (?:\w+ )?in (?-i:[A-Z])\w+", r"works? (?:for|at|as)",
        r"(?:was|were) born", r"birthday", r"years old", r"home address", r"native language",
        r"mother tongue",
    ),
    "german": (
        r"(?:lebe|lebt|wohne|wohnt|wohnhaft) (?:\w+ )?in", r"arbeitet? (?:bei|als|für)", r"geboren",
        r"geburtstag", r"jahre alt", r"anschrift", r"muttersprache",
    ),
    "italian": (
        r"(?:viv[eo]|abit[ao]|risied[eo]) (?:a|ad|in)", r"lavor[ao] (?:per|presso|come|alla)",
        r"nat[oa] (?:il|a|nel)",
        r"compleanno", r"(?:ha|ho) \d{1,2} anni", r"indirizzo di casa", r"madrelingua",
    ),
    "spanish": (
        r"(?:viv[eo]|resid[eo]) en", r"trabaj[ao] (?:para|en|como|de)", r"nació", r"nací",
        r"cumpleaños", r"(?:tiene|tengo) \d{1,2} años", r"domicilio", r"lengua materna",
    ),
    "french": (
        r"(?:habite|vit|vis|réside) (?:à|au|en)", r"travaille (?:chez|pour|comme|en tant)",
        r"née? (?:le|à|en)",
        r"anniversaire", r"(?:a|j'ai) \d{1,2} ans", r"adresse personnelle", r"langue maternelle",
    ),
}  # fmt: skip

#: What somebody likes, in the third person; the first is in `Language.preference`.
_TASTES = {
    "english": (
        r"(?:loves|likes|enjoys|prefers|hates|dislikes|adores|avoids)",
        r"doesn't (?:like|drink|eat)",
        r"does not (?:like|drink|eat)", r"favou?rites?",
    ),
    "german": (
        r"(?:liebt|mag|bevorzugt|hasst)",
        r"(?:trinkt|isst) (?:kein\w{0,2}|lieber|am liebsten|gerne?)",
        r"lieblings\w+",
    ),
    "italian": (
        r"(?:piace|piacciono)", r"(?:ama|adora|odia|detesta|preferisce|preferisco)",
        r"preferit[oaie]",
    ),
    "spanish": (
        r"gustan?", r"encantan?", r"(?:prefiere|prefiero|odia|detesta|adora)",
        r"(?:favorit|preferid)[oa]s?",
    ),
    "french": (
        r"(?:aime|adore|préfère|déteste)", r"préférée?s?",
    ),
}  # fmt: skip
