"""The labelled measures: what a text keeps of what hand-written labels make due.

They see the words of a text, not their sense: a rule in words that no marker matches is lost to
them, and one that a line merely mentions is kept. More is better but for `stray`.
"""

from collections.abc import Callable, Iterable

from longhaul.evals.due import Due, DueValue, labelled_turns
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
from longhaul.evals.session_labels import RuleLabel


def goal(text: str, due: Due) -> Count:
    """Return whether a line of the text names what the session builds.

    Due once the message that says it is closed. Any line counts, also one that says it in passing.
    """
    lines = text.splitlines()
    goals = (due.goal,) if due.goal else ()
    return count_kept(
        (f"u{one.turn}", any(matches(line, one.marker) for line in lines)) for one in goals
    )


def rules(text: str, due: Due) -> Count:
    """Return the rules in force that a line of the rules section names and does not show lifted."""
    return _keeping(rules_section(text), due.rules)


def rules_anywhere(text: str, due: Due) -> Count:
    """Return the same with every line of the text for the rules section."""
    return _keeping(text.splitlines(), due.rules)


def span(text: str, due: Due) -> Count:
    """Return `rules` for those given in the span that this compaction closes."""
    return _keeping(rules_section(text), due.span)


def earlier(text: str, due: Due) -> Count:
    """Return `rules` for those given before it, which only a carried text can still hold."""
    return _keeping(rules_section(text), due.earlier)


def lifts(text: str, due: Due) -> Count:
    """Return the rules withdrawn before the cut that no line of the rules section shows in force.

    A text that never held the rule honours its lift, so `lifts` is read beside `rules`.
    """
    lines = rules_section(text)

    def is_honoured(rule: RuleLabel) -> bool:
        assert rule.lifted_at is not None, "only lifted rules have a lift to honour"
        return honours_lift(lines, rule.marker, rule.lifted_at)

    return count_kept((rule_name(rule), is_honoured(rule)) for rule in due.lifted)


def values(text: str, due: Due) -> Count:
    """Return the values that stand in the text as whole tokens, in any accepted spelling.

    Due at the last compaction before a turn that uses them.
    """
    return _holding(text, due.values)


def history(text: str, due: Due) -> Count:
    """Return `values` for those that only the conversation holds."""
    return _holding(text, (value for value in due.values if value.label.history))


def stray(subject: Subject) -> Tally | None:
    """Return the lines of the rules section bound to a message that gives no rule and lifts none.

    Only lines that name their message (`u7`) can be told, as Longhaul's do; less is better. Pins
    and rules that the labels call doubtful are not stray.
    """
    labels = subject.occasion.labels
    if labels is None or subject.state is None:
        return None
    return Tally(stray_lines(rules_section(subject.text), labelled_turns(labels)))


def where_labelled(judge: Callable[[str, Due], Count]) -> Callable[[Subject], Count | None]:
    """Return a measure that judges subjects of sessions with labels, and has no say of others."""

    def measure(subject: Subject) -> Count | None:
        due = subject.occasion.due
        return None if due is None else judge(subject.text, due)

    return measure


def _keeping(lines: Iterable[str], due: Iterable[RuleLabel]) -> Count:
    return count_kept((rule_name(rule), keeps_rule(lines, rule.marker)) for rule in due)


def _holding(text: str, due: Iterable[DueValue]) -> Count:
    labels = (value.label for value in due)
    return count_kept(
        (f"u{one.turn} {one.accept[0]}", find_spelling(text, one.accept) is not None)
        for one in labels
    )


def rule_name(rule: RuleLabel) -> str:
    """Return a rule as the measures name it: by its message and its marker."""
    return f"u{rule.turn} /{rule.marker}/"
