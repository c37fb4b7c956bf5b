"""What a weak model's replies add to, and lose from, the states of recorded sessions.

`python -m bench.weak_sessions SESSION… [--model local:smollm2] [--first N] [--max-output TOKENS]`

Each session's first compactions are made twice over, chained: by code alone, and with the model,
whose earlier replies the later states carry. Below its row stand every rule that is not as
code left it and every note. Where `labels.json` lies beside a session, both texts are judged by it.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path as FilePath

from bench.recorded_chain import Step, find_sessions, walk_chain
from bench.weak_dialogues import TIMEOUT_S, Brief
from bench.weak_state import HEADING, list_changes, list_notes, render_beside, set_beside
from longhaul.compaction.compact import Model
from longhaul.compaction.diff.record import find_call
from longhaul.evals.due import Due, DueCounts, find_due, labelled_turns
from longhaul.evals.judge import rules_section, stray_lines
from longhaul.evals.label_measures import LabelCounts, measure_text
from longhaul.evals.session_labels import SessionLabels, load_labels
from longhaul.models import open_model
from longhaul.pi.sessions import load_session
from longhaul.transcript.entries import Path

LABELS = "labels.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What texts keep of what is due, and lines of their rules that nobody gave."""

    counts: LabelCounts
    n_stray: int = 0

    def __add__(self, other: "Judged") -> "Judged":
        """Return the sum, number by number."""
        return Judged(counts=self.counts + other.counts, n_stray=self.n_stray + other.n_stray)


NOTHING = Judged(counts=LabelCounts(kept=DueCounts(), due=DueCounts()))


def judge_text(text: str, due: Due, labels: SessionLabels) -> Judged:
    """Return how a text fares at a compaction by the labels of its session."""
    strays = stray_lines(rules_section(text), labelled_turns(labels))
    return Judged(counts=measure_text(text, due), n_stray=len(strays))


def pairs(path: Path, model: Model, *, first: int) -> Iterator[tuple[Step, Step, float]]:
    """Yield the first compactions offline and with the model, and the seconds of the latter."""
    offline, with_model = walk_chain(path), walk_chain(path, model=model)
    for before in islice(offline, first):
        started = time.monotonic()
        yield before, next(with_model), time.monotonic() - started


def describe(step: Step, seconds: float) -> Iterator[str]:
    """Yield a compaction's row, and what has to be known of it, a line each."""
    beside = set_beside((*step.before, step.made))
    call = find_call(step.made)
    tokens = f"{call.tokens_in or 0:>6,} {call.tokens_out or 0:>5,}" if call else f"{'none':>12}"
    yield f"{step.cut.number:>3} {seconds:>5.0f} {tokens} {render_beside(beside)}"
    if call is not None and call.failure:
        yield f"     {call.failure}"
    yield from (f"     {line}" for line in (*list_changes(beside), *list_notes(beside)))


def render_judged(title: str, judged: Judged) -> str:
    """Return what was kept of what was due, in a line."""
    kept, due = judged.counts.kept, judged.counts.due
    names = [one.name for one in fields(DueCounts)]
    shares = (f"{name} {getattr(kept, name)}/{getattr(due, name)}" for name in names)
    return f"{title:12} {', '.join(shares)}, stray {judged.n_stray}"


def run(
    file: FilePath, model: Model, labels: Mapping[str, SessionLabels], *, first: int
) -> tuple[Judged, Judged]:
    """Print a session's rows; return how its texts fare offline and with the model."""
    path = load_session(file).path
    own = labels.get(file.stem)
    due = find_due(path, own) if own else ()
    judged = (NOTHING, NOTHING)
    say(f"{file.stem}", f"cut  secs     in   out {HEADING}")
    for index, (offline, asked, seconds) in enumerate(pairs(path, model, first=first)):
        say(*describe(asked, seconds))
        if own:
            texts = (offline.made.summary, asked.made.summary)
            both = [judge_text(text, due[index], own) for text in texts]
            judged = (judged[0] + both[0], judged[1] + both[1])
    return judged


def say(*lines: str) -> None:
    """Print lines at once: a run takes minutes."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def main(arguments: Sequence[str]) -> None:
    """Print the rows of every session, and how all texts fare."""
    parser = argparse.ArgumentParser(prog="python -m bench.weak_sessions", description=__doc__)
    parser.add_argument("sessions", type=FilePath, nargs="+")
    parser.add_argument("--model", default="local:smollm2")
    parser.add_argument("--first", type=int, default=3, help="how many compactions of each")
    parser.add_argument("--max-output", type=int, default=200, help="most tokens of a reply")
    asked = parser.parse_args(arguments)
    model = open_model(asked.model, timeout_s=TIMEOUT_S, environment=os.environ)
    brief = Brief(model, asked.max_output)
    offline, with_model = NOTHING, NOTHING
    for file in find_sessions(asked.sessions):
        beside = file.with_name(LABELS)
        labels = load_labels(beside) if beside.is_file() else {}
        judged = run(file, brief, labels, first=asked.first)
        offline, with_model = offline + judged[0], with_model + judged[1]
    say("", render_judged("offline", offline), render_judged(asked.model, with_model))


if __name__ == "__main__":
    main(sys.argv[1:])
