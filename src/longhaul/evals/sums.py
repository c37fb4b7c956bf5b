"""The sums of a run, added up row by row: every measure of every arm, and what calls cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, quantiles

from longhaul.evals.arms.arm import Made
from longhaul.evals.measures.amounts import Amount, Tally
from longhaul.evals.scores import Score
from longhaul.evals.summary import Arms, Costs, Figure, Number, Repeat, Share

BY_THING = frozenset(("earlierCorrections",))
"""Measures that also say how they do for each distinct thing, however often it was due."""
_TENTHS = 10
_DIGITS = 4


@dataclass(slots=True)
class Total:
    """The sum of one measure over compactions."""

    kept: int = 0
    due: int = 0
    n_found: int = 0
    is_tally: bool = False
    by_thing: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    """Session and name of each thing: how often it was kept, and how often due."""

    def add(self, session: str, amount: Amount) -> None:
        """Add what a measure found at one compaction of a session."""
        if isinstance(amount, Tally):
            self.is_tally = True
            self.n_found += len(amount.found)
            return
        self.kept += len(amount.kept)
        self.due += amount.n_due
        for names, is_kept in ((amount.kept, 1), (amount.lost, 0)):
            for name in names:
                counts = self.by_thing.setdefault((session, name), [0, 0])
                counts[0] += is_kept
                counts[1] += 1

    def figure(self, *, by_thing: bool) -> Figure:
        """Return the sum; with `by_thing` the mean share over distinct things too."""
        if self.is_tally:
            return Number(self.n_found)
        shares = [kept / due for kept, due in self.by_thing.values()] if by_thing else []
        return Share(
            kept=self.kept,
            due=self.due,
            n_distinct=len(shares) if by_thing else None,
            distinct_share=round(fmean(shares), _DIGITS) if shares else None,
        )


@dataclass(slots=True)
class Cost:
    """What the compactions of one arm took."""

    chars: list[int] = field(default_factory=list)
    tokens_in: list[int] = field(default_factory=list)
    tokens_out: list[int] = field(default_factory=list)
    tokens_cached: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    n_calls: int = 0
    n_narrative_less: int = 0
    n_dropped: int = 0

    def add(self, made: Made) -> None:
        """Add one compaction; what it does not know of itself is left out of the means."""
        self.chars.append(len(made.text))
        for numbers, number in (
            (self.tokens_in, made.tokens_in),
            (self.tokens_out, made.tokens_out),
            (self.tokens_cached, made.tokens_cached),
        ):
            if number is not None:
                numbers.append(number)
        if made.seconds is not None:
            self.seconds.append(made.seconds)
        self.n_calls += made.n_calls
        self.n_narrative_less += made.is_narrative_less
        self.n_dropped += made.n_dropped

    def means(self) -> Costs:
        """Return what a compaction took in the mean."""
        return Costs(
            chars=_mean(self.chars),
            tokens_in=_mean(self.tokens_in),
            tokens_out=_mean(self.tokens_out),
            tokens_cached=_mean(self.tokens_cached),
            p50=_percentile(self.seconds, 5),
            p90=_percentile(self.seconds, 9),
            n_calls=self.n_calls,
            n_narrative_less=self.n_narrative_less,
            n_dropped=self.n_dropped,
        )


class Part:
    """One arm's sums over some compactions, one for each repeat."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._n: dict[int, int] = {}
        self._totals: dict[int, dict[str, Total]] = {}
        self._costs: dict[int, Cost] = {}

    def add(self, score: Score, made: Made) -> None:
        """Add one scored row."""
        repeat = score.key.repeat
        self._n[repeat] = self._n.get(repeat, 0) + 1
        totals = self._totals.setdefault(repeat, {})
        for name, amount in score.amounts.items():
            totals.setdefault(name, Total()).add(score.key.session, amount)
        self._costs.setdefault(repeat, Cost()).add(made)

    def repeats(self) -> tuple[Repeat, ...]:
        """Return the sums of each repeat."""
        return tuple(
            Repeat(
                n_compactions=self._n[repeat],
                figures={
                    name: total.figure(by_thing=name in BY_THING)
                    for name, total in self._totals[repeat].items()
                },
                costs=self._costs[repeat].means(),
            )
            for repeat in sorted(self._n)
        )


class Sums:
    """All sums of a run, added up row by row."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._arms: dict[str, Part] = {}
        self._sessions: dict[str, dict[str, Part]] = {}

    def add(self, score: Score, made: Made) -> None:
        """Add one scored row."""
        key = score.key
        self._arms.setdefault(key.arm, Part()).add(score, made)
        session = self._sessions.setdefault(key.session, {})
        session.setdefault(key.arm, Part()).add(score, made)

    def arms(self, names: Sequence[str]) -> Arms:
        """Return the sums over all sessions, those of `names` first and in their order."""
        return _ordered(self._arms, names)

    def sessions(self, names: Sequence[str]) -> Mapping[str, Arms]:
        """Return the same for each session."""
        return {
            session: _ordered(parts, names) for session, parts in sorted(self._sessions.items())
        }


def _ordered(parts: Mapping[str, Part], names: Sequence[str]) -> Arms:
    order = [*(name for name in names if name in parts), *(p for p in parts if p not in names)]
    return {name: parts[name].repeats() for name in order}


def _mean(numbers: Sequence[int]) -> int | None:
    return round(fmean(numbers)) if numbers else None


def _percentile(numbers: Sequence[float], tenths: int) -> float | None:
    """Return the value that so many tenths of `numbers` do not exceed, between its neighbours."""
    if not numbers:
        return None
    if len(numbers) == 1:
        return round(numbers[0], _DIGITS)
    return round(quantiles(numbers, n=_TENTHS, method="inclusive")[tenths - 1], _DIGITS)
