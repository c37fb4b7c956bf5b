"""Which commands are checks: tests, builds, lints, type checks, format checks."""

import re
from collections.abc import Sequence

from longhaul.compaction.ledger.program_words import operands, program_name
from longhaul.compaction.ledger.programs import (
    CHANGING,
    CHECKERS,
    CHECKING,
    FORMATTERS,
    INTERPRETERS,
    MAKERS,
    PACKAGE_MANAGERS,
)

_CHECK_WORD = re.compile(
    r"(?:^|[-_:./])(?:tests?|unittests?|checks?|lint|linting|build|types?|type-?check|tsc|verify|ci"
    r"|specs?|e2e|smoke|validate|compile|unit|integration|coverage|assemble|package|selftest|vet"
    r"|qa)(?:$|[-_:.]|[A-Z])"
)
_FIX_WORD = re.compile(
    r"(?:^|[-_:])(?:fix|format|fmt|write|generate|gen|codegen|update|upgrade|clean)(?:$|[-_:])"
)
_FORMAT_CHECK_WORD = re.compile(r"(?:^|[-_:])(?:check|verify|ci)(?:$|[-_:])")
_SCRIPT = re.compile(
    r"(?:^|[-_./])(?:tests?|check|lint|verify|specs?|smoke|selftest|validate|ci|build)"
    r"(?:$|[-_.])[^/]*$|(?:tests?|spec)\.\w+$|(?:^|/)test\w*\.\w+$"
    r"|(?:^|/)tests?/(?:run|all|main)[^/]*$"
)
"""A script whose name, or the `tests/` folder it runs, says that it checks."""

_ONLY_CHECKS = re.compile(
    r"--(?:check(?:-only|-formatted)?|diff|dry-run|list-different|verify|Werror)(?:=|$)|-[lcd]$"
)
_NOT_RUN = re.compile(
    r"--(?:version|help|collect-only|co|fixtures|markers|setup-plan|watch|watchAll|list|listTests"
    r"|listenvs|showConfig|init)$|--print-config(?:=|$)|-[hV]$"
)
_NOT_MADE = re.compile(
    r"--(?:dry-run|dry|just-print|recon|question|touch)$|-[BSeikrsw]*n[BSeikrsw]*$"
)
"""By this a build tool only says what it would do."""
_ASKING = {"make": ("-q", "-t"), "gmake": ("-q", "-t"), "gradle": ("-m",), "gradlew": ("-m",)}
"""The same, where another build tool means something else by the option."""
_INLINE = frozenset(("-c", "-e", "-p", "-", "--eval", "--print"))


_ARGUMENTS = r"""(?:[^2;&|<>()\n'"`$\\]++|2(?:>(?:/dev/null|&1))?|'[^']*'|"[^"$`\\]*")*+"""
_LOOKING = (
    r"(?:ls|cat|grep|egrep|rg|head|tail|wc|pwd|sed -n|echo|which|stat|file|tree|du|df|sort|uniq|cut"
    rf"|jq|ps|nl|diff|cd)(?![\w./-]){_ARGUMENTS}"
)
_ONLY_LOOKING = re.compile(rf"{_LOOKING}(?:(?:\||&&|;|\n) *{_LOOKING})*+")


def is_only_looking(command: str) -> bool:
    """Return whether a shell command surely does nothing but print what there is.

    This only saves time: a command that is not recognised here is taken apart.
    """
    return _ONLY_LOOKING.fullmatch(command) is not None


def only_checks(arguments: Sequence[str]) -> bool:
    """Return whether a formatter is told not to rewrite anything."""
    return any(_ONLY_CHECKS.match(word) for word in arguments)


def is_check(program: Sequence[str]) -> bool:
    """Return whether `program`, from `program_words`, runs tests, a build, a lint or the like."""
    name, arguments = program_name(program), program[1:]
    if not name:
        return False
    if name in FORMATTERS or arguments[:1] in (("fmt",), ("format",)):
        return only_checks(arguments)
    if name in PACKAGE_MANAGERS or name == "deno":
        may_check = _is_checker(name, arguments) or _is_check_script(name, arguments)
    elif name in MAKERS:
        may_check = _is_check_target(name, arguments)
    else:
        may_check = _is_checker(name, arguments) or _is_check_file(program)
    return may_check and not any(_NOT_RUN.match(word) for word in arguments)


def _is_checker(name: str, arguments: Sequence[str]) -> bool:
    """Return whether a program, or the subcommand of one, does nothing but check."""
    subcommand = next((word for word in arguments if not word.startswith(("-", "+"))), "")
    if name in CHECKERS:
        return subcommand not in ("install", "codegen", "open", "show")
    if name == "cmake":
        return "--build" in arguments
    return subcommand in CHECKING.get(name, ())


def _is_check_script(name: str, arguments: Sequence[str]) -> bool:
    """Return whether a package manager runs a script whose name says that it checks."""
    named = operands(arguments)
    if named[:1] in (["run"], ["run-script"], ["task"]):
        script = named[1:2]
    else:
        is_own_word = name in ("npm", "deno") or not CHANGING[name].isdisjoint(named[:1])
        script = [] if is_own_word else named[:1]
    return any(_CHECK_WORD.search(word) and not is_fix_word(word) for word in script)


def is_fix_word(word: str) -> bool:
    """Return whether the name of a script or target says that it rewrites files."""
    return bool(_FIX_WORD.search(word)) and not _FORMAT_CHECK_WORD.search(word)


def _is_check_target(name: str, arguments: Sequence[str]) -> bool:
    """Return whether a build tool is asked for a target that checks or builds; make needs none."""
    if any(_NOT_MADE.match(word) or word in _ASKING.get(name, ()) for word in arguments):
        return False
    targets = [word for word in operands(arguments) if "=" not in word]
    if not targets:
        return name in ("make", "gmake", "rake")
    return any(
        word == "all" or (_CHECK_WORD.search(word) and not is_fix_word(word)) for word in targets
    )


def _is_check_file(program: Sequence[str]) -> bool:
    """Return whether a script is run whose path says that it checks, or `node --test`."""
    name, arguments = program_name(program), program[1:]
    if name not in INTERPRETERS:
        is_path = "/" in program[0] or program[0].endswith((".sh", ".py"))
        return is_path and bool(_SCRIPT.search(program[0]))
    flags = {"node": ("--test", "--check"), "bash": ("-n",), "sh": ("-n",), "php": ("-l",)}
    if any(flag in arguments for flag in flags.get(name, ())):
        return True
    script = next(iter(operands(arguments)), "")
    if not _INLINE.isdisjoint(arguments):
        return False
    return bool(_SCRIPT.search(script)) or (script.endswith("manage.py") and "test" in arguments)
