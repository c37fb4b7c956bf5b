"""The page about settings names those there are, their defaults and what projects may do."""

import json
import re
from pathlib import Path
from typing import get_args

from longhaul.compaction.completion import THINKING_LEVELS
from longhaul.config import Config, Mode, load_config
from longhaul.config.keys import KEYS, MAX_DEADLINE_S, MIN_DEADLINE_S, MOST_BUDGET_CHARS, NAMES
from tests.pinned import ROOT

PAGE = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
ROWS = {
    cells[0].strip("` "): [cell.strip() for cell in cells[1:]]
    for cells in (line.strip("|").split("|") for line in re.findall(r"^\| `.*", PAGE, re.MULTILINE))
    if len(cells) == 4
}
"""What the table says of each key: values, meaning, what a project may do."""
(DEFAULTS,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)


def test_every_setting_is_on_the_page_and_nothing_else() -> None:
    assert list(ROWS) == list(NAMES)
    assert list(json.loads(DEFAULTS)) == list(NAMES)


def test_the_defaults_on_the_page_are_those_that_hold(tmp_path: Path) -> None:
    (tmp_path / "longhaul.json").write_text(DEFAULTS, encoding="utf-8")
    assert load_config(tmp_path) == Config()


def test_the_values_on_the_page_are_those_that_are_taken() -> None:
    deadline = f"{MIN_DEADLINE_S} to {MAX_DEADLINE_S}"
    assert ROWS["offlineDeadlineSeconds"][0] == ROWS["callDeadlineSeconds"][0] == deadline
    assert ROWS["budgetChars"][0] == f"4,000 to {MOST_BUDGET_CHARS:,}, whole"
    assert re.findall(r"`(\w+)`", ROWS["mode"][0]) == list(get_args(Mode))
    assert re.findall(r"`(\w+)`", ROWS["thinking"][0]) == list(THINKING_LEVELS)


def test_the_page_says_which_settings_a_project_cannot_touch() -> None:
    untouched = [name for name, cells in ROWS.items() if cells[2] == "cannot set it"]
    assert untouched == [key.name for key in KEYS if key.measure is None]
