"""Other algorithms for the functions of MPI that violate a guideline: found, tried, and judged."""
