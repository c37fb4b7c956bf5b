"""What a path shows the model."""

from dataclasses import replace

from longhaul.transcript.entries import (
    AssistantMessage,
    BranchSummaryMessage,
    CompactionSummaryMessage,
    CustomMessage,
    Message,
    Path,
    TextBlock,
    UserMessage,
)
from longhaul.transcript.projection import (
    find_kept_index,
    first_indices,
    project_path,
    select_context,
)
from tests.build import (
    assistant,
    branch_summary,
    compaction,
    context_edit,
    custom,
    custom_message,
    message_entry,
    path,
    result,
    system,
    user,
)


def shown(entries: Path) -> list[tuple[str, tuple[Message, ...]]]:
    return [(one.entry.id, one.messages) for one in project_path(entries)]


def context_ids(entries: Path) -> list[str]:
    return [entry.id for entry in select_context(entries)]


def test_a_path_that_was_never_compacted_is_its_own_context() -> None:
    entries = path(
        user("a"), custom("x"), branch_summary("b"), branch_summary(""), custom_message("c")
    )
    assert shown(entries) == [
        ("e1", (UserMessage("a"),)),
        ("e2", ()),
        ("e3", (BranchSummaryMessage("b"),)),
        ("e4", ()),
        ("e5", (CustomMessage("note", "c"),)),
    ]


def test_an_empty_path_shows_nothing() -> None:
    assert project_path(()) == ()


def test_the_newest_compaction_leads_then_what_it_keeps_then_what_follows() -> None:
    entries = path(
        user("a"), user("b"), compaction("old", "e2"), user("c"), compaction("new", "e2"), user("d")
    )
    assert shown(entries) == [
        ("e5", (CompactionSummaryMessage("new"),)),
        ("e2", (UserMessage("b"),)),
        ("e3", ()),
        ("e4", (UserMessage("c"),)),
        ("e6", (UserMessage("d"),)),
    ]


def test_a_compaction_keeps_nothing_under_its_own_id_or_an_unknown_one() -> None:
    assert context_ids(path(user("a"), compaction("s"), user("b"))) == ["e2", "e3"]
    assert context_ids(path(user("a"), compaction("s", "gone"), user("b"))) == ["e2", "e3"]


def test_of_entries_with_one_id_a_compaction_keeps_the_first_before_it_and_all_behind() -> None:
    twice = (user("a"), user("b"), user("c"), compaction(first_kept="e2"), user("d"))
    entries = tuple(
        replace(entry, id=entry_id)
        for entry, entry_id in zip(path(*twice), ("e1", "e2", "e2", "e4", "e1"), strict=True)
    )
    assert find_kept_index(entries, 3, "e2") == 1
    assert find_kept_index(entries, 1, "e2") is None
    assert first_indices(entries) == {"e1": 0, "e2": 1, "e4": 3}
    assert context_ids(entries) == ["e4", "e2", "e2", "e1"]


def test_a_compactions_system_message_stands_for_those_it_keeps() -> None:
    prompt = system("now")
    entries = path(
        message_entry(system("old")),
        user("a"),
        message_entry(system("kept")),
        compaction("s", "e2", system_message=prompt),
        message_entry(system("after")),
    )
    assert context_ids(entries) == ["e4", "e2", "e5"]
    assert project_path(entries)[0].messages == (prompt, CompactionSummaryMessage("s"))


def test_the_newest_edit_replaces_content_or_leaves_the_entry_out() -> None:
    reply = AssistantMessage(
        content=(TextBlock("new"),), provider="scripted", model="scripted-1", stop_reason="stop"
    )
    entries = path(
        user("a"),
        assistant("b"),
        custom_message("c"),
        user("d"),
        context_edit("e1", "never seen"),
        context_edit("e1", (TextBlock("A"),)),
        context_edit("e2", "new"),
        context_edit("e3"),
        context_edit("e4", "D"),
    )
    assert shown(entries)[:4] == [
        ("e1", (UserMessage((TextBlock("A"),)),)),
        ("e2", (reply,)),
        ("e3", ()),
        ("e4", (UserMessage("D"),)),
    ]


def test_an_edit_gives_a_result_a_list_of_blocks() -> None:
    entries = path(result("c1", "long", tool="bash"), context_edit("e1", "short"))
    message = project_path(entries)[0].messages[0]
    assert getattr(message, "content", None) == (TextBlock("short"),)


def test_an_edit_cannot_change_a_summary_but_can_leave_it_out() -> None:
    entries = path(branch_summary("b"), context_edit("e1", "new"))
    assert shown(entries)[0] == ("e1", (BranchSummaryMessage("b"),))
    assert shown(path(branch_summary("b"), context_edit("e1")))[0] == ("e1", ())


def test_an_edit_in_the_closed_part_of_a_path_no_longer_counts() -> None:
    entries = path(user("a"), context_edit("e1", "A"), compaction("s", "e1"), user("b"))
    assert ("e1", (UserMessage("A"),)) in shown(entries)
