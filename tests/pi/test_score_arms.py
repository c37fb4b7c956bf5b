"""The arms that run in real pi: its own compaction, and extensions that answer for it."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from longhaul.compaction.completion import Completion, CompletionRequest
from longhaul.errors import ModelError, ReplyAwaitedError
from longhaul.evals.arms.arm import Made
from longhaul.evals.arms.listing import ArmSetup, OpenArm, open_arms
from longhaul.evals.arms.real_pi import PiSetup, open_real_pi
from longhaul.evals.chains import Awaited, Outcome
from longhaul.evals.replay import ReplayOptions, prepare_replay, replay
from longhaul.evals.rows import Row
from longhaul.models.scripted import Reply, ScriptedModel
from longhaul.pi.installed_pi import InstalledPi
from longhaul.pi.sessions import Session, load_session
from tests.evals.replayable import NAME, save_replayable
from tests.pinned import LONGHAUL, NODE, PI, ROOT

INSTALLED = InstalledPi(node=NODE, program=PI.resolve(), version="1.6.0")
SESSIONS = ROOT / "eval" / "sessions"
CHAINED = ReplayOptions()
FIRST = ReplayOptions(only={("tide", 1)})
FIRST_TWO = ReplayOptions(only={(name, n) for name in ("tide", "csv-toolkit") for n in (1, 2)})
ANSWERING = """\
export default function (pi) {
  pi.on("session_before_compact", (event) => ({
    compaction: {
      summary: "made by an extension",
      firstKeptEntryId: event.preparation.firstKeptEntryId,
      tokensBefore: event.preparation.tokensBefore,
      details: { mine: 1 },
    },
  }));
}
"""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return save_replayable(tmp_path)


def setup(*replies: Reply, model: ScriptedModel | None = None) -> PiSetup:
    return PiSetup(
        pi=INSTALLED,
        model=model or ScriptedModel(replies),
        thinking=None,
        window_tokens=None,
        max_output_tokens=None,
        reply_limit_s=30,
    )


def run(session: Session, *arms: OpenArm, options: ReplayOptions = CHAINED) -> list[Outcome]:
    name = session.file.stem
    return list(replay(prepare_replay(name, session, options), arms, options, lambda _: None))


def made(outcomes: list[Outcome]) -> list[Made]:
    rows = [one for one in outcomes if isinstance(one, Row)]
    assert [row.failure for row in rows if row.failure] == []
    return [row.made for row in rows if row.made]


def asked(request: CompletionRequest) -> str:
    return request.messages[-1].text


def test_pis_own_compaction_goes_on_from_its_own_summaries(session: Session) -> None:
    model = ScriptedModel(lambda request: f"## Goal\nsummary {len(asked(request))}")
    own = OpenArm(name="pi-default", run=open_real_pi(setup(model=model)))
    compactions = made(run(session, own))
    assert len(compactions) == 3
    assert all(one.text.startswith("## Goal\nsummary ") for one in compactions)
    assert [one.from_hook for one in compactions] == [False] * 3
    assert [one.n_calls > 0 for one in compactions] == [True] * 3
    last = [asked(request) for request in model.requests if "previous-summary" in asked(request)]
    assert len(last) == 2
    assert compactions[0].text.splitlines()[1] in last[0]
    assert "summary 6" not in "".join(map(asked, model.requests))


def test_as_a_takeover_it_goes_on_from_the_recorded_summaries(session: Session) -> None:
    model = ScriptedModel(lambda _: "## Goal\nnew")
    own = OpenArm(name="pi-default", run=open_real_pi(setup(model=model)))
    assert len(made(run(session, own, options=ReplayOptions(is_chained=False)))) == 3
    texts = "".join(map(asked, model.requests))
    assert "summary 6" in texts
    assert "summary 11" in texts


def test_tokens_and_time_are_those_of_the_model(session: Session) -> None:
    reply = Completion(text="## Goal\nx", tokens_in=100, tokens_out=7, tokens_cached=3, seconds=2.5)
    own = OpenArm(name="pi-default", run=open_real_pi(setup(model=ScriptedModel(lambda _: reply))))
    (first,) = made(run(session, own, options=FIRST))
    calls = first.n_calls
    counts = (first.tokens_in, first.tokens_out, first.tokens_cached)
    assert counts == (100 * calls, 7 * calls, 3 * calls)
    assert first.seconds is not None


def test_the_recorded_file_is_not_written_to(session: Session) -> None:
    before = session.file.read_bytes()
    run(
        session,
        OpenArm(name="pi-default", run=open_real_pi(setup(*["## Goal"] * 9))),
        options=FIRST,
    )
    assert session.file.read_bytes() == before


def test_a_model_that_fails_is_a_failure_of_the_arm(session: Session) -> None:
    own = OpenArm(name="pi-default", run=open_real_pi(setup(ModelError("the model is down"))))
    first = run(session, own)[0]
    assert isinstance(first, Row)
    assert first.made is None
    assert "pi did not compact" in first.failure
    assert "the model is down" in first.failure


def test_a_reply_that_is_written_elsewhere_is_awaited(session: Session) -> None:
    own = OpenArm(name="pi-default", run=open_real_pi(setup(ReplyAwaitedError("put it there"))))
    (first,) = run(session, own)
    assert isinstance(first, Awaited)
    assert first.reason == "put it there"


def test_an_extension_answers_in_real_pi(session: Session, tmp_path: Path) -> None:
    file = tmp_path / "answering.ts"
    file.write_text(ANSWERING)
    arms = open_arms([f"pi-extension:{file}"], ArmSetup(find_pi=lambda: INSTALLED), is_chained=True)
    compactions = made(run(session, *arms))
    expected = Made(text="made by an extension", details={"mine": 1})
    assert compactions == [expected] * 3


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("export default function () {}", "asks for a model"),
        ("export default function (pi) { throw new Error('broken inside') }", "broken inside"),
        ("this is no JavaScript", "pi"),
    ],
)
def test_an_extension_that_does_not_answer_is_a_failure(
    session: Session, tmp_path: Path, source: str, reason: str
) -> None:
    file = tmp_path / "silent.ts"
    file.write_text(source)
    arms = open_arms([f"pi-extension:{file}"], ArmSetup(find_pi=lambda: INSTALLED), is_chained=True)
    first = run(session, *arms, options=FIRST)[0]
    assert isinstance(first, Row)
    assert first.made is None
    assert reason in first.failure


def test_an_extension_that_leaves_the_compaction_to_pi_is_one_too(
    session: Session, tmp_path: Path
) -> None:
    file = tmp_path / "silent.ts"
    file.write_text("export default function () {}")
    leaving = open_real_pi(setup(*["## Goal"] * 9), str(file))
    first = run(session, OpenArm(name="silent", run=leaving), options=FIRST)[0]
    assert isinstance(first, Row)
    assert first.failure == "the extension left the compaction to pi"


def diff_of(request: CompletionRequest) -> str:
    """Answer as a model that notes which turns it was shown."""
    note = {"kind": "done", "message": "u1", "text": f"Read {asked(request).count('user:')} lines."}
    return json.dumps({"rules": [], "lifts": [], "oneOffs": [], "values": [], "narrative": [note]})


@pytest.mark.parametrize("name", ["tide", "csv-toolkit"])
def test_the_state_arm_and_the_live_extension_give_the_same_state(
    name: str, tmp_path: Path
) -> None:
    if name == NAME:
        session = save_replayable(tmp_path)
    else:
        session = load_session(SESSIONS / f"{name}.jsonl")
    live = OpenArm(name="live", run=open_real_pi(setup(model=ScriptedModel(diff_of)), "longhaul"))
    (harness,) = open_arms(["state"], ArmSetup(model=ScriptedModel(diff_of)), is_chained=True)
    inside = made(run(session, live, options=FIRST_TWO))
    outside = made(run(session, harness, options=FIRST_TWO))
    assert len(inside) == 2
    assert [one.text for one in inside] == [one.text for one in outside]
    assert [state_of(one) for one in inside] == [state_of(one) for one in outside]
    assert all("Read " in one.text for one in inside)


def test_the_warm_arm_asks_behind_the_request_that_pi_would_make_next() -> None:
    session = load_session(SESSIONS / "csv-toolkit.jsonl")
    model = ScriptedModel(diff_of)
    setup_ = ArmSetup(model=model, window_tokens=200_000, find_pi=lambda: INSTALLED)
    (arm,) = open_arms(["state-warm"], setup_, is_chained=True)
    first, second = made(run(session, arm, options=FIRST_TWO))
    assert (first.n_calls, first.note) == (1, "")
    messages = model.requests[1].messages
    assert messages[0].role == "system"
    assert first.text in messages[1].text
    assert any("[bash(command=" in one.text for one in messages if one.role == "assistant")
    assert "label the conversation above" in messages[-1].text
    assert all(one.text != "." for one in messages)
    assert second.text != first.text


def state_of(compaction: Made) -> object:
    kept = (compaction.details or {}).get("longhaul")
    assert isinstance(kept, dict)
    return kept["state"]


def test_an_extension_that_throws_is_what_failed_whatever_pi_says_then(
    session: Session, tmp_path: Path
) -> None:
    file = tmp_path / "throwing.ts"
    file.write_text(
        'export default (pi) => pi.on("session_before_compact", () => { throw new Error("boom"); })'
    )
    arms = open_arms([f"pi-extension:{file}"], ArmSetup(find_pi=lambda: INSTALLED), is_chained=True)
    first = run(session, *arms)[0]
    assert isinstance(first, Row)
    assert first.failure == "the extension failed: boom"


def test_a_pi_that_loops_ends_with_the_run_and_its_folders_go(tmp_path: Path) -> None:
    sessions, told, temporary = (tmp_path / name for name in ("sessions", "pid", "temporary"))
    sessions.mkdir()
    temporary.mkdir()
    save_replayable(sessions)
    file = tmp_path / "looping.ts"
    file.write_text(
        f"""import {{ renameSync, writeFileSync }} from "node:fs";
        export default (pi) => pi.on("session_before_compact", () => {{
          writeFileSync("{told}.new", String(process.pid));
          renameSync("{told}.new", "{told}");
          for (;;) {{}}
        }});"""
    )
    command: list[str | Path] = [
        *(LONGHAUL, "score", sessions, "--out", tmp_path / "out", "--pi", PI),
        *("--arms", f"pi-extension:{file}"),
    ]
    environment = {**os.environ, "TMPDIR": str(temporary)}
    with subprocess.Popen(command, cwd=tmp_path, env=environment) as process:
        while not told.exists() and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 128 + signal.SIGTERM
    pi = Path("/proc") / told.read_text() / "cmdline"
    while pi.exists() and pi.read_bytes():  # a zombie has none
        time.sleep(0.05)
    assert list(temporary.glob("longhaul-score-*")) == []
