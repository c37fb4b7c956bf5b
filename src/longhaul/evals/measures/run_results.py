"""Result lines of the common test runners, linters and compilers, as the harness reads them."""

import re
from dataclasses import dataclass
from typing import Literal

from longhaul.evals.measures.run_steps import CheckKind

RunOutcome = Literal["passed", "failed", "unproven"]

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_MANY = re.MULTILINE
_N = r"\d{1,9}"
"""A number of tests; `int` takes no thousands of digits, and nobody has so many tests."""
_UNITTEST = re.compile(
    rf"^Ran (?P<total>{_N}) tests? in [\d.]+s\n\n(?:(?P<ok>OK)|FAILED \((?P<parts>[^)\n]*)\))",
    _MANY,
)
_NODE = re.compile(
    rf"^[\u2139#] tests (?P<total>{_N})\n(?:[\u2139#] .*\n){{0,20}}?"
    rf"[\u2139#] fail (?P<failed>{_N})\b",
    _MANY,
)
_NODE_FAIL = re.compile(rf"^[\u2139#] fail (?P<failed>{_N})\b", _MANY)
_PYTEST = re.compile(
    rf"^(?:=+ )?(?P<parts>{_N} "
    r"(?:passed|failed|errors?|skipped|xfailed|xpassed|deselected|warnings?)"
    rf"(?:, {_N} \w+)*) in [\d.]+s",
    _MANY,
)
_CARGO = re.compile(rf"^test result: \w+\. (?P<passed>{_N}) passed; (?P<failed>{_N}) failed", _MANY)
_JEST = re.compile(rf"^Tests: +(?P<parts>(?:{_N} \w+, )*)(?P<total>{_N}) total", _MANY)
_VITEST = re.compile(rf"^ *Tests  +(?P<parts>{_N} \w+(?: \| {_N} \w+)*) \((?P<total>{_N})\)", _MANY)
_MOCHA = re.compile(rf"^ +(?P<passed>{_N}) passing\b.*(?:\n+ +(?P<failed>{_N}) failing)?", _MANY)
_GO = re.compile(r"^(?:(?P<ok>ok)[ \t]+\S+[ \t]+(?:[\d.]+s|\(cached\))|(?P<fail>FAIL)\b)", _MANY)
_SUITES = re.compile(r"^ *Test (?:Suites:|Files) .*\b[1-9]\d* failed", _MANY)
_CLEAN: dict[CheckKind, re.Pattern[str]] = {
    "lint": re.compile(r"^All checks passed!", _MANY),
    "types": re.compile(r"^(?:Success: no issues found|0 errors, 0 warnings)", _MANY),
}
_FAULTS: dict[CheckKind, re.Pattern[str]] = {
    "lint": re.compile(r"^(?:Found [1-9]\d* errors?|✖ \d+ problems? \([1-9]\d* errors?)", _MANY),
    "types": re.compile(r"^(?:Found [1-9]\d* errors?|[1-9]\d* errors?, |.*\berror TS\d+:)", _MANY),
    "build": re.compile(r"^(?:error(?:\[E\d+\])?:|.*\berror TS\d+:|make: \*\*\*)", _MANY),
}
_BAD_PARTS = re.compile(
    rf"\b({_N}) (?:failed|errors?)\b|(?:failures|errors|unexpected successes)=({_N})"
)
_RUN_PARTS = re.compile(rf"\b({_N}) (?:passed|failed|errors?)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What an output shows of a run."""

    outcome: RunOutcome = "unproven"
    total: int | None = None
    """How many tests there were; None where no line, or more than one, says so."""
    n_failed: int | None = None


def read_result(kind: CheckKind, output: str) -> Result:
    """Return what the result lines of a check of this kind show.

    A fault anywhere decides; a part that passed proves nothing of parts that no line speaks of.
    """
    text = _COLOUR.sub("", output).replace("\r\n", "\n")
    if kind == "tests":
        return _read_tests(text)
    if kind in _FAULTS and _FAULTS[kind].search(text):
        return Result(outcome="failed")
    return Result(outcome="passed") if kind in _CLEAN and _CLEAN[kind].search(text) else Result()


def _read_tests(text: str) -> Result:
    counts = _counts(text)
    if not counts:
        fault = _NODE_FAIL.search(text)
        n_failed = int(fault["failed"]) if fault else None
        if n_failed is not None:
            return Result(outcome="failed" if n_failed else "passed", n_failed=n_failed)
        return _read_go(text)
    n_failed = sum(failed for _, failed in counts)
    is_failed = n_failed > 0 or _SUITES.search(text) is not None
    if not is_failed and not any(total for total, _ in counts):
        return Result()  # no test ran
    if len(counts) > 1:
        return Result(outcome="failed" if is_failed else "passed")
    return Result(
        outcome="failed" if is_failed else "passed", total=counts[0][0], n_failed=n_failed
    )


def _read_go(text: str) -> Result:
    lines = list(_GO.finditer(text))
    if not lines:
        return Result()
    return Result(outcome="failed" if any(line["fail"] for line in lines) else "passed")


def _counts(text: str) -> list[tuple[int, int]]:
    """Return total and failed tests of each result line."""
    found = [(int(m["total"]), _n_bad(m["parts"] or "")) for m in _UNITTEST.finditer(text)]
    found += [(int(m["total"]), int(m["failed"])) for m in _NODE.finditer(text)]
    found += [(_n_run(m["parts"]), _n_bad(m["parts"])) for m in _PYTEST.finditer(text)]
    found += [(int(m["total"]), _n_bad(m["parts"])) for m in _JEST.finditer(text)]
    found += [(int(m["total"]), _n_bad(m["parts"])) for m in _VITEST.finditer(text)]
    for line in (*_CARGO.finditer(text), *_MOCHA.finditer(text)):
        failed = int(line["failed"] or 0)
        found.append((int(line["passed"]) + failed, failed))
    return found


def _n_bad(parts: str) -> int:
    return sum(int(one or other) for one, other in _BAD_PARTS.findall(parts))


def _n_run(parts: str) -> int:
    return sum(map(int, _RUN_PARTS.findall(parts)))
