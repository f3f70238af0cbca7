"""Models of a machine's network from runs, and better algorithms for its functions."""
