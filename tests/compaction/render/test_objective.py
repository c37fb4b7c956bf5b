from longhaul.compaction.render.objective import Objective, find_objectives
from longhaul.compaction.state import Outcome, Quote, Request


def request(turn: int, outcome: Outcome) -> Request:
    return Request(quote=quote(turn), outcome=outcome)


def quote(turn: int) -> Quote:
    return Quote(entry_id=f"e{turn}", turn=turn, text=f"task {turn}")


def statuses(*outcomes: Outcome) -> list[str]:
    requests = tuple(request(turn, outcome) for turn, outcome in enumerate(outcomes, 1))
    return [objective.status for objective in find_objectives(requests)]


def test_no_request_gives_no_objective() -> None:
    assert find_objectives(()) == ()


def test_the_newest_three_are_shown_newest_first() -> None:
    requests = tuple(request(turn, "done") for turn in range(1, 6))
    assert find_objectives(requests) == tuple(
        Objective(quote=quote(turn), status="done") for turn in (5, 4, 3)
    )


def test_only_what_is_still_worked_on_reads_as_an_order() -> None:
    assert statuses("done", "done", "open") == ["now", "done", "done"]


def test_a_request_interrupted_for_another_is_replaced_by_it() -> None:
    assert statuses("aborted", "open") == ["now", "replaced by u2"]


def test_a_request_interrupted_last_is_still_the_one_worked_on() -> None:
    assert statuses("done", "aborted") == ["now", "done"]


def test_a_request_that_the_user_took_back_is_dropped() -> None:
    assert statuses("done", "dropped") == ["dropped", "done"]


def test_a_message_into_a_running_turn_leaves_both_standing() -> None:
    assert statuses("open", "open") == ["now", "now"]


def test_a_running_turn_ends_with_the_turn_that_joined_it() -> None:
    assert statuses("open", "done") == ["done", "done"]
