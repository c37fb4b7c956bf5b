"""What a model may refer to by a short name: rules, messages to judge, values, earlier notes."""

from collections.abc import Iterator
from dataclasses import dataclass

from longhaul.compaction.diff.framing import data_line
from longhaul.compaction.state import Rule, Said, State, Value, is_in_force, is_rule_shaped
from longhaul.compaction.white_space import fold_space

_EARLIER_CHARS = 200
_WHAT_CHARS = 70
_NOTE_CHARS = 140
_N_EARLIER = 30
_N_JUDGED = 40
_N_VALUES = 40
_N_NOTES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """What a state offers, each a line; where there is too little room, its first lines stay."""

    rules: tuple[str, ...]
    """Rules in force, newest first."""
    lifted: tuple[str, ...]
    """Rules given or lifted in the span, newest first."""
    judged: tuple[str, ...]
    """Names of messages of the span that look like rules and are none yet, newest first."""
    values: tuple[str, ...]
    """Values used in the span, newest first."""
    earlier: tuple[str, ...]
    """Rule-shaped messages from before the span, the most like a rule first."""
    earlier_values: tuple[str, ...]
    """Values used before the span only, newest first."""
    notes: tuple[str, ...]
    """What earlier diffs said is in progress, next, decided and done, newest first."""


def find_candidates(state: State, *, first_turn: int, last_turn: int | None = None) -> Candidates:
    """Return what `state` offers for a span of turns; None for one up to the state's last."""
    last_turn = state.n_turns if last_turn is None else last_turn
    unjudged = [said for said in state.said if _is_open(said, state)]
    used = [value for value in reversed(state.values) if _is_unnamed(value, state)]
    shaped = [said.quote.turn for said in reversed(unjudged)]
    turns = dict.fromkeys(turn for turn in shaped if first_turn <= turn <= last_turn)
    earlier = [said for said in unjudged if said.quote.turn < first_turn]
    earlier.sort(key=lambda said: (-said.score, -said.quote.turn))
    notes = sorted(state.notes, key=lambda note: (_NOTE_RANK[note.kind], -note.turn))
    return Candidates(
        rules=tuple(map(_rule_line, reversed([r for r in state.rules if is_in_force(r)]))),
        lifted=tuple(_lifted_lines(state, first_turn)),
        judged=tuple(f"u{turn}" for turn in turns)[:_N_JUDGED],
        values=tuple(
            f"{data_line(value.token, _WHAT_CHARS)} (u{value.turn})"
            for value in used
            if first_turn <= value.used_turn <= last_turn or first_turn <= value.turn <= last_turn
        )[:_N_VALUES],
        earlier=tuple(
            f"u{said.quote.turn} user: {data_line(said.quote.text, _EARLIER_CHARS)}"
            for said in earlier[:_N_EARLIER]
        ),
        earlier_values=tuple(
            f"- {data_line(value.token, _WHAT_CHARS)} (u{value.turn}):"
            f" {data_line(value.what, _WHAT_CHARS)}"
            for value in used
            if max(value.turn, value.used_turn) < first_turn
        )[:_N_VALUES],
        notes=tuple(
            f"{note.kind} (u{note.turn}): {data_line(note.text, _NOTE_CHARS)}"
            for note in notes[:_N_NOTES]
        ),
    )


_NOTE_RANK = {"in progress": 0, "next": 1, "decided": 2, "done": 3}


def _rule_line(rule: Rule) -> str:
    given = "the user's own" if rule.origin == "pin" else f"u{rule.quote.turn}"
    doubt = f"; u{rule.doubted_by.turn} may lift it" if rule.doubted_by is not None else ""
    return f"r{rule.number} ({given}{doubt}): {data_line(rule.quote.text)}"


def _lifted_lines(state: State, first_turn: int) -> Iterator[str]:
    for rule in reversed(state.rules):
        by = rule.lifted_by
        if by is not None and by.turn >= first_turn:
            words = data_line(rule.quote.text, _WHAT_CHARS)
            yield f"r{rule.number} (u{rule.quote.turn}), lifted by u{by.turn}: {words}"


def _is_open(said: Said, state: State) -> bool:
    """Return whether words look like a rule, and neither code nor a model has settled them."""
    if not is_rule_shaped(said):
        return False
    words = fold_space(said.quote.text)
    settled = [rule.quote for rule in state.rules]
    settled += [rule.lifted_by for rule in state.rules if rule.lifted_by is not None]
    texts = [fold_space(one.text) for one in settled if one.entry_id == said.quote.entry_id]
    return not any(text in words or words in text for text in texts)


def _is_unnamed(value: Value, state: State) -> bool:
    return not any(named.token == value.token for named in state.named_values)
