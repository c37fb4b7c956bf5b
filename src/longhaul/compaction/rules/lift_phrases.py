"""Forms of words that withdraw a rule: patterns for text without quotations."""

# ruff: noqa: RUF001 - words of any script

STRICT_NOUN = (
    r"(?:rules?|bans?|limits?|limitations?|freeze|restrictions?|requirements?"
    r"|polic(?:y|ies)|constraints?"
    r"|conventions?|moratorium|embargo|lockdown|prohibition|quota|mandate|preference"
    r"|instructions?|guidelines?|thing|stuff|business)"
)
_RULE_NOUN = (
    r"(?:rules?|bans?|limits?|limitations?|freeze|restrictions?|requirements?"
    r"|polic(?:y|ies)|constraints?"
    r"|conventions?|moratorium|embargo|lock(?:down)?|hold|order|instructions?"
    r"|wish(?:es)?|guidelines?"
    r"|prohibition|cap|quota|mandate|demand|request|thing|stuff|business|habit"
    r"|ritual|regime|allergy"
    r"|one|diet|mode|setup|convention|ceremony|dance|step|preference|principle|veto|block)"
)

FORMS: dict[str, str] = {
    # explicit withdrawal
    "withdraw": (
        r"\b(?:drop(?:ping|ped)?|scrap(?:ping|ped)?|cancel(?:l?ing|l?ed)?|lift(?:ing"
        r"|ed)?|withdraw(?:ing|n)?"
        r"|withdrew|revok(?:e|ing|ed)|remov(?:e|ing|ed)|scratch(?:ed)?|ditch(?:ed|ing)?"
        r"|retir(?:e|ing|ed)"
        r"|rescind(?:ed|ing)?|repeal(?:ed)?|abandon(?:ed|ing)?|abolish(?:ed)?|undo|unsay|overrul\w+"
        r"|los(?:e|ing)|relax(?:ed|ing)?|suspend(?:ed)?|disregard|strike|struck"
        r"|nix(?:ed)?|void|expired?"
        r"|aufgehoben|aufheb\w*|zurückgezogen|gestrichen|streiche?|entfällt|entfallen"
        r"|hinfällig|erledigt"
        r"|annul\w*|lev[ée]\w*|abandonn\w+|laisse\w* tomber|retir[oaé]\w*|quit[oa]\w*"
        r"|levant\w+|elimin\w+"
        r"|anulad\w+|revogad\w+|suspens\w+|opgeheven|vervalt|vervallen|ingetrokken)\b"
        r"|отмен\w+|снима\w+|снят\w*|解除|取消|撤销|撤回|作废|廃止|撤回|해제|취소|철회"
    ),
    "off": (
        r"\b(?:is|are|'s|’s|be|consider(?: it| that)?|goes|go|be) (?:now |hereby "
        r"|officially |all )?"
        r"(?:off(?! by\b)|off the table|gone|history|void|dead|moot|obsolete|lifted"
        r"|cancell?ed|withdrawn|dropped|revoked"
        r"|scrapped|over(?!-| (?!now\b|for good|at last|since|as of|and\b|then\b)\S)"
        r"|out(?: the window)?|retired|unnecessary|irrelevant|no more)\b"
        r"|\b(?:can|may|should) go\b|\bends? (?:today|now|here)\b|\bdon'?t (?:apply|matter|count)\b"
        r"|\b(?:consider|call) [^.,;]{3,50} (?:lifted|dropped|gone|cancell?ed|withdrawn|off|over)\b"
    ),
    "rule_noun": (
        rf"\b{_RULE_NOUN}\b|verbot|regel|vorgabe|sperre|règle|consigne|regla|regra|regola"
        r"|правил|запрет|规定|規則|ルール|禁止|규칙"
    ),
    "no_longer": (
        r"\bno longer\b|\bany ?(?:more|longer)\b|\bnicht mehr\b|\bkein\w* \w+ mehr\b"
        r"|\bya no\b|\bnon .{0,25}più\b"
        r"|\bne .{2,25} plus\b|\bplus besoin\b|\bnão .{0,25}mais\b|\bniet meer\b|\bgeen \w+ meer\b"
        r"|больше не|не нужно больше|不再|不用再|不用了"
        r"|もう|なくていい|なくて(?:も)?(?:大丈夫|構)|더 이상|이제|안 해도"
    ),
    "again": (
        r"\bagain\b|\bafter all\b|\bback to (?:normal|the usual|how|what|work|business"
        r"|\w+ing)\b|\bas (?:you )?used to\b"
        r"|\bwieder\b|\bde nouveau\b|\bà nouveau\b|\botra vez\b|\bde nuevo\b|\bde novo\b"
        r"|\bdi nuovo\b|\bweer\b"
        r"|снова|опять|恢复|又可以|再開|復旧|다시"
    ),
    "permit": (
        r"\byou(?:'re| are)? (?:can|may|could|might|free to|welcome to"
        r"|allowed to)\b(?! (?:see|find|tell|imagine|look|guess|say|assume|expect"
        r"|remember|hear|ask me|do that|also see)\b)|\b(?:is|are|'s|’s|it's) "
        r"(?:now |all |totally |perfectly |absolutely |also |then )?(?:fine|ok|okay"
        r"|o\.k\.|allowed|all ?right|alright|welcome|permitted|good|acceptable|legal)\b"
        r"|\bfeel free\b|\bgo (?:ahead|wild|nuts|crazy|for it|right ahead)\b|\b(?:fine"
        r"|ok|okay|all right) (?:again|now|by me|with me|after all)\b"
        r"|\ballowed (?:again|now|after all)\b|\b(?:permission|green light|clearance"
        r"|the go-?ahead)\b|\bI don'?t mind\b"
        r"|\b(?:kannst|darfst|können|dürfen|darf|dürft|erlaubt)\b|\bpuedes?\b"
        r"|\bpuede[ns]?\b|\bse puede\b|\bpode[ms]?\b|\bpuoi\b|\bpuò\b"
        r"|\btu peux\b|\bvous pouvez\b|\bje mag\b|\bmag weer\b|\bmożesz\b|можно|можешь"
        r"|可以|没问题|いいです|構いません|大丈夫|ok입니다|돼|해도 돼|괜찮"
    ),
    "whatever": (
        r"\b(?:what|which|wher|how)(?:so)?ever (?:\w+ )?(?:(?:you(?:'d)?|is|are|looks?"
        r"|works?|suits?|fits?|seems?|feels?) ?(?:\w+ )?)?(?:like|want|need|prefer|think"
        r"|see|please|fits?|feel|best|suits?|works|easiest|choose|fancy|find)\b"
        r"|\b(?:what|which|wher|how)ever\W*$|\bas (?:you (?:like|wish|please|see fit"
        r"|want|prefer|think)|(?:much|many|long|often|fast|freely|big) as you)\b"
        r"|\bsee fit\b|\bup to you\b|\byour (?:call|choice|judg\w+)\b"
        r"|\bgo (?:wild|nuts|crazy)\b|\bdo as you\b|\b(?:any|in any|at any) (?:way"
        r"|format|style|length|order|tool|library|language|name|time|size|means) (?:you"
        r"|is|will|goes|again|works)\b|\b(?:what|where|which|how) you (?:need|think|like"
        r"|want|prefer|see fit)\b|\bwhatever \w+ (?:makes|fits|works|suits|seems)\b"
        r"|\bfeel free\b|\bcouldn't care less\b|\bdon't care\b|\bfair game\b"
        r"|\b\w+ away\W*$"
        r"|\begal\b|\bwie du (?:willst|magst)\b|\bcomo quieras\b|\blo que quieras\b"
        r"|\bcomme tu veux\b|\bcome vuoi\b|\bcomo quiser\b"
        r"|как хочешь|любы[еую]|随便|随意|自由に|아무렇게나|마음대로|任意"
    ),
    "no_need": (
        r"\bno need\b|\bneedn'?t\b|\b(?:you|I|we) don'?t (?:need|have|want) (?:to|it"
        r"|them|that|any|the)\b|\bdon't bother\b|\bnot (?:necessary|needed|required)\b"
        r"|\bwithout asking\b"
        r"|\b(?:can|may) (?:skip|stop|leave out|omit|save|ignore|forget|drop|quit"
        r"|spare)\b|\bstop \w+ing\b|\bunnecessary\b|\bnever mind\b"
        r"|\bbrauchst? (?:ich|du|es|man|nicht|kein)\b|\bmusst nicht\b|\bnicht nötig\b"
        r"|\bnon serve\b|\bno hace falta\b|\bpas besoin\b|\bnão precisa\b"
        r"|\bhoeft? niet\b|不用|不必|不需要|必要(?:は)?(?:ない|ありません)|不要です|필요 ?없"
    ),
    "no_more": (
        r"\bno more\b|\benough(?: of)? (?:of |with )?\w+|\b(?:stop(?:ping)?"
        r"|quit) (?:with (?:the |your |all )?)?\w+ing\b|\bstop with\b|\bdone with\b"
        r"|\bSchluss mit\b|\bgenug\b|\bbasta\b|\bfini\b|\bse acabó\b|хватит|够了"
    ),
    "over": (
        r"(?:\b(?:is|are|was|were|has|have|been|'s|’s|'re|'ve|got|all|it's)(?: all| now"
        r"| finally| officially| both)? )"
        r"(?:over(?!-| (?!now\b|for good|at last|since|as of|and\b|then\b)\S)|done"
        r"|finished|through|back|gone|merged|passed|approved|signed off|ended|closed"
        r"|complete[d]?|renewed|restored"
        r"|fixed|lifted|open(?:ed)?|unlocked|thawed|repaired|rebuilt|landed|published"
        r"|live|out|in|here|home|ready|reopened"
        r"|upgraded|migrated|moved|replaced|switched|cured|sorted|resolved|refilled"
        r"|printed|delivered|free|up(?! to\b)|available|stable|working|new|ours|cleared"
        r"|replenished|released|sent|settled|launched|shipped|accepted)\b"
        r"|\b(?:finished|done|merged|passed|approved|signed off|wrapped up|that's a wrap"
        r"|answers again|works again|home again|back (?:home|online|up|at|from))\b"
        r"|\bfertig\b|\bvorbei\b|\bzurück\b|\babgelöst\b|\bist da\b|\bwieder da\b"
        r"|\babgeschlossen\b|\bbeendet\b|\bterminé\w*|\bfini\w*|\bterminad\w+|\bterminó"
        r"|\bacabou|\bacabó"
        r"|\bfinit[oaie]\b|\bpassat[oa]\b|\baprovou\b|\bklaar\b|\bterug\b|\bvoorbij\b"
        r"|законч\w+|вернул\w+|готов\w*|заверш\w+|完了|終わ|復旧|戻|结束|完成|好了|回来|끝났|생겨|복구"
    ),
    "forget": (
        r"\bforget about\b|\b(?:forget|never ?mind|ignore|scrap|drop|disregard|scratch"
        r"|strike|cancel|take back|took back|revoke|withdraw) "
        r"(?:about )?(?:(?:all|both)(?: of)? )?(?:(?:what|whatever|everything|all|anything)"
        r" (?:I|we)|(?:the|that|my|this|those|these)\b)"
        r"|\btake (?:it|that|this)(?: all)? back\b|\bchang(?:e|ed) (?:of (?:plan|mind)"
        r"|my mind|our minds?)\b|\b(?:vergiss|olvida|oublie|dimentica|esquece|vergeet"
        r"|zapomnij)\b|忘了|忘れて|забудь"
    ),
    "i_said": (
        r"\b(?:what|everything|whatever|anything|all) (?:I|we)(?:'ve| have)? (?:said"
        r"|told|asked|wrote|mentioned|demanded|laid down)\b"
        r"|\bwas ich (?:über|zu|gesagt)\b|\blo que dije\b|\bce que j'ai dit\b"
        r"|\bo que eu disse\b|\blo de\b|\bdas mit\b|前に言った|之前说的|さっき"
    ),
    "replace": (
        r"\binstead(?: of)?\b|\brather than\b|\bfrom (?:now|here|today|this point"
        r"|\w+day)(?: on(?:wards?)?)?\b|\bas (?:of|from) (?:now|today|this|\w+day)\b"
        r"|\bgoing forward\b"
        r"|\b(?:switch(?:ed|ing)?|mov(?:e|ed|ing)|migrat\w+|chang(?:e|ed"
        r"|ing)) (?:\w+ ){0,3}?(?:to|over|away|from)\b"
        r"|(?<!don't )(?<!not )\bmake (?:that|it|them)\b"
        r"|\bit'?s \S+(?: \S+)? (?:now|from)\b"
        r"|\b(?<!what )(?<!as )(?<!how )(?<!where )(?<!who )it is(?=[,.;:!]|$| from| now"
        r"| for)|\bnot \w+(?:,|;| but)|\bnew (?:rule|convention|default|policy|plan"
        r"|standard|limit|format)\b|\bdecided\b|\bis the new\b|\b(?:I'd|I would"
        r"|we'd) (?:rather|prefer)\b|\b(?:too|so) (?:crude|tight|strict|much|many|long"
        r"|short|noisy|expensive|little|few|silly|ugly)\b|\bcome (?:a)?round\b"
        r"|\bwhat I(?:'d)? (?:like|want|need)\b|\bin future\b|\bgoing forward\b"
        r"|\bin place of\b|\breplac\w+\b|\bab (?:sofort|jetzt|heute)\b"
        r"|\bstatt(?:dessen)?\b|\bumgestellt\b|\bstellen? .{0,20}um\b|\ba partir de\b"
        r"|\ben vez de\b"
        r"|\bdésormais\b|\bà partir de\b|\bau lieu de\b|\bd'ora in poi\b|\binvece\b"
        r"|\bem vez de\b|\bvoortaan\b|\bin plaats van\b|\bvanaf nu\b|теперь|вместо"
        r"|отныне"
        r"|以后|从现在|改成|改用|换成|これから|今後|代わり|にします|はやめ|앞으로|대신"
    ),
    "out_now": (
        r"\b\S+ (?:is|are) (?:out|dead|gone)\b|\bmoving away\b|\bgets? (?:shut|cut"
        r"|retired)\b|\b(?:was|were) (?:an? )?(?:dumb|bad|mistake|silly|wrong|too)\b|\bsilly\b"
        r"|\bdumb\b"
    ),
    "changed_mind": (
        r"\bchang\w+ (?:my|our) minds?\b|\bchange of (?:plan|heart|mind)\b"
        r"|\bon (?:second|reflection)\b|\bI was wrong\b|\bthought about (?:it|\(|that"
        r"|this)\b|\btake (?:it|that) (?:all )?back\b|\blost (?:the|that"
        r"|this) (?:argument|vote|discussion|bet)\b|\band lost\b|\bovers?t[eé]g\b"
    ),
    "opened": (
        r"(?:\b(?:is|are|now|all|be|stays)|'s|'re) (?:now |all |wide |back )?open\b"
        r"|\b(?:unlocked|unfrozen|thawed|unblocked|writable|fair game|yours|all ours"
        r"|up for grabs)\b(?: again| now)?|\bunlock\b|\bunfreeze\b|\bfreigegeben\b"
        r"|\bwieder frei\b"
    ),
    "learned": (
        r"\b(?:got|have got|get) (?:the hang|it by now|used to)\b|\bI know (?:my|how"
        r"|these|them|it)\b|\bby now\b|\bI trust you\b|\bpattern is clear\b"
        r"|\bgetting long\b|\bwill do\b|\bis enough\b|\balone\b"
    ),
    "alt_access": (
        r"\b(?:you've|you have|gave (?:us|you|me)|got) (?:\w+ ){0,3}(?:access|clone"
        r"|userid|account|our own|my|rights?|permission|write)\b"
    ),
    "names_rule": (
        r"\b(?:the|that|this|my|our|those|both|no more|any"
        rf"|\w+'s) (?:\S+ ){{0,4}}?{STRICT_NOUN}\b|\b(?:the|that) [\w-]+-(?:only|first"
        r"|free|per-\w+)\b|verbot|regel\b|vorgabe|sperre|\bconsigne|\bregla|\bregra"
        r"|\bregola|правил|запрет|规定|限制|規則|ルール|禁止|규칙"
    ),
    "lapsed": (
        r"\bno longer (?:applies|apply|holds?|counts?|in force|matters?|binding)\b"
        r"|\b(?:doesn't|don't) (?:apply|hold|count|matter) (?:any ?more|any longer"
        r"|now)\b"
        r"|\bgilt nicht mehr\b|\bvale (?:más|più|mais)\b|\bne (?:vaut|tient"
        r"|s'applique) plus\b|не действует"
    ),
    "spares": (
        r"\byou (?:really |also |certainly )?(?:needn'?t|don'?t (?:need|have) to"
        r"|no longer (?:need|have) to|can (?:stop|quit|skip|forget)|may (?:stop|skip"
        r"|forget))\b|\bno (?:more )?need (?:for you )?to\b"
        r"|\bno need for\b.*\bany ?(?:more|longer)\b"
        r"|\bstop \w+ing\b.*|\bno more \w+ing\b|\bbrauchst (?:\w+ )*nicht mehr\b"
        r"|\bmusst (?:\w+ )*nicht mehr\b|\bya no hace falta\b|\bplus besoin\b"
        r"|\bnon serve più\b|不用再|なくて(?:も)?(?:大丈夫|いい|構)|안 .{0,6}도 돼"
    ),
    "let_again": (
        r"\b(?:can|may|allowed|fine|ok|okay|welcome|free|open|permitted|possible"
        r"|all right|alright|legal)\b.{0,40}\b(?:again|after all|any ?time|from now on"
        r"|from here on|now)\b|\b(?:again|now|after all)\b.{0,25}\b(?:allowed|fine|ok"
        r"|okay|welcome|permitted)\b"
        r"|\b(?:kannst|darfst|dürfen|erlaubt)\b.{0,60}\b(?:wieder|jetzt|ab sofort)\b"
        r"|\b(?:wieder|jetzt|ab sofort)\b.{0,40}(?:kannst|darfst|erlaubt)|\bya (?:puedes"
        r"|se puede)\b|\btu peux .{0,40}(?:nouveau|maintenant)\b|\bde nouveau\b"
        r"|\bpode .{0,30}(?:agora|de novo)\b|\bagora pode\b|\bmag (?:nu|weer)\b"
        r"|теперь мож|можно снова|снова можно"
        r"|можно теперь|可以.{0,8}了|又可以|이제.{0,20}(?:돼|좋아)"
    ),
    "order_now": (
        r"\b(?:from (?:now|here|today|this point) on(?:wards?)?|from (?:now|here|today)"
        r"|as (?:of|from) (?:now|today|this \w+)|going forward|from here on|in future"
        r"|hereafter|ab (?:sofort|jetzt|heute)|a partir de (?:ahora|hoy|agora|hoje)"
        r"|désormais|dorénavant|d'ora in poi|voortaan|vanaf nu|från och med nu)\b"
        r"|отныне|с этого момента|今後|これから|以后|从现在|앞으로"
    ),
    "swap": (
        r"\binstead(?: of)?\b|\brather than\b|\bin place of\b"
        r"|(?<!don't )(?<!not )\bmake (?:that|it) \b|\bswitch(?:ed|ing)? \w*\s?to\b"
        r"|\bmov(?:e|ed|ing) (?:\w+ )?(?:to|over to|away from)\b|\bnot \S+, |\bstatt\b"
        r"|\ben vez de\b|\bau lieu de\b|\binvece di\b|\bem vez de\b|\bin plaats van\b"
        r"|вместо|代わり|改成|改用|대신"
    ),
    "head_condition": (
        r"^\W*(?:(?:and|but|so|ok(?:ay)?|well|maybe|only|then|also)\W+)*(?:if|once|when"
        r"|whenever|unless|as soon as|in case|until|till|the moment|assuming|suppose"
        r"|provided|after(?! all)|wenn|falls|sobald|sollte|si|cuando|quand|dès que"
        r"|quando|se|als|zodra|wanneer)\b"
        r"|^\W*(?:если|когда|как только|如果|等)"
    ),
    "standing": (
        r"\b(?:from (?:now|here|today) on(?:wards?)?|from (?:now|here|today)"
        r"|as of (?:now|today)|every\w*|each|all|always|any|whenever|wherever|by default"
        r"|new \w+s|default|convention|we(?:'re| are| have|'ve)? (?:now "
        r"|just )?(?:agreed|decided|mov\w+|switch\w+|use)|next time|in future"
        r"|going forward|these and)\b"
        r"|\b(?:ab sofort|ab jetzt|immer|jede\w*|alle\w*|siempre|tod[oa]s|a partir de"
        r"|toujours|tous|toutes|désormais|sempre|tutt[ie]|altijd|voortaan|alltid)\b"
        r"|теперь|всегда|все|每|所有|以后|都|これから|今後|全部|すべて|毎|앞으로|항상|모든"
    ),
    "needless_thing": (
        r"\b(?:is|are|'s|'re) no longer (?!\b(?:appl|necessary|required|in force|valid"
        r"|off))\w+|\bwird nicht mehr\b|\bno longer (?:works?|exists?|need(?:ed)?|there"
        r"|offline|online|available|used)\b|\b(?:is|are) (?:\w+ )?(?:gone|missing)\b"
    ),
    "fetch": (
        r"^\W*(?:(?:and|ok|now|then|please|so)\W+)*(?:delete|remove|move|put|use|take"
        r"|drop|revert|add|rename|fix|replace|cancel|scrap|undo|write|build|create"
        r"|implement|generate|update|mark|set|show|give|check|run|check|find|test|merge"
        r"|deploy|convert|extract)\b (?!.*\b(?:rule|from now|from here|again"
        r"|any ?more)\b)"
    ),
    "that_rule": rf"\b(?:that|this|the|my|those|both|our) (?:\S+ ){{0,2}}{_RULE_NOUN}\b",
}
"""Name of a form to the pattern that finds it, in lower-case text without quotations."""

TRIGGERS = (
    "withdraw",
    "off",
    "no_longer",
    "again",
    "permit",
    "whatever",
    "no_need",
    "no_more",
    "over",
    "forget",
    "i_said",
    "replace",
    "out_now",
    "changed_mind",
    "opened",
    "learned",
    "alt_access",
    "lapsed",
    "spares",
    "let_again",
    "order_now",
    "swap",
)
"""Forms of which a sentence needs one to lift anything."""
