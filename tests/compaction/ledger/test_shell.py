"""How a shell command is taken apart."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhaul.compaction.ledger.shell import Step, parse_shell


def joined(command: str) -> list[tuple[str, str, str]]:
    return [(step.before, step.text, step.after) for step in parse_shell(command).steps]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("", []),
        ("ls", [("", "ls", "")]),
        (
            "cd x && env A=b pytest -q 2>&1 | tail -5",
            [("", "cd x", "&&"), ("&&", "env A=b pytest -q", "|"), ("|", "tail -5", "")],
        ),
        ("a; b\n\nc &", [("", "a", ";"), (";", "b", ";"), (";", "c", "&")]),
        ("a || b |& c ;; d", [("", "a", "||"), ("||", "b", "|"), ("|", "c", ";"), (";", "d", "")]),
        ("a \\\n  -b # note && c", [("", "a \\\n  -b", "")]),
        (
            "git commit -m 'a && b; c' -m \"x | y\"",
            [("", "git commit -m 'a && b; c' -m \"x | y\"", "")],
        ),
        (
            "echo a#b $(cat x; ls) ${Y:-a b} `c; d`",
            [("", "echo a#b $(cat x; ls) ${Y:-a b} `c; d`", "")],
        ),
        ("cat > a.py <<'EOF'\nrm x; ls\nEOF\npytest", [("", "cat", ";"), (";", "pytest", "")]),
        ("cat <<EOF\nnever closed; rm x", [("", "cat", ";")]),
        ("echo 'unclosed", [("", "echo 'unclosed", "")]),
    ],
)
def test_a_command_is_split_into_its_steps(
    command: str, expected: list[tuple[str, str, str]]
) -> None:
    assert joined(command) == expected


def test_words_lose_their_quotes_and_redirections_their_place() -> None:
    command = 'X=\'a b\' run "c\\"d" e\\ f > out.txt 2> err.txt >> /dev/null &> all.log < in'
    assert parse_shell(command).steps == (
        Step(
            text='X=\'a b\' run "c\\"d" e\\ f',
            words=("X=a b", "run", 'c"d', "e f"),
            program=("run", 'c"d', "e f"),
            writes=("out.txt", "all.log"),
            before="",
            after="",
        ),
    )


@pytest.mark.parametrize(
    ("command", "is_compound"),
    [
        ("for i in 1 2; do pytest; done", True),
        ("if pytest; then echo ok; fi", True),
        ("(cd a && make)", True),
        ("! pytest", True),
        ("f() { make; }", True),
        ("echo if then", False),
        ("make $(nproc)", False),
    ],
)
def test_loops_conditions_and_groups_are_compound(command: str, *, is_compound: bool) -> None:
    assert parse_shell(command).is_compound is is_compound


@given(st.text(st.sampled_from("ab \n\t'\"\\`$(){}<>|&;#=E"), max_size=40))
def test_any_text_is_taken_apart_into_pieces_of_it(command: str) -> None:
    shell = parse_shell(command)
    assert all(step.text in command and step.words for step in shell.steps)
    assert [step.before for step in shell.steps[1:]] == [step.after for step in shell.steps[:-1]]


@pytest.mark.parametrize(
    "piece", ["$(", "'\"", "\\", "<<a ", "`", "${", "a=", "((", "$('", "&", ">"]
)
def test_a_long_command_takes_no_long_time(piece: str) -> None:
    start = time.process_time()
    parse_shell(piece * 20_000)
    assert time.process_time() - start < 1
