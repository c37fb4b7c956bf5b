"""Which commands surely change files of the project, and which can move git's HEAD."""

import re
from collections.abc import Sequence

from longhaul.compaction.ledger.check_commands import is_fix_word, only_checks
from longhaul.compaction.ledger.program_words import operands, program_name
from longhaul.compaction.ledger.programs import (
    CHANGERS,
    CHANGING,
    FORMATTERS,
    GIT_CHANGING,
    GIT_MOVING,
    INTERPRETERS,
    MAKERS,
    PACKAGE_MANAGERS,
)

_FIXES = re.compile(r"--(?:fix(?:-\w+)*|write|apply(?:-unsafe)?|autofix|autocorrect)(?:=|$)|-A$")
_IN_PLACE = re.compile(r"-[a-zA-Z]*i|--in-place")
_INLINE_WRITE = re.compile(
    r"""open\([^)\n]{1,200},\s*(?:mode\s*=\s*)?['"][wax]|write_(?:text|bytes)\(|writeFile"""
    r"""|\.write\(|appendFile|unlink|shutil\.|os\.(?:rename|remove|replace)|fs\.rm|File\.write"""
)
"""A program text, given to an interpreter on its command line, that writes files."""
_REVISION = re.compile(r"[~^]|@\{|^[0-9a-f]{7,40}$|^(?:origin|upstream)/|^ORIG_HEAD$")
_RESETS = frozenset(("--hard", "--soft", "--mixed", "--keep", "--merge"))
_NEW_BRANCH = frozenset(("-b", "-B", "-c", "-C", "--create"))
_TEMPORARY = ("/tmp/", "/var/tmp/", "/dev/")


def is_temporary(path: str) -> bool:
    """Return whether `path` lies where temporary files do."""
    return path.startswith(_TEMPORARY)


def changes_files(program: Sequence[str], source: str = "") -> bool:
    """Return whether `program`, from `program_words`, may change files of the project.

    Recognised only where that is certain: an unknown program is taken to change nothing. `source`
    is the whole command, in which an interpreter's program text stands.
    """
    name, arguments = program_name(program), program[1:]
    if name == "git":
        return _git_changes(arguments)
    if name in FORMATTERS:
        return not only_checks(arguments)
    if name in CHANGERS:
        named = operands(arguments)
        return not named or not all(map(is_temporary, named))
    if name in INTERPRETERS and _INLINE_WRITE.search(source):
        return True
    return _edits_in_place(name, arguments) or _subcommand_changes(name, arguments)


def _edits_in_place(name: str, arguments: Sequence[str]) -> bool:
    if name in ("sed", "perl"):
        return any(_IN_PLACE.match(word) for word in arguments)
    return any(_FIXES.match(word) for word in arguments)


def _subcommand_changes(name: str, arguments: Sequence[str]) -> bool:
    named = operands(arguments)
    if named and named[0] in CHANGING.get(name, ()):
        return not only_checks(arguments)
    return name in PACKAGE_MANAGERS | MAKERS and any(map(is_fix_word, named))


def _git_changes(arguments: Sequence[str]) -> bool:
    subcommand, rest = git_subcommand(arguments)
    if subcommand == "reset":
        return any(word in ("--hard", "--merge", "--keep") for word in rest)
    if subcommand == "stash":
        return not rest or rest[0] not in ("list", "show", "create", "drop", "clear")
    return subcommand in GIT_CHANGING and not _only_names_branch(subcommand, rest)


def moves_head(program: Sequence[str]) -> bool:
    """Return whether `program`, from `program_words`, may make HEAD another commit."""
    name, arguments = program_name(program), tuple(program[1:])
    if name != "git":
        return (name == "gh" and arguments[:2] == ("pr", "checkout")) or (
            name in PACKAGE_MANAGERS and arguments[:1] == ("version",) and len(arguments) > 1
        )
    subcommand, rest = git_subcommand(arguments)
    if subcommand not in GIT_MOVING or "--dry-run" in rest:
        return False
    if subcommand == "reset":
        return _resets_commit(rest)
    is_of_files = subcommand == "checkout" and "--" in rest
    return not is_of_files and not _only_names_branch(subcommand, rest)


def _only_names_branch(subcommand: str, rest: Sequence[str]) -> bool:
    """Return whether a checkout only names a new branch at the commit it stands on."""
    is_checkout = subcommand in ("checkout", "switch")
    return is_checkout and not _NEW_BRANCH.isdisjoint(rest) and len(operands(rest)) == 1


def _resets_commit(rest: Sequence[str]) -> bool:
    """Return whether a reset names another commit than HEAD; `git reset FILE` does not."""
    named = operands(rest)
    if named in ([], ["HEAD"]) or "--" in rest:
        return False
    return not _RESETS.isdisjoint(rest) or bool(_REVISION.search(named[0]))


def git_subcommand(arguments: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return git's subcommand and what follows it; options before it (`-C dir`) are skipped."""
    rest = tuple(arguments)
    while rest and rest[0].startswith("-"):
        rest = rest[2:] if rest[0] in ("-C", "-c") else rest[1:]
    return (rest[0], rest[1:]) if rest else ("", ())
