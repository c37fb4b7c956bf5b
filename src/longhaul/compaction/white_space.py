"""White space as quotes have it: every run of it is one space."""


def fold_space(text: str) -> str:
    """Return `text` on one line: every run of white space is one space, none at the ends."""
    return " ".join(text.split())


def one_holds_other(one: str, other: str) -> bool:
    """Return whether one of two texts stands in the other, white space folded."""
    first, second = fold_space(one), fold_space(other)
    return first in second or second in first
