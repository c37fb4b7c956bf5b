"""Claims about commits and HEAD, held against what git printed."""

import re
from collections.abc import Iterator

from longhaul.evals.measures.claim_lines import Line, without_quotes
from longhaul.evals.measures.claim_verdicts import Verdict
from longhaul.evals.measures.run_commits import SeenCommit
from longhaul.evals.measures.runs import Runs, before, find_seen, has_appeared

_ABOUT = re.compile(r"\b(?:commits?|committed|HEAD)\b", re.IGNORECASE)
_HASH = re.compile(r"(?<![\w./#-])(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?![\w/-])")
_TITLE = re.compile(r"^`?\*{0,2}:?\s+(?:\"(?P<a>[^\"]+)\"|“(?P<b>[^”]+)”|«(?P<c>[^»]+)»)")
_CUT = ("…", "...")


def judge_commits(line: Line, runs: Runs, end: int) -> Iterator[Verdict]:
    """Yield what becomes of each commit that a line names, as of the compaction at `end`.

    A hash is wrong where it has appeared nowhere, a title where git printed another for that hash.
    Who names a hash says that there is such a commit, in a plan or a negation as well.
    """
    text = without_quotes(line.text)
    if _ABOUT.search(text):
        for found in dict.fromkeys(_HASH.findall(text)):
            yield judge_hash(found, title_behind(line.text, found), runs, end)


def judge_hash(hash_text: str, title: str, runs: Runs, end: int) -> Verdict:
    """Return what becomes of a claim that a commit exists; `title` is empty where none is told."""
    claim = f"commit {hash_text}"
    if not has_appeared(runs, hash_text, end):
        return Verdict(claim, "never appeared")
    titles = {seen.title for seen in find_seen(runs, hash_text, end) if seen.title}
    if title and titles and not any(is_title(title, known) for known in titles):
        return Verdict(f'{claim} "{title}"', f'"{max(titles)}"')
    return Verdict(claim)


def newest_made(runs: Runs, end: int) -> SeenCommit | None:
    """Return the commit that HEAD surely is; None where a later command may have moved it."""
    made = next((one for one in reversed(before(runs.commits, end)) if one.is_made), None)
    if made is None or any(made.index < index < end for index in runs.head_moves):
        return None
    return made


def title_behind(line: str, hash_text: str) -> str:
    """Return the quoted words right behind a hash; empty where there are none."""
    found = _TITLE.match(line.partition(hash_text)[2])
    return (found["a"] or found["b"] or found["c"]) if found else ""


def is_title(told: str, known: str) -> bool:
    """Return whether a title is told right; one that is cut counts as far as it goes."""
    words = " ".join(told.split())
    for mark in _CUT:
        if words.endswith(mark):
            return " ".join(known.split()).startswith(words.removesuffix(mark).rstrip())
    return words.casefold() == " ".join(known.split()).casefold()
