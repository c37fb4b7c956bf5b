"""Claims of a text, and which of them the tool results contradict."""

import pytest

from longhaul.evals.measures.amounts import Tally
from longhaul.evals.measures.claims import claim_judged, claim_wrong
from longhaul.evals.measures.subject import Subject, find_occasions
from longhaul.transcript.entries import Entry, Path
from tests.build import assistant, call, compaction, path, result, user

UNITTEST = "Ran {} tests in 0.01s\n\n{}\n"


def bash(command: str, output: str = "", *, code: int = 0) -> tuple[Entry, Entry]:
    """Return a call of pi's shell tool and its result."""
    one = call("bash", command=command)
    ends = f"\n\nCommand exited with code {code}" if code else ""
    return assistant("", [one]), result(one, f"{output}{ends}", is_error=code != 0)


def write(file: str) -> tuple[Entry, Entry]:
    one = call("write", path=file, content="")
    return assistant("", [one]), result(one, "written")


def run_tests(
    total: int, n_failed: int = 0, *, command: str = "python3 -m unittest"
) -> tuple[Entry, Entry]:
    """Return a run of so many tests."""
    ending = f"FAILED (failures={n_failed})" if n_failed else "OK"
    return bash(command, UNITTEST.format(total, ending), code=int(n_failed > 0))


PATH = path(
    user("Build a tide gauge."),
    *run_tests(6),
    *bash("git commit -m 'Add gauge'", "[main abc1234] Add gauge"),
    user("Plot it."),
    *bash("cd app && make lint | tail -1", "12 files"),
    *run_tests(8, 1, command="python3 -m unittest -v"),
    *bash("./check"),
    *bash("./check", code=1),
    *bash("ruff check .", "Found 2 errors.", code=1),
    compaction("theirs"),
)
"""As of its compaction: 6 tests passed in u1, then 1 of 8 failed in u2, and so does the lint."""


def judge(text: str, session: Path = PATH) -> tuple[Tally, Tally]:
    """Return the wrong claims of a text and all that could be judged."""
    subject = Subject(text=text, occasion=find_occasions(session, None)[0])
    return claim_wrong(subject), claim_judged(subject)


def wrong(text: str, session: Path = PATH) -> tuple[str, ...]:
    return judge(text, session)[0].found


def judged(text: str, session: Path = PATH) -> tuple[str, ...]:
    return judge(text, session)[1].found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("All tests pass.", "tests pass: failed in u2"),
        ("- **Tests are green**", "tests green: failed in u2"),
        ("Progress: the whole test suite is now passing", "tests passing: failed in u2"),
        ("8 tests pass", "8 tests pass: 1 failed in u2"),
        ("8 tests, 8 pass, 0 fail", "8 tests, 8 pass, 0 fail: 1 failed in u2"),
        ("7 passed, 1 failed and 6 passed, 2 failed", ""),
        ("6 passed, 2 failed", "6 passed, 2 failed: 1 failed in u2"),
        ("lint is clean", "lint clean: failed in u2"),
        ("`./check` passes", "`./check` passes: failed in u2"),
        ("`python3 -m unittest` fails", "`python3 -m unittest` fails: passed in u1"),
        ("- done (u1): tests failed", "tests failed: passed in u1"),
        ("Committed as `bad1234`.", "commit bad1234: never appeared"),
        ("## Next Steps\n- Will revert commit `bad1234`", "commit bad1234: never appeared"),
        ('- Commit `abc1234` "Add plot"', 'commit abc1234 "Add plot": "Add gauge"'),
    ],
)
def test_a_claim_that_the_results_contradict_is_wrong(text: str, expected: str) -> None:
    assert wrong(text) == ((expected,) if expected else ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tests fail.", "tests fail"),
        ("6 tests passed", "6 tests passed"),
        ("The tests passed before.", ""),
        ("Tests passed in the first half.", "tests passed"),
        ("7 pass, 1 fail", "7 pass, 1 fail"),
        ("`./check` passed at first", "`./check` passed"),
        ("`python3 -m unittest 2>&1` passes", "`python3 -m unittest 2>&1` passes"),
        ("- done (u1): tests pass", "tests pass"),
        ("- u2: the lint fails", "lint fails"),
        ("Commit `abc1234f` “Add…” is in", "commit abc1234f"),
        ("commit abc1234: the gauge", "commit abc1234"),
    ],
)
def test_a_claim_that_they_bear_out_is_right(text: str, expected: str) -> None:
    assert judge(text) == (Tally(), Tally((expected,) if expected else ()))


@pytest.mark.parametrize(
    "text",
    [
        "Tests will pass.",
        "All tests must pass before a commit.",
        "Make sure the tests pass",
        "If the tests pass, go on.",
        "Not all tests pass.",
        "The user: \u201call tests pass\u201d",
        'They wrote "8 tests pass".',
        "> All tests pass.",
        "```\nAll tests pass.\n```",
        "- [ ] all tests pass",
        "- Remaining: the plot; all tests green; commit",
        "- next (u2): tests pass",
        "## Next Steps\n1. All tests pass",
        "## Rules\n- Tests green, committed, hash in the answer",
        "**Constraints**\nAll tests pass",
        "Do all tests pass?",
        "The plot tests pass",
        "The build passes",
        "The lint passed.",
        "`make lint` passes",
        "`npm test` passes",
        "9 tests pass",
        "Tests pass (u3)",
        "sha256 0badc0ffee12",
        "Commit the 1234567 lines, then deadbee",
        "The commit went well.",
        "A clean start. The green line.",
    ],
)
def test_what_is_no_claim_or_is_not_decided_is_not_judged(text: str) -> None:
    assert judge(text) == (Tally(), Tally())


def test_the_newest_run_decides_and_only_as_of_the_cut() -> None:
    entries = (user("Go."), *run_tests(8, 1), user("On."), *run_tests(8))
    kept, closed = path(*entries, compaction(first_kept="e4")), path(*entries, compaction())
    assert wrong("Tests pass. 8 tests pass.", kept) == (
        "tests pass: failed in u1",
        "8 tests pass: 1 failed in u1",
    )
    assert wrong("Tests pass. 8 tests pass.", closed) == ()
    assert wrong("Tests fail.", closed) == ("tests fail: passed in u2",)


def test_one_command_that_still_fails_bears_out_that_tests_fail() -> None:
    session = path(
        user("Go."), *run_tests(8, 1), *run_tests(2, command="python3 -m unittest a"), compaction()
    )
    assert judge("Tests fail", session) == (Tally(), Tally())


def test_a_number_of_tests_says_which_run_is_meant() -> None:
    session = path(user("Go."), *run_tests(6), *run_tests(8, 1), *run_tests(9), compaction())
    assert judge("6 tests pass, 9 tests pass", session) == (Tally(), Tally(("6 tests pass",)))
    assert wrong("8 tests pass", session) == ("8 tests pass: 1 failed in u1",)
    assert judge("7 tests pass", session) == (Tally(), Tally())


def test_a_run_whose_number_is_not_known_may_be_the_one_that_is_meant() -> None:
    hidden = bash("python3 -m unittest | tail -1; true", "OK")
    session = path(user("Go."), *run_tests(8, 1), *hidden, compaction())
    assert judge("8 tests pass. Tests pass.", session) == (Tally(), Tally())


def test_a_command_that_ran_in_several_folders_is_not_judged() -> None:
    ran = (*bash("cd a && ./check"), *bash("cd b && ./check", code=1))
    assert judge("`./check` passes", path(user("Go."), *ran, compaction())) == (Tally(), Tally())


WORLD = path(
    user("Build a tide gauge."),
    *run_tests(6),
    *write("gauge.py"),
    *bash("git commit -m 'Add gauge'", "[main abc1234] Add gauge"),
    user("Plot it."),
    *bash("cd app && ./check"),
    *bash("git commit -m 'Add plot'", "[main def5678] Add plot"),
    *bash("./check", code=1),
    compaction(),
)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "- `python3 -m unittest` failed in u1 (x); files changed since",
            "python3 -m unittest failed in u1: passed",
        ),
        (
            "- `python3 -m unittest` passed in u2 (x); files changed since",
            "python3 -m unittest passed in u2: it last ran in u1",
        ),
        (
            "- `python3 -m unittest` passed in u1 (Ran 6 tests)",
            "python3 -m unittest: no file changed since: gauge.py was",
        ),
        (
            "- `./check` failed in u2 (exit 1); files changed since",
            "./check: files changed since: nothing ran since",
        ),
        ("- `cd app && ./check` failed in u2 (x)", "cd app && ./check failed in u2: passed"),
        ("- ran `./check` (u2)", "ran ./check in u2: it failed"),
        (
            "- ran `python3 -m unittest` (u1, failed)",
            "ran python3 -m unittest in u1, failed: it did not fail",
        ),
        ("- ran `./check` (u1, failed)", "ran ./check in u1, failed: it last ran in u2"),
        ('- ran "./check `x`" (u1)', "ran ./check `x` in u1: it never ran"),
        ("- HEAD `abc1234`", "HEAD abc1234: def5678 was made in u2"),
        ('- HEAD `def5678` "Add gauge"', 'HEAD def5678: "Add plot"'),
        ('- commit `abc1234` "Add plot" (u1)', 'commit abc1234 "Add plot": "Add gauge"'),
        ('- commit `abc1234` "Add gauge" (u2)', "commit abc1234 in u2: made in u1"),
        ('- commit `bad1234` "Add gauge" (u1)', "commit bad1234: never appeared"),
    ],
)
def test_a_line_of_world_that_the_results_contradict_is_wrong(line: str, expected: str) -> None:
    assert wrong(f"## World\n{line}", WORLD) == (expected,)


RIGHT = """## World
- HEAD `def5678` "Add plot"
- `./check` failed in u2 (exit 1)
- `cd app && ./check` passed in u2 (exit 0)
- `python3 -m unittest` passed in u1 (Ran 6 tests OK); files changed since
- modified: `gauge.py`
- commit `abc1234` "Add gau…" (u1)
- ran `git commit -m…` (u2)
- ran `python3 -m…` (u1)
- ran `./check` (u2, failed)
"""


def test_the_lines_of_world_that_the_results_bear_out_are_right() -> None:
    assert judge(RIGHT, WORLD) == (
        Tally(),
        Tally(
            (
                "HEAD def5678",
                "./check failed in u2",
                "cd app && ./check passed in u2",
                "python3 -m unittest passed in u1",
                "commit abc1234",
                "ran git commit -m… in u2",
                "ran python3 -m… in u1",
                "ran ./check in u2, failed",
            )
        ),
    )


@pytest.mark.parametrize(
    "line",
    [
        "- `npm test` passed in u1 (exit 0)",
        "- `./check` unproven in u2 (exit 1 of the whole command)",
        "- ran `A=[masked: GitHub token] ./x` (u1)",
        "- read: `gauge.py`",
    ],
)
def test_a_line_of_world_that_nothing_decides_is_not_judged(line: str) -> None:
    assert judge(f"## World\n{line}", WORLD) == (Tally(), Tally())


def test_files_may_have_changed_in_the_command_of_the_check_or_after_it() -> None:
    line = "## World\n- `./check` passed in u1 (exit 0); files changed since"
    same = path(user("Go."), *bash("rm old && ./check"), compaction())
    later = path(user("Go."), *bash("./check"), *bash("rm old"), compaction())
    assert wrong(line, same) == wrong(line, later) == ()


def test_head_is_not_known_after_a_command_that_may_have_moved_it() -> None:
    moved = path(
        user("Go."),
        *bash("git commit -m 'Add gauge'", "[main abc1234] Add gauge"),
        *bash("git checkout def5678", "HEAD is now at def5678 Add plot"),
        compaction(),
    )
    assert judge("## World\n- HEAD `def5678`", moved) == (Tally(), Tally(("HEAD def5678",)))


def test_an_empty_text_claims_nothing() -> None:
    assert judge("") == (Tally(), Tally())


LONG = 100_000
NUMBER = "9" * 5_000
"""More digits than Python makes a number of."""


@pytest.mark.parametrize(
    "text",
    [
        *(f"tests pass {mark * LONG}" for mark in '“«‘"`(*\t >'),
        *(f"{word * (LONG // 5)}pass" for word in ("and ", "but ", "is is ", "tests ", "1 tests ")),
        f"{NUMBER} tests pass, {NUMBER} passed, {NUMBER} failed",
        f"- tests are green (u{NUMBER})",
        f"## World\n- `npm test` passed in u{NUMBER} (it did)",
        f"## World\n- ran `./check` (u{NUMBER})",
        f"## World\n- commit `abc1234` (u{NUMBER})",
    ],
    ids=lambda text: text[:12],
)
def test_a_text_of_one_mark_or_of_endless_numbers_is_judged_at_once(text: str) -> None:
    assert set(wrong(text)) <= {"tests pass: failed in u2", "tests green: failed in u2"}


def test_thousands_of_hashes_that_stand_nowhere_are_looked_for_in_one_reading() -> None:
    session = path(
        user("x" * LONG), *[assistant("word " * 2_000) for _ in range(100)], compaction()
    )
    hashes = [f"{number:06x}a" for number in range(0xA00000, 0xA00000 + 10_000)]
    found = wrong(" ".join(["commits", *hashes]), session)
    assert found == tuple(f"commit {one}: never appeared" for one in hashes)


def test_a_quotation_ends_where_the_next_of_its_kind_opens() -> None:
    assert wrong("He says “ and “all tests pass”.") == ()
    assert wrong("All tests pass, “ now.") == ("tests pass: failed in u2",)


def test_a_beginning_that_many_commands_share_is_judged_of_none() -> None:
    session = path(
        user("Go."), *[one for n in range(101) for one in bash(f"run {n:03}")], compaction()
    )
    assert judged("## World\n- ran `run 0…` (u2)\n- ran `run 10…` (u2)", session) == (
        *("ran run 0… in u2", "ran run 10… in u2"),
    )
    assert judged("## World\n- ran `run…` (u2)", session) == ()
