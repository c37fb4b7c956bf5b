from dataclasses import replace

from longhaul.compaction.history import Step, find_steps
from longhaul.transcript.entries import Entry
from tests.build import assistant, call, compaction, context_edit, path, result, user


def steps(*entries: Entry) -> list[Step]:
    return list(find_steps(path(*entries)))


def test_a_session_without_compactions_has_no_steps() -> None:
    assert steps(user("Write a tide table reader"), assistant("ok")) == []


def test_each_compaction_shows_what_its_own_span_gave() -> None:
    commit = call("bash", command="git commit -qm start && git rev-parse --short HEAD")
    first, second = steps(
        user("Write a tide table reader in Python"),
        assistant(calls=[commit]),
        result(commit, "4f2a91c"),
        assistant("Committed 4f2a91c."),
        user("Never push without asking me."),
        assistant("Understood."),
        compaction(first_kept="e5", tokens_before=900),
        user("You may push without asking again."),
        assistant("Fine."),
        user("now the parser"),
        compaction(first_kept="e10", from_hook=True),
    )
    assert (first.compactor, first.n_closed_entries) == ("pi", 4)
    assert (first.first_turn, first.last_turn) == (1, 1)
    assert first.goal is not None
    assert [value.token for value in first.gained_values] == ["4f2a91c"]
    assert (second.compactor, second.n_closed_entries) == ("another extension", 5)
    assert (second.first_turn, second.last_turn) == (2, 3)
    assert second.goal is None
    assert [rule.quote.turn for rule in second.gained] == [2]
    assert second.gained_values == ()


def test_a_compaction_that_keeps_nothing_closes_all_before_it() -> None:
    (step,) = steps(user("Write a tide table reader"), assistant("ok"), compaction())
    assert step.n_closed_entries == 3


def test_a_compaction_that_keeps_what_an_earlier_one_closed_closes_nothing() -> None:
    _, second = steps(
        user("Write a tide table reader"),
        user("now the parser please"),
        compaction(first_kept="e2"),
        assistant("ok"),
        compaction(first_kept="e1"),
    )
    assert (second.n_closed_entries, second.last_turn) == (0, 1)


def test_of_entries_with_one_id_history_cuts_at_the_first_as_pi_does() -> None:
    texts = [user("Write a tide table reader"), user("now the parser"), user("now the tests")]
    *_, last = entries = path(*texts, compaction(first_kept="e2"))
    twice = (*entries[:2], replace(entries[2], id="e2"), last)
    (step,) = find_steps(twice)
    assert step.n_closed_entries == 1


def test_a_rule_edited_out_of_the_session_is_lost() -> None:
    first, second = steps(
        user("Never push without asking me."),
        user("Write a tide table reader"),
        compaction(first_kept="e2"),
        context_edit("e1"),
        user("now the parser"),
        compaction(first_kept="e5"),
    )
    assert [rule.number for rule in first.gained] == [1]
    assert [rule.number for rule in second.lost] == [1]


def test_a_state_of_ours_is_recognised_by_its_details() -> None:
    ours = compaction(details={"longhaul": {"version": 1}}, from_hook=True)
    assert [step.compactor for step in steps(user("Write a reader"), ours)] == ["longhaul"]
