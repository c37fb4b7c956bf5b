"""The recall tool is offered where something was compacted, and passes a search on."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.pi.driving import compact, fork_at, session_in
from tests.pi.scripted_server import Reply
from tests.pi.workspace import Workspace, read_entries

TOOL = "longhaul_recall"
SERVER = (sys.executable, "-I", str(Path(__file__).with_name("faulty_server.py")), "good")
LONG = "Go on with the next part. " * 40


@pytest.fixture
def longhaul(workspace: Workspace) -> Workspace:
    workspace.install(SERVER)
    return workspace


def offers(workspace: Workspace) -> list[bool]:
    """Return for each request of the session whether it offered the tool, and said so."""
    offered = []
    for request in workspace.server.requests:
        names = {tool["function"]["name"] for tool in request["tools"]}
        assert (TOOL in names) == (TOOL in json.dumps(request["messages"][0]))
        offered.append(TOOL in names)
    return offered


def results(session: Path) -> list[Any]:
    messages = [entry.get("message", {}) for entry in read_entries(session)]
    return [message for message in messages if message.get("toolName") == TOOL]


def test_it_is_offered_from_the_first_compaction_on(longhaul: Workspace) -> None:
    session = session_in(longhaul)
    with longhaul.start(session=session) as pi:
        pi.prompt(LONG)
        compact(pi)
        pi.prompt(LONG)
    with longhaul.start(session=session) as pi:
        pi.prompt(LONG)
    assert offers(longhaul) == [False, True, True]


def test_it_is_offered_in_the_turn_that_a_compaction_interrupts(longhaul: Workspace) -> None:
    longhaul.server.script(
        Reply(tools=(("read", {"path": "notes.txt"}),), prompt_tokens=20_000),
        Reply(text="Done."),
    )
    with longhaul.start(session=session_in(longhaul)) as pi:
        pi.prompt(LONG)
    assert offers(longhaul) == [False, True]


def test_it_belongs_to_the_branch_that_was_compacted(longhaul: Workspace) -> None:
    session = session_in(longhaul)
    with longhaul.start(session=session) as pi:
        compact(pi)
        pi.prompt(LONG)
        fork_at(pi, 2)
        pi.prompt(LONG)
    assert offers(longhaul) == [True, False]


NAVIGATOR = """
export default function (pi) {
  pi.registerCommand("go", { handler: (id, ctx) => ctx.navigateTree(id, { summarize: false }) });
}
"""


def test_it_follows_the_tree(longhaul: Workspace) -> None:
    extension = longhaul.agent_dir / "extensions" / "navigator.ts"
    extension.write_text(NAVIGATOR, encoding="utf-8")
    session = session_in(longhaul)
    with longhaul.start(session=session) as pi:
        compact(pi)
        pi.prompt(LONG)
        compacted_leaf = read_entries(session)[-1]["id"]
        for leaf in ("00000008", compacted_leaf):
            pi.prompt(f"/go {leaf}")
            pi.prompt(LONG)
    assert offers(longhaul) == [True, False, True]


def test_it_is_not_offered_while_longhaul_is_off(longhaul: Workspace) -> None:
    with longhaul.start(session=session_in(longhaul)) as pi:
        compact(pi)
        for command in ("off", "on"):
            pi.prompt(f"/longhaul {command}")
            pi.prompt(LONG)
    assert offers(longhaul) == [False, True]


def test_a_user_can_leave_it_out(longhaul: Workspace) -> None:
    with longhaul.start("--exclude-tools", TOOL, session=session_in(longhaul)) as pi:
        compact(pi)
        pi.prompt(LONG)
    assert offers(longhaul) == [False]


@pytest.mark.parametrize(
    "arguments", [{"query": "port"}, {"query": "", "around": "00000003", "page": 2}]
)
def test_a_search_is_passed_on_and_its_result_comes_back(
    longhaul: Workspace, arguments: dict[str, object]
) -> None:
    session = session_in(longhaul)
    longhaul.server.script(Reply(tools=((TOOL, arguments),)), Reply(text="Found."))
    with longhaul.start(session=session) as pi:
        compact(pi)
        pi.prompt("Which port was it?")
    (result,) = results(session)
    asked = {"query": None, "page": None, "around": None, **arguments}
    assert result["content"] == [{"type": "text", "text": json.dumps(asked)}]
    assert result["details"] == {"nHits": 3}
    assert not result["isError"]


def test_an_abort_ends_a_search(longhaul: Workspace) -> None:
    session = session_in(longhaul)
    longhaul.server.script(Reply(tools=((TOOL, {"query": "hang"}),)))
    with longhaul.start(session=session) as pi:
        compact(pi)
        pi.send("prompt", message="Which port was it?")
        pi.wait_for("tool_execution_start")
        assert pi.request("abort")["success"]
        pi.wait_for("agent_settled")
    (result,) = results(session)
    assert result["isError"]


def test_it_works_without_a_user_interface(longhaul: Workspace) -> None:
    session = session_in(longhaul)
    with longhaul.start(session=session) as pi:
        compact(pi)
    longhaul.server.script(Reply(tools=((TOOL, {"query": "port"}),)), Reply(text="Found."))
    result = longhaul.print_mode("Which port was it?", session=session)
    assert (result.stdout.strip(), result.stderr) == ("Found.", "")
    assert len(results(session)) == 1
