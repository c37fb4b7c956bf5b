"""`longhaul recall` and `longhaul cache clear` as a person types them."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from longhaul.cli.main import main
from tests.pinned import DEMO, LONGHAUL
from tests.records import asked, compacted, replied, write_chain


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def session(tmp_path: Path) -> Path:
    bodies = (asked("port 1"), replied("Yes."), asked("port 2"), compacted("e3"), asked("port 3"))
    return write_chain(tmp_path / "s.jsonl", *bodies)


def start(home: Path, *arguments: str | Path, limit_kb: int | None = None) -> subprocess.Popen[str]:
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8"}
    command: list[str | Path] = [LONGHAUL, *arguments]
    if limit_kb is not None:
        command = ["bash", "-c", f'ulimit -f {limit_kb}; exec "$@"', "bash", *command]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True)


def run(home: Path, *arguments: str | Path) -> tuple[int, str, str]:
    """Run a command in this process; its exit code and what it prints."""
    environment = {"HOME": str(home), "XDG_CACHE_HOME": None, "PI_CODING_AGENT_DIR": None}
    done = CliRunner().invoke(main, [*map(str, arguments)], env=environment)
    return done.exit_code, done.stdout, done.stderr


def run_apart(
    home: Path, *arguments: str | Path, limit_kb: int | None = None
) -> tuple[int, str, str]:
    process = start(home, *arguments, limit_kb=limit_kb)
    stdout, stderr = process.communicate(timeout=60)
    return process.returncode, stdout, stderr


def quotes(stdout: str) -> list[str]:
    return [one["quote"] for one in json.loads(stdout)["shown"]]


def test_it_finds_what_the_demo_session_holds(home: Path) -> None:
    code, stdout, stderr = run_apart(home, "recall", DEMO, "status page port")
    assert (code, stderr) == (0, "")
    assert "u18 [4904ad4c] user: " in stdout.splitlines()[1]
    assert "port 8417, localhost only" in stdout.splitlines()[1]


def test_it_searches_all_of_the_path_or_what_is_closed(home: Path, session: Path) -> None:
    everything = run(home, "recall", session, "port", "--json")
    closed = run(home, "recall", session, "port", "--closed", "--json")
    assert quotes(everything[1]) == ["port 3", "port 2", "port 1"]
    assert quotes(closed[1]) == ["port 1"]


def test_options_narrow_and_page_a_search(home: Path, session: Path) -> None:
    found = [
        run(home, "recall", session, "port", "--json", *options)[1]
        for options in (
            ("--turn", "u2"),
            ("--turn", "u2-u3"),
            ("--kind", "assistant"),
            ("--limit", "2", "--page", "2"),
        )
    ]
    assert [quotes(stdout) for stdout in found] == [
        ["port 2"],
        ["port 3", "port 2"],
        [],
        ["port 1"],
    ]
    assert quotes(run(home, "recall", session, "--kind", "assistant", "--json")[1]) == ["Yes."]
    around = run(home, "recall", session, "--around", "e2")[1]
    assert around.splitlines()[2] == '> u1 [e2] assistant: "Yes."'


def test_json_names_each_hit(home: Path, session: Path) -> None:
    record = json.loads(run(home, "recall", session, "yes", "--json")[1])
    assert record == {
        "session": "s",
        "hits": 1,
        "page": 1,
        "pages": 1,
        "shown": [
            {
                "entry": "e2",
                "turn": 1,
                "kind": "assistant",
                "tool": "",
                "quote": "Yes.",
                "same": [],
            }
        ],
    }


def test_nothing_found_ends_with_1_and_misuse_with_2(home: Path, session: Path) -> None:
    code, stdout, stderr = run(home, "recall", session, "nowhere")
    assert (code, stderr) == (1, "")
    assert stdout.startswith('Nothing found: "nowhere" in this path.')
    assert run(home, "recall", session, "port", "--turn", "seven")[0] == 2
    assert run(home, "recall", session)[0] == run(home, "recall", session, " ")[0] == 2
    assert run(home, "recall", session, "port", "--kind", "tool")[0] == 2


def test_the_next_steps_are_options_of_the_command(home: Path, session: Path) -> None:
    stdout = run(home, "recall", session, "port", "--limit", "2")[1]
    assert stdout.splitlines()[-1] == "more: --page 2; around a hit: --around e5"
    stdout = run(home, "recall", session, "port", "--limit", "2", "--page", "9")[1]
    assert stdout.splitlines()[0].startswith(
        '3 hits for "port", best first, page 2 of 2 (there is no page 9). '
    )


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("x", "--kind", "system"), '"x" (only texts of kind system were searched)'),
        (("x", "--turn", "u2"), '"x" (only texts in turns u2-u2 were searched)'),
        (
            ("--kind", "system", "--turn", "u2"),
            "only texts of kind system in turns u2-u2 were searched",
        ),
    ],
)
def test_where_options_narrow_a_search_that_finds_nothing_that_is_said(
    home: Path, session: Path, options: tuple[str, ...], told: str
) -> None:
    code, stdout, _ = run(home, "recall", session, *options)
    wider = "Search all of them, or try fewer or other words."
    assert (code, stdout) == (1, f"Nothing found: {told} in this path. {wider}\n")


def test_a_session_that_is_none_is_said_in_a_line(home: Path, tmp_path: Path) -> None:
    code, stdout, stderr = run(home, "recall", tmp_path / "none.jsonl", "port")
    assert (code, stdout) == (1, "")
    assert stderr.endswith("none.jsonl: no such file\n")


def test_a_full_disk_is_said_in_a_line_and_does_no_harm(home: Path) -> None:
    code, stdout, stderr = run_apart(home, "recall", DEMO, "status page port", limit_kb=1)
    assert (code, len(stderr.splitlines())) == (0, 1)
    assert stderr.startswith("searched without an index on disk: ")
    assert "8417" in stdout
    assert run(home, "recall", DEMO, "status page port") == (0, stdout, "")


def test_processes_at_once_answer_alike(home: Path) -> None:
    processes = [start(home, "recall", DEMO, "turning_points") for _ in range(3)]
    answers = [process.communicate(timeout=60) for process in processes]
    alone = run(home, "recall", DEMO, "turning_points")
    assert {stdout for stdout, _ in answers} == {alone[1]}
    # One that another kept waiting for too long says so; the index is whole all the same.
    waited = "searched without an index on disk: database is locked\n"
    assert {stderr for _, stderr in answers} <= {"", waited}
    assert alone[2] == ""
    assert len(list((home / ".cache" / "longhaul").iterdir())) == 1


def test_clearing_the_cache_removes_what_recall_made(home: Path, session: Path) -> None:
    run(home, "recall", session, "port")
    assert run(home, "cache", "clear") == (0, "1 removed\n", "")
    assert list((home / ".cache").iterdir()) == []
    assert run(home, "cache", "clear") == (0, "nothing to remove\n", "")
