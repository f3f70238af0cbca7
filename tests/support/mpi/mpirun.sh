#!/bin/sh
# mpirun.sh MPIEXEC RANKS PROGRAM...: starts a program on any number of ranks on this machine, as root or not, under Open MPI or MPICH.
mpiexec=$1
ranks=$2
shift 2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Ranks that share a core must give it up while they wait.
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
# The same for Open MPI 5, whose runtime has other names for it.
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none
exec "$mpiexec" -n "$ranks" "$@"
