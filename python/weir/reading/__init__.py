"""Results of other benchmarks, read from what they printed, as runs of Weir."""
