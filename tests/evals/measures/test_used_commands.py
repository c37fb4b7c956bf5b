"""Which steps of a shell command are worth writing down, and how they are spelled."""

import pytest

from longhaul.evals.measures.used_commands import normalized_commands


@pytest.mark.parametrize(
    ("command", "steps"),
    [
        ("pytest  -q\ttests", ["pytest -q tests"]),
        ("git add -A && git commit -q -m 'a  b'", ["git add -A", "git commit -q -m 'a b'"]),
        ("npm test 2>&1 | tail -20 | sort; ls", ["npm test", "ls"]),
        ("make || true & wait", ["make"]),
        ("npm test |& tail", ["npm test"]),
        ("node a.js > out.txt 2> /dev/null < in.txt", ["node a.js"]),
        ("node a.js &>all.txt", ["node a.js"]),
        ("CI=1 NODE_ENV=test npm test", ["npm test"]),
        ("(cd src && make all)", ["make all"]),
        ("export A=1; make\n# make clean\nmake all", ["make", "make all"]),
        ("make \\\n  all", ["make all"]),
        ('grep -n "a && b; c" x.py', ['grep -n "a && b; c" x.py']),
        ("for f in a b; do wc -l $f; done", []),
        ("", []),
        ("A=1", []),
    ],
)
def test_a_command_is_its_steps_without_what_only_moves_prints_or_steers(
    command: str, steps: list[str]
) -> None:
    assert list(normalized_commands(command)) == steps


def test_a_here_document_is_no_step_and_neither_is_what_it_feeds() -> None:
    command = "cat > a.py <<'END'\nimport os; os.sep\nEND\npython a.py"
    assert list(normalized_commands(command)) == ["python a.py"]


def test_a_here_document_behind_a_pipe_feeds_another_program() -> None:
    assert list(normalized_commands("ls | cat - <<-X\n\tmake\n\tX\nmake all")) == ["ls", "make all"]


def test_a_here_document_that_never_ends_reaches_to_the_end() -> None:
    assert list(normalized_commands("make\ncat <<END\nnpm test\n")) == ["make"]


def test_a_step_of_more_than_two_hundred_characters_is_a_script() -> None:
    assert list(normalized_commands(f"sed {'x' * 196}; sed {'x' * 197}")) == [f"sed {'x' * 196}"]


def test_quotes_that_never_close_are_read_as_they_stand() -> None:
    assert list(normalized_commands("echo 'a; make \"b")) == ['make "b']
