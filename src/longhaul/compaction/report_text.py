"""What a compaction kept and what went wrong in it, in words, wherever a user reads them."""

from longhaul.compaction.compact import Report


def count(number: int, noun: str, plural: str = "") -> str:
    """Return `number` with its noun; the plural is the noun with an s where none is given."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def kept_text(report: Report) -> str:
    """Return what was kept, and its length."""
    kept = f"{count(report.n_rules, 'rule')}, {count(report.n_values, 'value')}"
    return f"{kept} in {count(report.n_chars, 'character')}"


def trouble_texts(report: Report) -> tuple[str, ...]:
    """Return what a user has to know beside it; empty where all went as it should.

    The reason for a new beginning is as the session had it: to be escaped where it is shown.
    """
    texts = []
    if report.over_budget:
        texts.append("over its budget: goal, objective and rules in force alone are longer")
    if report.note:
        texts.append(f"built anew from the session ({report.note})")
    return tuple(texts)
