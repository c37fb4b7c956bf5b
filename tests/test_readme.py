"""The example in the README is what the demo prints."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXAMPLE = re.compile(r"<!-- example: begin -->\n```\n(.*?)\n```\n<!-- example: end -->", re.DOTALL)


def test_every_line_of_the_example_is_one_of_the_demos() -> None:
    example = EXAMPLE.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert example is not None
    longhaul = str(Path(sys.executable).parent / "longhaul")
    command = [longhaul, "compact", "eval/demo/tidewatch.jsonl"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    shown = done.stdout.splitlines()
    for line in example[1].splitlines():
        assert any(one.startswith(line.removesuffix(" …")) for one in shown), line
