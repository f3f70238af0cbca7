"""How `weir replay` shows what it does."""
