"""German words and patterns of the built-in reader. Pure."""

import re

from memoryapp.reader.languages.asking import GERMAN as ASKING
from memoryapp.reader.languages.german_notes import NOTES
from memoryapp.reader.languages.german_person import agrees, main_clause, narrate
from memoryapp.reader.languages.german_slots import BESIDE, KEYS, SLOTS
from memoryapp.reader.languages.language import Language
from memoryapp.reader.languages.plans import GERMAN as PLANS
from memoryapp.reader.languages.pronouns import GERMAN as REFERRING
from memoryapp.reader.languages.topics import topics_of

#: Relatives, friends and superiors; whoever else belongs to somebody.
_CLOSE = (
    "mutter mama vater papa eltern schwester bruder schwestern brüder geschwister tochter sohn "
    "töchter söhne kind kinder baby frau mann ehefrau ehemann partner partnerin verlobte "
    "verlobter freundin freund freunde freundinnen tante onkel cousin cousine nichte neffe oma "
    "opa großmutter großvater großeltern enkel enkelin chef chefin"
).split()
_KIN = [
    *_CLOSE,
    *(
        "kollege kollegin kollegen nachbar nachbarin mitbewohner mitbewohnerin hund hunde katze "
        "katzen kater pferd kaninchen familie zwillinge kleine kleiner große großer therapeut "
        "therapeutin vermieter vermieterin hausarzt hausärztin arzt ärztin zahnarzt zahnärztin "
        "schwiegermutter schwiegervater schwiegereltern schwager schwägerin schwiegersohn "
        "schwiegertochter patenkind patensohn patentochter stiefvater stiefmutter stiefsohn "
        "stieftochter enkelkind enkelkinder mutti vati"
    ).split(),
]


GERMAN = Language(
    name="german",
    user="Der Nutzer",
    first_person=frozenset(
        "ich mich mir mein meine meinen meinem meiner meines wir uns unser unsere unseren unserem "
        "unserer".split()
    ),
    subjects=frozenset("ich wir mein meine unser unsere".split()),
    pronouns=frozenset("ich wir".split()),
    own_pronoun=r"(?:ich|wir)(?!\w)",
    owners=frozenset("mein meine unser unsere".split()),
    owner_within=1,
    # "Ohne Brille sehe ich nichts" has its subject behind the verb.
    no_subject=re.compile(
        r"(?:(?:für|als|ohne|um)(?! (?:[\w.-]{1,20} ){1,5}(?:ich|wir)\b)|"
        r"wie|dass|das|was|wer|fast|so)\b|"
        r"(?:meine?|unsere?) [^,]{2,30} (?:fragte?|hat (?:mich|uns) gefragt)\b",
        re.IGNORECASE,
    ),
    concerning=re.compile(
        r"(?:mir|uns) (?:wurden?|tut|tun|gehört|gehören|schmeckt|schmecken|macht|machen|fehlen|"
        r"(?:ist|sind) (?=(?:[\w-]{1,20} ){1,8}(?:\w{1,8}ge\w{2,12}en|gestorben|gestohlen|verloren|"
        r"weggelaufen|passiert)\b))|"
        r"(?:mich|uns) (?:nervt|stresst|stört|ärgert|quält|plagt|quälen|plagen)\b|"
        r"in (?:meiner|unserer) familie\b|"
        r"bei (?:mir|uns) (?:wurden?|steht|stehen|wohnt|wohnen|liegt|zieht|läuft)\b|"
        r"bei (?:meine[mnr]|unsere[mnr]) (?:[\w-]{1,20} ){1,3}(?:wurden?|ist|hat)\b|"
        r"(?:eine[rs]?|zwei|drei|beide|alle|einige|viele|keine[rs]?)(?: von)? (?:meine[rn]?|"
        r"unsere[rn]?) |"
        r"(?:in|auf|an|hinter|unter|neben|vor) (?:meine[mnr]|unsere[mnr]) (?!roman|geschichte|buch|"
        r"traum|frage|text|code|datei|tabelle|liste|spiel|beispiel|meinung|"
        r"nachricht)(?:[\w-]{1,20} )"
        r"{1,3}(?:fehlt|fehlen|steht|stehen|wohnt|wohnen|gibt es|sind|ist|wird|werden|wurden?|hat|"
        r"haben|"
        r"arbeiten|leben|wächst|wachsen)\b",
        re.IGNORECASE,
    ),
    question=re.compile(
        r"(?:wer|wen|wem|wessen|was|welche[rsnm]?|wann|wo|wo(?:hin|her|mit|r?auf|für|von|ran|rin|"
        r"rüber|durch|nach|zu|bei|rum)|warum|wieso|weshalb|wie|"
        r"wieviel|kann|könnte|soll|sollte|darf|muss|bin(?= ich\b)|bist|ist|sind|hast|habt|haben|"
        r"gibt|weißt|"
        r"kennst|wirst|würdest|könntest|kannst|können|könnten)\b",
        re.IGNORECASE,
    ),
    request=re.compile(
        r"\b(?:bitte|kannst du|könntest du|können sie|könnten sie|hilf mir|sag mir|zeig "
        r"mir|gib mir|"
        # A task at a computer.
        r"ich (?:will|möchte|muss) (?:[\w-]{1,20} ){1,4}?(?:datei(?:en)?|ordner|skripte?|listen?|"
        r"spalten?|zeilen?|tabellen?|zellen?|funktion(?:en)?|code|server|port|bild(?:er)?|"
        r"dokumente?|"
        r"formeln?|links?|variablen?|abfragen?|datenbank(?:en)?)\b|"
        r"nenne? mir|erkläre? mir|erzähl mir|ich (?:brauche|suche|hätte gerne?|möchte "
        r"gerne? wissen|"
        r"möchte wissen|will wissen|benötige)|ich (?:frage mich|verstehe|bekomme immer|"
        r"kriege|meinte|"
        r"versuche(?!(?: [\w-]{1,20}){0,8} (?:aufzuhören|abzunehmen|zuzunehmen|anzufangen|zu "
        r"(?:lernen|"
        r"sparen|reduzieren|verzichten|leben|essen|schlafen|trinken|rauchen|werden))\b))|danke|"
        r"stell dir vor|lass uns|du sollst)\b",
        re.IGNORECASE,
    ),
    asking=ASKING,
    hypothetical=re.compile(
        r"\b(?:(?:das )?(?:war|ist) (?:doch )?(?:nur |bloß )?(?:ein )?(?:witz|scherz|spaß)|"
        r"(?:hab(?:e)?|hatte) (?:doch )?nur (?:gescherzt|spaß gemacht)|vielleicht|eventuell|"
        r"womöglich|wahrscheinlich|"
        # "Würde gern" is a wish.
        r"würden?(?!(?: \w{1,10}){0,3} gerne?\b)|wären?|hätten?|könnten?|"
        r"sollten?|müssten?|dürften?|angenommen|stell dir|hoffentlich|glaube|denke|vermute|schätze|"
        r"geträumt|am liebsten würde|beinahe|einander|gegenseitig)\b",
        re.IGNORECASE,
    ),
    conditional=re.compile(r"\b(?:wenn|falls|ob|sofern)\b", re.IGNORECASE),
    addressing=re.compile(
        r"\b(?:du|dich|dir|dein|deine|deinen|deinem|deiner|ihr|euch|euer|eure)\b|"
        # In small letters they are a third person's.
        r"(?-i:\bIhnen\b|\bIhren?\b)",
        re.IGNORECASE,
    ),
    task=re.compile(
        r"(?:(?:bitte|kannst du|könntest du|hey|hallo|ok),? ){0,3}(?:schreibe?|schreib mir|"
        r"übersetze?|fasse?|formuliere|korrigiere?|verbessere|kürze|verfasse|erfinde|dichte|"
        r"programmiere|analysiere|setze|mach(?:e)? (?:mir )?(?:daraus|das hier|hieraus)|du bist|"
        r"stell dir|tu so|spiele?|hier ist|antworte auf)\b",
        re.IGNORECASE,
    ),
    opener=re.compile(
        r"(?:(?:hallo|hi|hey|ähm?|hm+|digg[ae]r?|alter|bro|ey|ne|nö|naja|moment|entschuldigung|"
        r"entschuldige|verzeihung|(?:sehr geehrter?|liebe[rs]?) (?:assistent(?:in)?|team|"
        r"damen und herren)|die sache ist die|moin(?: moin)?|servus|grüezi|grüß (?:gott|dich)|"
        r"grüß euch|tach|tag|"
        r"hallöchen|sorry|achso|ja|nein|nee|also|ach|oh|na|tja|und|aber|denn|ok|okay|danke|"
        r"vielen dank|gut|"
        r"übrigens|nebenbei|zur info|zum hintergrund|eigentlich|ehrlich gesagt|weißt du|"
        r"stimmt(?! (?:so )?nicht\b)|genau|"
        r"(?:entschuldig(?:e|en sie)|verzeih(?:en sie)?|sorry)(?: bitte)?(?: für)? die störung"
        r"(?:,? aber)?|"
        r"ich hätte (?:da |mal |noch ){0,3}(?:eine|ne) (?:kurze |kleine )?frage(?=[:,])|"
        r"ich wollte (?:nur |mal |kurz ){0,3}fragen, ob (?:du|sie) mir helfen (?:kannst|können|"
        r"könntest|"
        r"könnten)(?=[:,.])|"
        r"falls (?:das|es) (?:wichtig|relevant|hilfreich) ist(?=[:,])|falls (?:das|es) "
        r"hilft(?=[:,])|"
        r"(?:(?:kleine|kurze|eine) )?(?:info|frage|anmerkung)(?: vorab| noch)?(?=:)|"
        # What follows has its verb last.
        r"ich (?:wollte|muss|sollte|möchte) (?:nur |noch |mal |kurz |eben |vielleicht "
        r"){0,4}(?:sagen|"
        r"erwähnen|anmerken|loswerden), dass|"
        r"(?:du solltest|sie sollten|man muss) (?:noch |vielleicht ){0,2}wissen, dass|"
        r"ich hab(?:e)? (?:dir |ihnen |ja |doch |schon ){0,4}(?:gesagt|erzählt|erwähnt), dass|"
        r"ich meinte nicht [^,.!?:]{2,40}(?=, (?:sondern|ich|wir|meine?|unsere?)\b)|"
        r"stimmt (?:so )?nicht(?: ganz)?(?=[:,])|"
        r"(?:bitte )?(?:vergiss|vergessen sie|ignoriere?),? (?:das|was ich|die sache)"
        r"(?: [^,.!?:]{2,40})?(?:, was ich [^,.!?:]{2,40})?(?=[,.!:])|leider|außerdem|zudem|"
        r"jedenfalls|zum glück|kurz zu mir|guten morgen|guten "
        r"tag|guten abend|"
        r"falsch(?=[,.!])|unter uns(?=:)|"
        r"ich (?:hatte|habe?|dachte) [^.!?:]{3,60},(?= (?:tatsächlich|in wirklichkeit|"
        r"eigentlich) \w+ "
        r"(?:ich|wir)\b|(?:ich|wir) [^.,!?]{2,40} aber\b)|"
        r"(?:kleine|kurze|eine) (?:änderung|korrektur|info|neuigkeit)(?=:)|"
        r"(?:(?:jetzt|nun) )?auf deutsch(?=:)|korrektur(?=:)|"
        r"(?:(?:ich habe?|da habe? ich) mich (?:(?:vorhin|eben|oben|gestern|vorher) )?"
        r"(?:geirrt|vertan|versprochen)|mein fehler)(?=[:,.]))"
        r"(?:[,:!.…]|\s[-–—])?\s+|"
        r"(?:das|es) (?:ist|stimmt) (?:so |gar |überhaupt |doch )?"
        r"(?:nicht(?: wahr| richtig)?|falsch|unwahr|quatsch|unsinn)"
        r"(?:[,;:!.…]|\s[-–—])\s+(?!dass\b))",
        re.IGNORECASE,
    ),
    pointer=re.compile(
        r"\b(?:es|dies|davon|damit|darüber|dafür|dagegen|daran|darauf|darin|dazu|dabei|dort|"
        r"das (?:ist|war|hat|wird|macht)|er|sie|ihn|ihm)\b",
        re.IGNORECASE,
    ),
    personal=frozenset("er sie ihn ihm".split()),
    referring=REFERRING,
    referring_within=(),
    places=frozenset(["dort"]),
    clause=re.compile(r"(?:,|;|\s[-–—])\s?|\s(?=(?:und|aber|denn|oder)\s)", re.IGNORECASE),
    joint=re.compile(
        r",? (?:und|aber) |; (?:(?:und|aber) )?|, (?=(?:ich|wir|meine?|unsere?|er|sie)\s|"
        r"(?:jetzt|nun|heute|inzwischen|mittlerweile|derzeit|aktuell) [a-zäöüß]{2,15} (?:ich|"
        r"wir)\s)",
        re.IGNORECASE,
    ),
    dependent=re.compile(
        r"\b(?:dass|weil|da|wenn|als|während|nachdem|bevor|obwohl|damit|ob|seitdem|sobald|solange|"
        r"bis (?:ich|wir|mein|meine)|seit (?:ich|wir|mein|meine)|wo|wie|was|wer|wobei|"
        r"sag(?:t|te|en)|meint(?:e|en)?|glaubt(?:e|en)?|denkt|dachten?|hofft|weiß|findet|"
        r"auch|ebenfalls|ebenso|beide|dann|stattdessen|dagegen)\b|"
        r", (?:der|die|das|den|dem|deren|dessen|welche[rsnm]?)\b",
        re.IGNORECASE,
    ),
    agrees=agrees,
    present=re.compile(r"\b(?:ist|sind|bin)\b", re.IGNORECASE),
    having=re.compile(
        r"\b(?:(?:ich|wir) (?:habe?|haben)|(?:habe?|haben) (?:ich|wir))(?: (?:auch|seit|jetzt|noch|"
        r"gerade|gestern|letzte|woche|kurzem)){0,3} eine?n? (?:[\w-]{2,15} ){0,3}$"
    ),
    copulas=frozenset("ist sind war waren hat haben hatte heißt".split()),
    reminder=re.compile(
        r"(?:bitte )?(?:merke? dir|denke? (?:bitte )?(?:daran|dran)|vergiss (?:bitte |das )?nicht|"
        r"behalte?(?: bitte)?(?: im (?:kopf|hinterkopf))?|notiere? dir|erinnere dich)"
        r"(?: bitte)?(?:,? dass\b|[:,])\s?",
        re.IGNORECASE,
    ),
    taste=re.compile(
        r"(?:am liebsten|(?:sehr|besonders) gerne?) (?:esse|trinke|mag|lese|höre|schaue|koche|"
        r"spiele|fahre) ich \w|"
        r"ich (?:(?:mag|liebe|hasse|bevorzuge|vermeide)(?: (?:sehr|wirklich|lieber|überhaupt))*|"
        r"(?:esse|trinke|rauche|benutze|nutze|verwende)"
        r"(?= (?:kein|nie\b|niemals\b|nur\b|lieber\b|am liebsten\b)))"
        r" (?!das\b|dass\b|die\b|der\b|den\b|diese|jene|es\b|sie\b|ihn\b|dein|ihr|wie\b|was\b|"
        r"wenn\b)\w",
        re.IGNORECASE,
    ),
    standing_wish=re.compile(
        r"(?:bitte )?(?:antworte?|antworten sie|schreibe?|sprich|erkläre?|verwende|benutze|nenne?|"
        r"halte?|duze|sieze|gib|zeige?|rechne|beginne?|vermeide) "
        r"[^.!?]{0,40}\b(?:immer|nie|niemals|stets|künftig|ab jetzt|"
        r"in zukunft)\b|"
        r"ich hätte (?:lieber|gerne?) (?:immer )?(?:kurze|kürzere|knappe|knappere|ausführliche|"
        r"längere|einfache|einfachere) (?:antworten|erklärungen)\b|"
        r"(?:bitte )?(?:sage?|sagen sie) (?:bitte )?(?:immer )?(?:du|sie) zu mir\b|"
        r"ich (?:möchte|würde) (?:(?:lieber|gerne?|bitte) )*(?:geduzt|gesiezt) werden\b|"
        r"(?:du kannst|sie können) mich (?:(?:gerne?|ruhig|auch) )*(?:duzen|siezen)\b|"
        r"(?:bitte )?hör(?:e|en sie)? (?:bitte )?auf (?:mit|zu)\b|"
        r"(?:bitte )?keine? [^.!?]{2,30} mehr\b|(?:bitte )?nenne? mich "
        r"(?:(?:bitte|lieber|einfach|künftig|ab sofort|ab jetzt) ){0,3}(?-i:[A-ZÄÖÜ])|"
        r"(?:ab jetzt|ab "
        r"sofort|von nun an|künftig|in zukunft) ",
        re.IGNORECASE,
    ),
    standing=re.compile(
        r"(?:ich bin|wir sind|ich war (?:noch )?nie) "
        r"(?!(?:so|zu|sehr|gerade|nur|hier|da|dort|wieder|fertig|sicher|"
        r"unsicher|"
        r"bereit|müde|froh|glücklich|traurig|gelangweilt|verwirrt|neugierig|besorgt|krank|spät|"
        r"nicht|"
        r"mir|dabei|auf|in|im|am|mit|bei|echt|total|etwas|ein wenig|begeistert|gespannt|"
        r"zufrieden|einverstanden|überrascht|dankbar|\w{1,15}lich)\b)\w{3}|"
        # What happens in a life, however briefly it is told.
        r"(?:ich|wir) (?:habe?|haben|bin|sind) (?:[\w.-]{1,20} ){0,8}(?:gekündigt|verkauft|gekauft|"
        r"geheiratet|eingetreten|beigetreten|studiert|geraucht|adoptiert|gegründet|bestanden|"
        r"geerbt|"
        r"gebrochen|umgezogen|ausgezogen|eingezogen|aufgehört|operiert|befördert|verlobt|"
        r"(?:job|arbeit|stelle|führerschein|wohnung|baby|kind) verloren)\b|"
        r"(?:ich|wir) haben? (?:mich|uns) (?:[\w-]{1,20} ){0,5}getrennt\b|"
        r"ich (?:fahre? eine?n?|trage|spreche(?! (?:mit|von|über)\b)|wiege?) \w|"
        r"ich spiele? (?!(?:das|dieses|mit)\b)\w|ich (?:schnarche?|stottere)\b|"
        r"ich bin in (?:rente|elternzeit|ausbildung|kurzarbeit|teilzeit|therapie|pension)\b|"
        r"ich habe? (?:\w{2,10} )?keine?n? (?:führerschein|auto|fernseher|balkon|garten|backofen|"
        r"haustiere?|geschwister|internet|konto)\b|"
        # An illness, or a fear.
        r"ich hab(?:e)? (?:(?:panische|große|schreckliche|tierische) )?(?:(?!angst)\w{3,12}angst\b|"
        r"angst vor (?!(?:dir|ihm|ihr|ihnen|euch|dem ergebnis)\b))|"
        r"ich hab(?:e)? (?:(?:adhs|ads|aids|hiv|copd|pcos|bpd|ptbs)\b|"
        r"\w{3,20}(?:itis|ämie|algie|phobie|syndrom|krankheit|störung)\b)|"
        # What somebody aims at; "ich will die Spalte verschieben" is a task.
        r"ich versuche |"
        r"(?:ich|wir) (?:will|wollen|möchten?|würden? (?:\w{2,10} ){0,2}gerne?|plane|planen) "
        r"(?:[\w-]{1,20} ){0,10}?(?:(?:(?-i:[A-ZÄÖÜ])\w{2,30}) werden|lernen|abnehmen|zunehmen|"
        r"aufhören|"
        r"umziehen|(?:nach (?-i:[A-ZÄÖÜ])\w{2,30}|aufs land|in (?:die|eine) \w{3,30}) (?:ziehen|"
        r"wechseln)|"
        r"(?:\w{0,20}haus|hütte|boot) bauen|(?:job|beruf|stelle|schule|branche) wechseln|"
        r"(?:haus|auto|wohnung|boot|motorrad) verkaufen|bis (?:[\w.-]{1,20} ){1,5}schaffen|reisen|"
        r"studieren|sparen|gründen|heiraten|auswandern|besteigen|umschulen|adoptieren|eröffnen|"
        r"\w{0,20}(?:prüfung|führerschein|abitur|examen|klausur) bestehen|"
        r"(?:rauchen|job|beruf|studium) aufgeben)\b|"
        # Habits.
        r"(?:ich|wir) (?!bin\b|sind\b|habe?\b|haben\b)[a-zäöüß]{2,15} (?:[\w-]{1,20} ){0,4}?"
        r"(?:jede[nsr]?|immer|meistens|normalerweise|täglich|regelmäßig|(?:ein|zwei|drei|vier|"
        r"fünf|\d)mal "
        r"(?:pro|in der|die|am)) \w|"
        r"ich (?:bin|hab|habe) noch nie\b|ich (?:kann|darf) (?:nur|kein|keine|keinen|nicht "
        r"(?!mehr als\b|"
        r"finden|sehen))|(?:ich hab|ich habe|wir haben) (?:eine?n?|zwei|drei|vier|fünf|\d{1,3}) "
        r"(?!(?:\w{1,12} )?(?:fragen?|probleme?|ideen?|fehler|bitten?|moment|minuten?|stunden?|"
        r"gefühl|listen?|dateien?|texte?|aufgaben?|plan|bisschen|paar|termin)\b)",
        re.IGNORECASE,
    ),
    feelings=frozenset(
        "toll super schön wunderbar fantastisch großartig danke froh glücklich traurig "
        "gerne klasse "
        "cool wow freue freut lustig spannend gut besser müde".split()
    ),
    hedges=frozenset(
        "glaube denke irgendwie irgendwas irgendwann etwas zeug sachen vielleicht".split()
    ),
    leading=re.compile(
        r"(?:seit|nach|vor|wegen|trotz|bei|beim|mit|ohne|als|durch|dank|in|im|am|an|auf|aus|für|zu|"
        r"zum|zur|früher|damals|inzwischen|mittlerweile|jetzt|nun|derzeit|aktuell|momentan|"
        r"meistens|"
        r"normalerweise|oft|manchmal|jede[nrs]?)(?! (?:wann|was|wem|wen|welche\w?|wie|wo)\b)"
        r"(?: [\w-]{1,20}){0,5}? (?=[a-zäöüß]{2,15} (?:ich|wir)\b)",
        re.IGNORECASE,
    ),
    passing=re.compile(
        r"ich bin (?:\w{2,10} ){0,3}(?:im stress|in eile|unter zeitdruck|unterwegs|spät dran)\b|"
        r"(?:wir haben|es hat) (?:heute|gerade|grad|aktuell) (?:\w{2,10} ){0,3}grad\b|"
        r"ich (?:freue?|ärgere?) mich\b(?! (?:\w{2,10} )?(?:auf|über)\b)|"
        r"(?:ich )?bin (?:ich )?(?:(?:grad|gerade|noch|eben|jetzt) )?(?:im|in der|auf dem|auf "
        r"der|am|beim) "
        r"(?:zug|bus|auto|flughafen|bahnhof|supermarkt|büro|meeting|park|restaurant|café|stadt|"
        r"bahn|"
        r"arbeit|klo|bad|strand|einkaufen)\b|"
        r"(?:meine?|unsere?) \w{2,15} (?:ist|sind|war|waren)(?: (?:heute|gerade|grad|so|total|"
        r"echt|voll|"
        r"mega|sehr|wieder|ziemlich)){1,3} [a-zäöüß]{3,15}\.?$|"
        r"(?:ich )?(?:hab|habe|haben) (?:wir |noch |nur |gerade |grad ){0,3}(?:\w{1,20} ){1,8}"
        r"(?:im (?:kühlschrank|gefrierfach|vorratsschrank|haus)|übrig)\b|"
        r"ich hab(?:e)? (?:\w{2,10} ){0,2}keine?n? (?:plan|ahnung|zeit|idee|lust|bock)\b|"
        r"(?:ich (?:bin|war|fühl'?e? mich|hab|habe)|mir (?:geht|ging)(?:'?s| es)?|heute (?:bin|war|"
        r"geht|habe?|fühle?)(?: (?:ich|mir|mich|es|'?s)){1,3}|bin|war)(?: (?:heute|gerade|grad|"
        r"eben|jetzt|"
        r"nicht|so|echt|total|sehr|"
        r"richtig|etwas|ein bisschen|irgendwie|ziemlich|voll|mega|wieder|leider|gut|schlecht))* "
        r"(?:müde|traurig|glücklich|krank|hungrig|einsam|gestresst|nervös|wütend|genervt|gut|"
        r"schlecht|"
        r"super|besser|schlechter|fertig|kaputt|schlapp|erschöpft|aufgeregt|besorgt|frustriert|"
        r"hunger|durst|kopfweh|kopfschmerzen|keine lust|angst(?! vor))\b",
        re.IGNORECASE,
    ),
    lasting=frozenset(
        "wohne lebe arbeite studiere studiert gezogen geboren aufgewachsen verheiratet geheiratet "
        "spiele lerne habe hatte gekauft angefangen begonnen entschieden geplant allergisch "
        "vegetarier vegan liebe hasse mag bevorzuge immer nie seit jahren jeden jede woche reise "
        "bestanden gewonnen trainiere leite nehme trinke esse fahre ziehe fliege heiße "
        "heißt".split()
    ),
    kin=frozenset(_KIN),
    past=re.compile(
        r"\b(?:war|waren|hatte|hatten|wurde|ging|kam|fuhr|sah|fand|bekam|zog|traf|"
        # A participle has no capital: "Besonderheit" and "Verwandten" are nouns.
        r"(?:habe|hab|bin|haben|sind|hat|ist)\b.{1,200}\b(?-i:ge[a-zäöüß]{2,20}(?:t|en)|"
        r"[a-zäöüß]{2,10}ge[a-zäöüß]{2,20}(?:t|en)|[a-zäöüß]{3,20}iert|(?:ver|be|er|ent|zer)"
        r"[a-zäöüß]{2,20}(?:t|en)))\b",
        re.IGNORECASE,
    ),
    # "Wird seit März renoviert" is no future.
    future=re.compile(
        r"\b(?:(?:werde|werden|wird)\b(?!(?: [\w-]{1,20}){0,3} seit\b)|will|wollen|möchten?|"
        r"planen?|habe vor|haben vor)\b|"
        # Its date is to come: "und fang im Februar an".
        r"\A(?:und |aber )?(?:ich )?(?:fange?|beginne|starte|ziehe?|wechs[e]?le|gehe?|fahre?|"
        r"fliege?|"
        r"heirate|werde)\b",
        re.IGNORECASE,
    ),
    preference=re.compile(
        r"\b(?:liebe|mag|mögen|bevorzuge|hasse|lieblings\w{1,20}|am liebsten|gern|gerne|gefällt|"
        r"trinke kein\w{0,2}|esse kein\w{0,2}|begeistert)\b",
        re.IGNORECASE,
    ),
    decision=re.compile(
        r"\b(?:entschieden|entschlossen|beschlossen|ausgesucht|gewählt|entscheide)\b", re.IGNORECASE
    ),
    relationship=re.compile(
        r"\b(?:meine?|unsere?) (?:" + "|".join(_CLOSE) + r") (?:ist|heißt|lebt|wohnt|arbeitet)\b|"
        r"\b(?:verheiratet|geheiratet|verlobt|geschieden|getrennt|befreundet)\b",
        re.IGNORECASE,
    ),
    topics=topics_of("german", _KIN),
    plans=PLANS,
    notes=NOTES,
    slots=SLOTS,
    keys=KEYS,
    beside=BESIDE,
    narrate=narrate,
    noun=str.capitalize,
    verb_last=re.compile(r"\bdass\s?$", re.IGNORECASE),
    main_clause=main_clause,
    asked_wish=re.compile(
        r"(?:kannst|könntest|würdest) du (?:bitte )?(?:(?:mich|mir) )?(?:bitte )?(?:immer|nie|"
        r"künftig|"
        r"in zukunft|ab jetzt|von nun an) \w",
        re.IGNORECASE,
    ),
    unresolved=re.compile(
        r"\b(?:ich|mich|mir|mein|meine|meinen|meinem|meiner|wir|uns|unser|unsere|gestern|heute|"
        r"vorgestern|übermorgen|(?:letzte|diese|nächste|letzten|diesen|nächsten|letztes|dieses|"
        r"nächstes) (?:woche|monat|jahr|wochenende|sommer|winter|montag|dienstag|"
        r"mittwoch|donnerstag|"
        r"freitag|samstag|sonntag)|du|dein|es|das ist|dies|"
        r"(?<!am )(?<!jeden )(?<!heute )(?<!gestern )morgen)\b",
        re.IGNORECASE,
    ),
)
