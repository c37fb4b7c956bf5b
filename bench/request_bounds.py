"""What Longhaul's own requests cost beside pi's, over every compaction of recorded sessions.

`python -m bench.request_bounds SESSION_OR_FOLDER… [--each]`

Nothing is sent. Each compaction follows Longhaul's own state, by code alone (`recorded_chain.py`).
Tokens are pi's estimate. `--each` prints a row for every compaction; compactions whose request
takes more than its share are printed in any case.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath

from bench.recorded_chain import Step, find_sessions, walk_chain
from longhaul.compaction.carry import fold_to
from longhaul.compaction.diff.build import BuildOptions, build_request
from longhaul.compaction.diff.pi_request import estimate_pi_request
from longhaul.compaction.diff.schema import SCHEMA_TOKENS
from longhaul.compaction.spans import span_start
from longhaul.pi.sessions import load_session
from longhaul.transcript.entries import Path

BOUND_TOKENS = 4_000
"""From so many tokens of pi's own request on, both bounds are promised."""
DIGEST_PARTS = 4
REQUEST_PARTS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """The requests for one compaction, in tokens as pi estimates them."""

    session: str
    number: int
    """The compaction's, from 1."""
    digest: int
    request: int
    """Instructions and digest."""
    pi: int
    """What pi would send for the same span from where Longhaul is: the earlier summary that it
    repeats is Longhaul's text."""
    recorded: int
    """What pi sent when the session was recorded, with its own earlier summary."""
    span: int
    """The closed entries as the session's model saw them."""
    clipped: tuple[str, ...]
    """What of it was cut or left out for room, a phrase each."""

    @property
    def with_schema(self) -> int:
        """The request where a provider is sent the schema as well."""
        return self.request + SCHEMA_TOKENS


def measure(path: Path, name: str) -> Iterator[Sizes]:
    """Yield the sizes at each compaction of a recorded path, oldest first."""
    for step in walk_chain(path):
        yield _sizes(path, name, step)


def holds(one: Sizes, pi_tokens: int) -> bool:
    """Return whether digest and request keep within the shares of pi's that are promised."""
    return one.digest * DIGEST_PARTS <= pi_tokens and one.request * REQUEST_PARTS <= pi_tokens


def _sizes(path: Path, name: str, step: Step) -> Sizes:
    before, end = step.before, step.cut.end
    start = min(span_start(before), end)
    # The window would only make a request smaller; what it costs where it need not is measured.
    built = build_request(
        before, fold_to(before, end).state, start=start, end=end, options=BuildOptions()
    )
    recorded = estimate_pi_request(path[: step.cut.index], start=start, end=end)
    return Sizes(
        session=name,
        number=step.cut.number,
        digest=built.digest_tokens,
        request=built.request_tokens,
        pi=built.pi_tokens,
        recorded=recorded.tokens,
        span=recorded.span_tokens,
        clipped=built.clipped,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One of the two requests of pi's that Longhaul's is held against."""

    title: str
    is_recorded: bool

    def of(self, one: Sizes) -> int:
        """Return the tokens of pi's request."""
        return one.recorded if self.is_recorded else one.pi


MEASURES = (
    Measure(title="after Longhaul's own text", is_recorded=False),
    Measure(title="as recorded, after pi's own summary", is_recorded=True),
)
HEADING = (
    f"{'':14} {'n':>3}  {'pi tokens':>12}  {'digest':>18}  {'request':>19}  {'with schema':>19}"
    "  over"
)


def render(name: str, sizes: Sequence[Sizes], measure_by: Measure) -> str:
    """Return some compactions as a row under `HEADING`: least to most, and the sums' share."""
    pi = [measure_by.of(one) for one in sizes]
    columns = (
        ([one.digest for one in sizes], 18),
        ([one.request for one in sizes], 19),
        ([one.with_schema for one in sizes], 19),
    )
    over = sum(not holds(one, tokens) for one, tokens in zip(sizes, pi, strict=True))
    shares = "  ".join(f"{_shares(column, pi):>{width}}" for column, width in columns)
    return f"{name:14} {len(sizes):>3}  {f'{min(pi):,}-{max(pi):,}':>12}  {shares}  {over:>4}"


def _shares(column: Sequence[int], pi: Sequence[int]) -> str:
    each = [mine / theirs for mine, theirs in zip(column, pi, strict=True)]
    return f"{min(each):.0%}-{max(each):.0%}, all {sum(column) / sum(pi):.0%}"


def tables(sizes: Sequence[Sizes]) -> Iterator[str]:
    """Yield the lines of a table for each of pi's requests."""
    for by in MEASURES:
        yield f"Beside pi's own request {by.title}:"
        yield HEADING
        promised = [one for one in sizes if by.of(one) >= BOUND_TOKENS]
        fewer = [one for one in sizes if by.of(one) < BOUND_TOKENS]
        for session in dict.fromkeys(one.session for one in promised):
            yield render(session, [one for one in promised if one.session == session], by)
        for name, some in ((f"{BOUND_TOKENS:,} and more", promised), ("fewer", fewer)):
            if some:
                yield render(name, some, by)
        yield ""


def rows(sizes: Iterable[Sizes]) -> Iterator[str]:
    """Yield a row for each compaction."""
    yield f"{'':14}  digest request   schema      pi  recorded    span  cut for room"
    for one in sizes:
        yield (
            f"{f'{one.session} {one.number}':14} {one.digest:>7,} {one.request:>7,}"
            f" {one.with_schema:>8,} {one.pi:>7,}  {one.recorded:>8,} {one.span:>7,}"
            f"  {'; '.join(one.clipped)}"
        )


def totals(sizes: Sequence[Sizes]) -> Iterator[str]:
    """Yield what all compactions took together, and what gave way in how many of them."""
    names = ("digest", "request", "with_schema", "pi", "recorded", "span")
    sums = (f"{name.replace('_', ' ')} {sum(getattr(o, name) for o in sizes):,}" for name in names)
    yield f"Tokens of all {len(sizes)}: {', '.join(sums)}"
    gave_way = Counter(phrase.partition(": ")[0] for one in sizes for phrase in one.clipped)
    yield f"Cut for room: {', '.join(f'{kind} {n}' for kind, n in gave_way.most_common())}"


def main(arguments: Sequence[str]) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.request_bounds", description=__doc__)
    parser.add_argument("sessions", type=FilePath, nargs="+")
    parser.add_argument("--each", action="store_true", help="a row for every compaction")
    asked = parser.parse_args(arguments)
    sizes = [
        one
        for file in find_sessions(asked.sessions)
        for one in measure(load_session(file).path, file.stem)
    ]
    over = [one for one in sizes if not all(holds(one, by.of(one)) for by in MEASURES)]
    lines = [*tables(sizes), *totals(sizes)]
    if asked.each or over:
        lines += ["", "Every compaction:" if asked.each else "Over a share of either:"]
        lines += rows(sizes if asked.each else over)
    sys.stdout.write("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    main(sys.argv[1:])
