"""The critical path of a parallel program: the rank that all others wait for, from one wait to the next."""
