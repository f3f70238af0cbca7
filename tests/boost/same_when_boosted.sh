#!/usr/bin/env bash
# Runs random programs of MPI-IO without and with the boost library: they must print the same, and leave the same files.
#
#   same_when_boosted.sh MPIEXEC RANKS PROGRAM LIBRARY FIRST_SEED LAST_SEED
#
# MPI-IO is ROMIO, and leaves holes alone: with collective buffering or data sieving it writes stale bytes into them.
set -euo pipefail
mpiexec=$1 ranks=$2 program=$3 library=$4 first=$5 last=$6
here=$(cd "$(dirname "$0")" && pwd)
memory=/dev/shm
[[ -w $memory ]] || memory=${TMPDIR:-/tmp}
folder=$(mktemp -d "$memory/weir-boost.XXXXXX")
trap 'rm -rf "$folder"' EXIT
printf 'romio_cb_write disable\nromio_ds_write disable\n' >"$folder/hints"
export ROMIO_HINTS=$folder/hints OMPI_MCA_io=^ompio
mkdir "$folder/plain" "$folder/boosted"

launch() { "$here/../support/mpi/mpirun.sh" "$mpiexec" "$ranks" "$@"; }

launch "$program" "$folder/plain" "$first" "$last" >"$folder/plain.said"
[[ $(wc -l <"$folder/plain.said") -eq $((ranks * (last - first + 1))) ]]
# As it is; in many rounds; by messages alone, as between nodes; and each rank by itself.
for how in always direct always,window=8192 always,messages always,messages,window=8192; do
    launch env LD_PRELOAD="$library" WEIR_BOOST="$how" RANDOM_SPLITS=1 "$program" "$folder/boosted" "$first" "$last" \
        >"$folder/boosted.said" 2>"$folder/boosted.errors"
    sed "s/^/$how: /" "$folder/boosted.errors"
    diff "$folder/plain.said" "$folder/boosted.said" | cut -c 1-2000 | head -n 20
    cmp "$folder/plain.said" "$folder/boosted.said"
    grep -qE 'weir boost: [1-9][0-9]+ collective calls taken over' "$folder/boosted.errors" # or nothing was tried
done
