"""The page of runs and the page of a session, as data and as bytes."""

from pathlib import Path

from longhaul.evals.cases import NotScored
from longhaul.evals.report.closed import Closed, Message
from longhaul.evals.report.loading import load_run
from longhaul.evals.report.page import LeftOut, Page, Setting, build_page, run_titles
from longhaul.evals.report.rendering import render_page
from longhaul.evals.report.sessions import Finding
from longhaul.evals.report.viewing import build_view
from tests.evals.label_files import save_session
from tests.evals.report.run_files import HOSTILE, ROWS, RULE, failed_row, save_run, text_row
from tests.records import asked, compacted, replied


def left_out(session: str, compaction: int, reason: str, arm: str = "") -> NotScored:
    return NotScored(session=session, compaction=compaction, arm=arm, reason=reason)


def page(*folders: Path) -> Page:
    return build_page([load_run(folder) for folder in folders])


def test_runs_are_told_apart_by_how_they_were_replayed_or_by_their_folders(tmp_path: Path) -> None:
    one = load_run(save_run(tmp_path / "one"))
    two = load_run(save_run(tmp_path / "two"))
    other = load_run(save_run(tmp_path / "three", is_chained=False))
    assert run_titles([one, other]) == ("chained", "takeover")
    assert run_titles([one, other, two]) == ("chained, one", "takeover", "chained, two")


def test_the_configuration_of_runs_stands_side_by_side(tmp_path: Path) -> None:
    found = page(save_run(tmp_path / "one"), save_run(tmp_path / "two", is_chained=False))
    assert found.told == "2 arms at 2 compactions of 1 recorded session"
    assert found.settings == (
        Setting(name="folder", values=("one", "two")),
        Setting(name="replay", values=("chained", "takeover")),
        Setting(name="sessions", values=("eval/sessions", "eval/sessions")),
        Setting(name="arms", values=("state, plain", "state, plain")),
        Setting(name="local-only sessions", values=("no", "no")),
        Setting(name="new", values=("3", "3")),
        Setting(name="labels", values=("abc", "abc")),
        Setting(name="commit", values=("0123456789ab", "0123456789ab")),
        Setting(name="version of longhaul", values=("0.1.0", "0.1.0")),
    )


def test_sessions_of_several_runs_stand_behind_each_other(tmp_path: Path) -> None:
    rows = [*ROWS, text_row(1, "x", session="all")]
    found = page(save_run(tmp_path / "a", rows=rows), save_run(tmp_path / "b", is_chained=False))
    assert [(one.name, one.run_title) for one in found.sessions] == [
        ("all", "chained"),
        ("tide", "chained"),
        ("tide", "takeover"),
    ]
    assert [one.run_title for one in page(tmp_path / "a").sessions] == ["", ""]


def test_what_was_not_scored_is_listed_by_reason(tmp_path: Path) -> None:
    not_scored = [
        left_out("tide", 2, "pi would cut elsewhere"),
        left_out("tide", 3, "pi would cut elsewhere"),
        left_out("ebb", 0, "no session"),
        left_out("tide", 4, "broken chain", "plain"),
    ]
    found = page(save_run(tmp_path / "a", not_scored=not_scored))
    assert found.left_out == (
        LeftOut(reason="pi would cut elsewhere", places=("tide, compaction 2 to 3",)),
        LeftOut(reason="no session", places=("ebb",)),
        LeftOut(reason="broken chain", places=("tide, compaction 4, plain",)),
    )
    both = page(tmp_path / "a", save_run(tmp_path / "b", is_chained=False))
    assert both.left_out[0].reason == "chained: pi would cut elsewhere"


def test_each_text_stands_beside_the_arms_last_one_and_a_failure_beside_none(
    tmp_path: Path,
) -> None:
    rows = [*ROWS[:3], failed_row(2, "no model", arm="plain"), text_row(3, "z", arm="plain")]
    (session,) = page(save_run(tmp_path, rows=[*rows, text_row(1, "again", repeat=2)])).sessions
    first, second, third = session.compactions
    assert session.arms == ("state", "plain")
    assert [(one.arm, one.before) for one in first.arms] == [("state", None), ("plain", None)]
    assert [(one.arm, one.before, one.failure) for one in second.arms] == [
        ("state", 1, ""),
        ("plain", 1, "no model"),
    ]
    assert second.arms[1].blocks == ()
    assert [(one.arm, one.before, one.number) for one in third.arms] == [("plain", 1, 1)]


def test_findings_name_what_is_due_once(tmp_path: Path) -> None:
    (session,) = page(save_run(tmp_path)).sessions
    state = session.compactions[1].arms[0]
    assert (state.n_lost, state.n_stray) == (3, 0)
    assert [(one.measure, one.text, one.is_main) for one in state.findings] == [
        ("goal", "0/1", True),
        ("rules", "1/2", True),
        ("rulesAnywhere", "2/2", False),
        ("lifts", "0/1", True),
        ("values", "1/1", True),
    ]
    before = session.compactions[0].arms[0]
    assert before.n_stray == 1
    assert before.findings[1] == Finding(
        measure="rules", is_main=True, text="1/1", kept=(RULE,), lost=(), found=()
    )


def test_a_run_without_rows_is_a_page_too(tmp_path: Path) -> None:
    found = page(save_run(tmp_path, rows=()))
    assert (found.sessions, found.tables) == ((), ())
    assert b"Longhaul evaluation" in render_page(found)


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    save_run(tmp_path)
    assert render_page(page(tmp_path)) == render_page(page(tmp_path))


def test_session_text_is_escaped_wherever_it_stands(tmp_path: Path) -> None:
    rows = [text_row(1, HOSTILE, arm=HOSTILE, session=HOSTILE)]
    folder = save_run(tmp_path, rows=rows, not_scored=[left_out(HOSTILE, 1, HOSTILE, HOSTILE)])
    text = render_page(page(folder)).decode()
    assert "<script" not in text
    assert "<img" not in text
    assert "\u202e" not in text
    assert "\x1b" not in text
    assert text.count("&lt;script&gt;") > 10


def test_a_view_says_what_each_compaction_closed(tmp_path: Path) -> None:
    found = build_view(save_session(tmp_path), ask_tools=())
    assert (found.title, found.is_view) == ("tide", True)
    assert found.told == "3 compactions, 6 messages of the user, 19 entries on the path"
    (session,) = found.sessions
    assert session.arms == ("recorded", "state-offline")
    assert [part.number for part in session.compactions] == [1, 2, 3]
    assert session.compactions[1].closed == Closed(
        by="pi",
        line=13,
        tokens_before=10,
        n_entries=7,
        messages=(
            Message(turn=2, line=4, text="Commit subjects in lower case."),
            Message(turn=3, line=7, text="How long does it take? Always round to\none decimal."),
        ),
        gained=(),
        lifted=(),
        lost=(),
        values=("165.7 ms (u3): It takes 166 ms.",),
    )
    assert found.open_messages == ()


def test_a_view_says_which_rules_were_given_and_lifted(tmp_path: Path) -> None:
    bodies = (
        *(asked("Build a tide table reader."), replied("Done.")),
        *(asked("From now on never use semicolons."), replied("Fine."), compacted("e5")),
        *(asked("The rule about semicolons no longer applies."), replied("Fine.")),
        compacted("e8"),
    )
    (session,) = build_view(save_session(tmp_path, *bodies), ask_tools=()).sessions
    given = "u2: From now on never use semicolons."
    closed = [part.closed for part in session.compactions if part.closed is not None]
    assert [(one.gained, one.lifted) for one in closed] == [
        ((given,), ()),
        ((), (f"{given}; by u3: The rule about semicolons no longer applies.",)),
    ]


def test_a_view_is_the_same_each_time(tmp_path: Path) -> None:
    session = save_session(tmp_path)
    first, second = (render_page(build_view(session, ask_tools=())) for _ in range(2))
    assert first == second


def test_a_session_without_a_compaction_is_shown_by_its_messages(tmp_path: Path) -> None:
    session = save_session(tmp_path, asked("password=hunter2hunter2x please"), replied("Yes."))
    found = build_view(session, ask_tools=())
    assert (found.sessions, [one.turn for one in found.open_messages]) == ((), [1])
    text = render_page(found).decode()
    assert "hunter2hunter2x" not in text
    assert "Still in view" in text
