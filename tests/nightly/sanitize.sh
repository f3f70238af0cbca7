#!/usr/bin/env bash
# Every C++ test under the address and undefined-behaviour sanitizers.
set -euo pipefail
scripts/sanitize | tee build/nightly/sanitize.ctest
grep 'tests passed' build/nightly/sanitize.ctest
