#!/usr/bin/env bash
# The two-phase library on more ranks than a machine can hold: simulated ones, which SimGrid's SMPI runs in one process
# on one core. Builds the library with SMPI and writes and reads arrays on 64 and on 256 ranks; these share no memory, so
# that all goes through messages. Without SMPI (Debian: libsimgrid-dev) it says so and ends well.
#
#   tests/system/simulated-ranks.sh [RANKS...]     other numbers of ranks; time grows about as their square
#
# BUILD=DIR   where to build (default: build/simulated); what is there already is used again
set -euo pipefail

cd "$(dirname "$0")/../.."
build=${BUILD:-build/simulated}
[[ $# -gt 0 ]] || set -- 64 256

if ! command -v smpicxx >/dev/null || ! command -v smpirun >/dev/null; then
    echo "skipped: SMPI is not installed (smpicxx and smpirun, of SimGrid, are not on PATH)"
    exit 0
fi

mkdir -p "$(dirname "$build")"
cmake -S tests/system/simulated -B "$build" -G Ninja >"$build.log" 2>&1 || { cat "$build.log" >&2; exit 1; }
cmake --build "$build"

# A switch with a host for each rank; the speeds say how long it would take there, which nobody looks at here.
folder=$(mktemp -d -t weir-simulated-XXXXXX)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/platform.xml" <<'XML'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="ranks" prefix="host-" radical="0-1023" suffix="" speed="1Gf" bw="1GBps" lat="1us"/>
</platform>
XML
seq -f 'host-%g' 0 1023 >"$folder/hosts"

# SimGrid 3.32 goes through all messages under way whenever one arrives, and by default gathers by a message from each
# rank to each other one: time would grow as the fourth power of the ranks. Bruck's way takes log2(ranks) each.
gathering=(--cfg=smpi/allgather:bruck --cfg=smpi/allgatherv:ompi_bruck)
for ranks in "$@"; do
    smpirun -np "$ranks" -platform "$folder/platform.xml" -hostfile "$folder/hosts" --log=root.thresh:warning \
        --cfg=smpi/simulate-computation:no --cfg=smpi/iprobe:0.01 "${gathering[@]}" \
        "$build/ranks" "$folder/file"
done
