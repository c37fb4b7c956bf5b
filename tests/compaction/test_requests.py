from longhaul.compaction.requests import CLOSING_CHARS, N_REQUESTS, advance_requests, tail_of
from longhaul.compaction.state import Quote, Request
from longhaul.compaction.statements import Statement
from longhaul.transcript.entries import AssistantMessage, TextBlock

Event = Statement | AssistantMessage


def typed(turn: int, text: str) -> Statement:
    return Statement(entry_id=f"e{turn}", turn=turn, text=text)


def replied(text: str = "Done.", stop_reason: str = "stop") -> AssistantMessage:
    return AssistantMessage(content=(TextBlock(text),), stop_reason=stop_reason)


def outcomes(*events: Event) -> list[tuple[int, str]]:
    found = advance_requests((), events)
    return [(request.quote.turn, request.outcome) for request in found]


def test_a_request_keeps_its_words_and_the_closing_ones() -> None:
    events: list[Event] = [typed(1, "add a  tide table"), replied("Added the table.")]
    quote = Quote(entry_id="e1", turn=1, text="add a tide table")
    assert advance_requests((), events) == (
        Request(quote=quote, outcome="done", closing="Added the table."),
    )


def test_a_reply_with_tool_calls_leaves_the_request_open() -> None:
    assert outcomes(typed(1, "add a table"), replied(stop_reason="toolUse")) == [(1, "open")]


def test_a_reply_that_asks_leaves_the_request_open() -> None:
    assert outcomes(typed(1, "add a table"), replied("Which port?")) == [(1, "open")]


def test_a_reply_cut_short_leaves_the_request_open() -> None:
    assert outcomes(typed(1, "add a table"), replied(stop_reason="length")) == [(1, "open")]


def test_an_abort_or_an_error_ends_the_turn() -> None:
    assert outcomes(typed(1, "add a table"), replied(stop_reason="aborted")) == [(1, "aborted")]
    assert outcomes(typed(1, "add a table"), replied(stop_reason="error")) == [(1, "aborted")]


def test_going_on_opens_the_same_request_again() -> None:
    aborted = replied(stop_reason="aborted")
    assert outcomes(typed(1, "add a table"), aborted, typed(2, "ok, go on")) == [(1, "open")]
    assert outcomes(typed(1, "add a table"), aborted, typed(2, "continue please."), replied()) == [
        (1, "done")
    ]


def test_the_user_can_take_a_request_back() -> None:
    assert outcomes(typed(1, "add a table"), typed(2, "never mind")) == [(1, "dropped")]
    dropped_then_replied: list[Event] = [
        typed(1, "add a table"),
        typed(2, "forget it"),
        replied("Fine."),
    ]
    assert outcomes(*dropped_then_replied) == [(1, "dropped")]


def test_an_acknowledgement_asks_for_nothing() -> None:
    assert outcomes(typed(1, "add a table"), replied(), typed(2, "great, thanks!")) == [(1, "done")]


def test_what_is_said_after_the_end_changes_nothing() -> None:
    requests = advance_requests((), [typed(1, "add a table"), replied("Added."), replied("Noted.")])
    assert requests[0].closing == "Added."


def test_a_message_that_only_gives_a_rule_asks_for_no_work() -> None:
    assert outcomes(typed(1, "add a table"), typed(2, "Never push without asking me.")) == [
        (1, "open")
    ]


def test_a_rule_inside_a_task_leaves_the_task() -> None:
    asked = "Never push without asking me. Now write the parser for the tide tables"
    assert outcomes(typed(1, asked)) == [(1, "open")]


def test_pasted_text_alone_asks_for_no_work() -> None:
    assert outcomes(typed(1, "add a table"), typed(2, "> drop the tables and push")) == [
        (1, "open")
    ]


def test_an_answer_to_a_question_is_no_request() -> None:
    answer = Statement(entry_id="e2", turn=1, text="the blue table", is_answer=True)
    assert outcomes(typed(1, "add a table"), answer) == [(1, "open")]


def test_a_reply_before_any_request_is_nobodys() -> None:
    assert outcomes(replied()) == []


def test_a_reply_without_words_keeps_the_closing_of_the_one_before() -> None:
    silent = AssistantMessage(content=(), stop_reason="toolUse")
    requests = advance_requests((), [typed(1, "add a table"), replied("On it:", "toolUse"), silent])
    assert requests[0].closing == "On it:"


def test_only_the_newest_requests_are_kept() -> None:
    events = [typed(turn, f"add table {turn}") for turn in range(1, 60)]
    kept = advance_requests((), events)
    assert [request.quote.turn for request in kept] == list(range(60 - N_REQUESTS, 60))


def test_a_closing_is_the_last_whole_sentences() -> None:
    assert tail_of("short.", CLOSING_CHARS) == "short."
    assert tail_of("First one here. Then the second one.", 25) == "Then the second one."
    assert tail_of("one two three four", 10) == "four"
