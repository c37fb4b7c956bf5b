"""What labels make due at each compaction of a session: the one place that decides it.

A compaction closes what stands before its cut; from the cut on, what was said before it stays in
view, which is the kept window. A label is judged at a compaction only once its message is closed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Literal

from longhaul.compaction.spans import cut_index
from longhaul.evals.session_labels import GoalLabel, RuleLabel, SessionLabels, ValueLabel
from longhaul.evals.turns import Turn, find_turns
from longhaul.transcript.entries import CompactionEntry, Path
from longhaul.transcript.projection import first_indices

Standing = Literal["not closed", "not judged", "in force", "lifted"]
"""How a rule stands at a compaction. `not closed`: its message is in view or still to come; `not
judged`: its lift is in view, or its message is a doubtful one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """One compaction of a path, and where it cut: the place of each is an index of the path."""

    number: int
    """From 1, in the order of the path."""
    entry: CompactionEntry
    index: int
    """Of the compaction itself."""
    start: int
    """The cut before this one; 0 where there is none. From here on it closes."""
    end: int
    """The first entry that stays; behind the compaction where nothing before it does."""
    n_closed_turns: int
    """Turns whose user message stands before the cut: `u1` to this one."""
    is_split_turn: bool
    """Whether the cut falls into the last of them, so that a part of it stays."""


@dataclass(frozen=True, slots=True)
class DueValue:
    """A value that is due at a compaction, and the turns after it that use it."""

    label: ValueLabel
    used_at: tuple[int, ...]
    """Those before the next compaction: 21 for `u21`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DueCounts:
    """How many judgements there are; `rules` is `span` and `earlier`, `values` has `history`."""

    goal: int = 0
    rules: int = 0
    span: int = 0
    earlier: int = 0
    lifts: int = 0
    values: int = 0
    history: int = 0

    def __add__(self, other: "DueCounts") -> "DueCounts":
        """Return the sum, number by number."""
        names = [field.name for field in fields(self)]
        return DueCounts(**{name: getattr(self, name) + getattr(other, name) for name in names})


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """What is judged at one compaction, in the order of the labels."""

    cut: Cut
    goal: GoalLabel | None
    """None where the session has none, and while its message is not closed."""
    span: tuple[RuleLabel, ...]
    """Rules in force whose message this compaction closed."""
    earlier: tuple[RuleLabel, ...]
    """Rules in force whose message was closed before it."""
    lifted: tuple[RuleLabel, ...]
    """Rules whose message and lift are closed."""
    not_judged: tuple[RuleLabel, ...]
    not_closed: tuple[RuleLabel, ...]
    values: tuple[DueValue, ...]

    @property
    def rules(self) -> tuple[RuleLabel, ...]:
        """The rules in force."""
        return (*self.earlier, *self.span)

    @property
    def counts(self) -> DueCounts:
        """How many judgements this is."""
        return DueCounts(
            goal=int(self.goal is not None),
            rules=len(self.span) + len(self.earlier),
            span=len(self.span),
            earlier=len(self.earlier),
            lifts=len(self.lifted),
            values=len(self.values),
            history=sum(value.label.history for value in self.values),
        )


def find_cuts(path: Path) -> tuple[Cut, ...]:
    """Return the compactions of a path, oldest first, whoever made them."""
    places, turns = first_indices(path), find_turns(path)
    cuts: list[Cut] = []
    for index, entry in enumerate(path):
        if isinstance(entry, CompactionEntry):
            end = cut_index(places, index, entry)
            closed = [turn for turn in turns if turn.start < end]
            # pi never cuts before an earlier cut; another compactor may, and then closes nothing.
            start = min(cuts[-1].end, end) if cuts else 0
            cut = Cut(
                number=len(cuts) + 1,
                entry=entry,
                index=index,
                start=start,
                end=end,
                n_closed_turns=len(closed),
                is_split_turn=bool(closed) and closed[-1].end > end,
            )
            cuts.append(cut)
    return tuple(cuts)


def find_due(path: Path, labels: SessionLabels) -> tuple[Due, ...]:
    """Return what is judged at each compaction of a path, oldest first.

    A label of a turn that the path does not have is never due.
    """
    return judge_cuts(find_cuts(path), find_turns(path), labels)


def judge_cuts(
    cuts: Sequence[Cut], turns: Sequence[Turn], labels: SessionLabels
) -> tuple[Due, ...]:
    """Return what `find_due` does, of a path whose compactions and turns are known."""
    return tuple(_due(cut, cuts[cut.number : cut.number + 1], turns, labels) for cut in cuts)


def rule_standing(
    rule: RuleLabel, cut: Cut, turns: Sequence[Turn], labels: SessionLabels
) -> Standing:
    """Return how a rule stands at a compaction of the path that has these turns."""
    if not is_closed(rule.turn, cut, turns):
        return "not closed"
    if rule.turn in labels.doubtful or _is_in_view(rule.lifted_at, cut, turns):
        return "not judged"
    return "lifted" if is_closed(rule.lifted_at, cut, turns) else "in force"


def is_closed(number: int | None, cut: Cut, turns: Sequence[Turn]) -> bool:
    """Return whether the user message of a turn stands before a cut; not where there is none."""
    return number is not None and number <= len(turns) and turns[number - 1].start < cut.end


def is_turn_closed(number: int, cut: Cut, turns: Sequence[Turn]) -> bool:
    """Return whether a whole turn stands before a cut; not where the path has no such turn."""
    return number <= len(turns) and turns[number - 1].end <= cut.end


def judging_cut(number: int, cuts: Iterable[Cut], turns: Sequence[Turn]) -> Cut | None:
    """Return the last compaction before a turn: where what the turn uses is judged.

    None where there is none, and where the path has no such turn.
    """
    if number > len(turns):
        return None
    before = [cut for cut in cuts if cut.index < turns[number - 1].start]
    return before[-1] if before else None


def labelled_turns(labels: SessionLabels) -> frozenset[int]:
    """Return the messages that a line of the rules section may be bound to without being stray.

    They give a labelled rule, lift one, or are doubtful.
    """
    lifts = (rule.lifted_at for rule in labels.rules if rule.lifted_at is not None)
    return frozenset((*(rule.turn for rule in labels.rules), *lifts, *labels.doubtful))


def _due(cut: Cut, following: Sequence[Cut], turns: Sequence[Turn], labels: SessionLabels) -> Due:
    by_standing: dict[Standing, list[RuleLabel]] = {}
    for rule in labels.rules:
        by_standing.setdefault(rule_standing(rule, cut, turns, labels), []).append(rule)
    in_force = by_standing.get("in force", [])
    goal = labels.goal
    return Due(
        cut=cut,
        goal=goal if goal is not None and is_closed(goal.turn, cut, turns) else None,
        span=tuple(rule for rule in in_force if turns[rule.turn - 1].start >= cut.start),
        earlier=tuple(rule for rule in in_force if turns[rule.turn - 1].start < cut.start),
        lifted=tuple(by_standing.get("lifted", ())),
        not_judged=tuple(by_standing.get("not judged", ())),
        not_closed=tuple(by_standing.get("not closed", ())),
        values=tuple(_due_values(cut, following, turns, labels.values)),
    )


def _due_values(
    cut: Cut, following: Sequence[Cut], turns: Sequence[Turn], values: Iterable[ValueLabel]
) -> Iterable[DueValue]:
    for value in values:
        if is_turn_closed(value.turn, cut, turns):
            judged = (
                use for use in value.used_at if judging_cut(use, (cut, *following), turns) is cut
            )
            used_at = tuple(sorted(set(judged)))
            if used_at:
                yield DueValue(value, used_at)


def _is_in_view(number: int | None, cut: Cut, turns: Sequence[Turn]) -> bool:
    """Return whether a user message stands in the kept window of a compaction."""
    if number is None or number > len(turns):
        return False
    return cut.end <= turns[number - 1].start < cut.index
