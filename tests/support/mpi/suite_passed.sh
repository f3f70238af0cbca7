#!/bin/sh
# suite_passed.sh RESULTS SUITE: whether it passed in the launch that left these results; if not, what it printed there.
grep -qxF "$2" "$1" && exit 0
awk -v suite="$2" 'index($0, "from " suite) && /^\[-/ { inside = !inside } inside' "$1.log"
echo "the suite $2 failed, or was not reached"
exit 1
