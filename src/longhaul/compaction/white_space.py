"""White space as quotes have it: every run of it is one space."""


def fold_space(text: str) -> str:
    """Return `text` on one line: every run of white space is one space, none at the ends."""
    return " ".join(text.split())
