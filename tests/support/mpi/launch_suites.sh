#!/bin/sh
# launch_suites.sh RESULTS MPIEXEC RANKS PROGRAM...: all suites of a program in one launch. RESULTS tells each that passed
# on all ranks, RESULTS.log what was printed. Fails only where the launch does not end as it should: suites that fail have
# tests of their own, which suite_passed.sh is.
results=$1
shift
rm -f "$results"
WEIR_SUITE_RESULTS=$results "$(dirname "$0")/mpirun.sh" "$@" >"$results.log" 2>&1
status=$?
cat "$results.log"
exit $status
