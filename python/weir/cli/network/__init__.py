"""Improve what functions of MPI take."""
