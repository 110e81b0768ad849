# Targets for people who live in make. `make demo` and `make test` need nothing but Python 3.11+, git, make, g++ and
# perl: they create .venv and install from package registries.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUT ?= runs/$(basename $(notdir $(DESIGN)))
FLAGS ?=
JOBS ?= $(shell nproc)

top := $(if $(TOP),--top $(TOP))

.PHONY: demo test lint run resume check measure report doctor clean

demo: $(VENV)/.installed  ## the main job on a shipped saturating adder, about two minutes
	rm -rf runs/demo
	$(BIN)/rtl-evolve run rtl/units/sat_add16.v --minutes 2 --out runs/demo $(FLAGS)

test: $(VENV)/.dev  ## everything CI runs, slow tests included
	$(BIN)/pytest -m "slow or not slow" -n $(JOBS) $(FLAGS)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

run: $(VENV)/.installed  ## make run DESIGN=unit.v [TOP=unit] [OUT=runs/unit] [FLAGS="--minutes 2"]
	$(BIN)/rtl-evolve run $(DESIGN) $(top) --out $(OUT) $(FLAGS)

resume: $(VENV)/.installed  ## make resume OUT=runs/unit [FLAGS="--minutes 10"]
	$(BIN)/rtl-evolve resume $(OUT) $(FLAGS)

check: $(VENV)/.installed  ## make check GOLDEN=unit.v CANDIDATE=mine.v [TOP=unit]
	$(BIN)/rtl-evolve check $(GOLDEN) $(CANDIDATE) $(top) $(FLAGS)

measure: $(VENV)/.installed  ## make measure DESIGN=unit.v [TOP=unit] [FLAGS="--recipe all"]
	$(BIN)/rtl-evolve measure $(DESIGN) $(top) $(FLAGS)

report: $(VENV)/.installed  ## make report OUT=runs/unit
	$(BIN)/rtl-evolve report $(OUT) $(FLAGS)

doctor: $(VENV)/.installed
	$(BIN)/rtl-evolve doctor

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "rtl-evolve needs Python 3.11 or later: make PYTHON=python3.12")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable .
	touch $@

$(VENV)/.dev: $(VENV)/.installed
	$(BIN)/pip install --quiet --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) runs build dist *.egg-info
