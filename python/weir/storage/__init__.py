"""Sizes, page cache, implementations of MPI-IO: figures of the storage benchmark."""
