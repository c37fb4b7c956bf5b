"""What a model may refer to by a short name: rules, messages to judge, values, earlier notes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from longhaul.compaction.diff.framing import data_line
from longhaul.compaction.state import (
    Note,
    NoteKind,
    Rule,
    Said,
    State,
    Value,
    is_in_force,
    is_rule_shaped,
)
from longhaul.compaction.white_space import one_holds_other

_N_EARLIER = 30
_N_JUDGED = 40
_N_VALUES = 40
_N_NOTES = 8
"""How many of each are made at most; how many are shown is the digest's to say."""
_EARLIER_CHARS = 200
_WHAT_CHARS = 70
_NOTE_CHARS = 140
_NOTE_RANK: dict[NoteKind, int] = {"in progress": 0, "next": 1, "decided": 2, "done": 3}


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
    span = range(first_turn, (state.n_turns if last_turn is None else last_turn) + 1)
    unjudged = [said for said in state.said if _is_open(said, state)]
    unnamed = [value for value in reversed(state.values) if _is_unnamed(value, state)]
    in_force = filter(is_in_force, reversed(state.rules))
    return Candidates(
        rules=tuple(map(_rule_line, in_force)),
        lifted=tuple(_lifted_lines(state, first_turn)),
        judged=_names_to_judge(unjudged, span),
        values=tuple(_value_names(unnamed, span))[:_N_VALUES],
        earlier=tuple(_earlier_lines(unjudged, first_turn)),
        earlier_values=tuple(_earlier_value_lines(unnamed, first_turn))[:_N_VALUES],
        notes=tuple(_note_lines(state.notes)),
    )


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


def _names_to_judge(unjudged: Sequence[Said], span: range) -> tuple[str, ...]:
    turns = dict.fromkeys(said.quote.turn for said in reversed(unjudged))
    return tuple(f"u{turn}" for turn in turns if turn in span)[:_N_JUDGED]


def _earlier_lines(unjudged: Iterable[Said], first_turn: int) -> Iterator[str]:
    earlier = [said for said in unjudged if said.quote.turn < first_turn]
    earlier.sort(key=lambda said: (-said.score, -said.quote.turn))
    for said in earlier[:_N_EARLIER]:
        yield f"u{said.quote.turn} user: {data_line(said.quote.text, _EARLIER_CHARS)}"


def _value_names(unnamed: Iterable[Value], span: range) -> Iterator[str]:
    for value in unnamed:
        if value.used_turn in span or value.turn in span:
            yield _value_name(value)


def _earlier_value_lines(unnamed: Iterable[Value], first_turn: int) -> Iterator[str]:
    for value in unnamed:
        if max(value.turn, value.used_turn) < first_turn:
            yield f"- {_value_name(value)}: {data_line(value.what, _WHAT_CHARS)}"


def _value_name(value: Value) -> str:
    return f"{data_line(value.token, _WHAT_CHARS)} (u{value.turn})"


def _note_lines(notes: Iterable[Note]) -> Iterator[str]:
    ordered = sorted(notes, key=lambda note: (_NOTE_RANK[note.kind], -note.turn))
    for note in ordered[:_N_NOTES]:
        yield f"{note.kind} (u{note.turn}): {data_line(note.text, _NOTE_CHARS)}"


def _is_open(said: Said, state: State) -> bool:
    """Return whether words look like a rule, and neither code nor a model has settled them."""
    if not is_rule_shaped(said):
        return False
    settled = [rule.quote for rule in state.rules]
    settled += [rule.lifted_by for rule in state.rules if rule.lifted_by is not None]
    return not any(
        one.entry_id == said.quote.entry_id and one_holds_other(one.text, said.quote.text)
        for one in settled
    )


def _is_unnamed(value: Value, state: State) -> bool:
    return not any(named.token == value.token for named in state.named_values)
