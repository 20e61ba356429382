"""Signs that a text is made to look like a part of the prompt, or to grant rights. Pure.

Each rule is about a kind: the frame of a message of another role, an announced rule of the system,
a claim that a rule outranks others or that a check is off, a consent that the user is said to have
given. All in English, German and Italian, where the words differ.
"""

import re

#: Roles of messages, and what prompts call their parts.
_ROLES = (
    r"(?:system|sys|inst|assistant|developer|human|instructions?|prompt|root|admin|"
    r"assistent|anweisung(?:en)?|systemnachricht|sistema|assistente|istruzion[ei])"
)
_FRAMES = re.compile(
    # [SYSTEM], <<SYS>>, {{system}}, <|im_start|>
    rf"[\[<{{(]{{1,3}} ?[/|#]? ?{_ROLES}\b[^\]>}})\n]{{0,40}}[\]>}})]"
    r"|<\||\|>|\bim_(?:start|end)\b|<(?:start|end)_of_turn>|<\|?endoftext"
    # ### Instruction:, --- SYSTEM ---, === BEGIN SYSTEM PROMPT ===
    rf"|[#=*~-]{{2,10}} ?(?:begin |end |new |start |of |neue? |nuov[ae] |di )"
    rf"{{0,3}}(?:{_ROLES}|response|input|output|antwort|risposta)\b"
    rf"|\b(?:begin|end|start)(?:ning)? (?:of )?(?:the )?(?:new |hidden )?(?:system )?"
    r"(?:prompt|instructions?)\b"
    rf"|[\"']?\brole[\"']? ?[:=] ?[\"']?{_ROLES}\b"
    # At the beginning of a line: "assistant:", "System>"
    rf"|(?:^|\n)[\W_]{{0,8}}{_ROLES}[\W_]{{0,3}}(?:\(\w{{1,20}}\) ?)?[:>|]"
)
#: Whose rule it is said to be, and what a rule is called.
_OWNER = (
    r"(?:system|security|safety|admin(?:istrator)?|assistant|ai|bot|agent|model|operator|developer|"
    r"root|memory|core|priority|standing|global|hidden|internal|company|corporate|compliance|"
    r"mandatory|critical)"
)
_RULE = (
    r"(?:rules?|polic(?:y|ies)|directives?|instructions?|prompts?|overrides?|mandates?|commands?|"
    r"protocols?|guidelines?|orders?|messages?|notices?|updates?|alerts?|announcements?|"
    r"configurations?|settings?|changes?|amendments?)"
)
_RULE_ELSEWHERE = (
    r"(?:system|sicherheits|assistenten|ki-?|unternehmens|betriebs)?(?:regel|richtlinie|anweisung|"
    r"vorgabe|vorschrift|direktive|weisung|meldung|hinweis)(?:n|en|s)?"
    r"|(?:regol[ae]|direttiv[ae]|istruzion[ei]|politic[ah]e?|norm[ae]|avviso|ordine|aggiornamento)"
    r"(?: (?:del|di|della|dell'|delle|dei|per il|per l') ?\w{1,20}){0,2}"
)
#: "System rule 4 (urgent):", "Policy update:", "Neue Systemregel:".
_ANNOUNCED = re.compile(
    rf"(?:^|[.\n]\s?)[\W_]{{0,6}}(?:\w{{1,15}} ){{0,2}}(?:(?:{_OWNER}[ -]){{1,3}}{_RULE}|"
    rf"(?:polic(?:y|ies)|directives?|rules?) {_RULE}|"
    rf"(?:new|updated?|revised|amended) (?:polic(?:y|ies)|directives?|instructions?)|"
    rf"policy|directive|override|{_RULE_ELSEWHERE})(?: ?(?:no\.? |nr\.? |#)?\d{{1,4}})?"
    r"(?: ?\([^)]{1,30}\))?(?: ?[:=\u2013\u2014]| - )"
)
#: What such a rule is about, other than the rule of a house, a game or a shop.
_OF_SYSTEM = re.compile(
    r"\b(?:assistant|assistants|ai|bot|agent|model|llm|user|users|customers?|clients?|"
    r"memor(?:y|ies)|answers?|"
    r"repl(?:y|ies)|responses?|instructions?|prompts?|data|credentials?|passwords?|tokens?|access|"
    r"privileges?|permissions?|admin\w{0,10}|verif\w{1,10}|authenticat\w{1,6}|authori[sz]\w{1,8}|"
    r"approv\w{1,6}|confirm\w{1,8}|consent|identity|filters?|guardrails?|restrictions?|safety|"
    r"safeguards?|transfers?|payments?|wire|refunds?|invoices?|requests?|trusted|override|"
    r"assistent\w{0,3}|ki|nutzer\w{0,4}|benutzer\w{0,4}|antworten?|daten|zugang\w{0,8}|"
    r"zugriff\w{0,3}|rechte|passw\w{1,8}|überweisung\w{0,2}|zahlung\w{0,2}|anfragen?|"
    r"bestätigung\w{0,2}|prüfung\w{0,2}|rückfragen?|freigabe\w{0,2}|vertrauenswürdig\w{0,2}|"
    r"einschränkung\w{0,2}|assistente|utent[ei]|rispost[ae]|dati|access[oi]|permess[oi]|"
    r"credenzial[ei]|bonific[oi]|pagament[oi]|richiest[ae]|conferm[ae]|verific\w{1,5}|"
    r"approva\w{1,6}|autorizza\w{1,6}|restrizion[ei]|fidat[oaie])\b"
)
#: A rule that outranks others, and a check that is said to be off.
_OUTRANKS = re.compile(
    r"\b(?:takes?|has|have|taking) (?:precedence|priority) over\b"
    r"|\b(?:supersedes?|overrides?|overrule[sd]?|replaces?|cancels?|voids?) (?:all |any |every "
    r"|the |"
    r"your ){1,2}(?:other |previous |prior |earlier |existing |former ){0,2}(?:instructions?"
    r"|rules?|"
    r"polic(?:y|ies)|settings|guidelines|directives?|memor(?:y|ies)|restrictions?|safeguards?)\b"
    r"|\b(?:hat|haben) vorrang vor (?:\w{1,15} ){0,3}(?:regeln|anweisungen|vorgaben|richtlinien)\b"
    r"|\b(?:ersetzt|überschreibt|setzt) (?:alle|sämtliche|bisherige|frühere)n? (?:\w{1,15} ){0,2}"
    r"(?:regeln|anweisungen|vorgaben|richtlinien)\b"
    r"|\b(?:ha|hanno) (?:la )?(?:precedenza|priorità) su(?:lle)?\b"
    r"|\b(?:sostituisc\w{1,4}|annulla(?:no)?) (?:tutte )?(?:le )?(?:\w{1,15} ){0,2}(?:istruzioni|"
    r"regole|direttive)\b"
)
_CHECK = (
    r"(?:confirmations?|verifications?|approvals?|permissions?|authenticat\w{1,6}|authori[sz]ation|"
    r"consent|(?:identity|safety|security|background) checks?|safeguards?|guardrails?|"
    r"restrictions?|content filters?|safety filters?|moderation)"
)
_UNCHECKED = re.compile(
    rf"\bwithout (?:any |further |additional |prior |asking (?:for )?|requiring |requesting |"
    rf"needing |the |user |explicit ){{0,4}}{_CHECK}\b"
    rf"|\b{_CHECK} (?:is|are|was|were|has been|have been) (?:now |currently |permanently |"
    r"hereby |temporarily ){0,2}(?:disabled|off|waived|lifted|removed|suspended|skipped|bypassed|"
    r"(?:not|no longer) (?:required|needed|necessary|applied|active|in force))\b"
    rf"|\bno (?:further |additional |more )?{_CHECK} (?:is |are )?(?:required|needed|necessary)\b"
    r"|\b(?:exempt|exempted|excluded) from (?:all |any |the ){0,2}(?:\w{1,15} ){0,2}"
    rf"{_CHECK}\b"
    r"|\ball (?:\w{1,15} ){0,2}(?:transfers?|payments?|refunds?|requests?|invoices?) (?:are|get"
    r"|is) "
    r"(?:\w{1,15} ){0,2}(?:approved|granted|authori[sz]ed|accepted|paid) (?:automatically|"
    r"immediately|at once|by default)\b"
    r"|\b(?:auto(?:matically)?|pre)[ -]?approved?\b"
    r"|\bohne (?:weitere |vorherige |jede |erneute ){0,2}(?:rückfragen?|bestätigung|prüfung|"
    r"freigabe|zustimmung|genehmigung)\b"
    r"|\bsenza (?:alcuna |ulteriore |ulteriori |previa |chiedere ){0,2}(?:conferm[ae]"
    r"|verific[ah]e?|"
    r"autorizzazion[ei]|approvazion[ei]|consenso)\b"
)
#: What the user is said to have allowed, or to be.
_CONSENT = re.compile(
    r"\b(?:user|owner|customer|nutzer|benutzer|utente)(?:in|s)? (?:has |have |hereby |already |"
    r"explicitly |expressly |fully |hat |ha |bereits |già ){0,3}(?:authori[sz]e[sd]?|grant(?:s"
    r"|ed)?|"
    r"consent(?:s|ed)?|permit(?:s|ted)?|waive[sd]?|allow(?:s|ed)?|pre-?approve[sd]?|"
    r"approve[sd]?|agree[sd]?|given? (?:\w{1,15} ){0,2}(?:permission|consent|authori[sz]ation)|"
    r"(?:die |seine |ihre )(?:erlaubnis|zustimmung)|dato (?:il )?(?:permesso|consenso)|erlaubt"
    r"|genehmigt|ermächtigt|autorizzato|autorizza|consentito|"
    r"consente|approvato)\b[^.!?\n]{0,80}\b(?:all|any|every|full|unlimited|unrestricted|future|"
    r"access|delete|sharing|share|transfers?|payments?|data|memor(?:y|ies)|without|assistant"
    r"|third part"
    r"(?:y|ies)|alle[ns]?|jede[nrs]?|daten|zugriff|überweisungen|ohne|tutt[ieoa]|ogni|dati|accesso|"
    r"pagamenti|senza)\b"
    r"|\b(?:user|nutzer|benutzer|utente)(?:in)? (?:hat |has |ha )?(?:alle|all|tutti i|"
    r"uneingeschränkte|unlimited|full) (?:\w{0,20}rechte|rights|privileges|diritti|privilegi)\b"
    r"|\b(?:user|nutzer|benutzer|utente)(?:in)? (?:hat |ha )?(?:\w{1,15} ){0,3}(?:alle[ns]?|tutti) "
    r"[^.!?\n]{0,60}\b(?:zugestimmt|erlaubt|genehmigt|freigegeben|autorizzat[oi])\b"
    r"|\b(?:user|nutzer|utente)(?:in)? (?:is|ist|è) (?:now |an? |the |jetzt |ein |eine |un |il |"
    r"un'){0,3}(?:\w{1,15} ){0,2}(?:admin|administrators?|superusers?|super user|root"
    r"|developers? of "
    r"(?:the|this) (?:assistant|system)|amministratore|systemadministrator)\b"
)
#: What is said of the assistant in other languages than English: see `policy.review`.
_ASSISTANT_ELSEWHERE = re.compile(
    r"\b(?:assistent|assistentin|ki|chatbot|sprachmodell|ki-?modell|ki-?agent)(?:en)? (?:muss|"
    r"müssen|soll|sollen|sollte|darf|dürfen|kann jetzt|wird (?:ab|immer|nie)|hat (?:\w{1,15} ){0,3}"
    r"(?:\w{0,20}rechte|zugriff|zugang|erlaubnis|keine)|ist (?:\w{1,15} ){0,3}(?:berechtigt|befugt|"
    r"verpflichtet|administrator|uneingeschränkt|autorisiert))\b"
    r"|\b(?:assistente|chatbot|modello linguistico|agente ai|ia) (?:deve|devono|dovrà|dovrebbe|può "
    r"(?:ora|adesso|sempre)|ha (?:\w{1,15} ){0,3}(?:accesso|permess[oi]|diritti|privilegi)|è "
    r"(?:\w{1,15} ){0,3}(?:autorizzat[oa]|obbligat[oa]|tenut[oa]))\b"
    r"|\b(?:vorherig|bisherig|früher|obig|all)e[nr]? (?:anweisungen|regeln|instruktionen) "
    r"(?:ignorieren|vergessen|missachten|sind (?:ungültig|aufgehoben))\b"
    r"|\b(?:ignorier|vergiss|missacht)\w{0,4} (?:\w{1,15} ){0,3}(?:anweisungen|regeln|vorgaben)\b"
    r"|\b(?:ignor|dimentic|trascur)\w{1,5} (?:\w{1,15} ){0,3}(?:istruzioni|regole|direttive)\b"
    r"|\b(?:du bist|sie sind) (?:jetzt|nun|ab sofort|von nun an)\b"
    r"|\b(?:sei|siete) (?:ora|adesso) (?:un|una|il|la|l'|in)\b"
    r"|\b(?:du musst|du sollst|du darfst|devi|dovrai|non devi) (?:ab sofort |immer |nie |jede "
    r"|alle "
    r"|sempre |mai |tutti |tutte )"
)
#: A persona without limits, and what its mode is called.
_UNLIMITED = re.compile(
    r"\b(?:assistant|ai|bot|model|agent|chatbot|it|dan)(?:'s)? (?:\w{1,15} ){0,4}(?:no|without"
    r"|free "
    r"of|unbound by|not bound by) (?:\w{1,15} ){0,2}(?:restrictions?|limits|limitations|rules|"
    r"filters?|guidelines|censorship)\b"
    r"|\b(?:jailbr(?:eak|oken)|unfiltered|uncensored|unrestricted) (?:mode|assistant|ai|model|"
    r"persona|answers|access)\b"
    r"|\bdo anything now\b|\b(?:maintenance|override|god|sudo|root|jailbreak|developer|debug|dan)"
    r"[ -](?:mode|modus|modalità)\b|\b(?:wartungs|entwickler|administrator)modus\b"
    r"|\bmodalità (?:sviluppatore|amministratore|manutenzione|debug)\b"
)


def frames_a_prompt(plain: str) -> bool:
    """True if *plain*, normalised and in small letters, has the mark of another role's message."""
    return bool(_FRAMES.search(plain))


def sets_a_rule(plain: str) -> bool:
    """True if *plain*, normalised and in small letters, announces a rule for assistants, says that
    a rule outranks others or a check is off, or that the user has allowed it.
    """
    if _ANNOUNCED.search(plain) and _OF_SYSTEM.search(plain):
        return True
    return bool(
        _OUTRANKS.search(plain)
        or _UNCHECKED.search(plain)
        or _CONSENT.search(plain)
        or _ASSISTANT_ELSEWHERE.search(plain)
        or _UNLIMITED.search(plain)
    )
