#!/usr/bin/env bash
# The two-phase library's tests under what checks a program's use of MPI.
set -euo pipefail
tests/system/mpi-checks.sh | tee build/nightly/mpi-checks.tools
grep -E ' tests passed: |skipped: ' build/nightly/mpi-checks.tools | paste -sd ';'
