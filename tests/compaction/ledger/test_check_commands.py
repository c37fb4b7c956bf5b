"""Which commands are checks, which change files, which move HEAD."""

import pytest

from longhaul.compaction.ledger.changes import changes_files, moves_head
from longhaul.compaction.ledger.check_commands import is_check, is_only_looking
from longhaul.compaction.ledger.shell import Step, parse_shell


def only_step(command: str) -> Step:
    (step,) = parse_shell(command).steps
    return step


@pytest.mark.parametrize(
    "command",
    [
        *("pytest", "python -m pytest -q tests/x.py", ".venv/bin/pytest tests", "tox -e py311"),
        *("python -m unittest", "python3 -m unittest discover -s tests", "python manage.py test"),
        *("python tests/run_all.py", "python3 test_ledger.py", "./run-tests.sh", "bash test.sh"),
        *("sh scripts/ci.sh", "bash -n backup.sh", "bats tests", "shellcheck *.sh"),
        *("npm test", "npm t", "npm run test:unit", "npm run build", "npm run typecheck"),
        *("npm run format:check", "pnpm lint", "yarn test", "bun test", "deno task test"),
        *("npx tsc --noEmit", "npx vitest run", "eslint .", "prettier --check .", "tsc -p ."),
        *("node --test", "node --import tsx --test test/a.test.ts", "node test/all.test.mjs"),
        *("cargo test", "cargo clippy -- -D warnings", "cargo fmt --check", "cargo +nightly build"),
        *("go test ./...", "go vet ./...", "gofmt -l .", "make", "make test", "make -j4 check"),
        *("./gradlew :app:test", "mvn -q verify", "dotnet test", "mix test", "bundle exec rspec"),
        *(
            "cmake --build build",
            "ninja",
            "gcc -Wall -c a.c",
            "ruff check .",
            "ruff format --check",
        ),
        *("mypy src", "black --check .", "time make test", "swift test", "pre-commit run -a"),
    ],
)
def test_a_check_is_recognised(command: str) -> None:
    assert is_check(only_step(command).program)


def test_nothing_that_is_run_is_no_check() -> None:
    assert not is_check(only_step("PATH=/x").program)


@pytest.mark.parametrize(
    "command",
    [
        *("cat tests/test_a.py", "grep -rn pytest .", "pip install pytest", "npm install vitest"),
        *(
            "npm ci",
            "npm run dev",
            "npm run format",
            "yarn add jest",
            "pytest --version",
            "make run",
        ),
        *(
            "node server.js",
            "python app.py",
            "python -c 'import test'",
            "bash deploy.sh",
            "git test",
        ),
        *(
            "test -f x",
            "black .",
            "ruff format",
            "cargo run",
            "go run .",
            "cargo fmt",
            "ls",
            "make clean",
        ),
        *(
            "./server",
            "echo tests",
            "python -m venv .venv",
            "npx playwright install",
            "vitest --watch",
        ),
    ],
)
def test_what_is_no_check_is_not_taken_for_one(command: str) -> None:
    assert not is_check(only_step(command).program)


@pytest.mark.parametrize(
    "command",
    [
        *(
            "git checkout main",
            "git restore a.py",
            "git stash",
            "git stash pop",
            "git reset --hard",
        ),
        *(
            "git apply x.patch",
            "git pull",
            "git -C sub clean -fd",
            "sed -i s/a/b/ x",
            "perl -pi -e 1 x",
        ),
        *("mv a b", "rm -rf dist", "cp a b", "touch a", "tee notes.md", "black .", "ruff format"),
        *(
            "ruff check --fix",
            "eslint --fix .",
            "npx prettier --write .",
            "cargo fmt",
            "gofmt -w .",
        ),
        *("npm install", "pip install -e .", "npm run format", "make fmt", "go mod tidy"),
        """python -c "open('a','w').write('x')" """,
    ],
)
def test_a_command_that_changes_files_is_recognised(command: str) -> None:
    assert changes_files(only_step(command).program, command)


@pytest.mark.parametrize(
    "command",
    [
        *("git status", "git stash list", "git checkout -b new", "git reset a.py", "sed -n 1p x"),
        *(
            "black --check .",
            "ruff check",
            "rm -f /tmp/x",
            "cp /tmp/a /tmp/b",
            "npm test",
            "make test",
        ),
        *("pip list", "python -c 'print(1)'", "ls", "git commit -m x", "cargo fmt --check", ""),
    ],
)
def test_a_command_that_only_looks_changes_nothing(command: str) -> None:
    steps = parse_shell(command).steps
    assert not any(changes_files(step.program, command) for step in steps)


@pytest.mark.parametrize(
    ("command", "moves"),
    [
        *(
            (f"git {words}", True)
            for words in ("commit -m x", "checkout main", "switch main", "pull")
        ),
        *(
            (f"git {words}", True)
            for words in ("reset --hard HEAD~1", "reset HEAD~1", "rebase main")
        ),
        *(
            (f"git {words}", True)
            for words in ("-C x merge y", "checkout -b a origin/b", "revert a")
        ),
        *((f"git {words}", False) for words in ("status", "checkout -- a.py", "checkout -b new")),
        *(
            (f"git {words}", False)
            for words in ("reset", "reset HEAD", "reset a.py", "log", "push")
        ),
        *(
            (f"git {words}", False)
            for words in ("switch -c new", "commit --dry-run", "reset --hard")
        ),
        ("gh pr checkout 3", True),
        ("npm version patch", True),
        ("npm version", False),
        ("cargo test", False),
    ],
)
def test_what_can_move_head(command: str, *, moves: bool) -> None:
    assert moves_head(only_step(command).program) is moves


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("ls -la | head -5", True),
        ("cd src && grep -rn 'a && b' . 2>/dev/null | wc -l", True),
        ("cat a > b", False),
        ("echo $(rm x)", False),
        ("cat <<EOF\nrm x\nEOF", False),
        ("ls; pytest", False),
        ("catalog", False),
        ("grep a 2 b 2>&1", True),
    ],
)
def test_what_only_looks_is_told_without_taking_it_apart(command: str, *, expected: bool) -> None:
    assert is_only_looking(command) is expected
