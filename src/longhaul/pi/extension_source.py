"""The extension's modules as the one file that pi loads.

One file can be placed, replaced and removed in one step; several could disagree with each other.
"""

import re
from collections.abc import Iterable
from importlib import resources

PARTS = (
    *("installed", "json", "say", "local", "deadline", "server", "session"),
    *("completion", "compaction", "recall", "command", "longhaul"),
)
"""The modules of `extension/`, each behind those that it imports."""

_IMPORT = re.compile(
    r'^import (type )?\{([^}]*)\} from "([^"]+)";\n(?:\n(?!import))?', re.MULTILINE
)
_EXPORT = re.compile(r"^export (?!default )", re.MULTILINE)


def read_source() -> str:
    """Return the extension's source, as it stands in the package."""
    folder = resources.files("longhaul.pi").joinpath("extension")
    return join_modules(folder.joinpath(f"{name}.ts").read_text("utf-8") for name in PARTS)


def join_modules(modules: Iterable[str]) -> str:
    """Return modules of TypeScript as one, which begins with the first one's comment.

    They import by name alone, from each other by a path with a dot in front, and declare no name
    twice among them. What they import from elsewhere stands once, behind that comment.
    """
    head, *bodies = modules
    comment, _, first = head.partition("\n\n")
    imports: dict[tuple[str, str], set[str]] = {}
    for body in bodies:
        for kind, names, source in _IMPORT.findall(body):
            if not source.startswith("."):
                imports.setdefault((source, kind), set()).update(_names(names))
    parts = (_EXPORT.sub("", _IMPORT.sub("", body)).strip() for body in (first, *bodies))
    lines = (_import_line(*key, names) for key, names in sorted(imports.items()))
    return "\n\n".join((comment, "\n".join(lines), *parts)) + "\n"


def _names(names: str) -> set[str]:
    return {name for part in names.split(",") if (name := part.strip())}


def _import_line(source: str, kind: str, names: Iterable[str]) -> str:
    return f'import {kind}{{ {", ".join(sorted(names))} }} from "{source}";'
