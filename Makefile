# Everything starts here. `make run` and `make test` set up what they need; later calls only what has changed.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
PY := $(VENV)/bin/python
UV := $(VENV)/bin/uv
DONE := $(VENV)/done
CODE := bot adapters commands agent storage scheduler tests
HOUSE := tests/test_architecture.py tests/test_docs.py tests/test_seats.py

# The environment of the person who calls must not lead the installer elsewhere.
export VIRTUAL_ENV := $(CURDIR)/$(VENV)
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help run test check bench torture soak docs lock clean distclean chromium

help: ## say what there is
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile

run: $(DONE)/run $(DONE)/bot ## try the bot with simulated people on this machine
	@if $(PY) -m bot.console._local_wanted; then $(MAKE) --no-print-directory $(DONE)/local; fi
	@exec $(VENV)/bin/deckhand sim

test: check chromium $(DONE)/local ## check, then every test that takes seconds
	$(PY) -m pytest -m "not slow"

check: $(DONE)/dev $(DONE)/bot ## format, rules, types, import contracts, house tests
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy --strict $(CODE)
	$(VENV)/bin/lint-imports
	$(PY) -m pytest $(HOUSE)

bench: $(DONE)/dev $(DONE)/bot ## measure; the numbers go to the screen
	$(PY) -m benchmarks

torture: $(DONE)/dev $(DONE)/bot ## crashes at random moments, for minutes
	$(PY) -m pytest -m slow -k "not soak" --timeout 0

soak: $(DONE)/dev $(DONE)/bot ## load, for a long time
	$(PY) -m pytest -m slow -k soak --timeout 0

docs: $(DONE)/dev $(DONE)/bot ## write the generated tables and .env.example again
	$(PY) -m bot.console._tables

lock: $(DONE)/uv ## resolve pyproject.toml again and write requirements/*.lock
	requirements/compile

clean: ## remove what tools left behind
	rm -rf build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find bot adapters commands agent storage scheduler tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean ## and the environment too
	rm -rf $(VENV)

# --- environment -----------------------------------------------------------------------------------------

$(DONE)/venv:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; name one with: make PYTHON=/path/to/python" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "Python's venv is missing; on Debian: apt-get install python3-venv" >&2; exit 1; }
	@mkdir -p $(DONE) && touch $@

# The installer itself is pinned by hash: everything after it is checked by what was checked.
$(DONE)/uv: requirements/uv.lock $(DONE)/venv
	$(PY) -m pip install --quiet --require-hashes -r requirements/uv.lock
	@touch $@

$(DONE)/run: requirements/run.lock $(DONE)/uv
	$(UV) pip install --quiet --require-hashes -r requirements/run.lock
	@touch $@

$(DONE)/dev: requirements/dev.lock $(DONE)/uv
	$(UV) pip install --quiet --require-hashes -r requirements/dev.lock
	@touch $@

$(DONE)/local: requirements/local.lock $(DONE)/uv
	$(UV) pip install --quiet --no-deps --require-hashes -r requirements/local.lock
	@touch $@

$(DONE)/bot: pyproject.toml $(DONE)/uv
	$(UV) pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

chromium: $(DONE)/dev
	@sh tests/support/chromium.sh $(PY)
