"""What must hold after any reply whatever: the laws of a compaction with a model's word in it."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from longhaul.compaction.corrected import correct_window
from longhaul.compaction.corrections import find_pins
from longhaul.compaction.diff.record import dump_call
from longhaul.compaction.diff.verify_one_offs import is_for_once
from longhaul.compaction.fold import drop_edited
from longhaul.compaction.render.budget import MAX_BUDGET_CHARS
from longhaul.compaction.render.escape import escape_text
from longhaul.compaction.render.text import PRECEDENCE, RECALL, SECTIONS
from longhaul.compaction.replay import rebuild
from longhaul.compaction.state import Rule, State, is_in_force, quotes_of
from longhaul.compaction.statements import find_statements
from longhaul.compaction.white_space import fold_space
from longhaul.transcript.entries import JsonValue
from tests.compaction.model_asking import Outcome, Session, followed
from tests.compaction.sections import section

_ACTS = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\ud800-\udfff]|</?summary"
)
"""What would move a cursor, hide, or close pi's wrapper."""


def check_laws(outcome: Outcome) -> None:
    """Fail where a reply cost the state something that no reply may cost it."""
    given, offline, state = outcome.session, outcome.session.offline, outcome.state
    check_state(given, offline, state)
    assert rebuild(followed(given, outcome.made), given.end) == state
    check_text(outcome)
    assert not _ACTS.search(json.dumps(_own_words(outcome), ensure_ascii=False))


def check_outcome(
    outcome: Outcome, expected: State, dropped: Mapping[tuple[str, str, bool], int]
) -> None:
    """Fail where the whole state or what was dropped, counted by why, is another."""
    assert outcome.state == expected
    assert Counter(outcome.dropped) == Counter(dropped)
    assert outcome.call.failure == ""
    check_laws(outcome)


def check_state(given: Session, offline: State, state: State) -> None:
    """Fail where `state` lacks what `offline` holds, or quotes what the user did not type."""
    theirs = replace(
        state, rules=(), said=(), named_values=offline.named_values, notes=offline.notes, n_rules=0
    )
    assert theirs == replace(offline, rules=(), said=(), n_rules=0)
    assert [replace(line, ruled_out=False) for line in state.said] == [
        replace(line, ruled_out=False) for line in offline.said
    ]
    typed = _typed(given)
    for quote in quotes_of(state):
        assert fold_space(quote.text) in typed[quote.entry_id, quote.turn]
    for before, after in zip(offline.rules, state.rules, strict=False):
        assert (after.number, after.quote) == (before.number, before.quote)
        assert (after.origin, after.correction) == (before.origin, before.correction)
        assert not is_in_force(before) or is_in_force(after) or _has_evidence(given, before, after)
    numbers = [rule.number for rule in state.rules]
    assert numbers == sorted(set(numbers))
    assert state.n_rules == max(offline.n_rules, *numbers, 0)


def _has_evidence(given: Session, before: Rule, after: Rule) -> bool:
    """Return whether the user's words, not a model's, say that a rule in force has ended."""
    if before.correction == "restored" or before.origin == "pin":
        return False
    if after.lifted_by is not None:
        places = [entry.id for entry in given.path[: given.end]]
        return places.index(after.lifted_by.entry_id) > places.index(before.quote.entry_id)
    return after.one_off == "yes" and is_for_once(before.quote.text)


def check_text(outcome: Outcome) -> None:
    """Fail where the text lacks the goal, a request or a rule in force, or is more than data."""
    given, text = outcome.session, outcome.made.summary
    assert text.startswith(PRECEDENCE)
    assert text.endswith(RECALL)
    assert not _ACTS.search(text)
    headings = [line for line in text.splitlines() if line.startswith("#")]
    assert headings == [f"## {name}" for name in SECTIONS if f"## {name}" in headings]
    seen = drop_edited(outcome.state, given.path, given.end, len(given.path))
    shown = correct_window(seen, given.path, given.end)
    goals = [shown.goal] if shown.goal else []
    assert list(map(_letters, section(text, "Goal"))) == [
        _letters(f"u{goal.turn} {goal.text}") for goal in goals
    ]
    for rule in filter(is_in_force, shown.rules):
        assert any(
            line.startswith(f"- r{rule.number} (") and _holds(line, rule.quote.text)
            for line in section(text, "Rules")
        )
    if len(text) > MAX_BUDGET_CHARS:
        assert outcome.made.report.over_budget
        required = ("Goal", "Objective", "Rules", "Recall")
        assert [name for name in SECTIONS if section(text, name)] == list(required)


def _holds(line: str, words: str) -> bool:
    return _letters(words) in _letters(line)


def _letters(text: str) -> str:
    return re.sub(r"\W+", "", escape_text(text).replace("&lt;", "<"))


def _typed(given: Session) -> dict[tuple[str, int], str]:
    """Return, by entry and turn, what the user typed or pinned before the cut."""
    typed = {(pin.entry_id, pin.turn): pin.text for pin in find_pins(given.path, given.end)}
    for said in find_statements(given.path, 0, given.end, n_turns=0):
        place = said.entry_id, said.turn
        typed[place] = f"{typed.get(place, '')}\n{fold_space(said.text)}"
    return typed


def _own_words(outcome: Outcome) -> JsonValue:
    """Return all that is kept of a call but what the user typed, which is kept as it was typed."""
    call = replace(outcome.call, diff=replace(outcome.call.diff, rules=(), lifts=()))
    return dump_call(call)
