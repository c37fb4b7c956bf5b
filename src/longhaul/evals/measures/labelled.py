"""The labelled measures: what a text keeps of what hand-written labels make due.

They see the words of a text, not their sense: a rule in words that no marker matches is lost to
them, and one that a line merely mentions is kept. More is better but for `stray`.
"""

from collections.abc import Callable, Iterable

from longhaul.evals.due import Due, labelled_turns
from longhaul.evals.judge import (
    find_spelling,
    honours_lift,
    keeps_rule,
    matches,
    rules_section,
    stray_lines,
)
from longhaul.evals.measures.amounts import Count, Tally, count_kept
from longhaul.evals.measures.subject import Subject
from longhaul.evals.session_labels import RuleLabel, ValueLabel


def goal(subject: Subject) -> Count | None:
    """Return whether a line of the text names what the session builds.

    Due once the message that says it is closed. Any line counts, also one that says it in passing.
    """
    due = subject.occasion.due
    if due is None:
        return None
    lines = subject.text.splitlines()
    goals = (due.goal,) if due.goal else ()
    return count_kept(
        (f"u{one.turn}", any(matches(line, one.marker) for line in lines)) for one in goals
    )


def rules(subject: Subject) -> Count | None:
    """Return the rules in force that a line of the rules section names and does not show lifted."""
    return _rules(subject, lambda due: due.rules, rules_section(subject.text))


def rules_anywhere(subject: Subject) -> Count | None:
    """Return the same with every line of the text for the rules section."""
    return _rules(subject, lambda due: due.rules, subject.text.splitlines())


def span(subject: Subject) -> Count | None:
    """Return `rules` for those given in the span that this compaction closes."""
    return _rules(subject, lambda due: due.span, rules_section(subject.text))


def earlier(subject: Subject) -> Count | None:
    """Return `rules` for those given before it, which only a carried text can still hold."""
    return _rules(subject, lambda due: due.earlier, rules_section(subject.text))


def lifts(subject: Subject) -> Count | None:
    """Return the rules withdrawn before the cut that no line of the rules section shows in force.

    A text that never held the rule honours its lift, so `lifts` is read beside `rules`.
    """
    lines = rules_section(subject.text)

    def is_honoured(rule: RuleLabel) -> bool:
        assert rule.lifted_at is not None, "only lifted rules have a lift to honour"
        return honours_lift(lines, rule.marker, rule.lifted_at)

    due = subject.occasion.due
    if due is None:
        return None
    return count_kept((_rule_name(rule), is_honoured(rule)) for rule in due.lifted)


def values(subject: Subject) -> Count | None:
    """Return the values that stand in the text as whole tokens, in any accepted spelling.

    Due at the last compaction before a turn that uses them.
    """
    return _values(subject, lambda _: True)


def history(subject: Subject) -> Count | None:
    """Return `values` for those that only the conversation holds."""
    return _values(subject, lambda value: value.history)


def stray(subject: Subject) -> Tally | None:
    """Return the lines of the rules section bound to a message that gives no rule and lifts none.

    Only lines that name their message (`u7`) can be told, as Longhaul's do; less is better. Pins
    and rules that the labels call doubtful are not stray.
    """
    labels = subject.occasion.labels
    if labels is None or subject.state is None:
        return None
    return Tally(stray_lines(rules_section(subject.text), labelled_turns(labels)))


def _rules(
    subject: Subject, choose: Callable[[Due], Iterable[RuleLabel]], lines: Iterable[str]
) -> Count | None:
    due = subject.occasion.due
    if due is None:
        return None
    return count_kept((_rule_name(rule), keeps_rule(lines, rule.marker)) for rule in choose(due))


def _values(subject: Subject, is_chosen: Callable[[ValueLabel], bool]) -> Count | None:
    due = subject.occasion.due
    if due is None:
        return None
    return count_kept(
        (
            f"u{one.label.turn} {one.label.accept[0]}",
            find_spelling(subject.text, one.label.accept) is not None,
        )
        for one in due.values
        if is_chosen(one.label)
    )


def _rule_name(rule: RuleLabel) -> str:
    return f"u{rule.turn} /{rule.marker}/"
