"""Which settings of a case do not say what is measured."""

ELSEWHERE = frozenset({"dir", "also_dir", "keep", "check_space", "foreign_folder", "input", "output"})
"""Where something lies."""
HOW_OFTEN = frozenset({"repetitions", "warm_up", "interval", "budget", "time_budget", "precision"})
"""How many samples are taken, or when."""
IGNORED = ELSEWHERE | HOW_OFTEN
BALANCE, CALLS = "balance", "calls"
"""Benchmarks of rows that were computed from others: what a machine has for each operation of HPL, whatever
its ranks, and bandwidths of calls beside their times. They are held against printed numbers alone: of two
runs what was measured is compared already, and where HPL is quicker, its balance is less."""
COMPUTED = frozenset({BALANCE, CALLS})
