# make demo, make test: the two commands of a newcomer. They need python3 and make, nothing else.
PYTHON ?= python3
SECONDS ?= 300
ORDER ?= $(shell date +%s)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: setup setup-dev demo test lint check oracles bench bench-check newest numba-tests random-order soak fuzz mutants
.PHONY: rule-rows baselines players studies web pictures guide clean
.DEFAULT_GOAL := demo

setup: $(READY)

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "hardmode needs Python 3.11 or later; try make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) --no-compile --require-hashes -r requirements.lock
	$(PIP) --no-deps --no-build-isolation -e .
	touch $@

# What tests and checks need beside that.
setup-dev: $(READY_DEV)

$(READY_DEV): $(READY) requirements-dev.lock
	$(PIP) --no-compile --require-hashes -r requirements-dev.lock
	touch $@

demo: setup
	$(BIN)/hardmode report --seconds 10 -o demo
	@echo "open demo/index.html"

test: setup-dev
	$(BIN)/python -m pytest -n 3 --dist loadfile -m "not plain and not soak"
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n 2 --dist loadfile -m "plain and not soak"

lint: setup-dev
	$(BIN)/ruff check .
	$(BIN)/mypy

# Did anything move the games? Every shipped scenario against its baseline.
check: setup
	$(BIN)/hardmode check

# Published and exact values of the solved games in examples/, beside what hardmode plays (some ten minutes).
oracles: setup-dev
	$(BIN)/python -m tests.oracles

# How fast are the games on this machine?
bench: setup-dev
	$(BIN)/python -m tests.bench

# Is this tree as fast as its parent, and as the version before the compiler was rewritten? Ratios of CPU time.
bench-check: setup-dev
	$(BIN)/python -m tests.floors --against $(or $(AGAINST),HEAD~1 1e294d2)

# After a change that is meant to move results: hold the shipped scenarios to what they do now.
baselines: setup
	$(BIN)/hardmode accept --all-shipped --reason "$(REASON)"

# The trained players, by the recipes beside their strategies; one that plays as it was certified is only stamped anew.
players: setup
	$(BIN)/python -m hardmode.studies.training.retrain_shipped

# What a report has no time for, of the standard scenarios: played for long, and kept beside them while it is true.
studies: setup
	$(BIN)/python -m hardmode.studies.report_run.precompute $(SECONDS) $(if $(GAMES),--games-per-step $(GAMES))

# The games as WebAssembly, for the page that plays: built where rules or strategies changed; what they play
# and tell is compared in node.
web: setup-dev
	$(BIN)/python -m hardmode.reports.page.play.modules
	$(BIN)/python -m tests.play_modules
	$(BIN)/python -m tests.tell_games

# Screenshots of the page, as a reader on a screen, on a telephone, at night and on paper has it.
pictures: setup-dev
	$(BIN)/python -m tests.pictures

# The guide, with what its commands print now, and its pictures.
guide: setup-dev
	COLUMNS=100 $(BIN)/python -m tests.guide

# Does the engine still fit the newest numba? An environment of its own, not held to the lock file.
newest: setup-dev
	$(PYTHON) -m venv .venv-newest
	.venv-newest/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	.venv-newest/bin/python -m pip install --quiet --disable-pip-version-check --upgrade numba
	.venv-newest/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	HARDMODE_CACHE=$$(mktemp -d) .venv-newest/bin/python -m pytest -n 2 -m "not plain and not soak" tests/sim tests/test_walking.py

# Do numba's own tests pass with hardmode imported?
numba-tests: setup-dev
	$(BIN)/python -m tests.numba_tests

# What no one thought of: inputs that were never tried before, of files, flags and numbers.
fuzz: setup-dev
	$(BIN)/python -m pytest -m "hypothesis and not plain" --hypothesis-profile=fuzz

# How much do the tests notice? Small faults, planted one at a time in a sample; two hours on two cores.
mutants: setup-dev
	$(BIN)/python -m tests.mutants $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed $(SEED))

# Which rules of the games have no function or no test?
rule-rows: setup-dev
	$(BIN)/python -m tests.rule_rows

# Do the tests pass in any order, and while 18 other processes and the two of the tests share the machine?
# The commands show the seed of the order, which ORDER=SEED repeats; TESTS=tests/sim runs only these.
random-order: setup-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps --upgrade --target build/randomly -r tests/randomly.lock
	PYTHONPATH=build/randomly $(BIN)/python -m tests.under_load 18 $(BIN)/python -m pytest -n 2 --dist loadfile --randomly-seed=$(ORDER) -m "not plain and not soak" $(TESTS)
	NUMBA_DISABLE_JIT=1 PYTHONPATH=build/randomly $(BIN)/python -m tests.under_load 18 $(BIN)/python -m pytest -n 2 --dist loadfile --randomly-seed=$(ORDER) -m "plain and not soak" $(TESTS)

soak: setup-dev
	$(BIN)/python -m pytest -m soak

clean:
	rm -rf $(VENV) .venv-newest demo build *.egg-info
