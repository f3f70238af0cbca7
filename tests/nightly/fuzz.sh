#!/usr/bin/env bash
# Damaged files of every kind that a verb or weir-core reads: 1,000 of each, other ones each night.
# WEIR_DAMAGE_SEED repeats a night.
set -euo pipefail
export WEIR_DAMAGED_FILES=${WEIR_DAMAGED_FILES:-1000} WEIR_DAMAGE_SEED=${WEIR_DAMAGE_SEED:-$(date +%Y%m%d)}
echo "WEIR_DAMAGE_SEED=$WEIR_DAMAGE_SEED"
.venv/bin/pytest --verbosity=0 tests/python/damage
