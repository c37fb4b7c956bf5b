from longhaul.compaction.rules.parts import Parting, part_rule

LIFT = "the changelog is generated now, no need to update it"


def test_a_list_is_parted_where_one_item_is_lifted() -> None:
    rules = "1) keep the examples in English 2) update the changelog with every flag"
    assert part_rule(rules, LIFT) == Parting(
        lifted="2) update the changelog with every flag", kept=("1) keep the examples in English",)
    )


def test_a_dash_that_goes_on_with_another_rule_parts_it() -> None:
    rules = "keep the examples in English -- and update the changelog with every flag"
    assert part_rule(rules, LIFT) == Parting(
        lifted="update the changelog with every flag", kept=("keep the examples in English",)
    )


def test_a_dash_before_a_reason_parts_nothing() -> None:
    assert part_rule("don't push - the runner is broken today", "the runner is repaired") is None


def test_words_about_both_rules_part_nothing() -> None:
    rules = "keep the examples in English -- and update the changelog with every flag"
    assert part_rule(rules, "forget the examples and the changelog") is None
