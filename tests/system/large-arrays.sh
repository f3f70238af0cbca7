#!/usr/bin/env bash
# The two-phase library beyond 32 bits, with every byte really moved and compared: more than 2^31 bytes and elements on
# each of two ranks, more than 2^32 in one file, through every method, in memory, in HDF5 and netCDF files; and one
# message of more than 2^31 bytes. A part for which memory or disk do not suffice is skipped, with its reason.
#
#   tests/system/large-arrays.sh [PART...]     files memory message hdf5 pnetcdf; default: all
#
# DIR=FOLDER   where the file is, of 4.3 GB (default: TMPDIR or /tmp)
# BUILD=DIR    of what build the programs are (default: build/release, which is built)
set -euo pipefail

cd "$(dirname "$0")/../.."
[[ -n ${BUILD:-} ]] || scripts/build release large_counts
build=${BUILD:-build/release}
[[ $# -gt 0 ]] || set -- files memory message hdf5 pnetcdf
folder=$(mktemp -d -p "${DIR:-${TMPDIR:-/tmp}}" weir-large-XXXXXX)
trap 'rm -rf "$folder"' EXIT
mpiexec=$(sed -n 's/^MPIEXEC_EXECUTABLE:.*=//p' "$build/CMakeCache.txt")

# What a part needs beside the file, in GiB: buffers, windows and messages of both ranks.
declare -A memory=([files]=10 [memory]=15 [message]=8 [hdf5]=7 [pnetcdf]=7)
free_memory=$(awk '/^MemAvailable/ {print int($2 / 1048576)}' /proc/meminfo)
free_disk=$(df -BG --output=avail "$folder" | tail -n 1 | tr -dc 0-9)
[[ $(stat -f -c %T "$folder") != tmpfs ]] || free_memory=$((free_memory - 5))

failed=0
for part in "$@"; do
    program=("$build/bin/large_arrays" "$part")
    case $part in
        hdf5 | pnetcdf) program=("$build/bin/large_$part") ;;
        files | memory | message) ;;
        *) echo "there is no part $part (files, memory, message, hdf5 and pnetcdf are)" >&2; exit 2 ;;
    esac
    if [[ ! -x ${program[0]} ]]; then
        echo "$part: skipped: this build is without the library weir_$part"
    elif [[ $free_memory -lt ${memory[$part]} ]]; then
        echo "$part: skipped: it takes ${memory[$part]} GiB of memory, and $free_memory GiB are free"
    elif [[ $free_disk -lt 6 ]]; then
        echo "$part: skipped: it takes 6 GiB of disk, and ${DIR:-${TMPDIR:-/tmp}} has $free_disk GiB free"
    else
        tests/support/mpi/mpirun.sh "$mpiexec" 2 "${program[@]}" "$folder/file" || failed=1
        rm -f "$folder/file"
    fi
done
exit "$failed"
