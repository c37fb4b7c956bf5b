"""What an entry says, asks, prints and thinks."""

from longhaul.evals.measures.entry_texts import EntryTexts, entry_texts
from longhaul.transcript.entries import (
    AssistantMessage,
    BashExecutionMessage,
    Entry,
    Message,
    MessageEntry,
    NestedCall,
    OpaqueMessage,
    ToolResultMessage,
)
from tests.build import (
    assistant,
    branch_summary,
    call,
    compaction,
    custom_message,
    message_entry,
    model_change,
    ran,
    result,
    system,
    user,
)


def entry(message: Message) -> Entry:
    return MessageEntry(id="", parent_id=None, message=message)


def test_a_reply_says_asks_and_thinks() -> None:
    edits = call("edit", path="a.py", edits=[{"old": "b", "line": 7, "all": True, "none": None}])
    assert entry_texts(assistant("Now.", [edits], thinking="Hm.")) == EntryTexts(
        said=("Now.",), called=("a.py", "b", "7"), thought=("Hm.",)
    )


def test_a_reply_may_be_plain_text_or_nothing() -> None:
    assert entry_texts(entry(AssistantMessage(content="Now."))) == EntryTexts(said=("Now.",))
    assert entry_texts(assistant()) == EntryTexts()


def test_a_user_says_and_so_does_an_answer_to_a_tool() -> None:
    assert entry_texts(user("Do it.")) == EntryTexts(said=("Do it.",))
    assert entry_texts(result("c1", "User wrote: no", tool="question")) == EntryTexts(
        said=("User wrote: no",)
    )


def test_a_result_prints_and_holds_the_calls_made_inside_the_tool() -> None:
    message = ToolResultMessage(
        tool_call_id="c1",
        tool_name="script",
        content="done",
        nested_calls=(NestedCall(name="read", arguments={"path": "a.py"}),),
    )
    assert entry_texts(entry(message)) == EntryTexts(called=("a.py",), printed=("done",))


def test_what_recall_quotes_is_told_and_not_printed() -> None:
    assert entry_texts(result("c1", "u1: 1287", tool="longhaul_recall")) == EntryTexts(
        told=("u1: 1287",)
    )


def test_a_command_of_the_user_prints_unless_it_is_kept_from_the_context() -> None:
    assert entry_texts(ran("make", "ok")) == EntryTexts(called=("make",), printed=("ok",))
    hidden = BashExecutionMessage(command="make", output="ok", exclude_from_context=True)
    assert entry_texts(entry(hidden)) == EntryTexts()


def test_the_system_prompt_and_extensions_tell() -> None:
    prompt = system("You are pi.", {"tools": "Use them.", "gone": None})
    assert entry_texts(message_entry(prompt)) == EntryTexts(told=("You are pi.", "Use them."))
    assert entry_texts(custom_message("note")) == EntryTexts(told=("note",))


def test_summaries_and_what_is_no_message_have_no_texts() -> None:
    others: list[Entry] = [
        compaction("1287", system_message=system("prompt")),
        branch_summary("1287"),
        model_change(),
        entry(OpaqueMessage("judge")),
    ]
    assert [entry_texts(other) for other in others] == [EntryTexts()] * 4
