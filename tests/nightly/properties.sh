#!/usr/bin/env bash
# The random tests of the Python front, with thirty times as many cases as in `make test`, other ones each night.
set -euo pipefail
WEIR_RANDOM_TIMES=30 .venv/bin/pytest --verbosity=0 -m random
