# Keepsake: `make run` is all a newcomer has to type.

# Any Python from 3.11 on: the first one found, or the one given as PYTHON=…
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; \
	done)

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-compile --no-input \
	--require-hashes
PYTEST := $(BIN)/python -m pytest

# Packages are installed uncompiled, and what is used of them is compiled at the first start. Without
# this, where it is set, every start would do so anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run setup test soak benchmarks-test image-check servers-check citus-check docs lint lock messages package release

help:
	@echo "make run     start everything; Ctrl-C stops it       HOST=… PORT=… DEMO=0 ARGS=--no-demo"
	@echo "make setup   only make the environment, in .venv      PYTHON=python3.12"
	@echo "make test    run the tests, in twenty minutes         ARGS='-k recall'"
	@echo "                                                      PARTITIONS=8: with partitioned tables"
	@echo "make soak    run the tests that take long             ARGS='-k restarts'"
	@echo "make benchmarks-test  run the tests of the benchmarks"
	@echo "make image-check  build and use the container image   IMAGE_CHECK_SECONDS=1800"
	@echo "make servers-check  install it without containers, and use it"
	@echo "make citus-check  move a database onto Citus and back  CITUS=folder-with-its-source"
	@echo "make lint    check style, types, templates, layers"
	@echo "make docs    make the site of the documentation, in site"
	@echo "make messages  bring the catalogs of translations up to date"
	@echo "make package  build the package for Python, in dist"
	@echo "make release  build all that is published, in dist    DIST=folder REPOSITORY=https://github.com/…"
	@echo "make lock    pin the dependencies anew (needs uv)"

run: setup
	@$(BIN)/python manage.py run $(ARGS)

setup: .venv/installed
	@echo "Environment  ready"

# `make test` takes twenty minutes on two cores; a change may add one minute to it, and what
# takes longer is marked with `soak`: docs/architecture.md, "Tests". With PARTITIONS=8, the content
# tables of the test database are partitioned by instance.
test: .venv/installed-dev
	@$(PYTEST) -n auto --dist loadfile -m "not soak" --ignore tests/benchmarks $(ARGS)

soak: .venv/installed-dev
	@$(PYTEST) -n auto --dist loadfile -m soak $(ARGS)

# Those of the benchmarks that take long are marked with `soak`, too.
benchmarks-test: .venv/installed-dev
	@$(PYTEST) -n auto --dist loadfile -m "not soak" tests/benchmarks $(ARGS)

# Builds the image and uses it with Compose: docs/architecture.md, "Tests". As root on Debian, it brings
# a container engine up by itself and ends it again.
image-check: .venv/installed-dev
	@$(BIN)/python -m tests.deployment.image_check

# Follows docs/servers.md on machines of its own: docs/architecture.md, "Tests". Needs root on Debian.
servers-check: .venv/installed-dev
	@$(BIN)/python -m tests.deployment.servers_check

# Builds Citus from its source, in the folder CITUS, and moves a database onto a cluster of it:
# docs/architecture.md, "Tests". Needs a compiler, and OpenSSL's headers.
citus-check: .venv/installed-dev
	@test -n "$(CITUS)" || { echo "Where is the source of Citus? make citus-check CITUS=folder" >&2; \
		exit 1; }
	@$(BIN)/python -m tests.deployment.citus_check $(CITUS)

lint: .venv/installed-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@find templates -name '*.html' -exec $(BIN)/djade --check --target-version 5.2 {} +
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(PYTEST) -q tests/docs/test_names.py tests/docs/test_map.py

# Strictly: a link that leads nowhere, or a page that nothing leads to, is an error.
docs: .venv/installed-publish
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

# A wheel, and the sources that it is made of: the same bytes from the same sources.
package: .venv/installed-dev
	@$(BIN)/python -m hatchling build -d dist

# All that is published: the same bytes from the same commit, whose date its files have.
DIST ?= dist
release: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct)
release: export PATH := $(abspath $(BIN)):$(PATH)
release: .venv/installed-publish
	@rm -rf "$(DIST)" && mkdir -p "$(DIST)"
	@$(BIN)/python -m hatchling build -d "$(DIST)"
	@cd sdk/python && python -m hatchling build -d "$(abspath $(DIST))"
	@cd sdk/typescript && umask 022 && rm -rf dist && chmod 644 LICENSE README.md package.json \
		&& npm ci --ignore-scripts --no-audit --no-fund --silent \
		&& npm pack --silent --pack-destination "$(abspath $(DIST))"
	@$(BIN)/python integrations/mcpb/build.py "$(DIST)"
	@test -z "$(REPOSITORY)" || $(BIN)/python integrations/mcp-registry/registry_entry.py \
		"$(REPOSITORY)" "$(DIST)"
	@$(BIN)/python -W ignore -m cyclonedx_py requirements --output-reproducible --pyproject pyproject.toml \
		-o "$(DIST)/keepsake_memory.cdx.json" requirements.lock
	@cd "$(DIST)" && sha256sum * > SHA256SUMS && cat SHA256SUMS

messages: .venv/installed-dev
	@DJANGO_SETTINGS_MODULE=memoryapp.settings $(BIN)/python -m tests.translations.catalogs

lock:
	@command -v uv >/dev/null || { echo "make lock needs uv: https://docs.astral.sh/uv/" >&2; exit 1; }
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
		--no-annotate --extra traces pyproject.toml -o requirements.lock
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
		--no-annotate --extra traces --group dev -c requirements.lock pyproject.toml -o requirements-dev.lock
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
		--no-annotate --group publish -c requirements-dev.lock -o requirements-publish.lock

# pip is the last thing that venv puts there, so half an environment is made again.
.venv/bin/pip:
	@test -n "$(PYTHON)" || { echo "Keepsake needs Python 3.11 or newer, and found none." \
		"If it is somewhere else: make run PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Keepsake needs" \
		"Python 3.11 or newer; $(PYTHON) is not: choose another with PYTHON=…" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) cannot make virtual" \
		"environments. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@echo "Environment  making .venv with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv --clear .venv

.venv/installed: requirements.lock | .venv/bin/pip
	@echo "Packages     installing (once; a few minutes with a slow connection)"
	@$(PIP) -r requirements.lock
	@touch $@

# Holds everything that is in requirements.lock, and the tools.
.venv/installed-dev: requirements-dev.lock requirements.lock | .venv/bin/pip
	@echo "Packages     installing, with those for tests and checks"
	@$(PIP) -r requirements-dev.lock
	@touch $@ .venv/installed

# The same environment, with what makes the site of the documentation and describes a release.
.venv/installed-publish: requirements-publish.lock | .venv/installed-dev
	@echo "Packages     installing those for what is published"
	@$(PIP) -r requirements-publish.lock
	@touch $@
