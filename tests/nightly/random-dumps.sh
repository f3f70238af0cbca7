#!/usr/bin/env bash
# 20,000 random dumps of the two-phase library, others each night, compared with what one process writes.
set -euo pipefail
scripts/build >/dev/null
seed=${SEED:-$(date +%Y%m%d)}
mpirun=$(sed -n 's/^MPIEXEC_EXECUTABLE:FILEPATH=//p' build/release/CMakeCache.txt)
tests/support/mpi/mpirun.sh "$mpirun" 7 build/release/bin/random_dumps --cases 10000 --seed "$seed"
tests/support/mpi/mpirun.sh "$mpirun" 4 build/release/bin/random_dumps --cases 10000 --seed "$((seed + 1))"
