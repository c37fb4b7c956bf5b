"""Where a path is cut; the same cases and more are held against real pi in `tests/pi/parity`."""

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from longhaul.compaction.cut import CompactionSettings, Preparation, prepare_compaction
from longhaul.compaction.file_operations import FileOperations
from longhaul.transcript.entries import (
    AssistantMessage,
    Entry,
    Message,
    MessageEntry,
    NestedCall,
    Path,
    SystemMessage,
    TextBlock,
    ToolResultMessage,
    UserMessage,
)
from longhaul.transcript.projection import project_path
from tests.build import (
    assistant,
    call,
    compaction,
    context_edit,
    custom,
    message_entry,
    opaque,
    path,
    result,
    system,
    user,
)
from tests.strategies import paths

LONG = "x" * 400
BASH = call("bash", command="ls")


def prepare(entries: Path, keep: int = 50) -> Preparation | None:
    return prepare_compaction(entries, CompactionSettings(keep_recent_tokens=keep))


def cut(*entries: Entry, keep: int = 50) -> Preparation:
    made = prepare(path(*entries), keep)
    assert made is not None
    return made


def test_the_defaults_are_pis() -> None:
    settings = CompactionSettings()
    assert (settings.enabled, settings.reserve_tokens, settings.keep_recent_tokens) == (
        True,
        16_384,
        20_000,
    )


def test_the_newest_messages_up_to_the_budget_stay() -> None:
    assert cut(user("a"), assistant("b"), user(LONG), assistant("1234")) == Preparation(
        first_kept_entry_id="e3",
        messages_to_summarize=(UserMessage("a"), reply("b")),
        turn_prefix_messages=(),
        is_split_turn=False,
        tokens_before=103,
        previous_summary=None,
        file_operations=FileOperations(),
        settings=CompactionSettings(keep_recent_tokens=50),
    )


def test_a_budget_that_is_met_exactly_is_full() -> None:
    assert cut(user("a"), user("x" * 200)).first_kept_entry_id == "e2"
    assert prepare(path(user("a"), user("x" * 192))) is None


def test_there_is_nothing_to_compact_in_nothing_after_a_compaction_and_within_the_budget() -> None:
    assert prepare(()) is None
    assert prepare(path(user(LONG), user(LONG), compaction("s", "e2"))) is None
    assert prepare(path(user("a"), user("b"))) is None
    assert prepare(path(custom("x"), opaque("label"))) is None


def test_a_cut_inside_a_turn_splits_it() -> None:
    made = cut(user("old"), assistant("done"), user("a"), assistant("b"), assistant(LONG))
    assert (made.first_kept_entry_id, made.is_split_turn) == ("e5", True)
    assert made.messages_to_summarize == (UserMessage("old"), reply("done"))
    assert made.turn_prefix_messages == (UserMessage("a"), reply("b"))


def test_a_cut_at_a_reply_without_a_turn_before_it_splits_nothing() -> None:
    made = cut(assistant("a"), assistant("b"), assistant(LONG))
    assert (made.first_kept_entry_id, made.is_split_turn) == ("e3", False)


def test_a_result_that_fills_the_budget_goes_to_the_next_cut_point() -> None:
    assert (
        cut(user("a"), assistant("b", [BASH]), result(BASH, LONG), user("c")).first_kept_entry_id
        == "e4"
    )


def test_a_trailing_result_over_the_budget_stays_with_its_call() -> None:
    assert cut(user("a"), assistant("b", [BASH]), result(BASH, LONG)).first_kept_entry_id == "e2"


def test_the_summary_before_is_handed_over_and_its_range_begins_the_span() -> None:
    made = cut(user("a"), user("b"), compaction("so far", "e2"), user("c"), user(LONG))
    assert made.previous_summary == "so far"
    assert made.messages_to_summarize == (UserMessage("b"), UserMessage("c"))


def test_a_compaction_that_an_edit_leaves_out_is_no_previous_one() -> None:
    made = cut(user("a"), compaction("gone", "e1"), context_edit("e2"), user("b"), user(LONG))
    assert made.previous_summary is None


def test_an_older_compaction_in_the_kept_range_stops_the_kept_window() -> None:
    made = cut(user("a"), compaction("old", "e1"), user(LONG), compaction("new", "e1"), user("b"))
    assert (made.first_kept_entry_id, made.messages_to_summarize) == ("e3", (UserMessage("a"),))


def test_entries_without_messages_stay_with_what_follows() -> None:
    assert cut(user("a"), custom("x"), opaque("label"), user(LONG)).first_kept_entry_id == "e2"


def test_system_messages_are_not_summarized() -> None:
    made = cut(message_entry(system("prompt")), user("a"), user(LONG))
    assert made.messages_to_summarize == (UserMessage("a"),)


def test_an_attempt_that_edits_took_back_lets_the_cut_pass_its_input() -> None:
    failed = assistant("half", stop_reason="error")
    assert cut(user("a"), user(LONG), failed, context_edit("e3")).first_kept_entry_id == "e3"
    kept = cut(user("a"), user(LONG), failed, context_edit("e3"), context_edit("e1", "b"))
    assert kept.first_kept_entry_id == "e2"
    seen = cut(user("a"), user(LONG), failed, context_edit("e3"), user("c"))
    assert seen.first_kept_entry_id == "e2"


def test_a_replacement_of_what_was_taken_back_does_not_stop_the_cut() -> None:
    failed = assistant("half", stop_reason="error")
    taken_back = (context_edit("e3", "other"), context_edit("e3"))
    assert cut(user("a"), user(LONG), failed, *taken_back).first_kept_entry_id == "e3"


def test_a_compaction_after_an_attempt_that_was_taken_back_stops_the_cut() -> None:
    failed = assistant("half", stop_reason="error")
    compacted = (compaction("old", "e1"), compaction("new", "e1"), opaque("label"))
    made = cut(user("a"), user(LONG), failed, context_edit("e3"), *compacted)
    assert made.first_kept_entry_id == "e2"


def test_files_of_a_split_turns_prefix_are_listed_too() -> None:
    made = cut(user("a"), assistant("b", [call("read", path="r")]), assistant(LONG))
    assert made.is_split_turn
    assert made.file_operations == FileOperations(read=("r",))


def test_files_come_from_calls_nested_calls_and_pis_own_compaction() -> None:
    nested = ToolResultMessage(
        tool_call_id="c9",
        tool_name="code",
        content=(),
        nested_calls=(NestedCall(name="edit", arguments={"path": "n"}),),
    )
    calls = [call("read", path="r"), call("write", path="w"), call("bash", path="b")]
    calls += [call("read", path=""), call("read", path=5), call("read", path="r")]
    made = cut(
        user("a"),
        compaction("s", details={"readFiles": ["p", 5], "modifiedFiles": "none"}),
        assistant("b", calls),
        MessageEntry(id="", parent_id=None, message=nested),
        user(LONG),
    )
    assert made.file_operations == FileOperations(read=("p", "r"), written=("w",), edited=("n",))


def test_files_of_an_extensions_compaction_are_not_carried() -> None:
    entry = compaction("s", details={"readFiles": ["p"]}, from_hook=True)
    assert cut(user("a"), entry, user("b"), user(LONG)).file_operations == FileOperations()
    assert (
        cut(user("a"), compaction("s"), user("b"), user(LONG)).file_operations == FileOperations()
    )


@given(entries=paths, keep=st.sampled_from((0, 1, 10, 40, 1200)))
def test_span_and_kept_window_cover_the_context(entries: Path, keep: int) -> None:
    made = prepare(entries, keep)
    if made is None:
        return
    shown = project_path(entries)
    index = [one.entry.id for one in shown].index(made.first_kept_entry_id)
    window = conversation(message for one in shown[index:] for message in one.messages)
    whole = conversation(message for one in shown for message in one.messages)
    leading = 1 if made.previous_summary is not None else 0
    span = (*made.messages_to_summarize, *made.turn_prefix_messages)
    assert (*whole[:leading], *span, *window) == whole


@given(entries=paths, keep=st.sampled_from((0, 1, 10, 40, 1200)))
def test_no_cut_parts_a_result_from_the_call_before_it(entries: Path, keep: int) -> None:
    made = prepare(entries, keep)
    if made is None:
        return
    shown = project_path(entries)
    index = [one.entry.id for one in shown].index(made.first_kept_entry_id)
    first = next((one.messages[0] for one in shown[index:] if one.messages), None)
    assert not isinstance(first, ToolResultMessage)


def conversation(messages: Iterable[Message]) -> tuple[Message, ...]:
    return tuple(message for message in messages if not isinstance(message, SystemMessage))


def reply(text: str) -> AssistantMessage:
    return AssistantMessage(
        content=(TextBlock(text),), provider="scripted", model="scripted-1", stop_reason="stop"
    )
