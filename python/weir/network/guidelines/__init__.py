"""Guidelines of performance: what no function of an MPI library may take longer than."""
