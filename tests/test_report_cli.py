"""`longhaul report` and `longhaul view` as a person types them."""

import stat
import subprocess
import sys
import zipfile
from pathlib import Path

from click.testing import CliRunner

from longhaul.cli.main import main
from tests.evals.label_files import save_session
from tests.evals.report.run_files import save_run
from tests.pinned import LONGHAUL, ROOT


def run(*arguments: str | Path) -> tuple[int, str, str]:
    done = CliRunner().invoke(main, [*map(str, arguments)])
    return done.exit_code, done.stdout, done.stderr


def test_a_report_goes_beside_its_run_for_its_owner_alone(tmp_path: Path) -> None:
    folder = save_run(tmp_path / "run")
    file = folder / "report.html"
    assert run("report", folder) == (0, "", f"written: {file}\n")
    assert file.read_bytes().startswith(b"<!doctype html>")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_report_of_two_runs_goes_where_it_is_told(tmp_path: Path) -> None:
    runs = (save_run(tmp_path / "a"), save_run(tmp_path / "b", is_chained=False))
    out = tmp_path / "both.html"
    assert run("report", *runs, "--out", out) == (0, "", f"written: {out}\n")
    assert "takeover" in out.read_text(encoding="utf-8")
    assert not (runs[0] / "report.html").exists()


def test_a_second_report_is_the_same_and_nothing_of_the_run_is_touched(tmp_path: Path) -> None:
    folder = save_run(tmp_path)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    run("report", folder)
    first = (folder / "report.html").read_bytes()
    run("report", folder)
    assert (folder / "report.html").read_bytes() == first
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == {
        **before,
        "report.html": first,
    }


def test_runs_of_different_labels_end_with_1_and_one_line(tmp_path: Path) -> None:
    runs = (save_run(tmp_path / "a"), save_run(tmp_path / "b", labels="def"))
    code, stdout, stderr = run("report", *runs)
    assert (code, stdout, stderr.count("\n")) == (1, "", 1)
    assert stderr.startswith("Error: a and b were judged by different labels (abc, def)")
    assert not (runs[0] / "report.html").exists()


def test_a_damaged_run_ends_with_1_and_names_the_line(tmp_path: Path) -> None:
    folder = save_run(tmp_path)
    (folder / "scores.jsonl").write_text("[]\n", encoding="utf-8")
    code, _, stderr = run("report", folder)
    assert (code, stderr.count("\n")) == (1, 1)
    assert f"{folder / 'scores.jsonl'}:1:" in stderr


def test_a_marker_that_takes_too_long_ends_with_1_and_is_quoted(tmp_path: Path) -> None:
    folder = save_run(tmp_path)
    for name, old, new in (
        ("rows.jsonl", "one decimal", "a" * 40 + "!"),
        ("scores.jsonl", "/lower case/", "/(a+)+$/"),
    ):
        text = (folder / name).read_text(encoding="utf-8")
        (folder / name).write_text(text.replace(old, new), encoding="utf-8")
    code, _, stderr = run("report", folder)
    assert (code, stderr.count("\n")) == (1, 1)
    assert "/(a+)+$/ takes longer than a second" in stderr


def test_a_marker_that_is_no_regular_expression_ends_with_1(tmp_path: Path) -> None:
    folder = save_run(tmp_path)
    text = (folder / "scores.jsonl").read_text(encoding="utf-8")
    (folder / "scores.jsonl").write_text(text.replace("/lower case/", "/(/"), encoding="utf-8")
    code, _, stderr = run("report", folder)
    assert (code, stderr.count("\n")) == (1, 1)
    assert "tide compaction 1, state: counts.rules: no regular expression in 'u2 /(/'" in stderr


def test_a_page_of_a_session_goes_into_the_working_folder(tmp_path: Path) -> None:
    session = save_session(tmp_path)
    command = (LONGHAUL, "view", session.file.name, "--agent-dir", "agent")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "written: tide.html\n")
    assert "Compaction 3" in (tmp_path / "tide.html").read_text(encoding="utf-8")


def test_a_page_of_a_damaged_session_says_what_is_damaged(tmp_path: Path) -> None:
    session = save_session(tmp_path)
    with session.file.open("a", encoding="utf-8") as stream:
        stream.write("no JSON\n")
    out = tmp_path / "page.html"
    code, _, stderr = run("view", session.file, "--out", out, "--agent-dir", tmp_path)
    assert (code, stderr.splitlines()[0]) == (0, f"written: {out}")
    assert f"{session.file}:21: " in stderr


def test_a_file_that_is_no_session_ends_with_1(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text("", encoding="utf-8")
    code, _, stderr = run("view", tmp_path / "x.jsonl", "--agent-dir", tmp_path)
    assert (code, stderr.count("\n")) == (1, 1)


def test_without_the_extra_the_command_says_how_to_install_it(tmp_path: Path) -> None:
    script = (
        "import sys; sys.modules['jinja2'] = None\n"
        "from longhaul.cli.main import main\n"
        f"main(['report', {str(save_run(tmp_path))!r}])\n"
    )
    done = subprocess.run(
        (sys.executable, "-c", script), capture_output=True, text=True, check=False
    )
    command = f"{sys.executable} -m pip install 'pi-longhaul[eval]'"
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"Error: reports need an extra: {command}\n"


def test_a_page_that_cannot_be_written_ends_with_1_and_names_its_file(tmp_path: Path) -> None:
    out = tmp_path / "nowhere" / "page.html"
    code, stdout, stderr = run("report", save_run(tmp_path / "run"), "--out", out)
    assert (code, stdout) == (1, "")
    assert stderr == f"Error: cannot write {out}: No such file or directory\n"


def test_starting_the_command_imports_no_templates() -> None:
    script = "import sys, longhaul.cli.main; print('jinja2' in sys.modules)"
    done = subprocess.run(
        (sys.executable, "-c", script), capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


def test_the_templates_are_part_of_the_wheel(tmp_path: Path) -> None:
    build = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path))
    subprocess.run(build, cwd=ROOT, capture_output=True, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    folder = ROOT / "src" / "longhaul" / "evals" / "report" / "templates"
    templates = {f"longhaul/evals/report/templates/{file.name}" for file in folder.iterdir()}
    assert (len(templates), templates - held) == (3, set())
