import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from longhaul.cli.main import main
from longhaul.cli.terminal import print_verbatim
from longhaul.compaction.completion import CompletionRequest, PromptMessage
from longhaul.models.batch_files import request_file
from longhaul.models.batch_records import dump_request, hash_request
from tests.models.batch_folder import REQUEST, folder_with_two_requests


def run(*arguments: object, columns: str | None = None) -> Result:
    environment = {"COLUMNS": columns}
    return CliRunner().invoke(main, ["batch", *map(str, arguments)], env=environment)


def test_the_command_lists_what_waits(tmp_path: Path) -> None:
    done = run(folder_with_two_requests(tmp_path))
    assert done.exit_code == 0
    assert hash_request(REQUEST)[:12] in done.stdout
    assert done.stdout.splitlines()[-1] == "1 request waiting, 1 reply there"


@pytest.mark.parametrize(("columns", "widest"), [("50", 50), ("0", 70), ("wide", 70), (None, 70)])
def test_a_table_in_a_pipe_is_no_wider_than_columns_says(
    tmp_path: Path, columns: str | None, widest: int
) -> None:
    done = run(folder_with_two_requests(tmp_path), columns=columns)
    assert max(map(len, done.stdout.splitlines())) == widest


def test_the_command_lists_what_waits_for_programs(tmp_path: Path) -> None:
    done = run(folder_with_two_requests(tmp_path), "--json")
    name = hash_request(REQUEST)
    assert json.loads(done.stdout) == {
        "waiting": [
            {
                "hash": name,
                "requestFile": f"{tmp_path}/{name}.request.json",
                "replyFile": f"{tmp_path}/{name}.reply.json",
                "messages": 2,
                "estimatedTokens": 5,
                "maxOutputTokens": 100,
                "thinking": "low",
                "repeat": 1,
            }
        ],
        "answered": 1,
    }


def test_the_command_prints_one_request_by_the_beginning_of_its_hash(tmp_path: Path) -> None:
    name = hash_request(REQUEST)
    done = run(folder_with_two_requests(tmp_path), name[:8])
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        f"request {name}",
        f"reply awaited in {tmp_path}/{name}.reply.json",
        "at most 100 tokens out, thinking low, repeat 1",
        "",
        "system",
        "Answer in JSON.",
        "",
        "user",
        "Größe?",
        "\ufffd",
        "",
        "schema of the reply",
        "{",
        '  "type": "object",',
        '  "properties": {',
        '    "b": {},',
        '    "a": {}',
        "  }",
        "}",
    ]


def test_a_request_is_printed_with_all_its_white_space(tmp_path: Path) -> None:
    text = "def f():\n\tx  =  1\n\n    # <summary>  \x1b[1mbold\x1b[m\n"
    request = CompletionRequest(messages=(PromptMessage("user", text),), schema={})
    path = request_file(tmp_path, request)
    path.write_text(json.dumps(dump_request(request)), encoding="ascii")
    assert f"\nuser\n{text}\n" in run(tmp_path, path.name[:8]).stdout


def test_what_is_printed_word_for_word_does_not_act_on_a_terminal() -> None:
    file = io.StringIO()
    print_verbatim(Console(file=file, force_terminal=True), "a  \x1b[2Jb\r\tc\n\n d\u202e")
    assert file.getvalue() == "a  b \tc\n\n d\n"


def test_the_command_prints_one_request_for_programs(tmp_path: Path) -> None:
    name = hash_request(REQUEST)
    record = json.loads(run(folder_with_two_requests(tmp_path), name, "--json").stdout)
    assert (record["hash"], record["answered"]) == (name, False)
    assert record["messages"] == [
        {"role": "system", "text": "Answer in JSON."},
        {"role": "user", "text": "Größe?\n\ud800"},
    ]


@pytest.mark.parametrize(("prefix", "amount"), [("x", "no request"), ("", "more than one request")])
def test_a_hash_that_names_no_single_request_is_said(
    tmp_path: Path, prefix: str, amount: str
) -> None:
    done = run(folder_with_two_requests(tmp_path), prefix)
    assert done.exit_code == 1
    assert done.stderr == (
        f"Error: {amount} begins with {prefix!r}; `longhaul batch FOLDER` lists what waits\n"
    )


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    done = run(tmp_path / "none")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == (
        f"Error: there is no folder {tmp_path}/none; `longhaul compact SESSION --model"
        f" batch:{tmp_path}/none` makes it\n"
    )


def test_a_file_in_place_of_a_folder_is_said(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert run(file).stderr == f"Error: {file} cannot be read: Not a directory\n"


def test_the_help_says_that_no_hash_need_be_named() -> None:
    assert "FOLDER [HASH]" in run("--help").stdout


def test_an_empty_folder_has_nothing_waiting(tmp_path: Path) -> None:
    assert run(tmp_path).stdout == "0 requests waiting, 0 replies there\n"


def test_a_request_that_somebody_damaged_is_named(tmp_path: Path) -> None:
    path = request_file(folder_with_two_requests(tmp_path), REQUEST)
    path.write_text('{"messages": [{"role": "user"}]}', encoding="utf-8")
    done = run(tmp_path)
    assert done.exit_code == 1
    assert done.stderr == (f"Error: {path} has no messages[0].text; mend it or remove it\n")
