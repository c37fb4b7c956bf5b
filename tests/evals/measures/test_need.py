"""How much of what the next messages used a text names."""

from longhaul.evals.measures.amounts import Count
from longhaul.evals.measures.corrected import Corrections
from longhaul.evals.measures.mentions import Mentions, read_mentions
from longhaul.evals.measures.need import artifacts, files, need, need_with_recall
from tests.build import assistant, call, compaction, path, result, user
from tests.evals.measures.occasions import judged

READS = call("read", path="src/a.py")
TESTS = call("bash", command="cd lib && npm  test 2>&1 | tail -3")
EDITS = call("edit", path="./src/a.py", edits=[])
WRITES = call("write", path="docs/b.md", content="npm run lint")
COPIES = call("bash", command="cp c.json d.json && npm test")
ASKS = call("question", path="e.py", command=5)

SESSION = path(
    user("go"),
    assistant(calls=[READS]),  # e2
    result(READS, "import os"),
    assistant(calls=[TESTS]),  # e4
    result(TESTS, "ok"),
    compaction(first_kept="e4"),
    assistant(calls=[EDITS, WRITES, ASKS]),
    assistant(calls=[COPIES, TESTS]),
)
TEXT = "Edit src/a.py, then run `npm\n test`; c.json waits in /srv/c.json; docs/ is empty."


def test_paths_and_commands_are_needed_just_so() -> None:
    assert judged(need, SESSION, TEXT) == Count(
        kept=("src/a.py", "npm test"), lost=("docs/b.md", "cp c.json d.json")
    )


def test_recall_finds_what_an_entry_before_the_cut_holds() -> None:
    assert judged(need_with_recall, SESSION, "", is_own=True) == Count(
        kept=("src/a.py",), lost=("docs/b.md", "cp c.json d.json", "npm test")
    )


def test_recall_is_no_help_to_an_arm_without_it() -> None:
    assert judged(need_with_recall, SESSION, TEXT) == judged(need, SESSION, TEXT)


def test_recall_does_not_find_what_only_a_summary_or_parts_of_longer_names_hold() -> None:
    session = path(
        user("See lib/src/a.py and docs/b.md/old"),
        assistant("docs b.md src a.py"),
        compaction("src/a.py docs/b.md", first_kept="e2"),
        user("go"),  # e4
        compaction(first_kept="e4"),
        assistant(calls=[EDITS, WRITES]),
    )
    assert judged(need_with_recall, session, "", number=2, is_own=True) == Count(
        lost=("src/a.py", "docs/b.md")
    )


def test_recall_does_not_find_a_command_that_was_only_written_otherwise() -> None:
    spaced = call("bash", command="npm  run   lint")
    session = path(user("go"), assistant(calls=[spaced]), compaction(), assistant(calls=[spaced]))
    assert judged(need_with_recall, session, "", is_own=True) == Count(lost=("npm run lint",))


def test_files_of_the_file_tools_are_needed_by_name() -> None:
    assert judged(files, SESSION, "a.py") == Count(kept=("a.py",), lost=("b.md",))


def test_files_in_commands_are_needed_by_name() -> None:
    assert judged(artifacts, SESSION, TEXT) == Count(kept=("c.json",), lost=("d.json",))


def test_ten_assistant_messages_are_looked_at_past_the_next_compaction_too() -> None:
    calls = [call("write", path=f"{number}.py") for number in range(1, 12)]
    after = [assistant(calls=[one]) for one in calls]
    session = path(user("go"), compaction(), *after[:5], compaction(), *after[5:])
    first = judged(files, session, "1.py and 11.py")
    assert first == Count(kept=("1.py",), lost=tuple(f"{number}.py" for number in range(2, 11)))
    assert judged(files, session, "", number=2).n_due == 6


def test_a_command_with_a_secret_is_not_due() -> None:
    secret = call("bash", command="curl -H 'Authorization: Bearer abcdef0123456789abcdef01' x.io")
    session = path(user("go"), compaction(), assistant(calls=[secret]))
    assert judged(need, session, "") == Count()


def test_nothing_is_due_where_nothing_follows() -> None:
    session = path(user("go"), assistant(calls=[READS]), compaction())
    amounts = [judged(measure, session, TEXT) for measure in (need, files, artifacts)]
    assert amounts == [Count(), Count(), Count()]


def test_a_path_without_a_compaction_makes_nothing_due() -> None:
    assert read_mentions(path(user("go"), assistant(calls=[READS]))) == Mentions(
        wanted={}, corrections=Corrections()
    )
