#!/usr/bin/env bash
# The two-phase library's times as ratios to ROMIO's, to both of its routes', and to the last release's, kept in
# build/nightly/array-ratios.jsonl from night to night, so that lost speed is seen. The last release is the latest tag
# that is an ancestor; without one there are the other ratios.
set -euo pipefail
scripts/build release array_contenders >/dev/null
kept=build/nightly/array-ratios.jsonl
tag=$(git describe --tags --abbrev=0 2>/dev/null || true)
if [[ -n $tag ]]; then
    folder=build/nightly/release-$tag
    if [[ ! -d $folder/source ]]; then
        mkdir -p "$folder/source"
        git archive "$tag" | tar -x -C "$folder/source"
    fi
    cmake -S "$folder/source" -B "$folder/build" -DCMAKE_BUILD_TYPE=Release >/dev/null
    cmake --build "$folder/build" --parallel "$(nproc)" --target weir_array_shared >/dev/null
    export WEIR_ARRAY_BESIDE=$PWD/$folder/build/lib
fi
commit=$(git rev-parse --short HEAD)
printf '{"kind": "night", "commit": "%s", "release": "%s", "date": "%s"}\n' "$commit" "$tag" "$(date -I)" >>"$kept"
tests/performance/array_exchange.py --edges 8,32,128 --ranks 2,4,8 --repetitions 15 --out "$kept"
