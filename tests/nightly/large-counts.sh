#!/usr/bin/env bash
# The two-phase library beyond 32 bits.
set -euo pipefail
tests/system/large-arrays.sh | tee build/nightly/large-counts.parts
grep -cE ': right' build/nightly/large-counts.parts | sed 's/$/ parts right/'
