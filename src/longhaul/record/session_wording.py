"""How findings about a session name what they found, in part of one line."""

import json
from collections.abc import Iterable

from longhaul.compaction.render.quoting import safe_line
from longhaul.transcript.entries import JsonValue

CLIPPED = "…"
"""What stands where something named was clipped."""

_N_NAMED = 3
_NAMED_CHARS = 60


def name_some(things: Iterable[str]) -> str:
    """Return the first three different `things`, each clipped and escaped, and how many more."""
    different = list(dict.fromkeys(things))
    named = ", ".join(safe_line(one, _NAMED_CHARS) for one in different[:_N_NAMED])
    n_more = len(different) - _N_NAMED
    return f"{named} and {n_more:,} more" if n_more > 0 else named


def value_text(value: JsonValue) -> str:
    """Return a value as a finding quotes it: of lists and objects, which may be deep, the kind."""
    match value:
        case str():
            return value
        case list():
            return "a list"
        case dict():
            return "an object"
    return json.dumps(value)
