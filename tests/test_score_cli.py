"""`longhaul score` as a person types it."""

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from longhaul.cli.main import main
from longhaul.cli.score import score
from longhaul.evals.arms.listing import ARM_KINDS, arm_form
from longhaul.evals.run_folder import RunFolder
from tests.evals.label_files import save_labels
from tests.evals.replayable import LABELS, N_COMPACTIONS, NAME, save_replayable
from tests.pinned import LONGHAUL, ROOT
from tests.records import asked, write_chain

EMPTY = {name: None for name in os.environ if name.startswith("SCORE_")}


def run(*arguments: str | Path, **variables: str | None) -> tuple[int, str, str]:
    environment = {**EMPTY, "COLUMNS": "200", "PI_CODING_AGENT_DIR": "/nonexistent", **variables}
    done = CliRunner().invoke(main, ["score", *map(str, arguments)], env=environment)
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture
def sessions(tmp_path: Path) -> Path:
    folder = tmp_path / "sessions"
    folder.mkdir()
    save_replayable(folder)
    save_labels(folder, **{NAME: LABELS})
    return folder


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def read(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_a_run_prints_its_tables_and_keeps_rows_scores_and_summary(
    sessions: Path, out: Path
) -> None:
    code, stdout, stderr = run(sessions, "--out", out)
    assert code == 0
    assert [f"┃ {title} " in stdout for title in ("labelled", "unlabelled", "costs")] == [True] * 3
    lines = [line for line in stdout.splitlines() if line.startswith("state-offline")]
    assert lines[0].startswith(f"state-offline: {N_COMPACTIONS} compactions, characters ")
    assert lines[1].startswith("state-offline labelled: goal 3/3, rules ")
    assert f"rows, scores and summary are in {out}/" in stderr
    assert {file.name for file in out.iterdir()} == {
        *(".gitignore", "rows.jsonl", "run.json", "scores.jsonl", "summary.json"),
    }
    assert len(read(out / "rows.jsonl")) == len(read(out / "scores.jsonl")) == 2 * N_COMPACTIONS


def test_the_run_says_what_it_was_made_with(sessions: Path, out: Path) -> None:
    run(sessions, "--out", out)
    record = json.loads((out / "run.json").read_text())
    assert record["options"]["arms"] == ["state-offline", "recent-user"]
    assert record["sessions"] == [NAME]
    assert set(record["versions"]) == {"longhaul", "pi", "node", "python"}
    assert (
        record["labels"] == json.loads((out / "scores.jsonl").read_text().splitlines()[0])["labels"]
    )
    assert record["commit"]


def test_json_is_the_summary_that_is_kept(sessions: Path, out: Path) -> None:
    code, stdout, _ = run(sessions, "--out", out, "--json")
    assert (code, json.loads(stdout)) == (0, json.loads((out / "summary.json").read_text()))


def test_every_option_can_be_a_variable(sessions: Path, out: Path) -> None:
    code, stdout, _ = run(
        "--out",
        out,
        "--json",
        SCORE_SESSIONS=str(sessions),
        SCORE_ARMS="recorded,recent-user",
        SCORE_CHAIN="0",
        SCORE_AT=f"{NAME}:2",
        SCORE_KEEP_RECENT_TOKENS="12",
        SCORE_LABELS=str(sessions / "labels.json"),
    )
    record = json.loads(stdout)
    assert code == 0
    assert [*record["arms"]] == ["recorded", "recent-user"]
    assert record["arms"]["recorded"][0]["compactions"] == 1


def test_a_rerun_makes_nothing_again_and_adds_what_is_new(sessions: Path, out: Path) -> None:
    run(sessions, "--out", out)
    before = (out / "rows.jsonl").read_bytes()
    assert run(sessions, "--out", out)[0] == 0
    assert (out / "rows.jsonl").read_bytes() == before
    run(sessions, "--out", out, "--repeats", "2", "--arms", "recent-user")
    rows = read(out / "rows.jsonl")
    assert [(row["arm"], row["repeat"]) for row in rows[6:]] == [("recent-user", 2)] * 3


def test_repeats_are_shown_as_a_median_with_its_range(sessions: Path, out: Path) -> None:
    _, stdout, _ = run(sessions, "--out", out, "--repeats", "3", "--arms", "recent-user")
    assert "goal 3 (3 to 3)/3" in stdout


def test_a_folder_of_another_run_is_not_gone_on_with(sessions: Path, out: Path) -> None:
    run(sessions, "--out", out)
    code, _, stderr = run(sessions, "--out", out, "--takeover")
    assert code == 1
    assert "give another folder with --out, or --overwrite" in stderr
    assert run(sessions, "--out", out, "--takeover", "--overwrite")[0] == 0


def test_overwrite_removes_nothing_but_a_run(sessions: Path) -> None:
    code, _, stderr = run(sessions, "--out", sessions.parent, "--overwrite")
    assert code == 1
    assert "holds no run; --overwrite removes nothing else" in stderr
    assert (sessions / f"{NAME}.jsonl").exists()


@pytest.mark.parametrize("option", [("--newest", "1"), ("--at", "tide:1")])
def test_what_picks_single_compactions_says_that_it_needs_a_takeover(
    sessions: Path, option: tuple[str, str]
) -> None:
    code, _, stderr = run(sessions, *option)
    assert code == 2
    assert "it needs --takeover (SCORE_CHAIN=0)" in " ".join(stderr.split())


def test_newest_and_candidates_pick_compactions(sessions: Path, out: Path, tmp_path: Path) -> None:
    takeover = (sessions, "--takeover", "--json", "--arms", "recorded")
    _, stdout, _ = run(*takeover, "--newest", "2", "--out", out)
    assert json.loads(stdout)["arms"]["recorded"][0]["compactions"] == 2
    again = tmp_path / "again"
    _, stdout, _ = run(*takeover, "--candidates-from", out / "rows.jsonl", "--out", again)
    assert json.loads(stdout)["arms"]["recorded"][0]["compactions"] == 2


def test_links_and_what_would_be_cut_elsewhere_are_in_one_line(sessions: Path, out: Path) -> None:
    (sessions / "linked.jsonl").symlink_to(sessions / f"{NAME}.jsonl")
    code, stdout, stderr = run(sessions, "--out", out, "--keep-recent-tokens", "100000")
    assert code == 1
    (line,) = (line for line in stdout.splitlines() if line.startswith("not scored: "))
    assert "linked (a link; copy the session into the folder)" in line
    assert "tide 1-3 (with keepRecentTokens 100,000 pi would find nothing to compact)" in line
    assert "nothing was scored" in stderr


def test_only_the_named_sessions_are_replayed(sessions: Path, out: Path) -> None:
    save_replayable(sessions, "other")
    _, stdout, _ = run(sessions, "--out", out, "--only", "other.jsonl", "--json")
    assert json.loads(stdout)["run"]["sessions"] == ["other"]
    code, _, stderr = run(sessions, "--out", out, "--only", "none")
    assert code == 2
    assert "--only (SCORE_ONLY): no session 'none' there; there are other, tide" in stderr


def test_an_empty_folder_ends_with_1(tmp_path: Path, out: Path) -> None:
    (tmp_path / "none").mkdir()
    code, stdout, stderr = run(tmp_path / "none", "--out", out)
    assert (code, stdout) == (1, "")
    assert "nothing was scored" in stderr


def test_a_folder_that_is_not_there_is_misuse(tmp_path: Path) -> None:
    assert run(tmp_path / "none")[0] == 2


def test_a_session_under_local_only_roots_is_skipped_unless_asked_for(
    sessions: Path, out: Path, tmp_path: Path
) -> None:
    agent_dir = tmp_path / "agent"
    agent_dir.mkdir()
    (agent_dir / "longhaul.json").write_text(json.dumps({"localOnlyRoots": [str(sessions)]}))
    code, stdout, _ = run(sessions, "--out", out, PI_CODING_AGENT_DIR=str(agent_dir))
    assert code == 1
    assert "tide (under localOnlyRoots; --include-local-only" in stdout
    included = run(
        sessions, "--out", out, "--include-local-only", PI_CODING_AGENT_DIR=str(agent_dir)
    )
    assert included[0] == 0


def test_a_damaged_session_is_left_out_with_why(sessions: Path, out: Path) -> None:
    (sessions / "damaged.jsonl").write_text("nothing\n")
    code, stdout, _ = run(sessions, "--out", out)
    assert code == 0
    assert "damaged (" in stdout
    assert "not a pi session" in stdout


def test_rescoring_judges_by_the_labels_of_now_without_a_replay(sessions: Path, out: Path) -> None:
    run(sessions, "--out", out)
    rows = (out / "rows.jsonl").read_bytes()
    save_labels(
        sessions, **{NAME: {**LABELS, "goal": {"turn": "u1", "marker": "nowhere.*|tide t"}}}
    )
    code, stdout, _ = run("--rescore", out, "--json")
    record = json.loads(stdout)
    assert code == 0
    assert (out / "rows.jsonl").read_bytes() == rows
    assert record["run"]["labels"] != json.loads(rows.splitlines()[0]).get("labels")
    assert {score["labels"] for score in read(out / "scores.jsonl")} == {record["run"]["labels"]}


def test_rescoring_refuses_what_only_a_replay_heeds(sessions: Path, out: Path) -> None:
    run(sessions, "--out", out)
    code, _, stderr = run("--rescore", out, "--arms", "recent-user", "--takeover")
    assert code == 2
    assert "--arms, --chain/--takeover would need a replay" in " ".join(stderr.split())
    assert run("--rescore", out, SCORE_ARMS="recent-user")[0] == 0


def test_an_awaited_reply_ends_with_3_and_a_rerun_goes_on(
    sessions: Path, out: Path, tmp_path: Path
) -> None:
    batch = tmp_path / "batch"
    command = (sessions, "--out", out, "--arms", "state", "--model", f"batch:{batch}")
    for number in range(N_COMPACTIONS):
        code, _, stderr = run(*command)
        assert code == 3
        assert "waiting for 1 reply;" in stderr
        (request,) = (
            file
            for file in batch.glob("*.request.json")
            if not file.with_name(file.name.replace("request", "reply")).exists()
        )
        note = {"kind": "done", "message": "u1", "text": f"Step {number}."}
        reply = request.with_name(request.name.replace("request", "reply"))
        reply.write_text(json.dumps({"text": json.dumps({"narrative": [note]}), "model": "m"}))
    code, stdout, _ = run(*command, "--json")
    assert code == 0
    assert json.loads(stdout)["arms"]["state"][0]["costs"]["calls"] == N_COMPACTIONS


def test_a_probe_without_a_model_is_misuse(sessions: Path, out: Path) -> None:
    code, _, stderr = run(sessions, "--out", out, SCORE_PROBE="1")
    assert code == 2
    assert "asks a model; name one with --model" in " ".join(stderr.split())


def test_a_session_of_the_same_name_in_another_folder_is_replayed_anew(
    sessions: Path, out: Path, tmp_path: Path
) -> None:
    run(sessions, "--out", out, "--arms", "recent-user")
    other = tmp_path / "other"
    other.mkdir()
    text = (sessions / f"{NAME}.jsonl").read_text()
    text = text.replace("tide table reader", "star chart").replace('"e6"', '"f6"')
    (other / f"{NAME}.jsonl").write_text(text)
    code, _, _ = run(other, "--out", out, "--arms", "recent-user")
    assert code == 0
    rows = read(out / "rows.jsonl")
    assert [(row["entryId"], "star chart" in row["text"]) for row in rows[3:]] == [
        ("f6", True),
        ("e11", True),
        ("e16", True),
    ]


def test_rescoring_from_elsewhere_asks_for_the_sessions_and_leaves_the_summary(
    sessions: Path, out: Path, tmp_path: Path
) -> None:
    run(sessions, "--out", out)
    before = (out / "summary.json").read_bytes()
    moved = sessions.rename(tmp_path / "moved")
    code, _, stderr = run("--rescore", out)
    assert (code, (out / "summary.json").read_bytes()) == (1, before)
    assert f"longhaul score DIR --rescore {out}" in stderr
    code, stdout, _ = run(moved, "--rescore", out, "--json")
    assert (code, json.loads(stdout)["notScored"]) == (0, [])


def test_rows_whose_session_is_gone_or_another_one_are_said_to_be_left_out(
    sessions: Path, out: Path
) -> None:
    save_replayable(sessions, "gone")
    run(sessions, "--out", out, "--arms", "recent-user")
    (sessions / "gone.jsonl").unlink()
    file = sessions / f"{NAME}.jsonl"
    file.write_text(file.read_text().replace('"e6"', '"f6"'))
    for _ in range(2):  # said once, however often it is judged
        _, stdout, _ = run("--rescore", out, "--json")
        left_out = [(one["session"], one["compaction"]) for one in json.loads(stdout)["notScored"]]
        assert left_out == [("gone", 0), (NAME, 1)]


def test_a_folder_of_the_users_is_no_run(sessions: Path) -> None:
    for folder in (sessions, sessions.parent):
        code, _, stderr = run(sessions, "--out", folder)
        assert code == 1
        assert "holds other files and no run; give an empty or new folder" in stderr
        assert not (folder / ".gitignore").exists()


def test_overwrite_removes_the_files_of_a_run_and_nothing_beside_them(
    sessions: Path, out: Path
) -> None:
    run(sessions, "--out", out)
    (out / "notes.txt").write_text("mine")
    assert run(sessions, "--out", out, "--takeover", "--overwrite")[0] == 0
    assert (out / "notes.txt").read_text() == "mine"


def test_a_run_that_cannot_be_made_overwrites_none(sessions: Path, out: Path) -> None:
    run(sessions, "--out", out)
    before = (out / "rows.jsonl").read_bytes()
    for wrong in (("--arms", "none"), ("--labels", out / "none"), ("--model", "none")):
        assert run(sessions, "--out", out, "--overwrite", *wrong)[0] == 2
    assert (out / "rows.jsonl").read_bytes() == before
    candidates = ("--takeover", "--candidates-from", out / "rows.jsonl")
    assert run(sessions, "--out", out, "--overwrite", *candidates)[0] == 0


def test_two_runs_at_once_do_not_share_a_folder(sessions: Path, out: Path) -> None:
    run(sessions, "--out", out)
    with RunFolder(out).held():
        for command in ((sessions, "--out", out), ("--rescore", out)):
            code, _, stderr = run(*command)
            assert code == 1
            assert "another run goes on there; wait for its end" in stderr


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("SCORE_SESSIONS", "/nonexistent/s"),
        ("SCORE_LABELS", "/nonexistent/l"),
        ("SCORE_MODEL", "none"),
        ("SCORE_THINKING", "huge"),
        ("SCORE_ARMS", "none"),
        ("SCORE_KEEP_RECENT_TOKENS", "x"),
        ("SCORE_WINDOW", "0"),
        ("SCORE_MAX_OUTPUT_TOKENS", "0"),
        ("SCORE_CHAIN", "maybe"),
        ("SCORE_REPEATS", "99999999999"),
        ("SCORE_JOBS", "99999999999"),
        ("SCORE_ONLY", "none"),
        ("SCORE_N", "0"),
        ("SCORE_AT", "none"),
        ("SCORE_CANDIDATES_FROM", "/nonexistent/c"),
        ("SCORE_INCLUDE_LOCAL_ONLY", "x"),
        ("SCORE_PROBE", "x"),
    ],
)
def test_a_bad_value_is_misuse_that_names_its_variable(
    sessions: Path, out: Path, variable: str, value: str
) -> None:
    command: list[str | Path] = ["--out", out]
    command += [] if variable == "SCORE_SESSIONS" else [sessions]
    command += ["--takeover"] if variable in ("SCORE_AT", "SCORE_CANDIDATES_FROM") else []
    code, _, stderr = run(*command, **{variable: value})
    assert code == 2
    assert variable in stderr
    assert not out.exists()


def test_another_run_is_named_by_the_option_as_it_is_typed(sessions: Path, out: Path) -> None:
    run(sessions, "--out", out, "--window", "9000")
    cases: tuple[tuple[tuple[str, ...], str], ...] = (
        (("--window", "9000", "--takeover"), "a run with --chain, not --takeover"),
        ((), "a run with --window 9000, not no --window"),
        (("--window", "1"), "a run with --window 9000, not --window 1"),
    )
    for options, message in cases:
        code, _, stderr = run(sessions, "--out", out, *options)
        assert code == 1
        assert message in stderr


def test_compactions_that_are_asked_for_and_not_there_are_named(sessions: Path, out: Path) -> None:
    places = f"{NAME}:2,{NAME}:9,none:1"
    code, stdout, _ = run(sessions, "--out", out, "--takeover", "--at", places)
    assert code == 0
    assert "none (asked for, and there is no such session)" in stdout
    assert "tide 9 (asked for, and the session has no such compaction)" in stdout


def test_the_newest_are_found_beside_sessions_that_cannot_be_read(
    sessions: Path, out: Path
) -> None:
    (sessions / "damaged.jsonl").write_text("nothing\n")
    code, stdout, _ = run(sessions, "--out", out, "--takeover", "--newest", "1")
    assert code == 0
    assert "not scored: damaged (not a pi session: no line of it is JSON)" in stdout


def test_sessions_that_were_never_compacted_are_said_to_be_so(tmp_path: Path, out: Path) -> None:
    write_chain(tmp_path / "s.jsonl", asked("x"))
    code, _, stderr = run(tmp_path, "--out", out)
    assert code == 1
    assert "nothing was scored: 1 session there, and no compaction in any" in stderr


def test_a_marker_that_takes_too_long_is_named_with_its_session(
    sessions: Path, out: Path, tmp_path: Path
) -> None:
    marker = "(x+x+)+y|(.+.+)+~"
    labels = {**LABELS, "rules": [{"turn": "u2", "marker": marker}]}
    save_labels(tmp_path, **{NAME: labels})
    file = tmp_path / "labels.json"
    code, _, stderr = run(sessions, "--out", out, "--labels", file, "--arms", "recent-user")
    assert code == 1
    assert f"labels of session {NAME}: /{marker}/ takes longer than a second" in stderr
    assert run("--rescore", out)[0] == 1
    assert len(read(out / "rows.jsonl")) == N_COMPACTIONS


def test_what_json_cannot_hold_comes_back_from_rows_and_scores(sessions: Path, out: Path) -> None:
    file = sessions / f"{NAME}.jsonl"
    text = file.read_text().replace("tidewatch, a", "tidewatch \\ud800, a")
    file.write_text(text.replace('"summary":"summary 6"', '"summary":"s","details":{"x":1e999}'))
    for _ in range(2):
        code, stdout, _ = run(
            *(sessions, "--out", out, "--takeover", "--arms", "recorded,recent-user", "--json")
        )
        assert (code, json.loads(stdout)["arms"]["recorded"][0]["compactions"]) == (0, 3)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_whatever_ends_a_run_keeps_the_rows_and_repeats_no_call(
    sessions: Path, out: Path, tmp_path: Path, number: signal.Signals
) -> None:
    command: list[str | Path] = [
        *(LONGHAUL, "score", sessions, "--out", out, "--arms", "recent-user,state"),
        *("--model", f"batch:{tmp_path / 'batch'}?wait=600"),
    ]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        while not (tmp_path / "batch").exists() and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(number)
        _, stderr = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert "stopped; what was made is kept, and the same command goes on" in stderr
    assert [row["arm"] for row in read(out / "rows.jsonl")] == ["recent-user"]


def test_a_limit_that_is_no_number_is_misuse(sessions: Path, out: Path) -> None:
    code, _, stderr = run(sessions, "--out", out, "--reply-limit", "nan")
    assert code == 2
    assert "nan is no number of minutes" in stderr


def test_a_run_that_does_not_say_where_its_sessions_were_is_not_judged_by_others(
    sessions: Path, out: Path
) -> None:
    run(sessions, "--out", out)
    file = out / "summary.json"
    record = json.loads(file.read_text())
    record["run"]["options"]["sessions"] = None
    file.write_text(json.dumps(record))
    before = file.read_bytes()
    code, _, stderr = run("--rescore", out)
    assert (code, file.read_bytes()) == (1, before)
    assert "were in no known place" in stderr


def test_a_full_disk_leaves_whole_rows_and_a_rerun_goes_on(sessions: Path, out: Path) -> None:
    save_replayable(sessions, "other")
    command = (LONGHAUL, "score", sessions, "--out", out, "--arms", "state-offline")
    limited = ("bash", "-c", 'ulimit -f 8; exec "$@"', "bash", *command)
    done = subprocess.run(limited, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "File too large" in done.stderr
    rows = (out / "rows.jsonl").read_bytes()
    assert rows.endswith(b"\n")
    assert run(*command[2:])[0] == 0
    assert (out / "rows.jsonl").read_bytes().startswith(rows)
    assert len(read(out / "rows.jsonl")) == 2 * N_COMPACTIONS


def test_labels_of_no_session_that_is_there_are_said_to_judge_nothing(
    sessions: Path, out: Path
) -> None:
    (sessions / "below").mkdir()
    (sessions / f"{NAME}.jsonl").rename(sessions / "below" / f"{NAME}.jsonl")
    code, _, stderr = run(sessions, "--out", out)
    assert code == 0
    assert "the labels name tide, and none of them is a session beside the label file" in stderr


def test_a_run_under_nohup_outlives_its_terminal(sessions: Path, out: Path, tmp_path: Path) -> None:
    command: list[str | Path] = [
        *("bash", "-c", 'trap "" HUP; exec "$@"', "bash"),
        *(LONGHAUL, "score", sessions, "--out", out, "--arms", "state"),
        *("--model", f"batch:{tmp_path / 'batch'}?wait=600"),
    ]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE) as process:
        while not (tmp_path / "batch").exists() and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM


def test_the_page_names_every_variable_that_there_is_and_no_other() -> None:
    page = (ROOT / "docs" / "score.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"SCORE_\w+", page))
    assert documented == {str(option.envvar) for option in score.params if option.envvar}


def test_the_page_names_every_arm_that_there_is_and_no_other() -> None:
    page = (ROOT / "docs" / "score.md").read_text(encoding="utf-8")
    table = page.split("## Arms")[1].split("Without `--arms`")[0]
    assert re.findall(r"^\| `(.+?)` \|", table, re.MULTILINE) == [*map(arm_form, ARM_KINDS)]
