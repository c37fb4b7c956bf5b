"""Forms of words that only look like a withdrawal, and what tells them from one.

Patterns for text without quotations.
"""

# ruff: noqa: RUF001 - words of any script

LOOKALIKES: dict[str, str] = {
    "question": r"[?？]\W*$",
    "asks": (
        r"^\W*(?:(?:so|and|but|ok|hm+|btw|also|wait)\W+)*(?:is|are|was|does|do|did"
        r"|should|shall|would|could|can|may|what|why|how|who|when|where|which|am|have"
        r"|has|darf|soll|kann|puedo|podemos|peut-on|est-ce)\b"
    ),
    "condition": (
        r"\b(?:if|once|when|whenever|unless|as soon as|in case|until|till|the moment"
        r"|assuming|suppose|provided)\b(?! you (?:like|want|prefer|wish|need|think|must"
        r"|have to))"
        r"|\bafter\b(?! all)|\b(?:wenn|falls|sobald|bis|cuando|si (?!no)|quand|dès que"
        r"|quando|als|zodra|wanneer)\b|если|когда|как только|如果|等到|的话|たら|なら(?!ない)|면 "
    ),
    "unreal": (
        r"\b(?:would|could|might|maybe|perhaps|possibly|probably|suppose|hope|hopefully"
        r"|wants? to|thinking (?:of|about)|considering|tempted|imagine"
        r"|discuss\w*|propos\w+|suggest\w*|won't be|(?:will|\w+'ll) (?:be|get|have)"
        r"|going to|I guess|someday|eventually|soon|tomorrow|next (?:week|month|year|sprint))\b"
        r"|\b(?:vielleicht|würde\w*|könnte\w*|quizá|peut-être|forse|talvez|misschien)\b"
        r"|может быть|可能|也许|かも"
    ),
    "others": (
        r"\b(?:(?!I\b|we\b)\w+ (?:says|said|thinks|wants|asks|asked|suggests|suggested"
        r"|claims|argues|wonders|believes|proposes|insists|reckons|keeps? (?:saying"
        r"|asking))|according to|someone|somebody|people say|they say|told me|customer"
        r"|client|users?)\b"
    ),
    "once": (
        r"\b(?:just |only |for )?(?:this once|this time|this one time|one time|just once"
        r"|once only|for (?:this(?! (?:(?:whole|entire) )?(?:project|repo|repository|codebase"
        r"|workspace|session)\b)|that|today|tonight|now|the moment|once)(?: one"
        r"| \w+)?(?: only)?|this (?:one|particular) \w+|exceptionally|as an exception"
        r"|today only|only today|one-off|for the occasion)\b"
        r"|\b(?:ask|asking|check|confirm|wait)\b[^,;]{0,40}\bfor (?:these|those)(?: ones)?\W*$"
        r"|\bdiesmal\b|\bausnahmsweise\b|\besta vez\b|\bcette fois\b|\bstavolta\b"
        r"|\bdesta vez\b|\bdeze keer\b|в этот раз|на этот раз|这次|今回|이번"
    ),
    "scope": (
        r"\bfor (?!(?:now|good|all|every|everything|your|the (?:rest of|whole)|me|you|us"
        r"|any (?:length|reason)|this (?:(?:whole|entire) )?(?:project|repo|repository|codebase"
        r"|workspace|session))\b)\w+|\bwithin\b|\bbelow\b|\bunder\b|\bin (?!(?:all"
        r"|every|any|fact|here|general|the (?:end|meantime)|your|my|this (?:(?:whole|entire) )?"
        r"(?:project|repo|repository|codebase|workspace|session))\b)\w+|\bthere\b"
        r"|\bon (?!(?:second|reflection|me|it|that)\b)\w+"
        r"|\bnei?\b|\bper \w+|\bpara \w+|\bfür \w+|\bim \w+|\bdans\b|\bpour\b|для "
        r"|在.{1,8}(?:里|中)|では"
    ),
    "exception": (
        r"\bexcept\w*\b|\bexempt\w*\b|\bapart from\b|\bother than\b|\bunless\b"
        r"|\belsewhere\b|\beverywhere else\b|\beverything else\b|\banything else\b"
        r"|\bnothing else\b|\bthe (?:rest|others(?!')|other \w+)\b|\bas before\b"
        r"|\bstays? (?:the|as|put)\b|\bonly (?:for|in|on|when|if|there|the)\b|\b(?:don't"
        r"|doesn't|do not) count towards\b|\bof that (?:type|kind)\b|\bfor that kind\b"
        r"|\bthough\b"
        r"|\b(?:anything|everything|all|whatever|what|those|writes?|ones?|writing"
        r"|that)\b.{0,60}\bstill\b|\bstill (?:does?n't|do|does|isn't|aren't|are|is"
        r"|needs?|goes|go|need)\b|\bsonst\b|\bsinon\b|\bpor lo demás\b|\blos? demás\b"
        r"|\blas demás\b|\baltrimenti\b"
        r"|\bausnahme\b|\baußer\b|\bausgenommen\b|\bexcep\w+|\bsalvo\b|\bsauf\b"
        r"|\btranne\b|\bexceto\b|\bbehalve\b|\buitzondering\b|кроме|исключ|例外|除外|除了|除く"
        r"|예외"
    ),
    "relapse": (
        r"^\W*(?:(?:and|but|so|hey|no|wait)\W+)*(?:you|it|he|she|they)"
        r"(?:'ve|'s| have| has| just| already)* (?:(?!need|feed|proceed)\w+ed|did|ran|went|made"
        r"|put|wrote|took|sent|got|built) (?:\S+ ){0,10}"
        r"without (?:asking|telling|showing|checking)\b"
        r"|\byou(?:'ve| have)? (?!(?:can|may|could|might|are|don't|needn't|need|should"
        r"|like|want|see|wish|please|prefer|used|think)\b)\w+ (?:\S+ ){0,8}again\b"
        r"|\b(?:was|were|has been|have been) (?:\S+ ){0,8}again\b|\bback (?:up|online)\b"
    )
    + (
        r"|\b(?:is|are|was|were|been|too|'s) (?!(?:allowed|fine|ok|okay|open|free"
        r"|possible|welcome|stable|available|yours|ours|up|back|alive|online|fast|all"
        r"|legal|permitted|good)\b)\w+ again\b"
    ),
    "head_scope": (
        r"^\W*(?:(?:ok(?:ay)?|and|but|hm+|so|fine|well|oh)\W+)*(?:for|in|on|with|below"
        r"|under|within|inside|when|whenever|where|pure|per|para|für|nei?|dans|pour)\b"
    ),
    "returns": (
        r"^(?!.*\b(?:done|finished|through|merged|over|ended|complete|yours)\b)"
        r".*\b(?:back|home|here again)\b"
    ),
    "approves": (
        r"^(?!.*\b(?:from now on|again|any ?more|always|whenever|any ?time|no longer|every|all"
        r"|without|in future|yourself|by now)\b)"
        r".*\b(?:can|may|go ahead(?: and)?|feel free to|(?:ok|okay|fine) to)"
        r" (?:(?!skip|stop|quit|forget|drop|ignore|omit|leave|save)\w+ )?"
        r"(?:it|this|that|those|these|them)(?: ones?)?\W*$"
    ),
    "keeps": (
        r"\bstill (?:stands?|holds?|applies|valid|in force|counts?|goes|the|no|not"
        r"|don'?t|there|on)\b|\b(?:stays?|remains?|stands?) (?:in|as|the|what|put|on"
        r"|frozen|off|closed|locked|valid)\b|\bdon'?t forget\b|\bremember\b|\bas (?:I"
        r"|we) (?:said|told|agreed)\b|\bI (?:told|said) you\b|\bI(?:'ve| have)? (?:said"
        r"|told|meant) (?:it|you)\b"
        r"|\bonce more\b|\breminder\b|\bat the start\b|\bagain:|^\W*again\b|\bnochmal\b"
        r"|\bwie gesagt\b|\bcomo dije\b|\bcomme (?:je|convenu)\b|\bcomo falei\b"
        r"|\bповтор\w+|再次|もう一度|다시 말"
    ),
    "negated": (
        r"\b(?:not|isn't|aren't|hasn't|haven't|never|no|nobody"
        r"|nothing) (?:\w+ )?(?:lifted|over|done|finished|back|off(?!.limits\b)|gone|cancelled"
        r"|dropped|cleared|through|yet|open|approved|merged|ready|decision|allowed|ok"
        r"|fine)\b|\bnot yet\b|\bnoch nicht\b|\baún no\b|\bpas encore\b|还没|まだ|아직|ещё не"
        r"|еще не"
    ),
    "object": (
        r"\b(?:commit|branch|field|button|page|column|row|chart|workaround|experiment"
        r"|step|test|error|warning|file|line|function|sentence|paragraph|slide|section"
        r"|PR|patch|script|feature|endpoint|screen|job|plot|cell)\b"
    ),
    "all_said": (
        r"\b(?:everything|all|anything|whatever) (?:I|we)(?:'ve| have)? (?:said|told"
        r"|asked|wrote|mentioned)\b|\ball (?:the|my|of (?:the|my)) \S+(?: \S+)? (?:rules"
        r"|restrictions|limits|wishes|requirements|conventions)\b|\b(?:all"
        r"|every) (?:the )?rules?\b"
    ),
    "you_may": (
        r"\b(?:you|we)(?:'re| are)? (?:all )?(?:now |also |again )?(?:can|may|free to"
        r"|welcome to|allowed to)\b(?!'t)|\b(?:can|may) be \w+"
        r"|\b(?:kannst|darfst|dürfen|dürft|puedes?|podemos|se puede|pode[ms]?|puoi"
        r"|potete|peux|pouvez|mag je|je mag|możesz)\b"
        r"|можно|можешь|可以|いいです|構いません|돼"
    ),
    "reports": (
        r"\bno longer (?!need|require|necessary|have to|has to|appl|want|hold|count"
        r"|matter|in force|off\b"
        r"|forbid|ban|allow|frozen|read-only|support|exist|valid|us(?:e|ing)\b|do\b|must|ask)\w+"
    ),
    "extends": (
        r"\b(?:too|also|as well|likewise|auch|ebenfalls|también|aussi|anche|também|ook"
        r"|också)\b|тоже|также|也"
    ),
}
"""Name of a form to the pattern that finds it, in lower-case text without quotations."""

WARNINGS = (
    "condition",
    "unreal",
    "others",
    "once",
    "scope",
    "exception",
    "head_scope",
    "keeps",
    "negated",
    "asks",
    "relapse",
    "needless_thing",
    "fetch",
    "head_condition",
)
"""Forms that warn of a sentence that only looks like a withdrawal."""
