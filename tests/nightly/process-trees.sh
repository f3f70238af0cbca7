#!/usr/bin/env bash
# Random trees of processes, 1,000 of which all I/O is recorded and 500 of each kind with some that is not; other ones
# each night. WEIR_PROCESS_TREES_SEED repeats a night.
set -euo pipefail
export WEIR_PROCESS_TREES=${WEIR_PROCESS_TREES:-1000} WEIR_PROCESS_TREES_SEED=${WEIR_PROCESS_TREES_SEED:-$(date +%Y%m%d)000}
echo "WEIR_PROCESS_TREES_SEED=$WEIR_PROCESS_TREES_SEED"
.venv/bin/pytest --verbosity=0 --numprocesses "$(nproc)" tests/python/trace/recorder/test_process_trees.py
