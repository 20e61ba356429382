"""Word lists in several languages that tell small talk, tasks, and messages about people apart.

All are case-folded words as `memoryapp.language.words.words` splits them: "that's" is two.
"""

from memoryapp.language.vocabularies import FUNCTION_WORDS, VOCABULARIES

Phrases = frozenset[tuple[str, ...]]


#: The words of the longest phrase.
MAX_PHRASE_WORDS = 6


def _phrases(text: str) -> Phrases:
    """Phrases that are separated by semicolons."""
    return frozenset(tuple(phrase.split()) for phrase in text.split(";"))


#: Words of greetings, thanks, assent, surprise and of steering a conversation.
FILLERS = frozenset(
    # English
    "hi hello hey heya hiya yo howdy greetings welcome morning afternoon evening night day "
    "goodnight goodbye bye cheers thanks thank thx ty tysm please pls ok okay k kk sure yes yeah "
    "yep yup yea no nope nah fine great cool nice awesome perfect excellent wonderful lovely "
    "amazing brilliant fantastic super sweet neat good better best bad right correct wrong exactly "
    "indeed true alright well lol lmao rofl haha hahaha hehe xd hm hmm hmmm mm mhm uh um ah oh ooh "
    "aha wow whoa oops ugh meh sorry apologies pardon excuse typo mistake mind never nevermind go "
    "going gone continue proceed next carry repeat rephrase try retry stop wait pause cancel "
    "enough nothing everything anything something later soon tomorrow today tonight see seen talk "
    "speak mean meant understand understood get got gotcha makes make sense sounds sound agree "
    "interesting funny really seriously sir maam everyone everybody guys folks buddy bot assistant "
    "back one question test testing ready start begin much lot lots bunch many appreciate "
    "appreciated help helps helped helpful kidding joking around care think know say said asked "
    "ask answer worry problem up works absolutely definitely certainly totally maybe perhaps "
    "probably course guess fair like love tell ahead else words nvm idk btw brb ttyl gm gn np yw "
    "fyi cya now worries ta "
    # German
    "hallo servus moin tach grüezi grüß gruß gott guten guter gute gutes morgen tag abend nacht "
    "tschüss tschüß ciao ade wiedersehen wiederhören bald danke dankeschön dank vielen herzlichen "
    "bitte bitteschön gern gerne geschehen ja jawohl jep nein nö okay klar alles genau richtig "
    "falsch stimmt passt super toll prima klasse schön wunderbar perfekt spitze cool gut fein "
    "bestens aha achso ach hmm hä echt wirklich wow entschuldigung sorry verzeihung tippfehler "
    "egal vergiss weiter mach nochmal nochmals wiederhole wiederholen stopp halt warte moment "
    "genug nichts später verstehe verstanden meinte gemeint geht gehts los bis dann mal das wars "
    "läuft na schöner schönen schönes hilfe hilft geholfen lustig interessant "
    # Italian
    "ciao salve buongiorno buonasera buonanotte buon buona giornata serata notte arrivederci addio "
    "presto domani dopo grazie mille tante molte prego piacere favore sì si no ok va bene "
    "benissimo certo esatto giusto sbagliato perfetto ottimo bravo brava fantastico bello bella "
    "davvero veramente scusa scusi scusami niente nulla tutto fa continua avanti ripeti ripetere "
    "geniale fatto perfetta allora nessun problema figurati ahah riprova basta aspetta così fermo "
    "capito capisco d accordo tutti stai sta auguri aiutato aiutata "
    # Spanish
    "hola buenos buenas días tardes noches buen día adiós chao chau luego pronto mañana hasta "
    "vemos gracias muchas muchísimas mil favor nada sí no vale ok claro cierto exacto correcto "
    "incorrecto perfecto genial estupendo excelente bueno buena bien guay verdad perdón perdona "
    "disculpa siento sigue continúa adelante repite repetir otra vez intenta basta para espera "
    "dale eso entonces problema igual claro todo todos entiendo entendido acuerdo tal pasa jaja "
    "jajaja ayudado ayudaste ayudó "
    # French
    "salut bonjour bonsoir coucou bonne bon journée soirée nuit revoir bientôt demain tard merci "
    "beaucoup mille rien plaît plait svp stp oui ouais non ok accord dacord bien sûr exact "
    "voilà vois alors vrai problème exactement juste faux parfait super génial excellent cool top "
    "bravo vraiment ah désolé désolée pardon excuse tant pis continue continuez vas allez répète "
    "répéter réessaie encore arrête stop attends assez tout tous compris comprends ça va mdr aidé "
    "aidée "
    # Portuguese, Dutch, Swedish, Danish, Norwegian, Polish, Czech, Turkish, Finnish, Hungarian
    "olá oi bom dia boa tarde noite até logo obrigado obrigada obrigadinho obrigadinha tchau valeu "
    "sim não tudo bem hoi dag "
    "goedemorgen goedemiddag goedenavond dankjewel bedankt dank doei graag ja nee prima hej hejsan "
    "godmorgon tack tusen bra adjø farvel tak godmorgen takk morn hei cześć dzień dobry wieczór "
    "dziękuję dzięki dobranoc nie proszę ahoj děkuji díky dobrý den merhaba selam günaydın "
    "teşekkürler teşekkür ederim sağol tamam evet hayır moi terve kiitos huomenta kyllä ei szia "
    "köszönöm jó napot igen nem "
    # Russian, Ukrainian, Greek
    "привет здравствуйте здравствуй спасибо большое пожалуйста пока до свидания доброе утро добрый "
    "день вечер спокойной ночи да нет хорошо ладно понятно отлично привіт дякую добрий так ні γεια "
    "σου ευχαριστώ καλημέρα καλησπέρα καληνύχτα ναι όχι εντάξει "
    # Arabic, Hebrew, Hindi, Korean
    "مرحبا شكرا السلام عليكم صباح مساء الخير نعم لا حسنا שלום תודה רבה בוקר טוב ערב כן לא בסדר "
    "नमस्ते धन्यवाद शुक्रिया हाँ नहीं ठीक है 안녕 안녕하세요 감사합니다 고마워 고마워요 고맙습니다 네 "
    "아니요 좋아요 알겠습니다".split()
)
#: Those of them that name a part of the day or another day, or may answer a question.
DAYS = frozenset(
    "morning afternoon evening night day later soon tomorrow today tonight "
    "morgen tag abend nacht bald später giornata serata notte presto domani dopo "
    "días tardes noches día luego pronto mañana journée soirée nuit bientôt demain tard".split()
)
#: With which they greet and wish: "good night", "bis morgen", "how are you today".
DAY_WISHES = frozenset(
    "good see talk speak have nice great lovely until till how happy "
    "guten guter gute gutes schön schöne schönen schöner bis geht "
    "a buon buona bella stai buen buenos buenas feliz hasta vemos tal à bon bonne belle va "
    "hi hello hey hallo moin ciao hola salut bonjour thanks thank danke grazie gracias "
    "merci".split()
)
#: Who may be told of in words of small talk: "she said yes", "we go".
TELLERS = frozenset(
    "i we he she they him her my our mine never ich wir er mein meine unser bin hab habe "
    "io noi ho sono sto yo ella tengo soy estoy je j elle eu sou tenho estou".split()
)
#: Those that thank or greet, by which a few compliments are small talk, too.
COURTESIES = frozenset(
    "hi hello hey howdy thanks thank thx ty ta cheers obliged goodbye bye goodnight "
    "hallo servus moin tach guten danke dankeschön tschüss "
    "ciao salve buongiorno buondì buonasera buonanotte grazie arrivederci "
    "hola buenos gracias adiós salut bonjour bonsoir coucou merci "
    "olá oi obrigado obrigada hoi bedankt dankjewel hej tack takk dziękuję děkuji".split()
)
#: What is said with them to whoever helps.
COMPLIMENTS = frozenset(
    "star legend angel lifesaver hero champion best gem genius boss mate pal dude friend kind "
    "obliged indeed "
    "bist beste bester held heldin engel schatz schatzi altes haus alter chef dir recht herzlich "
    "vielmals sehr lieb "
    "tesoro mito angelo grande genio capo capa caro cara amico amica infinite "
    "eres crack sol cielo ángel máquina jefe jefa amigo amiga amor pasaste "
    "infiniment ange chou chef génie ami amie mille".split()
)
#: The same in scripts without spaces, the longest first.
UNSPACED_FILLERS = tuple(
    sorted(
        "こんにちは こんばんは おはようございます おはよう おやすみなさい おやすみ "
        "ありがとうございます ありがとうございました ありがとう どうも すみません ごめんなさい "
        "はい いいえ わかりました 了解です 了解 さようなら またね はじめまして "
        "よろしくお願いします 大丈夫です 你好 您好 早上好 下午好 晚上好 晚安 早安 谢谢你 谢谢您 "
        "谢谢 多谢 謝謝 不客气 再见 再見 拜拜 好的 好 是的 是 不是 不 对 没事 没关系 对不起 抱歉 "
        "哈哈 嗯 明白了 明白 知道了 继续 สวัสดีครับ "
        "สวัสดีค่ะ สวัสดี ขอบคุณครับ ขอบคุณค่ะ ขอบคุณ ครับ ค่ะ".split(),
        key=len,
        reverse=True,
    )
)

#: Words of the person who speaks that are a function word of one language only, and tell by
#: themselves.
ABOUT_SPEAKERS_ANYWHERE = frozenset(
    word
    for known in VOCABULARIES.values()
    for word in known.first_person
    if sum(word in others for others in FUNCTION_WORDS.values()) == 1
    # A month in Spanish.
    and word != "mes"
)
#: Questions about what is remembered.
ABOUT_MEMORY = _phrases(
    "remember;remembered;remind;reminder;recall;last time;the other day;did i;have i;i told;i said;"
    "i mentioned;we talked;we discussed;we decided;we agreed;know about me;you know about;"
    "erinnerst;erinnere;erinnern;merken;gemerkt;letztes mal;habe ich dir;hab ich dir;weißt du über;"
    "ricordi;ricorda;ricordami;ricordarmi;ultima volta;ti ho detto;sai di me;recuerdas;recuerda;"
    "recuérdame;acuerdas;última vez;te dije;sabes de mí;souviens;rappelle;rappelles;dernière fois;"
    "je t ai dit;sais de moi;sais sur moi"
)

#: How a request begins politely, and how it addresses the one who answers.
POLITE_OPENINGS = _phrases(
    "please;pls;hey;hi;hello;ok;okay;so;now;and;then;quick question;quick one;hallo;guten morgen;"
    "guten tag;guten abend;moin;servus;kurze frage;ciao;buongiorno;buonasera;salve;hola;oye;"
    "buenos días;buenas tardes;bonjour;bonsoir;salut;coucou;can you;could you;would you;will you;"
    "can you please;could you please;would you please;tell me;show me;let me know;i want you to;"
    "i need you to;i d like you to;help me;help me to;do you know;quickly;just;bitte;kannst du;"
    "könntest du;können sie;könnten sie;kannst du mir;könntest du mir;können sie mir;sag mir;"
    "sagen sie mir;zeig mir;hilf mir;weißt du;per favore;puoi;potresti;può;mi puoi;mi potresti;"
    "dimmi;mostrami;aiutami a;aiutami;sai;por favor;puedes;podrías;puede;me puedes;me podrías;dime;"
    "muéstrame;ayúdame a;ayúdame;sabes;s il te plaît;s il vous plaît;peux tu;peux tu me;peux tu m;"
    "pourrais tu;pourrais tu me;pourrais tu m;pouvez vous;pouvez vous me;pouvez vous m;dis moi;"
    "dites moi;montre moi;aide moi à;aide moi;sais tu"
)
#: Verbs with which a task begins that stands by itself.
TASK_VERBS = frozenset(
    # English
    "write rewrite explain translate convert summarise summarize fix correct proofread list "
    "generate sort calculate compute solve define describe compare give make draw sketch code "
    "implement refactor debug paraphrase simplify shorten expand rephrase reword format compose "
    "draft outline create design name count print spell pronounce classify extract parse evaluate "
    "simulate pretend act roleplay improve optimize optimise invent brainstorm round prove derive "
    "differentiate integrate factor illustrate render reverse encode decode compile teach sing "
    # German
    "schreib schreibe schreiben schreibst verfasse erkläre erklär erklären übersetze übersetz "
    "übersetzen fasse fass zusammenfassen korrigiere korrigier korrigieren verbessere liste nenne "
    "nenn erzeuge generiere sortiere berechne rechne löse definiere beschreibe beschreib "
    "vergleiche gib erstelle erstell programmiere formuliere dichte erfinde kürze zähle "
    "buchstabiere wandle erzähl erzähle entwirf "
    # Italian
    "scrivi scrivimi scrivere riscrivi spiega spiegami spiegare traduci tradurre riassumi "
    "riassumere correggi correggere elenca genera ordina calcola risolvi definisci descrivi "
    "confronta dammi fammi crea disegna inventa conta converti raccontami elencami "
    # Spanish
    "escribe escríbeme escribir reescribe explica explícame explicar traduce traducir resume "
    "resumir corrige corregir enumera genera ordena calcula resuelve define describe compara dame "
    "hazme haz crea dibuja inventa cuenta convierte cuéntame redacta "
    # French
    "écris écrire réécris rédige explique expliquer traduis traduire résume résumer corrige "
    "corriger liste énumère génère trie calcule résous définis décris compare donne crée dessine "
    "invente compte convertis raconte "
    # Portuguese, Dutch
    "escreva escreve explique traduza traduz resuma corrija liste gere calcule defina descreva "
    "schrijf vertaal leg corrigeer noem bereken beschrijf maak".split()
)
#: The ways to ask for general instructions, in which "I" is anybody, and for entertainment.
HOW_TO = _phrases(
    "how to;how do i;how do you;how do we;how can i;how can you;how can we;how would i;"
    "how would you;how should one;how does one;what is the best way to;what s the best way to;"
    "wie kann ich;wie kann man;wie macht man;wie mache ich;wie schreibt man;wie berechnet man;"
    "come si;come posso;come faccio;cómo se;cómo puedo;cómo hago;como se;como puedo;como hago;"
    "comment;steps to;schritte um;pasos para;passaggi per;étapes pour;"
    "tell me a joke;tell me a story;tell me a riddle;tell me a fun fact"
)
#: Exceptions to these: questions for a name, or for how somebody is.
NAME_QUESTIONS = _phrases(
    "come si chiama;come si chiamava;come si chiamano;come si sente;cómo se llama;cómo se llamaba;"
    "cómo se llaman;cómo se siente;como se llama;como se llamaba;como se llaman;comment s appelle;"
    "comment s appelait;comment s appellent;comment va;comment vont;comment se passe;"
    "comment s est passé;comment s est passée;comment se sent"
)
#: German articles behind "wie … ich", with which "I" is anybody: "wie entkalke ich einen Kocher".
GERMAN_ARTICLES = frozenset("den die das einen eine ein".split())
#: Whom a task is done for, behind its verb.
BENEFICIARIES = _phrases(
    "me;us;to me;to us;for me;for us;mir;uns;für mich;für uns;per me;per noi;a me;para mí;"
    "para nosotros;moi;nous;à moi;pour moi;pour nous;m;me"
)
#: Words of calculations.
ARITHMETIC = frozenset(
    "times plus minus divided multiplied percent square cube root sum product modulo equals equal "
    "calculate compute mal geteilt prozent wurzel hoch quadratwurzel summe viel ergibt rechne per "
    "più meno diviso radice quadrata fa somma por más menos dividido entre raíz cuadrada suma fois "
    "moins divisé racine carrée somme pourcent font".split()
)
#: Words with which a question begins.
QUESTION_OPENINGS = frozenset(
    "who whom whose which what whats when where why how is are was were do does did have has had "
    "can could will would should may am wer wen wem wessen welche welcher welches wann wo wohin "
    "woher warum wieso wie habe hab hat bin ist sind kann soll darf muss chi cosa che quale "
    "quali quando dove perché come quanto ho sono quién qué cuál cuándo dónde cómo cuánto he soy "
    "tengo qui que quoi quel quelle quand où comment pourquoi combien est ai suis".split()
)
#: Those that ask for more than how somebody is.
QUESTION_WORDS = frozenset(
    "what whats who when where which wer wann wo cosa chi quando dove qué quién cuándo dónde quoi "
    "qui quand où".split()
)
#: Openings of questions about a number or a measure.
MEASURES = _phrases(
    "how many;how much;how high;how tall;how far;how long;how deep;how big;how heavy;how fast;"
    "how old;wie viel;wie viele;wieviel;wieviele;wie hoch;wie groß;wie weit;wie lang;wie lange;"
    "wie tief;wie schwer;wie schnell;wie alt;quanto;quanta;quanti;quante;quant;cuánto;cuánta;"
    "cuántos;cuántas;combien de;combien d;combien"
)
#: Indefinite articles: the question is about any thing of a kind, not about one in particular.
INDEFINITE = frozenset("a an ein eine einem einer eines un uno una une".split())
#: Words of questions that anybody can look up: facts about countries and places, and the weather.
WORLD_FACTS = frozenset(
    "capital population inhabitants currency continent hauptstadt einwohner einwohnerzahl währung "
    "bundesländer kontinent capitale abitanti valuta continente habitantes población moneda "
    "habitants monnaie weather forecast raining wetter meteo piove clima llover météo".split()
)
#: Words of work that needs no memory: comparisons, definitions, poems and jokes, and the languages
#: and tools of programmers and offices.
GENERAL_WORK = frozenset(
    "difference synonym synonyms antonym definition "
    "unterschied synonyme gegenteil bedeutet "
    "differenza sinonimo sinonimi definizione significa "
    "diferencia sinónimo sinónimos definición significa "
    "différence synonyme synonymes définition signifie "
    "haiku limerick poem joke riddle pun gedicht witz flachwitz rätsel reim poème blague devinette "
    "comptine poema chiste adivinanza poesia filastrocca barzelletta indovinello "
    "python javascript typescript sql css html regex flexbox json yaml bash powershell git npm "
    "docker nginx php kotlin excel latex tupla typeerror undefined".split()
)
#: Verbs behind "who" that ask for an author, an inventor or a winner.
WHO = frozenset("who wer qui chi quién quien".split())
RENOWNED = frozenset(
    "painted wrote invented discovered composed directed sang won founded "
    "malte gemalt schrieb geschrieben erfand erfunden entdeckt entdeckte komponierte komponiert "
    "gewann gewonnen peint écrit inventé découvert composé gagné dipinto scritto inventato "
    "scoperto composto vinto pintó pinto escribió inventó descubrió compuso ganó".split()
)
#: How an answer is to look: all that a message says, it is about the one before.
FORMATS = frozenset(
    "shorter longer simpler simple brief briefer plain prose table columns column bullet bullets "
    "points list numbered formal informal english german words word sentence sentences steps "
    "kürzer länger einfacher knapper ausführlicher tabelle liste nummerierte stichpunkte "
    "stichpunkten fließtext deutsch englisch förmlicher sätze einleitung ganze "
    "court courte simple simplement tableau liste puces anglais français jargon mots conclusion "
    "corto corta sencillo simple tabla lista puntos inglés español emojis palabras "
    "breve corto semplice tabella elenco puntato numerato inglese italiano parole introduzione "
    "put make format use write mach setz schreib mets remets ponlo pásalo hazlo usa rifallo "
    "mettilo in auf au en into as als come como comme "
    "can could you kannst du das es puedes puoi peux tu ça please bitte por favor per favore stp "
    "svp more plus más più menos meno moins weniger mehr without ohne sans sin senza "
    "instead statt version porfa form forma sous form".split()
)
