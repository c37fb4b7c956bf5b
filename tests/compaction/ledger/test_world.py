"""What the ledger reads off tool calls and results."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longhaul.compaction.ledger import ToolRun, advance_world, find_runs
from longhaul.compaction.state import Check, Command, Commit, World
from longhaul.compaction.statements import count_turns
from longhaul.transcript.entries import (
    AssistantMessage,
    BashExecutionMessage,
    BranchSummaryMessage,
    Entry,
    MessageEntry,
    NestedCall,
    ToolResultMessage,
)
from tests.build import assistant, call, custom, opaque, path, ran, result, user


def exchange(command: str, output: str = "", *, code: int = 0) -> list[Entry]:
    """Return a call of the shell tool and its result, as pi writes them."""
    called = call("bash", command=command)
    shown = f"{output}\n\nCommand exited with code {code}" if code else output
    return [assistant(calls=[called]), result(called, shown, is_error=code != 0)]


def used(tool: str, file: str, *, is_error: bool = False) -> list[Entry]:
    called = call(tool, path=file)
    return [assistant(calls=[called]), result(called, "text", is_error=is_error)]


def world(*entries: Entry | Sequence[Entry]) -> World:
    """Return the world after a first user message and these entries."""
    flat = [
        part for entry in entries for part in (entry if isinstance(entry, Sequence) else [entry])
    ]
    whole = path(user("go"), *flat)
    return advance_world(World(), find_runs(whole, 0, len(whole), 0))


def outcome(command: str, output: str = "", *, code: int = 0) -> tuple[str, str]:
    """Return outcome and evidence of the only check that a command runs."""
    (check,) = world(exchange(command, output, code=code)).checks
    return check.outcome, check.evidence


PYTEST_FAILED = "F.\n= 3 failed, 10 passed in 0.41s ="
NODE_PASSED = "# tests 4\n# pass 4\n# fail 0\n# skipped 0"


@pytest.mark.parametrize(
    ("command", "output", "code", "expected"),
    [
        ("pytest -q", "13 passed in 0.40s", 0, ("passed", "13 passed in 0.40s")),
        ("pytest -q", PYTEST_FAILED, 1, ("failed", "= 3 failed, 10 passed in 0.41s =")),
        ("npm run build", "done", 0, ("passed", "exit 0")),
        ("make test", "boom", 2, ("failed", "exit 2")),
        ("cd x && export A=1 && pytest", "", 1, ("failed", "exit 1")),
        ("pytest && echo fine", "", 1, ("failed", "exit 1")),
        ("pytest && git commit -qm x", "", 0, ("passed", "exit 0")),
        ("set -o pipefail; pytest | tail -3", "", 0, ("passed", "exit 0")),
        ("set -eo pipefail\npytest | tee log", "", 1, ("unproven", "exit 1 of the whole command")),
        ("git pull; pytest", "", 1, ("failed", "exit 1")),
        ("yes | npm test", "", 0, ("passed", "exit 0")),
        ("npm test;", "", 0, ("passed", "exit 0")),
        ("cd x || exit 1; pytest", "", 0, ("passed", "exit 0")),
        ("cd x || exit; pytest", "", 0, ("passed", "exit 0")),
        ("cd x || exit 2; pytest", "", 1, ("failed", "exit 1")),
        ("exec 2>&1; pytest", "", 0, ("passed", "exit 0")),
        ("echo a | exit 1; pytest", "", 1, ("failed", "exit 1")),
        ("trap 'kill 7' EXIT; pytest", "", 0, ("passed", "exit 0")),
    ],
)
def test_the_exit_code_proves_a_check_whose_own_it_is(
    command: str, output: str, code: int, expected: tuple[str, str]
) -> None:
    assert outcome(command, output, code=code) == expected


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("pytest | tail -5", 0),
        ("pytest 2>&1 | grep -v warn", 1),
        ("pytest || true", 0),
        ("pytest; echo done", 0),
        ("pytest; echo $?", 1),
        ("pytest\nls", 0),
        ("pytest &", 0),
        ("npm install && pytest", 1),
        ("pytest && git push", 1),
        ("ls x || pytest", 0),
        ("true && pytest && echo ok || echo bad", 0),
        ("for i in 1 2; do pytest; done", 0),
        ("if pytest; then echo ok; fi", 0),
        ("! pytest", 0),
        ("set -o pipefail; pytest | grep x", 1),
        ("set -e; false; pytest", 1),
        ("cat old.log; pytest > new.log; true", 0),
        ("exit 0; pytest", 0),
        ("test -d a || exit 0; pytest", 0),
        ("test -d a && exit; pytest", 0),
        ("test -d a || exit $code; pytest", 0),
        ("test -d a || exit 1; pytest", 1),
        ("exec ./app; pytest", 0),
        ("trap 'exit 0' EXIT; pytest", 0),
        ("set -o errexit; false; pytest", 1),
    ],
)
def test_an_exit_code_that_may_be_another_s_proves_nothing(command: str, code: int) -> None:
    assert outcome(command, "text", code=code) == ("unproven", f"exit {code} of the whole command")


@pytest.mark.parametrize(
    ("command", "output", "expected"),
    [
        ("pytest 2>&1 | tail -5", PYTEST_FAILED, "failed"),
        ("pytest 2>&1 | tail -5", "13 passed, 1 skipped in 0.40s", "passed"),
        ("pytest | head", "13 passed, 1 xfailed in 0.40s", "passed"),
        ("pytest; echo done", "13 passed in 0.40s\ndone", "passed"),
        ("pytest > log.txt 2>&1; tail -2 log.txt", "13 passed in 0.40s", "passed"),
        ("pytest > log.txt 2>&1; tail -2 other.txt", "13 passed in 0.40s", "unproven"),
        ("cat old.txt; pytest | tail -2", "13 passed in 0.40s\nbye", "unproven"),
        ("cat old.txt; pytest | tail -2", "2 failed in 1s\n13 passed in 0.40s", "passed"),
        ("cat old.txt; pytest | tail -2; ls", "13 passed in 0.40s", "unproven"),
        ("cat old.txt; exit 0; pytest", "13 passed in 0.40s", "unproven"),
        ("./old; exit 0; pytest", "13 passed in 0.40s", "unproven"),
        ("cat old.txt; ls a || exit 0; pytest", "13 passed in 0.40s", "unproven"),
        ("cat old.txt && ls a && pytest | tail -2", "13 passed in 0.40s", "unproven"),
        ("ls a || exit 0; pytest", "13 passed in 0.40s", "passed"),
        ("python bench.py; pytest -q | tail -1; ./app", "13 passed in 0.40s\nready", "passed"),
        ("python -m unittest | tail -4; ./app", "Ran 2 tests in 0.1s\n\nOK\nready", "passed"),
        ("./app; python -m unittest | tail -1", "ready\nOK", "passed"),
        ("python -m unittest | tail -1; ./app", "OK", "unproven"),
        ("pytest | python summarize.py", "13 passed in 0.40s", "unproven"),
        ("node --test | tail -9", NODE_PASSED, "passed"),
        ("node --test | grep pass", "# pass 4", "unproven"),
        ("node --test | tail -9", NODE_PASSED.replace("fail 0", "fail 1"), "failed"),
        ("npm test 2>&1 | tail", "\u2139 pass 4\n\u2139 fail 2", "failed"),
        ("npm test 2>&1 | tail", "\x1b[32mTests:       4 passed, 4 total\x1b[39m", "passed"),
        ("npm test 2>&1 | tail", "Tests:       1 failed, 4 passed, 5 total", "failed"),
        ("npm test 2>&1 | tail", "  4 passing (3ms)\n  1 failing", "failed"),
        ("npm test 2>&1 | tail", "4 passed, 0 failed\nnpm error code 1", "unproven"),
        ("cargo test | tail -3", "test result: ok. 3 passed; 0 failed; 0 ignored", "passed"),
        ("cargo test | head -3", "test result: ok.", "unproven"),
        ("cargo test | tail", "test result: FAILED. 1 passed; 1 failed", "failed"),
        ("cargo build 2>&1 | tail", "error[E0308]: mismatched types", "failed"),
        ("go test ./... | tail", "ok  \ta/b\t0.01s", "passed"),
        ("go test ./... | tail", "ok  \ta/b\t0.01s\nFAIL", "failed"),
        ("python -m unittest 2>&1 | tail -1", "OK (skipped=1)", "passed"),
        ("python -m unittest 2>&1 | tail -1", "FAILED (failures=1)", "failed"),
        ("mypy . | tail -1", "Found 3 errors in 1 file (checked 4 source files)", "failed"),
        ("mypy . | tail -1", "Success: no issues found in 4 source files", "passed"),
        ("npx tsc | head", "src/a.ts(1,2): error TS2304: Cannot find name", "failed"),
        ("bash test.sh | tail -2", "error: no such backup\n12 passed, 0 failed", "passed"),
        ("bash test.sh | tail -2", "passed: 12, failed: 2", "failed"),
        ("bash test.sh | tail -2", "all is well, 3 tries failed before", "unproven"),
        ("for t in a b; do pytest $t; done", "1 passed in 0.1s", "unproven"),
        ("for t in a b; do pytest $t; done", "1 failed in 0.1s\n1 passed in 0.1s", "failed"),
        ("npm run lint; npm test | tail", "4 passed, 0 failed", "unproven"),
    ],
)
def test_a_result_line_proves_what_the_exit_code_cannot(
    command: str, output: str, expected: str
) -> None:
    checks = world(exchange(command, output)).checks
    assert checks[-1].outcome == expected


@pytest.mark.parametrize(
    "command",
    [
        *("command -v pytest", "command -pV pytest", "type pytest", "which pytest"),
        *("make -n test", "make -q test", "gradle -m test", "npm test --help"),
        *("pytest --version", "pytest --collect-only", "pytest --co -q"),
    ],
)
def test_asking_after_a_check_is_no_run_of_it(command: str) -> None:
    assert world(exchange("pytest"), exchange(command)).checks == world(exchange("pytest")).checks


@pytest.mark.parametrize(
    ("shown", "evidence"),
    [
        ("Command timed out after 5 seconds", "timed out"),
        ("1 passed in 1s\n\nCommand aborted", "aborted"),
        ("x\n\nCommand terminated without an exit code", "no exit code"),
        (
            "x\n\nCommand timed out after 5 seconds. The shell exited with code 0 after 0.3"
            " seconds, but background processes it started kept writing output until the timeout.",
            "timed out",
        ),
    ],
)
def test_a_check_that_did_not_end_by_itself_is_unproven(shown: str, evidence: str) -> None:
    called = call("bash", command="pytest")
    (check,) = world(assistant(calls=[called]), result(called, shown, is_error=True)).checks
    assert (check.outcome, check.evidence) == ("unproven", evidence)


def test_a_call_that_was_refused_leaves_the_last_outcome() -> None:
    called = call("bash", command="pytest")
    refused = [assistant(calls=[called]), result(called, "Blocked by the user", is_error=True)]
    assert world(exchange("pytest"), refused) == World(
        checks=(Check(command="pytest", outcome="passed", evidence="exit 0", turn=1),),
        commands=(Command(command="pytest", failed=True, turn=1),),
    )


def test_the_last_run_of_a_check_counts_whatever_it_was_wrapped_in() -> None:
    seen = world(
        exchange("cd app && npx vitest run 2>&1 | tail -5", "x"),
        exchange("pytest -q"),
        user("again"),
        exchange("cd app && CI=1 vitest run", code=1),
        exchange("vitest run"),
    )
    assert seen.checks == (
        Check(command="pytest -q", outcome="passed", evidence="exit 0", turn=1),
        Check(command="cd app && CI=1 vitest run", outcome="failed", evidence="exit 1", turn=2),
        Check(command="vitest run", outcome="passed", evidence="exit 0", turn=2),
    )


def test_one_command_can_run_several_checks() -> None:
    seen = world(exchange("ruff check . && mypy .", "Success: no issues found in 2 source files"))
    assert [(check.command, check.outcome, check.evidence) for check in seen.checks] == [
        ("ruff check .", "passed", "exit 0"),
        ("mypy .", "passed", "exit 0"),
    ]


@pytest.mark.parametrize(
    ("later", "is_stale"),
    [
        (used("edit", "a.py"), True),
        (used("write", "a.py"), True),
        (used("edit", "a.py", is_error=True), False),
        (used("read", "a.py"), False),
        (exchange("git checkout main"), True),
        (exchange("sed -i s/a/b/ a.py", code=1), True),
        (exchange("echo x > notes.md"), True),
        (exchange("echo x > /tmp/notes.md"), False),
        (exchange("make lint | tee lint.log"), False),
        (exchange("ls && cat a.py"), False),
        ([ran("git stash")], True),
        (exchange("pytest"), False),
        (exchange("pytest; touch a.py"), True),
        (exchange("touch a.py; pytest"), False),
    ],
)
def test_a_check_says_whether_files_changed_since(later: list[Entry], *, is_stale: bool) -> None:
    seen = world(exchange("pytest"), later)
    (check,) = (check for check in seen.checks if check.command == "pytest")
    assert check.files_changed_since is is_stale


def test_files_are_listed_by_exact_path_and_last_use() -> None:
    seen = world(
        used("read", "a.py"),
        used("read", "b.py"),
        used("edit", "c.py"),
        used("write", "b.py"),
        used("read", "c.py"),
        used("read", "missing.py", is_error=True),
        used("edit", "missing.py", is_error=True),
        used("read", "./d.py"),
        used("read", "a.py"),
        exchange("cat > gen.py <<'E'\nx\nE"),
        exchange("cd sub && echo > unknown.py"),
        exchange("echo > $TARGET"),
    )
    assert (seen.modified, seen.read) == (("c.py", "b.py", "gen.py"), ("./d.py", "a.py"))


def test_calls_made_inside_a_tool_count() -> None:
    called = call("codemode", code="...")
    outer = result(called, "done")
    assert isinstance(outer.message, ToolResultMessage)
    nested = (
        NestedCall(name="write", arguments={"path": "a.py"}),
        NestedCall(name="write", arguments={"path": "b.py"}, status="error"),
        NestedCall(name="bash", arguments={"command": "pytest"}),
        NestedCall(name="bash", arguments={"command": "mypy ."}, status="unfinished"),
    )
    entry = replace(outer, message=replace(outer.message, nested_calls=nested))
    assert world(assistant(calls=[called]), entry) == World(
        checks=(
            Check(command="pytest", outcome="passed", evidence="exit 0", turn=1),
            Check(command="mypy .", outcome="unproven", evidence="no exit code", turn=1),
        ),
        modified=("a.py",),
        commands=(
            Command(command="pytest", failed=False, turn=1),
            Command(command="mypy .", failed=True, turn=1),
        ),
    )


def test_a_command_of_the_user_counts_unless_it_was_kept_from_the_model() -> None:
    def hidden(command: str, output: str) -> MessageEntry:
        message = BashExecutionMessage(
            command=command, output=output, exit_code=0, exclude_from_context=True
        )
        return MessageEntry(id="", parent_id=None, message=message)

    seen = world(
        ran("pytest", exit_code=1),
        exchange("git commit -m one", "[main aaaaaaa] one"),
        hidden("git commit -m two; mypy .; touch x", "[main bbbbbbb] two"),
        MessageEntry(
            id="",
            parent_id=None,
            message=BashExecutionMessage(command="make", output="", cancelled=True),
        ),
        ran("make test", exit_code=None),
    )
    assert seen == World(
        checks=(
            Check(
                command="pytest",
                outcome="failed",
                evidence="exit 1",
                turn=1,
                files_changed_since=True,
            ),
            Check(command="make", outcome="unproven", evidence="aborted", turn=1),
            Check(command="make test", outcome="unproven", evidence="no exit code", turn=1),
        ),
        commits=(Commit(hash="aaaaaaa", title="one", turn=1),),
        head="",
        commands=(
            Command(command="pytest", failed=True, turn=1),
            Command(command="git commit -m one", failed=False, turn=1),
            Command(command="make", failed=True, turn=1),
            Command(command="make test", failed=True, turn=1),
        ),
    )


ONE = Commit(hash="aaaaaaa", title="Add one", turn=1)
TWO = Commit(hash="1234567", title="two", turn=1)
FIRST = exchange("git commit -m 'Add one'", "[main (root-commit) aaaaaaa] Add one\n 1 file changed")
FULL = "aaaaaaa" + "0" * 33


@pytest.mark.parametrize(
    ("later", "commits", "head"),
    [
        ([], (ONE,), "aaaaaaa"),
        (exchange("git status"), (ONE,), "aaaaaaa"),
        (FIRST, (ONE,), "aaaaaaa"),
        (exchange("git commit -am two", "[a/b-c 1234567] two"), (ONE, TWO), "1234567"),
        (
            exchange("git commit --amend --no-edit", "[main 1234567] Add one"),
            (replace(ONE, hash="1234567"),),
            "1234567",
        ),
        (exchange("git commit -m x", "nothing to commit", code=1), (ONE,), "aaaaaaa"),
        (exchange("git commit -qm x"), (ONE,), ""),
        (exchange("git commit -qm x && pytest", code=1), (ONE,), ""),
        (
            exchange("git commit -qm two && git log --oneline -1", "1234567 (HEAD -> main) two"),
            (ONE, TWO),
            "1234567",
        ),
        (
            exchange("git add -A && git commit -qm two && git rev-parse HEAD && ls", "1234567\na"),
            (ONE, TWO),
            "1234567",
        ),
        (
            exchange("git commit -q --message=two --no-verify && git rev-parse HEAD", "1234567"),
            (ONE, TWO),
            "1234567",
        ),
        (
            exchange("git commit -q --message two && git rev-parse HEAD", "1234567"),
            (ONE, TWO),
            "1234567",
        ),
        (
            exchange("git commit -q -F message.txt && git rev-parse HEAD", "1234567"),
            (ONE, replace(TWO, title="")),
            "1234567",
        ),
        (
            exchange("git add -A; git commit -qm two; git rev-parse --short HEAD", "1234567"),
            (ONE,),
            "1234567",
        ),
        (
            exchange(
                "git log --oneline -3", "1234567 (HEAD -> main, tag: v1) two\naaaaaaa Add one"
            ),
            (ONE,),
            "1234567",
        ),
        (exchange("git log --oneline v1.0", "1234567 old"), (ONE,), "aaaaaaa"),
        (exchange("git log -2", f"commit {FULL} (HEAD -> main)\nAuthor: x"), (ONE,), "aaaaaaa"),
        (exchange("ls; git log --oneline", "a\n1234567 x"), (ONE,), "aaaaaaa"),
        (exchange("git checkout main", "Switched to branch 'main'"), (ONE,), ""),
        (exchange("git checkout -b new", "Switched to a new branch 'new'"), (ONE,), "aaaaaaa"),
        (exchange("git checkout -- a.py"), (ONE,), "aaaaaaa"),
        (exchange("git reset --hard HEAD~1", "HEAD is now at 1234567 older"), (ONE,), "1234567"),
        (exchange("git reset HEAD~1"), (ONE,), ""),
        (exchange("git pull", "Updating aaaaaaa..1234567\nFast-forward"), (ONE,), "1234567"),
        (exchange("git pull", "Already up to date."), (ONE,), "aaaaaaa"),
        (exchange("git merge x", "Merge made by the 'ort' strategy."), (ONE,), ""),
        (exchange("git rebase main", code=1), (ONE,), ""),
        (exchange("echo '[main 1234567] fake'", "[main 1234567] fake"), (ONE,), "aaaaaaa"),
        ([ran("git commit -m two", "[main 1234567] two")], (ONE, TWO), "1234567"),
    ],
)
def test_commits_and_head_follow_what_the_output_shows(
    later: list[Entry], commits: tuple[Commit, ...], head: str
) -> None:
    seen = world(FIRST, later)
    assert (seen.commits, seen.head) == (commits, head)


def test_commands_keep_their_exact_form_but_for_long_ones_and_here_documents() -> None:
    exact = "cd app &&\n  grep -n 'a  b' x"
    seen = world(
        exchange(exact),
        exchange("cat > a.py <<'EOF'\nprint(1)\nEOF"),
        exchange("echo " + "word " * 100),
        exchange(exact, code=1),
    )
    assert [(noted.command, noted.failed) for noted in seen.commands] == [
        ("cat > a.py <<'EOF' …", False),
        ("echo " + "word " * 78 + "word…", False),
        (exact, True),
    ]


def test_the_world_stays_bounded() -> None:
    many = [exchange(f"pytest t{n}.py; ls {n}") for n in range(60)]
    commits = [exchange(f"git commit -m c{n}", f"[main {n:07}] c{n}") for n in range(30)]
    seen = world(*many, *commits)
    assert (len(seen.checks), len(seen.commands), len(seen.commits)) == (40, 40, 20)
    assert seen.checks[-1].command == "pytest t59.py"
    assert seen.commits[-1] == Commit(hash="0000029", title="c29", turn=1)


def test_a_result_is_paired_with_the_call_before_the_span() -> None:
    called = call("read", path="a.py")
    whole = path(user("go"), assistant(calls=[called]), custom("x"), result(called, "text"))
    (run,) = find_runs(whole, 3, 4, 1)
    assert (run.name, dict(run.arguments), run.entry_id, run.turn) == (
        "read",
        {"path": "a.py"},
        "e4",
        1,
    )


def test_a_result_without_its_call_still_says_which_tool_ran() -> None:
    whole = path(result("gone", "text", tool="read"))
    message = whole[0].message if isinstance(whole[0], MessageEntry) else None
    assert isinstance(message, ToolResultMessage)
    expected = ToolRun(name="read", arguments={}, result=message, entry_id="e1", turn=0)
    assert list(find_runs(whole, 0, 1, 0)) == [expected]
    assert advance_world(World(), [expected]) == World()


def test_entries_that_are_no_runs_are_passed_over() -> None:
    called = call("bash", command=7)
    summary = MessageEntry(id="", parent_id=None, message=BranchSummaryMessage("back"))
    texts = MessageEntry(id="", parent_id=None, message=AssistantMessage(content="plain"))
    entries: list[Entry] = [
        summary,
        texts,
        assistant("text", [called]),
        result(called, "x"),
        opaque(),
    ]
    assert world(*entries) == World()


COMMANDS = st.sampled_from(
    [
        *("pytest", "pytest | tail", "cd a && pytest", "A=1 pytest -q", "make test; echo x", "ls"),
        *(
            "git commit -m a",
            "git commit --amend -m a",
            "git checkout main",
            "git log --oneline -1",
        ),
        *("touch x", "echo 1 > b.py", "npm test && npm run lint", "cat <<E > c\nx\nE", "x " * 300),
    ]
)
OUTPUTS = st.sampled_from(
    [
        "",
        "3 passed in 1s",
        "1 failed in 1s",
        *(f"[main {n}{n}{n}aaaa] t" for n in range(10)),
        "1234567 t",
    ]
)
USES = st.one_of(
    st.builds(exchange, COMMANDS, OUTPUTS, code=st.sampled_from([0, 0, 1])),
    st.builds(used, st.sampled_from(["read", "edit", "write"]), st.sampled_from(["a", "b.py"])),
    st.just([user("next")]),
    st.builds(lambda command: [ran(command)], COMMANDS),
)


@settings(max_examples=150)
@given(st.lists(USES, max_size=12), st.data())
def test_a_world_does_not_depend_on_where_spans_fell(
    uses: list[list[Entry]], data: st.DataObject
) -> None:
    whole = path(*(entry for use in uses for entry in use))
    at_once = advance_world(World(), find_runs(whole, 0, len(whole), 0))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=4)))
    seen, n_turns = World(), 0
    for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True):
        seen = advance_world(seen, find_runs(whole, start, end, n_turns))
        n_turns += count_turns(whole, start, end)
    assert seen == at_once
