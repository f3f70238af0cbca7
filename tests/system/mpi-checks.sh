#!/usr/bin/env bash
# The two-phase library's tests on 2 and 4 ranks, under what checks a program's use of MPI:
#
#   openmpi    Open MPI's own check of every argument, and of handles that are not freed
#   mpich      MPICH, which checks arguments by itself; in a build of its own
#   valgrind   memory errors, undefined bytes in messages and buffers in use, by valgrind's wrappers around MPI; a few of
#              the tests, since it takes long
#
#   tests/system/mpi-checks.sh [TOOL...]     default: all of them; one that is not there is skipped, with its reason
#
# FILTER=...   the tests, as GoogleTest's --gtest_filter takes them
# BUILD=DIR    a build with Open MPI (default: build/release, which is built)
set -euo pipefail

cd "$(dirname "$0")/../.."
[[ $# -gt 0 ]] || set -- openmpi mpich valgrind
log=$(mktemp -t weir-mpi-checks-XXXXXX)
trap 'rm -f "$log"' EXIT
build=${BUILD:-build/release}
failed=0

is_open_mpi() { mpirun --version 2>/dev/null | grep -q 'Open MPI'; }
build_it() { [[ -n ${BUILD:-} ]] || scripts/build release; }

# run TOOL BUILD FILTER BAD COMMAND...: the tests by way of a command; wrong where any fails, or one says BAD.
run() {
    local tool=$1 build=$2 filter=${FILTER:-$3} bad=$4 mpiexec verdict passed
    shift 4
    mpiexec=$(sed -n 's/^MPIEXEC_EXECUTABLE:.*=//p' "$build/CMakeCache.txt")
    for ranks in 2 4; do
        verdict=clean
        tests/support/mpi/mpirun.sh "$mpiexec" "$ranks" "$@" "$build/bin/test_array_mpi" "--gtest_filter=$filter" \
            --gtest_color=no >"$log" 2>&1 || verdict=WRONG
        ! grep -qE "$bad" "$log" || verdict=WRONG
        passed=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$log")
        echo "$tool, $ranks ranks: ${passed:-0} tests passed: $verdict"
        [[ $verdict == clean ]] || { failed=1; grep -vE '^\[ *(RUN|OK|-*) *\]' "$log" | tail -n 60; }
    done
}

check_openmpi() {
    is_open_mpi || { echo "openmpi: skipped: mpirun is not Open MPI's"; return; }
    build_it
    OMPI_MCA_mpi_param_check=1 OMPI_MCA_mpi_show_handle_leaks=1 run openmpi "$build" '*' 'still allocated'
}

check_mpich() {
    if ! command -v mpicc.mpich >/dev/null || ! command -v mpiexec.mpich >/dev/null; then
        echo "mpich: skipped: mpicc.mpich and mpiexec.mpich are not on PATH (Debian: libmpich-dev)"
        return
    fi
    cmake -S . -B build/mpich -G Ninja -DCMAKE_BUILD_TYPE=Release -DMPI_C_COMPILER="$(command -v mpicc.mpich)" \
        -DMPI_Fortran_COMPILER="$(command -v mpifort.mpich)" -DMPIEXEC_EXECUTABLE="$(command -v mpiexec.mpich)" \
        >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
    cmake --build build/mpich --target test_array_mpi
    run mpich build/mpich '*' 'Fatal error'
}

check_valgrind() {
    local wrappers options
    wrappers=$(find /usr/lib /usr/libexec -name 'libmpiwrap-amd64-linux.so' 2>/dev/null | head -n 1)
    if ! command -v valgrind >/dev/null || [[ -z $wrappers ]] || ! is_open_mpi; then
        echo "valgrind: skipped: it, its wrappers around MPI (Debian: valgrind, valgrind-mpi) or Open MPI are not there"
        return
    fi
    build_it
    # The tests' own operator new and delete are not told apart from malloc and free.
    options=(-q --error-exitcode=9 --num-callers=30 --show-mismatched-frees=no
        --suppressions=tests/sanitizers/valgrind.supp)
    [[ ! -e /usr/share/openmpi/openmpi-valgrind.supp ]] ||
        options+=(--suppressions=/usr/share/openmpi/openmpi-valgrind.supp)
    MPIWRAP_DEBUG=quiet run valgrind "$build" 'Calls*:BadInput*:Dump*' '^==[0-9]+== [A-Z]' \
        env LD_PRELOAD="libmpi.so.40:$wrappers" valgrind "${options[@]}"
}

for tool in "$@"; do
    case $tool in
        openmpi) check_openmpi ;;
        mpich) check_mpich ;;
        valgrind) check_valgrind ;;
        *) echo "there is no tool $tool (openmpi, mpich and valgrind are)" >&2; exit 2 ;;
    esac
done
exit "$failed"
