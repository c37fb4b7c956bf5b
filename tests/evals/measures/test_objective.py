"""Moves of the request that Longhaul says is worked on."""

from longhaul.compaction.state import Outcome, Quote, Request, State
from longhaul.evals.measures.amounts import Tally
from longhaul.evals.measures.objective import objective_back, objective_moved
from longhaul.evals.measures.subject import Subject, find_occasions
from tests.build import assistant, compaction, path, user

OCCASION = find_occasions(path(user("Go."), assistant("Done."), compaction()), None)[0]


def request(turn: int, *, words: str = "Do it.", outcome: Outcome = "open") -> Request:
    return Request(quote=Quote(entry_id=f"e{turn}", turn=turn, text=words), outcome=outcome)


def subject(state: State | None, previous: State | None) -> Subject:
    return Subject(text="", occasion=OCCASION, state=state, previous=previous)


def moves(previous: State | None, state: State | None) -> tuple[Tally | None, Tally | None]:
    judged = subject(state, previous)
    return objective_moved(judged), objective_back(judged)


def test_another_message_is_a_move() -> None:
    old = State(requests=(request(4),))
    new = State(requests=(request(4, outcome="done"), request(7)))
    assert moves(old, new) == (Tally(("u4->u7",)), Tally())


def test_the_same_message_in_other_words_is_no_move() -> None:
    old, new = State(requests=(request(4),)), State(requests=(request(4, words="Plot it."),))
    assert moves(old, new) == (Tally(), Tally())


def test_a_move_to_an_earlier_message_is_one_back() -> None:
    old, new = State(requests=(request(4), request(7))), State(requests=(request(4),))
    assert moves(old, new) == (Tally(("u7->u4",)), Tally(("u7->u4",)))


def test_of_two_requests_worked_on_the_newer_is_the_objective() -> None:
    old = State(requests=(request(4),))
    new = State(requests=(request(5), request(6)))
    assert moves(old, new)[0] == Tally(("u4->u6",))


def test_a_request_that_is_dropped_leaves_the_objective_where_it_is() -> None:
    old = State(requests=(request(4), request(7)))
    new = State(requests=(request(4), request(7, outcome="dropped")))
    assert moves(old, new) == (Tally(), Tally())


def test_where_all_are_ended_the_newest_is_the_objective() -> None:
    old = State(requests=(request(4, outcome="done"),))
    new = State(requests=(request(4, outcome="done"), request(7, outcome="done")))
    assert moves(old, new)[0] == Tally(("u4->u7",))


def test_nothing_moves_at_the_first_compaction_or_without_a_request() -> None:
    some, none = State(requests=(request(4),)), State()
    assert moves(None, some) == moves(none, some) == moves(some, none) == (Tally(), Tally())


def test_an_arm_without_a_state_has_no_objective() -> None:
    assert moves(None, None) == (None, None)
