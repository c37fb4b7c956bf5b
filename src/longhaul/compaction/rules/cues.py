"""Cues in the wording of a sentence that speak for or against a standing rule.

Most look for how general a wording is ("any … you write", "before each", "in this repo"); some for
what one-off requests, reports and product requirements look like. A model weighs them.
"""

import re

_AGENT_VERBS = (
    "write|make|add|create|touch|change|edit|build|do|use|see|open|run|send|give|show|report|"
    "name|produce|generate|ship|move|find|suggest|say|print|put|commit|deploy|enter|install|"
    "pick|plot|draw|draft|review|start|finish|work|get|mention|quote|fix|rename|delete|"
    "design|log|train|try|save"
)
_CUES = {
    "when_you": re.compile(
        r"\b(?:whenever|when|if|any time|every time|each time|once|before|after|"
        r"as soon as|next time|wherever|unless|where) (?:you|i|we)\b"
    ),
    "for_each": re.compile(
        r"\b(?:before|after|with|for|in|on|at|to|of|per|by) (?:each|every|any|all|"
        r"anything|everything|whatever)\b"
    ),
    "in_any": re.compile(
        r"\b(?:in|from|to|under|of|on|into) (?:any|every|each|all|everything|"
        r"anything) (?:\w+ )?\w+s?\b"
    ),
    "further": re.compile(
        r"\b(?:here and|also for|for all|for the (?:rest|whole|entire|full)|to come|"
        r"next ones?|the others?|throughout|across (?:the|all|our)|elsewhere|likewise|"
        r"in future|in the future|later(?: too| on)?|from (?:today|here|now)|as of now|"
        r"whatever comes|every future|at any time|project.wide|whole series|further)\b"
    ),
    "in_this": re.compile(
        r"\b(?:in|on|for|of|with|across|under|inside|below|throughout) (?:this|the|our|"
        r"my) (?:\w+ )?(?:repo|repository|project|code ?base|package|app|paper|session|"
        r"workspace|team|company|house|shop|group|org|crate|module|library|lib|product|"
        r"site|thesis|book|game|manuscript|service|daemon|firmware|workbook|report|docs?|"
        r"chat|lab|department|frontend|backend|monorepo|journal|conversation)\b"
    ),
    "you_do": re.compile(
        r"(?:^|[,;:] |\band |\bso |\bbut )(?:you|you'll|you're) (?:don't|do not|never|"
        r"only|always|just|may|must|can|can't|cannot|should|shouldn't|are|ask|tell|read|"
        r"write|stop|leave|work|wait|use|get|deploy|edit|comment|review)"
    ),
    "no_first": re.compile(
        r"^(?:and |so |but |also |please,? |ok,? |oh and )*no (?!need|idea|problem|"
        r"worries|one\b|i |it |that|the |not|we |you |rush|hurry|luck|matter|change\b|"
        r"doubt|way|longer|more )[\w-]+"
    ),
    "no_thing": re.compile(
        r"(?:[,;:(] |\band |\bso |\bplease )no (?!need|idea|problem|worries|one\b|rush|"
        r"longer|more )[\w-]+"
    ),
    "contrast": re.compile(r", (?:not|never|no) [\w`<]|\binstead of\b|\brather than\b"),
    "ever": re.compile(
        r"\bever\b|\bat all\b|\banywhere\b|\bnowhere\b|\bwithout exception\b|\bin no \w+"
    ),
    "stays": re.compile(
        r"\b(?:stays?|remains?|belongs?|lives?|goes|go|gets?|comes?|carr(?:y|ies)|ends?|"
        r"starts?|takes?) (?:in|to|on|at|as|out|into|first|through|under|with|their|its|a|"
        r"an|the|by|up|one|off|untouched|below|above|next)\b"
    ),
    "off_limits": re.compile(
        r"\b(?:off.limits|frozen|read.only|hands off|forbidden|banned|taboo|no.go|"
        r"not ours|isn't ours|aren't ours|untouched|reserved for|owned by|out of bounds|"
        r"out for|allergic|no touching|alone)\b"
    ),
    "ask_me": re.compile(
        r"\b(?:tell|ask|show|warn|give|check with|come to|wait for|ping|remind|let) (?:me|"
        r"us|my)\b"
    ),
    "until": re.compile(
        r"\b(?:until|till|as long as|so long as|while|during|this week|all week|"
        r"this month|until further|for the time being|for the next \w+ (?:days|weeks|"
        r"hours|months))\b"
    ),
    "we_do": re.compile(
        r"\b(?:we|everybody|everyone|nobody|people|the team|our team|"
        r"our \w+) (?:here )?(?:don't|do not|never|always|use|uses|default|say|call|keep|"
        r"prefer|want|wants|like|have|has|can't|cannot|only|all|read|reads|write|writes|"
        r"work|works|insist|expect|put|puts|go|goes|agreed|decided|need|needs)\b"
    ),
    "i_like": re.compile(
        r"\bi(?:'d| would)? (?:\w+ )?(?:prefer|like|rather|love|hate|dislike|want|"
        r"appreciate|expect|insist|need|can't stand|enjoy|trust|find|tend|read|look|am|"
        r"can't|keep)\b|\bi'm (?:on|not|a|an|using|reading|happier|colou?r)"
    ),
    "i_said": re.compile(
        r"^(?:and |so |but |no,? |hey,? )*(?:again|once more|reminder|as i said|i said|"
        r"i did say|i told you|like i said|remember|as agreed|don't forget|how often|"
        r"you keep|you've|you again|please remember)\b|\b(?:as i said|i said|as agreed|"
        r"i told you|i mean it|still means|for the (?:second|third|last) time)\b"
    ),
    "when_i": re.compile(
        r"\bwhen(?:ever)? i (?:say|write|type|ask|paste|mark|give|send|post)\b|"
        r"\bby \W?\w+\W? i mean\b|\bmeans?\b"
    ),
    "product": re.compile(
        r"^(?:and |also |then )?(?:the|every|each|all|a|an|users?|admins?|it|"
        r"they)\b(?: \w+){0,2} (?:must|should|has to|have to|needs? to|can't|cannot|may|"
        r"can|is|are|shows?|has|have|gets?)\b"
    ),
    "concrete": re.compile(
        r"\b(?:this|that) (?:one|time|file|function|test|bug|line|page|pr|branch|commit|"
        r"ticket|week|once|script|button|plot|table|invoice|query|class|screen|release|"
        r"task)\b|\bthe (?:first|second|third|last|other|one|same|new|old|following|bug|"
        r"test|script|button|error|failing) ?"
    ),
    "past": re.compile(
        r"\b(?:i|we|he|she|they|it) (?:was|were|had|did|got|went|saw|found|tried|ran|"
        r"broke|wrote|changed|added|said|told|thought|used to|just|already)\b"
    ),
    "for_now": re.compile(
        r"\b(?:yet|for now|this time|today|right now|first|then|next|just|tonight|once|"
        r"quickly|later|tomorrow|at the moment|afterwards|when you're done|in between)\b"
    ),
    "label": re.compile(r"^(?:[\w`/.*<>'\"-]+ ){0,5}[\w`/.*<>)'\"-]+: ?\S"),
    "duty": re.compile(
        r"\b(?:must|should|shall|has to|have to|needs? to|may|ought|is to|are to|"
        r"can) (?:not |never |always |only |also )?(?:be|get|have|go|come|use|stay|live|"
        r"look|end|start|carry|keep|run|work|follow|contain|include|mention|say)\b"
    ),
    "generic": re.compile(
        r"^(?:and |also |oh and |but |so |btw,? |fyi,? |here )*(?!the |this |that |these |"
        r"those |it |he |she |they |there |i |we |you |what |why |"
        r"how )(?:\w+ ){0,3}?[\w`/<>.*-]+s (?:are|go|get|stay|live|belong|have|need|come|"
        r"take|carry|end|start|follow|don't|never|always|only|must|should|use|return|"
        r"begin|say|look|land|keep)\b"
    ),
    "decided": re.compile(
        r"\b(?:decided|decision|settled|agreed|let's (?:keep|settle|stick|treat|say|leave|"
        r"make)|it is|convention|rule|policy|principle|standing|principal|house style|"
        r"in general|general(?:ly)?|by default|as a rule|throughout|habit|wish|"
        r"for the record|just so you know|fyi|heads.?up|note|remark|mind|keep in mind|"
        r"one (?:more )?thing|ps|p\.s|btw|by the way)\b"
    ),
    "because": re.compile(
        r"\b(?:because|since|otherwise|so that|or else|as the|as it|as we|as i)\b|, (?:i|"
        r"we|the|they|my|our|he|she|it's|i've|i'm|that's) |[;:] "
    ),
    "only": re.compile(r"\b(?:only|nothing but|exclusively|nur|solo|seulement)\b|\bonly$"),
    "bound": re.compile(
        r"\b(?:at most|at least|max(?:imum)?|no more than|under|below|above|over|up to|"
        r"between|tops|or (?:more|less|fewer)) (?:\w+ )?\d|\b\d+ \w+ (?:max|tops|at most|"
        r"or less|or more)\b"
    ),
    "lift": re.compile(
        r"\b(?:no longer|any ?more|lifted|over|again|back|finished|done|gone|forget|scrap|"
        r"never mind|cancel|allowed|is fine|are fine|welcome|free to|don't have to|"
        r"needn't|no need|ok(?:ay)? to|can go)\b"
    ),
    "you_did": re.compile(
        r"\byou(?:'ve| have)? (?:\w+ )?(?:used|changed|forgot|wrote|added|put|did|made|"
        r"ran|removed|deleted|committed|renamed|again|broke|left|been|invented|missed)\b"
    ),
    "here": re.compile(r"\b(?:here|with us|around here|at our place|over here|in here|ours)\b"),
    "any_by_us": re.compile(
        r"\b(?:any|every|each|all|what|whatever|anything|everything|nothing|wherever|"
        r"whichever|those)\b[^.?!;]{0,40}?\b(?:you|we|i)\b(?:'ll|'re going to| will| ever|"
        r" also| are going to)? "
        rf"(?:{_AGENT_VERBS})"
    ),
    "announces": re.compile(
        r"\b(?:(?:house|ground|standing|basic|my|our|team|project|few|some|two|three|four|these|"
        r"the) (?:\w+ )?(?:rules?|conventions?|guidelines?|preferences|wishes|requests|habits|"
        r"principles)|rules? (?:for|of|when|while|from)|conventions?|how (?:i|we) (?:like|want|"
        r"work|do)|what (?:i|we) (?:expect|want|need|like|ask)|what applies|"
        r"work(?:ing)? (?:like this|with (?:me|us))|keep in mind|(?:things|points) (?:to|you|i)|"
        r"bear in mind|ground to cover|"
        r"regeln|vorgaben|règles|reglas|regole|regras|правила|zasady|规则|约定|ルール|규칙)\b.*:$"
    ),
    "requires": re.compile(
        r"\b(?:spec|specs|specification|requirements?|features?|acceptance|tasks?|todo|to do|"
        r"steps?|scope|must|should|needs? to|has to|bugs?|issues?|problems?|fields?|columns?|"
        r"list)\b.*:$"
    ),
}


def find_cues(text: str) -> tuple[str, ...]:
    """Return the names of the cues in a sentence in lower case."""
    return tuple(name for name, pattern in _CUES.items() if pattern.search(text))
