"""Replay: the arms run over one recorded session, compaction by compaction."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from longhaul.evals.arms.arm import Handed
from longhaul.evals.arms.listing import OpenArm
from longhaul.evals.cases import NotScored, RecordedSettings, find_cases, find_settings
from longhaul.evals.chains import Chain, Outcome
from longhaul.evals.due import Cut
from longhaul.evals.rows import Row, RowKey
from longhaul.pi.sessions import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayOptions:
    """How sessions are replayed."""

    is_chained: bool = True
    """Each arm goes on from its own earlier compactions; else from the recorded ones."""
    n_repeats: int = 1
    keep_recent_tokens: int | None = None
    """None for what each session says, or pi's default."""
    only: Collection[tuple[str, int]] | None = None
    """Session and number of the compactions that are replayed; None for all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A session ready to be replayed."""

    name: str
    session: Session
    settings: RecordedSettings
    cases: tuple[Cut, ...]
    left_out: tuple[NotScored, ...]


def prepare_replay(name: str, session: Session, options: ReplayOptions) -> Prepared:
    """Return a session with the compactions to replay, and those that cannot be."""
    settings = find_settings(session.path, keep_recent_tokens=options.keep_recent_tokens)
    all_cases = find_cases(session, name, settings)
    found = [
        case
        for number, case in enumerate(all_cases, 1)
        if options.only is None or (name, number) in options.only
    ]
    found += _missing(name, len(all_cases), options.only or ())
    return Prepared(
        name=name,
        session=session,
        settings=settings,
        cases=tuple(case for case in found if isinstance(case, Cut)),
        left_out=tuple(case for case in found if isinstance(case, NotScored)),
    )


def _missing(name: str, n_cases: int, only: Collection[tuple[str, int]]) -> list[NotScored]:
    numbers = sorted(number for session, number in only if session == name and number > n_cases)
    reason = "asked for, and the session has no such compaction"
    return [NotScored(session=name, compaction=one, arm="", reason=reason) for one in numbers]


def replay(
    prepared: Prepared,
    arms: Sequence[OpenArm],
    options: ReplayOptions,
    have: Callable[[RowKey], Row | None],
) -> Iterator[Outcome]:
    """Yield what becomes of each arm at each compaction of a session, oldest compaction first.

    An arm stands in `arms` behind the one that it is made from. `have` returns the row of an
    earlier run, or None: what is there is not made again.
    """
    yield from prepared.left_out
    chains = _chains(arms, options)
    for cut in prepared.cases:
        handed = Handed(
            name=prepared.name,
            session=prepared.session,
            path=prepared.session.path[: cut.index],
            cut=cut,
            made={},
            settings=prepared.settings,
        )
        for chain in chains:
            outcome = chain.step(cut, handed, have)
            if outcome is not None:
                yield outcome


def _chains(arms: Sequence[OpenArm], options: ReplayOptions) -> list[Chain]:
    chains: dict[tuple[str, int], Chain] = {}
    for repeat in range(1, options.n_repeats + 1):
        for arm in arms:
            chains[arm.name, repeat] = Chain(
                arm,
                repeat=repeat,
                is_chained=options.is_chained,
                source=chains.get((arm.source, repeat)),
            )
    return list(chains.values())
