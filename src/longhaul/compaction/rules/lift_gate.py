"""A quick look whether words could withdraw anything at all: most messages cannot."""

import re

_WORDS = """
    abandon abandoned abandoning abandonne abandonner abandonné abgelöst abgeschlossen abolish
    abolished acabou acabó accepted access after again agora agreed ahead allowed alone alright
    annulé annulée anstatt anulada anulado anymore apply approved aprovou aufgehoben aufheben
    available away back ban banned basta beendet besoin bother brauche brauchst can cancel
    canceled cancelled cancelling care change changed changes changing choice cleared closed
    completed couldn't cured d'ora darf darfst decided delivered dimentica disregard ditch
    ditched ditching done dorénavant drop dropped dropping dumb désormais dürfen dürft egal
    elimina eliminada eliminado ends enough entfallen entfällt erlaubt erledigt esquece expire
    expired fair fertig fine fini finie finis finished finita finiti finito fixed forget forth
    forward free frei freigegeben friday från future geen genug gestrichen gilt gone hang here
    hereafter hinfällig hoeft home ignore ingetrokken instead invece jetzt kannst klaar können
    laisse laisser lasst later launched legal levanta levantada levantado levé levée levées lift
    lifted lifting longer lose losing lost mag mais make matter may meer mehr merged migrated
    migration mind mistake moet monday more move moved moving możesz można musst más need needed
    needn't nevermind nix nixed nouveau novo now nuevo nuovo nötig obsolete off ok okay olvida
    open opgeheven otra oublie ours out over overrule overruled passata passato passed
    permission permitted peut peux più place plan plus pode podem podemos podes potete pouvez
    printed published puede pueden puedes puoi può quieras quiser quit quita quito rather ready
    rebuilt refilled relax relaxed relaxing released relevant remove removed removing renewed
    reopened repaired repeal repealed replace replaced replacement replaces replacing
    replenished required rescind rescinded resolved restored retira retirada retirado retirar
    retire retired retiring retiro revogada revogado revoke revoked revoking rights said
    saturday schluss scrap scrapped scrapping scratch scratched serve settled shipped signed
    silly skip sofort sorted stable statt stattdessen stelle stellen stop stopped stopping
    streich streiche streichen strike struck sunday suspend suspended suspensa suspenso switch
    switched switching terminada terminado terminé terminée terminés terminó terug thawed
    through thursday today trust tuesday umgestellt unblocked undo unfreeze unfrozen unlock
    unlocked unnecessary unsay upgraded used vale vanaf vaut vergeet vergiss vervallen vervalt
    void voorbij voortaan vorbei wanted wednesday weer welcome whatever whatsoever wherever
    whichever wieder wild willst withdraw withdrawing withdrawn withdrew without working works
    wrap wrapped writable ya yours zapomnij zurück zurückgezogen
"""
_GATE = frozenset(_WORDS.split())
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_OTHER_SCRIPTS = re.compile(r"[\u0400-\u04ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def may_withdraw(text: str) -> bool:
    """Return whether `text` has a word that forms of withdrawal are made of."""
    words = _WORD.findall(text.lower().replace("’", "'"))
    return not _GATE.isdisjoint(words) or bool(_OTHER_SCRIPTS.search(text))
