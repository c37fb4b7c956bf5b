"""The texts of a session that can be searched."""

import pytest

from longhaul.compaction.recall.documents import Corpus, Kind, entry_parts
from longhaul.transcript.entries import (
    BashExecutionMessage,
    BranchSummaryMessage,
    CompactionSummaryMessage,
    CustomMessage,
    Entry,
    MessageEntry,
    NestedCall,
    OpaqueMessage,
    TextBlock,
    ToolResultMessage,
)
from tests.build import (
    assistant,
    branch_summary,
    call,
    compaction,
    context_edit,
    custom,
    custom_message,
    message_entry,
    opaque,
    path,
    ran,
    result,
    system,
    user,
)


def entry_of(message: object) -> MessageEntry:
    return MessageEntry(id="e1", parent_id=None, message=message)  # type: ignore[arg-type]


CASES: list[tuple[Entry, list[tuple[Kind, str, str]]]] = [
    (user("hello"), [("user", "hello", "")]),
    (user([TextBlock("a"), TextBlock("b")]), [("user", "a\nb", "")]),
    (user(""), []),
    (
        user('<file name="a.txt">\ntext\n</file>\nread it'),
        [
            ("user", "\nread it", ""),
            ("attached", '<file name="a.txt">\ntext\n</file>\nread it', ""),
        ],
    ),
    (
        assistant("Done.", [call("bash", command="ls -l")], thinking="Hm."),
        [("thinking", "Hm.", ""), ("assistant", "Done.", ""), ("command", "ls -l", "bash")],
    ),
    (
        assistant(calls=[call("bash", command="ls", timeout=60)]),
        [("command", "ls\ntimeout=60", "bash")],
    ),
    (
        assistant(
            calls=[
                call("edit", path="a.py", edits=[{"oldText": "x", "n": 1, "all": None}], go=True)
            ]
        ),
        [("call", "a.py\nx\nn=1\ngo=True", "edit")],
    ),
    (assistant(calls=[call("status")]), [("call", "status", "status")]),
    (result("c1", "ok", tool="read"), [("output", "ok", "read")]),
    (result("c1", "", tool="read"), []),
    (
        result("c1", "User wrote: the red one", tool="question"),
        [
            ("output", "User wrote: the red one", "question"),
            ("answer", "the red one", "question"),
        ],
    ),
    (
        entry_of(
            ToolResultMessage(
                tool_call_id="c1",
                tool_name="script",
                content="",
                nested_calls=(NestedCall(name="read", arguments={"path": "b.py"}),),
            )
        ),
        [("call", "b.py", "read")],
    ),
    (assistant(calls=[call("longhaul_recall", query="port")]), []),
    (result("c1", "u3: the port is 8080", tool="longhaul_recall"), []),
    (ran("make", "built"), [("command", "make", "bash"), ("output", "built", "bash")]),
    (entry_of(BashExecutionMessage(command="", output="")), []),
    (custom_message("note this", "memo"), [("note", "note this", "memo")]),
    (entry_of(CustomMessage("memo", "note this")), [("note", "note this", "memo")]),
    (context_edit("e1", "shorter"), [("note", "shorter", "context edit")]),
    (context_edit("e1"), []),
    (branch_summary("went wrong"), [("summary", "went wrong", "")]),
    (entry_of(BranchSummaryMessage("went wrong")), [("summary", "went wrong", "")]),
    (entry_of(CompactionSummaryMessage("so far")), [("summary", "so far", "")]),
    (compaction("so far"), [("summary", "so far", "")]),
    (
        compaction("so far", system_message=system("Be brief.", {"tools": "read", "gone": None})),
        [("summary", "so far", ""), ("system", "Be brief.", ""), ("system", "read", "")],
    ),
    (message_entry(system("Be brief.")), [("system", "Be brief.", "")]),
    (entry_of(OpaqueMessage("robot")), []),
    (custom("longhaul", {"pin": {"text": "x"}}), []),
    (opaque("label"), []),
]


@pytest.mark.parametrize(("entry", "parts"), CASES)
def test_an_entry_holds_these_texts(entry: Entry, parts: list[tuple[Kind, str, str]]) -> None:
    assert list(entry_parts(entry)) == parts


def test_a_reply_may_be_one_text() -> None:
    (entry,) = path(assistant("x"))
    assert isinstance(entry, MessageEntry)
    assert list(entry_parts(entry)) == [("assistant", "x", "")]


def test_documents_are_numbered_in_the_order_of_the_file() -> None:
    first, second, third = path(user("a"), opaque(), assistant("c", thinking="b"))
    corpus = Corpus()
    corpus.add([first, second])
    corpus.add([third])
    assert corpus.texts == ["a", "b", "c"]
    assert [corpus.documents_of(entry) for entry in (first, second, third)] == [
        range(1),
        range(1, 1),
        range(1, 3),
    ]
    assert len(corpus) == 3
