"""What the user typed: the only source of goals, objectives, rules and lifts."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Words of the user: a message without `<skill>` and `<file>` blocks, or an answer to a tool."""

    entry_id: str
    turn: int
    """7 for `u7`; an answer belongs to the turn in which it was given."""
    text: str
    is_answer: bool = False
    """True for an answer to an ask-the-user tool."""
