"""How people ask, request and tell in German. Pure."""

from memoryapp.policy.turn_words.language import TurnWords, anywhere, words

_VERB_GERMAN = (
    r"(?!(?:die|eine|meine|deine|seine|ihre|unsere|keine|alle|meist|nicht|jetzt|selbst|den|einen|"
    r"meinen|an|in)\b)(?!(?-i:[A-ZÄÖÜ]))(?:\w+(?:t|e|en)|war|hab|kann|soll|darf|muss|will|mag|bin|"
    r"sind|wird|weiß|heiß|brauch|komm|mach|find)"
)
GERMAN = TurnWords(
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
    not_known=words(
        r"(?:(?:tut mir |es tut mir )?leid,? |leider )?(?:aber )?(?:"
        r"(?:das |dazu |darüber )?(?:weiß|kenne|finde) ich (?:\w+ ){0,3}(?:nicht|nichts)"
        r"|ich (?:weiß|kenne|finde) (?:\w+ ){0,3}(?:nicht|nichts)"
        r"|(?:ich (?:habe|finde)|(?:dazu |darüber |davon )?(?:habe|finde) ich) (?:\w+ ){0,3}"
        r"(?:nichts|keine?\w* (?:angaben?|information\w*|notiz\w*|erinnerung|ahnung))"
        r"|(?:das |davon )?(?:hast|haben) (?:du|"
        r"(?-i:Sie)) mir (?:\w+ )?(?:noch )?nichts? (?:gesagt|"
        r"erzählt|verraten)|keine ahnung)"
    ),
    comments=words(
        r"(?:das )?(?:klingt|hört sich|freut)|gut zu wissen|schön zu|was für eine?"
        r"|sag(?:en (?-i:Sie))? (?:mir |gerne? |einfach )?bescheid|melde dich|"
        r"ich bin (?:für dich )?da"
    ),
)
