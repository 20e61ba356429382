"""Questions, and commands to an assistant, which are no facts; standing wishes are. Pure."""

import re

from memoryapp.language.denials import is_denial
from memoryapp.policy.gate.imperatives import is_named
from memoryapp.policy.gate.words import Word, normalised, words_of
from memoryapp.policy.request_words import TASK_VERBS

#: What a question begins with: a question word, or a verb before its subject.
_QUESTION_WORDS = frozenset(
    "what when where who whom whose which why how wer was wann wo wohin woher warum wieso wie "
    "welche welcher welches chi cosa quando dove perché come quale quali quién qué cuándo dónde "
    "cómo cuál cuáles qui quand où pourquoi comment quel quelle quoi".split()
)
_AUXILIARIES = frozenset(
    "do does did is are was were can could will would should have has had may might am".split()
)
_PRONOUNS = frozenset("i you he she it we they the there my your this that".split())
#: Verbs by which an assistant is told to do something, at the beginning of a sentence.
_COMMANDS = frozenset(
    # English
    "add act adopt ask analyze analyse answer append apply arrange assume avoid begin book "
    "calculate call cancel change check choose clear click combine compare complete compose "
    "compute configure confirm convert copy correct create debug define delete describe "
    "determine disable disregard display divide do don't download draft draw email embed "
    "emulate enable encode encourage enhance enter enumerate erase evaluate examine execute "
    "explain export extract fetch fill find fix follow forget format forward generate get give "
    "go grant guide help hide highlight identify ignore imagine implement improve include "
    "incorporate increase inform insert install introduce instruct keep let link list log look "
    "maintain make mention mimic mix modify never note obey offer open optimize order organize "
    "output overwrite override paraphrase perform play post pretend print proceed produce "
    "promote prompt propose provide put rate read rearrange recall recite recommend record "
    "reformat refuse rely remember remind remove render repeat rephrase replace reply report "
    "request research respond return reveal reverse review revoke rewrite run save say scan "
    "schedule scramble search send set share show simulate solve sort speak spell split start "
    "state stop store substitute suggest summarise summarize swap switch take talk tell test "
    "transcribe transfer transform translate treat trust try turn type update upload urge use "
    "utilize validate verify visit warn watch write please always ensure respond"
    # German
    "antworte schreibe schreib übersetze ignoriere vergiss fasse erkläre zeige zeig sende schicke "
    "lösche nenne gib mach mache sprich sag sage verwende benutze bitte erstelle führe suche "
    "merke merk erinnere "
    # Italian
    "rispondi scrivi traduci ignora dimentica riassumi spiega mostra invia manda cancella dammi "
    "fai parla dimmi usa crea esegui cerca ricorda "
    # Spanish
    "responde escribe traduce ignora olvida resume explica muestra envía manda borra dame haz "
    "habla dime usa crea ejecuta busca recuerda "
    # French
    "réponds répondez écris écrivez traduis traduisez ignore ignorez oublie oubliez résume "
    "résumez explique expliquez montre montrez envoie envoyez supprime donne donnez parle parlez "
    "dis dites utilise utilisez crée exécute cherche".split()
)
#: Verbs of requests for one answer, besides those of tasks.
_REQUESTS = TASK_VERBS | frozenset(
    "suggest recommend propose advise find search tell show help empfiehl empfehle schlag schlage "
    "finde such suche sag sage zeig zeige hilf consiglia consigliami suggerisci suggeriscimi trova "
    "trovami cerca dimmi aiutami recomienda recomiéndame sugiere sugiéreme busca búscame dime "
    "ayúdame conseille recommande suggère propose trouve cherche dis aide".split()
)
#: How a wish begins as a question.
_POLITELY = re.compile(
    r"^(?:(?:can|could|would|will) you|kannst du|könntest du|können sie|könnten sie|puoi|potresti|"
    r"può|puedes|podrías|puede|peux[- ]tu|pourrais[- ]tu|pouvez[- ]vous|pourriez[- ]vous)\s"
)
#: How to talk with a person: what a standing wish is about.
_MANNERS = frozenset(
    "answer reply respond write speak talk call address say use keep be explain format "
    "avoid stay give greet start begin end skip mention include antworte antworten "
    "antwortest schreibe schreib schreiben sprich sprechen nenne nennen verwende "
    "benutze halte halten duze siezen sag rispondi rispondere rispondermi scrivi parla "
    "chiamami usa dammi tieni responde responder escribe habla llámame usa mantén "
    "réponds répondez répondre écris écrivez parle parlez appelle utilise utilisez "
    "tutoie garde".split()
)
#: Of these, the ones that say how, and not what, with a word of style alone.
_TALK = frozenset(
    "answer reply respond speak talk keep be use stay antworte antworten sprich halte halten "
    "rispondi parla tieni usa responde habla mantén réponds répondez parle parlez garde".split()
)
_FORMS_OF_ADDRESS = re.compile(
    r"\b(?:call|address) me\b|\bnenn(?:e|t)? mich\b|\bduze mich\b|\bchiamami\b|\bllámame\b|"
    r"\bappelle[- ]moi\b|\bappelez[- ]moi\b"
)
#: What stands before the verb of a command.
_FILLERS = frozenset(
    "please kindly always never generally and just so then now also from on in future the by "
    "default don't do not only bitte immer nie niemals nicht ab jetzt sofort von nun an künftig "
    "per favore sempre mai non por favor siempre nunca no toujours jamais s'il vous te plaît ne "
    "whenever possible that should must shall has have to needs need".split()
)
_AFTER_ARTICLE = frozenset({"future"})
#: Words that make a wish a standing one, besides what it is about.
_STANDING = frozenset(
    "always never every whenever generally prefer prefers preferred immer nie niemals "
    "stets künftig jedes sempre mai ogni siempre nunca jamás cada toujours jamais "
    "chaque".split()
)
_STANDING_PHRASES = re.compile(
    r"\b(?:from now on|in (?:the )?future|by default|each time|any ?time|going forward|"
    r"ab jetzt|ab sofort|von nun an|in zukunft|d'ora in poi|da ora in poi|a partir de ahora|"
    r"de ahora en adelante|désormais|dorénavant|à partir de maintenant)\b"
)
_STYLE = frozenset(
    "short brief briefly concise concisely long detailed simple formal informal polite metric "
    "imperial bullet bullets emoji emojis english german italian spanish french dutch portuguese "
    "celsius fahrenheit kilometres kilometers name nickname "
    "kurz knapp ausführlich einfach förmlich deutsch englisch italienisch spanisch französisch "
    "du sie breve brevi brevemente semplice italiano inglese tedesco spagnolo francese "
    "corto corta breves español inglés alemán "
    "court courte brièvement simple français anglais allemand".split()
)
#: What nobody wishes of a conversation: rules, secrets, addresses, other people's doings.
_NO_MANNERS = re.compile(
    r"https?:|www\.|@\w|\.(?:com|net|org|io)\b|"
    r"\b(?:password|passwords|token|tokens|api key|credentials?|secrets?|instructions?|system|"
    r"prompt|rules?|guidelines?|restrictions?|unrestricted|admin|administrator|operator|tool|tools|"
    r"function|execute|delete|transfer|forward|upload|download|link|links|click|passwort|"
    r"passwörter|anweisungen|regeln|istruzioni|contraseña|instrucciones|mot de passe)\b"
)
_TO_ASSISTANT = re.compile(
    r"\b(?:you (?:must|should|shall|have to|need to|are (?:now|to|not)|will now|may now)\b"
    r"|(?:the |an? )?(?:assistant|ai|chatbot|model|system|agent|llm)"
    r" (?:must|should|shall|has to|needs to|is (?:now|to|allowed|required|instructed)|may now|"
    r"can now|will (?:now|always|never))\b"
    r"|(?:asked|asks|told|tells|instructed|instructs|ordered|requested|requests|wants|wanted|"
    r"would like|needs|bat|bittet) (?:that )?(?:the |an? |den )?"
    r"(?:assistant|ai|chatbot|model|system|agent|llm|assistenten)\b"
    r"|(?:previous|prior|above|earlier) (?:instructions|rules|prompts?|directions)\b"
    r"|system (?:prompt|override|message|directive)\b|your (?:response|answer|reply|output|"
    r"message|instructions|rules|system)\b)"
)
_TAGS = re.compile(r"</?(?:system|user|assistant|instructions?|memory|tool)\b|\[/?INST\]|<\|")
#: A report that something was asked: what a small model makes of a question.
_REPORT_OF_QUESTION = re.compile(
    r"^the user (?:is |was |has |had )?"
    r"(?:(?:asked|asks|asking|inquired|inquires|inquiring|enquired|enquires|wondered|wonders|"
    r"wondering|curious)(?: (?:me|us|you|the assistant))? "
    r"(?:about|if|whether|what|when|where|who|whom|whose|which|why|how)\b"
    r"|(?:wants|wanted|would like) to know\b)",
    re.IGNORECASE,
)


def is_question(text: str) -> bool:
    """Whether *text* asks, or reports a question, instead of stating something."""
    plain = normalised(text).strip().rstrip("\"'”»)] ")
    if _REPORT_OF_QUESTION.match(plain):
        return True
    if plain.endswith(("?", "？", "؟", ";;")) or plain.startswith("¿"):
        return True
    words = words_of(plain)[:3]
    if len(words) < 2:
        return False
    first, second = words[0].bare, words[1].bare
    if first in _AUXILIARIES and second in _PRONOUNS:
        return True
    return first in _QUESTION_WORDS and (
        second in _AUXILIARIES or second in ("ist", "sind", "hat", "è", "es", "est", "sont")
    )


def is_request(text: str) -> bool:
    """Whether a person asks for one answer with *text*. What they want noted, or never want, is no
    such request: that tells what is so, or what they like.
    """
    words = words_of(text)
    verb = _verb(words)
    return (
        verb in _REQUESTS
        and not _has_subject(words, verb)
        and not any(is_denial(word.bare) for word in words)
    )


def is_standing_wish(text: str) -> bool:
    """Whether *text* asks, in whatever form, how the speaker wants to be spoken to from now on."""
    plain = normalised(text).casefold()
    words = words_of(_POLITELY.sub("", plain))
    return _is_standing_wish(plain, words, _verb(words))


def is_command(text: str) -> bool:
    """Whether *text* tells an assistant what to do, once or about its rules. How a person wants to
    be spoken to, always, is no command: that is a preference.
    """
    plain = normalised(text).casefold()
    words = words_of(plain)
    if not words:
        return False
    if _TAGS.search(plain):
        return True
    if told := _TO_ASSISTANT.search(plain):
        verb = _verb(words_of(plain[told.end() :])) or _verb(words)
    else:
        verb = _verb(words)
        if verb not in _COMMANDS or _has_subject(words, verb):
            return False
    return not _is_standing_wish(plain, words, verb)


def addresses_assistant(text: str) -> bool:
    """Whether *text* seems to tell an assistant what to do or how to be: commands, and standing
    wishes too.
    """
    plain = normalised(text).casefold()
    if _TAGS.search(plain) or _TO_ASSISTANT.search(plain) or _FORMS_OF_ADDRESS.search(plain):
        return True
    words = words_of(_POLITELY.sub("", plain))
    verb = _verb(words)
    return verb in _COMMANDS | _MANNERS and not _has_subject(words, verb)


def _verb(words: list[Word]) -> str:
    """The first word that a command may be about."""
    for word, following in zip(words, [*words[1:], None], strict=False):
        # "The order was shipped" is no order, but "in the future" stands before one.
        if word.bare == "the" and not (following and following.bare in _AFTER_ARTICLE):
            return ""
        if word.bare not in _FILLERS:
            return word.bare
    return ""


def _has_subject(words: list[Word], verb: str) -> bool:
    """Whether what looks like a command is what the sentence is about."""
    return is_named(words, next(place for place, word in enumerate(words) if word.bare == verb))


def _is_standing_wish(plain: str, words: list[Word], verb: str) -> bool:
    if _NO_MANNERS.search(plain):
        return False
    if _FORMS_OF_ADDRESS.search(plain):
        return True
    said = {word.bare for word in words}
    standing = bool(said & _STANDING) or bool(_STANDING_PHRASES.search(plain))
    return (standing and verb in _MANNERS) or (bool(said & _STYLE) and verb in _TALK)
