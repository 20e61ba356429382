"""Words that tell whether what is dated ends then, begins then, or comes again. Pure."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Plans:
    """The words of one language."""

    #: The end of a stretch: "until".
    until: re.Pattern[str]
    #: What is over on its day: "due", "expires".
    due: re.Pattern[str]
    #: What begins on its day, or stays from then on: "since", "moves to", "was born".
    lasting: re.Pattern[str]
    #: What comes again: "every", "birthday".
    recurring: re.Pattern[str]
    #: Forms of the past that tell of what is to come: "booked".
    arranged: re.Pattern[str]
    #: Those that tell of what lasts until a day to come: "extended".
    extended: re.Pattern[str]
    #: Births, whose day without a year is one of a birthday.
    births: re.Pattern[str]
    #: Between a day that was said by mistake and the right one: "no wait".
    correcting: re.Pattern[str]

    def has_end(self, text: str) -> bool:
        """True if *text* names the end of something."""
        return bool(self.until.search(text) or self.due.search(text))

    def recurs(self, text: str) -> bool:
        """True if *text* tells of what comes again, and not until when."""
        return bool(self.recurring.search(text)) and not self.until.search(text)


def _plans(
    until: str,
    due: str,
    lasting: str,
    recurring: str,
    arranged: str,
    extended: str,
    births: str,
    *,
    correcting: str,
    is_: str,
) -> Plans:
    """The words of one language; those that correct may be followed by *is_*: "no, it's"."""
    correction = rf"(?:{correcting})(?!\w)[ ,:]{{0,2}}"
    return Plans(
        _any_of(until),
        _any_of(due),
        _any_of(lasting),
        _any_of(recurring),
        _any_of(arranged),
        _any_of(extended),
        _any_of(births),
        re.compile(
            rf"(?: ?[,;…–—-]{{1,2}} |\.{{3}} )(?:{correction}){{1,3}}(?:(?:{is_})\s)?",
            re.IGNORECASE,
        ),
    )


def _any_of(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


ENGLISH = _plans(
    r"until|till|through",
    r"due|deadline|expir(?:es|y|ing)|ends?|no later than|last day|at the latest",
    r"since|as of|starting|from(?![^.;]*\b(?:to|until|till|through)\b)"
    r"(?! (?:my|our|his|her|their|the)\b) (?:\w+ )?\d+|starts?|begins?|joins?|joining|"
    r"mov(?:es?|ing) (?:to|in|into|out|house|home)|relocat\w+|born|retir\w+|"
    r"graduat(?:es?|ing)|opens?|launch(?:es|ing)?|becom(?:es?|ing)|founded|in effect|effective",
    r"every|each|birthdays?(?! (?:party|dinner|lunch|celebration|trip))|anniversar(?:y|ies)|"
    r"annual(?:ly)?|yearly|monthly|weekly|daily|always|"
    r"usually|name day|from now on|going forward|pay ?days?|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days",
    r"(?:re)?scheduled|booked|planned|reserved|arranged|confirmed|postponed|invited|expected|"
    r"(?:moved|pushed|changed|brought forward) (?:(?:my|our) (?:\w+ )?\w+ )?to|"
    r"registered|signed up|bought (?:a |the |\w+ )?tickets?|set for|needed|supposed|called|named|"
    r"(?:have|has|i've|we've|they've) (?:\w{3,15}ed|got|bought|taken|made)",
    r"extended|prolonged|signed (?:me |us |him |her |them )?off|suspended|closed",
    r"(?:was|were|am|is|'m) born",
    correcting=r"(?:oh|ah|oops|um|well),? no|no|wait|hang on|sorry|actually|rather|i mean|i meant|"
    r"scratch that|make that|correction",
    is_=r"(?:it|that)(?:'s| is)",
)
GERMAN = _plans(
    r"bis",
    r"fällig|frist|läuft (?:\S+ ){0,4}ab|abgabe\w*|endet|spätestens|letzter tag|gültig",
    r"seit|ab|von(?! (?:\w+ )?\d[^.;]*\bbis\b) (?:\w+ )?\d+|beginnt|fängt|startet|zieht|ziehe|"
    r"ziehen|"
    r"umzug|geboren|rente|eröffnet|wird (?:\w+ ){0,4}(?:eingestellt|"
    r"befördert)",
    r"jede[nrsm]?|immer|geburtstag(?!s(?:feier|party|essen|fest|ausflug))\w*|jahrestag|"
    r"hochzeitstag|jährlich|monatlich|wöchentlich|"
    r"täglich|"
    r"namenstag|zahltag|künftig|(?:ab (?:jetzt|sofort|nun)|von nun an)(?= immer| am \d)|"
    r"(?:mon|diens|mitt?wo|donners|frei|sams|sonn)(?:tag|ch)s",
    r"gebucht|geplant|reserviert|vereinbart|verschoben|verlegt|eingeladen|angemeldet|bestätigt|"
    r"angesetzt|gekauft|verabredet|gemietet|"
    r"zum (?:\d{1,2}\.|ersten|monatsende|jahresende)(?: \w{1,12}){0,4} (?:gekündigt|versetzt|"
    r"eingestellt|übernommen)",
    r"krank ?geschrieben|beurlaubt|freigestellt|verlängert|gesperrt|geschlossen|befristet|"
    r"bewilligt",
    r"geboren",
    correcting=r"(?:ach|äh|ah|oh|halt),? (?:nein|nee|ne)|nein|nee|moment|halt|quatsch|sorry|"
    r"entschuldigung|pardon|korrektur|ich meine|ich meinte|besser gesagt|vielmehr|doch",
    is_="(?:es|das) ist",
)
ITALIAN = _plans(
    r"fino (?:al?|alla|all'|ai|agli)",
    r"entro|scade(?:nza)?|termina|finisce|ultimo giorno|valid[oa]",
    r"da(?:l|ll')?(?! (?:\w+ )?\d[^.;]*\bal?\b) ?\d+(?: \w+)?|"
    r"a partire da\w*|inizia|comincia|"
    r"trasloc\w+|si trasferi\w+|nat[oa]|pensione|apre",
    r"ogni|tutt[ie] (?:i|gli|le)|sempre|(?<!festa di )compleann[oi]|anniversari[oi]?|annuale?|"
    r"mensil[ei]|"
    r"settimanal[ei]|onomastico|d'ora in (?:poi|avanti)|giorno di paga",
    r"prenotat\w|fissat\w|programmat\w|previst\w|rinviat\w|spostat\w|invitat\w|confermat\w|"
    r"anticipat\w|posticipat\w|comprat\w|iscritt\w|organizzat\w|affittat\w",
    r"prorogat\w|prolungat\w|sospes\w|chius\w|mess\w in malattia",
    r"nat[oai]",
    correcting=r"(?:ah|oh|eh),? no|no|anzi|aspetta|scusa|scusate|pardon|cioè|volevo dire|"
    r"voglio dire|meglio|correzione",
    is_="è",
)
SPANISH = _plans(
    r"hasta",
    r"vence|caduca|plazo|termina|acaba|a más tardar|último día|válid[oa]",
    r"desde|a partir d\w+|empieza|comienza|se muda|me mudo|mudanza|nació|nacid[oa]|"
    r"jubila\w*|abre",
    r"cada|tod[oa]s l[oa]s|siempre|(?:mi|tu|su|el) cumple|(?<!fiesta de )cumpleaños|aniversario|"
    r"anual(?:es)?|"
    r"mensual(?:es)?|"
    r"semanal(?:es)?|santo|(?:de|desde) ahora en adelante|día de (?:pago|cobro)",
    r"(?:movid|adelantad|retrasad|pospuest)[oa]s?|reservad\w+|programad\w+|previst\w+|aplazad\w+|"
    r"invitad\w+|confirmad\w+|comprad\w+|"
    r"planead\w+|apuntad\w+|alquilad\w+|qued(?:é|amos|aron) (?:con|para|en)",
    r"prorrogad\w|ampliad\w|suspendid\w|cerrad\w|dado (?:la |de )?baja",
    r"nac(?:í|ió|id[oa]s?|imos)",
    correcting=r"(?:ay|ah|uy),? no|no|espera|perdón|perdona|digo|mejor dicho|quiero decir|"
    r"quise decir|más bien|corrijo",
    is_="es",
)
FRENCH = _plans(
    r"jusqu'(?:au?|à|en)",
    r"d'ici|avant le|expire|échéance|date limite|se termine|finit|"
    r"au plus tard|dernier jour|valable",
    r"depuis|dès|à partir d\w+|à compter d\w+|commence|débute|déménag\w+|s'installe|née?|"
    r"retraite|ouvre",
    r"chaque|tous les|toutes les|toujours|(?<!fête d')anniversaires?|annuel\w*|mensuel\w*|"
    r"hebdomadaires?|"
    r"fête de|désormais|dorénavant|jour de paie",
    r"réservée?s?|prévue?s?|programmée?s?|reportée?s?|invitée?s?|confirmée?s?|achetée?s?|fixée?s?|"
    r"inscrite?s?|planifiée?s?|louée?s?|déplacée?s?|décalée?s?|avancée?s?",
    r"arrêtée?s?|prolongée?s?|suspendue?s?|fermée?s?",
    r"née?s?",
    correcting=r"(?:ah|oh|euh),? non|non|attends|pardon|désolée?|enfin|plutôt|je veux dire|"
    r"je voulais dire|correction",
    is_="c'est",
)
