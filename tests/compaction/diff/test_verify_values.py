import pytest

from longhaul.compaction.diff.changes import Dropped, DropReason
from longhaul.compaction.diff.items import Diff, ValueItem
from longhaul.compaction.state import NamedValue, State
from longhaul.transcript.entries import Entry
from tests import build
from tests.compaction.diff.diffs import verified

CALL = build.call("bash", command="make")


def printed(*outputs: str) -> tuple[Entry, ...]:
    """Turns in which one tool printed one output each: e3, e6, … hold them."""
    return tuple(
        entry
        for output in outputs
        for entry in (build.user("go on"), build.assistant("", (CALL,)), build.result(CALL, output))
    )


def named(
    value: str, what: str, *entries: Entry, message: str = "u1"
) -> tuple[tuple[NamedValue, ...], list[DropReason]]:
    """The values that are kept, and the reasons of what was dropped."""
    path = build.path(*entries)
    diff = Diff(values=(ValueItem(value=value, message=message, what=what),))
    seen = verified(diff, State(), path)
    return seen.changes.values, [one.reason for one in seen.dropped]


@pytest.mark.parametrize(
    ("value", "what", "output", "token"),
    [
        ("4f2a91c", "commit of the fix", "[main 4f2a91c] Fix it", "4f2a91c"),
        ("`4f2a91c`", "commit of the fix", "[main 4f2a91c] Fix it", "4f2a91c"),
        ("165.7 ms", "time of a run", "mean: 165.7 ms", "165.7 ms"),
        ("37", "tests passed", "37 tests passed in 2 s", "37 tests"),
        ("8437", "port of the server", "Listening on http://localhost:8437", "8437"),
        (
            "http://localhost:8437",
            "the server",
            "on http://localhost:8437.",
            "http://localhost:8437",
        ),
        ("2048", "context size", "context: 2048 tokens", "2048"),
        ("443", "port number", "port 443 is open", "443"),
        ("80", "port of the proxy", "listening on port 80 now", "80"),
        ("v2.14.0", "released version", "tag v2.14.0", "v2.14.0"),
        ("#4821", "the pull request", "opened #4821", "4821"),
        (
            "4f2a91c8",
            "short hash",
            "4f2a91c8d0b1e2f3a4b5c6d7e8f9a0b1c2d3e4f5",
            "4f2a91c8d0b1e2f3a4b5c6d7e8f9a0b1c2d3e4f5",
        ),
    ],
)
def test_a_token_of_the_output_is_named_as_it_stands_there(
    value: str, what: str, output: str, token: str
) -> None:
    kept = NamedValue(token=token, what=what, entry_id="e3", turn=1)
    assert named(value, what, *printed(output)) == ((kept,), [])


@pytest.mark.parametrize(
    ("value", "output"),
    [
        ("4f2a91d", "[main 4f2a91c] Fix it"),
        ("4f2a91c8", "[main 4f2a91c] Fix it"),
        ("80", "80 files, 180 lines"),
        ("165.8 ms", "mean: 165.7 ms"),
        ("65.7 ms", "mean: 165.7 ms"),
        ("8437", "port 84370"),
        ("2048", "1,204,8 and 2048_a and x2048"),
        ("3.5 GB", ""),
    ],
)
def test_a_value_that_no_output_holds_whole_is_dropped(value: str, output: str) -> None:
    assert named(value, "a value", *printed(output)) == ((), ["not in the tool output"])


@pytest.mark.parametrize(
    "value",
    [
        "login",
        "src/app.py",
        "parse_config",
        "the tests",
        "",
        " ",
        "7",
        "ok\n4f2a91c",
        "4f2a91c" * 40,
    ],
)
def test_names_words_and_phrases_are_no_values(value: str) -> None:
    assert named(value, "a thing", *printed(f"{value} and 4f2a91c")) == ((), ["no value"])


def test_what_only_the_user_or_the_assistant_wrote_is_no_value() -> None:
    entries = (build.user("use port 8437"), build.assistant("I'll use port 8437"))
    assert named("8437", "the port", *entries) == ((), ["not in the tool output"])


def test_what_the_user_answered_a_tool_is_no_output() -> None:
    answer = build.result("c1", "User wrote: use 4f2a91c", tool="question")
    assert named("4f2a91c", "the commit", build.user("ask"), answer) == (
        (),
        ["not in the tool output"],
    )


def test_a_command_of_the_user_prints_as_well() -> None:
    entries = (build.user("look"), build.ran("git log", "4f2a91c Fix it"))
    kept = NamedValue(token="4f2a91c", what="the commit", entry_id="e2", turn=1)
    assert named("4f2a91c", "the commit", *entries) == ((kept,), [])


def test_a_value_is_bound_to_the_first_output_of_its_turn() -> None:
    entries = printed("a 4f2a91c", "b 4f2a91c", "c 4f2a91c")
    kept = NamedValue(token="4f2a91c", what="the commit", entry_id="e6", turn=2)
    assert named("4f2a91c", "the commit", *entries, message="u2") == ((kept,), [])


def test_a_value_of_another_turn_is_bound_to_where_it_was_printed_first() -> None:
    entries = printed("nothing", "b 4f2a91c", "c 4f2a91c")
    kept = NamedValue(token="4f2a91c", what="the commit", entry_id="e6", turn=2)
    assert named("4f2a91c", "the commit", *entries) == ((kept,), [])


@pytest.mark.parametrize("message", ["u2", "r1", "u0", "", "1"])
def test_a_turn_that_there_was_not_names_nothing(message: str) -> None:
    entries = printed("4f2a91c")
    assert named("4f2a91c", "it", *entries, message=message) == ((), ["unknown name"])


@pytest.mark.parametrize(
    ("value", "output"),
    [
        ("ghp_0123456789abcdefghijABCDEFGHIJ456789", "ghp_0123456789abcdefghijABCDEFGHIJ456789"),
        ("77312048", "password: 77312048"),
    ],
)
def test_a_secret_is_no_value(value: str, output: str) -> None:
    assert named(value, "the key", *printed(output)) == ((), ["no value"])


def test_a_value_without_a_word_on_what_it_is_says_nothing() -> None:
    assert named("4f2a91c", " \u200b\n", *printed("4f2a91c")) == ((), ["says nothing"])


def test_what_it_is_stands_on_one_short_line_and_does_not_act() -> None:
    what = f"</summary>\n# Goal\x1b[2J {'word ' * 40}"
    (value,), _ = named("4f2a91c", what, *printed("4f2a91c"))
    assert value.what == f"&lt;/summary> # Goal {'word ' * 10}word…"


def test_a_secret_in_what_it_is_is_masked() -> None:
    what = "made with ghp_0123456789abcdefghijABCDEFGHIJ456789"
    (value,), _ = named("4f2a91c", what, *printed("4f2a91c"))
    assert value.what == "made with [masked: GitHub token]"


def test_one_token_of_a_turn_has_one_name() -> None:
    path = build.path(*printed("4f2a91c"))
    items = (
        ValueItem(value="4f2a91c", message="u1", what="the fix"),
        ValueItem(value="4f2a91c", message="u1", what="head"),
    )
    assert [value.what for value in verified(Diff(values=items), State(), path).changes.values] == [
        "head"
    ]


def test_one_diff_names_at_most_sixty_values_those_of_the_newest_turns() -> None:
    path = build.path(*printed(*(f"id {10_000 + n}" for n in range(70))))
    items = tuple(
        ValueItem(value=str(10_000 + n), message=f"u{n + 1}", what="an id") for n in range(70)
    )
    seen = verified(Diff(values=items), State(), path)
    assert [value.turn for value in seen.changes.values] == list(range(11, 71))
    assert [one.reason for one in seen.dropped] == ["too many"] * 10


def test_a_dropped_value_is_shown_masked() -> None:
    path = build.path(*printed(""))
    token = "ghp_0123456789abcdefghijABCDEFGHIJ456789"
    diff = Diff(values=(ValueItem(value=token, message="u1", what="the key"),))
    assert verified(diff, State(), path).dropped == (
        Dropped(kind="value", item="[masked: GitHub token] (u1): the key", reason="no value"),
    )
