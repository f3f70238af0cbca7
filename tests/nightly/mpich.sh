#!/usr/bin/env bash
# Every C++ test in a build with MPICH, beside the one with Open MPI that `make test` runs.
set -euo pipefail
for program in mpicc.mpich mpifort.mpich mpiexec.mpich; do
    command -v "$program" >/dev/null || { echo "$program is not on PATH (Debian: libmpich-dev, mpich)"; exit 77; }
done
cmake -S . -B build/mpich -G Ninja -DCMAKE_BUILD_TYPE=Release -DMPI_C_COMPILER="$(command -v mpicc.mpich)" \
    -DMPI_Fortran_COMPILER="$(command -v mpifort.mpich)" -DMPIEXEC_EXECUTABLE="$(command -v mpiexec.mpich)"
cmake --build build/mpich
ctest --test-dir build/mpich --output-on-failure --no-tests=error | tee build/nightly/mpich.ctest
grep 'tests passed' build/nightly/mpich.ctest
