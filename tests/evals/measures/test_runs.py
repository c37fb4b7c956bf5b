"""What the tool results of a session prove, read for the harness."""

import pytest

from longhaul.evals.measures.run_commits import SeenCommit
from longhaul.evals.measures.run_outcomes import Ended, read_ended
from longhaul.evals.measures.run_reading import read_runs
from longhaul.evals.measures.run_results import Result, read_result
from longhaul.evals.measures.run_steps import CheckKind, find_kind, parse_command
from longhaul.evals.measures.runs import Change, before, has_appeared
from longhaul.transcript.entries import Entry, MessageEntry, NestedCall, ToolResultMessage
from tests.build import assistant, call, path, ran, result, user

NODE = "\u2139 tests {}\n\u2139 suites 0\n\u2139 pass {}\n\u2139 fail {}\n\u2139 cancelled 0\n"
PASSED, FAILED, UNPROVEN = Result(outcome="passed"), Result(outcome="failed"), Result()


def bash(command: str, output: str = "", *, code: int | None = 0) -> tuple[Entry, Entry]:
    """Return a call of pi's shell tool and its result; a code of None for a time-out."""
    one = call("bash", command=command)
    ends = (
        "Command timed out after 9 seconds" if code is None else f"Command exited with code {code}"
    )
    text = output if code == 0 else f"{output}\n\n{ends}"
    return assistant("", [one]), result(one, text, is_error=code != 0)


def outcomes(command: str, output: str = "", *, code: int | None = 0) -> dict[str, Result]:
    """Return how each step of a command ended."""
    runs = read_runs(path(user("Go."), *bash(command, output, code=code)))
    return {text: steps[0].result for text, steps in runs.steps.items()}


def test_a_command_alone_is_judged_by_its_exit_code() -> None:
    assert outcomes("t/run.sh -v") == {"t/run.sh -v": PASSED}
    assert outcomes("t/run.sh -v", code=1) == {"t/run.sh -v": FAILED}


def test_a_command_that_was_stopped_proves_nothing() -> None:
    assert outcomes("t/run.sh", code=None) == {"t/run.sh": UNPROVEN}


def test_all_of_a_chain_passed_where_it_ended_well() -> None:
    assert outcomes("cd app && make && ./check | tail -1") == {
        "cd app": PASSED,
        "make": PASSED,
        "./check": UNPROVEN,
        "tail -1": PASSED,
    }


def test_what_failed_in_a_chain_is_known_only_where_nothing_else_can_have() -> None:
    assert outcomes("cd app && ./check", code=1)["./check"] == FAILED
    assert outcomes("./build && ./check", code=1) == {"./build": UNPROVEN, "./check": UNPROVEN}


@pytest.mark.parametrize(
    "command",
    [
        "./check || true",
        "true || ./check",
        "./check; echo done",
        "./check | tail -3",
        "./check & sleep 1",
        "./check &",
        "set -e; ./check",
        "for i in 1 2; do ./check; done",
        "(cd app && ./check)",
        "if ./check; then echo yes; fi",
    ],
)
def test_an_exit_code_that_may_be_another_s_proves_nothing(command: str) -> None:
    assert outcomes(command)["./check"] == UNPROVEN


def test_the_last_of_several_commands_has_the_exit_code() -> None:
    assert outcomes("./build\n./check\n") == {"./build": UNPROVEN, "./check": PASSED}


def test_a_result_line_proves_what_the_exit_code_does_not() -> None:
    shown = NODE.format(7, 5, 2)
    expected = Result(outcome="failed", total=7, n_failed=2)
    assert outcomes("node --test 2>&1 | tail -9", shown)["node --test"] == expected
    assert outcomes("node --test || true", shown)["node --test"] == expected


def test_a_result_line_and_an_exit_code_that_disagree_prove_nothing() -> None:
    assert outcomes("node --test", NODE.format(7, 5, 2)) == {"node --test": UNPROVEN}


def test_a_filter_that_rewrites_lines_hides_the_result() -> None:
    command = "node --test | sed s/2/0/"
    assert outcomes(command, NODE.format(7, 7, 0))["node --test"] == UNPROVEN


def test_of_two_checks_in_one_command_no_line_tells_which_it_is_of() -> None:
    shown = outcomes("node --test a | cat; node --test b | cat", NODE.format(7, 5, 2))
    assert (shown["node --test a"], shown["node --test b"]) == (UNPROVEN, UNPROVEN)


def test_a_result_that_a_printed_file_may_hold_needs_a_count() -> None:
    old = "ok  \tgauge\t0.1s\n"
    assert outcomes("go test ./... | cat; cat old.log", old)["go test ./..."] == UNPROVEN
    assert outcomes("go test ./... | cat; ls", old)["go test ./..."] == PASSED


def test_words_inside_quotes_and_documents_are_no_steps() -> None:
    command = (
        "cat > a.sh <<'END' && echo 'a && b'\nnode --test\nEND\n# node --test\n./check \"x;y\""
    )
    steps = parse_command(command).steps
    assert [step.text for step in steps] == ["cat", "echo 'a && b'", './check "x;y"']


def test_redirections_are_no_part_of_a_step() -> None:
    steps = parse_command("python3 -m unittest  2>&1 > out.txt &>> log").steps
    assert [step.text for step in steps] == ["python3 -m unittest"]


def test_a_step_knows_the_folder_it_runs_in() -> None:
    steps = parse_command("cd app && make").steps
    assert [(step.text, step.folder) for step in steps] == [("cd app", ""), ("make", "app")]


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        ("python3 -m pytest -q", "tests"),
        ("A=1 uv run pytest", "tests"),
        ("node --import ./x.ts --test", "tests"),
        ("npm run test:unit", "tests"),
        ("cargo nextest run", "tests"),
        ("npx eslint .", "lint"),
        ("mypy src", "types"),
        ("npm run build", "build"),
        ("make", "build"),
        ("make test", "tests"),
        ("make clean", None),
        ("pytest --version", None),
        ("npm testing", None),
        ("t/run.sh -v", None),
    ],
)
def test_the_common_runners_are_known(step: str, kind: CheckKind | None) -> None:
    assert find_kind(step) == kind


def counted(total: int, n_failed: int) -> Result:
    return Result(outcome="failed" if n_failed else "passed", total=total, n_failed=n_failed)


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("Ran 6 tests in 0.01s\n\nOK\n", counted(6, 0)),
        ("Ran 6 tests in 0.01s\n\nFAILED (failures=1, errors=2, skipped=1)\n", counted(6, 3)),
        (NODE.format(9, 9, 0), counted(9, 0)),
        (NODE.format(9, 8, 1), counted(9, 1)),
        ("\x1b[32m===== 3 passed, 1 skipped in 0.10s =====\x1b[0m", counted(3, 0)),
        ("1 failed, 2 passed, 1 error in 0.10s", counted(4, 2)),
        ("Tests:       1 failed, 2 passed, 3 total", counted(3, 1)),
        (" Tests  2 passed | 1 skipped (3)", counted(3, 0)),
        (
            "Test Suites: 1 failed, 1 passed\nTests: 2 passed, 2 total",
            Result(outcome="failed", total=2, n_failed=0),
        ),
        ("  4 passing (9ms)\n  1 failing\n", counted(5, 1)),
        ("test result: ok. 4 passed; 0 failed; 0 ignored", counted(4, 0)),
        ("ok  \tgauge\t0.1s\nok  \tplot\t(cached)", PASSED),
        ("--- FAIL: TestA\nFAIL\tgauge\t0.1s\nok  \tplot\t0.1s", FAILED),
        ("\u2139 fail 3", Result(outcome="failed", n_failed=3)),
        ("\u2139 fail 0", Result(outcome="passed", n_failed=0)),
        ("Ran 0 tests in 0.0s\n\nOK", UNPROVEN),
        ("Ran 6 tests in 0.01s\n\nOK\nRan 2 tests in 0.01s\n\nOK\n", PASSED),
        ("Ran 6 tests in 0.01s\n\nOK\nRan 2 tests in 0.01s\n\nFAILED (errors=1)\n", FAILED),
        ("33 ok, 0 bad", UNPROVEN),
        ("", UNPROVEN),
    ],
)
def test_result_lines_of_test_runners(output: str, expected: Result) -> None:
    assert read_result("tests", output) == expected


@pytest.mark.parametrize(
    ("kind", "output", "expected"),
    [
        ("lint", "All checks passed!", PASSED),
        ("lint", "Found 3 errors.", FAILED),
        ("lint", "\u2716 3 problems (2 errors, 1 warning)", FAILED),
        ("lint", "\u2716 1 problem (0 errors, 1 warning)", UNPROVEN),
        ("types", "Success: no issues found in 3 source files", PASSED),
        ("types", "src/a.ts(1,2): error TS2322: no", FAILED),
        ("build", "make: *** [Makefile:3: all] Error 1", FAILED),
        ("build", "done", UNPROVEN),
    ],
)
def test_result_lines_of_other_checks(kind: CheckKind, output: str, expected: Result) -> None:
    assert read_result(kind, output) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("all\n\nCommand exited with code 2", Ended(code=2, output="all")),
        ("Command aborted", Ended(code=None, output="")),
        ("Tool bash not found", Ended(code=None, output="Tool bash not found")),
    ],
)
def test_how_a_failed_call_ended_stands_in_its_last_line(text: str, expected: Ended) -> None:
    assert read_ended(text, is_error=True) == expected


def test_a_call_that_did_not_fail_ended_well_whatever_it_printed() -> None:
    text = "all\n\nCommand exited with code 2"
    assert read_ended(text, is_error=False) == Ended(code=0, output=text)


def test_commands_of_the_user_and_of_other_tools_are_runs_too() -> None:
    nested = (
        NestedCall(name="bash", arguments={"command": "make"}),
        NestedCall(name="bash", arguments={"command": "npm test"}, status="error"),
    )
    told = ToolResultMessage(
        tool_call_id="t1", tool_name="task", content="done", nested_calls=nested
    )
    answer = MessageEntry(id="", parent_id=None, message=told)
    runs = read_runs(path(user("Go."), answer, ran("./check", exit_code=1)))
    assert {text: steps[0].result for text, steps in runs.steps.items()} == {
        "make": PASSED,
        "npm test": UNPROVEN,
        "./check": FAILED,
    }


def test_a_result_without_its_call_and_a_call_without_a_command_prove_nothing() -> None:
    odd = call("bash", command=3)
    runs = read_runs(
        path(user("Go."), result("c9", "x", tool="bash"), assistant("", [odd]), result(odd))
    )
    assert (runs.steps, runs.commands, runs.changes) == ({}, [], [])


def test_files_that_a_tool_wrote_are_changes_and_those_it_could_not_are_none() -> None:
    write, edit = call("write", path="a.py", content=""), call("edit", path="b.py")
    runs = read_runs(
        path(
            user("Go."),
            assistant("", [write, edit]),
            result(write, "ok"),
            result(edit, "no such text", is_error=True),
        )
    )
    assert runs.changes == [Change(index=2, file="a.py")]


COMMITS = path(
    user("Go."),
    *bash("git commit -m 'Add gauge'", "[main (root-commit) abc1234] Add gauge\n 1 file changed"),
    user("On."),
    *bash(
        "git commit -qm \"Plot it\" && git log --format='%h %s'",
        "def5678 Plot it\nabc1234 Add gauge",
    ),
    *bash("git log --format='%h %an'", "def5678 Ann"),
    *bash("git switch old", "Switched"),
    *bash("cat list", "123abcd not git's"),
)


def commit(
    index: int, turn: int, hash_text: str, title: str, *, is_made: bool = False
) -> SeenCommit:
    return SeenCommit(index=index, turn=turn, hash=hash_text, title=title, is_made=is_made)


def test_commits_are_those_that_git_shows() -> None:
    runs = read_runs(COMMITS)
    assert runs.commits == [
        commit(2, 1, "abc1234", "Add gauge", is_made=True),
        commit(5, 2, "def5678", "Plot it", is_made=True),
        commit(5, 2, "abc1234", "Add gauge"),
        commit(7, 2, "def5678", ""),
    ]
    assert runs.head_moves == [2, 5, 9]


@pytest.mark.parametrize(
    ("command", "title"),
    [
        ("git commit -qm 'Add; it' && git rev-parse --short HEAD", "Add; it"),
        ("git commit -qm 'Add; it'; git rev-parse --short HEAD", ""),
        ("git commit -qm 'Add; it' && git rev-parse --short HEAD~1", ""),
        ("git commit -qm One && git commit -qm 'Two' -m 'Three' && git rev-parse HEAD", ""),
    ],
)
def test_a_hash_told_right_behind_a_commit_is_that_commit_s(command: str, title: str) -> None:
    runs = read_runs(path(user("Go."), *bash(command, "abc1234\n")))
    assert runs.commits == [commit(2, 1, "abc1234", title, is_made=bool(title))]


def test_a_hash_has_appeared_where_any_message_before_holds_its_start() -> None:
    runs = read_runs(COMMITS)
    assert has_appeared(runs, "abc1234ffff", 3)
    assert not has_appeared(runs, "def5678", 5)
    assert has_appeared(runs, "123abcd", len(COMMITS))
    assert not has_appeared(runs, "7777aaa", len(COMMITS))


def test_only_what_came_before_is_given() -> None:
    commits = read_runs(COMMITS).commits
    assert [one.index for one in before(commits, 5)] == [2]


LONG = 100_000


@pytest.mark.parametrize(
    ("command", "n_steps"),
    [
        ("git " * LONG, 1),
        ("git commit -m x " * (LONG // 4), 1),
        ("<<A\n" * LONG, LONG),
        ("".join(f"<<A{number}\n" for number in range(LONG // 4)), LONG // 4),
        ("-" * LONG, 1),
    ],
    ids=["git", "git commit", "here-document", "here-documents", "dashes"],
)
def test_a_command_of_one_word_over_and_over_is_read_at_once(command: str, n_steps: int) -> None:
    runs = read_runs(path(user("Go."), *bash(command, "abc1234")))
    assert sum(map(len, runs.steps.values())) == n_steps


@pytest.mark.parametrize(
    "line",
    ["Ran {} tests in 1s\n\nOK", "{} passed in 1s", "# fail {}"],
)
def test_a_number_of_thousands_of_digits_is_none_of_tests(line: str) -> None:
    assert read_result("tests", line.format("1" * 5_000)) == UNPROVEN


def test_node_lines_without_their_end_are_read_at_once() -> None:
    assert read_result("tests", "# tests 1\n" * LONG) == UNPROVEN


@pytest.mark.parametrize(
    ("command", "steps"),
    [
        ("cat <<A > x\nnpm test\nA\nls", ["cat", "ls"]),
        ("cat <<A\nnpm test", ["cat <<A", "npm test"]),
        ("cat <<'A B' <<-C\n\tnpm test\n\tC\nls", ["cat <<'A B'", "ls"]),
        ("cat <<A\nA\ncat <<A\nA", ["cat", "cat"]),
    ],
)
def test_what_stands_in_a_here_document_is_no_step(command: str, steps: list[str]) -> None:
    assert [step.text for step in parse_command(command).steps] == steps
