#!/bin/sh
# suite_passed.sh RESULTS SUITE: whether it passed in the launch that left these results; if not, what it printed there.
grep -qxF "$2" "$1" && exit 0
# Without the colours of what was printed.
sed 's/\x1b\[[0-9;]*m//g' "$1.log" | awk -v suite="$2" 'index($0, "from " suite) && /^\[-/ { inside = !inside } inside'
echo "the suite $2 failed, or was not reached"
exit 1
