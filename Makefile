# Everything a clone needs, from git, make and Python 3.11 or newer. `make help` lists the ways in.

VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
RUN := $(VENV)/.installed
DEV := $(VENV)/.installed-dev

# The first Python that is new enough and can make a virtual environment.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo $$p; break; }; done)

# Where an environment forbids byte code, every command that the tests start would compile the whole package anew.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help demo test lint format lock clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(RUN) ## set up, then answer a few hotel requests and make a roster: no key, no service
	@$(BIN)/python examples/demo.py

test: $(DEV) ## set up, then run the tests
	@$(BIN)/python -m pytest -q -n 3 --dist loadgroup -m "not attack and not distributed" $(ARGS)

.PHONY: test-attack attack
test-attack: $(DEV) ## set up, then kill, race and lie to it by the hundred (CI runs it after the tests)
	@$(BIN)/python -m pytest -q -n 3 --dist loadgroup -m attack $(ARGS)

attack: $(DEV) ## set up, then do so for ten minutes, seed after seed, and print the figures (ARGS="--minutes 60 --seed 100")
	@$(BIN)/python -m benchmarks.attack $(ARGS)

.PHONY: test-langchain
test-langchain: $(DEV) ## set up, then run LangChain's own tests of create_agent against this one (ARGS="test_agent_name.py -k async")
	@$(BIN)/python tests/langchain_suite/run.py $(ARGS)

lint: $(DEV) ## set up, then check style, format, types and who may import whom
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy tests examples benchmarks docs
	$(BIN)/lint-imports --no-logo --no-cache

.PHONY: bench bench-data bench-roster bench-inrc2 bench-loop
# The first 21 instances, a minute each at most, ten for the large ones: see the head of benchmarks/roster.py.
bench-roster: $(RUN) ## set up, then solve 21 public rosters, 75 minutes at most; page in build (ARGS="1 2 3 --seconds 10")
	@$(BIN)/python -m benchmarks.roster --plot build/bench-roster.html --json build/bench-roster.json $(ARGS)

# Five hours at most for all twenty, of the processor: see the head of benchmarks/roster_inrc2.py, also for where the sets are to be had.
bench-inrc2: $(RUN) ## set up, then solve the competition INRC-II, known and week by week, in hours (ARGS="FOLDER n030w4_1_6-2-9-1 --static")
	@$(BIN)/python -m benchmarks.roster_inrc2 $(or $(ARGS),build/inrc2) --json build/bench-inrc2.json

bench-loop: $(RUN) ## set up, then compare the roster's rounds with one solve of the same total time
	@$(BIN)/python benchmarks/roster_loop.py $(ARGS)

# A process each, half an hour in all at most. The public material: see docs/running/benchmarks.md.
bench-data: $(DEV) ## set up, then make the public material of `make bench` (needs git and the network; ARGS=FOLDER)
	@$(BIN)/python -m benchmarks.material $(ARGS)

bench: $(DEV) ## set up, then run every other measurement, half an hour at most; plots in build/bench (ARGS="storm --data FOLDER")
	@$(BIN)/python -m benchmarks $(ARGS)

# About a second a fault: three hours or more for the whole engine (11,700 faults), minutes for a module; not in CI. See the head of benchmarks/mutation.py.
.PHONY: mutate
mutate: $(DEV) ## set up, then put faults into the engine and see that tests notice (ARGS="graph/ready.py graph/execution/tool_call.py")
	@$(BIN)/python -m benchmarks.mutation $(ARGS)

.PHONY: types
types: $(DEV) ## set up, then make the schema and TypeScript of what front ends read (needs Node's npx)
	@$(BIN)/python -m wavegraph.app.serving.declarations app/serving/declarations

.PHONY: docs
docs: $(DEV) ## set up, then make the tables of fields in the documentation from the schemas
	@$(BIN)/python docs/tables.py

format: $(DEV) ## put the code into its format
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

# Both the lock and the package's own metadata decide what is installed. The demo needs less than the tests:
# requirements-dev.lock holds the pins of requirements.lock and more.
$(RUN): requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || test -x $(BIN)/python || { \
		echo "make: no usable Python found: install Python 3.11 or newer with its venv module" >&2; \
		echo "      (Debian, Ubuntu: apt install python3-venv), or name one: make PYTHON=/path/to/python" >&2; exit 1; }
	@test -x $(BIN)/python || { echo "Making $(VENV) with $$($(PYTHON) --version) ..."; $(PYTHON) -m venv $(VENV); }
	@echo "Installing the pinned dependencies ..."
	@$(PIP) --require-hashes -r requirements.lock
	@$(PIP) --no-index --no-deps --no-build-isolation -e .
	@touch $@

$(DEV): requirements-dev.lock $(RUN)
	@echo "Installing the pinned tools for tests and checks ..."
	@$(PIP) --require-hashes -r requirements-dev.lock
	@touch $@

# Nothing leaves this machine unasked: the CLI would report its use, and a LANGSMITH_API_KEY alone turn tracing on.
.PHONY: serve
serve: $(DEV) ## set up, then run the LangGraph server on this machine (PORT=2024, RELOAD=1 to follow edits)
	@echo "For one person's machine: no access control. Any program here may use it; of web pages, Studio alone."
	@LANGGRAPH_NO_VERSION_CHECK=true LANGGRAPH_CLI_NO_ANALYTICS=1 LANGSMITH_TRACING=$${LANGSMITH_TRACING:-false} \
		LOG_LEVEL=$${LOG_LEVEL:-warning} LOG_COLOR=$${LOG_COLOR:-false} \
		exec $(BIN)/langgraph dev --host 127.0.0.1 --port $(or $(PORT),2024) --n-jobs-per-worker 10 \
		--no-browser $(if $(RELOAD),,--no-reload) --server-log-level WARNING $(ARGS)

# The page is built by Node; all else works without it. Browsers read only what lies in app/console/page.
.PHONY: console console-page wheel
PAGE := app/console/page/index.html
console-page: $(PAGE) ## build the page of the console (needs Node.js 20 or newer)

$(PAGE): console/package-lock.json console/index.html console/vite.config.ts $(shell find console/src console/public -type f)
	@command -v npm >/dev/null || { echo "make: the console's page needs Node.js 20 or newer with npm (Debian, Ubuntu: apt install nodejs npm)" >&2; exit 1; }
	@cd console && npm ci --silent && npm run --silent build

console: $(DEV) $(PAGE) ## set up, build the page if need be, then open the console with a server of its own (ARGS="--url URL --port 2030")
	@exec $(BIN)/wavegraph console $(ARGS)

wheel: $(RUN) console-page ## set up, then build the package with the console's page inside, into dist
	@$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir dist .
	@$(BIN)/python -m zipfile --list dist/wavegraph-*.whl | grep wavegraph/app/console/page/index.html >/dev/null
	@ls dist/wavegraph-*.whl

# Aegra needs Python 3.12 or newer, so it has an environment and a lock of its own.
CLUSTER_VENV ?= .venv-cluster
CLUSTER := $(CLUSTER_VENV)/.installed
CLUSTER_PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12; do \
	$$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 12))' >/dev/null 2>&1 && { echo $$p; break; }; done)
.PHONY: cluster cluster-env cluster-lock test-distributed
cluster: $(CLUSTER) ## set up two APIs and two workers over PostgreSQL and Redis on this machine, then book and make a roster there (ARGS="--lease 7")
	@$(CLUSTER_VENV)/bin/python deploy/aegra/cluster.py $(ARGS) -- $(CLUSTER_VENV)/bin/python deploy/aegra/tour.py

cluster-env: $(CLUSTER)

.PHONY: cluster-python
cluster-python:
	@echo $(CLUSTER_PYTHON)

test-distributed: $(DEV) $(CLUSTER) ## set up, then kill, freeze and drain the workers of such a cluster
	@WAVEGRAPH_CLUSTER_PYTHON=$(CURDIR)/$(CLUSTER_VENV)/bin/python $(BIN)/python -m pytest -q -m distributed tests/cluster $(ARGS)

# Twenty minutes: three rounds of two loads with 1, 2 and 4 workers. See the head of benchmarks/cluster_load.py.
.PHONY: bench-cluster
bench-cluster: $(DEV) $(CLUSTER) ## set up, then measure what such a cluster carries with 1, 2 and 4 workers; plot in build/bench
	@WAVEGRAPH_CLUSTER_PYTHON=$(CURDIR)/$(CLUSTER_VENV)/bin/python $(BIN)/python -m benchmarks.cluster_load $(ARGS)

$(CLUSTER): deploy/aegra/requirements.lock pyproject.toml
	@test -n "$(CLUSTER_PYTHON)" || test -x $(CLUSTER_VENV)/bin/python || { \
		echo "make: a cluster needs Python 3.12 or newer with its venv module; or name one: make cluster CLUSTER_PYTHON=/path/to/python" >&2; exit 1; }
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || { \
		echo "make: a cluster needs PostgreSQL's server (Debian, Ubuntu: apt install postgresql)" >&2; exit 1; }
	@command -v redis-server >/dev/null || { echo "make: a cluster needs redis-server (Debian, Ubuntu: apt install redis-server)" >&2; exit 1; }
	@test -x $(CLUSTER_VENV)/bin/python || { echo "Making $(CLUSTER_VENV) with $$($(CLUSTER_PYTHON) --version) ..."; $(CLUSTER_PYTHON) -m venv $(CLUSTER_VENV); }
	@echo "Installing the pinned dependencies of the cluster ..."
	@$(CLUSTER_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r deploy/aegra/requirements.lock
	@$(CLUSTER_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-index --no-deps --no-build-isolation -e .
	@touch $@

cluster-lock: ## pin the cluster's dependencies again (needs uv)
	@$(UV) --version >/dev/null 2>&1 || { echo "make: 'cluster-lock' needs uv: pip install uv, or make cluster-lock UV=/path/to/uv" >&2; exit 1; }
	$(LOCK) --python-version 3.12 --extra hotel --extra roster --extra fast --extra auth --extra postgres --group build --constraint requirements-dev.lock \
		pyproject.toml deploy/aegra/requirements.in --output-file deploy/aegra/requirements.lock

# Pins stay where they are unless asked: make lock UPGRADE=--upgrade
UV ?= $(shell command -v uv || echo $(BIN)/uv)
LOCK = $(UV) pip compile --quiet --universal --generate-hashes --no-header --no-annotate $(UPGRADE)
lock: ## pin the dependencies again after a change of pyproject.toml (needs uv)
	@$(UV) --version >/dev/null 2>&1 || { echo "make: 'lock' needs uv: pip install uv, or make lock UV=/path/to/uv" >&2; exit 1; }
	$(LOCK) --extra hotel --extra roster --extra fast --extra auth --extra postgres --extra models --extra mcp --extra ezgo --group dev pyproject.toml --output-file requirements-dev.lock
	$(LOCK) --extra hotel --extra roster --extra fast --group build --constraint requirements-dev.lock pyproject.toml --output-file requirements.lock

clean: ## remove the environment and everything generated
	rm -rf $(VENV) $(CLUSTER_VENV) build dist console/node_modules app/console/page .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
