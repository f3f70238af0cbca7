#!/usr/bin/env bash
# The two-phase library on 64 and 256 simulated ranks.
set -euo pipefail
command -v smpirun >/dev/null || { echo "SMPI is not installed (smpirun, of SimGrid, is not on PATH)"; exit 77; }
tests/system/simulated-ranks.sh
