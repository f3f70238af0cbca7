# Weir's commands. Each is a short script in scripts/, and can be repeated at any time.
.DEFAULT_GOAL := help
.PHONY: help evaluate test nightly build bench docs-images lint format sanitize setup clean
export PACKAGES

help:                       ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

evaluate:                   ## measure this machine and the storage under DIR=..., and report
	@scripts/evaluate $(if $(DIR),'$(DIR)')

test:                       ## run every test, C++ and Python
	@scripts/test

nightly:                    ## run what does not fit into `make test`
	@scripts/nightly

build:                      ## set up, build weir-core, and list what it is made of
	@scripts/setup && scripts/build && .venv/bin/python scripts/bill_of_materials.py

bench:                      ## measure Weir's own speed
	@scripts/bench

docs-images:                ## make the picture of a report in the README again, with chromium
	@scripts/docs-images $(if $(DIR),'$(DIR)')

lint:                       ## check format and style of all sources
	@scripts/lint

format:                     ## format all sources in place
	@scripts/format

sanitize:                   ## run the C++ tests under ASan and UBSan
	@scripts/sanitize

setup:                      ## install what is missing, and no more
	@scripts/setup

clean:                      ## remove what was built; keep runs and measurements
	@rm -rf build .venv
