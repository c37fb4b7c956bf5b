"""What the compactions of a session closed, in the words of its user, for a page."""

from collections.abc import Iterator
from dataclasses import dataclass

from longhaul.compaction.history import Step, find_steps
from longhaul.compaction.secrets import mask_secrets
from longhaul.compaction.state import Rule, all_values
from longhaul.evals.turns import Turn, find_turns
from longhaul.transcript.entries import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of the user."""

    turn: int
    line: int
    """In the session file."""
    text: str
    """Whole, with secrets masked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """What one compaction closed, and what that gave the state that the entries prove."""

    by: str
    """Who compacted."""
    line: int
    tokens_before: float
    n_entries: int
    messages: tuple[Message, ...]
    gained: tuple[str, ...]
    """Rules, as `u3: words`."""
    lifted: tuple[str, ...]
    lost: tuple[str, ...]
    values: tuple[str, ...]


def find_closed(path: Path, *, ask_tools: tuple[str, ...]) -> Iterator[Closed]:
    """Yield what each compaction of a path closed, oldest first."""
    turns = find_turns(path)
    for step in find_steps(path, ask_tools=ask_tools):
        yield _closed(step, turns)


def find_messages(path: Path) -> tuple[Message, ...]:
    """Return all that the user said on a path."""
    return tuple(map(_message, find_turns(path)))


def _closed(step: Step, turns: tuple[Turn, ...]) -> Closed:
    given = {value.token for value in step.gained_values}
    return Closed(
        by=step.compactor,
        line=step.entry.line,
        tokens_before=step.entry.tokens_before,
        n_entries=step.n_closed_entries,
        messages=tuple(_message(turn) for turn in turns[step.first_turn - 1 : step.last_turn]),
        gained=tuple(map(_rule, step.gained)),
        lifted=tuple(map(_lift, step.lifted)),
        lost=tuple(map(_rule, step.lost)),
        values=tuple(
            mask_secrets(f"{value.token} (u{value.turn}): {value.what}")
            for value in all_values(step.state)
            if value.token in given
        ),
    )


def _message(turn: Turn) -> Message:
    return Message(turn=turn.number, line=turn.line, text=mask_secrets(turn.text))


def _rule(rule: Rule) -> str:
    return mask_secrets(f"u{rule.quote.turn}: {rule.quote.text}")


def _lift(rule: Rule) -> str:
    assert rule.lifted_by is not None, "only lifted rules are among the lifted"
    return mask_secrets(f"{_rule(rule)}; by u{rule.lifted_by.turn}: {rule.lifted_by.text}")
