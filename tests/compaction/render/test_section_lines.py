from longhaul.compaction.render.rule_lines import ended_lines, rule_line
from longhaul.compaction.render.section_lines import (
    earlier_value_lines,
    goal_lines,
    value_lines,
)
from longhaul.compaction.render.world_lines import world_groups
from longhaul.compaction.state import Quote, Rule, State, Value, World


def quote(turn: int, text: str) -> Quote:
    return Quote(entry_id=f"e{turn}", turn=turn, text=text)


RULE = Rule(number=3, quote=quote(7, "no pushes"))
LIFT = quote(9, "push again")


def test_a_state_without_a_goal_has_no_goal_line() -> None:
    assert goal_lines(State()) == []


def test_a_rule_shows_whether_it_is_in_force() -> None:
    lifted = Rule(number=3, quote=RULE.quote, lifted_by=LIFT)
    doubted = Rule(number=3, quote=RULE.quote, doubted_by=LIFT)
    assert [rule_line(rule).text for rule in (RULE, lifted, doubted)] == [
        '- r3 (u7): "no pushes"',
        '- r3 (u7) "no pushes", lifted by u9: "push again"',
        '- r3 (u7), in force; u9 may lift it ("push again"): "no pushes"',
    ]


def test_the_newest_lifts_are_shown_newest_first() -> None:
    rules = tuple(
        Rule(number=number, quote=quote(number, "x"), lifted_by=quote(20 - number, "y"))
        for number in range(1, 9)
    )
    shown = [line.text.split(" ")[1] for line in ended_lines((*rules, RULE))]
    assert shown == ["r1", "r2", "r3", "r4", "r5"]


def test_what_held_for_one_request_alone_is_no_rule_that_ended() -> None:
    once = Rule(number=3, quote=RULE.quote, one_off="yes")
    dropped = Rule(number=4, quote=RULE.quote, correction="dropped")
    assert [line.order for line in ended_lines((once, dropped))] == [4]


def test_files_fill_lines_the_one_used_last_first() -> None:
    paths = tuple(f"src/module_{number:03}.py" for number in range(30))
    lines = [line.text for line in world_groups(World(modified=paths)).files]
    assert lines[0].startswith("- modified: `src/module_029.py`, `src/module_028.py`")
    assert all(len(line) < 300 for line in lines)
    assert sum(line.count("`") for line in lines) == 2 * len(paths)


def test_values_say_what_they_are_and_earlier_ones_share_lines_with_their_turn_alone() -> None:
    values = tuple(
        Value(token=f"{n}.5 ms", what=f"run {n}", entry_id=f"e{n}", turn=n, used_turn=n)
        for n in range(1, 16)
    )
    state = State(values=values)
    named, earlier = list(value_lines(state, 6)), list(earlier_value_lines(state, 6))
    assert [line.text for line in named] == [
        f"- `{n}.5 ms` (u{n}): run {n}" for n in range(15, 9, -1)
    ]
    assert [line.text for line in earlier] == [
        "- earlier: " + ", ".join(f"`{n}.5 ms` (u{n})" for n in range(9, 1, -1)),
        "- earlier: `1.5 ms` (u1)",
    ]
    assert [line.n_items for line in (*named, *earlier)] == [1] * 6 + [8, 1]
    orders = [line.order for line in (*named, *earlier)]
    assert orders == sorted(set(orders))


def test_few_values_leave_no_earlier_ones() -> None:
    values = (Value(token="1.5 ms", what="run", entry_id="e1", turn=1, used_turn=1),)
    assert list(earlier_value_lines(State(values=values), 6)) == []
