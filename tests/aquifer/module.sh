#!/bin/sh
# module.sh MPIEXEC PROGRAM: a program beside which there is no module of the flow, or none that can be loaded, is
# told so, or evaluates formulae; so are all ranks if one of them has none.
set -eu
mpiexec=$1
program=$2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" "$folder/lib"
cp "$program" "$folder/bin/"
alone=$folder/bin/$(basename "$program")

# says CODE WORDS COMMAND...: it ends with this code and prints these words.
says() {
    code=$1
    words=$2
    shift 2
    status=0
    "$@" >"$folder/said" 2>&1 || status=$?
    if [ "$status" -ne "$code" ] || ! grep -q "$words" "$folder/said"; then
        echo "exit code $status instead of $code, or no '$words':"
        cat "$folder/said"
        exit 1
    fi
}

says 3 "it was built without PETSc" "$mpiexec" -n 1 "$alone" flow 4x4x8 1
says 0 "^analytic: 1 steps" "$mpiexec" -n 1 "$alone" automatic 4x4x8 1
says 0 "^analytic: 1 steps" "$mpiexec" -n 1 "$program" automatic 4x4x8 1 : -n 1 "$alone" automatic 4x4x8 1
says 3 "it was built without PETSc" "$mpiexec" -n 1 "$program" flow 4x4x8 1 : -n 1 "$alone" flow 4x4x8 1
echo "no library" >"$folder/lib/weir-aquifer-flow.so"
says 3 "invalid ELF header\|file too short" "$mpiexec" -n 1 "$alone" flow 4x4x8 1
says 0 "^flow: 1 steps" "$mpiexec" -n 1 "$program" automatic 4x4x8 1
# An error of the module is one of the program.
says 3 "the groundwater.s flow does not converge at 0 s" "$mpiexec" -n 1 "$program" flow 4x4x8 1 1 van-genuchten 1e6
