"""Result lines that test runners, linters and build tools print, and what they prove."""

import re
from dataclasses import dataclass

from longhaul.compaction.secrets import mask_secrets
from longhaul.compaction.state import CheckOutcome
from longhaul.compaction.white_space import fold_space

_TAIL_CHARS = 4_000
"""A result line stands in this last part of an output, or is not seen."""

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")

_FAIL_LINE = re.compile(
    r"""^(?:
      =*\ *(?:\d+\ \w+,\ )*[1-9]\d*\ (?:failed|errors?)\b.*\ in\ [\d.]+s.*
    | [ \t]*(?:Tests|Test\ Suites|Test\ Files):?\s.*\b[1-9]\d*\ failed.*
    | (?:\#|\u2139)\ fail\ [1-9].* | [ \t]+[1-9]\d*\ failing\b.* | FAILURES!
    | FAILED\ \((?:failures|errors|unexpected).* | test\ result:\ FAILED.*
    | \d+\ (?:examples?|runs?|tests?)\b.*\b[1-9]\d*\ (?:failures?|errors?)\b.*
    | Found\ [1-9]\d*\ errors?.* | ✖\ [1-9]\d*\ problems?.*
    | [1-9]\d*\ errors?(?:,|\ and)\ \d+\ warn.*
    | \d+\ files?\ would\ be\ (?:re)?formatted.* | [1-9]\d*\ (?:tests?\ )?failed\W*
    | .*\b\d+\ passed[,;]?\ (?:and\ )?[1-9]\d*\ failed\b.*
    | .*\b[1-9]\d*\ failed[,;]?\ (?:and\ )?\d+\ passed\b.*
    | .*\bpass(?:ed)?[:=]\ ?\d+\b.*\bfail(?:ed|ures)?[:=]\ ?[1-9].*
    )$""",
    re.MULTILINE | re.VERBOSE,
)
"""A whole run's result, with a count of what failed."""
_BROKEN_LINE = re.compile(
    r"""^(?:
      error\[E\d+\]:.* | error:\ (?:could\ not\ compile|test\ failed|aborting\ due).*
    | .*\berror\ TS\d+:.*
    | (?:---\ )?FAIL(?:ED|URE)?\b.* | not\ ok\ \d.* | BUILD\ FAIL.* | make(?:\[\d+\])?:\ \*\*\*.*
    | npm\ (?:ERR!|error)\ .*
    )$""",
    re.MULTILINE | re.VERBOSE,
)
"""One part's failure, or a build tool's last words."""
_PASS_LINE = re.compile(
    r"""^(?:
      =*\ *\d+\ passed\b.*\ in\ [\d.]+s.* | (?:\#|\u2139)\ fail\ 0
    | [ \t]*(?:Tests|Test\ Files):?\s+(?:\d+\ skipped\b[,\ |]*)?\d+\ passed\b.*
    | [ \t]+\d+\ passing\b.*
    | Success:\ no\ issues\ found.* | All\ checks\ passed! | 0\ errors,\ 0\ warnings.*
    | BUILD\ SUCCESS.* | Build\ succeeded.* | \d+\ (?:examples?|runs?)\b.*\b0\ failures.*
    | .*\b\d+\ passed[,;]?\ (?:and\ )?0\ failed\b.* | .*\b0\ failed[,;]?\ (?:and\ )?\d+\ passed\b.*
    | .*\bpass(?:ed)?[:=]\ ?\d+\b.*\bfail(?:ed|ures)?[:=]\ ?0\b.*
    )$""",
    re.MULTILINE | re.VERBOSE,
)
_UNITTEST_PASSED = re.compile(r"^Ran [1-9]\d* tests? in [\d.]+s\n\nOK\b.*$", re.MULTILINE)
_LAST_PASS_LINE = re.compile(
    r"ok\s+\S+\s+(?:[\d.]+s|\(cached\)).*|test result: ok\..*|PASS|OK(?: \(.*\))?"
    r"|[Aa]ll (?:\d+ )?tests? pass(?:ed)?\W*"
)
"""One part's result: proves the whole only as the last line of an output whose end is kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What the output of a check proves by itself."""

    outcome: CheckOutcome
    line: str = ""
    """The line that says so, with secrets masked; empty where none does."""


def judge_output(output: str, *, keeps_end: bool, may_repeat: bool) -> Result:
    """Return what the result lines of a check's output prove.

    A whole run's count of failures decides first, then a part's failure that no whole run's result
    follows, then a whole run's success. One part's success proves the whole only as the last line,
    where what the output went through `keeps_end`. Where the check `may_repeat`, in a loop, a
    success is one run's and proves nothing.
    """
    end = mask_secrets(_COLOUR.sub("", output[-_TAIL_CHARS:])).rstrip()
    failed = list(_FAIL_LINE.finditer(end))
    passed = [] if may_repeat else [*_PASS_LINE.finditer(end), *_UNITTEST_PASSED.finditer(end)]
    broken = list(_BROKEN_LINE.finditer(end, passed[-1].end() if passed else 0))
    if failed:
        return Result(outcome="failed", line=failed[-1][0].strip())
    if broken:
        return Result(outcome="unproven" if passed else "failed", line=broken[-1][0].strip())
    if passed:
        return Result(outcome="passed", line=fold_space(passed[-1][0]))
    last_line = end.rsplit("\n", 1)[-1].strip()
    if keeps_end and not may_repeat and _LAST_PASS_LINE.fullmatch(last_line):
        return Result(outcome="passed", line=last_line)
    return Result(outcome="unproven")
