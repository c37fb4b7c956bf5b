"""What a session says of a model call is shown without acting on the terminal."""

import io

from rich.console import Console

from longhaul.cli.call_lines import print_calls
from longhaul.compaction.diff.record import CallRecord, dump_call
from longhaul.compaction.history import find_steps
from tests.build import assistant, compaction, path, user


def test_no_text_of_a_recorded_call_acts_on_the_terminal() -> None:
    odd = "\x1b[31mred\x07"
    call = CallRecord(mode=odd, model=odd, failure=odd, clipped=(odd,))
    details = {"longhaul": {"call": dump_call(call)}}
    entries = path(user("go"), assistant("ok"), compaction("s", "e2", details=details))
    shown = io.StringIO()
    print_calls(Console(file=shown, width=100), list(find_steps(entries)))
    assert shown.getvalue() == (
        "1  line 4, by longhaul: red, mode red\n"
        "   0 items of the model's taken, 0 dropped (? tokens in, ? out)\n"
        "   failed: red\n"
        "   left out of the request: red\n"
    )
