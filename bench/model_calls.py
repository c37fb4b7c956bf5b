"""What compactions cost with a model on this machine, Longhaul's beside pi's own.

`python -m bench.model_calls [--model NAME] [--session FILE] [--context TOKENS] [--keep TOKENS]`

Real pi compacts a copy of the session each time its context exceeds `--context` tokens, twice over:
with Longhaul's extension in mode `state`, and without. Both ask the same model through the same
endpoint. What the model's word made of each state stands below, beside the offline state.
"""

import argparse
import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.chains import Chain, Made, find_full
from bench.weak_state import HEADING, list_changes, render_beside, set_beside
from longhaul.models.embedded import find_smollm2
from longhaul.pi.sessions import load_session
from tests.models.larger import QWEN_SMALL
from tests.pi.forwarder import Forwarder, Limits
from tests.pi.model_server import ModelServer
from tests.pi.scripted_server import ScriptedServer
from tests.pi.workspace import Workspace

WINDOWS = {"smollm2": 8_192}
"""Tokens that a model was trained for, where that is less than the others'."""
WINDOW_TOKENS = 32_768
SMOLLM2 = "smollm2"
ROW = "{:>3}  {:>9} {:>6} {:>8} {:>7}  {:>9} {:>6} {:>8} {:>7} {:>6}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the command line asks for."""

    model: str
    session: Path
    context: int
    keep: int
    max_output: int


def parse(arguments: Sequence[str]) -> Asked:
    """Return the options of a command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.model_calls", description=__doc__)
    parser.add_argument("--model", default=QWEN_SMALL, help="smollm2, or a file's name or path")
    parser.add_argument("--session", type=Path, default=Path("eval/demo/tidewatch.jsonl"))
    parser.add_argument("--context", type=int, default=8_000, help="when to compact, in tokens")
    parser.add_argument("--keep", type=int, default=2_000, help="what stays verbatim, in tokens")
    parser.add_argument("--max-output", type=int, default=1_000, help="most tokens of a reply")
    return Asked(**vars(parser.parse_args(arguments)))


def find_model(name: str) -> Path:
    """Return the file of a model: the smallest one's, any other, or one that tests have fetched."""
    if name == SMOLLM2:
        return find_smollm2()
    fetched = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "longhaul-test-models" / name
    return Path(name) if Path(name).is_file() else fetched.expanduser()


@contextlib.contextmanager
def chains(asked: Asked) -> Iterator[tuple[Chain, Chain]]:
    """Yield the chain of Longhaul's compactions and that of pi's own, before their first."""
    limits = Limits(
        window_tokens=WINDOWS.get(asked.model, WINDOW_TOKENS),
        max_output_tokens=asked.max_output,
        keep_recent_tokens=asked.keep,
    )
    with (
        tempfile.TemporaryDirectory() as folder,
        ScriptedServer() as script,
        ModelServer(find_model(asked.model), window_tokens=limits.window_tokens) as server,
        Forwarder(model=server.origin, script=script.base_url) as forwarder,
    ):
        made = []
        for name in ("state", "pi"):
            workspace = Workspace(Path(folder) / name, script)
            workspace.prepare()
            if name == "state":
                workspace.install()
            made.append(
                Chain(asked.session, workspace=workspace, forwarder=forwarder, limits=limits)
            )
        state, pi = made
        yield state, pi


def measure(asked: Asked) -> Iterator[tuple[Made, Made]]:
    """Yield the compactions of both chains, cut by cut."""
    path = load_session(asked.session).path
    full = find_full(path, context_tokens=asked.context, keep_recent_tokens=asked.keep)
    with chains(asked) as (state, pi):
        for n_entries in full:
            yield state.compact_after(n_entries), pi.compact_after(n_entries)


def row(name: str, state: Sequence[Made], pi: Sequence[Made]) -> str:
    """Return the sums of some compactions as a row of the table."""
    cells: list[object] = [name]
    for made in (state, pi):
        cells += [f"{sum(one.tokens_in for one in made):,}"]
        cells += [f"{sum(one.tokens_out for one in made):,}"]
        cells += [f"{sum(one.seconds for one in made):.1f}"]
        cells += [f"{sum(one.n_chars for one in made):,}"]
    return ROW.format(*cells, sum(len(one.exchanges) for one in pi))


def ratios(state: Sequence[Made], pi: Sequence[Made]) -> str:
    """Return what Longhaul's compactions took in parts of what pi's own did."""
    shares = {
        "tokens in": (sum(one.tokens_in for one in made) for made in (state, pi)),
        "tokens out": (sum(one.tokens_out for one in made) for made in (state, pi)),
        "seconds": (sum(one.seconds for one in made) for made in (state, pi)),
        "characters": (sum(one.n_chars for one in made) for made in (state, pi)),
    }
    return ", ".join(f"{name} {mine / theirs:.2f}" for name, (mine, theirs) in shares.items())


def remarks(name: str, made: Made) -> Iterator[str]:
    """Yield what has to be known of a row to read it, a line each."""
    if any(one.finish == "length" for one in made.exchanges):
        yield f"     {name}: the reply was cut at the limit"
    if made.failure:
        yield f"     {name}: {made.failure}"


def say(*lines: str) -> None:
    """Print lines at once: a run takes minutes."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def main(arguments: Sequence[str]) -> None:
    """Print both tables."""
    asked = parse(arguments)
    say(f"{find_model(asked.model).name}, compacted over {asked.context:,} tokens of context,")
    say(f"{asked.keep:,} kept, replies of at most {asked.max_output:,} tokens", "")
    say(ROW.format("", "state", "", "", "", "pi", "", "", "", ""))
    units = ("in", "out", "seconds", "chars")
    say(ROW.format("cut", *units, *units, "calls"))
    pairs = []
    for number, (state, pi) in enumerate(measure(asked), 1):
        pairs.append((state, pi))
        say(row(str(number), [state], [pi]))
        say(*remarks("state", state), *remarks("pi", pi))
    both = [pair for pair in pairs if not any(made.failure for made in pair)]
    states, pis = [state for state, _ in both], [pi for _, pi in both]
    say(row("sum", states, pis), f"state / pi: {ratios(states, pis)}", "", f"cut {HEADING}")
    for number, (state, _) in enumerate(pairs, 1):
        if not state.failure:
            beside = set_beside(state.path)
            say(f"{number:>3} {render_beside(beside)}")
            say(*(f"     {line}" for line in list_changes(beside)))


if __name__ == "__main__":
    main(sys.argv[1:])
