"""Reads what the Intel MPI Benchmarks print: its lines, its formulas, and samples made of both. Pure."""
