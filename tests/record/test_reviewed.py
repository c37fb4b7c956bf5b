"""The file of reviewed findings."""

from pathlib import Path

import pytest

from longhaul.errors import CheckError
from longhaul.record.reviewed import Place, Reviewed, load_reviewed, parse_reviewed

FILE = Path("reviewed.txt")


def test_an_exception_is_a_kind_a_place_and_a_reason() -> None:
    text = "# cut\n\n  length sh-backup:164 a draft in the reasoning \r\npath a:b:7 an example\n"
    assert list(parse_reviewed(text, file=FILE)) == [
        Reviewed(
            place=Place("length", "sh-backup", 164),
            reason="a draft in the reasoning",
            file=FILE,
            number=3,
        ),
        Reviewed(place=Place("path", "a:b", 7), reason="an example", file=FILE, number=4),
    ]


@pytest.mark.parametrize(
    "row",
    ["path", "path a:1", "path a:1 ", "path a example", "path a:0 x", "path a:-1 x", "path a:x y"],
)
def test_a_line_of_another_form_is_an_error(row: str) -> None:
    with pytest.raises(CheckError) as error:
        list(parse_reviewed(f"#\n{row}\n", file=FILE))
    assert str(error.value) == "reviewed.txt:2: expected <kind> <session>:<line> <reason>"


def test_an_unknown_kind_is_an_error() -> None:
    with pytest.raises(CheckError) as error:
        list(parse_reviewed("reviewed a:1 x", file=FILE))
    assert str(error.value) == (
        "reviewed.txt:1: reviewed is no kind of finding (format, cwd, model, length, aborted, path,"
        " network, deny, secret)"
    )


def test_an_exception_that_stands_twice_is_an_error() -> None:
    with pytest.raises(CheckError) as error:
        list(parse_reviewed("path a:1 x\n\npath a:1 y", file=FILE))
    assert str(error.value) == "reviewed.txt:3: stands in line 1 already"


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff")
    for name in ("none", "bytes", "."):
        with pytest.raises(CheckError, match="cannot be read"):
            load_reviewed(tmp_path / name)
