"""How lines stand on a terminal, and elsewhere."""

import io

from rich.console import Console

from longhaul.cli.terminal import print_hanging

LINES = ("short", "  one two three four", "x" * 23)


def printed(*, is_terminal: bool) -> str:
    file = io.StringIO()
    console = Console(file=file, force_terminal=is_terminal, width=12, highlight=False)
    print_hanging(console, LINES, indent=4)
    return file.getvalue()


def test_what_a_line_has_too_much_stands_further_in_on_a_terminal() -> None:
    shown = [line.rstrip() for line in printed(is_terminal=True).splitlines()]
    assert shown == [
        "short",
        "  one",
        "    two",
        "    three",
        "    four",
        "xxxxxxxx",
        "    xxxxxxxx",
        "    xxxxxxx",
    ]


def test_elsewhere_a_line_stays_a_line() -> None:
    assert printed(is_terminal=False) == "".join(f"{line}\n" for line in LINES)
