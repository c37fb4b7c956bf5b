"""A run of the harness in a folder, small enough to read, and hostile where pages must stand it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from longhaul.evals.arms.arm import Made
from longhaul.evals.cases import NotScored
from longhaul.evals.measures.amounts import Amount, Count, Tally
from longhaul.evals.rows import Row, RowKey
from longhaul.evals.run_folder import RunFolder
from longhaul.evals.scores import Score
from longhaul.evals.summary import Summary, dump_summary
from longhaul.evals.sums import Sums

if TYPE_CHECKING:
    from longhaul.transcript.entries import JsonValue

HOSTILE = '<script>globalThis.hit = 1</script><img src=x onerror="hit=1"> \x1b[31m\u202egnp.exe'
"""What a session may hold: markup, a terminal sequence, a bidirectional override."""

FIRST = '## Rules\n- r1 (u2): "lower case subjects"\n- r2 (u4): "no docs"\n\n## World\n- pass\n'
SECOND = f"""\
## Rules
- r1 (u2): "lower case subjects"
- u6 says so: "capitals"

## World
- took 165.7 ms, one decimal
- {HOSTILE}
"""
RULE, OTHER, LIFTED, VALUE = "u2 /lower case/", "u3 /one decimal/", "u5 /capitals/", "u3 165.7 ms"

AMOUNTS: Mapping[int, Mapping[str, Amount]] = {
    1: {
        "goal": Count(kept=("u1",)),
        "rules": Count(kept=(RULE,)),
        "rulesAnywhere": Count(kept=(RULE,)),
        "stray": Tally(('- r2 (u4): "no docs"',)),
        "need": Count(kept=("README",), lost=("curl -u me:hunter2hunter2",)),
    },
    2: {
        "goal": Count(lost=("u1",)),
        "rules": Count(kept=(RULE,), lost=(OTHER,)),
        "rulesAnywhere": Count(kept=(RULE, OTHER)),
        "lifts": Count(lost=(LIFTED,)),
        "values": Count(kept=(VALUE,)),
        "stray": Tally(),
    },
}
"""What `state` keeps at each of two compactions."""
OTHER_AMOUNTS: Mapping[int, Mapping[str, Amount]] = {
    1: {"rules": Count(lost=(RULE,)), "goal": Count(kept=("u1",))},
    2: {"rules": Count(kept=(RULE, OTHER)), "goal": Count(kept=("u1",))},
}


def text_row(
    compaction: int, text: str, *, arm: str = "state", repeat: int = 1, session: str = "tide"
) -> Row:
    """Return a row of a text that took ten tokens and a second."""
    return Row(
        key=RowKey(session, compaction, arm, repeat),
        entry_id=f"e{compaction}",
        made=Made(text=text, tokens_in=10, tokens_out=2, seconds=1.0, n_calls=1),
    )


def failed_row(compaction: int, failure: str, *, arm: str) -> Row:
    """Return a row of an arm that failed."""
    key = RowKey("tide", compaction, arm, 1)
    return Row(key=key, entry_id=f"e{compaction}", made=None, failure=failure)


def score(row: Row, amounts: Mapping[str, Amount], labels: str = "abc") -> Score:
    """Return the score of a row."""
    return Score(key=row.key, label_hash=labels, amounts=amounts)


ROWS: Sequence[Row] = (
    text_row(1, FIRST),
    text_row(1, "lower", arm="plain"),
    text_row(2, SECOND),
    text_row(2, "lower case\none decimal", arm="plain"),
)


def save_run(
    folder: Path,
    *,
    rows: Sequence[Row] = ROWS,
    amounts: Mapping[str, Mapping[int, Mapping[str, Amount]]] | None = None,
    labels: str = "abc",
    is_chained: bool = True,
    not_scored: Sequence[NotScored] = (),
) -> Path:
    """Write a run into `folder`; return the folder."""
    by_arm = amounts or {"state": AMOUNTS, "plain": OTHER_AMOUNTS}
    run_folder, sums = RunFolder(folder), Sums()
    run_folder.make()
    found = [
        score(row, by_arm.get(row.key.arm, {}).get(row.key.compaction, {}), labels)
        for row in rows
        if row.made is not None
    ]
    made = {row.key: row.made for row in rows}
    for one in found:
        kept = made[one.key]
        assert kept is not None
        sums.add(one, kept)
    for row in rows:
        run_folder.append_row(row)
    run_folder.save_scores(found)
    run: dict[str, JsonValue] = {
        "options": {
            "sessions": "eval/sessions",
            "arms": ["state", "plain"],
            "model": None,
            "is_chained": is_chained,
            "with_local_only": False,
            "new": 3,
        },
        "commit": "0123456789ab",
        "versions": {"longhaul": "0.1.0", "pi": None},
        "labels": labels or None,
        "sessions": ["tide"],
    }
    run_folder.save_json("run.json", run)
    summary = Summary(
        run=run,
        arms=sums.arms(["state", "plain"]),
        sessions=sums.sessions(["state", "plain"]),
        not_scored=tuple(not_scored),
    )
    run_folder.save_json("summary.json", dump_summary(summary))
    return folder
