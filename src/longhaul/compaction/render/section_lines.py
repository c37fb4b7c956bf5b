"""The lines of every section but World, not yet chosen."""

from collections.abc import Iterator, Sequence

from longhaul.compaction.render.budget import Line
from longhaul.compaction.render.objective import find_objectives
from longhaul.compaction.render.quoting import code, plain, quoted
from longhaul.compaction.state import (
    NamedValue,
    Quote,
    Request,
    Said,
    State,
    Value,
    all_values,
    is_rule_shaped,
)
from longhaul.compaction.white_space import fold_space

_N_A_LINE = 8
_FEW_WORDS = 2
"""What else a message says in so many words is no line of its own."""


def goal_lines(state: State) -> list[Line]:
    """Return the goal's line, if there is a goal."""
    if state.goal is None:
        return []
    return [Line(section="Goal", text=f"- {_bound(state.goal)}", order=0)]


def objective_lines(requests: tuple[Request, ...], instructions: str) -> list[Line]:
    """Return the newest requests with their status, and what `/compact` was told."""
    lines = [
        Line(
            section="Objective",
            text=f"- {objective.status}: {_bound(objective.quote)}",
            order=order,
        )
        for order, objective in enumerate(find_objectives(requests))
    ]
    if instructions.strip():
        asked = f"- asked for with this compaction: {quoted(instructions, 500)}"
        lines.append(Line(section="Objective", text=asked, order=len(lines)))
    return lines


def said_lines(state: State) -> tuple[Iterator[Line], Iterator[Line]]:
    """Return the lines most like a rule, best first, and the others, newest first.

    Words that Goal, Objective or Rules show are left out, and so are those of lifted rules. What a
    model says is no rule is one of the others.
    """
    shown = _shown_texts(state)
    unquoted = [
        said
        for said in state.said
        if _says_more(fold_space(said.quote.text), shown.get(said.quote.entry_id, ()))
    ]
    rule_shaped = [said for said in unquoted if is_rule_shaped(said)]
    others = [said for said in unquoted if not is_rule_shaped(said)]
    return (
        map(_said_line, sorted(rule_shaped, key=_most_like_a_rule)),
        map(_said_line, reversed(others)),
    )


def _says_more(text: str, shown: Sequence[str]) -> bool:
    """Return whether a line holds more than a word or two that other sections do not show."""
    if any(text in other for other in shown):
        return False
    for other in shown:
        text = text.replace(other, " ")
    return not shown or len(text.split()) > _FEW_WORDS


def _shown_texts(state: State) -> dict[str, list[str]]:
    """Return, by entry, the words that other sections show, and those that no longer hold."""
    shown = [objective.quote for objective in find_objectives(state.requests)]
    shown += [state.goal] if state.goal else []
    shown += [rule.quote for rule in state.rules]
    texts: dict[str, list[str]] = {}
    for quote in shown:
        texts.setdefault(quote.entry_id, []).append(fold_space(quote.text))
    return texts


def _most_like_a_rule(said: Said) -> tuple[float, int]:
    return -said.score, -said.quote.turn


def _said_line(said: Said) -> Line:
    return Line(section="Said", text=f"- {_bound(said.quote)}", order=said.quote.turn)


def value_lines(state: State, n_named: int) -> Iterator[Line]:
    """Yield the `n_named` values used last, a line each; a model's name stands before code's."""
    named = {value.token: value.what for value in state.named_values}
    for order, value in enumerate(all_values(state)[: -n_named - 1 : -1]):
        what = plain(named.get(value.token, value.what))
        text = f"- {_value(value)}: {what}"
        yield Line(section="Learned values", text=text, order=order)


def earlier_value_lines(state: State, n_named: int) -> Iterator[Line]:
    """Yield the values used before those, several to a line, with their turn and no name.

    A token that is asked for again cannot be made up; what it was, the turn tells.
    """
    rest = all_values(state)[:-n_named][::-1]
    for start in range(0, len(rest), _N_A_LINE):
        some = rest[start : start + _N_A_LINE]
        text = f"- earlier: {', '.join(map(_value, some))}"
        order = n_named + start
        yield Line(section="Learned values", text=text, order=order, n_items=len(some))


def _value(value: Value | NamedValue) -> str:
    return f"{code(value.token)} (u{value.turn})"


def _bound(quote: Quote) -> str:
    return f"u{quote.turn}: {quoted(quote.text)}"
