"""Other benchmarks whose printed results become runs: one module a benchmark, registering its class."""
