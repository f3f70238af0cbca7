# Sourced by the other scripts: the checkout's root, and one voice for messages.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit
export PATH="$root/build/release/bin:$root/.venv/bin:$PATH"

say() { printf 'Weir: %s\n' "$*" >&2; }

# Exit code 2: the set-up or the request is wrong, nothing ran.
refuse() {
    printf 'Weir: %s\n' "$@" >&2
    exit 2
}

# Runs a command with its output in a log, and shows the log's end only if it fails.
quietly() {
    local log=build/setup.log
    mkdir -p build
    if ! "$@" >>"$log" 2>&1; then
        tail -n 25 "$log" >&2
        say "failed: $* (all of its output is in $log)"
        return 1
    fi
}
