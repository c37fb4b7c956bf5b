"""The example in the README is what the demo prints."""

import re
import subprocess

from tests.pinned import DEMO, LONGHAUL, ROOT

EXAMPLE = re.compile(r"<!-- example: begin -->\n```\n(.*?)\n```\n<!-- example: end -->", re.DOTALL)


def test_every_line_of_the_example_is_one_of_the_demos() -> None:
    example = EXAMPLE.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert example is not None
    command = [str(LONGHAUL), "compact", str(DEMO)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    shown = done.stdout.splitlines()
    for line in example[1].splitlines():
        assert any(one.startswith(line.removesuffix(" …")) for one in shown), line
