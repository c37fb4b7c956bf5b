"""What a user corrects with `/longhaul` is an entry of the session, and holds from then on."""

from pathlib import Path
from typing import Any

import pytest

from tests.pi.driving import compact, fork_at, session_in
from tests.pi.sessions import RULE
from tests.pi.workspace import Workspace, compactions, notices, read_entries

PIN, PINNED = "Ask before you  delete a file", "Ask before you delete a file"


@pytest.fixture
def longhaul(workspace: Workspace) -> Workspace:
    workspace.write_json("longhaul.json", {"mode": "offline"})
    workspace.install()
    return workspace


def corrections(session: Path) -> list[Any]:
    entries = read_entries(session)
    return [entry["data"] for entry in entries if entry.get("customType") == "longhaul"]


def test_a_dropped_rule_is_no_rule_in_this_and_every_later_compaction(longhaul: Workspace) -> None:
    session = session_in(longhaul)
    with longhaul.start(session=session) as pi:
        pi.prompt("/longhaul drop r1")
        assert notices(pi) == ["Longhaul: r1 dropped: it was no rule"]
        compact(pi)
    with longhaul.start(session=session) as pi:
        pi.prompt("And part five. " * 100)
        compact(pi)
    assert corrections(session) == [{"drop": {"entryId": "00000001", "text": RULE}}]
    line = f'r1 (u1) "{RULE}", withdrawn: the user says that it was no rule'
    assert [line in entry["summary"] for entry in compactions(session)] == [True, True]


def test_a_restored_rule_is_in_force_again(longhaul: Workspace) -> None:
    session = session_in(longhaul)
    with longhaul.start(session=session) as pi:
        for command in ("drop r1", "restore r1", "restore r1"):
            pi.prompt(f"/longhaul {command}")
        compact(pi)
        assert notices(pi)[:3] == [
            "Longhaul: r1 dropped: it was no rule",
            "Longhaul: r1 restored: it is in force again",
            "Longhaul: r1 is in force already",
        ]
    target = {"entryId": "00000001", "text": RULE}
    assert corrections(session) == [{"drop": target}, {"restore": target}]
    assert f'"{RULE}"' in compactions(session)[0]["summary"]


def test_a_pinned_rule_stands_in_the_state(longhaul: Workspace) -> None:
    session = session_in(longhaul)
    with longhaul.start(session=session) as pi:
        pi.prompt(f"/longhaul pin {PIN}")
        pi.prompt("/longhaul")
        pinned, shown = notices(pi)
        compact(pi)
    assert pinned == "Longhaul: pinned as r2"
    assert PINNED in shown
    assert corrections(session) == [{"pin": {"text": PINNED}}]
    assert PINNED in compactions(session)[0]["summary"]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("drop r9", "there is no r9; name a rule to drop: r1"),
        ("drop r1 r2", "one rule at a time; name a rule to drop: r1"),
        ("drop", "name a rule to drop: r1"),
        ("restore r1", "r1 is in force already"),
        ("restore", "there is no rule to restore"),
        ("pin", "say the rule: /longhaul pin TEXT"),
    ],
)
def test_a_correction_that_cannot_be_made_says_what_can(
    longhaul: Workspace, command: str, said: str
) -> None:
    session = session_in(longhaul)
    with longhaul.start(session=session) as pi:
        pi.prompt(f"/longhaul {command}")
        assert notices(pi) == [f"Longhaul: {said}"]
    assert corrections(session) == []


def test_a_correction_belongs_to_its_branch(longhaul: Workspace) -> None:
    session = session_in(longhaul)
    with longhaul.start(session=session) as pi:
        pi.prompt("/longhaul drop r1")
        fork_at(pi, -1)
        pi.prompt("/longhaul")
        assert f'"{RULE}"' in notices(pi)[-1]


def test_in_a_session_where_nothing_was_said_a_rule_can_be_pinned(longhaul: Workspace) -> None:
    with longhaul.start() as pi:
        for command in ("", "drop r1", f"pin {PIN}", ""):
            pi.prompt(f"/longhaul {command}".strip())
        *said, shown = notices(pi)
    assert said == [
        "Longhaul: nothing has been said yet",
        "Longhaul: there is no r1; there is no rule to drop",
        "Longhaul: pinned as r1",
    ]
    assert PINNED in shown


def test_the_state_says_whether_longhaul_is_off(longhaul: Workspace) -> None:
    off = "Longhaul is off in this session (`/longhaul on` turns it on).\n\n"
    with longhaul.start(session=session_in(longhaul)) as pi:
        for command in ("off", "", "on", ""):
            pi.prompt(f"/longhaul {command}".strip())
        _, shown_off, _, shown_on = notices(pi)
    assert shown_off == off + shown_on
    assert f'"{RULE}"' in shown_on
