"""Unmodified programs whose collective MPI-IO Weir's two-phase exchange carries out."""
