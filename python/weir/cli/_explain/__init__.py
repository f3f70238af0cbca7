"""How `weir explain` shows a trace on a terminal."""
