"""The sections of a state's text, as a test looks at them."""


def section(text: str, name: str) -> list[str]:
    """Return the lines of a section; none where it is not there."""
    _, _, rest = text.partition(f"\n## {name}\n")
    return rest.split("\n\n")[0].splitlines()
