"""How `weir plan` and `weir run --dry-run` show a plan."""
