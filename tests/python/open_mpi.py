"""Open MPI's mpirun refuses to run as root unless its environment says so; tests may well run as root."""

AS_ROOT_TOO = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
