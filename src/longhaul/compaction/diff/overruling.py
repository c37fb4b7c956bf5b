"""Which words, called a rule, go against what the user corrected after they were typed."""

from longhaul.compaction.corrections import find_correction
from longhaul.compaction.diff.heard import Heard
from longhaul.compaction.rules.lifts import find_lifts, spoken
from longhaul.compaction.state import is_in_force
from longhaul.compaction.statements import Statement
from longhaul.compaction.white_space import one_holds_other


def overrules(statement: Statement, text: str, heard: Heard) -> bool:
    """Return whether a rule of these words would undo a correction of the user's.

    It would where they withdraw a rule that the user restored or pinned, or where they say the same
    as a rule that the user dropped later on. `text` stands in `statement`.
    """
    return _withdraws(statement, text, heard) or _was_dropped(statement, text, heard)


def _withdraws(statement: Statement, text: str, heard: Heard) -> bool:
    kept = [
        rule
        for rule in heard.state.rules
        if is_in_force(rule) and (rule.correction == "restored" or rule.origin == "pin")
    ]
    lifts = find_lifts(statement.text, kept) if kept else ()
    return any(lift.certain and one_holds_other(lift.quote, text) for lift in lifts)


def _was_dropped(statement: Statement, text: str, heard: Heard) -> bool:
    rules = heard.state.rules
    words = spoken(text)
    same = [rule for rule in rules if spoken(rule.quote.text) == words]
    if not any(rule.correction == "dropped" for rule in same) or any(map(is_in_force, same)):
        return False
    places = [entry.id for entry in heard.path[: heard.end]]
    made = map(find_correction, heard.path[places.index(statement.entry_id) : heard.end])
    return any(one and one.verb == "drop" and spoken(one.text) == words for one in made)
