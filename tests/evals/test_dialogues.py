from pathlib import Path

import orjson
from click.testing import CliRunner

from longhaul.evals.dialogues import main
from tests.evals.dialogue_files import RECORD, save_dialogues


def test_the_command_prints_a_table_or_json(tmp_path: Path) -> None:
    path = save_dialogues(tmp_path, RECORD)
    (tmp_path / "some.kinds.json").write_bytes(orjson.dumps({"x1": "plain"}))
    table = CliRunner().invoke(main, [str(path)])
    assert table.exit_code == 0
    assert "plain" in table.output
    found = orjson.loads(CliRunner().invoke(main, [str(path), "--json"]).output)
    assert found["kinds"]["plain"]["kept"] == 1


def test_a_bad_file_ends_in_one_line(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, [str(save_dialogues(tmp_path, {"id": "x"}))])
    assert result.exit_code == 1
    assert result.output.count("\n") == 1


def test_a_dialogue_whose_reply_is_awaited_is_left_out_until_it_is_there(tmp_path: Path) -> None:
    folder = tmp_path / "batch"
    arguments = [str(save_dialogues(tmp_path, RECORD)), "--json", "--model", f"batch:{folder}"]
    asked = CliRunner().invoke(main, arguments)
    assert (asked.exit_code, orjson.loads(asked.stdout)["kinds"]["all"]["messages"]) == (3, 0)
    assert asked.stderr == "1 reply awaited; run it again once all are there\n"
    (request,) = folder.glob("*.request.json")
    reply = folder / request.name.replace(".request.", ".reply.")
    reply.write_bytes(orjson.dumps({"text": '{"rules": []}'}))
    done = CliRunner().invoke(main, arguments)
    assert (done.exit_code, orjson.loads(done.stdout)["kinds"]["all"]["kept"]) == (0, 1)
