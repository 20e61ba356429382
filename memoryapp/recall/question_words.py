"""What the words of a question tell in each language: now, whose words, whose sister. Pure.

The rules for a question about a named person put it into that person's mouth as far as a rule
without a dictionary can: nouns keep their form, and verbs stay in the third person, as in "What
does I paint?". Of German nouns only endings and words for relatives tell the gender.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from memoryapp.policy.request_words import OWN_VERBS

_I = re.IGNORECASE


@dataclass(frozen=True)
class QuestionWords:
    """What to look for in the questions of one language."""

    #: Asks for what is newest. "Today" does not: it is the day of the question, and any day may
    #: have the answer.
    now: re.Pattern[str]
    #: The one who asks speaks of themselves.
    first_person: re.Pattern[str]
    #: Asks for what the assistant has said or done.
    assistant_said: re.Pattern[str]
    #: Asks what was asked or said in a conversation: questions, too, may be the answer.
    talk: re.Pattern[str]
    #: How a question about a person becomes one of that person: regular expressions, in which
    #: ``NAME`` stands for the name, and replacements. The first that fits a place counts.
    rephrasing: tuple[tuple[str, str], ...]
    #: What may be joined to a name, as a regular expression.
    name_ending: str = ""


def _words(text: str) -> re.Pattern[str]:
    """Any of the phrases that "|" separates, whole."""
    return re.compile(rf"(?<!\w)(?:{text})(?!\w)", _I)


_FEMININE = (
    r"(?=(?:lieblings)?(?:schwester|mutter|mama|tochter|oma|frau|familie|katze|hochzeit|arbeit|"
    r"stadt|hand|\w+(?:in|ung|heit|keit|schaft|ion|tät|e|en|ern))\b)"
)
_RELATIVE_SPANISH = r"(\w+(?: \w+)?) de NAME"
_RELATIVE_ITALIAN = r"(\w+(?: \w+)?) (?:di |d['’])NAME"
_RELATIVE_FRENCH = r"(\w+(?: \w+)?) (?:de |d['’])NAME"

#: Not said to somebody else: "I told my boss".
_TO_SOMEBODY = r"\b(?! (?:to )?(?:my|the|him|her|them|his|our|their)\b)"
#: Verbs of saying and asking, and what they are in the past.
_SAY = (
    rf"(?:ask|tell|write|advise|answer|thank|greet){_TO_SOMEBODY}|say|mention|talk|discuss|chat|"
    r"recommend|suggest|propose|explain|request|want to know|go over|agree"
)
_SAID = (
    rf"(?:asked|told|wrote|written|advised|answered|thanked|greeted){_TO_SOMEBODY}|said|mentioned|"
    r"talked|discussed|chatted|recommended|suggested|proposed|explained|requested|wanted to know|"
    r"went over|agreed"
)
_SAID_GERMAN = (
    "gefragt|gesagt|erzählt|erwähnt|gesprochen|geredet|geschrieben|besprochen|empfohlen|"
    "vorgeschlagen|geraten|erklärt|geantwortet|gebeten"
)
_SAID_ITALIAN = (
    "chiest|dett|parlat|raccontat|scritt|menzionat|accennat|discuss|consigliat|suggerit|propost|"
    "spiegat|rispost|domandat"
)
_SAID_FRENCH = (
    "demandé|dit|parlé|raconté|écrit|mentionné|discuté|conseillé|recommandé|suggéré|proposé|"
    "expliqué|répondu|évoqué"
)

QUESTION_WORDS: dict[str, QuestionWords] = {
    "english": QuestionWords(
        now=_words(
            "now|nowadays|currently|current|latest|recent|recently|lately|newest|at the moment|"
            "these days|at present|most recent|still"
        ),
        first_person=re.compile(r"\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|i)\b"),
        # Not "can you remind me".
        assistant_said=re.compile(
            r"\byou (?:\w+ed|said|say|told|tell|gave|give|wrote|write|made|suggest|recommend"
            r"|mention|explain|describe|list|provide|propose|advise)\b"
            r"|\byour (?:answer|advice|suggestion|reply)",
            _I,
        ),
        talk=re.compile(
            # "What did I ask?", and not "what should I ask?". "You said", and not "you say".
            r"\b(?:did|have|had)(?:n't)? (?:i|we|you)(?: (?:ever|already|last|just|not|also|"
            r"even))? "
            rf"(?:{_SAY}|{_SAID})\b"
            rf"|\b(?:i|we|you)(?: (?:already|just|once|last))? (?:{_SAID})\b"
            # "What did Kim tell me?"
            r"|\bdid(?: \w+){1,3} (?:tell|ask|advise|promise|warn) (?:me|us)\b"
            r"|\bdid(?: \w+){1,3} (?:say|mention|recommend|suggest|write|explain) to (?:me|us)\b"
            r"|\b(?:my|our|your) (?:\w+ )?(?:questions?|requests?|conversations?|chats?|messages?|"
            r"answers?|repl(?:y|ies))(?= (?:about|on|to|with|from|for|of|did|was|were|have|had|"
            r"that|"
            r"you|i|and)\b|\s*(?:[?.!,;]|$))"
            r"|\b(?:was|were) your (?:\w+ )?(?:advice|suggestions?|recommendations?|tips?)\b",
            _I,
        ),
        rephrasing=((r"NAME['’]s(?!\w)", "my"), ("NAME", "I")),
    ),
    "german": QuestionWords(
        now=_words(
            "jetzt|derzeit|derzeitige?[nrs]?|momentan|momentane?[nrs]?|aktuell|aktuelle[nrs]?|"
            "zurzeit|zur zeit|gegenwärtig|heutzutage|im moment|im augenblick|neueste[nrs]?|"
            "neuerdings|in letzter zeit|kürzlich|neulich|immer noch|noch immer|"
            "noch(?! (?:nie|nicht|einmal|mal|etwas|ein|eine))"
        ),
        first_person=_words("ich|mich|mir|mein(?:e[mnrs]?)?"),
        assistant_said=re.compile(
            r"\b(?:du|hast|hattest|(?-i:Sie))\b.{0,80}?\b(?:gesagt|empfohlen|vorgeschlagen|geraten|"
            r"erwähnt|erklärt|genannt|geschrieben|gegeben|gezeigt|erzählt|aufgelistet|beschrieben|"
            r"geantwortet|verfasst|erstellt)\b"
            r"|\b(?:sagtest|empfahlst|rietst|schriebst|nanntest|erwähntest) du\b"
            r"|\bdeine?[mnrs]? (?:antwort|rat|ratschlag|empfehlung|vorschlag|tipp)",
            _I,
        ),
        talk=re.compile(
            r"\b(?:habe?|hab|hast|haben|hatte|hattest|hatten) (?:ich|wir|du|(?-i:Sie))\b.{0,80}?"
            rf"\b(?:{_SAID_GERMAN})\b(?! (?:werde|wurde|worden))"
            rf"|\b(?:ich|wir|du|(?-i:Sie))\b.{{0,80}}?\b(?:{_SAID_GERMAN}) (?:habe?|hast|haben|"
            rf"hatte|"
            r"hattest|hatten)\b"
            # "Was hat Kim mir erzählt?"
            rf"|\bhat(?:te)?(?: \w+){{0,3}} (?:mir|uns)(?: \w+){{0,3}} (?:{_SAID_GERMAN})\b"
            r"|\b(?:fragte|sagte|erzählte|erwähnte|bat) ich\b|\b(?:sagtest|rietst|schriebst) du\b"
            r"|\bwollte ich\b.{0,80}?\bwissen\b|\bwissen wollte\b"
            r"|\b(?:meine?[mnrs]?|unsere?[mnrs]?|deine?[mnrs]?) (?:\w+ )?(?:fragen?|nachrichten?|"
            r"gespräche?[ns]?|antwort(?:en)?)\b"
            r"|\b(?:war|waren) deine? (?:\w+ )?(?:rat|empfehlung(?:en)?|vorschl[aä]ge?|tipps?)\b",
            _I,
        ),
        rephrasing=(
            (rf"NAME(?:s|['’]s?) {_FEMININE}", "meine "),
            (r"NAME(?:s|['’]s?) (?=\w)", "mein "),
            (r"\b(von|mit|bei|zu) NAME", r"\1 mir"),
            (r"\b(für|ohne|gegen|um|über|an|auf) NAME", r"\1 mich"),
            ("NAME", "ich"),
        ),
        name_ending="s",
    ),
    "italian": QuestionWords(
        # "A che ora" asks for the time.
        now=_words(
            "(?<!che )(?<!quale )(?<!un')(?<!un’)ora|adesso|attualmente|in questo momento|"
            "al momento|oggigiorno|al giorno d['’]oggi|in questi giorni|in questo periodo|"
            "ultimamente|di recente|recentemente|recent[ei]|attual[ei]|ancora"
        ),
        first_person=_words("|".join(["io|me|mi|mio|mia|miei|mie", *OWN_VERBS["italian"]])),
        assistant_said=re.compile(
            r"\b(?:hai|avevi|ha|aveva) (?:\w+ )?(?:detto|consigliat|suggerit|raccomandat|propost|"
            r"spiegat|scritt|menzionat|nominat|elencat|descritt|raccontat|rispost|indicat)"
            r"|\btu[oa]i? (?:consigli|rispost|suggeriment|propost|raccomandazion)",
            _I,
        ),
        talk=re.compile(
            rf"\b(?:t'ho|ho|hai|abbiamo|avevo|avevi|avevamo) (?:\w+ )?(?:{_SAID_ITALIAN})\w*"
            # "Cosa mi ha detto Kim?"
            rf"|\b(?:mi|ci) (?:ha|aveva) (?:\w+ )?(?:{_SAID_ITALIAN})\w*"
            r"|\b(?:mi[ae]|mi[eo]i?|tu[oae]i?|tuoi|nostr[oaei]) (?:\w+ )?(?:domand|rispost|messagg|"
            r"conversazion)\w*"
            r"|\b(?:era|erano) (?:il |i )?tu(?:o|oi|a|e) (?:\w+ )?(?:consigli|suggeriment|"
            r"raccomandazion)\w*",
            _I,
        ),
        rephrasing=(
            (rf"\b(?:il|lo) {_RELATIVE_ITALIAN}", r"il mio \1"),
            (rf"\b(del|al|dal|nel|sul) {_RELATIVE_ITALIAN}", r"\1 mio \2"),
            (rf"\b(\w*la) {_RELATIVE_ITALIAN}", r"\1 mia \2"),
            (rf"\b(?:i|gli) {_RELATIVE_ITALIAN}", r"i miei \1"),
            (rf"\b(\w*le) {_RELATIVE_ITALIAN}", r"\1 mie \2"),
            (r"\b(di|a|ad|con|per|da|su) NAME", r"\1 me"),
            ("NAME", "io"),
        ),
    ),
    "spanish": QuestionWords(
        now=_words(
            "ahora|actualmente|actual|actuales|en este momento|en estos momentos|hoy en día|"
            "estos días|últimamente|recientemente|recientes?|por ahora|todavía|aún|sigue[ns]?|"
            "sigo"
        ),
        first_person=_words("|".join(["yo|me|mis?|mí|mí[oa]s?|conmigo|he", *OWN_VERBS["spanish"]])),
        assistant_said=re.compile(
            r"\b(?:dijiste|recomendaste|sugeriste|aconsejaste|propusiste|mencionaste|explicaste|"
            r"escribiste|diste|contaste|describiste|enumeraste|respondiste|contestaste|hiciste|"
            r"nombraste|indicaste)\b"
            r"|\b(?:has|habías) (?:dicho|recomendado|sugerido|aconsejado|propuesto|mencionado|"
            r"explicado|escrito|dado|contado|descrito|respondido)\b"
            r"|\btus? (?:consejo|respuesta|recomendaci|sugerencia|propuesta)",
            _I,
        ),
        talk=re.compile(
            r"\b(?:he|has|hemos|había|habías|habíamos) (?:\w+ )?(?:preguntado|dicho|contado|"
            r"hablado|escrito|mencionado|comentado|recomendado|sugerido|propuesto|explicado|"
            r"respondido)\b"
            # Not "¿Qué le dije a mi jefe?".
            r"|(?<!\ble )(?<!\bles )\b(?:dije|conté|mencioné|comenté)\b"
            r"|\bte (?:pregunté|pedí|escribí|expliqué)\b|\bpregunté\b|\bhablamos\b"
            r"|\b(?:preguntaste|dijiste|contaste|mencionaste|recomendaste|sugeriste|aconsejaste|"
            r"explicaste|respondiste|propusiste)\b"
            # "¿Qué me dijo Kim?"
            r"|\b(?:me|nos) (?:dijo|contó|preguntó|recomendó|aconsejó|escribió|sugirió)\b"
            r"|\b(?:me|nos) (?:ha|había) (?:dicho|contado|preguntado|recomendado|aconsejado)\b"
            r"|\b(?:mis?|tus?|nuestr[oa]s?) (?:\w+ )?(?:preguntas?|respuestas?|mensajes?|"
            r"conversaci[oó]n(?:es)?)\b"
            r"|\b(?:fue|era|fueron) tus? (?:\w+ )?(?:consejos?|sugerencias?|recomendaci\w+)\b",
            _I,
        ),
        rephrasing=(
            (rf"\b(?:el|la) {_RELATIVE_SPANISH}", r"mi \1"),
            (rf"\b(?:los|las) {_RELATIVE_SPANISH}", r"mis \1"),
            (rf"\b(a|de)l {_RELATIVE_SPANISH}", r"\1 mi \2"),
            (r"\bcon NAME", "conmigo"),
            (r"\b(a|de|para|por|sin|sobre) NAME", r"\1 mí"),
            ("NAME", "yo"),
        ),
    ),
    "french": QuestionWords(
        now=_words(
            "maintenant|actuellement|actuel(?:le)?s?|en ce moment|ces jours-ci|ces temps-ci|"
            "de nos jours|récemment|dernièrement|récente?s?|à présent|encore"
        ),
        first_person=_words("je|j|me|m|moi|mon|ma|mes"),
        assistant_said=re.compile(
            r"\b(?:as|avais|avez|aviez)(?:[- ](?:tu|vous))? (?:\w+ )?(?:dit|conseillé|recommandé|"
            r"suggéré|proposé|expliqué|écrit|mentionné|donné|listé|décrit|raconté|répondu|cité|"
            r"indiqué)"
            r"|\b(?:t(?:on|a|es)|votre|vos) (?:conseil|réponse|suggestion|recommandation|avis)",
            _I,
        ),
        talk=re.compile(
            r"\b(?:ai|as|avons|avais|avions|a-t-on|on a)(?:[- ](?:je|tu|nous))? (?:\w+ )?"
            rf"(?:{_SAID_FRENCH})\b"
            # "Qu'est-ce que Kim m'a dit ?"
            rf"|\b(?:m'|nous )(?:a|avait)(?:-t-(?:il|elle))? (?:\w+ )?(?:{_SAID_FRENCH})\b"
            r"|\b(?:m[ea]s?|mon|t[ea]s?|ton|nos|notre) (?:\w+ )?(?:questions?|réponses?|messages?|"
            r"conversations?)\b"
            r"|\bétai(?:t|ent) t(?:on|es) (?:\w+ )?(?:conseils?|suggestions?|recommandations?)\b",
            _I,
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
    ),
}


def in_first_person(question: str, forms: Collection[str], languages: Iterable[str]) -> str:
    """*question* as the person would ask it whom it names in one of these *forms*, by the rules of
    the first of *languages* that has one for it; else unchanged.
    """
    longest_first = sorted(forms, key=len, reverse=True)
    name = rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})"
    for language in languages:
        changed = question
        words = QUESTION_WORDS.get(language)
        for pattern, replacement in words.rephrasing if words else ():
            # The name is a whole word, unless the pattern goes on with what is joined to it.
            whole = rf"{pattern}(?!\w)" if pattern.endswith("NAME") else pattern
            changed = re.sub(whole.replace("NAME", name), replacement, changed, flags=_I)
        if changed != question:
            return changed
    return question
