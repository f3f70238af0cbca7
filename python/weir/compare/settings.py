"""Which settings of a case do not say what is measured."""

ELSEWHERE = frozenset({"dir", "also_dir", "keep", "check_space", "foreign_folder", "input", "output"})
"""Where something lies."""
HOW_OFTEN = frozenset({"repetitions", "warm_up", "interval", "budget", "time_budget", "precision"})
"""How many samples are taken, or when."""
IGNORED = ELSEWHERE | HOW_OFTEN
