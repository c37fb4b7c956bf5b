from longhaul.compaction.render.rule_lines import ended_lines, rule_line
from longhaul.compaction.render.section_lines import goal_lines
from longhaul.compaction.render.world_lines import world_groups
from longhaul.compaction.state import Quote, Rule, State, World


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


def test_files_fill_lines_the_one_used_last_first() -> None:
    paths = tuple(f"src/module_{number:03}.py" for number in range(30))
    lines = [line.text for line in world_groups(World(modified=paths)).files]
    assert lines[0].startswith("- modified: `src/module_029.py`, `src/module_028.py`")
    assert all(len(line) < 300 for line in lines)
    assert sum(line.count("`") for line in lines) == 2 * len(paths)
