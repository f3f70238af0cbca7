#!/usr/bin/env bash
# Every C++ test in a build with MPICH, beside the one with Open MPI that `make test` runs; but for those on more than
# two ranks a core, which would take hours: MPICH's ranks wait without giving up their core.
set -euo pipefail
for program in mpicc.mpich mpifort.mpich mpiexec.mpich; do
    command -v "$program" >/dev/null || { echo "$program is not on PATH (Debian: libmpich-dev, mpich)"; exit 77; }
done
cmake -S . -B build/mpich -G Ninja -DCMAKE_BUILD_TYPE=Release -DMPI_C_COMPILER="$(command -v mpicc.mpich)" \
    -DMPI_Fortran_COMPILER="$(command -v mpifort.mpich)" -DMPIEXEC_EXECUTABLE="$(command -v mpiexec.mpich)"
cmake --build build/mpich
left_out=()
for name in $(ctest --test-dir build/mpich -N | grep -oE '[^ ]+_on_[0-9]+_ranks'); do
    ranks=${name##*_on_}
    [[ ${ranks%_ranks} -le $((2 * $(nproc))) ]] || left_out+=("$name")
done
ctest --test-dir build/mpich --output-on-failure --no-tests=error \
    --exclude-regex "^($(IFS='|' && echo "${left_out[*]:-none}"))\$" | tee build/nightly/mpich.ctest
echo "$(grep 'tests passed' build/nightly/mpich.ctest); left out: ${left_out[*]:-none}"
