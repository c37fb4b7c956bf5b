"""Imports point one way, and the inner packages touch nothing outside their arguments."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import longhaul

PACKAGE = Path(longhaul.__file__).parent

MAY_IMPORT = {
    "__init__": (),
    "errors": (),
    "transcript": ("errors",),
    "compaction": ("transcript", "errors"),
    "config": ("transcript", "compaction", "errors"),
    "models": ("transcript", "compaction", "config", "errors"),
    "pi": ("transcript", "compaction", "config", "errors"),
    "record": ("transcript", "compaction", "models", "pi", "config", "errors"),
    "evals": ("transcript", "compaction", "models", "pi", "config", "errors"),
    "cli": (
        *("transcript", "compaction", "models", "pi", "record", "evals"),
        *("config", "errors"),
    ),
}
"""Each part of the package, with the other parts that it may import."""

INNER = ("transcript", "compaction")

PURE = frozenset(
    """
    __future__ abc array ast base64 binascii bisect collections copy dataclasses datetime decimal
    difflib enum fnmatch fractions functools graphlib hashlib heapq html itertools json keyword math
    operator posixpath re shlex statistics string struct textwrap types typing unicodedata zlib
    """.split()  # noqa: SIM905 - forty lines of quotes otherwise
)
"""Standard modules that only compute: no clock, chance, environment, file or network behind."""

OUTSIDE_CALLS = frozenset(("open", "input", "print", "exec", "eval", "compile", "__import__"))
OUTSIDE_METHODS = frozenset(("now", "today", "utcnow"))


def imported_modules(tree: ast.Module) -> Iterator[str]:
    """Yield the dotted name of every module that a source file imports, wherever it does so."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            names = module == longhaul.__name__
            yield from (f"{module}.{alias.name}" for alias in node.names) if names else (module,)


def import_fault(part: str, module: str) -> str | None:
    """Return what is wrong with `part` importing `module`, or None."""
    if module.startswith("."):
        return f"relative import {module}"
    top, *rest = module.split(".")
    if top == longhaul.__name__:
        target = rest[0] if rest else "__init__"
        return None if target in (part, *MAY_IMPORT[part]) else f"imports {target}"
    if part not in INNER:
        return None
    return None if top in PURE else f"imports {top}, which is not pure standard library"


def call_fault(call: ast.Call) -> str | None:
    """Return what is wrong with a call made inside an inner package, or None."""
    match call.func:
        case ast.Name(id=name) if name in OUTSIDE_CALLS:
            return f"calls {name}()"
        case ast.Attribute(attr=name) if name in OUTSIDE_METHODS:
            return f"asks the clock with {name}()"
    return None


def find_faults(part: str, source: str) -> list[str]:
    """Return every way in which `source`, a module of `part`, breaks the layers."""
    tree = ast.parse(source)
    faults = [import_fault(part, module) for module in imported_modules(tree)]
    if part in INNER:
        faults += [call_fault(node) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [fault for fault in faults if fault]


def part_of(path: Path) -> str:
    """Return the part of the package that a module belongs to: its folder's or its own name."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def modules() -> Iterable[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def test_every_part_of_the_package_has_a_place_in_the_layers() -> None:
    assert {part_of(path) for path in modules()} <= set(MAY_IMPORT)


def test_no_module_imports_against_the_layers_or_reaches_outside() -> None:
    faults = {
        str(path.relative_to(PACKAGE)): find_faults(part_of(path), path.read_text(encoding="utf-8"))
        for path in modules()
    }
    assert {name: found for name, found in faults.items() if found} == {}


def test_the_layers_have_no_cycle() -> None:
    order = list(MAY_IMPORT)
    assert all(
        order.index(target) < order.index(part)
        for part, targets in MAY_IMPORT.items()
        for target in targets
    )


def test_an_inner_package_that_imports_an_outer_one_is_found() -> None:
    source = "from longhaul.pi.sessions import load_session\nfrom longhaul import cli\n"
    assert find_faults("compaction", source) == ["imports pi", "imports cli"]


def test_sideways_imports_are_found() -> None:
    assert find_faults("models", "import longhaul.pi.serve") == ["imports pi"]
    assert find_faults("record", "from longhaul.evals import replay") == ["imports evals"]


def test_an_import_hidden_in_a_function_is_found() -> None:
    source = "def f() -> None:\n    import os.path\n"
    assert find_faults("transcript", source) == ["imports os, which is not pure standard library"]


def test_a_dependency_in_an_inner_package_is_found() -> None:
    source = "import orjson\nfrom . import entries\n"
    assert find_faults("transcript", source) == [
        "imports orjson, which is not pure standard library",
        "relative import .",
    ]


def test_files_and_the_clock_in_an_inner_package_are_found() -> None:
    source = "from datetime import datetime\nopen('x')\ndatetime.now()\n"
    assert find_faults("compaction", source) == ["calls open()", "asks the clock with now()"]


def test_adapters_may_do_what_the_core_may_not() -> None:
    source = "import os\nimport orjson\nfrom longhaul.compaction.state import State\nopen('x')\n"
    assert find_faults("pi", source) == []
