"""How `weir evaluate` talks."""
