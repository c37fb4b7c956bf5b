"""A capture's regular expression, searched for where it cannot hold up the recording.

Some expressions take longer than anybody waits: `(a+)+$` on a line of forty letters. Python's `re`
can be stopped by nothing but the end of its process, and lets no other thread run meanwhile.
"""

import json
import re
import signal
import subprocess
import sys
from dataclasses import dataclass

CAPTURE_S = 2.0
"""How long one search may compute; a usual one takes milliseconds."""
_SEARCH = """
import json, re, signal, sys
pattern, flags, text, limit_s = json.load(sys.stdin)
signal.setitimer(signal.ITIMER_VIRTUAL, limit_s)
found = re.search(pattern, text, flags)
json.dump(found and ((found[1] or "") if found.re.groups else found[0]), sys.stdout)
"""


@dataclass(frozen=True, slots=True)
class TooSlow:
    """A search was given up."""


def find_capture(
    pattern: re.Pattern[str], text: str, *, limit_s: float = CAPTURE_S
) -> str | TooSlow | None:
    """Return group 1 of the first match of `pattern` in `text`, else the whole match.

    A group that takes no part is empty; None where nothing matches.
    """
    done = subprocess.run(
        (sys.executable, "-I", "-S", "-c", _SEARCH),
        input=json.dumps((pattern.pattern, pattern.flags, text, limit_s)),
        capture_output=True,
        encoding="ascii",
        check=False,
        # A Ctrl-C is the recorder's; the search ends by its own timer, whatever becomes of that.
        start_new_session=True,
    )
    if done.returncode == -signal.SIGVTALRM:
        return TooSlow()
    done.check_returncode()
    found: str | None = json.loads(done.stdout)
    return found
