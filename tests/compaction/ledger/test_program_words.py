"""What a step of a shell command really runs."""

import pytest

from longhaul.compaction.ledger.program_words import program_words
from longhaul.compaction.ledger.shell import parse_shell


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("env A=b pytest -q", ("pytest", "-q")),
        ("A=1 B='x y' timeout 60 python3.11 -m pytest -q", ("pytest", "-q")),
        ("uv run --frozen ruff check .", ("ruff", "check", ".")),
        ("npx --yes eslint src", ("eslint", "src")),
        ("./run-tests.sh --fast", ("./run-tests.sh", "--fast")),
        (".venv/bin/pytest", (".venv/bin/pytest",)),
        ("command -p pytest", ("pytest",)),
        ("command -v pytest", ("command", "-v", "pytest")),
        ("PATH=/x", ()),
    ],
)
def test_the_program_is_what_a_command_really_runs(command: str, program: tuple[str, ...]) -> None:
    (step,) = parse_shell(command).steps
    assert program_words(step.words) == program
