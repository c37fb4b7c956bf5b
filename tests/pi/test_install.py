"""Installing places one file, and uninstalling leaves nothing behind."""

import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from click.testing import CliRunner

from longhaul.cli.main import main
from longhaul.errors import InstallError
from longhaul.pi.agent_dir import find_agent_dir
from longhaul.pi.install import (
    InstalledExtension,
    InstallReport,
    extension_path,
    find_extension,
    install_extension,
    render_extension,
    uninstall_extension,
)

VERSION = metadata.version("pi-longhaul")


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_installing_names_this_python_in_isolated_mode(tmp_path: Path) -> None:
    report = install_extension(tmp_path)
    assert report == InstallReport(tmp_path / "extensions" / "longhaul.ts", "installed")
    assert find_extension(report.path) == InstalledExtension(
        version=VERSION,
        command=(sys.executable, "-I", "-m", "longhaul.cli.serve"),
        n_made_folders=1,
    )


def test_a_folder_of_pis_that_was_not_there_is_made_and_reported(tmp_path: Path) -> None:
    folder = tmp_path / "none" / "agent"
    report = install_extension(folder)
    assert report == InstallReport(report.path, "installed", made_agent_dir=True)
    assert not install_extension(folder).made_agent_dir


def test_the_command_says_what_was_made_and_nothing_twice(tmp_path: Path) -> None:
    folder = tmp_path / "agent"
    first, second = (
        CliRunner().invoke(main, ["install", "pi", "--agent-dir", str(folder)]).stdout
        for _ in range(2)
    )
    file = folder / "extensions" / "longhaul.ts"
    assert first.splitlines() == [
        f"installed: {file}",
        f"{folder} was not there and was made; pi reads it if it is its agent folder.",
        "pi's compactions are Longhaul's from its next start on; in a pi that runs: /reload.",
        "`longhaul doctor` checks.",
    ]
    assert second.splitlines() == [f"unchanged: {file}", "`longhaul doctor` checks."]


def test_installing_again_changes_nothing(tmp_path: Path) -> None:
    path = install_extension(tmp_path).path
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    assert install_extension(tmp_path).action == "unchanged"
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_an_older_extension_is_brought_up_to_date(tmp_path: Path) -> None:
    path = install_extension(tmp_path).path
    current = path.read_text(encoding="utf-8")
    path.write_text(current.replace(f'"{VERSION}"', '"0.0.1"'), encoding="utf-8")
    assert install_extension(tmp_path).action == "upgraded"
    assert path.read_text(encoding="utf-8") == current


def test_a_damaged_extension_of_ours_is_replaced(tmp_path: Path) -> None:
    path = install_extension(tmp_path).path
    path.write_text(path.read_text(encoding="utf-8")[:600], encoding="utf-8")
    assert install_extension(tmp_path).action == "upgraded"
    assert find_extension(path) is not None


def test_a_foreign_file_is_neither_replaced_nor_removed(tmp_path: Path) -> None:
    path = extension_path(tmp_path)
    path.parent.mkdir()
    path.write_text("export default () => {};\n", encoding="utf-8")
    for change in (install_extension, uninstall_extension):
        with pytest.raises(InstallError, match=r"was not written by Longhaul; move it away"):
            change(tmp_path)
    assert path.read_text(encoding="utf-8") == "export default () => {};\n"


@pytest.mark.parametrize("existing", ["", "home", "home/.pi", "home/.pi/agent/extensions"])
def test_uninstalling_leaves_what_was_there_before(tmp_path: Path, existing: str) -> None:
    (tmp_path / existing).mkdir(parents=True, exist_ok=True)
    before = files(tmp_path)
    agent_dir = tmp_path / "home" / ".pi" / "agent"
    install_extension(agent_dir)
    install_extension(agent_dir)
    assert uninstall_extension(agent_dir).action == "removed"
    assert files(tmp_path) == before


def test_a_folder_that_something_else_moved_into_stays(tmp_path: Path) -> None:
    agent_dir = tmp_path / "agent"
    install_extension(agent_dir)
    (agent_dir / "settings.json").write_text("{}", encoding="utf-8")
    uninstall_extension(agent_dir)
    assert files(tmp_path) == ["agent", "agent/settings.json"]


def test_uninstalling_what_is_not_there_does_nothing(tmp_path: Path) -> None:
    assert uninstall_extension(tmp_path).action == "absent"
    assert files(tmp_path) == []


def test_a_folder_that_cannot_be_made_is_said_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "agent").write_text("no folder", encoding="utf-8")
    with pytest.raises(InstallError) as caught:
        install_extension(tmp_path / "agent")
    assert "\n" not in str(caught.value)
    assert files(tmp_path) == ["agent"]


def test_a_full_disk_leaves_no_half_a_file(tmp_path: Path) -> None:
    shell = ("/bin/sh", "-c", 'ulimit -f 0 && exec "$@"', "sh")
    result = subprocess.run(
        [*shell, Path(sys.prefix) / "bin" / "longhaul", "install", "pi"],
        env={"PI_CODING_AGENT_DIR": str(tmp_path / "agent"), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert "cannot write" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert files(tmp_path) == []


def test_quotes_in_a_command_survive(tmp_path: Path) -> None:
    command = ('/odd "path"/py\\thon', "-c", "print('é')")
    path = tmp_path / "longhaul.ts"
    path.write_text(render_extension(command), encoding="utf-8")
    found = find_extension(path)
    assert found is not None
    assert found.command == command


def test_the_agent_folder_is_found_as_pi_finds_it(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path)}
    assert find_agent_dir(home) == tmp_path / ".pi" / "agent"
    assert find_agent_dir({**home, "PI_CODING_AGENT_DIR": "/x/y"}) == Path("/x/y")
    assert find_agent_dir({**home, "PI_CODING_AGENT_DIR": "~/y"}) == tmp_path / "y"
