"""The size of pi's own request, from texts written out; `tests/pi/parity` asks pi itself."""

from longhaul.compaction.diff.pi_request import estimate_pi_request
from longhaul.transcript.entries import (
    BashExecutionMessage,
    CompactionSummaryMessage,
    MessageEntry,
    OpaqueMessage,
)
from tests.build import (
    assistant,
    branch_summary,
    call,
    compaction,
    message_entry,
    path,
    ran,
    result,
    system,
    user,
)

SYSTEM_CHARS, PROMPT_CHARS, UPDATE_CHARS, PREFIX_CHARS = 310, 879, 1_257, 664
RUN = call("bash", command="ls")


def tokens(*texts_chars: int) -> int:
    return sum(-(-(SYSTEM_CHARS + chars) // 4) for chars in texts_chars)


def test_a_span_of_whole_turns_is_one_request() -> None:
    entries = path(user("hi"), assistant("ok", [RUN]), result(RUN, "a.py"), user("next"))
    conversation = (
        "<conversation>\n[User]: hi\n\n[Assistant]: ok\n\n"
        '[Assistant tool calls]: bash(command="ls")\n\n[Tool result]: a.py\n</conversation>\n\n'
    )
    assert estimate_pi_request(entries, start=0, end=3).tokens == tokens(
        len(conversation) + PROMPT_CHARS
    )


def test_an_earlier_summary_comes_with_a_longer_prompt() -> None:
    entries = path(user("a"), compaction("so far", first_kept="e3"), user("b"), user("next"))
    text = (
        "<conversation>\n[User]: b\n</conversation>\n\n"
        "<previous-summary>\nso far\n</previous-summary>\n\n"
    )
    assert estimate_pi_request(entries, start=2, end=3).tokens == tokens(len(text) + UPDATE_CHARS)


def test_a_split_turn_is_a_second_request_and_alone_the_only_one() -> None:
    entries = path(user("a"), assistant("b"), user("c"), assistant("d"), assistant("e"))
    history = "<conversation>\n[User]: a\n\n[Assistant]: b\n</conversation>\n\n"
    prefix = "# Conversation\n[User]: c\n\n[Assistant]: d\n\n# Instructions\n"
    assert estimate_pi_request(entries, start=0, end=4).tokens == tokens(
        len(history) + PROMPT_CHARS, len(prefix) + PREFIX_CHARS
    )
    assert estimate_pi_request(entries[2:], start=0, end=2).tokens == tokens(
        len(prefix) + PREFIX_CHARS
    )


def test_a_span_without_the_beginning_of_its_turn_is_not_split() -> None:
    entries = path(assistant("a"), assistant("b"))
    history = "<conversation>\n[Assistant]: a\n</conversation>\n\n"
    assert estimate_pi_request(entries, start=0, end=1).tokens == tokens(
        len(history) + PROMPT_CHARS
    )


def test_commands_of_the_user_and_branches_count_and_what_pi_does_not_send_does_not() -> None:
    hidden = BashExecutionMessage(command="env", output="x", exclude_from_context=True)
    stopped = BashExecutionMessage(command="top", output="", cancelled=True)
    entries = path(
        ran("ls", "a", exit_code=2),
        MessageEntry(id="", parent_id=None, message=hidden),
        MessageEntry(id="", parent_id=None, message=stopped),
        MessageEntry(id="", parent_id=None, message=OpaqueMessage("robot")),
        message_entry(system("be brief")),
        branch_summary("tried"),
        MessageEntry(id="", parent_id=None, message=CompactionSummaryMessage("so far")),
        user(""),
        user("next"),
    )
    text = (
        "<conversation>\n"
        "[User]: Ran `ls`\n```\na\n```\n\nCommand exited with code 2\n\n"
        "[User]: Ran `top`\n(no output)\n\n(command cancelled)\n\n"
        "[User]: The following is a summary of a branch that this conversation came back from:\n\n"
        "<summary>\ntried</summary>\n\n"
        "[User]: The conversation history before this point was compacted into the following"
        " summary:\n\n<summary>\nso far\n</summary>\n</conversation>\n\n"
    )
    assert estimate_pi_request(entries, start=0, end=8).tokens == tokens(len(text) + PROMPT_CHARS)


def test_an_empty_path_costs_the_prompts() -> None:
    frame = len("<conversation>\n\n</conversation>\n\n")
    assert estimate_pi_request((), start=0, end=0).tokens == tokens(frame + PROMPT_CHARS)
