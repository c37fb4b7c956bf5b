"""The lines of Rules: those in force, with their marks, and those that no longer are."""

from collections.abc import Iterator

from longhaul.compaction.render.budget import Line
from longhaul.compaction.render.quoting import quoted, short_quote
from longhaul.compaction.state import Rule, is_in_force

_N_ENDED = 5
"""So many rules that are no longer in force are shown, the ones ended last."""


def rule_line(rule: Rule) -> Line:
    """Return the line of a rule: in force, in force with a mark, or what ended it."""
    name = f"- r{rule.number} ({_given(rule)})"
    ended = _ended(rule)
    if ended:
        text = f"{name} {short_quote(rule.quote)}, {ended}"
    else:
        marks = "".join(f"; {mark}" for mark in _marks(rule))
        text = f"{name}{marks and ', in force'}{marks}: {quoted(rule.quote.text)}"
    return Line(section="Rules", text=text, order=rule.number)


def _given(rule: Rule) -> str:
    if rule.origin == "pin":
        return f"pinned by the user after u{rule.quote.turn}"
    return f"u{rule.quote.turn}"


def _ended(rule: Rule) -> str:
    """Return why a rule is not in force; empty where it is, or held for its request alone."""
    if rule.lifted_by is not None:
        return f"lifted by u{rule.lifted_by.turn}: {short_quote(rule.lifted_by)}"
    if rule.correction == "dropped":
        return "withdrawn: the user says that it was no rule"
    return ""


def _marks(rule: Rule) -> Iterator[str]:
    """Yield what there is to say about a rule in force."""
    if rule.correction == "restored":
        yield "restored by the user"
    if rule.doubted_by is not None:
        words = rule.doubted_by
        yield f"u{words.turn} may lift it ({short_quote(words)})"
    if rule.one_off == "said":
        yield "perhaps meant for once"


def ended_lines(rules: tuple[Rule, ...]) -> Iterator[Line]:
    """Yield the newest rules that are no longer in force, the one ended last first.

    One that held for its request alone was no standing rule: there is nothing to end.
    """
    ended = sorted(
        (rule for rule in rules if not is_in_force(rule) and rule.one_off != "yes"),
        key=lambda rule: ((rule.lifted_by or rule.quote).turn, rule.number),
    )
    return map(rule_line, reversed(ended[-_N_ENDED:]))
