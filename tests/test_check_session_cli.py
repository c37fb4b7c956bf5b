"""`longhaul check-session` as a person types it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from longhaul.cli.main import main
from tests.record.vettable import answer, save
from tests.records import asked


def run(*arguments: str | Path) -> tuple[int, str, str]:
    done = CliRunner().invoke(main, ["check-session", *map(str, arguments)])
    return done.exit_code, done.stdout, done.stderr


def test_sessions_without_findings_end_with_0(tmp_path: Path) -> None:
    for name in ("a", "b"):
        save(tmp_path, name, asked("hello"), *[answer("Yes.")] * 600)
    assert run(tmp_path) == (0, "", "2 sessions, 1,204 lines, nothing found\n")


def test_each_finding_is_a_line_and_ends_it_with_1(tmp_path: Path) -> None:
    file = save(tmp_path, "a", asked("see /srv/x"), answer("Yes.", stop="length"))
    assert run(file) == (
        1,
        f"{file}:2: path: /srv/x: outside the sandbox; record without it, or review it\n"
        f"{file}:3: length: an answer cut at the output limit; record with a higher one, or review"
        " it\n",
        "1 session, 3 lines, 2 findings\n"
        f"what may stand goes into {tmp_path / 'reviewed.txt'}, each with your reason:\n"
        "  path a:2 REASON\n"
        "  length a:3 REASON\n",
    )


def test_the_lines_that_it_gives_let_the_findings_stand(tmp_path: Path) -> None:
    file = save(tmp_path, "a", asked("see /srv/x"), answer("Yes.", stop="length"))
    _, *lines = run(file)[2].splitlines()[1:]
    (tmp_path / "reviewed.txt").write_text("\n".join(lines), encoding="utf-8")
    assert run(file)[0] == 0


def test_reviewed_findings_are_counted(tmp_path: Path) -> None:
    file = save(tmp_path, "a", asked("see /srv/x"))
    exceptions = tmp_path / "exceptions"
    exceptions.write_text("path a:2 an example\n", encoding="utf-8")
    said = run(file, "--exceptions", exceptions)
    assert said == (0, "", "1 session, 2 lines, nothing found, 1 reviewed\n")


def test_models_are_named_and_a_deny_list_is_given(tmp_path: Path) -> None:
    file = save(tmp_path, "a", answer("I am Alice.", model="m"), answer("Yes."))
    deny = tmp_path / "deny"
    deny.write_text("# people\nalice\n", encoding="utf-8")
    code, stdout, _ = run(file, "--model", "scripted/m", "--deny", deny)
    assert code == 1
    assert [line.removeprefix(f"{file}:") for line in stdout.splitlines()] == [
        "2: deny: holds what line 2 of the deny list denies; record without it",
        "3: model: names scripted/scripted, not scripted/m; record it under a label, or name it"
        " with --model",
    ]
    both = ("--model", "scripted/m", "--model", "scripted/scripted")
    assert run(file, *both) == (0, "", "1 session, 3 lines, nothing found\n")


def test_programs_get_the_same_as_json(tmp_path: Path) -> None:
    file = save(tmp_path, "a", asked("see /srv/x"))
    code, stdout, stderr = run(file, "--json")
    assert (code, stderr.splitlines()[0]) == (1, "1 session, 2 lines, 1 finding")
    assert json.loads(stdout) == {
        "sessions": 1,
        "lines": 2,
        "reviewed": 0,
        "findings": [
            {
                "file": str(file),
                "line": 2,
                "kind": "path",
                "text": "/srv/x: outside the sandbox; record without it, or review it",
            }
        ],
    }


def test_a_file_name_does_not_act_on_a_terminal(tmp_path: Path) -> None:
    code, stdout, _ = run(save(tmp_path, "a\x1b[2J\n", asked("see /srv/x")))
    assert code == 1
    assert all(line.isprintable() for line in stdout.splitlines())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("none.jsonl",), "none.jsonl: no such file"),
        (("empty.jsonl",), "empty.jsonl: empty; pi would begin a new session in it"),
        (("notes.txt",), "notes.txt: no session; its name would end in .jsonl"),
        (("folder",), "folder: no session (.jsonl) in it"),
        (("link.jsonl",), "link.jsonl: a link; give the file that it leads to"),
        (("a.jsonl", "--exceptions", "none"), "none: cannot be read: No such file or directory"),
        (("a.jsonl", "--exceptions", "notes.txt"), "notes.txt:1: expected <kind> <session>:<line>"),
        (("a.jsonl", "--deny", "none"), "none: the deny list cannot be read: No such file"),
        (("a.jsonl", "--deny", "empty.jsonl"), "empty.jsonl: holds no entry"),
    ],
)
def test_what_cannot_be_checked_ends_with_2_and_a_line(
    tmp_path: Path, arguments: tuple[str, ...], told: str
) -> None:
    save(tmp_path, "a", asked("hello"))
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "notes.txt").write_text("note\n", encoding="utf-8")
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "a.jsonl")
    placed = (one if one.startswith("--") else tmp_path / one for one in arguments)
    code, stdout, stderr = run(*placed)
    assert (code, stdout, len(stderr.splitlines())) == (2, "", 1)
    assert told in stderr


def test_no_session_named_is_misuse() -> None:
    assert run()[0] == 2
