"""Words that say nothing about a subject, and words of one meaning, for comparing subjects."""

# ruff: noqa: RUF001 - words of any script

_STOP_WORDS = """
    a an the this that these those it its i'm i you your yours we our ours us me my mine he she
    his her they them their one ones who whom whose which what when where while why how there
    here and or but nor so if then than as of in on at by to from for with without about into
    onto over under after before until till up down out off through during since because per via
    is are was were be been being am do does did doing done have has had having will would shall
    should can could may might must need needs needn't don't doesn't didn't isn't aren't wasn't
    won't can't cannot couldn't shouldn't wouldn't not no never none nothing neither any
    anything anyone some something somebody all every each everything everyone both either only
    just always ever also too again anymore longer more most much many few less least very
    really quite rather instead still yet now today tonight tomorrow yesterday soon later
    already onwards further please pls thanks thx ok okay yes well oh hey hi hm right sure
    actually btw it's that's there's i've we've you've i'd you'd i'll you'll we'll we're you're
    they're let's he's use used using make made making get gets got go goes going gone let take
    taken put keep kept want wanted like say said says tell told think know see look thing
    things way ways bit kind sort back fine good bad new old next first last other another same
    own such two allowed forbidden drop forget stop lift lifted lifts withdrawn rule rules ban
    limit restriction requirement policy finished free open der die das den dem
    des ein eine einen einem einer und oder aber nicht kein keine keinen nie immer nur bitte ich
    du wir ihr sie er es mein dein unser ist sind war wird werden hat haben kann darf muss soll
    auf aus bei mit nach von vor zu zum zur für im um ab als wie auch noch schon jetzt hier da
    wenn dann dass sich wieder mehr alle alles jede jeder jedes diese dieser dieses el la los
    las un una unos unas y o pero nunca siempre solo sólo por favor que de del en con sin para
    al se su sus mi mis tu son está están fue ser ha han ya más también como si lo le les cada
    todo todos toda todas este esta estos estas une et ou mais ne pas jamais toujours seulement
    qui dans avec sans pour au aux sa ses mon ma mes ton il elle nous vous est sont été être ont
    plus aussi comme ce cet cette ces chaque tout tous toute toutes c'est gli uno e non mai
    sempre che di della dei delle senza alla dal suo mio tuo è sono stato hanno già più anche
    come ogni tutto tutti tutte questo os uma mas não só dos em na nos nas com sem pra ao seu
    meu é são foi tá já também isso het een maar niet geen nooit altijd alleen ik jij wij zij
    zijn wordt heeft kan mag moet op uit bij met van voor te om ook nog nu dan dat weer meer elk
    elke deze dit и в на с по к у о от до из за для не нет ни никогда всегда только что это как
    так уже ещё еще бы же я ты мы вы он она они мне меня мой твой наш все всё каждый если или но
    а да whatever whichever wherever however whenever whoever anyway sense mind unrelated
    totally else though although whole seen came around stay stays went given gives give
"""

STOP_WORDS = frozenset(_STOP_WORDS.split())
"""Words that say nothing about a subject, in several languages."""

_GROUPS = """
reply replies answer answers response responses respond
image images picture pictures figure figures chart charts plot plots graph graphs
ask asks asking asked question questions approval approve confirm permission
edit edits editing change changes changing modify modifies touch touches touching alter
deploy deploys deploying publish publishes release ship rollout
library libraries dependency dependencies package packages lib libs dep deps
repo repository repos
folder folders directory directories dir dirs
database db databases
test tests testing tested spec specs
comment comments commented
document documents doc docs documentation
explain explains explanation explanations explaining
print prints printed printing printer
freeze frozen
write writes writing written wrote
translate translates translation translations translator translators translating
short shorter brief concise terse
run runs running ran execute
commit commits committing committed
word words wording
line lines
sentence sentences
id ids identifier identifiers
config configs configuration
prod production
env environment environments
auth authentication login
param params parameter parameters
msg message messages
email emails e-mail mail mails
column columns col cols
table tables
emoji emojis
"""

SAME_STEMS = {
    word: f"={group.split()[0]}" for group in _GROUPS.strip().split("\n") for word in group.split()
}
"""Word or stem to the stem of its meaning."""
