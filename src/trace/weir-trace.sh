#!/bin/sh
# Runs a program with Weir's recorder loaded: weir-trace [-o FOLDER] PROGRAM [ARGUMENTS]
#
# For use behind a launcher, where no Python is wanted: mpirun -np 8 weir-trace -o T ./app. All ranks name the same folder.
# The recorder's other settings are environment variables: see docs/reference/trace.md.
set -eu

refuse() {
    printf 'weir-trace: %s\n' "$1" >&2
    exit 2
}

folder=weir-trace
if [ "${1-}" = -o ]; then
    [ $# -ge 2 ] || refuse 'the folder behind -o is missing'
    folder=$2
    shift 2
fi
[ "${1-}" != -- ] || shift
[ $# -ge 1 ] || refuse 'no program is named (write for example: mpirun -np 8 weir-trace -o T ./app)'

bin=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")" && pwd -P)
for library in "${WEIR_TRACE_LIBRARY-}" "$bin/../lib/libweir-trace.so" "$bin/../@CMAKE_INSTALL_LIBDIR@/libweir-trace.so"; do
    [ ! -f "$library" ] || break
done
[ -f "$library" ] || refuse "libweir-trace.so is not beside $bin (set WEIR_TRACE_LIBRARY to its path)"
command -v "$1" >/dev/null || refuse "there is no program '$1'"

(umask 077 && mkdir -p -- "$folder") || refuse "the folder '$folder' cannot be made"
[ -n "$(find "$folder/." -prune -user "$(id -u)")" ] || refuse "the folder '$folder' belongs to another user"
WEIR_TRACE=$(CDPATH='' cd -- "$folder" && pwd -P)
LD_PRELOAD=$library${LD_PRELOAD:+:$LD_PRELOAD}
# A program with the address sanitizer otherwise refuses to start behind a preloaded library.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
export WEIR_TRACE LD_PRELOAD ASAN_OPTIONS
exec "$@"
