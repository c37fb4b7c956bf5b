"""Whether the labels of a session agree: messages that exist, and none listed two ways."""

from collections.abc import Iterator, Mapping, Sequence

from longhaul.compaction.report_text import count
from longhaul.evals.labelled_session import LabelFinding, LabelledSession, named_turns
from longhaul.evals.session_labels import RuleLabel


def check_turns(session: LabelledSession) -> Iterator[LabelFinding]:
    """Yield an error for each label of a message that the session does not have."""
    there = count(len(session.turns), "user message")
    for place, number in named_turns(session.labels):
        if session.turn(number) is None:
            yield session.error(place, f"u{number} does not exist: the path has {there}")


def check_listings(session: LabelledSession) -> Iterator[LabelFinding]:
    """Yield what says of one message two things that cannot both be, and what counts twice."""
    labels = session.labels
    gives = {rule.turn: f"rules[{index}]" for index, rule in enumerate(labels.rules)}
    lifts = {
        rule.lifted_at: f"rules[{index}].liftedAt"
        for index, rule in enumerate(labels.rules)
        if rule.lifted_at is not None
    }
    one_offs = {number: f"oneOffs[{index}]" for index, number in enumerate(labels.one_offs)}
    yield from _both(session, "oneOffs", labels.one_offs, gives)
    yield from _both(session, "doubtful", labels.doubtful, {**one_offs, **lifts, **gives})
    for index, number in enumerate(labels.one_offs):
        if number in lifts:
            place = f"oneOffs[{index}]"
            yield session.note(place, f"u{number} lifts a rule too ({lifts[number]})", number)
    for index, value in enumerate(labels.values):
        yield from _twice(session, f"values[{index}].usedAt", value.used_at)
    yield from _same_rules(session, labels.rules)
    yield from _same_values(session)


def _both(
    session: LabelledSession, name: str, numbers: Sequence[int], others: Mapping[int, str]
) -> Iterator[LabelFinding]:
    for index, number in enumerate(numbers):
        if number in others:
            text = f"u{number} is listed as {others[number]} too, and cannot be both"
            yield session.error(f"{name}[{index}]", text, number)
    yield from _twice(session, name, numbers)


def _twice(session: LabelledSession, place: str, numbers: Sequence[int]) -> Iterator[LabelFinding]:
    seen: set[int] = set()
    for index, number in enumerate(numbers):
        if number in seen:
            text = f"u{number} stands in this list already"
            yield session.note(f"{place}[{index}]", text, number)
        seen.add(number)


def _same_rules(session: LabelledSession, rules: Sequence[RuleLabel]) -> Iterator[LabelFinding]:
    first: dict[tuple[int, str], int] = {}
    for index, rule in enumerate(rules):
        earlier = first.setdefault((rule.turn, rule.marker.lower()), index)
        if earlier < index:
            is_same = rules[earlier].lifted_at == rule.lifted_at
            what = "would count twice" if is_same else "and another liftedAt: one must be wrong"
            text = f"the same message and marker as rules[{earlier}], {what}"
            yield session.error(f"rules[{index}]", text, rule.turn)


def _same_values(session: LabelledSession) -> Iterator[LabelFinding]:
    first: dict[tuple[int, str], int] = {}
    for index, value in enumerate(session.labels.values):
        for spelling in dict.fromkeys(value.accept):
            earlier = first.setdefault((value.turn, spelling), index)
            if earlier < index:
                text = f'"{spelling}" of u{value.turn} stands in values[{earlier}] too'
                yield session.note(f"values[{index}].accept", text, value.turn)
