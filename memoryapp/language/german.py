"""Vocabulary of German. Pure."""

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
    "der die das den dem des ein eine einen einem einer eines ich mich mir mein meine meinen "
    "meinem meiner meines wir uns unser unsere unseren unserem unserer du dich dir dein deine "
    "deinen deinem deiner ihr euch euer eure er ihn ihm sein seine seinen seinem seiner sie "
    "ihre ihren ihrem ihrer ihnen es man wer wen wem wessen was welche welcher welches welchen "
    "welchem wann wo wohin woher warum wieso weshalb wie wieviel ob als wenn dass weil denn "
    "doch und oder aber nicht kein keine keinen keinem keiner zu zum zur von vom vor nach bei "
    "beim mit ohne für über unter um an am auf aus in im ins durch gegen seit bis ist bin bist "
    "sind seid war waren warst wäre hat habe haben hast hatte hatten hätte wird werde werden "
    "wurde wurden würde kann kannst können könnte könntest muss müssen soll sollte sollten "
    "darf dürfen möchte sich noch nur auch schon sehr mal so da dort hier dies diese dieser "
    "dieses diesem diesen jetzt dann".split()
)
_MONTHS = (
    "januar februar märz april mai juni juli august september oktober november dezember"
).split()
_WEEKDAYS = "montag dienstag mittwoch donnerstag freitag samstag sonntag".split()
_PARTS = "morgen früh vormittag mittag nachmittag abend nacht".split()
_CARDINALS = cardinals(
    "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn "
    "siebzehn achtzehn neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig "
    "hundert tausend million/millionen"
)

_TIMES = TimeWords(
    # "Samstagabend" is two.
    word=re.compile(
        rf"(?i:(?:{'|'.join(_WEEKDAYS)}|sonnabend)(?=(?:{'|'.join(_PARTS)})s?\b))|[^\W_]+"
    ),
    days={"vorgestern": -2, "gestern": -1, "heute": 0, "morgen": 1, "übermorgen": 2}
    | {"letzte nacht": -1}
    | {f"gestern {part}": -1 for part in _PARTS}
    | {f"heute {part}": 0 for part in _PARTS}
    | {f"morgen {part}": 1 for part in _PARTS if part != "morgen"},
    units={
        word: unit
        for unit, words in {
            "day": "tag tage tagen",
            "week": "woche wochen",
            "weekend": "wochenende wochenenden",
            "month": "monat monate monaten monats",
            "year": "jahr jahre jahren jahres",
        }.items()
        for word in words.split()
    },
    seasons={"frühling": 0, "frühjahr": 0, "sommer": 1, "herbst": 2, "winter": 3},
    parts_of_day=parts_of_day(
        "morgen morgens vormittag vormittags|mittag mittags|nachmittag nachmittags|abend abends|"
        "nacht nachts"
    ),
    approximate=frozenset("ungefähr etwa circa ca fast knapp rund".split()),
    after_hour=frozenset("uhr".split()),
    part_written=part_phrases("morgens|mittags|nachmittags|abends|nachts"),
    midnight="Mitternacht",
    weekdays={day: number for number, day in enumerate(_WEEKDAYS)} | {"sonnabend": 5},
    months={month: number for number, month in enumerate(_MONTHS, 1)},
    numbers={"einem": 1, "einer": 1, "ein": 1, "eine": 1} | up_to_twelve(_CARDINALS),
    vague={"paar": 3, "ein paar": 3, "einigen": 3, "einige": 3, "mehreren": 4},
    last=frozenset(
        "letzte letzten letzter letztes letztem vorige vorigen voriges vergangene "
        "vergangenen vergangenes".split()
    ),
    last_of_several=frozenset("letzten vergangenen vorigen".split()),
    this=frozenset("diese diesen dieser dieses diesem".split()),
    next=frozenset(
        "nächste nächsten nächster nächstes nächstem kommende kommenden kommendes".split()
    ),
    after_next=frozenset(f"übernächste{end}" for end in ("", "n", "r", "s", "m")),
    after_next_behind="",
    ago_before=("vor",),
    ago_after=(),
    ahead_before=("in",),
    before_weekday=frozenset("am bis seit ab".split()),
    before_month=frozenset("im bis seit".split()),
    beginnings=frozenset(["seit"]),
    openings=frozenset(),
    targets=frozenset("auf bis für".split()),
    before_month_asked=frozenset("im seit bis ab vom anfang mitte ende".split()),
    abbreviations={name[:3]: number for number, name in enumerate(_MONTHS, 1)} | {"sept": 9},
    first_day="erster|ersten",
    ordinals=r"\.",
    date_links="",
    month_before_day=False,
    last_day=("letzter tag", "letzten tag", "letzte tag"),
    lasting_before=("für",),
    lasting_after=("lang",),
    habits=frozenset("jeden jeder jedes jede immer".split()),
    kept=frozenset("seit bis ab von nach für auf".split()),
    dropped=frozenset("am im in an der den dem die des erst".split()),
    range_links="bis(?: zum)?|und(?: dem)?",
    before_range=re.compile(r"(?:vom|am|von)\s$", re.IGNORECASE),
    day_article="den|dem|der",
    day_ending=r"\.(?=\s(?-i:[a-zäöü])|[,;!?]|$)",
    days_alone=(
        r"(?<=am )(?P<day>\d{1,2})\.(?=\s(?-i:[a-zäöü])|[,;!?]|$)",
        r"(?<=vom )(?P<day>\d{1,2})\.?(?P<to> bis (?:zum )?)(?P<last>\d{1,2})\."
        r"(?=\s(?-i:[a-zäöü])|[,;!?]|$)",
    ),
    numbered=frozenset(
        "zahl nummer hausnummer glückszahl lieblingszahl rückennummer stock etage".split()
    ),
    before_digits=("am", "bis", "zum", "vom", "ab", "den", "dem", "der"),
    parts_of_month=frozenset("anfang mitte ende monat".split()),
    conjunctions=frozenset("und oder".split()),
    before_hour=frozenset(["um", "ab", "gegen"]),
    written={
        "range": "vom {first} bis {last}",
        "day": "am {day}",
        "around": "um den {day}",
        "week": "in der Woche vom {day}",
        "weekend": "am Wochenende vom {day}",
        "month": "im {month} {year}",
        "year": "{year}",
        "season": "im {season} {year}",
    },
    month_names=[month.capitalize() for month in _MONTHS],
    season_names="Frühling Sommer Herbst Winter".split(),
)
_VERB_GERMAN = (
    r"(?!(?:die|eine|meine|deine|seine|ihre|unsere|keine|alle|meist|nicht|jetzt|selbst|den|einen|"
    r"meinen|an|in)\b)(?!(?-i:[A-ZÄÖÜ]))(?:\w+(?:t|e|en)|war|hab|kann|soll|darf|muss|will|mag|bin|"
    r"sind|wird|weiß|heiß|brauch|komm|mach|find)"
)

_TURNS = TurnWords(
    asks=words(
        r"(?:sag mal,? )?(?:(?:was|wo|wohin|woher|wann|wer|wen|wem|wessen|warum|wieso|weshalb|"
        r"womit|worüber|wofür|"
        rf"wozu|worauf|woran|wovon|wieviel) (?:genau |nochmal |denn )?{_VERB_GERMAN}"
        r"|(?:was|wo|wohin|wann|wen|wem|warum|wieso|wie) \w+ (?:ich|du|wir|man)"
        r"|(?:was|wo|wohin|woher|wann|wer|wen|wem|warum|wieso|wie|welche[rs]?)"
        r"(?: genau| denn| nochmal| nicht)?$"
        r"|wie (?:alt|lange?|oft|viele?|weit|groß|hoch|teuer|spät|schnell|schwer|geht|gehts|heißt|"
        r"hieß|heiße|heißen|war|waren|ist|sind|kann|soll|muss|macht|mache|mach|kommt|komme|komm|"
        r"nennt|läuft|funktioniert|schreibt|bekomme|wird|hat|habe|hab|wäre|viel)"
        r"|(?:welche[rsnm]?|wieviel) \w+|(?:mit|für|bei|von|zu|an|auf|aus|um|in|seit|bis|nach|über|"
        r"unter|ab) (?:wem|wen|was|wann|welche[rsnm]?|wie viele?)"
        r"|(?:hast|bist|kannst|könntest|weißt|kennst|erinnerst|magst|willst|möchtest|wirst|"
        r"würdest|warst|hattest|musst|sollst|darfst|findest|meinst|glaubst|wusstest) du"
        r"|(?:haben|können|könnten|wissen|würden|erinnern|kennen|wollen) (?-i:Sie)"
        r"|(?:sollen|sollten|wollen) wir(?! nicht))"
    ),
    asks_if_marked=words(
        r"(?:ist|sind|kann|können|soll|sollte|muss|darf|war|waren|wird|gibt|geht|mag|isst|hat|"
        r"haben|hab|habe|bin) (?:ich|wir|es|er|sie|man|der|die|das|mein\w*|unser\w*)"
        r"|(?:ist|sind|kann|mag|isst|wird) (?-i:[A-ZÄÖÜ])\w+"
    ),
    asks_indirectly=words(
        r"(?:(?:kannst|könntest|würdest) du (?:mir |uns )?(?:bitte )?(?:nochmal )?(?:sagen|zeigen|"
        r"nachsehen|verraten)|(?:können|könnten) (?-i:Sie) (?:mir |uns )?(?:bitte )?sagen"
        r"|(?:sage?|zeige?|verrat|verrate|erkläre?) (?:mir|uns)(?: bitte| mal| noch| nochmal)*"
        r"|ich (?:möchte|will|wollte|würde|wüsste)(?: gerne?)?(?: wissen)?|ich frage mich"
        r"|(?:weißt|erinnerst|wissen) (?:du|(?-i:Sie))(?: dich)?(?: noch)?)[ ,]+"
        r"(?:was|wo|wohin|woher|wann|wer|wen|wem|wessen|welche[rsnm]?|warum|wieso|wie|wieviel|ob|"
        r"(?:mit|für|bei|von|zu|an|auf|aus|um|in|seit) (?:wem|wen|was|wann|welche[rsnm]?|wie))"
    ),
    asks_within=anywhere(
        rf"(?:was|wo|wohin|wie|welche[rsnm]?|womit|wann) (?:{_VERB_GERMAN}) (?:ich|wir|man)"
        r"|(?:kann|darf|soll|muss) ich"
    ),
    verbs=anywhere(r"ist|sind|war|waren|bin|habe|hab|hat|gibt|heißt"),
    relative=words(r"der|die|das|dem|den|deren|dessen"),
    requests=words(
        r"(?:bitte )?(?:(?:schreibe?|übersetze?|erkläre?|gib|zeige?|sage?|nenne?|suche?|finde?|"
        r"mach|hilf|empfiehl|erzähle?|erstelle?|formuliere?|berechne|beschreibe?|lies|liste|fasse?|"
        r"korrigiere?|schlage?|rate) (?:mir|uns|bitte)(?! (?:bescheid|zeit))"
        r"|schreib ein(?:e|en)?|erkläre? (?:das|dies\w*|wie|warum|was)"
        r"|(?:übersetze?|korrigiere?|fasse?|formuliere?|kürze?|verbessere?|vergleiche?) (?:das|"
        r"dies\w*|den (?!ganzen)\w+|die (?!ganze)\w+|folgende\w*|ins|nach)"
        r"|nenne? (?:drei|vier|fünf|zehn|alle)"
        r"|ich möchte, dass du)"
    ),
    reads=words(
        r"(?:bitte )?(?:übersetze?|korrigiere?|fasse?|formuliere?|kürze?|verbessere?|erkläre?)"
    ),
    beside=anywhere(
        r"(?:als|an|auf|aus|bei|für|gegen|in|mit|nach|neben|ohne|seit|von|vor|wegen|zu) "
        r"(?:mein|unser)\w*|ab jetzt|ab sofort|in zukunft|(?:kannst|könntest) du (?:bitte )?immer|"
        r"bitte immer|(?:weil|da ich|wenn ich|obwohl|dass)(?: [\w']+){2}"
    ),
    changes=anywhere(
        r"jetzt|nicht mehr|keine?[nrms]? mehr|nur noch|statt|stattdessen|umgezogen|ziehen?|"
        r"verschoben|(?:vor)?verlegt|abgesagt|gewechselt|gekündigt|verkauft|geändert|korrektur|"
        r"korrigiert?e?|vorbei|neue[nrms]?|inzwischen|mittlerweile|aufgehört|doch (?:nicht|"
        r"keine?n?)|ab (?:sofort|jetzt|heute|dem)|in rente|gestorben"
    ),
    not_known=words(
        r"(?:(?:tut mir |es tut mir )?leid,? |leider )?(?:aber )?(?:"
        r"(?:das |dazu |darüber )?(?:weiß|kenne|finde) ich (?:\w+ ){0,3}(?:nicht|nichts)"
        r"|ich (?:weiß|kenne|finde) (?:\w+ ){0,3}(?:nicht|nichts)"
        r"|(?:ich (?:habe|finde)|(?:dazu |darüber |davon )?(?:habe|finde) ich) (?:\w+ ){0,3}"
        r"(?:nichts|keine?\w* (?:angaben?|information\w*|notiz\w*|erinnerung|ahnung))"
        r"|(?:das |davon )?(?:hast|haben) (?:du|"
        r"(?-i:Sie)) mir (?:\w+ )?(?:noch )?nichts? (?:davon )?(?:gesagt|"
        r"erzählt|verraten)|keine ahnung)"
    ),
    comments=words(
        r"(?:das )?(?:klingt|hört sich|freut)|gut zu wissen|schön zu|was für eine?"
        r"|sag(?:en (?-i:Sie))? (?:mir |gerne? |einfach )?bescheid|melde dich|"
        r"ich bin (?:für dich )?da|(?:wenn|sobald) (?:du|(?-i:Sie)) (?:es|das) mir "
        r"(?:sagst|verrätst|sagen|verraten)"
    ),
)
_FEMININE = (
    r"(?=(?:lieblings)?(?:schwester|mutter|mama|tochter|oma|frau|familie|katze|hochzeit|arbeit|"
    r"stadt|hand|\w+(?:in|ung|heit|keit|schaft|ion|tät|e|en|ern))\b)"
)
_SAID_GERMAN = (
    "gefragt|gesagt|erzählt|erwähnt|gesprochen|geredet|geschrieben|besprochen|empfohlen|"
    "vorgeschlagen|geraten|erklärt|geantwortet|gebeten"
)

_QUESTIONS = QuestionWords(
    now=anywhere(
        "jetzt|derzeit|derzeitige?[nrs]?|momentan|momentane?[nrs]?|aktuell|aktuelle[nrs]?|"
        "zurzeit|zur zeit|gegenwärtig|heutzutage|im moment|im augenblick|neueste[nrs]?|"
        "neuerdings|in letzter zeit|kürzlich|neulich|immer noch|noch immer|"
        "noch(?! (?:nie|nicht|einmal|mal|etwas|ein|eine))"
    ),
    first_person=anywhere("ich|mich|mir|mein(?:e[mnrs]?)?"),
    assistant_said=re.compile(
        r"\b(?:du|hast|hattest|(?-i:Sie))\b.{0,80}?\b(?:gesagt|empfohlen|vorgeschlagen|geraten|"
        r"erwähnt|erklärt|genannt|geschrieben|gegeben|gezeigt|erzählt|aufgelistet|beschrieben|"
        r"geantwortet|verfasst|erstellt)\b"
        r"|\b(?:sagtest|empfahlst|rietst|schriebst|nanntest|erwähntest) du\b"
        r"|\bdeine?[mnrs]? (?:antwort|rat|ratschlag|empfehlung|vorschlag|tipp)",
        re.IGNORECASE,
    ),
    intake=anywhere(
        r"essen|ess|isst|esse|gegessen|trinken|trinke|trinkt|kochen?|kocht|koch|backen?|backt|"
        r"bäckt|fressen|frisst|füttern|probieren|naschen|kosten von|frühstück(?:en)?|"
        r"(?:mittag|abend)essen|abendbrot|\w*mahlzeit(?:en)?|vesper|snacks?|nachtisch|dessert|"
        r"kuchen|\w*rezepte?|gerichte?|speise\w*|menü|buffet|zutat\w*|lebensmittel\w*|hunger|"
        r"hungrig|durst|restaurant|grillen|picknick|vertrag(?:e|en)|verträgt|bekommt mir|"
        r"medizin|medikament\w*|arznei\w*|tabletten?|pillen?|schmerzmittel\w*|antibioti\w+|"
        r"ibuprofen|aspirin|paracetamol|verschreib\w*|verschrieben|impf\w*|geimpft|betäubung|"
        r"narkose|allergisch|allergien?"
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
        re.IGNORECASE,
    ),
    rephrasing=(
        (rf"NAME(?:s|['’]s?) {_FEMININE}", "meine "),
        (r"NAME(?:s|['’]s?) (?=\w)", "mein "),
        (r"\b(von|mit|bei|zu) NAME", r"\1 mir"),
        (r"\b(für|ohne|gegen|um|über|an|auf) NAME", r"\1 mich"),
        ("NAME", "ich"),
    ),
    name_ending="s",
)

_SPEECH = SpeechWords(
    mine=frozen("ich du"),
    subjects=frozen("ich wir"),
    parts=frozen(
        "sprecher sprecherin person teilnehmer teilnehmerin interviewer interviewerin moderator "
        "moderatorin gast erzähler erzählerin kunde kundin anrufer anruferin nutzer nutzerin "
        "benutzer mensch assistent assistentin ki system f a patient patientin arzt ärztin lehrer "
        "lehrerin schüler schülerin reporter reporterin stimme unbekannt mama papa chef chefin"
    ),
    headings=frozen(
        "notiz notizen anmerkung hinweis übrigens nebenbei info update nachtrag korrektur frage "
        "fragen antwort antworten "
        "problem probleme adresse anschrift mail e-mail telefon handy name vorname nachname beruf "
        "arbeit job tätigkeit alter geschlecht geburtstag geburtsdatum geburtsort stadt wohnort "
        "wohnung haus zuhause land ort heimat ernährung allergie allergien unverträglichkeiten "
        "medikament medikamente hobby hobbys interessen vorlieben abneigungen hintergrund bio "
        "profil steckbrief zusammenfassung kontext ziel ziele aufgabe aufgaben ergebnis "
        "ergebnisse ausgabe eingabe beispiel beispiele warnung fehler info infos information "
        "informationen beschreibung kategorie datum zeit uhrzeit wann wo wer was warum wie "
        "betreff thema erinnerung wichtig achtung vorteil vorteile nachteil nachteile option "
        "optionen schritt plan pläne frühstück mittag mittagessen abendessen morgen morgens abend "
        "abends nacht mittags heute gestern übermorgen wochenende tag woche monat jahr preis "
        "kosten stand version quelle quellen link links datei code fähigkeiten ausbildung "
        "erfahrung sprache sprachen fakt fakten idee ideen gesundheit essen trinken musik sport "
        "reisen familie haustiere auto geld schule studium training schlaf gewicht größe "
        "einleitung fazit tipp regel grund gründe jetzt früher aktuell aktuelles vorher nachher "
        "dann später erstens zweitens drittens zuerst zuletzt außerdem kurz kurzfassung wunsch "
        "wünsche bitte hallo danke sorry ja nein richtig falsch persönliches nationalität "
        "religion stärken schwächen motto projekt projekte rolle symptom symptome ps nb termin "
        "termine besprechung flug zug bus yoga kurs anruf feier konzert kaffee tee vorab "
        "vorgeschichte"
    ),
    unreal=frozen(
        "ziel ziele wunsch wünsche plan pläne idee ideen falsch beispiel beispiele aufgabe "
        "aufgaben projekt projekte erinnerung frage fragen ausgabe eingabe ergebnis ergebnisse "
        "option optionen thema"
    ),
    introduces=anywhere(r"wissen|über mich|zu mir|erwähnen|sagen|erzählen|merken"),
    disputed=anywhere(
        r"(?:aber|doch|was|und) (?:das |er |sie |es )?(?:(?:stimmt|ist) (?:so |gar |überhaupt |"
        r"einfach )?(?:nicht|falsch|gelogen|quatsch|unsinn)|irrt|irren|lügt|lügen|liegt (?:da |"
        r"damit )?falsch)"
    ),
    names=frozen(""),
    at="um",
    says=anywhere(
        r"behauptet|behauptete|wiederholt|wiederholte|erwähnt|erwähnte|schwört|betont|betonte|"
        r"beteuert|meldet|berichtet|berichtete|ruft|rief|schreit|schrie|jammert|klagt|fügte|"
        r"steht|stand|sagt|sagte|sagten|schreibt|schrieb|schrieben|meint|meinte|erzählt|"
        r"erzählte|antwortet|"
        r"antwortete|fragt|fragte|postet|postete|textete|mailte|mailt|erklärt|erklärte|schickt|"
        r"schickte|(?:habe?|hat|hatte|haben|hatten)\b[^:,\n]{0,60} (?:gesagt|geschrieben|"
        r"erzählt|gemeint|"
        r"geantwortet|gefragt|geschickt|gemailt|gepostet|mitgeteilt|erklärt)"
    ),
    messages=anywhere(
        r"(?:nachricht|text|e-?mail|mail|brief|sms|antwort|post|beitrag|kommentar|zitat|worte|bio|"
        r"sprachnachricht|mailbox|postkarte|karte|zettel|status|"
        r"profil|lebenslauf|steckbrief)s? (?:von (?:(?:mein|dein|sein|ihr|unser|ein|de)\w{1,3}|"
        r"(?-i:[A-ZÄÖÜ]\w{1,30}))|vom|des|der|meine[rs]|eine[rs]|unsere[rs]|deine[rs])|"
        r"(?:seine|ihre|(?-i:[A-ZÄÖÜ]\w{1,30}s'?)|\w{1,30}') (?:nachricht|e-?mail|mail|sms|antwort|"
        r"worte|sprachnachricht|postkarte|karte)|auf (?:eine[rm]|de[rm]|seine[rm]|ihre[rm]) "
        r"(?:postkarte|karte|mailbox|zettel)|in (?:eine[rm]|seine[rm]|ihre[rm]) (?:brief|mail|"
        r"nachricht)"
        r"|(?:nachricht|zettel|brief) hinterlassen|"
        r"hinterließ (?:[^\W\d_]{1,5} )?eine?n? (?:nachricht|zettel|brief)"
    ),
)

_FICTION = FictionWords(
    before="hallo|bitte|also|gut|na|und|aber|nun|jetzt|naja",
    headings="strophe|refrain|kapitel|prolog|szene|akt",
    begins=words(
        r"(?:lasst?|las) uns\b[^.:!?]{0,30}\b(?:rollenspiel|so tun|annehmen)|(?:spielen|machen|"
        r"starten|beginnen) wir\b[^.:!?]{0,20}\b(?:rollenspiel|szene)|(?:wir (?:spielen|"
        r"machen) )?(?:ein )?rollenspiel|(?:stell|stellt|stellen sie) (?:dir|euch|"
        r"sich)\b[^.:!?]{0,12}\bvor|angenommen|nehmen wir (?:mal )?an|nimm (?:mal )?an|"
        r"gesetzt den fall|tun wir (?:mal )?so|tu (?:mal )?so|wir tun (?:mal )?so|"
        r"in (?:meine[mr]|unsere[mr]|de[mr]|eine[mr]|diese[mr]) (?:[^\W\d_]{1,12} )?(?:roman|"
        r"geschichte|traum|albtraum|buch|drehbuch|theaterstück|szene|rollenspiel|kampagne|film|"
        r"szenario|hörspiel)|meine? (?:[^\W\d_]{1,12} )?(?:protagonist\w{0,3}|"
        r"ich-erzähler\w{0,3}|romanfigur|hauptfigur|spielfigur)|es war einmal|(?:heute nacht |"
        r"gestern |letzte nacht |neulich )?(?:ich )?(?:habe?|hab) (?:ich )?"
        r"(?:heute nacht |gestern |letzte nacht |neulich )?geträumt,? (?:dass|ich)|"
        r"ich träumte,? (?:dass|ich)|mir träumte|(?:heute nacht |gestern )?(?:ich )?"
        r"hatte (?:ich )?(?:heute nacht |gestern )?einen (?:[^\W\d_]{1,12} )?(?:traum|"
        r"albtraum)\b|im (?:roman|traum|"
        r"film)|in meinem (?:[^\W\d_]{1,12} )?spiel"
    ),
    marvels=re.compile(
        r"stell(?:t|en sie)? (?:dir|euch|sich) (?:nur |mal )?(?:mein|unser|sein|ihr|das|"
        r"die)\w{0,2}(?: [^\W\d_]{1,20}){0,2} vor[!.]",
        re.IGNORECASE,
    ),
    tells=anywhere(
        r"(?:in|aus) der (?:ich-?(?:form|perspektive)|ersten person|sicht (?:eine[rs]|"
        r"meine[rs])|perspektive (?:eine[rs]|meine[rs]))|als ich-erzähler\w{0,3}|(?:fiktive|"
        r"erfundene|ausgedachte|imaginäre)[rsnm]? (?:[^\W\d_]{1,12} )?(?:persona|person|"
        r"nutzer\w{0,3}|profil|figur|kund\w{1,3}|geschichte|lebenslauf|charakter|dialog)|"
        r"(?:test|beispiel|dummy)-?(?:persona|person|nutzer\w{0,3}|profil|kund\w{1,3}|figur|"
        r"dialog)|du (?:bist|spielst)\b[^.:!?]{1,50}(?:,| und) ich (?:bin|spiele) (?:der|die|"
        r"das|dein\w{0,2}|eine?|ein)"
    ),
    works=anywhere(
        r"songtext|liedtext|lied|strophe|refrain|gedicht|drehbuch|skript|szene|kapitel|monolog|"
        r"dialog|kurzgeschichte|geschichte|märchen|fanfiction|vorgeschichte|prolog|"
        r"tagebucheintrag|romananfang|roman|hauptfigur|charakter|figur|persona|rollenspiel|"
        r"(?:test|beispiel)(?:daten|text|eingabe)|(?:beispiel|muster|vorlage)\b.{0,20} (?:formular|"
        r"fragebogen|vorlage|feld|felder|übung|bot|app|webseite|bewerbung)"
    ),
    leaves=words(
        r"(?:dann )?(?:bin ich|ich bin) (?:dann )?aufgewacht|(?:dann )?(?:wachte ich|ich wachte) "
        r"(?:dann )?auf|als ich aufwachte|zurück (?:zur|in die) (?:realität|wirklichkeit)|"
        r"zurück zu mir|in (?:echt|wirklichkeit|"
        r"der (?:realität|wirklichkeit))|i[mn] (?:meinem )?(?:echten|wirklichen|richtigen|"
        r"realen) leben|ende(?: (?:der|des) (?:geschichte|rollenspiels|spiels|szene|romans|"
        r"gedichts|textes|lieds|märchens))?(?=[.,:!)]|$)|(?:spaß|scherz) beiseite|(?:jetzt |"
        r"nun )?(?:aber )?(?:mal )?im ernst|genug (?:gespielt|fantasiert|davon)|(?:jetzt|"
        r"nun) (?:wieder )?zu mir|was mich (?:wirklich |selbst )?(?:angeht|betrifft)|"
        r"schluss mit (?:dem|der) (?:rollenspiel|spiel|geschichte)"
    ),
)

_DENIALS = DenialWords(
    denials=frozen("nicht kein keine keinen keinem keiner keines nie niemals niemand nichts ohne"),
    of_one_thing=frozen("kein keine keinen keiner ohne nichts"),
    backward=frozen("nicht kein keine keinen keinem keiner keines nie niemals"),
    verbs=frozen("hasse hasst aufgehört aufhören vermeide vermeidet"),
    in_sense=frozen(
        "kaum selten leider vergessen nein allergisch abgesagt verzichte verzichtet abgelehnt"
    ),
    yet=frozen("noch"),
    enough=frozen("genug"),
    plain=r"\b(?:doch )?(?:nicht|kein(?:e[nmrs]?)?|nie|niemals)\b",
    limits="nur|genug",
    stress=r"(?<!nicht )(?:überhaupt|absolut|(?:ganz )?(?:sicher|bestimmt|gewiss)|definitiv|"
    r"wirklich|echt|wahrlich|tatsächlich|gar|eindeutig)|auf keinen fall|ganz und gar|"
    r"in keiner weise|wiederhole,? (?:nicht|kein\w{0,2})",
    instead=ending(r",? (?:sondern|aber)\b"),
    untrue=ending(
        r"(?:(?:es|das) (?:ist|stimmt) (?:gar |überhaupt |einfach |doch )?(?:nicht(?: wahr| so)?|"
        r"falsch|gelogen|unwahr)|(?:bitte )?(?:vergiss|vergesst|vergessen sie)"
        r"(?: bitte)?),? dass "
    ),
    never=ending(r"\bwar (?:noch )?(?:nie|niemals)\b"),
    am="bin",
    forms=("sein ist sind bin war waren", "haben hat habe hatte"),
    no_longer=(ending(rf"\b(?:nicht|kein(?:e[nmrs]?)?)\b{BETWEEN}\b(?:mehr|länger)\b(?! als)"),),
    stopping=ending(rf"\b(?:hat|habe|haben)\b{BETWEEN}\baufgehört\b"),
    plurals=frozenset([("", "ren"), ("", "er"), ("", "en"), ("", "n")]),
)

_HOME = HomeWords(
    lives=frozen("wohnt lebt"),
    where=frozen("in bei nahe"),
    tells=frozen(
        "wohne wohnt wohnen gewohnt wohnung wohnort lebe lebt leben gelebt zuhause hause daheim "
        "haus heimat umgezogen gezogen ziehe ziehen zog umzug nachbar nachbarn stadt dorf ort "
        "adresse miete vermieter komme hier"
    ),
)

_JOINS = JoiningWords(
    adding=frozen("und sowie"),
    choosing=frozen("oder"),
    opposing=frozen("aber sondern"),
    giving_reasons=frozen("weil"),
    concluding=frozen("also"),
)

_COMMANDS = CommandWords(
    commands=frozen(
        "antworte schreibe schreib übersetze ignoriere vergiss fasse erkläre zeige zeig sende "
        "schicke lösche nenne gib mach mache sprich sag sage verwende benutze bitte erstelle "
        "führe suche merke merk erinnere"
    ),
    requests=frozen("empfiehl empfehle schlag schlage finde such suche sag sage zeig zeige hilf"),
    politely="kannst du|könntest du|können sie|könnten sie",
    manners=frozen(
        "antworte antworten antwortest schreibe schreib schreiben sprich sprechen nenne nennen "
        "verwende benutze halte halten duze siezen sag"
    ),
    talk=frozen("antworte antworten sprich halte halten"),
    style=frozen(
        "kurz knapp ausführlich einfach förmlich deutsch englisch italienisch spanisch "
        "französisch du sie"
    ),
    forms_of_address="nenn(?:e|t)? mich|duze mich",
    fillers=frozen("bitte immer nie niemals nicht ab jetzt sofort von nun an künftig"),
    standing=frozen("immer nie niemals stets künftig jedes"),
    standing_phrases="ab jetzt|ab sofort|von nun an|in zukunft",
    no_manners="passwort|passwörter|anweisungen|regeln",
    question_words=frozen("wer was wann wo wohin woher warum wieso wie welche welcher welches"),
    asked=frozen("ist sind hat"),
    finite=frozen(
        "ist sind waren hatte hatten wird wurde wurden kann muss soll läuft lief kam ging kostet "
        "dauert steht stand liegt gab fiel endet beginnt kommt geht"
    ),
    subordinating=frozen("dass wenn ob wie weil"),
    of_object=frozen(
        "der die das den dem ein eine einen einem mein meine dein deine alle alles jede jeden mir "
        "mich ihm ihr ihnen uns immer nie nur"
    ),
    prepositions=frozen(
        "von vom mit aus bei beim nach für am im zum zur um über gegen an auf in zwischen vor seit"
    ),
    breaking_off=frozen("und oder"),
    after_past=frozen("gestern heute wieder"),
    phrasal={"suche schicke sende": "an nach in auf"},
    to_assistant=r"(?:bat|bittet) (?:den )?(?:assistenten|assistant|ai|chatbot|agent|llm)\b",
)

_FACTS = FactWords(
    kin=one_word_each(
        "mutter mama|vater|eltern|schwester schwestern|bruder brüder|geschwister|tochter töchter|"
        "sohn söhne|kinder|frau ehefrau|mann ehemann|verlobte verlobter|freundin freundinnen|"
        "freund freunde|tante|onkel|cousine|nichte|neffe|oma großmutter|opa großvater|großeltern|"
        "enkel enkelin|chef chefin|kollege kollegin kollegen|nachbar nachbarin|mitbewohner "
        "mitbewohnerin|lehrer lehrerin|arzt ärztin|hund hunde hündin|katze katzen kater"
    ),
    pets=frozen("hund hunde hündin katze katzen kater"),
    units=frozen(
        "prozent euro jahr jahre jahren monat monate woche wochen tag tage stunde stunden minuten "
        "grad"
    ),
    numbered=frozen(
        "kiste zimmer rechnung nummer nr regal kapitel seite haus straße bestellung konto gleis"
    ),
    measuring=frozen("wiegt kostet verdient zahlt"),
    preferring=frozen("bevorzugt bevorzugen lieber"),
    states=phrases(
        "wohnt in|lebt in|arbeitet bei|arbeitet für|arbeitet als|verheiratet mit|studiert an|heißt"
    ),
    attributes=frozen(
        "name geburtstag alter adresse beruf arbeitgeber gehalt miete dosis arzt zahnarzt chef"
    ),
    superlatives=frozen("lieblingsfarbe lieblingsessen aktuelle"),
    conjunctions=frozen("wenn falls weil obwohl während bevor nachdem sobald"),
)

_NARRATION = NarrationWords(
    narration=frozen("nutzer nutzerin benutzer benutzerin heißt mag möchte"),
)

GERMAN = Vocabulary(
    name="german",
    function_words=_FUNCTION_WORDS,
    own_signs=frozenset("äöüßÄÖÜ"),
    first_person=frozenset(
        (
            "ich mich mir mein meine meinen meinem meiner meines wir uns unser unsere unseren "
            "unserem unserer"
        ).split()
    ),
    possessives=frozen(
        "mein meine meinen meinem meiner meines unser unsere unseren unserem unserer"
    ),
    second_person=frozen("du dich dir dein deine deinen deinem deiner euch euer eure"),
    third_person=frozenset("er ihm ihn".split()),
    stating=frozenset("bin hab habe ist hat".split()),
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
    numerals={"null": 0, "eins": 1, "zweimal": 2, "dreimal": 3} | _CARDINALS,
)
