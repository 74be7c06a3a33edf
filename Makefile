# Two commands do everything on a machine with Python 3.11 and make: `make demo` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed

.DEFAULT_GOAL := help
.PHONY: help demo test test-hostile test-spark fuzz hostile-table check api wheel-test bench scores scores-short figures lock clean

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST)

# The lock pins every version with its hash; the project itself is linked, not copied.
$(INSTALLED): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "sitewright needs Python 3.11 or newer: make PYTHON=python3.12")'
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

demo: $(INSTALLED) ## make the demo site and run sitewright on it
	$(BIN)/python -m examples.cup demo/cup
	$(BIN)/sitewright run demo/cup/site -o demo/out

test: $(INSTALLED) ## run all tests
	$(BIN)/python -m pytest -n auto -m "not slow"

test-hostile: $(INSTALLED) ## run the long attacks: kills, bombs, fuzzing, browsers
	$(BIN)/python -m pytest tests/hostile -n auto -m slow

# Spark is 480 MB and needs Java, so it has an environment and a lock of its own.
SPARK := build/spark
$(SPARK)/.installed: requirements-spark.lock pyproject.toml
	$(PYTHON) -m venv --clear $(SPARK)
	$(SPARK)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-spark.lock
	$(SPARK)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

test-spark: $(SPARK)/.installed ## run the tests of fleets with Spark and with remote storage
	$(SPARK)/bin/python -m pytest tests/fleet

FUZZ_SECONDS ?= 600
fuzz: $(INSTALLED) ## feed mutations of known inputs to every parser, for FUZZ_SECONDS
	$(BIN)/python -m tests.hostile.fuzz --seconds $(FUZZ_SECONDS)

hostile-table: $(INSTALLED) ## print what hostile pages cost, as in docs/security.md
	$(BIN)/python -m benchmarks hostile

check: $(INSTALLED) ## lint and type-check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

api: $(INSTALLED) ## write docs/api.md, the reference of the public API
	$(BIN)/python docs/make_api.py

# The versions are those of the lock; their hashes are left out, since a wheel of ours has none.
wheel-test: $(INSTALLED) ## build the wheel, install it into an empty environment and try it
	rm -rf build/wheel
	$(BIN)/python -m hatchling build -t wheel -d build/wheel
	sed -n '/==/s/ *\\$$//p' requirements.lock > build/wheel/constraints.txt
	$(PYTHON) -m venv --clear build/wheel/environment
	build/wheel/environment/bin/python -m pip install --quiet --disable-pip-version-check \
		-c build/wheel/constraints.txt "$$(ls build/wheel/sitewright-*.whl)[pandas,tables]"
	PYTHONPATH=. $(BIN)/python tests/wheel.py build/wheel/environment

bench: $(INSTALLED) ## print the benchmark ratios
	$(BIN)/python -m benchmarks

scores: $(INSTALLED) ## measure accuracy on all labelled data, against benchmarks/scores.json
	$(BIN)/python -m benchmarks.scores

scores-short: $(INSTALLED) ## the same on a few sites; skips where the data is not there
	$(BIN)/python -m benchmarks.scores --short

figures: $(INSTALLED) ## measure the tables of the docs anew, and write them
	$(BIN)/python -m benchmarks.figures

lock: ## write both locks anew (versions and hashes, no addresses)
	$(BIN)/uv lock --quiet
	$(BIN)/uv export --quiet --no-emit-project --all-extras --no-extra spark --all-groups --no-header --no-annotate -o requirements.lock
	rm uv.lock
	mkdir -p build
	sed -n '/==/s/ *\\$$//p' requirements.lock > build/constraints.txt
	printf 'pytest\nhypothesis\nhatchling\neditables\n' > build/spark.in
	$(BIN)/uv pip compile --quiet pyproject.toml build/spark.in --extra spark --extra remote -c build/constraints.txt \
		--generate-hashes --no-header --no-annotate --no-emit-index-url -o requirements-spark.lock

clean: ## remove the environment and everything generated
	rm -rf .venv demo dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
