"""Whether the markers of a session's goal and rules tell their own message from the others."""

from collections.abc import Iterator

from longhaul.compaction.white_space import fold_space
from longhaul.evals.judge import matches, shows_lifted
from longhaul.evals.labelled_session import LabelFinding, LabelledSession, turn_names
from longhaul.evals.markers import MarkerError
from longhaul.evals.session_labels import GoalLabel, RuleLabel


def check_markers(session: LabelledSession) -> Iterator[LabelFinding]:
    """Yield what is wrong with the marker of the goal, and with those of the rules.

    A goal's words may well stand in other messages, one-offs among them: that is a note.
    """
    goal = session.labels.goal
    if goal is not None:
        yield from _until_too_long(session, "goal.marker", _of_goal(session, goal))
    for index, rule in enumerate(session.labels.rules):
        place = f"rules[{index}].marker"
        yield from _until_too_long(session, place, _of_rule(session, place, rule))


def _until_too_long(
    session: LabelledSession, place: str, findings: Iterator[LabelFinding]
) -> Iterator[LabelFinding]:
    """Yield the findings about a marker; that it takes too long is the last of them."""
    try:
        yield from findings
    except MarkerError as error:
        yield session.error(place, str(error))


def _of_goal(session: LabelledSession, goal: GoalLabel) -> Iterator[LabelFinding]:
    yield from _own_message(session, "goal.marker", goal.turn, goal.marker)
    one_offs = {*_matched(session, goal.marker)} & {*session.labels.one_offs} - {goal.turn}
    if one_offs:
        yield session.note("goal.marker", f"matches {turn_names(one_offs)} too, a one-off")


def _of_rule(session: LabelledSession, place: str, rule: RuleLabel) -> Iterator[LabelFinding]:
    yield from _own_message(session, place, rule.turn, rule.marker)
    yield from _own_words(session, place, rule)
    yield from _other_messages(session, place, rule)


def matches_message(text: str, marker: str) -> bool:
    """Return whether a marker finds its words in a user message: in a line, or across lines.

    A state quotes a message on one line, so line ends count as spaces too.
    """
    return any(matches(line, marker) for line in _lines(text))


def _lines(text: str) -> tuple[str, ...]:
    return (*text.splitlines(), fold_space(text))


def _matched(session: LabelledSession, marker: str) -> Iterator[int]:
    for turn in session.turns:
        if matches_message(turn.text, marker):
            yield turn.number


def _own_message(
    session: LabelledSession, place: str, number: int, marker: str
) -> Iterator[LabelFinding]:
    if matches("", marker):
        yield session.error(place, "matches any line, so that nothing would ever be lost")
    turn = session.turn(number)
    if turn is not None and not matches_message(turn.text, marker):
        yield session.error(place, f"/{marker}/ does not match its own message, u{number}", number)


def _own_words(session: LabelledSession, place: str, rule: RuleLabel) -> Iterator[LabelFinding]:
    turn = session.turn(rule.turn)
    lines = _lines(turn.text) if turn is not None else ()
    named = [line for line in lines if matches(line, rule.marker)]
    if named and all(shows_lifted(line, rule.marker) for line in named):
        text = (
            f"u{rule.turn} has words of a lift outside of what the marker matches: a line that"
            " says them without quotation marks shows the rule lifted"
        )
        yield session.note(place, text, rule.turn)


def _other_messages(
    session: LabelledSession, place: str, rule: RuleLabel
) -> Iterator[LabelFinding]:
    labels = session.labels
    others = {*_matched(session, rule.marker)} - {rule.turn}
    gives = {other.turn for other in labels.rules}
    one_offs = others & {*labels.one_offs} - gives - {rule.lifted_at}
    for number in sorted(one_offs):
        yield session.error(place, f"/{rule.marker}/ matches u{number}, a one-off", number)
    if rule.lifted_at in others:
        text = f"matches u{rule.lifted_at}, the message that lifts the rule"
        yield session.note(place, text, rule.lifted_at)
    left = others - one_offs - {rule.lifted_at}
    if left & gives:
        yield session.note(place, f"matches {turn_names(left & gives)} too, of another rule")
    if left - gives:
        yield session.note(place, f"matches {turn_names(left - gives)} too, where no rule is given")
