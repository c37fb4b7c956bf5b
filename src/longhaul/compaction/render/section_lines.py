"""The lines of every section but World, not yet chosen."""

from collections.abc import Iterator

from longhaul.compaction.render.budget import Line
from longhaul.compaction.render.objective import find_objectives
from longhaul.compaction.render.quoting import code, plain, quoted
from longhaul.compaction.state import Quote, Request, Rule, Said, State, Value
from longhaul.compaction.white_space import fold_space

_RULE_SHAPED = 0.15
"""From this score on a line of Said outlives values and files: of real rules nine in ten have it,
of ordinary messages one in eight."""
_SHORT_CHARS = 160
"""Most characters of a quote outside Goal, Objective and Rules."""
_STEP_CHARS = 60
"""Most characters of a request in the timeline; Said holds more of it."""
_N_LIFTED = 5


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


def rule_line(rule: Rule) -> Line:
    """Return the line of a rule: in force, in force with a doubt, or lifted."""
    name = f"- r{rule.number} (u{rule.quote.turn})"
    if rule.lifted_by is not None:
        lifted = f"lifted by u{rule.lifted_by.turn}: {_short(rule.lifted_by)}"
        text = f"{name} {_short(rule.quote)}, {lifted}"
    elif rule.doubted_by is not None:
        doubt = f"in force; u{rule.doubted_by.turn} may lift it ({_short(rule.doubted_by)})"
        text = f"{name}, {doubt}: {quoted(rule.quote.text)}"
    else:
        text = f"{name}: {quoted(rule.quote.text)}"
    return Line(section="Rules", text=text, order=rule.number)


def lifted_lines(rules: tuple[Rule, ...]) -> Iterator[Line]:
    """Yield the newest lifts, newest first."""
    lifted = sorted(
        (rule for rule in rules if rule.lifted_by is not None),
        key=lambda rule: (rule.lifted_by.turn if rule.lifted_by else 0, rule.number),
    )
    return map(rule_line, reversed(lifted[-_N_LIFTED:]))


def said_lines(state: State) -> tuple[Iterator[Line], Iterator[Line]]:
    """Return the lines most like a rule, best first, and the others, newest first.

    Words that Goal, Objective or Rules show are left out, and so are those of lifted rules.
    """
    shown = _shown_texts(state)
    unquoted = [
        said
        for said in state.said
        if fold_space(said.quote.text) not in shown.get(said.quote.entry_id, "")
    ]
    rule_shaped = [said for said in unquoted if said.score >= _RULE_SHAPED]
    others = [said for said in unquoted if said.score < _RULE_SHAPED]
    return (
        map(_said_line, sorted(rule_shaped, key=_most_like_a_rule)),
        map(_said_line, reversed(others)),
    )


def _shown_texts(state: State) -> dict[str, str]:
    """Return, by entry, the words that other sections show, and those that no longer hold."""
    shown = [objective.quote for objective in find_objectives(state.requests)]
    shown += [state.goal] if state.goal else []
    shown += [rule.quote for rule in state.rules]
    texts: dict[str, str] = {}
    for quote in shown:
        texts[quote.entry_id] = f"{texts.get(quote.entry_id, '')}\n{fold_space(quote.text)}"
    return texts


def _most_like_a_rule(said: Said) -> tuple[float, int]:
    return -said.score, -said.quote.turn


def _said_line(said: Said) -> Line:
    return Line(section="Said", text=f"- {_bound(said.quote)}", order=said.quote.turn)


def value_lines(values: tuple[Value, ...]) -> Iterator[Line]:
    """Yield the values, the one used last first."""
    for order, value in enumerate(reversed(values)):
        text = f"- {code(value.token)} (u{value.turn}): {plain(value.what)}"
        yield Line(section="Learned values", text=text, order=order)


def narrative_lines(state: State) -> Iterator[Line]:
    """Yield the timeline of closed requests and closing words, newest first."""
    for request in reversed(state.requests):
        turn = request.quote.turn
        if turn <= state.n_turns:
            text = f"- u{turn} {_step(request)}: {_ending(request)}"
            yield Line(section="Narrative", text=text, order=turn)


def _step(request: Request) -> str:
    return quoted(request.quote.text, _STEP_CHARS)


def _ending(request: Request) -> str:
    said = f", the assistant: {quoted(request.closing, _SHORT_CHARS)}" if request.closing else ""
    return f"{'not ended' if request.outcome == 'open' else request.outcome}{said}"


def _bound(quote: Quote) -> str:
    return f"u{quote.turn}: {quoted(quote.text)}"


def _short(quote: Quote) -> str:
    return quoted(quote.text, _SHORT_CHARS)
