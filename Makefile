# Two commands for a newcomer: `make demo` and `make test`. Both need Python 3.11 or newer, and make nothing outside .venv.
PYTHON ?= $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11 python,$(shell \
	$(name) -c 'import sys; sys.version_info >= (3, 11) and print("$(name)")' 2>/dev/null)))
VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
INSTALLED := $(VENV)/.installed
READY := $(VENV)/.ready

.PHONY: demo test check cases bench soak clean
demo: $(INSTALLED)
	@$(BIN)/python -m bench.demo

test: check
	$(BIN)/python -m pytest -n 2

check: $(READY)
	$(BIN)/ruff format --check src tests bench
	$(BIN)/ruff check src tests bench
	$(BIN)/lint-imports --no-logo
	$(BIN)/basedpyright --level error

cases: $(READY)
	$(BIN)/python -m pytest tests/languages -n 2

bench: $(READY)
	$(BIN)/python -m bench

soak: $(READY)
	$(BIN)/python -m bench.soak

# What codegps itself needs, then what its development needs: a demo need not wait for the second.
$(INSTALLED): pyproject.toml
	@test -n "$(PYTHON)" || { echo "CodeGPS needs Python 3.11 or newer. Name yours: make PYTHON=/path/to/python3.12" >&2; exit 1; }
	@echo "Making an environment in $(VENV) ..."
	@$(PYTHON) -m venv $(VENV) || $(PYTHON) -m virtualenv --quiet --clear $(VENV) || { rm -rf $(VENV); echo \
	"$(PYTHON) cannot make an environment. On Debian and Ubuntu: apt install python3-venv; elsewhere: pip install virtualenv" >&2; \
	exit 1; }
	@$(PIP) --editable .
	@touch $@

$(READY): $(INSTALLED)
	$(PIP) --upgrade "pip>=25.1"
	$(PIP) --group dev
	@touch $@

clean:
	rm -rf $(VENV) build dist .codegps
