#!/usr/bin/env bash
# All tests that take a virtual cluster: mpirun, Slurm, shared file systems. It needs root and namespaces.
set -euo pipefail
folder=$(mktemp -d) status=0
CLUSTER=$folder/state tests/system/virtual-cluster.sh up 1 2>"$folder/said" || status=$?
[[ ! -e $folder/state ]] || CLUSTER=$folder/state tests/system/virtual-cluster.sh down
cat "$folder/said"
rm -r "$folder"
[[ $status -eq 0 ]] || exit "$status"
mapfile -t tests < <(grep -rl --include='test_*.py' 'virtual_cluster import' tests/python)
WEIR_NIGHTLY=1 .venv/bin/pytest --verbosity=0 "${tests[@]}"
