"""The state as the text that stands in the model's context."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from longhaul.compaction.render.budget import Line, choose_lines
from longhaul.compaction.render.narrative_lines import note_lines, timeline_lines
from longhaul.compaction.render.rule_lines import ended_lines, rule_line
from longhaul.compaction.render.section_lines import (
    earlier_value_lines,
    goal_lines,
    objective_lines,
    said_lines,
    value_lines,
)
from longhaul.compaction.render.world_lines import world_groups
from longhaul.compaction.state import State, is_in_force

EVIDENCE_CLAUSE = (
    " Where the narrative and the evidence disagree, run the check again before saying that it"
    " passes."
)
"""The end of the precedence line; `longhaul evidence` measures what it is good for."""
PRECEDENCE = (
    "Kept word for word from the session so far; u3 is the user's third message. Where things"
    " disagree, the newest message comes first, then Rules, then World, then Narrative."
    f"{EVIDENCE_CLAUSE}"
)
RECALL = (
    "## Recall\nWhat is not here is not lost: longhaul_recall finds what was said, run or printed"
    " in this session before what you see now, by words, exact strings, commands, paths or turns."
)
"""The last section, so that no other one seems to go on in it."""
SECTIONS = (
    *("Goal", "Objective", "Rules", "Said", "Learned values", "World", "Narrative"),
    "Recall",
)

_CHARS_A_NAMED = 1_000
"""Of the budget, for each value that is told what it is: of the others only the token stands."""
_N_FIRST_SAID = 10
_N_FIRST_STEPS = 6
_N_FIRST_NOTES = 6
"""So many lines of a section come before other sections are served; the rest has what is left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A state as text, and what stands in it."""

    text: str
    n_rules: int
    """Rules in force; all of them stand in the text."""
    n_values: int
    gave_way: tuple[str, ...]
    """Sections of which lines were left out for the budget, in the order of the text."""
    over_budget: bool
    """True where goal, objective and rules in force alone exceed the budget."""


def render(state: State, *, instructions: str = "", max_chars: int) -> Rendered:
    """Return `state` as Markdown of at most `max_chars` characters.

    The state's requests may reach beyond its turns, into the kept window: they say what is worked
    on now. `instructions` are the user's words with `/compact`. Goal, Objective and the rules in
    force never give way: where they alone are longer, so is the text.
    """
    required = [
        *goal_lines(state),
        *objective_lines(state.requests, instructions),
        *(rule_line(rule) for rule in state.rules if is_in_force(rule)),
    ]
    room = max_chars - len(PRECEDENCE) - len(RECALL) - 3
    chosen, gave_way = choose_lines(
        required, _optional_groups(state, n_named=max_chars // _CHARS_A_NAMED), max_chars=room
    )
    text = f"{_join(chosen)}\n\n{RECALL}"
    return Rendered(
        text=text,
        n_rules=sum(is_in_force(rule) for rule in state.rules),
        n_values=sum(line.n_items for line in chosen if line.section == "Learned values"),
        gave_way=tuple(section for section in SECTIONS if section in gave_way),
        over_budget=len(text) > max_chars,
    )


def _join(lines: Iterable[Line]) -> str:
    """Return the chosen lines under their headings."""
    by_section: dict[str, list[Line]] = {}
    for line in lines:
        by_section.setdefault(line.section, []).append(line)
    parts = [PRECEDENCE]
    for section in SECTIONS:
        if section in by_section:
            ordered = sorted(by_section[section], key=lambda line: line.order)
            parts.append(f"\n## {section}")
            parts.extend(line.text for line in ordered)
    return "\n".join(parts)


def _optional_groups(state: State, *, n_named: int) -> Iterator[Iterable[Line]]:
    """Yield the lines that may give way, the group that gives way last first.

    Lines are made as they are asked for: most of a long session's never are. `n_named` values are
    told what they are.
    """
    rule_shaped, newest = said_lines(state)
    notes, steps = note_lines(state), timeline_lines(state)
    world = world_groups(state.world)
    yield world.proofs
    yield islice(notes, _N_FIRST_NOTES)
    yield rule_shaped
    yield value_lines(state, n_named)
    yield earlier_value_lines(state, n_named)
    yield islice(newest, _N_FIRST_SAID)
    yield ended_lines(state.rules)
    yield world.files
    yield islice(steps, _N_FIRST_STEPS)
    yield world.commands
    yield newest
    yield notes
    yield steps
    yield world.others
