"""Programs by what they do when they are run, in all the ecosystems an agent works in."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _subcommands(table: str) -> dict[str, frozenset[str]]:
    """Return a table that is written one program a line, `npm: test t tst`."""
    lines = (line.split(":", 1) for line in table.strip().splitlines())
    return {name.strip(): _words(words) for name, words in lines}


WRAPPERS = _words(
    """
    env time nice nohup sudo command exec builtin stdbuf timeout gtimeout ionice caffeinate
    xvfb-run npx bunx uvx pipx
    """
)
"""Programs that run another program, which follows their options."""

RUNNERS = _subcommands(
    """
    uv: run
    poetry: run
    pdm: run
    pipenv: run
    hatch: run
    rye: run
    bundle: exec
    pnpm: exec dlx
    yarn: exec dlx
    npm: exec
    mise: exec
    """
)
"""Programs that run another program after these words."""

INTERPRETERS = _words(
    """
    python pypy bash sh zsh dash ksh node deno bun tsx ts-node ruby perl php lua pwsh powershell
    source .
    """
)

CHECKERS = _words(
    """
    pytest py.test tox nox jest vitest mocha ava tap tape rspec phpunit pest ctest bats shellcheck
    flake8 pylint mypy pyright basedpyright pyflakes pycodestyle pydocstyle bandit vulture ty eslint
    oxlint tsc tsgo vue-tsc stylelint standard xo knip golangci-lint staticcheck rubocop hadolint
    yamllint markdownlint markdownlint-cli2 actionlint swiftlint ktlint detekt clang-tidy cppcheck
    unittest doctest py_compile compileall gcc g++ cc c++ clang clang++ rustc javac kotlinc ninja
    pre-commit typos codespell playwright cypress karma luacheck busted selene sqlfluff
    ansible-lint tflint tsd publint nyc c8 coverage
    """
)
"""Programs that do nothing but check or build."""

FORMATTERS = _words(
    """
    black isort prettier gofmt goimports gofumpt rustfmt clang-format yapf autopep8 shfmt stylua
    taplo ktfmt
    """
)
"""Programs that rewrite files unless they are told to check only."""

PACKAGE_MANAGERS = _words("npm pnpm yarn bun")
MAKERS = _words("make gmake just task rake gradle gradlew mvn mvnw sbt")

CHECKING = _subcommands(
    """
    cargo: test t build b check c clippy nextest miri
    go: test build vet
    npm: test t tst
    bun: test
    dotnet: test build
    mix: test compile credo dialyzer
    swift: test build
    zig: test build
    deno: test lint check
    rails: test
    cabal: test build
    stack: test build
    dune: test build runtest
    bazel: test build
    bazelisk: test build
    meson: test compile
    flutter: test analyze
    dart: test analyze
    terraform: validate
    helm: lint
    ruff: check
    biome: check lint ci
    dprint: check
    composer: test
    artisan: test
    buf: lint build
    elm: make
    forge: test build
    hardhat: test compile
    lake: build test
    """
)
"""Programs of which these subcommands check or build."""

CHANGING = _subcommands(
    """
    npm: install i ci add remove uninstall rm update upgrade init link dedupe version
    pnpm: install i add remove rm update up init
    yarn: install add remove up upgrade init
    bun: install i add remove update init
    pip: install uninstall
    uv: add remove sync lock init pip
    poetry: add remove install update lock init
    pdm: add remove install update lock init
    cargo: add remove rm fix update fmt init new
    go: get mod fmt generate fix
    ruff: format
    biome: format
    dprint: fmt
    deno: fmt add install
    mix: format deps.get
    dart: format fix
    terraform: fmt apply init
    bundle: install add update
    composer: install require update remove
    dotnet: add format new restore
    rails: generate g new destroy
    """
)
"""Programs of which these subcommands change files."""

CHANGERS = _words("mv rm cp ln touch truncate patch unzip rsync dd shred tee")
"""Programs that change files of the project wherever their operands are no temporary ones."""

GIT_CHANGING = _words(
    "restore apply pull merge rebase cherry-pick revert am clean rm mv clone switch checkout"
)
GIT_MOVING = _words(
    "commit checkout switch reset rebase pull merge cherry-pick revert am bisect filter-branch"
)
