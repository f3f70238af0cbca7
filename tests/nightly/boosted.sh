#!/usr/bin/env bash
# 2,000 random programs of MPI-IO, others each night, with and without the boost library.
set -euo pipefail
scripts/build >/dev/null
seed=${SEED:-$(date +%Y%m%d)0000}
mpirun=$(sed -n 's/^MPIEXEC_EXECUTABLE:FILEPATH=//p' build/release/CMakeCache.txt)
for ranks in 2 3 4 5; do
    tests/boost/same_when_boosted.sh "$mpirun" "$ranks" build/release/bin/random_mpi_io build/release/lib/libweir-boost.so \
        "$((seed + 1000 * ranks))" "$((seed + 1000 * ranks + 499))"
done
echo "2000 programs are the same"
