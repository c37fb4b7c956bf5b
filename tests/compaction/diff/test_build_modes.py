"""The span asked about turn by turn, and behind the session's own request."""

from longhaul.compaction.completion import PromptMessage
from longhaul.compaction.diff.build import (
    BuildOptions,
    build_request,
    build_turn_requests,
    build_warm_request,
)
from longhaul.compaction.diff.instructions import INSTRUCTIONS
from longhaul.compaction.diff.schema import DIFF_SCHEMA
from longhaul.transcript.entries import Path
from tests.build import assistant, call, path, ran, result, user
from tests.compaction.diff.spans import state_of, text_of

OPTIONS = BuildOptions()
RUN = call("bash", command="make check")
READ = call("read", path="a.py")
SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ456789"


def session() -> Path:
    return path(
        user("Build an importer. Never touch the vendor folder."),
        assistant("Looking.", [RUN]),
        result(RUN, "41 passed in 1.25s"),
        assistant("41 passed in 1.25s."),
        user("The vendor folder is yours again."),
        assistant("Good.", [READ, READ, READ]),
        *[result(READ, "x = 1\n" * 400)] * 3,
        user("next"),
    )


def test_each_turn_has_a_request_of_its_own_with_the_same_names() -> None:
    entries = session()
    built = build_turn_requests(entries, state_of(entries, 9), start=0, end=9, options=OPTIONS)
    assert [text_of(one) for one in built] == [
        "<session>\n"
        "Lifted in this stretch:\n"
        "r1 (u1), lifted by u2: Never touch the vendor folder.\n"
        "The stretch:\n"
        "u1 user: Build an importer. Never touch the vendor folder.\n"
        "- says: Looking.\n"
        "- bash make check: ok, 41 passed in 1.25s\n"
        "- says: 41 passed in 1.25s.\n"
        "Values printed and then used: 41 passed (u1), 1.25s (u1)\n"
        "</session>\n"
        "Answer with the JSON object now.",
        "<session>\n"
        "Lifted in this stretch:\n"
        "r1 (u1), lifted by u2: Never touch the vendor folder.\n"
        "The stretch:\n"
        "u2 user: The vendor folder is yours again.\n"
        "- says: Good.\n"
        "- read a.py: ok\n"
        "- read a.py: ok\n"
        "- read a.py: ok\n"
        "</session>\n"
        "Answer with the JSON object now.",
    ]


def test_a_span_without_a_line_is_asked_about_once() -> None:
    entries = session()
    built = build_turn_requests(entries, state_of(entries, 9), start=9, end=9, options=OPTIONS)
    assert len(built) == 1


def test_a_warm_request_repeats_the_sessions_own_and_adds_what_came_since() -> None:
    entries = session()
    captured = (
        PromptMessage("system", "You are pi."),
        PromptMessage("user", "Build an importer. Never touch the vendor folder."),
    )
    built = build_warm_request(
        captured, entries, state_of(entries, 9), start=0, end=9, options=OPTIONS
    )
    assert built.request.schema == DIFF_SCHEMA
    assert built.request.messages[:7] == (
        *captured,
        PromptMessage("assistant", "Looking.\n[bash(command=make check)]"),
        PromptMessage("user", "41 passed in 1.25s"),
        PromptMessage("assistant", "41 passed in 1.25s."),
        PromptMessage("user", "The vendor folder is yours again."),
        PromptMessage("assistant", "Good." + "\n[read(path=a.py)]" * 3),
    )
    assert [message.text for message in built.request.messages[7:-1]] == ["x = 1\n" * 400] * 3
    asked = built.request.messages[-1]
    assert asked.role == "user"
    assert INSTRUCTIONS in asked.text
    assert "from u1 to u2" in asked.text
    assert "\nu2 user: The vendor folder is yours again.\n" in asked.text


def test_a_captured_request_that_reaches_past_the_cut_or_is_unknown_gets_nothing_added() -> None:
    entries = session()
    state = state_of(entries, 2)
    for last in ("41 passed in 1.25s", "nobody said so", ""):
        captured = (PromptMessage("user", last),)
        built = build_warm_request(captured, entries, state, start=0, end=2, options=OPTIONS)
        assert built.request.messages[:-1] == captured


def test_what_came_since_is_masked_and_leaves_out_what_the_model_never_saw() -> None:
    entries = path(user("hi"), ran("env", SECRET), assistant(f"{SECRET}"), user("next"))
    built = build_warm_request(
        (PromptMessage("user", "hi"),),
        entries,
        state_of(entries, 3),
        start=0,
        end=3,
        options=OPTIONS,
    )
    assert built.request.messages[1:-1] == (PromptMessage("assistant", "[masked: GitHub token]"),)


def test_a_warm_request_that_does_not_fit_the_window_is_asked_as_any_other() -> None:
    entries = session()
    state, options = state_of(entries, 9), BuildOptions(window_tokens=16_000)
    captured = (PromptMessage("user", "word " * 40_000),)
    warm = build_warm_request(captured, entries, state, start=0, end=9, options=options)
    assert warm == build_request(entries, state, start=0, end=9, options=options)
