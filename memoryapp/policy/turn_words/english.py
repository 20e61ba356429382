"""How people ask, request and tell in English. Pure."""

from memoryapp.policy.turn_words.language import TurnWords, anywhere, words

_AUX = r"(?:do|does|did|is|are|was|were|can|could|shall|should|will|would|have|has|had|am)(?:n't)?"
_ASK = r"(?:what|where|who|whom|whose|which|why|how|when|if|whether)"
_NO_NOUN = r"(?!(?:i|we|he|she|they|you|my|our|the|a|an|is|are|was|were|means|makes)\b)"
ENGLISH = TurnWords(
    asks=words(
        r"(?:"
        rf"(?:what|where|who|whom|why|how|when)(?:'s|'re|s| {_AUX})"
        r"|(?:what|where|who|how|when|which|why)(?: again| then| exactly| not| else)?$"
        r"|(?:what|where|who|how|when|which) to \w+|(?:what|how) about|what if|how come"
        r"|what (?:time|day|date)"
        rf"|what {_NO_NOUN}(?-i:[a-z]+) {_AUX}"
        rf"|(?:which|whose)(?: {_NO_NOUN}\w+){{1,3}} {_AUX}|which of \w+(?: \w+){{0,2}} {_AUX}"
        r"|how (?:many|much|long|old|often|far|big|tall|late|soon|high|heavy|fast|well)"
        rf"(?: {_NO_NOUN}\w+){{0,3}} {_AUX}"
        r"|who (?:\w+(?:s|ed)|made|gave|told|said|came|went|won|wrote|got|took|sent|paid|left)"
        r"|(?:in|at|for|to|with|from|on|by|about|of|since|until) (?:which|what|whom|whose|who|"
        rf"how (?:many|much|long))(?: {_NO_NOUN}\w+){{0,3}} {_AUX}"
        r"|(?:do|did|are|were|can|could|will|would|shall|should)(?:n't)? (?:you|i|we|they)"
        r"(?! (?:just )?(?:add|say|mention|note|dare|forget))"
        r"|have(?:n't)? (?:you|i|we|they)(?! (?:on|in|over|at|to))"
        r"|(?:does|is|was|has|can|could|will|would|should)(?:n't)? (?:he|she|there|anyone|anybody|"
        r"someone|somebody|anything|everyone)"
        r"|(?:does|is|was|will|would|should)(?:n't)? it|did(?:n't)? (?:he|she|anyone|anybody)"
        r"|(?:does|did|can)(?! (?:only|hardly|not|never|no|barely)\b)(?: \w+){1,3} (?:like|eat|"
        r"live|work|know|want|need|come|drink|speak|mean)"
        r"|am i|any idea)"
        # "Who feeds the cat is Kim" has two clauses.
        r"(?!\w)(?!.* (?:is|are|was|were)\b)"
    ),
    asks_if_marked=words(
        rf"{_AUX} (?:the|my|our|your|his|her|their|this|that|these|those|any|some|a|it|"
        r"(?-i:[A-Z])\w+)"
    ),
    asks_indirectly=words(
        r"(?:(?:(?:can|could|would|will) you )?(?:please )?(?:tell|show|remind) (?:me|"
        r"us)(?: again)?|(?:can you )?(?:please )?(?:find out|look up)"
        r"|i(?: want|'d like| would like| need) to know|i wonder"
        r"|i(?:'m| am| was|'ve been) (?:just )?(?:wondering|asking)"
        r"|(?:do|did) you (?:still )?(?:know|remember|recall)|any idea|remember)[ ,]+"
        # "Remind me when I get home to …"
        r"(?:what|where|who|whom|whose|which|why|how|if|whether|when (?!(?:i|we)\b))"
    ),
    asks_within=anywhere(
        rf"(?:what|where|who|which|how|when|why)(?:'s|s| \w+)? {_AUX}|can i|may i"
    ),
    verbs=anywhere(r"is|are|was|were|am|i'm|im|i've|ive|we're|has|have"),
    relative=words(r"who|which|whose"),
    requests=words(
        r"(?:(?:can|could|would|will) you )?(?:please )?(?:"
        r"(?:tell|give|show|find|send|read|write|draw|make|teach|recommend|suggest|explain|"
        r"describe|translate|list|name|sing|fetch|get|draft) (?:to )?(?:me|us)(?! (?:a )?(?:hand|"
        r"ring|call))|(?:write|draw|compose|draft|find|suggest|recommend|describe|invent|generate|"
        r"book|set|create) (?:a|an|another|some|the|this|three|five|ten)"
        r"|(?:explain|define|compare|list|calculate|check|show|plan|search|look up|describe|"
        r"improve|sort|format|count) (?:the|this|that|these|my|how|what|why|for|all|it)"
        r"|(?:say|put|turn) (?:it|this|that) (?:in|into|as)"
        r"|summari[sz]e|rewrite|rephrase|paraphrase|proofread|shorten|simplify"
        r"|translate (?:this|that|it|the|my|into|to|[\"'“«]\w*)|correct (?:this|the|my|that)"
        r"|i (?:want|need|would like|'d like) you to)"
    ),
    reads=words(
        r"(?:(?:can|could|would|will) you )?(?:please )?(?:translate|correct|summari[sz]e|rewrite|"
        r"rephrase|paraphrase|proofread|shorten|simplify|explain)"
    ),
    beside=anywhere(
        r"(?:as|at|after|because of|before|by|for|from|in|like|near|on|since|than|to|with|without) "
        r"(?:my|our)|with (?:a|an|his|her|their)|like (?:me|us)|that (?:i|i'm|i've|we|we're|my|"
        r"our)(?: [\w']+){2}|for (?:an?|the|someone|somebody|people) (?:\w+ )?(?:who|that|with)"
        r"|do you know (?:i|we|he|she|they)(?: [\w']+){2}"
        rf"|(?:did|have) i (?:say|said) (?!{_ASK})(?:\w+ ){{1,3}}(?:is|are|has|have)"
        # What is to hold from now on.
        r"|from now on|(?:(?:can|could|would|will) you|please) always"
        r"|(?:because|now that|given that|seeing that|although|since (?!(?:when|then|last|"
        r"yesterday)\b)[a-z]+|as (?:i am|i'm|i have)|if (?:i'm|i am|i have|i can't|"
        r"im))(?: [\w']+){2}|(?:remember|note|mind|know|tell you|told you|mention|mentioned|forget|"
        r"hear|heard)(?: \w+){0,2} that(?: [\w']+){3}"
        rf"|(?:did|have|has) (?:i|you)(?: ever| already)? (?:tell you|told you|mention|mentioned|"
        rf"know|hear|heard) (?!(?:{_ASK}|about|of|anything|any|it|from|to)\b)[\w']+(?: [\w']+){{2}}"
    ),
    not_known=words(
        r"(?:(?:i'm )?(?:sorry|afraid),? (?:but )?)?(?:"
        r"i (?:don't|do not|can't|cannot|couldn't|didn't|still don't) (?:yet |actually )?(?:know|"
        r"recall|remember|find|see|have (?:that|any|this|anything|a record|information))"
        r"|i (?:have|see|find) (?:nothing|no (?:information|record|memory|memories|notes?|idea))"
        r"|i(?:'m| am) not (?:sure|aware)|(?:that )?you (?:haven't|have not|didn't|never) (?:yet )?"
        r"(?:told|tell|said|mentioned)|no idea)"
    ),
    comments=words(
        r"(?:that|it|this) (?:sounds|looks|must)|sounds|(?:so |very )?(?:glad|happy|sorry|good|"
        r"nice) to|(?:so |i'm )?(?:glad|sorry)(?= (?:it|that|you))|what an? \w+|(?:please |"
        r"just )?let me know|feel free|i'm here (?:to|if|for|when)|happy to help|take care"
        r"|enjoy (?:your|the|it|yourself|every)"
    ),
)
